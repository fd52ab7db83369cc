//! How far somebody answers what is asked.

use partita_core::Answer;
use partita_stats::normal;

use super::card::Reliability;
use super::judgment::Judgment;
use super::spread::{Spread, Strangers};
use super::tendency::{self, Belief, Fitted};
use crate::model::normal_mean;

/// What the crowd is like: the traits of its people.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdTraits {
    pub(super) sharpness: Spread,
    pub(super) equal: Spread,
    pub(super) side: Spread,
}

/// What crowds are like: what is believed before anybody of this one has answered.
pub(super) const USUAL: CrowdTraits = CrowdTraits {
    sharpness: Spread {
        mean: 0.85,
        sd: 0.3,
    },
    equal: Spread { mean: 0.0, sd: 0.5 },
    side: Spread { mean: 0.0, sd: 0.2 },
};

impl CrowdTraits {
    /// The traits of the people whose answers these are.
    pub(super) fn of(people: &[&[Judgment]]) -> Self {
        let fitted: Vec<Fitted> = (people.iter())
            .map(|given| tendency::fit(given, &tendency::VAGUE, [false; 3]))
            .collect();
        let spread = |which: usize, strangers: Strangers, prior: Spread| {
            let prior_information = 1.0 / tendency::VAGUE.sd[which].powi(2);
            let estimate = |of: &Fitted| {
                // The estimate is drawn towards the vague belief, which is undone here.
                let information = of.information_on(which);
                let own = (information - prior_information).max(1e-3);
                let mean = tendency::VAGUE.mean[which];
                let estimate = mean + (of.traits[which] - mean) * information / own;
                (estimate, 1.0 / own.sqrt())
            };
            let estimates: Vec<_> = fitted.iter().map(estimate).collect();
            Spread::of(&estimates, strangers, prior)
        };
        Self {
            sharpness: spread(0, Strangers::BelowZero, USUAL.sharpness),
            equal: spread(1, Strangers::Anywhere, USUAL.equal),
            side: spread(2, Strangers::Anywhere, USUAL.side),
        }
    }

    /// The mean of something over people of the crowd, who differ in their tendency to give this answer.
    pub(super) fn over(&self, answer: Answer, value: impl Fn([f64; 3]) -> f64) -> f64 {
        normal_mean(|z| {
            let mut traits = self.belief(self.sharpness).mean;
            let (which, spread) = match answer {
                Answer::Equal => (1, self.equal),
                _ => (2, self.side),
            };
            traits[which] += z * spread.sd;
            value(traits)
        })
    }

    /// What is believed of somebody with the tendencies of this crowd, and any sharpness.
    pub(super) fn of_any_sharpness(&self) -> Belief {
        self.belief(Spread {
            sd: tendency::ANYBODY.sd[0],
            ..self.sharpness
        })
    }

    /// What is believed of somebody of this crowd, but for their sharpness.
    pub(super) fn belief(&self, sharpness: Spread) -> Belief {
        let of = |part: fn(&Spread) -> f64| [sharpness, self.equal, self.side].map(|s| part(&s));
        Belief {
            mean: of(|spread| spread.mean),
            sd: of(|spread| spread.sd),
        }
    }
}

/// The sharpness of somebody beside that of the crowd.
pub(super) fn reliability(
    given: &[Judgment],
    crowd: &CrowdTraits,
    beside_random: f64,
) -> Option<Reliability> {
    let shared = given
        .iter()
        .filter(|given| !given.others.is_empty())
        .count();
    if shared == 0 {
        return None;
    }
    let usual = crowd.sharpness;
    // People of the crowd differ in their tendencies as it does; of somebody who answers whatever is
    // asked nothing is known.
    let of_crowd = crowd.of_any_sharpness();
    let (off, sharpness, information) = root(given, &of_crowd);
    let z = off / (1.0 + usual.sd.powi(2) * information).sqrt();
    let (off_random, ..) = root(given, &tendency::ANYBODY);
    Some(Reliability {
        answers: shared,
        sharpness,
        expected: usual.mean,
        spread: usual.sd,
        z,
        p: normal::cdf(z),
        p_too_sharp: normal::sf(z),
        p_random: normal::sf(off_random),
        beside_random,
    })
}

/// How far the sharpness of somebody is from the one that is believed, as the signed root of the likelihood
/// ratio, which is nearly normal even of few answers; the sharpness; and how much is known of it.
fn root(given: &[Judgment], belief: &Belief) -> (f64, f64, f64) {
    let free = tendency::fit(given, belief, [false; 3]);
    let held = tendency::fit(given, belief, [true, false, false]);
    let root = (2.0 * (free.value - held.value)).max(0.0).sqrt();
    let sharpness = free.traits[0];
    let off = root.copysign(sharpness - belief.mean[0]);
    (off, sharpness, held.information_on(0))
}
