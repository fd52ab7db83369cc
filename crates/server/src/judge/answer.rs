//! Answers: kept before they are acknowledged, and once only.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use partita_judging::campaign::{
    AnswerRecord, Broad, Checked, Event, Graded, Listened, Ranked, Said, Task,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Judge;
use super::canonical::Canonical;
use super::task::keyed;
use crate::Shared;
use crate::desk::room::OpenTask;
use crate::desk::{Now, Refused, Turn};
use crate::document::read;
use crate::guard::hex;
use crate::problem::{Problem, ProblemKind};
use crate::request::{Json, MOST_JSON, json_bytes};
use crate::store::row;
use crate::store::statement as sql;

/// The most characters of a comment.
const MOST_COMMENT: usize = 4_000;

/// What every answer says.
#[derive(Debug, Deserialize, JsonSchema)]
struct Common {
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
pub(crate) struct PreferenceAnswer {
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
    answer: Chosen,
    /// How often each part was played.
    #[serde(default)]
    listened: BTreeMap<Part, Heard>,
    /// How many seconds the page was out of sight.
    #[serde(default)]
    #[schemars(range(min = 0))]
    hidden: Option<f64>,
}

/// What was chosen.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Chosen {
    A,
    B,
    Equal,
}

/// A part of a question about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Part {
    Query,
    A,
    B,
}

/// How a part was heard.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Heard {
    /// How often it was played.
    plays: u32,
    /// Whether it was heard to its end.
    ended: bool,
}

/// A list in order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingAnswer {
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
pub(crate) struct GradeAnswer {
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
    broad: Broad,
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

pub(super) async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    judge: Judge,
    request: Request,
) -> Result<Response, Problem> {
    let id = uuid::Uuid::try_parse(&id)
        .map_err(|_| Problem::at("", "the id of an answer is a UUID"))?
        .hyphenated()
        .to_string();
    let body = json_bytes(request, MOST_JSON).await?;
    // What needs no turn is done before it: turns come one after the other.
    let mut canonical = Vec::with_capacity(body.len());
    read::<Canonical>(&body)?.write(&mut canonical);
    // Most answers are about pairs; what is wrong with others is said when it is known what was asked.
    let mut preference: Option<PreferenceAnswer> = serde_json::from_slice(&body).ok();
    let common = match &mut preference {
        Some(answer) => Ok(Common {
            task: std::mem::take(&mut answer.task),
            seconds: answer.seconds,
            comment: answer.comment.take(),
        }),
        None => read(&body),
    };
    let given = Given {
        hash: hex(&Sha256::digest(&canonical)),
        common,
        preference,
        body,
    };
    let Judge { person, campaign } = judge;
    let saved = shared.desk.turn(&campaign, |turn| {
        Box::pin(async move { save(turn, &person, id, given).await })
    });
    let (status, receipt) = saved.await?;
    Ok((status, Json(receipt)).into_response())
}

/// An answer as it was sent.
struct Given {
    body: Bytes,
    /// A hash of what it says, whatever the order of its keys.
    hash: String,
    /// What every answer says, or what is wrong with that.
    common: Result<Common, Problem>,
    /// The answer to a question about a pair, if it can be one.
    preference: Option<PreferenceAnswer>,
}

async fn save(
    turn: &mut Turn<'_>,
    person: &str,
    id: String,
    given: Given,
) -> Result<(StatusCode, AnswerReceipt), Refused> {
    let Given {
        body,
        hash,
        common,
        preference,
    } = given;
    // An id that the log does not have has no receipt: most answers need not be looked for.
    if let Some(event) = turn.room.campaign().event_with_id(person, &id) {
        turn.room.write_out(turn.transaction, turn.now).await?;
        let place = vec![turn.room.place_of_event(event as u64).into()];
        if let Some(mut known) = row(turn.transaction, &sql::EVENT_RECEIPT, place).await? {
            let (task, known_hash, saved) = (known.text()?, known.text_or_null(), known.int()?);
            if known_hash.is_none_or(|known| known != hash) {
                let detail = "another answer was saved under this id";
                return Err(Problem::new(ProblemKind::IdReused, detail).into());
            }
            let saved = Now(saved).text();
            return Ok((StatusCode::OK, AnswerReceipt { id, task, saved }));
        }
    }
    let common = common?;
    let Some(task) = turn.room.task(&common.task, person).cloned() else {
        return Err(gone(turn, person, &common.task).await?.into());
    };
    if !common.seconds.is_finite() || common.seconds < 0.0 {
        return Err(Problem::at("/seconds", "a number of seconds is 0 or more").into());
    }
    let comment = common.comment.filter(|text| !text.trim().is_empty());
    if comment
        .as_ref()
        .is_some_and(|text| text.chars().count() > MOST_COMMENT)
    {
        let detail = format!("at most {MOST_COMMENT} characters");
        return Err(Problem::at("/comment", detail).into());
    }
    let seconds = common.seconds;
    let event = event(turn, &task, person, &id, seconds, preference, &body)?;
    turn.room.answer(turn.now, &task, event, Some(hash))?;
    if let Task::Ranking { .. } = task.task {
        turn.transaction
            .run(&sql::DRAFT_DROP, vec![task.place.into()])
            .await?;
    }
    if let Some(comment) = comment {
        let values = vec![
            turn.room.name.as_str().into(),
            person.into(),
            task.place.into(),
            "comment".into(),
            turn.now.0.into(),
            comment.into(),
        ];
        turn.transaction.run(&sql::REMARK_ADD, values).await?;
    }
    let receipt = AnswerReceipt {
        id,
        task: task.id,
        saved: turn.now.text(),
    };
    Ok((StatusCode::CREATED, receipt))
}

