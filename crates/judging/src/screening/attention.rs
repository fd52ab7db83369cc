//! Who of the people listens: the law of sharpness among those who do, and how many do not.
//!
//! The sharpness of people who listen is above 0 and has a [gamma law](Law), whose mean and coefficient of
//! variation are those that make the answers of all most likely, beside a share of people who do not listen:
//! who answer whatever is asked, or the opposite of what they hear. Where people are much alike, somebody
//! who answers at random stands out; where they differ widely, the law reaches down to 0, and nobody is
//! accused of what some honest people do as well.
//!
//! What is said of somebody is a ratio of likelihoods: how likely their answers are of somebody of the crowd,
//! beside somebody who does not listen. Of people of the crowd at most a share of c has a ratio below c,
//! whatever their number of answers (Wald 1945, by Markov's inequality).

use super::answers::ScreenedAnswer;
use super::traits;
use super::traits::TraitPrior;

/// The sharpness at which likelihoods are looked at: `LOWEST`, and `POINTS - 1` steps up.
const LOWEST: f64 = -2.0;
const STEP: f64 = 0.1;
const POINTS: usize = 61;
const ZERO: usize = 20;

/// So many steps lie between two sharpnesses that are fitted; between them the likelihood is a cubic.
const STEPS_FITTED: usize = 5;

/// The means and the coefficients of variation that a crowd can have: so many, each larger than the one
/// before by the same factor.
const MEANS: (f64, usize) = (0.35, 10);
const VARIATIONS: (f64, usize) = (0.1, 15);
const LARGER: f64 = 1.17;

/// What is believed of crowds: the logarithms of mean and variation are about these, give or take.
const USUAL_MEAN: (f64, f64) = (0.8, 0.4);
const USUAL_VARIATION: (f64, f64) = (0.4, 0.5);

/// Of so many people whom one would know beforehand, so many do not listen.
const INATTENTIVE_PRIOR: (f64, f64) = (22.0, 2.0);

/// The part of those who do not listen that says the opposite.
const CONTRARIAN_SHARE: f64 = 0.2;

/// The tail of the law is the less known the more people differ. Up to this variation it is trusted.
const TRUSTED: f64 = 0.4;

/// How likely somebody's answers are at each sharpness, beside the likeliest.
pub(super) struct Likelihoods([f64; POINTS]);

impl Likelihoods {
    /// Of these answers, by somebody who has the tendencies that the crowd has.
    pub(super) fn from_answers(given: &[ScreenedAnswer], crowd: &TraitPrior) -> Self {
        let mut logs = [0.0; POINTS];
        let mut belief = *crowd;
        let mut before: Option<(f64, f64)> = None;
        let mut start = belief.mean;
        for place in (0..POINTS).step_by(STEPS_FITTED) {
            belief.mean[0] = sharpness(place);
            start[0] = belief.mean[0];
            let fitted = traits::fit_from(given, &belief, [true, false, false], start);
            start = fitted.traits;
            let rise = fitted.gradient[0] * STEP * STEPS_FITTED as f64;
            if let Some((value, rise_before)) = before {
                for step in 1..STEPS_FITTED {
                    let t = step as f64 / STEPS_FITTED as f64;
                    logs[place - STEPS_FITTED + step] =
                        cubic([value, fitted.value], [rise_before, rise], t);
                }
            }
            logs[place] = fitted.value;
            before = Some((fitted.value, rise));
        }
        let top = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Self(logs.map(|log| (log - top).exp()))
    }

    /// How likely the answers are of people of this law.
    fn under(&self, law: &[f64; POINTS]) -> f64 {
        self.0.iter().zip(law).map(|(own, share)| own * share).sum()
    }
}

fn sharpness(place: usize) -> f64 {
    LOWEST + STEP * place as f64
}

