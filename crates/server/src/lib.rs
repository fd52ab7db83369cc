//! The judging server: people listen, answer, and nothing is ever lost.
//!
//! The engine of `partita-judging` decides what is asked of whom and what answers mean; the server only
//! drives it. One writer (`desk`) serves all requests that wait in one durable transaction and
//! acknowledges them then. Everything lies in one database (`store`): SQLite, or PostgreSQL where several
//! servers share a campaign.

mod admin;
mod auth;
mod campaign;
mod data_folder;
mod handlers;
mod http;
mod media;
mod pages;
mod routes;
pub mod schema;
mod server;
mod store;
mod writer;

pub use crate::admin::{
    AdminError, CampaignSummaries, CampaignSummary, CampaignVerification, IntegrityError,
    InviteLink, InviteLinks, IssuedToken, ServerStorage, SimulatedCampaignOptions, TokenSummaries,
    TokenSummary, VerificationReport,
};
pub use crate::campaign::document::CampaignDocument;
pub use crate::handlers::security_txt::{SecurityContact, SecurityContactError};
pub use crate::server::{ServeError, ServerAddresses, ServerHandle, ServerOptions, run, start};
pub use ipnet::IpNet;
pub use store::StoreError;

use std::sync::Arc;

use crate::auth::token_cache::TokenCache;
use crate::http::rate_limit::RateLimits;
use crate::writer::WriterHandle;
use store::Store;

/// What all requests share.
pub(crate) struct AppState {
    pub(crate) writer: WriterHandle,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) token_cache: TokenCache,
    pub(crate) read_cache: crate::campaign::read_cache::CampaignReadCache,
    /// Where people reach the server.
    pub(crate) public_url: String,
    /// Whom to tell of weaknesses of this server.
    pub(crate) contact: Option<crate::handlers::security_txt::SecurityContact>,
}

/// The OpenAPI document of a server, as `/openapi.json` gives it.
pub fn openapi() -> &'static str {
    crate::routes::openapi()
}

/// Says on standard error what went wrong inside. No token, claim or address is ever a part of it.
#[allow(clippy::print_stderr)]
pub(crate) fn log_error(error: &dyn std::fmt::Display) {
    eprintln!("{} {error}", crate::writer::UnixMillis::now().to_rfc3339());
}
