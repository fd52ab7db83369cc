//! Average Dynamic Recall.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "a", "x", "c"]);
//! // Only a is open at position 1, b and c from position 2 on: (0/1 + 2/2 + 2/3) / 3 = 5/9.
//! let adr = measure::parse("ADR", 2.0)?;
//! let score = adr.score(&truth, &ranking).unwrap();
//! assert!((score - 5.0 / 9.0).abs() < 1e-15);
//! // To position 2: (0/1 + 2/2) / 2.
//! let adr = measure::parse("ADR@2", 2.0)?;
//! assert_eq!(adr.score(&truth, &ranking), Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::LazyLock;

use super::dynamic_recall::{for_each_found, found_per_position};
use super::{CutoffRule, Measure, MeasureDefinition, MeasureParameter, group};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure ADR: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "ADR",
    aliases: &["AverageDynamicRecall"],
    summary: "Average Dynamic Recall: the measure for partially ordered ground truths.",
    description: "The mean of dynamic recall over the first n positions, n being the length of \
        the ground truth, or over the first k. At each position only the groups that an ideal \
        list would have reached count as relevant, so order matters across groups and not inside \
        them. Graded judgments are read as a list: equal grades form a group, and grades of 0 or \
        less are left out unless they are asked for. Documents outside the ground truth only take \
        up positions. An empty ground truth leaves ADR undefined; an empty result scores 0.",
    range: "0 to 1",
    higher_is_better: Some(true),
    reference: "Typke, Veltkamp & Wiering (2006), A Measure for Evaluating Retrieval Techniques \
        based on Partially Ordered Ground Truth Lists, section 3; for graded judgments Urbano, \
        Martín, Marrero & Morato (2011), Audio Music Similarity and Retrieval: Evaluation Power \
        and Stability, equations 5 and 6",
    cutoff: CutoffRule::Optional,
    parameters: &[
        MeasureParameter {
            name: "short",
            values: "keep|truncate",
            default: "keep",
            description: "a result shorter than the cut-off: keep the cut-off, so that positions \
                never filled find nothing, or truncate to the shortest of result, cut-off and \
                ground truth, whatever `beyond` says",
        },
        MeasureParameter {
            name: "beyond",
            values: "continue|stop|cap",
            default: "continue",
            description: "a cut-off beyond the end of the ground truth: continue with its last \
                group open, stop adding at its end but divide by the cut-off, or cap the cut-off \
                there; of no effect with short=truncate",
        },
        MeasureParameter {
            name: "dedup",
            values: "none|first",
            default: "none",
            description: "documents returned twice: let a second copy take up its position, or \
                keep only the first copies and move up what follows",
        },
    ],
    example: "ADR@10",
    build: |arguments| {
        Ok(Box::new(AverageDynamicRecall {
            cutoff: arguments.cutoff(),
            truncate: arguments.choice("short")? == "truncate",
            beyond: match arguments.choice("beyond")? {
                "stop" => CutoffBeyondTruth::Stop,
                "cap" => CutoffBeyondTruth::Cap,
                _ => CutoffBeyondTruth::Continue,
            },
            dedup: arguments.choice("dedup")? == "first",
        }))
    },
};

/// Measure ADR with its cut-off and parameters.
struct AverageDynamicRecall {
    cutoff: Option<usize>,
    /// True to reduce the cut-off to the shortest of result, cut-off and ground truth.
    truncate: bool,
    beyond: CutoffBeyondTruth,
    /// True to remove second copies of documents before scoring.
    dedup: bool,
}

/// Treatment of a cut-off beyond the end of the ground truth list: the parameter `beyond`.
#[derive(PartialEq)]
enum CutoffBeyondTruth {
    /// Continue to the cut-off, with the last group open.
    Continue,
    /// Stop adding at the end of the list, but divide by the cut-off.
    Stop,
    /// Reduce the cut-off to the length of the list.
    Cap,
}

impl AverageDynamicRecall {
    /// Returns the last position whose dynamic recall is summed and the divisor of the sum, for a
    /// ground truth of `n` items and a ranking of `r` documents.
    fn bounds(&self, n: usize, r: usize) -> (usize, usize) {
        let k = self.cutoff.unwrap_or(n);
        if self.truncate {
            let cut = r.min(k).min(n);
            return (cut, cut);
        }
        match self.beyond {
            CutoffBeyondTruth::Continue => (k, k),
            CutoffBeyondTruth::Stop => (k.min(n), k),
            CutoffBeyondTruth::Cap => (k.min(n), k.min(n)),
        }
    }
}

