//! Runs a campaign of preference judgments in which a closure answers for the people.
//!
//! `cargo run -p partita --example campaign`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::collections::VecDeque;
use std::error::Error;

use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{
    AssignmentRequest, CampaignSession, CampaignSpec, Event, ExportRequest, Leases, MemoryStore,
    PreferenceAnswer, QuerySpec, Question,
};
use partita::{Preference, formats};

fn main() -> Result<(), Box<dyn Error>> {
    // Which of two melodies is closer to the query? Whoever listens hears lengths in whole tens.
    let people = ["ann", "bob", "cid", "dee", "eve"];
    let answer = |a: &str, b: &str| {
        let length = |item: &str| {
            item.split('-')
                .next_back()
                .and_then(|n| n.parse::<u32>().ok())
        };
        let heard = |item: &str| length(item).map(|length| length / 10);
        match heard(a).cmp(&heard(b)) {
            std::cmp::Ordering::Less => Preference::A,
            std::cmp::Ordering::Equal => Preference::Equal,
            std::cmp::Ordering::Greater => Preference::B,
        }
    };

    let lists = vec![
        QuerySpec::new("waltz", ["w-31", "w-12", "w-38", "w-5", "w-17"]),
        QuerySpec::new("reel", ["r-44", "r-41", "r-3"]),
    ];
    let settings = CampaignSpec {
        votes: 5,
        rule: "majority".parse()?,
        ..CampaignSpec::new("dances", lists)
    };
    // The library has no clock: who drives a campaign says when something happened, and who did it.
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "the organiser".to_owned(),
    };
    let mut session = CampaignSession::create(MemoryStore::default(), settings, &stamp)?;
    // Whoever comes gets the next pair that is for them, with sides drawn for them. A driver with many
    // people at once keeps what is with them as leases; here everybody answers at once.
    session.ask(&stamp, None)?;
    let leases = Leases::new();
    let mut waiting = VecDeque::from(people);
    while let Some(person) = waiting.pop_front() {
        let request = AssignmentRequest::new(person);
        let Some(chosen) = session.next_assignment(&stamp, &request, &leases)? else {
            println!("{person} is done");
            continue;
        };
        if let Question::Preference { query, a, b } = &chosen.task {
            let answered = PreferenceAnswer::new(query, a, b, person, Some(answer(a, b)));
            session.record(&stamp, vec![Event::Answered(answered)])?;
        }
        waiting.push_back(person);
    }

    let campaign = session.campaign();
    println!("{} answers made these lists:", campaign.answer_count());
    let lists = campaign.export(&ExportRequest::default())?;
    print!(
        "{}",
        formats::truth::write(&lists.ground_truth(), "notation".parse()?)?
    );

    // The log is all that there is to keep.
    let again = CampaignSession::open(session.into_store())?;
    assert!(again.campaign().is_settled());
    Ok(())
}
