//! Check of the lists of a ground truth against the rankings of assessors.

pub(crate) mod assessor_concordance;
pub(crate) mod audit;
pub(crate) mod consistency;

use schemars::JsonSchema;
use serde::Serialize;

use super::bootstrap::{ListUncertainty, PanelBootstrap, PanelBootstrapRequest, bootstrap_panel};
use super::build::ListConsistency;
use super::build::aggregation::Aggregation;
use super::build::item_pair_tests::Tails;
use super::build::rank_evidence::{RankEvidence, RankTestOptions};
use super::build::recipe::Recipe;
use crate::data::assessor_rankings::{AssessorRankings, AssessorRankingsError};
use crate::data::ground_truth::GroundTruth;
use crate::data::grouped_list::{GroupedList, NamedGroups};
use crate::data::names::summarize_names;
use crate::evaluation::mean;
use crate::significance::alpha::Alpha;
use crate::significance::intransitivity::PairwiseRelations;
use crate::work::{Work, WorkError};
use assessor_concordance::{AssessorConcordance, assessor_concordance};
use audit::{Audit, AuditCounts, RankTestEvidence, UntestablePair};
use consistency::{Consistency, consistency};

/// Request to [`check`] lists against rankings.
#[derive(Clone, Copy, Debug)]
pub struct TruthCheckRequest<'a> {
    /// Name and assessors' rankings of each query.
    pub queries: &'a [(&'a str, &'a AssessorRankings)],
    /// Name and lists of the ground truth to audit. Without it, the lists that the recipe builds
    /// are audited.
    pub truth: Option<(&'a str, &'a GroundTruth)>,
    /// Settings that determine how lists are built from rankings.
    pub recipe: Recipe,
    /// Significance level of the tests of the audit.
    pub alpha: Alpha,
    /// Number of tails of the tests of the audit.
    pub tails: Tails,
    /// Maximum number of intransitive triples listed per query, once for one-tailed and once for
    /// two-tailed tests.
    pub max_triples: usize,
    /// Options of the bootstrap over assessors, if requested.
    pub bootstrap: Option<PanelBootstrapRequest<'a>>,
}

/// Result of the check of lists against rankings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TruthCheck {
    /// Settings of the check.
    pub settings: TruthCheckSettings,
    /// Checked lists, one per query.
    pub lists: Vec<CheckedList>,
    /// Mean over the lists of their consistency with the tests of item pairs.
    pub mean: ListConsistency,
    /// Counts of inconsistencies, summed over the lists.
    pub summary: CountsByTails,
    /// Uncertainty of the scores of systems against the lists, if the bootstrap was requested.
    pub trust: Option<PanelBootstrap>,
    /// Notes on mismatches between the lists and the rankings.
    #[serde(skip)]
    pub notes: Vec<TruthCheckNote>,
}

/// Settings of the check of lists against rankings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TruthCheckSettings {
    /// Significance level of the tests of the audit.
    pub alpha: Alpha,
    /// Number of tails: 1 if items differ by either one-tailed test, 2 for the two-tailed test.
    pub tails: u8,
    /// Treatment of unranked items, and null distribution of the tests.
    #[serde(flatten)]
    pub reading: RankTestOptions,
    /// Name of the audited ground truth; null if the lists were built from the rankings.
    pub truth: Option<String>,
    /// Aggregation function that built the lists; null if they were given.
    pub aggregate: Option<Aggregation>,
    /// Significance level of the tests of the aggregation function; null if the lists were given.
    pub build_alpha: Option<Alpha>,
}

