//! What is settled before the first question.

use std::collections::{HashMap, HashSet};

use partita_core::truth::Alpha;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Price;
use crate::decision::Rule;
use crate::model::Grouping;
use crate::range::{OutOfRange, require};
use crate::strategy::{StrategyName, StrategySettings};

/// All that is settled before the first question is put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// What the campaign is called; answers that say they belong to another are refused.
    pub campaign: String,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The number of votes on a pair, or the most of them where votes are saved.
    pub votes: u32,
    /// The decision rule, with its level if it is a test.
    #[serde(flatten)]
    pub decide: Rule,
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
    /// The lists to make.
    pub lists: Vec<Candidates>,
}

/// The items of one list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidates {
    /// The query.
    pub query: String,
    /// The items that are to be put in order.
    pub items: Vec<Candidate>,
}

impl Candidates {
    /// The items of a query, of which nothing is known but their names.
    pub fn of<N: Into<String>>(
        query: impl Into<String>,
        items: impl IntoIterator<Item = N>,
    ) -> Self {
        let items = items.into_iter().map(|item| Candidate {
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
pub struct Candidate {
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
pub enum SettingsError {
    /// A number cannot be that.
    #[error(transparent)]
    Number(#[from] OutOfRange),
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
    NoSuchTwin {
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
}

/// The most votes a pair can be asked for: more would make tables of all possible votes too large.
pub const MOST_VOTES: u32 = 30;

/// The most candidates a list can have: all its pairs are kept.
pub const MOST_CANDIDATES: usize = 2_000;

impl Settings {
    /// The settings of the paper for these lists.
    pub fn new(campaign: &str, lists: Vec<Candidates>) -> Self {
        Self {
            campaign: campaign.to_owned(),
            seed: 1,
            votes: 10,
            decide: Rule::default(),
            strategy: StrategyName::Sort,
            confidence: 0.9,
            top: None,
            budget: None,
            matters: None,
            held_out: 0.0,
            held_out_votes: 1,
            price: Price::PAPER,
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
        self.decide.alpha().map(Alpha::value)
    }

    /// What the strategy is told.
    pub fn strategy_settings(&self) -> StrategySettings {
        StrategySettings {
            votes: self.votes,
            rule: self.decide,
            confidence: self.confidence,
            top: self.top,
            budget: self.budget,
            matters: self.matters.unwrap_or(Grouping::MATTERS),
        }
    }

    /// Whether a campaign can be run with these settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        for (what, votes) in [
            ("the number of votes on a pair", self.votes),
            (
                "the number of votes on a held-out pair",
                self.held_out_votes,
            ),
        ] {
            let few = (1..=MOST_VOTES).contains(&votes);
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
        Grouping::mattering(self.matters.unwrap_or(Grouping::MATTERS))?;
        let top = self.top.unwrap_or(1);
        let what = "the number of items at the head";
        require(what, top as f64, "at least 1", top > 0)?;
        if self.campaign.trim().is_empty() {
            return Err(SettingsError::NoName("the campaign"));
        }
        if self.lists.is_empty() {
            return Err(SettingsError::NoQueries);
        }
        let mut queries = HashSet::new();
        for list in &self.lists {
            if list.query.is_empty() {
                return Err(SettingsError::NoName("a query"));
            }
            if !queries.insert(&list.query) {
                return Err(SettingsError::QueryTwice(list.query.clone()));
            }
            list.check()?;
        }
        Ok(())
    }
}

impl Candidates {
    fn check(&self) -> Result<(), SettingsError> {
        if self.items.len() > MOST_CANDIDATES {
            return Err(SettingsError::TooLong {
                query: self.query.clone(),
                items: self.items.len(),
                most: MOST_CANDIDATES,
            });
        }
        let mut names = HashSet::new();
        for candidate in &self.items {
            if candidate.item.is_empty() {
                return Err(SettingsError::NoName("a candidate"));
            }
            if !names.insert(&candidate.item) {
                return Err(SettingsError::ItemTwice {
                    query: self.query.clone(),
                    item: candidate.item.clone(),
                });
            }
        }
        let twins = self.items.iter();
        let mut twins = twins.filter_map(|twin| Some((&twin.item, twin.same_as.as_ref()?)));
        match twins.find(|(_, other)| !names.contains(other)) {
            None => Ok(()),
            Some((item, other)) => Err(SettingsError::NoSuchTwin {
                query: self.query.clone(),
                item: item.clone(),
                other: other.clone(),
            }),
        }
    }

    /// The items with the same content together, each class and the classes in the order of the
    /// candidates.
    pub fn classes(&self) -> Vec<Vec<usize>> {
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
