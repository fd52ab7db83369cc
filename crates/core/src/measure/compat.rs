//! Compatibility (Clarke, Vtyurina and Smucker 2021): rank-biased overlap with the most similar
//! ideal ranking.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "a", "x"]);
//! // Of the ideal rankings a, b, c and a, c, b the first is more like the result. They share 0
//! // of the first 1, 2 of 2 and 2 of 3. With weights 1, 1/2 and 1/4 that is
//! // 0 + 1/2 * 2/2 + 1/4 * 2/3 = 2/3, of at most 1 + 1/2 + 1/4 = 7/4: 8/21.
//! let compatibility = measure::parse("Compat(p=0.5)@3", 2.0)?;
//! let score = compatibility.score(&truth, &ranking).unwrap();
//! assert!((score - 8.0 / 21.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::grammar::CountOrKeyword;
use super::rbp::persistence;
use super::{CutoffRule, Measure, MeasureDefinition, MeasureParameter, effective_depth, group};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure Compat: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "Compat",
    aliases: &["Compatibility"],
    summary: "Compatibility: rank-biased overlap with the ideal ranking that fits the result best.",
    description: "A partially ordered ground truth allows many ideal rankings. Compatibility \
        takes, among them, the one most like the result, and gives their rank-biased overlap, \
        divided by the most that can be reached. Where nothing is relevant the score is 0.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Clarke, Vtyurina & Smucker (2021), Assessing Top-k Preferences; Webber, Moffat & \
        Zobel (2010), A Similarity Measure for Indefinite Rankings",
    cutoff: CutoffRule::Optional,
    parameters: &[
        MeasureParameter {
            name: "p",
            values: "a number between 0 and 1",
            default: "0.95",
            description: "the persistence of rank-biased overlap: how slowly ranks lose weight",
        },
        MeasureParameter {
            name: "depth",
            values: "a whole number from 1 to 1000000, or lists",
            default: "1000",
            description: "how many ranks are summed, as in the authors' program, whose depth is \
                1000; with `lists`, as many as the longer of result and ideal has, as ir_measures \
                does; a cut-off @k alone is depth k, and with a depth the smaller counts",
        },
    ],
    example: "Compat(p=0.95)",
    build: |arguments| {
        let cutoff = arguments.cutoff();
        let depth = match arguments.count_or_keyword("depth", "lists")? {
            Some(CountOrKeyword::Count(depth)) => RankLimit::Ranks(depth),
            Some(CountOrKeyword::Keyword) => RankLimit::LongerList,
            None => RankLimit::Ranks(cutoff.unwrap_or(1000)),
        };
        Ok(Box::new(Compatibility {
            p: persistence(arguments)?.unwrap_or(0.95),
            depth,
            cutoff,
        }))
    },
};

/// Measure Compatibility with persistence `p`, limit of ranks and cut-off.
struct Compatibility {
    p: f64,
    depth: RankLimit,
    cutoff: Option<usize>,
}

/// Number of ranks over which rank-biased overlap is summed, unless the cut-off is smaller.
enum RankLimit {
    /// This number of ranks.
    Ranks(usize),
    /// Length of the longer of result and ideal ranking.
    LongerList,
}

impl Compatibility {
    /// Returns the number of ranks over which rank-biased overlap is summed.
    fn ranks(&self, truth: &QueryTruth, ranking: &Ranking) -> usize {
        let depth = match self.depth {
            RankLimit::Ranks(depth) => depth,
            RankLimit::LongerList => truth.ideal_gains().len().max(ranking.len()),
        };
        self.cutoff.map_or(depth, |k| k.min(depth))
    }
}

