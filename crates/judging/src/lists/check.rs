//! Audit of lists against the answers they were built from.

use std::collections::BTreeSet;

use partita_core::evidence::AssessorResampler;
use partita_core::truth::{
    Alpha, Audit, AuditCounts, ListPlacements, TruthCheckError, TruthCheckNote, common_queries,
};
use partita_core::work::{Work, WorkError};
use partita_core::{GroundTruth, GroupedList, Item, NamedGroups, Preferences, QueryPreferences};
use schemars::JsonSchema;
use serde::Serialize;

use super::audit::{VoteEvidence, audit_preferences};
use super::bootstrap::{PreferenceBootstrap, PreferenceBootstrapResult};
use super::build::{ReconstructedList, build_list};
use super::predictions::{ListPredictions, ProbabilitySource};
use crate::analysis::agreement::AgreementCoefficients;
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreferenceCheck {
    /// Settings of the audit, as given.
    pub settings: PreferenceCheckSettings,
    /// Audited lists, each with its contradictions to the answers.
    pub lists: Vec<PreferenceCheckedList>,
    /// Sums of the inconsistencies over all lists.
    pub summary: AuditCounts,
    /// Agreement coefficients between assessors over all compared pairs of the audited queries.
    pub agreement: AgreementCoefficients,
    /// Settings of the bootstrap over assessors; null if there was none.
    pub trust: Option<PreferenceBootstrapSettings>,
    /// Notes on mismatches between the audited lists and the answers.
    #[serde(skip)]
    pub notes: Vec<TruthCheckNote>,
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

/// List with the result of its audit against the answers to its query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceCheckedList {
    /// Query name.
    pub query: String,
    /// Groups of the audited list, by item names.
    pub list: NamedGroups,
    /// Number of items in the list.
    pub items: usize,
    /// Number of groups in the list.
    pub groups: usize,
    /// Number of assessors who answered questions of the query.
    pub assessors: usize,
    /// Number of answers to the query that count as votes.
    pub answers: usize,
    /// Pairs and triples of the list that contradict the decisions from the answers.
    #[serde(flatten)]
    pub audit: Audit<VoteEvidence>,
    /// Counts of the contradictions by kind.
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
    /// Uncertainty of the list by the bootstrap over assessors; null if there was none.
    pub trust: Option<PreferenceListUncertainty>,
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

/// List to audit, with the list that the answers to its query produce.
struct ListUnderCheck<'p> {
    query: &'p QueryPreferences,
    list: GroupedList,
    built: ReconstructedList,
}

/// Audits lists against the answers to their queries.
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and answers do not match, or if the work was cancelled.
pub fn check_preferences(
    request: &PreferenceCheckRequest<'_>,
    work: &dyn Work,
) -> Result<PreferenceCheck, TruthCheckError> {
    let queries = request.preferences.queries();
    let mut notes = Vec::new();
    let numbers: Vec<(usize, Option<usize>)> = match request.truth {
        None => (0..queries.len()).map(|query| (query, None)).collect(),
        Some((_, truth)) => {
            let names: Vec<&str> = queries.iter().map(QueryPreferences::name).collect();
            let (common, found) = common_queries(truth, "answers", &names)?;
            notes = found;
            let common = common.into_iter();
            common.map(|(query, list)| (query, Some(list))).collect()
        }
    };
    let audited = work.map("checking", numbers.len(), |number| {
        let (query, in_truth) = numbers[number];
        let (query, mut uncompared) = (&queries[query], Vec::new());
        let mut built = build_list(query, request.rule, request.seed);
        let list = match request.truth.zip(in_truth) {
            None => built.list.clone(),
            Some(((_, truth), number)) => {
                let list = list_of_compared_items(query, truth, number, &mut uncompared);
                // If several lists are consistent with the record, the given list may be another
                // one than the one drawn.
                let mut open = built.alternatives.iter();
                if let Some(same) = open.find(|other| other.has_same_groups(&list)) {
                    built.list = same.clone();
                }
                list
            }
        };
        let listed = ListUnderCheck { query, list, built };
        (audit_list(&listed, request), listed, uncompared)
    })?;
    let (mut lists, mut listed, mut uncompared) = (Vec::new(), Vec::new(), Vec::new());
    let mut summary = AuditCounts::default();
    for (list, of_list, unknown) in audited {
        summary += list.summary;
        lists.push(list);
        listed.push(of_list);
        uncompared.extend(unknown);
    }
    if !uncompared.is_empty() {
        notes.push(TruthCheckNote::UncomparedItems(uncompared));
    }
    let mut trusted = None;
    if let Some((replicates, confidence)) = request.bootstrap {
        let counts = listed.iter().flat_map(|listed| &listed.built.decisions);
        let counts = counts.map(|(pair, _)| pair.votes.len());
        let all: Vec<&QueryPreferences> = listed.iter().map(|listed| listed.query).collect();
        let list_predictions = ListPredictions::new(&all, request.rule, counts);
        trusted = Some(PreferenceBootstrapSettings {
            replicates,
            seed: request.seed,
            confidence,
            pair_spread: list_predictions.pair_spread,
        });
        let drawing = (replicates, confidence);
        notes.extend(add_uncertainty(
            request,
            drawing,
            &list_predictions,
            &listed,
            &mut lists,
            work,
        )?);
    }
    let votes: Vec<Votes> = listed.iter().flat_map(oriented_votes).collect();
    Ok(PreferenceCheck {
        settings: PreferenceCheckSettings {
            decide: request.rule.to_string(),
            alpha: request.rule.alpha(),
            seed: request.seed,
            truth: request.truth.map(|(name, _)| name.to_owned()),
        },
        lists,
        summary,
        agreement: AgreementCoefficients::from_votes(&votes),
        trust: trusted,
        notes,
    })
}

