//! Summary of each batch of questions, as in Table 2 of Urbano et al. (2010).

use std::collections::BTreeSet;

use partita_core::{BatchRecord, Item, Preferences, QueryPreferences};
use schemars::JsonSchema;
use serde::Serialize;

use super::agreement::AgreementCoefficients;
use super::price::{Currency, Price, round_to_nano};
use crate::votes::Votes;
use crate::votes::pair_votes::pair_votes;

/// Counts of pairs, answers and assessors, response times, agreement and cost of a batch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct BatchSummary {
    /// Batch number, counted from 1.
    pub batch: usize,
    /// Batch name.
    pub name: String,
    /// Number of pairs first asked in this batch.
    pub pairs: usize,
    /// Number of answers to the batch that count as votes.
    pub answers: usize,
    /// Number of blank answers: questions of the batch that were returned without a choice.
    pub blank: usize,
    /// Number of assessors who answered in the batch.
    pub assessors: usize,
    /// Number of assessors of the batch who had also answered in an earlier batch.
    pub returning: usize,
    /// Median of the known response times of the batch's answers in seconds; null if none is known.
    pub median_seconds: Option<f64>,
    /// Seconds from the first answer of the batch to the last, as in Table 2 of Urbano et al.
    /// (2010); null if the times of the answers are unknown.
    pub seconds_to_completion: Option<f64>,
    /// Seconds from the first question of the batch to its last answer; null if unknown.
    pub seconds_since_asked: Option<f64>,
    /// Mean agreement of two assessors on a pair, averaged over the pairs of the batch with two or
    /// more answers; null if there are none.
    pub agreement: Option<f64>,
    /// Amount paid for all answers of the batch, blank ones included; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Returns the summary of every batch that has a record, with its cost. Blank answers are paid for.
pub(crate) fn summarise_priced_batches(
    preferences: &Preferences,
    records: &[BatchRecord],
    price: Option<&Price>,
) -> Vec<BatchSummary> {
    let batches = summarise_batches(preferences).into_iter().zip(records);
    let priced = batches.map(|(batch, record)| {
        let votes = record.rows.checked_div(batch.pairs).unwrap_or(0);
        let since = |start: Option<f64>| Some(record.last_answered_at? - start?);
        BatchSummary {
            name: record.name.clone(),
            blank: record.blanks,
            seconds_to_completion: since(record.first_answered_at),
            seconds_since_asked: since(record.first_asked_at),
            cost: price.map(|price| price.rounded_cost(record.rows, votes)),
            ..batch
        }
    });
    priced.collect()
}

/// Returns the summary of each batch without the fields that come from its record: name, blank
/// answers, duration and cost.
pub(crate) fn summarise_batches(preferences: &Preferences) -> Vec<BatchSummary> {
    let count = preferences.batches();
    let mut people: Vec<BTreeSet<Item>> = vec![BTreeSet::new(); count];
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut agreements: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut batches = vec![BatchSummary::default(); count];
    for query in preferences.queries() {
        for given in query.votes() {
            people[given.batch].insert(given.assessor);
            seconds[given.batch].extend(given.seconds);
            batches[given.batch].answers += 1;
        }
        for pair in pair_votes(query) {
            batches[pair.batch].pairs += 1;
            agreements[pair.batch].extend(pair.votes.agreement());
        }
    }
    let mut known: BTreeSet<Item> = BTreeSet::new();
    for (number, batch) in batches.iter_mut().enumerate() {
        batch.batch = number + 1;
        batch.assessors = people[number].len();
        batch.returning = people[number].intersection(&known).count();
        known.extend(&people[number]);
        batch.median_seconds = median(std::mem::take(&mut seconds[number]));
        batch.agreement = mean(&agreements[number]);
    }
    batches
}

