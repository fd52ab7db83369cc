//! Aliases of options, and suggestions for wrong options.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names of options in other programs, accepted as aliases.
const OPTION_ALIASES: [(&str, &[&str]); 11] = [
    ("truth", &["qrels", "ground-truth"]),
    ("measure", &["measures", "metric", "metrics"]),
    ("correct", &["correction"]),
    ("threads", &["jobs"]),
    ("output", &["out", "output-file"]),
    ("figure", &["figures", "plot"]),
    ("candidates", &["pool"]),
    ("assessor", &["annotator", "worker", "judge"]),
    ("price", &["cost"]),
    ("latex-label", &["label"]),
    ("to", &["format"]),
];

/// Options that do not exist but are often tried, with the right ones.
const SUGGESTIONS: [(&str, &str); 17] = [
    ("--json", "--format json"),
    ("--csv", "--format csv"),
    ("--latex", "--format latex"),
    ("--markdown", "--format markdown"),
    ("--table", "--format table"),
    (
        "--run",
        "the runs as arguments: `partita evaluate --truth TRUTH RUN...`",
    ),
    (
        "--runs",
        "the runs as arguments: `partita evaluate --truth TRUTH RUN...`",
    ),
    (
        "--top",
        "-m NAME@K for the first K documents, or `campaign init --top K` for the best K items of a list",
    ),
    ("--cutoff", "-m NAME@K, as in `-m nDCG@10`"),
    ("--baseline", "`partita compare SCORES --baseline SYSTEM`"),
    ("--test", "`partita compare SCORES --test NAME`"),
    ("--correct", "`partita compare SCORES --correct NAME`"),
    ("--correction", "`partita compare SCORES --correct NAME`"),
    ("--verbose", "--details"),
    ("--significance", "--alpha"),
    ("--level", "--alpha"),
    ("--p-value", "--alpha"),
];

/// Commands that take their input files by an option instead of as arguments, with that option.
const FILE_OPTIONS: [(&str, &str); 3] = [
    ("truth study", "--rankings FILE"),
    ("campaign init", "--candidates FILE"),
    (
        "campaign export",
        "`partita campaign log NAME --output FILE` for the log of a server's campaign",
    ),
];

/// Commands for log files only, with the command for a campaign on a server.
const SERVER_COMMANDS: [(&str, &str); 3] = [
    (
        "campaign init",
        "`partita campaign create FILE --data DIR` for a campaign on a server",
    ),
    (
        "campaign next",
        "`partita campaign invite NAME --kind KIND --data DIR`: a server asks people itself",
    ),
    (
        "campaign add",
        "`partita campaign invite NAME --kind KIND --data DIR`: people answer on the server's pages",
    ),
];

/// Commands for campaigns on a server only, with what to give or to use instead.
const SERVER_ONLY_COMMANDS: [(&str, &str); 5] = [
    (
        "campaign create",
        "--data DIR or --database URL for the server, or `partita campaign init LOG` for a campaign in a file",
    ),
    (
        "campaign list",
        "--data DIR or --database URL for the server",
    ),
    (
        "campaign invite",
        "--data DIR or --database URL for the server, or `partita campaign next LOG` for a campaign in a file",
    ),
    (
        "campaign delete",
        "--data DIR or --database URL for the server",
    ),
    (
        "campaign log",
        "--data DIR or --database URL for the server; a campaign in a file is its own log",
    ),
];

/// Makes values case-insensitive and adds option aliases, for a command and its subcommands.
pub(super) fn with_aliases(command: clap::Command) -> clap::Command {
    let taken: Vec<String> = (command.get_arguments())
        .flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default())
        .map(str::to_owned)
        .collect();
    let command = command.mut_args(|argument| {
        let takes_a_word = argument.get_action().takes_values();
        let argument = argument.ignore_case(takes_a_word);
        let others = OPTION_ALIASES
            .iter()
            .find(|(long, _)| argument.get_long() == Some(long));
        let others = others.into_iter().flat_map(|(_, names)| names.iter());
        argument.aliases(others.filter(|name| !taken.iter().any(|known| known == *name)))
    });
    command.mut_subcommands(with_aliases)
}

/// Returns true if the usage of an error is that of a command, such as `campaign next`.
fn is_usage_of(error: &clap::Error, command: &str) -> bool {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let usage = usage.map(|usage| usage.replace(" judge ", " campaign ") + " ");
    usage.is_some_and(|usage| usage.contains(&format!(" {command} ")))
}

/// Adds the right option to a usage error, if the wrong one is known, or the server to a command
/// that lacks it.
pub(super) fn with_suggestion(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::MissingRequiredArgument {
        let lacks_server = (error.get(ContextKind::InvalidArg))
            .is_some_and(|missing| missing.to_string().contains("--data <DIR>"));
        let tip = SERVER_ONLY_COMMANDS
            .iter()
            .find(|(command, _)| lacks_server && is_usage_of(&error, command));
        if let Some((_, right)) = tip {
            let tips = vec![StyledStr::from(format!("use {right}"))];
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
        return error;
    }
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(argument))) => argument.clone(),
        _ => return error,
    };
    let instead = SUGGESTIONS
        .iter()
        .find(|(tried, _)| unknown.split('=').next() == Some(*tried));
    let is_of = |(command, _): &&(&str, &str)| is_usage_of(&error, command);
    let by_command = match unknown.split('=').next() {
        Some("--data" | "--database") => SERVER_COMMANDS.iter().find(is_of),
        _ if unknown.starts_with('-') => None,
        _ => FILE_OPTIONS.iter().find(is_of),
    };
    // Clap's own tips (a similar spelling, or a value that begins with a dash) would mislead here.
    let tip = instead.or(by_command);
    if tip.is_some() {
        error.remove(ContextKind::SuggestedArg);
    }
    let tip = tip.map(|(_, right)| format!("use {right}"));
    let tips = tip.map(StyledStr::from).into_iter().collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}
