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

pub use document::Document;
pub use ipnet::IpNet;
pub use manage::{
    CampaignListed, CampaignsListed, InviteMade, InvitesMade, NotDone, Place, SimulatedJudges,
    TokenListed, TokenMade, TokensListed, Unsound, Verified, VerifiedCampaign,
};
pub use security::{Contact, NoContact};
pub use serve::{Addresses, Running, ServeError, ServeSettings, run, start};
pub use store::StoreError;

use std::sync::Arc;

use desk::Desk;
use guard::limits::Limits;
use judges::Judges;
use store::Store;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) desk: Desk,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) limits: Limits,
    pub(crate) judges: Judges,
    pub(crate) readings: organise::reading::ReadingRoom,
    /// Where people reach the server.
    pub(crate) public_url: String,
    /// Whom to tell of weaknesses of this server.
    pub(crate) contact: Option<security::Contact>,
}

/// The OpenAPI document of a server, as `/openapi.json` gives it.
pub fn openapi() -> &'static str {
    api::openapi()
}

/// Says on standard error what went wrong inside. No token, claim or address is ever a part of it.
#[allow(clippy::print_stderr)]
pub(crate) fn trouble(error: &dyn std::fmt::Display) {
    eprintln!("{} {error}", desk::Now::clock().text());
}
