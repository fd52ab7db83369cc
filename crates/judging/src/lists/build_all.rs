//! Lists of all queries from answers, with their provenance.

use partita_core::truth::Alpha;
use partita_core::work::{Work, WorkError};
use partita_core::{
    BatchRecord, GroundTruth, Item, NamedGroups, OrderedMap, Preference, Preferences,
    QueryPreferences, summarize_names,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::build::{Provenance, ReconstructedList, build_list};
use super::predictions::{ListPredictions, ProbabilitySource};
use crate::analysis::batches::{BatchSummary, summarise_priced_batches};
use crate::analysis::price::{Currency, Price};
use crate::model::{DavidsonFit, GroupingRule, fit_pooled, one_group};
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::PairVotes;
use crate::votes::relation::Relation;

partita_named::named_enum! {
    /// Method that builds a list from answers.
    pub enum ListMethod: "way to make lists" {
        /// The votes on each pair decide it, and the self-organising sort makes the list
        Sort = "sort",
        /// Davidson's model of all votes on a list, with the reliability of the assessors
        Pooled = "pooled",
    }
}

/// Input and options for building the lists of all queries from answers.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceListsRequest<'a> {
    /// Answers from which the lists are built.
    pub preferences: &'a Preferences,
    /// Records of the batches in which the answers were asked for; may be empty.
    pub batches: &'a [BatchRecord],
    /// Price of an answer, for the cost of the batches; `None` if it is unknown.
    pub price: Option<Price>,
    /// Decision rule for the votes on a pair.
    pub rule: DecisionRule,
    /// Method that builds a list: the sort on decided pairs, or the pooled model of all votes.
    pub by: ListMethod,
    /// Rule that splits a list of the pooled model into groups of equal items.
    pub grouping: GroupingRule,
    /// Seed of the random draws: the initial order of a sort, or the choice among several lists
    /// consistent with a record.
    pub seed: u64,
}

/// Lists of all queries, built from answers, with the data behind them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreferenceLists {
    /// Settings used to build the lists.
    pub settings: PreferenceListsSettings,
    /// Number of assessors who gave the answers.
    pub assessors: usize,
    /// Number of answers that count as votes.
    pub answers: usize,
    /// Ground truth: the list of each query.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// All lists consistent with the record of the sort, by query, including the one under `lists`;
    /// only that one if its sort was not replayed.
    pub alternatives: OrderedMap<Vec<NamedGroups>>,
    /// Number of pairs by decided relation.
    pub decisions: DecisionCounts,
    /// Summary of each batch of questions that has a record: answers, assessors, times and cost.
    pub batches: Vec<BatchSummary>,
    /// Compared pairs with their votes and decisions, by query.
    pub pairs: OrderedMap<Vec<ComparedPair>>,
    /// Origin of each list, by query.
    #[serde(rename = "ways")]
    pub provenance: OrderedMap<ListProvenance>,
    /// Estimates of Davidson's model by query; null unless the method is `pooled`.
    pub model: Option<OrderedMap<ListModel>>,
    /// Probability that an assessor attends to a question, by assessor; null unless the method is
    /// `pooled`.
    pub reliability: Option<OrderedMap<f64>>,
}

/// Settings used to build lists.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceListsSettings {
    /// Name of the decision rule for the votes on a pair.
    pub decide: String,
    /// Significance level of the decision rule; null if it is not a test.
    pub alpha: Option<Alpha>,
    /// Method that built the lists: the sort on decided pairs, or the pooled model.
    pub by: ListMethod,
    /// Smallest difference between items that matters in a list of the pooled model: the mean vote
    /// that it produces (from -1 to 1), in units of the root mean square of the votes.
    pub matters: f64,
    /// Seed of the initial order of a sort and of the choice among several lists.
    pub seed: u64,
    /// Reward that an assessor gets per answer; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// Currency of the reward, if the price names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// Number of compared pairs by decided relation of a to b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecisionCounts {
    /// Pairs in which a is preferred.
    pub less: usize,
    /// Pairs decided as equal.
    pub equal: usize,
    /// Pairs in which b is preferred.
    pub greater: usize,
}

/// Compared pair with its votes and its decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedPair {
    /// Name of the first item of the pair.
    pub a: String,
    /// Name of the second item of the pair.
    pub b: String,
    /// Number of votes for a, for equal, and for b.
    pub votes: [u32; 3],
    /// Relation of a to b that the rule decides from the votes.
    pub relation: Relation,
    /// Mean agreement of two assessors on the pair, from 0 to 1; null for a single vote.
    pub agreement: Option<f64>,
    /// Batch in which the pair was first asked, counted from 1.
    pub batch: usize,
}

