//! How it is shown what became of rankings and grades.

use std::io;

use partita_judging::campaign::{JudgmentIntakeReport, JudgmentKind};

use crate::phrases::plural;
use crate::{ColumnSet, Document, View};

/// What became of rankings or grades.
#[derive(Clone, Copy, Debug)]
pub struct JudgmentIntakeView<'a>(pub &'a JudgmentIntakeReport);

impl View for JudgmentIntakeView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let result = self.0;
        let counts = [
            ("added", result.added),
            ("repeated", result.repeated),
            ("refused", result.refused.len()),
        ];
        ColumnSet::new()
            .csv_field("what", |(what, _): &(&str, usize)| *what)
            .csv_field("count", |(_, count)| *count)
            .write_csv(&counts, place)
    }

    fn document(&self) -> Document {
        let result = self.0;
        let thing = match result.kind {
            JudgmentKind::Ranking => "ranking",
            JudgmentKind::Grading => "grade",
            JudgmentKind::Preference => "answer",
        };
        Document::new().paragraph(format!(
            "{} of {} added, {} said before, {} refused.",
            result.added,
            plural(result.rows, thing),
            result.repeated,
            result.refused.len(),
        ))
    }
}
