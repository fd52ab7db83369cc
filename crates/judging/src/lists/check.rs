//! How far lists agree with the answers behind them.

use std::collections::BTreeSet;

use partita_core::truth::{
    Alpha, Audit, AuditCounts, ListPlacements, TruthCheckError, TruthCheckNote, common_queries,
};
use partita_core::work::{Work, WorkError};
use partita_core::{GroundTruth, GroupedList, Item, NamedGroups, Preferences, QueryPreferences};
use schemars::JsonSchema;
use serde::Serialize;

use super::audit::{VoteEvidence, audit_preferences};
use super::bootstrap::{AssessorResampler, PreferenceBootstrap, PreferenceBootstrapResult};
use super::build::{ReconstructedList, build_list};
use super::predictions::{ListPredictions, ProbabilitySource};
use crate::analysis::agreement::AgreementCoefficients;
use crate::votes::Votes;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::PairVotes;
use crate::votes::relation::Relation;

/// What is to be audited, and how.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceCheckRequest<'a> {
    /// The answers.
    pub preferences: &'a Preferences,
    /// The lists to be audited, and what they are called; those that the answers make if there are
    /// none.
    pub truth: Option<(&'a str, &'a GroundTruth)>,
    /// How the votes on a pair decide it.
    pub rule: DecisionRule,
    /// The seed of whatever is drawn.
    pub seed: u64,
    /// How many contradictory triples of a list are listed.
    pub triples: usize,
    /// How often people are drawn again, and the confidence of intervals, if that is asked.
    pub bootstrap: Option<(usize, f64)>,
}

/// Lists audited by answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreferenceCheck {
    /// How they were audited.
    pub settings: PreferenceCheckSettings,
    /// The lists.
    pub lists: Vec<PreferenceCheckedList>,
    /// The sums of their inconsistencies.
    pub summary: AuditCounts,
    /// How far people agree on all pairs.
    pub agreement: AgreementCoefficients,
    /// How often people were drawn again, if they were.
    pub trust: Option<PreferenceBootstrapSettings>,
    /// What is odd about the lists beside the answers.
    #[serde(skip)]
    pub notes: Vec<TruthCheckNote>,
}

/// How lists were audited.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceCheckSettings {
    /// The rule by which votes decide a pair.
    pub decide: String,
    /// Its level; null if it is no test.
    pub alpha: Option<Alpha>,
    /// The seed.
    pub seed: u64,
    /// What the ground truth is called; null if the lists were made of the answers.
    pub truth: Option<String>,
}

/// How people were drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceBootstrapSettings {
    /// How often.
    pub replicates: usize,
    /// The seed.
    pub seed: u64,
    /// The confidence of intervals.
    pub confidence: f64,
    /// The standard deviation, on the scale of worths, of what pairs have of their own beyond the
    /// worths of their items, learnt from all lists; 0 where items lie on one scale.
    pub pair_spread: f64,
}

/// A list and what answers say of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceCheckedList {
    /// The query.
    pub query: String,
    /// The list.
    pub list: NamedGroups,
    /// The number of items.
    pub items: usize,
    /// The number of groups.
    pub groups: usize,
    /// How many people answered.
    pub assessors: usize,
    /// How many answers count.
    pub answers: usize,
    /// Its inconsistencies.
    #[serde(flatten)]
    pub audit: Audit<VoteEvidence>,
    /// Their numbers.
    pub summary: AuditCounts,
    /// How many pairs in the same group people compared.
    pub same_group_compared: usize,
    /// How many pairs in different groups people compared.
    pub different_group_compared: usize,
    /// How many pairs nobody compared.
    pub undecided: usize,
    /// The share of the compared pairs that stand in the list as they were decided.
    pub consistent: Option<f64>,
    /// How far people agree.
    pub agreement: AgreementCoefficients,
    /// How far it can be trusted, if people were drawn again.
    pub trust: Option<PreferenceListUncertainty>,
}

/// How far a list from answers can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceListUncertainty {
    /// The share of the pairs that the sorts needed and nobody drawn had compared.
    pub assumed: Option<f64>,
    /// Where its items and their pairs would stand in the list of other people.
    #[serde(flatten)]
    pub places: ListPlacements,
    /// How other people would decide the pairs that were compared.
    pub relations: Vec<RelationUncertainty>,
}

