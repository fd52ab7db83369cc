//! Assessors of a campaign: screening, exclusion and erasure.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita::judging::campaign::log::Timestamp;
use partita::judging::campaign::{
    Action, AssessorFilter, AssessorSummary, AssessorWork, Campaign, JudgmentKind, WorkOutcome,
};
use partita::judging::{AssessorCard, Screening, ScreeningEvidence, ScreeningOptions};
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::campaign::recruiter::{RecruiterClaim, completion_code};
use crate::campaign::state::{AssessorRecord, RECRUITER_ORIGIN, state_name};
use crate::http::problem::HttpProblem;
use crate::http::request::{EncodedJson, JsonBody, QueryParams};
use crate::http::table_query::{SortValue, TableQuery, TableRow};
use crate::store::StoreError;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Assessors of a campaign, as organisers see them.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorListView {
    /// Assessors, in the order of their ids.
    people: Vec<AssessorView>,
    /// Number of assessors that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// Assessor as organisers see them.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorView {
    /// Id of the assessor in the log.
    person: String,
    /// Kind of judgment the assessor gives.
    kind: JudgmentKind,
    /// State of the assessor: `active`, or the outcome of their work.
    state: String,
    /// Time when the assessor entered; `null` if they are known from the log alone.
    #[schemars(extend("format" = "date-time"))]
    entered: Option<String>,
    /// Time when the assessor agreed to the consent text, if they did.
    #[schemars(extend("format" = "date-time"))]
    consented: Option<String>,
    /// Version of the consent text that the assessor agreed to.
    consent_version: Option<String>,
    /// Time of the first answer.
    #[schemars(extend("format" = "date-time"))]
    first_answer: Option<String>,
    /// Time of the last answer.
    #[schemars(extend("format" = "date-time"))]
    last_answer: Option<String>,
    /// Time when the assessor's work ended; `null` while it has not, or if the assessor never came
    /// back to hear it.
    #[schemars(extend("format" = "date-time"))]
    ended: Option<String>,
    /// Outcome of the assessor's work; `null` while it has not ended.
    outcome: Option<WorkOutcome>,
    /// Completion code for this outcome, if there is one.
    code: Option<String>,
    /// Time worked in seconds: the sum over the assessor's answers of the time that each took.
    seconds: Option<f64>,
    /// Number of questions that the assessor reported as impossible to judge.
    reports: u32,
    /// Number of tasks that the assessor has answered.
    answers: u32,
    /// Number of the assessor's preferences that count as votes, held-out votes included.
    votes: usize,
    /// True if an organiser excluded the assessor, so that their votes do not count.
    excluded: bool,
    /// Screening result of the assessor, as printed by `campaign screen`; `null` if they gave no
    /// preference on a pair, apart from gold questions, blank answers and retracted answers, and
    /// reported no question.
    card: Option<AssessorCard>,
    /// Label of the assessor's invite link. Present only if it has one and the token has the scope
    /// `people`.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Id that the recruiter uses for the assessor. Present only if a recruiter sent the assessor
    /// and the token has the scope `people`.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    /// Values of the URL parameters that the recruiter sent, by name. Present as `claim` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<BTreeMap<String, String>>,
}

impl TableRow for AssessorView {
    const SORT_KEYS: &'static [&'static str] = &[
        "person",
        "kind",
        "state",
        "answers",
        "votes",
        "agreement",
        "seconds",
        "median_seconds",
        "signals",
        "entered",
        "ended",
        "reports",
        "label",
    ];

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        let card = self.card.as_ref();
        match key {
            "person" => SortValue::Text(&self.person),
            "kind" => SortValue::Text(self.kind.name()),
            "state" => SortValue::Text(&self.state),
            "answers" => SortValue::Number(f64::from(self.answers)),
            "votes" => SortValue::Number(self.votes as f64),
            "agreement" => {
                let agreement = card.and_then(|card| card.agreement.as_ref());
                agreement.map(|agreement| agreement.agreement).into()
            }
            "seconds" => self.seconds.into(),
            "entered" => self.entered.as_deref().into(),
            "ended" => self.ended.as_deref().into(),
            "label" => self.label.as_deref().into(),
            "reports" => SortValue::Number(f64::from(self.reports)),
            "median_seconds" => {
                let times = card.and_then(|card| card.times.as_ref());
                times.map(|times| times.median).into()
            }
            _ => card.map(|card| card.signals.len() as f64).into(),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let mut texts = vec![self.person.as_str(), self.state.as_str()];
        texts.extend(self.claim.as_deref());
        texts.extend(self.label.as_deref());
        texts
    }
}

