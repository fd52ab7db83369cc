//! Prediction of an assessor's answers from the answers of others.
//!
//! The probabilities of the three answers to a pair are the shares of its votes, shrunk towards
//! [Davidson's model](DavidsonModel) of all votes on the list with the weight of [`MODEL_VOTES`]
//! votes. The assessor's own answers are removed from both.

use partita_core::Preference;

use super::answers::{AssessorAnswers, ScreenedAnswer};
use crate::analysis::batches::mean;
use crate::model::{DavidsonFit, DavidsonModel, davidson_probabilities};
use crate::votes::Votes;
use crate::votes::list_votes::ListVotes;

/// Weight of Davidson's model of a list relative to the votes on a pair, as a number of votes.
/// Eight predicts other assessors' answers best in the archive of Urbano et al. (2010).
const MODEL_VOTES: f64 = 8.0;

/// Sets, for every answer, the crowd's votes on its pair and the answer probabilities predicted
/// from all of the crowd's votes, both without the assessor's own answers. Returns the mean
/// agreement of two members of the crowd on a pair; `None` if no pair has two votes.
pub(super) fn predict_answers(
    people: &mut [AssessorAnswers],
    items: &[usize],
    is_left_out: &[bool],
) -> Option<f64> {
    let mut votes: Vec<ListVotes> = items.iter().map(|&items| ListVotes::new(items)).collect();
    for (person, _) in people.iter().zip(is_left_out).filter(|(_, out)| !**out) {
        for given in &person.given {
            let [a, b] = given.shown;
            votes[given.query].add(a, b, given.answer);
        }
    }
    let model = DavidsonModel::default();
    let fits: Vec<DavidsonFit> = votes.iter().map(|votes| model.fit(votes)).collect();
    for (person, &out) in people.iter_mut().zip(is_left_out) {
        for given in &mut person.given {
            let [a, b] = given.shown;
            let all = votes[given.query].get(a, b);
            given.others = if out {
                all
            } else {
                all.without_one(given.answer)
            };
        }
        let mut rest = person.given.as_mut_slice();
        while let Some(first) = rest.first() {
            let query = first.query;
            let count = rest.iter().take_while(|given| given.query == query).count();
            let (of_query, others) = rest.split_at_mut(count);
            let differences = differences_without_answers(&fits[query], of_query, out);
            for (given, d) in of_query.iter_mut().zip(differences) {
                given.likely =
                    shrunk_probabilities(davidson_probabilities(d, fits[query].eta), given.others);
            }
            rest = others;
        }
    }
    let pairs = votes.iter().flat_map(ListVotes::pairs);
    let agreements: Vec<f64> = pairs
        .filter_map(|(_, _, votes)| votes.agreement())
        .collect();
    mean(&agreements)
}

/// Returns the predicted answer probabilities: the shares of the others' votes, shrunk towards the
/// model's probabilities.
fn shrunk_probabilities(model: [f64; 3], others: Votes) -> [f64; 3] {
    let all = f64::from(others.len()) + MODEL_VOTES;
    let of = |which: usize| (f64::from(others.counts()[which]) + MODEL_VOTES * model[which]) / all;
    [0, 1, 2].map(of)
}

/// Returns the difference in worth of each question's items, first shown minus second, fitted
/// without the assessor's own answers `given`.
///
/// This is one Newton step from the mode of all votes. The answers have gradients gᵢ and weights wᵢ
/// in the Hessian along their differences dᵢ with covariance V. Without them the differences are d
/// - (I - VW)⁻¹Vg, by Woodbury's formula.
fn differences_without_answers(
    fit: &DavidsonFit,
    given: &[ScreenedAnswer],
    is_left_out: bool,
) -> Vec<f64> {
    let worths = |of: &ScreenedAnswer| fit.worth(of.shown[0]) - fit.worth(of.shown[1]);
    let d: Vec<f64> = given.iter().map(worths).collect();
    if is_left_out {
        return d;
    }
    let covariance = |one: &ScreenedAnswer, other: &ScreenedAnswer| {
        let ([i, j], [k, l]) = (one.shown, other.shown);
        let across = fit.difference_variance(i, l) + fit.difference_variance(j, k);
        0.5 * (across - fit.difference_variance(i, k) - fit.difference_variance(j, l))
    };
    let count = given.len();
    let mut system = vec![0.0; count * count];
    let mut right = vec![0.0; count];
    for (column, (of, &d)) in given.iter().zip(&d).enumerate() {
        let [first, _, second] = davidson_probabilities(d, fit.eta);
        let mean = first - second;
        let weight = first + second - mean * mean;
        let vote = match of.answer {
            Preference::A => 1.0,
            Preference::Equal => 0.0,
            Preference::B => -1.0,
        };
        for (row, other) in given.iter().enumerate() {
            let v = covariance(other, of);
            system[row * count + column] = f64::from(u8::from(row == column)) - v * weight;
            right[row] += v * (vote - mean);
        }
    }
    solve_linear_system(&mut system, &mut right);
    d.iter().zip(right).map(|(d, by)| d - by).collect()
}

/// Solves a system of linear equations in place by Gaussian elimination with pivoting.
fn solve_linear_system(system: &mut [f64], right: &mut [f64]) {
    let n = right.len();
    for column in 0..n {
        let largest = (column..n)
            .max_by(|&a, &b| {
                let size = |row: usize| system[row * n + column].abs();
                size(a).total_cmp(&size(b))
            })
            .expect("at least one row remains");
        if largest != column {
            for place in 0..n {
                system.swap(largest * n + place, column * n + place);
            }
            right.swap(largest, column);
        }
        // The pivot is nearly 0 if the assessor gave nearly all votes on a list, because little
        // evidence remains without them. A lower bound avoids dividing by 0.
        let pivot = system[column * n + column];
        let pivot = if pivot.abs() < MIN_PIVOT {
            MIN_PIVOT
        } else {
            pivot
        };
        for row in column + 1..n {
            let factor = system[row * n + column] / pivot;
            if factor != 0.0 {
                for place in column..n {
                    system[row * n + place] -= factor * system[column * n + place];
                }
                right[row] -= factor * right[column];
            }
        }
        system[column * n + column] = pivot;
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n)
            .map(|place| system[row * n + place] * right[place])
            .sum();
        right[row] = (right[row] - known) / system[row * n + row];
    }
}

/// Lower bound of a pivot's absolute value in Gaussian elimination.
const MIN_PIVOT: f64 = 0.05;
