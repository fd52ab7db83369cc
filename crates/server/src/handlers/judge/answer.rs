//! Submission of answers. Each answer is committed before it is acknowledged, and a repeated
//! submission is not recorded again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita::judging::campaign::{
    Answer, AnswerRole, Event, InputError, Judgment, JudgmentKind, PendingAnswers, Playback,
    StimulusPart, Submission, judgment_schema, parse_judgment,
};
use partita::named::NamedEnum as _;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::task_view::shuffled_items_among;
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::campaign::state::OpenTask;
use crate::http::json::{field_problem, parse_json};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{JsonResponse, MAX_JSON_BYTES, check_length, read_json_body};
use crate::store::StoreError;
use crate::store::statement as sql;
use crate::writer::{JobContext, JobError, UnixMillis};

/// Maximum length of an assessor's comment on an answer, in characters.
const MAX_COMMENT_CHARS: usize = 4_000;

/// Answer to a task.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
struct AnswerRequest {
    /// Id of the answered task.
    task: String,
    /// Time taken for the answer, in seconds.
    #[schemars(range(min = 0))]
    seconds: f64,
    /// Comment of the assessor on the task, if any.
    #[serde(default)]
    #[schemars(length(max = MAX_COMMENT_CHARS))]
    comment: Option<String>,
    /// Playback of the clip of the query and of each item. Only answers to pair questions have it.
    #[serde(default)]
    listened: Option<BTreeMap<StimulusPart, PlaybackReport>>,
    /// Time that the page was hidden during the task, in seconds. Only answers to pair questions
    /// have it.
    #[serde(default)]
    #[schemars(range(min = 0))]
    hidden: Option<f64>,
    /// Fields of the judgment, which depend on the kind of the task.
    #[serde(flatten)]
    #[schemars(skip)]
    judgment: Map<String, Value>,
}

/// Schema of the body of an answer: one of the shapes that [`AnswerRequest`] has for the kinds of
/// judgments.
pub(crate) enum AnswerBody {}

impl JsonSchema for AnswerBody {
    fn schema_name() -> Cow<'static, str> {
        "AnswerRequest".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let bodies = JudgmentKind::VARIANTS.iter().map(|&kind| {
            let mut body = AnswerRequest::json_schema(generator);
            let judgment = judgment_schema(kind, generator);
            let object = body.ensure_object();
            for (key, more) in judgment.as_object().into_iter().flatten() {
                match (object.get_mut(key), more) {
                    (Some(Value::Object(fields)), Value::Object(more)) => {
                        fields.extend(more.clone());
                    }
                    (Some(Value::Array(names)), Value::Array(more)) => {
                        names.extend(more.iter().cloned());
                    }
                    _ => drop(object.insert(key.clone(), more.clone())),
                }
            }
            if kind != JudgmentKind::Preference
                && let Some(Value::Object(fields)) = object.get_mut("properties")
            {
                for name in PLAYBACK_FIELDS {
                    fields.remove(name);
                }
            }
            body.to_value()
        });
        let bodies: Vec<Value> = bodies.collect();
        json_schema!({"description": "Answer to a task.", "oneOf": bodies})
    }
}

/// Fields of [`AnswerRequest`] that only answers to pair questions have.
const PLAYBACK_FIELDS: [&str; 2] = ["listened", "hidden"];

/// Playback of one clip during a task.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlaybackReport {
    /// Number of times that the clip was started.
    plays: u32,
    /// True if the clip was played to its end.
    ended: bool,
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
    // Parse before the job is queued: the writer runs jobs one at a time.
    let submitted: AnswerRequest = parse_json(&body)?;
    let AuthenticatedAssessor { person, campaign } = judge;
    let saved = shared.writer.run_job(&campaign, |context| {
        Box::pin(async move { save_answer(context, &person, id, submitted).await })
    });
    let (status, receipt) = saved.await?;
    Ok((status, JsonResponse(receipt)).into_response())
}

