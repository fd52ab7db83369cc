//! `partita judge agree`: answers and the decisions of others against each other.

use std::collections::HashMap;

use clap::{ArgGroup, Args, ValueEnum};
use partita_core::truth::{Alpha, Evidence};
use partita_core::{GroundTruth, Item, Preference, Preferences, QueryPreferences};
use partita_formats::preferences::{ColumnMap, PreferencesFile};
use partita_formats::{Source, Warning, truth};
use partita_judging::{
    CrossTable, Crossed, Relation, Rule, cross_answers, cross_decisions, pair_votes,
};
use partita_report::{Align, Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::format::{csv, number};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::notes::render;
use crate::output::{Destination, warn};
use crate::preferences::PreferencesArgs;
use crate::rankings::{RankingsArgs, level};
use crate::reading::TruthArgs;

/// Put the decisions on pairs beside those of others
///
/// Others are a ground truth, the answers of other people (or the same by another rule), or many
/// people's rankings, whose pairs are decided by Mann-Whitney tests, one-tailed both ways, of the
/// ranks. The table counts how often they say one thing (rows) and the answers another (columns); the
/// score is 1 for the same, a half where one of the two says equal, and 0 for the opposite (Urbano,
/// Morato, Marrero and Martín 2010, Tables 3 to 6).
///
/// With --single or --by, every single answer counts instead of the decision on its pair, in one
/// table for each class of answers.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("others").required(true).args(["against", "against_preferences", "rankings"]),
    mut_arg("preferences", |preferences| preferences.required(true)),
    mut_arg("rankings", |rankings| rankings
        .long("against-rankings")
        .short(None)
        .required(false)
        .help("Many people's rankings of the same items"))
)]
pub(crate) struct AgreeArgs {
    #[command(flatten)]
    preferences: PreferencesArgs,
    /// A ground truth of the same items: an item of an earlier group is less
    #[arg(long, value_name = "FILE")]
    against: Option<String>,
    /// Answers of other people, or the same answers for another rule
    #[arg(long, value_name = "FILE")]
    against_preferences: Option<String>,
    /// Which column is which in --against-preferences; as --map if not given
    #[arg(long, value_name = "OURS=THEIRS,...", requires = "against_preferences")]
    against_map: Option<ColumnMap>,
    /// How the votes in --against-preferences decide a pair; as --decide if not given
    #[arg(long, value_name = "RULE", requires = "against_preferences")]
    against_decide: Option<Rule>,
    #[command(flatten)]
    rankings: RankingsArgs,
    /// The significance level of the tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// The level of the tests of others; as --alpha if not given
    #[arg(long, value_name = "LEVEL")]
    against_alpha: Option<f64>,
    /// Count every single answer instead of the decision on its pair
    #[arg(long)]
    single: bool,
    /// Count every single answer, in one table for each class
    #[arg(long, value_enum, value_name = "CLASS")]
    by: Option<Class>,
    #[command(flatten)]
    truth_reading: TruthArgs,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge agree --preferences answers.csv --against experts.txt
  partita judge agree --preferences answers.csv --against-rankings rankings.csv --by background
  partita judge agree --preferences crowd.csv --against-preferences experts.csv --format latex
  partita judge agree --preferences answers.csv --against-preferences answers.csv --against-decide sign";

/// What tells answers apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Class {
    /// What assessors say of their background: none, some or unknown
    Background,
    /// The same in their own words
    Words,
    /// Who answered
    Assessor,
    /// The query
    Query,
    /// The batch
    Batch,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Words => "words",
            Self::Assessor => "assessor",
            Self::Query => "query",
            Self::Batch => "batch",
        }
    }
}

/// What others say of pairs.
enum Others {
    Truth(GroundTruth),
    /// For each query, how the one relates to the other by the names of its items.
    Decided(HashMap<String, HashMap<(String, String), Relation>>),
    /// For each query, the names of its items and the tests of their ranks.
    Tested(HashMap<String, (partita_core::Names, Evidence)>),
}

