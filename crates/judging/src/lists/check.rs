//! Audit of lists against the answers they were built from.

use std::collections::BTreeSet;

use partita_core::evidence::{
    AssessorResampler, BootstrapOptions, CheckDetail, CheckedList, ListCase, ListCheck,
    ListEvidence, ListResampling, bootstrap_lists, check_lists,
};
use partita_core::truth::{Alpha, AuditCounts, ListPlacements, TruthCheckError, TruthCheckNote};
use partita_core::work::Work;
use partita_core::{GroundTruth, GroupedList, Item, Preferences, QueryPreferences, QueryTruth};
use schemars::JsonSchema;
use serde::Serialize;

use super::audit::{VoteEvidence, audit_preferences};
use super::bootstrap::{
    ListConstruction, PreferenceBootstrap, PreferenceBootstrapResult, PreferenceReplicate,
};
use super::build::{ReconstructedList, build_list};
use super::grades::{GradeScale, Grades, QueryGains};
use super::predictions::{ListPredictions, ProbabilitySource};
use super::strategy_list::StrategyLists;
use crate::analysis::agreement::AgreementCoefficients;
use crate::model::{LAPSE_RATE, with_lapses};
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::PairVotes;
use crate::votes::relation::Relation;

/// Input and options of an audit of lists against answers.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceCheckRequest<'a> {
    /// Answers against which the lists are audited.
    pub preferences: &'a Preferences,
    /// Name of a ground truth and its lists to audit; `None` to audit the lists built from the
    /// answers.
    pub truth: Option<(&'a str, &'a GroundTruth)>,
    /// Decision rule for the votes on a pair.
    pub rule: DecisionRule,
    /// Seed of all random draws: choices in building the lists, and bootstrap samples.
    pub seed: u64,
    /// Maximum number of reported triples per list whose decisions contradict each other.
    pub triples: usize,
    /// Number of bootstrap replicates of the assessors and confidence level of the intervals;
    /// `None` for no bootstrap.
    pub bootstrap: Option<(usize, f64)>,
}

/// Result of auditing lists against answers.
pub type PreferenceCheck = ListCheck<VoteDetail>;

/// Parts of a check against answers, by the decisions on their pairs.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema)]
#[schemars(rename = "Preference")]
pub struct VoteDetail;

impl CheckDetail for VoteDetail {
    type Settings = PreferenceCheckSettings;
    type Measures = VoteMeasures;
    type PairDetail = VoteEvidence;
    type Counts = VoteCounts;
    type Totals = VoteTotals;
    type Uncertainty = PreferenceListUncertainty;
    type Bootstrap = PreferenceBootstrapSettings;
}

/// Settings of an audit of lists against answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceCheckSettings {
    /// Name of the decision rule for the votes on a pair.
    pub decide: String,
    /// Significance level of the decision rule; null if it is not a test.
    pub alpha: Option<Alpha>,
    /// Seed of all random draws: choices in building the lists, and bootstrap samples.
    pub seed: u64,
    /// Name of the audited ground truth; null if the lists were built from the answers.
    pub truth: Option<String>,
}

/// Settings of the bootstrap over assessors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceBootstrapSettings {
    /// Number of bootstrap replicates of the assessors.
    pub replicates: usize,
    /// Seed of the bootstrap samples.
    pub seed: u64,
    /// Confidence level of the intervals of the items' groups.
    pub confidence: f64,
    /// Standard deviation of the pair effects: deviations of single pairs from the difference of
    /// their items' worths, on the scale of worths. Estimated from all lists; 0 if items lie on one
    /// scale.
    pub pair_spread: f64,
}

/// Answers to the query of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VoteMeasures {
    /// Number of answers to the query that count as votes.
    pub answers: usize,
}

/// Inconsistencies of a list with the decisions from answers, and agreement of the assessors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VoteCounts {
    /// Counts of the inconsistencies by kind.
    pub summary: AuditCounts,
    /// Number of compared pairs whose items are in the same group.
    pub same_group_compared: usize,
    /// Number of compared pairs whose items are in different groups.
    pub different_group_compared: usize,
    /// Number of pairs of the list that nobody compared.
    pub undecided: usize,
    /// Share of compared pairs whose decision agrees with their places in the list; null if no pair
    /// was compared.
    pub consistent: Option<f64>,
    /// Agreement coefficients between assessors over all compared pairs of the query.
    pub agreement: AgreementCoefficients,
}

/// Sums over the lists of a check against answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VoteTotals {
    /// Sums of the inconsistencies over all lists.
    pub summary: AuditCounts,
    /// Agreement coefficients between assessors over all compared pairs of the audited queries.
    pub agreement: AgreementCoefficients,
}

