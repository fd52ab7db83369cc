//! Grammar of the names of measures and systems: `Name(parameter=value, ...)@cutoff`.

use partita_named::NamedEnum;

/// Parameter of a [`CallDefinition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallParameter {
    /// Name, in lower case.
    pub name: &'static str,
    /// Accepted values: choices separated by `|`, or a phrase that describes a number.
    pub values: &'static str,
    /// Default value. An explanation may follow it after a comma.
    pub default: &'static str,
}

/// Definition of a measure or system that a [`Call`] can name: its names and parameters.
pub trait CallDefinition: 'static {
    /// Label of the kind of definition in messages: `measure` or `system`.
    const LABEL: &'static str;

    /// Examples of the notation, for the message about a text that does not follow the grammar.
    const NOTATION: &'static str;

    /// Returns the canonical name.
    fn name(&self) -> &'static str;

    /// Returns the alternative names.
    fn aliases(&self) -> &'static [&'static str];

    /// Returns the parameters that a call may set.
    fn parameters(&self) -> Vec<CallParameter>;
}

/// Error of a call that does not follow the grammar or does not fit a definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum CallError {
    /// The text does not follow the grammar.
    #[error("`{text}` is not written like a {label}: {problem}; expected {notation}")]
    Grammar {
        text: String,
        label: &'static str,
        problem: &'static str,
        notation: &'static str,
    },
    /// No definition has this name. The three names with the smallest edit distance are listed.
    #[error("there is no {label} `{name}`; the nearest names are {}", nearest.join(", "))]
    UnknownName {
        label: &'static str,
        name: String,
        nearest: Vec<&'static str>,
    },
    /// The definition has no such parameter.
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

/// Parsed call: name, parameters and cut-off as written, before the name is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name as written.
    pub name: String,
    /// Parameter names in lower case, with their values.
    pub parameters: Vec<(String, String)>,
    /// Text after `@`.
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
        Self::parse_plain(text.trim()).map_err(|problem| grammar_error::<D>(text, problem))
    }

    fn parse_with_cutoff(text: &str) -> Result<Self, &'static str> {
        let name_end = text.find(['(', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(name_end);
        let mut parameters = Vec::new();
        if let Some(inside) = rest.strip_prefix('(') {
            let (list, after) = inside.split_once(')').ok_or(UNCLOSED)?;
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

    fn parse_plain(text: &str) -> Result<Self, &'static str> {
        // An equals sign occurs only inside a parameter list.
        let (name, list) = match text.find('=') {
            None => (text.strip_suffix("()").unwrap_or(text), ""),
            Some(equals) => {
                // The last parenthesis before the equals sign opens the list; earlier ones belong
                // to the name.
                let opening = text[..equals].rfind('(').ok_or(OUTSIDE)?;
                let inside = text[opening + 1..].strip_suffix(')').ok_or(UNCLOSED)?;
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

const UNCLOSED: &str = "a closing parenthesis is missing";
const OUTSIDE: &str = "a parameter stands in parentheses";

fn grammar_error<D: CallDefinition>(text: &str, problem: &'static str) -> CallError {
    CallError::Grammar {
        text: text.to_owned(),
        label: D::LABEL,
        problem,
        notation: D::NOTATION,
    }
}

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

fn parse_name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err("its name is one word");
    }
    Ok(name.to_owned())
}

/// Finds the definition with this name or alias, ignoring case.
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

/// Returns the canonical names of the three definitions whose name or alias is most similar.
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

/// Arguments of a call, with all parameter names checked against the definition.
#[derive(Debug)]
pub struct CallArguments<'a> {
    text: &'a str,
    definition_name: &'static str,
    definition_parameters: Vec<CallParameter>,
    given: Vec<(String, String)>,
}

impl<'a> CallArguments<'a> {
    /// Checks the names of the given parameters. Their values are checked when they are read.
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

    /// Returns the text as written.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Adds a parameter that the call does not contain but that another parameter implies.
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

    /// Returns the value given for the parameter, or `None` if the call leaves it out.
    pub fn given(&self, name: &str) -> Option<&str> {
        let found = self.given.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the definition of the parameter.
    ///
    /// # Panics
    /// Panics if the definition has no such parameter.
    pub fn parameter(&self, name: &str) -> CallParameter {
        let mut all = self.definition_parameters.iter().copied();
        all.find(|parameter| parameter.name == name)
            .expect("only parameters of the definition are asked for")
    }

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

    /// Returns the parameter as a finite number that `accept` allows.
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

    /// Returns the parameter as a whole number that `accept` allows.
    ///
    /// # Errors
    /// Returns [`CallError::Value`] for any other value.
    pub fn count(&self, name: &str, accept: impl Fn(usize) -> bool) -> Result<usize, CallError> {
        let value = self.value(name);
        parse_count(value)
            .filter(|&count| accept(count))
            .ok_or_else(|| self.value_error(name, value))
    }

    /// Creates the error that lists the accepted values of the parameter.
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
    fn spaces_are_ignored() {
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
    fn other_texts_are_refused() {
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
