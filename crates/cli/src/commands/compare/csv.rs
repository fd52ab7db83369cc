//! A row a pair.

use csv::Writer;
use partita_core::compare::Comparison;

use super::words::better;
use crate::failure::Failure;

const HEADER: [&str; 18] = [
    "measure",
    "a",
    "b",
    "difference",
    "lower",
    "upper",
    "d",
    "a12",
    "wins",
    "ties",
    "losses",
    "mean_rank_difference",
    "p",
    "p_adjusted",
    "significant",
    "better",
    "equivalent",
    "test",
];

pub(super) fn print(comparisons: &[Comparison]) -> Result<String, Failure> {
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(HEADER).map_err(Failure::ours)?;
    for comparison in comparisons {
        for pair in &comparison.pairs {
            let name = |system: usize| comparison.systems[system].name.clone();
            let row = [
                comparison.measure.clone(),
                name(pair.a),
                name(pair.b),
                pair.difference.to_string(),
                number(pair.interval.map(|(lower, _)| lower)),
                number(pair.interval.map(|(_, upper)| upper)),
                number(pair.d),
                pair.a12.to_string(),
                pair.wins.to_string(),
                pair.ties.to_string(),
                pair.losses.to_string(),
                pair.mean_rank_difference.to_string(),
                pair.p.to_string(),
                pair.p_adjusted.to_string(),
                pair.significant.to_string(),
                better(comparison, pair).unwrap_or_default().to_owned(),
                pair.equivalent.map(|e| e.to_string()).unwrap_or_default(),
                comparison.test.name.to_owned(),
            ];
            writer.write_record(&row).map_err(Failure::ours)?;
        }
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}
