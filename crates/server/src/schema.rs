//! JSON schemas of the output of the server commands.
//!
//! The files in `docs/schema`, one per command, are generated from these schemas and from those of
//! the [library](partita::schema). The HTTP API is described by [`openapi`](crate::openapi).

use partita::schema::{CommandSchema, bare_schema, reply_schema};

use crate::{
    CampaignSummaries, CampaignSummary, InviteLinks, IssuedToken, ServerAddresses, TokenSummaries,
    VerificationReport,
};

/// Server commands with JSON output. `backup`, `restore`, `move` and `token revoke` print nothing;
/// `campaign log` prints a log. The other commands about campaigns print the same as for log files.
pub const COMMANDS: &[CommandSchema] = &[
    CommandSchema::new("campaign create", reply_schema::<CampaignSummary>),
    CommandSchema::new("campaign invite", reply_schema::<InviteLinks>),
    CommandSchema::new("campaign list", reply_schema::<CampaignSummaries>),
    CommandSchema::new("serve", bare_schema::<ServerAddresses>),
    CommandSchema::new("token create", reply_schema::<IssuedToken>),
    CommandSchema::new("token list", reply_schema::<TokenSummaries>),
    CommandSchema::new("verify", reply_schema::<VerificationReport>),
];
