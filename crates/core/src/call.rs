//! Grammar of the names of measures and systems: `Name(parameter=value, ...)@cutoff`.

use partita_named::NamedEnum;

/// Parameter that a measure or system accepts, such as `p` in `RBP(p=0.8)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallParameter {
    /// Name of the parameter, in lower case: `p` in `RBP(p=0.8)`.
    pub name: &'static str,
    /// Accepted values: choices separated by `|`, as in `log2p1|log`, or a phrase that describes a
    /// number, such as `a number above 1`.
    pub values: &'static str,
    /// Value used if the call leaves the parameter out, or a phrase that describes it, such as `any
    /// gain above 0`. An explanation may follow after a comma.
    pub default: &'static str,
}

/// Definition of a measure or retrieval system that can be selected by text such as
/// `nDCG(gain=exp)@10`: its names and parameters.
pub trait CallDefinition: 'static {
    /// Word for the kind of definition in error messages: `measure` or `system`.
    const LABEL: &'static str;

    /// Examples of valid notation, shown in the error message for a text that does not follow the
    /// grammar.
    const NOTATION: &'static str;

    /// Returns the canonical name of the measure or system.
    fn name(&self) -> &'static str;

    /// Returns the other names under which the measure or system is found.
    fn aliases(&self) -> &'static [&'static str];

    /// Returns the parameters that the measure or system accepts.
    fn parameters(&self) -> Vec<CallParameter>;
}

/// Error of a text `Name(parameter=value, ...)@cutoff` that does not follow this grammar, or whose
/// name, parameter or value is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum CallError {
    /// The text does not have the form `Name(parameter=value, ...)@cutoff`.
    #[error("`{text}` is not written like a {label}: {problem}; expected {notation}")]
    Grammar {
        text: String,
        label: &'static str,
        problem: &'static str,
        notation: &'static str,
    },
    /// No measure or system has the name. `nearest` lists the canonical names of the three
    /// definitions whose name or an alias has the smallest edit distance.
    #[error("there is no {label} `{name}`; the nearest names are {}", nearest.join(", "))]
    UnknownName {
        label: &'static str,
        name: String,
        nearest: Vec<&'static str>,
    },
    /// The named measure or system has no such parameter. `known` lists its parameters.
    #[error("`{text}`: {definition} has no parameter `{parameter}`; it has {known}")]
    UnknownParameter {
        text: String,
        definition: &'static str,
        parameter: String,
        known: String,
    },
    /// A parameter or the cut-off has a value that it cannot take.
    #[error("`{text}`: {parameter} must be {expected}, not `{found}`")]
    Value {
        text: String,
        parameter: String,
        expected: String,
        found: String,
    },
}

/// Parts of a text `Name(parameter=value, ...)@cutoff` that selects a measure or system, as
/// written, before the name is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the measure or system as written, which may be an alias.
    pub name: String,
    /// Parameters in the order given: name in lower case, and value as written.
    pub parameters: Vec<(String, String)>,
    /// Text after `@`, not yet parsed as a number; `None` without `@`.
    pub cutoff: Option<String>,
}

impl Call {
    /// Parses `Name(parameter=value, ...)@cutoff`.
    ///
    /// # Errors
    /// Returns [`CallError::Grammar`] if the text does not follow the grammar.
    pub fn parse<D: CallDefinition>(text: &str) -> Result<Self, CallError> {
        Self::parse_with_cutoff(text.trim()).map_err(|problem| grammar_error::<D>(text, problem))
    }

    /// Parses `Name(parameter=value, ...)`. The name itself may contain parentheses, as in `L(P3)`.
    ///
    /// # Errors
    /// Returns [`CallError::Grammar`] if the text does not follow the grammar.
    pub fn parse_without_cutoff<D: CallDefinition>(text: &str) -> Result<Self, CallError> {
        Self::parse_name_and_parameters(text.trim())
            .map_err(|problem| grammar_error::<D>(text, problem))
    }

