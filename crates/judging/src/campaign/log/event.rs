//! What can happen in a campaign.

use std::collections::BTreeMap;

use partita_core::Preference;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::campaign::spec::{CampaignSpec, QuerySpec};

/// Something that happened in a campaign. The state is a fold over these, in their order.
///
/// Later versions of the log add kinds and optional fields; what they say of an old one stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The campaign began; always the first.
    Opened {
        /// The version of the log.
        version: u32,
        /// All that was settled before the first question.
        settings: Box<CampaignSpec>,
    },
    /// A batch of pairs was given out to be asked.
    Asked {
        /// The number of the batch, from 1.
        batch: u32,
        /// Its pairs, in the order in which they are put.
        pairs: Vec<BatchPair>,
    },
    /// Somebody answered.
    Answered(PreferenceAnswer),
    /// An answer from before the campaign, or from elsewhere, was brought in. It is a vote as soon as
    /// its pair is wanted, asked or not.
    Adopted(PreferenceAnswer),
    /// Somebody answered a question whose answer is known. It tells how carefully they answer, and is
    /// never a vote.
    #[serde(rename = "checked")]
    GoldAnswered(GoldAnswer),
    /// Somebody put the items of a list in order. Their last ranking of a list counts.
    Ranked(RankingAnswer),
    /// Somebody graded an item. Their last grade of an item counts.
    Graded(GradeAnswer),
    /// Somebody could not judge what they were shown. It is not shown to them again.
    Reported(DefectReport),
    /// The organiser left a person's votes out.
    Excluded {
        /// Who.
        assessor: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The organiser took a person's votes in again.
    Readmitted {
        /// Who.
        assessor: String,
    },
    /// Nothing is asked until the campaign goes on. Answers that come meanwhile are votes as ever.
    Paused,
    /// The campaign goes on.
    Resumed,
    /// The campaign is over, or one list is: nothing more is asked, and answers that come after it
    /// are kept and are no votes.
    Closed {
        /// The list that is over; all if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
    },
    /// More or less is wanted than was settled at first.
    Extended(CampaignExtension),
    /// An answer, a ranking or a grade was taken back. It stays in the log and counts no more.
    Retracted {
        /// The number of the event that is taken back, from 1.
        answer: u64,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl Event {
    /// The words by which a log calls the kinds of events.
    pub const KINDS: [&'static str; 15] = [
        "opened",
        "asked",
        "answered",
        "adopted",
        "checked",
        "ranked",
        "graded",
        "reported",
        "excluded",
        "readmitted",
        "paused",
        "resumed",
        "closed",
        "extended",
        "retracted",
    ];

    /// Whether it is something that somebody judged, which can be taken back.
    pub fn is_retractable(&self) -> bool {
        matches!(
            self,
            Self::Answered(_)
                | Self::Adopted(_)
                | Self::GoldAnswered(_)
                | Self::Ranked(_)
                | Self::Graded(_)
        )
    }

    /// The person that it is about or from.
    pub fn assessor(&self) -> Option<&str> {
        match self {
            Self::Answered(answered) | Self::Adopted(answered) => Some(&answered.assessor),
            Self::GoldAnswered(checked) => Some(&checked.answer.assessor),
            Self::Ranked(ranked) => Some(&ranked.assessor),
            Self::Graded(graded) => Some(&graded.assessor),
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

/// A pair to be asked, with the sides on which its items are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BatchPair {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// How many votes the pair should have in the end, those so far included.
    pub votes: u32,
    /// How many people are asked now.
    #[serde(rename = "more")]
    pub new_votes: u32,
}

/// What somebody said, or that it was left blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PreferenceChoice {
    /// The item shown first is preferred.
    A,
    /// The item shown second is.
    B,
    /// Neither is.
    Equal,
    /// The question came back without an answer.
    Blank,
}

impl PreferenceChoice {
    /// The answer, if there is one.
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

/// What the log records of an answer that came back, once it is known whose it is and to which query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreferenceAnswer {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered.
    pub assessor: String,
    /// What was said.
    pub answer: PreferenceChoice,
    /// How many seconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// When it was given, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// What the platform calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The batch that an adopted answer belongs to where it comes from. Others belong to the batch in
    /// which the campaign asked their pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// How often each part was played, and whether to its end: the parts are `query`, `a` and `b`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(rename = "listened")]
    pub playback: BTreeMap<String, Playback>,
    /// How many seconds the page was out of sight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "hidden")]
    pub hidden_seconds: Option<f64>,
}

/// How somebody listened to a part of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Playback {
    /// How often it was played.
    pub plays: u32,
    /// Whether it was played to its end.
    pub ended: bool,
}

/// The answer to a question whose answer is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoldAnswer {
    /// The answer as it came back.
    #[serde(flatten)]
    #[serde(rename = "answered")]
    pub answer: PreferenceAnswer,
    /// What was to be said, with the items as they were shown.
    pub expected: PreferenceChoice,
}

impl GoldAnswer {
    /// Whether what was said is what was to be said.
    pub fn is_correct(&self) -> bool {
        self.answer.answer == self.expected
    }
}

/// The order that somebody gave to the items of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankingAnswer {
    /// The query.
    pub query: String,
    /// Who ranked.
    pub assessor: String,
    /// The items, the closest to the query first; those of a group are tied and share the mean of
    /// their ranks.
    pub groups: Vec<Vec<String>>,
    /// The items that were left out. Whatever is not named here nor ranked is left out too.
    #[serde(default)]
    pub unranked: Vec<String>,
    /// How many seconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// When it was given, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// What the platform calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// The grade that somebody gave to an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradeAnswer {
    /// The query.
    pub query: String,
    /// The item.
    pub item: String,
    /// Who graded.
    pub assessor: String,
    /// How similar it is, in one of three words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broad: Option<BroadGrade>,
    /// How similar it is, in numbers from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fine: Option<f64>,
    /// How many seconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// When it was given, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// What the platform calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

partita_named::named_enum! {
    /// The Broad scale of MIREX.
    pub enum BroadGrade: "broad grade" {
        /// not similar
        Not = "NS",
        /// somewhat similar
        Somewhat = "SS",
        /// very similar
        Very = "VS",
    }
}

impl BroadGrade {
    /// The gain: 0, 1 or 2.
    pub fn gain(self) -> f64 {
        f64::from(self as u8)
    }
}

partita_named::named_enum! {
    /// Why something could not be judged.
    pub enum Defect: "problem" {
        /// it did not load
        Load = "load",
        /// nothing was to be heard
        Silent = "silent",
        /// it was not what it should be
        Wrong = "wrong",
        /// something else
        Other = "other",
    }
}

/// Something that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DefectReport {
    /// The query.
    pub query: String,
    /// The item; the query itself if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Who reported it.
    pub assessor: String,
    /// What was wrong.
    pub problem: Defect,
}

/// What is wanted beside or instead of what was settled at first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignExtension {
    /// The number of votes on a pair from now on. It may be lower than before: pairs that have as many
    /// are decided, by all votes they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<u32>,
    /// How many votes a list may take from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// New lists, and new candidates of lists that there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<QuerySpec>,
}

impl PreferenceAnswer {
    /// An answer of which no more is known.
    pub fn new(query: &str, a: &str, b: &str, assessor: &str, answer: Option<Preference>) -> Self {
        Self {
            query: query.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            assessor: assessor.to_owned(),
            answer: answer.into(),
            seconds: None,
            time: None,
            id: None,
            batch: None,
            playback: BTreeMap::new(),
            hidden_seconds: None,
        }
    }
}