/// Screens the preferences of each assessor for signs of unreliable answers. The result has one
/// [`AssessorCard`] per assessor, highest concern first. `clip_seconds` has the durations of the
/// clips. Returns `None` if there are neither preferences nor reports of questions that could not
/// be judged.
pub(crate) fn screen_assessors(
    campaign: &Campaign,
    clip_seconds: &HashMap<String, f64>,
) -> Result<Option<Screening>, HttpProblem> {
    let answers = campaign.preferences(AssessorFilter::All, &[]);
    let answers = answers.map_err(HttpProblem::invalid_request)?;
    let mut evidence = ScreeningEvidence::default();
    evidence.add_campaign_reports(campaign);
    let has_reports = evidence.reports.values().any(|counts| counts.reports > 0);
    if answers.preferences.is_empty() && !has_reports {
        return Ok(None);
    }
    evidence.add_repeats(&partita::repeated_answers_in_log(campaign, &[]));
    evidence.add_campaign_gold(campaign, &[]);
    evidence.add_campaign_durations(&answers.preferences, campaign, clip_seconds);
    let settings = ScreeningOptions::default();
    let screening = Screening::new(&answers.preferences, &evidence, settings);
    screening.map(Some).map_err(HttpProblem::invalid_request)
}

/// Returns the durations of a campaign's clips in seconds, by the id of the clip. Clips of unknown
/// duration are left out.
pub(crate) async fn clip_seconds(
    shared: &AppState,
    name: &str,
) -> Result<HashMap<String, f64>, HttpProblem> {
    let read = shared.writer.run_read_job(name, |context| {
        Box::pin(async move {
            let clips = context.campaign.media.iter();
            let clips = clips.filter_map(|(id, (_, millis))| {
                millis.map(|millis| (id.clone(), millis as f64 / 1_000.0))
            });
            Ok(clips.collect::<HashMap<_, _>>())
        })
    });
    read.await
}

/// Figures of the assessors that are computed from the log.
struct AssessorFigures {
    summaries: HashMap<String, AssessorSummary>,
    cards: HashMap<String, AssessorCard>,
    work: HashMap<String, AssessorWork>,
}

impl AssessorFigures {
    fn new(campaign: &Campaign, clip_seconds: &HashMap<String, f64>) -> Result<Self, HttpProblem> {
        let summaries = campaign.assessor_summaries().into_iter();
        let cards = screen_assessors(campaign, clip_seconds)?.into_iter();
        let cards = cards.flat_map(|screening| screening.assessors);
        Ok(Self {
            summaries: summaries
                .map(|summary| (summary.assessor.clone(), summary))
                .collect(),
            cards: cards.map(|card| (card.assessor.clone(), card)).collect(),
            work: campaign.assessor_work(),
        })
    }
}

/// Assessor with what follows from the log about their work.
#[derive(Clone)]
pub(super) struct AssessorFacts {
    pub(super) record: AssessorRecord,
    /// Number of answered tasks.
    pub(super) answers: u32,
    pub(super) excluded: bool,
    /// Number of reported questions.
    pub(super) reports: u32,
    /// Outcome of the work; `None` while it has not ended.
    pub(super) outcome: Option<WorkOutcome>,
    /// Completion code for the outcome.
    pub(super) code: Option<String>,
}

impl AssessorFacts {
    /// Returns the time when the assessor entered, in RFC 3339.
    pub(super) fn entered(&self) -> Option<String> {
        to_rfc3339(self.record.entered)
    }

    /// Returns the time when the assessor agreed to the consent text, in RFC 3339.
    pub(super) fn consented(&self) -> Option<String> {
        to_rfc3339(self.record.consented)
    }

    /// Returns the time when the assessor's work ended, in RFC 3339.
    pub(super) fn ended(&self) -> Option<String> {
        to_rfc3339(self.record.ended.filter(|_| self.outcome.is_some()))
    }
}

fn to_rfc3339(millis: Option<i64>) -> Option<String> {
    millis.map(|millis| UnixMillis(millis).to_rfc3339())
}

/// Formats a time in seconds since 1970 in RFC 3339; `None` if it is out of range.
pub(super) fn seconds_to_rfc3339(seconds: Option<f64>) -> Option<String> {
    let moment = Timestamp::from_seconds(seconds?)?;
    Some(moment.to_string())
}

/// Returns the facts of all assessors of a campaign, in the order of their ids.
pub(super) async fn fetch_facts(
    shared: &AppState,
    name: &str,
) -> Result<Vec<AssessorFacts>, HttpProblem> {
    let seen = shared.writer.run_read_job(name, |context| {
        Box::pin(async move {
            let state = &context.campaign;
            let facts = state.assessors.values().map(|person| {
                let outcome = state.outcome(person);
                let recruiter = state.recruiter.as_deref();
                let recruiter = recruiter.filter(|_| person.origin == RECRUITER_ORIGIN);
                let code =
                    |outcome| completion_code(recruiter, outcome, &person.id, context.secret);
                AssessorFacts {
                    answers: state.answer_count(&person.id),
                    excluded: state.campaign().is_excluded(&person.id),
                    reports: state.campaign().report_count(&person.id),
                    outcome,
                    // Those who are known from the log alone got their code elsewhere.
                    code: outcome.filter(|_| person.entered.is_some()).and_then(code),
                    record: person.clone(),
                }
            });
            Ok(facts.collect::<Vec<_>>())
        })
    });
    seen.await
}

