//! Runs a campaign of preference judgments in which a closure answers for the people.
//!
//! `cargo run -p partita --example campaign`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{
    Answered, Candidates, Event, ExportRequest, MemoryStore, Question, Session, Settings,
};
use partita::{Answer, formats};

fn main() -> Result<(), Box<dyn Error>> {
    // Which of two melodies is closer to the query? Whoever listens hears lengths in whole tens.
    let people = ["ann", "bob", "cid", "dee", "eve"];
    let answer = |question: &Question| {
        let length = |item: &str| {
            item.split('-')
                .next_back()
                .and_then(|n| n.parse::<u32>().ok())
        };
        let heard = |item: &str| length(item).map(|length| length / 10);
        match heard(&question.a).cmp(&heard(&question.b)) {
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
    loop {
        let questions = session.ask(&stamp, None)?.pairs;
        if questions.is_empty() {
            break;
        }
        println!(
            "Batch {}: {} pairs",
            session.campaign().batches(),
            questions.len()
        );
        for question in &questions {
            let voters = people.iter().take(question.votes as usize);
            let answers = voters.map(|person| {
                let (query, a, b) = (&question.query, &question.a, &question.b);
                Event::Answered(Answered::new(query, a, b, person, Some(answer(question))))
            });
            session.record(&stamp, answers.collect())?;
        }
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
