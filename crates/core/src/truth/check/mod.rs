//! Check of the lists of a ground truth against the rankings of assessors.

pub(crate) mod assessor_concordance;
pub(crate) mod audit;
pub(crate) mod consistency;

use schemars::JsonSchema;
use serde::Serialize;

use super::bootstrap::list_bootstrap::{ListBootstrap, ListBootstrapResult, ListReplicate};
use super::bootstrap::panel::Panel;
use super::bootstrap::{
    IntervalEstimate, ListPlacements, ListUncertainty, PanelBootstrap, PanelBootstrapRequest,
    bootstrap_panel,
};
use super::build::ListConsistency;
use super::build::aggregation::Aggregation;
use super::build::item_pair_tests::Tails;
use super::build::rank_evidence::{RankEvidence, RankTestOptions};
use super::build::rank_samples::all_assessors;
use super::build::recipe::Recipe;
use crate::data::assessor_rankings::AssessorRankings;
use crate::data::ground_truth::{GroundTruth, QueryTruth};
use crate::data::grouped_list::GroupedList;
use crate::evaluation::mean;
use crate::evidence::{
    CheckDetail, CheckedList, ListCase, ListCheck, ListEvidence, TruthCheckError, TruthCheckNote,
    check_lists,
};
use crate::significance::alpha::Alpha;
use crate::significance::intransitivity::PairwiseRelations;
use crate::work::Work;
use assessor_concordance::{AssessorConcordance, ChanceAgreement, assessor_concordance};
use audit::{AuditCounts, RankTestEvidence, UntestablePair};
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
pub type TruthCheck = ListCheck<RankTestDetail>;

/// Parts of a check against rankings, by Mann-Whitney tests of their ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema)]
#[schemars(rename = "Truth")]
pub struct RankTestDetail;

impl CheckDetail for RankTestDetail {
    type Settings = TruthCheckSettings;
    type Measures = RankingMeasures;
    type PairDetail = RankTestEvidence;
    type Counts = RankTestCounts;
    type Totals = TruthCheckTotals;
    type Uncertainty = ListUncertainty;
    type Bootstrap = PanelBootstrap;
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

/// Agreement between the assessors, and consistency of a list with their rankings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RankingMeasures {
    /// Agreement between the assessors (Kendall's W).
    pub kendall_w: AssessorConcordance,
    /// Consistency of the list with the tests of its item pairs.
    #[serde(flatten)]
    pub consistency: ListConsistency,
    /// Consistency with one-tailed tests (ADR-1) at every position of the list except the last.
    pub per_position: Vec<f64>,
    /// Consistency with two-tailed tests (ADR-2) at every position of the list except the last.
    pub per_position_adr2: Vec<f64>,
}

/// Inconsistencies of a list with tests of ranks, and pairs that cannot be tested.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RankTestCounts {
    /// Number of pairs that cannot be tested because an item has fewer than 2 ranks. They are in
    /// neither `intra` nor `inter`; the consistency of the list treats them as not different.
    pub untestable_pairs: usize,
    /// Pairs of items that cannot be tested, in the order of the list.
    pub untestable: Vec<UntestablePair>,
    /// Numbers of inconsistencies, by the number of tails of the tests.
    pub summary: CountsByTails,
}

/// Means and sums over the lists of a check against rankings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TruthCheckTotals {
    /// Mean over the lists of their consistency with the tests of item pairs.
    pub mean: ListConsistency,
    /// Counts of inconsistencies, summed over the lists.
    pub summary: CountsByTails,
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
/// assert_eq!(result.totals.mean.adr1, Some(0.0));
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
    let evidence = RankingsEvidence { request };
    let mut checked = check_lists(&evidence, request.truth.map(|(_, truth)| truth), work)?;
    let lists = checked.lists.iter();
    let agreement = lists.map(|list| (list.query.as_str(), &list.measures.kendall_w));
    let chance = ChanceAgreement::find(agreement).map(TruthCheckNote::from);
    checked.notes.extend(chance);
    let trust = match &request.bootstrap {
        None => None,
        Some(options) => Some(bootstrap_panel(&evidence, options, &mut checked, work)?),
    };
    let average = |value: fn(&ListConsistency) -> Option<f64>| {
        let lists = checked.lists.iter();
        mean(lists.map(|list| value(&list.measures.consistency)))
    };
    let mut summary = CountsByTails::default();
    for list in &checked.lists {
        summary.one_tailed += list.counts.summary.one_tailed;
        summary.two_tailed += list.counts.summary.two_tailed;
    }
    let totals = TruthCheckTotals {
        mean: ListConsistency {
            adr1: average(|list| list.adr1),
            adr2: average(|list| list.adr2),
        },
        summary,
    };
    let built = request.truth.is_none().then_some(recipe);
    let settings = TruthCheckSettings {
        alpha: request.alpha,
        tails: request.tails.count(),
        reading: recipe.reading,
        truth: request.truth.map(|(name, _)| name.to_owned()),
        aggregate: built.map(|recipe| recipe.aggregation),
        build_alpha: built.map(|recipe| recipe.alpha),
    };
    Ok(checked.into_result(settings, totals, trust))
}

