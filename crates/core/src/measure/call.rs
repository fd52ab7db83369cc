//! The grammar `Name(parameter=value, ...)@cutoff`, and what a measure finds in it.

use super::{Cutoff, Definition, Parameter, other_names};

/// Why a measure cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum MeasureError {
    /// The text does not follow the grammar.
    #[error(
        "`{text}` is not written like a measure: {problem}; expected Name, Name@10 or Name(parameter=value)@10"
    )]
    Grammar { text: String, problem: String },
    /// No measure has this name.
    #[error("there is no measure `{name}`; the nearest names are {}", nearest.join(", "))]
    UnknownName {
        name: String,
        nearest: Vec<&'static str>,
    },
    /// The measure has no such parameter.
    #[error("`{text}`: {measure} has no parameter `{parameter}`; it has {known}")]
    UnknownParameter {
        text: String,
        measure: &'static str,
        parameter: String,
        known: String,
    },
    /// A parameter or the cut-off has a value that it cannot take.
    #[error("`{text}`: {what} must be {expected}, not `{found}`")]
    Value {
        text: String,
        what: String,
        expected: String,
        found: String,
    },
    /// A parameter means nothing without another.
    #[error(
        "`{text}`: {parameter} goes with {other}, as in {measure}({other},{parameter}={found})"
    )]
    Needs {
        /// What was written.
        text: String,
        /// The measure.
        measure: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it needs.
        other: &'static str,
        /// Its value.
        found: String,
    },
    /// The measure needs a cut-off or cannot have one.
    #[error("`{text}`: {problem}")]
    Cutoff { text: String, problem: String },
}

