//! Coming in: by an invite, or with the id of a panel in the address.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use partita_judging::campaign::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Shared;
use crate::desk::room::{CampaignState, Person};
use crate::desk::{Refused, Turn};
use crate::entry::{Claim, End, Outcome, Recruiter};
use crate::guard::{Token, random_id};
use crate::lang;
use crate::problem::{Problem, ProblemKind};
use crate::request::{Body, Json};
use crate::store::row;
use crate::store::statement as sql;

/// How long a judge's token is valid, in thousandths of a second: 30 days.
const VALID: i64 = 30 * 24 * 3_600_000;

/// How people are called who came by a panel.
const RECRUITER: &str = "recruiter";

/// Who wants to come in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The campaign.
    campaign: String,
    /// The token of an invite.
    #[serde(default)]
    invite: Option<String>,
    /// The parameters of the address, for people of a panel.
    #[serde(default)]
    params: Option<BTreeMap<String, String>>,
    /// The language that they want.
    #[serde(default)]
    language: Option<String>,
}

/// Who is in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Entered {
    /// What to show from now on.
    token: String,
    /// Who it is.
    person: String,
    /// Whether they were here before.
    resumed: bool,
    /// Until when the token is valid.
    #[schemars(extend("format" = "date-time"))]
    expires: String,
}

pub(super) async fn enter(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Body(entry): Body<Entry>,
) -> Result<Json<Entered>, Problem> {
    let forwarded = headers.get("x-forwarded-for");
    let forwarded = forwarded.and_then(|value| value.to_str().ok());
    let address = shared.limits.address(peer.ip(), forwarded);
    shared.limits.entry(address)?;
    let campaign = entry.campaign.clone();
    let entered = shared.desk.patient_turn(&campaign, move |turn| {
        Box::pin(come_in(turn, entry.clone()))
    });
    let entered = entered.await.map_err(|problem| match problem.kind {
        // Whoever guesses learns neither names of campaigns nor whether a link ever was.
        ProblemKind::NotFound => shared.limits.failure(address, no_link()),
        ProblemKind::Link => shared.limits.failure(address, problem),
        _ => problem,
    })?;
    Ok(Json(entered))
}

fn no_link() -> Problem {
    let detail = "this link is not valid (any more); ask whoever gave it to you";
    Problem::new(ProblemKind::Link, detail)
}

async fn come_in(turn: &mut Turn<'_>, entry: Entry) -> Result<Entered, Refused> {
    let language = lang::known(entry.language.as_deref());
    let (person, resumed) = match (entry.invite, entry.params) {
        (Some(invite), None) => by_invite(turn, &invite, language).await?,
        (None, Some(params)) => by_claim(turn, &params, language).await?,
        _ => {
            let detail = "say either `invite` or `params`";
            return Err(Problem::at("", detail).into());
        }
    };
    let token = Token::random();
    let expires = turn.now.0 + VALID;
    let values = vec![token.hash().into(), person.as_str().into(), expires.into()];
    turn.transaction.run(&sql::PERSON_TOKEN_ADD, values).await?;
    Ok(Entered {
        token: token.text().to_owned(),
        person,
        resumed,
        expires: crate::desk::Now(expires).text(),
    })
}

async fn by_invite(
    turn: &mut Turn<'_>,
    invite: &str,
    language: &str,
) -> Result<(String, bool), Refused> {
    let hash = Token::shown(invite).hash();
    let values = vec![turn.room.name.as_str().into(), hash.into()];
    let found = row(turn.transaction, &sql::INVITE_BY_HASH, values).await?;
    let mut found = found.ok_or_else(no_link)?;
    let (id, kind) = (found.text()?, found.text()?);
    let (expires, revoked) = (found.int_or_null(), found.int_or_null());
    let person = found.text_or_null();
    if revoked.is_some() || expires.is_some_and(|expires| expires < turn.now.0) {
        return Err(no_link().into());
    }
    if let Some(person) = person {
        return Ok((person, true));
    }
    let kind = kind.parse().map_err(|_| no_link())?;
    if !is_left(turn, kind, false)? {
        return Err(full(turn, None).into());
    }
    let person = newcomer(kind, &id, language);
    let name = person.id.clone();
    turn.room
        .add_person(turn.transaction, person, turn.now)
        .await?;
    let values = vec![id.into(), name.as_str().into()];
    turn.transaction.run(&sql::INVITE_USED, values).await?;
    Ok((name, false))
}

async fn by_claim(
    turn: &mut Turn<'_>,
    params: &BTreeMap<String, String>,
    language: &str,
) -> Result<(String, bool), Refused> {
    let document = turn.room.document.clone();
    let recruiter = document.recruiter.as_ref().ok_or_else(no_link)?;
    let claim = recruiter.claim(params).ok_or_else(no_link)?;
    let campaign = turn.room.name.clone();
    let values = vec![campaign.as_str().into(), claim.id.as_str().into()];
    if let Some(mut known) = row(turn.transaction, &sql::CLAIM_GET, values).await? {
        return Ok((known.text()?, true));
    }
    let kind = recruiter.kind.unwrap_or(document.kinds[0]);
    let count = row(
        turn.transaction,
        &sql::CLAIM_COUNT,
        vec![campaign.as_str().into()],
    )
    .await?;
    let count = count.map_or(Ok(0), |mut row| row.int())?;
    let room = recruiter.limit.is_none_or(|limit| count < i64::from(limit));
    if !room || !is_left(turn, kind, true)? {
        return Err(full(turn, Some((recruiter, &claim))).into());
    }
    let person = newcomer(kind, RECRUITER, language);
    let name = person.id.clone();
    turn.room
        .add_person(turn.transaction, person, turn.now)
        .await?;
    let params = serde_json::to_string(&claim.captured).expect("texts by names");
    let values = vec![
        campaign.into(),
        claim.id.into(),
        params.into(),
        name.as_str().into(),
    ];
    turn.transaction.run(&sql::CLAIM_ADD, values).await?;
    Ok((name, false))
}

fn newcomer(kind: Kind, entry: &str, language: &str) -> Person {
    Person {
        id: random_id(),
        kind,
        entry: entry.to_owned(),
        end: None,
        language: language.to_owned(),
        consent: None,
        background: None,
        waits_since: None,
    }
}

/// Whether there is something for a newcomer. Who was invited may wait for it; people of a panel are paid
/// for their time and are let in only if there is something now.
fn is_left(turn: &mut Turn<'_>, kind: Kind, now: bool) -> Result<bool, Refused> {
    let room = &mut *turn.room;
    if room.state() == CampaignState::Closed {
        return Ok(false);
    }
    let paused = room.state() == CampaignState::Paused;
    // Nobody is called so: ids are longer.
    let found = room.choose("newcomer", kind, turn.now).is_some();
    if !found && kind == Kind::Preference {
        turn.after_plan()?;
    }
    let settled = || kind == Kind::Preference && turn.room.is_settled();
    Ok(match kind {
        _ if paused => !now && !settled(),
        Kind::Preference => found || (!now && !settled()),
        Kind::Ranking | Kind::Grading => found,
    })
}

fn full(turn: &Turn<'_>, by: Option<(&Recruiter, &Claim)>) -> Problem {
    let outcome = match by {
        Some((recruiter, claim)) => {
            recruiter.outcome(End::Full, &claim.id, Some(claim), turn.secret)
        }
        None => Outcome {
            outcome: End::Full,
            code: None,
            url: None,
            name: None,
        },
    };
    Problem {
        outcome: Some(Box::new(outcome)),
        ..Problem::new(ProblemKind::Full, "there is nothing left to judge")
    }
}
