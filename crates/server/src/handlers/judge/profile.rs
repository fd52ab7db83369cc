//! Profile of an assessor, and the texts and rules of the campaign as presented to them.

use std::sync::Arc;

use axum::extract::State;
use partita::judging::campaign::{
    CampaignSpec, JudgmentKind, ListeningRule, Stimulus, WorkForecast, asks_for_votes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enter::take_place;
use crate::AppState;
use crate::auth::assessor::AuthenticatedAssessor;
use crate::campaign::state::{CampaignPhase, CampaignState, state_name};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse, check_length};
use crate::pages::translations;
use crate::writer::{JobContext, JobError};

/// Maximum length of an assessor's text on their musical background, in characters.
const MAX_BACKGROUND_CHARS: usize = 2_000;

/// Update of an assessor's profile; omitted fields are not changed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileUpdateRequest {
    /// Version of the consent text the assessor agrees to.
    #[serde(default)]
    consent: Option<String>,
    /// Musical background in the assessor's own words.
    #[serde(default)]
    #[schemars(length(max = MAX_BACKGROUND_CHARS))]
    background: Option<String>,
    /// Language code that the assessor prefers.
    #[serde(default)]
    language: Option<String>,
}

/// Profile of an assessor, with the campaign's texts and rules.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorProfile {
    /// Id of the assessor in the campaign.
    person: String,
    /// Name of the campaign.
    campaign: String,
    /// Title of the campaign, in the assessor's language if available.
    title: String,
    /// Kind of judgment the assessor gives.
    kind: JudgmentKind,
    /// Code of the assessor's language.
    language: String,
    /// State of the assessor: `active`, or the outcome of their work.
    state: String,
    /// Instructions for the assessor, in their language if available.
    instructions: String,
    /// Consent text of the campaign; `null` if it asks for no consent.
    consent: Option<ConsentView>,
    /// Number of tasks that the assessor has answered and can answer.
    progress: ProgressView,
    /// Estimate of the work that is left; `null` if it is unknown or nothing is left.
    estimate: Option<WorkEstimateView>,
    /// Listening rule: required playback of each clip before an answer.
    hear: ListeningRule,
    /// True if consecutive tasks have different queries if possible. A page then marks a new query
    /// instead of announcing it.
    mix: bool,
    /// True if the assessor is asked about their background.
    background: bool,
    /// Question, answers and names of the parts of a task.
    texts: PageTextsView,
}

/// Texts of the judging page in one language: those of the campaign, or else default texts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PageTextsView {
    /// Question of each task; `null` for rankings if the campaign sets none.
    question: Option<String>,
    /// Name of the query.
    query: String,
    /// Name of an item. The letter of an item of a pair, or the number of an item of a ranking,
    /// follows it.
    item: String,
    /// Answer that prefers the first item of a pair.
    a: String,
    /// Answer that prefers the second item of a pair.
    b: String,
    /// Answer that prefers neither item of a pair.
    equal: String,
    /// Question about the assessor's background; `null` if it is not asked.
    background: Option<String>,
}

impl PageTextsView {
    /// Returns the texts of a campaign for assessors who give this kind of judgment.
    fn new(spec: &CampaignSpec, kind: JudgmentKind, language: &str) -> Self {
        let texts = spec.page_texts(language);
        let asks_background = spec.asks_background(&texts);
        let default = |path: &str| translations::default_text(language, path).to_owned();
        let or_default = |text: Option<String>, path: &str| text.unwrap_or_else(|| default(path));
        let background = texts.background.filter(|text| !text.trim().is_empty());
        Self {
            question: texts.question.or_else(|| {
                let own = translations::find_default_text(language, &format!("/{kind}/question"));
                own.map(str::to_owned)
            }),
            query: or_default(texts.query, "/part/query"),
            item: or_default(texts.item, "/part/item"),
            a: or_default(texts.a, "/preference/a"),
            b: or_default(texts.b, "/preference/b"),
            equal: or_default(texts.equal, "/preference/equal"),
            background: asks_background.then(|| or_default(background, "/start/background")),
        }
    }
}

/// Consent text of a campaign in one language, and whether the assessor agreed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ConsentView {
    /// Version of the consent text.
    version: String,
    /// Consent text, in the assessor's language if available.
    text: String,
    /// True if the assessor agreed to this version of the text.
    given: bool,
}