impl Measure for Compatibility {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let n = truth.ideal_gains().len();
        if n == 0 {
            return Some(0.0);
        }
        let (mut overlap, mut best, mut weight) = (0.0, 0.0, 1.0);
        let ranks = self.ranks(truth, ranking);
        for_each_overlap(truth, ranking, ranks, |d, common| {
            overlap += weight * common / d as f64;
            best += weight * d.min(n) as f64 / d as f64;
            weight *= self.p;
        });
        Some(overlap / best)
    }

    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(Some(self.ranks(truth, ranking)), ranking)
    }

    fn formula(&self) -> String {
        let p = self.p;
        let ranks = match (&self.depth, self.cutoff) {
            (RankLimit::Ranks(depth), k) => k.map_or(*depth, |k| k.min(*depth)).to_string(),
            (RankLimit::LongerList, None) => "all".to_owned(),
            (RankLimit::LongerList, Some(k)) => format!("at most {k}"),
        };
        format!(
            "RBO(result, ideal ranking most like it) / RBO(ideal, ideal), p = {p}, {ranks} ranks"
        )
    }
}

/// Calls `visit(d, common)` for d = 1, ..., depth, where `common` is the overlap of the first d
/// documents of the result with the first d of the best-fitting ideal ranking.
///
/// The best-fitting ideal ranking takes the groups in order and, within a group, first the
/// documents that the result returns first. Groups entirely within the first d ranks therefore
/// contribute all their documents in the result; a group cut after t documents contributes at most
/// t. If the result ties documents, `common` is the mean over their orders.
fn for_each_overlap(
    truth: &QueryTruth,
    ranking: &Ranking,
    depth: usize,
    mut visit: impl FnMut(usize, f64),
) {
    // A last group of grade 0 is in the list but not in the ideal ranking.
    let ends = truth.list().group_ends();
    let ends = &ends[..ends.partition_point(|&end| end <= truth.ideal_gains().len())];
    let group_of = |slot| group(truth, slot).filter(|&group| group < ends.len());
    if ranking.is_tied() {
        for_each_expected_overlap(ends, group_of, ranking, depth, visit);
    } else {
        for_each_strict_overlap(ends, group_of, ranking.slots(), depth, |d, common| {
            visit(d, common as f64);
        });
    }
}

/// Calls `visit(d, overlap)` for d = 1, ..., `depth` as [`for_each_overlap`] describes, for a
/// ranking without ties.
fn for_each_strict_overlap(
    ends: &[usize],
    group_of: impl Fn(Slot) -> Option<usize>,
    slots: &[Slot],
    depth: usize,
    mut visit: impl FnMut(usize, usize),
) {
    let mut counts = vec![0usize; ends.len()];
    // `whole` is the number of truth groups that end within the first d ranks of the ideal ranking.
    // `in_whole` counts the documents of these groups in the result so far.
    let (mut whole, mut in_whole) = (0, 0);
    for d in 1..=depth {
        if let Some(group) = slots.get(d - 1).and_then(|&slot| group_of(slot)) {
            counts[group] += 1;
            in_whole += usize::from(group < whole);
        }
        while whole < ends.len() && ends[whole] <= d {
            in_whole += counts[whole];
            whole += 1;
        }
        let start = whole.checked_sub(1).map_or(0, |before| ends[before]);
        let in_cut = counts.get(whole).map_or(0, |&count| count.min(d - start));
        visit(d, in_whole + in_cut);
    }
}

/// Calls `visit(d, overlap)` for d = 1, ..., `depth` as [`for_each_overlap`] describes, with the
/// mean overlap over all orders within tied groups.
fn for_each_expected_overlap(
    ends: &[usize],
    group_of: impl Fn(Slot) -> Option<usize>,
    ranking: &Ranking,
    depth: usize,
    mut visit: impl FnMut(usize, f64),
) {
    let mut counts: Vec<CountDistribution> = vec![CountDistribution::default(); ends.len()];
    let mut tied = ranking.groups();
    let (mut taken, mut size) = (0, 0);
    // Number of truth groups that end within the first d ranks of the ideal ranking.
    let mut whole = 0;
    for d in 1..=depth {
        if taken == size {
            for count in &mut counts {
                count.finish_tie();
            }
            // Past the end of the result, the tied group is empty.
            let group = tied.next().unwrap_or(&[]);
            (taken, size) = (0, group.len());
            for group in group.iter().filter_map(|&slot| group_of(slot)) {
                counts[group].in_current_tie += 1;
            }
            for count in counts.iter_mut().filter(|count| count.in_current_tie > 0) {
                count.start_tie();
            }
        }
        if taken < size {
            for count in counts.iter_mut().filter(|count| count.in_current_tie > 0) {
                count.visit_rank(size - taken);
            }
            taken += 1;
        }
        while whole < ends.len() && ends[whole] <= d {
            whole += 1;
        }
        let mut common: f64 = counts[..whole]
            .iter()
            .map(|c| c.expected_count(usize::MAX))
            .sum();
        if let Some(cut) = counts.get(whole) {
            let start = whole.checked_sub(1).map_or(0, |before| ends[before]);
            common += cut.expected_count(d - start);
        }
        visit(d, common);
    }
}

