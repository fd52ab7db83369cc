//! Round numbers for axes.

/// The values an axis names, and how they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    values: Vec<f64>,
    decimals: usize,
}

impl Ticks {
    /// From 0 to 1 in this many intervals: 1, 2, 5 or 10, to have one decimal.
    pub(super) fn unit(intervals: u32) -> Self {
        Self {
            values: (0..=intervals)
                .map(|i| f64::from(i) / f64::from(intervals))
                .collect(),
            decimals: 1,
        }
    }

    /// Whole numbers from 0 in exactly `intervals` equal round steps, the last
    /// of which is at least `most`. Beside [`Ticks::unit`] with as many
    /// intervals, both axes share their gridlines.
    pub(super) fn counts(most: f64, intervals: u32) -> Self {
        let step = round_step(most / f64::from(intervals));
        Self {
            values: (0..=intervals).map(|i| f64::from(i) * step).collect(),
            decimals: 0,
        }
    }

    /// Positions of a list of `last` items: the first, the last and round ones
    /// between them, about `at_most` in all.
    pub(super) fn positions(last: usize, at_most: usize) -> Self {
        let end = last as f64;
        let mut step = round_step(end / at_most.max(1) as f64);
        // Twos would put 2 beside 1.
        if step == 2.0 {
            step = 5.0;
        }
        let mut values = vec![1.0];
        let mut value = if step > 1.0 { step } else { 2.0 };
        while value < end {
            // The last position is named, so what is too near to it is not.
            if end - value >= 0.4 * step {
                values.push(value);
            }
            value += step;
        }
        if end > 1.0 {
            values.push(end);
        }
        Self {
            values,
            decimals: 0,
        }
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The largest value.
    pub(super) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// The value as the axis writes it.
    pub(super) fn label(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`. Products
/// only: logarithms are not the same on every machine.
fn round_step(least: f64) -> f64 {
    let mut power = 1.0;
    loop {
        for step in [power, 2.0 * power, 5.0 * power] {
            if step >= least {
                return step;
            }
        }
        power *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn steps_are_one_two_or_five_times_a_power_of_ten() {
        let steps = [0.0, 0.3, 1.0, 1.1, 2.5, 5.1, 480.0].map(round_step);
        assert_eq!(steps, [1.0, 1.0, 1.0, 2.0, 5.0, 10.0, 500.0]);
    }

    #[test]
    fn positions_name_the_first_and_the_last() {
        assert_eq!(
            Ticks::positions(48, 8).values(),
            [1.0, 10.0, 20.0, 30.0, 40.0, 48.0]
        );
        assert_eq!(Ticks::positions(1, 8).values(), [1.0]);
        assert_eq!(Ticks::positions(4, 8).values(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(Ticks::positions(12, 8).values(), [1.0, 5.0, 10.0, 12.0]);
    }

    proptest! {
        #[test]
        fn ticks_of_counts_cover_the_data(most in 0.0..1e6_f64) {
            let ticks = Ticks::counts(most, 5);
            prop_assert_eq!(ticks.values()[0], 0.0);
            prop_assert!(ticks.last() >= most);
            prop_assert!(ticks.last() <= (2.5 * most * 1.001).max(5.0), "not too roomy");
        }

        #[test]
        fn ticks_of_positions_stay_in_the_list_and_grow(
            last in 1_usize..20_000,
            at_most in 2_usize..15,
        ) {
            let ticks = Ticks::positions(last, at_most);
            prop_assert_eq!(ticks.values()[0], 1.0);
            prop_assert_eq!(ticks.last(), last as f64);
            prop_assert!(ticks.values().windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(ticks.values().len() <= at_most + 2);
        }
    }
}
