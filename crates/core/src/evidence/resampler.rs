//! Bootstrap samples of the assessors, who are treated as a random sample of possible assessors.

use std::cmp::Ordering;

use partita_stats::random::{stream, stream_id, uniform_index};

use crate::data::assessor_rankings::AssessorRankings;
use crate::data::names::{Item, Names};

/// Bootstrap over assessors: draws samples of assessors with replacement.
///
/// An assessor is drawn with all of their judgments, because these are dependent. A draw is a
/// function of the seed and the replicate number, and does not depend on the order in which the
/// judgments were read.
#[derive(Clone, Debug)]
pub struct AssessorResampler {
    /// Random streams of the draws and of the nested draws.
    streams: [u64; 2],
    /// End of the paths of the random streams: the bytes of the query name if assessors are drawn
    /// for each query, else empty.
    stream_path: Vec<u64>,
    /// Number of the assessor that each person who can be drawn has; `None` if the person judged
    /// other queries only.
    members: Vec<Option<usize>>,
}

impl AssessorResampler {
    /// Creates the resampler of assessors who are drawn for all queries, each with the judgments on
    /// all of them. Draws depend on the names of the assessors.
    pub fn new(assessors: &Names) -> Self {
        let by_name = assessors.sorted_items().into_iter();
        Self {
            streams: [stream_id::ASSESSORS, stream_id::ASSESSORS_AGAIN],
            stream_path: Vec::new(),
            members: by_name.map(|assessor| Some(assessor.index())).collect(),
        }
    }

    /// Creates the resampler of the assessors who ranked one query, drawn independently of other
    /// queries. Draws depend on the name of the query and the content of the rankings, but not on
    /// the names of the assessors.
    pub fn from_rankings(query: &str, rankings: &AssessorRankings) -> Self {
        let items = rankings.items().sorted_items();
        let mut assessors: Vec<usize> = (0..rankings.assessors().len()).collect();
        assessors.sort_by(|&a, &b| compare_assessors(rankings, &items, a, b));
        Self {
            streams: [stream_id::PANEL, stream_id::PANEL_AGAIN],
            stream_path: query.bytes().map(u64::from).collect(),
            members: assessors.into_iter().map(Some).collect(),
        }
    }

    /// Creates the resamplers of queries that were ranked by the same people. A person is drawn once
    /// for all queries, with all their rankings. Assessors of the same name are one person. Draws
    /// depend on the names of the assessors, but not on those of the queries.
    ///
    /// If not everybody ranked every query, the number of assessors drawn for a query varies around
    /// the number who ranked it.
    pub fn shared(queries: &[&AssessorRankings]) -> Vec<Self> {
        let names = queries.iter().flat_map(|rankings| {
            let numbers = 0..rankings.assessors().len();
            numbers.map(|assessor| rankings.assessor_name(assessor))
        });
        let mut pool: Vec<&str> = names.collect();
        pool.sort_unstable();
        pool.dedup();
        let member = |rankings: &AssessorRankings, name: &str| {
            rankings.assessors().get(name).map(Item::index)
        };
        (queries.iter())
            .map(|rankings| Self {
                streams: [stream_id::PANEL, stream_id::PANEL_AGAIN],
                stream_path: Vec::new(),
                members: pool.iter().map(|name| member(rankings, name)).collect(),
            })
            .collect()
    }

    /// Returns the degrees of freedom of a variance that is estimated from these samples. Each
    /// contributes the number of persons who can be drawn minus 1. Samples of one call of
    /// [`AssessorResampler::shared`] hold the same persons, so only the first of them contributes.
    pub fn degrees_of_freedom<'a>(resamplers: impl IntoIterator<Item = &'a Self>) -> usize {
        let mut paths: Vec<&[u64]> = Vec::new();
        let mut freedom = 0;
        for resampler in resamplers {
            if !paths.contains(&&resampler.stream_path[..]) {
                paths.push(&resampler.stream_path);
                freedom += resampler.members.len().saturating_sub(1);
            }
        }
        freedom
    }

    /// Draws as many persons as there are, with replacement, and returns their assessor numbers. A
    /// drawn person who did not judge this query is left out.
    pub fn draw(&self, seed: u64, replicate: u64) -> Vec<usize> {
        self.assessors(&self.draw_persons(seed, replicate))
    }

    /// Draws a nested replicate (double bootstrap): resamples the persons of
    /// [`AssessorResampler::draw`]. `number` tells several nested replicates of a replicate apart.
    ///
    /// The first draw represents the uncertainty about the population of assessors, the second the
    /// sampling of a panel from it. Together they predict the judgments of a new panel.
    pub fn draw_nested(&self, seed: u64, replicate: u64, number: Option<u64>) -> Vec<usize> {
        let drawn = self.draw_persons(seed, replicate);
        let mut path = vec![self.streams[1], replicate];
        path.extend(number);
        path.extend(&self.stream_path);
        let mut random = stream(seed, &path);
        let again: Vec<usize> = (drawn.iter())
            .map(|_| drawn[uniform_index(&mut random, drawn.len())])
            .collect();
        self.assessors(&again)
    }

    /// Returns how often each assessor, by number, occurs among drawn assessors.
    pub fn multiplicities(&self, drawn: &[usize]) -> Vec<u32> {
        let mut times = vec![0; self.members.len()];
        drawn.iter().for_each(|&assessor| times[assessor] += 1);
        times
    }

    /// Draws as many persons as can be drawn, with replacement. Returns their indices in `members`.
    fn draw_persons(&self, seed: u64, replicate: u64) -> Vec<usize> {
        let path = [&[self.streams[0], replicate], &self.stream_path[..]].concat();
        let mut random = stream(seed, &path);
        let count = self.members.len();
        (0..count)
            .map(|_| uniform_index(&mut random, count))
            .collect()
    }

    /// Converts indices in `members` to assessor numbers, without persons who did not judge this
    /// query.
    fn assessors(&self, persons: &[usize]) -> Vec<usize> {
        let members = persons.iter().filter_map(|&person| self.members[person]);
        members.collect()
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
