//! The server as its clients meet it.

#![allow(clippy::unwrap_used)]

mod campaign;
mod described;
mod documents;
mod entry;
mod house;
mod kinds;
mod model;
mod organise;
mod outage;
mod rights;
#[path = "../../../partita/tests/schema_check/mod.rs"]
mod schema_check;
mod security;
mod slow;
mod storage;
mod stored;
