//! Parsing of measure names: parameters and cut-off.

use std::cell::Cell;

use super::{CutoffRule, MeasureDefinition, MeasureParameter, aliases};
use crate::call::{Call, CallArguments, CallDefinition, CallError, CallParameter, parse_count};

/// Error of a text such as `nDCG@ten` that does not denote a measure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum MeasureError {
    /// The text does not have the form `Name(parameter=value)@cutoff`, the name or a parameter is
    /// unknown, or a value or the cut-off is invalid.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A parameter was given without the setting that it requires.
    #[error(
        "`{text}`: {parameter} goes with {other}, as in {measure}({other},{parameter}={found})"
    )]
    MissingCompanion {
        /// Full text of the measure as the user wrote it.
        text: String,
        /// Name of the measure.
        measure: &'static str,
        /// Parameter that was given without the setting that it requires.
        parameter: &'static str,
        /// Setting that the parameter requires, such as `discount=log`.
        other: &'static str,
        /// Value that was given for the parameter.
        found: String,
    },
    /// The measure requires a cut-off, or does not allow one.
    #[error("`{text}`: {problem}")]
    Cutoff { text: String, problem: String },
}

impl CallDefinition for MeasureDefinition {
    const LABEL: &'static str = "measure";
    const NOTATION: &'static str = "Name, Name@10 or Name(parameter=value)@10";

    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn parameters(&self) -> Vec<CallParameter> {
        let of_call = |parameter: &MeasureParameter| CallParameter {
            name: parameter.name,
            values: parameter.values,
            default: parameter.default,
        };
        self.parameters.iter().map(of_call).collect()
    }
}

/// Largest cut-off k of a measure `Name@k`. Measures visit every rank up to k, so this bounds their
/// running time.
const MAX_CUTOFF: usize = 1_000_000;

/// Description, for error messages, of the valid values of cut-offs and other numbers of ranks: 1
/// to [`MAX_CUTOFF`].
const RANK_COUNT_RANGE: &str = "a whole number from 1 to 1000000";

/// Default relevance threshold: the smallest positive `f64`, so that every gain above 0 is
/// relevant.
const LOWEST_POSITIVE_GAIN: f64 = f64::from_bits(1);

/// Parses the text of a measure, in the notation of this crate or of trec_eval, ranx or
/// ir_measures.
pub(super) fn parse_call(text: &str) -> Result<Call, MeasureError> {
    Ok(aliases::to_native_call(Call::parse::<MeasureDefinition>(
        text,
    )?))
}

/// Parameters (with checked names) and checked cut-off of a measure, and the highest gain of the
/// ground truth.
#[derive(Debug)]
pub(super) struct MeasureArguments<'a> {
    call: CallArguments<'a>,
    definition: &'static MeasureDefinition,
    cutoff: Option<usize>,
    highest_gain: f64,
    /// True if output must name the highest grade even if it is not given.
    names_max_grade: Cell<bool>,
}

impl<'a> MeasureArguments<'a> {
    pub(super) fn new(
        text: &'a str,
        definition: &'static MeasureDefinition,
        call: Call,
        highest_gain: f64,
    ) -> Result<Self, MeasureError> {
        let mut arguments = CallArguments::new(text, definition, call.parameters)?;
        let cutoff_error = |problem: String| MeasureError::Cutoff {
            text: text.to_owned(),
            problem,
        };
        let name = definition.name;
        let cutoff = match (definition.cutoff, call.cutoff) {
            (CutoffRule::None, Some(_)) => {
                let problem = format!("{name} reads the whole ranking and has no cut-off");
                return Err(cutoff_error(problem));
            }
            (CutoffRule::Required, None) => {
                let problem = format!("{name} needs a cut-off, as in {}", definition.example);
                return Err(cutoff_error(problem));
            }
            (_, None) => None,
            (_, Some(k)) => Some(parse_rank_count(&k).ok_or_else(|| CallError::Value {
                text: text.to_owned(),
                parameter: "the cut-off".to_owned(),
                expected: RANK_COUNT_RANGE.to_owned(),
                found: k,
            })?),
        };
        // A base implies the logarithmic discount, the only one with a base.
        if arguments.given("b").is_some() && arguments.given("discount").is_none() {
            arguments.add("discount", "log");
        }
        // If the highest gain is not positive or not finite, nothing counts as relevant.
        let is_valid = highest_gain > 0.0 && highest_gain.is_finite();
        Ok(Self {
            call: arguments,
            definition,
            cutoff,
            highest_gain: if is_valid { highest_gain } else { 0.0 },
            names_max_grade: Cell::new(false),
        })
    }

    /// Returns the cut-off k of `Name@k`, if it is given.
    pub(super) fn cutoff(&self) -> Option<usize> {
        self.cutoff
    }

    /// Returns the canonical text of the measure: its name in the registry, only the parameters
    /// that differ from their defaults, and the cut-off.
    pub(super) fn canonical(&self) -> String {
        append_cutoff(&self.call.canonical(), self.cutoff)
    }

