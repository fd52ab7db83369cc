//! Routes of the assessors' API. The route of [`enter`] returns a token that all other routes need.
//! No response contains item ids.

use axum::http::StatusCode;

use super::Route;
use crate::campaign::recruiter::OutcomeView;
use crate::handlers::judge::{
    answer, draft, enter, finish, next_tasks, profile, task_report, task_view,
};
use crate::http::problem::ProblemKind as Kind;

/// Returns the routes of the assessors' API.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "POST /api/v1/judge/enter",
            "enter",
            "Enters a campaign by an invite or with the id of a panel",
            enter::enter,
        )
        .with_json_body::<enter::EnterRequest>()
        .responds_with_json::<enter::EnterResponse>(
            StatusCode::OK,
            "The person and the session token",
        )
        .fails_with(&[
            Kind::InvalidLink,
            Kind::CampaignFull,
            Kind::RateLimited,
            Kind::Unavailable,
            Kind::CampaignDamaged,
        ]),
        Route::new(
            "GET /api/v1/judge/me",
            "getMe",
            "The judge's view of the campaign and of their progress",
            profile::get_profile,
        )
        .for_assessor()
        .responds_with_json::<profile::AssessorProfile>(StatusCode::OK, "The judge"),
        Route::new(
            "PUT /api/v1/judge/me",
            "changeMe",
            "Records consent, background or language",
            profile::update_profile,
        )
        .for_assessor()
        .with_json_body::<profile::ProfileUpdateRequest>()
        .responds_with_json::<profile::AssessorProfile>(StatusCode::OK, "The updated view")
        .fails_with(&[Kind::CampaignFull]),
        Route::new(
            "POST /api/v1/judge/next",
            "next",
            "Assigns the next tasks; open tasks stay assigned",
            next_tasks::next_tasks,
        )
        .for_assessor()
        .with_json_body::<next_tasks::NextTasksRequest>()
        .responds_with_json::<next_tasks::NextTasksResponse>(
            StatusCode::OK,
            "The tasks, or the reason why there are none",
        )
        .fails_with(&[Kind::ConsentMissing, Kind::CampaignFull]),
        Route::new(
            "PUT /api/v1/judge/answers/{answer}",
            "answer",
            "Saves an answer; repeating the request has no effect",
            answer::submit_answer,
        )
        .for_assessor()
        .with_json_body::<answer::AnswerBody>()
        .responds_with_json::<answer::AnswerReceipt>(StatusCode::CREATED, "The answer is on disk")
        .responds_with_json::<answer::AnswerReceipt>(
            StatusCode::OK,
            "The answer had been saved before",
        )
        .fails_with(&[
            Kind::NotFound,
            Kind::UnknownTask,
            Kind::AlreadyAnswered,
            Kind::IdReused,
        ]),
        Route::new(
            "PUT /api/v1/judge/drafts/{task}",
            "saveDraft",
            "Saves the draft of a ranking",
            draft::save_draft,
        )
        .for_assessor()
        .with_json_body::<task_view::RankingDraft>()
        .responds_empty(StatusCode::NO_CONTENT, "The draft is saved")
        .fails_with(&[Kind::NotFound, Kind::UnknownTask, Kind::StaleDraft]),
        Route::new(
            "POST /api/v1/judge/reports",
            "report",
            "Reports that a task cannot be judged",
            task_report::report_task,
        )
        .for_assessor()
        .with_json_body::<task_report::TaskReportRequest>()
        .responds_with_json::<task_report::TaskReportReceipt>(
            StatusCode::CREATED,
            "The task is withdrawn",
        )
        .fails_with(&[Kind::UnknownTask]),
        Route::new(
            "POST /api/v1/judge/finish",
            "finish",
            "Finishes the work of a judge",
            finish::finish,
        )
        .for_assessor()
        .with_json_body::<finish::FinishRequest>()
        .responds_with_json::<OutcomeView>(
            StatusCode::OK,
            "The outcome, with completion code and return address",
        )
        .fails_with(&[Kind::ConsentMissing, Kind::WorkUnfinished]),
    ]
}
