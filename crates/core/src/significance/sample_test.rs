//! Significance tests of plain samples of numbers, with JSON input and output.

use partita_stats::StatsError;
use partita_stats::differences::{Differences, Rounding};
use schemars::{JsonSchema, Schema, schema_for};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::data::gains::Gains;

/// Form of a significance test for plain samples of numbers, with JSON input and output.
pub struct SampleTest {
    /// Question that the test answers, in one line.
    pub question: &'static str,
    /// Description of the JSON input: its fields.
    pub input_form: &'static str,
    /// Description of the JSON output: its fields.
    pub output_form: &'static str,
    run: fn(&[u8], ResamplingOptions) -> Result<String, SampleTestError>,
    schemas: fn() -> [Schema; 2],
}

impl SampleTest {
    /// Creates the form from the type `Q` of its JSON input, which runs the test.
    pub(super) const fn new<Q: SampleTestInput>(
        question: &'static str,
        input_form: &'static str,
        output_form: &'static str,
    ) -> Self {
        Self {
            question,
            input_form,
            output_form,
            run: |json, resampling| {
                let input: Q = serde_json::from_slice(json)
                    .map_err(|error| SampleTestError::Json(json_error_message(&error, json)))?;
                refuse_large_numbers(json)?;
                let output = input.run(resampling)?;
                Ok(serde_json::to_string(&output).expect("an output is an object with text keys"))
            },
            schemas: || [schema_for!(Q), schema_for!(Q::Output)],
        }
    }

    /// Runs the test on one JSON object and returns the result as JSON.
    ///
    /// # Errors
    /// Returns a [`SampleTestError`] if the input cannot be read or the test is undefined for it.
    pub fn run_json(
        &self,
        input: &[u8],
        resampling: ResamplingOptions,
    ) -> Result<String, SampleTestError> {
        (self.run)(input, resampling)
    }

    /// Returns the JSON schemas of input and output.
    pub fn schemas(&self) -> [Schema; 2] {
        (self.schemas)()
    }
}

/// JSON input of a test of plain samples, which can run the test.
pub(super) trait SampleTestInput: DeserializeOwned + JsonSchema {
    type Output: Serialize + JsonSchema;

    fn run(self, resampling: ResamplingOptions) -> Result<Self::Output, SampleTestError>;
}

/// Options of tests that draw random resamples or permutations, as of `partita stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ResamplingOptions {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of random resamples or permutations.
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

/// Error of a test of plain samples: invalid input, or a test that cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum SampleTestError {
    /// Input that is not a JSON object with the fields of the test.
    #[error("{0}")]
    Json(String),
    /// Missing field, or fields that cannot be combined.
    #[error("{0}")]
    Fields(&'static str),
    /// Number so large that sums of its squares could overflow.
    #[error("{place}: expected a number from -1e100 to 1e100, found {value:e}")]
    TooLarge {
        /// Place of the number in the input, such as `x[2]`.
        place: String,
        /// Number, as JSON writes it.
        value: f64,
    },
    /// t-test of values that do not vary, whose statistic is undefined.
    #[error(
        "the t-test can tell nothing: expected values that vary, found none that does; the test \
         `permutation` needs no variance"
    )]
    NoVariance,
    /// Test that is undefined for the samples, for example because they are too short.
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// Largest absolute value that samples may have, as gains: sums of squares must not overflow.
const MAX_ABS: f64 = Gains::MAX_ABS;

/// Refuses an input with a number beyond [`MAX_ABS`] at any place.
fn refuse_large_numbers(json: &[u8]) -> Result<(), SampleTestError> {
    let input: serde_json::Value = serde_json::from_slice(json)
        .map_err(|error| SampleTestError::Json(json_error_message(&error, json)))?;
    match large_number(&input) {
        Some((place, value)) => Err(SampleTestError::TooLarge { place, value }),
        None => Ok(()),
    }
}

/// Returns the first number beyond [`MAX_ABS`] and its place, such as `x[2]`.
fn large_number(input: &serde_json::Value) -> Option<(String, f64)> {
    match input {
        serde_json::Value::Number(number) => {
            let value = number.as_f64().filter(|value| value.abs() > MAX_ABS)?;
            Some((String::new(), value))
        }
        serde_json::Value::Array(elements) => {
            elements.iter().enumerate().find_map(|(index, element)| {
                let (place, value) = large_number(element)?;
                Some((format!("[{index}]{place}"), value))
            })
        }
        serde_json::Value::Object(fields) => fields.iter().find_map(|(name, field)| {
            let (place, value) = large_number(field)?;
            Some((format!("{name}{place}"), value))
        }),
        _ => None,
    }
}

/// Formats the error message for an unreadable input, in JSON terms, with the path and the column
/// of the problem. The input is a single line.
fn json_error_message(error: &serde_json::Error, input: &[u8]) -> String {
    let message = error.to_string();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let message = &message[..end];
    let column = match error.column() {
        0 => String::new(),
        column => format!(" (column {column})"),
    };
    if input.starts_with(b"[") {
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
        let place = match truncation_path(&input[..error.column().min(input.len())]) {
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

/// Translates a type name or value of a serde error message into JSON terms.
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

/// Returns the path at which truncated JSON ends: `y[1]` for `{"x":[1,2],"y":[2,3`.
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

/// Two samples x and y.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TwoSamples {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

/// Paired differences, given directly as `d` or as two samples `x` and `y`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PairedSamples {
    pub(super) d: Option<Vec<f64>>,
    pub(super) x: Option<Vec<f64>>,
    pub(super) y: Option<Vec<f64>>,
    pub(super) round: Option<Rounding>,
}

impl PairedSamples {
    /// Returns the paired differences x - y or d. Their rounding unit is relative to the largest
    /// absolute value of `x` and `y`, or of `d` if that is given.
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
