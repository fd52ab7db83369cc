//! Export of the lists, decisions and answers of a campaign.

use std::collections::BTreeMap;

use partita_core::judgment::Answer;
use partita_core::{AssessorRankings, GroundTruth, OrderedMap, QueryTruth, TruthScale};
use schemars::JsonSchema;
use serde::Serialize;

use super::held_out::HeldOutAgreement;
use super::snapshot::{AnswerWithStatus, PairProgress};
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::input_error::InputError;
use crate::votes::relation::Relation;

/// Selection of lists to export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRequest {
    /// Queries to export; all if empty.
    pub queries: Vec<String>,
    /// True to export only lists on which the strategy needs no more votes.
    pub settled: bool,
}

partita_named::named_enum! {
    /// Selection of answers to export.
    pub enum AnswerSelection: "choice of answers" {
        /// All answers in the log
        All = "all",
        /// Only votes, held-out ones included
        Counted = "counted",
    }
}

partita_named::named_enum! {
    /// Format of exported pair decisions.
    pub enum PairFormat: "format of pairs" {
        /// topic a b winner, without pairs that are equal (Clarke, Vtyurina and Smucker 2021)
        Winner = "winner",
        /// query,left,right,winner: the winner is left, right or tie
        LeftRight = "left-right",
    }
}

/// Lists of a campaign in their current state.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExportedLists {
    /// Name of the campaign.
    pub campaign: String,
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of votes per pair, or the maximum number if the strategy can decide a pair with
    /// fewer.
    pub votes: u32,
    /// Name of the rule that decides a pair from its votes.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Name of the strategy that chose the pairs and built the lists.
    pub strategy: String,
    /// Lists as groups of item names, the group closest to the query first, by query.
    pub lists: OrderedMap<Vec<Vec<String>>>,
    /// Queries on whose list the strategy needs more votes.
    pub unfinished: Vec<String>,
    /// Number of preference answers per status.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// Agreement of all lists with the held-out votes, which the strategy did not see.
    pub held_out: HeldOutAgreement,
    /// Agreement of each list with its held-out votes, by query.
    pub held_out_by_query: OrderedMap<HeldOutAgreement>,
}

impl ExportedLists {
    /// Converts the lists to a ground truth.
    pub fn ground_truth(&self) -> GroundTruth {
        let judged = (self.lists.iter()).map(|(query, groups)| {
            let groups: Vec<Vec<&str>> = (groups.iter())
                .map(|group| group.iter().map(String::as_str).collect())
                .collect();
            let judged = QueryTruth::from_groups(groups.iter());
            (
                query.to_owned(),
                judged.expect("a list contains each item once and no empty group"),
            )
        });
        GroundTruth::new(TruthScale::Groups, judged.collect::<Vec<_>>())
            .expect("a campaign contains each query once")
    }
}

/// Pair of items that is decided by its votes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairDecision {
    /// Query name.
    pub query: String,
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Decided relation of a to b: less if a is preferred.
    pub relation: Relation,
}

impl Campaign {
    /// Returns the indices of the lists that the request selects.
    pub(crate) fn selected_lists(&self, request: &ExportRequest) -> Result<Vec<usize>, InputError> {
        let mut lists = self.list_indices(&request.queries)?;
        if request.settled {
            lists.retain(|&list| self.is_list_settled(list));
        }
        Ok(lists)
    }

    /// Returns the current lists of the requested queries, with the settings of the campaign.
    pub fn export(&self, request: &ExportRequest) -> Result<ExportedLists, InputError> {
        let lists = self.selected_lists(request)?;
        let spec = self.spec();
        let name = |list: usize| self.query_name(list).to_owned();
        let unfinished = lists.iter().filter(|&&list| !self.is_list_settled(list));
        let groups = lists.iter();
        let groups = groups.map(|&list| (name(list), self.named_groups(list)));
        let qualities = lists.iter();
        let qualities = qualities.map(|&list| (name(list), self.list_held_out_agreement(list)));
        Ok(ExportedLists {
            campaign: spec.name.clone(),
            seed: spec.settings.seed,
            votes: spec.settings.votes,
            decide: spec.settings.decide.to_string(),
            alpha: spec.alpha(),
            strategy: spec.settings.strategy.to_string(),
            lists: groups.collect(),
            unfinished: unfinished.map(|&list| name(list)).collect(),
            answers: self.answer_status_counts(),
            held_out: self.held_out_agreement(),
            held_out_by_query: qualities.collect(),
        })
    }

    /// Returns the pairs that are decided by their votes, in candidate order.
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

    /// Returns the rankings that count, by query. Lists that nobody ranked are left out.
    pub fn exported_rankings(
        &self,
        queries: &[String],
    ) -> Result<Vec<(String, AssessorRankings)>, InputError> {
        let lists = self.list_indices(queries)?.into_iter();
        let rankings = lists.filter_map(|list| {
            let rankings = self.list_rankings(list)?;
            Some((self.query_name(list).to_owned(), rankings))
        });
        Ok(rankings.collect())
    }

    /// Returns the grades that count.
    pub fn exported_grades(&self, queries: &[String]) -> Result<Vec<&Answer>, InputError> {
        let lists = self.list_indices(queries)?.into_iter();
        Ok(lists.flat_map(|list| self.grades(list)).collect())
    }

    /// Returns the preference answers about the selected lists with their status, in log order.
    pub fn exported_answers(
        &self,
        request: &ExportRequest,
        which: AnswerSelection,
    ) -> Result<Vec<AnswerWithStatus>, InputError> {
        let lists = self.selected_lists(request)?;
        let mut wanted = vec![false; self.list_count()];
        lists.iter().for_each(|&list| wanted[list] = true);
        let mut answers = self.answers_with_status_in(|list| wanted[list]);
        answers.retain(|answer| which == AnswerSelection::All || answer.flag.is_vote());
        Ok(answers)
    }
}
