//! Routes of the assessors' API. [`enter`](crate::handlers::judge::enter) returns a token that all
//! other routes need. No response contains item ids.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::Route;
use crate::AppState;
use crate::auth::Token;
use crate::campaign::recruiter::OutcomeView;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::request::{bearer_token, client_address};
use crate::store::fetch_optional;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Returns the routes of assessors.
pub(crate) fn routes() -> Vec<Route> {
    use ProblemKind as Kind;
    vec![
        Route::post(
            "/api/v1/judge/enter",
            (
                "enter",
                "Enters a campaign by an invite or with the id of a panel",
            ),
            crate::handlers::judge::enter::enter,
        )
        .with_json_body::<crate::handlers::judge::enter::EnterRequest>()
        .responds_with_json::<crate::handlers::judge::enter::EnterResponse>(
            StatusCode::OK,
            "The person and the session token",
        )
        .fails_with(&[
            Kind::InvalidLink,
            Kind::CampaignFull,
            Kind::RateLimited,
            Kind::Unavailable,
        ]),
        Route::get(
            "/api/v1/judge/me",
            (
                "getMe",
                "The judge's view of the campaign and of their progress",
            ),
            crate::handlers::judge::profile::me,
        )
        .for_assessor()
        .responds_with_json::<crate::handlers::judge::profile::AssessorProfile>(
            StatusCode::OK,
            "The judge",
        ),
        Route::put(
            "/api/v1/judge/me",
            ("changeMe", "Records consent, background or language"),
            crate::handlers::judge::profile::change,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::profile::ProfileUpdateRequest>()
        .responds_with_json::<crate::handlers::judge::profile::AssessorProfile>(
            StatusCode::OK,
            "The updated view",
        ),
        Route::post(
            "/api/v1/judge/next",
            ("next", "Assigns the next tasks; open tasks stay assigned"),
            crate::handlers::judge::next_tasks::next,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::next_tasks::NextTasksRequest>()
        .responds_with_json::<crate::handlers::judge::next_tasks::NextTasksResponse>(
            StatusCode::OK,
            "The tasks, or the reason why there are none",
        )
        .fails_with(&[Kind::ConsentMissing]),
        Route::put(
            "/api/v1/judge/answers/{answer}",
            (
                "answer",
                "Saves an answer; repeating the request has no effect",
            ),
            crate::handlers::judge::answer::answer,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::answer::PreferenceAnswerRequest>()
        .with_json_body::<crate::handlers::judge::answer::RankingAnswerRequest>()
        .with_json_body::<crate::handlers::judge::answer::GradeAnswerRequest>()
        .responds_with_json::<crate::handlers::judge::answer::AnswerReceipt>(
            StatusCode::CREATED,
            "The answer is on disk",
        )
        .responds_with_json::<crate::handlers::judge::answer::AnswerReceipt>(
            StatusCode::OK,
            "The answer had been saved before",
        )
        .fails_with(&[Kind::UnknownTask, Kind::AlreadyAnswered, Kind::IdReused]),
        Route::put(
            "/api/v1/judge/drafts/{task}",
            ("saveDraft", "Saves the draft of a ranking"),
            crate::handlers::judge::draft::draft,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::task_view::RankingDraft>()
        .responds_empty(StatusCode::NO_CONTENT, "The draft is saved")
        .fails_with(&[Kind::UnknownTask, Kind::StaleDraft]),
        Route::post(
            "/api/v1/judge/reports",
            ("report", "Reports that a task cannot be judged"),
            crate::handlers::judge::task_report::report,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::task_report::TaskReportRequest>()
        .responds_with_json::<crate::handlers::judge::task_report::TaskReportReceipt>(
            StatusCode::CREATED,
            "The task is withdrawn",
        )
        .fails_with(&[Kind::UnknownTask]),
        Route::post(
            "/api/v1/judge/finish",
            ("finish", "Finishes the work of a judge"),
            crate::handlers::judge::finish::finish,
        )
        .for_assessor()
        .with_json_body::<crate::handlers::judge::finish::FinishRequest>()
        .responds_with_json::<OutcomeView>(
            StatusCode::OK,
            "The outcome, with completion code and return address",
        )
        .fails_with(&[Kind::ConsentMissing, Kind::WorkUnfinished]),
    ]
}

/// Assessor identified by a token.
#[derive(Clone, Debug)]
pub(crate) struct AuthenticatedAssessor {
    /// Id of the assessor.
    pub(crate) person: String,
    /// Name of the campaign that the token is valid for.
    pub(crate) campaign: String,
}

impl FromRequestParts<Arc<AppState>> for AuthenticatedAssessor {
    type Rejection = HttpProblem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<AppState>,
    ) -> Result<Self, HttpProblem> {
        let unauthorised = || {
            HttpProblem::new(
                ProblemKind::Unauthorised,
                "the token is missing or not valid",
            )
        };
        let address = client_address(parts, shared);
        let token = bearer_token(parts).ok_or_else(unauthorised)?;
        let hash = Token::from_text(token).hash();
        shared.rate_limits.check_token(&hash)?;
        let known = shared.token_cache.get(&hash);
        let (judge, expires) = match known {
            Some(known) => known,
            None => {
                let mut read = shared.store.begin_read().await?;
                let found = fetch_optional(
                    read.as_mut(),
                    &sql::PERSON_TOKEN_GET,
                    vec![hash.clone().into()],
                );
                let Some(mut found) = found.await? else {
                    return Err(shared.rate_limits.record_failure(address, unauthorised()));
                };
                let judge = Self {
                    person: found.text()?,
                    campaign: found.text()?,
                };
                let known = (judge, found.int()?);
                shared.token_cache.insert(hash, known.clone());
                known
            }
        };
        if expires < UnixMillis::now().0 {
            return Err(unauthorised());
        }
        Ok(judge)
    }
}