/// Records an answer in the campaign, unless it was recorded before.
async fn save_answer(
    context: &mut JobContext<'_>,
    person: &str,
    id: String,
    submitted: AnswerRequest,
) -> Result<(StatusCode, AnswerReceipt), JobError> {
    context.refuse_erased(person)?;
    // Only ids that occur in the log can have a receipt, so most answers need no database lookup.
    let first = context.campaign.campaign().event_with_id(person, &id);
    let receipt = match first {
        Some(event) => fetch_receipt(context, event).await?,
        None => None,
    };
    let open = context.campaign.task(&submitted.task, person).cloned();
    let task = match (&receipt, open) {
        (Some((task, _)), _) if task.id != submitted.task => return Err(id_reused().into()),
        (Some((task, _)), _) => task.clone(),
        (None, Some(task)) => task,
        (None, None) => {
            return Err(closed_task_problem(context, person, &submitted.task)
                .await?
                .into());
        }
    };
    let seconds = submitted.seconds;
    let comment = submitted.comment.clone();
    let answer = to_answer(context, &task, person, &id, submitted, first)?;
    let role = task
        .gold
        .map_or(AnswerRole::Vote, |expected| AnswerRole::Gold { expected });
    let campaign = context.campaign.campaign();
    let submission = campaign.classify_answer(&answer, role, &PendingAnswers::default());
    match (submission, receipt) {
        (Err(InputError::IdReused { .. }), _) => return Err(id_reused().into()),
        (Err(error), _) => return Err(HttpProblem::invalid_request(error).into()),
        (Ok(Submission::Duplicate { .. }), Some((task, saved))) => {
            let (task, saved) = (task.id, saved.to_rfc3339());
            return Ok((StatusCode::OK, AnswerReceipt { id, task, saved }));
        }
        (Ok(_), _) => {}
    }
    if !seconds.is_finite() || seconds < 0.0 {
        return Err(HttpProblem::invalid_field(
            "/seconds",
            "a number of seconds must be at least 0",
        )
        .into());
    }
    let comment = comment.filter(|text| !text.trim().is_empty());
    check_length("/comment", comment.as_deref(), MAX_COMMENT_CHARS)?;
    let event = Event::Answered { answer, role };
    (context.campaign).record_answer(context.now, &task, event)?;
    if task.question.kind == JudgmentKind::Ranking {
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

/// Reads the task that an event answered and the time when the answer was saved.
async fn fetch_receipt(
    context: &mut JobContext<'_>,
    event: u64,
) -> Result<Option<(OpenTask, UnixMillis)>, StoreError> {
    context.flush_rows().await?;
    (context.campaign)
        .fetch_receipt(context.transaction, event)
        .await
}

/// Returns the problem of an id under which another answer was saved.
fn id_reused() -> HttpProblem {
    let detail = "a different answer was saved under this id";
    HttpProblem::new(ProblemKind::IdReused, detail)
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

/// Parses the judgment for its task and builds the answer. `first` is the number of the event that
/// recorded an answer under the same id, if any.
fn to_answer(
    context: &JobContext<'_>,
    task: &OpenTask,
    person: &str,
    id: &str,
    submitted: AnswerRequest,
    first: Option<u64>,
) -> Result<Answer, HttpProblem> {
    let kind = task.question.kind;
    let playback = [submitted.listened.is_some(), submitted.hidden.is_some()];
    if kind != JudgmentKind::Preference
        && let Some((name, _)) = PLAYBACK_FIELDS
            .iter()
            .zip(playback)
            .find(|(_, given)| *given)
    {
        let detail = format!("unknown field `{name}`");
        return Err(HttpProblem::invalid_field(format!("/{name}"), detail));
    }
    let hidden_seconds = submitted.hidden;
    if hidden_seconds.is_some_and(|hidden| !hidden.is_finite() || hidden < 0.0) {
        return Err(HttpProblem::invalid_field(
            "/hidden",
            "a number of seconds must be at least 0",
        ));
    }
    let mut judgment =
        parse_judgment(kind, submitted.judgment).map_err(|error| field_problem(&error))?;
    match &mut judgment {
        Judgment::Ranking { groups, unranked } => {
            // A list may have got more items since the first submission of the same answer.
            let first =
                first.and_then(|event| context.campaign.campaign().recorded_judgment(event));
            let known = first.map(|(_, judgment)| judgment);
            let keys: BTreeMap<String, String> =
                shuffled_items_among(context.campaign, task, |item| {
                    known.as_ref().is_none_or(|judgment| judgment.names(item))
                })
                .into_iter()
                .collect();
            check_keys(groups, unranked, &keys, true)?;
            for key in groups.iter_mut().flatten().chain(unranked) {
                key.clone_from(&keys[key]);
            }
        }
        Judgment::Grade {
            fine: Some(grade), ..
        } => {
            let fine = context.campaign.spec().judging.fine;
            if !fine.contains(*grade) {
                let detail = format!(
                    "the fine score must be between {} and {} in steps of {}",
                    fine.min, fine.max, fine.step
                );
                return Err(HttpProblem::invalid_field("/fine", detail));
            }
        }
        _ => {}
    }
    let listened = submitted.listened.unwrap_or_default().into_iter();
    let playback = listened.map(|(part, heard)| {
        let heard = Playback {
            plays: heard.plays,
            ended: heard.ended,
        };
        (part, heard)
    });
    Ok(Answer {
        id: Some(id.to_owned()),
        seconds: Some(submitted.seconds),
        time: Some(context.now.seconds()),
        playback: playback.collect(),
        hidden_seconds,
        ..Answer::new(person, task.question.clone(), judgment)
    })
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
