//! Specification of a campaign: what is asked, how, by whom, and what is shown.

pub(super) mod draft;
pub(super) mod error;
pub(super) mod gold;
pub(super) mod judging_options;
pub(super) mod page_texts;
pub(super) mod recruiter;
pub(super) mod validate;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use partita_core::judgment::JudgmentKind;
use partita_core::truth::Alpha;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::gold::GoldSet;
use self::judging_options::{Consent, JudgingOptions};
use self::page_texts::{PageTexts, Title, value_in_language};
use self::recruiter::Recruiter;
use super::log::event::CampaignExtension;
use crate::analysis::price::Price;
use crate::model::GroupingRule;
use crate::strategy::{PooledStrategy, StrategyName, StrategyOptions};
use crate::votes::decision_rule::DecisionRule;

/// Complete specification of a campaign, in the form in which organisers write it and the log
/// stores it.
// Fields that organisers must give have defaults too: an empty value is read, so that validation
// reports it together with all other errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = require_fields)]
pub struct CampaignSpec {
    /// Name of the campaign. Answers that name another campaign are rejected. A server uses it in
    /// URLs: 1 to 64 lower-case letters, digits and hyphens.
    pub name: String,
    /// Title that assessors read: a text, or texts by language code.
    pub title: Title,
    /// Kinds of judgments that assessors give; only preferences if omitted.
    pub kinds: Vec<JudgmentKind>,
    /// Instructions for assessors, by language code. A missing language is replaced by English or
    /// else by any other; default texts are used if there are no instructions.
    pub instructions: BTreeMap<String, String>,
    /// Question, answers and names of the parts on the pages, by language code. A missing language is
    /// replaced as for instructions; texts that the language lacks have their default values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, PageTexts>,
    /// Consent that assessors give before their first task; omitted if none is asked for.
    pub consent: Option<Consent>,
    /// Settings of the judging engine. Omitted settings have their default values.
    pub settings: EngineSettings,
    /// Queries with their candidate items.
    pub lists: Vec<QuerySpec>,
    /// Gold questions: questions with known answers, which check the attention of assessors.
    pub gold: Option<GoldSet>,
    /// Respondent panel, such as Prolific, that sends assessors. Never in a log.
    pub recruiter: Option<Recruiter>,
    /// Options of the judging process, such as lease duration and limits.
    pub judging: JudgingOptions,
}

/// Fields of specifications, queries and items that must be given. They have defaults only so that
/// validation reports those that are missing.
const REQUIRED_FIELDS: [&str; 6] = ["name", "title", "lists", "query", "items", "item"];

/// Marks the [required fields](REQUIRED_FIELDS) of a type in its schema.
fn require_fields(schema: &mut Schema) {
    let Some(Value::Object(fields)) = schema.get_mut("properties") else {
        return;
    };
    let mut required = REQUIRED_FIELDS.to_vec();
    required.retain(|name| fields.contains_key(*name));
    for name in &required {
        fields[*name]
            .as_object_mut()
            .map(|field| field.remove("default"));
    }
    // Schemas of output require all fields already.
    if schema.get("required").is_none() {
        schema.insert("required".to_owned(), json!(required));
    }
}

/// Settings of the judging engine: votes, decision rule, strategy, held-out votes and price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSettings {
    /// Seed of all random draws of the campaign.
    pub seed: u64,
    /// Number of votes per pair, or the maximum number if the strategy can decide a pair with
    /// fewer.
    pub votes: u32,
    /// Name of the rule that decides a pair from its votes: `mwu`, `mwu-normal`, `sign`,
    /// `margin:K`, `plurality` or `majority`.
    pub decide: DecisionRule,
    /// Significance level of the rule, if it is a test; that of `decide` if not given.
    pub alpha: Option<f64>,
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
    /// vote (each vote is -1, 0 or 1) in standard deviations of a vote.
    pub matters: f64,
    /// Expected share of pairs in the wrong order by a difference that matters, at which a list is
    /// settled, for the strategy `pooled`.
    pub settled: f64,
    /// Share of the pairs of each list that get held-out votes: votes that the strategy does not
    /// see and that serve to check the list.
    pub held_out: f64,
    /// Number of votes on each held-out pair that the strategy does not see.
    pub held_out_votes: u32,
    /// Price paid for one answer: the assessor's reward and the platform's fee. Nothing is said
    /// about cost if it is omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Rule for matching assessor names, for example whether `ann` and `ANN` are the same assessor.
    #[serde(rename = "names")]
    pub name_matching: NameMatching,
}

