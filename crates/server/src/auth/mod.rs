//! Authentication and authorisation: tokens, scopes, sessions and the server secret.

pub(crate) mod assessor;
pub(crate) mod organiser;
mod secret;
mod token;
pub(crate) mod token_cache;

pub(crate) use secret::ServerSecret;
pub(crate) use token::{Token, hex, random_id};
