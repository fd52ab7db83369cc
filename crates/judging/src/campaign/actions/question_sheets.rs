//! Questions on sheets: for people who answer in a spreadsheet, each their own.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::exclusion::QueryPair;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::InputError;
use crate::campaign::engine::assignment::AssignmentRequest;
use crate::campaign::engine::lease::{Lease, Leases, Question};
use crate::campaign::log::Stamp;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// Who gets a sheet.
#[derive(Clone, Debug)]
pub struct QuestionSheetsRequest {
    /// The people.
    pub assessors: Vec<String>,
    /// The most questions on a sheet.
    pub questions: usize,
    /// What is on sheets that are still out. Whoever has one gets no other.
    pub out: Leases,
}

/// Questions for some people, no two of them asked for the same vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuestionSheets {
    /// What the campaign is called.
    pub campaign: String,
    /// The sheets that are new, in the order of the people.
    pub sheets: Vec<QuestionSheet>,
    /// The people who have a sheet that is not all answered.
    pub waiting: Vec<String>,
    /// The people for whom there is nothing now.
    pub idle: Vec<String>,
}

/// The questions of one person, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuestionSheet {
    /// Who is asked.
    pub assessor: String,
    /// The file that it was written to; null if to none.
    pub file: Option<String>,
    /// What they are asked.
    pub questions: Vec<QueryPair>,
}

impl Campaign {
    /// What is on people's sheets and not answered yet.
    ///
    /// # Errors
    /// The place of the first question that is none of the campaign, from 0, and why.
    pub fn leases_from_sheets<'a>(
        &self,
        questions: impl IntoIterator<Item = (&'a str, QueryPair)>,
    ) -> Result<Leases, (usize, InputError)> {
        let mut leases = Leases::new();
        for (place, (person, question)) in questions.into_iter().enumerate() {
            let QueryPair { query, a, b } = question;
            let pair = QueryPair { query, a, b };
            if self.has_answered(&pair, person) {
                continue;
            }
            let lease = Lease {
                assessor: person.to_owned(),
                gold: self.is_gold(&pair),
                task: Question::Preference {
                    query: pair.query,
                    a: pair.a,
                    b: pair.b,
                },
            };
            leases.add(self, lease).map_err(|error| (place, error))?;
        }
        Ok(leases)
    }

    /// Whether the answer about a pair is known.
    fn is_gold(&self, pair: &QueryPair) -> bool {
        let gold = self.spec().gold.iter().flat_map(|gold| &gold.pairs);
        let mut gold = gold.filter(|gold| gold.query == pair.query);
        gold.any(|gold| {
            let items = [&gold.a, &gold.b];
            items == [&pair.a, &pair.b] || items == [&pair.b, &pair.a]
        })
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// New sheets for these people. What is asked is in the log before anybody sees it.
    ///
    /// Each gets one question after the other in turn, as [`Session::next_task`] chooses them, so that
    /// all have about the same number.
    pub fn issue_sheets(
        &mut self,
        stamp: &Stamp,
        request: &QuestionSheetsRequest,
    ) -> Result<QuestionSheets, RecordError<S::Error>> {
        // All lists first, so that there are questions about all of them.
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut leases = request.out.clone();
        let mut named = HashSet::new();
        let people = request.assessors.iter();
        let people = people.filter(|person| named.insert(self.campaign().canonical_name(person)));
        let people: Vec<String> = people.cloned().collect();
        let has_one = |person: &String| {
            let known = self.campaign().canonical_name(person);
            request.out.questions_of(&known).next().is_some()
        };
        let (waiting, free): (Vec<String>, Vec<String>) = people.into_iter().partition(has_one);
        let mut sheets: Vec<QuestionSheet> = free
            .into_iter()
            .map(|assessor| QuestionSheet {
                assessor,
                file: None,
                questions: Vec::new(),
            })
            .collect();
        let mut open: Vec<usize> = (0..sheets.len()).collect();
        for _ in 0..request.questions {
            let mut still = Vec::with_capacity(open.len());
            for place in open {
                let sheet = &mut sheets[place];
                let chosen =
                    self.next_assignment(stamp, &AssignmentRequest::new(&sheet.assessor), &leases)?;
                let Some(chosen) = chosen else {
                    continue;
                };
                let lease = Lease {
                    assessor: sheet.assessor.clone(),
                    task: chosen.task.clone(),
                    gold: chosen.gold.is_some(),
                };
                let added = leases.add(self.campaign(), lease);
                added.expect("a task that the campaign chose is one of its own");
                if let Question::Preference { query, a, b } = chosen.task {
                    sheet.questions.push(QueryPair { query, a, b });
                }
                still.push(place);
            }
            open = still;
        }
        let (idle, sheets) = sheets
            .into_iter()
            .partition::<Vec<QuestionSheet>, _>(|sheet| sheet.questions.is_empty());
        Ok(QuestionSheets {
            campaign: self.campaign().spec().name.clone(),
            sheets,
            waiting,
            idle: idle.into_iter().map(|sheet| sheet.assessor).collect(),
        })
    }
}
