//! `partita judge add`: answers that came back.

use clap::Args;
use partita_formats::preferences::{self, AnswerRow, ColumnMap};
use partita_formats::{FormatError, Source, Warning};
use partita_judging::campaign::{
    Campaign, Fate, FateCount, IntakeReport, IntakeRequest, NotTaken, Submission, TakenAnswer,
};
use partita_report::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::format::{csv, word};
use super::log_file::{self, StampArgs};
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
///
/// --adopt brings in answers that were collected before the campaign or elsewhere. They may say that
/// they are of another campaign, they keep their times and batches, and they are votes on every pair
/// that is or becomes wanted, whether it was asked or not; what the campaign has already goes first,
/// and nobody has two votes on a pair. Nobody was asked for them, so they cost nothing here.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge add campaign.jsonl answers.csv\n  partita judge add campaign.jsonl Batch_1_results.csv --map query=Input.query,a=Input.a,b=Input.b,assessor=WorkerId,answer=Answer.radio,equal=s,ended=SubmitTime,id=AssignmentId\n  partita judge add campaign.jsonl answers.csv --partial --details\n  partita judge add campaign.jsonl pilot.csv --adopt"
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
    /// Bring in answers from before the campaign, or from elsewhere
    #[arg(long)]
    adopt: bool,
    #[command(flatten)]
    stamp: StampArgs,
    /// Print what became of every answer
    #[arg(long)]
    details: bool,
    /// How the report is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

/// How many refused answers are named one by one.
const NAMED: usize = 20;

/// Where a submission stands.
struct Place {
    file: String,
    line: u64,
}

pub(crate) fn run(args: &AddArgs) -> Result<(), Failure> {
    let mut session = log_file::open(&args.log)?;
    let stamp = args.stamp.stamp();
    let mut request = IntakeRequest {
        submissions: Vec::new(),
        now: stamp.at.seconds(),
        adopt: args.adopt,
    };
    let mut places: Vec<Place> = Vec::new();
    // Submissions have odd places and rows that are none even ones, so that all can be named in the
    // order of the file.
    let mut refused: Vec<(usize, FormatError)> = Vec::new();
    let map = args.map.clone().unwrap_or_default();
    for file in &args.answers {
        let source = Source::open(file)?;
        let read = preferences::read_rows(&source, &map)?;
        warn(&read.warnings);
        for row in read.rows {
            match row {
                Ok(row) => {
                    places.push(Place {
                        file: source.name().to_owned(),
                        line: row.line,
                    });
                    request.submissions.push(submission(row));
                }
                Err(error) => refused.push((2 * places.len(), error)),
            }
        }
    }
    let intake = session.campaign().intake(&request);
    for submission in &intake.refused {
        let place = &places[submission.place];
        refused.push((2 * submission.place + 1, error(place, &submission.reason)));
    }
    refused.sort_by_key(|(order, _)| *order);
    let refused: Vec<FormatError> = refused.into_iter().map(|(_, error)| error).collect();
    if !refused.is_empty() && !args.partial {
        return Err(nothing_added(&refused));
    }
    session.record(&stamp, intake.events.clone())?;
    let report = Report {
        taken: intake.report(session.campaign()),
        places,
        refused,
    };
    warn(&report.refused.iter().map(warning).collect::<Vec<_>>());
    let format = Format::chosen(args.format, &args.destination);
    args.destination
        .write(&report.text(format, args.details)?)?;
    say(&what_is_left(session.campaign(), &args.log));
    Ok(())
}

fn what_is_left(campaign: &Campaign, log: &str) -> String {
    let open = campaign.open_pairs();
    let to_come: u64 = open.iter().map(|pair| u64::from(pair.votes)).sum();
    match (to_come, campaign.next_batch().is_some()) {
        (0, false) => format!("All lists are settled: `partita judge export {log}`."),
        (0, true) => format!("There is more to ask: `partita judge next {log}`."),
        (_, true) => format!(
            "{} to come, and more to ask already: `partita judge next {log}`.",
            counted(to_come, "answer"),
        ),
        (_, false) => format!("{} to come.", counted(to_come, "answer")),
    }
}