    /// Returns the canonical text of the measure that was built from these arguments, with the
    /// highest grade if the measure took it from the ground truth.
    pub(super) fn into_resolved(mut self) -> String {
        let is_given = self.call.given(super::MAX.name).is_some();
        if self.names_max_grade.get() && !is_given && self.highest_gain > 0.0 {
            self.call
                .add(super::MAX.name, &self.highest_gain.to_string());
        }
        self.canonical()
    }

    /// Creates the error for a parameter that was given without the setting that it requires.
    pub(super) fn missing_companion_error(
        &self,
        parameter: &'static str,
        other: &'static str,
    ) -> MeasureError {
        let found = self.call.given(parameter);
        MeasureError::MissingCompanion {
            text: self.call.text().to_owned(),
            measure: self.definition.name,
            parameter,
            other,
            found: found
                .expect("the error is created only for a given parameter")
                .to_owned(),
        }
    }

    /// Returns the cut-off k of `Name@k`, or an error if it is not given.
    pub(super) fn required_cutoff(&self) -> Result<usize, MeasureError> {
        self.cutoff.ok_or_else(|| MeasureError::Cutoff {
            text: self.call.text().to_owned(),
            problem: format!("a cut-off is needed, as in {}", self.definition.example),
        })
    }

    /// Returns the value given for the parameter, which must be one of the `|`-separated choices in
    /// its definition, or the default.
    pub(super) fn choice(&self, name: &str) -> Result<&'static str, MeasureError> {
        let parameter = self.call.parameter(name);
        let Some(given) = self.call.given(name) else {
            return Ok(parameter.default);
        };
        let mut choices = parameter.values.split('|');
        choices
            .find(|value| value.eq_ignore_ascii_case(given))
            .ok_or_else(|| self.call.value_error(name, given).into())
    }

    /// Returns the finite number given for the parameter, if any.
    pub(super) fn number(
        &self,
        name: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, MeasureError> {
        Ok(self.call.given_number(name, accept)?)
    }

    /// Returns the value of a parameter that accepts a number of ranks or `keyword`, if it is
    /// given.
    pub(super) fn count_or_keyword(
        &self,
        name: &str,
        keyword: &str,
    ) -> Result<Option<CountOrKeyword>, MeasureError> {
        let read = |given: &str| {
            if given == keyword {
                return Ok(CountOrKeyword::Keyword);
            }
            parse_rank_count(given)
                .map(CountOrKeyword::Count)
                .ok_or_else(|| self.call.value_error(name, given).into())
        };
        self.call.given(name).map(read).transpose()
    }

    /// Returns the lowest gain that counts as relevant: the parameter `rel`, or any gain above 0.
    pub(super) fn relevance_threshold(&self) -> Result<f64, MeasureError> {
        let rel = self.number("rel", |x| x > 0.0)?;
        Ok(rel.unwrap_or(LOWEST_POSITIVE_GAIN))
    }

    /// Returns the highest grade of the scale: the parameter `max` if it is given, else the highest
    /// gain of the ground truth. Returns 0 if nothing is relevant.
    pub(super) fn max_grade(&self) -> Result<f64, MeasureError> {
        let max = self.number(super::MAX.name, |x| x > 0.0)?;
        Ok(max.unwrap_or(self.highest_gain))
    }

    /// Returns what [`MeasureArguments::max_grade`] does, for a measure whose name does not say
    /// otherwise that its scores depend on the highest grade. Output then names the grade.
    pub(super) fn named_max_grade(&self) -> Result<f64, MeasureError> {
        self.names_max_grade.set(true);
        self.max_grade()
    }
}

/// Value of a parameter that accepts a number of ranks or a keyword.
pub(super) enum CountOrKeyword {
    /// Number of ranks.
    Count(usize),
    /// Keyword that the parameter accepts instead of a number.
    Keyword,
}

/// Parses a number from 1 to [`MAX_CUTOFF`] that is written with digits only.
fn parse_rank_count(text: &str) -> Option<usize> {
    parse_count(text).filter(|number| (1..=MAX_CUTOFF).contains(number))
}

/// Formats the relevance threshold `rel` as a condition on the gain g, such as `g >= 2`.
pub(super) fn relevance_condition(rel: f64) -> String {
    if rel == LOWEST_POSITIVE_GAIN {
        "g > 0".to_owned()
    } else {
        format!("g >= {rel}")
    }
}

/// Appends `@k` to the name of a measure if it has a cut-off k.
pub(super) fn append_cutoff(name: &str, cutoff: Option<usize>) -> String {
    cutoff.map_or(name.to_owned(), |k| format!("{name}@{k}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_counts_are_accepted_exactly_in_the_range_of_the_error_message() {
        assert!(RANK_COUNT_RANGE.ends_with(&format!("from 1 to {MAX_CUTOFF}")));
        let taken = ["1", "007", "1000000"].map(parse_rank_count);
        assert_eq!(taken, [Some(1), Some(7), Some(MAX_CUTOFF)]);
        for refused in ["", "0", "+1", "-1", "1_000", "1000001", "1.0", "٣"] {
            assert_eq!(parse_rank_count(refused), None, "{refused}");
        }
    }
}
