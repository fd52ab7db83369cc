//! Who may do what: tokens, scopes, limits and headers.

pub(crate) mod headers;
pub(crate) mod limits;
mod secret;
mod token;

pub(crate) use secret::ServerSecret;
pub(crate) use token::{Token, hex, random_id};
