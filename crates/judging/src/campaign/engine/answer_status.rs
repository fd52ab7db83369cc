//! What became of an answer, and why one is refused.

partita_named::named_enum! {
    /// What became of an answer that is in the log. It can change: an exclusion makes room for an answer
    /// that was one too many before. Flags are ordered by their names, as in files.
    pub enum AnswerStatus: "flag" {
        /// left blank
        Blank = "blank",
        /// came after the list was closed
        Closed = "closed",
        /// votes on the lists
        Counted = "counted",
        /// the person had answered about the pair before
        Duplicate = "duplicate",
        /// the person is excluded
        Excluded = "excluded",
        /// its question has a known answer, so that it checks the person and is no vote
        Gold = "gold",
        /// votes that check the lists
        HeldOut = "held-out",
        /// the two items have the same content
        Identical = "identical",
        /// the pair was decided and the campaign had gone on
        Late = "late",
        /// taken back
        Retracted = "retracted",
        /// adopted, and the pair is not wanted so far
        Spare = "spare",
        /// the pair has all its votes
        Surplus = "surplus",
        /// the pair was not asked
        Unasked = "unasked",
    }
}

impl AnswerStatus {
    /// Every flag, the best first.
    pub(crate) const DISPLAY_ORDER: [Self; 13] = [
        Self::Counted,
        Self::HeldOut,
        Self::Gold,
        Self::Duplicate,
        Self::Surplus,
        Self::Late,
        Self::Closed,
        Self::Spare,
        Self::Unasked,
        Self::Identical,
        Self::Excluded,
        Self::Retracted,
        Self::Blank,
    ];

    /// Whether it is a vote, on the list or to check it.
    pub fn is_vote(self) -> bool {
        matches!(self, Self::Counted | Self::HeldOut)
    }
}

/// The most bytes that the name of a person can have.
pub const MAX_NAME_BYTES: usize = 256;

/// Whether a new event can name a person like this. Logs from before this was asked may have others.
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

/// Why an answer cannot be a part of the campaign at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
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
    /// An item is ranked twice.
    #[error("the item `{0}` comes twice in a ranking")]
    RankedTwice(String),
    /// A group of a ranking has no items.
    #[error("a group of a ranking is empty")]
    EmptyGroup,
    /// A grade says nothing.
    #[error("the grade of `{0}` is neither broad nor fine")]
    NoGrade(String),
    /// What was handed in is neither a ranking nor a grade.
    #[error("it is neither a ranking nor a grade")]
    NotAJudgment,
    /// A question with a known answer has none.
    #[error("the answer that is expected is blank")]
    BlankGold,
    /// An id stands for something else that the person said.
    #[error(
        "the id `{id}` of `{assessor}` stands for another answer already: every answer has its own"
    )]
    IdReused {
        /// The id.
        id: String,
        /// Who used it.
        assessor: String,
    },
    /// The name of a person is longer than a name can be.
    #[error(
        "the name of a person has {length} bytes, and at most {MAX_NAME_BYTES} are taken: `{begins}...`"
    )]
    LongName {
        /// How long it is.
        length: usize,
        /// How it begins.
        begins: String,
    },
    /// The name of a person has characters that are none to be seen.
    #[error("the name of a person has a control character: {0:?}")]
    ControlCharacter(String),
    /// A name is empty.
    #[error("the name of {0} is empty")]
    NoName(&'static str),
    /// More names than can be numbered.
    #[error("there are too many names")]
    TooManyNames,
}
