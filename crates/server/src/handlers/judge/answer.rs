//! Submission of answers. Each answer is committed before it is acknowledged, and a repeated
//! submission is not recorded again.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita::judging::campaign::{
    BroadGrade, Event, GoldAnswer, GradeAnswer, Playback, PreferenceAnswer, PreferenceChoice,
    Question, RankingAnswer,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::task_view::shuffled_items;
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::auth::hex;
use crate::campaign::state::OpenTask;
use crate::http::canonical_json::CanonicalJson;
use crate::http::json::parse_json;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonResponse, MAX_JSON_BYTES, check_length, read_json_body};
use crate::store::statement as sql;
use crate::writer::{JobContext, JobError, UnixMillis};

/// Maximum length of an assessor's comment on an answer, in characters.
const MAX_COMMENT_CHARS: usize = 4_000;

/// Fields that answers of all kinds of judgments have.
#[derive(Debug, Deserialize, JsonSchema)]
struct AnswerHeader {
    /// Id of the answered task.
    task: String,
    /// Time taken for the answer, in seconds.
    seconds: f64,
    /// Comment of the assessor on the task, if any.
    #[serde(default)]
    comment: Option<String>,
}

/// Answer to a pair question: which of two items is more similar to the query.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreferenceAnswerRequest {
    /// Id of the answered task.
    task: String,
    /// Time taken for the answer, in seconds.
    #[schemars(range(min = 0))]
    seconds: f64,
    /// Comment of the assessor on the task, if any.
    #[serde(default)]
    #[schemars(length(max = MAX_COMMENT_CHARS))]
    comment: Option<String>,
    /// Choice of the more similar item: `a`, `b` or `equal`.
    answer: SubmittedChoice,
    /// Playback of the clip of the query and of each item.
    #[serde(default)]
    listened: BTreeMap<StimulusPart, PlaybackReport>,
    /// Time that the page was hidden during the task, in seconds.
    #[serde(default)]
    #[schemars(range(min = 0))]
    hidden: Option<f64>,
}

/// Choice between the two displayed items, as submitted.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SubmittedChoice {
    A,
    B,
    Equal,
}

/// Stimulus of a pair question: the query or one of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum StimulusPart {
    Query,
    A,
    B,
}

/// Playback of one clip during a task.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlaybackReport {
    /// Number of times that the clip was started.
    plays: u32,
    /// True if the clip was played to its end.
    ended: bool,
}

/// Answer to a ranking task: the order of the items of a list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingAnswerRequest {
    /// Id of the answered task.
    #[serde(rename = "task")]
    _task: String,
    /// Time taken for the answer, in seconds.
    #[serde(rename = "seconds")]
    #[schemars(range(min = 0))]
    _seconds: f64,
    /// Comment of the assessor on the task, if any.
    #[serde(default, rename = "comment")]
    #[schemars(length(max = MAX_COMMENT_CHARS))]
    _comment: Option<String>,
    /// Groups of item keys, most similar first. Items of a group are tied.
    groups: Vec<Vec<String>>,
    /// Keys of items left unranked.
    unranked: Vec<String>,
}

/// Answer to a grading task: the grades of one item.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GradeAnswerRequest {
    /// Id of the answered task.
    #[serde(rename = "task")]
    _task: String,
    /// Time taken for the answer, in seconds.
    #[serde(rename = "seconds")]
    #[schemars(range(min = 0))]
    _seconds: f64,
    /// Comment of the assessor on the task, if any.
    #[serde(default, rename = "comment")]
    #[schemars(length(max = MAX_COMMENT_CHARS))]
    _comment: Option<String>,
    /// Broad grade of similarity: `NS` (not), `SS` (somewhat) or `VS` (very similar).
    broad: BroadGrade,
    /// Grade of similarity on the fine scale of the campaign.
    fine: f64,
}

/// Receipt of a saved answer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct AnswerReceipt {
    /// Id of the answer: the idempotency key under which it was submitted.
    id: String,
    /// Id of the answered task.
    task: String,
    /// Time when the answer was saved, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    saved: String,
}

/// Saves an answer under its idempotency key; a repeated request returns the same receipt.
pub(crate) async fn submit_answer(
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
    // Do as much work as possible before the job is queued: the writer runs jobs one at a time.
    let mut canonical = Vec::with_capacity(body.len());
    parse_json::<CanonicalJson>(&body)?.write(&mut canonical);
    // Most answers are preferences, so try to parse one here. If this fails, the error is reported
    // later, when the kind of the task is known.
    let mut preference: Option<PreferenceAnswerRequest> = serde_json::from_slice(&body).ok();
    let header = match &mut preference {
        Some(answer) => Ok(AnswerHeader {
            task: std::mem::take(&mut answer.task),
            seconds: answer.seconds,
            comment: answer.comment.take(),
        }),
        None => parse_json(&body),
    };
    let submitted = SubmittedAnswer {
        hash: hex(&Sha256::digest(&canonical)),
        header,
        preference,
        body,
    };
    let AuthenticatedAssessor { person, campaign } = judge;
    let saved = shared.writer.run_job(&campaign, |context| {
        Box::pin(async move { save_answer(context, &person, id, submitted).await })
    });
    let (status, receipt) = saved.await?;
    Ok((status, JsonResponse(receipt)).into_response())
}

