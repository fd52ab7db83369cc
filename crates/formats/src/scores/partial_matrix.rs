//! Matrix of scores in which some scores are missing, and the policies for missing scores.

use partita_core::{CompletedScores, MissingScorePolicy, ScoreMatrix, ScoreMatrixError};

use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning};
use crate::remedy::Remedy;
use crate::text::shorten;
use crate::text::source::Source;

/// Matrix of the scores of one measure, some of which may be missing.
pub(super) struct PartialScoreMatrix {
    pub(super) measure: String,
    /// Names of the columns: a system, or a system and an assessor joined by
    /// [`ASSESSOR_SEPARATOR`].
    pub(super) columns: Vec<String>,
    pub(super) queries: Vec<String>,
    /// Scores row by row, one row per query; `None` if missing.
    pub(super) values: Vec<Option<f64>>,
}

/// Separator between a system and an assessor in the name of a column. No name in a text file
/// contains it.
pub(super) const ASSESSOR_SEPARATOR: char = '\0';

impl PartialScoreMatrix {
    /// Applies the policy for missing scores. Returns the completed scores and the indices of the
    /// queries that were kept.
    pub(super) fn into_complete(
        self,
        source: &Source,
        missing: MissingScorePolicy,
        warnings: &mut Vec<Warning>,
    ) -> Result<(ScoreMatrix, Vec<usize>), FormatError> {
        let (measure, queries) = (&self.measure, &self.queries);
        let names = queries.iter().map(String::as_str);
        let found = ScoreMatrix::from_partial(measure, self.columns, names, self.values, missing);
        let CompletedScores {
            scores,
            kept_queries: kept,
            unscored_queries: empty,
            dropped_queries: dropped,
            zeros,
        } = found.map_err(|error| incomplete_error(source, &error))?;
        let mut warn = |problem: Diagnostic| {
            warnings.push(Warning::in_file(source.name(), problem));
        };
        let left_out = [
            (empty, "no system has a score for"),
            (dropped, "some system has no score, so all leave out"),
        ];
        for (numbers, what) in left_out.iter().filter(|(numbers, _)| !numbers.is_empty()) {
            /// Maximum number of queries that a warning names.
            const MAX_NAMED_QUERIES: usize = 5;
            let named = numbers.iter().take(MAX_NAMED_QUERIES);
            let named: Vec<String> = named
                .map(|&query| format!("`{}`", shorten(&queries[query])))
                .collect();
            let more = if numbers.len() > MAX_NAMED_QUERIES {
                ", ..."
            } else {
                ""
            };
            warn(diagnostic!(LeftOut {
                measure, what, count = numbers.len(), all = queries.len(), queries = named.join(", ") + more
            }:
                "{measure}: {what} {count} of the {all} queries: {queries}"));
        }
        if zeros > 0 {
            warn(diagnostic!(LeftOut { measure, count = zeros }:
                "{measure}: {count} missing scores were taken as 0"));
        }
        Ok((scores, kept))
    }
}

/// Creates the error for missing scores that the policy does not allow or cannot fill.
fn incomplete_error(source: &Source, error: &ScoreMatrixError) -> FormatError {
    let ScoreMatrixError::MissingScore {
        measure,
        system,
        query,
        more,
    } = error
    else {
        return source.error(Diagnostic::new(
            crate::DiagnosticCode::MissingValue,
            error.to_string(),
        ));
    };
    let Some((system, judge)) = system.split_once(ASSESSOR_SEPARATOR) else {
        let problem = diagnostic!(MissingValue { error }: "{error}");
        return source.error(problem).with_remedy(Remedy::parse(
            "systems are compared on the same queries: {missing skip} leaves such queries out for \
             all, {missing zero} counts a missing score as 0",
        ));
    };
    let more = match more {
        0 => String::new(),
        1 => ", and 1 more score is missing".to_owned(),
        _ => format!(", and {more} more scores are missing"),
    };
    let problem = diagnostic!(MissingValue {
        system = shorten(system), measure, query = shorten(query), judge = shorten(judge), more
    }:
        "the system `{system}` has no score by {measure} for the query `{query}` by the judge \
         `{judge}`{more}");
    source.error(problem).with_remedy(Remedy::parse(
        "every judge must have judged every query: {missing skip} leaves out the queries that \
         some judge did not judge, {missing zero} counts a missing score as 0",
    ))
}
