//! Conversion of audio between sample rates.

use std::f64::consts::PI;

use crate::note::gcd;

/// Number of zero crossings of the windowed sinc kernel on each side of its centre. More crossings
/// make the transition band of the filter steeper.
const ZERO_CROSSINGS: usize = 32;

/// Number of table entries between two zero crossings of the sinc kernel. Linear interpolation
/// between entries has an error below (π/1024)²/8, which is 118 dB below full scale.
const TABLE_STEPS: usize = 1024;

/// Shape parameter β of the Kaiser window. It attenuates frequencies above half the lower of the
/// two sample rates by 100 dB.
const KAISER_BETA: f64 = 10.0;

/// Cutoff frequency of the filter, as a share of the lower of the two sample rates. It is the
/// centre of the transition band, which is 0.09 wide (Kaiser 1974: 100 dB of attenuation with 64
/// zero crossings, which span 71 samples). The band ends below one half, so nothing aliases.
const CUTOFF_FREQUENCY: f64 = 0.45;

/// Streaming resampler by windowed-sinc interpolation (Smith and Gossett 1984).
pub(crate) struct Resampler {
    /// Input sample rate, divided by the greatest common divisor of both rates.
    from: u64,
    /// Output sample rate, divided by the greatest common divisor of both rates.
    to: u64,
    /// Distance between two input samples in the argument of the sinc kernel; at most twice
    /// [`CUTOFF_FREQUENCY`].
    sinc_step: f64,
    /// Table of the right half of the windowed sinc kernel, which is symmetric.
    half_sinc: Vec<f64>,
    /// Latest input samples, including all that later output samples need.
    input: Vec<f64>,
    /// Number of input samples before `input`, which are no longer needed.
    dropped: u64,
    /// Number of output samples computed so far.
    produced: u64,
}

/// Computes I₀(x), the modified Bessel function of the first kind of order 0, by its power series.
fn bessel_i0(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..60 {
        let half = x / (2.0 * f64::from(k));
        term *= half * half;
        sum += term;
    }
    sum
}

impl Resampler {
    /// Creates a resampler from the rate `from` to the rate `to`, both in Hz and not 0.
    pub(crate) fn new(from: u32, to: u32) -> Self {
        let common = gcd(from.into(), to.into()) as u64;
        let (from, to) = (u64::from(from), u64::from(to));
        let value = |place: usize| {
            let x = place as f64 / TABLE_STEPS as f64;
            let sinc = if place == 0 {
                1.0
            } else {
                libm::sin(PI * x) / (PI * x)
            };
            let along = x / ZERO_CROSSINGS as f64;
            let window = bessel_i0(KAISER_BETA * (1.0 - along * along).max(0.0).sqrt())
                / bessel_i0(KAISER_BETA);
            sinc * window
        };
        // One extra entry of 0, so that interpolation after the last entry needs no check.
        let mut half_sinc: Vec<f64> = (0..=ZERO_CROSSINGS * TABLE_STEPS).map(value).collect();
        half_sinc.push(0.0);
        Self {
            from: from / common,
            to: to / common,
            sinc_step: 2.0 * CUTOFF_FREQUENCY * (to as f64 / from as f64).min(1.0),
            half_sinc,
            input: Vec::new(),
            dropped: 0,
            produced: 0,
        }
    }

    /// Returns an upper bound on the number of input samples on each side of an output sample that
    /// contribute to it.
    fn kernel_half_width(&self) -> u64 {
        (ZERO_CROSSINGS as f64 / self.sinc_step).ceil() as u64 + 1
    }

    /// Adds input samples and passes all output samples that they complete to `take`.
    pub(crate) fn push(&mut self, samples: &[f64], take: &mut dyn FnMut(f64)) {
        if self.from == self.to {
            samples.iter().for_each(|&sample| take(sample));
            return;
        }
        self.input.extend(samples);
        let received = self.dropped + self.input.len() as u64;
        let reach = self.kernel_half_width();
        while self.produced * self.from / self.to + reach < received {
            take(self.next_output_sample());
        }
        // Input samples before this one are no longer needed.
        let first = (self.produced * self.from / self.to).saturating_sub(reach);
        let unneeded = first
            .saturating_sub(self.dropped)
            .min(self.input.len() as u64);
        // Draining moves the remaining samples, so it waits until it removes several times as many.
        if unneeded > 4 * reach {
            self.input.drain(..unneeded as usize);
            self.dropped += unneeded;
        }
    }

