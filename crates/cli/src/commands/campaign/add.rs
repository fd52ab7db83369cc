//! `partita campaign add`: intake of answers.

use clap::Args;
use partita::evidence_kind;
use partita::formats::preferences::{self, ColumnMap};
use partita::formats::{
    Diagnostic, DiagnosticCode, EvidenceKind, FormatError, Remedy, Source, Warning, diagnostic,
};
use partita::judging::campaign::{
    Campaign, IntakeError, IntakeRequest, JudgmentKind, RejectedRow, judgment_noun,
};
use partita::judgment::AnswerRow;
use partita::named::NamedEnum;
use partita::report::views::campaign::AnswerIntakeView;

use super::add_rankings_and_grades::{read_grades, read_rankings};
use super::campaign_log;
use super::campaign_log::{StampArgs, WaitArgs};
use super::{pluralise, print_message};
use crate::args::preferences::parse_column_map;
use crate::output::error::{CliError, remedy_text};
use crate::output::result::{ResultArgs, named_value_parser};

/// Add answers to a campaign
///
/// Add answers to the log and report which count as votes, and why the others do not. Answers that
/// are not possible in the campaign are rejected with their line: an unknown query or item, an item
/// compared with itself, an unknown answer word, a time in the future, or another campaign. Then
/// nothing is added unless --partial is given. Adding a file again adds only its new answers.
///
/// --adopt adds answers that were collected before the campaign or elsewhere. They may name another
/// campaign, keep their times and batches, and count as votes on every pair that the campaign needs
/// now or later, even if it was not asked. Votes of the campaign itself take precedence, and nobody
/// has two votes on a pair. Adopted answers add no cost.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign add campaign.jsonl answers.csv\n  partita campaign add campaign.jsonl Batch_1_results.csv --map mturk\n  partita campaign add campaign.jsonl answers.csv --partial --details\n  partita campaign add campaign.jsonl pilot.csv --adopt\n  partita campaign add campaign.jsonl grades.csv --kind grading"
)]
pub(crate) struct AddArgs {
    /// Log of the campaign
    pub(super) log: String,
    /// Answers: filled-in sheets of `partita campaign next`, or CSV with the columns query, a, b,
    /// assessor and answer (a, b or equal), optionally seconds, time, campaign and id; `-` is
    /// standard input
    #[arg(required = true)]
    pub(super) answers: Vec<String>,
    /// Map of columns and answer words: `mturk`, `@FILE`, or
    /// query=COLUMN,a=COLUMN,b=COLUMN,assessor=COLUMN,answer=COLUMN,equal=WORD; also first, second,
    /// seconds, time, ended, campaign and id
    #[arg(long, value_name = "MAP", value_parser = parse_column_map)]
    map: Option<ColumnMap>,
    /// Add the valid answers even if others are rejected
    #[arg(long)]
    pub(super) partial: bool,
    /// Add answers from before the campaign or from elsewhere
    #[arg(long)]
    adopt: bool,
    /// Kind of judgments in the files: preference (answers), ranking (rankings, in any format that
    /// `partita truth build` reads) or grading (CSV with the columns query, assessor, item, broad
    /// and fine) [default: the first kind of the campaign]
    #[arg(long, value_name = "KIND", value_parser = named_value_parser::<JudgmentKind>(), conflicts_with_all = ["map", "adopt"])]
    kind: Option<JudgmentKind>,
    /// For rankings: take the values for ranks even if no row is a ranking of its items
    #[arg(long)]
    as_ranks: bool,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    pub(super) stamp: StampArgs,
    /// Print the outcome of every answer
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    pub(super) show: ResultArgs,
}

/// Answers that were read from files, and warnings.
#[derive(Default)]
pub(super) struct AnswerInput {
    pub(super) rows: Vec<AnswerRow>,
    /// File of each row.
    pub(super) files: Vec<String>,
    /// Unreadable rows with sort keys that give the order of messages: rejected row i has the key
    /// 2i + 1, an unreadable row before it 2i.
    pub(super) refused: Vec<(usize, FormatError)>,
    pub(super) warnings: Vec<Warning>,
}

impl AnswerInput {
    /// Adds a row that has a position in a file.
    pub(super) fn push(&mut self, row: AnswerRow) {
        let position = row.position.as_ref();
        let position = position.expect("a row that was read from a file has a position");
        self.files.push(position.file.clone());
        self.rows.push(row);
    }
}

/// Maximum number of rejected answers that are listed.
const MAX_LISTED_ROWS: usize = 20;