impl MeasureError {
    pub(super) fn unknown(name: &str, registry: &[&'static Definition]) -> Self {
        let asked = name.to_lowercase();
        // Slips of the finger: letters swapped, missing, doubled or wrong.
        let slips = |known: &str| strsim::damerau_levenshtein(&asked, &known.to_lowercase());
        let mut names: Vec<(usize, &'static str)> = registry
            .iter()
            .map(|d| {
                let known = d.aliases.iter().chain([&d.name]);
                (
                    known.map(|name| slips(name)).min().unwrap_or(usize::MAX),
                    d.name,
                )
            })
            .collect();
        names.sort_by_key(|&(slips, _)| slips);
        Self::UnknownName {
            name: name.to_owned(),
            nearest: names.into_iter().take(3).map(|(_, name)| name).collect(),
        }
    }
}

/// The deepest cut-off. Measures visit every rank up to it, so an absurd one must not pass.
const DEEPEST: usize = 1_000_000;

/// What a cut-off, or another number of ranks, must be: a whole number from 1 to [`DEEPEST`].
const WHOLE_NUMBER: &str = "a whole number from 1 to 1000000";

/// The lowest gain that is above 0: what is relevant where no threshold is given.
const ANY_GAIN: f64 = f64::from_bits(1);

/// A measure as it was written, before its name is looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) cutoff: Option<String>,
}

impl Call {
    pub(super) fn read(text: &str) -> Result<Self, MeasureError> {
        let wrong = |problem: &str| MeasureError::Grammar {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        let trimmed = text.trim();
        let name_end = trimmed.find(['(', '@']).unwrap_or(trimmed.len());
        let (name, mut rest) = trimmed.split_at(name_end);
        let mut parameters = Vec::new();
        if let Some(inside) = rest.strip_prefix('(') {
            let (list, after) = inside
                .split_once(')')
                .ok_or_else(|| wrong("a closing parenthesis is missing"))?;
            rest = after.trim_start();
            for part in list.split(',').filter(|p| !p.trim().is_empty()) {
                let (parameter, value) = part
                    .split_once('=')
                    .ok_or_else(|| wrong("a parameter is written name=value"))?;
                let parameter = parameter.trim();
                let parameter = parameter.to_lowercase();
                if parameters.iter().any(|(known, _)| *known == parameter) {
                    return Err(wrong("a parameter is given twice"));
                }
                parameters.push((parameter, value.trim().to_owned()));
            }
        }
        let cutoff = match rest.strip_prefix('@') {
            Some(cutoff) => Some(cutoff.trim().to_owned()),
            None if rest.is_empty() => None,
            None => return Err(wrong("only @ and a cut-off can follow")),
        };
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(wrong("its name is one word"));
        }
        Ok(other_names::translated(Self {
            name: name.to_owned(),
            parameters,
            cutoff,
        }))
    }
}

/// The checked parameters and cut-off of a measure, and the scale that it is used on.
#[derive(Debug)]
pub(super) struct Arguments<'a> {
    text: &'a str,
    definition: &'static Definition,
    parameters: Vec<(String, String)>,
    cutoff: Option<usize>,
    highest_gain: f64,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(
        text: &'a str,
        definition: &'static Definition,
        call: Call,
        highest_gain: f64,
    ) -> Result<Self, MeasureError> {
        let known = definition.parameters;
        for (name, _) in &call.parameters {
            if !known.iter().any(|p| p.name == name) {
                return Err(MeasureError::UnknownParameter {
                    text: text.to_owned(),
                    measure: definition.name,
                    parameter: name.clone(),
                    known: match known {
                        [] => "none".to_owned(),
                        some => some.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
                    },
                });
            }
        }
        let wrong = |problem: String| MeasureError::Cutoff {
            text: text.to_owned(),
            problem,
        };
        let name = definition.name;
        let cutoff = match (definition.cutoff, call.cutoff) {
            (Cutoff::None, Some(_)) => {
                return Err(wrong(format!(
                    "{name} reads the whole ranking and has no cut-off"
                )));
            }
            (Cutoff::Required, None) => {
                return Err(wrong(format!(
                    "{name} needs a cut-off, as in {}",
                    definition.example
                )));
            }
            (_, None) => None,
            (_, Some(k)) => match whole_number(&k) {
                Some(k) => Some(k),
                None => {
                    return Err(MeasureError::Value {
                        text: text.to_owned(),
                        what: "the cut-off".to_owned(),
                        expected: WHOLE_NUMBER.to_owned(),
                        found: k,
                    });
                }
            },
        };
        let mut parameters = call.parameters;
        let is_given = |name: &str| parameters.iter().any(|(known, _)| known == name);
        // A base says which discount is meant: only one has a base.
        if is_given("b") && !is_given("discount") {
            parameters.push(("discount".to_owned(), "log".to_owned()));
        }
        // Nothing is relevant on a scale that does not end above 0, or ends nowhere.
        let ends = highest_gain > 0.0 && highest_gain.is_finite();
        Ok(Self {
            text,
            definition,
            parameters,
            cutoff,
            highest_gain: if ends { highest_gain } else { 0.0 },
        })
    }

    pub(super) fn cutoff(&self) -> Option<usize> {
        self.cutoff
    }

    /// How the measure is printed: its own names, and only parameters that change something.
    pub(super) fn canonical(&self) -> String {
        let parameters = self.definition.parameters.iter().filter_map(|parameter| {
            let given = self.given(parameter.name)?;
            let default = parameter.default.split(',').next();
            let value = given
                .parse::<f64>()
                .map_or(given.to_lowercase(), |x| x.to_string());
            (default != Some(&value)).then(|| format!("{}={value}", parameter.name))
        });
        let parameters: Vec<String> = parameters.collect();
        let name = match parameters.as_slice() {
            [] => self.definition.name.to_owned(),
            some => format!("{}({})", self.definition.name, some.join(",")),
        };
        at(&name, self.cutoff)
    }

    /// The error of a parameter that was given without what it goes with.
    pub(super) fn needs(&self, parameter: &'static str, other: &'static str) -> MeasureError {
        let found = self.given(parameter);
        MeasureError::Needs {
            text: self.text.to_owned(),
            measure: self.definition.name,
            parameter,
            other,
            found: found.expect("it was given").to_owned(),
        }
    }

    /// The cut-off of a measure that must have one.
    pub(super) fn required_cutoff(&self) -> Result<usize, MeasureError> {
        self.cutoff.ok_or_else(|| MeasureError::Cutoff {
            text: self.text.to_owned(),
            problem: format!("a cut-off is needed, as in {}", self.definition.example),
        })
    }

