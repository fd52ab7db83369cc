//! Views of the pairs that can be asked now, and of question sheets for assessors.

use std::io;

use partita_judging::campaign::{OpenPair, OpenPairs, QueryPair, QuestionSheet, QuestionSheets};
use partita_named::NamedEnum;

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

fn open_pair_columns(campaign: &str) -> ColumnSet<'_, OpenPair> {
    ColumnSet::<OpenPair>::new()
        .csv_field("campaign", move |_| campaign)
        .csv_field("batch", |pair| pair.batch)
        .field("pair", text("Pair"), |pair| pair.pair.clone())
        .field("query", text("Query"), |pair| pair.query.clone())
        .field("a", text("A"), |pair| pair.a.clone())
        .field("b", text("B"), |pair| pair.b.clone())
        .field("votes", integer("Votes"), |pair| pair.votes)
        .field("state", text("State"), |pair| pair.state.name())
        // Empty columns, to be filled in and returned to `campaign add`.
        .csv_field("assessor", |_| "")
        .csv_field("answer", |_| "")
}

impl View for OpenPairs {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        open_pair_columns(&self.campaign).write_csv(&self.pairs, writer)
    }

    fn document(&self) -> Document {
        if self.pairs.is_empty() {
            return Document::new().paragraph("There is nothing to ask now.");
        }
        Document::new().table(open_pair_columns(&self.campaign).to_table(&self.pairs))
    }
}

/// Question sheet of one assessor, to be filled in and read by the command `campaign add`.
#[derive(Clone, Copy, Debug)]
pub struct QuestionSheetView<'a> {
    /// Name of the campaign.
    pub campaign: &'a str,
    /// Questions of the assessor.
    pub sheet: &'a QuestionSheet,
}

/// Question with its number on the sheet, counted from 1.
type NumberedQuestion<'a> = (usize, &'a QueryPair);

impl QuestionSheetView<'_> {
    fn columns(&self) -> ColumnSet<'_, NumberedQuestion<'_>> {
        ColumnSet::<NumberedQuestion<'_>>::new()
            .csv_field("campaign", |_| self.campaign)
            .field("question", integer("Question"), |(number, _)| *number)
            .field("query", text("Query"), |(_, asked)| asked.query.clone())
            .field("a", text("A"), |(_, asked)| asked.a.clone())
            .field("b", text("B"), |(_, asked)| asked.b.clone())
            .csv_field("assessor", |_| self.sheet.assessor.clone())
            .csv_field("answer", |_| "")
    }
}

impl View for QuestionSheetView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.columns()
            .write_csv((1..).zip(&self.sheet.questions), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(self.columns().to_table((1..).zip(&self.sheet.questions)))
    }
}

fn sheet_columns() -> ColumnSet<'static, QuestionSheet> {
    ColumnSet::<QuestionSheet>::new()
        .field("assessor", text("Assessor"), |sheet| sheet.assessor.clone())
        .field("questions", integer("Questions"), |sheet| {
            sheet.questions.len()
        })
        .field("file", text("File"), |sheet| sheet.file.clone())
}

/// Returns the sheet if there is exactly one and it was not written to a file.
fn only_sheet(sheets: &QuestionSheets) -> Option<QuestionSheetView<'_>> {
    match &sheets.sheets[..] {
        [sheet] if sheet.file.is_none() => Some(QuestionSheetView {
            campaign: &sheets.campaign,
            sheet,
        }),
        _ => None,
    }
}

impl View for QuestionSheets {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        match only_sheet(self) {
            Some(sheet) => sheet.write_csv(writer),
            None => sheet_columns().write_csv(&self.sheets, writer),
        }
    }

    fn document(&self) -> Document {
        match only_sheet(self) {
            Some(sheet) => sheet.document(),
            None if self.sheets.is_empty() => {
                Document::new().paragraph("There is nothing to ask now.")
            }
            None => Document::new().table(sheet_columns().to_table(&self.sheets)),
        }
    }
}
