//! What became of each batch of questions: the paper's Table 2.

use std::collections::BTreeSet;

use partita_core::{BatchRecord, Item, Preferences};
use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement::Agreement;
use crate::cost::{Price, exact};
use crate::pairs::pair_votes;
use crate::votes::Votes;

/// What became of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchSummary {
    /// The pairs that were first asked in it.
    pub pairs: usize,
    /// The answers that count.
    pub answers: usize,
    /// The people who answered.
    pub assessors: usize,
    /// Those of them who had answered in an earlier batch.
    pub returning: usize,
    /// The median of the seconds that an answer took, if they are known.
    pub median_seconds: Option<f64>,
    /// The mean over the pairs of how far two people agree ([`Votes::agreement`](crate::Votes::agreement)).
    pub agreement: Option<f64>,
}

/// What became of each batch.
///
/// ```
/// use partita_core::{Answer, Given, Preferences};
/// use partita_judging::summarise_batches;
///
/// let mut preferences = Preferences::new();
/// for (batch, who) in [(0, "ann"), (0, "bob"), (1, "bob")] {
///     let pair = ["x", "y"][batch];
///     let given = Given::new("q", pair, "z", who, Answer::A);
///     preferences.add(Given { batch, seconds: Some(10.0), ..given })?;
/// }
/// let batches = summarise_batches(&preferences);
/// assert_eq!((batches[0].pairs, batches[0].assessors, batches[0].agreement), (1, 2, Some(1.0)));
/// assert_eq!((batches[1].assessors, batches[1].returning), (1, 1));
/// # Ok::<(), partita_core::PreferenceError>(())
/// ```
pub fn summarise_batches(preferences: &Preferences) -> Vec<BatchSummary> {
    let count = preferences.batches();
    let mut people: Vec<BTreeSet<Item>> = vec![BTreeSet::new(); count];
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut answers = vec![0; count];
    let mut pairs = vec![0; count];
    let mut agreements: Vec<Vec<f64>> = vec![Vec::new(); count];
    for query in preferences.queries() {
        for given in query.answers() {
            people[given.batch].insert(given.assessor);
            seconds[given.batch].extend(given.seconds);
            answers[given.batch] += 1;
        }
        for pair in pair_votes(query) {
            pairs[pair.batch] += 1;
            agreements[pair.batch].extend(pair.votes.agreement());
        }
    }
    let mut known: BTreeSet<Item> = BTreeSet::new();
    let mut summaries = Vec::with_capacity(count);
    for batch in 0..count {
        let returning = people[batch].intersection(&known).count();
        known.extend(&people[batch]);
        summaries.push(BatchSummary {
            pairs: pairs[batch],
            answers: answers[batch],
            assessors: people[batch].len(),
            returning,
            median_seconds: median(std::mem::take(&mut seconds[batch])),
            agreement: mean(&agreements[batch]),
        });
    }
    summaries
}

/// What became of a batch, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PricedBatch {
    /// Its number, counted from 1.
    pub batch: usize,
    /// What it is called.
    pub name: String,
    /// The pairs that were first asked in it.
    pub pairs: usize,
    /// The answers that count.
    pub answers: usize,
    /// The answers that were blank.
    pub blank: usize,
    /// The people who answered.
    pub assessors: usize,
    /// Those of them who had answered in an earlier batch.
    pub returning: usize,
    /// The median of the seconds that an answer took, if they are known.
    pub median_seconds: Option<f64>,
    /// From the first answer to the last, which is how the paper's Table 2 counts.
    pub seconds_to_completion: Option<f64>,
    /// From the first question to the last answer.
    pub seconds_since_asked: Option<f64>,
    /// The mean over the pairs of how far two people agree.
    pub agreement: Option<f64>,
    /// What was paid.
    pub cost: f64,
}

/// Every batch with its cost. Blank answers were paid for.
pub fn priced_batches(
    preferences: &Preferences,
    records: &[BatchRecord],
    price: &Price,
) -> Vec<PricedBatch> {
    let summaries = summarise_batches(preferences).into_iter().zip(records);
    let priced = (1..).zip(summaries).map(|(batch, (summary, record))| {
        let votes = record.returned.checked_div(summary.pairs).unwrap_or(0);
        let since = |start: Option<f64>| Some(record.last? - start?);
        PricedBatch {
            batch,
            name: record.name.clone(),
            pairs: summary.pairs,
            answers: summary.answers,
            blank: record.blanks,
            assessors: summary.assessors,
            returning: summary.returning,
            median_seconds: summary.median_seconds,
            seconds_to_completion: since(record.first_answer),
            seconds_since_asked: since(record.first),
            agreement: summary.agreement,
            cost: price.total(record.returned, votes),
        }
    });
    priced.collect()
}

