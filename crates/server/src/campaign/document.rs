//! Campaign document: the JSON description of a campaign that an organiser uploads.

use std::collections::{BTreeMap, HashMap, HashSet};

use partita::judging::GroupingRule;
use partita::judging::campaign::{
    CampaignSpec, GoldPair, GoldSet, ItemSpec, JudgmentKind, PreferenceChoice, QuerySpec,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::recruiter::Recruiter;
use crate::http::json::escape_pointer_token;
use crate::http::problem::{FieldError, HttpProblem};

/// Description of a campaign, as written by an organiser.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignDocument {
    /// Name of the campaign in URLs: 1 to 64 lower-case letters, digits and hyphens.
    pub name: String,
    /// Title that assessors read.
    pub title: String,
    /// Kinds of judgments that assessors give; only preferences if omitted.
    #[serde(default = "only_preferences")]
    pub kinds: Vec<JudgmentKind>,
    /// Instructions for assessors, by language code. A missing language is replaced by English or
    /// else by any other; default texts are used if there are no instructions.
    #[serde(default)]
    pub instructions: BTreeMap<String, String>,
    /// Consent that assessors give before their first task; omitted if none is asked for.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// Settings of the judging engine, in the format of the campaign log. Omitted settings have
    /// their default values.
    #[serde(default)]
    #[schemars(schema_with = "settings_schema")]
    pub settings: Map<String, Value>,
    /// Queries with their candidate items.
    pub lists: Vec<QueryDocument>,
    /// Gold questions: questions with known answers, which check the attention of assessors.
    #[serde(default, deserialize_with = "deserialize_gold_strictly")]
    pub gold: Option<GoldSet>,
    /// Respondent panel, such as Prolific, that sends assessors.
    #[serde(default)]
    pub recruiter: Option<Recruiter>,
    /// Options of the judging process, such as lease duration and limits.
    #[serde(default)]
    pub judging: JudgingOptions,
}

/// Engine settings that `settings` must not contain, because other fields of the document determine
/// them.
const RESERVED_SETTINGS: [&str; 6] = ["campaign", "lists", "kinds", "gold", "graders", "people"];

/// Returns the schema of the engine settings without [`RESERVED_SETTINGS`], with every property
/// optional.
fn settings_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = CampaignSpec::json_schema(generator);
    schema.remove("required");
    schema.remove("description");
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.retain(|name, _| !RESERVED_SETTINGS.contains(&name.as_str()));
        for field in fields.values_mut().filter_map(Value::as_object_mut) {
            field.remove("default");
        }
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// Returns the default kinds of judgments: only preferences.
fn only_preferences() -> Vec<JudgmentKind> {
    vec![JudgmentKind::Preference]
}

/// Deserializes gold questions and rejects unknown fields. [`GoldSet`] itself accepts unknown
/// fields, because it is also read from logs, which a later version may have written.
fn deserialize_gold_strictly<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<GoldSet>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct StrictGoldSet {
        share: f64,
        pairs: Vec<StrictGoldPair>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct StrictGoldPair {
        query: String,
        a: String,
        b: String,
        answer: PreferenceChoice,
    }
    let gold = Option::<StrictGoldSet>::deserialize(reader)?;
    let pair = |pair: StrictGoldPair| GoldPair {
        query: pair.query,
        a: pair.a,
        b: pair.b,
        answer: pair.answer,
    };
    Ok(gold.map(|gold| GoldSet {
        share: gold.share,
        pairs: gold.pairs.into_iter().map(pair).collect(),
    }))
}

/// Consent text that assessors agree to, with its version.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Version of the consent text. Assessors who agreed to another version are asked again.
    pub version: String,
    /// Consent text by language code.
    pub text: BTreeMap<String, String>,
}

/// Query with its candidate items.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryDocument {
    /// Id of the query.
    pub query: String,
    /// Stimulus that shows the query to assessors.
    // An absent stimulus is read as an empty one, so that validation reports it with all other
    // errors.
    #[serde(default)]
    pub show: Stimulus,
    /// Candidate items of the query.
    pub items: Vec<ItemDocument>,
}

