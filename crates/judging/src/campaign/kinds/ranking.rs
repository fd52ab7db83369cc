//! Rankings of items by assessors, and the lists built from them.

use std::collections::BTreeMap;

use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, Item};

use crate::campaign::input_error::InputError;
use crate::campaign::log::event::RankingAnswer;
use crate::campaign::{Campaign, ExportRequest, build_ranked_lists};

impl Campaign {
    /// Returns the ranks that assessors gave to the items of a list; tied items share the mean of
    /// their ranks. Only the latest ranking of each assessor counts. Returns `None` if nobody
    /// ranked the list.
    pub fn list_rankings(&self, list: usize) -> Option<AssessorRankings> {
        let rankings = self.rankings(list);
        let items = &self.lists[list].items;
        let names = rankings
            .iter()
            .map(|ranked| self.canonical_name(&ranked.assessor));
        let names: Vec<String> = names.collect();
        let mut entries = Vec::new();
        for (ranked, person) in rankings.iter().zip(&names) {
            let mut ranks: BTreeMap<&str, f64> = BTreeMap::new();
            let mut before = 0;
            for group in &ranked.groups {
                let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
                ranks.extend(group.iter().map(|item| (item.as_str(), rank)));
                before += group.len();
            }
            for item in items.items().map(|item| items.name(item)) {
                entries.push((person.as_str(), item, ranks.get(item).copied()));
            }
        }
        (!entries.is_empty()).then(|| {
            AssessorRankings::new(entries)
                .expect("validated rankings contain each item at most once")
        })
    }

    /// Returns the rankings of the requested queries that count. Queries that nobody ranked are
    /// omitted. Ignores [`ExportRequest::settled`].
    pub fn ranked_lists(
        &self,
        request: &ExportRequest,
    ) -> Result<Vec<(String, AssessorRankings)>, InputError> {
        let lists = self.list_indices(&request.queries)?.into_iter();
        let ranked = lists.filter_map(|list| {
            let rankings = self.list_rankings(list)?;
            Some((self.query_name(list).to_owned(), rankings))
        });
        Ok(ranked.collect())
    }

    /// Builds the lists from rankings as the command `truth build` does by default. Lists without
    /// rankings are omitted. Ignores [`ExportRequest::settled`].
    pub fn ranking_truth(&self, request: &ExportRequest) -> Result<GroundTruth, InputError> {
        let built = build_ranked_lists(&self.ranked_lists(request)?, false, &SequentialWork);
        Ok(built.expect("sequential work is never cancelled").truth)
    }

    /// Builds the list of one query from rankings as [`Campaign::ranking_truth`] does, as groups of
    /// item names. Returns `None` if nobody ranked it.
    pub(crate) fn ranked_groups(&self, list: usize) -> Option<Vec<Vec<String>>> {
        self.list_rankings(list)?;
        let request = ExportRequest {
            queries: vec![self.query_name(list).to_owned()],
            settled: false,
        };
        let truth = self
            .ranking_truth(&request)
            .expect("the query belongs to this campaign");
        let judged = truth.query_truth(0);
        let name = |item: &Item| judged.names().name(*item).to_owned();
        let groups = judged.list().groups();
        Some(
            groups
                .map(|group| group.iter().map(name).collect())
                .collect(),
        )
    }
}

/// Returns true if two rankings are equal, ignoring the order of items within a group.
pub(crate) fn same_ranking(one: &RankingAnswer, other: &RankingAnswer) -> bool {
    let groups = |ranked: &RankingAnswer| -> Vec<Vec<String>> {
        let groups = ranked.groups.iter().cloned();
        let sorted = groups.map(|mut group| {
            group.sort();
            group
        });
        sorted.collect()
    };
    one.query == other.query && groups(one) == groups(other)
}
