//! Scores gathered into a matrix, and what becomes of its holes.

use partita_core::Scores;

use super::Missing;
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::shorten;

/// A matrix of scores that may have holes.
pub(super) struct Cells {
    pub(super) measure: String,
    pub(super) systems: Vec<String>,
    pub(super) queries: Vec<String>,
    /// A row a query, a column a system.
    pub(super) values: Vec<Option<f64>>,
}

impl Cells {
    /// The scores, and which of the queries they are of.
    pub(super) fn complete(
        self,
        source: &Source,
        missing: Missing,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Scores, Vec<usize>), FormatError> {
        // A query that no system has a score for was undefined for all: it is no hole.
        let (scored, empty): (Vec<usize>, Vec<usize>) =
            (0..self.queries.len()).partition(|&query| self.row(query).iter().any(Option::is_some));
        self.remark(source, &empty, "no system has a score for", warnings);
        let hole = scored.iter().find_map(|&query| {
            let system = self.row(query).iter().position(Option::is_none)?;
            Some((query, system))
        });
        let kept = match (hole, missing) {
            (None, _) | (_, Missing::Zero) => scored,
            (Some((query, system)), Missing::Refuse) => {
                return Err(self.refusal(source, query, system));
            }
            (_, Missing::DropQuery) => {
                let full = |query: &usize| self.row(*query).iter().all(Option::is_some);
                let (kept, dropped): (Vec<usize>, Vec<usize>) = scored.into_iter().partition(full);
                let what = "some system has no score, so all leave out";
                self.remark(source, &dropped, what, warnings);
                kept
            }
        };
        if kept.is_empty() {
            let message = format!("no query has a score of every system by {}", self.measure);
            return Err(FormatError::file(source.name(), message));
        }
        let mut zeros = 0;
        let mut values = Vec::with_capacity(kept.len() * self.systems.len());
        for &query in &kept {
            for value in self.row(query) {
                zeros += usize::from(value.is_none());
                values.push(value.unwrap_or(0.0));
            }
        }
        if zeros > 0 {
            warnings.push(Warning {
                file: source.name().to_owned(),
                line: None,
                message: format!("{}: {zeros} missing scores were taken as 0", self.measure),
            });
        }
        let queries = kept.iter().map(|&query| self.queries[query].as_str());
        let scores = Scores::new(self.measure, self.systems, queries, values)
            .map_err(|error| FormatError::file(source.name(), error.to_string()))?;
        Ok((scores, kept))
    }

    fn row(&self, query: usize) -> &[Option<f64>] {
        let width = self.systems.len();
        &self.values[query * width..(query + 1) * width]
    }

    fn refusal(&self, source: &Source, query: usize, system: usize) -> FormatError {
        let holes = self.values.iter().filter(|value| value.is_none()).count();
        let message = format!(
            "the system `{}` has no score by {} for the query `{}`{}",
            shorten(&self.systems[system]),
            self.measure,
            shorten(&self.queries[query]),
            match holes {
                1 => String::new(),
                _ => format!(", and {} more scores are missing", holes - 1),
            }
        );
        FormatError::file(source.name(), message).hint(
            "systems are compared on the same queries: `--missing drop-query` leaves such queries \
             out for all, `--missing zero` counts a missing score as 0",
        )
    }

    fn remark(&self, source: &Source, queries: &[usize], what: &str, warnings: &mut Vec<Warning>) {
        const MOST: usize = 5;
        if queries.is_empty() {
            return;
        }
        let named = queries.iter().take(MOST);
        let named: Vec<String> = named
            .map(|&query| format!("`{}`", shorten(&self.queries[query])))
            .collect();
        let more = match queries.len() > MOST {
            true => ", ...",
            false => "",
        };
        warnings.push(Warning {
            file: source.name().to_owned(),
            line: None,
            message: format!(
                "{}: {what} {} of the {} queries: {}{more}",
                self.measure,
                queries.len(),
                self.queries.len(),
                named.join(", ")
            ),
        });
    }
}
