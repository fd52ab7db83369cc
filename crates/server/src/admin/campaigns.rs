//! Campaigns, invites and tokens, from the command line.

use std::path::Path;

use partita_judging::campaign::{Event, JudgmentKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AdminError, ServerStorage, block_on};
use crate::auth::organiser::{
    CampaignUpload, InvitesRequest, Scope, create_campaign, insert_invites, insert_token,
    parse_scopes,
};
use crate::campaign::document::CampaignDocument;
use crate::campaign::state::{CampaignPhase, CampaignState};
use crate::http::problem::HttpProblem;
use crate::store::statement as sql;
use crate::store::{StoreError, fetch_optional};
use crate::writer::{JobError, UnixMillis};

/// Who acts from the command line.
pub(super) const AUTHOR: &str = "organiser at the server";

/// All campaigns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignSummaries {
    /// Each of them.
    pub campaigns: Vec<CampaignSummary>,
}

/// A campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignSummary {
    /// What it is called.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it goes on: open, paused or closed.
    pub state: String,
}

/// Invites that were made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLinks {
    /// Each of them.
    pub invites: Vec<InviteLink>,
}

/// An invite that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLink {
    /// What to call it when it is revoked.
    pub id: String,
    /// The token, shown this once.
    pub invite: String,
    /// The address for one person.
    pub link: String,
}

/// A token that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IssuedToken {
    /// What to call it when it is revoked.
    pub id: String,
    /// The token, shown this once.
    pub token: String,
}

/// All tokens.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenSummaries {
    /// Each of them, without the token itself.
    pub tokens: Vec<TokenSummary>,
}

/// A token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenSummary {
    /// What it is called.
    pub id: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The only campaign that it is for.
    pub campaign: Option<String>,
    /// When it was made.
    pub created: String,
}

