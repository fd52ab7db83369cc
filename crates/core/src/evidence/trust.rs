//! Bootstrap over assessors: uncertainty of lists.

use super::{CheckedLists, ListEvidence, ListResampling, TruthCheckNote};
use crate::work::{Work, WorkError};

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
/// Adds notes on lists that differ from those that the judgments make, and on lists that the
/// bootstrap does not reproduce.
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
        list.trust = Some(evidence.uncertainty(shared, number, case, &drawn, options.confidence));
    }
    if !not_rebuilt.is_empty() {
        let construction = evidence.construction();
        let note = TruthCheckNote::ListsNotRebuilt(construction, not_rebuilt);
        checked.notes.push(note);
    }
    if !incomplete.is_empty() {
        let note = TruthCheckNote::IncompleteSortRecord(incomplete);
        checked.notes.push(note);
    }
    Ok(())
}
