//! What is settled before the first question.

use std::collections::HashMap;

use partita_core::truth::Alpha;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cost::Price;
use crate::decision::{Rule, UnknownRule};
use crate::strategy::{StrategyName, StrategySettings, UnknownStrategy};

/// All that is settled before the first question is put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "SettingsRecord", into = "SettingsRecord")]
pub struct Settings {
    /// What the campaign is called; answers that say they belong to another are refused.
    pub campaign: String,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The number of votes on a pair, or the most of them where votes are saved.
    pub votes: u32,
    /// The decision rule, with its level if it is a test.
    pub decide: Rule,
    /// The strategy.
    pub strategy: StrategyName,
    /// How likely an outcome must be for a strategy that predicts it.
    pub confidence: f64,
    /// How many items at the head of each list are settled; all if not given.
    pub top: Option<usize>,
    /// How many votes a list may take for a strategy that stops at a number of them.
    pub budget: Option<usize>,
    /// The share of all pairs of each list that are asked to check it and kept from the strategy.
    pub held_out: f64,
    /// The number of votes on each of these.
    pub held_out_votes: u32,
    /// What an answer costs.
    pub price: Price,
    /// The lists to make.
    pub lists: Vec<Candidates>,
}

/// The settings as they are written.
#[derive(Serialize, Deserialize, JsonSchema)]
struct SettingsRecord {
    /// What the campaign is called.
    campaign: String,
    /// The seed of all that is drawn.
    seed: u64,
    /// The number of votes on a pair, or the most of them where votes are saved.
    votes: u32,
    /// The name of the decision rule.
    decide: String,
    /// The level of the rule, if it is a test.
    alpha: Option<f64>,
    /// The name of the strategy.
    strategy: String,
    /// How likely an outcome must be for a strategy that predicts it.
    confidence: f64,
    /// How many items at the head of each list are settled; all if not given.
    top: Option<usize>,
    /// How many votes a list may take for a strategy that stops at a number of them.
    budget: Option<usize>,
    /// The share of all pairs of each list that are asked to check it and kept from the strategy.
    held_out: f64,
    /// The number of votes on each of these.
    held_out_votes: u32,
    /// What an answer costs.
    price: Price,
    /// The lists to make.
    lists: Vec<Candidates>,
}

impl From<Settings> for SettingsRecord {
    fn from(settings: Settings) -> Self {
        Self {
            decide: settings.decide.to_string(),
            alpha: settings.alpha(),
            strategy: settings.strategy.to_string(),
            campaign: settings.campaign,
            seed: settings.seed,
            votes: settings.votes,
            confidence: settings.confidence,
            top: settings.top,
            budget: settings.budget,
            held_out: settings.held_out,
            held_out_votes: settings.held_out_votes,
            price: settings.price,
            lists: settings.lists,
        }
    }
}

impl TryFrom<SettingsRecord> for Settings {
    type Error = SettingsError;

    fn try_from(record: SettingsRecord) -> Result<Self, SettingsError> {
        let rule: Rule = record.decide.parse()?;
        let decide = match record.alpha {
            None => rule,
            Some(level) => rule.at(Alpha::new(level).ok_or(SettingsError::Number {
                what: "alpha",
                expected: "between 0 and 1",
                found: level,
            })?),
        };
        Ok(Self {
            decide,
            strategy: record.strategy.parse()?,
            campaign: record.campaign,
            seed: record.seed,
            votes: record.votes,
            confidence: record.confidence,
            top: record.top,
            budget: record.budget,
            held_out: record.held_out,
            held_out_votes: record.held_out_votes,
            price: record.price,
            lists: record.lists,
        })
    }
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
    /// The rule is unknown.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// The strategy is unknown.
    #[error(transparent)]
    Strategy(#[from] UnknownStrategy),
    /// A number cannot be that.
    #[error("{what} must be {expected}, not {found}")]
    Number {
        /// Which.
        what: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: f64,
    },
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
            strategy: StrategyName::default(),
            confidence: 0.9,
            top: None,
            budget: None,
            held_out: 0.0,
            held_out_votes: 1,
            price: Price::PAPER,
            lists,
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
        }
    }

    /// Whether a campaign can be run with these settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        let number = |holds: bool, what, expected, found| {
            if holds {
                return Ok(());
            }
            Err(SettingsError::Number {
                what,
                expected,
                found,
            })
        };
        let votes = 1..=MOST_VOTES;
        number(
            votes.contains(&self.votes),
            "the number of votes on a pair",
            "from 1 to 30",
            self.votes.into(),
        )?;
        number(
            votes.contains(&self.held_out_votes),
            "the number of votes on a held-out pair",
            "from 1 to 30",
            self.held_out_votes.into(),
        )?;
        let share = (0.0..=1.0).contains(&self.held_out);
        number(
            share,
            "the share of pairs held out",
            "from 0 to 1",
            self.held_out,
        )?;
        let sure = self.confidence > 0.0 && self.confidence <= 1.0;
        number(
            sure,
            "the confidence",
            "above 0 and at most 1",
            self.confidence,
        )?;
        if let Some(top) = self.top {
            number(
                top > 0,
                "the number of items at the head",
                "at least 1",
                top as f64,
            )?;
        }
        if self.campaign.trim().is_empty() {
            return Err(SettingsError::NoName("the campaign"));
        }
        if self.lists.is_empty() {
            return Err(SettingsError::NoQueries);
        }
        let mut queries = HashMap::new();
        for list in &self.lists {
            if list.query.is_empty() {
                return Err(SettingsError::NoName("a query"));
            }
            if queries.insert(&list.query, ()).is_some() {
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
        let mut names = HashMap::new();
        for candidate in &self.items {
            if candidate.item.is_empty() {
                return Err(SettingsError::NoName("a candidate"));
            }
            if names.insert(candidate.item.as_str(), ()).is_some() {
                return Err(SettingsError::ItemTwice {
                    query: self.query.clone(),
                    item: candidate.item.clone(),
                });
            }
        }
        for candidate in &self.items {
            let Some(other) = &candidate.same_as else {
                continue;
            };
            if !names.contains_key(other.as_str()) {
                return Err(SettingsError::NoSuchTwin {
                    query: self.query.clone(),
                    item: candidate.item.clone(),
                    other: other.clone(),
                });
            }
        }
        Ok(())
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
            let other = candidate
                .same_as
                .as_deref()
                .and_then(|other| place.get(other));
            if let Some(&other) = other {
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
