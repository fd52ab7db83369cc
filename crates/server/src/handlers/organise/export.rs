//! Downloads of a campaign's data: log, tables, ground truths and figures.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Cursor, Write as _};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use partita::formats::truth::{self, TruthFormat};
use partita::formats::{CsvWriter, escape_formula};
use partita::judging::campaign::{
    AnswerSelection, Campaign, ExportRequest, JudgmentKind, WorkOutcome,
};
use partita::named::NamedEnum as _;
use partita::report::views::campaign::{write_answers_csv, write_grades_csv, write_rankings_csv};
use partita::report::{screening_figure, status_figure};
use partita::{ThreadPool, TruthScale};
use schemars::JsonSchema;
use serde::Deserialize;
use zip::write::SimpleFileOptions;

use super::assessors::{self, fetch_claims, fetch_facts, fetch_labels, seconds_to_rfc3339};
use super::campaigns::log_bytes;
use super::lists::{parse_kind, requested_kind};
use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::state::state_name;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::QueryParams;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Query parameters of an export.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct ExportParams {
    /// Set to 1 to disable the escaping of cells that a spreadsheet would interpret as formulas.
    #[serde(default)]
    #[schemars(with = "u8")]
    raw: Option<u8>,
    /// Kind of judgments that the ground truth is built from; defaults to the first kind of the
    /// campaign.
    #[serde(default)]
    #[schemars(with = "JudgmentKind")]
    kind: Option<String>,
}

/// Ground truth as JSON: groups of items, or gains of items, per query.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "a shape of which no value is made")]
pub(crate) enum GroundTruthJson {
    /// Groups of items per query, most similar first.
    Groups(BTreeMap<String, Vec<Vec<String>>>),
    /// Gain of each item per query.
    Gains(BTreeMap<String, BTreeMap<String, f64>>),
}

/// Names of the files that an organiser can download.
pub(crate) const EXPORT_FILES: [&str; 11] = [
    "log.jsonl",
    "answers.csv",
    "preferences.csv",
    "rankings.csv",
    "grades.csv",
    "remarks.csv",
    "people.csv",
    "truth.csv",
    "truth.json",
    "truth.qrels",
    ALL_FILES_ZIP,
];

/// Name of the zip that contains all other exports.
const ALL_FILES_ZIP: &str = "all.zip";

/// Names of the figures that an organiser can download.
pub(crate) const FIGURE_FILES: [&str; 2] = ["status.svg", "people.svg"];

pub(crate) async fn get_export(
    State(shared): State<Arc<AppState>>,
    Path((name, file)): Path<(String, String)>,
    QueryParams(params): QueryParams<ExportParams>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let bytes = match file.as_str() {
        ALL_FILES_ZIP => zip_all(&shared, &name, &params, &organiser).await?.into(),
        known if EXPORT_FILES.contains(&known) => {
            export_bytes(&shared, &name, known, &params, &organiser).await?
        }
        _ => return Err(HttpProblem::not_found("file")),
    };
    let kind = match file.rsplit('.').next() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("json") => "application/json",
        Some("jsonl") => "application/x-ndjson",
        Some("zip") => "application/zip",
        _ => "text/plain; charset=utf-8",
    };
    let disposition = format!("attachment; filename=\"{name}-{file}\"");
    let disposition =
        HeaderValue::try_from(disposition).map_err(|_| HttpProblem::not_found("file"))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, bytes).into_response())
}

/// Returns a zip with all exports that apply to the campaign.
async fn zip_all(
    shared: &AppState,
    name: &str,
    params: &ExportParams,
    organiser: &AuthenticatedOrganiser,
) -> Result<Vec<u8>, HttpProblem> {
    let mut files = Vec::new();
    for file in EXPORT_FILES
        .into_iter()
        .filter(|file| *file != ALL_FILES_ZIP)
    {
        let bytes = match export_bytes(shared, name, file, params, organiser).await {
            Ok(bytes) => bytes,
            // Skip files that do not apply to this campaign.
            Err(problem) if problem.kind == ProblemKind::Invalid => continue,
            Err(problem) => return Err(problem),
        };
        files.push((file, bytes));
    }
    // Compression takes long for a large campaign and would delay answers on the runtime's thread.
    let zipped = tokio::task::spawn_blocking(move || zip_files(&files)).await;
    zipped
        .map_err(HttpProblem::internal)?
        .map_err(HttpProblem::internal)
}