impl Measure for AverageDynamicRecall {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        if truth.list().is_empty() {
            return None;
        }
        let deduplicated;
        let mut ranking = ranking;
        if self.dedup && ranking.slots().iter().any(|slot| slot.is_repeat()) {
            deduplicated = ranking.without_repeats();
            ranking = &deduplicated;
        }
        let (last, divisor) = self.bounds(truth.list().len(), ranking.len());
        if divisor == 0 {
            return Some(0.0);
        }
        let sum = sum_of_dynamic_recall(truth, ranking, last);
        // Rounding in the sum by document can push the sum slightly above `last`.
        Some((sum / divisor as f64).min(1.0))
    }

    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize {
        let is_read = |slot: Slot| !(self.dedup && slot.is_repeat());
        let read = ranking.slots().iter().filter(|&&slot| is_read(slot));
        let (last, _) = self.bounds(truth.list().len(), read.count());
        // With `dedup`, repeats take up no position, so the first `last` positions may extend over
        // more than `last` slots.
        let mut positions = 0;
        let places = ranking.slots().iter().take_while(|&&slot| {
            let more = positions < last;
            positions += usize::from(is_read(slot));
            more
        });
        places.count()
    }

    fn formula(&self) -> String {
        let k = self.cutoff.map_or("n".to_owned(), |k| k.to_string());
        // Truncation overrides `beyond`, as in `bounds`.
        let end = match self.beyond {
            _ if self.truncate => ", cut to the shortest of result, cut-off and ground truth",
            CutoffBeyondTruth::Continue => "",
            CutoffBeyondTruth::Stop => ", nothing added past n",
            CutoffBeyondTruth::Cap => ", k at most n",
        };
        let copies = if self.dedup {
            ", first copies only"
        } else {
            ""
        };
        format!(
            "(1/k) sum_(i=1..k) |first i documents in the groups open at i| / i, k = {k}{end}{copies}"
        )
    }
}

/// Computes Average Dynamic Recall over the first n positions, where n is the number of items in
/// the ground truth list. Returns `None` if the list is empty.
///
/// ```
/// use partita_core::{QueryTruth, Ranking, measure::average_dynamic_recall};
///
/// let truth = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// let with_false_positive = ["2", "10", "3", "1", "5", "7", "8", "9", "4"];
/// let ranking = Ranking::from_names(truth.names(), with_false_positive);
/// let adr = average_dynamic_recall(&truth, &ranking).unwrap();
/// assert!((adr - 223.0 / 300.0).abs() < 1e-15);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
pub fn average_dynamic_recall(truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
    let plain = AverageDynamicRecall {
        cutoff: None,
        truncate: false,
        beyond: CutoffBeyondTruth::Continue,
        dedup: false,
    };
    plain.score(truth, ranking)
}

/// Returns the sum of dynamic recall over the positions 1 to k. If documents are tied, it is
/// the mean over all orders within the tied groups. Otherwise the sum is taken by document if the
/// ranking is much shorter than k, and by position if not; both forms are equivalent.
fn sum_of_dynamic_recall(truth: &QueryTruth, ranking: &Ranking, k: usize) -> f64 {
    if ranking.is_tied() {
        // Past the ends of the ranking and the ground truth, the number of found documents is
        // constant. The terms up to k are then summed by harmonic numbers instead of a loop.
        let last = k.min(ranking.len().max(truth.list().len()));
        let found = found_per_position(truth, ranking, last);
        let sum: f64 = (1..).zip(&found).map(|(i, f)| f / f64::from(i)).sum();
        let rest = harmonic(k) - harmonic(last);
        let end = found.last().expect("at least one position is summed");
        return sum + rest * end;
    }
    // The sum by document visits only the positions of returned documents, so it is much faster if
    // the result is far shorter than k. The sum by position visits all k positions. It is exact for
    // a perfect result, because every term is then i/i.
    if ranking.len() < k / 4 {
        sum_by_document(truth, ranking, k)
    } else {
        sum_by_definition(truth, ranking, k)
    }
}

/// Sums dynamic recall over the positions 1 to k, position by position.
fn sum_by_definition(truth: &QueryTruth, ranking: &Ranking, k: usize) -> f64 {
    let group_of = |slot| group(truth, slot);
    let mut sum = 0.0;
    let ends = truth.list().group_ends();
    for_each_found(ends, group_of, ranking.slots(), k, |i, found| {
        sum += found as f64 / i as f64;
    });
    sum
}

