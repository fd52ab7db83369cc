//! Runs a campaign of preference judgments in which a closure answers for the people.
//!
//! `cargo run -p partita --example campaign`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::collections::VecDeque;
use std::error::Error;

use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{
    AnswerRecord, Candidates, Event, ExportRequest, Leases, MemoryStore, Session, Settings, Task,
    TaskRequest,
};
use partita::{Answer, formats};

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
            std::cmp::Ordering::Less => Answer::A,
            std::cmp::Ordering::Equal => Answer::Equal,
            std::cmp::Ordering::Greater => Answer::B,
        }
    };

    let lists = vec![
        Candidates::of("waltz", ["w-31", "w-12", "w-38", "w-5", "w-17"]),
        Candidates::of("reel", ["r-44", "r-41", "r-3"]),
    ];
    let settings = Settings {
        votes: 5,
        decide: "majority".parse()?,
        ..Settings::new("dances", lists)
    };
    // The library has no clock: who drives a campaign says when something happened, and who did it.
    let stamp = Stamp {
        at: "2010-04-14T18:29:32Z".parse()?,
        author: "the organiser".to_owned(),
    };
    let mut session = Session::begin(MemoryStore::default(), settings, &stamp)?;
    // Whoever comes gets the next pair that is for them, with sides drawn for them. A driver with many
    // people at once keeps what is with them as leases; here everybody answers at once.
    session.ask(&stamp, None)?;
    let leases = Leases::new();
    let mut waiting = VecDeque::from(people);
    while let Some(person) = waiting.pop_front() {
        let request = TaskRequest::new(person);
        let Some(chosen) = session.next_task(&stamp, &request, &leases)? else {
            println!("{person} is done");
            continue;
        };
        if let Task::Preference { query, a, b } = &chosen.task {
            let answered = AnswerRecord::new(query, a, b, person, Some(answer(a, b)));
            session.record(&stamp, vec![Event::Answered(answered)])?;
        }
        waiting.push_back(person);
    }

    let campaign = session.campaign();
    println!("{} answers made these lists:", campaign.answers());
    let lists = campaign.export(&ExportRequest::default())?;
    print!(
        "{}",
        formats::truth::write(&lists.ground_truth(), "notation".parse()?)?
    );

    // The log is all that there is to keep.
    let again = Session::open(session.into_store())?;
    assert!(again.campaign().is_settled());
    Ok(())
}