impl ServerStorage {
    /// Makes a campaign of a document or a zip; what it is called.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its place.
    pub fn create_campaign(&self, bytes: &[u8]) -> Result<String, AdminError> {
        let parcel = CampaignUpload::parse(bytes)?;
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            let made = create_campaign(write.as_mut(), parcel, AUTHOR, UnixMillis::now()).await?;
            write.commit().await?;
            Ok(made.name)
        })
    }

    /// All campaigns.
    ///
    /// # Errors
    /// A place that cannot be read.
    pub fn campaigns(&self) -> Result<CampaignSummaries, AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut read = store.begin_read().await?;
            let mut campaigns = Vec::new();
            for mut row in read.fetch_all(&sql::CAMPAIGN_ALL, vec![]).await? {
                let (name, state, document) = (row.text()?, row.text()?, row.text()?);
                let document: CampaignDocument = serde_json::from_str(&document)
                    .map_err(|error| StoreError::Corrupted(error.to_string()))?;
                campaigns.push(CampaignSummary {
                    name,
                    title: document.title,
                    state,
                });
            }
            Ok(CampaignSummaries { campaigns })
        })
    }

    /// One campaign.
    ///
    /// # Errors
    /// A campaign that there is not.
    pub fn campaign(&self, name: &str) -> Result<CampaignSummary, AdminError> {
        let mut campaigns = self.campaigns()?.campaigns.into_iter();
        let found = campaigns.find(|campaign| campaign.name == name);
        found.ok_or_else(|| HttpProblem::not_found("campaign").into())
    }

    /// Makes invites of a campaign, whose links begin with an address.
    ///
    /// # Errors
    /// A campaign that there is not, or a kind that it does not ask for.
    pub fn create_invites(
        &self,
        campaign: &str,
        kind: JudgmentKind,
        count: u32,
        label: Option<String>,
        url: &str,
    ) -> Result<InviteLinks, AdminError> {
        let new = InvitesRequest {
            kind,
            count,
            label,
            expires: None,
        };
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            let known =
                fetch_optional(write.as_mut(), &sql::CAMPAIGN_GET, vec![campaign.into()]).await?;
            let mut known = known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
            let (_, document) = (known.text()?, known.text()?);
            let document: CampaignDocument = serde_json::from_str(&document)
                .map_err(|error| StoreError::Corrupted(error.to_string()))?;
            let url = url.trim_end_matches('/');
            let made = insert_invites(write.as_mut(), campaign, &document.kinds, new, url).await?;
            write.commit().await?;
            let invites = made.invites.into_iter().map(|made| InviteLink {
                id: made.id,
                invite: made.invite,
                link: made.link,
            });
            Ok(InviteLinks {
                invites: invites.collect(),
            })
        })
    }

    /// Pauses a campaign.
    ///
    /// # Errors
    /// A campaign that there is not, or that is over.
    pub fn pause(&self, campaign: &str) -> Result<(), AdminError> {
        self.change_phase(campaign, CampaignPhase::Paused, Event::Paused)
    }

    /// Lets a campaign go on.
    ///
    /// # Errors
    /// A campaign that there is not, or that is over.
    pub fn resume(&self, campaign: &str) -> Result<(), AdminError> {
        self.change_phase(campaign, CampaignPhase::Open, Event::Resumed)
    }

    /// Ends a campaign.
    ///
    /// # Errors
    /// A campaign that there is not.
    pub fn close(&self, campaign: &str) -> Result<(), AdminError> {
        self.change_phase(
            campaign,
            CampaignPhase::Closed,
            Event::Closed { query: None },
        )
    }

    fn change_phase(
        &self,
        campaign: &str,
        wanted: CampaignPhase,
        event: Event,
    ) -> Result<(), AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            let now = UnixMillis::now();
            let room = CampaignState::open(write.as_mut(), campaign).await?;
            let mut room = room.ok_or_else(|| HttpProblem::not_found("campaign"))?;
            if room.phase() != wanted {
                room.record(now, AUTHOR, vec![event])?;
                room.flush(write.as_mut(), now).await?;
            }
            Ok(write.commit().await?)
        })
    }

    /// The log of a campaign.
    ///
    /// # Errors
    /// A campaign that there is not.
    pub fn export_log(&self, campaign: &str) -> Result<String, AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut read = store.begin_read().await?;
            let lines =
                crate::campaign::read_cache::fetch_log_lines(read.as_mut(), campaign, 0).await?;
            Ok(lines.into_iter().map(|line| line + "\n").collect())
        })
    }

    /// Makes a token with these scopes.
    ///
    /// # Errors
    /// A scope or a campaign that there is not.
    pub fn create_token(
        &self,
        scopes: &[String],
        campaign: Option<String>,
    ) -> Result<IssuedToken, AdminError> {
        let scopes: Result<Vec<Scope>, _> = scopes.iter().map(|scope| scope.parse()).collect();
        let scopes = scopes.map_err(|error: partita_named::UnknownNameError| {
            AdminError::Rejected(error.to_string())
        })?;
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            if let Some(campaign) = &campaign {
                let known = vec![campaign.as_str().into()];
                let known = fetch_optional(write.as_mut(), &sql::CAMPAIGN_GET, known).await?;
                known.ok_or_else(|| HttpProblem::not_found("campaign"))?;
            }
            let (id, token) =
                insert_token(write.as_mut(), &scopes, campaign, UnixMillis::now()).await?;
            write.commit().await?;
            let token = token.as_str().to_owned();
            Ok(IssuedToken { id, token })
        })
    }

    /// All tokens.
    ///
    /// # Errors
    /// A place that cannot be read.
    pub fn tokens(&self) -> Result<TokenSummaries, AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut read = store.begin_read().await?;
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

    /// Revokes a token.
    ///
    /// # Errors
    /// A token that there is not.
    pub fn revoke_token(&self, id: &str) -> Result<(), AdminError> {
        block_on(async {
            let store = self.open().await?;
            let mut write = store.begin_write().await?;
            if write.execute(&sql::TOKEN_DROP, vec![id.into()]).await? == 0 {
                return Err(JobError::from(HttpProblem::not_found("token")).into());
            }
            Ok(write.commit().await?)
        })
    }

    /// The place of a folder, or the database that is used instead.
    pub fn from_options(data: &Path, database: Option<&str>) -> Self {
        match database {
            Some(url) => Self::Postgres(url.to_owned()),
            None => Self::Folder(data.to_owned()),
        }
    }
}
