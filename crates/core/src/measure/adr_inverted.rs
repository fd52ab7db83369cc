//! ADRinv: tie-break between results with equal Average Dynamic Recall (ADR), by the ground truth
//! with its groups in reverse order.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // The example of Typke, Veltkamp and Wiering (2006): ADR gives both results 5/24.
//! let truth = QueryTruth::from_groups(&[["1"], ["2"], ["3"], ["4"]])?;
//! let better = Ranking::from_names(truth.names(), ["3", "4", "5", "6"]);
//! let worse = Ranking::from_names(truth.names(), ["4", "3", "5", "6"]);
//! let inverted = measure::parse("ADRinv", 4.0)?;
//! // 3, 4, 1, 1 against the groups 4, 3, 2, 1: (0/1 + 2/2 + 2/3 + 3/4) / 4 = 29/48.
//! let score = inverted.score(&truth, &better).unwrap();
//! assert!((score - 29.0 / 48.0).abs() < 1e-15);
//! // 4, 3, 1, 1 against them: (1/1 + 2/2 + 2/3 + 3/4) / 4 = 41/48, the higher and so the worse.
//! let score = inverted.score(&truth, &worse).unwrap();
//! assert!((score - 41.0 / 48.0).abs() < 1e-15);
//!
//! // The paper keeps items that are "encountered at a higher position than the end of the group".
//! // Only the first encounter counts: b is in time, and its late copy, which adds nothing to ADR,
//! // is replaced by the filler like documents outside the truth. a, a, a: (0/1 + 1/2 + 1/3) / 3.
//! let truth = QueryTruth::from_groups([["a", "b"].as_slice(), &["c"]])?;
//! let with_copy = Ranking::from_names(truth.names(), ["b", "a", "b", "x"]);
//! let score = inverted.score(&truth, &with_copy).unwrap();
//! assert!((score - 5.0 / 18.0).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::dynamic_recall::for_each_found;
use super::{CutoffRule, Measure, MeasureDefinition, group};
use crate::data::ground_truth::QueryTruth;
use crate::data::names::Item;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure ADRinv: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "ADRinv",
    aliases: &["ADRtiebreak", "InvertedADR"],
    summary: "ADR of the misplaced documents against the inverted list: breaks ties in ADR.",
    description: "ADR cannot tell apart documents that come before their group opens, nor \
        documents that come after it has closed. To break such ties, the result is cut at n and \
        every document that is neither early nor late is replaced by one of the first group; the \
        list so made is scored by ADR against the ground truth with its groups reversed. Of two \
        results with the same ADR, the one with the lower value is better. The filler is the \
        first document of the first group by name that is not itself early or late, or else the \
        first; it counts once. A second copy of a document counts no more in ADR and so is neither \
        early nor late: it is replaced as well. A second sort key, not a score. Undefined for an empty ground truth \
        and for results with tied documents.",
    range: "0 to 1",
    higher_is_better: Some(false),
    reference: "Typke, Veltkamp & Wiering (2006), A Measure for Evaluating Retrieval Techniques \
        based on Partially Ordered Ground Truth Lists, section 4",
    cutoff: CutoffRule::None,
    parameters: &[],
    example: "ADRinv",
    build: |_| Ok(Box::new(InvertedAdr)),
};

/// Measure ADRinv: ADR of the misplaced documents against the groups in reverse order; lower is
/// better.
struct InvertedAdr;

impl Measure for InvertedAdr {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let n = truth.list().len();
        if n == 0 || ranking.is_tied() {
            return None;
        }
        let constructed = Ranking::from_slots(misplaced_documents(truth, ranking));
        let inverted = truth.list().reversed();
        let last = inverted.group_count() - 1;
        let group_of = |slot| group(truth, slot).map(|group| last - group);
        let mut sum = 0.0;
        for_each_found(
            inverted.group_ends(),
            group_of,
            constructed.slots(),
            n,
            |i, found| {
                sum += found as f64 / i as f64;
            },
        );
        Some(sum / n as f64)
    }

    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize {
        truth.list().len().min(ranking.len())
    }

    fn formula(&self) -> String {
        "ADR of the early and late documents, all others replaced by one of the first \
         group, against the groups in reverse order"
            .to_owned()
    }
}

/// Returns the first n documents of the ranking (n is the length of the ground truth list), with
/// every document that is not misplaced replaced by a filler. An item is misplaced if it is
/// returned before the first or after the last position of its group in the ideal list. The filler
/// is an item of the first group that is not misplaced itself, if there is one.
fn misplaced_documents(truth: &QueryTruth, ranking: &Ranking) -> Vec<Slot> {
    let list = truth.list();
    let kept: Vec<Option<Item>> = ranking
        .slots()
        .iter()
        .take(list.len())
        .enumerate()
        .map(|(before, slot)| {
            let item = slot.item()?;
            let group = truth.group(item)?;
            let early = before < list.group_start(group);
            let late = before >= list.group_ends()[group];
            (early || late).then_some(item)
        })
        .collect();
    let mut first_group: Vec<Item> = {
        let first = list.groups().next();
        first.expect("the list is not empty").to_vec()
    };
    first_group.sort_by_key(|&item| truth.names().name(item));
    let free = first_group
        .iter()
        .find(|&&item| !kept.contains(&Some(item)));
    let filler = free.or(first_group.first()).copied();
    kept.into_iter()
        .map(|item| Slot::from(item.or(filler)))
        .collect()
}
