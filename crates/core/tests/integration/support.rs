//! Helpers of the integration tests: fixtures, ground truths and rankings made from names, and
//! random queries.

use partita_core::measure::{
    self, CutoffRule, MeasureDefinition, MeasureError, MeasureParameter, REGISTRY,
};
use partita_core::{Measure, QueryTruth, Ranking, ZeroGainPolicy};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Highest grade in [`cases`], used as the end of the grading scale.
pub(crate) const HIGHEST_GRADE: f64 = 4.0;

/// Reads a JSON fixture of this crate.
pub(crate) fn fixture(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Fields of a JSON object that a test must all take, so that no value goes untested.
pub(crate) struct Fields {
    what: String,
    left: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(what: impl Into<String>, value: &Value) -> Self {
        let what = what.into();
        let Value::Object(left) = value.clone() else {
            panic!("{what} is no object");
        };
        Self { what, left }
    }

    /// Removes the field from those that remain, and returns its value.
    pub(crate) fn take(&mut self, field: &str) -> Value {
        let value = self.left.shift_remove(field);
        value.unwrap_or_else(|| panic!("{}: no field {field}", self.what))
    }

    /// Takes all remaining fields whose names start with `prefix`.
    pub(crate) fn take_prefixed(&mut self, prefix: &str) -> Vec<(String, Value)> {
        let (taken, left) = std::mem::take(&mut self.left)
            .into_iter()
            .partition::<Vec<_>, _>(|(field, _)| field.starts_with(prefix));
        self.left = left.into_iter().collect();
        taken
    }

    /// Fails if a field has not been taken.
    pub(crate) fn end(self) {
        let left: Vec<&String> = self.left.keys().collect();
        assert!(left.is_empty(), "{}: untested fields {left:?}", self.what);
    }
}

/// Reads a JSON number, or a fraction in a string, such as `43/50`.
pub(crate) fn number(value: &Value) -> f64 {
    let Value::String(text) = value else {
        return value
            .as_f64()
            .unwrap_or_else(|| panic!("{value} is no number"));
    };
    let whole = |part: &str| part.parse::<f64>().expect("a fraction has whole parts");
    match text.split_once('/') {
        Some((above, below)) => whole(above) / whole(below),
        None => whole(text),
    }
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    let array = value.as_array().expect("a list of names");
    let text = |name: &Value| name.as_str().expect("a name").to_owned();
    array.iter().map(text).collect()
}

pub(crate) fn groups(value: &Value) -> Vec<Vec<String>> {
    let array = value.as_array().expect("a list of groups");
    array.iter().map(strings).collect()
}

/// Fails unless the numbers agree to 12 digits.
#[track_caller]
pub(crate) fn assert_close(what: &str, got: f64, expected: f64) {
    let tolerance = 1e-12 * expected.abs().max(1.0);
    assert!(
        (got - expected).abs() <= tolerance,
        "{what}: got {got}, expected {expected}"
    );
}

/// Creates the ground truth of a query from groups of documents.
pub(crate) fn grouped(groups: &[Vec<String>]) -> QueryTruth {
    let groups: Vec<Vec<&str>> = groups
        .iter()
        .map(|group| group.iter().map(String::as_str).collect())
        .collect();
    QueryTruth::from_groups(&groups).expect("a valid list")
}

/// Creates the ground truth of a query from graded documents.
pub(crate) fn graded<S: AsRef<str>>(judgments: &[(S, f64)], zero: ZeroGainPolicy) -> QueryTruth {
    let grades = judgments
        .iter()
        .map(|(name, grade)| (name.as_ref(), *grade));
    QueryTruth::from_grades(grades, zero).expect("distinct names and finite grades")
}

/// Creates a ranking of these documents without ties.
pub(crate) fn ranking<S: AsRef<str>>(truth: &QueryTruth, documents: &[S]) -> Ranking {
    Ranking::from_names(truth.names(), documents.iter().map(AsRef::as_ref))
}

/// Creates a ranking from groups of tied documents.
pub(crate) fn tied_ranking(truth: &QueryTruth, groups: &[Vec<String>]) -> Ranking {
    let groups = groups.iter().map(|g| g.iter().map(String::as_str));
    Ranking::from_name_groups(truth.names(), groups)
}

/// Parses a measure for a grading scale that ends at [`HIGHEST_GRADE`].
pub(crate) fn measure(text: &str) -> Box<dyn Measure> {
    measure::parse(text, HIGHEST_GRADE).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn score(text: &str, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
    measure(text).score(truth, ranking)
}

/// Random judgments of a query, with the result of a system. There are few documents, so that tests
/// can try all their orders.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) judgments: Vec<(String, f64)>,
    pub(crate) zero: ZeroGainPolicy,
    /// Groups of tied documents, judged and unjudged, some of them returned twice.
    pub(crate) result: Vec<Vec<String>>,
}

impl Case {
    pub(crate) fn truth(&self) -> QueryTruth {
        graded(&self.judgments, self.zero)
    }

    pub(crate) fn ranking(&self, truth: &QueryTruth) -> Ranking {
        tied_ranking(truth, &self.result)
    }

    /// Returns the ranking with ties broken by the order of documents within the groups.
    pub(crate) fn strict_ranking(&self, truth: &QueryTruth) -> Ranking {
        ranking(truth, &self.result.concat())
    }
}

/// Generates document names: d0 to d6, some of which are judged, and x0 to x2, which never are.
fn document() -> impl Strategy<Value = String> {
    (0..10usize).prop_map(|i| match i {
        0..7 => format!("d{i}"),
        _ => format!("x{}", i - 7),
    })
}

/// Generates random queries whose results consist of tied groups with sizes in the range `tied`.
pub(crate) fn cases(tied: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    let grade = prop::sample::select(vec![-1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0, HIGHEST_GRADE]);
    let judgments = prop::collection::vec(prop::option::weighted(0.8, grade), 7);
    let zero = prop::sample::select(vec![ZeroGainPolicy::LeaveOut, ZeroGainPolicy::LastGroup]);
    let group = prop::collection::vec(document(), tied.clone());
    let most = if tied.end > 2 { 4 } else { 12 };
    let result = prop::collection::vec(group, 0..most);
    (judgments, zero, result).prop_map(|(judgments, zero, result)| Case {
        judgments: judgments
            .into_iter()
            .enumerate()
            .filter_map(|(i, grade)| Some((format!("d{i}"), grade?)))
            .collect(),
        zero,
        result,
    })
}

/// Returns values to try for a parameter. Panics for an unknown kind of parameter; add values for
/// new kinds here.
fn values_to_try(parameter: &MeasureParameter) -> Vec<&'static str> {
    if parameter.values.contains('|') {
        return parameter.values.split('|').collect();
    }
    match (parameter.name, parameter.values) {
        // The end of the scale must not be below the highest grade of `cases`.
        ("max", "a number above 0") => vec!["4", "5.5"],
        (_, "a number above 0") => vec!["0.5", "2"],
        (_, "a number above 1") => vec!["1.5", "3", "10"],
        (_, "a number between 0 and 1") => vec!["0.3", "0.9"],
        (_, "a whole number from 1 to 1000000, or lists") => vec!["1", "4", "lists"],
        (name, values) => panic!("no values to try for {name}: {values}"),
    }
}

