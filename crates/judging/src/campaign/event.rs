//! What can happen in a campaign.

use partita_core::Answer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings::Settings;

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
        settings: Box<Settings>,
    },
    /// A batch of pairs was given out to be asked.
    Asked {
        /// The number of the batch, from 1.
        batch: u32,
        /// Its pairs, in the order in which they are put.
        pairs: Vec<AskedPair>,
    },
    /// Somebody answered.
    Answered(Answered),
    /// An answer from before the campaign, or from elsewhere, was brought in. It is a vote as soon as
    /// its pair is wanted, asked or not.
    Adopted(Answered),
    /// The organiser left a person's votes out.
    Excluded {
        /// Who.
        assessor: String,
    },
    /// The organiser took a person's votes in again.
    Readmitted {
        /// Who.
        assessor: String,
    },
    /// A log of an earlier version is carried on in this one: nothing happened but that.
    Continued {
        /// The version of the lines from here on.
        version: u32,
    },
}

/// A pair to be asked, with the sides on which its items are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskedPair {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// How many votes the pair should have in the end, those so far included.
    pub votes: u32,
    /// How many people are asked now.
    pub more: u32,
}

/// What somebody said, or that it was left blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// The item shown first is preferred.
    A,
    /// The item shown second is.
    B,
    /// Neither is.
    Equal,
    /// The question came back without an answer.
    Blank,
}

impl Said {
    /// The answer, if there is one.
    pub fn answer(self) -> Option<Answer> {
        match self {
            Self::A => Some(Answer::A),
            Self::B => Some(Answer::B),
            Self::Equal => Some(Answer::Equal),
            Self::Blank => None,
        }
    }
}

impl From<Option<Answer>> for Said {
    fn from(answer: Option<Answer>) -> Self {
        match answer {
            Some(Answer::A) => Self::A,
            Some(Answer::B) => Self::B,
            Some(Answer::Equal) => Self::Equal,
            None => Self::Blank,
        }
    }
}

/// One answer as it came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered.
    pub assessor: String,
    /// What was said.
    pub answer: Said,
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
}

impl Answered {
    /// An answer of which no more is known.
    pub fn new(query: &str, a: &str, b: &str, assessor: &str, answer: Option<Answer>) -> Self {
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
        }
    }
}
