//! What is settled before the first question.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use partita_core::truth::Alpha;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gold::{GoldPairError, GoldSet};
use super::log::event::CampaignExtension;
use crate::analysis::price::Price;
use crate::model::GroupingRule;
use crate::range_error::{RangeError, require};
use crate::strategy::{StrategyName, StrategyOptions};
use crate::votes::decision_rule::DecisionRule;

/// All that is settled before the first question is put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignSpec {
    /// What the campaign is called; answers that say they belong to another are refused.
    #[serde(rename = "campaign")]
    pub name: String,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The number of votes on a pair, or the most of them where votes are saved.
    pub votes: u32,
    /// The decision rule, with its level if it is a test.
    #[serde(flatten)]
    #[serde(rename = "decide")]
    pub rule: DecisionRule,
    /// The strategy.
    pub strategy: StrategyName,
    /// How likely an outcome must be for a strategy that predicts it.
    pub confidence: f64,
    /// How many items at the head of each list are settled; all if not given.
    pub top: Option<usize>,
    /// How many votes a list may take for a strategy that stops at a number of them.
    pub budget: Option<usize>,
    /// The mean vote from which on a difference matters to a strategy that makes lists by a model, in
    /// units of the spread of votes; as usual if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matters: Option<f64>,
    /// The share of all pairs of each list that are asked to check it and kept from the strategy.
    pub held_out: f64,
    /// The number of votes on each of these.
    pub held_out_votes: u32,
    /// What an answer costs.
    pub price: Price,
    /// What people are asked; only pairs of items if not given.
    #[serde(
        default = "only_preferences",
        skip_serializing_if = "are_only_preferences"
    )]
    pub kinds: Vec<JudgmentKind>,
    /// Questions whose answers are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldSet>,
    /// How many people grade each item, or rank each list.
    #[serde(default = "usual_graders", skip_serializing_if = "are_usual_graders")]
    pub graders: u32,
    /// Whether `ann` and `ANN` are one person.
    #[serde(default, skip_serializing_if = "NameMatching::is_exact")]
    #[serde(rename = "names")]
    pub name_matching: NameMatching,
    /// How many people are invited, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "people")]
    pub invited_assessors: Option<u32>,
    /// The lists to make.
    pub lists: Vec<QuerySpec>,
}

partita_named::named_enum! {
    /// What people are asked.
    pub enum JudgmentKind: "kind of judgment" = Preference {
        /// which of two items is closer to the query
        Preference = "preference",
        /// to put the items of a list in order
        Ranking = "ranking",
        /// how close an item is to the query
        Grading = "grading",
    }
}

partita_named::named_enum! {
    /// When two names are those of one person.
    pub enum NameMatching: "comparison of names" = Exact {
        /// where they are the same to the letter
        Exact = "exact",
        /// where they differ in case and in blanks around them only
        AnyCase = "any-case",
    }
}

impl NameMatching {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "this is how serde hands it over"
    )]
    fn is_exact(&self) -> bool {
        *self == Self::Exact
    }

    /// The name by which a person is known, however it is spelt.
    pub fn canonical_name(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(name),
            Self::AnyCase => Cow::Owned(name.trim().to_lowercase()),
        }
    }
}

/// How many people grade an item if nobody says it, as in MIREX 2006.
pub const DEFAULT_GRADERS: u32 = 3;

fn usual_graders() -> u32 {
    DEFAULT_GRADERS
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "this is how serde hands it over"
)]
fn are_usual_graders(graders: &u32) -> bool {
    *graders == DEFAULT_GRADERS
}

fn only_preferences() -> Vec<JudgmentKind> {
    vec![JudgmentKind::Preference]
}

fn are_only_preferences(kinds: &[JudgmentKind]) -> bool {
    kinds == [JudgmentKind::Preference]
}

/// The items of one list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuerySpec {
    /// The query.
    pub query: String,
    /// The items that are to be put in order.
    pub items: Vec<ItemSpec>,
}

impl QuerySpec {
    /// The items of a query, of which nothing is known but their names.
    pub fn new<N: Into<String>>(
        query: impl Into<String>,
        items: impl IntoIterator<Item = N>,
    ) -> Self {
        let items = items.into_iter().map(|item| ItemSpec {
            item: item.into(),
            prior: None,
            same_as: None,
        });
        Self {
            query: query.into(),
            items: items.collect(),
        }
    }
}

