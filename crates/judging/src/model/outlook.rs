//! What is known of a list while more votes are on their way.

use std::collections::HashMap;

use partita_core::Item;

use super::davidson::{Davidson, MANY, PairWeights, Worths};
use crate::list_votes::ListVotes;

/// The worths of a list, how unsure they are, and how much less so after votes that are yet to come.
///
/// What a vote says of a difference of worths depends on the difference and hardly on the answer, so
/// that its effect on the variances is known before it is there: with f the information of a vote on
/// the pair (i, j), every variance v of a difference (k, l) falls by f c²/(1 + f vᵢⱼ), where c is the
/// covariance of the two differences. Pairs can so be chosen one after the other, each beside all
/// that were chosen before and are not answered yet.
pub(crate) struct Outlook {
    worths: Worths,
    unsure: Unsure,
}

/// How unsure worths are.
enum Unsure {
    /// The covariance of all worths, row by row.
    Whole(Vec<f64>),
    /// Of many items only what their own votes say of each: the curvature at its worth, and between
    /// two items that were compared. The variance of a difference is that of the two with all other
    /// worths held where they are, which is too small, about equally so for all.
    Own {
        curvature: Vec<f64>,
        between: HashMap<(usize, usize), f64>,
    },
}

impl Outlook {
    /// What these votes say, with the scale of worths estimated.
    pub(crate) fn of(votes: &ListVotes) -> Self {
        let n = votes.items();
        if n < MANY {
            let fit = Davidson::default().fit(votes);
            return Self {
                worths: Worths::of(&fit),
                unsure: Unsure::Whole(fit.covariance),
            };
        }
        let pairs = PairWeights::of(votes);
        let (worths, curvature) = Worths::of_many(n, &pairs);
        let between = pairs.iter().zip(&curvature.weights);
        Self {
            worths,
            unsure: Unsure::Own {
                between: between
                    .map(|(pair, &weight)| ((pair.a.min(pair.b), pair.a.max(pair.b)), weight))
                    .collect(),
                curvature: curvature.diagonal,
            },
        }
    }

    /// The items from the best to the worst.
    pub(crate) fn order(&self) -> Vec<Item> {
        let n = self.worths.len();
        let mut order: Vec<Item> = (0..n).filter_map(Item::at).collect();
        let worth = |item: Item| self.worths.of_item(item);
        order.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
        order
    }

    /// What a vote on a pair says of the difference: the variance of the vote.
    pub(crate) fn information(&self, a: Item, b: Item) -> f64 {
        let [plus, _, minus] = self.worths.answers(a, b);
        plus + minus - (plus - minus).powi(2)
    }

    /// The variance of the difference of two worths.
    pub(crate) fn variance(&self, a: Item, b: Item) -> f64 {
        let (a, b) = (a.index(), b.index());
        let variance = match &self.unsure {
            Unsure::Whole(covariance) => {
                let n = self.worths.len();
                let at = |row: usize, column: usize| covariance[row * n + column];
                at(a, a) + at(b, b) - 2.0 * at(a, b)
            }
            Unsure::Own { curvature, between } => {
                let link = between.get(&(a.min(b), a.max(b))).copied().unwrap_or(0.0);
                let (x, y) = (curvature[a], curvature[b]);
                (x + y - 2.0 * link) / (x * y - link * link)
            }
        };
        variance.max(0.0)
    }

    /// One more vote on a pair is on its way.
    pub(crate) fn expect(&mut self, a: Item, b: Item) {
        let information = self.information(a, b);
        let variance = self.variance(a, b);
        let (a, b) = (a.index(), b.index());
        match &mut self.unsure {
            Unsure::Whole(covariance) => {
                let n = self.worths.len();
                let less = information / (1.0 + information * variance);
                let with: Vec<f64> = (0..n)
                    .map(|item| covariance[item * n + a] - covariance[item * n + b])
                    .collect();
                for (row, x) in covariance.chunks_exact_mut(n).zip(&with) {
                    for (cell, y) in row.iter_mut().zip(&with) {
                        *cell -= less * x * y;
                    }
                }
            }
            Unsure::Own { curvature, between } => {
                curvature[a] += information;
                curvature[b] += information;
                *between.entry((a.min(b), a.max(b))).or_insert(0.0) += information;
            }
        }
    }
}