/// How far people agree on the pairs of each batch, by every coefficient.
pub fn batch_agreements(preferences: &Preferences) -> Vec<Agreement> {
    let mut votes: Vec<Vec<Votes>> = vec![Vec::new(); preferences.batches()];
    for query in preferences.queries() {
        for pair in pair_votes(query) {
            votes[pair.batch].push(pair.by_name(query.items()));
        }
    }
    votes.iter().map(|votes| Agreement::of(votes)).collect()
}

/// What became of all batches: the last line of the paper's Table 2.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignSummary {
    /// The pairs.
    pub pairs: usize,
    /// The answers that count.
    pub answers: usize,
    /// The people.
    pub assessors: usize,
    /// The mean over the batches but the first of the share of people who had answered before: the
    /// paper's 55%.
    #[serde(rename = "mean_returning")]
    pub returning: Option<f64>,
    /// The mean of the median seconds of the batches: the paper's 21.75.
    pub mean_of_median_seconds: Option<f64>,
    /// The median of the seconds of all answers.
    pub median_seconds: Option<f64>,
    /// The mean of the agreement of the batches: the paper's 0.664.
    pub agreement_of_batches: Option<f64>,
    /// The mean agreement of all pairs.
    pub agreement_of_pairs: Option<f64>,
    /// How far people agree on all pairs.
    #[serde(rename = "coefficients")]
    pub agreement: Agreement,
}

/// What became of all batches.
pub fn summarise_campaign(preferences: &Preferences) -> CampaignSummary {
    let batches = summarise_batches(preferences);
    let later = batches.iter().skip(1).filter(|batch| batch.assessors > 0);
    let returning: Vec<f64> = later
        .map(|batch| batch.returning as f64 / batch.assessors as f64)
        .collect();
    let medians: Vec<f64> = batches.iter().filter_map(|b| b.median_seconds).collect();
    let agreements: Vec<f64> = batches.iter().filter_map(|b| b.agreement).collect();
    let answers = || {
        preferences
            .queries()
            .iter()
            .flat_map(|query| query.answers())
    };
    let votes: Vec<Votes> = (preferences.queries().iter())
        .flat_map(|query| {
            let pairs = pair_votes(query).into_iter();
            pairs.map(|pair| pair.by_name(query.items()))
        })
        .collect();
    let agreement = Agreement::of(&votes);
    CampaignSummary {
        pairs: votes.len(),
        answers: preferences.len(),
        assessors: preferences.assessors().len(),
        returning: mean(&returning),
        mean_of_median_seconds: mean(&medians),
        median_seconds: median(answers().filter_map(|given| given.seconds).collect()),
        agreement_of_batches: mean(&agreements),
        agreement_of_pairs: agreement.score,
        agreement,
    }
}

/// A batch with its cost, and how far people agree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Batch {
    /// What became of it, and what it cost.
    #[serde(flatten)]
    pub priced: PricedBatch,
    /// How far people agree on its pairs.
    pub coefficients: Agreement,
}

/// The batches of a campaign: the paper's Table 2.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Batches {
    /// Each batch.
    pub batches: Vec<Batch>,
    /// All of them.
    pub all: AllBatches,
}

/// All batches of a campaign: sums, different people, and means over batches.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AllBatches {
    /// What became of them.
    #[serde(flatten)]
    pub summary: CampaignSummary,
    /// The sum of the times to completion, if every batch has one.
    pub seconds_to_completion: Option<f64>,
    /// What they cost.
    pub cost: f64,
}

/// What became of each batch, and what it cost at this price. There is a record for each batch.
pub fn batches(preferences: &Preferences, records: &[BatchRecord], price: &Price) -> Batches {
    let priced = priced_batches(preferences, records, price).into_iter();
    let all = AllBatches {
        summary: summarise_campaign(preferences),
        seconds_to_completion: priced.clone().map(|b| b.seconds_to_completion).sum(),
        cost: exact(priced.clone().map(|batch| batch.cost).sum()),
    };
    let batches = priced.zip(batch_agreements(preferences));
    let batches = batches.map(|(priced, coefficients)| Batch {
        priced,
        coefficients,
    });
    Batches {
        batches: batches.collect(),
        all,
    }
}

/// The median of numbers; `None` of none.
pub(crate) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let above = *numbers.get(numbers.len() / 2)?;
    let below = numbers[(numbers.len() - 1) / 2];
    Some(below + (above - below) / 2.0)
}

/// The mean of numbers; `None` of none. They are added up by size, so that their order changes
/// nothing.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| sorted.iter().sum::<f64>() / sorted.len() as f64)
}
