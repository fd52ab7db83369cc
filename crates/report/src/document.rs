//! Human-readable presentation of a result: tables with footnotes, and paragraphs.

use std::io;

use crate::phrases::join;
use crate::table::{Table, TableFormat, Terminal, wrap_to_width};

/// Presentation of a result as CSV and as a document, shared by all front ends. JSON output does
/// not use the view; it serialises the result itself.
pub trait View {
    /// Writes the rows as CSV for scripts and spreadsheets.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()>;

    /// Returns the tables and paragraphs for human readers.
    fn document(&self) -> Document;

    /// Renders the document of [`View::document`] in a table format.
    fn render(&self, format: TableFormat) -> String {
        format.render_document(&self.document())
    }
}

/// Tables and paragraphs in reading order, independent of the output format.
///
/// ```
/// use partita_report::{Column, Document, Table, TableFormat};
///
/// let mut table = Table::new([Column::text("System")]);
/// table.push(["EMD".into()]);
/// let document = Document::new()
///     .paragraph("Two systems were compared.")
///     .table(table)
///     .note("One did not answer.")
///     .hint("--details says which.");
/// let text = TableFormat::Text.render_document(&document);
/// assert_eq!(text, "Two systems were compared.\n\n──────\nSystem\n──────\nEMD\n──────\n\
///                   One did not answer.\n--details says which.\n");
/// assert!(!TableFormat::Markdown.render_document(&document).contains("--details"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    blocks: Vec<Block>,
}

/// A part of a [`Document`].
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Table with footnotes.
    Table {
        /// Table without its footnotes.
        table: Table,
        /// Footnotes below the table.
        notes: Vec<Footnote>,
    },
    /// Sentences without a table.
    Paragraph(Vec<Footnote>),
    /// Lines that are copied as they are, such as addresses. They are never wrapped.
    Lines(Vec<String>),
}

/// Sentence below a table or in a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Footnote {
    /// Sentence for all output formats.
    Sentence(String),
    /// Hint for terminal users, for example the option for more details. Other formats omit it.
    TerminalHint(String),
}

impl Footnote {
    /// Returns the text of the footnote, or `None` if the output format omits it.
    fn in_format(&self, format: TableFormat) -> Option<&str> {
        match self {
            Self::Sentence(text) => Some(text),
            Self::TerminalHint(text) => (format == TableFormat::Text).then_some(text),
        }
    }
}

impl Document {
    /// Creates an empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table.
    pub fn table(mut self, table: Table) -> Self {
        let notes = Vec::new();
        self.blocks.push(Block::Table { table, notes });
        self
    }

    /// Adds several tables.
    pub fn tables(self, tables: impl IntoIterator<Item = Table>) -> Self {
        tables.into_iter().fold(self, Self::table)
    }

    /// Adds a paragraph.
    pub fn paragraph(mut self, text: impl Into<String>) -> Self {
        let sentence = Footnote::Sentence(text.into());
        self.blocks.push(Block::Paragraph(vec![sentence]));
        self
    }

    /// Adds lines that are never wrapped, such as addresses to copy.
    pub fn lines(mut self, lines: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let lines = lines.into_iter().map(Into::into).collect();
        self.blocks.push(Block::Lines(lines));
        self
    }

    /// Adds a sentence below the last table or paragraph.
    pub fn note(self, text: impl Into<String>) -> Self {
        self.with_footnote(Footnote::Sentence(text.into()))
    }

    /// Adds several sentences below the last table or paragraph.
    pub fn notes(self, texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        texts.into_iter().fold(self, Self::note)
    }

    /// Adds a terminal hint below the last table or paragraph.
    pub fn hint(self, text: impl Into<String>) -> Self {
        self.with_footnote(Footnote::TerminalHint(text.into()))
    }

    /// Sets the caption and label of the first table. Labels of further tables get a number.
    pub fn with_caption(mut self, caption: Option<&str>, label: Option<&str>) -> Self {
        let tables = self.blocks.iter_mut().filter_map(|block| match block {
            Block::Table { table, .. } => Some(table),
            Block::Paragraph(_) | Block::Lines(_) => None,
        });
        for (number, table) in (1..).zip(tables) {
            table.label = label.map(|label| match number {
                1 => label.to_owned(),
                number => format!("{label}-{number}"),
            });
            if let Some(caption) = caption.filter(|_| number == 1) {
                table.caption = Some(caption.to_owned());
            }
        }
        self
    }

    /// Appends all blocks of another document after the blocks of this one.
    pub fn append(mut self, other: Self) -> Self {
        self.blocks.extend(other.blocks);
        self
    }

    /// Adds a footnote to the last block.
    fn with_footnote(mut self, note: Footnote) -> Self {
        match self.blocks.last_mut() {
            Some(Block::Table { notes, .. } | Block::Paragraph(notes)) => notes.push(note),
            Some(Block::Lines(_)) | None => self.blocks.push(Block::Paragraph(vec![note])),
        }
        self
    }

    /// Returns the blocks in reading order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl TableFormat {
    /// Renders the document with an empty line between blocks.
    ///
    /// Terminal output has one footnote per line. Other formats attach footnotes to their table.
    pub fn render_document(self, document: &Document) -> String {
        self.render_document_for(document, Terminal::default())
    }

    /// Renders the document and wraps plain text at the width of the terminal.
    pub fn render_document_for(self, document: &Document, terminal: Terminal) -> String {
        let words = |notes: &[Footnote]| -> Vec<String> {
            let notes = notes.iter().filter_map(|note| note.in_format(self));
            notes.map(str::to_owned).collect()
        };
        let separator = if self == Self::Text { "\n" } else { " " };
        let escaped = |notes: Vec<String>| {
            let shown = notes.iter().map(|note| match (self, terminal.columns) {
                (Self::Text, Some(limit)) => wrap_to_width(&self.escaped(note), limit).join("\n"),
                _ => self.escaped(note),
            });
            join(shown, separator) + "\n"
        };
        let blocks = document.blocks().iter().map(|block| match block {
            Block::Table { table, notes } => match (words(notes), self) {
                (notes, _) if notes.is_empty() => self.render_on(table, terminal),
                (notes, Self::Text) => self.render_on(table, terminal) + &escaped(notes),
                // Passing the notes through the table makes the format escape them.
                (notes, _) => self.render(&table.clone().with_note(notes.join(" "))),
            },
            Block::Paragraph(notes) => match words(notes) {
                notes if notes.is_empty() => String::new(),
                notes => escaped(notes),
            },
            Block::Lines(lines) => {
                // Other formats than plain text join consecutive lines unless they are paragraphs.
                let end = if self == Self::Text { "\n" } else { "\n\n" };
                let lines: Vec<String> = lines.iter().map(|line| self.escaped(line)).collect();
                lines.join(end) + "\n"
            }
        });
        join(blocks.filter(|text| !text.is_empty()), "\n")
    }
}
