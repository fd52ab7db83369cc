//! `partita campaign add --kind`: intake of rankings and grades.

use partita::FileStore;
use partita::formats::campaign::grades;
use partita::formats::{
    Diagnostic, DiagnosticCode, FormatError, Source, Warning, diagnostic, rankings,
};
use partita::judging::campaign::{
    Answer, BroadGrade, CampaignSession, InputError, Judgment, JudgmentIntakeReport, JudgmentKind,
    Question, RejectedRow,
};
use partita::named::NamedEnum;

use super::add::{AddArgs, rejection_error};
use crate::args::input::open_all;
use crate::output::error::CliError;

/// Rankings or grades that were read, with their positions in the files, and warnings.
#[derive(Default)]
struct JudgmentInput {
    answers: Vec<(Answer, JudgmentPosition)>,
    refused: Vec<FormatError>,
    warnings: Vec<Warning>,
}

/// Position of a judgment: its file, and its line if the reader knows it.
struct JudgmentPosition {
    file: String,
    line: Option<u64>,
}

pub(super) fn add(
    args: &AddArgs,
    session: &mut CampaignSession<FileStore>,
    kind: JudgmentKind,
) -> Result<(), CliError> {
    let input = match kind {
        JudgmentKind::Ranking => read_rankings(&args.answers)?,
        _ => read_grades(&args.answers)?,
    };
    let rows = input.answers.len() + input.refused.len();
    let (answers, places): (Vec<Answer>, Vec<JudgmentPosition>) = input.answers.into_iter().unzip();
    let found = session.campaign().plan_judgment_intake(answers);
    let mut refused = input.refused;
    refused.extend(
        found
            .refused
            .iter()
            .map(|(number, refusal)| row_error(&places[*number], refusal)),
    );
    if !refused.is_empty() && !args.partial {
        return Err(rejection_error(&refused));
    }
    session.record(&args.stamp.stamp(), found.events.clone())?;
    let report = JudgmentIntakeReport {
        campaign: session.campaign().spec().name.clone(),
        kind,
        rows,
        added: found.events.len(),
        repeated: found.repeated,
        refused: (refused.into_iter())
            .map(|error| RejectedRow {
                code: error.code.to_string(),
                file: error.file,
                line: error.line,
                message: error.message,
            })
            .collect(),
    };
    args.show.print(&report, &report, input.warnings)
}

fn row_error(place: &JudgmentPosition, refusal: &InputError) -> FormatError {
    let problem = Diagnostic::new(DiagnosticCode::RefusedAnswer, refusal.to_string());
    FormatError {
        line: place.line,
        ..FormatError::in_file(&place.file, problem)
    }
}

/// Reads rankings, one per query and assessor.
fn read_rankings(files: &[String]) -> Result<JudgmentInput, CliError> {
    let read = rankings::read(&open_all(files)?, &rankings::RankingsReadOptions::default())?;
    let mut answers = Vec::new();
    for query in &read.queries {
        let (ranks, items) = (&query.rankings, query.rankings.items());
        for (person, row) in ranks.rows().enumerate() {
            let named = || {
                items
                    .items()
                    .map(|item| items.name(item).to_owned())
                    .zip(row)
            };
            let mut ranked: Vec<(f64, String)> = named()
                .filter_map(|(item, rank)| Some(((*rank)?, item)))
                .collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Items of equal rank are tied.
            let groups = ranked.chunk_by(|a, b| a.0 == b.0);
            let groups = groups.map(|group| group.iter().map(|(_, item)| item.clone()).collect());
            let unranked = named().filter(|(_, rank)| rank.is_none());
            let judgment = Judgment::Ranking {
                groups: groups.collect(),
                unranked: unranked.map(|(item, _)| item).collect(),
            };
            let question = Question::ranking(&query.name);
            let answer = Answer::new(ranks.assessor_name(person), question, judgment);
            let place = JudgmentPosition {
                file: query.file.clone(),
                line: None,
            };
            answers.push((answer, place));
        }
    }
    Ok(JudgmentInput {
        answers,
        refused: Vec::new(),
        warnings: read.warnings,
    })
}

fn read_grades(files: &[String]) -> Result<JudgmentInput, CliError> {
    let mut input = JudgmentInput::default();
    for file in files {
        let source = Source::open(file)?;
        let read = grades::read(&source)?;
        input.warnings.extend(read.warnings);
        for row in read.rows {
            let place = JudgmentPosition {
                file: source.name().to_owned(),
                line: Some(row.line),
            };
            let broad = row.broad.as_deref().map(BroadGrade::from_name).transpose();
            let broad = match broad {
                Ok(broad) => broad,
                Err(unknown) => {
                    let problem = diagnostic!(NotAnAnswer { found = unknown.name }:
                        "a broad grade is NS, SS or VS, not `{found}`");
                    let error = FormatError::in_file(&place.file, problem);
                    input.refused.push(error.at_line(row.line));
                    continue;
                }
            };
            let judgment = Judgment::Grade {
                broad,
                fine: row.fine,
            };
            let question = Question::grade(&row.query, &row.item);
            let answer = Answer {
                id: row.id,
                seconds: row.seconds,
                ..Answer::new(&row.assessor, question, judgment)
            };
            input.answers.push((answer, place));
        }
    }
    Ok(input)
}
