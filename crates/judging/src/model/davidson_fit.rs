//! Fitted worths of the items of a list, and probabilities that follow from them.

use partita_core::Item;

/// Fit of Davidson's model to the votes on a list. Methods panic if an item is not in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct DavidsonFit {
    /// Worth of each item, by item number.
    pub(super) worths: Vec<f64>,
    /// Tie parameter η: log odds of an equal vote against a vote for one of the items, if both have
    /// the same worth.
    pub eta: f64,
    /// Posterior covariance of the worths, row by row; empty if it was not computed.
    pub(super) covariance: Vec<f64>,
    /// Scale: prior standard deviation of the worths.
    pub scale: f64,
}

/// Returns the probabilities of a vote for a, equal, or b if a's worth exceeds b's by d (Davidson
/// 1970).
pub(crate) fn davidson_probabilities(d: f64, eta: f64) -> [f64; 3] {
    softmax([d, eta, -d])
}

/// Returns the softmax: probabilities proportional to e raised to each exponent.
pub(crate) fn softmax(exponents: [f64; 3]) -> [f64; 3] {
    // Subtract the largest exponent, so that none overflows.
    let top = exponents.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let weights = exponents.map(|exponent| (exponent - top).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Returns the mean of a function of a standard normal variable, by Gauss-Hermite quadrature with
/// five nodes.
pub(crate) fn normal_mean(value: impl Fn(f64) -> f64) -> f64 {
    /// Quadrature nodes with their weights.
    const NODES: [(f64, f64); 5] = [
        (-2.856_970_013_872_806, 0.011_257_411_327_720_69),
        (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
        (0.0, 0.533_333_333_333_333_3),
        (1.355_626_179_974_266, 0.222_075_922_005_612_6),
        (2.856_970_013_872_806, 0.011_257_411_327_720_69),
    ];
    NODES.map(|(z, weight)| weight * value(z)).iter().sum()
}

impl DavidsonFit {
    /// Returns the fitted worth of an item.
    pub fn worth(&self, item: Item) -> f64 {
        self.worths[item.index()]
    }

    /// Returns the items from highest to lowest worth.
    pub fn order(&self) -> Vec<Item> {
        let mut order: Vec<Item> = (0..self.worths.len())
            .filter_map(Item::from_index)
            .collect();
        order.sort_by(|&a, &b| self.worth(b).total_cmp(&self.worth(a)).then(a.cmp(&b)));
        order
    }

    /// Returns the posterior variance of the difference of two items' worths.
    pub fn difference_variance(&self, a: Item, b: Item) -> f64 {
        let n = self.worths.len();
        let at = |row: Item, column: Item| self.covariance[row.index() * n + column.index()];
        (at(a, a) + at(b, b) - 2.0 * at(a, b)).max(0.0)
    }

    /// Returns the posterior probability that the worth of a exceeds that of b by more than `by`.
    pub fn order_probability(&self, a: Item, b: Item, by: f64) -> f64 {
        let (d, v) = (
            self.worth(a) - self.worth(b) - by,
            self.difference_variance(a, b),
        );
        match v {
            0.0 => f64::from(u8::from(d > 0.0)),
            v => partita_stats::distribution::normal::cdf(d / v.sqrt()),
        }
    }

    /// Returns the probabilities that the next vote on the pair (a, b) is for a, equal, or b.
    pub fn vote_probabilities(&self, a: Item, b: Item) -> [f64; 3] {
        davidson_probabilities(self.worth(a) - self.worth(b), self.eta)
    }

    /// Returns the expected mean vote on a pair, where a vote is 1 for a, 0 for equal and -1 for b,
    /// averaged over the posterior of the difference in worth.
    pub fn mean_vote(&self, a: Item, b: Item) -> f64 {
        let (d, sd) = (
            self.worth(a) - self.worth(b),
            self.difference_variance(a, b).sqrt(),
        );
        normal_mean(|z| {
            let [plus, _, minus] = davidson_probabilities(d + z * sd, self.eta);
            plus - minus
        })
    }

    /// Returns the difference in worth of two items at which the mean vote on them, from -1 to 1,
    /// is `mean`.
    ///
    /// # Panics
    /// Panics unless `mean` is at least 0 and below 1.
    pub fn difference_for_mean_vote(&self, mean: f64) -> f64 {
        assert!((0.0..1.0).contains(&mean));
        // The mean vote is m = (x - 1/x)/(x + 1/x + t) with x = e^d and t = e^η, so x solves
        // (1 - m)x² - mtx - (1 + m) = 0.
        let tie = self.eta.exp();
        let (a, b, c) = (1.0 - mean, -mean * tie, -(1.0 + mean));
        ((-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)).ln()
    }
}