/// Why a task cannot be answered that is not open.
async fn gone(
    turn: &mut Turn<'_>,
    person: &str,
    task: &str,
) -> Result<Problem, crate::store::StoreError> {
    turn.room.write_out(turn.transaction, turn.now).await?;
    let event = (turn.room.answer_to(turn.transaction, task, person)).await?;
    let Some(event) = event else {
        return Ok(Problem::new(
            ProblemKind::Task,
            "there is no such task of yours",
        ));
    };
    Ok(Problem {
        id: turn.room.id_of_event(turn.transaction, event).await?,
        ..Problem::new(ProblemKind::Answered, "this task was answered before")
    })
}

/// What happened with an answer.
fn event(
    turn: &Turn<'_>,
    task: &OpenTask,
    person: &str,
    id: &str,
    seconds: f64,
    preference: Option<PreferenceAnswer>,
    body: &[u8],
) -> Result<Event, Problem> {
    let time = Some(turn.now.seconds());
    let (assessor, id) = (person.to_owned(), Some(id.to_owned()));
    let seconds = Some(seconds);
    match &task.task {
        Task::Preference { query, a, b } => {
            let answer = preference.map_or_else(|| read::<PreferenceAnswer>(body), Ok)?;
            let hidden = answer.hidden;
            if hidden.is_some_and(|hidden| !hidden.is_finite() || hidden < 0.0) {
                return Err(Problem::at("/hidden", "a number of seconds is 0 or more"));
            }
            let listened = answer.listened.into_iter().map(|(part, heard)| {
                let part = match part {
                    Part::Query => "query",
                    Part::A => "a",
                    Part::B => "b",
                };
                let heard = Listened {
                    plays: heard.plays,
                    ended: heard.ended,
                };
                (part.to_owned(), heard)
            });
            let answered = AnswerRecord {
                answer: match answer.answer {
                    Chosen::A => Said::A,
                    Chosen::B => Said::B,
                    Chosen::Equal => Said::Equal,
                },
                seconds,
                time,
                id,
                listened: listened.collect(),
                hidden,
                ..AnswerRecord::new(query, a, b, person, None)
            };
            Ok(match task.gold {
                Some(expected) => Event::Checked(Checked { answered, expected }),
                None => Event::Answered(answered),
            })
        }
        Task::Ranking { query } => {
            let answer: RankingAnswer = read(body)?;
            let keys: BTreeMap<String, String> = keyed(turn.room, task).into_iter().collect();
            check_keys(&answer.groups, &answer.unranked, &keys, true)?;
            let name = |key: &String| keys[key].clone();
            let groups = answer.groups.iter();
            Ok(Event::Ranked(Ranked {
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
        Task::Grading { query, item } => {
            let answer: GradeAnswer = read(body)?;
            let fine = turn.room.document.judging.fine;
            if !fine.has(answer.fine) {
                let detail = format!(
                    "a fine score is from {} to {} in steps of {}",
                    fine.min, fine.max, fine.step
                );
                return Err(Problem::at("/fine", detail));
            }
            Ok(Event::Graded(Graded {
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
pub(super) fn check_keys(
    groups: &[Vec<String>],
    unranked: &[String],
    known: &BTreeMap<String, String>,
    all: bool,
) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    let ranked = groups.iter().enumerate().flat_map(|(group, keys)| {
        let keys = keys.iter().enumerate();
        keys.map(move |(place, key)| (format!("/groups/{group}/{place}"), key))
    });
    let rest = unranked.iter().enumerate();
    let rest = rest.map(|(place, key)| (format!("/unranked/{place}"), key));
    for (pointer, key) in ranked.chain(rest) {
        if !known.contains_key(key) {
            return Err(Problem::at(pointer, "this is no key of the task"));
        }
        if !seen.insert(key) {
            return Err(Problem::at(pointer, "this key comes twice"));
        }
    }
    if let Some(empty) = groups.iter().position(Vec::is_empty) {
        return Err(Problem::at(
            format!("/groups/{empty}"),
            "this group is empty",
        ));
    }
    if all && seen.len() < known.len() {
        let missing = known.keys().find(|key| !seen.contains(key));
        let missing = missing.map_or("", String::as_str);
        return Err(Problem::at(
            "/groups",
            format!("the key {missing} is missing"),
        ));
    }
    Ok(())
}
