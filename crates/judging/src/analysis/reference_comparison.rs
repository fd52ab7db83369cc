//! The decisions on pairs beside those of others.

use std::collections::{BTreeMap, HashMap};

use partita_core::truth::{Alpha, RankEvidence};
use partita_core::{GroundTruth, Item, Names, Preferences, QueryPreferences, Vote};
use schemars::JsonSchema;
use serde::Serialize;

use super::cross_table::CrossTable;
use crate::votes::decision_rule::DecisionRule;
use crate::votes::pair_votes::pair_votes;
use crate::votes::relation::Relation;

partita_named::named_enum! {
    /// What tells answers apart.
    pub enum AnswerClass: "class" {
        /// What assessors say of their background: none, some or unknown
        Background = "background",
        /// The same in their own words
        Words = "words",
        /// Who answered
        Assessor = "assessor",
        /// The query
        Query = "query",
        /// The batch
        Batch = "batch",
    }
}

partita_named::named_enum! {
    /// What is counted.
    pub enum CountUnit: "unit" {
        /// The decision on each pair
        Pairs = "pairs",
        /// Every single answer
        Answers = "answers",
    }
}

partita_named::named_enum! {
    /// Who the others are.
    pub enum ReferenceKind: "kind of others" {
        /// A ground truth
        Truth = "truth",
        /// Answers of other people
        Preferences = "preferences",
        /// Many people's rankings
        Rankings = "rankings",
    }
}

/// What others say of pairs.
#[derive(Clone, Debug)]
pub struct ReferenceJudgments {
    kind: ReferenceKind,
    said: ReferenceData,
}

#[derive(Clone, Debug)]
enum ReferenceData {
    Truth(GroundTruth),
    /// For each query, how the one relates to the other by the names of its items.
    Decided(HashMap<String, HashMap<(String, String), Relation>>),
    /// For each query, the names of its items and the tests of their ranks.
    Tested(HashMap<String, (Names, RankEvidence)>),
}

impl ReferenceJudgments {
    /// A ground truth: an item of an earlier group is less.
    pub fn from_truth(truth: GroundTruth) -> Self {
        Self {
            kind: ReferenceKind::Truth,
            said: ReferenceData::Truth(truth),
        }
    }

    /// Answers, decided by a rule.
    pub fn from_preferences(preferences: &Preferences, rule: DecisionRule) -> Self {
        let queries = preferences.queries().iter().map(|query| {
            let name = |item: Item| query.items().name(item).to_owned();
            let pairs = pair_votes(query).into_iter();
            let pairs = pairs.map(|pair| ((name(pair.a), name(pair.b)), rule.decide(pair.votes)));
            (query.name().to_owned(), pairs.collect())
        });
        Self {
            kind: ReferenceKind::Preferences,
            said: ReferenceData::Decided(queries.collect()),
        }
    }

    /// Rankings of the items of each query, whose pairs are tested.
    pub fn from_rankings(queries: impl IntoIterator<Item = (String, Names, RankEvidence)>) -> Self {
        let queries = queries.into_iter();
        let queries = queries.map(|(query, names, evidence)| (query, (names, evidence)));
        Self {
            kind: ReferenceKind::Rankings,
            said: ReferenceData::Tested(queries.collect()),
        }
    }

    /// How a relates to b, as far as they say.
    fn relation(&self, query: &QueryPreferences, a: Item, b: Item) -> Option<Relation> {
        let [a, b] = [a, b].map(|item| query.items().name(item));
        match &self.said {
            ReferenceData::Truth(truth) => {
                let judged = truth.query_truth(truth.query_index(query.name())?);
                let group = |name| judged.group(judged.names().get(name)?);
                Some(Relation::from(group(a)?.cmp(&group(b)?)))
            }
            ReferenceData::Decided(queries) => {
                let pairs = queries.get(query.name())?;
                let there = |a: &str, b: &str| pairs.get(&(a.to_owned(), b.to_owned()));
                let mirrored = || Some(there(b, a)?.mirrored());
                there(a, b).copied().or_else(mirrored)
            }
            ReferenceData::Tested(queries) => {
                let (names, evidence) = queries.get(query.name())?;
                let verdict = evidence.pair_tests().verdict(names.get(a)?, names.get(b)?);
                match (verdict.untestable, verdict.less, verdict.greater) {
                    (true, ..) => None,
                    (_, true, _) => Some(Relation::Less),
                    (_, _, true) => Some(Relation::Greater),
                    _ => Some(Relation::Equal),
                }
            }
        }
    }
}

/// Answers, and what is known of those who gave them.
#[derive(Clone, Copy, Debug)]
pub struct DescribedAnswers<'a> {
    /// The answers.
    pub preferences: &'a Preferences,
    /// What assessors say of their background, by the numbers of their names.
    pub backgrounds: &'a [Option<String>],
    /// What the batches are called, by their numbers.
    pub batches: &'a [String],
}

impl DescribedAnswers<'_> {
    fn class(&self, by: AnswerClass, query: &QueryPreferences, given: &Vote) -> String {
        let assessor = given.assessor.index();
        let said = || self.backgrounds.get(assessor).and_then(Option::as_deref);
        match by {
            AnswerClass::Background => background(said()).to_owned(),
            AnswerClass::Words => said().unwrap_or("unknown").to_owned(),
            AnswerClass::Assessor => self.preferences.assessors().name(given.assessor).to_owned(),
            AnswerClass::Query => query.name().to_owned(),
            AnswerClass::Batch => {
                let name = self.batches.get(given.batch).cloned();
                name.unwrap_or_else(|| (given.batch + 1).to_string())
            }
        }
    }
}

