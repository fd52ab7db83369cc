//! Words that people try first: other spellings that are taken, and wrong ones that get the right word.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options under names that other programs have for them.
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

/// What is tried and does not exist, and what there is instead.
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
        "-m NAME@K for the first K documents, or `judge init --top K` for the best K items of a list",
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

/// Commands that take their files by an option, and which.
const FILE_OPTIONS: [(&str, &str); 6] = [
    ("truth build", "--rankings FILE, or --preferences FILE"),
    ("truth check", "--rankings FILE, or --preferences FILE"),
    ("truth study", "--rankings FILE"),
    ("judge agree", "--preferences FILE"),
    ("judge batches", "--preferences FILE"),
    ("judge init", "--candidates FILE"),
];

/// The command and all below it, with words for choices understood whatever the case of their letters, and
/// options under their other names.
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

/// The error of wrong use, with the right word where one was meant that does not exist.
pub(super) fn with_suggestion(mut error: clap::Error) -> clap::Error {
    let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(argument))) => argument.clone(),
        _ => return error,
    };
    let instead = SUGGESTIONS
        .iter()
        .find(|(tried, _)| unknown.split('=').next() == Some(*tried));
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let is_of = |command: &str| (usage.as_ref()).is_some_and(|usage| usage.contains(command));
    let by_option = (FILE_OPTIONS.iter()).find(|(command, _)| is_of(&format!("partita {command}")));
    let by_option = by_option.filter(|_| !unknown.starts_with('-'));
    // What clap suggests itself is a spelling, and helps nobody who meant something else; nor does it
    // that a value may begin with a dash.
    let tip = instead.or(by_option);
    if tip.is_some() {
        error.remove(ContextKind::SuggestedArg);
    }
    let tip = tip.map(|(_, right)| format!("use {right}"));
    let tips = tip.map(StyledStr::from).into_iter().collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}
