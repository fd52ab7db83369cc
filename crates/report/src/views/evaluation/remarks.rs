//! Texts of the remarks on an evaluation.

use std::collections::HashSet;

use partita_core::evaluation::{
    EvaluationNote, MissingQueryPolicy, NoRelevantPolicy, TruncatedGrades,
};

use crate::phrases::{count_noun, list_names};

/// Returns the text of a remark on an evaluation.
pub fn remark_text(remark: &EvaluationNote) -> String {
    let named = |queries: &[String], of: usize| {
        format!(
            "{} of {of}, namely {}",
            queries.len(),
            list_names(queries, MAX_NAMED_RUNS)
        )
    };
    match remark {
        EvaluationNote::QueriesWithoutRelevant {
            queries,
            total: of,
            no_relevant,
        } => {
            let fate = match no_relevant {
                NoRelevantPolicy::Skip => "they are left out",
                NoRelevantPolicy::Score => "there ADR is undefined, and other measures are 0",
            };
            format!("queries without any relevant item: {}; {fate}", named(queries, *of))
        }
        EvaluationNote::ReservedQueryName => {
            "a query is called `all`, as the means are in the output of trec_eval; CSV and JSON tell \
             them apart"
                .to_owned()
        }
        EvaluationNote::TruncatedGrades(found) => {
            let TruncatedGrades { count, query, item, grade } = found;
            format!(
                "grades that are not whole numbers: {count}, the first being {grade} of `{item}` for \
                 the query `{query}`; trec_eval reads them without their decimals, and so they \
                 count here"
            )
        }
        EvaluationNote::TooFewQueriesToResample => {
            "one query is too few to resample: there is no interval".to_owned()
        }
        EvaluationNote::FewQueriesToResample { queries } => {
            format!(
                "the intervals rest on {}; with fewer than 25 they contain the mean less often than \
                 they state",
                count_noun(*queries, "query", "queries")
            )
        }
        EvaluationNote::ConstantScores { scores } => {
            let each = |(run, measure): &(String, String)| format!("{measure} of `{run}`");
            let each: Vec<String> = scores.iter().map(each).collect();
            format!(
                "no interval where resampling the queries does not change the mean, as all scores are \
                 equal: {}",
                list_names(&each, MAX_NAMED_RUNS)
            )
        }
        EvaluationNote::QueriesWithoutStratum { queries, total: of } => {
            format!("queries in no stratum: {}", named(queries, *of))
        }
        EvaluationNote::LowQueryOverlap { runs, total: of, missing } => {
            let each = |(run, count): &(String, usize)| format!("`{run}` has {count}");
            let each: Vec<String> = runs.iter().map(each).collect();
            format!(
                "less than half of the {of} queries are in {}: {}; the others {}. Do both call the \
                 queries alike?",
                counted_runs(&remark.runs()),
                list_names(&each, MAX_NAMED_RUNS),
                missing_query_treatment(*missing)
            )
        }
        EvaluationNote::MissingQueries { runs, total: of, missing } => {
            let fate = missing_query_treatment(*missing);
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
                list_names(&all, MAX_NAMED_RUNS)
            )
        }
    }
}

/// Returns the treatment of queries that a run lacks, as a phrase.
fn missing_query_treatment(missing: MissingQueryPolicy) -> &'static str {
    match missing {
        MissingQueryPolicy::Empty => "count as empty results",
        MissingQueryPolicy::Skip => "are left out",
    }
}

/// Maximum number of queries or runs named in a sentence.
const MAX_NAMED_RUNS: usize = 5;

/// Returns ``the run `a` ``, or the number of runs with some of their names.
fn counted_runs(runs: &[&str]) -> String {
    match runs {
        [run] => format!("the run `{run}`"),
        _ => format!("{} runs ({})", runs.len(), list_names(runs, 3)),
    }
}