/// Uncertainty of a list built from answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceListUncertainty {
    /// Share of the pairs needed by the bootstrap sorts whose relation was assumed, because no
    /// drawn assessor had compared them; null if no pair was needed.
    pub assumed: Option<f64>,
    /// Predicted positions of the items, and predicted order of each pair, in the list of a new
    /// panel.
    #[serde(flatten)]
    pub places: ListPlacements,
    /// Probabilities of a new panel's decisions on the compared pairs.
    pub relations: Vec<RelationUncertainty>,
}

/// Probabilities of the decision that a new panel of assessors makes on a compared pair.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelationUncertainty {
    /// Name of the first item of the pair.
    pub a: String,
    /// Name of the second item of the pair.
    pub b: String,
    /// Number of recorded votes for a, for equal, and for b.
    pub votes: [u32; 3],
    /// Relation of a to b decided from the recorded votes.
    pub relation: Relation,
    /// Probability that a new panel of the same size prefers a.
    pub less: f64,
    /// Probability that a new panel of the same size decides the items as equal.
    pub equal: f64,
    /// Probability that a new panel of the same size prefers b.
    pub greater: f64,
    /// Method that computed `less`, `equal` and `greater`.
    pub method: ProbabilitySource,
    /// Shares of bootstrap replicates of the assessors that prefer a, find the items equal, and
    /// prefer b.
    #[serde(rename = "redrawn")]
    pub bootstrap_shares: [f64; 3],
}

/// Audits lists against the answers to their queries.
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and answers do not match, or if the work was cancelled.
pub fn check_preferences(
    request: &PreferenceCheckRequest<'_>,
    work: &dyn Work,
) -> Result<PreferenceCheck, TruthCheckError> {
    let construction = EvidenceConstruction::Record;
    check_votes(
        &PreferencesEvidence {
            request,
            construction,
        },
        work,
    )
}

/// Audits lists like [`check_preferences`] against the answers of a campaign, whose strategy makes
/// the lists of its votes ([`Campaign::strategy_lists`](crate::campaign::Campaign::strategy_lists)).
/// Without a ground truth, these lists are audited.
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and answers do not match, or if the work was cancelled.
pub fn check_strategy_lists(
    request: &PreferenceCheckRequest<'_>,
    lists: &StrategyLists,
    work: &dyn Work,
) -> Result<PreferenceCheck, TruthCheckError> {
    let construction = EvidenceConstruction::Strategy(lists);
    check_votes(
        &PreferencesEvidence {
            request,
            construction,
        },
        work,
    )
}

/// Audits lists like [`check_preferences`] against the votes that follow from grades on one scale
/// ([`Grades::preferences`]), which are the answers of the request. Without a ground truth, the lists
/// that follow from the grades are audited.
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and grades do not match, or if the work was cancelled.
pub fn check_grades(
    request: &PreferenceCheckRequest<'_>,
    (grades, scale): (&Grades, GradeScale),
    work: &dyn Work,
) -> Result<PreferenceCheck, TruthCheckError> {
    let construction = EvidenceConstruction::Grades(grades, scale);
    check_votes(
        &PreferencesEvidence {
            request,
            construction,
        },
        work,
    )
}

/// Audits lists against votes.
fn check_votes(
    evidence: &PreferencesEvidence<'_>,
    work: &dyn Work,
) -> Result<PreferenceCheck, TruthCheckError> {
    let request = evidence.request;
    let truth = request.truth.map(|(_, truth)| truth);
    let mut checked = check_lists(evidence, truth, work)?;
    let mut trust = None;
    if let Some((replicates, confidence)) = request.bootstrap {
        let predictions = evidence.predictions(&checked.cases);
        trust = Some(PreferenceBootstrapSettings {
            replicates,
            seed: request.seed,
            confidence,
            pair_spread: predictions.pair_spread,
        });
        let options = BootstrapOptions {
            replicates,
            seed: request.seed,
            confidence,
            other_passes: 0,
        };
        let people = AssessorResampler::new(request.preferences.assessors());
        bootstrap_lists(
            evidence,
            &mut checked,
            &options,
            &(people, predictions),
            work,
        )?;
    }
    let votes = checked.cases.iter();
    let votes = votes.flat_map(|case| evidence.oriented_votes(case));
    let agreement = AgreementCoefficients::from_votes(&votes.collect::<Vec<_>>());
    let mut summary = AuditCounts::default();
    for list in &checked.lists {
        summary += list.counts.summary;
    }
    let settings = PreferenceCheckSettings {
        decide: request.rule.to_string(),
        alpha: request.rule.alpha(),
        seed: request.seed,
        truth: request.truth.map(|(name, _)| name.to_owned()),
    };
    let totals = VoteTotals { summary, agreement };
    Ok(checked.into_result(settings, totals, trust))
}