/// An item that is to be put in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ItemSpec {
    /// Its name.
    pub item: String,
    /// Its place by a prior order, the lower the closer to the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// An item of the list with the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// What is wrong with settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignSpecError {
    /// A number cannot be that.
    #[error(transparent)]
    Number(#[from] RangeError),
    /// A name is empty.
    #[error("the name of {0} is empty")]
    NoName(&'static str),
    /// There is no list to make.
    #[error("there is no query")]
    NoQueries,
    /// A query comes twice.
    #[error("the query `{0}` comes twice")]
    QueryTwice(String),
    /// An item comes twice in a list.
    #[error("`{item}` comes twice among the candidates of the query `{query}`")]
    ItemTwice {
        /// The query.
        query: String,
        /// The item.
        item: String,
    },
    /// An item is said to be the same as one that is not there.
    #[error("query `{query}`: `{item}` is said to be the same as `{other}`, which is no candidate")]
    UnknownDuplicate {
        /// The query.
        query: String,
        /// The item.
        item: String,
        /// What it is said to be the same as.
        other: String,
    },
    /// A list is longer than can be handled.
    #[error("the query `{query}` has {items} candidates; at most {most} can be put in order")]
    TooLong {
        /// The query.
        query: String,
        /// The number of its candidates.
        items: usize,
        /// The most there can be.
        most: usize,
    },
    /// There are fewer people than votes on a pair.
    #[error(
        "a pair wants {votes} votes of {votes} people, and {people} are invited: it would never be decided"
    )]
    TooFewPeople {
        /// The number of votes.
        votes: u32,
        /// The number of people.
        people: u32,
    },
    /// Only the head of a list is wanted, and it is longer than every list.
    #[error("the head of {top} items is longer than every list: the longest has {longest}")]
    TopTooLong {
        /// The number of items at the head.
        top: usize,
        /// The length of the longest list.
        longest: usize,
    },
    /// People are asked nothing.
    #[error("there is no kind of judgment that people are asked for")]
    NoKinds,
    /// A kind of judgment comes twice.
    #[error("the kind of judgment `{0}` comes twice")]
    KindTwice(JudgmentKind),
    /// A question whose answer is said to be known is none.
    #[error("the question with a known answer, `{a}` or `{b}` of query `{query}`: {reason}")]
    Gold {
        /// The query.
        query: String,
        /// One item.
        a: String,
        /// The other.
        b: String,
        /// What is wrong with it.
        reason: GoldPairError,
    },
}

/// The most votes a pair can be asked for: more would make tables of all possible votes too large.
pub const MAX_VOTES_PER_PAIR: u32 = 30;

/// The most candidates a list can have: all its pairs are kept.
pub const MAX_CANDIDATES: usize = 2_000;

impl CampaignSpec {
    /// The settings of the paper for these lists.
    pub fn new(campaign: &str, lists: Vec<QuerySpec>) -> Self {
        Self {
            name: campaign.to_owned(),
            seed: 1,
            votes: 10,
            rule: DecisionRule::default(),
            strategy: StrategyName::Sort,
            confidence: 0.9,
            top: None,
            budget: None,
            matters: None,
            held_out: 0.0,
            held_out_votes: 1,
            price: Price::PAPER,
            kinds: only_preferences(),
            gold: None,
            graders: DEFAULT_GRADERS,
            name_matching: NameMatching::Exact,
            invited_assessors: None,
            lists,
        }
    }

    /// Puts lists and candidates in the order of their names.
    pub(super) fn order_by_name(&mut self) {
        self.lists.sort_by(|a, b| a.query.cmp(&b.query));
        for list in &mut self.lists {
            list.items.sort_by(|a, b| a.item.cmp(&b.item));
        }
    }

    /// The level of the decision rule, if it is a test.
    pub fn alpha(&self) -> Option<f64> {
        self.rule.alpha().map(Alpha::value)
    }

    /// The query whose list takes longest to make when it is looked at, and about how many seconds that takes;
    /// nothing for strategies that are quick at any length.
    ///
    /// As measured on one core of a server of 2024: 0.7 seconds of CPU time for 1,000 items and 3.9 for 2,000.
    /// Choosing their pairs takes 0.13 and 0.38.
    pub fn slowest_list(&self) -> Option<(&str, f64)> {
        let longest = self.lists.iter().max_by_key(|list| list.items.len());
        longest.filter(|_| self.strategy.fits_model()).map(|list| {
            let thousands = list.items.len() as f64 / 1_000.0;
            (list.query.as_str(), 0.7 * thousands.powf(2.5))
        })
    }

    /// What the strategy is told.
    pub fn strategy_options(&self) -> StrategyOptions {
        StrategyOptions {
            votes: self.votes,
            rule: self.rule,
            confidence: self.confidence,
            top: self.top,
            budget: self.budget,
            matters: self.matters.unwrap_or(GroupingRule::DEFAULT_MATTERS),
        }
    }

    /// The settings with what is wanted beside or instead of them.
    pub(super) fn with_extension(&self, extended: &CampaignExtension) -> CampaignSpec {
        let mut settings = self.clone();
        settings.votes = extended.votes.unwrap_or(settings.votes);
        settings.budget = extended.budget.or(settings.budget);
        for list in &extended.lists {
            let known = settings
                .lists
                .iter_mut()
                .find(|known| known.query == list.query);
            match known {
                Some(known) => known.items.extend(list.items.iter().cloned()),
                None => settings.lists.push(list.clone()),
            }
        }
        settings
    }

