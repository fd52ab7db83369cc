//! The server as its clients meet it.

#![allow(clippy::unwrap_used)]

mod campaign;
mod entry;
mod house;
mod kinds;
mod model;
mod organise;
mod security;
mod slow;
mod storage;
