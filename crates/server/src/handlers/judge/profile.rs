//! What a judge is told about the campaign and themselves.

use std::sync::Arc;

use axum::extract::State;
use partita_judging::campaign::JudgmentKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::campaign::document::ListeningRule;
use crate::campaign::recruiter::WorkOutcome;
use crate::campaign::state::CampaignPhase;
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonBody, JsonResponse};
use crate::pages::translations;
use crate::routes::judge::AuthenticatedAssessor;
use crate::writer::{JobContext, JobError};

/// The most characters of what somebody says about themselves.
const MOST_BACKGROUND: usize = 2_000;

/// What somebody changes about themselves.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileUpdateRequest {
    /// The version of the text that they agree to.
    #[serde(default)]
    consent: Option<String>,
    /// Their musical background.
    #[serde(default)]
    #[schemars(length(max = MOST_BACKGROUND))]
    background: Option<String>,
    /// The language that they want.
    #[serde(default)]
    language: Option<String>,
}

/// What somebody is told.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssessorProfile {
    /// Who they are.
    person: String,
    /// The campaign.
    campaign: String,
    /// Its title.
    title: String,
    /// What they judge.
    kind: JudgmentKind,
    /// Their language.
    language: String,
    /// Whether their work goes on, or how it ended.
    state: String,
    /// What they are to do.
    instructions: String,
    /// What they agree to first.
    consent: Option<ConsentView>,
    /// How far they have come.
    progress: ProgressView,
    /// What must be heard before an answer.
    hear: ListeningRule,
    /// Whether they are asked about their musical background.
    background: bool,
}

/// What somebody agrees to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ConsentView {
    /// Which text it is.
    version: String,
    /// The text.
    text: String,
    /// Whether they agreed to it.
    given: bool,
}

/// How far somebody has come.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProgressView {
    /// How many tasks they answered.
    answered: u32,
    /// Of how many at most; nothing while nobody knows.
    #[serde(rename = "of")]
    total: Option<u32>,
}

/// How far somebody has come, and whether there is nothing more for them. How many pairs there will be depends
/// on answers that nobody has given yet, so that a number is known if it is settled or when all is done.
pub(crate) fn progress(
    turn: &JobContext<'_>,
    person: &str,
    kind: JudgmentKind,
    over: bool,
) -> ProgressView {
    let document = &turn.campaign.document;
    let answered = turn.campaign.answer_count(person);
    let all = match kind {
        JudgmentKind::Preference => None,
        JudgmentKind::Ranking => Some(document.lists.len()),
        JudgmentKind::Grading => Some(document.lists.iter().map(|list| list.items.len()).sum()),
    };
    let all = all.map(|all| all as u32);
    let of = match (document.judging.per_person, all) {
        _ if over => Some(answered),
        (Some(most), Some(all)) => Some(most.min(all)),
        (most, all) => most.or(all),
    };
    ProgressView {
        answered,
        total: of,
    }
}

pub(crate) async fn me(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
) -> Result<JsonResponse<AssessorProfile>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let about = shared.writer.run_job(&campaign, |turn| {
        Box::pin(async move { about(turn, &person) })
    });
    Ok(JsonResponse(about.await?))
}

pub(crate) async fn change(
    State(shared): State<Arc<AppState>>,
    judge: AuthenticatedAssessor,
    JsonBody(changes): JsonBody<ProfileUpdateRequest>,
) -> Result<JsonResponse<AssessorProfile>, HttpProblem> {
    let AuthenticatedAssessor { person, campaign } = judge;
    let changed = shared.writer.run_job(&campaign, |turn| {
        Box::pin(async move {
            let mut known = turn.campaign.assessor(&person)?.clone();
            if let Some(version) = changes.consent {
                let consent = turn.campaign.document.consent.as_ref();
                if consent.is_none_or(|consent| consent.version != version) {
                    let detail = "the consent text has no such version";
                    return Err(HttpProblem::invalid_field("/consent", detail).into());
                }
                known.consent = Some(version);
            }
            if let Some(background) = changes.background {
                if background.chars().count() > MOST_BACKGROUND {
                    let detail = format!("at most {MOST_BACKGROUND} characters");
                    return Err(HttpProblem::invalid_field("/background", detail).into());
                }
                known.background = Some(background).filter(|text| !text.trim().is_empty());
            }
            if let Some(language) = &changes.language {
                known.language = translations::negotiate_language(Some(language)).to_owned();
            }
            turn.campaign
                .update_assessor(turn.transaction, known)
                .await?;
            about(turn, &person)
        })
    });
    Ok(JsonResponse(changed.await?))
}

fn about(turn: &JobContext<'_>, id: &str) -> Result<AssessorProfile, JobError> {
    let person = turn.campaign.assessor(id)?;
    let document = &turn.campaign.document;
    let excluded = turn.campaign.campaign().is_excluded(id);
    let state = match person.outcome {
        _ if excluded => WorkOutcome::Refused.to_string(),
        Some(end) => end.to_string(),
        None => "active".to_owned(),
    };
    let closed = turn.campaign.phase() == CampaignPhase::Closed;
    let over = excluded || closed || person.outcome.is_some();
    let consent = document.consent.as_ref().map(|consent| ConsentView {
        version: consent.version.clone(),
        text: translations::text_in_language(&consent.text, &person.language).to_owned(),
        given: person.consent.as_ref() == Some(&consent.version),
    });
    let instructions = translations::text_in_language(&document.instructions, &person.language);
    let melodies = document.stimuli().any(|(_, show)| show.audio.is_some());
    let usual = || translations::default_instructions(&person.language, person.kind, melodies);
    let instructions = if instructions.is_empty() {
        usual()
    } else {
        instructions.to_owned()
    };
    Ok(AssessorProfile {
        person: person.id.clone(),
        campaign: turn.campaign.name.clone(),
        title: document.title.clone(),
        kind: person.kind,
        language: person.language.clone(),
        state,
        instructions,
        consent,
        progress: progress(turn, id, person.kind, over),
        hear: document.judging.hear,
        background: document.judging.background,
    })
}