/// Sums dynamic recall over the positions 1 to k, document by document. A document at position w
/// whose group starts at position s of the ideal list counts at every position i from max(w, s) to
/// k. It adds 1/i at each, in total H(k) - H(max(w, s) - 1), where H(n) is the n-th harmonic
/// number.
fn sum_by_document(truth: &QueryTruth, ranking: &Ranking, k: usize) -> f64 {
    let all = harmonic(k);
    let mut sum = 0.0;
    for (before, &slot) in ranking.slots().iter().take(k).enumerate() {
        if let Some(group) = group(truth, slot) {
            let first = before.max(truth.list().group_start(group));
            if first < k {
                sum += all - harmonic(first);
            }
        }
    }
    sum
}

/// Returns the harmonic number H(n) = 1 + 1/2 + ... + 1/n.
fn harmonic(n: usize) -> f64 {
    /// Harmonic numbers H(0) to H(1000).
    static FIRST_SUMS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let sums = (1..=1000).scan(0.0, |sum, i| {
            *sum += 1.0 / f64::from(i);
            Some(*sum)
        });
        std::iter::once(0.0).chain(sums).collect()
    });
    if let Some(&sum) = FIRST_SUMS.get(n) {
        return sum;
    }
    // Euler-Maclaurin expansion; the next term is below 1e-20 here.
    const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;
    let x = n as f64;
    let inverse = 1.0 / (x * x);
    x.ln() + EULER_GAMMA + 0.5 / x - inverse / 12.0 + inverse * inverse / 120.0
}

#[cfg(test)]
mod tests {
    use super::super::dynamic_recall;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn harmonic_number_beyond_the_table_equals_the_direct_sum() {
        let direct: f64 = (1..=5000).rev().map(|i| 1.0 / f64::from(i)).sum();
        assert!((harmonic(5000) - direct).abs() < 1e-14);
        assert_eq!(harmonic(0), 0.0);
        assert_eq!(harmonic(1), 1.0);
    }

    /// Generates group sizes and a ranking of relevant (below n) and unjudged (n and above)
    /// documents.
    fn truths_and_rankings() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
        proptest::collection::vec(1usize..5, 1..12).prop_flat_map(|sizes| {
            let n: usize = sizes.iter().sum();
            let ranking = proptest::collection::vec(0..2 * n, 0..2 * n);
            (Just(sizes), ranking)
        })
    }

    /// Builds a ground truth with groups of these sizes and a ranking of these document numbers.
    fn build_truth_and_ranking(sizes: &[usize], ranking: &[usize]) -> (QueryTruth, Ranking) {
        let mut next = 0..;
        let names: Vec<Vec<String>> = sizes
            .iter()
            .map(|&size| {
                next.by_ref()
                    .take(size)
                    .map(|i: usize| i.to_string())
                    .collect()
            })
            .collect();
        let groups: Vec<Vec<&str>> = names
            .iter()
            .map(|group| group.iter().map(String::as_str).collect())
            .collect();
        let truth = QueryTruth::from_groups(&groups).unwrap();
        let result: Vec<String> = ranking.iter().map(usize::to_string).collect();
        let ranking = Ranking::from_names(truth.names(), result.iter().map(String::as_str));
        (truth, ranking)
    }

    proptest! {
        #[test]
        fn the_sum_by_document_equals_the_definition(
            (sizes, ranking) in truths_and_rankings(),
            k in 1usize..80,
        ) {
            let (truth, ranking) = build_truth_and_ranking(&sizes, &ranking);
            let definition = sum_by_definition(&truth, &ranking, k);
            let by_document = sum_by_document(&truth, &ranking, k);
            prop_assert!((definition - by_document).abs() < 1e-12 * (k as f64));
        }

        #[test]
        fn dynamic_recall_of_all_positions_adds_up_to_the_definition(
            (sizes, ranking) in truths_and_rankings(),
        ) {
            let (truth, ranking) = build_truth_and_ranking(&sizes, &ranking);
            let k = truth.list().len();
            let sum: f64 = dynamic_recall(&truth, &ranking, k).iter().sum();
            prop_assert!((sum_by_definition(&truth, &ranking, k) - sum).abs() < 1e-12);
        }
    }
}
