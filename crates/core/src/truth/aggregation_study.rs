//! Comparison of the six aggregation functions (Urbano et al. 2010, section 5).

use partita_stats::correlation::kendall::kendall;
use partita_stats::correlation::pearson::pearson;
use partita_stats::t_test::{TTest, paired};
use schemars::JsonSchema;
use serde::Serialize;

use super::build::ListConsistency;
use super::build::aggregation::Aggregation;
use super::build::rank_evidence::{RankEvidence, RankTestOptions};
use super::list_scores::adr_scores;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ordered_map::OrderedMap;
use crate::data::ranking::Ranking;
use crate::data::run::SystemRankings;
use crate::evaluation::mean;
use crate::significance::alpha::Alpha;
use crate::work::{Work, WorkError};

/// Options of [`study_aggregations`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AggregationStudyOptions {
    /// Significance level of the tests that build the lists.
    pub alpha: Alpha,
    /// Significance level of the tests that measure the consistency of the lists.
    pub check_alpha: Alpha,
    /// Treatment of unranked items, and null distribution of the tests.
    #[serde(flatten)]
    pub reading: RankTestOptions,
}

/// Comparison of the six aggregation functions over all queries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AggregationStudy {
    /// Options with which the study was run.
    pub settings: AggregationStudyOptions,
    /// Summary of each aggregation function, All-2 first: the rows of Table 3 of Urbano et al.
    /// (2010).
    pub functions: Vec<AggregationSummary>,
    /// Mean ADR (average dynamic recall) of each system against the lists of each aggregation
    /// function: Table 4 of Urbano et al. (2010).
    pub systems: Vec<SystemAdrByFunction>,
    /// Results for each query: one list per aggregation function.
    pub lists: Vec<QueryAggregations>,
}

/// Results of one aggregation function over all queries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AggregationSummary {
    /// Aggregation function.
    pub function: Aggregation,
    /// Consistency with the tests of item pairs, averaged over the lists that this function builds;
    /// null if it is undefined for all of them.
    #[serde(flatten)]
    pub consistency: ListConsistency,
    /// Mean number of items per group of a list, averaged over the lists; null if no list has a
    /// group.
    pub items_per_group: Option<f64>,
    /// Pearson correlation, over the lists, between the number of items per group and ADR-1, the
    /// consistency of a list with one-tailed tests; null for fewer than 2 lists with both values,
    /// or if either quantity is constant.
    pub pearson: Option<CorrelationSummary>,
    /// One-tailed paired t-test of the hypothesis that this function builds more consistent lists
    /// (by ADR-1) than the original function, All-2. Urbano et al. (2010) do not say that their
    /// test was paired, but both functions build lists for the same queries. Null for All-2 itself,
    /// and for fewer than 2 queries with both values.
    pub more_consistent: Option<OneTailedTTest>,
    /// One-tailed paired t-test of the hypothesis that this function builds groups of fewer items
    /// than the original function, All-2. Null for All-2 itself, and for fewer than 2 queries with
    /// both values.
    pub smaller_groups: Option<OneTailedTTest>,
    /// Kendall's tau between the mean ADR (average dynamic recall) of the systems against the lists
    /// of this function and against those of All-2. Null for All-2 itself, for fewer than 2
    /// systems, if a system has no mean ADR, or if tau is undefined because all systems score the
    /// same.
    pub tau: Option<f64>,
}

/// Pearson's product-moment correlation between two quantities over the lists, with its p-value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CorrelationSummary {
    /// Correlation coefficient between the two quantities, from -1 to 1.
    pub r: f64,
    /// Two-tailed p-value of the hypothesis that the correlation is 0.
    pub p: f64,
}

/// One-tailed paired t-test between the lists of two aggregation functions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OneTailedTTest {
    /// Student's t statistic; null if it is infinite because all lists differ by the same amount
    /// other than 0.
    #[schemars(with = "Option<f64>")]
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// One-tailed p-value.
    pub p: f64,
}

