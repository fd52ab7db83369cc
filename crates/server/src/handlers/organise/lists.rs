//! The pairs and the lists of a campaign as they are now.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use partita_core::Item;
use partita_judging::RelationProbabilities;
use partita_judging::campaign::{
    Campaign, ExportRequest, GradeScale, ItemGrades, JudgmentKind, PairProgress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::http::problem::HttpProblem;
use crate::http::request::{JsonResponse, QueryParams};

/// The pairs of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AskedPairsView {
    /// Each of them that was ever asked.
    pairs: Vec<AskedPairView>,
}

/// A pair.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AskedPairView {
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

pub(crate) async fn pairs(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<AskedPairsView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let pairs = shared.writer.run_job(&name, |turn| {
        Box::pin(async move {
            let leased = turn.campaign.lease_counts_by_pair();
            let campaign = turn.campaign.campaign();
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

/// Which lists are wanted.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListsQuery {
    /// The judgments that make them; the first kind of the campaign if not given.
    #[serde(default)]
    #[schemars(with = "JudgmentKind")]
    kind: Option<String>,
}

/// The lists of a campaign.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CurrentListsView {
    /// Each of them.
    lists: Vec<CurrentListView>,
}

/// A list as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CurrentListView {
    /// The query.
    query: String,
    /// Whether nothing more is to be asked about it.
    settled: bool,
    /// Its groups, the closest to the query first; items that nobody judged are in none.
    groups: Vec<Vec<String>>,
    /// The gain of each group, where grades make the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    gains: Option<Vec<f64>>,
    /// How likely other people decide each pair in which way; none where not pairs make the list.
    pairs: Vec<RelationProbabilities>,
    /// How far people agree about its pairs, in the mean.
    agreement: Option<f64>,
}

pub(crate) async fn lists(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(which): QueryParams<ListsQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<CurrentListsView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let lists = shared.with_campaign(&name, move |campaign| {
        let lists = match requested_kind(campaign, which.kind.as_deref())? {
            JudgmentKind::Preference => lists_from_preferences(campaign)?,
            JudgmentKind::Ranking => lists_from_rankings(campaign)?,
            JudgmentKind::Grading => lists_from_grades(campaign)?,
        };
        Ok(CurrentListsView { lists })
    });
    Ok(JsonResponse(lists.await?))
}

/// The lists that comparisons of pairs make.
fn lists_from_preferences(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let odds = campaign.predictions(&ExportRequest::default());
    let odds = odds.map_err(|error| HttpProblem::invalid_field("", error.to_string()))?;
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
            // Nothing is known of a list without a vote.
            pairs: odds.remove(&query).unwrap_or_default(),
            agreement: (!agreements.is_empty()).then_some(mean),
            query,
        }
    });
    Ok(lists.collect())
}

/// The lists that rankings make, as `truth build` makes them: by any-1.
fn lists_from_rankings(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let truth = campaign.ranking_truth(&ExportRequest::default());
    let truth = truth.map_err(|error| HttpProblem::invalid_field("", error.to_string()))?;
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
            // A list that nobody has ranked has no groups.
            groups: groups.remove(query).unwrap_or_default(),
            gains: None,
            pairs: Vec::new(),
            agreement: None,
        }
    });
    Ok(lists.collect())
}

/// The lists that grades make: items of one gain are a group.
fn lists_from_grades(campaign: &Campaign) -> Result<Vec<CurrentListView>, HttpProblem> {
    let items = campaign.item_grades(&ExportRequest::default());
    let items = items.map_err(|error| HttpProblem::invalid_field("", error.to_string()))?;
    let scale = grade_scale(&items);
    let mut of_query: HashMap<String, Vec<ItemGrades>> = HashMap::new();
    for item in items {
        of_query.entry(item.query.clone()).or_default().push(item);
    }
    let graders = campaign.spec().graders as usize;
    let lists = (0..campaign.list_count()).map(|list| {
        let query = campaign.query_name(list).to_owned();
        // Nobody may have graded anything of it.
        let items = of_query.remove(&query).unwrap_or_default();
        // Grades beyond those wanted of one item are none of another.
        let counted = items.iter().map(|item| item.graders.min(graders));
        let enough = counted.sum::<usize>() >= campaign.judgment_counts(list).grades_wanted;
        let mut by_gain: Vec<(f64, String)> = (items.into_iter())
            .filter_map(|item| Some((gain(&item, scale)?, item.item)))
            .collect();
        // The order of the candidates stays where gains are equal.
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

/// The scale of gains: the fine one if anybody used it.
pub(crate) fn grade_scale(items: &[ItemGrades]) -> GradeScale {
    match items.iter().any(|item| item.grades.fine.is_some()) {
        true => GradeScale::Fine,
        false => GradeScale::Broad,
    }
}

fn gain(item: &ItemGrades, scale: GradeScale) -> Option<f64> {
    match scale {
        GradeScale::Broad => item.grades.broad,
        GradeScale::Fine => item.grades.fine,
    }
}

/// The kind of judgments that is asked for: one of the campaign's, its first if nothing is said.
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
