//! Errors of input that does not fit the campaign, and the rules for assessor names.

/// Maximum length of an assessor name in bytes.
pub const MAX_NAME_BYTES: usize = 256;

/// Checks the assessor name of a new event. Names that are already in a log are not checked,
/// because older versions accepted names that are invalid today.
pub(crate) fn check_assessor_name(name: &str) -> Result<(), InputError> {
    if name.len() > MAX_NAME_BYTES {
        return Err(InputError::LongName {
            length: name.len(),
            begins: name.chars().take(20).collect(),
        });
    }
    if name.chars().any(char::is_control) {
        return Err(InputError::ControlCharacter(name.to_owned()));
    }
    if name.trim().is_empty() {
        return Err(InputError::NoName("the assessor"));
    }
    Ok(())
}

/// Reason why an answer or another input cannot belong to the campaign.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// The campaign has no such query.
    #[error("the campaign has no query `{0}`")]
    UnknownQuery(String),
    /// The query has no such candidate.
    #[error("`{item}` is no candidate of the query `{query}`")]
    UnknownItem {
        /// Query name.
        query: String,
        /// Item name.
        item: String,
    },
    /// An item is compared with itself.
    #[error("the item `{0}` is compared with itself")]
    SameItem(String),
    /// The campaign has no such assessor.
    #[error("nobody called `{0}` has answered")]
    UnknownAssessor(String),
    /// The assessor has no answer with this id.
    #[error("`{assessor}` has no answer with the id `{id}`")]
    UnknownAnswerId {
        /// Assessor name.
        assessor: String,
        /// Answer id.
        id: String,
    },
    /// A duration, a time or a fine grade is not finite or out of range.
    #[error("the {what} of an answer cannot be {value}")]
    BadNumber {
        /// Name of the field with the invalid number.
        what: &'static str,
        /// Invalid value.
        value: f64,
    },
    /// A ranking contains an item twice.
    #[error("the item `{0}` comes twice in a ranking")]
    RankedTwice(String),
    /// A group of tied items in a ranking has no items.
    #[error("a group of a ranking is empty")]
    EmptyGroup,
    /// A grade has neither a category of the broad scale nor a number of the fine scale.
    #[error("the grade of `{0}` is neither broad nor fine")]
    NoGrade(String),
    /// The judgment does not answer the question: it is of another kind, or the question names too
    /// few or too many items, or the answer has a role that this kind of judgment does not have.
    #[error("the judgment does not answer the question")]
    WrongKind,
    /// The assessor used the id for a different answer.
    #[error(
        "the id `{id}` of `{assessor}` stands for another answer already: every answer has its own"
    )]
    IdReused {
        /// Answer id.
        id: String,
        /// Assessor who used the id.
        assessor: String,
    },
    /// An assessor name is too long.
    #[error(
        "the name of a person has {length} bytes, and at most {MAX_NAME_BYTES} are taken: `{begins}...`"
    )]
    LongName {
        /// Length of the rejected name in bytes.
        length: usize,
        /// First 20 characters of the rejected name.
        begins: String,
    },
    /// An assessor name contains control characters.
    #[error("the name of a person has a control character: {0:?}")]
    ControlCharacter(String),
    /// The name of this kind of thing, for example of the assessor, is empty.
    #[error("the name of {0} is empty")]
    NoName(&'static str),
    /// There are more queries, items or assessors than 32-bit indices.
    #[error("there are too many names")]
    TooManyNames,
}
