//! Scores gathered into a matrix, and what becomes of its holes.

use partita_core::{Completed, Missing, Scores, ScoresError};

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
        let queries = &self.queries;
        let found = Scores::complete(
            &self.measure,
            self.systems,
            queries.iter().map(String::as_str),
            self.values,
            missing,
        );
        let Completed {
            scores,
            kept,
            empty,
            dropped,
            zeros,
        } = found.map_err(|error| {
            let refusal = FormatError::file(source.name(), error.to_string());
            match error {
                ScoresError::Hole { .. } => refusal.hint(
                    "systems are compared on the same queries: `--missing drop-query` leaves such \
                     queries out for all, `--missing zero` counts a missing score as 0",
                ),
                _ => refusal,
            }
        })?;
        let mut remark = |message: String| {
            warnings.push(Warning {
                file: source.name().to_owned(),
                line: None,
                message: format!("{}: {message}", self.measure),
            });
        };
        let left_out = [
            (empty, "no system has a score for"),
            (dropped, "some system has no score, so all leave out"),
        ];
        for (numbers, what) in left_out.iter().filter(|(numbers, _)| !numbers.is_empty()) {
            const MOST: usize = 5;
            let named = numbers.iter().take(MOST);
            let named: Vec<String> = named
                .map(|&query| format!("`{}`", shorten(&queries[query])))
                .collect();
            let more = if numbers.len() > MOST { ", ..." } else { "" };
            let (count, all, named) = (numbers.len(), queries.len(), named.join(", "));
            remark(format!(
                "{what} {count} of the {all} queries: {named}{more}"
            ));
        }
        if zeros > 0 {
            remark(format!("{zeros} missing scores were taken as 0"));
        }
        Ok((scores, kept))
    }
}
