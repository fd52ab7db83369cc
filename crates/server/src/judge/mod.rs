//! What a judge's page asks for. Everything needs the token that [`enter`] gives, and nothing ever tells
//! the name of an item.

mod answer;
mod canonical;
mod draft;
mod enter;
mod finish;
mod me;
mod next;
mod report;
mod task;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::Shared;
use crate::api::Route;
use crate::desk::Now;
use crate::entry::Outcome;
use crate::guard::Token;
use crate::problem::{Problem, ProblemKind};
use crate::request::{address, bearer};
use crate::store::row;
use crate::store::statement as sql;

/// The addresses of this folder.
pub(crate) fn routes() -> Vec<Route> {
    use ProblemKind as Kind;
    vec![
        Route::post(
            "/api/v1/judge/enter",
            ("enter", "Comes in, by an invite or with the id of a panel"),
            enter::enter,
        )
        .takes::<enter::Entry>()
        .gives::<enter::Entered>(StatusCode::OK, "Who it is, and what to show from now on")
        .refuses(&[Kind::Link, Kind::Full, Kind::TooMany, Kind::Unavailable]),
        Route::get(
            "/api/v1/judge/me",
            (
                "getMe",
                "What a judge is told about the campaign and themselves",
            ),
            me::me,
        )
        .of_judge()
        .gives::<me::AboutMe>(StatusCode::OK, "The judge"),
        Route::put(
            "/api/v1/judge/me",
            (
                "changeMe",
                "Agrees, says something of oneself, or changes the language",
            ),
            me::change,
        )
        .of_judge()
        .takes::<me::About>()
        .gives::<me::AboutMe>(StatusCode::OK, "The judge as they are now"),
        Route::post(
            "/api/v1/judge/next",
            (
                "next",
                "What to judge next; tasks that are open stay the same",
            ),
            next::next,
        )
        .of_judge()
        .takes::<next::Nothing>()
        .gives::<next::Next>(StatusCode::OK, "The tasks, or why there are none")
        .refuses(&[Kind::Consent]),
        Route::put(
            "/api/v1/judge/answers/{answer}",
            ("answer", "Saves an answer, once"),
            answer::answer,
        )
        .of_judge()
        .takes::<answer::PreferenceAnswer>()
        .takes::<answer::RankingAnswer>()
        .takes::<answer::GradeAnswer>()
        .gives::<answer::AnswerReceipt>(StatusCode::CREATED, "It is on disk")
        .gives::<answer::AnswerReceipt>(StatusCode::OK, "It was saved before")
        .refuses(&[Kind::Task, Kind::Answered, Kind::IdReused]),
        Route::put(
            "/api/v1/judge/drafts/{task}",
            ("saveDraft", "Saves a ranking on its way"),
            draft::draft,
        )
        .of_judge()
        .takes::<task::Draft>()
        .gives_nothing(StatusCode::NO_CONTENT, "It is saved")
        .refuses(&[Kind::Task, Kind::Draft]),
        Route::post(
            "/api/v1/judge/reports",
            ("report", "Gives back a task that cannot be judged"),
            report::report,
        )
        .of_judge()
        .takes::<report::Report>()
        .gives::<report::ReportReceipt>(StatusCode::CREATED, "It does not come back")
        .refuses(&[Kind::Task]),
        Route::post(
            "/api/v1/judge/finish",
            ("finish", "Ends somebody's work"),
            finish::finish,
        )
        .of_judge()
        .takes::<finish::Finish>()
        .gives::<Outcome>(StatusCode::OK, "How it ended, and where to go with that")
        .refuses(&[Kind::Consent, Kind::Unfinished]),
    ]
}

/// Somebody who judges, as their token says.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// The person.
    pub(crate) person: String,
    /// Their campaign: they have no right in another.
    pub(crate) campaign: String,
}

impl FromRequestParts<Arc<Shared>> for Judge {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Problem> {
        let unauthorised = || {
            Problem::new(
                ProblemKind::Unauthorised,
                "the token is missing or not valid",
            )
        };
        let address = address(parts, shared);
        let token = bearer(parts).ok_or_else(unauthorised)?;
        let hash = Token::shown(token).hash();
        shared.limits.token(&hash)?;
        let known = shared.judges.get(&hash);
        let (judge, expires) = match known {
            Some(known) => known,
            None => {
                let mut read = shared.store.read().await?;
                let found = row(
                    read.as_mut(),
                    &sql::PERSON_TOKEN_GET,
                    vec![hash.clone().into()],
                );
                let Some(mut found) = found.await? else {
                    return Err(shared.limits.failure(address, unauthorised()));
                };
                let judge = Self {
                    person: found.text()?,
                    campaign: found.text()?,
                };
                let known = (judge, found.int()?);
                shared.judges.keep(hash, known.clone());
                known
            }
        };
        if expires < Now::clock().0 {
            return Err(unauthorised());
        }
        Ok(judge)
    }
}
