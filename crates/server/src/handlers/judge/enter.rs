//! Entry of assessors into a campaign, by an invite link or from a recruiter.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use partita::judging::campaign::{JudgmentKind, WorkOutcome, asks_for_votes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finish::fetch_claim;
use crate::AppState;
use crate::auth::{Token, random_id};
use crate::campaign::recruiter::{OutcomeView, RecruiterClaim, has_link_key};
use crate::campaign::state::{AssessorRecord, CampaignPhase, RECRUITER_ORIGIN};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{ClientAddress, JsonBody, JsonResponse};
use crate::operation::request_observer::RequestContext;
use crate::pages::translations;
use crate::store::statement as sql;
use crate::writer::{JobAccess, JobContext, JobError, UnixMillis};

/// Lifetime of an assessor's token in milliseconds: 30 days.
const TOKEN_LIFETIME_MILLIS: i64 = 30 * 24 * 3_600_000;

/// Request of an assessor to enter a campaign.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnterRequest {
    /// Name of the campaign.
    campaign: String,
    /// Token of an invite link, for invited assessors. Either this or `params` must be given.
    #[serde(default)]
    invite: Option<String>,
    /// URL parameters with which a recruiter sent the assessor.
    #[serde(default)]
    params: Option<BTreeMap<String, String>>,
    /// Language code that the assessor prefers.
    #[serde(default)]
    language: Option<String>,
    /// Id of the assessor whose token this client had. If their data were erased, the client is not
    /// admitted again, so that an open page does not bring the data back.
    #[serde(default)]
    person: Option<String>,
}

/// Credentials of an assessor who entered a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EnterResponse {
    /// Bearer token that authenticates the assessor's further requests.
    token: String,
    /// Id of the assessor.
    person: String,
    /// True if the assessor had entered the campaign before.
    resumed: bool,
    /// Time when the token expires, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    expires: String,
}

/// Admits an assessor to a campaign and issues their token.
pub(crate) async fn enter(
    State(shared): State<Arc<AppState>>,
    ClientAddress(address): ClientAddress,
    JsonBody(request): JsonBody<EnterRequest>,
) -> Result<JsonResponse<EnterResponse>, HttpProblem> {
    shared.rate_limits.check_entry(address)?;
    let campaign = request.campaign.clone();
    RequestContext::note_campaign(&campaign);
    let entered =
        shared
            .writer
            .run_job_after_scheduling(&campaign, JobAccess::Change, move |context| {
                Box::pin(enter_campaign(context, request.clone()))
            });
    let entered = entered.await.map_err(|problem| match problem.kind {
        // Give the same answer for unknown campaigns and invalid links, so that guessing reveals
        // neither.
        ProblemKind::NotFound => shared
            .rate_limits
            .record_failure(address, invalid_link_problem()),
        ProblemKind::InvalidLink => shared.rate_limits.record_failure(address, problem),
        _ => problem,
    })?;
    Ok(JsonResponse(entered))
}

/// Returns the problem for an invite link that does not exist, was revoked or has expired, and for
/// a recruiter link without a valid id, without the recruiter's secret or to a campaign without a
/// recruiter.
fn invalid_link_problem() -> HttpProblem {
    let detail = "this link is not valid; ask the person who gave it to you";
    HttpProblem::new(ProblemKind::InvalidLink, detail)
}

/// Admits an assessor by invite or from a recruiter, and creates their token.
async fn enter_campaign(
    context: &mut JobContext<'_>,
    request: EnterRequest,
) -> Result<EnterResponse, JobError> {
    if let Some(person) = &request.person
        && context.refuse_erased(person).is_err()
    {
        return Err(invalid_link_problem().into());
    }
    let language = translations::negotiate_language(request.language.as_deref());
    let (person, resumed) = match (request.invite, request.params) {
        (Some(invite), None) => enter_by_invite(context, &invite, language).await?,
        (None, Some(params)) => enter_by_recruiter(context, &params, language).await?,
        _ => {
            let detail = "give either `invite` or `params`";
            return Err(HttpProblem::invalid_field("", detail).into());
        }
    };
    let token = Token::random();
    let expires = context.now.0 + TOKEN_LIFETIME_MILLIS;
    let values = vec![token.hash().into(), person.as_str().into(), expires.into()];
    context.execute(&sql::PERSON_TOKEN_ADD, values).await?;
    Ok(EnterResponse {
        token: token.as_str().to_owned(),
        person,
        resumed,
        expires: UnixMillis(expires).to_rfc3339(),
    })
}

/// Returns the id of the assessor whom an invite admits, and true if they had entered before.
/// Otherwise adds a new assessor, if there is work for them.
async fn enter_by_invite(
    context: &mut JobContext<'_>,
    invite: &str,
    language: &str,
) -> Result<(String, bool), JobError> {
    let hash = Token::from_text(invite).hash();
    let values = vec![context.campaign.name.as_str().into(), hash.into()];
    let found = context.fetch_optional(&sql::INVITE_BY_HASH, values).await?;
    let mut found = found.ok_or_else(invalid_link_problem)?;
    let (id, kind) = (found.text()?, found.text()?);
    let (expires, revoked) = (found.int_or_null(), found.int_or_null());
    let person = found.text_or_null();
    if revoked.is_some() || expires.is_some_and(|expires| expires < context.now.0) {
        return Err(invalid_link_problem().into());
    }
    if let Some(person) = person {
        return Ok((person, true));
    }
    let kind = kind.parse().map_err(|_| invalid_link_problem())?;
    if !has_work_for_newcomer(context, kind, false)? {
        return Err(campaign_full_problem(context, "", None).into());
    }
    let person = AssessorRecord::new(random_id(), kind, &id, language);
    let name = person.id.clone();
    context.add_assessor(person).await?;
    let values = vec![id.into(), name.as_str().into()];
    context.execute(&sql::INVITE_USED, values).await?;
    Ok((name, false))
}

