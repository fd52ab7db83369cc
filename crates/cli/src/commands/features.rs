//! Optional parts of the program, by Cargo feature.
//!
//! A command that is not built in is hidden from the help. Calling it is an error that names its
//! feature.

use std::ffi::OsString;
use std::fmt;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::output::error::CliError;

/// Cargo feature of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    name: &'static str,
    built_in: bool,
    /// Part that a build without the feature lacks, as in "has no server".
    part: &'static str,
    /// Commands of the feature. Those of `campaign` are also those of its alias `judge`.
    commands: &'static [&'static str],
}

/// Melody collections, retrieval systems and sound.
const MELODY: Feature = Feature {
    name: "melody",
    built_in: cfg!(feature = "melody"),
    part: "commands for melodies",
    commands: &["collection", "search", "systems", "tune"],
};

/// Judging server.
pub(crate) const SERVER: Feature = Feature {
    name: "server",
    built_in: cfg!(feature = "server"),
    part: "server",
    commands: &[
        "serve",
        "campaign create",
        "campaign list",
        "campaign invite",
        "campaign delete",
        "campaign log",
        "token",
        "backup",
        "restore",
        "verify",
        "move",
    ],
};

/// PostgreSQL databases of servers.
#[cfg(feature = "server")]
pub(crate) const POSTGRES: Feature = Feature {
    name: "postgres",
    built_in: cfg!(feature = "postgres"),
    part: "PostgreSQL",
    commands: &[],
};

/// Figures as PDF and PNG.
pub(crate) const PDF: Feature = Feature {
    name: "pdf",
    built_in: cfg!(feature = "pdf"),
    part: "figures as PDF and PNG, only as SVG",
    commands: &[],
};

impl Feature {
    /// Returns true if this build contains the feature.
    pub(crate) fn is_built_in(self) -> bool {
        self.built_in
    }
}

impl fmt::Display for Feature {
    /// Writes that this build lacks the feature, and how to get it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, part, .. } = self;
        write!(
            f,
            "this build of partita has no {part}: rebuild with --features {name}"
        )
    }
}

impl From<Feature> for CliError {
    fn from(feature: Feature) -> Self {
        Self::input(feature.to_string())
    }
}

/// Command of campaigns, and its alias.
const CAMPAIGN_COMMANDS: [&str; 2] = ["campaign", "judge"];

/// Returns the Cargo features with commands of their own that this build lacks.
fn missing_features() -> impl Iterator<Item = Feature> {
    [MELODY, SERVER]
        .into_iter()
        .filter(|feature| !feature.built_in)
}

/// Adds the commands that this build lacks, accepting any arguments.
pub(super) fn with_missing_commands(program: Command) -> Command {
    let declared = missing_features().fold(program, |program, feature| {
        let missing = |name: &'static str| {
            let arguments = Arg::new("arguments").num_args(0..).trailing_var_arg(true);
            let arguments = arguments.allow_hyphen_values(true);
            Command::new(name)
                .about(feature.to_string())
                .hide(true)
                .disable_help_flag(true)
                .arg(arguments.value_parser(value_parser!(OsString)))
        };
        (feature.commands.iter()).fold(program, |program, name| {
            match name.strip_prefix("campaign ") {
                None => program.subcommand(missing(name)),
                Some(verb) => CAMPAIGN_COMMANDS.iter().fold(program, |program, campaign| {
                    program.mut_subcommand(campaign, |command| command.subcommand(missing(verb)))
                }),
            }
        })
    });
    let notes = missing_features().map(|feature| {
        let Feature { name, commands, .. } = feature;
        format!(
            "\n\nNot in this build (feature {name}): {}",
            commands.join(", ")
        )
    });
    let notes: String = notes.collect();
    let help = declared.get_after_help().map(ToString::to_string);
    declared.after_help(help.unwrap_or_default() + &notes)
}

/// Returns an error for a command that this build lacks.
pub(super) fn refuse_missing_commands(matches: ArgMatches) -> Result<ArgMatches, clap::Error> {
    let called = matches.subcommand().map(|(name, below)| {
        let verb = below.subcommand_name();
        match verb.filter(|_| CAMPAIGN_COMMANDS.contains(&name)) {
            Some(verb) => format!("campaign {verb}"),
            None => name.to_owned(),
        }
    });
    let called = called.as_deref();
    let lacking = called
        .and_then(|called| missing_features().find(|feature| feature.commands.contains(&called)));
    match lacking {
        Some(feature) => Err(clap::Error::raw(
            ErrorKind::InvalidSubcommand,
            format!("{feature}\n"),
        )),
        None => Ok(matches),
    }
}
