//! Answers: kept before they are acknowledged, and once only.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::{
    BroadGrade, Event, GoldAnswer, GradeAnswer, Playback, PreferenceAnswer, PreferenceChoice,
    Question, RankingAnswer,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::task_view::shuffled_items;
use crate::AppState;
use crate::auth::hex;
use crate::campaign::document::parse_json;
use crate::campaign::state::OpenTask;
use crate::http::canonical_json::CanonicalJson;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonResponse, MAX_JSON_BYTES, read_json_body};
use crate::routes::judge::AuthenticatedAssessor;
use crate::store::fetch_optional;
use crate::store::statement as sql;
use crate::writer::{JobContext, JobError, UnixMillis};

/// The most characters of a comment.
const MOST_COMMENT: usize = 4_000;

/// What every answer says.
#[derive(Debug, Deserialize, JsonSchema)]
struct AnswerHeader {
    /// The task.
    task: String,
    /// How many seconds it took.
    seconds: f64,
    /// What somebody says about it.
    #[serde(default)]
    comment: Option<String>,
}

/// Which of two items is closer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreferenceAnswerRequest {
    /// The task.
    task: String,
    /// How many seconds it took.
    #[schemars(range(min = 0))]
    seconds: f64,
    /// What somebody says about it.
    #[serde(default)]
    #[schemars(length(max = MOST_COMMENT))]
    comment: Option<String>,
    /// a, b or equal.
    answer: SubmittedChoice,
    /// How often each part was played.
    #[serde(default)]
    listened: BTreeMap<StimulusPart, PlaybackReport>,
    /// How many seconds the page was out of sight.
    #[serde(default)]
    #[schemars(range(min = 0))]
    hidden: Option<f64>,
}

/// What was chosen.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SubmittedChoice {
    A,
    B,
    Equal,
}

/// A part of a question about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StimulusPart {
    Query,
    A,
    B,
}

/// How a part was heard.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlaybackReport {
    /// How often it was played.
    plays: u32,
    /// Whether it was heard to its end.
    ended: bool,
}

/// A list in order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingAnswerRequest {
    /// The task.
    #[serde(rename = "task")]
    _task: String,
    /// How many seconds it took.
    #[serde(rename = "seconds")]
    #[schemars(range(min = 0))]
    _seconds: f64,
    /// What somebody says about it.
    #[serde(default, rename = "comment")]
    #[schemars(length(max = MOST_COMMENT))]
    _comment: Option<String>,
    /// The keys, the closest first; those of a group are equal.
    groups: Vec<Vec<String>>,
    /// The keys that are left out.
    unranked: Vec<String>,
}

/// A grade.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GradeAnswerRequest {
    /// The task.
    #[serde(rename = "task")]
    _task: String,
    /// How many seconds it took.
    #[serde(rename = "seconds")]
    #[schemars(range(min = 0))]
    _seconds: f64,
    /// What somebody says about it.
    #[serde(default, rename = "comment")]
    #[schemars(length(max = MOST_COMMENT))]
    _comment: Option<String>,
    /// NS, SS or VS.
    broad: BroadGrade,
    /// A number of the Fine scale.
    fine: f64,
}

/// What is said of an answer once it is kept.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct AnswerReceipt {
    /// The id of the answer.
    id: String,
    /// Its task.
    task: String,
    /// When it was saved.
    #[schemars(extend("format" = "date-time"))]
    saved: String,
}

pub(crate) async fn answer(
    State(shared): State<Arc<AppState>>,
    Path(id): Path<String>,
    judge: AuthenticatedAssessor,
    request: Request,
) -> Result<Response, HttpProblem> {
    let id = uuid::Uuid::try_parse(&id)
        .map_err(|_| HttpProblem::invalid_field("", "the id of an answer must be a UUID"))?
        .hyphenated()
        .to_string();
    let body = read_json_body(request, MAX_JSON_BYTES).await?;
    // What needs no turn is done before it: turns come one after the other.
    let mut canonical = Vec::with_capacity(body.len());
    parse_json::<CanonicalJson>(&body)?.write(&mut canonical);
    // Most answers are about pairs; what is wrong with others is said when it is known what was asked.
    let mut preference: Option<PreferenceAnswerRequest> = serde_json::from_slice(&body).ok();
    let common = match &mut preference {
        Some(answer) => Ok(AnswerHeader {
            task: std::mem::take(&mut answer.task),
            seconds: answer.seconds,
            comment: answer.comment.take(),
        }),
        None => parse_json(&body),
    };
    let given = SubmittedAnswer {
        hash: hex(&Sha256::digest(&canonical)),
        common,
        preference,
        body,
    };
    let AuthenticatedAssessor { person, campaign } = judge;
    let saved = shared.writer.run_job(&campaign, |turn| {
        Box::pin(async move { save(turn, &person, id, given).await })
    });
    let (status, receipt) = saved.await?;
    Ok((status, JsonResponse(receipt)).into_response())
}

