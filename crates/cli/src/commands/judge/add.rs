//! `partita judge add`: answers that came back.

use clap::Args;
use partita_core::{AnswerRow, Place};
use partita_formats::preferences::{self, ColumnMap};
use partita_formats::{Code, FormatError, Problem, Remedy, Source, Warning, problem};
use partita_judging::campaign::{Campaign, IntakeRequest, Kind, NotTaken, RefusedRow};
use partita_report::judging::IntakeView;
use partita_stats::named::Named;

use super::log_file::{self, StampArgs, WaitArgs};
use super::{counted, judgments, say};
use crate::failure::{Failure, in_flags};
use crate::preferences::column_map;
use crate::show::{ShowArgs, named};

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
    after_help = "Examples:\n  partita judge add campaign.jsonl answers.csv\n  partita judge add campaign.jsonl Batch_1_results.csv --map mturk\n  partita judge add campaign.jsonl answers.csv --partial --details\n  partita judge add campaign.jsonl pilot.csv --adopt\n  partita judge add campaign.jsonl grades.csv --kind grading"
)]
pub(crate) struct AddArgs {
    /// The log of the campaign
    pub(super) log: String,
    /// The answers: sheets of `partita judge next` that were filled in, or CSV with the columns query,
    /// a, b, assessor and answer (a, b or equal), and if they are known seconds, time, campaign and id;
    /// `-` is standard input
    #[arg(required = true)]
    pub(super) answers: Vec<String>,
    /// Which column is which where the header does not say it in our words, and what the answers
    /// are called: `mturk` for results of Mechanical Turk, `@FILE` for a file of such lines, or
    /// query=COLUMN,a=COLUMN,b=COLUMN,assessor=COLUMN,answer=COLUMN,equal=WORD, and so on for first,
    /// second, seconds, time, ended, campaign and id
    #[arg(long, value_name = "MAP", value_parser = column_map)]
    map: Option<ColumnMap>,
    /// Add the good answers even if some are refused
    #[arg(long)]
    pub(super) partial: bool,
    /// Bring in answers from before the campaign, or from elsewhere
    #[arg(long)]
    adopt: bool,
    /// What the files hold: preference (answers), ranking (rankings, in any format that `partita truth build`
    /// reads) or grading (CSV with the columns query, assessor, item, broad and fine); the first kind that
    /// the campaign asks for if not given
    #[arg(long, value_name = "KIND", value_parser = named::<Kind>(), conflicts_with_all = ["map", "adopt"])]
    kind: Option<Kind>,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    pub(super) stamp: StampArgs,
    /// Print what became of every answer
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    pub(super) show: ShowArgs,
}

/// How many refused answers are named one by one.
const NAMED: usize = 20;

