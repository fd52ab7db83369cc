//! Parsing of systems in the notation `Name(parameter=value, ...)`, by their definitions.

use partita_core::call::{CallArguments, CallDefinition, CallError, CallParameter};

use super::{SystemDefinition, SystemParameter};

/// Error in the text that describes a system: wrong notation, unknown name, unknown parameter or
/// invalid value.
pub type SystemError = CallError;

/// Parameter values of a system: those that its text states, and the defaults of all others.
pub(super) type SystemArguments<'a> = CallArguments<'a>;

impl CallDefinition for SystemDefinition {
    const LABEL: &'static str = "system";
    const NOTATION: &'static str = "Name or Name(parameter=value)";

    fn name(&self) -> &'static str {
        self.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn parameters(&self) -> Vec<CallParameter> {
        let of_call = |parameter: &SystemParameter| CallParameter {
            name: parameter.name,
            values: parameter.values,
            default: parameter.default,
        };
        self.parameters.iter().map(of_call).collect()
    }
}