impl QueryDocument {
    /// Returns the query with its candidate items as the judging engine needs them, without
    /// stimuli.
    pub(crate) fn to_spec(&self) -> QuerySpec {
        let item = |item: &ItemDocument| ItemSpec {
            item: item.item.clone(),
            prior: item.prior,
            same_as: item.same_as.clone(),
        };
        QuerySpec {
            query: self.query.clone(),
            items: self.items.iter().map(item).collect(),
        }
    }
}

/// Candidate item of a query.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemDocument {
    /// Id of the item.
    pub item: String,
    /// Stimulus that shows the item to assessors.
    // An absent stimulus is read as an empty one, so that validation reports it with all other
    // errors.
    #[serde(default)]
    pub show: Stimulus,
    /// Position of the item in an order that is known before any vote. Lower means more similar to
    /// the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Id of another candidate of the same query with the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// Stimulus of a query or an item, presented to assessors: at least one of audio, image and text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stimulus {
    /// Audio clip: the SHA-256 of its bytes, or the name of a file in the zip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio: Option<String>,
    /// Image: the SHA-256 of its bytes, or the name of a file in the zip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Text to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Alternative text of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
}

partita::named::named_enum! {
    /// Listening rule: required playback of each clip before an answer.
    pub enum ListeningRule: "rule of hearing" = Ended {
        /// every clip to its end
        Ended = "ended",
        /// the beginning of every clip
        Started = "started",
        /// no clip
        None = "none",
    }
}

/// Scale of fine grades: equally spaced numbers from `min` to `max`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FineScale {
    /// Lowest fine grade.
    pub min: f64,
    /// Highest fine grade.
    pub max: f64,
    /// Difference between adjacent fine grades.
    pub step: f64,
}

impl FineScale {
    /// Returns true if a fine grade lies within the range and on a step of the scale.
    pub(crate) fn contains(self, grade: f64) -> bool {
        let steps = (grade - self.min) / self.step;
        (self.min..=self.max).contains(&grade) && (steps - steps.round()).abs() < 1e-6
    }
}

/// Options of the judging process, such as lease duration and limits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JudgingOptions {
    /// Time in seconds that a task is reserved for an assessor (lease). After it, an unanswered
    /// question may be assigned to another assessor.
    pub lease_seconds: u32,
    /// Maximum number of tasks that an assessor answers; unlimited if omitted.
    pub per_person: Option<u32>,
    /// Expected number of assessors.
    pub people: Option<u32>,
    /// Maximum number of tasks that an assessor holds at a time, from 1 to 20. More than one lets
    /// the browser preload the next clips.
    pub ahead: u32,
    /// Listening rule: required playback of each clip before an answer.
    pub hear: ListeningRule,
    /// True if consecutive tasks should have different queries.
    pub mix: bool,
    /// Number of assessors per graded item or ranked list.
    pub graders: u32,
    /// Maximum time in seconds that an assessor without tasks waits for new ones. After it, their
    /// work counts as complete.
    pub wait_seconds: u32,
    /// Scale of the fine grades that assessors give.
    pub fine: FineScale,
    /// True if assessors are asked about their musical background.
    pub background: bool,
}

impl Default for JudgingOptions {
    fn default() -> Self {
        Self {
            lease_seconds: 600,
            per_person: None,
            people: None,
            ahead: 2,
            hear: ListeningRule::Ended,
            mix: true,
            graders: 3,
            wait_seconds: 120,
            fine: FineScale {
                min: 0.0,
                max: 10.0,
                step: 0.1,
            },
            background: true,
        }
    }
}

/// Index from the ids of queries and items to their positions in a document. Every task needs such
/// lookups, so their cost must not grow with the number of lists.
#[derive(Default)]
pub(crate) struct DocumentIndex(HashMap<String, (usize, HashMap<String, usize>)>);

impl CampaignDocument {
    /// Iterates over the stimuli of all queries and items, with their JSON pointers.
    pub(crate) fn stimuli(&self) -> impl Iterator<Item = (String, &Stimulus)> {
        self.lists.iter().enumerate().flat_map(|(place, list)| {
            let query = (format!("/lists/{place}/show"), &list.show);
            let items = list.items.iter().enumerate().map(move |(item, shown)| {
                (format!("/lists/{place}/items/{item}/show"), &shown.show)
            });
            std::iter::once(query).chain(items)
        })
    }

