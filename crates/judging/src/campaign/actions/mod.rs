//! Actions of organisers and of the programs that run a campaign. Each action reads a
//! [`Campaign`](crate::campaign::Campaign), plans events, and records them through a
//! [`CampaignSession`](crate::campaign::CampaignSession). This folder may import the engine, the
//! log and the judgment kinds.

pub(crate) mod action;
pub(crate) mod assign;
pub(crate) mod effect;
pub(crate) mod intake;
pub(crate) mod question_sheets;