/// Votes per pair and strategy of Urbano et al. (2010).
impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            votes: 10,
            decide: DecisionRule::default(),
            alpha: None,
            strategy: StrategyName::Sort,
            confidence: 0.9,
            top: None,
            budget: None,
            matters: GroupingRule::DEFAULT_MATTERS,
            settled: PooledStrategy::DEFAULT_SETTLED,
            held_out: 0.0,
            held_out_votes: 1,
            price: None,
            name_matching: NameMatching::Exact,
        }
    }
}

impl EngineSettings {
    /// Returns the rule that decides a pair from its votes, at its significance level.
    pub fn rule(&self) -> DecisionRule {
        let alpha = self.alpha.and_then(Alpha::new);
        alpha.map_or(self.decide, |alpha| self.decide.with_alpha(alpha))
    }

    /// Writes the significance level of a test to `alpha`, also where it is the default, which may
    /// change in a later version.
    pub(super) fn state_alpha(&mut self) {
        self.decide = self.rule();
        self.alpha = self.decide.alpha().map(Alpha::value);
    }

    /// Returns the options that the strategy takes from these settings.
    pub fn strategy_options(&self) -> StrategyOptions {
        StrategyOptions {
            votes: self.votes,
            rule: self.rule(),
            confidence: self.confidence,
            top: self.top,
            budget: self.budget,
            matters: self.matters,
            settled: self.settled,
        }
    }
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
    /// Returns the form of an assessor name that is equal for all spellings of the same assessor.
    pub fn canonical_name(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(name),
            Self::AnyCase => Cow::Owned(name.trim().to_lowercase()),
        }
    }
}

/// Query with the candidate items that assessors order by their closeness to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = require_fields)]
pub struct QuerySpec {
    /// Query name.
    pub query: String,
    /// Stimulus that shows the query to assessors.
    #[serde(skip_serializing_if = "Stimulus::is_empty")]
    pub show: Stimulus,
    /// Candidate items to order.
    pub items: Vec<ItemSpec>,
}

impl QuerySpec {
    /// Creates a query whose candidates have neither stimuli, prior positions nor duplicates.
    pub fn new<N: Into<String>>(
        query: impl Into<String>,
        items: impl IntoIterator<Item = N>,
    ) -> Self {
        let items = items.into_iter().map(|item| ItemSpec {
            item: item.into(),
            ..ItemSpec::default()
        });
        Self {
            query: query.into(),
            show: Stimulus::default(),
            items: items.collect(),
        }
    }
}

/// Candidate item of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(transform = require_fields)]
pub struct ItemSpec {
    /// Item name.
    pub item: String,
    /// Stimulus that shows the item to assessors.
    #[serde(skip_serializing_if = "Stimulus::is_empty")]
    pub show: Stimulus,
    /// Position of the item in an order that is known before any vote; lower is closer to the
    /// query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Name of another item of the list that has the same content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// Stimulus of a query or an item, presented to assessors: at least one of audio, image and text.
/// Empty in campaigns that are not judged on pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Stimulus {
    /// Audio clip: the SHA-256 of its bytes, or the name of a file in the zip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<String>,
    /// Image: the SHA-256 of its bytes, or the name of a file in the zip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Text to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Alternative text of the image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
}

impl Stimulus {
    /// Returns true if there is nothing to hear, to see or to read.
    pub fn is_empty(&self) -> bool {
        self.audio.is_none() && self.image.is_none() && self.text.is_none()
    }
}

impl Default for CampaignSpec {
    fn default() -> Self {
        Self::new("", Vec::new())
    }
}

impl CampaignSpec {
    /// Creates a specification with the default settings, whose title is the name.
    pub fn new(name: &str, lists: Vec<QuerySpec>) -> Self {
        Self {
            name: name.to_owned(),
            title: name.into(),
            kinds: vec![JudgmentKind::Preference],
            instructions: BTreeMap::new(),
            texts: BTreeMap::new(),
            consent: None,
            settings: EngineSettings::default(),
            lists,
            gold: None,
            recruiter: None,
            judging: JudgingOptions::default(),
        }
    }

