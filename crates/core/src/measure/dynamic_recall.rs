//! Dynamic recall at position i: found documents divided by i, where only groups that an ideal list
//! has reached by position i count.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "x", "a", "c"]);
//! // At position 2 the groups of a and of b and c are open, and b is found: 1/2.
//! let recall = measure::parse("DR@2", 2.0)?;
//! assert_eq!(recall.score(&truth, &ranking), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{CutoffRule, Measure, MeasureDefinition, for_each_position, group};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure DR: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "DR",
    aliases: &["DynamicRecall"],
    summary: "Dynamic recall: the share of what should have been seen by position k that was.",
    description: "r_k is the number of documents among the first k that belong to the groups of \
        the ground truth which its k-th item closes or opens, divided by k. Order inside groups \
        does not matter. Positions past the end of the result find nothing more; past the end of \
        the ground truth its last group stays open.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Typke, Veltkamp & Wiering (2006), A Measure for Evaluating Retrieval Techniques \
        based on Partially Ordered Ground Truth Lists, section 3",
    cutoff: CutoffRule::Required,
    parameters: &[],
    example: "DR@10",
    build: |arguments| {
        let k = arguments.required_cutoff()?;
        Ok(Box::new(DynamicRecall { k }))
    },
};

/// Measure DR: dynamic recall at position `k`.
struct DynamicRecall {
    k: usize,
}

impl Measure for DynamicRecall {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let list = truth.list();
        if list.is_empty() {
            return None;
        }
        // Only the number of documents found at position k is needed, not those at earlier
        // positions. A group is open at k if fewer than k items come before it.
        let counts = |slot: Slot| {
            let open = |group| list.group_start(group) < self.k;
            f64::from(group(truth, slot).is_some_and(open))
        };
        let mut found = 0.0;
        for_each_position(ranking, self.k, counts, |_, share| found += share);
        Some(found / self.k as f64)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        self.k.min(ranking.len())
    }

    fn formula(&self) -> String {
        "|first k documents in the groups open at k| / k".to_owned()
    }
}

/// Computes dynamic recall at the positions 1, ..., k. Returns an empty vector if the ground truth
/// list is empty.
///
/// ```
/// use partita_core::{QueryTruth, Ranking, measure::dynamic_recall};
///
/// let truth = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// let ranking = Ranking::from_names(truth.names(), ["2", "3", "1", "5", "7", "8", "9", "4"]);
/// assert_eq!(dynamic_recall(&truth, &ranking, 5), [1.0, 0.5, 1.0, 1.0, 0.8]);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
pub fn dynamic_recall(truth: &QueryTruth, ranking: &Ranking, k: usize) -> Vec<f64> {
    let found = found_per_position(truth, ranking, k).into_iter();
    found.enumerate().map(|(i, f)| f / (i + 1) as f64).collect()
}

/// Returns the number of documents found at positions 1, ..., k. A document is found at position i
/// if it is among the first i documents of the ranking and its group is open at i, which means that
/// fewer than i items of the ground truth list come before the group. If documents are tied,
/// returns the mean over all orders within the tied groups. Returns an empty vector if the ground
/// truth list is empty.
pub fn found_per_position(truth: &QueryTruth, ranking: &Ranking, k: usize) -> Vec<f64> {
    let ends = truth.list().group_ends();
    let mut found = Vec::new();
    if ends.is_empty() {
        return found;
    }
    let group_of = |slot| group(truth, slot);
    if ranking.is_tied() {
        expected_found(ends, group_of, ranking, k)
    } else {
        for_each_found(ends, group_of, ranking.slots(), k, |_, count| {
            found.push(count as f64);
        });
        found
    }
}

/// Calls `visit(i, number of documents found at i)` for i = 1, ..., k, as defined at
/// [`found_per_position`]. `ends` are the end positions of the ground truth groups. Takes one pass
/// over the ranking: documents whose group is not open yet are counted per group until it opens.
pub(super) fn for_each_found(
    ends: &[usize],
    group_of: impl Fn(Slot) -> Option<usize>,
    slots: &[Slot],
    k: usize,
    mut visit: impl FnMut(usize, usize),
) {
    let mut waiting = vec![0usize; ends.len()];
    let mut open = 0;
    let mut found = 0;
    for position in 1..=k {
        while open + 1 < ends.len() && ends[open] < position {
            open += 1;
            found += waiting[open];
        }
        if let Some(group) = slots.get(position - 1).and_then(|&slot| group_of(slot)) {
            if group <= open {
                found += 1;
            } else {
                waiting[group] += 1;
            }
        }
        visit(position, found);
    }
}

/// Returns the mean number of documents found at each of the positions 1, ..., k, over all orders
/// within the tied groups. If t positions of a tied group of m documents have been visited, each
/// document is among them with probability t/m.
fn expected_found(
    ends: &[usize],
    group_of: impl Fn(Slot) -> Option<usize>,
    ranking: &Ranking,
    k: usize,
) -> Vec<f64> {
    let mut found = Vec::with_capacity(k);
    let mut open = 0;
    let mut tied = ranking.groups();
    let mut current: &[Slot] = &[];
    let mut taken = 0;
    // `before` counts the documents of open truth groups in the completed tied groups, `here` those
    // in the current tied group. `waiting` holds the same two counts for each truth group that is
    // not open yet.
    let (mut before, mut here) = (0usize, 0usize);
    let mut waiting = vec![(0usize, 0usize); ends.len()];
    for position in 1..=k {
        while open + 1 < ends.len() && ends[open] < position {
            open += 1;
            before += waiting[open].0;
            here += waiting[open].1;
        }
        if taken == current.len() {
            before += std::mem::take(&mut here);
            for group in current.iter().filter_map(|&slot| group_of(slot)) {
                waiting[group].0 += std::mem::take(&mut waiting[group].1);
            }
            // Past the end of the result, the tied group is empty.
            current = tied.next().unwrap_or(&[]);
            taken = 0;
            for group in current.iter().filter_map(|&slot| group_of(slot)) {
                if group <= open {
                    here += 1;
                } else {
                    waiting[group].1 += 1;
                }
            }
        }
        let mut count = before as f64;
        if !current.is_empty() {
            taken += 1;
            count += here as f64 * (taken as f64 / current.len() as f64);
        }
        found.push(count);
    }
    found
}