pub(crate) fn run(args: &AddArgs) -> Result<(), CliError> {
    let mut session = campaign_log::open_session_with_wait(&args.log, &args.wait)?;
    let stamp = args.stamp.stamp();
    let kinds = &session.campaign().spec().kinds;
    // The options --adopt and --map apply to preferences only, so each implies this kind.
    let are_answers = args.adopt || args.map.is_some();
    let usual = if are_answers {
        JudgmentKind::Preference
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
        return Err(CliError::input(message)
            .with_hint("`partita campaign init --kinds` sets the kinds of judgments"));
    }
    let input = match evidence_kind(kind) {
        Some(EvidenceKind::Preferences) => read_preferences(args)?,
        Some(EvidenceKind::Rankings) => read_rankings(&args.answers, args.as_ranks)?,
        Some(EvidenceKind::Grades) => read_grades(&args.answers)?,
        Some(EvidenceKind::Log) | None => {
            let message = format!("no file format holds judgments of the kind {kind}");
            return Err(CliError::input(message));
        }
    };
    let mut warnings = input.warnings;
    let request = IntakeRequest {
        answers: input.rows,
        kind,
        now: stamp.at.seconds(),
        adopt: args.adopt,
    };
    let intake = session.campaign().plan_intake(&request);
    let mut refused = input.refused;
    for (row, reason) in &intake.refused {
        let position = request.answers[*row].position.as_ref();
        let line = position.map(|position| position.line);
        let error = row_error(&input.files[*row], line, reason);
        refused.push((2 * row + 1, error));
    }
    refused.sort_by_key(|(order, _)| *order);
    let refused: Vec<FormatError> = refused.into_iter().map(|(_, error)| error).collect();
    if !refused.is_empty() && !args.partial {
        return Err(rejection_error(&refused));
    }
    if kind != JudgmentKind::Preference {
        session.record(&stamp, intake.events.clone())?;
        let rows = refused.into_iter().map(rejected_row).collect();
        let report = intake.judgment_report(session.campaign(), kind, rows);
        if report.excluded > 0 {
            let (what, count) = (judgment_noun(kind), report.excluded);
            let problem = diagnostic!(UncountedAnswers { what, count }:
                "{what}s of excluded people, which are left out: {count}");
            warnings.push(Warning::in_file(&args.log, problem));
        }
        return args.show.print(&report, &report, warnings);
    }
    for (name, other) in session.campaign().similar_names(&intake.events) {
        let problem = diagnostic!(Remark { name, other }:
            "`{name}` and `{other}` are two people here; a campaign begun with `--names any-case` \
             takes them for one");
        warnings.push(Warning::in_file(&args.log, problem));
    }
    session.record(&stamp, intake.events.clone())?;
    warnings.extend(refused.iter().map(|error| Warning {
        code: error.code,
        file: error.file.clone(),
        line: error.line,
        message: format!("refused: {}", error.message),
        fields: error.fields.clone(),
    }));
    let rows = refused.into_iter().map(rejected_row);
    let mut report = intake.report(session.campaign(), rows.collect());
    if !args.details {
        report.remove_counted_rows();
    }
    let view = AnswerIntakeView {
        result: &report,
        details: args.details,
    };
    args.show.print(&report, &view, warnings)?;
    print_message(&remaining_work(session.campaign(), &args.log));
    Ok(())
}

/// Reads tables of preferences and filled-in question sheets.
fn read_preferences(args: &AddArgs) -> Result<AnswerInput, CliError> {
    let mut input = AnswerInput::default();
    let map = args.map.clone().unwrap_or_default();
    for file in &args.answers {
        let source = Source::open(file)?;
        let read = preferences::read_rows(&source, &map)?;
        input.warnings.extend(read.warnings);
        if read.unfilled > 0 {
            input.warnings.push(preferences::unfilled_rows_warning(
                source.name(),
                read.unfilled,
            ));
        }
        for row in read.rows {
            match row {
                Ok(row) => input.push(row),
                Err(error) => input.refused.push((2 * input.rows.len(), error)),
            }
        }
    }
    Ok(input)
}

/// Returns a rejected row of the result.
fn rejected_row(error: FormatError) -> RejectedRow {
    RejectedRow {
        code: error.code.to_string(),
        file: error.file,
        line: error.line,
        message: error.message,
    }
}

/// Returns a message about the answers that the campaign still expects and the next command.
fn remaining_work(campaign: &Campaign, log: &str) -> String {
    let open = campaign.open_pairs_in_request_order(0);
    let to_come: u64 = open.iter().map(|pair| u64::from(pair.votes)).sum();
    if campaign.is_closed() {
        return "The campaign is closed: new answers do not count.".to_owned();
    }
    if campaign.is_paused() {
        return format!("The campaign is paused: `partita campaign resume {log}`.");
    }
    match (to_come, campaign.next_batch().is_some()) {
        (0, false) => format!("All lists are settled: `partita campaign export {log}`."),
        (0, true) => format!("There is more to ask: `partita campaign next {log}`."),
        (_, true) => format!(
            "{} to come, and more to ask already: `partita campaign next {log}`.",
            pluralise(to_come, "answer"),
        ),
        (_, false) => format!("{} to come.", pluralise(to_come, "answer")),
    }
}

/// Converts the error of a rejected answer, with its line and a hint.
fn row_error(file: &str, line: Option<u64>, reason: &IntakeError) -> FormatError {
    let problem = Diagnostic::new(DiagnosticCode::RefusedAnswer, reason.to_string());
    let error = FormatError {
        line,
        ..FormatError::in_file(file, problem)
    };
    let remedy = match reason {
        IntakeError::OtherCampaign { .. } => "add it to the log of that campaign",
        IntakeError::NoQuery => "name it, as in {map query=COLUMN}",
        IntakeError::NoAssessor => "name it, as in {map assessor=COLUMN}",
        IntakeError::Future(_) => {
            "times without a time zone are read as UTC; {now TIME} sets the current time"
        }
        IntakeError::Refused(_) => return error,
    };
    error.with_remedy(Remedy::parse(remedy))
}

/// Returns the error that counts the rejected answers and lists the first of them.
fn rejection_error(refused: &[FormatError]) -> CliError {
    let count = pluralise(refused.len() as u64, "answer");
    let mut message = format!("{count} rejected, nothing added:");
    for error in refused.iter().take(MAX_LISTED_ROWS) {
        message.push_str(&format!("\n  {error}"));
    }
    if refused.len() > MAX_LISTED_ROWS {
        message.push_str(&format!("\n  and {} more", refused.len() - MAX_LISTED_ROWS));
    }
    let first = refused.iter().find_map(|error| error.remedy.as_ref());
    let others = "`--partial` adds the others";
    CliError::input(message).with_hint(match first {
        Some(remedy) => format!("{}; {others}", remedy_text(remedy)),
        None => others.to_owned(),
    })
}
