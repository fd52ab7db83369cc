//! The pairs and the lists of a campaign as they are now.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use partita::Threads;
use partita_judging::campaign::{Campaign, Kind, People, Progress};
use partita_judging::{Grouping, ListsBy, ListsRequest, RelationOdds, build_lists};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Organiser, Scope};
use crate::Shared;
use crate::problem::Problem;
use crate::request::Json;

/// The pairs of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PairsView {
    /// Each of them that was ever asked.
    pairs: Vec<PairView>,
}

/// A pair.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PairView {
    /// The query.
    query: String,
    /// One item.
    a: String,
    /// The other.
    b: String,
    /// How many votes it is to have.
    wanted: u32,
    /// How many it has.
    votes: u32,
    /// How many people have it now.
    leased: u32,
    /// `open` or `decided`.
    state: &'static str,
}

pub(super) async fn pairs(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<PairsView>, Problem> {
    organiser.may(Scope::Read, &name)?;
    let pairs = shared.desk.turn(&name, |turn| {
        Box::pin(async move {
            let leased = turn.room.leased_pairs();
            let campaign = turn.room.campaign();
            let mut pairs = Vec::new();
            for list in 0..campaign.lists() {
                let lacks: HashMap<(String, String), u32> = (campaign.offers(list).into_iter())
                    .map(|offer| ((offer.a, offer.b), offer.lacks))
                    .collect();
                let query = campaign.query_name(list);
                for pair in campaign.pair_states(list) {
                    let votes: u32 = pair.votes.iter().chain(&pair.held_out).sum();
                    let both = (pair.a.clone(), pair.b.clone());
                    let turned = (pair.b.clone(), pair.a.clone());
                    let lack = lacks.get(&both).or_else(|| lacks.get(&turned));
                    let (low, high) = if pair.a <= pair.b { both } else { turned };
                    let leased = leased.get(&(query.to_owned(), low, high)).copied();
                    let decided = pair.state == Progress::Decided;
                    pairs.push(PairView {
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
            Ok(PairsView { pairs })
        })
    });
    Ok(Json(pairs.await?))
}

/// The lists of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListsView {
    /// Each of them.
    lists: Vec<ListView>,
}

/// A list as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListView {
    /// The query.
    query: String,
    /// Whether nothing more is to be asked about it.
    settled: bool,
    /// Its groups, the closest to the query first.
    groups: Vec<Vec<String>>,
    /// How likely other people decide each pair in which way.
    pairs: Vec<RelationOdds>,
    /// How far people agree about its pairs, in the mean.
    agreement: Option<f64>,
}

pub(super) async fn lists(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    organiser: Organiser,
) -> Result<Json<ListsView>, Problem> {
    organiser.may(Scope::Read, &name)?;
    let lists = shared.with_campaign(&name, |campaign| {
        let mut odds = odds(campaign)?;
        let lists = (0..campaign.lists()).map(|list| {
            let query = campaign.query_name(list).to_owned();
            let states = campaign.pair_states(list);
            let agreements: Vec<f64> = states.iter().filter_map(|pair| pair.agreement).collect();
            let mean = agreements.iter().sum::<f64>() / agreements.len() as f64;
            let groups = campaign.list(list).into_iter();
            let groups = groups.map(|group| group.into_iter().map(str::to_owned).collect());
            ListView {
                settled: campaign.is_list_settled(list),
                groups: groups.collect(),
                pairs: odds.remove(&query).unwrap_or_default(),
                agreement: (!agreements.is_empty()).then_some(mean),
                query,
            }
        });
        Ok(ListsView {
            lists: lists.collect(),
        })
    });
    Ok(Json(lists.await?))
}

/// The odds of the pairs of each list, by the posterior predictive law of new votes.
fn odds(campaign: &Campaign) -> Result<HashMap<String, Vec<RelationOdds>>, Problem> {
    let settings = campaign.settings();
    let bad = |error: String| Problem::at("", error);
    let answers = campaign.preferences(People::NotExcluded, &[]);
    let answers = answers.map_err(|error| bad(error.to_string()))?;
    if answers.preferences.is_empty() || !settings.kinds.contains(&Kind::Preference) {
        return Ok(HashMap::new());
    }
    let matters = settings.matters.unwrap_or(Grouping::MATTERS);
    let request = ListsRequest {
        preferences: &answers.preferences,
        batches: &answers.batches,
        price: settings.price,
        rule: settings.decide,
        by: ListsBy::Pooled,
        grouping: Grouping::mattering(matters).map_err(|error| bad(error.to_string()))?,
        seed: settings.seed,
    };
    let lists = build_lists(&request, &Threads::new(1)).map_err(|error| bad(error.to_string()))?;
    let models = lists.model.into_iter().flat_map(|models| {
        let models: Vec<_> = models
            .iter()
            .map(|(query, model)| (query.to_owned(), model.clone()))
            .collect();
        models
    });
    Ok(models
        .map(|(query, model)| (query, model.relations))
        .collect())
}
