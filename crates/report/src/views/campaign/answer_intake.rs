//! How it is shown what became of answers.

use std::io;

use partita_core::Preference;
use partita_judging::campaign::{IntakeOutcome, IntakeReport, IntakeRow};

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// How many answers became what, and what became of each if `details`.
#[derive(Clone, Copy, Debug)]
pub struct AnswerIntakeView<'a> {
    /// What became of answers.
    pub result: &'a IntakeReport,
    /// Whether every answer is shown.
    pub details: bool,
}

fn counts() -> ColumnSet<'static, (IntakeOutcome, usize)> {
    ColumnSet::new()
        .field("flag", text("Flag"), |row: &(IntakeOutcome, usize)| {
            row.0.name()
        })
        .field("answers", integer("Answers"), |row| row.1)
        .table_field(text("Meaning"), |row| row.0.meaning())
}

fn answers() -> ColumnSet<'static, IntakeRow> {
    ColumnSet::new()
        .field("file", text("File"), |row: &IntakeRow| {
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
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        if self.details {
            answers().write_csv(&self.result.answers, place)
        } else {
            counts().write_csv(&self.result.flags, place)
        }
    }

    fn document(&self) -> Document {
        let document = Document::new().table(counts().to_table(&self.result.flags));
        if self.details {
            document.table(answers().to_table(&self.result.answers))
        } else {
            document
        }
    }
}
