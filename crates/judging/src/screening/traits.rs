//! Traits of an assessor relative to the predictions from others.
//!
//! If others predict probabilities q, the assessor answers with probabilities proportional to q^γ ·
//! e^(h·equal) · e^(b·first - b·second). The sharpness γ is 1 for answers like the others', 0 for
//! answers independent of the question, and negative for opposite answers; h is the tendency to
//! call items equal, and b to prefer the item shown first. This is an exponential family with a
//! concave log likelihood. Its statistics are the sum of ln q of the answers and the counts of
//! equal, first and second.

use super::answers::ScreenedAnswer;
use crate::model::softmax;

/// Traits of an assessor: sharpness γ, tendency h to call items equal, and tendency b to prefer the
/// item shown first.
pub(super) type Traits = [f64; 3];

/// Independent normal priors of an assessor's three traits.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraitPrior {
    pub(super) mean: Traits,
    pub(super) sd: Traits,
}

/// Vague trait prior for an assessor of an unknown crowd.
pub(super) const VAGUE_PRIOR: TraitPrior = TraitPrior {
    mean: [1.0, 0.0, 0.0],
    sd: [1.5, 1.5, 1.0],
};

/// Trait prior so wide that it only keeps estimates finite.
pub(super) const WEAK_PRIOR: TraitPrior = TraitPrior {
    mean: [0.0; 3],
    sd: [10.0; 3],
};

/// Returns the probabilities of the three answers of an assessor with these traits, given the
/// probabilities `likely` predicted from others.
pub(super) fn answer_probabilities(likely: [f64; 3], [gamma, h, b]: Traits) -> [f64; 3] {
    let [first, equal, second] = likely.map(f64::ln);
    softmax([gamma * first + b, gamma * equal + h, gamma * second - b])
}

/// Maximum a posteriori fit of an assessor's traits.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraitFit {
    pub(super) traits: Traits,
    /// Log likelihood plus log prior at the maximum.
    pub(super) value: f64,
    /// Negative Hessian of `value` at the maximum.
    pub(super) information: [[f64; 3]; 3],
    /// Gradient of `value` at the maximum; 0 except for traits held fixed.
    pub(super) gradient: Traits,
}

/// Fits the traits to an assessor's answers. A trait with `held` true stays at its prior mean.
pub(super) fn fit(given: &[ScreenedAnswer], prior: &TraitPrior, held: [bool; 3]) -> TraitFit {
    fit_from(given, prior, held, prior.mean)
}

/// Fits the traits to an assessor's answers from a starting point. A trait with `held` true keeps
/// its starting value.
pub(super) fn fit_from(
    given: &[ScreenedAnswer],
    prior: &TraitPrior,
    held: [bool; 3],
    start: Traits,
) -> TraitFit {
    let mut traits = start;
    let mut here = evaluate(given, prior, traits);
    for _ in 0..50 {
        let mut information = here.information;
        let mut gradient = here.gradient;
        for which in (0..3).filter(|&which| held[which]) {
            gradient[which] = 0.0;
            information.iter_mut().for_each(|row| row[which] = 0.0);
            information[which] = [0.0; 3];
            information[which][which] = 1.0;
        }
        let step = solve_three(information, gradient);
        let rise: f64 = step.iter().zip(gradient).map(|(s, g)| s * g).sum();
        if rise < 1e-12 {
            break;
        }
        let mut length = 1.0;
        loop {
            let next = [0, 1, 2].map(|which| traits[which] + length * step[which]);
            let there = evaluate(given, prior, next);
            if there.value >= here.value + 1e-4 * length * rise || length < 1e-6 {
                (traits, here) = (next, there);
                break;
            }
            length *= 0.5;
        }
    }
    TraitFit {
        traits,
        value: here.value,
        information: here.information,
        gradient: here.gradient,
    }
}

impl TraitFit {
    /// Returns the marginal precision of trait number `which`: its information with the other
    /// traits unknown.
    pub(super) fn information_on(&self, which: usize) -> f64 {
        let mut unit = [0.0; 3];
        unit[which] = 1.0;
        1.0 / solve_three(self.information, unit)[which]
    }
}

/// Log posterior of an assessor's traits at a point, with its gradient and negative Hessian.
struct TraitLogPosterior {
    value: f64,
    gradient: [f64; 3],
    information: [[f64; 3]; 3],
}

/// Computes the log posterior of the traits and its derivatives.
fn evaluate(given: &[ScreenedAnswer], prior: &TraitPrior, traits: Traits) -> TraitLogPosterior {
    let mut here = TraitLogPosterior {
        value: 0.0,
        gradient: [0.0; 3],
        information: [[0.0; 3]; 3],
    };
    let priors = traits.iter().zip(prior.mean).zip(prior.sd);
    for (which, ((&own, mean), sd)) in priors.enumerate() {
        let off = (own - mean) / sd;
        here.value -= 0.5 * off * off;
        here.gradient[which] -= off / sd;
        here.information[which][which] += 1.0 / (sd * sd);
    }
    for given in given {
        let shares = answer_probabilities(given.likely, traits);
        let logs = given.likely.map(f64::ln);
        let answer = given.answer as usize;
        here.value += shares[answer].ln();
        // Sufficient statistics of each answer: the factors of γ, h and b in its log probability.
        let statistics = [
            [logs[0], 0.0, 1.0],
            [logs[1], 1.0, 0.0],
            [logs[2], 0.0, -1.0],
        ];
        let mean = [0, 1, 2]
            .map(|which| -> f64 { (0..3).map(|x| shares[x] * statistics[x][which]).sum() });
        for i in 0..3 {
            here.gradient[i] += statistics[answer][i] - mean[i];
            for j in 0..3 {
                let products: f64 = (0..3)
                    .map(|x| shares[x] * statistics[x][i] * statistics[x][j])
                    .sum();
                here.information[i][j] += products - mean[i] * mean[j];
            }
        }
    }
    here
}

/// Solves three linear equations with a positive definite matrix by Cramer's rule.
fn solve_three(m: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    let cofactor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    [0, 1, 2].map(|i| (0..3).map(|j| cofactor(j, i) * right[j]).sum::<f64>() / determinant)
}