/// List of one query with the results of its check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CheckedList {
    /// Name of the query.
    pub query: String,
    /// Groups of the list, by item name.
    pub list: NamedGroups,
    /// Number of items in the list.
    pub items: usize,
    /// Number of groups in the list.
    pub groups: usize,
    /// Number of assessors who ranked anything.
    pub assessors: usize,
    /// Agreement between the assessors (Kendall's W).
    pub kendall_w: AssessorConcordance,
    /// Consistency of the list with the tests of its item pairs.
    #[serde(flatten)]
    pub consistency: ListConsistency,
    /// Consistency with one-tailed tests (ADR-1) at every position of the list except the last.
    pub per_position: Vec<f64>,
    /// Consistency with two-tailed tests (ADR-2) at every position of the list except the last.
    pub per_position_adr2: Vec<f64>,
    /// Inconsistencies of the list with the tests of its item pairs.
    #[serde(flatten)]
    pub audit: Audit<RankTestEvidence>,
    /// Number of pairs that cannot be tested because an item has fewer than 2 ranks. They are in
    /// neither `intra` nor `inter`; the consistency of the list treats them as not different.
    pub untestable_pairs: usize,
    /// Pairs of items that cannot be tested, in the order of the list.
    pub untestable: Vec<UntestablePair>,
    /// Numbers of inconsistencies, by the number of tails of the tests.
    pub summary: CountsByTails,
    /// Uncertainty of the list, if the bootstrap was requested.
    pub trust: Option<ListUncertainty>,
}

/// Counts of inconsistencies between lists and tests, once for one-tailed and once for two-tailed
/// tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CountsByTails {
    /// Counts of inconsistencies with one-tailed tests.
    pub one_tailed: AuditCounts,
    /// Counts of inconsistencies with two-tailed tests.
    pub two_tailed: AuditCounts,
}

impl CountsByTails {
    /// Returns the counts by tests with this number of tails.
    pub fn get(&self, tails: Tails) -> &AuditCounts {
        match tails {
            Tails::One => &self.one_tailed,
            Tails::Two => &self.two_tailed,
        }
    }
}

/// Error of the check of a ground truth against judgments.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum TruthCheckError {
    /// The ground truth and the judgments have no query in common.
    #[error(
        "no query of the ground truth has {judgments}: it has {}, and {judgments} are of {}",
        quoted(.listed),
        quoted(.judged)
    )]
    NoCommonQuery {
        judgments: &'static str,
        listed: Vec<String>,
        judged: Vec<String>,
    },
    /// A list holds items that are not in the rankings.
    #[error("query `{query}`: {error}")]
    UnknownItems {
        query: String,
        error: AssessorRankingsError,
    },
    /// The work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Formats the first five names, each in backquotes.
fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    summarize_names(&quoted, 5)
}

/// Mismatch between a ground truth and the judgments that audit it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TruthCheckNote {
    /// Queries of the ground truth without judgments (`rankings` or `answers`).
    #[error("queries that have no {} and are not audited: {}", .0, quoted(.1))]
    QueriesWithoutJudgments(&'static str, Vec<String>),
    /// Queries with judgments (`rankings` or `answers`) that are not in the ground truth.
    #[error("queries with {} that are not in the ground truth: {}", .0, quoted(.1))]
    QueriesWithoutList(&'static str, Vec<String>),
    /// Queries whose rankings hold items outside the list, each with the number of such items.
    #[error("queries whose rankings hold items that are not in the list: {}", summarize_names(.0, 5))]
    ItemsOutsideList(Vec<String>),
    /// Items of lists that nobody compared.
    #[error("items that nobody compared and that are left out: {}", quoted(.0))]
    UncomparedItems(Vec<String>),
    /// Queries whose audited lists differ from the lists that are built from the judgments. The
    /// bootstrap describes the built lists. The first field says how they are built, such as `any-1
    /// makes of the rankings`.
    #[error(
        "lists that are not those that {}, which is what the bootstrap is about: {}",
        .0,
        quoted(.1)
    )]
    ListsNotRebuilt(String, Vec<String>),
    /// Queries whose recorded votes end before the sort of their items is complete, so that their
    /// lists do not follow from the votes alone. The bootstrap completes the sort.
    #[error(
        "lists that are not what the record alone leads to, since it breaks off; the bootstrap completes \
         it: {}",
        quoted(.0)
    )]
    IncompleteSortRecord(Vec<String>),
}

/// Results by query, with notes on mismatches between a ground truth and the judgments.
pub type WithNotes<T> = (Vec<T>, Vec<TruthCheckNote>);

