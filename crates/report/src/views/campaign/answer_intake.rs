//! Views of the intake of answers from files, and of the intake of rankings and grades.

use std::io;

use partita_core::Preference;
use partita_judging::campaign::{
    IntakeOutcome, IntakeReport, IntakeRow, JudgmentIntakeReport, judgment_noun,
};

use crate::phrases::plural;
use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// Intake of answers: their number by status, and the status of each answer if `details` is set.
#[derive(Clone, Copy, Debug)]
pub struct AnswerIntakeView<'a> {
    /// Status of every answer that was read, such as counted or duplicate.
    pub result: &'a IntakeReport,
    /// True to show every answer, false to show only the numbers by status.
    pub details: bool,
}

/// Returns the columns of the table of numbers of answers by status.
fn status_count_columns() -> ColumnSet<'static, (IntakeOutcome, usize)> {
    ColumnSet::<(IntakeOutcome, usize)>::new()
        .field("flag", text("Flag"), |row| row.0.name())
        .field("answers", integer("Answers"), |row| row.1)
        .table_field(text("Meaning"), |row| row.0.meaning())
}

/// Returns the columns of the table of answers.
fn answer_columns() -> ColumnSet<'static, IntakeRow> {
    ColumnSet::<IntakeRow>::new()
        .field("file", text("File"), |row| {
            row.place.as_ref().map(|place| place.file.clone())
        })
        .field("line", text("Line"), |row| {
            row.place.as_ref().map(|place| place.line.to_string())
        })
        .field("query", text("Query"), |row| row.query.clone())
        .field("a", text("A"), |row| row.a.clone())
        .field("b", text("B"), |row| row.b.clone())
        .field("assessor", text("Assessor"), |row| row.assessor.clone())
        .field("answer", text("Answer"), |row| {
            row.answer.preference().map_or("", Preference::name)
        })
        .field("flag", text("Flag"), |row| row.flag.name())
}

impl View for AnswerIntakeView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        if self.details {
            answer_columns().write_csv(&self.result.answers, writer)
        } else {
            status_count_columns().write_csv(&self.result.flags, writer)
        }
    }

    fn document(&self) -> Document {
        let document = Document::new().table(status_count_columns().to_table(&self.result.flags));
        if self.details {
            document.table(answer_columns().to_table(&self.result.answers))
        } else {
            document
        }
    }
}

impl View for JudgmentIntakeReport {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let counts = [
            ("added", self.added),
            ("repeated", self.repeated),
            ("excluded", self.excluded),
            ("refused", self.refused.len()),
        ];
        ColumnSet::<(&str, usize)>::new()
            .csv_field("what", |(what, _)| *what)
            .csv_field("count", |(_, count)| *count)
            .write_csv(&counts, writer)
    }

    fn document(&self) -> Document {
        Document::new().paragraph(format!(
            "{} of {} added, {} said before, {} refused.",
            self.added,
            plural(self.rows, judgment_noun(self.kind)),
            self.repeated,
            self.refused.len(),
        ))
    }
}
