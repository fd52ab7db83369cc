//! Events of a campaign.

use std::sync::LazyLock;

use partita_core::Preference;
use partita_core::judgment::{Answer, AnswerRole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::campaign::kinds::{PROTOCOLS, protocol};
use crate::campaign::spec::{CampaignSpec, QuerySpec};

/// Event of a campaign. The state is a fold over the events in log order.
///
/// Later versions of the log add kinds of events and optional fields. The meaning of existing
/// events does not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The campaign was opened. Always the first event.
    Opened {
        /// Version of the log format.
        version: u32,
        /// Specification of the campaign: what is asked, how, by whom, and what is shown.
        spec: Box<CampaignSpec>,
    },
    /// Votes on a batch of pairs were requested.
    Asked {
        /// Number of the batch, from 1.
        batch: u32,
        /// Pairs in the order in which they are asked.
        pairs: Vec<BatchPair>,
    },
    /// An assessor answered a question, or an answer was imported. The kind of judgment says how
    /// the answer is written in the log.
    #[serde(skip)]
    Answered {
        /// Answer of the assessor.
        answer: Answer,
        /// Role of the answer: a vote, an imported answer or an answer to a gold pair.
        role: AnswerRole,
    },
    /// An assessor reported an item or a query as defective. It is not shown to this assessor
    /// again.
    Reported(DefectReport),
    /// The organiser excluded an assessor, whose votes stop counting.
    Excluded {
        /// Assessor name.
        assessor: String,
        /// Reason given by the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The organiser readmitted an assessor, whose votes count again, and who gets questions again
    /// after many reports in a row.
    Readmitted {
        /// Assessor name.
        assessor: String,
    },
    /// The campaign was paused: nothing is asked until it is resumed. Answers that arrive meanwhile
    /// count as usual.
    Paused,
    /// The campaign was resumed.
    Resumed,
    /// The campaign or one list was closed: nothing more is asked, and later answers are stored but
    /// do not count.
    Closed {
        /// Query whose list was closed; the whole campaign if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
    },
    /// The specification was changed: more lists or items, or another number of votes per pair,
    /// maximum number of votes per list, or share at which a list is settled.
    Extended(CampaignExtension),
    /// An answer, a ranking or a grade was retracted. It stays in the log but no longer counts.
    Retracted {
        /// Number of the retracted event, from 1.
        answer: u64,
        /// Reason given by the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// Names of the kinds of events other than answers.
const OTHER_NAMES: [&str; 10] = [
    "opened",
    "asked",
    "reported",
    "excluded",
    "readmitted",
    "paused",
    "resumed",
    "closed",
    "extended",
    "retracted",
];

impl Event {
    /// Returns the names of all kinds of events, as in the field `event` of a log line.
    pub fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
            let (first, rest) = OTHER_NAMES.split_at(2);
            let answers = PROTOCOLS.iter().flat_map(|protocol| protocol.log_tags());
            let answers = answers.map(|tag| tag.name);
            (first.iter().copied())
                .chain(answers)
                .chain(rest.iter().copied())
                .collect()
        });
        &NAMES
    }

    /// Creates the event of an answer that was given in the campaign and is not about a gold pair.
    pub fn vote(answer: Answer) -> Self {
        let role = AnswerRole::Vote;
        Self::Answered { answer, role }
    }

    /// Creates the event of an answer from before or outside the campaign.
    pub fn imported(answer: Answer) -> Self {
        let role = AnswerRole::Imported;
        Self::Answered { answer, role }
    }

    /// Creates the event of an answer to a gold pair. `expected` is the correct choice, for the
    /// items in the order shown.
    pub fn gold(answer: Answer, expected: Preference) -> Self {
        let role = AnswerRole::Gold { expected };
        Self::Answered { answer, role }
    }

    /// Appends the fields of the event's log line to `out`, from the field `event` on, without the
    /// braces of the JSON object but with a comma before them.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        if let Self::Answered { answer, role } = self {
            out.push(b',');
            protocol(answer.question.kind).write(answer, *role, out);
            return;
        }
        // Validation has rejected numbers that JSON cannot represent.
        serde_json::to_writer(&mut *out, self)
            .expect("strings and finite numbers serialise to JSON");
        let ends = (out[start], out.pop());
        assert_eq!(ends, (b'{', Some(b'}')), "an event is a JSON object");
        out[start] = b',';
    }

    /// Returns the assessor whom the event concerns or who caused it.
    pub fn assessor(&self) -> Option<&str> {
        match self {
            Self::Answered { answer, .. } => Some(&answer.assessor),
            Self::Reported(reported) => Some(&reported.assessor),
            Self::Excluded { assessor, .. } | Self::Readmitted { assessor } => Some(assessor),
            Self::Opened { .. }
            | Self::Asked { .. }
            | Self::Paused
            | Self::Resumed
            | Self::Closed { .. }
            | Self::Extended(_)
            | Self::Retracted { .. } => None,
        }
    }
}

