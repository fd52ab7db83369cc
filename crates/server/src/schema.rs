//! What the JSON of each command about a server is like, as JSON Schema.
//!
//! The files in `docs/schema` are made from this, one for each command, beside those of the
//! [library](partita::schema). What is asked of a server itself is described by [`openapi`](crate::openapi).

use partita::schema::{CommandSchema, bare_schema, reply_schema};

use crate::{
    CampaignSummaries, CampaignSummary, InviteLinks, IssuedToken, ServerAddresses, TokenSummaries,
    VerificationReport,
};

/// Every command about a server whose JSON is described. `backup`, `restore`, `move` and `token revoke` print
/// nothing, and `campaign export` a log.
pub const COMMANDS: &[CommandSchema] = &[
    CommandSchema::new("campaign close", reply_schema::<CampaignSummary>),
    CommandSchema::new("campaign create", reply_schema::<CampaignSummary>),
    CommandSchema::new("campaign invite", reply_schema::<InviteLinks>),
    CommandSchema::new("campaign list", reply_schema::<CampaignSummaries>),
    CommandSchema::new("campaign pause", reply_schema::<CampaignSummary>),
    CommandSchema::new("campaign resume", reply_schema::<CampaignSummary>),
    CommandSchema::new("serve", bare_schema::<ServerAddresses>),
    CommandSchema::new("token create", reply_schema::<IssuedToken>),
    CommandSchema::new("token list", reply_schema::<TokenSummaries>),
    CommandSchema::new("verify", reply_schema::<VerificationReport>),
];
