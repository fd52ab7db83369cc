//! What became of each batch of questions: the paper's Table 2.

use std::collections::BTreeSet;

use partita_core::{BatchRecord, Item, Preferences, QueryPreferences};
use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement::Agreement;
use crate::cost::{Price, exact};
use crate::pairs::pair_votes;
use crate::votes::Votes;

/// What became of a batch, and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
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
    /// From the first answer to the last, which is how the paper's Table 2 counts; null if it is not
    /// known when answers were given.
    pub seconds_to_completion: Option<f64>,
    /// From the first question to the last answer.
    pub seconds_since_asked: Option<f64>,
    /// The mean over the pairs of how far two people agree.
    pub agreement: Option<f64>,
    /// What was paid.
    pub cost: f64,
}

/// Every batch with its cost. Blank answers were paid for.
pub(crate) fn priced_batches(
    preferences: &Preferences,
    records: &[BatchRecord],
    price: &Price,
) -> Vec<PricedBatch> {
    let batches = batches_of(preferences).into_iter().zip(records);
    let priced = batches.map(|(batch, record)| {
        let votes = record.returned.checked_div(batch.pairs).unwrap_or(0);
        let since = |start: Option<f64>| Some(record.last? - start?);
        PricedBatch {
            name: record.name.clone(),
            blank: record.blanks,
            seconds_to_completion: since(record.first_answer),
            seconds_since_asked: since(record.first),
            cost: price.total(record.returned, votes),
            ..batch
        }
    });
    priced.collect()
}

/// What the answers alone say of each batch.
pub(crate) fn batches_of(preferences: &Preferences) -> Vec<PricedBatch> {
    let count = preferences.batches();
    let mut people: Vec<BTreeSet<Item>> = vec![BTreeSet::new(); count];
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut agreements: Vec<Vec<f64>> = vec![Vec::new(); count];
    let mut batches = vec![PricedBatch::default(); count];
    for query in preferences.queries() {
        for given in query.answers() {
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

/// All batches of a campaign, the last line of the paper's Table 2: sums, different people, and means
/// over batches.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AllBatches {
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
    /// The sum of the times to completion, if every batch has one.
    pub seconds_to_completion: Option<f64>,
    /// What they cost.
    pub cost: f64,
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

/// What became of each batch, and what it cost at this price. There is a record for each batch.
pub fn batches(preferences: &Preferences, records: &[BatchRecord], price: &Price) -> Batches {
    let priced = priced_batches(preferences, records, price);
    let queries = || preferences.queries().iter();
    let answers = queries().flat_map(|query| query.answers());
    let votes: Vec<Votes> = queries().flat_map(votes_by_name).collect();
    let agreement = Agreement::of(&votes);
    let mean_of = |of: fn(&PricedBatch) -> Option<f64>| {
        mean(&priced.iter().filter_map(of).collect::<Vec<f64>>())
    };
    let later = priced.iter().skip(1).filter(|batch| batch.assessors > 0);
    let returning = later.map(|batch| batch.returning as f64 / batch.assessors as f64);
    let all = AllBatches {
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
        cost: exact(priced.iter().map(|batch| batch.cost).sum()),
    };
    let mut coefficients = vec![Vec::new(); preferences.batches()];
    for query in queries() {
        for pair in pair_votes(query) {
            coefficients[pair.batch].push(pair.by_name(query.items()));
        }
    }
    let batches = priced.into_iter().zip(coefficients);
    let batches = batches.map(|(priced, votes)| Batch {
        priced,
        coefficients: Agreement::of(&votes),
    });
    Batches {
        batches: batches.collect(),
        all,
    }
}

fn votes_by_name(query: &QueryPreferences) -> impl Iterator<Item = Votes> {
    let pairs = pair_votes(query).into_iter();
    pairs.map(|pair| pair.by_name(query.items()))
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
