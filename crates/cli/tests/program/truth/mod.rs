//! Tests of `partita truth`.

mod bad_rankings;
mod bootstrap;
mod build;
mod check;
mod compare;
mod documentation;
mod evidence;
mod fixtures;
mod preferences;
mod real_data;
mod study;