/// Generates the text of a measure in which some parameters are given and some left out.
pub(crate) fn measure_text(definition: &'static MeasureDefinition) -> BoxedStrategy<String> {
    let parameters: Vec<_> = definition
        .parameters
        .iter()
        .map(|p| {
            let value = prop::sample::select(values_to_try(p));
            prop::option::of(value.prop_map(move |value| format!("{}={value}", p.name)))
        })
        .collect();
    let cutoff = match definition.cutoff {
        CutoffRule::None => Just(None).boxed(),
        CutoffRule::Required => (1..12usize).prop_map(Some).boxed(),
        CutoffRule::Optional => prop::option::of(1..12usize).boxed(),
    };
    (parameters, cutoff)
        .prop_map(|(parameters, cutoff)| {
            let mut given: Vec<String> = parameters.into_iter().flatten().collect();
            // The parameter `b` belongs to the other discount.
            if given.iter().any(|parameter| parameter == "discount=log2p1") {
                given.retain(|parameter| !parameter.starts_with("b="));
            }
            let mut text = format!("{}({})", definition.name, given.join(","));
            if let Some(k) = cutoff {
                text += &format!("@{k}");
            } else if let Err(MeasureError::Cutoff { .. }) = measure::parse(&text, HIGHEST_GRADE) {
                // Some parameters require a cut-off where the measure otherwise does not.
                text += "@3";
            }
            text
        })
        .boxed()
}

/// Generates the texts of all measures of the registry, each with random parameters.
pub(crate) fn every_measure() -> Vec<BoxedStrategy<String>> {
    REGISTRY
        .iter()
        .map(|definition| measure_text(definition))
        .collect()
}

/// Returns the definition of a measure in text form, such as `P@5`.
pub(crate) fn definition_of(text: &str) -> &'static MeasureDefinition {
    measure::parse_definition(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a JSON list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(number).collect()
}
