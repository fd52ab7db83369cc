//! Sharpness: how strongly an assessor's answers follow the probabilities predicted from others.

use partita_core::Preference;
use partita_stats::distribution::normal;

use super::answers::ScreenedAnswer;
use super::assessor_card::AssessorReliability;
use super::trait_distribution::{OutlierModel, TraitDistribution};
use super::traits;
use super::traits::{TraitFit, TraitPrior};
use crate::model::normal_mean;

/// Distributions of the three traits over a crowd: sharpness, tendency to call items equal, and
/// tendency to prefer the item shown first.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdTraits {
    pub(super) sharpness: TraitDistribution,
    pub(super) equal: TraitDistribution,
    pub(super) side: TraitDistribution,
}

/// Prior of the crowd's trait distributions: means and standard deviations over assessors.
pub(super) const CROWD_PRIOR: CrowdTraits = CrowdTraits {
    sharpness: TraitDistribution {
        mean: 0.85,
        sd: 0.3,
    },
    equal: TraitDistribution { mean: 0.0, sd: 0.5 },
    side: TraitDistribution { mean: 0.0, sd: 0.2 },
};

impl CrowdTraits {
    /// Estimates the trait distributions of a crowd from the answers of its assessors.
    pub(super) fn fit(people: &[&[ScreenedAnswer]]) -> Self {
        let fitted: Vec<TraitFit> = (people.iter())
            .map(|given| traits::fit(given, &traits::VAGUE_PRIOR, [false; 3]))
            .collect();
        let spread = |which: usize, outliers: OutlierModel, prior: TraitDistribution| {
            let prior_information = 1.0 / traits::VAGUE_PRIOR.sd[which].powi(2);
            let estimate = |of: &TraitFit| {
                // Undo the shrinkage of the estimate towards the vague prior.
                let information = of.information_on(which);
                let own = (information - prior_information).max(1e-3);
                let mean = traits::VAGUE_PRIOR.mean[which];
                let estimate = mean + (of.traits[which] - mean) * information / own;
                (estimate, 1.0 / own.sqrt())
            };
            let estimates: Vec<_> = fitted.iter().map(estimate).collect();
            TraitDistribution::fit(&estimates, outliers, prior)
        };
        Self {
            sharpness: spread(0, OutlierModel::BelowZero, CROWD_PRIOR.sharpness),
            equal: spread(1, OutlierModel::Anywhere, CROWD_PRIOR.equal),
            side: spread(2, OutlierModel::Anywhere, CROWD_PRIOR.side),
        }
    }

    /// Returns the mean over the crowd of a function of an assessor's traits. Only the trait that
    /// governs `answer` varies: the tendency to call items equal, or to prefer a side. The other
    /// traits are at their means.
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

    /// Returns the prior of the traits of a member of this crowd, but with a very wide prior of the
    /// sharpness.
    pub(super) fn prior_without_sharpness(&self) -> TraitPrior {
        self.prior(TraitDistribution {
            sd: traits::WEAK_PRIOR.sd[0],
            ..self.sharpness
        })
    }

    /// Returns the prior of the traits of a member of this crowd, with the given distribution of
    /// sharpness.
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

/// Estimates the sharpness of an assessor (how strongly their answers follow the probabilities
/// predicted from others) and tests it against the crowd. `likelihood_ratio` is that of attentive
/// to inattentive answers.
pub(super) fn reliability(
    given: &[ScreenedAnswer],
    crowd: &CrowdTraits,
    likelihood_ratio: f64,
) -> Option<AssessorReliability> {
    let shared = given
        .iter()
        .filter(|given| !given.others.is_empty())
        .count();
    if shared == 0 {
        return None;
    }
    let usual = crowd.sharpness;
    // The test against the crowd uses the crowd's tendencies as prior. The test against random
    // answers uses a weak prior, because nothing is known about the tendencies of such assessors.
    let of_crowd = crowd.prior_without_sharpness();
    let (off, sharpness, information) = signed_likelihood_root(given, &of_crowd);
    let z = off / (1.0 + usual.sd.powi(2) * information).sqrt();
    let (off_random, ..) = signed_likelihood_root(given, &traits::WEAK_PRIOR);
    Some(AssessorReliability {
        answers: shared,
        sharpness,
        expected: usual.mean,
        spread: usual.sd,
        z,
        p: normal::cdf(z),
        p_too_sharp: normal::sf(z),
        p_random: normal::sf(off_random),
        likelihood_ratio,
    })
}

/// Returns three values: the signed root of twice the log likelihood ratio between the estimated
/// sharpness and the prior mean, which is nearly normal even for few answers; the estimated
/// sharpness; and its information at the prior mean.
fn signed_likelihood_root(given: &[ScreenedAnswer], trait_prior: &TraitPrior) -> (f64, f64, f64) {
    let free = traits::fit(given, trait_prior, [false; 3]);
    let held = traits::fit(given, trait_prior, [true, false, false]);
    let root = (2.0 * (free.value - held.value)).max(0.0).sqrt();
    let sharpness = free.traits[0];
    let off = root.copysign(sharpness - trait_prior.mean[0]);
    (off, sharpness, held.information_on(0))
}