/// Returns a zip of files, each with its name and content.
fn zip_files(files: &[(&str, Bytes)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default())?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Returns the content of one export.
async fn export_bytes(
    shared: &AppState,
    name: &str,
    file: &str,
    params: &ExportParams,
    organiser: &AuthenticatedOrganiser,
) -> Result<Bytes, HttpProblem> {
    let raw = params.raw == Some(1);
    match file {
        "log.jsonl" => log_bytes(shared, name, 0).await,
        "remarks.csv" => remarks_csv(shared, name, raw).await,
        "people.csv" => people_csv(shared, name, raw, organiser).await,
        "answers.csv" => answers_csv(shared, name, AnswerSelection::All, raw).await,
        "preferences.csv" => answers_csv(shared, name, AnswerSelection::Counted, raw).await,
        "rankings.csv" => {
            let key = format!("rankings.csv {raw}");
            let csv = shared.campaign_result(name, key, move |campaign| {
                let rankings = campaign.exported_rankings(&[]);
                let rankings = rankings.map_err(HttpProblem::invalid_request)?;
                Ok(to_bytes(|place| write_rankings_csv(&rankings, raw, place)))
            });
            Ok(csv.await?.as_ref().clone())
        }
        "grades.csv" => {
            let key = format!("grades.csv {raw}");
            let csv = shared.campaign_result(name, key, move |campaign| {
                let grades = campaign.exported_grades(&[]);
                let grades = grades.map_err(HttpProblem::invalid_request)?;
                Ok(to_bytes(|place| write_grades_csv(&grades, raw, place)))
            });
            Ok(csv.await?.as_ref().clone())
        }
        _ => {
            let kind = parse_kind(params.kind.as_deref())?;
            let extension = file.rsplit('.').next().unwrap_or_default().to_owned();
            let escapes = extension == "csv" && !raw;
            let key = format!("truth.{extension} {kind:?} {escapes}");
            let text = shared.campaign_result(name, key, move |campaign| {
                let text = truth_text(campaign, requested_kind(campaign, kind)?, &extension)?;
                Ok(Bytes::from(match escapes {
                    true => escape_formula_cells(&text),
                    false => text,
                }))
            });
            Ok(text.await?.as_ref().clone())
        }
    }
}

/// Returns the bytes that a function writes.
fn to_bytes(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Bytes {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing to a vector cannot fail");
    bytes.into()
}

/// Returns the selected answers of a campaign as CSV.
async fn answers_csv(
    shared: &AppState,
    name: &str,
    selection: AnswerSelection,
    raw: bool,
) -> Result<Bytes, HttpProblem> {
    let key = format!("answers.csv {selection:?} {raw}");
    let csv = shared.campaign_result(name, key, move |campaign| {
        let request = ExportRequest::default();
        let answers = campaign.exported_answers(&request, selection);
        let answers = answers.map_err(HttpProblem::invalid_request)?;
        let name = &campaign.spec().name;
        Ok(to_bytes(|place| {
            write_answers_csv(name, &answers, raw, place)
        }))
    });
    Ok(csv.await?.as_ref().clone())
}

/// Builds the ground truth from the judgments of the given kind and formats it for the given file
/// extension.
fn truth_text(
    campaign: &Campaign,
    kind: JudgmentKind,
    extension: &str,
) -> Result<String, HttpProblem> {
    let truth = campaign.truth(kind, &ExportRequest::default());
    let truth = truth.map_err(HttpProblem::invalid_request)?;
    let gains = truth.scale() == TruthScale::Grades;
    let format = match (extension, gains) {
        ("csv", false) => TruthFormat::Groups,
        ("csv", true) => TruthFormat::Gains,
        ("json", false) => TruthFormat::Json,
        ("json", true) => TruthFormat::QrelsJson,
        _ => TruthFormat::Qrels,
    };
    truth::write(&truth, format).map_err(HttpProblem::invalid_request)
}

/// Escapes all cells of a CSV table that a spreadsheet would interpret as formulas.
fn escape_formula_cells(table: &str) -> String {
    let mut out = String::with_capacity(table.len());
    let (mut begins, mut opened, mut quoted) = (true, false, false);
    for c in table.chars() {
        let first = opened || (begins && c != '"');
        if first && matches!(escape_formula(c.encode_utf8(&mut [0; 4])), Cow::Owned(_)) {
            out.push('\'');
        }
        out.push(c);
        opened = begins && c == '"';
        quoted ^= c == '"';
        begins = !quoted && (c == ',' || c == '\n');
    }
    out
}

/// Escapes a cell text that a spreadsheet would interpret as a formula, unless `raw` is set.
fn escape_cell(text: &str, raw: bool) -> String {
    match raw {
        true => text.to_owned(),
        false => escape_formula(text).into_owned(),
    }
}

/// Encodes rows of cells as CSV.
fn csv_bytes(rows: &[Vec<String>]) -> Bytes {
    to_bytes(|place| {
        let mut writer = CsvWriter::new(place);
        for row in rows {
            writer.write_row(row)?;
        }
        writer.finish().map(|_| ())
    })
}

/// Returns the comments of assessors and the notes in their reports as CSV.
async fn remarks_csv(shared: &AppState, name: &str, raw: bool) -> Result<Bytes, HttpProblem> {
    let mut read = shared.store.begin_read().await?;
    let head = ["person", "query", "task", "kind", "at", "text"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for mut row in read.fetch_all(&sql::REMARK_ALL, vec![name.into()]).await? {
        let person = row.text()?;
        let query = escape_cell(&row.text()?, raw);
        let (task, kind) = (row.text()?, row.text()?);
        let at = UnixMillis(row.int()?).to_rfc3339();
        rows.push(vec![
            person,
            query,
            task,
            kind,
            at,
            escape_cell(&row.text()?, raw),
        ]);
    }
    Ok(csv_bytes(&rows))
}

/// Columns of `people.csv` that every organiser gets.
const PEOPLE_COLUMNS: [&str; 17] = [
    "person",
    "kind",
    "state",
    "answers",
    "excluded",
    "language",
    "background",
    "entered",
    "consented",
    "consent_version",
    "first_answer",
    "last_answer",
    "ended",
    "outcome",
    "code",
    "seconds",
    "reports",
];

/// Returns the assessors of a campaign as CSV, with the labels of their links, the recruiter's ids
/// and captured parameters only if the organiser's token has the scope `people`.
async fn people_csv(
    shared: &AppState,
    name: &str,
    raw: bool,
    organiser: &AuthenticatedOrganiser,
) -> Result<Bytes, HttpProblem> {
    let people = fetch_facts(shared, name).await?;
    let work = shared.campaign_result(name, "work", |campaign| Ok(campaign.assessor_work()));
    let work = work.await?;
    let personal = match organiser.require_scope(Scope::People) {
        Ok(()) => Some((
            fetch_labels(shared, name).await?,
            fetch_claims(shared, name).await?,
        )),
        Err(_) => None,
    };
    let claims = personal.iter().flat_map(|(_, claims)| claims.values());
    let captured: BTreeSet<&String> = claims.flat_map(|claim| claim.captured.keys()).collect();
    let mut head: Vec<String> = PEOPLE_COLUMNS.map(str::to_owned).to_vec();
    if personal.is_some() {
        head.extend(["label", "claim"].map(str::to_owned));
        for &parameter in &captured {
            // The column of a parameter must not have the name of another column.
            let is_taken = head.contains(parameter);
            let prefix = if is_taken { "captured_" } else { "" };
            head.push(format!("{prefix}{parameter}"));
        }
    }
    let mut rows = vec![head.iter().map(|name| escape_cell(name, raw)).collect()];
    for facts in people {
        let text = |value: Option<&str>| escape_cell(value.unwrap_or_default(), raw);
        let record = &facts.record;
        let work = work.get(&record.id).copied().unwrap_or_default();
        let mut row = vec![
            record.id.clone(),
            record.kind.to_string(),
            state_name(facts.outcome).to_owned(),
            facts.answers.to_string(),
            facts.excluded.to_string(),
            record.language.clone(),
            text(record.background.as_deref()),
            facts.entered().unwrap_or_default(),
            facts.consented().unwrap_or_default(),
            text(record.consent.as_deref()),
            seconds_to_rfc3339(work.first_answer).unwrap_or_default(),
            seconds_to_rfc3339(work.last_answer).unwrap_or_default(),
            facts.ended().unwrap_or_default(),
            facts.outcome.map_or("", WorkOutcome::name).to_owned(),
            text(facts.code.as_deref()),
            work.seconds
                .map_or_else(String::new, |seconds| seconds.to_string()),
            facts.reports.to_string(),
        ];
        if let Some((labels, claims)) = &personal {
            let claim = claims.get(&record.id);
            row.push(text(labels.get(&record.id).map(String::as_str)));
            row.push(text(claim.map(|claim| claim.id.as_str())));
            row.extend(captured.iter().map(|parameter| {
                let value = claim.and_then(|claim| claim.captured.get(*parameter));
                text(value.map(String::as_str))
            }));
        }
        rows.push(row);
    }
    Ok(csv_bytes(&rows))
}

/// Renders a figure of a campaign.
pub(crate) async fn get_figure(
    State(shared): State<Arc<AppState>>,
    Path((name, file)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let key = match file.as_str() {
        "status.svg" => "figure of the status",
        "people.svg" => "figure of the people",
        _ => return Err(HttpProblem::not_found("figure")),
    };
    let clips = match file.as_str() {
        "people.svg" => assessors::clip_seconds(&shared, &name).await?,
        _ => HashMap::new(),
    };
    let svg = shared.campaign_result(&name, key, move |campaign| {
        let figure = match file.as_str() {
            "status.svg" => {
                let status = campaign.status(campaign.default_forecast_runs(), &ThreadPool::new(1));
                status_figure(&status.map_err(|_| HttpProblem::unavailable())?)
            }
            _ => {
                let screening = assessors::screen_assessors(campaign, &clips)?;
                screening_figure(&screening.ok_or_else(|| HttpProblem::not_found("figure"))?)
            }
        };
        Ok(Bytes::from(figure.to_svg()))
    });
    let svg = svg.await?.as_ref().clone();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}
