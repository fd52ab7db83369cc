//! Helpers for tests of `partita judge`: a campaign in a temporary folder, and answers to its
//! questions.

use crate::session::{Folder, Outcome, outcome_of, outcome_with, output_of};

/// Candidate items of two queries; c1 and c2 of q1 have identical content.
pub(crate) const CANDIDATES: &str = "query,item,content\nq1,a1,\nq1,b1,\nq1,b2,\nq1,c1,s\nq1,c2,s\n\
                                     q2,a1,\nq2,b1,\nq2,c1,\n";

/// Option that fixes the time recorded in the log, so that every run writes the same log.
const NOW: [&str; 2] = ["--now", "2026-01-05T00:00:00Z"];

/// Campaign in a temporary folder, with the path of its log.
pub(crate) struct Campaign {
    folder: Folder,
    pub(crate) log: String,
}

/// Open pair as printed by `judge next`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenPairRow {
    pub(crate) pair: String,
    pub(crate) query: String,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) votes: usize,
    pub(crate) state: String,
}

impl Campaign {
    /// Creates a campaign of [`CANDIDATES`] with these options of `judge init`.
    pub(crate) fn new(options: &[&str]) -> Self {
        Self::with_candidates(CANDIDATES, options)
    }

    /// Creates a campaign of these candidates with these options of `judge init`.
    pub(crate) fn with_candidates(candidates: &str, options: &[&str]) -> Self {
        let folder = Folder::new();
        let log = folder.place("trial.jsonl");
        let campaign = Self { folder, log };
        let candidates = campaign.file("candidates.csv", candidates);
        let begin = ["judge", "init", &campaign.log, "--candidates", &candidates];
        output_of(&[&begin, &NOW[..], options].concat());
        campaign
    }

    /// Writes a file into the folder of the campaign and returns its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        self.folder.file(name, text)
    }

    /// Runs `partita campaign COMMAND LOG OPTIONS`.
    pub(crate) fn run(&self, command: &str, options: &[&str]) -> Outcome {
        outcome_of(&[&["judge", command, &self.log], options].concat())
    }

    /// Returns the output of a command, which must succeed.
    pub(crate) fn output(&self, command: &str, options: &[&str]) -> String {
        output_of(&[&["judge", command, &self.log], options].concat())
    }

    /// Returns the JSON that a command prints.
    pub(crate) fn json(&self, command: &str, options: &[&str]) -> serde_json::Value {
        let text = self.output(command, &[options, &["--format", "json"]].concat());
        serde_json::from_str(&text).expect("JSON")
    }

    /// Returns the open pairs that `judge next` prints.
    pub(crate) fn next(&self) -> Vec<OpenPairRow> {
        parse_open_pairs(&self.output("next", &NOW))
    }

    /// Adds answers given on standard input.
    pub(crate) fn add(&self, answers: &str, options: &[&str]) -> Outcome {
        outcome_with(
            answers,
            &[&["judge", "add", &self.log, "-"], options].concat(),
        )
    }

    /// Returns the content of the log.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.log).expect("the log")
    }

    /// Answers all questions until the campaign asks no more.
    pub(crate) fn finish(&self) {
        self.finish_by("p");
    }

    /// Answers all questions like [`Self::finish`]; the names of the assessors start with `people`.
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

/// Parses the CSV output of `judge next`.
pub(crate) fn parse_open_pairs(csv: &str) -> Vec<OpenPairRow> {
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("campaign,batch,pair,query,a,b,votes,state,assessor,answer")
    );
    let asked = lines.map(|line| {
        let columns: Vec<&str> = line.split(',').collect();
        assert_eq!(columns[0], "trial");
        OpenPairRow {
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

/// Returns one answer for each missing vote of the pairs. The item whose name starts with the
/// earlier letter is closer; items with the same letter are equal.
pub(crate) fn answers(asked: &[OpenPairRow], people: &str) -> String {
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
