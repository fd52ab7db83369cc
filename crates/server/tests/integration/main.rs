//! The server as its clients meet it.

#![allow(clippy::unwrap_used)]

mod campaign;
mod documents;
mod entry;
mod house;
mod kinds;
mod model;
mod organise;
mod outage;
mod rights;
mod security;
mod slow;
mod storage;
mod stored;