/// Returns the id of the assessor whom a recruiter sent, and true if they had entered before.
/// Otherwise adds a new assessor, if there is work for them within the limit of the recruiter.
async fn enter_by_recruiter(
    context: &mut JobContext<'_>,
    params: &BTreeMap<String, String>,
    language: &str,
) -> Result<(String, bool), JobError> {
    let recruiter = context.campaign.recruiter.clone();
    let recruiter = recruiter.ok_or_else(invalid_link_problem)?;
    if !has_link_key(&recruiter, params) {
        return Err(invalid_link_problem().into());
    }
    let claim = RecruiterClaim::from_params(&recruiter, params);
    let claim = claim.ok_or_else(invalid_link_problem)?;
    let campaign = context.campaign.name.clone();
    let values = vec![campaign.as_str().into(), claim.id.as_str().into()];
    if let Some(mut known) = context.fetch_optional(&sql::CLAIM_GET, values).await? {
        return Ok((known.text()?, true));
    }
    let kind = recruiter.kind.unwrap_or(context.campaign.spec().kinds[0]);
    // Entering takes no place, because many look at the first page and go away.
    let has_place = context.campaign.has_free_place(context.now);
    if !has_place || !has_work_for_newcomer(context, kind, true)? {
        let person = claim.id.clone();
        return Err(campaign_full_problem(context, &person, Some(&claim)).into());
    }
    let person = AssessorRecord::new(random_id(), kind, RECRUITER_ORIGIN, language);
    let name = person.id.clone();
    context.add_assessor(person).await?;
    let params = serde_json::to_string(&claim.captured).expect("a map of texts can be serialised");
    let values = vec![
        campaign.into(),
        claim.id.into(),
        params.into(),
        name.as_str().into(),
    ];
    context.execute(&sql::CLAIM_ADD, values).await?;
    Ok((name, false))
}

/// Returns true if there is work for a new assessor. With `at_once`, which applies to recruited
/// assessors because they are paid for their time, a task must be available at once. Invited
/// assessors may also wait for pair questions or for the end of a pause.
fn has_work_for_newcomer(
    context: &mut JobContext<'_>,
    kind: JudgmentKind,
    at_once: bool,
) -> Result<bool, JobError> {
    let campaign_state = &mut *context.campaign;
    if campaign_state.phase() == CampaignPhase::Closed {
        return Ok(false);
    }
    let paused = campaign_state.phase() == CampaignPhase::Paused;
    // Look for a question under a placeholder assessor id. No assessor has this id, because real
    // ids are longer.
    let found = campaign_state
        .choose_next("newcomer", kind, context.now)
        .is_some();
    let asks_for_votes = asks_for_votes(kind);
    if !found && asks_for_votes {
        context.wait_for_schedule()?;
    }
    let settled = || asks_for_votes && context.campaign.has_all_votes();
    Ok(match paused {
        true => !at_once && !settled(),
        false => found || (asks_for_votes && !at_once && !settled()),
    })
}

/// Returns the problem for an assessor who gets no tasks because there is no work for them or all
/// places of their recruiter are taken. It includes the redirect to the recruiter, if one sent them
/// with this claim. `person` is the id from which a derived code is computed.
fn campaign_full_problem(
    context: &JobContext<'_>,
    person: &str,
    claim: Option<&RecruiterClaim>,
) -> HttpProblem {
    let outcome = match (&context.campaign.recruiter, claim) {
        (Some(recruiter), Some(claim)) => {
            let outcome = WorkOutcome::Full;
            OutcomeView::new(recruiter, outcome, person, Some(claim), context.secret)
        }
        _ => OutcomeView {
            outcome: WorkOutcome::Full,
            code: None,
            url: None,
            name: None,
        },
    };
    HttpProblem {
        outcome: Some(Box::new(outcome)),
        ..HttpProblem::new(ProblemKind::CampaignFull, "there is nothing left to judge")
    }
}

/// Takes a place of the recruiter for an assessor until their lease would expire, or extends it.
/// Does nothing for others, and for those who keep their place because they have answered. The
/// caller saves the record.
///
/// # Errors
/// Returns the problem `full` with its outcome if all places are taken.
pub(crate) async fn take_place(
    context: &mut JobContext<'_>,
    person: &mut AssessorRecord,
) -> Result<(), JobError> {
    if person.origin != RECRUITER_ORIGIN || context.campaign.answer_count(&person.id) > 0 {
        return Ok(());
    }
    let has_place = context.campaign.holds_place(person, context.now);
    if !has_place && !context.campaign.has_free_place(context.now) {
        let claim = fetch_claim(context, &person.id).await?;
        return Err(campaign_full_problem(context, &person.id, claim.as_ref()).into());
    }
    let lease = i64::from(context.campaign.spec().judging.lease_seconds) * 1_000;
    person.place = Some(context.now.0 + lease);
    Ok(())
}