/// Number of tasks that an assessor has answered and can answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProgressView {
    /// Number of tasks that the assessor has answered.
    answered: u32,
    /// Maximum number of tasks that the assessor can answer in total, or an estimate of the number
    /// that they will answer; `null` while it is unknown.
    #[serde(rename = "of")]
    total: Option<u32>,
    /// True if the total is an estimate, which changes with the answers of all assessors.
    estimated: bool,
}

impl ProgressView {
    /// Returns true if the total is estimated from a forecast, or would be if there were one.
    pub(crate) fn needs_forecast(&self) -> bool {
        self.estimated || self.total.is_none()
    }
}

/// Returns the progress of an assessor; `over` is true if there is no more work for them. The
/// number of pair questions depends on future answers, so the total for pairs is an estimate unless
/// the campaign limits the tasks per person.
pub(crate) fn progress(
    context: &JobContext<'_>,
    person: &str,
    kind: JudgmentKind,
    over: bool,
    forecast: Option<&WorkForecast>,
) -> ProgressView {
    let spec = context.campaign.spec();
    let campaign = context.campaign.campaign();
    let answered = context.campaign.answer_count(person);
    let known = |total| ProgressView {
        answered,
        total: Some(total),
        estimated: false,
    };
    let all = campaign.question_count(kind).map(|all| all as u32);
    match (spec.judging.per_person, all) {
        _ if over => known(answered),
        (Some(most), Some(all)) => known(most.min(all)),
        (Some(only), None) | (None, Some(only)) => known(only),
        (None, None) => {
            let people = assessors_sharing(context);
            let total = forecast
                .map(|forecast| campaign.expected_questions(forecast, answered as usize, people));
            ProgressView {
                answered,
                total: total.map(|total| total as u32),
                estimated: total.is_some(),
            }
        }
    }
}

/// Returns the number of assessors who share the work: those who have answered, or the number that
/// the organiser expects if it is higher.
fn assessors_sharing(context: &JobContext<'_>) -> usize {
    let invited = context.campaign.spec().judging.invited_assessors;
    let recruiter = context.campaign.recruiter.as_ref();
    let recruited = recruiter.and_then(|recruiter| recruiter.limit);
    let expected = invited.max(recruited).unwrap_or(0) as usize;
    context.campaign.campaign().assessors().len().max(expected)
}

/// Estimate of the work that a first page announces.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkEstimateView {
    /// Number of tasks that the assessor can still answer, or an estimate of it.
    questions: u32,
    /// Estimated time for them, in minutes.
    minutes: u32,
}

impl WorkEstimateView {
    /// Estimates the work that is left. Returns `None` if nothing is left, or the number of tasks is
    /// unknown.
    fn new(
        campaign: &CampaignState,
        kind: JudgmentKind,
        progress: &ProgressView,
        forecast: Option<&WorkForecast>,
    ) -> Option<Self> {
        let questions = progress.total?.saturating_sub(progress.answered);
        let timed = forecast.filter(|_| asks_for_votes(kind));
        let timed = timed.and_then(|forecast| forecast.seconds_per_answer);
        let seconds = timed.unwrap_or_else(|| seconds_per_task(campaign, kind));
        let minutes = (f64::from(questions) * seconds / 60.0).ceil() as u32;
        (questions > 0).then_some(Self { questions, minutes })
    }
}

/// Time in seconds to look at a picture or text, or at a clip of unknown length.
const SECONDS_PER_STIMULUS: f64 = 5.0;

/// Time in seconds to decide and to answer after the last stimulus.
const SECONDS_PER_DECISION: f64 = 8.0;

/// Estimates the time in seconds that a task takes: every stimulus is heard or looked at once, then
/// every shown item takes a decision.
fn seconds_per_task(campaign: &CampaignState, kind: JudgmentKind) -> f64 {
    let spec = campaign.spec();
    let seconds = |show: &Stimulus| {
        let clip = show.audio.as_ref().and_then(|id| campaign.media.get(id)?.1);
        clip.map_or(SECONDS_PER_STIMULUS, |millis| millis as f64 / 1_000.0)
    };
    let (count, total) = (spec.stimuli()).fold((0.0, 0.0), |(count, total), (_, show)| {
        (count + 1.0, total + seconds(show))
    });
    let per_stimulus = if count > 0.0 {
        total / count
    } else {
        SECONDS_PER_STIMULUS
    };
    // Items per task, and decisions about them. A vote shows two items and takes one decision. For
    // rankings and grades each item is in exactly one task, and each item takes a decision.
    let (items, decisions) = match campaign.campaign().question_count(kind) {
        None => (2.0, 1.0),
        Some(tasks) => {
            let items = (count - spec.lists.len() as f64) / f64::max(tasks as f64, 1.0);
            (items, items)
        }
    };
    (items + 1.0) * per_stimulus + decisions * SECONDS_PER_DECISION
}

