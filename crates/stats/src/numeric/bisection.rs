//! Root finding by bisection, to the last bit of a double.

/// Returns the smallest double at which a monotonic condition no longer holds: `is_below` is true
/// at `low` and false at `high`.
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