impl Others {
    fn relation(&self, query: &QueryPreferences, a: Item, b: Item) -> Option<Relation> {
        let [a, b] = [a, b].map(|item| query.items().name(item));
        match self {
            Self::Truth(truth) => {
                let judged = truth.judged(truth.query(query.name())?);
                let group = |name| judged.group(judged.names().get(name)?);
                Some(match group(a)?.cmp(&group(b)?) {
                    std::cmp::Ordering::Less => Relation::Less,
                    std::cmp::Ordering::Equal => Relation::Equal,
                    std::cmp::Ordering::Greater => Relation::Greater,
                })
            }
            Self::Decided(queries) => {
                let pairs = queries.get(query.name())?;
                let there = |a: &str, b: &str| pairs.get(&(a.to_owned(), b.to_owned()));
                let mirrored = || Some(there(b, a)?.mirrored());
                there(a, b).copied().or_else(mirrored)
            }
            Self::Tested(queries) => {
                let (names, evidence) = queries.get(query.name())?;
                let verdict = evidence.comparisons().verdict(names.get(a)?, names.get(b)?);
                match (verdict.untestable, verdict.less, verdict.greater) {
                    (true, ..) => None,
                    (_, true, _) => Some(Relation::Less),
                    (_, _, true) => Some(Relation::Greater),
                    _ => Some(Relation::Equal),
                }
            }
        }
    }
}

pub(crate) fn run(args: &AgreeArgs) -> Result<(), Failure> {
    let alpha = level("--alpha", args.alpha)?;
    let their_alpha = level("--against-alpha", args.against_alpha.unwrap_or(args.alpha))?;
    let ours = args.preferences.file()?;
    let inputs = [
        ours == "-",
        args.against.as_deref() == Some("-"),
        args.against_preferences.as_deref() == Some("-"),
        args.rankings.is_standard_input(),
    ];
    if inputs.into_iter().filter(|&input| input).count() > 1 {
        return Err(Failure::input("only one file can be standard input"));
    }
    let file = args.preferences.read(ours)?;
    warn(&file.warnings);
    let (others, kind) = others(args, their_alpha)?;
    let rule = args.preferences.rule(alpha);
    let preferences = &file.preferences;
    let theirs = |query: &QueryPreferences, a: Item, b: Item| others.relation(query, a, b);
    let tables = match (args.by, args.single) {
        (None, false) => vec![(String::new(), cross_decisions(preferences, rule, theirs))],
        (None, true) => cross_answers(preferences, theirs, |_, _| String::new()),
        (Some(class), _) => {
            let mut tables = cross_answers(preferences, theirs, |query, given| {
                class_of(class, &file, query, given)
            });
            // By numbers where classes are numbers, else by words.
            tables.sort_by(
                |(a, _), (b, _)| match (a.parse::<u64>(), b.parse::<u64>()) {
                    (Ok(a), Ok(b)) => a.cmp(&b),
                    _ => a.cmp(b),
                },
            );
            tables
        }
    };
    warn(&remarks(ours, &tables, args)?);
    let result = Tables {
        args,
        kind,
        preferences,
        tables,
    };
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(format) => result.print(format)?,
        Form::Json => result.json(rule),
        _ => result.csv()?,
    };
    args.destination.write(&text)
}

