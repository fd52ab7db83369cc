//! Comparison of decisions on pairs with reference judgments.

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
    /// Property by which answers are divided into classes, with a cross table for each class.
    pub enum AnswerClass: "class" {
        /// Background that assessors state: none, some or unknown
        Background = "background",
        /// Background in the assessors' own words
        Words = "words",
        /// The assessor
        Assessor = "assessor",
        /// The query
        Query = "query",
        /// The batch
        Batch = "batch",
    }
}

partita_named::named_enum! {
    /// Unit that is counted in a cross table: decisions on pairs, or single answers.
    pub enum CountUnit: "unit" {
        /// The decision on each pair
        Pairs = "pairs",
        /// Every single answer
        Answers = "answers",
    }
}

partita_named::named_enum! {
    /// Kind of reference judgments with which answers are compared.
    pub enum ReferenceKind: "kind of others" {
        /// A ground truth
        Truth = "truth",
        /// Answers of other assessors
        Preferences = "preferences",
        /// Rankings of many assessors
        Rankings = "rankings",
    }
}

/// Reference judgments: relations of pairs of items, with which the collected answers are compared.
#[derive(Clone, Debug)]
pub struct ReferenceJudgments {
    kind: ReferenceKind,
    data: ReferenceData,
}

/// Source of a relation in the reference: a ground truth, decided pairs or tested rankings.
#[derive(Clone, Debug)]
enum ReferenceData {
    Truth(GroundTruth),
    /// Relation of item a to item b, by query and by the names of the two items.
    Decided(HashMap<String, HashMap<(String, String), Relation>>),
    /// Item names and rank tests of the items' rankings, by query.
    Tested(HashMap<String, (Names, RankEvidence)>),
}

impl ReferenceJudgments {
    /// Creates reference judgments from a ground truth: an item of an earlier group is preferred
    /// ([`Relation::Less`]).
    pub fn from_truth(truth: GroundTruth) -> Self {
        Self {
            kind: ReferenceKind::Truth,
            data: ReferenceData::Truth(truth),
        }
    }

    /// Creates reference judgments from answers. The rule decides each pair from its votes.
    pub fn from_preferences(preferences: &Preferences, rule: DecisionRule) -> Self {
        let queries = preferences.queries().iter().map(|query| {
            let name = |item: Item| query.items().name(item).to_owned();
            let pairs = pair_votes(query).into_iter();
            let pairs = pairs.map(|pair| ((name(pair.a), name(pair.b)), rule.decide(pair.votes)));
            (query.name().to_owned(), pairs.collect())
        });
        Self {
            kind: ReferenceKind::Preferences,
            data: ReferenceData::Decided(queries.collect()),
        }
    }

    /// Creates reference judgments from rankings of each query's items. A rank test decides each
    /// pair.
    pub fn from_rankings(queries: impl IntoIterator<Item = (String, Names, RankEvidence)>) -> Self {
        let queries = queries.into_iter();
        let queries = queries.map(|(query, names, evidence)| (query, (names, evidence)));
        Self {
            kind: ReferenceKind::Rankings,
            data: ReferenceData::Tested(queries.collect()),
        }
    }

    /// Returns the relation of a to b in the reference, or `None` if the reference does not compare
    /// them.
    fn relation(&self, query: &QueryPreferences, a: Item, b: Item) -> Option<Relation> {
        let [a, b] = [a, b].map(|item| query.items().name(item));
        match &self.data {
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

/// Answers with information that divides them into classes: backgrounds of assessors and names of
/// batches.
#[derive(Clone, Copy, Debug)]
pub struct DescribedAnswers<'a> {
    /// Answers to compare with a reference.
    pub preferences: &'a Preferences,
    /// Background that each assessor stated, by assessor number.
    pub backgrounds: &'a [Option<String>],
    /// Batch names by batch number, from 0.
    pub batches: &'a [String],
}

impl DescribedAnswers<'_> {
    /// Returns the class of an answer by the property `by`, for example the name of its assessor.
    fn class_of_answer(&self, by: AnswerClass, query: &QueryPreferences, given: &Vote) -> String {
        let assessor = given.assessor.index();
        let stated = || self.backgrounds.get(assessor).and_then(Option::as_deref);
        match by {
            AnswerClass::Background => classify_background(stated()).to_owned(),
            AnswerClass::Words => stated().unwrap_or("unknown").to_owned(),
            AnswerClass::Assessor => self.preferences.assessors().name(given.assessor).to_owned(),
            AnswerClass::Query => query.name().to_owned(),
            AnswerClass::Batch => {
                let name = self.batches.get(given.batch).cloned();
                name.unwrap_or_else(|| (given.batch + 1).to_string())
            }
        }
    }
}

/// Classifies the text that an assessor gave about their background. A text whose first word is a
/// negation such as "no" or "n/a" means no background; any other text means some, including
/// unrelated remarks. No or an empty text means unknown.
fn classify_background(stated: Option<&str>) -> &'static str {
    let Some(text) = stated.map(str::trim).filter(|text| !text.is_empty()) else {
        return "unknown";
    };
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '/');
    match words.next() {
        Some("no" | "none" | "not" | "nothing" | "never" | "nil" | "n/a" | "na" | "0") => "none",
        _ => "some",
    }
}

