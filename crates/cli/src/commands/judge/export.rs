//! `partita judge export`: the lists of a campaign, or its answers.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use partita_core::{GroundTruth, Judged, Scale};
use partita_formats::Warning;
use partita_formats::truth::{self, TruthFormat};
use partita_judging::campaign::{Campaign, Flag, Progress};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::decide::asked_lists;
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
    /// With JSON: which lists are unfinished, and how well each foretells held-out votes
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
    let mut lists = asked_lists(&campaign, &args.query)?;
    if args.settled {
        lists.retain(|&list| campaign.is_list_settled(list));
    }
    if let Some(which) = args.answers {
        return args.destination.write(&answers(&campaign, &lists, which)?);
    }
    if let Some(format) = args.pairs {
        return args
            .destination
            .write(&pairs(&campaign, &lists, format, &args.log)?);
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
    warn_of_unfinished(&campaign, &lists, &args.log);
    let text = match format {
        Format::Table => table(&campaign, &lists)?,
        Format::Json if args.details => format!("{:#}\n", details(&campaign, &lists)),
        Format::Json => truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Json)?,
        Format::Csv | Format::Groups => {
            truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Groups)?
        }
        Format::Notation => truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Notation)?,
        Format::Qrels => truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Qrels)?,
        Format::Gains => truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Gains)?,
        Format::Preflib => truth::write(&ground_truth(&campaign, &lists)?, TruthFormat::Preflib)?,
    };
    args.destination.write(&text)
}

fn unfinished<'a>(campaign: &'a Campaign, lists: &[usize]) -> Vec<&'a str> {
    let open = lists
        .iter()
        .filter(|&&list| !campaign.is_list_settled(list));
    open.map(|&list| campaign.query_name(list)).collect()
}

fn warn_of_unfinished(campaign: &Campaign, lists: &[usize], file: &str) {
    let names = unfinished(campaign, lists);
    if names.is_empty() {
        return;
    }
    let shown: Vec<&str> = names.iter().copied().take(10).collect();
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

fn ground_truth(campaign: &Campaign, lists: &[usize]) -> Result<GroundTruth, Failure> {
    let mut judged = Vec::with_capacity(lists.len());
    for &list in lists {
        let groups = campaign.list(list);
        let list = (
            campaign.query_name(list).to_owned(),
            Judged::of_groups(groups.iter()).map_err(Failure::ours)?,
        );
        judged.push(list);
    }
    GroundTruth::new(Scale::Groups, judged).map_err(Failure::ours)
}

fn table(campaign: &Campaign, lists: &[usize]) -> Result<String, Failure> {
    let columns = [Column::integer("Group"), Column::text("Items")];
    let mut table = Table::new(columns);
    for &list in lists {
        let heading = match campaign.is_list_settled(list) {
            true => campaign.query_name(list).to_owned(),
            false => format!("{} (not settled yet)", campaign.query_name(list)),
        };
        table.push_heading(heading);
        for (group, items) in (1..).zip(campaign.list(list)) {
            let cells = [Cell::integer(group), Cell::text(items.join(", "))];
            table.push(cells);
        }
    }
    Ok(TableFormat::Text.render(&table))
}

fn details(campaign: &Campaign, lists: &[usize]) -> Value {
    let of_each = |part: &dyn Fn(usize) -> Value| -> Value {
        let parts = lists
            .iter()
            .map(|&list| (campaign.query_name(list).to_owned(), part(list)));
        Value::Object(parts.collect::<Map<String, Value>>())
    };
    let settings = campaign.settings();
    json!({
        "campaign": settings.campaign,
        "seed": settings.seed,
        "votes": settings.votes,
        "decide": settings.decide,
        "alpha": settings.alpha,
        "strategy": settings.strategy,
        "lists": of_each(&|list| json!(campaign.list(list))),
        "unfinished": unfinished(campaign, lists),
        "answers": campaign.flag_counts(),
        "held_out": campaign.quality(),
        "held_out_by_query": of_each(&|list| json!(campaign.quality_of(list))),
    })
}

fn answers(campaign: &Campaign, lists: &[usize], which: Answers) -> Result<String, Failure> {
    let header = [
        "campaign", "id", "query", "a", "b", "assessor", "answer", "seconds", "time", "flag",
    ];
    let name = &campaign.settings().campaign;
    let wanted: Vec<&str> = lists
        .iter()
        .map(|&list| campaign.query_name(list))
        .collect();
    let all = lists.len() == campaign.lists();
    let states = campaign.answer_states().into_iter().filter(|state| {
        let counted = matches!(state.flag, Flag::Counted | Flag::HeldOut);
        (which == Answers::All || counted) && (all || wanted.contains(&state.query.as_str()))
    });
    csv(
        header,
        states.map(|state| {
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
                state.flag.name().to_owned(),
            ]
        }),
    )
}

fn pairs(
    campaign: &Campaign,
    lists: &[usize],
    format: Pairs,
    file: &str,
) -> Result<String, Failure> {
    let mut equal = 0;
    let mut rows: Vec<[String; 4]> = Vec::new();
    for &list in lists {
        let query = campaign.query_name(list);
        let decided = campaign.pair_states(list).into_iter();
        for pair in decided.filter(|pair| pair.state == Progress::Decided) {
            let winner = match (pair.relation, format) {
                (Some("less"), Pairs::LeftRight) => "left".to_owned(),
                (Some("greater"), Pairs::LeftRight) => "right".to_owned(),
                (_, Pairs::LeftRight) => "tie".to_owned(),
                (Some("less"), Pairs::Winner) => pair.a.clone(),
                (Some("greater"), Pairs::Winner) => pair.b.clone(),
                (_, Pairs::Winner) => {
                    equal += 1;
                    continue;
                }
            };
            rows.push([query.to_owned(), pair.a, pair.b, winner]);
        }
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
