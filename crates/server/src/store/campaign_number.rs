//! Where events and tasks stand in their tables, which those of all campaigns share.

use super::SqlValue;

/// How many events, and how many tasks, a campaign has at the most.
const MOST: i64 = 1 << 40;

/// The number of a campaign among all that its database ever had. With it, a number that counts within the
/// campaign is a place in a table: what is written one after the other lies one after the other, and no other
/// index is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CampaignNumber(pub(crate) i64);

impl CampaignNumber {
    /// The place of the event or task with this number.
    pub(crate) fn row_key(self, number: i64) -> i64 {
        assert!((0..MOST).contains(&number), "a campaign has no end");
        self.0 * MOST + number
    }

    /// Between which places those lie that come after this number, whatever it is.
    pub(crate) fn keys_after(self, number: i64) -> Vec<SqlValue> {
        let first = self.row_key(number.clamp(0, MOST - 1));
        vec![first.into(), ((self.0 + 1) * MOST).into()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_one_campaign_lie_before_those_of_the_next() {
        let (one, next) = (CampaignNumber(7), CampaignNumber(8));
        assert!(one.row_key(MOST - 1) < next.row_key(0));
        assert_eq!(one.row_key(5) - one.row_key(4), 1);
        let [first, last] = <[SqlValue; 2]>::try_from(one.keys_after(4)).expect("two of them");
        assert_eq!(first, one.row_key(4).into());
        assert_eq!(last, next.row_key(0).into());
        assert_eq!(one.keys_after(-3), one.keys_after(0));
        assert_eq!(one.keys_after(i64::MAX), one.keys_after(MOST - 1));
    }
}
