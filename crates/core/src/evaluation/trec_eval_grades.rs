//! Grades of a ground truth as trec_eval reads them.

use std::borrow::Cow;

use super::preset::EvaluationPreset;
use super::request::EvaluationRequest;
use crate::data::gains::{Gains, ZeroGainPolicy};
use crate::data::ground_truth::{GroundTruth, QueryTruth, TruthScale};
use crate::data::names::Names;

/// Ground truth with the grades that trec_eval reads from the same judgments.
struct TrecEvalGrades {
    /// Judgments with whole grades of 0 or more.
    truth: GroundTruth,
    /// Grades that lost their decimals, if any.
    truncated: Option<TruncatedGrades>,
}

/// Grades that trec_eval reads without their decimals.
#[derive(Clone, Debug, PartialEq)]
pub struct TruncatedGrades {
    /// Number of grades that are not whole.
    pub count: usize,
    /// Query of the first such grade.
    pub query: String,
    /// Item of the first such grade.
    pub item: String,
    /// First such grade, as judged.
    pub grade: f64,
}

impl EvaluationRequest {
    /// Returns the judgments by which the procedure of the request scores runs. They differ from the
    /// ground truth if the procedure is that of trec_eval and some grades are negative or not whole.
    #[must_use]
    pub fn judgments<'a>(&self, truth: &'a GroundTruth) -> Cow<'a, GroundTruth> {
        self.read_judgments(truth).0
    }

    /// Returns the judgments of [`EvaluationRequest::judgments`], and the grades that lost their
    /// decimals, if any.
    pub(super) fn read_judgments<'a>(
        &self,
        truth: &'a GroundTruth,
    ) -> (Cow<'a, GroundTruth>, Option<TruncatedGrades>) {
        let keep_zero = (self.input.as_ref()).is_some_and(|input| input.keep_zero);
        let is_trec_eval = self.like == Some(EvaluationPreset::TrecEval);
        let grades = is_trec_eval.then(|| TrecEvalGrades::from_truth(truth, keep_zero));
        match grades.flatten() {
            Some(grades) => (Cow::Owned(grades.truth), grades.truncated),
            None => (Cow::Borrowed(truth), None),
        }
    }
}

impl TrecEvalGrades {
    /// Reads the grades of a ground truth as trec_eval does: it drops the decimals of a grade and
    /// counts a negative grade as no judgment at all. Returns `None` if this changes nothing.
    fn from_truth(truth: &GroundTruth, keep_zero: bool) -> Option<Self> {
        let grades = || truth.iter().flat_map(|(_, judged)| judged.gains().iter());
        let is_read_otherwise = |grade: f64| grade < 0.0 || grade.fract() != 0.0;
        if truth.scale() != TruthScale::Grades
            || !grades().any(|(_, grade)| is_read_otherwise(grade))
        {
            return None;
        }
        // A ground truth in memory does not say how it treats grades of 0, but its lists do.
        let lists_zero = |judged: &QueryTruth| {
            let mut grades = judged.gains().iter();
            grades.any(|(item, grade)| grade <= 0.0 && judged.group(item).is_some())
        };
        let keeps_zero = keep_zero || truth.iter().any(|(_, judged)| lists_zero(judged));
        let zero = ZeroGainPolicy::from(keeps_zero);
        Some(Self {
            truth: truth.with_judgments(truth.highest_gain().trunc(), |judged| {
                without_negative_grades(judged, zero)
            }),
            truncated: TruncatedGrades::find(truth),
        })
    }
}

impl TruncatedGrades {
    /// Counts the grades that are not whole; `None` if all are.
    fn find(truth: &GroundTruth) -> Option<Self> {
        let mut found: Option<Self> = None;
        for (query, judged) in truth.iter() {
            let grades = judged.gains().iter();
            for (item, grade) in grades.filter(|(_, grade)| grade.fract() != 0.0) {
                let found = found.get_or_insert_with(|| Self {
                    count: 0,
                    query: query.to_owned(),
                    item: judged.names().name(item).to_owned(),
                    grade,
                });
                found.count += 1;
            }
        }
        found
    }
}

/// Returns the judgments of a query with whole grades of 0 or more.
fn without_negative_grades(judged: &QueryTruth, zero: ZeroGainPolicy) -> QueryTruth {
    let mut names = Names::with_capacity(judged.names().len());
    let mut grades = Vec::with_capacity(judged.gains().len());
    for (item, grade) in judged.gains().iter() {
        // trec_eval cuts the decimals first, so that -0.5 is a grade of 0.
        let grade = grade.trunc() + 0.0;
        if grade >= 0.0 {
            names.intern(judged.names().name(item));
            grades.push(grade);
        }
    }
    let gains = Gains::from_values(grades).expect("the grades were valid before");
    QueryTruth::from_gains(names, gains, zero).expect("every name has one grade")
}