/// Votes of a request as evidence of lists, with what makes the lists.
struct PreferencesEvidence<'r> {
    request: &'r PreferenceCheckRequest<'r>,
    construction: EvidenceConstruction<'r>,
}

/// Construction of the lists of votes.
#[derive(Clone, Copy)]
enum EvidenceConstruction<'r> {
    /// The recorded sort makes the lists.
    Record,
    /// The grades on a scale, from which the votes follow, make the lists.
    Grades(&'r Grades, GradeScale),
    /// The strategy of a campaign makes the lists.
    Strategy(&'r StrategyLists),
}

/// Decisions on the pairs of a query, and the list that its votes or grades make.
struct VoteCase {
    built: ReconstructedList,
    /// Grades that make the list, if it is made of grades.
    gains: Option<QueryGains>,
}

impl<'r> PreferencesEvidence<'r> {
    fn query(&self, query: usize) -> &'r QueryPreferences {
        &self.request.preferences.queries()[query]
    }

    /// Returns the votes on each compared pair, with a as the item whose name sorts first.
    fn oriented_votes(&self, case: &ListCase<VoteCase>) -> Vec<Votes> {
        let items = self.query(case.query).items();
        let decisions = case.evidence.built.decisions.iter();
        decisions
            .map(|(pair, _)| pair.votes_by_name(items))
            .collect()
    }

    /// Fits the models that predict the decisions of a new panel on the pairs of these lists.
    fn predictions(&self, cases: &[ListCase<VoteCase>]) -> ListPredictions {
        let decisions = cases.iter().flat_map(|case| &case.evidence.built.decisions);
        let counts = decisions.map(|(pair, _)| pair.votes.len());
        let queries: Vec<&QueryPreferences> =
            cases.iter().map(|case| self.query(case.query)).collect();
        ListPredictions::new(&queries, self.request.rule, counts)
    }
}