/// How likely other people decide a pair in which way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelationUncertainty {
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many prefer a, neither, and b.
    pub votes: [u32; 3],
    /// How a relates to b.
    pub relation: Relation,
    /// How likely a is preferred by as many other people.
    pub less: f64,
    /// How likely neither is.
    pub equal: f64,
    /// How likely b is.
    pub greater: f64,
    /// Where these probabilities come from.
    pub method: ProbabilitySource,
    /// The shares of a, neither and b when the people who answered are drawn again.
    #[serde(rename = "redrawn")]
    pub bootstrap_shares: [f64; 3],
}

/// A list beside the list that the answers make.
struct ListUnderCheck<'p> {
    query: &'p QueryPreferences,
    list: GroupedList,
    built: ReconstructedList,
}

/// Audits lists by the answers to their queries.
///
/// # Errors
/// [`CheckError`] where lists and answers do not fit, or the work was not finished.
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
        let (query, mut strange) = (&queries[query], Vec::new());
        let mut built = build_list(query, request.rule, request.seed);
        let list = match request.truth.zip(in_truth) {
            None => built.list.clone(),
            Some(((_, truth), number)) => {
                let list = given(query, truth, number, &mut strange);
                // Where the record leaves several lists open, the given one may be another than
                // was drawn.
                let mut open = built.alternatives.iter();
                if let Some(same) = open.find(|other| other.has_same_groups(&list)) {
                    built.list = same.clone();
                }
                list
            }
        };
        let listed = ListUnderCheck { query, list, built };
        (audit_list(&listed, request), listed, strange)
    })?;
    let (mut lists, mut listed, mut strange) = (Vec::new(), Vec::new(), Vec::new());
    let mut summary = AuditCounts::default();
    for (list, of_list, unknown) in audited {
        summary += list.summary;
        lists.push(list);
        listed.push(of_list);
        strange.extend(unknown);
    }
    if !strange.is_empty() {
        notes.push(TruthCheckNote::UncomparedItems(strange));
    }
    let mut trusted = None;
    if let Some((replicates, confidence)) = request.bootstrap {
        let counts = listed.iter().flat_map(|listed| &listed.built.decisions);
        let counts = counts.map(|(pair, _)| pair.votes.len());
        let all: Vec<&QueryPreferences> = listed.iter().map(|listed| listed.query).collect();
        let odds = ListPredictions::new(&all, request.rule, counts);
        trusted = Some(PreferenceBootstrapSettings {
            replicates,
            seed: request.seed,
            confidence,
            pair_spread: odds.spread,
        });
        let drawing = (replicates, confidence);
        notes.extend(trust(request, drawing, &odds, &listed, &mut lists, work)?);
    }
    let votes: Vec<Votes> = listed.iter().flat_map(votes).collect();
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

/// The list of a ground truth in the numbers of the answers, without items that nobody compared.
fn given(
    query: &QueryPreferences,
    truth: &GroundTruth,
    number: usize,
    strange: &mut Vec<String>,
) -> GroupedList {
    let judged = truth.query_truth(number);
    let mut known = |&item: &Item| {
        let name = judged.names().name(item);
        let known = query.items().get(name);
        if known.is_none() {
            strange.push(name.to_owned());
        }
        known
    };
    let groups = judged.list().groups();
    let kept = groups.map(|group| group.iter().filter_map(&mut known).collect::<Vec<Item>>());
    let kept = kept.filter(|group| !group.is_empty());
    GroupedList::new(kept).expect("a list holds no item twice")
}

fn votes(listed: &ListUnderCheck<'_>) -> Vec<Votes> {
    let decisions = listed.built.decisions.iter();
    let by_name = |(pair, _): &(PairVotes, _)| pair.votes_by_name(listed.query.items());
    decisions.map(by_name).collect()
}

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
        agreement: AgreementCoefficients::from_votes(&votes(listed)),
        trust: None,
    }
}

/// Draws the people again, and says what of the lists would stay.
fn trust(
    request: &PreferenceCheckRequest<'_>,
    (replicates, confidence): (usize, f64),
    odds: &ListPredictions,
    listed: &[ListUnderCheck<'_>],
    lists: &mut [PreferenceCheckedList],
    work: &dyn Work,
) -> Result<Vec<TruthCheckNote>, WorkError> {
    let people = AssessorResampler::new(request.preferences);
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
        let of_list = odds.list(number);
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
