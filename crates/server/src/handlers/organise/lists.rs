//! Pairs of a campaign with their votes, and its lists according to the judgments so far.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use partita::Item;
use partita::judging::RelationProbabilities;
use partita::judging::campaign::{
    Campaign, ExportRequest, GradeScale, ItemGrades, JudgmentKind, PairProgress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonResponse, QueryParams};
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
) -> Result<JsonResponse<AskedPairsView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let pairs = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let leased = context.campaign.lease_counts_by_pair();
            let campaign = context.campaign.campaign();
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
            Ok(AskedPairsView { pairs })
        })
    });
    Ok(JsonResponse(pairs.await?))
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
pub(crate) struct CurrentListsView {
    /// Current lists, one per query.
    lists: Vec<CurrentListView>,
    /// Number of lists that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// List of a query according to the judgments so far.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CurrentListView {
    /// Id of the query.
    query: String,
    /// True if the list currently needs no more judgments of this kind.
    settled: bool,
    /// Groups of items, most similar first. A list built from preferences contains all items. In
    /// other lists, items without a rank or gain are in no group.
    groups: Vec<Vec<String>>,
    /// Gain of each group, if the list is built from grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    gains: Option<Vec<f64>>,
    /// Predicted decision of a new panel of assessors on each pair of items, as probabilities of
    /// the three relations. Empty if the list has no votes or is not built from preferences.
    pairs: Vec<RelationProbabilities>,
    /// Mean agreement of two votes on the same pair, from 0 (opposite) to 1 (the same), averaged
    /// over the pairs with at least two votes; `null` if there is no such pair or the list is not
    /// built from preferences.
    agreement: Option<f64>,
}

impl TableRow for CurrentListView {
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
) -> Result<JsonResponse<CurrentListsView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let lists = shared.with_campaign(&name, move |campaign| {
        let lists = match requested_kind(campaign, which.kind.as_deref())? {
            JudgmentKind::Preference => lists_from_preferences(campaign)?,
            JudgmentKind::Ranking => lists_from_rankings(campaign)?,
            JudgmentKind::Grading => lists_from_grades(campaign)?,
        };
        let page = rows.select(lists)?;
        Ok(CurrentListsView {
            lists: page.rows,
            total: page.total,
        })
    });
    Ok(JsonResponse(lists.await?))
}

/// Builds the current lists from preferences.
fn lists_from_preferences(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let odds = campaign.predictions(&ExportRequest::default());
    let odds = odds.map_err(HttpProblem::invalid_request)?;
    let odds = odds
        .lists
        .into_iter()
        .map(|list| (list.query, list.relations));
    let mut odds: HashMap<String, Vec<RelationProbabilities>> = odds.collect();
    let lists = (0..campaign.list_count()).map(|list| {
        let query = campaign.query_name(list).to_owned();
        let states = campaign.pair_snapshots(list);
        let agreements: Vec<f64> = states.iter().filter_map(|pair| pair.agreement).collect();
        let mean = agreements.iter().sum::<f64>() / agreements.len() as f64;
        let groups = campaign.groups(list).into_iter();
        let groups = groups.map(|group| group.into_iter().map(str::to_owned).collect());
        CurrentListView {
            settled: campaign.is_list_settled(list),
            groups: groups.collect(),
            gains: None,
            // A list without votes has no predictions.
            pairs: odds.remove(&query).unwrap_or_default(),
            agreement: (!agreements.is_empty()).then_some(mean),
            query,
        }
    });
    Ok(lists.collect())
}

/// Builds the current lists from rankings with the aggregation function Any-1, as `truth build`
/// does.
fn lists_from_rankings(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let truth = campaign.truth(JudgmentKind::Ranking, &ExportRequest::default());
    let truth = truth.map_err(HttpProblem::invalid_request)?;
    let mut groups: HashMap<&str, Vec<Vec<String>>> = HashMap::new();
    for (query, judged) in truth.iter() {
        let name = |item: &Item| judged.names().name(*item).to_owned();
        let of_query = judged.list().groups();
        let of_query = of_query.map(|group| group.iter().map(name).collect());
        groups.insert(query, of_query.collect());
    }
    let lists = (0..campaign.list_count()).map(|list| {
        let (query, counts) = (campaign.query_name(list), campaign.judgment_counts(list));
        let enough = counts.rankings >= counts.rankings_wanted;
        CurrentListView {
            query: query.to_owned(),
            settled: enough || campaign.is_list_closed(list),
            // A list that nobody ranked has no groups.
            groups: groups.remove(query).unwrap_or_default(),
            gains: None,
            pairs: Vec::new(),
            agreement: None,
        }
    });
    Ok(lists.collect())
}

/// Builds the current lists from grades: items with the same gain form a group.
fn lists_from_grades(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let items = campaign.item_grades(&ExportRequest::default());
    let items = items.map_err(HttpProblem::invalid_request)?;
    let scale = GradeScale::default_for(&items);
    let mut of_query: HashMap<String, Vec<ItemGrades>> = HashMap::new();
    for item in items {
        of_query.entry(item.query.clone()).or_default().push(item);
    }
    let graders = campaign.spec().judging.graders as usize;
    let lists = (0..campaign.list_count()).map(|list| {
        let query = campaign.query_name(list).to_owned();
        // The query may have no grades yet.
        let items = of_query.remove(&query).unwrap_or_default();
        // Count at most the wanted number of grades per item: surplus grades of one item do not
        // make up for missing grades of another.
        let counted = items.iter().map(|item| item.graders.min(graders));
        let enough = counted.sum::<usize>() >= campaign.judgment_counts(list).grades_wanted;
        let mut by_gain: Vec<(f64, String)> = (items.into_iter())
            .filter_map(|item| Some((gain(&item, scale)?, item.item)))
            .collect();
        // The sort is stable: items with equal gains keep the order of the candidates.
        by_gain.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let same = |(one, _): &(f64, String), (other, _): &(f64, String)| one == other;
        let groups = by_gain.chunk_by(same);
        CurrentListView {
            query,
            settled: enough || campaign.is_list_closed(list),
            gains: Some(groups.clone().map(|group| group[0].0).collect()),
            groups: groups
                .map(|group| group.iter().map(|(_, item)| item.clone()).collect())
                .collect(),
            pairs: Vec::new(),
            agreement: None,
        }
    });
    Ok(lists.collect())
}

/// Returns the gain of an item on a grade scale; `None` if the item has no grade on it.
fn gain(item: &ItemGrades, scale: GradeScale) -> Option<f64> {
    match scale {
        GradeScale::Broad => item.grades.broad,
        GradeScale::Fine => item.grades.fine,
    }
}

/// Parses the kind of judgments that a request asks for. It must be one of the campaign's kinds;
/// the default is the first.
pub(crate) fn requested_kind(
    campaign: &Campaign,
    kind: Option<&str>,
) -> Result<JudgmentKind, HttpProblem> {
    let kinds = &campaign.spec().kinds;
    let kind = kind.map(str::parse::<JudgmentKind>).transpose();
    let kind = kind.map_err(|error| HttpProblem::invalid_field("/kind", error.to_string()))?;
    let kind = kind.unwrap_or(kinds[0]);
    match kinds.contains(&kind) {
        true => Ok(kind),
        false => Err(HttpProblem::invalid_field(
            "/kind",
            "the campaign has no tasks of this kind",
        )),
    }
}