/// What somebody's words on their background amount to. A text that begins with a no says that there
/// is none; whatever else is said says that there is some, so remarks of another kind do as well.
fn background(said: Option<&str>) -> &'static str {
    let Some(said) = said.map(str::trim).filter(|said| !said.is_empty()) else {
        return "unknown";
    };
    let lower = said.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '/');
    match words.next() {
        Some("no" | "none" | "not" | "nothing" | "never" | "nil" | "n/a" | "na" | "0") => "none",
        _ => "some",
    }
}

/// What is to be put beside each other.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceComparisonRequest {
    /// How the votes on a pair decide it.
    pub rule: DecisionRule,
    /// The level of the tests of others.
    pub against_alpha: Alpha,
    /// Whether every single answer counts instead of the decision on its pair.
    pub single: bool,
    /// Whether there is a table for each class of answers; then every single answer counts.
    pub by: Option<AnswerClass>,
}

/// The decisions on pairs, or the answers to them, beside those of others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReferenceComparison {
    /// How the votes on a pair decide it.
    pub decide: String,
    /// The level of that rule, if it is a test.
    pub alpha: Option<f64>,
    /// Who the others are.
    pub against: ReferenceKind,
    /// The level of their tests.
    pub against_alpha: f64,
    /// What is counted.
    pub counted: CountUnit,
    /// What tells the tables apart.
    pub by: Option<AnswerClass>,
    /// The number of people who answered.
    pub assessors: usize,
    /// The tables, one for each class of answers.
    pub tables: Vec<ClassTable>,
}

/// What others say against the answers of one class.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassTable {
    /// The class, where there are several.
    pub class: Option<String>,
    /// How often others say the one and the answers the other.
    pub counts: CrossTable,
    /// How many are counted.
    pub total: usize,
    /// How many are not, since others say nothing of them.
    pub unknown: usize,
    /// How many agree in full.
    pub full: usize,
    /// How many agree in part.
    pub partial: usize,
    /// How many do not agree at all.
    pub none: usize,
    /// The mean agreement.
    pub score: Option<f64>,
}

impl ClassTable {
    fn new(class: Option<String>, (counts, unknown): (CrossTable, usize)) -> Self {
        Self {
            class,
            counts,
            total: counts.total(),
            unknown,
            full: counts.full(),
            partial: counts.partial(),
            none: counts.none(),
            score: counts.score(),
        }
    }
}

/// Others say nothing of anything that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("others say nothing of any of the {unknown} {counted}")]
pub struct NoOverlapError {
    /// How many pairs or answers there are.
    pub unknown: usize,
    /// What is counted.
    pub counted: CountUnit,
}

/// Puts the decisions on pairs, or the answers to them, beside those of others.
///
/// # Errors
/// Others who say nothing of any pair.
pub fn compare_with_reference(
    answers: DescribedAnswers<'_>,
    others: &ReferenceJudgments,
    request: &ReferenceComparisonRequest,
) -> Result<ReferenceComparison, NoOverlapError> {
    let (preferences, rule) = (answers.preferences, request.rule);
    let is_single = request.single || request.by.is_some();
    // By class how often others say the one and the answers the other, and of how many others say
    // nothing. By numbers where classes are numbers, else by words.
    let mut tables: BTreeMap<(Option<u64>, String), (CrossTable, usize)> = BTreeMap::new();
    let mut add = |class: String, theirs: Option<Relation>, ours: Relation| {
        let (table, unknown) = tables.entry((class.parse().ok(), class)).or_default();
        match theirs {
            Some(theirs) => table.add(theirs, ours),
            None => *unknown += 1,
        }
    };
    for query in preferences.queries() {
        if is_single {
            for given in query.votes() {
                let class = request.by.map(|by| answers.class(by, query, given));
                let theirs = others.relation(query, given.a, given.b);
                add(
                    class.unwrap_or_default(),
                    theirs,
                    Relation::from_preference(given.preference),
                );
            }
        } else {
            // A pair reads as it was shown most often.
            for pair in pair_votes(query) {
                let theirs = others.relation(query, pair.a, pair.b);
                add(String::new(), theirs, rule.decide(pair.votes));
            }
        }
    }
    let counted = if is_single {
        CountUnit::Answers
    } else {
        CountUnit::Pairs
    };
    let found = ReferenceComparison {
        decide: rule.to_string(),
        alpha: rule.alpha().map(Alpha::value),
        against: others.kind,
        against_alpha: request.against_alpha.value(),
        counted,
        by: request.by,
        assessors: preferences.assessors().len(),
        tables: (tables.into_iter())
            .map(|((_, class), crossed)| ClassTable::new(request.by.map(|_| class), crossed))
            .collect(),
    };
    if found.tables.iter().all(|table| table.total == 0) {
        let unknown = found.unknown();
        return Err(NoOverlapError { unknown, counted });
    }
    Ok(found)
}

impl ReferenceComparison {
    /// How many pairs or answers others say nothing of.
    pub fn unknown(&self) -> usize {
        self.tables.iter().map(|table| table.unknown).sum()
    }
}
