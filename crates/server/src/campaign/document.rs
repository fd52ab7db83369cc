//! The document that a campaign is made of: what is asked about what, of whom, and how.

use std::collections::{BTreeMap, HashMap, HashSet};

use partita_judging::GroupingRule;
use partita_judging::campaign::{
    CampaignSpec, GoldPair, GoldSet, ItemSpec, JudgmentKind, PreferenceChoice, QuerySpec,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::recruiter::Recruiter;
use crate::http::problem::{FieldError, HttpProblem};

/// A campaign as an organiser describes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignDocument {
    /// What it is called in addresses: small letters, digits and hyphens.
    pub name: String,
    /// What people read above it.
    pub title: String,
    /// What people are asked.
    #[serde(default = "only_preferences")]
    pub kinds: Vec<JudgmentKind>,
    /// What they are told to do, by language; the usual words where it says nothing.
    #[serde(default)]
    pub instructions: BTreeMap<String, String>,
    /// What they agree to first.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// The settings of the engine, as in the log; as usual where they are absent.
    #[serde(default)]
    #[schemars(schema_with = "settings_schema")]
    pub settings: Map<String, Value>,
    /// The queries with their candidates.
    pub lists: Vec<QueryDocument>,
    /// Questions whose answers are known.
    #[serde(default, deserialize_with = "deserialize_gold_strictly")]
    pub gold: Option<GoldSet>,
    /// The panel that sends people.
    #[serde(default)]
    pub recruiter: Option<Recruiter>,
    /// How judging goes on.
    #[serde(default)]
    pub judging: JudgingOptions,
}

/// What the document says elsewhere, and not in the settings.
const RESERVED_SETTINGS: [&str; 6] = ["campaign", "lists", "kinds", "gold", "graders", "people"];

/// The settings of the engine, each of which may be absent.
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

fn only_preferences() -> Vec<JudgmentKind> {
    vec![JudgmentKind::Preference]
}

/// Reads gold as an organiser writes it. A log, of which the type is, may have fields of later versions; a
/// document may not.
fn deserialize_gold_strictly<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<GoldSet>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Known {
        share: f64,
        pairs: Vec<KnownPair>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct KnownPair {
        query: String,
        a: String,
        b: String,
        answer: PreferenceChoice,
    }
    let known = Option::<Known>::deserialize(reader)?;
    let pair = |pair: KnownPair| GoldPair {
        query: pair.query,
        a: pair.a,
        b: pair.b,
        answer: pair.answer,
    };
    Ok(known.map(|known| GoldSet {
        share: known.share,
        pairs: known.pairs.into_iter().map(pair).collect(),
    }))
}

/// What people agree to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Which text it is: who agreed to another is asked again.
    pub version: String,
    /// The text, by language.
    pub text: BTreeMap<String, String>,
}

/// A query with its candidates.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryDocument {
    /// What it is called.
    pub query: String,
    /// What is shown of it.
    // Absent, it is as good as empty: a fault that is named among the others.
    #[serde(default)]
    pub show: Stimulus,
    /// Its candidates.
    pub items: Vec<ItemDocument>,
}

/// A candidate.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemDocument {
    /// What it is called.
    pub item: String,
    /// What is shown of it.
    // Absent, it is as good as empty: a fault that is named among the others.
    #[serde(default)]
    pub show: Stimulus,
    /// A place that is known beforehand, the lower the closer to the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Another candidate with the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// What people hear, see or read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stimulus {
    /// A clip: the SHA-256 of its bytes, or a file of the zip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio: Option<String>,
    /// A picture, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// A text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the picture shows, for people who do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
}

partita_named::named_enum! {
    /// What must be heard of each clip before an answer.
    pub enum ListeningRule: "rule of hearing" = Ended {
        /// all of it
        Ended = "ended",
        /// its beginning
        Started = "started",
        /// nothing
        None = "none",
    }
}

/// The scale of fine grades.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FineScale {
    /// The lowest grade.
    pub min: f64,
    /// The highest.
    pub max: f64,
    /// How far one is from the next.
    pub step: f64,
}

impl FineScale {
    /// Whether a grade lies on the scale and on one of its steps.
    pub(crate) fn contains(self, grade: f64) -> bool {
        let steps = (grade - self.min) / self.step;
        (self.min..=self.max).contains(&grade) && (steps - steps.round()).abs() < 1e-6
    }
}