/// Origin of a list, with item names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "way", rename_all = "lowercase")]
pub enum ListProvenance {
    /// The answers are a record of the self-organising sort, which was replayed.
    Replayed {
        /// True if the record ends before all groups are final.
        unfinished: bool,
    },
    /// The answers are not a record of the sort. The sort was run on the recorded decisions from a
    /// random initial order.
    Sorted {
        /// Reason why the answers are not a record of the sort.
        because: String,
        /// Random initial order from which the items were sorted.
        order: Vec<String>,
        /// Pairs that the sort needed and nobody compared; treated as equal.
        missing: Vec<[String; 2]>,
    },
    /// The list comes from one model of all votes, without a sort.
    Pooled,
}

/// Estimates of Davidson's model for a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListModel {
    /// Worth of each item in Davidson's model, best first. Differences of worths are half the log
    /// odds of preferring one item to the other.
    pub worths: OrderedMap<f64>,
    /// Tie parameter η of Davidson's model: log odds of an equal vote against a vote for one of the
    /// items, if both have the same worth.
    pub eta: f64,
    /// Scale: prior standard deviation of the worths, estimated from the votes.
    pub scale: f64,
    /// Expected share of pairs that the list has in the wrong order.
    pub expected_inversions: f64,
    /// Standard deviation of the pair effects: deviations of single pairs from the difference of
    /// their items' worths, on the scale of worths. Estimated from all lists; 0 if items lie on one
    /// scale.
    pub pair_spread: f64,
    /// Number of new votes on a pair assumed in the predictions of `relations`.
    pub new_votes: u32,
    /// Method that computed the probabilities in `relations`.
    pub odds_by: ProbabilitySource,
    /// Predicted probabilities of a new panel's decision on each pair of the list.
    pub relations: Vec<RelationProbabilities>,
}

/// Predicted probabilities of the decision that a new panel of assessors makes on a pair.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelationProbabilities {
    /// Name of the first item of the pair.
    pub a: String,
    /// Name of the second item of the pair.
    pub b: String,
    /// Probability that the new panel prefers a.
    pub less: f64,
    /// Probability that the new panel decides the items as equal.
    pub equal: f64,
    /// Probability that the new panel prefers b.
    pub greater: f64,
}

/// Number of votes of a new panel on a pair whose decision is predicted; ten as in Urbano et al.
/// (2010).
const NEW_PANEL_VOTES: u32 = 10;