    /// Iterates mutably over the stimuli of all queries and items.
    pub(crate) fn stimuli_mut(&mut self) -> impl Iterator<Item = &mut Stimulus> {
        self.lists.iter_mut().flat_map(|list| {
            let items = list.items.iter_mut().map(|item| &mut item.show);
            std::iter::once(&mut list.show).chain(items)
        })
    }

    /// Builds the index of queries and items.
    pub(crate) fn index(&self) -> DocumentIndex {
        let lists = self.lists.iter().enumerate().map(|(place, list)| {
            let items = list.items.iter().enumerate();
            let items = items.map(|(place, item)| (item.item.clone(), place));
            (list.query.clone(), (place, items.collect()))
        });
        DocumentIndex(lists.collect())
    }

    /// Returns the stimulus of a query, or of one of its items; `None` if the document does not
    /// have it.
    pub(crate) fn stimulus(
        &self,
        index: &DocumentIndex,
        query: &str,
        item: Option<&str>,
    ) -> Option<&Stimulus> {
        let (list, items) = index.0.get(query)?;
        let list = &self.lists[*list];
        match item {
            None => Some(&list.show),
            Some(item) => Some(&list.items[*items.get(item)?].show),
        }
    }

    /// Converts the document to the campaign specification of the judging engine.
    ///
    /// # Errors
    /// Returns an [`HttpProblem`] with the validation errors and their positions. Combinations of
    /// settings are checked only if there are no other errors.
    pub(crate) fn to_spec(&self) -> Result<CampaignSpec, HttpProblem> {
        let mut field_errors = self.validate();
        let defaults = CampaignSpec {
            kinds: self.kinds.clone(),
            gold: self.gold.clone(),
            graders: self.judging.graders,
            invited_assessors: self.judging.people,
            // Write the default threshold explicitly, as the command `judge init` does, because a
            // later version may have another default.
            matters: Some(GroupingRule::DEFAULT_MATTERS),
            ..CampaignSpec::new(
                &self.name,
                self.lists.iter().map(QueryDocument::to_spec).collect(),
            )
        };
        let defaults = serde_json::to_value(&defaults).expect("a specification can be serialised");
        let Value::Object(mut merged) = defaults else {
            unreachable!("settings are an object");
        };
        for (key, value) in &self.settings {
            let known = merged.contains_key(key) || ["names", "alpha"].contains(&&**key);
            let field_error = match known && !RESERVED_SETTINGS.contains(&&**key) {
                true => setting_error(key, value),
                false => Some(format!("there is no setting `{key}`")),
            };
            match field_error {
                Some(detail) => {
                    let pointer = format!("/settings/{}", escape_pointer_token(key));
                    field_errors.push(FieldError::new(pointer, detail));
                }
                None => _ = merged.insert(key.clone(), value.clone()),
            }
        }
        let settings = serde_json::from_value::<CampaignSpec>(Value::Object(merged));
        let settings = settings.map_err(|error| error.to_string());
        // Check combinations of settings that are valid individually.
        let settings = settings.and_then(|settings| {
            let checked = settings.check().and_then(|()| settings.check_top());
            checked.map_err(|error| error.to_string())?;
            Ok(settings)
        });
        match settings {
            Ok(settings) if field_errors.is_empty() => Ok(settings),
            Err(detail) if field_errors.is_empty() => {
                Err(HttpProblem::invalid_field("/settings", detail))
            }
            _ => Err(HttpProblem::invalid(field_errors)),
        }
    }