fn others(args: &AgreeArgs, alpha: Alpha) -> Result<(Others, &'static str), Failure> {
    if let Some(file) = &args.against {
        let read = truth::read(&Source::open(file)?, &args.truth_reading.options())?;
        warn(&read.warnings);
        return Ok((Others::Truth(read.truth), "truth"));
    }
    if let Some(name) = &args.against_preferences {
        let read = match &args.against_map {
            Some(map) => args.preferences.read_by(name, map.clone())?,
            None => args.preferences.read(name)?,
        };
        warn(&read.warnings);
        let rule = match args.against_decide {
            Some(rule) => rule.at(alpha),
            None => args.preferences.rule(alpha),
        };
        let queries = read.preferences.queries().iter().map(|query| {
            let name = |item: Item| query.items().name(item).to_owned();
            let pairs = pair_votes(query).into_iter();
            let pairs = pairs.map(|pair| ((name(pair.a), name(pair.b)), rule.decide(pair.votes)));
            (query.name().to_owned(), pairs.collect())
        });
        return Ok((Others::Decided(queries.collect()), "preferences"));
    }
    let (queries, warnings) = args.rankings.read()?;
    warn(&warnings);
    let reading = args.rankings.reading();
    let tested = queries.into_iter().map(|query| {
        let evidence = Evidence::new(&query.rankings, alpha, reading);
        (query.name, (query.rankings.items().clone(), evidence))
    });
    Ok((Others::Tested(tested.collect()), "rankings"))
}

/// What there is to say of pairs that others do not know.
fn remarks(
    file: &str,
    tables: &[(String, Crossed)],
    args: &AgreeArgs,
) -> Result<Vec<Warning>, Failure> {
    let counted: usize = tables
        .iter()
        .map(|(_, crossed)| crossed.table.total())
        .sum();
    let unknown: usize = tables.iter().map(|(_, crossed)| crossed.unknown).sum();
    let what = match args.single || args.by.is_some() {
        true => "answers",
        false => "pairs",
    };
    if counted == 0 {
        let message = format!("{file}: others say nothing of any of the {unknown} {what}");
        return Err(Failure::input(message).hint("both must call queries and items alike"));
    }
    let remark = |unknown| Warning {
        file: file.to_owned(),
        line: None,
        message: format!("{what} that do not count, since others say nothing of them: {unknown}"),
    };
    Ok((unknown > 0).then(|| remark(unknown)).into_iter().collect())
}

/// The class of an answer.
fn class_of(
    class: Class,
    file: &PreferencesFile,
    query: &QueryPreferences,
    given: &Preference,
) -> String {
    let said = || file.backgrounds[given.assessor.index()].as_deref();
    match class {
        Class::Background => background(said()).to_owned(),
        Class::Words => said().unwrap_or("unknown").to_owned(),
        Class::Assessor => file.preferences.assessors().name(given.assessor).to_owned(),
        Class::Query => query.name().to_owned(),
        Class::Batch => {
            let record = file.batches.get(given.batch);
            record.map_or_else(|| (given.batch + 1).to_string(), |batch| batch.name.clone())
        }
    }
}

/// What somebody's words on his background amount to. A text that begins with a no says that there is
/// none; whatever else is said says that there is some, so remarks of another kind do as well.
fn background(said: Option<&str>) -> &'static str {
    let Some(said) = said.map(str::trim).filter(|said| !said.is_empty()) else {
        return "unknown";
    };
    let lower = said.to_lowercase();
    let first = lower
        .split(|c: char| !c.is_alphanumeric() && c != '/')
        .next();
    match first {
        Some("no" | "none" | "not" | "nothing" | "never" | "nil" | "n/a" | "na" | "0") => "none",
        _ => "some",
    }
}

/// The tables, with what they were made of.
struct Tables<'r> {
    args: &'r AgreeArgs,
    kind: &'static str,
    preferences: &'r Preferences,
    tables: Vec<(String, Crossed)>,
}