/// Builds the lists of all queries from answers.
///
/// ```
/// use partita_core::work::SequentialWork;
/// use partita_core::{Preference, Preferences, Vote};
/// use partita_judging::{
///     DecisionRule, GroupingRule, ListMethod, PreferenceListsRequest, Price, build_preference_lists,
/// };
///
/// let mut preferences = Preferences::new();
/// for who in ["ann", "bob", "cy"] {
///     preferences.add("q", Vote::new("x", "y", who, Preference::B))?;
/// }
/// let request = PreferenceListsRequest {
///     preferences: &preferences,
///     batches: &[],
///     price: Some(Price::URBANO_2010),
///     rule: DecisionRule::default(),
///     by: ListMethod::Sort,
///     grouping: GroupingRule::default(),
///     seed: 1,
/// };
/// let built = build_preference_lists(&request, &SequentialWork)?;
/// assert_eq!(serde_json::to_string(&built.truth)?, r#"{"q":[["y"],["x"]]}"#);
/// assert_eq!(built.decisions.greater, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build_preference_lists(
    request: &PreferenceListsRequest<'_>,
    work: &dyn Work,
) -> Result<PreferenceLists, WorkError> {
    let preferences = request.preferences;
    let queries = preferences.queries();
    let mut built = work.map("building", queries.len(), |query| {
        build_list(&queries[query], request.rule, request.seed)
    })?;
    let pooled = (request.by == ListMethod::Pooled).then(|| fit_pooled(preferences));
    if let Some(pooled) = &pooled {
        for ((built, fit), query) in built.iter_mut().zip(&pooled.fits).zip(queries) {
            let mut votes = query.votes().iter();
            built.list = match votes.any(|vote| vote.preference != Preference::Equal) {
                true => request.grouping.list_by_spread(fit, pooled.spread),
                false => one_group(fit),
            };
            built.alternatives = vec![built.list.clone()];
        }
    }
    let each: Vec<(&QueryPreferences, &ReconstructedList)> = queries.iter().zip(&built).collect();
    let relations = || built.iter().flat_map(|built| &built.decisions);
    let [less, equal, greater] =
        Relation::ALL.map(|wanted| relations().filter(|(_, found)| *found == wanted).count());
    let provenance = |query: &QueryPreferences, built: &ReconstructedList| match &pooled {
        Some(_) => ListProvenance::Pooled,
        None => named_provenance(query, &built.provenance),
    };
    let alternatives = |query: &QueryPreferences, built: &ReconstructedList| -> Vec<NamedGroups> {
        let lists = built.alternatives.iter();
        lists
            .map(|list| list.to_named_groups(query.items()))
            .collect()
    };
    let names = preferences.assessors();
    let model = match &pooled {
        None => None,
        Some(pooled) => {
            let all: Vec<&QueryPreferences> = queries.iter().collect();
            let odds = ListPredictions::new(&all, request.rule, [NEW_PANEL_VOTES]);
            let models = work.map("odds", queries.len(), |number| {
                model_of_list(&queries[number], &pooled.fits[number], &odds, number)
            })?;
            let named = queries.iter().map(QueryPreferences::name);
            Some(named.zip(models).collect())
        }
    };
    Ok(PreferenceLists {
        settings: PreferenceListsSettings {
            decide: request.rule.to_string(),
            alpha: request.rule.alpha(),
            by: request.by,
            matters: request.grouping.matters,
            seed: request.seed,
            reward: request.price.map(|price| price.reward),
            currency: request.price.and_then(|price| price.currency),
        },
        assessors: names.len(),
        answers: preferences.len(),
        truth: GroundTruth::from_lists(
            (each.iter()).map(|(query, built)| (query.name(), query.items(), &built.list)),
        ),
        alternatives: by_query(&each, alternatives),
        decisions: DecisionCounts {
            less,
            equal,
            greater,
        },
        batches: summarise_priced_batches(preferences, request.batches, request.price.as_ref()),
        pairs: by_query(&each, compared_pairs),
        provenance: by_query(&each, provenance),
        model,
        reliability: pooled.as_ref().map(|pooled| {
            let people = names.items().zip(&pooled.reliability);
            people
                .map(|(who, &reliable)| (names.name(who), reliable))
                .collect()
        }),
    })
}

/// Returns a value computed for each query and its list, by query name.
fn by_query<T>(
    each: &[(&QueryPreferences, &ReconstructedList)],
    of: impl Fn(&QueryPreferences, &ReconstructedList) -> T,
) -> OrderedMap<T> {
    let each = each.iter();
    each.map(|(query, built)| (query.name(), of(query, built)))
        .collect()
}

fn compared_pairs(query: &QueryPreferences, built: &ReconstructedList) -> Vec<ComparedPair> {
    let name = |item| query.items().name(item).to_owned();
    let pair = |(pair, relation): &(PairVotes, Relation)| ComparedPair {
        a: name(pair.a),
        b: name(pair.b),
        votes: pair.votes.counts(),
        relation: *relation,
        agreement: pair.votes.agreement(),
        batch: pair.batch + 1,
    };
    built.decisions.iter().map(pair).collect()
}

/// Converts the provenance of a list from item numbers to item names.
fn named_provenance(query: &QueryPreferences, provenance: &Provenance) -> ListProvenance {
    let name = |item: Item| query.items().name(item).to_owned();
    match provenance {
        Provenance::Replayed { unfinished } => ListProvenance::Replayed {
            unfinished: *unfinished,
        },
        Provenance::Resorted {
            because,
            order,
            missing,
        } => ListProvenance::Sorted {
            because: because.to_string(),
            order: order.iter().map(|&item| name(item)).collect(),
            missing: missing.iter().map(|&(a, b)| [name(a), name(b)]).collect(),
        },
    }
}

