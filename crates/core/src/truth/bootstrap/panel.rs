//! Panel of assessors of a query, treated as a random sample of possible assessors.

use std::cmp::Ordering;

use partita_stats::random::{stream, stream_id, uniform_index};

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::Item;

/// Panel of assessors of one query, for the bootstrap over assessors.
///
/// An assessor is drawn with their whole ranking, because the ranks that one assessor gives are
/// dependent. A draw does not depend on the order in which rankings were read. With [`Panel::new`]
/// it depends on the seed, the replicate number, the name of the query and the content of the
/// rankings, but not on the names of the assessors; with [`Panel::shared`] it depends on their
/// names, but not on that of the query.
#[derive(Clone, Debug)]
pub struct Panel<'r> {
    rankings: &'r AssessorRankings,
    /// Bytes of the query name, which select this panel's random streams; empty for panels of
    /// [`Panel::shared`], which draw the same persons.
    stream_path: Vec<u64>,
    /// Assessor index in `rankings` of each person who can be drawn; `None` if the person did not
    /// rank this query.
    members: Vec<Option<usize>>,
}

impl<'r> Panel<'r> {
    /// Creates the panel of one query, drawn independently of other queries.
    pub fn new(query: &str, rankings: &'r AssessorRankings) -> Self {
        let items = rankings.items().sorted_items();
        let mut assessors: Vec<usize> = (0..rankings.assessors().len()).collect();
        assessors.sort_by(|&a, &b| compare_assessors(rankings, &items, a, b));
        Self {
            rankings,
            stream_path: query.bytes().map(u64::from).collect(),
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
        let mut pool: Vec<&str> = queries.iter().flat_map(|&all| names(all)).collect();
        pool.sort_unstable();
        pool.dedup();
        let number = |rankings: &AssessorRankings, name: &str| {
            rankings.assessors().get(name).map(Item::index)
        };
        (queries.iter())
            .map(|&rankings| Self {
                rankings,
                stream_path: Vec::new(),
                members: pool.iter().map(|name| number(rankings, name)).collect(),
            })
            .collect()
    }

    /// Returns the rankings of the assessors.
    pub fn rankings(&self) -> &'r AssessorRankings {
        self.rankings
    }

    /// Returns the degrees of freedom of a variance that is estimated from these panels. Each panel
    /// contributes the number of persons who can be drawn minus 1. Panels of one call of
    /// [`Panel::shared`] draw the same persons, so only the first of them contributes.
    pub fn degrees_of_freedom(panels: &[Self]) -> usize {
        let is_first = |number: usize| {
            let mut earlier = panels[..number].iter();
            !earlier.any(|other| other.stream_path == panels[number].stream_path)
        };
        (panels.iter().enumerate())
            .filter(|&(number, _)| is_first(number))
            .map(|(_, panel)| panel.members.len().saturating_sub(1))
            .sum()
    }

    /// Draws as many persons as the panel has, with replacement, and returns their assessor
    /// indices. A drawn person who did not rank this query is left out.
    pub fn draw(&self, seed: u64, replicate: u64) -> Vec<usize> {
        self.assessors(&self.draw_persons(seed, replicate))
    }

    /// Draws a nested replicate (double bootstrap): resamples the assessors of [`Panel::draw`].
    /// `number` is the index of the nested replicate.
    pub fn draw_nested(&self, seed: u64, replicate: u64, number: u64) -> Vec<usize> {
        let drawn = self.draw_persons(seed, replicate);
        let path = [
            &[stream_id::PANEL_AGAIN, replicate, number],
            &self.stream_path[..],
        ]
        .concat();
        let mut random = stream(seed, &path);
        let again: Vec<usize> = (drawn.iter())
            .map(|_| drawn[uniform_index(&mut random, drawn.len())])
            .collect();
        self.assessors(&again)
    }

    /// Draws as many persons as can be drawn, with replacement. Returns their indices in `members`.
    fn draw_persons(&self, seed: u64, replicate: u64) -> Vec<usize> {
        let path = [&[stream_id::PANEL, replicate], &self.stream_path[..]].concat();
        let mut random = stream(seed, &path);
        let count = self.members.len();
        (0..count)
            .map(|_| uniform_index(&mut random, count))
            .collect()
    }

    /// Converts indices in `members` to assessor indices, without persons who did not rank this
    /// query.
    fn assessors(&self, persons: &[usize]) -> Vec<usize> {
        persons
            .iter()
            .filter_map(|&person| self.members[person])
            .collect()
    }
}

/// Compares two assessors by the ranks that they gave, item by item; unranked items sort last.
fn compare_assessors(rankings: &AssessorRankings, items: &[Item], a: usize, b: usize) -> Ordering {
    let rank = |assessor, item| rankings.rank(assessor, item).unwrap_or(f64::INFINITY);
    let mut orders = items
        .iter()
        .map(|&item| rank(a, item).total_cmp(&rank(b, item)));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