/// How judging goes on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JudgingOptions {
    /// How long somebody may keep a task, in seconds.
    pub lease_seconds: u32,
    /// How many tasks one person gets at most.
    pub per_person: Option<u32>,
    /// How many people are invited, if that is known.
    pub people: Option<u32>,
    /// How many tasks somebody has at a time, so that the next clips can be loaded.
    pub ahead: u32,
    /// What must be heard before an answer.
    pub hear: ListeningRule,
    /// Whether the query changes from task to task.
    pub mix: bool,
    /// How many people grade each item, or rank each list.
    pub graders: u32,
    /// How long somebody for whom there is nothing waits before they are done, in seconds.
    pub wait_seconds: u32,
    /// The scale of fine grades.
    pub fine: FineScale,
    /// Whether people are asked about their musical background.
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

/// Where the lists of a document stand, and the items of each, by their names: what is shown is looked for
/// with every task, however many lists there are.
#[derive(Default)]
pub(crate) struct DocumentIndex(HashMap<String, (usize, HashMap<String, usize>)>);

/// Reads JSON, and says where it is not what it should be.
pub(crate) fn parse_json<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, HttpProblem> {
    serde_json::from_slice(bytes).map_err(|_| {
        // Where it is wrong takes time to keep track of, so that it is read again for that.
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let read: Result<T, _> = serde_path_to_error::deserialize(&mut reader);
        match read.map(|_| reader.end()) {
            Err(error) => {
                HttpProblem::invalid_field(pointer(error.path()), error.inner().to_string())
            }
            Ok(Err(error)) => HttpProblem::invalid_field("", error.to_string()),
            Ok(Ok(())) => unreachable!("what cannot be read once cannot be read twice"),
        }
    })
}