    /// Parses `Name(parameter=value, ...)@cutoff`. The error is the phrase that describes the
    /// problem.
    fn parse_with_cutoff(text: &str) -> Result<Self, &'static str> {
        let name_end = text.find(['(', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(name_end);
        let mut parameters = Vec::new();
        if let Some(inside) = rest.strip_prefix('(') {
            let (list, after) = inside.split_once(')').ok_or(MISSING_PARENTHESIS)?;
            rest = after.trim_start();
            parameters = parse_parameters(list)?;
        }
        let cutoff = match rest.strip_prefix('@') {
            Some(cutoff) => Some(cutoff.trim().to_owned()),
            None if rest.is_empty() => None,
            None => return Err("only @ and a cut-off can follow"),
        };
        Ok(Self {
            name: parse_name(name)?,
            parameters,
            cutoff,
        })
    }

    /// Parses `Name(parameter=value, ...)`. The error is the phrase that describes the problem.
    fn parse_name_and_parameters(text: &str) -> Result<Self, &'static str> {
        // An equals sign occurs only inside a parameter list.
        let (name, list) = match text.find('=') {
            None => (text.strip_suffix("()").unwrap_or(text), ""),
            Some(equals) => {
                // The last parenthesis before the equals sign opens the list; earlier ones belong
                // to the name.
                let opening = text[..equals]
                    .rfind('(')
                    .ok_or(PARAMETER_OUTSIDE_PARENTHESES)?;
                let inside = text[opening + 1..]
                    .strip_suffix(')')
                    .ok_or(MISSING_PARENTHESIS)?;
                (&text[..opening], inside)
            }
        };
        let parameters = parse_parameters(list)?;
        Ok(Self {
            name: parse_name(name)?,
            parameters,
            cutoff: None,
        })
    }
}

/// Phrase of the error message for a parameter list that is not closed.
const MISSING_PARENTHESIS: &str = "a closing parenthesis is missing";
/// Phrase of the error message for a `parameter=value` that is not in parentheses.
const PARAMETER_OUTSIDE_PARENTHESES: &str = "a parameter stands in parentheses";

/// Creates the error for a text that does not follow the grammar; `problem` says why.
fn grammar_error<D: CallDefinition>(text: &str, problem: &'static str) -> CallError {
    CallError::Grammar {
        text: text.to_owned(),
        label: D::LABEL,
        problem,
        notation: D::NOTATION,
    }
}

/// Parses the text between the parentheses, `name=value, name=value`, into pairs of name and value.
fn parse_parameters(list: &str) -> Result<Vec<(String, String)>, &'static str> {
    let mut parameters: Vec<(String, String)> = Vec::new();
    for part in list.split(',').filter(|part| !part.trim().is_empty()) {
        let (name, value) = part
            .split_once('=')
            .ok_or("a parameter is written name=value")?;
        let name = name.trim().to_lowercase();
        if parameters.iter().any(|(known, _)| *known == name) {
            return Err("a parameter is given twice");
        }
        parameters.push((name, value.trim().to_owned()));
    }
    Ok(parameters)
}

/// Checks that a name is one word, and returns it without surrounding spaces.
fn parse_name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err("its name is one word");
    }
    Ok(name.to_owned())
}

/// Finds the measure or system with this name or alias in the registry, ignoring case.
///
/// # Errors
/// Returns [`CallError::UnknownName`], with the nearest known names, if there is none.
pub fn find_definition<D: CallDefinition>(
    registry: &[&'static D],
    name: &str,
) -> Result<&'static D, CallError> {
    let is_same = |known: &&str| known.eq_ignore_ascii_case(name);
    let mut definitions = registry.iter().copied();
    definitions
        .find(|known| is_same(&known.name()) || known.aliases().iter().any(is_same))
        .ok_or_else(|| CallError::UnknownName {
            label: D::LABEL,
            name: name.to_owned(),
            nearest: nearest_names(registry, name),
        })
}

