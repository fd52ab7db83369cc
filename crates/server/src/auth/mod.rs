//! Who may do what: tokens, scopes, limits and headers.

pub(crate) mod organiser;
mod secret;
mod token;
pub(crate) mod token_cache;

pub(crate) use secret::ServerSecret;
pub(crate) use token::{Token, hex, random_id};