impl Tables<'_> {
    fn is_single(&self) -> bool {
        self.args.single || self.args.by.is_some()
    }

    fn print(&self, format: TableFormat) -> Result<String, Failure> {
        let mut texts = Vec::new();
        for (class, crossed) in &self.tables {
            let cross = &crossed.table;
            let totals = Relation::ALL.map(|ours| {
                let name = capital(ours.name());
                Column::text(format!("{name} ({})", cross.column_total(ours))).align(Align::Right)
            });
            let columns = [Column::text("Others \\ answers")]
                .into_iter()
                .chain(totals);
            let mut table = Table::new(columns);
            if let Some(by) = self.args.by {
                table = table.with_caption(format!("{}: {class}", capital(by.name())));
            }
            for theirs in Relation::ALL {
                let name = capital(theirs.name());
                let first = Cell::text(format!("{name} ({})", cross.row_total(theirs)));
                let cells = Relation::ALL.map(|ours| {
                    let count = cross.count(theirs, ours);
                    match cross.row_share(theirs, ours) {
                        Some(share) => Cell::text(format!("{count} ({:.0}%)", 100.0 * share)),
                        None => Cell::text(count.to_string()),
                    }
                });
                table.push([first].into_iter().chain(cells));
            }
            texts.push(render(table, &[summary(cross)], format));
        }
        Ok(texts.join("\n"))
    }

    fn csv(&self) -> Result<String, Failure> {
        let header = ["class", "others", "answers", "count", "row_share"];
        let mut rows = Vec::new();
        for (class, crossed) in &self.tables {
            for theirs in Relation::ALL {
                for ours in Relation::ALL {
                    rows.push([
                        class.clone(),
                        theirs.name().to_owned(),
                        ours.name().to_owned(),
                        crossed.table.count(theirs, ours).to_string(),
                        number(crossed.table.row_share(theirs, ours)),
                    ]);
                }
            }
        }
        csv(header, rows)
    }

    fn json(&self, rule: Rule) -> String {
        let tables = self.tables.iter().map(|(class, crossed)| {
            let cross = &crossed.table;
            let row = |theirs: Relation| -> Value {
                let cells = Relation::ALL
                    .iter()
                    .map(|&ours| (ours.name().to_owned(), json!(cross.count(theirs, ours))));
                Value::Object(cells.collect::<Map<String, Value>>())
            };
            let counts = Relation::ALL.map(|theirs| (theirs.name().to_owned(), row(theirs)));
            json!({
                "class": self.args.by.map(|_| class),
                "counts": Value::Object(counts.into_iter().collect()),
                "total": cross.total(),
                "unknown": crossed.unknown,
                "full": cross.full(),
                "partial": cross.partial(),
                "none": cross.none(),
                "score": cross.score(),
            })
        });
        let value = json!({
            "decide": rule.to_string(),
            "alpha": rule.alpha().map(|alpha| alpha.value()),
            "against": self.kind,
            "against_alpha": self.args.against_alpha.unwrap_or(self.args.alpha),
            "counted": if self.is_single() { "answers" } else { "pairs" },
            "by": self.args.by.map(Class::name),
            "assessors": self.preferences.assessors().len(),
            "tables": tables.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

/// How far both agree, in a sentence.
fn summary(cross: &CrossTable) -> String {
    let total = cross.total().max(1) as f64;
    let part = |count: usize| format!("{count} ({:.0}%)", 100.0 * count as f64 / total);
    let score = cross.score().map(|score| format!("{score:.3}"));
    format!(
        "{} agree in full, {} in part, {} not at all: {}.",
        part(cross.full()),
        part(cross.partial()),
        part(cross.none()),
        score.unwrap_or_else(|| "none counted".to_owned())
    )
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::background;

    #[test]
    fn a_no_is_no_background_and_anything_else_is_some() {
        for said in [
            "no",
            "No.",
            "No background of note.",
            " none ",
            "n/a",
            "Nothing",
        ] {
            assert_eq!(background(Some(said)), "none", "{said}");
        }
        for said in ["I was a pianist for 8 years", "Notation class", "choir"] {
            assert_eq!(background(Some(said)), "some", "{said}");
        }
        assert_eq!(background(None), "unknown");
        assert_eq!(background(Some("  ")), "unknown");
    }
}
