//! Definitions and errors of systems for the grammar `Name(parameter=value, ...)`.

use partita_core::call::{CallArguments, CallDefinition, CallError, CallParameter};

use super::{SystemDefinition, SystemParameter};

/// Error of a system in text form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
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
    /// The value of a parameter is not allowed.
    #[error("`{text}`: {parameter} must be {expected}, not `{found}`")]
    Value {
        text: String,
        parameter: String,
        expected: String,
        found: String,
    },
}

impl From<CallError> for SystemError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Grammar { text, problem } => Self::Grammar { text, problem },
            CallError::UnknownName { name, nearest } => Self::UnknownName { name, nearest },
            CallError::UnknownParameter {
                text,
                definition,
                parameter,
                known,
            } => Self::UnknownParameter {
                text,
                system: definition,
                parameter,
                known,
            },
            CallError::Value {
                text,
                parameter,
                expected,
                found,
            } => Self::Value {
                text,
                parameter,
                expected,
                found,
            },
        }
    }
}

/// Explicit parameters of a system.
pub(super) type SystemArguments<'a> = CallArguments<'a, SystemDefinition>;

impl CallParameter for SystemParameter {
    fn name(&self) -> &'static str {
        self.name
    }

    fn values(&self) -> &'static str {
        self.values
    }

    fn default(&self) -> &'static str {
        self.default
    }
}

impl CallDefinition for SystemDefinition {
    type Parameter = SystemParameter;
    type Error = SystemError;

    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn parameters(&self) -> &'static [SystemParameter] {
        self.parameters
    }
}
