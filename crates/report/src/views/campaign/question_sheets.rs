//! Views of the pairs to ask now and of question sheets.

use std::io;

use partita_judging::campaign::{OpenPair, OpenPairs, QueryPair, QuestionSheet, QuestionSheets};
use partita_named::NamedEnum;

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// Pairs to ask now.
#[derive(Clone, Copy, Debug)]
pub struct OpenPairsView<'a>(pub &'a OpenPairs);

impl OpenPairsView<'_> {
    fn columns(&self) -> ColumnSet<'_, OpenPair> {
        ColumnSet::new()
            .csv_field("campaign", |_: &OpenPair| self.0.campaign.clone())
            .csv_field("batch", |pair| pair.batch)
            .field("pair", text("Pair"), |pair| pair.pair.clone())
            .field("query", text("Query"), |pair| pair.query.clone())
            .field("a", text("A"), |pair| pair.a.clone())
            .field("b", text("B"), |pair| pair.b.clone())
            .field("votes", integer("Votes"), |pair| pair.votes)
            .field("state", text("State"), |pair| pair.state.name())
            // Empty columns, to be filled in and returned to `judge add`.
            .csv_field("assessor", |_| "")
            .csv_field("answer", |_| "")
    }
}

impl View for OpenPairsView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.columns().write_csv(&self.0.pairs, writer)
    }

    fn document(&self) -> Document {
        if self.0.pairs.is_empty() {
            return Document::new().paragraph("There is nothing to ask now.");
        }
        Document::new().table(self.columns().to_table(&self.0.pairs))
    }
}

/// Sheet of one assessor, to be filled in and returned to `judge add`.
#[derive(Clone, Copy, Debug)]
pub struct QuestionSheetView<'a> {
    /// Name of the campaign.
    pub campaign: &'a str,
    /// Sheet.
    pub sheet: &'a QuestionSheet,
}

/// Question with its number on the sheet.
type Numbered<'a> = (usize, &'a QueryPair);

impl QuestionSheetView<'_> {
    fn columns(&self) -> ColumnSet<'_, Numbered<'_>> {
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
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.columns().write_csv(&self.rows(), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(self.columns().to_table(&self.rows()))
    }
}

/// Sheets of several assessors.
#[derive(Clone, Copy, Debug)]
pub struct QuestionSheetsView<'a>(pub &'a QuestionSheets);

impl QuestionSheetsView<'_> {
    fn columns(&self) -> ColumnSet<'_, QuestionSheet> {
        ColumnSet::new()
            .field("assessor", text("Assessor"), |sheet: &QuestionSheet| {
                sheet.assessor.clone()
            })
            .field("questions", integer("Questions"), |sheet| {
                sheet.questions.len()
            })
            .field("file", text("File"), |sheet| sheet.file.clone())
    }

    /// Returns the sheet if there is exactly one and it was not written to a file.
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
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        match self.only() {
            Some(sheet) => sheet.write_csv(writer),
            None => self.columns().write_csv(&self.0.sheets, writer),
        }
    }

    fn document(&self) -> Document {
        match self.only() {
            Some(sheet) => sheet.document(),
            None if self.0.sheets.is_empty() => {
                Document::new().paragraph("There is nothing to ask now.")
            }
            None => Document::new().table(self.columns().to_table(&self.0.sheets)),
        }
    }
}
