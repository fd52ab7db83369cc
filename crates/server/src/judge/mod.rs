//! What a judge's page asks for. Everything needs the token that [`enter`] gives, and nothing ever tells
//! the name of an item.

mod answer;
mod draft;
mod enter;
mod finish;
mod me;
mod next;
mod report;
mod task;

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::routing::{get, post, put};

use crate::Shared;
use crate::desk::Now;
use crate::guard::Token;
use crate::problem::{Problem, ProblemKind};
use crate::request::{address, bearer};
use crate::store::row;
use crate::store::statement as sql;

/// The addresses of this folder.
pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/v1/judge/enter", post(enter::enter))
        .route("/api/v1/judge/me", get(me::me).put(me::change))
        .route("/api/v1/judge/next", post(next::next))
        .route("/api/v1/judge/answers/{id}", put(answer::answer))
        .route("/api/v1/judge/drafts/{task}", put(draft::draft))
        .route("/api/v1/judge/reports", post(report::report))
        .route("/api/v1/judge/finish", post(finish::finish))
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
