//! What the JSON of each command about a server is like, as JSON Schema.
//!
//! The files in `docs/schema` are made from this, one for each command, beside those of the
//! [library](partita::schema). What is asked of a server itself is described by [`openapi`](crate::openapi).

use partita::schema::{CommandSchema, plain, reply};

use crate::{
    Addresses, CampaignListed, CampaignsListed, InvitesMade, TokenMade, TokensListed, Verified,
};

/// Every command about a server whose JSON is described. `backup`, `restore`, `move` and `token revoke` print
/// nothing, and `campaign export` a log.
pub const COMMANDS: &[CommandSchema] = &[
    CommandSchema::new("campaign close", reply::<CampaignListed>),
    CommandSchema::new("campaign create", reply::<CampaignListed>),
    CommandSchema::new("campaign invite", reply::<InvitesMade>),
    CommandSchema::new("campaign list", reply::<CampaignsListed>),
    CommandSchema::new("campaign pause", reply::<CampaignListed>),
    CommandSchema::new("campaign resume", reply::<CampaignListed>),
    CommandSchema::new("serve", plain::<Addresses>),
    CommandSchema::new("token create", reply::<TokenMade>),
    CommandSchema::new("token list", reply::<TokensListed>),
    CommandSchema::new("verify", reply::<Verified>),
];
