//! Specification of a campaign: queries, candidates, strategy and options.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use partita_core::judgment::JudgmentKind;
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

/// Complete specification of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignSpec {
    /// Campaign name. Answers that name another campaign are rejected.
    #[serde(rename = "campaign")]
    pub name: String,
    /// Seed of all random draws of the campaign.
    pub seed: u64,
    /// Number of votes per pair, or the maximum number if the strategy can decide a pair with
    /// fewer.
    pub votes: u32,
    /// Rule that decides a pair from its votes, with its significance level if it is a test.
    #[serde(flatten)]
    #[serde(rename = "decide")]
    pub rule: DecisionRule,
    /// Strategy that chooses the pairs to ask and builds the lists.
    pub strategy: StrategyName,
    /// Probability that the predicted decision on a pair must reach before a predictive strategy
    /// stops asking about it.
    pub confidence: f64,
    /// Number of items at the top of each list whose order must be settled; all items if not given.
    pub top: Option<usize>,
    /// Maximum number of votes per list, for strategies that stop at a number of votes.
    pub budget: Option<usize>,
    /// Smallest relevant difference between two items, for strategies that fit a model: the mean
    /// vote (each vote is -1, 0 or 1) in standard deviations of a vote. The default is used if not
    /// given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matters: Option<f64>,
    /// Share of the pairs of each list that get held-out votes: votes that the strategy does not
    /// see and that serve to check the list.
    pub held_out: f64,
    /// Number of votes on each held-out pair that the strategy does not see.
    pub held_out_votes: u32,
    /// Price paid for one answer: the assessor's reward and the platform's fee.
    pub price: Price,
    /// Kinds of judgment to ask for; only preferences if not given.
    #[serde(
        default = "only_preferences",
        skip_serializing_if = "are_only_preferences"
    )]
    pub kinds: Vec<JudgmentKind>,
    /// Gold pairs (pairs with known answers) that check the attention of assessors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<GoldSet>,
    /// Number of assessors who grade each item or rank each list.
    #[serde(
        default = "default_graders",
        skip_serializing_if = "is_default_graders"
    )]
    pub graders: u32,
    /// Rule for matching assessor names, for example whether `ann` and `ANN` are the same assessor.
    #[serde(default, skip_serializing_if = "NameMatching::is_exact")]
    #[serde(rename = "names")]
    pub name_matching: NameMatching,
    /// Number of invited assessors, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "people")]
    pub invited_assessors: Option<u32>,
    /// Queries with their candidate items.
    pub lists: Vec<QuerySpec>,
}

partita_named::named_enum! {
    /// Rule that says which spellings of an assessor name mean the same assessor.
    pub enum NameMatching: "comparison of names" = Exact {
        /// names that are equal in every character
        Exact = "exact",
        /// names that differ only in case or in surrounding blanks
        AnyCase = "any-case",
    }
}

impl NameMatching {
    /// Returns true for the default rule, so that serde omits the field.
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "this is how serde hands it over"
    )]
    fn is_exact(&self) -> bool {
        *self == Self::Exact
    }

    /// Returns the form of an assessor name that is equal for all spellings of the same assessor.
    pub fn canonical_name(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(name),
            Self::AnyCase => Cow::Owned(name.trim().to_lowercase()),
        }
    }
}

/// Default number of assessors who grade each item or rank each list, as in MIREX 2006.
pub const DEFAULT_GRADERS: u32 = 3;

/// Returns the default of `CampaignSpec::graders` for serde.
fn default_graders() -> u32 {
    DEFAULT_GRADERS
}

/// Returns true for the default of `CampaignSpec::graders`, so that serde omits the field.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "this is how serde hands it over"
)]
fn is_default_graders(graders: &u32) -> bool {
    *graders == DEFAULT_GRADERS
}

/// Returns the default of `CampaignSpec::kinds` for serde.
fn only_preferences() -> Vec<JudgmentKind> {
    vec![JudgmentKind::Preference]
}

/// Returns true for the default of `CampaignSpec::kinds`, so that serde omits the field.
fn are_only_preferences(kinds: &[JudgmentKind]) -> bool {
    kinds == [JudgmentKind::Preference]
}

/// Query with the candidate items that assessors order by their closeness to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuerySpec {
    /// Query name.
    pub query: String,
    /// Candidate items to order.
    pub items: Vec<ItemSpec>,
}

