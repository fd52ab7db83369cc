//! HTTP server for listening tests and relevance judgments.
//!
//! The engine in `partita-judging` decides which questions to ask and how to interpret answers; the
//! server drives it. A single writer (module `writer`) runs queued jobs in batches, each in one
//! durable transaction, and replies after the commit. All data is in one database (module `store`):
//! SQLite, or PostgreSQL if several servers share a campaign.

mod admin;
mod auth;
mod campaign;
mod data_folder;
mod handlers;
mod http;
mod media;
mod operation;
mod pages;
mod public_url;
mod routes;
pub mod schema;
mod server;
mod store;
mod writer;

pub use crate::admin::{
    AdminError, CampaignSummaries, CampaignSummary, CampaignVerification, DatabaseStore,
    IntegrityError, InviteLink, InviteLinks, InvitedPeople, IssuedToken, ServerStorage,
    SimulatedCampaignOptions, TokenSummaries, TokenSummary, VerificationReport,
};
pub use crate::handlers::security_txt::{SecurityContact, SecurityContactError};
pub use crate::public_url::{PublicUrl, PublicUrlError};
pub use crate::server::{
    ServeError, ServerAddresses, ServerHandle, ServerOptions, run, running_server_url, start,
};
pub use ipnet::IpNet;
pub use store::StoreError;

use std::sync::Arc;

use crate::auth::token_cache::TokenCache;
use crate::campaign::forecast_cache::ForecastCache;
use crate::campaign::read_cache::CampaignReadCache;
use crate::http::rate_limit::RateLimits;
use crate::media::MediaReader;
use crate::operation::request_observer::RequestObserver;
use crate::writer::WriterHandle;
use store::Store;

pub(crate) use crate::operation::failure_log::log_error;

/// State of the server, shared by all request handlers.
pub(crate) struct AppState {
    pub(crate) writer: WriterHandle,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) rate_limits: RateLimits,
    pub(crate) token_cache: TokenCache,
    pub(crate) read_cache: CampaignReadCache,
    pub(crate) forecasts: ForecastCache,
    pub(crate) media: Arc<MediaReader>,
    /// Public base URL of the server, with which links to it begin.
    pub(crate) public_url: String,
    /// Observer of the public requests.
    pub(crate) observer: Arc<RequestObserver>,
    /// Contact for reports of vulnerabilities of this server.
    pub(crate) contact: Option<SecurityContact>,
}

/// Returns the OpenAPI document, as served at `/openapi.json`.
pub fn openapi() -> &'static str {
    crate::routes::openapi()
}