/// Returns the queries that are in the ground truth and have judgments, each as its index in
/// `judged` and its index in the ground truth. Also returns notes on the other queries. Fails if
/// there is no common query.
pub fn common_queries(
    truth: &GroundTruth,
    judgments: &'static str,
    judged: &[&str],
) -> Result<WithNotes<(usize, usize)>, TruthCheckError> {
    let common: Vec<(usize, usize)> = (judged.iter().enumerate())
        .filter_map(|(number, query)| Some((number, truth.query_index(query)?)))
        .collect();
    if common.is_empty() {
        return Err(TruthCheckError::NoCommonQuery {
            judgments,
            listed: truth.query_names().map(str::to_owned).collect(),
            judged: judged.iter().map(ToString::to_string).collect(),
        });
    }
    let mut notes = Vec::new();
    let not_judged: Vec<String> = (truth.query_names())
        .filter(|query| !judged.contains(query))
        .map(str::to_owned)
        .collect();
    if !not_judged.is_empty() {
        notes.push(TruthCheckNote::QueriesWithoutJudgments(
            judgments, not_judged,
        ));
    }
    let not_listed: Vec<String> = (judged.iter())
        .filter(|query| truth.query_index(query).is_none())
        .map(ToString::to_string)
        .collect();
    if !not_listed.is_empty() {
        notes.push(TruthCheckNote::QueriesWithoutList(judgments, not_listed));
    }
    Ok((common, notes))
}

/// Audits lists against the rankings of their queries.
///
/// ```
/// use partita_core::{AssessorRankings, GroundTruth, QueryTruth, TruthScale};
/// use partita_core::truth::{
///     Alpha, IntransitiveTriples, Recipe, Tails, TruthCheckRequest, check,
/// };
/// use partita_core::work::SequentialWork;
///
/// let rankings = AssessorRankings::new([
///     ("ann", "a", Some(1.0)), ("ann", "b", Some(2.0)),
///     ("bob", "a", Some(1.0)), ("bob", "b", Some(2.0)),
/// ])?;
/// let list = QueryTruth::from_groups([["a", "b"].as_slice()])?;
/// let truth = GroundTruth::new(TruthScale::Groups, vec![("q".to_owned(), list)])?;
/// let result = check(&TruthCheckRequest {
///     queries: &[("q", &rankings)],
///     truth: Some(("mine", &truth)),
///     recipe: Recipe::default(),
///     alpha: Alpha::TYPKE,
///     tails: Tails::One,
///     max_triples: IntransitiveTriples::MAX_LISTED,
///     bootstrap: None,
/// }, &SequentialWork)?;
/// assert_eq!(result.lists[0].audit.intra[0].b, "b");
/// assert_eq!(result.mean.adr1, Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and rankings do not match, or if the work was cancelled or
/// failed.
pub fn check(
    request: &TruthCheckRequest<'_>,
    work: &dyn Work,
) -> Result<TruthCheck, TruthCheckError> {
    let recipe = &request.recipe;
    let mut notes = Vec::new();
    // Index of each checked query in the request, with its list if a ground truth was given.
    let lists: Vec<(usize, Option<GroupedList>)> = match request.truth {
        None => (0..request.queries.len())
            .map(|query| (query, None))
            .collect(),
        Some((_, truth)) => {
            let (lists, found) = resolve_lists(truth, request.queries)?;
            notes = found;
            lists
        }
    };
    let audited = work.map("checking", lists.len(), |number| {
        let (query, list) = &lists[number];
        let (query, rankings) = request.queries[*query];
        let (list, evidence) = match list {
            None => {
                let evidence = recipe.evidence(rankings);
                let list = evidence.list(recipe.aggregation);
                (list, evidence.at_level(request.alpha))
            }
            Some(list) => {
                let evidence = RankEvidence::new(rankings, request.alpha, recipe.reading);
                (list.clone(), evidence)
            }
        };
        let checked = check_list(query, rankings, &list, &evidence, request);
        (checked, list)
    })?;
    let (mut checked, audited_lists): (Vec<CheckedList>, Vec<GroupedList>) =
        audited.into_iter().unzip();
    let trust = match &request.bootstrap {
        None => None,
        Some(options) => {
            let queries: Vec<usize> = lists.iter().map(|&(query, _)| query).collect();
            let (trust, note) = bootstrap_panel(
                request,
                options,
                &queries,
                &audited_lists,
                &mut checked,
                work,
            )?;
            notes.extend(note);
            Some(trust)
        }
    };
    let average = |value: fn(&ListConsistency) -> Option<f64>| {
        mean(checked.iter().map(|list| value(&list.consistency)))
    };
    let mut summary = CountsByTails::default();
    for list in &checked {
        summary.one_tailed += list.summary.one_tailed;
        summary.two_tailed += list.summary.two_tailed;
    }
    let built = request.truth.is_none().then_some(recipe);
    Ok(TruthCheck {
        settings: TruthCheckSettings {
            alpha: request.alpha,
            tails: request.tails.count(),
            reading: recipe.reading,
            truth: request.truth.map(|(name, _)| name.to_owned()),
            aggregate: built.map(|recipe| recipe.aggregation),
            build_alpha: built.map(|recipe| recipe.alpha),
        },
        mean: ListConsistency {
            adr1: average(|list| list.adr1),
            adr2: average(|list| list.adr2),
        },
        summary,
        lists: checked,
        trust,
        notes,
    })
}

