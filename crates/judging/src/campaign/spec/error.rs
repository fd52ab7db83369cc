//! Errors of campaign specifications.

use super::JudgmentKind;
use super::gold::GoldPairError;
use crate::range_error::RangeError;

/// Error in a campaign specification.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct CampaignSpecError {
    /// Position of the invalid value in the JSON of the specification: a JSON pointer (RFC 6901).
    pub pointer: String,
    /// Reason why the value is invalid.
    pub kind: CampaignSpecErrorKind,
}

impl CampaignSpecError {
    /// Creates the error of the value at a position.
    pub fn new(pointer: impl Into<String>, kind: impl Into<CampaignSpecErrorKind>) -> Self {
        Self {
            pointer: pointer.into(),
            kind: kind.into(),
        }
    }

    /// Creates the error of a log whose specification has a recruiter.
    pub(crate) fn recruiter_in_log() -> Self {
        Self::new("/recruiter", CampaignSpecErrorKind::RecruiterInLog)
    }
}

/// Joins errors for a message that lists all of them, one per line. An error that concerns two
/// fields in the same words is listed once.
pub(crate) fn list_errors(errors: &[CampaignSpecError]) -> String {
    let mut lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.dedup();
    lines.join("\n")
}

/// Joins errors of the specification in a log for a message that lists all of them, one per line,
/// each with its JSON pointer into the log line.
pub(crate) fn list_logged_errors(errors: &[CampaignSpecError]) -> String {
    let lines = errors
        .iter()
        .map(|error| format!("/spec{}: {error}", error.pointer));
    lines.collect::<Vec<String>>().join("\n")
}

/// Reason why a value of a campaign specification is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CampaignSpecErrorKind {
    /// The value is invalid for a reason in words: it has the wrong type, lacks a field or has an
    /// unknown one, the text is no JSON, or a media file is missing.
    #[error("{0}")]
    Invalid(String),
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
    /// The `same_as` of an item leads back to the item itself.
    #[error(
        "query `{query}`: `{item}` is said to be the same as `{other}`, which leads back to `{item}`"
    )]
    CircularDuplicate {
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
    /// The number of items at the top that must be settled exceeds the length of every list.
    #[error("the head of {top} items is longer than every list: the longest has {longest}")]
    TopTooLong {
        /// Number of items at the top of each list that must be settled.
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
    /// The name of the campaign cannot be part of a URL.
    #[error("a name has 1 to 64 small letters, digits and hyphens")]
    NotAUrlName,
    /// The campaign has no title to show to assessors.
    #[error("the title is empty")]
    NoTitle,
    /// A text of the pages is empty.
    #[error("the text is empty; leave it out for the default text")]
    EmptyText,
    /// A text of the pages is too long.
    #[error("the text has more than {most} characters")]
    TextTooLong {
        /// Maximum number of characters.
        most: usize,
    },
    /// A key is no language code.
    #[error("`{0}` is no language; name languages by codes such as `en` or `es-MX`")]
    NotALanguage(String),
    /// A list has fewer than two candidates, so that there is nothing to compare.
    #[error("there are fewer than two candidates")]
    TooFewCandidates,
    /// A query or an item has nothing to show to assessors.
    #[error("at least one of audio, image and text is needed")]
    NoStimulus,
    /// An option of the judging process is out of range; the text describes the valid values.
    #[error("it must be {0}")]
    Option(&'static str),
    /// The name of the URL parameter with the recruiter's id of a person is missing.
    #[error("the parameter with the id of a person is missing")]
    NoIdParameter,
    /// The recruiter's assessors should give a kind of judgment that the campaign does not ask for.
    #[error("the campaign has no tasks of this kind")]
    NoTasksOfKind,
    /// The specification in a log has a recruiter, whose completion codes are secrets.
    #[error(
        "a recruiter has completion codes, which are secrets and never belong in a log: remove it, then \
         compute the chain of the log again"
    )]
    RecruiterInLog,
    /// The return URL of the recruiter is not an https URL.
    #[error("the address must begin with https://")]
    InsecureUrl,
}
