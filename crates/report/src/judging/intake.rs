//! How it is shown what became of answers.

use std::io;

use partita_core::Answer;
use partita_judging::campaign::{Fate, IntakeReport, TakenAnswer};

use crate::{Column, Document, Present, Sheet};

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
        .field("flag", Column::text("Flag"), |row: &(Fate, usize)| {
            row.0.name().into()
        })
        .field("answers", Column::integer("Answers"), |row| row.1.into())
        .table_field(Column::text("Meaning"), |row| row.0.meaning().into())
}

fn answers() -> Sheet<'static, TakenAnswer> {
    Sheet::new()
        .field("file", Column::text("File"), |row: &TakenAnswer| {
            row.place.as_ref().map(|place| place.file.as_str()).into()
        })
        .field("line", Column::text("Line"), |row| {
            let line = row.place.as_ref().map(|place| place.line.to_string());
            line.into()
        })
        .field("query", Column::text("Query"), |row| {
            row.query.as_str().into()
        })
        .field("a", Column::text("A"), |row| row.a.as_str().into())
        .field("b", Column::text("B"), |row| row.b.as_str().into())
        .field("assessor", Column::text("Assessor"), |row| {
            row.assessor.as_str().into()
        })
        .field("answer", Column::text("Answer"), |row| {
            row.answer.answer().map_or("", Answer::name).into()
        })
        .field("flag", Column::text("Flag"), |row| row.flag.name().into())
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
