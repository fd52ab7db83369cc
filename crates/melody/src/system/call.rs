//! The grammar `Name(parameter=value, ...)`, and what a system finds in it.

use partita_stats::named::Named;

use super::{Definition, Parameter};

/// Why a system cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "a message names its fields")]
pub enum SystemError {
    /// The text does not follow the grammar.
    #[error(
        "`{text}` is not written like a system: {problem}; expected Name or Name(parameter=value)"
    )]
    Grammar { text: String, problem: &'static str },
    /// No system has this name.
    #[error("there is no system `{name}`; the nearest names are {}", nearest.join(", "))]
    UnknownName {
        name: String,
        nearest: Vec<&'static str>,
    },
    /// The system has no such parameter.
    #[error("`{text}`: {system} has no parameter `{parameter}`; it has {known}")]
    UnknownParameter {
        text: String,
        system: &'static str,
        parameter: String,
        known: String,
    },
    /// A parameter has a value that it cannot take.
    #[error("`{text}`: {parameter} must be {expected}, not `{found}`")]
    Value {
        text: String,
        parameter: String,
        expected: String,
        found: String,
    },
}

impl SystemError {
    pub(super) fn unknown(name: &str, registry: &[&'static Definition]) -> Self {
        let asked = name.to_lowercase();
        // Slips of the finger: letters swapped, missing, doubled or wrong.
        let slips = |known: &str| strsim::damerau_levenshtein(&asked, &known.to_lowercase());
        let mut names: Vec<(usize, &'static str)> = (registry.iter())
            .map(|definition| {
                let known = definition.aliases.iter().chain([&definition.name]);
                let least = known.map(|name| slips(name)).min();
                (least.expect("a system has a name"), definition.name)
            })
            .collect();
        names.sort_by_key(|&(slips, _)| slips);
        Self::UnknownName {
            name: name.to_owned(),
            nearest: names.into_iter().take(3).map(|(_, name)| name).collect(),
        }
    }
}

/// A system as it was written, before its name is looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) parameters: Vec<(String, String)>,
}

impl Call {
    pub(super) fn read(text: &str) -> Result<Self, SystemError> {
        let wrong = |problem| SystemError::Grammar {
            text: text.to_owned(),
            problem,
        };
        let text = text.trim();
        // `L(P3)` is a name of old: only a list of parameters has an equals sign.
        let opening = text.find('(').filter(|_| text.contains('='));
        let (name, list) = match opening {
            None if text.contains('=') => return Err(wrong("a parameter stands in parentheses")),
            None => (text.strip_suffix("()").unwrap_or(text), ""),
            Some(_) => {
                // The last opening one, for names that have some themselves.
                let first = text.find('=').expect("it has one");
                let at = text[..first]
                    .rfind('(')
                    .ok_or_else(|| wrong("a parameter stands in parentheses"))?;
                let inside = text[at + 1..]
                    .strip_suffix(')')
                    .ok_or_else(|| wrong("a closing parenthesis is missing"))?;
                (&text[..at], inside)
            }
        };
        let mut parameters: Vec<(String, String)> = Vec::new();
        for part in list.split(',').filter(|part| !part.trim().is_empty()) {
            let (parameter, value) = part
                .split_once('=')
                .ok_or_else(|| wrong("a parameter is written name=value"))?;
            let parameter = parameter.trim().to_lowercase();
            if parameters.iter().any(|(known, _)| *known == parameter) {
                return Err(wrong("a parameter is given twice"));
            }
            parameters.push((parameter, value.trim().to_owned()));
        }
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(wrong("its name is one word"));
        }
        Ok(Self {
            name: name.to_owned(),
            parameters,
        })
    }
}

