//! Why a command failed, and how that is said.

use std::fmt;
use std::io;
use std::process::ExitCode;

use partita_core::UnknownQueryError;
use partita_core::measure::MeasureError;
use partita_core::work::WorkError;
use partita_formats::{DiagnosticCode, FormatError, Remedy, RemedyTerm, io_error_message};
use partita_judging::RangeError;
use partita_judging::campaign::InputError;
use partita_named::NamedEnum;

use super::destination::print_message;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Wrong use or input: what was expected and found, and a remedy where there is one.
    Input {
        message: String,
        hint: Option<String>,
    },
    /// The answer is no: what was asked for is not so.
    CheckFailed(String),
    /// Whoever read our output has gone, which is no failure.
    BrokenPipe,
    /// A fault of the program itself.
    Internal(String),
}

impl CliError {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input {
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Input { message, .. } => Self::Input {
                message,
                hint: Some(hint.into()),
            },
            other => other,
        }
    }

    /// A hint where there is none yet.
    pub(crate) fn with_default_hint(self, hint: &str) -> Self {
        match self {
            Self::Input { hint: None, .. } => self.with_hint(hint),
            other => other,
        }
    }

    /// A value of our own making was refused.
    pub(crate) fn internal(error: impl fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }

    /// Writing to `place` failed.
    pub(crate) fn from_write_error(place: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            kind => {
                let failure = Self::input(format!(
                    "{place}: cannot be written: {}",
                    io_error_message(error)
                ));
                match kind {
                    io::ErrorKind::NotFound => failure.with_hint("create the folder first"),
                    _ => failure,
                }
            }
        }
    }

    /// Says on standard error what went wrong, and gives the exit code.
    pub(crate) fn print(self) -> ExitCode {
        let (message, advice, code) = match self {
            Self::BrokenPipe => return ExitCode::SUCCESS,
            Self::CheckFailed(message) => (message, None, 1),
            Self::Input { message, hint } => (message, hint.map(|hint| format!("hint: {hint}")), 2),
            Self::Internal(message) => {
                let advice = "This is a bug in partita. Please report it.";
                (message, Some(advice.to_owned()), 70)
            }
        };
        let advice = advice.map_or(String::new(), |advice| format!("\n{advice}\n"));
        print_message(&format!("error: {message}\n{advice}"));
        ExitCode::from(code)
    }
}

impl CliError {
    /// The failure of a command that takes one file: arguments cannot be swapped there.
    pub(crate) fn from_single_file_error(error: FormatError, hint: &str) -> Self {
        let is_other_kind =
            error.code == DiagnosticCode::OtherFormat && error.message.contains("looks like");
        let failure = Self::from(error);
        if is_other_kind {
            failure.with_hint(hint)
        } else {
            failure
        }
    }
}

impl From<FormatError> for CliError {
    fn from(error: FormatError) -> Self {
        Self::Input {
            message: error.to_string(),
            hint: error.remedy.as_ref().map(remedy_text),
        }
    }
}

/// A remedy in the words of the command line, whose options are called like settings.
pub(crate) fn remedy_text(remedy: &Remedy) -> String {
    remedy.render(|term, value| {
        let with = |what: &str| value.map_or(String::new(), |value| format!(" {what}{value}"));
        match term {
            RemedyTerm::Evaluation => {
                format!("`partita evaluate --per-query{}`", with("--format "))
            }
            RemedyTerm::Plan => "`partita plan`".to_owned(),
            setting => format!("`--{}{}`", setting.name().replace('_', "-"), with("")),
        }
    })
}

/// The fields of requests are called like their options.
impl From<RangeError> for CliError {
    fn from(error: RangeError) -> Self {
        let option = error.what.replace('_', "-");
        let (expected, found) = (error.expected, error.found);
        Self::input(format!("--{option} must be {expected}, not {found}"))
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> Self {
        Self::input(error.to_string())
    }
}

impl From<WorkError> for CliError {
    fn from(stopped: WorkError) -> Self {
        Self::input(stopped.to_string())
    }
}

impl From<MeasureError> for CliError {
    fn from(error: MeasureError) -> Self {
        Self::input(error.to_string()).with_hint("`partita measures` lists every measure")
    }
}

impl From<UnknownQueryError> for CliError {
    fn from(error: UnknownQueryError) -> Self {
        let (count, some) = (error.queries, error.some.join(", "));
        Self::input(error.to_string()).with_hint(match count {
            1 => format!("its only query is {some}"),
            _ => format!("it has {count} queries, such as {some}"),
        })
    }
}