/// Returns what the recruiter sent about the assessors of a campaign, by the id of the assessor.
pub(super) async fn fetch_claims(
    shared: &AppState,
    name: &str,
) -> Result<HashMap<String, RecruiterClaim>, HttpProblem> {
    let mut read = shared.store.begin_read().await?;
    let mut claims = HashMap::new();
    for mut row in read.fetch_all(&sql::CLAIM_ALL, vec![name.into()]).await? {
        let (person, id) = (row.text()?, row.text()?);
        let captured = serde_json::from_str(&row.text()?).map_err(StoreError::corrupted)?;
        claims.insert(person, RecruiterClaim { id, captured });
    }
    Ok(claims)
}

/// Returns the labels of the invite links of a campaign, by the id of the assessor who used the
/// link.
pub(super) async fn fetch_labels(
    shared: &AppState,
    name: &str,
) -> Result<HashMap<String, String>, HttpProblem> {
    let mut read = shared.store.begin_read().await?;
    let mut labels = HashMap::new();
    for mut row in read
        .fetch_all(&sql::INVITE_LABELS, vec![name.into()])
        .await?
    {
        labels.insert(row.text()?, row.text()?);
    }
    Ok(labels)
}

pub(crate) async fn list_assessors(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let people = fetch_facts(&shared, &name).await?;
    let (mut claims, mut labels) = match organiser.require_scope(Scope::People) {
        Ok(()) => (
            fetch_claims(&shared, &name).await?,
            fetch_labels(&shared, &name).await?,
        ),
        Err(_) => (HashMap::new(), HashMap::new()),
    };
    let clips = clip_seconds(&shared, &name).await?;
    let figures = shared.campaign_result(&name, "people", move |campaign| {
        AssessorFigures::new(campaign, &clips)
    });
    let figures = figures.await?;
    let view = EncodedJson::off_runtime(move || {
        let people = people.into_iter().map(|facts| {
            let id = &facts.record.id;
            let work = figures.work.get(id).copied().unwrap_or_default();
            let claim = claims.remove(id);
            let (claim, captured) = claim.map(|claim| (claim.id, claim.captured)).unzip();
            AssessorView {
                kind: facts.record.kind,
                state: state_name(facts.outcome).to_owned(),
                entered: facts.entered(),
                consented: facts.consented(),
                consent_version: facts.record.consent.clone(),
                first_answer: seconds_to_rfc3339(work.first_answer),
                last_answer: seconds_to_rfc3339(work.last_answer),
                ended: facts.ended(),
                outcome: facts.outcome,
                code: facts.code.clone(),
                seconds: work.seconds,
                reports: facts.reports,
                answers: facts.answers,
                votes: (figures.summaries.get(id)).map_or(0, |summary| summary.votes),
                excluded: facts.excluded,
                card: figures.cards.get(id).cloned(),
                label: labels.remove(id),
                claim,
                captured,
                person: facts.record.id,
            }
        });
        let page = rows.select(people.collect())?;
        Ok(EncodedJson::new(&AssessorListView {
            people: page.rows,
            total: page.total,
        }))
    });
    view.await
}

/// Reason for the exclusion of an assessor. A readmission accepts the same body but ignores the
/// reason.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExclusionReasonRequest {
    /// Reason in the organiser's words.
    #[serde(default)]
    reason: Option<String>,
}

/// Excludes an assessor, or readmits an excluded one. Does nothing if that is their state already.
pub(crate) async fn set_exclusion(
    State(shared): State<Arc<AppState>>,
    Path((name, person)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
    JsonBody(request): JsonBody<ExclusionReasonRequest>,
    excluded: bool,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            context.campaign.assessor(&person)?;
            let assessors = vec![person];
            let action = match excluded {
                true => Action::Exclude {
                    assessors,
                    reason: request.reason,
                },
                false => Action::Readmit { assessors },
            };
            context.campaign.perform(context.now, &author, &action)?;
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Erases the recruiter's data about an assessor, their remarks, their musical background and the
/// label of their invite link, and revokes this link and their tokens. Their answers stay in the log
/// under their random id. A page that is still open cannot bring the data back.
pub(crate) async fn erase_assessor(
    State(shared): State<Arc<AppState>>,
    Path((name, person)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::People, &name)?;
    let erased = person.clone();
    let done = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let mut known = context.campaign.assessor(&person)?.clone();
            let key = vec![
                context.campaign.name.as_str().into(),
                person.as_str().into(),
            ];
            context.execute(&sql::CLAIM_DROP, key.clone()).await?;
            context.execute(&sql::REMARK_DROP, key.clone()).await?;
            context.execute(&sql::INVITE_FORGET, key.clone()).await?;
            let revoked = [key, vec![context.now.0.into()]].concat();
            context
                .execute(&sql::INVITE_REVOKE_BY_PERSON, revoked)
                .await?;
            context
                .execute(&sql::PERSON_TOKEN_DROP, vec![person.into()])
                .await?;
            known.background = None;
            known.erased.get_or_insert(context.now.0);
            context.update_assessor(known).await?;
            Ok(())
        })
    });
    done.await?;
    // Only now does the database refuse the tokens. Requests that were accepted before are refused
    // by their jobs.
    shared.token_cache.remove_assessor(&erased);
    Ok(StatusCode::NO_CONTENT)
}