fn submission(row: AnswerRow) -> Submission {
    Submission {
        campaign: row.campaign,
        query: row.query,
        a: row.a,
        b: row.b,
        assessor: row.assessor,
        answer: row.answer.into(),
        seconds: row.seconds,
        asked: row.time,
        ended: row.ended,
        id: row.id,
        batch: row.batch,
    }
}

/// Why an answer is not taken, with its line and what can be done.
fn error(place: &Place, reason: &NotTaken) -> FormatError {
    let error = FormatError::line(&place.file, place.line, reason.to_string());
    match reason {
        NotTaken::OtherCampaign { .. } => error.hint("add it to the log of that campaign"),
        NotTaken::NoQuery => error.hint("name it, as in `--map query=COLUMN`"),
        NotTaken::NoAssessor => error.hint("name it, as in `--map assessor=COLUMN`"),
        NotTaken::Future(_) => error.hint(
            "is its time zone missing, which then is taken for UTC? `--now TIME` says what time it is",
        ),
        NotTaken::Refused(_) => error,
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

struct Report {
    taken: IntakeReport,
    places: Vec<Place>,
    refused: Vec<FormatError>,
}

impl Report {
    /// How many rows became what.
    fn counts(&self) -> Vec<FateCount> {
        let mut counts = self.taken.flags.clone();
        if !self.refused.is_empty() {
            counts.push(FateCount {
                flag: Fate::Refused,
                answers: self.refused.len(),
            });
        }
        counts
    }

    fn text(&self, format: Form, details: bool) -> Result<String, Failure> {
        match format {
            Form::Json => Ok(format!("{:#}\n", self.json(details))),
            Form::Csv if details => {
                let header = [
                    "file", "line", "query", "a", "b", "assessor", "answer", "flag",
                ];
                csv(
                    header,
                    self.taken.answers.iter().map(|row| self.detail(row)),
                )
            }
            Form::Csv => csv(
                ["flag", "answers"],
                (self.counts().into_iter())
                    .map(|count| [count.flag.name().to_owned(), count.answers.to_string()]),
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
        for FateCount { flag, answers } in self.counts() {
            let cells = [
                Cell::text(flag.name()),
                Cell::integer(answers as i64),
                Cell::text(flag.meaning()),
            ];
            table.push(cells);
        }
        Ok(table)
    }

    fn detail(&self, answer: &TakenAnswer) -> [String; 8] {
        let place = &self.places[answer.place];
        [
            place.file.clone(),
            place.line.to_string(),
            answer.query.clone(),
            answer.a.clone(),
            answer.b.clone(),
            answer.assessor.clone(),
            word(answer.answer.answer()).to_owned(),
            answer.flag.name().to_owned(),
        ]
    }

    fn detail_table(&self) -> Result<Table, Failure> {
        let header = [
            "File", "Line", "Query", "A", "B", "Assessor", "Answer", "Flag",
        ];
        let mut table = Table::new(header.map(Column::text));
        for row in &self.taken.answers {
            table.push(self.detail(row).map(Cell::text));
        }
        Ok(table)
    }

    fn json(&self, details: bool) -> Value {
        let flags: Map<String, Value> = (self.taken.flags.iter())
            .map(|count| (count.flag.name().to_owned(), json!(count.answers)))
            .collect();
        // Votes are as they should be; with details they are named too.
        let answers = self.taken.answers.iter();
        let unusual = answers.filter(|answer| details || answer.flag.name() != "counted");
        let unusual = unusual.map(|answer| {
            let place = &self.places[answer.place];
            json!({
                "file": place.file,
                "line": place.line,
                "query": answer.query,
                "a": answer.a,
                "b": answer.b,
                "assessor": answer.assessor,
                "flag": answer.flag,
            })
        });
        let refused = self
            .refused
            .iter()
            .map(|error| json!({"file": error.file, "line": error.line, "message": error.message}));
        json!({
            "campaign": self.taken.campaign,
            "rows": self.taken.answers.len() + self.refused.len(),
            "added": self.taken.added,
            "flags": flags,
            "answers": unusual.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
        })
    }
}
