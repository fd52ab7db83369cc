//! Problems that assessors reported, counted by clip, picture or text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use axum::extract::{Path, State};
use partita::judging::campaign::{Defect, DefectReport};
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::read_cache;
use crate::http::problem::HttpProblem;
use crate::http::request::{EncodedJson, QueryParams};
use crate::http::table_query::{SortValue, TableQuery, TableRow};
use crate::store::StoreError;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Problems that assessors reported.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReportListView {
    /// Reports counted by query, item and problem; those with the latest report come first.
    reports: Vec<ReportCountView>,
    /// Number of entries that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// Reports of one problem with one query or item.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReportCountView {
    /// Id of the query.
    query: String,
    /// Id of the item; `null` if the query itself was reported.
    item: Option<String>,
    /// Problem that was reported.
    problem: Defect,
    /// Number of reports.
    count: usize,
    /// Number of people who reported it.
    people: usize,
    /// Time of the first report, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    first: String,
    /// Time of the last report, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    last: String,
    /// Notes that people wrote, the earliest first, without those of erased people.
    notes: Vec<String>,
}

impl TableRow for ReportCountView {
    const SORT_KEYS: &'static [&'static str] = &[
        "query", "item", "problem", "count", "people", "first", "last",
    ];

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        match key {
            "query" => SortValue::Text(&self.query),
            "item" => self.item.as_deref().into(),
            "problem" => SortValue::Text(self.problem.name()),
            "count" => SortValue::Number(self.count as f64),
            "people" => SortValue::Number(self.people as f64),
            "first" => SortValue::Text(&self.first),
            _ => SortValue::Text(&self.last),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let notes = self.notes.iter().map(String::as_str);
        let own = [self.query.as_str(), self.problem.name()];
        (own.into_iter().chain(self.item.as_deref()).chain(notes)).collect()
    }
}

/// Report with its time, in RFC 3339.
struct TimedReport {
    report: DefectReport,
    at: String,
}

pub(crate) async fn list_reports(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let reports =
        shared.campaign_result(&name, "reports", |campaign| Ok(campaign.reports().to_vec()));
    let timed = add_times(&shared, &name, &reports.await?).await?;
    let notes = fetch_notes(&shared, &name).await?;
    let view = EncodedJson::off_runtime(move || {
        let page = rows.select(count_reports(timed, notes))?;
        Ok(EncodedJson::new(&ReportListView {
            reports: page.rows,
            total: page.total,
        }))
    });
    view.await
}

/// Reads the times of reports, given with their event numbers, from the log.
async fn add_times(
    shared: &AppState,
    name: &str,
    reports: &[(usize, DefectReport)],
) -> Result<Vec<TimedReport>, HttpProblem> {
    /// Part of a log line.
    #[derive(Deserialize)]
    struct EventTime {
        at: String,
    }
    let mut read = shared.store.begin_read().await?;
    let number = read_cache::fetch_number(&mut *read, name).await?;
    let mut timed = Vec::with_capacity(reports.len());
    for (event, report) in reports {
        let key = number.row_key(*event as i64);
        let line = read
            .fetch_optional(&sql::EVENT_LINE, vec![key.into()])
            .await?;
        let mut line = line.ok_or_else(|| StoreError::corrupted("a report has no event"))?;
        let event: EventTime =
            serde_json::from_str(&line.text()?).map_err(StoreError::corrupted)?;
        timed.push(TimedReport {
            report: report.clone(),
            at: event.at,
        });
    }
    Ok(timed)
}

/// Key of the note in a report: its person, query and time, which has milliseconds.
type NoteKey = (String, String, String);

/// Reads the notes in the reports of a campaign.
async fn fetch_notes(
    shared: &AppState,
    name: &str,
) -> Result<HashMap<NoteKey, Vec<String>>, HttpProblem> {
    let mut read = shared.store.begin_read().await?;
    let mut notes: HashMap<NoteKey, Vec<String>> = HashMap::new();
    for mut row in read.fetch_all(&sql::REMARK_ALL, vec![name.into()]).await? {
        let (person, query) = (row.text()?, row.text()?);
        let (_, kind) = (row.text()?, row.text()?);
        if kind == "report" {
            let at = UnixMillis(row.int()?).to_rfc3339();
            notes
                .entry((person, query, at))
                .or_default()
                .push(row.text()?);
        }
    }
    Ok(notes)
}

/// Counts reports by query, item and problem, the latest first.
fn count_reports(
    reports: Vec<TimedReport>,
    mut notes: HashMap<NoteKey, Vec<String>>,
) -> Vec<ReportCountView> {
    type Group = (BTreeSet<String>, ReportCountView);
    let mut groups: BTreeMap<(String, Option<String>, &str), Group> = BTreeMap::new();
    for TimedReport { report, at } in reports {
        let key = (
            report.query.clone(),
            report.item.clone(),
            report.problem.name(),
        );
        let (people, view) = groups.entry(key).or_insert_with(|| {
            let view = ReportCountView {
                query: report.query.clone(),
                item: report.item.clone(),
                problem: report.problem,
                count: 0,
                people: 0,
                first: at.clone(),
                last: at.clone(),
                notes: Vec::new(),
            };
            (BTreeSet::new(), view)
        });
        let note = (report.assessor.clone(), report.query, at.clone());
        view.notes.extend(notes.remove(&note).unwrap_or_default());
        people.insert(report.assessor);
        view.count += 1;
        view.people = people.len();
        view.last = at;
    }
    let mut views: Vec<ReportCountView> = groups.into_values().map(|(_, view)| view).collect();
    views.sort_by(|one, other| other.last.cmp(&one.last));
    views
}
