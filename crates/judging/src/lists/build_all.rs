//! The lists of all queries from people's answers, and how they came about.

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
    /// How answers make a list.
    pub enum ListMethod: "way to make lists" {
        /// The votes on each pair decide it, and the self-organising sort makes the list
        Sort = "sort",
        /// Davidson's model of all votes on a list, with the reliability of the assessors
        Pooled = "pooled",
    }
}

/// What lists are to be made of, and how.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceListsRequest<'a> {
    /// The answers.
    pub preferences: &'a Preferences,
    /// What is known of the batches in which they were asked for; may be none.
    pub batches: &'a [BatchRecord],
    /// What an answer cost.
    pub price: Price,
    /// How the votes on a pair decide it.
    pub rule: DecisionRule,
    /// How decisions, or votes, make a list.
    pub by: ListMethod,
    /// How a list by the model of all votes is cut into groups.
    pub grouping: GroupingRule,
    /// The seed of what is drawn: the order of a sort, or one of several lists.
    pub seed: u64,
}

/// Lists made from answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreferenceLists {
    /// How they were made.
    pub settings: PreferenceListsSettings,
    /// How many people answered.
    pub assessors: usize,
    /// How many answers count.
    pub answers: usize,
    /// By query its list.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// By query all lists that the record leaves open, the one under `lists` among them.
    pub alternatives: OrderedMap<Vec<NamedGroups>>,
    /// How many pairs were decided which way.
    pub decisions: DecisionCounts,
    /// What became of each batch of questions.
    pub batches: Vec<BatchSummary>,
    /// By query the pairs that were compared.
    pub pairs: OrderedMap<Vec<ComparedPair>>,
    /// By query how the list was made.
    #[serde(rename = "ways")]
    pub provenance: OrderedMap<ListProvenance>,
    /// By query what the model says of the list; null if there is none.
    pub model: Option<OrderedMap<ListModel>>,
    /// By assessor the probability to attend to a question; null without a model.
    pub reliability: Option<OrderedMap<f64>>,
}

/// How lists were made.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreferenceListsSettings {
    /// The rule by which votes decide a pair.
    pub decide: String,
    /// Its level; null if it is no test.
    pub alpha: Option<Alpha>,
    /// How lists were made.
    pub by: ListMethod,
    /// The mean vote from which on a difference matters in a list by the model of all votes, in units
    /// of the spread of votes.
    pub matters: f64,
    /// The seed of the order of a sort, and of the choice among several lists.
    pub seed: u64,
    /// What an assessor got for an answer.
    pub reward: f64,
}

/// How many pairs were decided which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecisionCounts {
    /// a is preferred.
    pub less: usize,
    /// Neither is.
    pub equal: usize,
    /// b is preferred.
    pub greater: usize,
}

/// A pair that was compared, and how it was decided.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedPair {
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many prefer a, neither, and b.
    pub votes: [u32; 3],
    /// How a relates to b.
    pub relation: Relation,
    /// The mean agreement of two of the people; null for a single vote.
    pub agreement: Option<f64>,
    /// The batch in which it was first asked, counted from 1.
    pub batch: usize,
}

/// How a list was made.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "way", rename_all = "lowercase")]
pub enum ListProvenance {
    /// The answers are a record of the self-organising sort, which was run again.
    Replayed {
        /// Whether it breaks off before all groups are settled.
        unfinished: bool,
    },
    /// They are not, and the sort was run on the decisions from an order drawn at random.
    Sorted {
        /// Why it is no record of the sort.
        because: String,
        /// The initial order.
        order: Vec<String>,
        /// The pairs that the sort needed and nobody compared, which were taken as equal.
        missing: Vec<[String; 2]>,
    },
    /// By one model of all votes.
    Pooled,
}

