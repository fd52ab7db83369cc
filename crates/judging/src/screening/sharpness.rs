//! How far somebody answers what is asked.

use partita_core::Preference;
use partita_stats::distribution::normal;

use super::answers::ScreenedAnswer;
use super::assessor_card::AssessorReliability;
use super::trait_distribution::{OutlierModel, TraitDistribution};
use super::traits;
use super::traits::{TraitFit, TraitPrior};
use crate::model::normal_mean;

/// What the crowd is like: the traits of its people.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdTraits {
    pub(super) sharpness: TraitDistribution,
    pub(super) equal: TraitDistribution,
    pub(super) side: TraitDistribution,
}

/// What crowds are like: what is believed before anybody of this one has answered.
pub(super) const DEFAULT_CROWD: CrowdTraits = CrowdTraits {
    sharpness: TraitDistribution {
        mean: 0.85,
        sd: 0.3,
    },
    equal: TraitDistribution { mean: 0.0, sd: 0.5 },
    side: TraitDistribution { mean: 0.0, sd: 0.2 },
};

impl CrowdTraits {
    /// The traits of the people whose answers these are.
    pub(super) fn fit(people: &[&[ScreenedAnswer]]) -> Self {
        let fitted: Vec<TraitFit> = (people.iter())
            .map(|given| traits::fit(given, &traits::VAGUE, [false; 3]))
            .collect();
        let spread = |which: usize, strangers: OutlierModel, prior: TraitDistribution| {
            let prior_information = 1.0 / traits::VAGUE.sd[which].powi(2);
            let estimate = |of: &TraitFit| {
                // The estimate is drawn towards the vague belief, which is undone here.
                let information = of.information_on(which);
                let own = (information - prior_information).max(1e-3);
                let mean = traits::VAGUE.mean[which];
                let estimate = mean + (of.traits[which] - mean) * information / own;
                (estimate, 1.0 / own.sqrt())
            };
            let estimates: Vec<_> = fitted.iter().map(estimate).collect();
            TraitDistribution::fit(&estimates, strangers, prior)
        };
        Self {
            sharpness: spread(0, OutlierModel::BelowZero, DEFAULT_CROWD.sharpness),
            equal: spread(1, OutlierModel::Anywhere, DEFAULT_CROWD.equal),
            side: spread(2, OutlierModel::Anywhere, DEFAULT_CROWD.side),
        }
    }

    /// The mean of something over people of the crowd, who differ in their tendency to give this answer.
    pub(super) fn average_over_trait(
        &self,
        answer: Preference,
        value: impl Fn([f64; 3]) -> f64,
    ) -> f64 {
        normal_mean(|z| {
            let mut traits = self.prior(self.sharpness).mean;
            let (which, spread) = match answer {
                Preference::Equal => (1, self.equal),
                _ => (2, self.side),
            };
            traits[which] += z * spread.sd;
            value(traits)
        })
    }

    /// What is believed of somebody with the tendencies of this crowd, and any sharpness.
    pub(super) fn prior_without_sharpness(&self) -> TraitPrior {
        self.prior(TraitDistribution {
            sd: traits::WEAK_PRIOR.sd[0],
            ..self.sharpness
        })
    }

    /// What is believed of somebody of this crowd, but for their sharpness.
    pub(super) fn prior(&self, sharpness: TraitDistribution) -> TraitPrior {
        let of = |part: fn(&TraitDistribution) -> f64| {
            [sharpness, self.equal, self.side].map(|s| part(&s))
        };
        TraitPrior {
            mean: of(|spread| spread.mean),
            sd: of(|spread| spread.sd),
        }
    }
}

/// The sharpness of somebody beside that of the crowd.
pub(super) fn reliability(
    given: &[ScreenedAnswer],
    crowd: &CrowdTraits,
    beside_random: f64,
) -> Option<AssessorReliability> {
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
    let of_crowd = crowd.prior_without_sharpness();
    let (off, sharpness, information) = root(given, &of_crowd);
    let z = off / (1.0 + usual.sd.powi(2) * information).sqrt();
    let (off_random, ..) = root(given, &traits::WEAK_PRIOR);
    Some(AssessorReliability {
        answers: shared,
        sharpness,
        expected: usual.mean,
        spread: usual.sd,
        z,
        p: normal::cdf(z),
        p_too_sharp: normal::sf(z),
        p_random: normal::sf(off_random),
        likelihood_ratio: beside_random,
    })
}

/// How far the sharpness of somebody is from the one that is believed, as the signed root of the likelihood
/// ratio, which is nearly normal even of few answers; the sharpness; and how much is known of it.
fn root(given: &[ScreenedAnswer], belief: &TraitPrior) -> (f64, f64, f64) {
    let free = traits::fit(given, belief, [false; 3]);
    let held = traits::fit(given, belief, [true, false, false]);
    let root = (2.0 * (free.value - held.value)).max(0.0).sqrt();
    let sharpness = free.traits[0];
    let off = root.copysign(sharpness - belief.mean[0]);
    (off, sharpness, held.information_on(0))
}
