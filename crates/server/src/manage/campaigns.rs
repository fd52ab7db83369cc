//! Campaigns, invites and tokens, from the command line.

use std::path::Path;

use partita_judging::campaign::{Event, Kind};
use schemars::JsonSchema;
use serde::Serialize;

use super::{NotDone, Place, wait};
use crate::desk::room::{CampaignState, Room};
use crate::desk::{Now, Refused};
use crate::document::Document;
use crate::organise::{NewInvites, Parcel, Scope, create, make_invites, make_token, read_scopes};
use crate::problem::Problem;
use crate::store::statement as sql;
use crate::store::{StoreError, row};

/// Who acts from the command line.
pub(super) const AUTHOR: &str = "organiser at the server";

/// All campaigns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignsListed {
    /// Each of them.
    pub campaigns: Vec<CampaignListed>,
}

/// A campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignListed {
    /// What it is called.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Whether it goes on: open, paused or closed.
    pub state: String,
}

/// Invites that were made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InvitesMade {
    /// Each of them.
    pub invites: Vec<InviteMade>,
}

/// An invite that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteMade {
    /// What to call it when it is revoked.
    pub id: String,
    /// The token, shown this once.
    pub invite: String,
    /// The address for one person.
    pub link: String,
}

/// A token that was made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenMade {
    /// What to call it when it is revoked.
    pub id: String,
    /// The token, shown this once.
    pub token: String,
}

/// All tokens.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokensListed {
    /// Each of them, without the token itself.
    pub tokens: Vec<TokenListed>,
}

/// A token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenListed {
    /// What it is called.
    pub id: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The only campaign that it is for.
    pub campaign: Option<String>,
    /// When it was made.
    pub created: String,
}

impl Place {
    /// Makes a campaign of a document or a zip; what it is called.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its place.
    pub fn create_campaign(&self, bytes: &[u8]) -> Result<String, NotDone> {
        let parcel = Parcel::open(bytes)?;
        wait(async {
            let store = self.open().await?;
            let mut write = store.write().await?;
            let made = create(write.as_mut(), parcel, AUTHOR, Now::clock()).await?;
            write.commit().await?;
            Ok(made.name)
        })
    }

    /// All campaigns.
    ///
    /// # Errors
    /// A place that cannot be read.
    pub fn campaigns(&self) -> Result<CampaignsListed, NotDone> {
        wait(async {
            let store = self.open().await?;
            let mut read = store.read().await?;
            let mut campaigns = Vec::new();
            for mut row in read.rows(&sql::CAMPAIGN_ALL, vec![]).await? {
                let (name, state, document) = (row.text()?, row.text()?, row.text()?);
                let document: Document = serde_json::from_str(&document)
                    .map_err(|error| StoreError::Damaged(error.to_string()))?;
                campaigns.push(CampaignListed {
                    name,
                    title: document.title,
                    state,
                });
            }
            Ok(CampaignsListed { campaigns })
        })
    }

    /// One campaign.
    ///
    /// # Errors
    /// A campaign that there is not.
    pub fn campaign(&self, name: &str) -> Result<CampaignListed, NotDone> {
        let mut campaigns = self.campaigns()?.campaigns.into_iter();
        let found = campaigns.find(|campaign| campaign.name == name);
        found.ok_or_else(|| Problem::not_found("campaign").into())
    }

    /// Makes invites of a campaign, whose links begin with an address.
    ///
    /// # Errors
    /// A campaign that there is not, or a kind that it does not ask for.
    pub fn invite(
        &self,
        campaign: &str,
        kind: Kind,
        count: u32,
        label: Option<String>,
        url: &str,
    ) -> Result<InvitesMade, NotDone> {
        let new = NewInvites {
            kind,
            count,
            label,
            expires: None,
        };
        wait(async {
            let store = self.open().await?;
            let mut write = store.write().await?;
            let known = row(write.as_mut(), &sql::CAMPAIGN_GET, vec![campaign.into()]).await?;
            let mut known = known.ok_or_else(|| Problem::not_found("campaign"))?;
            let (_, document) = (known.text()?, known.text()?);
            let document: Document = serde_json::from_str(&document)
                .map_err(|error| StoreError::Damaged(error.to_string()))?;
            let url = url.trim_end_matches('/');
            let made = make_invites(write.as_mut(), campaign, &document.kinds, new, url).await?;
            write.commit().await?;
            let invites = made.invites.into_iter().map(|made| InviteMade {
                id: made.id,
                invite: made.invite,
                link: made.link,
            });
            Ok(InvitesMade {
                invites: invites.collect(),
            })
        })
    }

