//! Ticks of an axis at round values.

/// Maximum number of decimals of a tick label.
const MAX_DECIMALS: usize = 14;

/// Tick values of an axis and the format of their labels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    values: Vec<f64>,
    decimals: usize,
    /// Unit after every label, such as `%`.
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

    /// Returns ticks from 0 to 1 at the ends of 1, 2, 5 or 10 equal intervals, so that labels need
    /// one decimal at most.
    pub(crate) fn unit_interval(intervals: u32) -> Self {
        let values = (0..=intervals).map(|i| f64::from(i) / f64::from(intervals));
        Self::new(values.collect(), 1)
    }

    /// Returns whole numbers from 0 in exactly `intervals` equal round steps; the last number is at
    /// least `most`. If the other axis of the plot has [`Ticks::unit_interval`] with the same number of
    /// intervals, both axes share their grid lines.
    pub(crate) fn counts(most: f64, intervals: u32) -> Self {
        let step = round_step(most / f64::from(intervals));
        let values = (0..=intervals).map(|i| f64::from(i) * step);
        Self::new(values.collect(), 0)
    }

    /// Returns whole numbers from 0 to exactly `last` in about `intervals` round steps; the last
    /// step may be shorter.
    pub(crate) fn up_to(last: usize, intervals: u32) -> Self {
        let end = last as f64;
        let step = round_step(end / f64::from(intervals));
        let values = (0..=intervals).map(|i| f64::from(i) * step);
        // The last number is always labelled, so labels too close to it are dropped.
        let values = values
            .filter(|value| end - value >= 0.5 * step)
            .chain([end]);
        Self::new(values.collect(), 0)
    }

    /// Returns ticks for the positions of a list of `last` items: the first, the last and round
    /// ones in between, about `at_most` in all.
    pub(crate) fn positions(last: usize, at_most: usize) -> Self {
        let end = last as f64;
        let mut step = round_step(end / at_most.max(1) as f64);
        // A step of 2 would put 2 next to 1.
        if step == 2.0 {
            step = 5.0;
        }
        let mut values = vec![1.0];
        let mut value = if step > 1.0 { step } else { 2.0 };
        while value < end {
            // The last position is always labelled, so labels too close to it are dropped.
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

    /// Returns about `at_most` round values between `low` and `high`, where `low < high`; at least
    /// two if `at_most` is 5 or more.
    pub(crate) fn between(low: f64, high: f64, at_most: usize) -> Self {
        let least = (high - low) / at_most.max(1) as f64;
        // A step below 1 is a whole number divided by a power of ten, so that every tick value is
        // the floating-point number nearest to its label.
        let (mut unit, mut decimals) = (1.0, 0);
        while least * unit < 1.0 && decimals < MAX_DECIMALS {
            unit *= 10.0;
            decimals += 1;
        }
        let step = round_step(least * unit);
        let first = (low * unit / step).ceil();
        let values = (0..)
            .map(|index: u32| (first + f64::from(index)) * step / unit)
            // Adding 0 removes the sign of a negative zero.
            .map(|value| value + 0.0)
            .take_while(|value| *value <= high)
            .take(at_most + 1);
        // Steps of ten units do not need the last decimal.
        let spare = usize::from(step >= 10.0 && decimals > 0);
        Self::new(values.collect(), decimals - spare)
    }

    /// Sets the unit that follows every label.
    pub(crate) fn in_units(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Keeps the ticks whose value passes the test.
    pub(crate) fn filtered(mut self, test: impl Fn(f64) -> bool) -> Self {
        self.values.retain(|value| test(*value));
        self
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns each value with its label.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        self.values.iter().map(|value| (*value, self.label(*value)))
    }

    /// Returns the largest tick value; 0 without ticks.
    pub(crate) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// Formats a value as a tick label, with a Unicode minus sign.
    pub(crate) fn label(&self, value: f64) -> String {
        format!("{value:.*}{}", self.decimals, self.unit).replace('-', "−")
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`: the step between ticks.
/// Uses products only, because logarithms differ between machines.
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
