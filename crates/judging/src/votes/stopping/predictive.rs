//! Predictive stopping: stops when the decision of the target number of votes is nearly certain.
//!
//! The shares of the three answers have a uniform prior, so the remaining votes follow the
//! Dirichlet-multinomial distribution with parameters one more than the votes so far (Pólya's urn).
//! The probability of an outcome is the sum over all completions that lead to it.

use super::completions;
use crate::votes::Votes;
use crate::votes::relation::Relation;

/// Returns the decision on a pair that `wanted` votes give with a probability of at least
/// `confidence`, if there is one.
pub(super) fn decide(
    votes: Votes,
    wanted: u32,
    mut rule: impl FnMut(Votes) -> Relation,
    confidence: f64,
) -> Option<Relation> {
    let mut likely = [0.0; 3];
    for (more, all) in completions(votes, wanted) {
        likely[rule(all) as usize] += completion_probability(votes, more);
    }
    // The tolerance covers rounding if the outcome is certain and `confidence` is 1.
    let sure = |&outcome: &Relation| likely[outcome as usize] >= confidence - 1e-12;
    Relation::ALL.into_iter().find(sure)
}

/// Returns the posterior predictive probability of the additional votes `more`, in any order, given
/// `votes`.
fn completion_probability(votes: Votes, more: Votes) -> f64 {
    // Dirichlet-multinomial probability Π C(kᵢ + xᵢ, xᵢ) / C(n + 2 + m, m), where kᵢ of n votes so
    // far and xᵢ of m additional votes give answer i.
    let ways = binomial(votes.a + more.a, more.a)
        * binomial(votes.equal + more.equal, more.equal)
        * binomial(votes.b + more.b, more.b);
    ways / binomial(votes.len() + 2 + more.len(), more.len())
}

/// Returns the binomial coefficient n over k.
fn binomial(n: u32, k: u32) -> f64 {
    (1..=k).fold(1.0, |ways, i| ways * f64::from(n - k + i) / f64::from(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_probabilities_sum_to_one() {
        let votes = Votes {
            a: 3,
            equal: 1,
            b: 2,
        };
        let all: f64 = completions(votes, 10)
            .map(|(more, _)| completion_probability(votes, more))
            .sum();
        assert!((all - 1.0).abs() < 1e-12);
        // The next vote is for a with probability (3 + 1)/(6 + 3).
        let next = Votes {
            a: 1,
            ..Votes::default()
        };
        assert!((completion_probability(votes, next) - 4.0 / 9.0).abs() < 1e-12);
    }
}