/// The parameters of a system, known by name but not yet by value.
#[derive(Debug)]
pub(super) struct Arguments<'a> {
    text: &'a str,
    definition: &'static Definition,
    parameters: Vec<(String, String)>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(
        text: &'a str,
        definition: &'static Definition,
        parameters: Vec<(String, String)>,
    ) -> Result<Self, SystemError> {
        let known = definition.parameters;
        for (name, _) in &parameters {
            if !known.iter().any(|parameter| parameter.name == name) {
                return Err(SystemError::UnknownParameter {
                    text: text.to_owned(),
                    system: definition.name,
                    parameter: name.clone(),
                    known: match known {
                        [] => "none".to_owned(),
                        some => some.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
                    },
                });
            }
        }
        Ok(Self {
            text,
            definition,
            parameters,
        })
    }

    /// How the system is printed: its own names, and only parameters that change something.
    pub(super) fn canonical(&self) -> String {
        let parameters = self.definition.parameters.iter().filter_map(|parameter| {
            let given = self.given(parameter.name)?;
            let number = given.parse::<f64>();
            let value = number.map_or(given.to_lowercase(), |number| number.to_string());
            (parameter.default != value).then(|| format!("{}={value}", parameter.name))
        });
        let parameters: Vec<String> = parameters.collect();
        match parameters.as_slice() {
            [] => self.definition.name.to_owned(),
            some => format!("{}({})", self.definition.name, some.join(",")),
        }
    }

    /// The choice that the parameter names.
    pub(super) fn choice<T: Named>(&self, name: &str) -> Result<T, SystemError> {
        let value = self.value(name);
        T::find(value).map_err(|_| self.refused(name, value))
    }

    /// The finite number that the parameter is.
    pub(super) fn number(
        &self,
        name: &str,
        accept: impl Fn(f64) -> bool,
    ) -> Result<f64, SystemError> {
        let value = self.value(name);
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() && accept(number) => Ok(number),
            _ => Err(self.refused(name, value)),
        }
    }

    /// The whole number that the parameter is.
    pub(super) fn count(
        &self,
        name: &str,
        accept: impl Fn(usize) -> bool,
    ) -> Result<usize, SystemError> {
        let value = self.value(name);
        // `parse` alone would take a sign.
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse::<usize>() {
            Ok(number) if digits && accept(number) => Ok(number),
            _ => Err(self.refused(name, value)),
        }
    }

    /// What is written for the parameter, if anything is.
    pub(super) fn given(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn value(&self, name: &str) -> &str {
        self.given(name).unwrap_or(self.parameter(name).default)
    }

    fn parameter(&self, name: &str) -> &'static Parameter {
        let found = self.definition.parameters.iter().find(|p| p.name == name);
        found.expect("a system asks for parameters of its definition only")
    }

    /// The error that names the values which the parameter's definition names.
    fn refused(&self, name: &str, found: &str) -> SystemError {
        SystemError::Value {
            text: self.text.to_owned(),
            parameter: name.to_owned(),
            expected: self.parameter(name).values.replace('|', " or "),
            found: found.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_read_with_spaces_and_without() {
        let call = Call::read(" ShapeH( how = local ) ").unwrap();
        assert_eq!(call.name, "ShapeH");
        assert_eq!(call.parameters, [("how".to_owned(), "local".to_owned())]);
        assert_eq!(Call::read("US()").unwrap().name, "US");
    }

    #[test]
    fn a_name_may_have_parentheses_of_its_own() {
        assert_eq!(Call::read("L(P3)").unwrap().name, "L(P3)");
        let call = Call::read("L(P3)(a=1)").unwrap();
        assert_eq!((call.name.as_str(), call.parameters.len()), ("L(P3)", 1));
    }

    #[test]
    fn what_is_not_a_system_is_told_why() {
        for wrong in [
            "",
            "a b",
            "ShapeH(how=local",
            "how=local",
            "US(n=5,n=6)",
            "US(n=5,6)",
        ] {
            let error = Call::read(wrong).unwrap_err();
            assert!(matches!(error, SystemError::Grammar { .. }), "{wrong}");
        }
    }
}
