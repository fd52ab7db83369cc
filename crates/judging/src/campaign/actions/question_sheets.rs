//! Question sheets for assessors who answer in a spreadsheet.

use std::collections::HashSet;

use partita_core::judgment::Question;
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::campaign::engine::assignment::AssignmentRequest;
use crate::campaign::engine::lease::{Lease, Leases};
use crate::campaign::engine::pair::QueryPair;
use crate::campaign::input_error::InputError;
use crate::campaign::log::Stamp;
use crate::campaign::log::store::CampaignStore;
use crate::campaign::session::{CampaignSession, RecordError};

/// Request for question sheets: the assessors who need one, and the unanswered questions of earlier
/// sheets.
#[derive(Clone, Debug)]
pub struct QuestionSheetsRequest {
    /// Assessors in the order in which sheets are issued.
    pub assessors: Vec<String>,
    /// Maximum number of questions on a sheet.
    pub questions: usize,
    /// Unanswered questions on sheets that were issued earlier. An assessor with such questions
    /// gets no new sheet.
    pub out: Leases,
}

/// New question sheets for several assessors. Each missing vote of a pair is asked on one sheet
/// only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuestionSheets {
    /// Name of the campaign.
    pub campaign: String,
    /// New sheets, in the order in which the request names the assessors.
    pub sheets: Vec<QuestionSheet>,
    /// Assessors who get no new sheet because an earlier sheet has unanswered questions.
    pub waiting: Vec<String>,
    /// Assessors who get no new sheet because there are no questions for them now.
    pub idle: Vec<String>,
}

/// Questions for one assessor, in the order in which they are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuestionSheet {
    /// Assessor who answers the sheet.
    pub assessor: String,
    /// File that the sheet was written to; null if it was not written.
    pub file: Option<String>,
    /// Pairs to compare, in the order in which they are asked.
    pub questions: Vec<QueryPair>,
}

impl Campaign {
    /// Converts the questions of earlier sheets to leases, that is, to questions that are handed
    /// out and unanswered. Questions that have been answered, gold pairs too, are left out.
    ///
    /// # Errors
    /// Returns the index (from 0) of the first question that does not belong to the campaign, and
    /// the reason.
    pub fn leases_from_sheets<'a>(
        &self,
        questions: impl IntoIterator<Item = (&'a str, QueryPair)>,
    ) -> Result<Leases, (usize, InputError)> {
        let mut leases = Leases::new();
        let gold = self.spec().gold.as_ref();
        for (place, (person, pair)) in questions.into_iter().enumerate() {
            let question = Question::preference(&pair.query, &pair.a, &pair.b);
            if self.has_answered(&pair, person) || self.has_answered_gold(&question, person) {
                continue;
            }
            let lease = Lease {
                assessor: person.to_owned(),
                gold: gold.is_some_and(|gold| gold.find(&pair.query, &pair.a, &pair.b).is_some()),
                task: question,
            };
            leases.add(self, lease).map_err(|error| (place, error))?;
        }
        Ok(leases)
    }
}

impl<S: CampaignStore> CampaignSession<S> {
    /// Creates sheets with questions for assessors. The vote requests for the pairs on a sheet are
    /// in the log before anybody sees the sheet.
    ///
    /// Questions are dealt in turn, one per assessor and round, as chosen by
    /// [`CampaignSession::next_assignment`], so that all sheets have about the same length.
    pub fn issue_sheets(
        &mut self,
        stamp: &Stamp,
        request: &QuestionSheetsRequest,
    ) -> Result<QuestionSheets, RecordError<S::Error>> {
        // Schedule all lists first, so that the sheets can cover every query.
        while let Some(asked) = self.campaign().next_batch() {
            self.record(stamp, vec![asked])?;
        }
        let mut leases = request.out.clone();
        let mut named = HashSet::new();
        let people = (request.assessors.iter())
            .filter(|person| named.insert(self.campaign().canonical_name(person)));
        let has_one = |person: &String| {
            let known = self.campaign().canonical_name(person);
            request.out.questions_of(&known).next().is_some()
        };
        let (waiting, free): (Vec<String>, Vec<String>) = people.cloned().partition(has_one);
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
                added.expect("the campaign assigns only questions that belong to it");
                sheet
                    .questions
                    .extend(QueryPair::from_question(&chosen.task));
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
