//! Why a command failed, and how that is said.

use std::fmt;
use std::io;
use std::process::ExitCode;

use partita_core::UnknownQuery;
use partita_core::measure::MeasureError;
use partita_core::work::Stopped;
use partita_formats::{Code, FormatError, Remedy, Term, reason};
use partita_judging::OutOfRange;
use partita_judging::campaign::Refusal;
use partita_stats::named::Named;

use crate::output::say;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong use or input: what was expected and found, and a remedy where there is one.
    Input {
        message: String,
        hint: Option<String>,
    },
    /// The answer is no: what was asked for is not so.
    No(String),
    /// Whoever read our output has gone, which is no failure.
    BrokenPipe,
    /// A fault of the program itself.
    Ours(String),
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input {
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Input { message, .. } => Self::Input {
                message,
                hint: Some(hint.into()),
            },
            other => other,
        }
    }

    /// A hint where there is none yet.
    pub(crate) fn or_hint(self, hint: &str) -> Self {
        match self {
            Self::Input { hint: None, .. } => self.hint(hint),
            other => other,
        }
    }

    /// A value of our own making was refused.
    pub(crate) fn ours(error: impl fmt::Display) -> Self {
        Self::Ours(error.to_string())
    }

    /// Writing to `place` failed.
    pub(crate) fn writing(place: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            kind => {
                let failure = Self::input(format!("{place}: cannot be written: {}", reason(error)));
                match kind {
                    io::ErrorKind::NotFound => failure.hint("create the folder first"),
                    _ => failure,
                }
            }
        }
    }

    /// Says on standard error what went wrong, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (message, advice, code) = match self {
            Self::BrokenPipe => return ExitCode::SUCCESS,
            Self::No(message) => (message, None, 1),
            Self::Input { message, hint } => (message, hint.map(|hint| format!("hint: {hint}")), 2),
            Self::Ours(message) => {
                let advice = "This is a bug in partita. Please report it.";
                (message, Some(advice.to_owned()), 70)
            }
        };
        let advice = advice.map_or(String::new(), |advice| format!("\n{advice}\n"));
        say(&format!("error: {message}\n{advice}"));
        ExitCode::from(code)
    }
}

impl Failure {
    /// The failure of a command that takes one file: arguments cannot be swapped there.
    pub(crate) fn of_only_file(error: FormatError, hint: &str) -> Self {
        let is_other_kind = error.code == Code::OtherFormat && error.message.contains("looks like");
        let failure = Self::from(error);
        if is_other_kind {
            failure.hint(hint)
        } else {
            failure
        }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Self::Input {
            message: error.to_string(),
            hint: error.remedy.as_ref().map(in_flags),
        }
    }
}

/// A remedy in the words of the command line, whose options are called like settings.
pub(crate) fn in_flags(remedy: &Remedy) -> String {
    remedy.words(|term, value| {
        let with = |what: &str| value.map_or(String::new(), |value| format!(" {what}{value}"));
        match term {
            Term::Evaluation => format!("`partita evaluate --per-query{}`", with("--format ")),
            Term::Plan => "`partita plan`".to_owned(),
            setting => format!("`--{}{}`", setting.name().replace('_', "-"), with("")),
        }
    })
}

/// The fields of requests are called like their options.
impl From<OutOfRange> for Failure {
    fn from(error: OutOfRange) -> Self {
        let option = error.what.replace('_', "-");
        let (expected, found) = (error.expected, error.found);
        Self::input(format!("--{option} must be {expected}, not {found}"))
    }
}

impl From<Refusal> for Failure {
    fn from(error: Refusal) -> Self {
        Self::input(error.to_string())
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Self::input(stopped.to_string())
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        Self::input(error.to_string()).hint("`partita measures` lists every measure")
    }
}

impl From<UnknownQuery> for Failure {
    fn from(error: UnknownQuery) -> Self {
        let (count, some) = (error.queries, error.some.join(", "));
        Self::input(error.to_string()).hint(match count {
            1 => format!("its only query is {some}"),
            _ => format!("it has {count} queries, such as {some}"),
        })
    }
}