/// What Davidson's model says of a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListModel {
    /// By item its worth, the best first.
    pub worths: OrderedMap<f64>,
    /// How readily items are called equal.
    pub eta: f64,
    /// The standard deviation of worths that suits the votes best.
    pub scale: f64,
    /// The share of pairs that are expected to be in the wrong order.
    pub expected_inversions: f64,
    /// The standard deviation, on the scale of worths, of what pairs have of their own beyond the
    /// worths of their items, learnt from all lists; 0 where items lie on one scale.
    pub pair_spread: f64,
    /// Of how many new votes on a pair the relations are.
    pub new_votes: u32,
    /// Where their probabilities come from.
    pub odds_by: ProbabilitySource,
    /// How likely that many other people decide each pair in which way.
    pub relations: Vec<RelationProbabilities>,
}

/// How likely other people decide two items in which way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelationProbabilities {
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// a is preferred.
    pub less: f64,
    /// Neither is.
    pub equal: f64,
    /// b is.
    pub greater: f64,
}

/// The number of new votes on a pair whose decision is predicted: that of Urbano et al. (2010).
const NEW_VOTES: u32 = 10;

/// Makes the lists of all queries from people's answers.
///
/// ```
/// use partita_core::work::InTurn;
/// use partita_core::{Answer, Preference, Preferences};
/// use partita_judging::{Grouping, ListsBy, ListsRequest, Price, Rule, build_lists};
///
/// let mut preferences = Preferences::new();
/// for who in ["ann", "bob", "cy"] {
///     preferences.add("q", Preference::new("x", "y", who, Answer::B))?;
/// }
/// let request = ListsRequest {
///     preferences: &preferences,
///     batches: &[],
///     price: Price::PAPER,
///     rule: Rule::default(),
///     by: ListsBy::Sort,
///     grouping: Grouping::default(),
///     seed: 1,
/// };
/// let built = build_lists(&request, &InTurn)?;
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
    let way = |query: &QueryPreferences, built: &ReconstructedList| match &pooled {
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
                model(&queries[number], &pooled.fits[number], &odds, number)
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
        pairs: by_query(&each, decided),
        provenance: by_query(&each, way),
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

fn decided(query: &QueryPreferences, built: &ReconstructedList) -> Vec<ComparedPair> {
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

fn named_provenance(query: &QueryPreferences, way: &Provenance) -> ListProvenance {
    let name = |item: Item| query.items().name(item).to_owned();
    match way {
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

/// What the model says of a list: its parameters, and how likely each relation is.
///
/// The worths are by answers that count as far as people can be relied on; the odds are of new people,
/// who are like all who answered, so that for them all answers count alike.
fn model(
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

/// Something about how lists came about that is worth knowing, with the queries that it is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListBuildNote {
    /// The record breaks off before all groups are settled.
    #[error("the record breaks off before all groups are settled: {}", queries(.0))]
    Unfinished(Vec<String>),
    /// The answers are no record of the sort.
    #[error(
        "the answers are no record of the self-organising sort, so it was run on the decisions from an \
         order drawn with seed {seed}: {}{}",
        queries(.names),
        first_missing(.missing)
    )]
    NotASortRecord {
        /// The queries, each with the reason.
        names: Vec<String>,
        /// The seed of the order from which they were sorted.
        seed: u64,
        /// The pairs that were needed and that nobody compared.
        missing: Vec<[String; 2]>,
    },
    /// The record leaves several lists open.
    #[error(
        "the record leaves several lists open, of which one was drawn with seed {seed}: {}",
        queries(.names)
    )]
    SeveralLists {
        /// The queries, each with the number of its lists.
        names: Vec<String>,
        /// The seed of the draw among them.
        seed: u64,
    },
}

/// Queries in words; one is named, of many the first.
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
    /// What is worth knowing of how the lists came about.
    pub fn notes(&self) -> Vec<ListBuildNote> {
        let seed = self.settings.seed;
        let (mut unfinished, mut no_record, mut several) = (Vec::new(), Vec::new(), Vec::new());
        let mut needed = Vec::new();
        for ((query, way), (_, lists)) in self.provenance.iter().zip(self.alternatives.iter()) {
            match way {
                ListProvenance::Replayed { unfinished: true } => {
                    unfinished.push(format!("`{query}`"))
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
