//! Bootstrap over assessors: uncertainty of lists.

use super::{CheckedLists, ListEvidence, ListResampling, TruthCheckNote};
use crate::work::{Work, WorkError};

/// Number of assessors below which the bootstrap over assessors says little about other people.
pub const MIN_RESAMPLED_ASSESSORS: usize = 5;

/// Options of [`bootstrap_lists`].
#[derive(Clone, Copy, Debug)]
pub struct BootstrapOptions {
    /// Number of bootstrap replicates.
    pub replicates: usize,
    /// Random seed of the bootstrap.
    pub seed: u64,
    /// Confidence level of the intervals, between 0 and 1.
    pub confidence: f64,
    /// Number of passes over the replicates that the caller makes itself afterwards, for the
    /// progress of the work.
    pub other_passes: usize,
}

/// Runs the bootstrap over the assessors of the checked lists and sets the uncertainty of each list.
/// Adds notes on lists that differ from those that the judgments make, on lists that the bootstrap
/// does not reproduce, and on lists by fewer than [`MIN_RESAMPLED_ASSESSORS`] assessors. If the list
/// of two assessors is the same in all replicates, its uncertainty stays unset: resampling two who
/// agree cannot show it.
///
/// # Errors
/// Returns [`WorkError`] if the work was cancelled or failed.
pub fn bootstrap_lists<E: ListEvidence>(
    evidence: &E,
    checked: &mut CheckedLists<E>,
    options: &BootstrapOptions,
    shared: &E::Shared,
    work: &dyn Work,
) -> Result<(), WorkError> {
    let names = evidence.query_names();
    let passes = checked.cases.len() + options.other_passes;
    work.begin_stage("drawing assessors", options.replicates * passes);
    let (mut not_rebuilt, mut incomplete) = (Vec::new(), Vec::new());
    let (mut few_assessors, mut unvaried) = (Vec::new(), Vec::new());
    for (number, (case, list)) in checked.cases.iter().zip(&mut checked.lists).enumerate() {
        if !evidence.built_list(case).has_same_groups(&case.list) {
            not_rebuilt.push(names[case.query].to_owned());
        }
        let bootstrap = evidence.bootstrap(shared, number, case);
        if !bootstrap.reproduces_list() {
            incomplete.push(names[case.query].to_owned());
        }
        let make = || bootstrap.clone();
        let drawn = work.map_with_state(options.replicates, make, |bootstrap, replicate| {
            bootstrap.replicate(options.seed, replicate as u64)
        })?;
        if list.assessors <= 2 {
            let lists = || drawn.iter().map(<E::Bootstrap<'_> as ListResampling>::list);
            let mut pairs = lists().zip(lists().skip(1));
            if pairs.all(|(one, next)| one.has_same_groups(next)) {
                unvaried.push(names[case.query].to_owned());
                continue;
            }
        }
        if list.assessors < MIN_RESAMPLED_ASSESSORS {
            few_assessors.push(format!("`{}` ({})", names[case.query], list.assessors));
        }
        list.trust = Some(evidence.uncertainty(shared, number, case, &drawn, options.confidence));
    }
    if !not_rebuilt.is_empty() {
        let construction = evidence.construction();
        let note = TruthCheckNote::ListsNotRebuilt(construction, not_rebuilt);
        checked.notes.push(note);
    }
    if !few_assessors.is_empty() {
        let note = TruthCheckNote::FewAssessors(few_assessors);
        checked.notes.push(note);
    }
    if !unvaried.is_empty() {
        let note = TruthCheckNote::UnvariedLists(unvaried);
        checked.notes.push(note);
    }
    if !incomplete.is_empty() {
        let note = TruthCheckNote::IncompleteSortRecord(incomplete);
        checked.notes.push(note);
    }
    Ok(())
}
