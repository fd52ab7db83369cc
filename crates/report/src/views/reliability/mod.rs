//! View of a reliability study. In tables, shares are percentages of all comparisons of two
//! systems.

mod figures;
mod tables;

use std::collections::BTreeSet;
use std::io;

use partita_core::reliability::{
    OutcomeShares, PowerAndStability, ReliabilityStudy, SmallerQuerySet, TestConfiguration,
};

use crate::phrases::count_noun;
use crate::{Document, View};
pub use figures::{conflicts_figure, discrimination_figure, power_figure};
use tables::{
    best_set_columns, conflict_classes_table, csv_columns, details_columns,
    discriminative_power_table, share_by_size_table, table_1,
};

/// View of a reliability study. `details` adds the significant pairs by level, all classes of
/// conflicts at every query set size, and the best query sets.
#[derive(Clone, Copy, Debug)]
pub struct ReliabilityView<'a> {
    /// Power and stability of each significance test, by number of queries.
    pub result: &'a ReliabilityStudy,
    /// True to add the significant pairs by level, all classes of conflicts and the best query sets
    /// to the document.
    pub details: bool,
}

impl View for ReliabilityView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        csv_columns(self.result.seed).write_csv(&self.result.cells, writer)
    }

    fn document(&self) -> Document {
        let result = self.result;
        let answer = tests(result)
            .into_iter()
            .map(|test| summary_sentence(result, test));
        let mut document = answer.fold(Document::new(), Document::note);
        document = document
            .table(table_1(result))
            .notes(legend(result))
            .notes(
                tests(result)
                    .into_iter()
                    .filter_map(|test| minimum_queries_note(result, test)),
            )
            .note(sampling_note(result));
        for test in tests(result) {
            let caption = format!("Power: significant pairs in %, {}", test_label(test));
            let power = |shares: &OutcomeShares| Some(shares.power);
            document =
                document.table(share_by_size_table(result, test, power).with_caption(caption));
            let conflicts = share_by_size_table(result, test, conflicts);
            if !conflicts.rows().is_empty() {
                let caption = format!("Conflicts in %, {}", test_label(test));
                document = document.table(conflicts.with_caption(caption));
            }
        }
        let classes = conflict_classes_table(result);
        if !classes.rows().is_empty() {
            document = document.table(classes);
        }
        if !self.details {
            return document.hint(
                "--details prints significant pairs by level, all sizes, and the best query sets.",
            );
        }
        document = document.table(discriminative_power_table(result));
        for row in &result.smaller {
            let what = format!("{}, {}", row.test.measure, test_label(&row.test));
            let cells = || result.cells.iter().filter(|cell| cell.test == row.test);
            let caption = format!("{what}: shares in %, missed and further pairs per trial");
            document = document.table(details_columns().to_table(cells()).with_caption(caption));
            let smaller = cells().filter(|cell| cell.size < row.queries);
            let caption = format!("{what}: best query sets");
            document = document.table(best_set_columns().to_table(smaller).with_caption(caption));
        }
        document
    }
}

/// Formats a significance test with its level: `friedman-tukey at 0.05`.
fn test_label(test: &TestConfiguration) -> String {
    match &test.correction {
        Some(correction) => format!("{} at {} ({correction})", test.test, test.alpha),
        None => format!("{} at {}", test.test, test.alpha),
    }
}

/// Maximum share of the significant pairs that a smaller query set may miss for it to be
/// recommended without a caution.
const MAX_MISSED_SHARE: f64 = 0.05;

/// Returns a sentence on the power and stability of a test, with a recommendation.
fn summary_sentence(result: &ReliabilityStudy, test: &TestConfiguration) -> String {
    let rows = Vec::from_iter(rows_of_test(result, test));
    let range = |values: Vec<f64>, unit: &str| {
        let ends = values.iter().copied();
        let least = ends.clone().fold(f64::INFINITY, f64::min);
        let most = ends.fold(0.0, f64::max);
        let [least, most] = [least, most].map(|value| format!("{value:.0}"));
        if least == most {
            format!("{least}{unit}")
        } else {
            format!("{least} to {most}{unit}")
        }
    };
    let queries = rows.iter().map(|row| row.all.size).max().unwrap_or(0);
    let power = rows.iter().map(|row| 100.0 * row.all.power).collect();
    let mut words = format!(
        "With {}, {} finds that {} of the pairs of systems differ",
        count_noun(queries, "query", "queries"),
        test_label(test),
        range(power, "%")
    );
    let halves = Vec::from_iter(rows.iter().filter_map(|row| row.half));
    // A test without significant pairs has nothing to confirm.
    if let Some(half) = halves
        .first()
        .filter(|_| halves.iter().any(|half| half.power > 0.0))
    {
        let unstable = halves.iter().map(|half| 100.0 * half.conflicts).collect();
        words += &format!(
            "; with {} each, a second evaluation would not confirm {} of the comparisons",
            count_noun(half.size, "query", "queries"),
            range(unstable, "%")
        );
    }
    let smaller = result
        .smaller
        .iter()
        .filter(|row| is_same_test(&row.test, test));
    let smaller = Vec::from_iter(smaller);
    let miss = plural_of(result.miss, "pair");
    let enough = |row: &&SmallerQuerySet| row.size.filter(|size| *size < row.queries);
    let sizes: Option<Vec<usize>> = smaller.iter().map(enough).collect();
    let significant = smaller.iter().map(|row| row.significant as f64);
    let found = range(significant.clone().collect(), "");
    let fewest = significant.clone().fold(f64::INFINITY, f64::min);
    let most = significant.fold(0.0, f64::max);
    let by_all = if smaller.len() > 1 {
        " by every measure"
    } else {
        ""
    };
    words += &match sizes.and_then(|sizes| sizes.into_iter().max()) {
        _ if !smaller.iter().any(|row| is_informative(row)) => match most {
            0.0 => ". Ask more queries: no pair differs significantly.".to_owned(),
            _ => format!(
                ". Ask more queries: {found} significant pairs are too few to tell how many queries are enough."
            ),
        },
        Some(enough) if result.miss <= MAX_MISSED_SHARE * fewest => format!(
            ". Fewer would do: {} would have missed at most {} of the {found} significant pairs on \
             average.",
            count_noun(enough, "query", "queries"),
            result.miss
        ),
        Some(enough) => format!(
            ". Keep all of them if every significant pair matters: {} would have missed up to {} of the \
             {found} significant pairs on average.",
            count_noun(enough, "query", "queries"),
            result.miss
        ),
        None => format!(
            ". Keep all of them: no smaller number that was tried misses at most {miss} on \
             average{by_all}."
        ),
    };
    words
}