    /// Brings the specification into the form in which a log stores it. Sorts queries and their
    /// candidates by name, and drops the recruiter, whose completion codes are secrets.
    pub(super) fn prepare_for_log(&mut self) {
        self.recruiter = None;
        self.lists.sort_by(|a, b| a.query.cmp(&b.query));
        for list in &mut self.lists {
            list.items.sort_by(|a, b| a.item.cmp(&b.item));
        }
    }

    /// Returns the significance level of the decision rule, if it is a test.
    pub fn alpha(&self) -> Option<f64> {
        self.settings.rule().alpha().map(Alpha::value)
    }

    /// Returns the query with the longest list, and the estimated seconds that fitting the model of
    /// this list takes. Returns `None` for strategies that fit no model, which are fast at any
    /// length.
    ///
    /// Measured on one core of a 2024 server: 0.7 seconds of CPU time for 1,000 items and 3.9 for
    /// 2,000. Choosing the pairs takes 0.13 and 0.38 seconds.
    pub fn slowest_list(&self) -> Option<(&str, f64)> {
        let longest = self.lists.iter().max_by_key(|list| list.items.len());
        let fits_model = self.settings.strategy.fits_model();
        longest.filter(|_| fits_model).map(|list| {
            let thousands = list.items.len() as f64 / 1_000.0;
            (list.query.as_str(), 0.7 * thousands.powf(2.5))
        })
    }

    /// Applies an extension. An existing query keeps its stimulus.
    pub fn extend(&mut self, extension: &CampaignExtension) {
        let settings = &mut self.settings;
        settings.votes = extension.votes.unwrap_or(settings.votes);
        settings.budget = extension.budget.or(settings.budget);
        settings.settled = extension.settled.unwrap_or(settings.settled);
        for list in &extension.lists {
            let mut known = self.lists.iter_mut();
            match known.find(|known| known.query == list.query) {
                Some(known) => known.items.extend(list.items.iter().cloned()),
                None => self.lists.push(list.clone()),
            }
        }
    }

    /// Iterates over the stimuli of all queries and items, with their JSON pointers.
    pub fn stimuli(&self) -> impl Iterator<Item = (String, &Stimulus)> {
        self.lists.iter().enumerate().flat_map(|(place, list)| {
            let query = (format!("/lists/{place}/show"), &list.show);
            let items = list.items.iter().enumerate().map(move |(item, shown)| {
                (format!("/lists/{place}/items/{item}/show"), &shown.show)
            });
            std::iter::once(query).chain(items)
        })
    }

    /// Returns true if at least one query or item has a stimulus. Campaigns that are judged in
    /// files need none.
    pub fn has_stimuli(&self) -> bool {
        let items = |list: &QuerySpec| list.items.iter().any(|item| !item.show.is_empty());
        let mut lists = self.lists.iter();
        lists.any(|list| !list.show.is_empty() || items(list))
    }

    /// Returns true if at least one query or item has an audio clip.
    pub fn has_audio(&self) -> bool {
        self.stimuli().any(|(_, show)| show.audio.is_some())
    }

    /// Returns the texts of the judging page that the campaign sets for a language.
    pub fn page_texts(&self, language: &str) -> PageTexts {
        value_in_language(&self.texts, language)
            .cloned()
            .unwrap_or_default()
    }

    /// Returns true if assessors with these texts are asked about their background before their
    /// first task: if the option or the texts say so, otherwise if the campaign has audio.
    pub fn asks_background(&self, texts: &PageTexts) -> bool {
        let by_text = texts
            .background
            .as_ref()
            .map(|text| !text.trim().is_empty());
        (self.judging.background)
            .or(by_text)
            .unwrap_or_else(|| self.has_audio())
    }

    /// Iterates mutably over the stimuli of all queries and items.
    pub fn stimuli_mut(&mut self) -> impl Iterator<Item = &mut Stimulus> {
        self.lists.iter_mut().flat_map(|list| {
            let items = list.items.iter_mut().map(|item| &mut item.show);
            std::iter::once(&mut list.show).chain(items)
        })
    }
}

impl QuerySpec {
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