/// Converts the lists of a ground truth to the item numbers of the rankings. Also returns notes on
/// mismatches between the two.
fn resolve_lists(
    truth: &GroundTruth,
    queries: &[(&str, &AssessorRankings)],
) -> Result<WithNotes<(usize, Option<GroupedList>)>, TruthCheckError> {
    let names: Vec<&str> = queries.iter().map(|(query, _)| *query).collect();
    let (common, mut notes) = common_queries(truth, "rankings", &names)?;
    let mut with_extra_items = Vec::new();
    let mut lists = Vec::with_capacity(common.len());
    for (number, in_truth) in common {
        let (query, rankings) = queries[number];
        let list = (rankings.resolve_list(truth.query_truth(in_truth))).map_err(|error| {
            TruthCheckError::UnknownItems {
                query: query.to_owned(),
                error,
            }
        })?;
        let extra = rankings.items().len() - list.len();
        if extra > 0 {
            with_extra_items.push(format!("`{query}` ({extra})"));
        }
        lists.push((number, Some(list)));
    }
    if !with_extra_items.is_empty() {
        notes.push(TruthCheckNote::ItemsOutsideList(with_extra_items));
    }
    Ok((lists, notes))
}

/// Checks one list against the rankings of its query and their tests.
fn check_list(
    query: &str,
    rankings: &AssessorRankings,
    list: &GroupedList,
    evidence: &RankEvidence,
    request: &TruthCheckRequest<'_>,
) -> CheckedList {
    let (tests, names) = (evidence.pair_tests(), rankings.items());
    let (mut audit, counted) = evidence.audit((names, list), request.tails);
    let mut count = |tails: Tails| {
        let relations = PairwiseRelations::from_item_tests(list.items(), tests, tails);
        let triples = audit.add_triples(
            (names, list),
            &relations,
            Some(tails.count()),
            request.max_triples,
        );
        let pairs = if tails == request.tails {
            counted
        } else {
            tests.count_pairs(list, tails)
        };
        pairs.with_triples(triples, &relations)
    };
    let summary = CountsByTails {
        one_tailed: count(Tails::One),
        two_tailed: count(Tails::Two),
    };
    let [one, two] = [Tails::One, Tails::Two].map(|tails| consistency(list, tests, tails));
    let value = |found: &Option<Consistency>| found.as_ref().map(|found| found.value);
    let kendall_w = assessor_concordance(rankings);
    CheckedList {
        query: query.to_owned(),
        list: list.to_named_groups(names),
        items: list.len(),
        groups: list.group_count(),
        assessors: kendall_w.assessors,
        kendall_w,
        consistency: ListConsistency {
            adr1: value(&one),
            adr2: value(&two),
        },
        per_position: one.map_or(Vec::new(), |found| found.per_position),
        per_position_adr2: two.map_or(Vec::new(), |found| found.per_position),
        untestable_pairs: counted.undecided,
        untestable: evidence.untestable((names, list)),
        audit,
        summary,
        trust: None,
    }
}
