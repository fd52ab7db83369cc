//! Summary statistics of a sample for a box plot.

/// Five-number summary, mean and outliers of a sample (Tukey 1977).
///
/// Quartiles are type 7 of Hyndman and Fan (1996), as in R, NumPy and Excel: quantile p of n sorted
/// values is at position (n − 1) p, counted from 0, with linear interpolation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoxSummary {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) lower_quartile: f64,
    pub(crate) median: f64,
    pub(crate) upper_quartile: f64,
    /// Ends of the whiskers: most extreme values within 1.5 interquartile ranges of the box, or the
    /// end of the box if there is no such value outside it.
    pub(crate) whiskers: (f64, f64),
    /// Smallest and largest value of the sample.
    pub(crate) range: (f64, f64),
    /// Values beyond the whiskers in ascending order, with duplicates.
    pub(crate) outliers: Vec<f64>,
}

impl BoxSummary {
    /// Summarises a sample of finite values; returns `None` for an empty sample.
    pub(crate) fn from_values(values: &[f64]) -> Option<Self> {
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
            // Rounding must not move the mean of equal values away from them.
            mean: (sum / sorted.len() as f64).clamp(range.0, range.1),
            lower_quartile,
            median,
            upper_quartile,
            whiskers: (least.min(lower_quartile), greatest.max(upper_quartile)),
            range,
            outliers,
        })
    }

    /// Returns the ends of the notch, median ± 1.57 IQR/√n (McGill, Tukey and Larsen 1978, whose
    /// 1.7 × 1.25 / 1.35 is 1.57). If the notches of two boxes do not overlap, their medians differ
    /// at about the 5% level.
    pub(crate) fn notch(&self) -> (f64, f64) {
        let range = self.upper_quartile - self.lower_quartile;
        let half = 1.57 * range / (self.count as f64).sqrt();
        (self.median - half, self.median + half)
    }

    /// Returns the summary statistics as a sentence without its full stop.
    pub(crate) fn in_words(&self) -> String {
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

/// Formats a number with at most three decimals and no trailing zeros.
pub(crate) fn three_decimals_at_most(value: f64) -> String {
    // Adding 0 removes the sign of a negative zero.
    let value = (value * 1000.0).round() / 1000.0 + 0.0;
    value.to_string()
}

/// Computes the type 7 quantile of a non-empty sorted sample.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = last as f64 * p;
    // The cast rounds down: `place` is between 0 and `last`.
    let below = place as usize;
    let above = (below + 1).min(last);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}
