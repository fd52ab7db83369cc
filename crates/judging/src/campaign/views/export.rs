//! The lists of a campaign, for others.

use std::collections::BTreeMap;

use partita_core::{GroundTruth, OrderedMap, QueryTruth, TruthScale};
use schemars::JsonSchema;
use serde::Serialize;

use super::held_out::HeldOutAgreement;
use super::snapshot::{AnswerWithStatus, PairProgress};
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::{AnswerStatus, InputError};
use crate::votes::relation::Relation;

/// Which lists are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRequest {
    /// Only these queries; all if none is named.
    pub queries: Vec<String>,
    /// Only lists that are settled.
    pub settled: bool,
}

partita_named::named_enum! {
    /// Which answers are wanted.
    pub enum AnswerSelection: "choice of answers" {
        /// Everything that is in the log
        All = "all",
        /// Only votes, held-out ones included
        Counted = "counted",
    }
}

partita_named::named_enum! {
    /// How decided pairs are written.
    pub enum PairFormat: "format of pairs" {
        /// topic a b winner, without pairs that are equal (Clarke, Vtyurina and Smucker 2021)
        Winner = "winner",
        /// query,left,right,winner: the winner is left, right or tie
        LeftRight = "left-right",
    }
}

/// The lists of a campaign as they are now.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExportedLists {
    /// What the campaign is called.
    pub campaign: String,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The number of votes on a pair, or the most of them.
    pub votes: u32,
    /// The decision rule.
    pub decide: String,
    /// Its level, if it is a test.
    pub alpha: Option<f64>,
    /// The strategy.
    pub strategy: String,
    /// The lists, each by its groups.
    pub lists: OrderedMap<Vec<Vec<String>>>,
    /// The queries of lists that are not settled yet.
    pub unfinished: Vec<String>,
    /// How many answers became what.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// How well the lists predict held-out votes, all together.
    pub held_out: HeldOutAgreement,
    /// The same for each list.
    pub held_out_by_query: OrderedMap<HeldOutAgreement>,
}

impl ExportedLists {
    /// The lists as a ground truth.
    pub fn ground_truth(&self) -> GroundTruth {
        let judged = (self.lists.iter()).map(|(query, groups)| {
            let groups: Vec<Vec<&str>> = (groups.iter())
                .map(|group| group.iter().map(String::as_str).collect())
                .collect();
            let judged = QueryTruth::from_groups(groups.iter());
            (
                query.to_owned(),
                judged.expect("a list has each item once and no empty group"),
            )
        });
        GroundTruth::new(TruthScale::Groups, judged.collect::<Vec<_>>())
            .expect("a campaign has each query once")
    }
}

/// A pair that its votes decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairDecision {
    /// The query.
    pub query: String,
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// How a relates to b: less if a is preferred.
    pub relation: Relation,
}

impl Campaign {
    pub(crate) fn selected_lists(&self, request: &ExportRequest) -> Result<Vec<usize>, InputError> {
        let mut lists = self.list_indices(&request.queries)?;
        if request.settled {
            lists.retain(|&list| self.is_list_settled(list));
        }
        Ok(lists)
    }

    /// The lists as they are now, settled or not.
    pub fn export(&self, request: &ExportRequest) -> Result<ExportedLists, InputError> {
        let lists = self.selected_lists(request)?;
        let settings = self.spec();
        let name = |list: usize| self.query_name(list).to_owned();
        let unfinished = lists.iter().filter(|&&list| !self.is_list_settled(list));
        let groups = lists.iter();
        let groups = groups.map(|&list| (name(list), self.named_groups(list)));
        let qualities = lists.iter();
        let qualities = qualities.map(|&list| (name(list), self.list_held_out_agreement(list)));
        Ok(ExportedLists {
            campaign: settings.name.clone(),
            seed: settings.seed,
            votes: settings.votes,
            decide: settings.rule.to_string(),
            alpha: settings.alpha(),
            strategy: settings.strategy.to_string(),
            lists: groups.collect(),
            unfinished: unfinished.map(|&list| name(list)).collect(),
            answers: self.answer_status_counts(),
            held_out: self.held_out_agreement(),
            held_out_by_query: qualities.collect(),
        })
    }

    /// The pairs that their votes decide, by the order of the candidates.
    pub fn decided_pairs(&self, request: &ExportRequest) -> Result<Vec<PairDecision>, InputError> {
        let mut decided = Vec::new();
        for list in self.selected_lists(request)? {
            let pairs = self.pair_snapshots(list).into_iter();
            for pair in pairs.filter(|pair| pair.state == PairProgress::Decided) {
                decided.push(PairDecision {
                    query: self.query_name(list).to_owned(),
                    relation: pair.relation.unwrap_or(Relation::Equal),
                    a: pair.a,
                    b: pair.b,
                });
            }
        }
        Ok(decided)
    }

    /// The answers about these lists with what became of each, in the order of the log.
    pub fn exported_answers(
        &self,
        request: &ExportRequest,
        which: AnswerSelection,
    ) -> Result<Vec<AnswerWithStatus>, InputError> {
        let lists = self.selected_lists(request)?;
        let mut wanted = vec![false; self.list_count()];
        lists.iter().for_each(|&list| wanted[list] = true);
        let mut answers = self.answer_states_of(|list| wanted[list]);
        answers.retain(|answer| which == AnswerSelection::All || answer.flag.is_vote());
        Ok(answers)
    }
}