/// Submitted answer, parsed as far as possible before its task is known.
struct SubmittedAnswer {
    body: Bytes,
    /// Hash of the request body in canonical JSON, which does not depend on the order of keys. A
    /// repeated request has the same hash.
    hash: String,
    /// Fields common to all kinds of answers, or the problem if they cannot be parsed.
    header: Result<AnswerHeader, HttpProblem>,
    /// Parsed body if the answer is a preference.
    preference: Option<PreferenceAnswerRequest>,
}

/// Records an answer in the campaign, unless it was recorded before.
async fn save_answer(
    context: &mut JobContext<'_>,
    person: &str,
    id: String,
    submitted: SubmittedAnswer,
) -> Result<(StatusCode, AnswerReceipt), JobError> {
    let SubmittedAnswer {
        body,
        hash,
        header,
        preference,
    } = submitted;
    // Handle a repeated submission. Only ids that occur in the log can have a receipt, so most
    // answers need no database lookup.
    if let Some(event) = context.campaign.campaign().event_with_id(person, &id) {
        context.flush_rows().await?;
        let place = vec![context.campaign.event_key(event as u64).into()];
        if let Some(mut known) = context.fetch_optional(&sql::EVENT_RECEIPT, place).await? {
            let (task, known_hash, saved) = (known.text()?, known.text_or_null(), known.int()?);
            if known_hash.is_none_or(|known| known != hash) {
                let detail = "a different answer was saved under this id";
                return Err(HttpProblem::new(ProblemKind::IdReused, detail).into());
            }
            let saved = UnixMillis(saved).to_rfc3339();
            return Ok((StatusCode::OK, AnswerReceipt { id, task, saved }));
        }
    }
    let header = header?;
    let Some(task) = context.campaign.task(&header.task, person).cloned() else {
        return Err(closed_task_problem(context, person, &header.task)
            .await?
            .into());
    };
    if !header.seconds.is_finite() || header.seconds < 0.0 {
        return Err(HttpProblem::invalid_field(
            "/seconds",
            "a number of seconds must be at least 0",
        )
        .into());
    }
    let comment = header.comment.filter(|text| !text.trim().is_empty());
    check_length("/comment", comment.as_deref(), MAX_COMMENT_CHARS)?;
    let seconds = header.seconds;
    let event = to_answer_event(context, &task, person, &id, seconds, preference, &body)?;
    context
        .campaign
        .record_answer(context.now, &task, event, Some(hash))?;
    if let Question::Ranking { .. } = task.question {
        context
            .execute(&sql::DRAFT_DROP, vec![task.row_key.into()])
            .await?;
    }
    context.insert_remark(&task, "comment", comment).await?;
    let receipt = AnswerReceipt {
        id,
        task: task.id,
        saved: context.now.to_rfc3339(),
    };
    Ok((StatusCode::CREATED, receipt))
}

/// Returns the problem for an answer to a task that is not open to the assessor: already answered,
/// or unknown, withdrawn or assigned to somebody else.
async fn closed_task_problem(
    context: &mut JobContext<'_>,
    person: &str,
    task: &str,
) -> Result<HttpProblem, crate::store::StoreError> {
    context.flush_rows().await?;
    let event = (context
        .campaign
        .find_answer_event(context.transaction, task, person))
    .await?;
    let Some(event) = event else {
        return Ok(HttpProblem::new(
            ProblemKind::UnknownTask,
            "you have no such task",
        ));
    };
    Ok(HttpProblem {
        id: context
            .campaign
            .fetch_answer_id(context.transaction, event)
            .await?,
        ..HttpProblem::new(
            ProblemKind::AlreadyAnswered,
            "this task has already been answered",
        )
    })
}

/// Validates an answer against its task and converts it to a log event.
fn to_answer_event(
    context: &JobContext<'_>,
    task: &OpenTask,
    person: &str,
    id: &str,
    seconds: f64,
    preference: Option<PreferenceAnswerRequest>,
    body: &[u8],
) -> Result<Event, HttpProblem> {
    let time = Some(context.now.seconds());
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
                shuffled_items(context.campaign, task).into_iter().collect();
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
            let fine = context.campaign.document.judging.fine;
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

/// Checks that all item keys belong to the ranking task and occur at most once, and that no group
/// is empty. If `require_all` is set, every item key of the task must occur.
pub(crate) fn check_keys(
    groups: &[Vec<String>],
    unranked: &[String],
    known: &BTreeMap<String, String>,
    require_all: bool,
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
    if require_all && seen.len() < known.len() {
        let missing = known.keys().find(|key| !seen.contains(key));
        let missing = missing.map_or("", String::as_str);
        return Err(HttpProblem::invalid_field(
            "/groups",
            format!("the key {missing} is missing"),
        ));
    }
    Ok(())
}
