//! `system,query,judge,measure,value`, a row a score by the judgments of one person; the header
//! names the columns, in any order.

use partita_core::JudgedScores;

use super::gathered::{Columns, Table, gather};
use super::{JudgedFile, Missing, ReadOptions};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::table::Row;
use crate::text::{Text, shorten};

/// Whether a line is a header of such a table.
pub(super) fn is_header(row: &Row<'_>) -> bool {
    Columns::of(row).is_some_and(|columns| columns.judge.is_some())
}

pub(super) fn read(
    source: &Source,
    text: &Text,
    options: &ReadOptions,
) -> Result<JudgedFile, FormatError> {
    let gathered = gather(source, text, options, true)?;
    let mut file = JudgedFile {
        tables: Vec::new(),
        warnings: Vec::new(),
    };
    for (measure, table) in gathered.measures.iter().zip(gathered.tables) {
        if options.measures.is_empty() || options.names(measure) {
            let scores = table.complete(measure, source, options.missing, &mut file.warnings)?;
            file.tables.push(scores);
        }
    }
    Ok(file)
}

impl Table {
    /// The scores without holes.
    fn complete(
        self,
        measure: &str,
        source: &Source,
        missing: Missing,
        warnings: &mut Vec<Warning>,
    ) -> Result<JudgedScores, FormatError> {
        let (systems, judges) = (&self.systems.names, &self.judges.names);
        let value = |system: usize, query: usize, judge: usize| {
            let found = self.scores.get(&(system, query, judge));
            found.and_then(|(value, _)| *value)
        };
        let cells = || {
            (0..systems.len())
                .flat_map(|system| (0..judges.len()).map(move |judge| (system, judge)))
        };
        let holes = |query: usize| {
            cells()
                .filter(|&(system, judge)| value(system, query, judge).is_none())
                .count()
        };
        let queries: Vec<usize> = (0..self.queries.names.len()).collect();
        let all = systems.len() * judges.len();
        // A query that nobody has a score for was undefined for all: it is no hole.
        let (scored, empty): (Vec<usize>, Vec<usize>) =
            queries.into_iter().partition(|&query| holes(query) < all);
        let mut remark = |message: String| {
            warnings.push(Warning {
                file: source.name().to_owned(),
                line: None,
                message: format!("{measure}: {message}"),
            });
        };
        let named = |queries: &[usize]| {
            const MOST: usize = 5;
            let names = queries.iter().take(MOST);
            let names: Vec<String> = names
                .map(|&query| format!("`{}`", shorten(&self.queries.names[query])))
                .collect();
            let more = if queries.len() > MOST { ", ..." } else { "" };
            format!("{}{more}", names.join(", "))
        };
        if !empty.is_empty() {
            let (count, names) = (empty.len(), named(&empty));
            remark(format!("nobody has a score for {count} queries: {names}"));
        }
        let (full, broken): (Vec<usize>, Vec<usize>) =
            scored.iter().partition(|&&query| holes(query) == 0);
        let kept = match (broken.first(), missing) {
            (None, _) | (_, Missing::Zero) => scored,
            (Some(&query), Missing::Refuse) => {
                let hole = cells().find(|&(system, judge)| value(system, query, judge).is_none());
                let (system, judge) = hole.expect("a broken query has a hole");
                let count: usize = scored.iter().map(|&query| holes(query)).sum();
                let message = format!(
                    "the system `{}` has no score by {measure} for the query `{}` by the judge \
                     `{}`{}",
                    shorten(&systems[system]),
                    shorten(&self.queries.names[query]),
                    shorten(&judges[judge]),
                    match count {
                        1 => String::new(),
                        _ => format!(", and {} more scores are missing", count - 1),
                    }
                );
                return Err(FormatError::file(source.name(), message).hint(
                    "every judge must have judged every query: `--missing drop-query` leaves out \
                     the queries that some judge did not judge, `--missing zero` counts a missing \
                     score as 0",
                ));
            }
            (_, Missing::DropQuery) => {
                let (count, names) = (broken.len(), named(&broken));
                remark(format!(
                    "some score is missing, so {count} queries are left out: {names}"
                ));
                full
            }
        };
        if kept.is_empty() {
            let message =
                format!("no query has a score of every system by every judge by {measure}");
            return Err(FormatError::file(source.name(), message));
        }
        let zeros: usize = kept.iter().map(|&query| holes(query)).sum();
        if zeros > 0 {
            remark(format!("{zeros} missing scores were taken as 0"));
        }
        let values = kept.iter().flat_map(|&query| {
            let value = &value;
            cells().map(move |(system, judge)| value(system, query, judge).unwrap_or(0.0))
        });
        let names = kept.iter().map(|&query| self.queries.names[query].as_str());
        JudgedScores::new(
            measure,
            systems.clone(),
            names,
            judges.clone(),
            values.collect(),
        )
        .map_err(|error| FormatError::file(source.name(), error.to_string()))
    }
}