    /// Which of the values that the parameter's definition separates by `|` is chosen.
    pub(super) fn choice(&self, name: &str) -> Result<&'static str, MeasureError> {
        let parameter = self.parameter(name);
        let Some(given) = self.given(name) else {
            return Ok(parameter.default);
        };
        let mut choices = parameter.values.split('|');
        choices
            .find(|value| value.eq_ignore_ascii_case(given))
            .ok_or_else(|| self.value_error(name, given))
    }

    /// The finite number that is given for the parameter, if one is.
    pub(super) fn number(
        &self,
        name: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, MeasureError> {
        self.given(name)
            .map(|given| match given.parse::<f64>() {
                Ok(number) if number.is_finite() && accept(number) => Ok(number),
                _ => Err(self.value_error(name, given)),
            })
            .transpose()
    }

    /// The number of ranks, or the word instead of one, that is given for the parameter, if
    /// anything is.
    pub(super) fn count_or_word(
        &self,
        name: &str,
        word: &str,
    ) -> Result<Option<CountOrWord>, MeasureError> {
        let read = |given: &str| {
            if given == word {
                return Ok(CountOrWord::Word);
            }
            whole_number(given)
                .map(CountOrWord::Count)
                .ok_or_else(|| self.value_error(name, given))
        };
        self.given(name).map(read).transpose()
    }

    /// The lowest gain that counts as relevant.
    pub(super) fn rel(&self) -> Result<f64, MeasureError> {
        let rel = self.number("rel", |x| x > 0.0)?;
        Ok(rel.unwrap_or(ANY_GAIN))
    }

    /// The highest grade of the scale; 0 where nothing is relevant.
    pub(super) fn max(&self) -> Result<f64, MeasureError> {
        let max = self.number("max", |x| x > 0.0)?;
        Ok(max.unwrap_or(self.highest_gain))
    }

    fn given(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn parameter(&self, name: &str) -> &'static Parameter {
        let found = self.definition.parameters.iter().find(|p| p.name == name);
        found.expect("a measure asks for parameters of its definition only")
    }

    /// The error that names the values which the parameter's definition names.
    fn value_error(&self, name: &str, found: &str) -> MeasureError {
        let values = self.parameter(name).values;
        MeasureError::Value {
            text: self.text.to_owned(),
            what: name.to_owned(),
            expected: values.replace('|', " or "),
            found: found.to_owned(),
        }
    }
}

/// What a parameter can be that takes a number of ranks or a word instead.
pub(super) enum CountOrWord {
    Count(usize),
    Word,
}

/// Reads [`WHOLE_NUMBER`], written in digits alone.
fn whole_number(text: &str) -> Option<usize> {
    // `parse` alone would take a sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok())??;
    (1..=DEEPEST).contains(&number).then_some(number)
}

/// Writes a threshold of relevance as a condition on the gain g.
pub(super) fn relevance(rel: f64) -> String {
    if rel == ANY_GAIN {
        "g > 0".to_owned()
    } else {
        format!("g >= {rel}")
    }
}

/// Writes a cut-off after a name.
pub(super) fn at(name: &str, cutoff: Option<usize>) -> String {
    cutoff.map_or(name.to_owned(), |k| format!("{name}@{k}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_read_with_spaces_and_without() {
        let call = Call::read(" nDCG( discount=log2p1 , ideal = max )@5 ").unwrap();
        assert_eq!(call.name, "nDCG");
        assert_eq!(call.cutoff.as_deref(), Some("5"));
        assert_eq!(call.parameters[1], ("ideal".to_owned(), "max".to_owned()));
        assert!(Call::read("ADR()").is_ok());
    }

    #[test]
    fn the_whole_numbers_that_are_taken_are_those_that_the_message_names() {
        assert!(WHOLE_NUMBER.ends_with(&format!("from 1 to {DEEPEST}")));
        let taken = ["1", "007", "1000000"].map(whole_number);
        assert_eq!(taken, [Some(1), Some(7), Some(DEEPEST)]);
        for refused in ["", "0", "+1", "-1", "1_000", "1000001", "1.0", "٣"] {
            assert_eq!(whole_number(refused), None, "{refused}");
        }
    }
}