impl ListEvidence for PreferencesEvidence<'_> {
    type Case = VoteCase;
    type Detail = VoteDetail;
    type Shared = (AssessorResampler, ListPredictions);
    type Bootstrap<'e>
        = ResampledVotes<'e>
    where
        Self: 'e;

    fn judgments(&self) -> &'static str {
        "answers"
    }

    fn construction(&self) -> String {
        match self.construction {
            EvidenceConstruction::Strategy(_) => "the campaign makes".to_owned(),
            EvidenceConstruction::Record | EvidenceConstruction::Grades(..) => {
                "the answers make".to_owned()
            }
        }
    }

    fn query_names(&self) -> Vec<&str> {
        let queries = self.request.preferences.queries().iter();
        queries.map(QueryPreferences::name).collect()
    }

    /// Leaves out the items that nobody compared.
    fn resolve(
        &self,
        query: usize,
        truth: &QueryTruth,
        unmatched: &mut Vec<String>,
    ) -> Result<GroupedList, TruthCheckError> {
        let mut known = |&item: &Item| {
            let name = truth.names().name(item);
            let known = self.query(query).items().get(name);
            if known.is_none() {
                unmatched.push(name.to_owned());
            }
            known
        };
        let groups = truth.list().groups();
        let kept = groups.map(|group| group.iter().filter_map(&mut known).collect::<Vec<Item>>());
        let kept = kept.filter(|group| !group.is_empty());
        Ok(GroupedList::new(kept).expect("a list holds no item twice"))
    }

    fn unmatched_note(&self, unmatched: Vec<String>) -> TruthCheckNote {
        TruthCheckNote::UncomparedItems(unmatched)
    }

    fn case(&self, number: usize, given: Option<GroupedList>) -> ListCase<VoteCase> {
        let (query, request) = (self.query(number), self.request);
        let mut built = build_list(query, request.rule, request.seed);
        let assessors = request.preferences.assessors();
        let mut gains = None;
        let made = match self.construction {
            EvidenceConstruction::Record => None,
            EvidenceConstruction::Grades(grades, scale) => {
                let gains = gains.insert(grades.gains(query, assessors, scale));
                Some(gains.list(|_| 1))
            }
            EvidenceConstruction::Strategy(lists) => Some(lists.resampled(query, assessors).list()),
        };
        if let Some(list) = made {
            built.alternatives = vec![list.clone()];
            built.list = list;
        }
        let list = given.unwrap_or_else(|| built.list.clone());
        // If several lists are consistent with the record, the given list may be another one than
        // the one drawn.
        let mut open = built.alternatives.iter();
        if let Some(same) = open.find(|other| other.has_same_groups(&list)) {
            built.list = same.clone();
        }
        ListCase {
            query: number,
            list,
            evidence: VoteCase { built, gains },
        }
    }

    fn check(&self, case: &ListCase<VoteCase>) -> CheckedList<VoteDetail> {
        let (query, list, request) = (self.query(case.query), &case.list, self.request);
        let decisions = &case.evidence.built.decisions;
        let listed = (query.items(), list);
        let (audit, counts) = audit_preferences(listed, decisions, request.rule, request.triples);
        let people: BTreeSet<Item> = query.votes().iter().map(|given| given.assessor).collect();
        let measures = VoteMeasures {
            answers: query.votes().len(),
        };
        let counts = VoteCounts {
            summary: counts,
            same_group_compared: counts.same_group_compared,
            different_group_compared: counts.different_group_compared,
            undecided: counts.undecided,
            consistent: counts.consistent_share(),
            agreement: AgreementCoefficients::from_votes(&self.oriented_votes(case)),
        };
        CheckedList::new(
            query.name(),
            listed,
            people.len(),
            measures,
            (audit, counts),
        )
    }

    fn built_list(&self, case: &ListCase<VoteCase>) -> GroupedList {
        case.evidence.built.list.clone()
    }

    fn bootstrap<'e>(
        &'e self,
        (people, _): &'e Self::Shared,
        _: usize,
        case: &'e ListCase<VoteCase>,
    ) -> ResampledVotes<'e> {
        let (query, VoteCase { built, gains }) = (self.query(case.query), &case.evidence);
        let construction = match self.construction {
            EvidenceConstruction::Record | EvidenceConstruction::Grades(..) => {
                gains.as_ref().map(ListConstruction::Grades)
            }
            EvidenceConstruction::Strategy(lists) => {
                let assessors = self.request.preferences.assessors();
                let resampled = lists.resampled(query, assessors);
                Some(ListConstruction::Strategy(resampled))
            }
        };
        let rule = self.request.rule;
        ResampledVotes {
            bootstrap: PreferenceBootstrap::with_construction(query, built, rule, construction),
            people,
        }
    }

    fn uncertainty(
        &self,
        (_, predictions): &Self::Shared,
        number: usize,
        case: &ListCase<VoteCase>,
        replicates: &[PreferenceReplicate],
        confidence: f64,
    ) -> PreferenceListUncertainty {
        let (names, decisions) = (
            self.query(case.query).items(),
            &case.evidence.built.decisions,
        );
        let result = PreferenceBootstrapResult::new(names.len(), decisions.len(), replicates);
        let of_list = predictions.list(number);
        let relation = |((pair, relation), &redrawn): (&(PairVotes, Relation), &[f64; 3])| {
            let found = of_list.relation(pair.a, pair.b, pair.votes.len());
            // Without a prediction, the shares of the replicates are used. They get lapses, because a
            // decision that no replicate has is not impossible.
            let drawn = || with_lapses(redrawn, LAPSE_RATE);
            let [less, equal, greater] = found.unwrap_or_else(drawn);
            RelationUncertainty {
                a: names.name(pair.a).to_owned(),
                b: names.name(pair.b).to_owned(),
                votes: pair.votes.counts(),
                relation: *relation,
                less,
                equal,
                greater,
                method: match found {
                    Some(_) => ProbabilitySource::Predictive,
                    None => ProbabilitySource::Bootstrap,
                },
                bootstrap_shares: redrawn,
            }
        };
        let decided = decisions.iter().zip(result.relations());
        PreferenceListUncertainty {
            assumed: result.assumed_share(),
            places: ListPlacements::new(names, &case.list, result.shares(), confidence),
            relations: decided.map(relation).collect(),
        }
    }
}

/// Bootstrap of a list from the votes of resampled assessors.
#[derive(Clone)]
struct ResampledVotes<'e> {
    bootstrap: PreferenceBootstrap<'e>,
    people: &'e AssessorResampler,
}

impl ListResampling for ResampledVotes<'_> {
    type Replicate = PreferenceReplicate;

    fn list(replicate: &PreferenceReplicate) -> &GroupedList {
        &replicate.list
    }

    fn replicate(&mut self, seed: u64, replicate: u64) -> PreferenceReplicate {
        self.bootstrap.replicate(self.people, seed, replicate)
    }

    fn reproduces_list(&self) -> bool {
        self.bootstrap.reproduces_list()
    }
}
