//! Round numbers for axes.

/// Nobody reads more decimals than these at an axis.
const MOST_DECIMALS: usize = 14;

/// The values an axis names, and how they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ticks {
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
    pub(crate) fn unit(intervals: u32) -> Self {
        let values = (0..=intervals).map(|i| f64::from(i) / f64::from(intervals));
        Self::new(values.collect(), 1)
    }

    /// Whole numbers from 0 in exactly `intervals` equal round steps, the last of which is at least
    /// `most`. Beside [`Ticks::unit`] with as many intervals, both axes share their gridlines.
    pub(crate) fn counts(most: f64, intervals: u32) -> Self {
        let step = round_step(most / f64::from(intervals));
        let values = (0..=intervals).map(|i| f64::from(i) * step);
        Self::new(values.collect(), 0)
    }

    /// Whole numbers from 0 to exactly `last`, about `intervals` equal round steps and what is left.
    pub(crate) fn up_to(last: usize, intervals: u32) -> Self {
        let end = last as f64;
        let step = round_step(end / f64::from(intervals));
        let values = (0..=intervals).map(|i| f64::from(i) * step);
        // The last number is named, so what is too near to it is not.
        let values = values
            .filter(|value| end - value >= 0.5 * step)
            .chain([end]);
        Self::new(values.collect(), 0)
    }

    /// Positions of a list of `last` items: the first, the last and round ones
    /// between them, about `at_most` in all.
    pub(crate) fn positions(last: usize, at_most: usize) -> Self {
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
    pub(crate) fn between(low: f64, high: f64, at_most: usize) -> Self {
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
    pub(crate) fn in_units(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same without those that fail a test.
    pub(crate) fn filtered(mut self, test: impl Fn(f64) -> bool) -> Self {
        self.values.retain(|value| test(*value));
        self
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Each value with how the axis writes it.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        self.values.iter().map(|value| (*value, self.label(*value)))
    }

    /// The largest value.
    pub(crate) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// The value as the axis writes it, with a true minus sign.
    pub(crate) fn label(&self, value: f64) -> String {
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
