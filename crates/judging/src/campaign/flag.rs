//! What became of an answer, and why one is refused.

use schemars::JsonSchema;
use serde::Serialize;

/// What became of an answer that is in the log. It can change: an exclusion makes room for an answer
/// that was one too many before. Flags are ordered by their names, as in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// There is no answer in it.
    Blank,
    /// It is a vote.
    Counted,
    /// The person has answered about the same pair before; the first answer counts.
    Duplicate,
    /// The person is excluded.
    Excluded,
    /// It is a vote on a pair that was drawn to check the list, and is kept from the strategy.
    HeldOut,
    /// The two items have the same content, so they are equal without a question.
    Identical,
    /// The pair was decided, and the campaign had gone on, when it came.
    Late,
    /// It was adopted, and its pair is not wanted so far.
    Spare,
    /// The pair has all its votes.
    Surplus,
    /// The pair had not been asked.
    Unasked,
}

impl Flag {
    /// Every flag, the best first.
    pub const ALL: [Self; 10] = [
        Self::Counted,
        Self::HeldOut,
        Self::Duplicate,
        Self::Surplus,
        Self::Late,
        Self::Spare,
        Self::Unasked,
        Self::Identical,
        Self::Excluded,
        Self::Blank,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::HeldOut => "held-out",
            Self::Duplicate => "duplicate",
            Self::Surplus => "surplus",
            Self::Late => "late",
            Self::Spare => "spare",
            Self::Unasked => "unasked",
            Self::Identical => "identical",
            Self::Excluded => "excluded",
            Self::Blank => "blank",
        }
    }

    /// Whether it is a vote, on the list or to check it.
    pub fn is_vote(self) -> bool {
        matches!(self, Self::Counted | Self::HeldOut)
    }

    /// What it means, for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Counted => "votes on the lists",
            Self::HeldOut => "votes that check the lists",
            Self::Duplicate => "the person had answered about the pair before",
            Self::Surplus => "the pair has all its votes",
            Self::Late => "the pair was decided and the campaign had gone on",
            Self::Spare => "adopted, and the pair is not wanted so far",
            Self::Unasked => "the pair was not asked",
            Self::Identical => "the two items have the same content",
            Self::Excluded => "the person is excluded",
            Self::Blank => "left blank",
        }
    }
}

/// Why an answer cannot be a part of the campaign at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The query is none of the campaign's.
    #[error("the campaign has no query `{0}`")]
    UnknownQuery(String),
    /// The item is no candidate of the query.
    #[error("`{item}` is no candidate of the query `{query}`")]
    UnknownItem {
        /// The query.
        query: String,
        /// The item.
        item: String,
    },
    /// An item cannot be compared with itself.
    #[error("the item `{0}` is compared with itself")]
    SameItem(String),
    /// There is nobody of this name.
    #[error("nobody called `{0}` has answered")]
    UnknownAssessor(String),
    /// The seconds or the time are no numbers that can be.
    #[error("the {what} of an answer cannot be {value}")]
    BadNumber {
        /// Which.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A name is empty.
    #[error("the name of {0} is empty")]
    NoName(&'static str),
    /// More names than can be numbered.
    #[error("there are too many names")]
    TooManyNames,
}
