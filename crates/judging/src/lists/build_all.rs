//! Lists of all queries from answers, with their provenance.

use partita_core::truth::Alpha;
use partita_core::work::{Work, WorkError};
use partita_core::{
    BatchRecord, GroundTruth, Item, NamedGroups, OrderedMap, Preferences, QueryPreferences,
    summarize_names,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::build::{Provenance, ReconstructedList, build_list};
use super::predictions::{ListPredictions, ProbabilitySource};
use crate::analysis::batches::{BatchSummary, summarise_priced_batches};
use crate::analysis::price::Price;
use crate::model::{DavidsonFit, GroupingRule, fit_pooled};
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

/// Input and options for building lists.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceListsRequest<'a> {
    /// Answers from which the lists are built.
    pub preferences: &'a Preferences,
    /// Records of the batches in which the answers were asked for; may be empty.
    pub batches: &'a [BatchRecord],
    /// Price of an answer.
    pub price: Price,
    /// Decision rule for the votes on a pair.
    pub rule: DecisionRule,
    /// Method that builds a list from decisions or votes.
    pub by: ListMethod,
    /// Rule that splits a list of the pooled model into groups.
    pub grouping: GroupingRule,
    /// Seed of the random draws: initial order of a sort, or choice among several lists.
    pub seed: u64,
}

/// Lists built from answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreferenceLists {
    /// Settings used to build the lists.
    pub settings: PreferenceListsSettings,
    /// Number of assessors who answered.
    pub assessors: usize,
    /// Number of answers that count.
    pub answers: usize,
    /// List of each query.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// All lists consistent with the record, by query, including the one under `lists`.
    pub alternatives: OrderedMap<Vec<NamedGroups>>,
    /// Number of pairs by decision.
    pub decisions: DecisionCounts,
    /// Summary of each batch of questions.
    pub batches: Vec<BatchSummary>,
    /// Compared pairs by query.
    pub pairs: OrderedMap<Vec<ComparedPair>>,
    /// Origin of the list by query.
    #[serde(rename = "ways")]
    pub provenance: OrderedMap<ListProvenance>,
    /// Model estimates by query; null without a model.
    pub model: Option<OrderedMap<ListModel>>,
    /// Probability that an assessor attends to a question, by assessor; null without a model.
    pub reliability: Option<OrderedMap<f64>>,
}

/// Settings used to build lists.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceListsSettings {
    /// Decision rule for the votes on a pair.
    pub decide: String,
    /// Significance level of the rule; null if it is not a test.
    pub alpha: Option<Alpha>,
    /// Method that built the lists.
    pub by: ListMethod,
    /// Smallest difference that matters in a list of the pooled model, expressed as the mean vote
    /// that it produces (from -1 to 1), in units of the vote spread.
    pub matters: f64,
    /// Seed of the initial order of a sort and of the choice among several lists.
    pub seed: u64,
    /// Reward of an assessor per answer.
    pub reward: f64,
}

/// Number of pairs by decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecisionCounts {
    /// Pairs with a preferred.
    pub less: usize,
    /// Pairs decided as equal.
    pub equal: usize,
    /// Pairs with b preferred.
    pub greater: usize,
}

/// Compared pair with its decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedPair {
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Number of votes for a, equal, and b.
    pub votes: [u32; 3],
    /// Relation of a to b.
    pub relation: Relation,
    /// Mean agreement of two assessors; null for a single vote.
    pub agreement: Option<f64>,
    /// Batch in which the pair was first asked, counted from 1.
    pub batch: usize,
}

/// Origin of a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "way", rename_all = "lowercase")]
pub enum ListProvenance {
    /// The answers are a record of the self-organising sort, which was replayed.
    Replayed {
        /// True if the record ends before all groups are final.
        unfinished: bool,
    },
    /// The answers are not a record of the sort. The sort was run on the decisions from a random
    /// initial order.
    Sorted {
        /// Reason why the answers are not a record of the sort.
        because: String,
        /// Initial order.
        order: Vec<String>,
        /// Pairs that the sort needed and nobody compared; treated as equal.
        missing: Vec<[String; 2]>,
    },
    /// The list comes from one model of all votes.
    Pooled,
}

