//! Round numbers for axes.

/// Nobody reads more decimals than these at an axis.
const MOST_DECIMALS: usize = 14;

/// The values an axis names, and how they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    values: Vec<f64>,
    decimals: usize,
    /// What stands after every number.
    unit: &'static str,
}

impl Ticks {
    fn new(values: Vec<f64>, decimals: usize) -> Self {
        let unit = "";
        Self {
            values,
            decimals,
            unit,
        }
    }

    /// From 0 to 1 in this many intervals: 1, 2, 5 or 10, to have one decimal.
    pub(super) fn unit(intervals: u32) -> Self {
        let values = (0..=intervals).map(|i| f64::from(i) / f64::from(intervals));
        Self::new(values.collect(), 1)
    }

    /// Whole numbers from 0 in exactly `intervals` equal round steps, the last of which is at least
    /// `most`. Beside [`Ticks::unit`] with as many intervals, both axes share their gridlines.
    pub(super) fn counts(most: f64, intervals: u32) -> Self {
        let step = round_step(most / f64::from(intervals));
        let values = (0..=intervals).map(|i| f64::from(i) * step);
        Self::new(values.collect(), 0)
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
        Self::new(values, 0)
    }

    /// The round values between two others, `low < high`, about `at_most` of
    /// them, and at least two if that is 5 or more.
    pub(super) fn between(low: f64, high: f64, at_most: usize) -> Self {
        let least = (high - low) / at_most.max(1) as f64;
        // A small step is a whole number of units of the last decimal, so that
        // every value is the number nearest to what is written.
        let (mut unit, mut decimals) = (1.0, 0);
        while least * unit < 1.0 && decimals < MOST_DECIMALS {
            unit *= 10.0;
            decimals += 1;
        }
        let step = round_step(least * unit);
        let first = (low * unit / step).ceil();
        let values = (0..)
            .map(|index: u32| (first + f64::from(index)) * step / unit)
            // A zero has no sign.
            .map(|value| value + 0.0)
            .take_while(|value| *value <= high)
            .take(at_most + 1);
        // Steps of ten units do without the last decimal.
        let spare = usize::from(step >= 10.0 && decimals > 0);
        Self::new(values.collect(), decimals - spare)
    }

    /// The same numbers with a unit after each.
    pub(super) fn in_units(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same without those that fail a test.
    pub(super) fn filtered(mut self, test: impl Fn(f64) -> bool) -> Self {
        self.values.retain(|value| test(*value));
        self
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Each value with how the axis writes it.
    pub(super) fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        self.values.iter().map(|value| (*value, self.label(*value)))
    }

    /// The largest value.
    pub(super) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// The value as the axis writes it, with a true minus sign.
    pub(super) fn label(&self, value: f64) -> String {
        format!("{value:.*}{}", self.decimals, self.unit).replace('-', "−")
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

    #[test]
    fn ticks_between_two_values_are_round_and_have_the_decimals_they_need() {
        let written = |low, high| -> Vec<String> {
            let ticks = Ticks::between(low, high, 5);
            ticks.labels().map(|(_, label)| label).collect()
        };
        assert_eq!(written(0.68, 1.01), ["0.7", "0.8", "0.9", "1.0"]);
        assert_eq!(written(0.78, 0.97), ["0.80", "0.85", "0.90", "0.95"]);
        assert_eq!(written(-1.5, 7.9), ["0", "2", "4", "6"]);
        assert_eq!(written(-120.0, 130.0), ["−100", "−50", "0", "50", "100"]);
    }

    proptest! {
        #[test]
        fn ticks_between_two_values_lie_between_them(
            low in -1e6..1e6_f64,
            range in 1e-5..1e6_f64,
            at_most in 5_usize..9,
        ) {
            let ticks = Ticks::between(low, low + range, at_most);
            let values = ticks.values();
            prop_assert!(values.len() >= 2 && values.len() <= at_most + 1);
            prop_assert!(values.iter().all(|v| (low..=low + range).contains(v)));
            for (value, label) in ticks.labels() {
                let written: f64 = label.replace('−', "-").parse().unwrap();
                prop_assert!((written - value).abs() <= 1e-9 * value.abs());
            }
        }

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