    /// Whether a campaign can be run with these settings.
    pub fn check(&self) -> Result<(), CampaignSpecError> {
        for (what, votes) in [
            ("the number of votes on a pair", self.votes),
            (
                "the number of votes on a held-out pair",
                self.held_out_votes,
            ),
        ] {
            let few = (1..=MAX_VOTES_PER_PAIR).contains(&votes);
            require(what, votes.into(), "from 1 to 30", few)?;
        }
        let (share, sure) = (self.held_out, self.confidence);
        let is_share = (0.0..=1.0).contains(&share);
        require(
            "the share of pairs held out",
            share,
            "from 0 to 1",
            is_share,
        )?;
        let is_sure = sure > 0.0 && sure <= 1.0;
        require("the confidence", sure, "above 0 and at most 1", is_sure)?;
        GroupingRule::with_matters(self.matters.unwrap_or(GroupingRule::DEFAULT_MATTERS))?;
        let top = self.top.unwrap_or(1);
        let what = "the number of items at the head";
        require(what, top as f64, "at least 1", top > 0)?;
        let graders = self.graders;
        let what = "the number of people who grade an item";
        require(what, graders.into(), "at least 1", graders > 0)?;
        if let Some(people) = self
            .invited_assessors
            .filter(|&people| people < self.max_assessors_per_question())
        {
            return Err(CampaignSpecError::TooFewPeople {
                votes: self.max_assessors_per_question(),
                people,
            });
        }
        if self.kinds.is_empty() {
            return Err(CampaignSpecError::NoKinds);
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if self.kinds[..place].contains(kind) {
                return Err(CampaignSpecError::KindTwice(*kind));
            }
        }
        if self.name.trim().is_empty() {
            return Err(CampaignSpecError::NoName("the campaign"));
        }
        if self.lists.is_empty() {
            return Err(CampaignSpecError::NoQueries);
        }
        let mut queries = HashSet::new();
        for list in &self.lists {
            if list.query.is_empty() {
                return Err(CampaignSpecError::NoName("a query"));
            }
            if !queries.insert(&list.query) {
                return Err(CampaignSpecError::QueryTwice(list.query.clone()));
            }
            list.check()?;
        }
        (self.gold.as_ref()).map_or(Ok(()), |gold| gold.check(&self.lists))
    }

    /// The most people that one thing is put to: those who vote on a pair, or who grade an item.
    fn max_assessors_per_question(&self) -> u32 {
        let votes = |kind: &JudgmentKind| match kind {
            JudgmentKind::Preference => self.votes,
            JudgmentKind::Ranking | JudgmentKind::Grading => self.graders,
        };
        self.kinds.iter().map(votes).max().unwrap_or(0)
    }

    /// Whether only heads are wanted that some list has. Lists shorter than the head are settled as a
    /// whole.
    pub fn check_top(&self) -> Result<(), CampaignSpecError> {
        let longest = self.lists.iter().map(|list| list.items.len()).max();
        match (self.top, longest) {
            (Some(top), Some(longest)) if top > longest => {
                Err(CampaignSpecError::TopTooLong { top, longest })
            }
            _ => Ok(()),
        }
    }
}

impl QuerySpec {
    fn check(&self) -> Result<(), CampaignSpecError> {
        if self.items.len() > MAX_CANDIDATES {
            return Err(CampaignSpecError::TooLong {
                query: self.query.clone(),
                items: self.items.len(),
                most: MAX_CANDIDATES,
            });
        }
        let mut names = HashSet::new();
        for candidate in &self.items {
            if candidate.item.is_empty() {
                return Err(CampaignSpecError::NoName("a candidate"));
            }
            if !names.insert(&candidate.item) {
                return Err(CampaignSpecError::ItemTwice {
                    query: self.query.clone(),
                    item: candidate.item.clone(),
                });
            }
        }
        let twins = self.items.iter();
        let mut twins = twins.filter_map(|twin| Some((&twin.item, twin.same_as.as_ref()?)));
        match twins.find(|(_, other)| !names.contains(other)) {
            None => Ok(()),
            Some((item, other)) => Err(CampaignSpecError::UnknownDuplicate {
                query: self.query.clone(),
                item: item.clone(),
                other: other.clone(),
            }),
        }
    }

    /// The items with the same content together, each class and the classes in the order of the
    /// candidates.
    pub fn duplicate_classes(&self) -> Vec<Vec<usize>> {
        let place: HashMap<&str, usize> = (self.items.iter().enumerate())
            .map(|(place, candidate)| (candidate.item.as_str(), place))
            .collect();
        // The earliest item of its class that each item leads to.
        let mut root: Vec<usize> = (0..self.items.len()).collect();
        fn first(root: &mut [usize], mut item: usize) -> usize {
            while root[item] != item {
                root[item] = root[root[item]];
                item = root[item];
            }
            item
        }
        for (item, candidate) in self.items.iter().enumerate() {
            let other = candidate.same_as.as_deref();
            if let Some(&other) = other.and_then(|other| place.get(other)) {
                let (one, two) = (first(&mut root, item), first(&mut root, other));
                root[one.max(two)] = one.min(two);
            }
        }
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut class_of: HashMap<usize, usize> = HashMap::new();
        for item in 0..self.items.len() {
            let leader = first(&mut root, item);
            let class = *class_of.entry(leader).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(item);
        }
        classes
    }
}
