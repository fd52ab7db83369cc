//! Predictive stopping: the outcome of all votes is nearly certain.
//!
//! The three answers have unknown shares with a uniform prior, so that the votes still to come
//! follow the Dirichlet-multinomial law with parameters one more than the votes so far (Pólya's
//! urn). An outcome is as likely as all completions together that lead to it.

use super::completions;
use crate::votes::Votes;
use crate::votes::relation::Relation;

pub(super) fn decide(
    votes: Votes,
    wanted: u32,
    mut rule: impl FnMut(Votes) -> Relation,
    confidence: f64,
) -> Option<Relation> {
    let mut likely = [0.0; 3];
    for (more, all) in completions(votes, wanted) {
        likely[rule(all) as usize] += probability(votes, more);
    }
    // A certain outcome is one whatever the rounding of the sum.
    let sure = |&outcome: &Relation| likely[outcome as usize] >= confidence - 1e-12;
    Relation::ALL.into_iter().find(sure)
}

/// The probability of these votes after those, in any order.
fn probability(votes: Votes, more: Votes) -> f64 {
    // Π C(kᵢ + xᵢ, xᵢ) / C(n + 2 + m, m) for kᵢ votes so far, xᵢ more of n and m in all.
    let ways = choose(votes.a + more.a, more.a)
        * choose(votes.equal + more.equal, more.equal)
        * choose(votes.b + more.b, more.b);
    ways / choose(votes.len() + 2 + more.len(), more.len())
}

fn choose(n: u32, k: u32) -> f64 {
    (1..=k).fold(1.0, |ways, i| ways * f64::from(n - k + i) / f64::from(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_of_all_completions_add_up_to_one() {
        let votes = Votes {
            a: 3,
            equal: 1,
            b: 2,
        };
        let all: f64 = completions(votes, 10)
            .map(|(more, _)| probability(votes, more))
            .sum();
        assert!((all - 1.0).abs() < 1e-12);
        // The next vote is for a with probability (3 + 1)/(6 + 3).
        let next = Votes {
            a: 1,
            ..Votes::default()
        };
        assert!((probability(votes, next) - 4.0 / 9.0).abs() < 1e-12);
    }
}