/// The cubic with these values and slopes at 0 and 1 (Hermite), at t.
fn cubic(values: [f64; 2], slopes: [f64; 2], t: f64) -> f64 {
    let u = 1.0 - t;
    let of_values = (1.0 + 2.0 * t) * u * u * values[0] + (1.0 + 2.0 * u) * t * t * values[1];
    of_values + t * u * (u * slopes[0] - t * slopes[1])
}

/// The law of sharpness in a crowd.
#[derive(Clone, Debug)]
pub(super) struct SharpnessDistribution {
    /// The coefficient of variation of the sharpness of those who listen.
    pub(super) variation: f64,
    /// The share of people who do not listen.
    pub(super) share_without: f64,
    listening: [f64; POINTS],
    without: [f64; POINTS],
}

impl SharpnessDistribution {
    /// The law with which the answers of these people are most likely, as far as crowds are like that.
    pub(super) fn fit(people: &[&Likelihoods]) -> Self {
        let sizes = |(least, count): (f64, usize)| {
            (0..count).map(move |number| least * LARGER.powi(number as i32))
        };
        let mut best: Option<(f64, Self)> = None;
        for variation in sizes(VARIATIONS) {
            for mean in sizes(MEANS) {
                let mut law = Self::with_moments(mean, variation);
                let mut value = law.settle(people);
                for (found, (usual, by)) in [(mean, USUAL_MEAN), (variation, USUAL_VARIATION)] {
                    value -= 0.5 * ((found / usual).ln() / by).powi(2);
                }
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, law));
                }
            }
        }
        best.expect("there are laws to choose from").1
    }

    /// People who listen with this mean and variation, beside the usual share of those who do not.
    fn with_moments(mean: f64, variation: f64) -> Self {
        let shape = variation.powi(-2);
        let mut listening = [0.0; POINTS];
        for (place, share) in listening.iter_mut().enumerate().skip(ZERO) {
            // Nobody of them has exactly 0, so that half a step above it stands for it.
            let (at, width) = match place {
                ZERO => (0.25 * STEP, 0.5),
                _ => (sharpness(place), 1.0),
            };
            let at = at / mean;
            *share = width * (shape * (at.ln() - at + 1.0) - at.ln()).exp();
        }
        let mut without = [0.0; POINTS];
        // They hear as well as the others, and say the opposite.
        for place in 0..ZERO {
            without[place] = listening[2 * ZERO - place];
        }
        scaled(&mut listening, 1.0);
        scaled(&mut without, CONTRARIAN_SHARE);
        without[ZERO] = 1.0 - CONTRARIAN_SHARE;
        Self {
            variation,
            share_without: INATTENTIVE_PRIOR.1 / INATTENTIVE_PRIOR.0,
            listening,
            without,
        }
    }

    /// Finds the share of those who do not listen; gives the logarithm of the likelihood.
    fn settle(&mut self, people: &[&Likelihoods]) -> f64 {
        let both: Vec<[f64; 2]> = (people.iter())
            .map(|own| [own.under(&self.listening), own.under(&self.without)])
            .collect();
        for _ in 0..12 {
            let share = self.share_without;
            let outside: f64 = (both.iter())
                .map(|[of_crowd, without]| {
                    let without = share * without;
                    without / (without + (1.0 - share) * of_crowd).max(f64::MIN_POSITIVE)
                })
                .sum();
            self.share_without =
                (outside + INATTENTIVE_PRIOR.1) / (people.len() as f64 + INATTENTIVE_PRIOR.0);
        }
        let share = self.share_without;
        let of = |[of_crowd, without]: &[f64; 2]| {
            (share * without + (1.0 - share) * of_crowd)
                .max(f64::MIN_POSITIVE)
                .ln()
        };
        let known = INATTENTIVE_PRIOR.1 * share.ln()
            + (INATTENTIVE_PRIOR.0 - INATTENTIVE_PRIOR.1) * (1.0 - share).ln();
        both.iter().map(of).sum::<f64>() + known
    }

    /// How likely the answers are of somebody of the crowd, beside somebody who does not listen.
    pub(super) fn likelihood_ratio(&self, own: &Likelihoods) -> f64 {
        let caution = (self.variation / TRUSTED).max(1.0).powi(2);
        let without = own.under(&self.without).max(f64::MIN_POSITIVE);
        caution * own.under(&self.listening) / without
    }
}

