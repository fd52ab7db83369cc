//! `partita judge add --kind`: rankings and grades that came back.

use partita::LogFile;
use partita_formats::{Code, FormatError, Problem, Source, Warning, grades, problem, rankings};
use partita_judging::campaign::{
    Broad, Event, Graded, JudgmentsReport, Kind, Ranked, Refusal, RefusedRow, Session,
};
use partita_report::judging::JudgmentsView;
use partita_stats::named::Named;

use super::add::{AddArgs, nothing_added};
use crate::failure::Failure;

/// What was read, where it stands, and what there was to remark.
struct Handed {
    events: Vec<(Event, Place)>,
    refused: Vec<FormatError>,
    warnings: Vec<Warning>,
}

/// A file, and the line if there is one.
struct Place {
    file: String,
    line: Option<u64>,
}

pub(super) fn add(
    args: &AddArgs,
    session: &mut Session<LogFile>,
    kind: Kind,
) -> Result<(), Failure> {
    let handed = match kind {
        Kind::Ranking => read_rankings(&args.answers)?,
        _ => read_grades(&args.answers)?,
    };
    let rows = handed.events.len() + handed.refused.len();
    let (events, places): (Vec<Event>, Vec<Place>) = handed.events.into_iter().unzip();
    let found = session.campaign().judgments(events);
    let mut refused = handed.refused;
    refused.extend(
        found
            .refused
            .iter()
            .map(|(number, refusal)| refusal_at(&places[*number], refusal)),
    );
    if !refused.is_empty() && !args.partial {
        return Err(nothing_added(&refused));
    }
    session.record(&args.stamp.stamp(), found.events.clone())?;
    let report = JudgmentsReport {
        campaign: session.campaign().settings().campaign.clone(),
        kind,
        rows,
        added: found.events.len(),
        repeated: found.repeated,
        refused: (refused.into_iter())
            .map(|error| RefusedRow {
                code: error.code.to_string(),
                file: error.file,
                line: error.line,
                message: error.message,
            })
            .collect(),
    };
    args.show
        .show(&report, &JudgmentsView(&report), handed.warnings)
}

fn refusal_at(place: &Place, refusal: &Refusal) -> FormatError {
    let problem = Problem {
        code: Code::RefusedAnswer,
        fields: Default::default(),
        message: refusal.to_string(),
    };
    let error = FormatError::file(&place.file, problem);
    match place.line {
        Some(line) => FormatError {
            line: Some(line),
            ..error
        },
        None => error,
    }
}

/// The rankings of files, one for each query and person.
fn read_rankings(files: &[String]) -> Result<Handed, Failure> {
    let sources: Result<Vec<Source>, FormatError> =
        files.iter().map(|file| Source::open(file)).collect();
    let read = rankings::read(&sources?, &rankings::ReadOptions::default())?;
    let mut events = Vec::new();
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
            // Items of one rank are tied.
            let groups = ranked.chunk_by(|a, b| a.0 == b.0);
            let groups = groups.map(|group| group.iter().map(|(_, item)| item.clone()).collect());
            let unranked = named().filter(|(_, rank)| rank.is_none());
            let event = Event::Ranked(Ranked {
                query: query.name.clone(),
                assessor: ranks.assessor(person).to_owned(),
                groups: groups.collect(),
                unranked: unranked.map(|(item, _)| item).collect(),
                seconds: None,
                time: None,
                id: None,
            });
            let place = Place {
                file: query.file.clone(),
                line: None,
            };
            events.push((event, place));
        }
    }
    Ok(Handed {
        events,
        refused: Vec::new(),
        warnings: read.warnings,
    })
}

fn read_grades(files: &[String]) -> Result<Handed, Failure> {
    let mut handed = Handed {
        events: Vec::new(),
        refused: Vec::new(),
        warnings: Vec::new(),
    };
    for file in files {
        let source = Source::open(file)?;
        let read = grades::read(&source)?;
        handed.warnings.extend(read.warnings);
        for row in read.rows {
            let place = Place {
                file: source.name().to_owned(),
                line: Some(row.line),
            };
            let broad = row.broad.as_deref().map(Broad::find).transpose();
            let broad = match broad {
                Ok(broad) => broad,
                Err(unknown) => {
                    let problem = problem!(NotAnAnswer { found = unknown.name }:
                        "a broad grade is NS, SS or VS, not `{found}`");
                    let error = FormatError::file(&place.file, problem);
                    handed.refused.push(FormatError {
                        line: place.line,
                        ..error
                    });
                    continue;
                }
            };
            let event = Event::Graded(Graded {
                query: row.query,
                item: row.item,
                assessor: row.assessor,
                broad,
                fine: row.fine,
                seconds: row.seconds,
                time: None,
                id: row.id,
            });
            handed.events.push((event, place));
        }
    }
    Ok(handed)
}