/// Returns the estimates of Davidson's model for list number `number`, and the predicted decision
/// on each of its pairs.
///
/// The worths use votes weighted by the assessors' reliability. The predicted relations are those
/// of new assessors drawn from the same population, so for them all answers have the same weight.
fn model_of_list(
    query: &QueryPreferences,
    fit: &DavidsonFit,
    odds: &ListPredictions,
    number: usize,
) -> ListModel {
    let name = |item| query.items().name(item).to_owned();
    let (order, of_list) = (fit.order(), odds.list(number));
    let relation = |a, b| {
        let odds = of_list.relation(a, b, NEW_PANEL_VOTES);
        let [less, equal, greater] = odds.expect("there is a decision table for ten votes");
        RelationProbabilities {
            a: name(a),
            b: name(b),
            less,
            equal,
            greater,
        }
    };
    let worths = order.iter().map(|&item| (name(item), fit.worth(item)));
    let relations = (order.iter().enumerate())
        .flat_map(|(place, &a)| order[place + 1..].iter().map(move |&b| (a, b)))
        .map(|(a, b)| relation(a, b));
    ListModel {
        worths: worths.collect(),
        eta: fit.eta,
        scale: fit.scale,
        expected_inversions: of_list.expected_inversions(&order),
        pair_spread: odds.pair_spread,
        new_votes: NEW_PANEL_VOTES,
        odds_by: ProbabilitySource::Predictive,
        relations: relations.collect(),
    }
}

/// Note on how lists were built, with the names of the queries it concerns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListBuildNote {
    /// The record of the sort ends before all groups of these queries' lists are final.
    #[error("the record breaks off before all groups are settled: {}", format_query_names(.0))]
    Unfinished(Vec<String>),
    /// The answers are not a record of the self-organising sort, so their decisions were sorted
    /// again.
    #[error(
        "the answers are no record of the self-organising sort, so it was run on the decisions from an \
         order drawn with seed {seed}: {}{}",
        format_query_names(.names),
        format_missing_pairs(.missing)
    )]
    NotASortRecord {
        /// Names of the queries, each with the reason why its answers are not a record.
        names: Vec<String>,
        /// Seed of the random initial order.
        seed: u64,
        /// Pairs that the sort needed and nobody compared; treated as equal.
        missing: Vec<[String; 2]>,
    },
    /// Several lists are consistent with the record of the sort, so one of them was drawn.
    #[error(
        "the record leaves several lists open, of which one was drawn with seed {seed}: {}",
        format_query_names(.names)
    )]
    SeveralLists {
        /// Names of the queries, each with the number of consistent lists.
        names: Vec<String>,
        /// Seed with which one of the lists was drawn.
        seed: u64,
    },
}

/// Formats the names of the queries for a note; a long list is abbreviated.
fn format_query_names(names: &[String]) -> String {
    let noun = if names.len() == 1 { "query" } else { "queries" };
    format!("{noun} {}", summarize_names(names, 5))
}

/// Formats the number of missing pairs with the first of them; empty if there are none.
fn format_missing_pairs(missing: &[[String; 2]]) -> String {
    missing.first().map_or(String::new(), |[a, b]| {
        format!(
            "; pairs that it needed and nobody compared were taken as equal: {}, the first being `{a}` \
             and `{b}`",
            missing.len()
        )
    })
}

impl PreferenceLists {
    /// Returns notes on lists whose construction needed an assumption or a random choice.
    pub fn notes(&self) -> Vec<ListBuildNote> {
        let seed = self.settings.seed;
        let (mut unfinished, mut no_record, mut several) = (Vec::new(), Vec::new(), Vec::new());
        let mut needed = Vec::new();
        for ((query, way), (_, lists)) in self.provenance.iter().zip(self.alternatives.iter()) {
            match way {
                ListProvenance::Replayed { unfinished: true } => {
                    unfinished.push(format!("`{query}`"));
                }
                ListProvenance::Sorted {
                    because, missing, ..
                } => {
                    no_record.push(format!("`{query}` ({because})"));
                    needed.extend(missing.iter().cloned());
                }
                ListProvenance::Replayed { .. } | ListProvenance::Pooled => {}
            }
            if lists.len() > 1 {
                several.push(format!("`{query}` ({} lists)", lists.len()));
            }
        }
        let notes = [
            (!unfinished.is_empty()).then_some(ListBuildNote::Unfinished(unfinished)),
            (!no_record.is_empty()).then_some(ListBuildNote::NotASortRecord {
                names: no_record,
                seed,
                missing: needed,
            }),
            (!several.is_empty()).then_some(ListBuildNote::SeveralLists {
                names: several,
                seed,
            }),
        ];
        notes.into_iter().flatten().collect()
    }
}