/// Returns true if there are more significant pairs than a query set may miss and still be
/// sufficient. Otherwise every query set is sufficient, even one that misses all significant pairs.
fn is_informative(row: &SmallerQuerySet) -> bool {
    row.significant as f64 > row.may_miss
}

/// Formats a number that need not be whole with its noun: `1 pair`, `2.5 pairs`.
fn plural_of(number: f64, noun: &str) -> String {
    if number == 1.0 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// Returns the rows of the main table (Table 1 of the paper) for one test.
fn rows_of_test<'a>(
    result: &'a ReliabilityStudy,
    test: &'a TestConfiguration,
) -> impl Iterator<Item = &'a PowerAndStability> {
    let rows = result.table_1.iter();
    rows.filter(move |row| is_same_test(&row.test, test))
}

/// Returns the explanations of the columns of the main table (power, conflicts, stable, enough).
fn legend(result: &ReliabilityStudy) -> Vec<String> {
    let pairs = result.measures.first().map_or(0, |measure| measure.pairs);
    let mut legend = vec![format!(
        "Power: the pairs of systems that differ significantly, in % of all {pairs}."
    )];
    if result.table_1.iter().any(|row| row.half.is_some()) {
        legend.push(
            "Conflicts: pairs that one set of queries finds to differ and another one of the same \
             size does not confirm. Stable: pairs that both find; with all queries, their power \
             less the conflicts of the smaller sets (Urbano et al. 2011)."
                .to_owned(),
        );
    }
    legend.push(format!(
        "Enough: the fewest queries that miss, on average, at most {} that all queries find.",
        plural_of(result.miss, "pair")
    ));
    legend
}

/// Returns a note on query set sizes at which the test cannot give a significant result.
fn minimum_queries_note(result: &ReliabilityStudy, test: &TestConfiguration) -> Option<String> {
    let mut rows = rows_of_test(result, test);
    let fewest = rows.find_map(|row| row.possible_from);
    let sizes = result
        .cells
        .iter()
        .filter(|cell| is_same_test(&cell.test, test));
    let in_vain = |size: usize| fewest.is_none_or(|fewest| size < fewest);
    let sizes: BTreeSet<usize> = sizes
        .map(|cell| cell.size)
        .filter(|size| in_vain(*size))
        .collect();
    let largest = sizes.last()?;
    let what = test_label(test);
    Some(match fewest {
        Some(fewest) => format!(
            "Power 0 with {}: {what} finds nothing on fewer than {fewest}, as no p-value can be \
             below its level.",
            count_noun(*largest, "query", "queries")
        ),
        None => format!("Power 0: no p-value of {what} can be below its level."),
    })
}

/// Returns the share of conflicts: pairs that are significant on one query set and not confirmed on
/// another.
fn conflicts(shares: &OutcomeShares) -> Option<f64> {
    Some(shares.stability.as_ref()?.conflicts)
}

/// Returns the distinct significance tests of the study.
fn tests(result: &ReliabilityStudy) -> Vec<&TestConfiguration> {
    let first = result.measures.first();
    let is_first =
        |tested: &&TestConfiguration| first.is_some_and(|first| first.measure == tested.measure);
    let tests = result.table_1.iter().map(|row| &row.test);
    tests.filter(is_first).collect()
}

/// Returns true if both have the same test, significance level and correction; the measures may
/// differ.
fn is_same_test(one: &TestConfiguration, other: &TestConfiguration) -> bool {
    (&one.test, one.alpha, &one.correction) == (&other.test, other.alpha, &other.correction)
}

/// Converts a share to a percentage.
fn percent(share: impl Into<Option<f64>>) -> Option<f64> {
    share.into().map(|share| 100.0 * share)
}

/// Returns a note on how the query sets were sampled.
fn sampling_note(result: &ReliabilityStudy) -> String {
    let strata = result.measures.first().and_then(|m| m.strata.as_ref());
    let how = match strata {
        Some(strata) => format!("drawn evenly from {} strata", strata.len()),
        None => "not stratified".to_owned(),
    };
    let (trials, seed) = (result.trials, result.seed);
    format!("{trials} query sets of each size, {how}; seed {seed}.")
}