/// Returns the profile of an assessor.
pub(crate) async fn get_profile(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
) -> Result<JsonResponse<AssessorProfile>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let known = shared.forecasts.latest(&campaign);
    let profile = fetch_profile(&shared, &campaign, &person, known).await?;
    if profile.progress.needs_forecast()
        && let Some(first) = shared.refresh_forecast(&campaign).await
    {
        let profile = fetch_profile(&shared, &campaign, &person, Some(first)).await?;
        return Ok(JsonResponse(profile));
    }
    Ok(JsonResponse(profile))
}

/// Builds the profile of an assessor, with estimates from a forecast.
async fn fetch_profile(
    shared: &AppState,
    campaign: &str,
    person: &str,
    forecast: Option<Arc<WorkForecast>>,
) -> Result<AssessorProfile, HttpProblem> {
    let person = person.to_owned();
    let profile = shared.writer.run_job(campaign, move |context| {
        Box::pin(async move { build_profile(context, &person, forecast.as_deref()) })
    });
    profile.await
}

/// Records an assessor's consent, musical background or language.
pub(crate) async fn update_profile(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(changes): JsonBody<ProfileUpdateRequest>,
) -> Result<JsonResponse<AssessorProfile>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let forecast = shared.forecasts.latest(&campaign);
    let changed = shared.writer.run_job(&campaign, |context| {
        Box::pin(async move {
            context.refuse_erased(&person)?;
            let mut known = context.campaign.assessor(&person)?.clone();
            if let Some(version) = changes.consent {
                let consent = context.campaign.spec().consent.as_ref();
                if consent.is_none_or(|consent| consent.version != version) {
                    let detail = "the consent text has no such version";
                    return Err(HttpProblem::invalid_field("/consent", detail).into());
                }
                if !context.campaign.campaign().is_excluded(&person) {
                    take_place(context, &mut known).await?;
                }
                if known.consent.as_ref() != Some(&version) {
                    known.consented = Some(context.now.0);
                }
                known.consent = Some(version);
            }
            if let Some(background) = changes.background {
                check_length("/background", Some(&background), MAX_BACKGROUND_CHARS)?;
                known.background = Some(background).filter(|text| !text.trim().is_empty());
            }
            if let Some(language) = &changes.language {
                known.language = translations::negotiate_language(Some(language)).to_owned();
            }
            context.update_assessor(known).await?;
            build_profile(context, &person, forecast.as_deref())
        })
    });
    Ok(JsonResponse(changed.await?))
}

/// Builds the profile of an assessor.
fn build_profile(
    context: &JobContext<'_>,
    id: &str,
    forecast: Option<&WorkForecast>,
) -> Result<AssessorProfile, JobError> {
    context.refuse_erased(id)?;
    let person = context.campaign.assessor(id)?;
    let spec = context.campaign.spec();
    let outcome = context.campaign.outcome(person);
    let closed = context.campaign.phase() == CampaignPhase::Closed;
    let over = closed || outcome.is_some();
    let consent = spec.consent.as_ref().map(|consent| ConsentView {
        version: consent.version.clone(),
        text: translations::text_in_language(&consent.text, &person.language).to_owned(),
        given: person.consent.as_ref() == Some(&consent.version),
    });
    let instructions = translations::text_in_language(&spec.instructions, &person.language);
    let instructions = match instructions {
        "" => translations::default_instructions(&person.language, person.kind, spec.has_audio()),
        text => text.to_owned(),
    };
    let progress = progress(context, id, person.kind, over, forecast);
    let texts = PageTextsView::new(spec, person.kind, &person.language);
    Ok(AssessorProfile {
        person: person.id.clone(),
        campaign: context.campaign.name.clone(),
        title: spec.title.in_language(&person.language).to_owned(),
        kind: person.kind,
        language: person.language.clone(),
        state: state_name(outcome).to_owned(),
        instructions,
        consent,
        estimate: WorkEstimateView::new(context.campaign, person.kind, &progress, forecast),
        progress,
        hear: spec.judging.hear,
        mix: spec.judging.mix,
        background: texts.background.is_some(),
        texts,
    })
}
