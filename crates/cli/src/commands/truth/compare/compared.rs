//! Queries of two ground truths, compared.

use partita_core::difference::{Difference, PairRelations, difference};
use partita_core::evaluation::mean;
use partita_core::measure::Range;
use partita_core::truth::{Likeness, Rbo, SampledAdr, as_result, likeness, sampled_adr};
use partita_core::{GroundTruth, Judged};
use partita_formats::{Source, Warning};
use rayon::prelude::*;

use super::CompareArgs;
use crate::failure::Failure;

/// A query that is in both ground truths.
pub(super) struct Query {
    pub(super) name: String,
    /// The number of items in the first and in the second list.
    pub(super) items: [usize; 2],
    pub(super) likeness: Likeness,
    pub(super) difference: Difference,
}

impl Query {
    /// ADR of the second list by the first, and of the first by the second.
    pub(super) fn adr(&self) -> [Option<Range>; 2] {
        [self.likeness.second_by_first, self.likeness.first_by_second]
    }

    /// What there is to count of the difference, with its names.
    pub(super) fn counts(&self) -> [(&'static str, u64); 3] {
        let difference = &self.difference;
        [
            ("splits", difference.splits().count() as u64),
            ("merges", difference.merges().count() as u64),
            ("moved", difference.moved().count() as u64),
        ]
    }
}

/// The numbers of pairs by what became of them, with their names.
pub(super) fn relations(pairs: PairRelations) -> [(&'static str, u64); 4] {
    [
        ("same", pairs.same),
        ("tied_in_first_only", pairs.tied_in_first_only),
        ("tied_in_second_only", pairs.tied_in_second_only),
        ("reversed", pairs.reversed),
    ]
}

/// All that was compared.
pub(super) struct Compared {
    /// What the two ground truths are called.
    pub(super) names: [String; 2],
    pub(super) queries: Vec<Query>,
    /// By random orders: the second by the first, and the first by the second.
    pub(super) sampled: [Option<SampledAdr>; 2],
}

impl Compared {
    /// The means over the queries of the minima, means and maxima of ADR.
    pub(super) fn mean_adr(&self) -> [Option<Range>; 2] {
        [0, 1].map(|way| {
            let part = |part: fn(&Range) -> f64| {
                let queries = self.queries.iter();
                mean(queries.map(|query| query.adr()[way].as_ref().map(part)))
            };
            Some(Range {
                min: part(|range| range.min)?,
                mean: part(|range| range.mean)?,
                max: part(|range| range.max)?,
            })
        })
    }

    /// The numbers of pairs over all queries.
    pub(super) fn all_relations(&self) -> [(&'static str, u64); 4] {
        let mut all = relations(PairRelations::default());
        for query in &self.queries {
            for (sum, (_, count)) in all.iter_mut().zip(relations(query.difference.pairs)) {
                sum.1 += count;
            }
        }
        all
    }

    pub(super) fn mean_tau(&self) -> Option<f64> {
        mean(
            self.queries
                .iter()
                .map(|query| query.likeness.tau.map(|tau| tau.tau)),
        )
    }

    pub(super) fn mean_rbo(&self) -> Option<f64> {
        mean(self.queries.iter().map(|query| query.likeness.rbo))
    }
}

pub(super) fn compare(
    args: &CompareArgs,
    sources: &[Source; 2],
    truths: &[GroundTruth; 2],
    rbo: Rbo,
) -> Result<(Compared, Vec<Warning>), Failure> {
    let [first, second] = truths;
    let both: Vec<(&str, &Judged, &Judged)> = first
        .iter()
        .filter_map(|(name, judged)| Some((name, judged, second.judged(second.query(name)?))))
        .collect();
    let names = [0, 1].map(|which| sources[which].name().to_owned());
    if both.is_empty() {
        let some = |truth: &GroundTruth| {
            let names: Vec<&str> = truth.iter().map(|(name, _)| name).take(5).collect();
            names.join(", ")
        };
        let message = format!("{} and {} have no query in common", names[0], names[1]);
        let hint = format!(
            "the first has {}; the second has {}",
            some(first),
            some(second)
        );
        return Err(Failure::input(message).hint(hint));
    }
    let alone = [(first, second), (second, first)].into_iter().zip(&names);
    let warnings = alone.filter_map(|((one, other), file)| only_in(one, other, file));
    let warnings = warnings.collect();
    let queries: Vec<Query> = both
        .par_iter()
        .map(|&(name, one, other)| Query {
            name: name.to_owned(),
            items: [one.list().len(), other.list().len()],
            likeness: likeness(one, other, rbo),
            difference: difference(one, other),
        })
        .collect();
    let sampled = [false, true].map(|turned| {
        let samples = args.samples?;
        let results: Vec<_> = both
            .iter()
            .map(|&(name, one, other)| match turned {
                false => (name, one, as_result(other, one)),
                true => (name, other, as_result(one, other)),
            })
            .collect();
        let queries: Vec<_> = results
            .iter()
            .map(|(name, truth, result)| (*name, *truth, result))
            .collect();
        sampled_adr(&queries, samples, args.seed)
    });
    let compared = Compared {
        names,
        queries,
        sampled,
    };
    Ok((compared, warnings))
}

/// Says which queries only one of two ground truths has.
fn only_in(one: &GroundTruth, other: &GroundTruth, file: &str) -> Option<Warning> {
    let alone = one.iter().map(|(name, _)| name);
    let alone: Vec<&str> = alone.filter(|name| other.query(name).is_none()).collect();
    (!alone.is_empty()).then(|| Warning {
        file: file.to_owned(),
        line: None,
        message: format!(
            "{} queries are in this ground truth alone and are not compared: {}{}",
            alone.len(),
            alone[..alone.len().min(5)].join(", "),
            if alone.len() > 5 { ", ..." } else { "" }
        ),
    })
}
