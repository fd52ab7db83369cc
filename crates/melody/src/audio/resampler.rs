//! From one number of samples per second to another.

use crate::note::gcd;
use std::f64::consts::PI;

/// How many zero crossings the sinc has on each side: more make the edge of what is kept steeper.
const CROSSINGS: usize = 32;

/// How many values of the sinc are kept between two crossings. Between these values it is taken as straight,
/// which is off by less than (π/1024)²/8, 118 dB below full scale.
const BETWEEN: usize = 1024;

/// The shape of Kaiser's window: what is above half the rate comes 100 dB softer, or is not there.
const KAISER: f64 = 10.0;

/// The middle of the edge, as a share of the lower of the two rates. The edge is 0.1 wide with this window
/// (Kaiser 1974: 92 dB of attenuation over 64 crossings), so nothing is folded back.
const EDGE: f64 = 0.45;

/// Samples at another rate, made as they come: a sum of sincs under a window (Smith and Gossett 1984).
pub(crate) struct Resampler {
    /// Samples per second, before and after, divided by what divides both.
    from: u64,
    to: u64,
    /// How fast the sinc runs for each sample that comes; at most twice `EDGE`.
    speed: f64,
    /// One side of the sinc.
    side: Vec<f64>,
    /// Samples that are still needed, and how many came before the first of them.
    held: Vec<f64>,
    gone: u64,
    /// How many samples were made.
    made: u64,
}

/// The modified Bessel function of the first kind of order 0, by its power series.
fn bessel(x: f64) -> f64 {
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
    /// From so many samples per second to so many; neither is 0.
    pub(crate) fn new(from: u32, to: u32) -> Self {
        let common = gcd(from.into(), to.into()) as u64;
        let (from, to) = (u64::from(from), u64::from(to));
        let value = |place: usize| {
            let x = place as f64 / BETWEEN as f64;
            let sinc = if place == 0 {
                1.0
            } else {
                libm::sin(PI * x) / (PI * x)
            };
            let along = x / CROSSINGS as f64;
            let window = bessel(KAISER * (1.0 - along * along).max(0.0).sqrt()) / bessel(KAISER);
            sinc * window
        };
        // One more, which is 0: the neighbour of the last.
        let mut side: Vec<f64> = (0..=CROSSINGS * BETWEEN).map(value).collect();
        side.push(0.0);
        Self {
            from: from / common,
            to: to / common,
            speed: 2.0 * EDGE * (to as f64 / from as f64).min(1.0),
            side,
            held: Vec::new(),
            gone: 0,
            made: 0,
        }
    }

    /// How many samples on each side have a part in one that is made.
    fn reach(&self) -> u64 {
        (CROSSINGS as f64 / self.speed).ceil() as u64 + 1
    }

    /// Takes samples, and hands over those that can be made now.
    pub(crate) fn push(&mut self, samples: &[f64], take: &mut dyn FnMut(f64)) {
        if self.from == self.to {
            samples.iter().for_each(|&sample| take(sample));
            return;
        }
        self.held.extend(samples);
        let come = self.gone + self.held.len() as u64;
        let reach = self.reach();
        while self.made * self.from / self.to + reach < come {
            take(self.next());
        }
        // What no later sample needs.
        let first = (self.made * self.from / self.to).saturating_sub(reach);
        let over = first.saturating_sub(self.gone).min(self.held.len() as u64);
        // Moving what stays costs as much as it is long, so it waits until it is worth it.
        if over > 4 * reach {
            self.held.drain(..over as usize);
            self.gone += over;
        }
    }

    /// Hands over the samples that wait for others: there are no more.
    pub(crate) fn finish(mut self, take: &mut dyn FnMut(f64)) {
        if self.from == self.to {
            return;
        }
        let come = self.gone + self.held.len() as u64;
        while self.made * self.from / self.to < come {
            take(self.next());
        }
    }

    /// The next sample; outside of what came it is silent.
    fn next(&mut self) -> f64 {
        let at = self.made * self.from;
        let (whole, part) = (at / self.to, (at % self.to) as f64 / self.to as f64);
        self.made += 1;
        let reach = self.reach();
        let first = whole.saturating_sub(reach).max(self.gone);
        let end = (whole + reach + 1).min(self.gone + self.held.len() as u64);
        let mut sum = 0.0;
        for place in first..end {
            let distance = (place as f64 - whole as f64 - part).abs() * self.speed;
            let along = distance * BETWEEN as f64;
            let step = along as usize;
            if step + 1 < self.side.len() {
                let share = along - step as f64;
                let value = self.side[step] + share * (self.side[step + 1] - self.side[step]);
                sum += value * self.held[(place - self.gone) as usize];
            }
        }
        sum * self.speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resampled(from: u32, to: u32, samples: &[f64]) -> Vec<f64> {
        let mut made = Vec::new();
        let mut resampler = Resampler::new(from, to);
        // In pieces of all lengths, as decoders give them.
        let mut rest = samples;
        let mut length = 1;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(length.min(rest.len()));
            resampler.push(piece, &mut |sample| made.push(sample));
            rest = others;
            length = length * 3 + 1;
        }
        resampler.finish(&mut |sample| made.push(sample));
        made
    }

    fn tone(rate: u32, frequency: f64, seconds: f64) -> Vec<f64> {
        let count = (seconds * f64::from(rate)).round() as usize;
        let sample = |n: usize| (2.0 * PI * frequency * n as f64 / f64::from(rate)).sin();
        (0..count).map(sample).collect()
    }

    #[test]
    fn a_tone_is_the_same_tone_at_another_rate() {
        let rates = [
            (44_100, 48_000, 10_000.0),
            (8_000, 44_100, 3_000.0),
            (96_000, 44_100, 17_000.0),
            (44_056, 44_100, 440.0),
            (192_000, 8_000, 1_000.0),
            (44_100, 44_100, 440.0),
        ];
        for (from, to, frequency) in rates {
            let made = resampled(from, to, &tone(from, frequency, 0.1));
            let wanted = tone(to, frequency, 0.1);
            assert!(made.len().abs_diff(wanted.len()) <= 1, "{from} to {to}");
            // Near its ends the tone begins and ends all at once.
            let edge = wanted.len() / 10;
            let middle = edge..wanted.len() - edge;
            let off = |n: usize| (made[n] - wanted[n]).abs();
            let worst = middle.map(off).fold(0.0, f64::max);
            assert!(worst < 1e-4, "{from} to {to}: off by {worst}");
        }
    }

    #[test]
    fn what_the_new_rate_cannot_hold_is_left_out() {
        let made = resampled(44_100, 16_000, &tone(44_100, 9_000.0, 0.2));
        let middle = &made[made.len() / 10..made.len() * 9 / 10];
        let loudest = middle.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        assert!(loudest < 1e-4, "it is {loudest} loud");
    }
}