/// Mean ADR (average dynamic recall) of one system against the lists of each aggregation function.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SystemAdrByFunction {
    /// Name of the system.
    pub system: String,
    /// Mean ADR over the queries, keyed by aggregation function; null if it is undefined for every
    /// list.
    pub adr: OrderedMap<Option<f64>>,
}

/// Results for one query: a summary of the list that each aggregation function builds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueryAggregations {
    /// Name of the query.
    pub query: String,
    /// Summary of each list, keyed by aggregation function, All-2 first.
    pub functions: OrderedMap<AggregatedListSummary>,
}

/// Size and consistency of the list that one aggregation function builds for one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AggregatedListSummary {
    /// Number of items in the list.
    pub items: usize,
    /// Number of groups in the list.
    pub groups: usize,
    /// Mean number of items per group; null if there is no group.
    pub items_per_group: Option<f64>,
    /// Consistency of the list with the tests of its item pairs.
    #[serde(flatten)]
    pub consistency: ListConsistency,
    /// ADR (average dynamic recall) of each system against the list; null where it is undefined.
    pub adr: OrderedMap<Option<f64>>,
}

/// Builds the lists of all queries by each of the six aggregation functions. Reports the
/// consistency of the lists, the size of their groups, and the scores of the systems against them.
///
/// ```
/// use partita_core::AssessorRankings;
/// use partita_core::truth::{AggregationStudyOptions, study_aggregations};
/// use partita_core::work::SequentialWork;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let options = AggregationStudyOptions::default();
/// let study = study_aggregations(&[("q", &rankings)], &options, &[], &SequentialWork)?;
/// // One-tailed tests separate a and b, and ADR-1 consistency agrees with that.
/// let row = |number: usize| &study.functions[number];
/// assert_eq!((row(0).consistency.adr1, row(0).items_per_group), (Some(0.0), Some(2.0)));
/// assert_eq!((row(4).consistency.adr1, row(4).items_per_group), (Some(1.0), Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn study_aggregations(
    queries: &[(&str, &AssessorRankings)],
    settings: &AggregationStudyOptions,
    systems: &[SystemRankings],
    work: &dyn Work,
) -> Result<AggregationStudy, WorkError> {
    let lists = work.map("studying", queries.len(), |number| {
        let (query, rankings) = queries[number];
        QueryAggregations {
            query: query.to_owned(),
            functions: summarize_lists(number, rankings, settings, systems),
        }
    })?;
    // Mean ADR of a system against the lists of a function.
    let mean_adr = |function: usize, system: usize| {
        mean(lists.iter().map(|query| {
            let score = query.summary(function).adr.iter().nth(system);
            score.and_then(|(_, adr)| *adr)
        }))
    };
    let scores: Vec<Vec<Option<f64>>> = (0..Aggregation::ALL_FUNCTIONS.len())
        .map(|function| (0..systems.len()).map(|s| mean_adr(function, s)).collect())
        .collect();
    let functions = Aggregation::ALL_FUNCTIONS.iter().enumerate();
    Ok(AggregationStudy {
        settings: *settings,
        functions: functions
            .map(|(number, &function)| summarize_function(function, number, &lists, &scores))
            .collect(),
        systems: (systems.iter().enumerate())
            .map(|(number, system)| SystemAdrByFunction {
                system: system.system.clone(),
                adr: (Aggregation::ALL_FUNCTIONS.iter().zip(&scores))
                    .map(|(function, scores)| (function.to_string(), scores[number]))
                    .collect(),
            })
            .collect(),
        lists,
    })
}

impl QueryAggregations {
    /// Returns the summary of the list that an aggregation function builds, given the function's
    /// index in [`Aggregation::ALL_FUNCTIONS`].
    fn summary(&self, number: usize) -> &AggregatedListSummary {
        let list = self.functions.iter().nth(number);
        list.expect("there is a list for each function").1
    }
}

