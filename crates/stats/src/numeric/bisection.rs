//! Bisection to the last bit.

/// Finds where a monotonic condition changes: `is_below` holds at `low` and not at `high`. Returns
/// the smallest double at which it does not hold.
pub(crate) fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    // Ends when no double lies between the ends.
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return high;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
