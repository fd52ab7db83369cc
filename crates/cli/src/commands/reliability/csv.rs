//! A row for each measure, test and size.

use csv::Writer;

use super::ReliabilityArgs;
use super::studied::Measured;
use crate::failure::Failure;

const HEADER: [&str; 29] = [
    "measure",
    "test",
    "alpha",
    "correction",
    "size",
    "trials",
    "seed",
    "power",
    "power_error",
    "lack_of_power",
    "swap",
    "significant_swap",
    "conflicts",
    "conflicts_error",
    "exclusive_or",
    "stable",
    "mirror_lack_of_power",
    "mirror_swap",
    "own_swap",
    "swaps_of_conflicts",
    "against_mean",
    "missed",
    "missed_deviation",
    "fewest_missed",
    "most_missed",
    "nothing_missed",
    "more",
    "reversed",
    "best_trial",
];

pub(super) fn print(args: &ReliabilityArgs, studied: &[Measured]) -> Result<String, Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(HEADER).map_err(Failure::ours)?;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for measured in studied {
        for tested in &measured.tests {
            for (size, shares) in &tested.sizes {
                let stability = shares.stability.as_ref();
                let subset = &shares.subset;
                let row = [
                    measured.scores.measure().to_owned(),
                    tested.test.name().to_owned(),
                    tested.test.alpha().to_string(),
                    tested.test.correction().unwrap_or_default().to_owned(),
                    size.to_string(),
                    shares.trials.to_string(),
                    args.seed.to_string(),
                    shares.power.to_string(),
                    number(shares.power_error),
                    number(stability.map(|s| s.lack_of_power)),
                    number(stability.map(|s| s.swap)),
                    number(stability.map(|s| s.significant_swap)),
                    number(stability.map(|s| s.conflicts)),
                    number(stability.and_then(|s| s.conflicts_error)),
                    number(stability.map(|s| s.exclusive_or)),
                    number(stability.map(|s| s.stable)),
                    number(stability.map(|s| s.mirror[0])),
                    number(stability.map(|s| s.mirror[1])),
                    number(stability.map(|s| s.own_swap)),
                    number(stability.and_then(|s| s.swaps_of_conflicts)),
                    shares.against_mean.to_string(),
                    subset.missed.to_string(),
                    number(subset.missed_deviation),
                    subset.fewest_missed.to_string(),
                    subset.most_missed.to_string(),
                    subset.nothing_missed.to_string(),
                    subset.more.to_string(),
                    subset.reversed.to_string(),
                    subset.best_trial.to_string(),
                ];
                writer.write_record(&row).map_err(Failure::ours)?;
            }
        }
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}
