//! What a box plot shows of a sample.

/// The five numbers of a box plot, the mean and what lies outside (Tukey 1977).
///
/// Quartiles are of type 7 of Hyndman and Fan (1996), as in R, NumPy and Excel:
/// the quantile p of n sorted values is at the place (n − 1) p, counted from 0,
/// between two values by linear interpolation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoxSummary {
    pub(super) count: usize,
    pub(super) mean: f64,
    pub(super) lower_quartile: f64,
    pub(super) median: f64,
    pub(super) upper_quartile: f64,
    /// The most extreme values within 1.5 interquartile ranges of the box, or
    /// the end of the box where there is no such value outside of it.
    pub(super) whiskers: (f64, f64),
    /// The least and the greatest value.
    pub(super) range: (f64, f64),
    /// The values beyond the whiskers, in order, equal ones as often as they occur.
    pub(super) outliers: Vec<f64>,
}

impl BoxSummary {
    /// The summary of finite values; `None` of no values.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let range = (*sorted.first()?, *sorted.last()?);
        let [lower_quartile, median, upper_quartile] =
            [0.25, 0.5, 0.75].map(|p| quantile(&sorted, p));
        let reach = 1.5 * (upper_quartile - lower_quartile);
        let fences = lower_quartile - reach..=upper_quartile + reach;
        let (near, outliers): (Vec<f64>, Vec<f64>) =
            sorted.iter().partition(|value| fences.contains(*value));
        let least = near.first().copied().unwrap_or(median);
        let greatest = near.last().copied().unwrap_or(median);
        let sum: f64 = sorted.iter().sum();
        Some(Self {
            count: sorted.len(),
            // Rounding must not carry the mean of equal values away from them.
            mean: (sum / sorted.len() as f64).clamp(range.0, range.1),
            lower_quartile,
            median,
            upper_quartile,
            whiskers: (least.min(lower_quartile), greatest.max(upper_quartile)),
            range,
            outliers,
        })
    }

    /// The ends of the notch, median ± 1.57 IQR/√n (McGill, Tukey and Larsen
    /// 1978, whose 1.7 × 1.25 / 1.35 is 1.57): where the notches of two
    /// boxes do not overlap, their medians differ at about the 5% level.
    pub(super) fn notch(&self) -> (f64, f64) {
        let range = self.upper_quartile - self.lower_quartile;
        let half = 1.57 * range / (self.count as f64).sqrt();
        (self.median - half, self.median + half)
    }

    /// The numbers as a sentence without its end.
    pub(super) fn in_words(&self) -> String {
        let quartiles = [self.lower_quartile, self.median, self.upper_quartile];
        let [lower, median, upper] = quartiles.map(three_decimals_at_most);
        let [mean, least, most] =
            [self.mean, self.range.0, self.range.1].map(three_decimals_at_most);
        let count = self.count;
        format!(
            "n = {count}, median {median}, quartiles {lower} and {upper}, mean {mean}, from {least} \
             to {most}"
        )
    }
}

/// The number, rounded, without what can be left out.
pub(super) fn three_decimals_at_most(value: f64) -> String {
    // Adding 0 takes the sign off a zero.
    let value = (value * 1000.0).round() / 1000.0 + 0.0;
    value.to_string()
}

/// The quantile of type 7 of sorted values, of which there is at least one.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = last as f64 * p;
    // The place is not negative and at most `last`.
    let below = place as usize;
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn summary(values: &[f64]) -> BoxSummary {
        BoxSummary::of(values).expect("some values")
    }

    /// The expected values are those of `numpy.quantile` (NumPy 2.4.6).
    #[test]
    fn quartiles_are_those_of_type_7() {
        let cases: [(&[f64], [f64; 3]); 6] = [
            (&[7.0], [7.0, 7.0, 7.0]),
            (&[1.0, 2.0], [1.25, 1.5, 1.75]),
            (&[3.0, 1.0, 2.0], [1.5, 2.0, 2.5]),
            (&[4.0, 1.0, 3.0, 2.0], [1.75, 2.5, 3.25]),
            (
                &[10.0, 2.0, 38.0, 23.0, 38.0, 23.0, 21.0],
                [15.5, 23.0, 30.5],
            ),
            // The classical example of the encyclopedias.
            (
                &[3.0, 6.0, 7.0, 8.0, 8.0, 10.0, 13.0, 15.0, 16.0, 20.0],
                [7.25, 9.0, 14.5],
            ),
        ];
        for (values, expected) in cases {
            let found = summary(values);
            let quartiles = [found.lower_quartile, found.median, found.upper_quartile];
            assert_eq!(quartiles, expected, "{values:?}");
        }
    }

    #[test]
    fn a_notch_is_the_median_and_1_57_interquartile_ranges_over_the_root_of_n() {
        let found = summary(&(1..=25).map(f64::from).collect::<Vec<_>>());
        // IQR = 19 − 7 and √n = 5.
        let (low, high) = found.notch();
        assert!((low - (13.0 - 1.57 * 12.0 / 5.0)).abs() < 1e-12);
        assert!((high - (13.0 + 1.57 * 12.0 / 5.0)).abs() < 1e-12);
    }

    #[test]
    fn whiskers_end_at_values_and_what_is_beyond_is_an_outlier() {
        let found = summary(&[1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 20.0, -9.0, 20.0]);
        // Quartiles 2 and 8, so the fences are −7 and 17.
        assert_eq!(found.whiskers, (1.0, 8.0));
        assert_eq!(found.outliers, [-9.0, 20.0, 20.0]);
    }

    #[test]
    fn a_whisker_never_ends_inside_the_box() {
        // The lower quartile, −25, lies between an outlier and the rest.
        let found = summary(&[-100.0, 0.0, 0.0, 0.0]);
        assert_eq!(found.lower_quartile, -25.0);
        assert_eq!(found.whiskers, (-25.0, 0.0));
        assert_eq!(found.outliers, [-100.0]);
    }

    #[test]
    fn equal_values_have_a_box_without_height() {
        let found = summary(&[0.1; 7]);
        assert_eq!(found.notch(), (0.1, 0.1));
        assert_eq!(found.whiskers, (0.1, 0.1));
        assert_eq!(found.mean, 0.1);
        assert!(found.outliers.is_empty());
    }

    #[test]
    fn no_values_have_no_summary() {
        assert_eq!(BoxSummary::of(&[]), None);
    }

    proptest! {
        #[test]
        fn the_numbers_are_in_order_and_nothing_is_lost(
            values in proptest::collection::vec(-1e6..1e6_f64, 1..60),
        ) {
            let found = summary(&values);
            let order = [
                found.range.0,
                found.whiskers.0,
                found.lower_quartile,
                found.median,
                found.upper_quartile,
                found.whiskers.1,
                found.range.1,
            ];
            prop_assert!(order.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", order);
            let (low, high) = found.whiskers;
            let outside = values.iter().filter(|v| **v < low || **v > high).count();
            prop_assert_eq!(outside, found.outliers.len());
        }
    }
}
