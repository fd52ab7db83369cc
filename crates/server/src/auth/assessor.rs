//! Authentication of assessors. Each request carries the bearer token that
//! [`enter`](crate::handlers::judge::enter) returned.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::Token;
use crate::AppState;
use crate::http::problem::HttpProblem;
use crate::http::request::{bearer_token, client_address};
use crate::operation::request_observer::RequestContext;
use crate::store::statement as sql;
use crate::writer::UnixMillis;

/// Assessor identified by the bearer token of a request.
#[derive(Clone, Debug)]
pub(crate) struct AuthenticatedAssessor {
    /// Id of the assessor.
    pub(crate) person: String,
    /// Name of the campaign that the token is valid for.
    pub(crate) campaign: String,
}

impl AuthenticatedAssessor {
    /// Notes the assessor and the campaign of the current request, for the log of failures.
    fn note(&self) {
        RequestContext::note_campaign(&self.campaign);
        RequestContext::note_person(&self.person);
    }
}

impl FromRequestParts<Arc<AppState>> for AuthenticatedAssessor {
    type Rejection = HttpProblem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<AppState>,
    ) -> Result<Self, HttpProblem> {
        let unauthorised = HttpProblem::invalid_token;
        let address = client_address(parts, shared);
        let token = bearer_token(parts).ok_or_else(unauthorised)?;
        let hash = Token::from_text(token).hash();
        let known = shared.token_cache.get(&hash);
        // Note the person first, so that the log tells who was refused.
        if let Some((judge, _)) = &known {
            judge.note();
        }
        shared.rate_limits.check_token(&hash)?;
        let (judge, expires) = match known {
            Some(known) => known,
            None => {
                let mut read = shared.store.begin_read().await?;
                let found = read.fetch_optional(&sql::PERSON_TOKEN_GET, vec![hash.clone().into()]);
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
        judge.note();
        Ok(judge)
    }
}
