//! Campaigns, invite links and organiser tokens, managed from the command line.

use std::path::Path;

use partita::formats::campaign::invited_people::InvitedPerson;
use partita::judging::campaign::JudgmentKind;
use schemars::JsonSchema;
use serde::Serialize;

use super::{AdminError, ServerStorage, block_on};
use crate::auth::organiser::{IssuedToken, Scope, insert_token, parse_scopes};
use crate::campaign::deletion;
use crate::campaign::read_cache::CampaignHeader;
use crate::campaign::state::CampaignState;
use crate::campaign::upload::{CampaignUpload, create_campaign};
use crate::handlers::organise::invites::{
    InviteLinks, NewInvite, insert_invites, require_not_closed,
};
use crate::http::problem::HttpProblem;
use crate::store::{StoreError, statement as sql};
use crate::writer::{JobError, UnixMillis};

/// Author recorded in the log for events that come from the command line.
pub(super) const AUTHOR: &str = "organiser at the server";

/// List of all campaigns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignSummaries {
    /// Campaigns in the order of their names.
    pub campaigns: Vec<CampaignSummary>,
}

/// Name, title and phase of a campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignSummary {
    /// Name of the campaign, as used in URLs.
    pub name: String,
    /// Title that assessors read.
    pub title: String,
    /// Phase of the campaign: open, paused or closed.
    pub state: String,
}

/// People to invite to a campaign.
#[derive(Clone, Debug)]
pub enum InvitedPeople {
    /// A number of people whose names are not known.
    Count {
        /// Kind of judgment these people give.
        kind: JudgmentKind,
        /// Number of people.
        count: u32,
        /// Label of all their links.
        label: Option<String>,
    },
    /// People of a list.
    Named {
        /// Kind of judgment of those for whom the list names none; the first of the campaign if
        /// omitted.
        kind: Option<JudgmentKind>,
        /// People, whose names are the labels of their links.
        people: Vec<InvitedPerson>,
    },
}

/// List of all organiser tokens.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenSummaries {
    /// Tokens in the order of their creation, without their secret text.
    pub tokens: Vec<TokenSummary>,
}

/// Id and rights of an organiser token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenSummary {
    /// Id of the token.
    pub id: String,
    /// Rights that the token grants, by name.
    pub scopes: Vec<String>,
    /// Campaign to which the token is restricted, if any.
    pub campaign: Option<String>,
    /// Time when the token was created, in RFC 3339.
    pub created: String,
}

