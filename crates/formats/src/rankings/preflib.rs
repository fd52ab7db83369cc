//! Rankings in PrefLib's format of orders: every voter is an assessor, so `3: 1,2` stands for three
//! assessors. Tied alternatives get the mean of their ranks.

use std::collections::HashSet;

use super::builder::{RankingsBuilder, too_many_ranks};
use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning, WarningCounter};
use crate::shared::preflib::{PreflibHeader, PreflibOrder, orders};
use crate::text::source::Source;
use crate::text::{SourceText, shorten};

/// Maximum number of assessors in a file. A larger number is taken for an error in the file.
const MAX_ASSESSORS: u64 = 1_000_000;

/// Reads the orders of a file as rankings of one query into the builder.
pub(super) fn read(
    text: &SourceText<'_>,
    query: &str,
    builder: &mut RankingsBuilder,
) -> Result<(), FormatError> {
    let source = text.source;
    let header = PreflibHeader::read(text)?;
    let mut assessors = 0;
    let mut rows = Vec::new();
    let mut alternatives = match header.alternatives {
        // Alternatives are numbered from 1. An implausibly large count is taken for a typing error,
        // and only the named alternatives are used.
        Some((count, _)) if count <= MAX_ASSESSORS => (1..=count).collect(),
        _ => header.named_alternatives(),
    };
    let mut known: HashSet<u64> = alternatives.iter().copied().collect();
    for vote in orders(text) {
        let vote = vote?;
        let count = parse_voter_count(&vote)?;
        assessors += count;
        let ranks = midranks(&vote, &header)?;
        for &(alternative, _) in &ranks {
            if known.insert(alternative) {
                alternatives.push(alternative);
            }
        }
        rows.push((vote, count, ranks));
    }
    if rows.is_empty() {
        return Err(source.no_rows_error("vote"));
    }
    if alternatives.is_empty() {
        return Err(source.error(diagnostic!(MissingValue:
            "there are votes and no alternative: the header names none, nor does a vote")));
    }
    if assessors > MAX_ASSESSORS {
        return Err(source.error(
            diagnostic!(TooLarge { votes = assessors, most = MAX_ASSESSORS }:
            "{votes} votes, of which at most {most} can be read"),
        ));
    }
    if let Some(problem) = too_many_ranks(assessors, alternatives.len() as u64) {
        return Err(source.error(problem));
    }
    let items: Vec<String> = alternatives
        .iter()
        .map(|&number| header.item_name(number))
        .collect();
    let must_be_complete = promises_complete_orders(source, &header);
    let mut incomplete = WarningCounter::default();
    let mut assessor = 0u64;
    for (vote, count, ranks) in rows {
        if must_be_complete && ranks.len() < items.len() {
            incomplete.add(vote.line.number, || vote.line.text.trim().to_owned());
        }
        let ranks: std::collections::HashMap<u64, f64> = ranks.into_iter().collect();
        for _ in 0..count {
            assessor += 1;
            let name = assessor.to_string();
            for (number, item) in alternatives.iter().zip(&items) {
                let rank = ranks.get(number).copied();
                builder.add((vote.line, vote.count), query, (&name, item), rank)?;
            }
        }
    }
    builder.warn(incomplete.warning(source.name(), |count, first| {
        diagnostic!(OddHeader { count, first = shorten(first) }:
            "votes that leave out alternatives, in a file that promises complete orders: {count}, the \
             first being `{first}`; what they leave out is unranked")
    }));
    warn_about_header(source, &header, assessors, builder);
    Ok(())
}

/// Returns true if a file declares, by its type `soc` or `toc`, that every vote ranks every
/// alternative.
fn promises_complete_orders(source: &Source, header: &PreflibHeader) -> bool {
    let kind = header.kind.as_deref().or_else(|| source.extension());
    matches!(kind, Some("soc" | "toc"))
}

/// Adds warnings if the header states another number of voters than the votes have, or if its names
/// of alternatives are ambiguous.
fn warn_about_header(
    source: &Source,
    header: &PreflibHeader,
    assessors: u64,
    builder: &mut RankingsBuilder,
) {
    if let Some((voters, line)) = header.voters
        && voters != assessors
    {
        let problem = diagnostic!(OddHeader { voters, votes = assessors }:
            "the header says {voters} voters, but {votes} votes follow; these were read");
        builder.warn(Warning::in_file(source.name(), problem).at_line(line));
    }
    if header.has_ambiguous_names() {
        let problem = diagnostic!(OddHeader:
            "the names of the alternatives are not unique; items are called by their numbers");
        builder.warn(Warning::in_file(source.name(), problem));
    }
}

/// Parses the number of assessors who cast a vote.
fn parse_voter_count(vote: &PreflibOrder<'_>) -> Result<u64, FormatError> {
    match vote.count.parse() {
        Ok(count) if (1..=MAX_ASSESSORS).contains(&count) => Ok(count),
        _ => {
            let problem = diagnostic!(NotANumber { found = vote.count }:
                "expected how many people cast this vote, not `{found}`");
            Err(vote.line.error_at(vote.count, problem))
        }
    }
}

/// Returns the alternatives of a vote with their ranks. Tied alternatives share the mean of their
/// ranks.
fn midranks(
    vote: &PreflibOrder<'_>,
    header: &PreflibHeader,
) -> Result<Vec<(u64, f64)>, FormatError> {
    let mut ranks: Vec<(u64, f64)> = Vec::new();
    let mut seen = HashSet::new();
    for tied in vote.groups()? {
        // Ranks first..first + n share their mean.
        let first = ranks.len() as f64 + 1.0;
        let rank = first + (tied.len() as f64 - 1.0) / 2.0;
        for (number, text) in tied {
            if !header.allows_alternative(number) {
                let problem = diagnostic!(UnknownName { number }:
                    "the header knows no alternative {number}");
                return Err(vote.line.error_at(text, problem));
            }
            if !seen.insert(number) {
                let problem = diagnostic!(Duplicate { number }:
                    "the alternative {number} stands twice in one vote");
                return Err(vote.line.error_at(text, problem));
            }
            ranks.push((number, rank));
        }
    }
    Ok(ranks)
}
