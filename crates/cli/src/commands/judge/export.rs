//! `partita judge export`: the lists of a campaign, or its answers.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use partita_formats::Warning;
use partita_formats::truth::{self, TruthFormat};
use partita_judging::Relation;
use partita_judging::campaign::{
    AnswerState, Campaign, DecidedPair, ExportRequest, ExportedLists, Refusal,
};
use partita_report::{Cell, Column, Table, TableFormat};

use super::format::{csv, number, word};
use super::log_file;
use crate::failure::Failure;
use crate::output::{Destination, warn};

/// Write the lists of a campaign as a ground truth, or its answers or decisions
///
/// Lists that are not settled yet are written as they are now, with a warning.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge export campaign.jsonl > truth.csv\n  partita judge export campaign.jsonl --settled --format qrels\n  partita judge export campaign.jsonl --answers counted > votes.csv\n  partita judge export campaign.jsonl --pairs winner > pairs.txt"
)]
pub(crate) struct ExportArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// Only these queries
    #[arg(long, value_name = "NAME")]
    query: Vec<String>,
    /// Only lists that are settled
    #[arg(long)]
    settled: bool,
    /// Write the answers instead, as CSV with what became of each; only those that are votes if it
    /// is `counted`
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, default_missing_value = "all", conflicts_with_all = ["pairs", "format", "details"])]
    answers: Option<Answers>,
    /// Write the decided pairs instead, as other programs read them
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["format", "details"])]
    pairs: Option<Pairs>,
    /// With JSON: which lists are unfinished, and how well each predicts held-out votes
    #[arg(long)]
    details: bool,
    /// How the lists are written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// Which answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answers {
    /// Everything that is in the log
    All,
    /// Only votes, held-out ones included
    Counted,
}

/// How decided pairs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Pairs {
    /// topic a b winner, without pairs that are equal (Clarke, Vtyurina and Smucker 2021)
    Winner,
    /// query,left,right,winner: the winner is left, right or tie
    LeftRight,
}

/// How lists are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a person
    Table,
    /// query,item,group
    Csv,
    /// {"query": [["a", "b"], ["c"]]}
    Json,
    /// query,item,group: as csv
    Groups,
    /// query: (a, b), (c)
    Notation,
    /// query 0 item grade: a higher grade is better
    Qrels,
    /// query,item,gain: a higher gain is better
    Gains,
    /// PrefLib's .toc, of one query
    Preflib,
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let request = ExportRequest {
        queries: args.query.clone(),
        settled: args.settled,
    };
    let unknown = |error: Refusal| Failure::input(error.to_string());
    if let Some(which) = args.answers {
        let mut answers = campaign.exported_answers(&request).map_err(unknown)?;
        answers.retain(|state| which == Answers::All || state.flag.is_vote());
        return args.destination.write(&answers_csv(&campaign, answers)?);
    }
    if let Some(format) = args.pairs {
        let decided = campaign.decided_pairs(&request).map_err(unknown)?;
        return args.destination.write(&pairs(decided, format, &args.log)?);
    }
    let default = match args.destination.is_terminal() {
        true => Format::Table,
        false => Format::Csv,
    };
    let format = args.format.unwrap_or(default);
    if args.details && format != Format::Json {
        return Err(
            Failure::input("--details can be written as JSON only").hint("say `--format json`")
        );
    }
    let lists = campaign.export(&request).map_err(unknown)?;
    warn_of_unfinished(&lists.unfinished, &args.log);
    let written = |format| truth::write(&lists.ground_truth(), format);
    let text = match format {
        Format::Table => table(&lists)?,
        Format::Json if args.details => {
            serde_json::to_string_pretty(&lists).map_err(Failure::ours)? + "\n"
        }
        Format::Json => written(TruthFormat::Json)?,
        Format::Csv | Format::Groups => written(TruthFormat::Groups)?,
        Format::Notation => written(TruthFormat::Notation)?,
        Format::Qrels => written(TruthFormat::Qrels)?,
        Format::Gains => written(TruthFormat::Gains)?,
        Format::Preflib => written(TruthFormat::Preflib)?,
    };
    args.destination.write(&text)
}

fn warn_of_unfinished(names: &[String], file: &str) {
    if names.is_empty() {
        return;
    }
    let shown: Vec<&str> = names.iter().map(String::as_str).take(10).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    warn(&[Warning {
        file: file.to_owned(),
        line: None,
        message: format!(
            "lists that are not settled yet, written as they are now: {}{more}; `--settled` leaves them out",
            shown.join(", ")
        ),
    }]);
}

fn table(lists: &ExportedLists) -> Result<String, Failure> {
    let columns = [Column::integer("Group"), Column::text("Items")];
    let mut table = Table::new(columns);
    for (query, groups) in &lists.lists.0 {
        table.push_heading(if lists.unfinished.contains(query) {
            format!("{query} (not settled yet)")
        } else {
            query.clone()
        });
        for (group, items) in (1..).zip(groups) {
            table.push([Cell::integer(group), Cell::text(items.join(", "))]);
        }
    }
    Ok(TableFormat::Text.render(&table))
}

fn answers_csv(campaign: &Campaign, states: Vec<AnswerState>) -> Result<String, Failure> {
    let header = [
        "campaign", "id", "query", "a", "b", "assessor", "answer", "seconds", "time", "batch",
        "flag",
    ];
    let name = &campaign.settings().campaign;
    csv(
        header,
        states.into_iter().map(|state| {
            [
                name.clone(),
                state.id.unwrap_or_default(),
                state.query,
                state.a,
                state.b,
                state.assessor,
                word(state.answer.answer()).to_owned(),
                number(state.seconds),
                number(state.time),
                state.batch,
                state.flag.name().to_owned(),
            ]
        }),
    )
}

fn pairs(decided: Vec<DecidedPair>, format: Pairs, file: &str) -> Result<String, Failure> {
    let mut equal = 0;
    let mut rows: Vec<[String; 4]> = Vec::new();
    for pair in decided {
        let winner = match (pair.relation, format) {
            (Relation::Less, Pairs::LeftRight) => "left".to_owned(),
            (Relation::Greater, Pairs::LeftRight) => "right".to_owned(),
            (Relation::Equal, Pairs::LeftRight) => "tie".to_owned(),
            (Relation::Less, Pairs::Winner) => pair.a.clone(),
            (Relation::Greater, Pairs::Winner) => pair.b.clone(),
            (Relation::Equal, Pairs::Winner) => {
                equal += 1;
                continue;
            }
        };
        rows.push([pair.query, pair.a, pair.b, winner]);
    }
    if equal > 0 {
        let message =
            format!("equal pairs that have no place in this format and are left out: {equal}");
        let _ = writeln!(io::stderr(), "warning: {file}: {message}");
    }
    match format {
        Pairs::LeftRight => csv(["query", "left", "right", "winner"], rows),
        Pairs::Winner => {
            let odd = rows
                .iter()
                .flatten()
                .find(|name| name.contains(char::is_whitespace));
            if let Some(name) = odd {
                let message =
                    format!("the name `{name}` has blanks and cannot stand in a file of blanks");
                return Err(Failure::input(message).hint("say `--pairs left-right`"));
            }
            Ok(rows.iter().map(|row| row.join(" ") + "\n").collect())
        }
    }
}