/// Rankings of the queries of a request, as evidence of lists.
pub(crate) struct RankingsEvidence<'r> {
    pub(crate) request: &'r TruthCheckRequest<'r>,
}

impl<'r> RankingsEvidence<'r> {
    /// Returns the rankings of a query.
    fn rankings(&self, query: usize) -> &'r AssessorRankings {
        self.request.queries[query].1
    }
}

impl<'r> ListEvidence for RankingsEvidence<'r> {
    type Case = RankEvidence;
    type Detail = RankTestDetail;
    type Shared = Vec<Panel<'r>>;
    type Bootstrap<'e>
        = ListBootstrap<'r>
    where
        Self: 'e;

    fn judgments(&self) -> &'static str {
        "rankings"
    }

    fn construction(&self) -> String {
        format!("{} makes of the rankings", self.request.recipe.aggregation)
    }

    fn query_names(&self) -> Vec<&str> {
        let queries = self.request.queries.iter();
        queries.map(|(query, _)| *query).collect()
    }

    fn resolve(
        &self,
        query: usize,
        truth: &QueryTruth,
        unmatched: &mut Vec<String>,
    ) -> Result<GroupedList, TruthCheckError> {
        let (name, rankings) = self.request.queries[query];
        let list = rankings.resolve_list(truth).map_err(|error| {
            let query = name.to_owned();
            TruthCheckError::UnknownItems { query, error }
        })?;
        let extra = rankings.items().len() - list.len();
        if extra > 0 {
            unmatched.push(format!("`{name}` ({extra})"));
        }
        Ok(list)
    }

    fn unmatched_note(&self, unmatched: Vec<String>) -> TruthCheckNote {
        TruthCheckNote::ItemsOutsideList(unmatched)
    }

    fn case(&self, query: usize, given: Option<GroupedList>) -> ListCase<RankEvidence> {
        let (recipe, rankings) = (&self.request.recipe, self.rankings(query));
        let (list, evidence) = match given {
            None => {
                let evidence = recipe.evidence(rankings);
                let list = evidence.list(recipe.aggregation);
                (list, evidence.at_level(self.request.alpha))
            }
            Some(list) => {
                let evidence = RankEvidence::new(rankings, self.request.alpha, recipe.reading);
                (list, evidence)
            }
        };
        ListCase {
            query,
            list,
            evidence,
        }
    }

    fn check(&self, case: &ListCase<RankEvidence>) -> CheckedList<RankTestDetail> {
        let (query, rankings) = self.request.queries[case.query];
        check_list(query, rankings, &case.list, &case.evidence, self.request)
    }

    fn built_list(&self, case: &ListCase<RankEvidence>) -> GroupedList {
        let rankings = self.rankings(case.query);
        self.request.recipe.list(rankings, &all_assessors(rankings))
    }

    fn bootstrap<'e>(
        &'e self,
        panels: &'e Self::Shared,
        number: usize,
        _: &'e ListCase<RankEvidence>,
    ) -> ListBootstrap<'r> {
        ListBootstrap::new(&panels[number], self.request.recipe, self.request.alpha)
    }

    fn uncertainty(
        &self,
        panels: &Self::Shared,
        number: usize,
        case: &ListCase<RankEvidence>,
        replicates: &[ListReplicate],
        confidence: f64,
    ) -> ListUncertainty {
        let (panel, request) = (&panels[number], self.request);
        let result = ListBootstrapResult::new(panel, &request.recipe, request.alpha, replicates);
        let interval = |tails| {
            let interval = result.consistency(tails, confidence);
            interval.map(IntervalEstimate::from)
        };
        let names = panel.rankings().items();
        ListUncertainty {
            adr1: interval(Tails::One),
            adr2: interval(Tails::Two),
            places: ListPlacements::new(names, &case.list, result.shares(), confidence),
        }
    }
}

/// Checks one list against the rankings of its query and their tests.
fn check_list(
    query: &str,
    rankings: &AssessorRankings,
    list: &GroupedList,
    evidence: &RankEvidence,
    request: &TruthCheckRequest<'_>,
) -> CheckedList<RankTestDetail> {
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
    let measures = RankingMeasures {
        kendall_w,
        consistency: ListConsistency {
            adr1: value(&one),
            adr2: value(&two),
        },
        per_position: one.map_or(Vec::new(), |found| found.per_position),
        per_position_adr2: two.map_or(Vec::new(), |found| found.per_position),
    };
    let counts = RankTestCounts {
        untestable_pairs: counted.undecided,
        untestable: evidence.untestable((names, list)),
        summary,
    };
    let (listed, assessors) = ((names, list), kendall_w.assessors);
    CheckedList::new(query, listed, assessors, measures, (audit, counts))
}
