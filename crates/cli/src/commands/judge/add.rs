//! `partita judge add`: answers that came back.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use partita_formats::preferences::{self, AnswerRow, ColumnMap};
use partita_formats::{FormatError, Source, Warning};
use partita_judging::campaign::{Answered, Campaign, Event, Flag};
use partita_report::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::format::{csv, word};
use super::log_file::Writer;
use super::{counted, say};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};

/// Take in answers
///
/// Every answer goes into the log, with what became of it told apart: votes, and answers that are
/// no votes because the person had answered before, the pair has its votes, it was not asked, and
/// so on. What cannot be an answer of the campaign (an unknown query or item, an item against
/// itself, an answer outside the three, a time in the future, another campaign) is refused with
/// its line, and nothing at all is added then unless --partial says so. Adding a file again adds
/// only what is new in it.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge add campaign.jsonl answers.csv\n  partita judge add campaign.jsonl Batch_1_results.csv --map query=Input.query,a=Input.a,b=Input.b,assessor=WorkerId,answer=Answer.radio,equal=s,ended=SubmitTime,id=AssignmentId\n  partita judge add campaign.jsonl answers.csv --partial --details"
)]
pub(crate) struct AddArgs {
    /// The log of the campaign
    log: String,
    /// The answers: CSV with the columns query, a, b, assessor and answer (a, b or equal), and if
    /// they are known seconds, time, campaign and id; `-` is standard input
    #[arg(required = true)]
    answers: Vec<String>,
    /// Which column is which where the header does not say it in our words, and what the answers
    /// are called: query=COLUMN,a=COLUMN,b=COLUMN,assessor=COLUMN,answer=COLUMN,equal=WORD, and so
    /// on for first, second, seconds, time, ended, campaign and id
    #[arg(long, value_name = "OURS=THEIRS,...")]
    map: Option<ColumnMap>,
    /// Add the good answers even if some are refused
    #[arg(long)]
    partial: bool,
    /// The time after which an answer is from the future; that of the clock if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<f64>,
    /// Print what became of every answer
    #[arg(long)]
    details: bool,
    /// How the report is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// How many seconds the clocks of two machines may differ.
const SKEW: f64 = 60.0;

/// How many refused answers are named one by one.
const NAMED: usize = 20;

fn time(text: &str) -> Result<f64, String> {
    let expected = || format!("`{text}` is no time such as 2010-04-14T18:29:32Z");
    preferences::read_time(text).ok_or_else(expected)
}

/// What became of a row.
enum Fate {
    /// It is the answer with this number in the log.
    Added(usize),
    /// The very same answer was in the log.
    Repeated,
}

struct Row {
    file: String,
    line: u64,
    answered: Answered,
    fate: Fate,
}

pub(crate) fn run(args: &AddArgs) -> Result<(), Failure> {
    let now = args.now.unwrap_or_else(clock);
    let mut writer = Writer::open(&args.log)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut refused: Vec<FormatError> = Vec::new();
    let map = args.map.clone().unwrap_or_default();
    for file in &args.answers {
        let source = Source::open(file)?;
        let read = preferences::read_rows(&source, &map)?;
        warn(&read.warnings);
        for row in read.rows {
            let taken = row.and_then(|row| take(&mut writer, &source, row, now));
            match taken {
                Ok(row) => rows.push(row),
                Err(error) => refused.push(error),
            }
        }
    }
    if !refused.is_empty() && !args.partial {
        return Err(nothing_added(&refused));
    }
    writer.commit()?;
    let report = Report {
        campaign: writer.campaign(),
        flags: writer.campaign().flags(),
        rows,
        refused,
    };
    warn(&report.refused.iter().map(warning).collect::<Vec<_>>());
    let format = Format::chosen(args.format, &args.destination);
    args.destination
        .write(&report.text(format, args.details)?)?;
    let open = writer.campaign().open_pairs();
    let to_come: u64 = open.iter().map(|pair| u64::from(pair.votes)).sum();
    let more = writer.campaign().next_batch().is_some();
    say(&match (to_come, more) {
        (0, false) => format!(
            "All lists are settled: `partita judge export {}`.",
            args.log
        ),
        (0, true) => format!("There is more to ask: `partita judge next {}`.", args.log),
        (_, true) => format!(
            "{} to come, and more to ask already: `partita judge next {}`.",
            counted(to_come, "answer"),
            args.log
        ),
        (_, false) => format!("{} to come.", counted(to_come, "answer")),
    });
    Ok(())
}

/// Seconds since 1970.
fn clock() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// Takes one row in, to be written later.
fn take(
    writer: &mut Writer<'_>,
    source: &Source,
    row: AnswerRow,
    now: f64,
) -> Result<Row, FormatError> {
    let line = row.line;
    let error = |message: String| FormatError::line(source.name(), line, message);
    let settings = writer.campaign().settings();
    if let Some(other) = row.campaign.filter(|name| *name != settings.campaign) {
        let message = format!(
            "this answer is of the campaign `{other}`, not of `{}`",
            settings.campaign
        );
        return Err(error(message).hint("add it to the log of that campaign"));
    }
    let query = match (row.query, &settings.lists[..]) {
        (Some(query), _) => query,
        (None, [only]) => only.query.clone(),
        (None, _) => {
            let message = "no column says which query the answer is about".to_owned();
            return Err(error(message).hint("name it, as in `--map query=COLUMN`"));
        }
    };
    let Some(assessor) = row.assessor else {
        let message =
            "no column says who answered, so that nobody could be asked only once".to_owned();
        return Err(error(message).hint("name it, as in `--map assessor=COLUMN`"));
    };
    let time = row.ended.or(row.time);
    let latest = [row.time, row.ended]
        .into_iter()
        .flatten()
        .fold(f64::MIN, f64::max);
    if latest > now + SKEW {
        let message = format!(
            "the answer is from the future, by {}",
            duration(latest - now)
        );
        return Err(error(message).hint(
            "is its time zone missing, which then is taken for UTC? `--now TIME` says what time it is",
        ));
    }
    let answered = Answered {
        seconds: row.seconds,
        time,
        id: row.id,
        ..Answered::new(&query, &row.a, &row.b, &assessor, row.answer)
    };
    let repeated = writer.campaign().is_repeated(&answered);
    let fate = match repeated.map_err(|refusal| error(refusal.to_string()))? {
        true => Fate::Repeated,
        false => {
            let number = writer.campaign().answers();
            let event = Event::Answered(answered.clone());
            writer
                .stage(&event)
                .map_err(|refusal| error(refusal.to_string()))?;
            Fate::Added(number)
        }
    };
    Ok(Row {
        file: source.name().to_owned(),
        line,
        answered,
        fate,
    })
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

fn warning(error: &FormatError) -> Warning {
    Warning {
        file: error.file.clone(),
        line: error.line,
        message: format!("refused: {}", error.message),
    }
}

fn nothing_added(refused: &[FormatError]) -> Failure {
    let count = counted(refused.len() as u64, "answer");
    let mut message = format!("nothing was added, since {count} cannot be taken:");
    for error in refused.iter().take(NAMED) {
        message.push_str(&format!("\n  {error}"));
    }
    if refused.len() > NAMED {
        message.push_str(&format!("\n  and {} more", refused.len() - NAMED));
    }
    let first = refused.iter().find_map(|error| error.hint.as_deref());
    let others = "`--partial` adds the others";
    Failure::input(message).hint(match first {
        Some(hint) => format!("{hint}; {others}"),
        None => others.to_owned(),
    })
}

struct Report<'a> {
    campaign: &'a Campaign,
    flags: Vec<Flag>,
    rows: Vec<Row>,
    refused: Vec<FormatError>,
}

impl Report<'_> {
    fn fate(&self, row: &Row) -> &'static str {
        match row.fate {
            Fate::Added(number) => self.flags[number].name(),
            Fate::Repeated => "repeated",
        }
    }

    /// How many rows became what, with what that means.
    fn counts(&self) -> Vec<(&'static str, usize, &'static str)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in &self.rows {
            *counts.entry(self.fate(row)).or_insert(0) += 1;
        }
        let mut kinds: Vec<(&'static str, &'static str)> = (Flag::ALL.iter())
            .map(|flag| (flag.name(), flag.meaning()))
            .collect();
        kinds.push((
            "repeated",
            "the very same answer was in the log, and is not written again",
        ));
        let counted = kinds.into_iter().filter_map(|(name, meaning)| {
            let count = counts.get(name).copied().filter(|&count| count > 0)?;
            Some((name, count, meaning))
        });
        let refused = (!self.refused.is_empty()).then_some((
            "refused",
            self.refused.len(),
            "named above, and not in the log",
        ));
        counted.chain(refused).collect()
    }

    fn text(&self, format: Form, details: bool) -> Result<String, Failure> {
        match format {
            Form::Json => Ok(format!("{:#}\n", self.json(details))),
            Form::Csv if details => {
                let header = [
                    "file", "line", "query", "a", "b", "assessor", "answer", "flag",
                ];
                csv(header, self.rows.iter().map(|row| self.detail(row)))
            }
            Form::Csv => csv(
                ["flag", "answers"],
                (self.counts().into_iter())
                    .map(|(name, count, _)| [name.to_owned(), count.to_string()]),
            ),
            Form::Table(tables) => {
                let mut text = tables.render(&self.table()?);
                if details {
                    text.push('\n');
                    text.push_str(&tables.render(&self.detail_table()?));
                }
                Ok(text)
            }
        }
    }

    fn table(&self) -> Result<Table, Failure> {
        let columns = [
            Column::text("Flag"),
            Column::integer("Answers"),
            Column::text("Meaning"),
        ];
        let mut table = Table::new(columns);
        for (name, count, meaning) in self.counts() {
            let cells = [
                Cell::text(name),
                Cell::integer(count as i64),
                Cell::text(meaning),
            ];
            table.push(cells);
        }
        Ok(table)
    }

    fn detail(&self, row: &Row) -> [String; 8] {
        let answered = &row.answered;
        [
            row.file.clone(),
            row.line.to_string(),
            answered.query.clone(),
            answered.a.clone(),
            answered.b.clone(),
            answered.assessor.clone(),
            word(answered.answer.answer()).to_owned(),
            self.fate(row).to_owned(),
        ]
    }

    fn detail_table(&self) -> Result<Table, Failure> {
        let header = [
            "File", "Line", "Query", "A", "B", "Assessor", "Answer", "Flag",
        ];
        let mut table = Table::new(header.map(Column::text));
        for row in &self.rows {
            table.push(self.detail(row).map(Cell::text));
        }
        Ok(table)
    }

    fn json(&self, details: bool) -> Value {
        let flags: Map<String, Value> = (self.counts().into_iter())
            .filter(|(name, ..)| *name != "refused")
            .map(|(name, count, _)| (name.to_owned(), json!(count)))
            .collect();
        let added = self
            .rows
            .iter()
            .filter(|row| matches!(row.fate, Fate::Added(_)));
        // Votes are as they should be; with details they are named too.
        let unusual = self
            .rows
            .iter()
            .filter(|row| details || self.fate(row) != "counted");
        let unusual = unusual.map(|row| {
            json!({
                "file": row.file,
                "line": row.line,
                "query": row.answered.query,
                "a": row.answered.a,
                "b": row.answered.b,
                "assessor": row.answered.assessor,
                "flag": self.fate(row),
            })
        });
        let refused = self
            .refused
            .iter()
            .map(|error| json!({"file": error.file, "line": error.line, "message": error.message}));
        json!({
            "campaign": self.campaign.settings().campaign,
            "rows": self.rows.len() + self.refused.len(),
            "added": added.count(),
            "flags": flags,
            "answers": unusual.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }
}