/// A path in JSON as a pointer (RFC 6901).
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segment = |segment: &Segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } | Segment::Enum { variant: key } => format!("/{}", escaped(key)),
        Segment::Unknown => String::new(),
    };
    path.iter().map(segment).collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl CampaignDocument {
    /// Everything shown in it, with where it stands.
    pub(crate) fn stimuli(&self) -> impl Iterator<Item = (String, &Stimulus)> {
        self.lists.iter().enumerate().flat_map(|(place, list)| {
            let query = (format!("/lists/{place}/show"), &list.show);
            let items = list.items.iter().enumerate().map(move |(item, shown)| {
                (format!("/lists/{place}/items/{item}/show"), &shown.show)
            });
            std::iter::once(query).chain(items)
        })
    }

    /// The same, to be changed.
    pub(crate) fn stimuli_mut(&mut self) -> impl Iterator<Item = &mut Stimulus> {
        self.lists.iter_mut().flat_map(|list| {
            let items = list.items.iter_mut().map(|item| &mut item.show);
            std::iter::once(&mut list.show).chain(items)
        })
    }

    /// Where everything stands in it.
    pub(crate) fn index(&self) -> DocumentIndex {
        let lists = self.lists.iter().enumerate().map(|(place, list)| {
            let items = list.items.iter().enumerate();
            let items = items.map(|(place, item)| (item.item.clone(), place));
            (list.query.clone(), (place, items.collect()))
        });
        DocumentIndex(lists.collect())
    }

    /// What is shown of a query, or of an item of it.
    pub(crate) fn stimulus(
        &self,
        places: &DocumentIndex,
        query: &str,
        item: Option<&str>,
    ) -> Option<&Stimulus> {
        let (list, items) = places.0.get(query)?;
        let list = &self.lists[*list];
        match item {
            None => Some(&list.show),
            Some(item) => Some(&list.items[*items.get(item)?].show),
        }
    }

    /// The settings of the engine.
    ///
    /// # Errors
    /// Everything that cannot be, with its place.
    pub(crate) fn to_spec(&self) -> Result<CampaignSpec, HttpProblem> {
        let mut faults = self.validate();
        let lists = self.lists.iter().map(|list| QuerySpec {
            query: list.query.clone(),
            items: (list.items.iter())
                .map(|item| ItemSpec {
                    item: item.item.clone(),
                    prior: item.prior,
                    same_as: item.same_as.clone(),
                })
                .collect(),
        });
        let usual = CampaignSpec {
            kinds: self.kinds.clone(),
            gold: self.gold.clone(),
            graders: self.judging.graders,
            invited_assessors: self.judging.people,
            // As `judge init` does: what is not in a log could mean something else one day.
            matters: Some(GroupingRule::DEFAULT_MATTERS),
            ..CampaignSpec::new(&self.name, lists.collect())
        };
        let usual = serde_json::to_value(&usual).expect("settings are text and numbers");
        let Value::Object(mut merged) = usual else {
            unreachable!("settings are an object");
        };
        for (key, value) in &self.settings {
            let known = merged.contains_key(key) || ["names", "alpha"].contains(&&**key);
            let fault = match known && !RESERVED_SETTINGS.contains(&&**key) {
                true => setting_error(key, value),
                false => Some(format!("there is no setting `{key}`")),
            };
            match fault {
                Some(detail) => {
                    let pointer = format!("/settings/{}", escaped(key));
                    faults.push(FieldError::new(pointer, detail));
                }
                None => _ = merged.insert(key.clone(), value.clone()),
            }
        }
        let settings = serde_json::from_value::<CampaignSpec>(Value::Object(merged));
        let settings = settings.map_err(|error| error.to_string());
        // What is wrong with several of them together, where each by itself may be.
        let settings = settings.and_then(|settings| {
            let checked = settings.check().and_then(|()| settings.check_top());
            checked.map_err(|error| error.to_string())?;
            Ok(settings)
        });
        match settings {
            Ok(settings) if faults.is_empty() => Ok(settings),
            Err(detail) if faults.is_empty() => {
                Err(HttpProblem::invalid_field("/settings", detail))
            }
            _ => Err(HttpProblem::invalid(faults)),
        }
    }

    /// What is wrong with the document itself.
    fn validate(&self) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let mut wrong =
            |pointer: String, detail: &str| faults.push(FieldError::new(pointer, detail));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(plain) {
            let detail = "a name has 1 to 64 small letters, digits and hyphens";
            wrong("/name".to_owned(), detail);
        }
        if self.title.trim().is_empty() {
            wrong("/title".to_owned(), "the title is empty");
        }
        if self.kinds.is_empty() {
            wrong("/kinds".to_owned(), "`kinds` is empty");
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if self.kinds[..place].contains(kind) {
                wrong(format!("/kinds/{place}"), "this kind occurs twice");
            }
        }
        if self.lists.is_empty() {
            wrong("/lists".to_owned(), "there is no list");
        }
        let mut queries = HashSet::new();
        for (place, list) in self.lists.iter().enumerate() {
            let at = format!("/lists/{place}");
            if list.query.is_empty() {
                wrong(format!("{at}/query"), "the query has no name");
            }
            if !queries.insert(&list.query) {
                wrong(format!("{at}/query"), "two queries have this name");
            }
            if list.items.len() < 2 {
                wrong(format!("{at}/items"), "there are fewer than two candidates");
            }
            let mut items = HashSet::new();
            for (item, candidate) in list.items.iter().enumerate() {
                let at = format!("{at}/items/{item}");
                if candidate.item.is_empty() {
                    wrong(format!("{at}/item"), "the candidate has no name");
                }
                if !items.insert(candidate.item.as_str()) {
                    wrong(format!("{at}/item"), "two candidates have this name");
                }
            }
            for (item, candidate) in list.items.iter().enumerate() {
                if let Some(other) = &candidate.same_as
                    && !items.contains(other.as_str())
                {
                    let at = format!("{at}/items/{item}/same_as");
                    wrong(at, "this is not a candidate of the query");
                }
            }
        }
        for (at, show) in self.stimuli() {
            if show.audio.is_none() && show.image.is_none() && show.text.is_none() {
                wrong(at, "at least one of audio, image and text is needed");
            }
        }
        let mut known = HashSet::new();
        for (place, pair) in self.gold.iter().flat_map(|gold| &gold.pairs).enumerate() {
            let at = format!("/gold/pairs/{place}");
            let both = ((&pair.a).min(&pair.b), (&pair.a).max(&pair.b));
            if pair.a == pair.b {
                wrong(format!("{at}/b"), "both items are the same");
            } else if !known.insert((&pair.query, both)) {
                wrong(at.clone(), "this question occurs twice");
            }
            match self.lists.iter().find(|list| list.query == pair.query) {
                None => wrong(format!("{at}/query"), "there is no such query"),
                Some(list) => {
                    for (key, item) in [("a", &pair.a), ("b", &pair.b)] {
                        if !list.items.iter().any(|known| known.item == *item) {
                            wrong(
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
            wrong(
                "/gold/share".to_owned(),
                "the share must be at least 0 and below 1",
            );
        }
        faults.extend(self.judging.validate());
        if let Some(recruiter) = &self.recruiter {
            faults.extend(recruiter.validate(&self.kinds));
        }
        faults
    }
}

/// What is wrong with a setting beside the usual ones, so that every fault is named with its place.
fn setting_error(key: &str, value: &Value) -> Option<String> {
    let usual = CampaignSpec::new("c", Vec::new());
    let usual = serde_json::to_value(&usual).expect("settings are text and numbers");
    let read = |settings: Value| {
        let settings = serde_json::from_value::<CampaignSpec>(settings);
        let settings = settings.map_err(|error| error.to_string())?;
        settings.check().map_err(|error| error.to_string())
    };
    let mut with = usual.clone();
    with[key] = value.clone();
    let wrong = read(with).err()?;
    // What is wrong without it is not its fault.
    (read(usual).err().as_ref() != Some(&wrong)).then_some(wrong)
}

impl JudgingOptions {
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
