//! The judging server: people listen, answer, and nothing is ever lost.
//!
//! The engine of `partita-judging` decides what is asked of whom and what answers mean; the server only
//! drives it. One writer (`desk`) serves all requests that wait in one durable transaction and
//! acknowledges them then. Everything lies in one database (`store`): SQLite, or PostgreSQL where several
//! servers share a campaign.

mod api;
mod connections;
mod desk;
mod document;
mod entry;
mod folder;
mod guard;
mod judge;
mod judges;
mod lang;
mod manage;
mod media;
mod organise;
mod pages;
mod problem;
mod request;
pub mod schema;
mod security;
mod serve;
mod store;
mod watch;

pub use document::CampaignDocument;
pub use ipnet::IpNet;
pub use manage::{
    AdminError, CampaignSummaries, CampaignSummary, CampaignVerification, IntegrityError,
    InviteLink, InviteLinks, IssuedToken, ServerStorage, SimulatedCampaignOptions, TokenSummaries,
    TokenSummary, VerificationReport,
};
pub use security::{SecurityContact, SecurityContactError};
pub use serve::{ServeError, ServerAddresses, ServerHandle, ServerOptions, run, start};
pub use store::StoreError;

use std::sync::Arc;

use desk::WriterHandle;
use guard::limits::RateLimits;
use judges::TokenCache;
use store::Store;

/// What all requests share.
pub(crate) struct AppState {
    pub(crate) writer: WriterHandle,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) token_cache: TokenCache,
    pub(crate) read_cache: organise::reading::CampaignReadCache,
    /// Where people reach the server.
    pub(crate) public_url: String,
    /// Whom to tell of weaknesses of this server.
    pub(crate) contact: Option<security::SecurityContact>,
}

/// The OpenAPI document of a server, as `/openapi.json` gives it.
pub fn openapi() -> &'static str {
    api::openapi()
}

/// Says on standard error what went wrong inside. No token, claim or address is ever a part of it.
#[allow(clippy::print_stderr)]
pub(crate) fn log_error(error: &dyn std::fmt::Display) {
    eprintln!("{} {error}", desk::UnixMillis::now().to_rfc3339());
}