impl QuerySpec {
    /// Creates a query whose candidates have neither prior positions nor duplicates.
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

/// Candidate item of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ItemSpec {
    /// Item name.
    pub item: String,
    /// Position of the item in an order that is known before any vote; lower is closer to the
    /// query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Name of another item of the list that has the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// Reason why a campaign specification is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignSpecError {
    /// A number is out of range.
    #[error(transparent)]
    Number(#[from] RangeError),
    /// The name of this kind of thing, for example of a query, is empty.
    #[error("the name of {0} is empty")]
    NoName(&'static str),
    /// The campaign has no queries.
    #[error("there is no query")]
    NoQueries,
    /// A query occurs twice.
    #[error("the query `{0}` comes twice")]
    QueryTwice(String),
    /// An item occurs twice in a list.
    #[error("`{item}` comes twice among the candidates of the query `{query}`")]
    ItemTwice {
        /// Query name.
        query: String,
        /// Item name.
        item: String,
    },
    /// `same_as` names an item that does not exist.
    #[error("query `{query}`: `{item}` is said to be the same as `{other}`, which is no candidate")]
    UnknownDuplicate {
        /// Query name.
        query: String,
        /// Item name.
        item: String,
        /// Name that `same_as` gives.
        other: String,
    },
    /// A list has too many candidates.
    #[error("the query `{query}` has {items} candidates; at most {most} can be put in order")]
    TooLong {
        /// Query name.
        query: String,
        /// Number of candidates of the list.
        items: usize,
        /// Maximum number of candidates of a list.
        most: usize,
    },
    /// Fewer assessors are invited than a question needs.
    #[error(
        "a pair wants {votes} votes of {votes} people, and {people} are invited: it would never be decided"
    )]
    TooFewPeople {
        /// Number of assessors that a question needs: votes per pair, or assessors per grade or
        /// ranking.
        votes: u32,
        /// Number of invited assessors.
        people: u32,
    },
    /// `CampaignSpec::top` exceeds the length of every list.
    #[error("the head of {top} items is longer than every list: the longest has {longest}")]
    TopTooLong {
        /// Value of `top`, the number of items at the top of each list that must be settled.
        top: usize,
        /// Length of the longest list.
        longest: usize,
    },
    /// No kind of judgment is requested.
    #[error("there is no kind of judgment that people are asked for")]
    NoKinds,
    /// A kind of judgment is requested twice.
    #[error("the kind of judgment `{0}` comes twice")]
    KindTwice(JudgmentKind),
    /// A gold pair is invalid.
    #[error("the question with a known answer, `{a}` or `{b}` of query `{query}`: {reason}")]
    Gold {
        /// Query name.
        query: String,
        /// First item.
        a: String,
        /// Second item.
        b: String,
        /// Reason why the gold pair is invalid.
        reason: GoldPairError,
    },
}

/// Maximum number of votes per pair. More would make the tables of all possible vote counts too
/// large.
pub const MAX_VOTES_PER_PAIR: u32 = 30;

/// Maximum number of candidates per list. All pairs of a list are kept in memory.
pub const MAX_CANDIDATES: usize = 2_000;