/// Shares in the same proportion whose sum is this.
fn scaled(shares: &mut [f64; POINTS], sum: f64) {
    let all: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share *= sum / all);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of somebody whose sharpness is estimated with this error.
    fn estimated(at: f64, error: f64) -> Likelihoods {
        let mut own = [0.0; POINTS];
        for (place, own) in own.iter_mut().enumerate() {
            *own = (-0.5 * ((sharpness(place) - at) / error).powi(2)).exp();
        }
        Likelihoods(own)
    }

    fn law(crowd: impl Iterator<Item = f64>) -> SharpnessDistribution {
        let people: Vec<Likelihoods> = crowd.map(|at| estimated(at, 0.2)).collect();
        SharpnessDistribution::fit(&people.iter().collect::<Vec<_>>())
    }

    /// Forty people, from the least sharp to the sharpest.
    fn forty(of: fn(f64) -> f64) -> impl Iterator<Item = f64> {
        (0..40).map(move |person| of((f64::from(person) + 0.5) / 40.0))
    }

    #[test]
    fn who_answers_at_random_stands_out_only_where_people_are_alike() {
        let alike = law(forty(|place| 0.7 + 0.2 * place));
        // An exponential law: many are hardly better than chance.
        let unlike = law(forty(|place| -0.8 * (1.0 - place).ln()));
        assert!(alike.variation < 0.3, "{}", alike.variation);
        assert!(unlike.variation > 0.6, "{}", unlike.variation);
        let random = estimated(0.0, 0.25);
        let [alike, unlike] = [alike, unlike].map(|law| law.likelihood_ratio(&random));
        assert!(alike < 0.05 && unlike > 0.5, "{alike} {unlike}");
    }

    #[test]
    fn people_who_do_not_listen_do_not_count_for_how_far_the_others_differ() {
        let honest = || forty(|place| 0.7 + 0.2 * place);
        let random = (0..10).map(|person| 0.02 * f64::from(person) - 0.1);
        let (alone, beside) = (law(honest()), law(honest().chain(random)));
        assert!(alone.share_without < 0.06, "{}", alone.share_without);
        let share = beside.share_without;
        assert!((share - 0.17).abs() < 0.05, "{share}");
        assert!(beside.variation < 1.3 * alone.variation);
    }

    #[test]
    fn of_the_crowd_at_most_a_share_of_c_has_a_ratio_below_c() {
        for (variation, error) in [(0.2, 0.3), (0.4, 0.15), (0.4, 0.6), (0.8, 0.3)] {
            let law = SharpnessDistribution::with_moments(0.8, variation);
            for c in [0.02, 0.14, 0.5] {
                let step = 0.01;
                let accused = (-300..500).map(|at| {
                    let own = estimated(f64::from(at) * step, error);
                    let density =
                        own.under(&law.listening) / (error * (2.0 * std::f64::consts::PI).sqrt());
                    if law.likelihood_ratio(&own) < c {
                        density * step
                    } else {
                        0.0
                    }
                });
                let accused: f64 = accused.sum();
                assert!(accused <= c, "{variation} {error}: {accused} of {c}");
            }
        }
    }

    #[test]
    fn a_cubic_is_what_it_is_fitted_to() {
        let value = |t: f64| 2.0 - t + 3.0 * t * t - 0.5 * t * t * t;
        let slope = |t: f64| -1.0 + 6.0 * t - 1.5 * t * t;
        for t in [0.0, 0.2, 0.7, 1.0] {
            let found = cubic([value(0.0), value(1.0)], [slope(0.0), slope(1.0)], t);
            assert!((found - value(t)).abs() < 1e-12);
        }
    }
}
