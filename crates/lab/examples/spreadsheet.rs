//! Measurement for `bench/run spreadsheet`. `spreadsheet LISTS ITEMS PEOPLE QUESTIONS SEED` runs
//! campaigns in which assessors answer in spreadsheets, and prints
//! `strategy,way,answers,votes,rounds`. In one variant each assessor has an individual sheet; in
//! the other all fill in one common sheet of open pairs.

use std::collections::HashMap;
use std::error::Error;

use partita_core::{Item, Preference};
use partita_judging::StrategyName;
use partita_judging::campaign::log::{Stamp, Timestamp};
use partita_judging::campaign::{
    Answer, CampaignSession, CampaignSpec, EngineSettings, Event, Leases, MemoryStore, QuerySpec,
    QuestionSheetsRequest,
};
use partita_judging::simulate::{AssessorModel, Oracle, SimulatedList};

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Result<Vec<u64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let &[lists, items, people, questions, seed] = numbers?.as_slice() else {
        return Err("usage: spreadsheet LISTS ITEMS PEOPLE QUESTIONS SEED".into());
    };
    for strategy in [
        StrategyName::Sort,
        StrategyName::SortPredictive,
        StrategyName::Pooled,
    ] {
        for own in [true, false] {
            let mut trial = SpreadsheetCampaign::new(strategy, lists, items as usize, seed)?;
            let people: Vec<String> = (0..people).map(|person| format!("p{person}")).collect();
            let mut rounds = 0;
            loop {
                let filled = if own {
                    trial.fill_individual_sheets(&people, questions as usize)?
                } else {
                    trial.fill_common_sheet(&people)?
                };
                if !filled {
                    break;
                }
                rounds += 1;
            }
            let campaign = trial.session.campaign();
            let flags = campaign.answer_statuses();
            let votes = flags.iter().filter(|flag| flag.is_vote()).count();
            let way = if own { "own sheets" } else { "one sheet" };
            #[expect(clippy::print_stdout, reason = "it is what this program is for")]
            {
                println!("{strategy},{way},{},{votes},{rounds}", flags.len());
            }
        }
    }
    Ok(())
}

/// Campaign with its simulated assessors.
struct SpreadsheetCampaign {
    session: CampaignSession<MemoryStore>,
    stamp: Stamp,
    lists: Vec<SimulatedList>,
    /// Number of answers so far about each pair.
    answer_counts: HashMap<(String, String, String), u32>,
}

impl SpreadsheetCampaign {
    fn new(
        strategy: StrategyName,
        lists: u64,
        items: usize,
        seed: u64,
    ) -> Result<Self, Box<dyn Error>> {
        let people = AssessorModel::default();
        let list = |list: u64| SimulatedList::new(people, items, seed * 1_000 + list);
        let names = || (0..items).map(|item| item.to_string());
        let candidates = (0..lists).map(|list| QuerySpec::new(list.to_string(), names()));
        let settings = CampaignSpec {
            settings: EngineSettings {
                strategy,
                seed,
                ..EngineSettings::default()
            },
            ..CampaignSpec::new("spreadsheet", candidates.collect())
        };
        let stamp = Stamp {
            at: Timestamp::from_seconds(0.0).ok_or("a time")?,
            author: "bench".to_owned(),
        };
        Ok(Self {
            session: CampaignSession::create(MemoryStore::default(), settings, &stamp)?,
            stamp,
            lists: (0..lists).map(list).collect(),
            answer_counts: HashMap::new(),
        })
    }

    fn answer(&mut self, person: &str, [query, a, b]: [&str; 3]) -> Result<Event, Box<dyn Error>> {
        let item = |name: &str| -> Result<Item, Box<dyn Error>> {
            Ok(Item::from_index(name.parse()?).ok_or("too many items")?)
        };
        let pair = (query.to_owned(), a.min(b).to_owned(), a.max(b).to_owned());
        let before = self.answer_counts.entry(pair).or_insert(0);
        let list: usize = query.parse()?;
        let said: Option<Preference> = self.lists[list].answer(item(a)?, item(b)?, *before);
        *before += 1;
        Ok(Event::vote(Answer::preference(query, a, b, person, said)))
    }

    /// Issues sheets to all assessors and records their answers. Returns false if no
    /// sheet was issued.
    fn fill_individual_sheets(
        &mut self,
        people: &[String],
        most: usize,
    ) -> Result<bool, Box<dyn Error>> {
        let request = QuestionSheetsRequest {
            assessors: people.to_vec(),
            questions: most,
            out: Leases::new(),
        };
        let sheets = self.session.issue_sheets(&self.stamp, &request)?.sheets;
        let mut answers = Vec::new();
        for sheet in &sheets {
            for asked in &sheet.questions {
                answers.push(self.answer(&sheet.assessor, [&asked.query, &asked.a, &asked.b])?);
            }
        }
        self.session.record(&self.stamp, answers)?;
        Ok(!sheets.is_empty())
    }

    /// Lets every assessor answer all questions of the common sheet. Returns false if it was empty.
    fn fill_common_sheet(&mut self, people: &[String]) -> Result<bool, Box<dyn Error>> {
        let questions = self.session.ask(&self.stamp, None)?.pairs;
        let mut answers = Vec::new();
        for person in people {
            for asked in &questions {
                answers.push(self.answer(person, [&asked.query, &asked.a, &asked.b])?);
            }
        }
        self.session.record(&self.stamp, answers)?;
        Ok(!questions.is_empty())
    }
}