    /// Passes the remaining output samples to `take`. Input after the end counts as silence.
    pub(crate) fn finish(mut self, take: &mut dyn FnMut(f64)) {
        if self.from == self.to {
            return;
        }
        let received = self.dropped + self.input.len() as u64;
        while self.produced * self.from / self.to < received {
            take(self.next_output_sample());
        }
    }

    /// Computes the next output sample. Input samples before the start and after the end count as
    /// 0.
    fn next_output_sample(&mut self) -> f64 {
        let at = self.produced * self.from;
        let (whole, part) = (at / self.to, (at % self.to) as f64 / self.to as f64);
        self.produced += 1;
        let reach = self.kernel_half_width();
        let first = whole.saturating_sub(reach).max(self.dropped);
        let end = (whole + reach + 1).min(self.dropped + self.input.len() as u64);
        let mut sum = 0.0;
        for place in first..end {
            let distance = (place as f64 - whole as f64 - part).abs() * self.sinc_step;
            let along = distance * TABLE_STEPS as f64;
            let step = along as usize;
            if step + 1 < self.half_sinc.len() {
                let share = along - step as f64;
                let value = self.half_sinc[step]
                    + share * (self.half_sinc[step + 1] - self.half_sinc[step]);
                sum += value * self.input[(place - self.dropped) as usize];
            }
        }
        sum * self.sinc_step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts samples from the rate `from` to the rate `to`, both in Hz.
    fn resample_in_blocks(from: u32, to: u32, samples: &[f64]) -> Vec<f64> {
        let mut output = Vec::new();
        let mut resampler = Resampler::new(from, to);
        // The input is pushed in blocks of different lengths, as decoders produce them.
        let mut rest = samples;
        let mut length = 1;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(length.min(rest.len()));
            resampler.push(piece, &mut |sample| output.push(sample));
            rest = others;
            length = length * 3 + 1;
        }
        resampler.finish(&mut |sample| output.push(sample));
        output
    }

    /// Returns the samples of a sine wave with amplitude 1.
    fn sine_tone(rate: u32, frequency: f64, seconds: f64) -> Vec<f64> {
        let count = (seconds * f64::from(rate)).round() as usize;
        let sample = |n: usize| (2.0 * PI * frequency * n as f64 / f64::from(rate)).sin();
        (0..count).map(sample).collect()
    }

    #[test]
    fn resampling_preserves_a_tone() {
        let rates = [
            (44_100, 48_000, 10_000.0),
            (8_000, 44_100, 3_000.0),
            (96_000, 44_100, 17_000.0),
            (44_056, 44_100, 440.0),
            (192_000, 8_000, 1_000.0),
            (44_100, 44_100, 440.0),
        ];
        for (from, to, frequency) in rates {
            let output = resample_in_blocks(from, to, &sine_tone(from, frequency, 0.1));
            let expected = sine_tone(to, frequency, 0.1);
            assert!(output.len().abs_diff(expected.len()) <= 1, "{from} to {to}");
            // The tone starts and stops abruptly, so its ends are not compared.
            let edge = expected.len() / 10;
            let middle = edge..expected.len() - edge;
            let off = |n: usize| (output[n] - expected[n]).abs();
            let worst = middle.map(off).fold(0.0, f64::max);
            assert!(worst < 1e-4, "{from} to {to}: off by {worst}");
        }
    }

    #[test]
    fn resampling_removes_frequencies_above_half_the_new_rate() {
        let output = resample_in_blocks(44_100, 16_000, &sine_tone(44_100, 9_000.0, 0.2));
        let middle = &output[output.len() / 10..output.len() * 9 / 10];
        let loudest = middle.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        assert!(loudest < 1e-4, "the largest amplitude is {loudest}");
    }
}
