//! What there is to be said of an evaluation.

use std::collections::HashSet;

use partita_core::evaluation::{MissingQueries, NoRelevant, Remark};

use crate::words::some;

/// What there is to be said of an evaluation.
pub fn remark(remark: &Remark) -> String {
    let named = |queries: &[String], of: usize| {
        format!("{} of {of}, namely {}", queries.len(), some(queries, NAMED))
    };
    match remark {
        Remark::NothingRelevant {
            queries,
            of,
            no_relevant,
        } => {
            let fate = match no_relevant {
                NoRelevant::Skip => "they are left out",
                NoRelevant::Score => "there ADR is undefined, and other measures are 0",
            };
            format!("queries without any relevant item: {}; {fate}", named(queries, *of))
        }
        Remark::CalledAll => {
            "a query is called `all`, as the mean is in CSV, so that commands which read its scores \
             from there pass it over; JSON keeps them apart"
                .to_owned()
        }
        Remark::TooFewToResample => {
            "one query is too few to resample: there is no interval".to_owned()
        }
        Remark::InNoStratum { queries, of } => {
            format!("queries in no stratum: {}", named(queries, *of))
        }
        Remark::FewInCommon { runs, of, missing } => {
            let each = |(run, count): &(String, usize)| format!("`{run}` has {count}");
            let each: Vec<String> = runs.iter().map(each).collect();
            format!(
                "less than half of the {of} queries are in {}: {}; the others {}. Do both call the \
                 queries alike?",
                counted_runs(&remark.runs()),
                some(&each, NAMED),
                fate(*missing)
            )
        }
        Remark::Missing { runs, of, missing } => {
            let fate = fate(*missing);
            let mut seen = HashSet::new();
            let all = runs.iter().flat_map(|(_, queries)| queries);
            let all: Vec<&String> = all.filter(|query| seen.insert(*query)).collect();
            let most = runs.iter().map(|(_, queries)| queries.len()).max();
            let most = most.unwrap_or(0);
            let up_to = if runs.iter().all(|(_, queries)| queries.len() == most) {
                ""
            } else {
                "up to "
            };
            format!(
                "queries missing in {}: {up_to}{most} of {of}, namely {}; they {fate}",
                counted_runs(&remark.runs()),
                some(&all, NAMED)
            )
        }
    }
}

/// What becomes of missing queries.
fn fate(missing: MissingQueries) -> &'static str {
    match missing {
        MissingQueries::Empty => "count as empty results",
        MissingQueries::Skip => "are left out",
    }
}

/// How many names a sentence lists.
const NAMED: usize = 5;

/// `the run `a``, or how many runs there are and what some of them are called.
fn counted_runs(runs: &[&str]) -> String {
    match runs {
        [run] => format!("the run `{run}`"),
        _ => format!("{} runs ({})", runs.len(), some(runs, 3)),
    }
}
