//! The scores, the strata and the sizes of a study.

use partita_core::reliability::Sizes;
use partita_core::{Scores, Strata};
use partita_formats::query_groups::QueryGroups;
use partita_formats::{Source, Warning, query_groups, scores};

use super::ReliabilityArgs;
use crate::failure::Failure;

/// What one measure is studied by.
pub(super) struct Input {
    /// The file of the scores.
    pub(super) file: String,
    pub(super) scores: Scores,
    pub(super) strata: Strata,
    /// Whether queries are drawn by strata.
    pub(super) stratified: bool,
    pub(super) sizes: Vec<usize>,
}

pub(super) fn read(args: &ReliabilityArgs) -> Result<(Vec<Input>, Vec<Warning>), Failure> {
    if args.input.scores == "-" && args.strata.as_deref() == Some("-") {
        return Err(Failure::input("only one file can be standard input"));
    }
    let source = Source::open(&args.input.scores)?;
    let file = scores::read(&source, &args.input.options())?;
    let mut warnings = file.warnings;
    let groups = match &args.strata {
        None => None,
        Some(name) => {
            let source = Source::open(name)?;
            let mut groups = query_groups::read(&source)?;
            warnings.append(&mut groups.warnings);
            Some((source, groups))
        }
    };
    let mut inputs = Vec::new();
    for table in file.tables {
        let given = match &groups {
            Some((source, groups)) => Some(named(source, groups, &table.scores)?),
            None => table.strata,
        };
        let queries = table.scores.queries().len();
        inputs.push(Input {
            file: source.name().to_owned(),
            sizes: sizes(args, &table.scores)?,
            stratified: given.is_some(),
            strata: given.unwrap_or_else(|| Strata::single(queries)),
            scores: table.scores,
        });
    }
    Ok((inputs, warnings))
}

/// The strata of the queries, by a file.
fn named(source: &Source, groups: &QueryGroups, scores: &Scores) -> Result<Strata, Failure> {
    let (strata, queries) = (groups.groups.len(), scores.queries().len());
    if strata > queries {
        let message = format!(
            "{}: there are {strata} strata, and only {queries} queries with scores by {}",
            source.name(),
            scores.measure()
        );
        return Err(Failure::input(message)
            .hint("a stratum needs queries to draw from; is this the right file?"));
    }
    Ok(scores::strata(source, groups, scores)?)
}

fn sizes(args: &ReliabilityArgs, scores: &Scores) -> Result<Vec<usize>, Failure> {
    let queries = scores.queries().len();
    let Some(sizes) = &args.sizes else {
        return Ok(Sizes::up_to(queries).as_slice().to_vec());
    };
    match sizes.as_slice().iter().find(|&&size| size > queries) {
        None => Ok(sizes.as_slice().to_vec()),
        Some(size) => {
            let message = format!(
                "--sizes asks for {size} queries, but {} has scores for {queries}",
                scores.measure()
            );
            Err(Failure::input(message).hint(format!("`--sizes 5:{queries}:5`, say")))
        }
    }
}
