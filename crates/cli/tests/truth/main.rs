//! `partita stats` and `partita truth`, by running the real program.

mod bad_rankings;
mod build;
mod check;
mod compare;
mod data;
mod documented;
mod fixtures;
mod judge;
mod preferences;
mod program;
mod skating;
mod stats;
mod study;
mod trust;
