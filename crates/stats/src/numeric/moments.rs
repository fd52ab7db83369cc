//! Means and variances by compensated summation.

/// Sums values by the compensated summation of Neumaier (1974): the error does not grow with the
/// number of terms and hardly depends on their order.
pub(crate) fn compensated_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut rest) = (0.0f64, 0.0f64);
    for value in values {
        let next = total + value;
        rest += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + rest
}

/// Returns the mean; 0 for no values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        0.0
    } else {
        compensated_sum(values.iter().copied()) / values.len() as f64
    }
}

/// Returns the mean and the unbiased variance Σ(x - mean)²/(n-1), in two passes.
///
/// The variance of equal values is exactly 0, whatever the rounding of their mean. For fewer than
/// two values it is 0.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let mean = mean(values);
    if is_constant(values) {
        return (values.first().copied().unwrap_or(mean), 0.0);
    }
    let squares = compensated_sum(values.iter().map(|x| (x - mean) * (x - mean)));
    (mean, squares / (values.len() as f64 - 1.0))
}

/// Returns true if all values are equal.
pub(crate) fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compensated_sum_keeps_small_terms_between_large_ones() {
        assert_eq!(compensated_sum([1.0, 1e100, 1.0, -1e100]), 2.0);
    }

    #[test]
    fn equal_values_have_no_variance() {
        assert_eq!(mean_and_variance(&[0.1; 7]), (0.1, 0.0));
        assert_eq!(mean_and_variance(&[]), (0.0, 0.0));
        assert_eq!(mean_and_variance(&[3.0]), (3.0, 0.0));
    }

    #[test]
    fn the_variance_of_one_to_five_is_two_and_a_half() {
        assert_eq!(mean_and_variance(&[1.0, 2.0, 3.0, 4.0, 5.0]), (3.0, 2.5));
    }
}
