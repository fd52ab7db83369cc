//! How sheets of questions are shown.

use std::io;

use partita_judging::campaign::{QueryPair, QuestionSheet, QuestionSheets};

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// The sheet of one person, to be filled in and given back to `judge add`.
#[derive(Clone, Copy, Debug)]
pub struct QuestionSheetView<'a> {
    /// What the campaign is called.
    pub campaign: &'a str,
    /// The sheet.
    pub sheet: &'a QuestionSheet,
}

/// A question with its number on the sheet.
type Numbered<'a> = (usize, &'a QueryPair);

impl QuestionSheetView<'_> {
    fn sheet(&self) -> ColumnSet<'_, Numbered<'_>> {
        ColumnSet::new()
            .csv_field("campaign", |_: &Numbered<'_>| self.campaign)
            .field("question", integer("Question"), |(number, _)| *number)
            .field("query", text("Query"), |(_, asked)| asked.query.clone())
            .field("a", text("A"), |(_, asked)| asked.a.clone())
            .field("b", text("B"), |(_, asked)| asked.b.clone())
            .csv_field("assessor", |_| self.sheet.assessor.clone())
            .csv_field("answer", |_| "")
    }

    fn rows(&self) -> Vec<Numbered<'_>> {
        (1..).zip(&self.sheet.questions).collect()
    }
}

impl View for QuestionSheetView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet().write_csv(&self.rows(), place)
    }

    fn document(&self) -> Document {
        Document::new().table(self.sheet().to_table(&self.rows()))
    }
}

/// The sheets of several people.
#[derive(Clone, Copy, Debug)]
pub struct QuestionSheetsView<'a>(pub &'a QuestionSheets);

impl QuestionSheetsView<'_> {
    fn sheet(&self) -> ColumnSet<'_, QuestionSheet> {
        ColumnSet::new()
            .field("assessor", text("Assessor"), |sheet: &QuestionSheet| {
                sheet.assessor.clone()
            })
            .field("questions", integer("Questions"), |sheet| {
                sheet.questions.len()
            })
            .field("file", text("File"), |sheet| sheet.file.clone())
    }

    /// The sheet itself where there is one only, in no file.
    fn only(&self) -> Option<QuestionSheetView<'_>> {
        match &self.0.sheets[..] {
            [sheet] if sheet.file.is_none() => Some(QuestionSheetView {
                campaign: &self.0.campaign,
                sheet,
            }),
            _ => None,
        }
    }
}

impl View for QuestionSheetsView<'_> {
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        match self.only() {
            Some(sheet) => sheet.write_csv(place),
            None => self.sheet().write_csv(&self.0.sheets, place),
        }
    }

    fn document(&self) -> Document {
        match self.only() {
            Some(sheet) => sheet.document(),
            None if self.0.sheets.is_empty() => {
                Document::new().paragraph("There is nothing to ask now.")
            }
            None => Document::new().table(self.sheet().to_table(&self.0.sheets)),
        }
    }
}
