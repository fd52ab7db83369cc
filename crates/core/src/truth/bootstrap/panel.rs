//! Panel of assessors of a query, treated as a random sample of possible assessors.

use std::cmp::Ordering;

use partita_stats::random::{stream, stream_id, uniform_index};

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;

/// Panel of assessors of one query, for the bootstrap over assessors.
///
/// An assessor is drawn with their whole ranking, because the ranks that one assessor gives are
/// dependent. A draw depends only on the seed, the replicate number, the name of the query and the
/// content of the rankings. It does not depend on the names of the assessors or the order in which
/// their rankings were read.
#[derive(Clone, Debug)]
pub struct Panel<'r> {
    rankings: &'r AssessorRankings,
    /// Suffix appended to the path of every random stream of this panel.
    path: Vec<u64>,
    /// For each person in the pool: their number in the rankings, or `None` if they did not rank
    /// this query.
    members: Vec<Option<usize>>,
}

impl<'r> Panel<'r> {
    /// Creates the panel of one query, drawn independently of other queries.
    pub fn new(query: &str, rankings: &'r AssessorRankings) -> Self {
        let items = rankings.items().sorted_items();
        let mut assessors: Vec<usize> = (0..rankings.assessors().len()).collect();
        assessors.sort_by(|&a, &b| compare(rankings, &items, a, b));
        Self {
            rankings,
            path: query.bytes().map(u64::from).collect(),
            members: assessors.into_iter().map(Some).collect(),
        }
    }

    /// Creates the panels of queries that were ranked by the same people. A person is drawn once
    /// for all queries, with all their rankings. Assessors of the same name are one person.
    ///
    /// If not everybody ranked every query, the number of assessors drawn for a query varies around
    /// the number who ranked it.
    pub fn shared(queries: &[&'r AssessorRankings]) -> Vec<Self> {
        let names = |rankings: &'r AssessorRankings| {
            let numbers = 0..rankings.assessors().len();
            numbers.map(|assessor| rankings.assessor_name(assessor))
        };
        let mut pool: Vec<&str> = queries
            .iter()
            .flat_map(|&rankings| names(rankings))
            .collect();
        pool.sort_unstable();
        pool.dedup();
        let seat = |rankings: &AssessorRankings, name: &str| {
            rankings.assessors().get(name).map(Item::index)
        };
        (queries.iter())
            .map(|&rankings| Self {
                rankings,
                path: Vec::new(),
                members: pool.iter().map(|name| seat(rankings, name)).collect(),
            })
            .collect()
    }

    /// Returns the rankings of the assessors.
    pub fn rankings(&self) -> &'r AssessorRankings {
        self.rankings
    }

    /// Returns the degrees of freedom of a variance that is estimated from these panels. Each panel
    /// contributes its size minus 1; panels that are drawn together contribute only once.
    pub fn degrees_of_freedom(panels: &[Self]) -> usize {
        let by_itself = |&number: &usize| {
            let earlier = &panels[..number];
            !earlier
                .iter()
                .any(|other| other.path == panels[number].path)
        };
        let numbers = (0..panels.len()).filter(by_itself);
        numbers
            .map(|number| panels[number].members.len().saturating_sub(1))
            .sum()
    }

    /// Draws the assessors of a replicate: as many as there are in the panel, with replacement.
    pub fn draw(&self, seed: u64, replicate: u64) -> Vec<usize> {
        self.rankings_of_members(&self.persons(seed, replicate))
    }

    /// Draws a nested replicate (double bootstrap): resamples the assessors of [`Panel::draw`].
    /// `number` is the index of the nested replicate.
    pub fn draw_nested(&self, seed: u64, replicate: u64, number: u64) -> Vec<usize> {
        let drawn = self.persons(seed, replicate);
        let mut random = stream(
            seed,
            &self.path_of(&[stream_id::PANEL_AGAIN, replicate, number]),
        );
        let again: Vec<usize> = (drawn.iter())
            .map(|_| drawn[uniform_index(&mut random, drawn.len())])
            .collect();
        self.rankings_of_members(&again)
    }

    fn persons(&self, seed: u64, replicate: u64) -> Vec<usize> {
        let mut random = stream(seed, &self.path_of(&[stream_id::PANEL, replicate]));
        let count = self.members.len();
        (0..count)
            .map(|_| uniform_index(&mut random, count))
            .collect()
    }

    fn path_of(&self, start: &[u64]) -> Vec<u64> {
        [start, &self.path].concat()
    }

    fn rankings_of_members(&self, persons: &[usize]) -> Vec<usize> {
        persons
            .iter()
            .filter_map(|&person| self.members[person])
            .collect()
    }
}

/// Compares two assessors by their ranks, item by item; unranked items sort last.
fn compare(rankings: &AssessorRankings, items: &[Item], a: usize, b: usize) -> Ordering {
    let rank = |assessor, item| rankings.rank(assessor, item).unwrap_or(f64::INFINITY);
    let mut orders = items
        .iter()
        .map(|&item| rank(a, item).total_cmp(&rank(b, item)));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