/// Totals of all batches of a campaign, the last line of Table 2 of Urbano et al. (2010): sums,
/// distinct assessors, and means over batches.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BatchTotals {
    /// Number of pairs asked in all batches.
    pub pairs: usize,
    /// Number of answers in all batches that count as votes.
    pub answers: usize,
    /// Number of distinct assessors in all batches.
    pub assessors: usize,
    /// Share of a batch's assessors who had answered in an earlier batch, averaged over all batches
    /// with answers except the first batch (55% in Urbano et al. 2010); null if there are none.
    #[serde(rename = "mean_returning")]
    pub returning: Option<f64>,
    /// Mean of the batches' median response times in seconds (21.75 in Urbano et al. 2010); null if
    /// no response time is known.
    pub mean_of_median_seconds: Option<f64>,
    /// Median of the known response times of all answers in seconds; null if none is known.
    pub median_seconds: Option<f64>,
    /// Mean of the batches' agreement between assessors (0.664 in Urbano et al. 2010); null if no
    /// pair has two answers.
    pub agreement_of_batches: Option<f64>,
    /// Mean agreement of two assessors on a pair, averaged over all pairs with two or more answers;
    /// null if there are none.
    pub agreement_of_pairs: Option<f64>,
    /// Agreement coefficients between assessors, over all pairs.
    #[serde(rename = "coefficients")]
    pub agreement: AgreementCoefficients,
    /// Sum over the batches of the seconds from first to last answer; null if one is unknown.
    pub seconds_to_completion: Option<f64>,
    /// Total amount paid for the answers of all batches; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Summary of a batch with its agreement coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BatchReport {
    /// Counts, times, mean agreement and cost of the batch.
    #[serde(flatten)]
    pub priced: BatchSummary,
    /// Agreement coefficients between assessors, over the pairs of the batch.
    pub coefficients: AgreementCoefficients,
}

/// Report on the batches of a campaign, as in Table 2 of Urbano et al. (2010).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BatchesReport {
    /// One report per batch.
    pub batches: Vec<BatchReport>,
    /// Totals of all batches.
    pub all: BatchTotals,
    /// Currency of the costs, if the price names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

/// Reports on each batch, with its cost if there is a price. `records` must have an entry for each
/// batch.
pub fn report_batches(
    preferences: &Preferences,
    records: &[BatchRecord],
    price: Option<&Price>,
) -> BatchesReport {
    let priced = summarise_priced_batches(preferences, records, price);
    let queries = || preferences.queries().iter();
    let answers = queries().flat_map(partita_core::QueryPreferences::votes);
    let votes: Vec<Votes> = queries().flat_map(votes_by_name).collect();
    let agreement = AgreementCoefficients::from_votes(&votes);
    let mean_of = |of: fn(&BatchSummary) -> Option<f64>| {
        mean(&priced.iter().filter_map(of).collect::<Vec<f64>>())
    };
    let later = priced.iter().skip(1).filter(|batch| batch.assessors > 0);
    let returning = later.map(|batch| batch.returning as f64 / batch.assessors as f64);
    let all = BatchTotals {
        pairs: votes.len(),
        answers: preferences.len(),
        assessors: preferences.assessors().len(),
        returning: mean(&returning.collect::<Vec<f64>>()),
        mean_of_median_seconds: mean_of(|batch| batch.median_seconds),
        median_seconds: median(answers.filter_map(|given| given.seconds).collect()),
        agreement_of_batches: mean_of(|batch| batch.agreement),
        agreement_of_pairs: agreement.score,
        agreement,
        seconds_to_completion: priced.iter().map(|b| b.seconds_to_completion).sum(),
        cost: price.map(|_| round_to_nano(priced.iter().filter_map(|batch| batch.cost).sum())),
    };
    let mut coefficients = vec![Vec::new(); preferences.batches()];
    for query in queries() {
        for pair in pair_votes(query) {
            coefficients[pair.batch].push(pair.votes_by_name(query.items()));
        }
    }
    let batches = priced.into_iter().zip(coefficients);
    let batches = batches.map(|(priced, votes)| BatchReport {
        priced,
        coefficients: AgreementCoefficients::from_votes(&votes),
    });
    BatchesReport {
        batches: batches.collect(),
        all,
        currency: price.and_then(|price| price.currency),
    }
}

/// Returns the votes on each pair, with a as the item whose name sorts first.
fn votes_by_name(query: &QueryPreferences) -> impl Iterator<Item = Votes> {
    let pairs = pair_votes(query).into_iter();
    pairs.map(|pair| pair.votes_by_name(query.items()))
}

/// Returns the median of `numbers`, or `None` if there are none.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let above = *numbers.get(numbers.len() / 2)?;
    let below = numbers[(numbers.len() - 1) / 2];
    Some(below + (above - below) / 2.0)
}

/// Returns the mean of `numbers`, or `None` if there are none. They are added in ascending order,
/// so that their given order does not change the rounding of the result.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| sorted.iter().sum::<f64>() / sorted.len() as f64)
}