/// Returns the canonical names of the three registry entries whose name or alias has the smallest
/// edit distance to `name`.
fn nearest_names<D: CallDefinition>(registry: &[&'static D], name: &str) -> Vec<&'static str> {
    let wanted = name.to_lowercase();
    // Damerau-Levenshtein distance: counts swapped, missing, extra and wrong letters.
    let distance = |known: &str| strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
    let mut nearest = registry.to_vec();
    nearest.sort_by_cached_key(|definition| {
        let aliases = definition.aliases().iter().copied();
        let names = aliases.chain([definition.name()]);
        names.map(distance).min()
    });
    nearest.iter().take(3).map(|known| known.name()).collect()
}

/// Parameters given to a measure or system, with their names checked against its definition.
#[derive(Debug)]
pub struct CallArguments<'a> {
    text: &'a str,
    definition_name: &'static str,
    definition_parameters: Vec<CallParameter>,
    given: Vec<(String, String)>,
}

impl<'a> CallArguments<'a> {
    /// Checks that the definition has every parameter in `given`. Values are checked when
    /// [`number`](Self::number), [`choice`](Self::choice) or [`count`](Self::count) reads them.
    ///
    /// # Errors
    /// Returns [`CallError::UnknownParameter`] for a name that the definition lacks.
    pub fn new(
        text: &'a str,
        definition: &impl CallDefinition,
        given: Vec<(String, String)>,
    ) -> Result<Self, CallError> {
        let definition_parameters = definition.parameters();
        let is_known = |name: &str| definition_parameters.iter().any(|known| known.name == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| !is_known(name)) {
            let names: Vec<&str> = definition_parameters.iter().map(|it| it.name).collect();
            return Err(CallError::UnknownParameter {
                text: text.to_owned(),
                definition: definition.name(),
                parameter: name.clone(),
                known: match names.as_slice() {
                    [] => "none".to_owned(),
                    names => names.join(", "),
                },
            });
        }
        Ok(Self {
            text,
            definition_name: definition.name(),
            definition_parameters,
            given,
        })
    }

    /// Returns the full text of the call as the user wrote it, for error messages.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Adds a parameter that the user did not write but that another parameter implies.
    pub fn add(&mut self, name: &str, value: &str) {
        self.given.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the canonical text of the call: names as spelled in the definition, and only the
    /// parameters that differ from their defaults.
    pub fn canonical(&self) -> String {
        let changed = self.definition_parameters.iter().filter_map(|parameter| {
            let given = self.given(parameter.name)?;
            let number = given.parse::<f64>();
            let value = number.map_or(given.to_lowercase(), |number| number.to_string());
            let default = parameter.default.split(',').next();
            (default != Some(&value)).then(|| format!("{}={value}", parameter.name))
        });
        let changed: Vec<String> = changed.collect();
        match changed.as_slice() {
            [] => self.definition_name.to_owned(),
            some => format!("{}({})", self.definition_name, some.join(",")),
        }
    }

    /// Returns the value of the parameter that the text gives or [`add`](Self::add) added, or
    /// `None` if there is neither.
    pub fn given(&self, name: &str) -> Option<&str> {
        let found = self.given.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the definition of the parameter with this name.
    ///
    /// # Panics
    /// Panics if the definition has no such parameter.
    pub fn parameter(&self, name: &str) -> CallParameter {
        let mut all = self.definition_parameters.iter().copied();
        all.find(|parameter| parameter.name == name)
            .expect("only parameters of the definition are asked for")
    }

    /// Returns the value given for the parameter, or its default.
    fn value(&self, name: &str) -> &str {
        self.given(name)
            .unwrap_or_else(|| self.parameter(name).default)
    }

    /// Returns the enum variant that the parameter's value names. If the call leaves the parameter
    /// out, its default value is used.
    ///
    /// # Errors
    /// Returns [`CallError::Value`] if the value does not name a variant.
    pub fn choice<T: NamedEnum>(&self, name: &str) -> Result<T, CallError> {
        let value = self.value(name);
        T::from_name(value).map_err(|_| self.value_error(name, value))
    }

    /// Returns the value of the parameter, given or default, as a finite number for which `accept`
    /// is true.
    ///
    /// # Errors
    /// Returns [`CallError::Value`] for any other value.
    pub fn number(&self, name: &str, accept: impl Fn(f64) -> bool) -> Result<f64, CallError> {
        self.parse_number(name, self.value(name), accept)
    }

    /// Like [`number`](Self::number), but returns `None` if the call leaves the parameter out.
    ///
    /// # Errors
    /// Returns [`CallError::Value`] if the given value is not a finite number or `accept` rejects
    /// it.
    pub fn given_number(
        &self,
        name: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<Option<f64>, CallError> {
        self.given(name)
            .map(|value| self.parse_number(name, value, accept))
            .transpose()
    }

    /// Parses `value` as a finite number for which `accept` is true; `name` is the parameter, for
    /// the error.
    fn parse_number(
        &self,
        name: &str,
        value: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<f64, CallError> {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() && accept(number) => Ok(number),
            _ => Err(self.value_error(name, value)),
        }
    }

    /// Returns the value of the parameter, given or default, as a whole number for which `accept`
    /// is true.
    ///
    /// # Errors
    /// Returns [`CallError::Value`] for any other value.
    pub fn count(&self, name: &str, accept: impl Fn(usize) -> bool) -> Result<usize, CallError> {
        let value = self.value(name);
        parse_count(value)
            .filter(|&count| accept(count))
            .ok_or_else(|| self.value_error(name, value))
    }

    /// Creates the error for the value `found`, which the parameter does not accept. It lists the
    /// accepted values.
    pub fn value_error(&self, name: &str, found: &str) -> CallError {
        CallError::Value {
            text: self.text.to_owned(),
            parameter: name.to_owned(),
            expected: self.parameter(name).values.replace('|', " or "),
            found: found.to_owned(),
        }
    }
}

/// Parses a whole number that is written with digits only. `str::parse` would also accept a sign.
pub fn parse_count(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::MeasureDefinition;

    fn parse_without_cutoff(text: &str) -> Result<Call, CallError> {
        Call::parse_without_cutoff::<MeasureDefinition>(text)
    }

    #[test]
    fn spaces_around_names_and_values_are_ignored() {
        let call =
            Call::parse::<MeasureDefinition>(" nDCG( discount=log2p1 , ideal = max )@5 ").unwrap();
        assert_eq!(call.name, "nDCG");
        assert_eq!(call.cutoff.as_deref(), Some("5"));
        assert_eq!(call.parameters[1], ("ideal".to_owned(), "max".to_owned()));
        assert!(Call::parse::<MeasureDefinition>("ADR()").is_ok());
        let call = parse_without_cutoff(" ShapeH( how = local ) ").unwrap();
        assert_eq!(call.name, "ShapeH");
        assert_eq!(call.parameters, [("how".to_owned(), "local".to_owned())]);
        assert_eq!(parse_without_cutoff("US()").unwrap().name, "US");
    }

    #[test]
    fn a_name_without_cutoff_may_have_parentheses() {
        assert_eq!(parse_without_cutoff("L(P3)").unwrap().name, "L(P3)");
        let call = parse_without_cutoff("L(P3)(a=1)").unwrap();
        assert_eq!((call.name.as_str(), call.parameters.len()), ("L(P3)", 1));
    }

    #[test]
    fn texts_outside_the_grammar_are_rejected() {
        for wrong in [
            "",
            "a b",
            "ShapeH(how=local",
            "how=local",
            "US(n=5,n=6)",
            "US(n=5,6)",
        ] {
            let error = parse_without_cutoff(wrong).unwrap_err();
            assert!(matches!(error, CallError::Grammar { .. }), "{wrong}");
        }
    }
}
