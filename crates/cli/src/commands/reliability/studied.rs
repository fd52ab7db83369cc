//! Making the study, on as many threads as there are.

use partita_core::reliability::{Evidence, Shares, Study, Tally, TestCall};
use partita_core::{Scores, Strata};
use rayon::prelude::*;

use super::ReliabilityArgs;
use super::reading::Input;
use super::resume::Record;
use crate::failure::Failure;
use crate::progress;

/// What was found of one measure.
pub(super) struct Measured {
    pub(super) scores: Scores,
    pub(super) strata: Strata,
    pub(super) stratified: bool,
    pub(super) study: Study,
    /// What each test found.
    pub(super) tests: Vec<Tested>,
}

/// What one test found by one measure.
pub(super) struct Tested {
    pub(super) test: TestCall,
    /// The shares of every size.
    pub(super) sizes: Vec<(usize, Shares)>,
    /// How many pairs are significant on all queries.
    pub(super) significant: usize,
    /// The share of them among all pairs.
    pub(super) whole_power: f64,
    /// The p-values of all pairs on all queries, ascending.
    pub(super) p_values: Vec<f64>,
}

/// The levels at which the share of significant pairs is told.
pub(super) const LEVELS: [f64; 7] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

impl Tested {
    /// The largest size with second samples.
    pub(super) fn half(&self) -> Option<&(usize, Shares)> {
        let mut sizes = self.sizes.iter().rev();
        sizes.find(|(_, shares)| shares.stability.is_some())
    }

    /// The smallest size that misses at most so many of the significant pairs on average.
    pub(super) fn enough(&self, miss: f64) -> Option<&(usize, Shares)> {
        // From the largest down, so that a size counts only if all larger ones do as well.
        let sizes = self.sizes.iter().rev();
        let enough = sizes.take_while(|(_, shares)| shares.subset.missed <= miss);
        enough.last()
    }

    /// The share of pairs with a p-value below alpha.
    pub(super) fn share_at(&self, alpha: f64) -> f64 {
        let below = self.p_values.partition_point(|p| *p < alpha);
        below as f64 / self.p_values.len() as f64
    }
}

pub(super) fn study(args: &ReliabilityArgs, inputs: Vec<Input>) -> Result<Vec<Measured>, Failure> {
    let prepare = |input: &Input| {
        Study::new(&input.scores, &input.strata, &args.tests, args.seed)
            .map_err(|error| Failure::input(format!("{}: {error}", input.file)))
    };
    let studies = inputs.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let record = match &args.resume {
        None => None,
        Some(file) => Some(Record::open(file, args, &inputs)?),
    };
    let units: Vec<(usize, usize)> = (inputs.iter().enumerate())
        .flat_map(|(measure, input)| input.sizes.iter().map(move |&size| (measure, size)))
        .collect();
    let batches = |&(measure, size): &(usize, usize)| studies[measure].batches(size, args.trials);
    let steps = units.iter().map(|unit| batches(unit).len()).sum();
    let bar = progress::bar(steps, "drawing queries");
    let found: Vec<Result<Vec<Tally>, Failure>> = units
        .par_iter()
        .map(|unit| {
            let &(measure, size) = unit;
            let name = inputs[measure].scores.measure();
            let batches = batches(unit);
            if let Some(known) = record.as_ref().and_then(|record| record.known(name, size)) {
                bar.inc(batches.len() as u64);
                return Ok(known.to_vec());
            }
            let run = |trials: std::ops::Range<u64>| {
                let tallies = studies[measure].run(size, trials);
                bar.inc(1);
                tallies
            };
            let none = || vec![Tally::default(); args.tests.len()];
            let tallies = batches.into_par_iter().map(run).reduce(none, added);
            if let Some(record) = &record {
                record.keep(name, size, &tallies)?;
            }
            Ok(tallies)
        })
        .collect();
    bar.finish_and_clear();
    let mut found = found
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .into_iter();
    let gather = |(input, study): (Input, Study)| {
        let of_sizes: Vec<Vec<Tally>> = found.by_ref().take(input.sizes.len()).collect();
        let tests = (args.tests.iter().enumerate())
            .map(|(number, test)| tested(number, *test, &study, &input.sizes, &of_sizes))
            .collect();
        Measured {
            scores: input.scores,
            strata: input.strata,
            stratified: input.stratified,
            study,
            tests,
        }
    };
    Ok(inputs.into_iter().zip(studies).map(gather).collect())
}

fn added(mut one: Vec<Tally>, other: Vec<Tally>) -> Vec<Tally> {
    for (one, other) in one.iter_mut().zip(&other) {
        one.add(other);
    }
    one
}

fn tested(
    number: usize,
    test: TestCall,
    study: &Study,
    sizes: &[usize],
    tallies: &[Vec<Tally>],
) -> Tested {
    let pairs = study.pairs().len();
    let of_size = |(&size, tallies): (&usize, &Vec<Tally>)| {
        let paired = study.has_second(size);
        (size, Shares::new(&tallies[number], pairs, paired))
    };
    let significant = study.significant_on_all(number);
    let evidence = study.evidence(number);
    let mut p_values: Vec<f64> = evidence.into_iter().map(|Evidence { p, .. }| p).collect();
    p_values.sort_by(f64::total_cmp);
    Tested {
        test,
        sizes: sizes.iter().zip(tallies).map(of_size).collect(),
        significant,
        whole_power: significant as f64 / pairs as f64,
        p_values,
    }
}
