//! How somebody answers beside what others let expect.
//!
//! Where others let expect the answers with probabilities q, somebody gives them with probabilities in the
//! proportion q^γ · e^(h·equal) · e^(b·first - b·second). The sharpness γ is 1 for somebody who answers as
//! the others do, 0 for who answers whatever is asked, and negative for who says the opposite; h is the
//! tendency to call items equal, and b that to prefer the one shown first. This is an exponential family: the
//! logarithm of the likelihood is concave, and its statistics are the sum of ln q of the answers and the
//! counts of equal, first and second.

use super::answers::ScreenedAnswer;
use crate::model::softmax;

/// Sharpness γ, tendency h to equal, and b to the side shown first.
pub(super) type Traits = [f64; 3];

/// What is believed of somebody before their answers: independent normal laws.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraitPrior {
    pub(super) mean: Traits,
    pub(super) sd: Traits,
}

/// What is believed where nothing is known of the crowd: wide enough to say little.
pub(super) const VAGUE: TraitPrior = TraitPrior {
    mean: [1.0, 0.0, 0.0],
    sd: [1.5, 1.5, 1.0],
};

/// What is believed where nothing at all is: so wide that it only keeps traits finite.
pub(super) const WEAK_PRIOR: TraitPrior = TraitPrior {
    mean: [0.0; 3],
    sd: [10.0; 3],
};

/// The probabilities of the three answers of somebody with these traits.
pub(super) fn answer_probabilities(likely: [f64; 3], [gamma, h, b]: Traits) -> [f64; 3] {
    let [first, equal, second] = likely.map(f64::ln);
    softmax([gamma * first + b, gamma * equal + h, gamma * second - b])
}

/// Where the likelihood, times the belief, is highest.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraitFit {
    pub(super) traits: Traits,
    /// The logarithm of the likelihood there, and the belief's part.
    pub(super) value: f64,
    /// Minus the curvature there.
    pub(super) information: [[f64; 3]; 3],
    /// The slope there, which is 0 but for traits that are held.
    pub(super) gradient: Traits,
}

/// Fits the traits to somebody's answers; those that are held stay as the belief has them.
pub(super) fn fit(given: &[ScreenedAnswer], belief: &TraitPrior, held: [bool; 3]) -> TraitFit {
    fit_from(given, belief, held, belief.mean)
}

/// The same from traits that are near; those that are held stay as they are.
pub(super) fn fit_from(
    given: &[ScreenedAnswer],
    belief: &TraitPrior,
    held: [bool; 3],
    start: Traits,
) -> TraitFit {
    let mut traits = start;
    let mut here = slope(given, belief, traits);
    for _ in 0..50 {
        let mut information = here.information;
        let mut gradient = here.gradient;
        for which in (0..3).filter(|&which| held[which]) {
            gradient[which] = 0.0;
            information.iter_mut().for_each(|row| row[which] = 0.0);
            information[which] = [0.0; 3];
            information[which][which] = 1.0;
        }
        let step = solved(information, gradient);
        let rise: f64 = step.iter().zip(gradient).map(|(s, g)| s * g).sum();
        if rise < 1e-12 {
            break;
        }
        let mut length = 1.0;
        loop {
            let next = [0, 1, 2].map(|which| traits[which] + length * step[which]);
            let there = slope(given, belief, next);
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
    /// The information on a trait where the others are not known.
    pub(super) fn information_on(&self, which: usize) -> f64 {
        let mut unit = [0.0; 3];
        unit[which] = 1.0;
        1.0 / solved(self.information, unit)[which]
    }
}

struct TraitLogPosterior {
    value: f64,
    gradient: [f64; 3],
    information: [[f64; 3]; 3],
}

fn slope(given: &[ScreenedAnswer], belief: &TraitPrior, traits: Traits) -> TraitLogPosterior {
    let mut here = TraitLogPosterior {
        value: 0.0,
        gradient: [0.0; 3],
        information: [[0.0; 3]; 3],
    };
    let believed = traits.iter().zip(belief.mean).zip(belief.sd);
    for (which, ((&own, mean), sd)) in believed.enumerate() {
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
        // What the three traits multiply, for each of the answers.
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

/// The solution of three equations with a positive definite matrix.
fn solved(m: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    let cofactor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    [0, 1, 2].map(|i| (0..3).map(|j| cofactor(j, i) * right[j]).sum::<f64>() / determinant)
}
