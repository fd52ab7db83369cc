//! Assessors of a campaign: screening, exclusion and erasure.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use partita::judging::campaign::{Action, AssessorFilter, AssessorSummary, Campaign, JudgmentKind};
use partita::judging::{AssessorCard, Screening, ScreeningEvidence, ScreeningOptions};
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{EncodedJson, JsonBody, QueryParams};
use crate::http::table_query::{SortValue, TableQuery, TableRow};
use crate::store::statement as sql;

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
    /// Id that the recruiter uses for the assessor. Present only if a recruiter sent the assessor
    /// and the token has the scope `people`.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
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
        "signals",
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
            "seconds" => {
                let times = card.and_then(|card| card.times.as_ref());
                times.map(|times| times.median).into()
            }
            _ => card.map(|card| card.signals.len() as f64).into(),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let mut texts = vec![self.person.as_str(), self.state.as_str()];
        texts.extend(self.claim.as_deref());
        texts
    }
}

/// Screens the preferences of each assessor for signs of unreliable answers. The result has one
/// [`AssessorCard`] per assessor, highest concern first. Returns `None` if there are neither
/// preferences nor reports of questions that could not be judged.
pub(crate) fn screen_assessors(campaign: &Campaign) -> Result<Option<Screening>, HttpProblem> {
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
    let settings = ScreeningOptions::default();
    let screening = Screening::new(&answers.preferences, &evidence, settings);
    screening.map(Some).map_err(HttpProblem::invalid_request)
}

/// Figures of the assessors that are computed from the log.
struct AssessorFigures {
    summaries: HashMap<String, AssessorSummary>,
    cards: HashMap<String, AssessorCard>,
}

impl AssessorFigures {
    fn new(campaign: &Campaign) -> Result<Self, HttpProblem> {
        let summaries = campaign.assessor_summaries().into_iter();
        let cards = screen_assessors(campaign)?.into_iter();
        let cards = cards.flat_map(|screening| screening.assessors);
        Ok(Self {
            summaries: summaries
                .map(|summary| (summary.assessor.clone(), summary))
                .collect(),
            cards: cards.map(|card| (card.assessor.clone(), card)).collect(),
        })
    }
}

pub(crate) async fn list_assessors(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let seen = shared.writer.run_read_job(&name, |context| {
        Box::pin(async move {
            let campaign_state = &context.campaign;
            let people = campaign_state.assessors.values().map(|person| {
                (
                    person.clone(),
                    campaign_state.answer_count(&person.id),
                    campaign_state.campaign().is_excluded(&person.id),
                )
            });
            Ok(people.collect::<Vec<_>>())
        })
    });
    let people = seen.await?;
    let mut claims: HashMap<String, String> = HashMap::new();
    if organiser.require_scope(Scope::People).is_ok() {
        let mut read = shared.store.begin_read().await?;
        for mut row in read
            .fetch_all(&sql::CLAIM_ALL, vec![name.as_str().into()])
            .await?
        {
            claims.insert(row.text()?, row.text()?);
        }
    }
    let figures = shared.campaign_result(&name, "people", AssessorFigures::new);
    let figures = figures.await?;
    let view = EncodedJson::off_runtime(move || {
        let people = people
            .into_iter()
            .map(|(person, answers, excluded)| AssessorView {
                kind: person.kind,
                state: person.state().to_owned(),
                answers,
                votes: (figures.summaries.get(&person.id)).map_or(0, |summary| summary.votes),
                excluded,
                card: figures.cards.get(&person.id).cloned(),
                claim: claims.remove(&person.id),
                person: person.id,
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

/// Erases the recruiter's data about an assessor, their remarks and their musical background, and
/// revokes their invite link and tokens. Their answers stay in the log under their random id.
pub(crate) async fn erase_assessor(
    State(shared): State<Arc<AppState>>,
    Path((name, person)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::People, &name)?;
    shared.token_cache.remove_assessor(&person);
    let done = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let mut known = context.campaign.assessor(&person)?.clone();
            let key = vec![
                context.campaign.name.as_str().into(),
                person.as_str().into(),
            ];
            context.execute(&sql::CLAIM_DROP, key.clone()).await?;
            context.execute(&sql::REMARK_DROP, key.clone()).await?;
            let revoked = [key, vec![context.now.0.into()]].concat();
            context
                .execute(&sql::INVITE_REVOKE_BY_PERSON, revoked)
                .await?;
            context
                .execute(&sql::PERSON_TOKEN_DROP, vec![person.into()])
                .await?;
            known.background = None;
            context.update_assessor(known).await?;
            Ok(())
        })
    });
    done.await?;
    Ok(StatusCode::NO_CONTENT)
}
