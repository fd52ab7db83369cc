//! Tests of plain samples, with questions and answers that are data.

use partita_stats::differences::{Differences, Rounding};
use partita_stats::{PValues, StatsError};
use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a test answers about plain samples.
pub struct SampleTest {
    /// What it is asked, in a line.
    pub question: &'static str,
    /// What a question holds.
    pub input_form: &'static str,
    /// What the answer holds.
    pub output_form: &'static str,
    answer: fn(&[u8], ResamplingOptions) -> Result<String, SampleTestError>,
    schemas: fn() -> [Schema; 2],
}

impl SampleTest {
    /// The test that answers these questions.
    pub(super) const fn new<Q: SampleTestInput>(
        question: &'static str,
        input_form: &'static str,
        output_form: &'static str,
    ) -> Self {
        Self {
            question,
            input_form,
            output_form,
            answer: |question, drawing| {
                let question: Q = serde_json::from_slice(question)
                    .map_err(|error| SampleTestError::Json(unreadable(&error, question)))?;
                let answer = question.run(drawing)?;
                Ok(serde_json::to_string(&answer).expect("an answer is an object with text keys"))
            },
            schemas: || [schema_for!(Q), schema_for!(Q::Output)],
        }
    }

    /// The answer, as JSON, to a question that is one object of JSON.
    ///
    /// # Errors
    /// Where the question cannot be read, or has no answer.
    pub fn run_json(
        &self,
        question: &[u8],
        drawing: ResamplingOptions,
    ) -> Result<String, SampleTestError> {
        (self.answer)(question, drawing)
    }

    /// What questions and answers look like.
    pub fn schemas(&self) -> [Schema; 2] {
        (self.schemas)()
    }
}

/// A question about plain samples.
pub(super) trait SampleTestInput: DeserializeOwned + JsonSchema {
    type Output: Serialize + JsonSchema;

    fn run(self, drawing: ResamplingOptions) -> Result<Self::Output, SampleTestError>;
}

/// How samples are drawn, where a test draws any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResamplingOptions {
    /// The seed.
    pub seed: u64,
    /// How many are drawn.
    pub resamples: usize,
}

impl Default for ResamplingOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            resamples: 100_000,
        }
    }
}

/// Why a question about plain samples has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SampleTestError {
    /// It is no JSON object with the fields that the test takes.
    #[error("{0}")]
    Json(String),
    /// Fields that do not go together, or one too few.
    #[error("{0}")]
    Fields(&'static str),
    /// The test cannot be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// What is wrong with a question, where, and in which column, in the words of JSON. There is but one line
/// in it.
fn unreadable(error: &serde_json::Error, question: &[u8]) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let message = &message[..end];
    let column = match error.column() {
        0 => String::new(),
        column => format!(" (column {column})"),
    };
    if question.starts_with(b"[") {
        return "expected a JSON object, found a list".to_owned();
    }
    if ["expected ident", "expected value"].contains(&message) {
        return format!("expected a JSON object{column}");
    }
    if !error.is_data() {
        return format!("expected a JSON object: {message}{column}");
    }
    let found =
        (message.strip_prefix("invalid type: ")).or(message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = found.and_then(|found| found.split_once(", expected ")) {
        let place = match truncation_path(&question[..error.column().min(question.len())]) {
            place if place.is_empty() => place,
            place => place + ": ",
        };
        let (expected, found) = (json_type_name(expected), json_type_name(found));
        return format!("{place}expected {expected}, found {found}{column}");
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("the field {field} is missing");
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("the field {field} stands twice{column}");
    }
    format!(
        "{}{column}",
        message.replace(", expected one of ", "; there are: ")
    )
}

/// A type or a value in the words of JSON.
fn json_type_name(words: &str) -> &str {
    match words {
        "f64" => "a number",
        "usize" => "a whole number",
        "a sequence" | "sequence" => "a list",
        "map" => "an object",
        words if words.starts_with("struct ") => "an object",
        words => {
            let kinds = ["string ", "integer ", "floating point ", "boolean "];
            let value = kinds.iter().find_map(|kind| words.strip_prefix(kind));
            value.unwrap_or(words).trim_matches('`')
        }
    }
}

/// Where JSON that is cut off ends: `y[1]` after `{"x":[1,2],"y":[2,3`.
fn truncation_path(json: &[u8]) -> String {
    let mut path: Vec<(bool, String)> = Vec::new();
    let (mut string, mut escaped) = (None::<Vec<u8>>, false);
    for &byte in json {
        if let Some(text) = &mut string {
            match byte {
                b'"' if !escaped => {
                    let text = String::from_utf8_lossy(text).into_owned();
                    match path.last_mut() {
                        Some((false, key)) if key.is_empty() => *key = text,
                        _ => {}
                    }
                    string = None;
                }
                byte => text.push(byte),
            }
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        match byte {
            b'"' => string = Some(Vec::new()),
            b'{' => path.push((false, String::new())),
            b'[' => path.push((true, "0".to_owned())),
            b'}' | b']' => {
                path.pop();
            }
            b',' => match path.last_mut() {
                Some((true, index)) => {
                    let next = index.parse::<usize>().map_or(0, |index| index + 1);
                    *index = next.to_string();
                }
                Some((false, key)) => key.clear(),
                None => {}
            },
            _ => {}
        }
    }
    let steps = path.iter().map(|(is_list, step)| {
        if *is_list {
            format!("[{step}]")
        } else {
            step.clone()
        }
    });
    steps.collect()
}

/// The three p-values of an answer.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(super) struct PValueFields {
    /// That x, or the differences, tend to be smaller.
    pub(super) p_less: f64,
    /// That they tend to be greater.
    pub(super) p_greater: f64,
    /// That they differ, in either direction.
    pub(super) p_two_sided: f64,
}

impl From<PValues> for PValueFields {
    fn from(p: PValues) -> Self {
        Self {
            p_less: p.less,
            p_greater: p.greater,
            p_two_sided: p.two_sided,
        }
    }
}

/// Two samples.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TwoSamples {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

/// Paired differences, given as they are or as two samples.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PairedSamples {
    pub(super) d: Option<Vec<f64>>,
    pub(super) x: Option<Vec<f64>>,
    pub(super) y: Option<Vec<f64>>,
    pub(super) round: Option<Rounding>,
}

impl PairedSamples {
    /// The differences. Of `x` and `y` the size of the numbers is known, by which differences are
    /// rounded; of `d` only their own.
    pub(super) fn differences(self) -> Result<Differences, SampleTestError> {
        let rounding = self.round.unwrap_or_default();
        match (self.d, self.x, self.y) {
            (Some(d), None, None) => Ok(Differences::from_differences(&d, rounding)?),
            (None, Some(x), Some(y)) => Ok(Differences::from_pairs(&x, &y, rounding)?),
            (Some(_), _, _) => Err(SampleTestError::Fields(
                "expected either `d` or `x` and `y`, found both",
            )),
            (None, _, _) => Err(SampleTestError::Fields(
                "the field `d` is missing, or `x` and `y` in its place",
            )),
        }
    }
}