/// Probability distribution of the number of documents of one ground truth group among the ranks
/// visited so far, over all orders within the tied groups of the result.
#[derive(Clone, Default)]
struct CountDistribution {
    /// Number of documents of the truth group in the tied groups of the result that were visited
    /// completely.
    in_visited_ties: usize,
    /// Number of documents of the truth group in the current tied group of the result.
    in_current_tie: usize,
    /// Probabilities that 0, 1, ... of the `in_current_tie` documents are at the ranks visited so
    /// far.
    probabilities: Vec<f64>,
}

impl CountDistribution {
    /// Ends the current tied group of the result: all its documents have been visited.
    fn finish_tie(&mut self) {
        self.in_visited_ties += std::mem::take(&mut self.in_current_tie);
        self.probabilities.clear();
    }

    /// Starts a tied group of the result that contains `in_current_tie` documents of the truth
    /// group.
    fn start_tie(&mut self) {
        self.probabilities = vec![0.0; self.in_current_tie + 1];
        self.probabilities[0] = 1.0;
    }

    /// Updates the probabilities for one more rank of the current tied group, in which `left`
    /// documents have not been visited yet.
    fn visit_rank(&mut self, left: usize) {
        for x in (0..self.probabilities.len()).rev() {
            let stays = 1.0 - (self.in_current_tie - x) as f64 / left as f64;
            let comes = match x {
                0 => 0.0,
                x => self.probabilities[x - 1] * (self.in_current_tie - x + 1) as f64 / left as f64,
            };
            self.probabilities[x] = self.probabilities[x] * stays.max(0.0) + comes;
        }
    }

    /// Returns the expected value of the number of documents, counted up to `most`.
    fn expected_count(&self, most: usize) -> f64 {
        if self.in_current_tie == 0 {
            return self.in_visited_ties.min(most) as f64;
        }
        let capped = |x: usize| (self.in_visited_ties + x).min(most) as f64;
        let terms = self.probabilities.iter().enumerate();
        terms.map(|(x, chance)| chance * capped(x)).sum()
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn expected_overlap_of_a_strict_ranking_equals_strict_overlap(
            sizes in prop::collection::vec(1usize..4, 1..6),
            result in prop::collection::vec(prop::option::of(0usize..6), 0..20),
            depth in 1usize..25,
        ) {
            let ends: Vec<usize> = sizes
                .iter()
                .scan(0, |end, size| {
                    *end += size;
                    Some(*end)
                })
                .collect();
            // Each slot is a distinct document. Slots with a group number past the end of the list
            // belong to no group.
            let document = |i| Slot::from(crate::Item::from_index(i).expect("the index is small"));
            let ranking = Ranking::from_slots((0..result.len()).map(document).collect());
            let group_of = |slot: Slot| {
                let group = slot.item().and_then(|item| result[item.index()]);
                group.filter(|&group| group < ends.len())
            };
            let (mut strict, mut tied) = (Vec::new(), Vec::new());
            for_each_strict_overlap(&ends, group_of, ranking.slots(), depth, |d, common| {
                strict.push((d, common as f64));
            });
            for_each_expected_overlap(&ends, group_of, &ranking, depth, |d, common| {
                tied.push((d, common));
            });
            prop_assert_eq!(strict, tied);
        }
    }
}
