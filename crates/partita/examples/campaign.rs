//! Runs a campaign of preference judgments with simulated assessors.
//!
//! `cargo run -p partita --example campaign`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::collections::VecDeque;
use std::error::Error;

use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{
    Answer, AssignmentRequest, CampaignSession, CampaignSpec, EngineSettings, Event, ExportRequest,
    Leases, MemoryStore, QuerySpec,
};
use partita::{Preference, formats};

fn main() -> Result<(), Box<dyn Error>> {
    // Simulates the answer to "Which of two melodies is closer to the query?". The number in an
    // item name is its distance to the query, which assessors perceive in steps of ten.
    let people = ["ann", "bob", "cid", "dee", "eve"];
    let answer = |a: &str, b: &str| {
        let distance = |item: &str| {
            item.split('-')
                .next_back()
                .and_then(|n| n.parse::<u32>().ok())
        };
        let perceived = |item: &str| distance(item).map(|distance| distance / 10);
        match perceived(a).cmp(&perceived(b)) {
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
        settings: EngineSettings {
            votes: 5,
            decide: "majority".parse()?,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("dances", lists)
    };
    // The library reads no clock: the caller states the time and the author of every event.
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "the organiser".to_owned(),
    };
    let mut session = CampaignSession::create(MemoryStore::default(), settings, &stamp)?;
    // Each assessor in turn gets a pair that still needs their vote, in random order of the items.
    // A caller with concurrent assessors keeps their open assignments as leases; here every
    // question is answered at once.
    session.ask(&stamp, None)?;
    let leases = Leases::new();
    let mut waiting = VecDeque::from(people);
    while let Some(person) = waiting.pop_front() {
        let request = AssignmentRequest::new(person);
        let Some(chosen) = session.next_assignment(&stamp, &request, &leases)? else {
            println!("{person} is done");
            continue;
        };
        if let Some([a, b]) = chosen.task.pair() {
            let query = &chosen.task.query;
            let answered = Answer::preference(query, a, b, person, Some(answer(a, b)));
            session.record(&stamp, vec![Event::vote(answered)])?;
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

    // The log contains the whole campaign, so the campaign can be opened from it again.
    let again = CampaignSession::open(session.into_store())?;
    assert!(again.campaign().is_settled());
    Ok(())
}
