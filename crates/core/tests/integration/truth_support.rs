//! Rankings that tests of ground truths share.

use partita_core::AssessorRankings;
use serde_json::Value;

use crate::support::numbers;

/// Returns the rankings of one assessor per row, who gives these ranks to the items a, b, c, ...
pub(crate) fn rankings<const N: usize>(rows: &[[f64; N]]) -> AssessorRankings {
    let items: Vec<String> = ('a'..).take(N).map(String::from).collect();
    let samples: Vec<(&str, Vec<f64>)> = (items.iter().enumerate())
        .map(|(item, name)| (name.as_str(), rows.iter().map(|row| row[item]).collect()))
        .collect();
    rankings_with_samples(&samples)
}

/// Returns rankings in which each item has the given sample of ranks. The first rank of every sample
/// comes from the first assessor, and so on.
pub(crate) fn rankings_with_samples(samples: &[(&str, Vec<f64>)]) -> AssessorRankings {
    let assessors: Vec<String> = (0..100).map(|assessor| format!("p{assessor:02}")).collect();
    let entries = samples.iter().flat_map(|(item, ranks)| {
        let ranks = assessors.iter().zip(ranks);
        ranks.map(|(assessor, &rank)| (assessor.as_str(), *item, Some(rank)))
    });
    AssessorRankings::new(entries).unwrap()
}

/// Returns the rankings of a case of `aggregation.json`, which gives the ranks of each item.
pub(crate) fn fixture_rankings(case: &Value) -> AssessorRankings {
    let samples: Vec<(&str, Vec<f64>)> = (case["ranks"].as_object().unwrap().iter())
        .map(|(item, ranks)| (item.as_str(), numbers(ranks)))
        .collect();
    rankings_with_samples(&samples)
}

/// Returns the groups of names of a JSON list.
pub(crate) fn groups(value: &Value) -> Vec<Vec<&str>> {
    value.as_array().unwrap().iter().map(strings).collect()
}

/// Returns the names of a JSON list.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    let strings = value.as_array().unwrap().iter();
    strings.map(|text| text.as_str().unwrap()).collect()
}