/// Builds the list of one query by each of the six aggregation functions and summarizes it. `query`
/// is the index of the query in the rankings of the systems.
fn summarize_lists(
    query: usize,
    rankings: &AssessorRankings,
    settings: &AggregationStudyOptions,
    systems: &[SystemRankings],
) -> OrderedMap<AggregatedListSummary> {
    let empty = Ranking::default();
    let results: Vec<&Ranking> = (systems.iter())
        .map(|system| system.ranking(query).unwrap_or(&empty))
        .collect();
    let evidence = RankEvidence::new(rankings, settings.alpha, settings.reading);
    let check_evidence = evidence.at_level(settings.check_alpha);
    let summaries = Aggregation::ALL_FUNCTIONS.into_iter().map(|function| {
        let list = evidence.list(function);
        let groups = list.group_count();
        let adr = adr_scores(rankings.items(), &list, &results);
        let summary = AggregatedListSummary {
            items: list.len(),
            groups,
            items_per_group: (groups > 0).then(|| list.len() as f64 / groups as f64),
            consistency: ListConsistency::measure(&list, check_evidence.pair_tests()),
            adr: (systems.iter().map(|system| system.system.as_str()))
                .zip(adr)
                .collect(),
        };
        (function.to_string(), summary)
    });
    summaries.collect()
}

/// Summarizes an aggregation function over all queries and compares it with the function All-2.
/// `number` is the index of the function, `scores` the mean ADR (average dynamic recall) of each
/// system by function.
fn summarize_function(
    function: Aggregation,
    number: usize,
    lists: &[QueryAggregations],
    scores: &[Vec<Option<f64>>],
) -> AggregationSummary {
    /// Property of a list, such as its number of items per group; `None` if it is undefined.
    type Quantity = fn(&AggregatedListSummary) -> Option<f64>;
    let (size, adr1): (Quantity, Quantity) = (|list| list.items_per_group, |l| l.consistency.adr1);
    let average =
        |quantity: Quantity| mean(lists.iter().map(|query| quantity(query.summary(number))));
    // Collects the values of two quantities over the queries for which both are defined; `None` for
    // fewer than 2 such queries.
    let paired_values = |one: (usize, Quantity), other: (usize, Quantity)| {
        let values = lists.iter().filter_map(|query| {
            let value = |(function, quantity): (usize, Quantity)| quantity(query.summary(function));
            value(one).zip(value(other))
        });
        let (x, y): (Vec<f64>, Vec<f64>) = values.unzip();
        (x.len() > 1).then_some((x, y))
    };
    let against_all_2 = |quantity: Quantity, p: fn(&TTest) -> f64| {
        let (x, y) = paired_values((number, quantity), (0, quantity)).filter(|_| number > 0)?;
        let test = paired(&x, &y).expect("there are at least two lists");
        Some(OneTailedTTest {
            t: test.t,
            df: test.df,
            p: p(&test),
        })
    };
    let correlation = paired_values((number, size), (number, adr1)).and_then(|(sizes, values)| {
        let found = pearson(&sizes, &values).expect("there are at least two lists")?;
        Some(CorrelationSummary {
            r: found.r,
            p: found.p.two_sided,
        })
    });
    let ranked = |function: usize| -> Vec<f64> {
        let scores = scores[function].iter();
        scores.map(|score| score.unwrap_or(f64::NAN)).collect()
    };
    // `None` if a system has no score, or if tau is undefined.
    let tau = || kendall(&ranked(0), &ranked(number)).ok().flatten();
    AggregationSummary {
        function,
        consistency: ListConsistency {
            adr1: average(adr1),
            adr2: average(|list| list.consistency.adr2),
        },
        items_per_group: average(size),
        pearson: correlation,
        more_consistent: against_all_2(adr1, |test| test.p.greater),
        smaller_groups: against_all_2(size, |test| test.p.less),
        tau: (number > 0).then(tau).flatten().map(|found| found.tau),
    }
}