impl CampaignSpec {
    /// Creates a specification with the default settings. Votes per pair, strategy and price are
    /// those of Urbano et al. (2010).
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
            price: Price::URBANO_2010,
            kinds: only_preferences(),
            gold: None,
            graders: DEFAULT_GRADERS,
            name_matching: NameMatching::Exact,
            invited_assessors: None,
            lists,
        }
    }

    /// Sorts queries and their candidates by name.
    pub(super) fn order_by_name(&mut self) {
        self.lists.sort_by(|a, b| a.query.cmp(&b.query));
        for list in &mut self.lists {
            list.items.sort_by(|a, b| a.item.cmp(&b.item));
        }
    }

    /// Returns the significance level of the decision rule, if it is a test.
    pub fn alpha(&self) -> Option<f64> {
        self.rule.alpha().map(Alpha::value)
    }

    /// Returns the query with the longest list, and the estimated seconds that fitting the model of
    /// this list takes. Returns `None` for strategies that fit no model, which are fast at any
    /// length.
    ///
    /// Measured on one core of a 2024 server: 0.7 seconds of CPU time for 1,000 items and 3.9 for
    /// 2,000. Choosing the pairs takes 0.13 and 0.38 seconds.
    pub fn slowest_list(&self) -> Option<(&str, f64)> {
        let longest = self.lists.iter().max_by_key(|list| list.items.len());
        longest.filter(|_| self.strategy.fits_model()).map(|list| {
            let thousands = list.items.len() as f64 / 1_000.0;
            (list.query.as_str(), 0.7 * thousands.powf(2.5))
        })
    }

    /// Returns the options that the strategy takes from this specification.
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

    /// Returns the specification with an extension applied.
    pub(super) fn with_extension(&self, extended: &CampaignExtension) -> CampaignSpec {
        let mut settings = self.clone();
        settings.votes = extended.votes.unwrap_or(settings.votes);
        settings.budget = extended.budget.or(settings.budget);
        for list in &extended.lists {
            let mut known = settings.lists.iter_mut();
            match known.find(|known| known.query == list.query) {
                Some(known) => known.items.extend(list.items.iter().cloned()),
                None => settings.lists.push(list.clone()),
            }
        }
        settings
    }

    /// Checks that all values are valid and consistent, so that a campaign can run.
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
        let (what, is_share) = ("the share of pairs held out", (0.0..=1.0).contains(&share));
        require(what, share, "from 0 to 1", is_share)?;
        let is_sure = sure > 0.0 && sure <= 1.0;
        require("the confidence", sure, "above 0 and at most 1", is_sure)?;
        GroupingRule::with_matters(self.matters.unwrap_or(GroupingRule::DEFAULT_MATTERS))?;
        let top = self.top.unwrap_or(1);
        let what = "the number of items at the head";
        require(what, top as f64, "at least 1", top > 0)?;
        let graders = self.graders;
        let what = "the number of people who grade an item";
        require(what, graders.into(), "at least 1", graders > 0)?;
        let votes = self.max_assessors_per_question();
        if let Some(people) = self.invited_assessors.filter(|&people| people < votes) {
            return Err(CampaignSpecError::TooFewPeople { votes, people });
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

    /// Returns the maximum number of assessors per question: votes per pair or graders per item.
    fn max_assessors_per_question(&self) -> u32 {
        let votes = |kind: &JudgmentKind| match kind {
            JudgmentKind::Preference => self.votes,
            _ => self.graders,
        };
        self.kinds.iter().map(votes).max().unwrap_or(0)
    }

    /// Checks that `top` does not exceed the length of the longest list. Shorter lists are settled
    /// as a whole.
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
    /// Checks that there are at most [`MAX_CANDIDATES`] items, that item names are given once and
    /// not empty, and that `same_as` names existing items.
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
        let items = self.items.iter();
        let mut duplicates = items.filter_map(|item| Some((&item.item, item.same_as.as_ref()?)));
        match duplicates.find(|(_, other)| !names.contains(other)) {
            None => Ok(()),
            Some((item, other)) => Err(CampaignSpecError::UnknownDuplicate {
                query: self.query.clone(),
                item: item.clone(),
                other: other.clone(),
            }),
        }
    }

    /// Groups items with the same content into classes. Each class contains the indices of its
    /// candidates. Classes and their items are in candidate order.
    pub fn duplicate_classes(&self) -> Vec<Vec<usize>> {
        let place: HashMap<&str, usize> = (self.items.iter().enumerate())
            .map(|(place, candidate)| (candidate.item.as_str(), place))
            .collect();
        // Union-find forest: the root of each item is the earliest item of its class.
        let mut root: Vec<usize> = (0..self.items.len()).collect();
        /// Returns the root of an item in the union-find forest, and shortens the path to it.
        fn find_root(root: &mut [usize], mut item: usize) -> usize {
            while root[item] != item {
                root[item] = root[root[item]];
                item = root[item];
            }
            item
        }
        for (item, candidate) in self.items.iter().enumerate() {
            let other = candidate.same_as.as_deref();
            if let Some(&other) = other.and_then(|other| place.get(other)) {
                let (one, two) = (find_root(&mut root, item), find_root(&mut root, other));
                root[one.max(two)] = one.min(two);
            }
        }
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut class_of: HashMap<usize, usize> = HashMap::new();
        for item in 0..self.items.len() {
            let leader = find_root(&mut root, item);
            let class = *class_of.entry(leader).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(item);
        }
        classes
    }
}
