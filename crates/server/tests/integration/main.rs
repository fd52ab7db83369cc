//! Tests of the server through its HTTP interface.

#![allow(clippy::unwrap_used)]

mod admin;
mod authorisation;
mod campaign;
mod campaign_documents;
mod damage;
mod deletion;
mod enter;
mod invites;
mod judgment_kinds;
mod media;
mod model;
mod nul;
mod openapi;
mod operation;
mod organisers;
mod outage;
#[path = "../../../partita/tests/schema_check/mod.rs"]
mod schema_check;
mod security;
mod slow_clients;
mod stored_schemas;
mod takeover;
mod test_server;
mod work_outcomes;
