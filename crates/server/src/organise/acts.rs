//! Acts on a whole campaign: pause, resume, close, extend.

use std::sync::Arc;

use axum::extract::{Path, State};
use partita_judging::campaign::{Candidate, Candidates, Event, Extended};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::create::check_media;
use super::{Organiser, Scope};
use crate::Shared;
use crate::desk::room::CampaignState;
use crate::desk::{Refused, Turn};
use crate::document::{Document, QueryDocument};
use crate::problem::Problem;
use crate::request::{Body, Json};

/// How a campaign is after an act.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ActView {
    /// Whether it goes on.
    state: CampaignState,
    /// The number of its last event.
    seq: u64,
}

fn after(turn: &Turn<'_>) -> ActView {
    ActView {
        state: turn.room.state(),
        seq: turn.room.tail().seq,
    }
}

async fn act(
    shared: &Shared,
    name: &str,
    organiser: Organiser,
    wanted: CampaignState,
    event: Event,
) -> Result<Json<ActView>, Problem> {
    organiser.may(Scope::Manage, name)?;
    let author = organiser.author();
    let done = shared.desk.turn(name, move |turn| {
        Box::pin(async move {
            // What is so already needs no event.
            if turn.room.state() != wanted {
                turn.room.record(turn.now, &author, vec![event])?;
            }
            Ok(after(turn))
        })
    });
    Ok(Json(done.await?))
}

pub(super) async fn pause(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<ActView>, Problem> {
    act(
        &shared,
        &name,
        organiser,
        CampaignState::Paused,
        Event::Paused,
    )
    .await
}

pub(super) async fn resume(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<ActView>, Problem> {
    act(
        &shared,
        &name,
        organiser,
        CampaignState::Open,
        Event::Resumed,
    )
    .await
}

pub(super) async fn close(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<ActView>, Problem> {
    let event = Event::Closed { query: None };
    act(&shared, &name, organiser, CampaignState::Closed, event).await
}

/// What more, or less, is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extension {
    /// The number of votes on a pair from now on.
    #[serde(default)]
    votes: Option<u32>,
    /// How many votes a list may take from now on.
    #[serde(default)]
    budget: Option<usize>,
    /// New lists, and new candidates of lists that there are.
    #[serde(default)]
    lists: Vec<QueryDocument>,
}

pub(super) async fn extend(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
    Body(extension): Body<Extension>,
) -> Result<Json<ActView>, Problem> {
    organiser.may(Scope::Manage, &name)?;
    let author = organiser.author();
    let done = shared.desk.turn(&name, move |turn| {
        Box::pin(async move {
            let document = extended(&turn.room.document, &extension.lists);
            // The whole must be a campaign still.
            document.settings()?;
            check_media(turn.transaction, &document).await?;
            let more = !extension.lists.is_empty();
            let lists = extension.lists.into_iter().map(|list| Candidates {
                query: list.query,
                items: (list.items.into_iter())
                    .map(|item| Candidate {
                        item: item.item,
                        prior: item.prior,
                        same_as: item.same_as,
                    })
                    .collect(),
            });
            let event = Event::Extended(Extended {
                votes: extension.votes,
                budget: extension.budget,
                lists: lists.collect(),
            });
            turn.room.record(turn.now, &author, vec![event])?;
            if more {
                turn.room.set_document(turn.transaction, document).await?;
            }
            Ok::<ActView, Refused>(after(turn))
        })
    });
    Ok(Json(done.await?))
}

/// A document with more lists and candidates.
fn extended(document: &Document, lists: &[QueryDocument]) -> Document {
    let mut document = document.clone();
    for list in lists {
        let known = document
            .lists
            .iter_mut()
            .find(|known| known.query == list.query);
        match known {
            Some(known) => known.items.extend(list.items.iter().cloned()),
            None => document.lists.push(list.clone()),
        }
    }
    document
}
