//! How it is shown what became of answers.

use std::io;

use partita_core::Answer;
use partita_judging::campaign::{Fate, IntakeReport, IntakeRow};

use crate::table::{integer, text};
use crate::{Document, Present, Sheet};

/// How many answers became what, and what became of each if `details`.
#[derive(Clone, Copy, Debug)]
pub struct IntakeView<'a> {
    /// What became of answers.
    pub result: &'a IntakeReport,
    /// Whether every answer is shown.
    pub details: bool,
}

fn counts() -> Sheet<'static, (Fate, usize)> {
    Sheet::new()
        .field("flag", text("Flag"), |row: &(Fate, usize)| row.0.name())
        .field("answers", integer("Answers"), |row| row.1)
        .table_field(text("Meaning"), |row| row.0.meaning())
}

fn answers() -> Sheet<'static, IntakeRow> {
    Sheet::new()
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
            row.answer.answer().map_or("", Answer::name)
        })
        .field("flag", text("Flag"), |row| row.flag.name())
}

impl Present for IntakeView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        if self.details {
            answers().csv(&self.result.answers, place)
        } else {
            counts().csv(&self.result.flags, place)
        }
    }

    fn document(&self) -> Document {
        let document = Document::new().table(counts().table(&self.result.flags));
        if self.details {
            document.table(answers().table(&self.result.answers))
        } else {
            document
        }
    }
}