/// Pair of a batch of requests, with its items in the order shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BatchPair {
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Number of votes that the pair should have in total, existing votes included.
    pub votes: u32,
    /// Number of answers that this batch requests in addition to earlier requests.
    #[serde(rename = "more")]
    pub new_votes: u32,
}

impl CampaignExtension {
    /// Converts a JSON pointer into the extended specification to one into this extension, given the
    /// specification before. A value that is not from the extension gives the empty pointer.
    pub fn pointer_from_spec(&self, before: &CampaignSpec, pointer: &str) -> String {
        let parts: Vec<&str> = pointer.split('/').skip(1).collect();
        let found = match &parts[..] {
            ["settings", field @ ("votes" | "budget" | "settled"), ..] => Some(format!("/{field}")),
            ["lists", list, rest @ ..] => self.list_pointer(before, list, rest),
            _ => None,
        };
        found.unwrap_or_default()
    }

    /// Returns the pointer to `rest` of the list with this index, in decimal, in the extended
    /// specification.
    fn list_pointer(&self, before: &CampaignSpec, list: &str, rest: &[&str]) -> Option<String> {
        let wanted: usize = list.parse().ok()?;
        // Queries of the extended specification, each with its number of items so far.
        let known = before.lists.iter();
        let mut queries: Vec<(&str, usize)> = known
            .map(|list| (list.query.as_str(), list.items.len()))
            .collect();
        for (number, list) in self.lists.iter().enumerate() {
            let found = queries.iter().position(|(query, _)| *query == list.query);
            let place = found.unwrap_or_else(|| {
                queries.push((&list.query, 0));
                queries.len() - 1
            });
            let first = queries[place].1;
            queries[place].1 += list.items.len();
            if place != wanted {
                continue;
            }
            let at = format!("/lists/{number}");
            let Some((item, fields)) = rest.split_first().and_then(|(key, rest)| match *key {
                "items" => rest.split_first(),
                _ => None,
            }) else {
                return Some(rest.iter().fold(at, |at, part| format!("{at}/{part}")));
            };
            let item = item.parse::<usize>().ok()?.checked_sub(first);
            if let Some(item) = item.filter(|item| *item < list.items.len()) {
                let at = format!("{at}/items/{item}");
                return Some(fields.iter().fold(at, |at, part| format!("{at}/{part}")));
            }
        }
        None
    }
}

/// Choice of an assessor between two items, or a blank answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PreferenceChoice {
    /// The item shown first is preferred.
    A,
    /// The item shown second is preferred.
    B,
    /// Neither item is preferred.
    Equal,
    /// The question was returned without an answer.
    Blank,
}

impl PreferenceChoice {
    /// Returns the preference, or `None` for a blank answer.
    pub fn preference(self) -> Option<Preference> {
        match self {
            Self::A => Some(Preference::A),
            Self::B => Some(Preference::B),
            Self::Equal => Some(Preference::Equal),
            Self::Blank => None,
        }
    }
}

impl From<Option<Preference>> for PreferenceChoice {
    fn from(answer: Option<Preference>) -> Self {
        match answer {
            Some(Preference::A) => Self::A,
            Some(Preference::B) => Self::B,
            Some(Preference::Equal) => Self::Equal,
            None => Self::Blank,
        }
    }
}

partita_named::named_enum! {
    /// Kind of defect that kept an assessor from judging.
    pub enum Defect: "problem" {
        /// the content did not load
        Load = "load",
        /// no sound could be heard
        Silent = "silent",
        /// the content was not the expected one
        Wrong = "wrong",
        /// another defect
        Other = "other",
    }
}

/// Report of an item or a query that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefectReport {
    /// Query name.
    pub query: String,
    /// Defective item; the query itself if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Assessor who reported it.
    pub assessor: String,
    /// Kind of defect.
    pub problem: Defect,
}

/// Change of the specification of a campaign after it was opened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignExtension {
    /// New number of votes per pair. It may be lower than before: pairs that already have this many
    /// votes are then decided, and all their votes keep counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<u32>,
    /// New maximum number of votes per list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// New expected share of pairs in the wrong order at which a list is settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<f64>,
    /// New queries with their candidates, and new candidates of existing queries, each with its
    /// stimulus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<QuerySpec>,
}