/// An answer as it was sent.
struct SubmittedAnswer {
    body: Bytes,
    /// A hash of what it says, whatever the order of its keys.
    hash: String,
    /// What every answer says, or what is wrong with that.
    common: Result<AnswerHeader, HttpProblem>,
    /// The answer to a question about a pair, if it can be one.
    preference: Option<PreferenceAnswerRequest>,
}

async fn save(
    turn: &mut JobContext<'_>,
    person: &str,
    id: String,
    given: SubmittedAnswer,
) -> Result<(StatusCode, AnswerReceipt), JobError> {
    let SubmittedAnswer {
        body,
        hash,
        common,
        preference,
    } = given;
    // An id that the log does not have has no receipt: most answers need not be looked for.
    if let Some(event) = turn.campaign.campaign().event_with_id(person, &id) {
        turn.campaign.flush_rows(turn.transaction, turn.now).await?;
        let place = vec![turn.campaign.event_key(event as u64).into()];
        if let Some(mut known) =
            fetch_optional(turn.transaction, &sql::EVENT_RECEIPT, place).await?
        {
            let (task, known_hash, saved) = (known.text()?, known.text_or_null(), known.int()?);
            if known_hash.is_none_or(|known| known != hash) {
                let detail = "a different answer was saved under this id";
                return Err(HttpProblem::new(ProblemKind::IdReused, detail).into());
            }
            let saved = UnixMillis(saved).to_rfc3339();
            return Ok((StatusCode::OK, AnswerReceipt { id, task, saved }));
        }
    }
    let common = common?;
    let Some(task) = turn.campaign.task(&common.task, person).cloned() else {
        return Err(closed_task_problem(turn, person, &common.task)
            .await?
            .into());
    };
    if !common.seconds.is_finite() || common.seconds < 0.0 {
        return Err(HttpProblem::invalid_field(
            "/seconds",
            "a number of seconds must be at least 0",
        )
        .into());
    }
    let comment = common.comment.filter(|text| !text.trim().is_empty());
    if comment
        .as_ref()
        .is_some_and(|text| text.chars().count() > MOST_COMMENT)
    {
        let detail = format!("at most {MOST_COMMENT} characters");
        return Err(HttpProblem::invalid_field("/comment", detail).into());
    }
    let seconds = common.seconds;
    let event = answer_event(turn, &task, person, &id, seconds, preference, &body)?;
    turn.campaign
        .record_answer(turn.now, &task, event, Some(hash))?;
    if let Question::Ranking { .. } = task.question {
        turn.transaction
            .execute(&sql::DRAFT_DROP, vec![task.row_key.into()])
            .await?;
    }
    if let Some(comment) = comment {
        let values = vec![
            turn.campaign.name.as_str().into(),
            person.into(),
            task.row_key.into(),
            "comment".into(),
            turn.now.0.into(),
            comment.into(),
        ];
        turn.transaction.execute(&sql::REMARK_ADD, values).await?;
    }
    let receipt = AnswerReceipt {
        id,
        task: task.id,
        saved: turn.now.to_rfc3339(),
    };
    Ok((StatusCode::CREATED, receipt))
}

/// Why a task cannot be answered that is not open.
async fn closed_task_problem(
    turn: &mut JobContext<'_>,
    person: &str,
    task: &str,
) -> Result<HttpProblem, crate::store::StoreError> {
    turn.campaign.flush_rows(turn.transaction, turn.now).await?;
    let event = (turn
        .campaign
        .find_answer_event(turn.transaction, task, person))
    .await?;
    let Some(event) = event else {
        return Ok(HttpProblem::new(ProblemKind::Task, "you have no such task"));
    };
    Ok(HttpProblem {
        id: turn
            .campaign
            .fetch_answer_id(turn.transaction, event)
            .await?,
        ..HttpProblem::new(ProblemKind::Answered, "this task has already been answered")
    })
}