impl ServerStorage {
    /// Creates a campaign from a JSON document or a zip file, and returns the name of the campaign.
    /// The files that a document names are read from `folder`, if it is given.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] with the validation errors and their positions if the
    /// upload is invalid, or if a campaign of this name exists; another [`AdminError`] if the
    /// storage fails.
    pub fn create_campaign(
        &self,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<String, AdminError> {
        let upload = match folder {
            Some(folder) => CampaignUpload::parse_in_folder(bytes, folder)?,
            None => CampaignUpload::parse(bytes)?,
        };
        self.in_write_transaction(async |write| {
            let spec = create_campaign(write, upload, AUTHOR, UnixMillis::now()).await?;
            Ok(spec.name)
        })
    }

    /// Deletes a closed campaign with its log, people and links, and the media files that no other
    /// campaign uses.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign does not exist or is not closed; another
    /// [`AdminError`] if the storage fails.
    pub fn delete_campaign(&self, name: &str) -> Result<(), AdminError> {
        self.in_write_transaction(async |write| {
            let state = CampaignState::open(write, name).await;
            let is_damaged = match state {
                Ok(state) => state.is_some_and(|state| state.damage().is_some()),
                Err(StoreError::Corrupted(_)) => true,
                Err(error) => return Err(error.into()),
            };
            Ok(deletion::delete_campaign(write, name, is_damaged, UnixMillis::now()).await?)
        })?;
        block_on(async {
            let store = self.open().await?;
            let reclaimed = store.reclaim_space().await;
            store.close().await;
            Ok(reclaimed?)
        })
    }

    /// Lists all campaigns.
    ///
    /// # Errors
    /// Returns an [`AdminError`] if the storage cannot be read.
    pub fn campaigns(&self) -> Result<CampaignSummaries, AdminError> {
        self.in_read_transaction(async |read| {
            let mut campaigns = Vec::new();
            for mut row in read.fetch_all(&sql::CAMPAIGN_ALL, vec![]).await? {
                let (name, state, title) = (row.text()?, row.text()?, row.text()?);
                campaigns.push(CampaignSummary { name, title, state });
            }
            Ok(CampaignSummaries { campaigns })
        })
    }

    /// Returns the summary of one campaign.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign does not exist; another [`AdminError`] if
    /// the storage fails.
    pub fn campaign(&self, name: &str) -> Result<CampaignSummary, AdminError> {
        let mut campaigns = self.campaigns()?.campaigns.into_iter();
        let found = campaigns.find(|campaign| campaign.name == name);
        found.ok_or_else(|| HttpProblem::not_found("campaign").into())
    }

    /// Creates invite links for a campaign. The links begin with the given base URL.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign does not exist, is closed, does not collect
    /// judgments of a given kind, or the number of people is not from 1 to 1,000; another [`AdminError`] if the
    /// storage fails.
    pub fn create_invites(
        &self,
        campaign: &str,
        people: InvitedPeople,
        url: &str,
    ) -> Result<InviteLinks, AdminError> {
        self.in_write_transaction(async |write| {
            let known = CampaignHeader::fetch(write, campaign).await?;
            let known = known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
            let row = write.fetch_optional(&sql::CAMPAIGN_GET, vec![campaign.into()]);
            let mut row = row.await?.expect("it has a header");
            require_not_closed(row.text()?.parse().map_err(StoreError::corrupted)?)?;
            let url = url.trim_end_matches('/');
            let new = match people {
                InvitedPeople::Count { kind, count, label } => {
                    let invite = NewInvite {
                        kind,
                        label,
                        email: None,
                    };
                    vec![invite; count as usize]
                }
                InvitedPeople::Named { kind, people } => {
                    NewInvite::from_people(people, kind.unwrap_or(known.kinds[0]))
                }
            };
            let campaign = (campaign, known.kinds.as_slice());
            Ok(insert_invites(write, campaign, new, None, url).await?)
        })
    }

    /// Returns the log of a campaign as text, one event per line.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the campaign does not exist; another [`AdminError`] if
    /// the storage fails.
    pub fn export_log(&self, campaign: &str) -> Result<String, AdminError> {
        self.in_read_transaction(async |read| {
            let lines =
                crate::campaign::read_cache::fetch_log_lines(read, campaign, 0, None).await?;
            Ok(lines.into_iter().map(|line| line + "\n").collect())
        })
    }

    /// Creates an organiser token with the given scopes.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if a scope or the campaign does not exist; another
    /// [`AdminError`] if the storage fails.
    pub fn create_token(
        &self,
        scopes: &[String],
        campaign: Option<String>,
    ) -> Result<IssuedToken, AdminError> {
        let scopes: Result<Vec<Scope>, _> = scopes.iter().map(|scope| scope.parse()).collect();
        let scopes = scopes.map_err(|error: partita::named::UnknownNameError| {
            AdminError::Rejected(error.to_string())
        })?;
        self.in_write_transaction(async |write| {
            if let Some(campaign) = &campaign {
                let known = vec![campaign.as_str().into()];
                let known = write.fetch_optional(&sql::CAMPAIGN_GET, known).await?;
                known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
            }
            Ok(insert_token(write, &scopes, campaign, UnixMillis::now()).await?)
        })
    }

    /// Lists all organiser tokens.
    ///
    /// # Errors
    /// Returns an [`AdminError`] if the storage cannot be read.
    pub fn tokens(&self) -> Result<TokenSummaries, AdminError> {
        self.in_read_transaction(async |read| {
            let mut tokens = Vec::new();
            for mut row in read.fetch_all(&sql::TOKEN_ALL, vec![]).await? {
                let (id, scopes) = (row.text()?, row.text()?);
                let scopes = parse_scopes(&scopes).into_iter();
                tokens.push(TokenSummary {
                    id,
                    scopes: scopes.map(|scope| scope.to_string()).collect(),
                    campaign: row.text_or_null(),
                    created: UnixMillis(row.int()?).to_rfc3339(),
                });
            }
            Ok(TokenSummaries { tokens })
        })
    }

    /// Revokes an organiser token.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the token does not exist; another [`AdminError`] if the
    /// storage fails.
    pub fn revoke_token(&self, id: &str) -> Result<(), AdminError> {
        self.in_write_transaction(async |write| {
            if write.execute(&sql::TOKEN_DROP, vec![id.into()]).await? == 0 {
                return Err(JobError::from(HttpProblem::not_found("token")).into());
            }
            Ok(())
        })
    }
}
