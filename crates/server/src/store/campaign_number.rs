//! Row keys of events and tasks, in tables that all campaigns share.

use super::SqlValue;

/// Number of row keys reserved for each campaign, both in the table of events and in that of tasks.
/// Numbers of events and tasks must be lower.
const ROW_KEYS_PER_CAMPAIGN: i64 = 1 << 40;

/// Number of a campaign within its database, never reused. Row keys combine it with the number of
/// an event or task, so that consecutive rows of a campaign are adjacent and no other index is
/// needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CampaignNumber(pub(crate) i64);

impl CampaignNumber {
    /// Returns the row key of the event or task with the given number within the campaign. Panics
    /// if the number is negative or at least [`ROW_KEYS_PER_CAMPAIGN`].
    pub(crate) fn row_key(self, number: i64) -> i64 {
        assert!(
            (0..ROW_KEYS_PER_CAMPAIGN).contains(&number),
            "a campaign has fewer events and tasks than this"
        );
        self.0 * ROW_KEYS_PER_CAMPAIGN + number
    }

    /// Returns the exclusive lower and upper bound of the row keys of the events or tasks that
    /// follow `number` in this campaign. `number` is clamped to the valid range.
    pub(crate) fn keys_after(self, number: i64) -> Vec<SqlValue> {
        let first = self.row_key(number.clamp(0, ROW_KEYS_PER_CAMPAIGN - 1));
        vec![first.into(), ((self.0 + 1) * ROW_KEYS_PER_CAMPAIGN).into()]
    }

    /// Returns the bounds of [`keys_after`](Self::keys_after) for the events or tasks that follow
    /// `number`, up to and including `last`.
    pub(crate) fn keys_between(self, number: i64, last: i64) -> Vec<SqlValue> {
        vec![self.row_key(number).into(), (self.row_key(last) + 1).into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_row_keys_of_a_campaign_precede_those_of_the_next() {
        let (one, next) = (CampaignNumber(7), CampaignNumber(8));
        assert!(one.row_key(ROW_KEYS_PER_CAMPAIGN - 1) < next.row_key(0));
        assert_eq!(one.row_key(5) - one.row_key(4), 1);
        let [first, last] =
            <[SqlValue; 2]>::try_from(one.keys_after(4)).expect("`keys_after` returns two bounds");
        assert_eq!(first, one.row_key(4).into());
        assert_eq!(last, next.row_key(0).into());
        assert_eq!(one.keys_after(-3), one.keys_after(0));
        assert_eq!(
            one.keys_after(i64::MAX),
            one.keys_after(ROW_KEYS_PER_CAMPAIGN - 1)
        );
    }
}