/// Estimates of Davidson's model for a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListModel {
    /// Worth of each item, best first.
    pub worths: OrderedMap<f64>,
    /// Tendency to call items equal.
    pub eta: f64,
    /// Scale: prior standard deviation of the worths, chosen by the highest evidence.
    pub scale: f64,
    /// Expected share of pairs that the list has in the wrong order.
    pub expected_inversions: f64,
    /// Standard deviation of the pair effects: deviations of single pairs from the difference of
    /// their items' worths, on the scale of worths. Estimated from all lists; 0 if items lie on one
    /// scale.
    pub pair_spread: f64,
    /// Number of new votes on a pair assumed in the predictions of `relations`.
    pub new_votes: u32,
    /// Method that computed the probabilities.
    pub odds_by: ProbabilitySource,
    /// Predicted probabilities of a new panel's decision on each pair.
    pub relations: Vec<RelationProbabilities>,
}

/// Predicted probabilities of a new panel's decision on a pair.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelationProbabilities {
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Probability that a is preferred.
    pub less: f64,
    /// Probability that the items are decided as equal.
    pub equal: f64,
    /// Probability that b is preferred.
    pub greater: f64,
}

/// Number of new votes on a pair whose decision is predicted, as in Urbano et al. (2010).
const NEW_VOTES: u32 = 10;

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
///     price: Price::PAPER,
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
        for (built, fit) in built.iter_mut().zip(&pooled.fits) {
            built.list = request.grouping.list(fit, pooled.spread);
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
            let odds = ListPredictions::new(&all, request.rule, [NEW_VOTES]);
            let models = work.map("odds", queries.len(), |number| {
                list_model(&queries[number], &pooled.fits[number], &odds, number)
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
            reward: request.price.reward,
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
        batches: summarise_priced_batches(preferences, request.batches, &request.price),
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

/// Returns the parameters of the model for a list and the probability of each relation.
///
/// The worths use votes weighted by the assessors' reliability. The predicted relations are those
/// of new assessors drawn from the same population, so for them all answers have the same weight.
fn list_model(
    query: &QueryPreferences,
    fit: &DavidsonFit,
    odds: &ListPredictions,
    number: usize,
) -> ListModel {
    let name = |item| query.items().name(item).to_owned();
    let (order, of_list) = (fit.order(), odds.list(number));
    let relation = |a, b| {
        let odds = of_list.relation(a, b, NEW_VOTES);
        let [less, equal, greater] = odds.expect("there is a table of ten votes");
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
        pair_spread: odds.spread,
        new_votes: NEW_VOTES,
        odds_by: ProbabilitySource::Predictive,
        relations: relations.collect(),
    }
}

/// Note on how lists were built, with the queries it concerns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListBuildNote {
    /// The record ends before all groups are final.
    #[error("the record breaks off before all groups are settled: {}", queries(.0))]
    Unfinished(Vec<String>),
    /// The answers are not a record of the sort.
    #[error(
        "the answers are no record of the self-organising sort, so it was run on the decisions from an \
         order drawn with seed {seed}: {}{}",
        queries(.names),
        first_missing(.missing)
    )]
    NotASortRecord {
        /// Queries, each with the reason.
        names: Vec<String>,
        /// Seed of the initial order.
        seed: u64,
        /// Pairs that were needed and that nobody compared.
        missing: Vec<[String; 2]>,
    },
    /// Several lists are consistent with the record.
    #[error(
        "the record leaves several lists open, of which one was drawn with seed {seed}: {}",
        queries(.names)
    )]
    SeveralLists {
        /// Queries, each with the number of its lists.
        names: Vec<String>,
        /// Seed with which one of the lists was drawn.
        seed: u64,
    },
}

/// Formats the names of the queries for a note; a long list is abbreviated.
fn queries(names: &[String]) -> String {
    let noun = if names.len() == 1 { "query" } else { "queries" };
    format!("{noun} {}", summarize_names(names, 5))
}

fn first_missing(missing: &[[String; 2]]) -> String {
    missing.first().map_or(String::new(), |[a, b]| {
        format!(
            "; pairs that it needed and nobody compared were taken as equal: {}, the first being `{a}` \
             and `{b}`",
            missing.len()
        )
    })
}

impl PreferenceLists {
    /// Returns notes on how the lists were built.
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
