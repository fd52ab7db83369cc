//! Status of an answer in the log.

partita_named::named_enum! {
    /// Status of a preference answer in the log. It can change later: an exclusion can turn a
    /// surplus answer into a vote. Variants are in alphabetical order of their names in files.
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
        /// answers a gold pair (a pair with a known answer): it checks the person and is not a vote
        Gold = "gold",
        /// held-out votes, which check the lists and which the strategy does not see
        HeldOut = "held-out",
        /// the two items have the same content
        Identical = "identical",
        /// the pair had enough votes, and a later batch had been requested
        Late = "late",
        /// retracted, so that it no longer counts
        Retracted = "retracted",
        /// imported, and no votes have been requested on the pair
        Spare = "spare",
        /// the pair has all its votes
        Surplus = "surplus",
        /// the pair was not asked
        Unasked = "unasked",
    }
}

impl AnswerStatus {
    /// All statuses in the order in which reports show them.
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

    /// Returns true if the answer counts as a vote: one that the strategy sees, or one that is held
    /// out to check the list.
    pub fn is_vote(self) -> bool {
        matches!(self, Self::Counted | Self::HeldOut)
    }
}