pub(crate) fn run(args: &AddArgs) -> Result<(), Failure> {
    let mut session = log_file::open_waiting(&args.log, &args.wait)?;
    let stamp = args.stamp.stamp();
    let kinds = &session.campaign().settings().kinds;
    // Only answers are adopted, and have columns of other names.
    let are_answers = args.adopt || args.map.is_some();
    let usual = if are_answers {
        Kind::Preference
    } else {
        kinds[0]
    };
    let kind = args.kind.unwrap_or(usual);
    if !kinds.contains(&kind) {
        let asked: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let message = format!(
            "the campaign asks for {}, not for {kind}",
            asked.join(" and ")
        );
        return Err(
            Failure::input(message).hint("`partita judge init --kinds` says what is asked for")
        );
    }
    if kind != Kind::Preference {
        return judgments::add(args, &mut session, kind);
    }
    let mut answers: Vec<AnswerRow> = Vec::new();
    // Answers have odd places and rows that are none even ones, so that all can be named in the order of
    // the file.
    let mut refused: Vec<(usize, FormatError)> = Vec::new();
    let mut warnings = Vec::new();
    let map = args.map.clone().unwrap_or_default();
    for file in &args.answers {
        let source = Source::open(file)?;
        let read = preferences::read_rows(&source, &map)?;
        warnings.extend(read.warnings);
        if read.unfilled > 0 {
            warnings.push(preferences::unfilled_rows(source.name(), read.unfilled));
        }
        for row in read.rows {
            match row {
                Ok(row) => answers.push(row),
                Err(error) => refused.push((2 * answers.len(), error)),
            }
        }
    }
    let request = IntakeRequest {
        answers,
        now: stamp.at.seconds(),
        adopt: args.adopt,
    };
    let intake = session.campaign().intake(&request);
    for (row, reason) in &intake.refused {
        let place = request.answers[*row].place.as_ref();
        let place = place.expect("every row of a file has a place");
        refused.push((2 * row + 1, refusal(place, reason)));
    }
    refused.sort_by_key(|(order, _)| *order);
    let refused: Vec<FormatError> = refused.into_iter().map(|(_, error)| error).collect();
    if !refused.is_empty() && !args.partial {
        return Err(nothing_added(&refused));
    }
    for (name, other) in session.campaign().look_alikes(&intake.events) {
        let problem = problem!(Remark { name, other }:
            "`{name}` and `{other}` are two people here; a campaign begun with `--names any-case` \
             takes them for one");
        warnings.push(Warning::file(&args.log, problem));
    }
    session.record(&stamp, intake.events.clone())?;
    warnings.extend(refused.iter().map(|error| Warning {
        code: error.code,
        file: error.file.clone(),
        line: error.line,
        message: format!("refused: {}", error.message),
        fields: error.fields.clone(),
    }));
    let rows = refused.into_iter().map(|error| RefusedRow {
        code: error.code.to_string(),
        file: error.file,
        line: error.line,
        message: error.message,
    });
    let mut report = intake.report(session.campaign(), rows.collect());
    if !args.details {
        report.without_votes();
    }
    let view = IntakeView {
        result: &report,
        details: args.details,
    };
    args.show.show(&report, &view, warnings)?;
    say(&what_is_left(session.campaign(), &args.log));
    Ok(())
}

fn what_is_left(campaign: &Campaign, log: &str) -> String {
    let open = campaign.open_pairs(0);
    let to_come: u64 = open.iter().map(|pair| u64::from(pair.votes)).sum();
    if campaign.is_closed() {
        return "The campaign is closed: what comes now is no vote.".to_owned();
    }
    if campaign.is_paused() {
        return format!("The campaign is paused: `partita judge resume {log}`.");
    }
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

/// Why an answer is not taken, with its line and what can be done.
fn refusal(place: &Place, reason: &NotTaken) -> FormatError {
    let problem = Problem::new(Code::RefusedAnswer, reason.to_string());
    let error = FormatError::file(&place.file, problem).line(place.line);
    let remedy = match reason {
        NotTaken::OtherCampaign { .. } => "add it to the log of that campaign",
        NotTaken::NoQuery => "name it, as in {map query=COLUMN}",
        NotTaken::NoAssessor => "name it, as in {map assessor=COLUMN}",
        NotTaken::Future(_) => {
            "is its time zone missing, which then is taken for UTC? {now TIME} says what time it is"
        }
        NotTaken::Refused(_) => return error,
    };
    error.remedy(Remedy::with_terms(remedy))
}

pub(super) fn nothing_added(refused: &[FormatError]) -> Failure {
    let count = counted(refused.len() as u64, "answer");
    let mut message = format!("nothing was added, since {count} cannot be taken:");
    for error in refused.iter().take(NAMED) {
        message.push_str(&format!("\n  {error}"));
    }
    if refused.len() > NAMED {
        message.push_str(&format!("\n  and {} more", refused.len() - NAMED));
    }
    let first = refused.iter().find_map(|error| error.remedy.as_ref());
    let others = "`--partial` adds the others";
    Failure::input(message).hint(match first {
        Some(remedy) => format!("{}; {others}", in_flags(remedy)),
        None => others.to_owned(),
    })
}
