//! Errors of commands, and their messages.

use std::fmt;
use std::io;
use std::process::ExitCode;

use partita::EvidenceReadError;
use partita::UnknownQueryError;
use partita::formats::{DiagnosticCode, FormatError, Remedy, RemedyTerm, io_error_message};
use partita::judging::RangeError;
use partita::judging::campaign::InputError;
use partita::measure::MeasureError;
use partita::named::NamedEnum;
use partita::work::WorkError;

use super::destination::print_message;

/// Reason why a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Usage or input error, with a hint if there is one; exit code 2.
    Input {
        message: String,
        hint: Option<String>,
    },
    /// A check that failed; exit code 1.
    CheckFailed(String),
    /// A closed output pipe; exit code 0.
    BrokenPipe,
    /// A bug of this program; exit code 70.
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

    /// Adds a hint unless there is one already.
    pub(crate) fn with_default_hint(self, hint: &str) -> Self {
        match self {
            Self::Input { hint: None, .. } => self.with_hint(hint),
            other => other,
        }
    }

    /// Creates an internal error, for a value that this program made itself.
    pub(crate) fn internal(error: impl fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }

    /// Creates the error of a failed write to `place`.
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

    /// Creates the error of a failed read of `place`.
    pub(crate) fn from_read_error(place: &str, error: &io::Error) -> Self {
        let reason = io_error_message(error);
        Self::input(format!("{place}: cannot be read: {reason}"))
    }

    /// Prints the error on standard error and returns the exit code.
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
    /// Creates the error of a command with a single input file. If the file looks like another kind
    /// of data, it gets this hint, because swapped arguments cannot be the cause.
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

/// Returns the text of a remedy for the command line. Each option has the name of its setting.
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

/// Names the option in the message: the fields of a request have the names of their options.
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

impl From<EvidenceReadError> for CliError {
    fn from(error: EvidenceReadError) -> Self {
        match error {
            EvidenceReadError::Format(error) => error.into(),
            EvidenceReadError::Log(error) => error.into(),
            EvidenceReadError::NotAsked { .. } | EvidenceReadError::Query { .. } => {
                Self::input(error.to_string())
            }
            EvidenceReadError::Work(stopped) => stopped.into(),
        }
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