/// What happened with an answer.
fn answer_event(
    turn: &JobContext<'_>,
    task: &OpenTask,
    person: &str,
    id: &str,
    seconds: f64,
    preference: Option<PreferenceAnswerRequest>,
    body: &[u8],
) -> Result<Event, HttpProblem> {
    let time = Some(turn.now.seconds());
    let (assessor, id) = (person.to_owned(), Some(id.to_owned()));
    let seconds = Some(seconds);
    match &task.question {
        Question::Preference { query, a, b } => {
            let answer =
                preference.map_or_else(|| parse_json::<PreferenceAnswerRequest>(body), Ok)?;
            let hidden = answer.hidden;
            if hidden.is_some_and(|hidden| !hidden.is_finite() || hidden < 0.0) {
                return Err(HttpProblem::invalid_field(
                    "/hidden",
                    "a number of seconds must be at least 0",
                ));
            }
            let listened = answer.listened.into_iter().map(|(part, heard)| {
                let part = match part {
                    StimulusPart::Query => "query",
                    StimulusPart::A => "a",
                    StimulusPart::B => "b",
                };
                let heard = Playback {
                    plays: heard.plays,
                    ended: heard.ended,
                };
                (part.to_owned(), heard)
            });
            let answered = PreferenceAnswer {
                answer: match answer.answer {
                    SubmittedChoice::A => PreferenceChoice::A,
                    SubmittedChoice::B => PreferenceChoice::B,
                    SubmittedChoice::Equal => PreferenceChoice::Equal,
                },
                seconds,
                time,
                id,
                playback: listened.collect(),
                hidden_seconds: hidden,
                ..PreferenceAnswer::new(query, a, b, person, None)
            };
            Ok(match task.gold {
                Some(expected) => Event::GoldAnswered(GoldAnswer {
                    answer: answered,
                    expected,
                }),
                None => Event::Answered(answered),
            })
        }
        Question::Ranking { query } => {
            let answer: RankingAnswerRequest = parse_json(body)?;
            let keys: BTreeMap<String, String> =
                shuffled_items(turn.campaign, task).into_iter().collect();
            check_keys(&answer.groups, &answer.unranked, &keys, true)?;
            let name = |key: &String| keys[key].clone();
            let groups = answer.groups.iter();
            Ok(Event::Ranked(RankingAnswer {
                query: query.clone(),
                assessor,
                groups: groups
                    .map(|group| group.iter().map(name).collect())
                    .collect(),
                unranked: answer.unranked.iter().map(name).collect(),
                seconds,
                time,
                id,
            }))
        }
        Question::Grade { query, item } => {
            let answer: GradeAnswerRequest = parse_json(body)?;
            let fine = turn.campaign.document.judging.fine;
            if !fine.contains(answer.fine) {
                let detail = format!(
                    "the fine score must be between {} and {} in steps of {}",
                    fine.min, fine.max, fine.step
                );
                return Err(HttpProblem::invalid_field("/fine", detail));
            }
            Ok(Event::Graded(GradeAnswer {
                query: query.clone(),
                item: item.clone(),
                assessor,
                broad: Some(answer.broad),
                fine: Some(answer.fine),
                seconds,
                time,
                id,
            }))
        }
    }
}

/// Whether keys are those of a task, each once, and all of them if they must be.
pub(crate) fn check_keys(
    groups: &[Vec<String>],
    unranked: &[String],
    known: &BTreeMap<String, String>,
    all: bool,
) -> Result<(), HttpProblem> {
    let mut seen = HashSet::new();
    let ranked = groups.iter().enumerate().flat_map(|(group, keys)| {
        let keys = keys.iter().enumerate();
        keys.map(move |(place, key)| (format!("/groups/{group}/{place}"), key))
    });
    let rest = unranked.iter().enumerate();
    let rest = rest.map(|(place, key)| (format!("/unranked/{place}"), key));
    for (pointer, key) in ranked.chain(rest) {
        if !known.contains_key(key) {
            return Err(HttpProblem::invalid_field(
                pointer,
                "the task has no such key",
            ));
        }
        if !seen.insert(key) {
            return Err(HttpProblem::invalid_field(pointer, "this key occurs twice"));
        }
    }
    if let Some(empty) = groups.iter().position(Vec::is_empty) {
        return Err(HttpProblem::invalid_field(
            format!("/groups/{empty}"),
            "this group is empty",
        ));
    }
    if all && seen.len() < known.len() {
        let missing = known.keys().find(|key| !seen.contains(key));
        let missing = missing.map_or("", String::as_str);
        return Err(HttpProblem::invalid_field(
            "/groups",
            format!("the key {missing} is missing"),
        ));
    }
    Ok(())
}