    /// Returns the validation errors of the document, except those of the engine settings.
    fn validate(&self) -> Vec<FieldError> {
        let mut field_errors = Vec::new();
        let mut add_error =
            |pointer: String, detail: &str| field_errors.push(FieldError::new(pointer, detail));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(plain) {
            let detail = "a name has 1 to 64 small letters, digits and hyphens";
            add_error("/name".to_owned(), detail);
        }
        if self.title.trim().is_empty() {
            add_error("/title".to_owned(), "the title is empty");
        }
        if self.kinds.is_empty() {
            add_error("/kinds".to_owned(), "`kinds` is empty");
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if self.kinds[..place].contains(kind) {
                add_error(format!("/kinds/{place}"), "this kind occurs twice");
            }
        }
        if self.lists.is_empty() {
            add_error("/lists".to_owned(), "there is no list");
        }
        let mut queries = HashSet::new();
        for (place, list) in self.lists.iter().enumerate() {
            let at = format!("/lists/{place}");
            if list.query.is_empty() {
                add_error(format!("{at}/query"), "the query has no name");
            }
            if !queries.insert(&list.query) {
                add_error(format!("{at}/query"), "two queries have this name");
            }
            if list.items.len() < 2 {
                add_error(format!("{at}/items"), "there are fewer than two candidates");
            }
            let mut items = HashSet::new();
            for (item, candidate) in list.items.iter().enumerate() {
                let at = format!("{at}/items/{item}");
                if candidate.item.is_empty() {
                    add_error(format!("{at}/item"), "the candidate has no name");
                }
                if !items.insert(candidate.item.as_str()) {
                    add_error(format!("{at}/item"), "two candidates have this name");
                }
            }
            for (item, candidate) in list.items.iter().enumerate() {
                if let Some(other) = &candidate.same_as
                    && !items.contains(other.as_str())
                {
                    let at = format!("{at}/items/{item}/same_as");
                    add_error(at, "this is not a candidate of the query");
                }
            }
        }
        for (at, show) in self.stimuli() {
            if show.audio.is_none() && show.image.is_none() && show.text.is_none() {
                add_error(at, "at least one of audio, image and text is needed");
            }
        }
        let mut known = HashSet::new();
        for (place, pair) in self.gold.iter().flat_map(|gold| &gold.pairs).enumerate() {
            let at = format!("/gold/pairs/{place}");
            let both = ((&pair.a).min(&pair.b), (&pair.a).max(&pair.b));
            if pair.a == pair.b {
                add_error(format!("{at}/b"), "both items are the same");
            } else if !known.insert((&pair.query, both)) {
                add_error(at.clone(), "this question occurs twice");
            }
            match self.lists.iter().find(|list| list.query == pair.query) {
                None => add_error(format!("{at}/query"), "there is no such query"),
                Some(list) => {
                    for (key, item) in [("a", &pair.a), ("b", &pair.b)] {
                        if !list.items.iter().any(|known| known.item == *item) {
                            add_error(
                                format!("{at}/{key}"),
                                "this is not a candidate of the query",
                            );
                        }
                    }
                }
            }
        }
        if let Some(gold) = &self.gold
            && !(0.0..1.0).contains(&gold.share)
        {
            add_error(
                "/gold/share".to_owned(),
                "the share must be at least 0 and below 1",
            );
        }
        field_errors.extend(self.judging.validate());
        if let Some(recruiter) = &self.recruiter {
            field_errors.extend(recruiter.validate(&self.kinds));
        }
        field_errors
    }
}

/// Checks one engine setting together with the default values of all others, and returns its error,
/// if any. Checking settings one by one allows reporting all invalid ones with their positions.
fn setting_error(key: &str, value: &Value) -> Option<String> {
    let defaults = CampaignSpec::new("c", Vec::new());
    let defaults = serde_json::to_value(&defaults).expect("a specification can be serialised");
    let read = |settings: Value| {
        let settings = serde_json::from_value::<CampaignSpec>(settings);
        let settings = settings.map_err(|error| error.to_string())?;
        settings.check().map_err(|error| error.to_string())
    };
    let mut with = defaults.clone();
    with[key] = value.clone();
    let wrong = read(with).err()?;
    // Ignore an error that also occurs with the default settings: this setting does not cause it.
    (read(defaults).err().as_ref() != Some(&wrong)).then_some(wrong)
}

impl JudgingOptions {
    /// Returns the validation errors of the judging options.
    fn validate(&self) -> Vec<FieldError> {
        let fine = self.fine;
        let scale = fine.min >= 0.0 && fine.max <= 100.0 && fine.min < fine.max;
        let rules = [
            ("lease_seconds", self.lease_seconds > 0, "at least 1"),
            ("ahead", (1..=20).contains(&self.ahead), "from 1 to 20"),
            ("graders", self.graders > 0, "at least 1"),
            ("per_person", self.per_person != Some(0), "at least 1"),
            ("people", self.people != Some(0), "at least 1"),
            ("fine", scale, "a scale between 0 and 100"),
            ("fine/step", fine.step > 0.0, "above 0"),
        ];
        let broken = rules.into_iter().filter(|(_, holds, _)| !holds);
        broken
            .map(|(key, _, what)| {
                FieldError::new(format!("/judging/{key}"), format!("it must be {what}"))
            })
            .collect()
    }
}