/// Returns list number `number` of a ground truth with the item numbers of the answers. Items that
/// nobody compared are left out and added to `uncompared`.
fn list_of_compared_items(
    query: &QueryPreferences,
    truth: &GroundTruth,
    number: usize,
    uncompared: &mut Vec<String>,
) -> GroupedList {
    let judged = truth.query_truth(number);
    let mut known = |&item: &Item| {
        let name = judged.names().name(item);
        let known = query.items().get(name);
        if known.is_none() {
            uncompared.push(name.to_owned());
        }
        known
    };
    let groups = judged.list().groups();
    let kept = groups.map(|group| group.iter().filter_map(&mut known).collect::<Vec<Item>>());
    let kept = kept.filter(|group| !group.is_empty());
    GroupedList::new(kept).expect("a list holds no item twice")
}

/// Returns the votes on each compared pair, with a as the item whose name sorts first.
fn oriented_votes(listed: &ListUnderCheck<'_>) -> Vec<Votes> {
    let decisions = listed.built.decisions.iter();
    let by_name = |(pair, _): &(PairVotes, _)| pair.votes_by_name(listed.query.items());
    decisions.map(by_name).collect()
}

/// Compares one list with the decisions on its pairs; its uncertainty is not set yet.
fn audit_list(
    listed: &ListUnderCheck<'_>,
    request: &PreferenceCheckRequest<'_>,
) -> PreferenceCheckedList {
    let ListUnderCheck { query, list, built } = listed;
    let (audit, counts) = audit_preferences(
        (query.items(), list),
        &built.decisions,
        request.rule,
        request.triples,
    );
    let people: BTreeSet<Item> = query.votes().iter().map(|given| given.assessor).collect();
    PreferenceCheckedList {
        query: query.name().to_owned(),
        list: list.to_named_groups(query.items()),
        items: list.len(),
        groups: list.group_count(),
        assessors: people.len(),
        answers: query.votes().len(),
        audit,
        summary: counts,
        same_group_compared: counts.same_group_compared,
        different_group_compared: counts.different_group_compared,
        undecided: counts.undecided,
        consistent: counts.consistent_share(),
        agreement: AgreementCoefficients::from_votes(&oriented_votes(listed)),
        trust: None,
    }
}

/// Runs the bootstrap over assessors and sets the uncertainty of each list. Returns notes on lists
/// that differ from those built from the answers, and on lists that a repeated sort does not
/// reproduce.
fn add_uncertainty(
    request: &PreferenceCheckRequest<'_>,
    (replicates, confidence): (usize, f64),
    list_predictions: &ListPredictions,
    listed: &[ListUnderCheck<'_>],
    lists: &mut [PreferenceCheckedList],
    work: &dyn Work,
) -> Result<Vec<TruthCheckNote>, WorkError> {
    let people = AssessorResampler::new(request.preferences.assessors());
    work.begin_stage("drawing assessors", replicates * lists.len());
    let (mut others, mut unlike): (Vec<String>, Vec<String>) = Default::default();
    for (number, (listed, checked)) in listed.iter().zip(lists).enumerate() {
        let ListUnderCheck { query, list, built } = listed;
        if !built.list.has_same_groups(list) {
            others.push(checked.query.clone());
        }
        let bootstrap = PreferenceBootstrap::new(query, built, request.rule);
        if !bootstrap.reproduces_list() {
            unlike.push(checked.query.clone());
        }
        let make = || bootstrap.clone();
        let drawn = work.map_with_state(replicates, make, |bootstrap, replicate| {
            bootstrap.replicate(&people, request.seed, replicate as u64)
        })?;
        let (names, pairs) = (query.items(), built.decisions.len());
        let trust = PreferenceBootstrapResult::new(names.len(), pairs, &drawn);
        let decided = built.decisions.iter().zip(trust.relations());
        let of_list = list_predictions.list(number);
        let relation = |((pair, relation), &redrawn): (&(PairVotes, Relation), &[f64; 3])| {
            let found = of_list.relation(pair.a, pair.b, pair.votes.len());
            let [less, equal, greater] = found.unwrap_or(redrawn);
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
        checked.trust = Some(PreferenceListUncertainty {
            assumed: trust.assumed_share(),
            places: ListPlacements::new(names, list, trust.shares(), confidence),
            relations: decided.map(relation).collect(),
        });
    }
    let others = (!others.is_empty())
        .then(|| TruthCheckNote::ListsNotRebuilt("the answers make".to_owned(), others));
    let unlike = (!unlike.is_empty()).then_some(TruthCheckNote::IncompleteSortRecord(unlike));
    Ok(others.into_iter().chain(unlike).collect())
}
