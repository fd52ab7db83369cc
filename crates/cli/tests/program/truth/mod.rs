//! `partita truth`.

mod bad_rankings;
mod build;
mod check;
mod compare;
mod documented;
mod fixtures;
mod preferences;
mod real_data;
mod study;
mod trust;
