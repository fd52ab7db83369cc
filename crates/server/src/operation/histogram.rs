//! Histogram of durations, for the metrics.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets in seconds. Longer durations are only in the total.
const BOUNDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Histogram of durations since the server started.
#[derive(Default)]
pub(crate) struct Histogram(Mutex<DurationCounts>);

/// Content of a [`Histogram`].
#[derive(Clone, Default)]
struct DurationCounts {
    /// Number of durations in each bucket, without those in earlier buckets.
    buckets: [u64; BOUNDS.len()],
    count: u64,
    /// Sum of all durations in seconds.
    sum: f64,
}

impl Histogram {
    /// Counts a duration.
    pub(crate) fn record(&self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            counts.buckets[bucket] += 1;
        }
        counts.count += 1;
        counts.sum += seconds;
    }

    /// Returns the lines of the histogram in the Prometheus text format. `labels` is empty or ends
    /// with a comma.
    pub(crate) fn lines(&self, name: &str, labels: &str) -> String {
        let counts = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let mut lines = String::new();
        let mut below = 0;
        for (bound, count) in BOUNDS.iter().zip(counts.buckets) {
            below += count;
            lines.push_str(&format!(
                "{name}_bucket{{{labels}le=\"{bound}\"}} {below}\n"
            ));
        }
        let DurationCounts { count, sum, .. } = counts;
        let own = match labels.trim_end_matches(',') {
            "" => String::new(),
            labels => format!("{{{labels}}}"),
        };
        lines.push_str(&format!(
            "{name}_bucket{{{labels}le=\"+Inf\"}} {count}\n{name}_sum{own} {sum}\n{name}_count{own} {count}\n"
        ));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_b12_buckets_are_cumulative() {
        let histogram = Histogram::default();
        for millis in [1, 3, 4, 700, 60_000] {
            histogram.record(Duration::from_millis(millis));
        }
        let lines = histogram.lines("x_seconds", "route=\"/\",");
        for line in [
            "x_seconds_bucket{route=\"/\",le=\"0.001\"} 1",
            "x_seconds_bucket{route=\"/\",le=\"0.005\"} 3",
            "x_seconds_bucket{route=\"/\",le=\"0.5\"} 3",
            "x_seconds_bucket{route=\"/\",le=\"10\"} 4",
            "x_seconds_bucket{route=\"/\",le=\"+Inf\"} 5",
            "x_seconds_count{route=\"/\"} 5",
        ] {
            assert!(
                lines.lines().any(|known| known == line),
                "{line} in {lines}"
            );
        }
        assert!(histogram.lines("x", "").contains("\nx_count 5\n"));
    }
}
