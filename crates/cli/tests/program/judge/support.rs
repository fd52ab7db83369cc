//! A campaign in a folder of its own, and assessors who answer its questions.

use crate::session::{Folder, Outcome, outcome_of, outcome_with, output_of};

/// Two lists, one of them with a pair of identical items.
pub(crate) const CANDIDATES: &str = "query,item,content\nq1,a1,\nq1,b1,\nq1,b2,\nq1,c1,s\nq1,c2,s\n\
                                     q2,a1,\nq2,b1,\nq2,c1,\n";

/// What time it is in these campaigns, so that the same is written whenever they are run.
const NOW: [&str; 2] = ["--now", "2026-01-05T00:00:00Z"];

/// A campaign.
pub(crate) struct Campaign {
    folder: Folder,
    pub(crate) log: String,
}

/// One pair as `next` prints it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) pair: String,
    pub(crate) query: String,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) votes: usize,
    pub(crate) state: String,
}

impl Campaign {
    /// Begins a campaign of [`CANDIDATES`] with these options.
    pub(crate) fn new(options: &[&str]) -> Self {
        Self::of(CANDIDATES, options)
    }

    /// Begins a campaign of these candidates.
    pub(crate) fn of(candidates: &str, options: &[&str]) -> Self {
        let folder = Folder::new();
        let log = folder.place("trial.jsonl");
        let campaign = Self { folder, log };
        let candidates = campaign.file("candidates.csv", candidates);
        let begin = ["judge", "init", &campaign.log, "--candidates", &candidates];
        output_of(&[&begin, &NOW[..], options].concat());
        campaign
    }

    /// Writes a file into the campaign's folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        self.folder.file(name, text)
    }

    /// Runs `partita judge COMMAND LOG OPTIONS`.
    pub(crate) fn run(&self, command: &str, options: &[&str]) -> Outcome {
        outcome_of(&[&["judge", command, &self.log], options].concat())
    }

    /// The output of a command that must succeed.
    pub(crate) fn output(&self, command: &str, options: &[&str]) -> String {
        output_of(&[&["judge", command, &self.log], options].concat())
    }

    /// The JSON that a command prints.
    pub(crate) fn json(&self, command: &str, options: &[&str]) -> serde_json::Value {
        let text = self.output(command, &[options, &["--format", "json"]].concat());
        serde_json::from_str(&text).expect("JSON")
    }

    pub(crate) fn next(&self) -> Vec<Asked> {
        parse(&self.output("next", &NOW))
    }

    /// Adds answers given on standard input.
    pub(crate) fn add(&self, answers: &str, options: &[&str]) -> Outcome {
        outcome_with(
            answers,
            &[&["judge", "add", &self.log, "-"], options].concat(),
        )
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.log).expect("the log")
    }

    /// Runs the campaign to its end.
    pub(crate) fn finish(&self) {
        self.finish_by("p");
    }

    /// Runs the campaign to its end with people who are called like this.
    pub(crate) fn finish_by(&self, people: &str) {
        for _ in 0..100 {
            let asked = self.next();
            if asked.is_empty() {
                return;
            }
            let said = self.add(&answers(&asked, people), &NOW);
            assert_eq!(said.code, 0, "{}", said.err);
        }
        panic!("the campaign never ends");
    }
}

pub(crate) fn parse(csv: &str) -> Vec<Asked> {
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("campaign,batch,pair,query,a,b,votes,state,assessor,answer")
    );
    let asked = lines.map(|line| {
        let columns: Vec<&str> = line.split(',').collect();
        assert_eq!(columns[0], "trial");
        Asked {
            pair: columns[2].to_owned(),
            query: columns[3].to_owned(),
            a: columns[4].to_owned(),
            b: columns[5].to_owned(),
            votes: columns[6].parse().expect("a number"),
            state: columns[7].to_owned(),
        }
    });
    asked.collect()
}

/// What people say of pairs: the letter of an item is its level.
pub(crate) fn answers(asked: &[Asked], people: &str) -> String {
    let mut text = "campaign,query,a,b,assessor,answer,seconds,time\n".to_owned();
    for pair in asked {
        let answer = match pair.a[..1].cmp(&pair.b[..1]) {
            std::cmp::Ordering::Less => "a",
            std::cmp::Ordering::Equal => "equal",
            std::cmp::Ordering::Greater => "b",
        };
        for person in 0..pair.votes {
            let time = format!("2026-01-02T03:04:{person:02}Z");
            text.push_str(&format!(
                "trial,{},{},{},{people}{}-{person},{answer},12.5,{time}\n",
                pair.query, pair.a, pair.b, pair.pair
            ));
        }
    }
    text
}