/// Options of a comparison with reference judgments.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceComparisonRequest {
    /// Rule that decides a pair from the votes of the compared answers.
    pub rule: DecisionRule,
    /// Significance level of the tests that decide the pairs of reference rankings.
    pub against_alpha: Alpha,
    /// True to count every single answer instead of the decision on its pair.
    pub single: bool,
    /// Property by which answers are divided into separate tables. If set, every single answer is
    /// counted.
    pub by: Option<AnswerClass>,
}

/// Comparison of decisions on pairs, or of single answers, with reference judgments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReferenceComparison {
    /// Name of the rule that decides a pair from the votes of the compared answers.
    pub decide: String,
    /// Significance level of the decision rule, if it is a test.
    pub alpha: Option<f64>,
    /// Kind of reference judgments with which the answers are compared.
    pub against: ReferenceKind,
    /// Significance level of the tests that decide the pairs of reference rankings.
    pub against_alpha: f64,
    /// Unit that the tables count: decisions on pairs, or single answers.
    pub counted: CountUnit,
    /// Property by which answers are divided into separate tables; null for a single table.
    pub by: Option<AnswerClass>,
    /// Number of assessors who gave the compared answers.
    pub assessors: usize,
    /// Cross tables, one for each class of answers.
    pub tables: Vec<ClassTable>,
}

/// Cross table of the reference and the answers of one class.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassTable {
    /// Name of the class, such as an assessor or a batch; null if answers are not divided.
    pub class: Option<String>,
    /// Counts by the relation in the reference, then by the relation in our decisions or answers.
    pub counts: CrossTable,
    /// Number of pairs or answers in the table, which excludes those without a reference judgment.
    pub total: usize,
    /// Number of pairs or answers without a reference judgment.
    pub unknown: usize,
    /// Number of pairs or answers with full agreement: the same relation as in the reference.
    pub full: usize,
    /// Number of pairs or answers with partial agreement: equal in the reference or in our decision
    /// or answer, but not in both.
    pub partial: usize,
    /// Number of pairs or answers with no agreement: the relation is opposite to the reference's.
    pub none: usize,
    /// Mean agreement with the reference: 1 for full, ½ for partial, 0 for no agreement; null for
    /// an empty table.
    pub score: Option<f64>,
}

impl ClassTable {
    fn new(class: Option<String>, (counts, unknown): (CrossTable, usize)) -> Self {
        Self {
            class,
            counts,
            total: counts.total(),
            unknown,
            full: counts.full_agreements(),
            partial: counts.partial_agreements(),
            none: counts.opposite_decisions(),
            score: counts.mean_agreement(),
        }
    }
}

/// Error: the reference has no judgment on any of the pairs asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("others say nothing of any of the {unknown} {counted}")]
pub struct NoOverlapError {
    /// Number of pairs or answers to compare; the reference has a judgment on none of them.
    pub unknown: usize,
    /// Unit of `unknown`: pairs or answers.
    pub counted: CountUnit,
}

/// Compares the decisions on pairs, or the single answers, with reference judgments.
///
/// # Errors
/// Returns [`NoOverlapError`] if the reference has no judgment on any pair.
pub fn compare_with_reference(
    answers: DescribedAnswers<'_>,
    others: &ReferenceJudgments,
    request: &ReferenceComparisonRequest,
) -> Result<ReferenceComparison, NoOverlapError> {
    let (preferences, rule) = (answers.preferences, request.rule);
    let is_single = request.single || request.by.is_some();
    // Cross table and number of pairs without a reference judgment, by class. Numeric classes are
    // sorted as numbers, others as text.
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
                let class = request
                    .by
                    .map(|by| answers.class_of_answer(by, query, given));
                let theirs = others.relation(query, given.a, given.b);
                let ours = Relation::from_preference(given.preference);
                add(class.unwrap_or_default(), theirs, ours);
            }
        } else {
            // Each pair is oriented as it was shown most often.
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
        let unknown = found.unknown_count();
        return Err(NoOverlapError { unknown, counted });
    }
    Ok(found)
}

impl ReferenceComparison {
    /// Returns the number of pairs or answers without a reference judgment.
    pub fn unknown_count(&self) -> usize {
        self.tables.iter().map(|table| table.unknown).sum()
    }
}
