//! Which pairs are asked next, and what list the votes make: one file a strategy.
//!
//! A strategy has no memory: what it asks is a function of the votes so far and of a seed. A campaign
//! can therefore stop and go on at any point, votes can be taken back, and the same log always leads
//! to the same list.

mod pooled;
mod refitted;
mod sorting;

use std::fmt;
use std::str::FromStr;

use partita_core::{GroupedList, Item};
use serde::{Serialize, Serializer};

use crate::decision::Rule;
use crate::list_votes::ListVotes;
use crate::relation::Relation;
use crate::votes::Votes;

pub use pooled::{Choice, Pooled};
pub use refitted::Refitted;
pub use sorting::Sorting;

/// A pair that is to be asked until it has so many votes in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// One item.
    pub a: Item,
    /// The other.
    pub b: Item,
    /// The number of votes that it should have, those so far included.
    pub votes: u32,
}

/// A way to choose pairs and to make a list of the votes.
pub trait Strategy: Send + Sync {
    /// The name by which it is chosen.
    fn name(&self) -> &'static str;

    /// The pairs to ask now; none if the list is settled. `seed` is that of the list.
    fn requests(&self, votes: &ListVotes, seed: u64) -> Vec<Request>;

    /// About the pairs of the next few rounds, chosen all at once: for a prediction of how many votes
    /// a list will take, which need not choose as well. Those to ask now unless a strategy knows a
    /// cheaper way.
    fn requests_ahead(&self, votes: &ListVotes, seed: u64) -> Vec<Request> {
        self.requests(votes, seed)
    }

    /// The list that the votes so far make.
    fn list(&self, votes: &ListVotes, seed: u64) -> GroupedList;

    /// Whether the order inside the groups of its lists means something.
    fn orders_inside_groups(&self) -> bool {
        false
    }

    /// How a relates to b if these votes on the pair are enough to decide it, whatever is said of
    /// other pairs. Nothing if more votes are needed, or if pairs are not decided one by one.
    fn relation(&self, votes: Votes) -> Option<Relation> {
        let _ = votes;
        None
    }

    /// Whether the pairs of a list are asked in rounds: nothing new before all answers of the last
    /// round are there. Otherwise what is wanted is asked as soon as it is wanted, which a strategy
    /// must be fit for: its requests must be as good while others wait for answers.
    fn in_rounds(&self) -> bool {
        false
    }

    /// The same strategy for a list whose items have a prior order, each number being the place of
    /// an item; nothing if it makes no use of one.
    fn with_prior(&self, places: Vec<usize>) -> Option<Box<dyn Strategy>> {
        let _ = places;
        None
    }
}

/// What a strategy may be told; each takes what it knows of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategySettings {
    /// The number of votes on a pair, or the most of them where votes are saved.
    pub votes: u32,
    /// How the votes on a pair decide it.
    pub rule: Rule,
    /// How likely an outcome must be for a strategy that predicts it.
    pub confidence: f64,
    /// How many items at the head of the list are settled; all if not given.
    pub top: Option<usize>,
    /// How many votes a list may take for a strategy that stops at a number of them.
    pub budget: Option<usize>,
}

impl Default for StrategySettings {
    /// Ten votes and the rule of the paper, a confidence of 0.9.
    fn default() -> Self {
        Self {
            votes: 10,
            rule: Rule::default(),
            confidence: 0.9,
            top: None,
            budget: None,
        }
    }
}

/// A strategy that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct StrategyDefinition {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    make: fn(&StrategySettings) -> Box<dyn Strategy>,
}

/// Every strategy.
pub const STRATEGIES: &[StrategyDefinition] = &[
    sorting::FULL,
    sorting::CURTAILED,
    sorting::PREDICTIVE,
    refitted::DEFINITION,
    pooled::TELLING,
    pooled::RANDOM,
];

/// No strategy has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no strategy is called `{0}`")]
pub struct UnknownStrategy(pub String);

/// The name of a strategy that there is.
///
/// ```
/// use partita_judging::StrategyName;
///
/// let name: StrategyName = "sort-curtailed".parse()?;
/// assert_eq!(name.to_string(), "sort-curtailed");
/// assert!("bogosort".parse::<StrategyName>().is_err());
/// # Ok::<(), partita_judging::UnknownStrategy>(())
/// ```
#[derive(Clone, Copy)]
pub struct StrategyName(&'static StrategyDefinition);

impl StrategyName {
    /// The strategy, told these settings.
    pub fn make(self, settings: &StrategySettings) -> Box<dyn Strategy> {
        (self.0.make)(settings)
    }

    /// What it does, in a line.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }
}

impl Default for StrategyName {
    /// The sort with all votes, as in the paper.
    fn default() -> Self {
        Self(&sorting::FULL)
    }
}

impl PartialEq for StrategyName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for StrategyName {}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

impl fmt::Debug for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StrategyName({})", self.0.name)
    }
}

impl FromStr for StrategyName {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let found = STRATEGIES.iter().find(|definition| definition.name == name);
        found
            .map(Self)
            .ok_or_else(|| UnknownStrategy(name.to_owned()))
    }
}

impl Serialize for StrategyName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

/// The strategy of this name.
///
/// ```
/// use partita_judging::{StrategySettings, strategy_by_name};
///
/// let strategy = strategy_by_name("sort-curtailed", &StrategySettings::default())?;
/// assert_eq!(strategy.name(), "sort-curtailed");
/// # Ok::<(), partita_judging::UnknownStrategy>(())
/// ```
pub fn strategy_by_name(
    name: &str,
    settings: &StrategySettings,
) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    Ok(name.parse::<StrategyName>()?.make(settings))
}
