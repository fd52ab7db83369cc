//! The assessors of a query as a sample of all who might have been asked.

use std::cmp::Ordering;

use partita_stats::random::{stream, stream_id, uniform_index};

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;

/// The assessors of one query, ready to be drawn again: the bootstrap over assessors.
///
/// A person is drawn with the whole of his ranking, because the ranks that one person gives hang
/// together. A draw is a function of the seed, the number of the replicate and the name of the
/// query, and of what the assessors said. It does not depend on what they are called, nor on the
/// order in which their rankings were read.
#[derive(Clone, Debug)]
pub struct Panel<'r> {
    rankings: &'r AssessorRankings,
    /// The end of the paths of the random streams.
    path: Vec<u64>,
    /// For each person of the pool, his number in the rankings, if he took part.
    members: Vec<Option<usize>>,
}

impl<'r> Panel<'r> {
    /// The assessors of this query, drawn independently of those of other queries.
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

    /// The panels of queries that were ranked by the same people: a person is drawn once for all
    /// queries, with all of his rankings. Assessors of one name are one person.
    ///
    /// Where not everybody ranked every query, the number drawn for a query varies around the
    /// number who did.
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

    /// The rankings.
    pub fn rankings(&self) -> &'r AssessorRankings {
        self.rankings
    }

    /// The degrees of freedom of a variance that is estimated from these panels: a person fewer
    /// than there are, of panels that are drawn together as of one that is drawn by itself, and
    /// the sum over all that are not drawn together.
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

    /// The assessors of a replicate: as many persons as there are, each drawn from all of them.
    pub fn draw(&self, seed: u64, replicate: u64) -> Vec<usize> {
        self.rankings_of_members(&self.persons(seed, replicate))
    }

    /// The assessors of a replicate of a replicate: drawn from those of [`Panel::draw`] as those
    /// were from the panel. There are as many of these as one cares to count in `turn`.
    pub fn draw_nested(&self, seed: u64, replicate: u64, turn: u64) -> Vec<usize> {
        let drawn = self.persons(seed, replicate);
        let mut random = stream(
            seed,
            &self.path_of(&[stream_id::PANEL_AGAIN, replicate, turn]),
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

/// Two assessors by their ranks, item after item; an unranked item comes last.
fn compare(rankings: &AssessorRankings, items: &[Item], a: usize, b: usize) -> Ordering {
    let rank = |assessor, item| rankings.rank(assessor, item).unwrap_or(f64::INFINITY);
    let mut orders = items
        .iter()
        .map(|&item| rank(a, item).total_cmp(&rank(b, item)));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