    /// Pauses a campaign.
    ///
    /// # Errors
    /// A campaign that there is not, or that is over.
    pub fn pause(&self, campaign: &str) -> Result<(), NotDone> {
        self.act(campaign, CampaignState::Paused, Event::Paused)
    }

    /// Lets a campaign go on.
    ///
    /// # Errors
    /// A campaign that there is not, or that is over.
    pub fn resume(&self, campaign: &str) -> Result<(), NotDone> {
        self.act(campaign, CampaignState::Open, Event::Resumed)
    }

    /// Ends a campaign.
    ///
    /// # Errors
    /// A campaign that there is not.
    pub fn close(&self, campaign: &str) -> Result<(), NotDone> {
        self.act(
            campaign,
            CampaignState::Closed,
            Event::Closed { query: None },
        )
    }

    fn act(&self, campaign: &str, wanted: CampaignState, event: Event) -> Result<(), NotDone> {
        wait(async {
            let store = self.open().await?;
            let mut write = store.write().await?;
            let now = Now::clock();
            let room = Room::open(write.as_mut(), campaign).await?;
            let mut room = room.ok_or_else(|| Problem::not_found("campaign"))?;
            if room.state() != wanted {
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
    pub fn log(&self, campaign: &str) -> Result<String, NotDone> {
        wait(async {
            let store = self.open().await?;
            let mut read = store.read().await?;
            let lines = crate::organise::reading::lines(read.as_mut(), campaign, 0).await?;
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
    ) -> Result<TokenMade, NotDone> {
        let scopes: Result<Vec<Scope>, _> = scopes.iter().map(|scope| scope.parse()).collect();
        let scopes = scopes.map_err(|error: partita_stats::named::UnknownName| {
            NotDone::Refused(error.to_string())
        })?;
        wait(async {
            let store = self.open().await?;
            let mut write = store.write().await?;
            if let Some(campaign) = &campaign {
                let known = vec![campaign.as_str().into()];
                let known = row(write.as_mut(), &sql::CAMPAIGN_GET, known).await?;
                known.ok_or_else(|| Problem::not_found("campaign"))?;
            }
            let (id, token) = make_token(write.as_mut(), &scopes, campaign, Now::clock()).await?;
            write.commit().await?;
            let token = token.text().to_owned();
            Ok(TokenMade { id, token })
        })
    }

    /// All tokens.
    ///
    /// # Errors
    /// A place that cannot be read.
    pub fn tokens(&self) -> Result<TokensListed, NotDone> {
        wait(async {
            let store = self.open().await?;
            let mut read = store.read().await?;
            let mut tokens = Vec::new();
            for mut row in read.rows(&sql::TOKEN_ALL, vec![]).await? {
                let (id, scopes) = (row.text()?, row.text()?);
                let scopes = read_scopes(&scopes).into_iter();
                tokens.push(TokenListed {
                    id,
                    scopes: scopes.map(|scope| scope.to_string()).collect(),
                    campaign: row.text_or_null(),
                    created: Now(row.int()?).text(),
                });
            }
            Ok(TokensListed { tokens })
        })
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// A token that there is not.
    pub fn revoke_token(&self, id: &str) -> Result<(), NotDone> {
        wait(async {
            let store = self.open().await?;
            let mut write = store.write().await?;
            if write.run(&sql::TOKEN_DROP, vec![id.into()]).await? == 0 {
                return Err(Refused::from(Problem::not_found("token")).into());
            }
            Ok(write.commit().await?)
        })
    }

    /// The place of a folder, or the database that is used instead.
    pub fn of(data: &Path, database: Option<&str>) -> Self {
        match database {
            Some(url) => Self::Postgres(url.to_owned()),
            None => Self::Folder(data.to_owned()),
        }
    }
}
