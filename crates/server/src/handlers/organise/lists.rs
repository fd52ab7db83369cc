//! Pairs of a campaign with their votes, and its lists according to the judgments so far.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use partita::judging::campaign::{Campaign, CurrentList, JudgmentKind, PairProgress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{EncodedJson, QueryParams};
use crate::http::table_query::{SortValue, TableQuery, TableRow};

/// Pairs of items for which a campaign has requested votes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AskedPairsView {
    /// All pairs for which votes were ever requested, with their votes.
    pairs: Vec<AskedPairView>,
}

/// Pair of items of a query, with its votes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AskedPairView {
    /// Id of the query.
    query: String,
    /// Id of the first item.
    a: String,
    /// Id of the second item.
    b: String,
    /// Number of votes wanted for the pair: votes received so far plus missing votes.
    wanted: u32,
    /// Number of votes received for the pair, held-out votes included.
    votes: u32,
    /// Number of current leases of the pair to assessors, gold questions excluded.
    leased: u32,
    /// State of the pair: `decided`, or `open` for every pair that is not decided.
    state: &'static str,
}

pub(crate) async fn list_pairs(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let locked = shared.lock_campaign(&name).await?;
    // Votes and leases must be those of the same event, or an answer could count as both.
    let leases = shared.writer.run_read_job(&name, |context| {
        let leased = context.campaign.lease_counts_by_pair();
        let seq = context.campaign.tail().seq;
        Box::pin(async move { Ok((leased, seq)) })
    });
    let (leased, seq) = leases.await?;
    let pairs = locked.compute(&shared, Some(seq), move |campaign, _| {
        Ok(EncodedJson::new(&AskedPairsView {
            pairs: asked_pairs(campaign, &leased),
        }))
    });
    pairs.await
}

/// Returns the pairs for which votes were ever requested. `leased` contains the number of leases of
/// each pair, keyed by query and items in the order of their names.
fn asked_pairs(
    campaign: &Campaign,
    leased: &HashMap<(String, String, String), u32>,
) -> Vec<AskedPairView> {
    let mut pairs = Vec::new();
    for list in 0..campaign.list_count() {
        let lacks: HashMap<(String, String), u32> = (campaign.offers(list).into_iter())
            .map(|offer| ((offer.a, offer.b), offer.missing_votes))
            .collect();
        let query = campaign.query_name(list);
        for pair in campaign.pair_snapshots(list) {
            let votes: u32 = pair.votes.iter().chain(&pair.held_out).sum();
            let both = (pair.a.clone(), pair.b.clone());
            let turned = (pair.b.clone(), pair.a.clone());
            let lack = lacks.get(&both).or_else(|| lacks.get(&turned));
            let (low, high) = if pair.a <= pair.b { both } else { turned };
            let leased = leased.get(&(query.to_owned(), low, high)).copied();
            let decided = pair.state == PairProgress::Decided;
            pairs.push(AskedPairView {
                query: query.to_owned(),
                a: pair.a,
                b: pair.b,
                wanted: votes + lack.copied().unwrap_or(0),
                votes,
                leased: leased.unwrap_or(0),
                state: if decided { "decided" } else { "open" },
            });
        }
    }
    pairs
}

/// Query parameters of a request for the current lists.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListsQuery {
    /// Kind of judgments that the lists are built from; defaults to the first kind of the campaign.
    #[serde(default)]
    #[schemars(with = "JudgmentKind")]
    kind: Option<String>,
}

/// Lists of a campaign according to the judgments so far.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CurrentListsView<'a> {
    /// Current lists, one per query.
    lists: Vec<&'a CurrentList>,
    /// Number of lists that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

impl TableRow for CurrentList {
    const SORT_KEYS: &'static [&'static str] = &["query", "settled", "groups", "agreement"];

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        match key {
            "query" => SortValue::Text(&self.query),
            "settled" => SortValue::Number(f64::from(u8::from(self.settled))),
            "groups" => SortValue::Number(self.groups.len() as f64),
            _ => self.agreement.into(),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let items = self.groups.iter().flatten();
        let mut texts: Vec<&str> = items.map(String::as_str).collect();
        texts.push(&self.query);
        texts
    }
}

pub(crate) async fn get_lists(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(which): QueryParams<ListsQuery>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<EncodedJson, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let kind = parse_kind(which.kind.as_deref())?;
    let key = format!("lists {kind:?}");
    let lists = shared.campaign_result(&name, key, move |campaign| {
        Ok(campaign.current_lists(requested_kind(campaign, kind)?))
    });
    let lists = lists.await?;
    let view = EncodedJson::off_runtime(move || {
        let page = rows.select(lists.iter().collect())?;
        Ok(EncodedJson::new(&CurrentListsView {
            lists: page.rows,
            total: page.total,
        }))
    });
    view.await
}

/// Parses the kind of judgments that a request asks for, if it names one.
pub(crate) fn parse_kind(kind: Option<&str>) -> Result<Option<JudgmentKind>, HttpProblem> {
    let kind = kind.map(str::parse::<JudgmentKind>).transpose();
    kind.map_err(|error| HttpProblem::invalid_field("/kind", error.to_string()))
}

/// Returns the kind of judgments that a request asks for. It must be one of the campaign's kinds;
/// the default is the first.
pub(crate) fn requested_kind(
    campaign: &Campaign,
    kind: Option<JudgmentKind>,
) -> Result<JudgmentKind, HttpProblem> {
    let kinds = &campaign.spec().kinds;
    let kind = kind.unwrap_or(kinds[0]);
    match kinds.contains(&kind) {
        true => Ok(kind),
        false => Err(HttpProblem::invalid_field(
            "/kind",
            "the campaign has no tasks of this kind",
        )),
    }
}
