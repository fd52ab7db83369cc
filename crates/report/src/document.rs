//! What a person is shown of a result: tables, with notes below them, and sentences.

use std::io;

use crate::phrases::join;
use crate::table::{Table, TableFormat, Terminal, wrap_to_width};

/// What is shown of a result. JSON is the result itself; this is the rest, made once for every front.
pub trait View {
    /// Writes the rows that a script or a spreadsheet reads.
    ///
    /// # Errors
    /// When the place cannot be written to.
    fn write_csv(&self, place: &mut dyn io::Write) -> io::Result<()>;

    /// The tables and sentences that a person reads.
    fn document(&self) -> Document;

    /// What a person reads, in this format.
    fn render(&self, format: TableFormat) -> String {
        format.render_document(&self.document())
    }
}

/// Tables and sentences in the order in which they are read, whatever they are written in.
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
/// let text = TableFormat::Text.document(&document);
/// assert_eq!(text, "Two systems were compared.\n\n──────\nSystem\n──────\nEMD\n──────\n\
///                   One did not answer.\n--details says which.\n");
/// assert!(!TableFormat::Markdown.document(&document).contains("--details"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    blocks: Vec<Block>,
}

/// A part of a [`Document`].
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A table, with the notes below it.
    Table {
        /// The table.
        table: Table,
        /// Sentences that belong to it.
        notes: Vec<Footnote>,
    },
    /// Sentences by themselves.
    Paragraph(Vec<Footnote>),
}

/// A sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Footnote {
    /// For every reader.
    Sentence(String),
    /// For somebody at a terminal, such as what could be asked next. Nobody else reads it.
    TerminalHint(String),
}

impl Footnote {
    /// The words, if this is for readers in that format.
    fn in_format(&self, format: TableFormat) -> Option<&str> {
        match self {
            Self::Sentence(text) => Some(text),
            Self::TerminalHint(text) => (format == TableFormat::Text).then_some(text),
        }
    }
}

impl Document {
    /// An empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a table.
    pub fn table(mut self, table: Table) -> Self {
        let notes = Vec::new();
        self.blocks.push(Block::Table { table, notes });
        self
    }

    /// With some tables.
    pub fn tables(self, tables: impl IntoIterator<Item = Table>) -> Self {
        tables.into_iter().fold(self, Self::table)
    }

    /// With sentences of their own.
    pub fn paragraph(mut self, text: impl Into<String>) -> Self {
        let sentence = Footnote::Sentence(text.into());
        self.blocks.push(Block::Paragraph(vec![sentence]));
        self
    }

    /// With a sentence below the last table or paragraph.
    pub fn note(self, text: impl Into<String>) -> Self {
        self.with(Footnote::Sentence(text.into()))
    }

    /// With some sentences below the last table or paragraph.
    pub fn notes(self, texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        texts.into_iter().fold(self, Self::note)
    }

    /// With a hint below the last table or paragraph, for somebody at a terminal.
    pub fn hint(self, text: impl Into<String>) -> Self {
        self.with(Footnote::TerminalHint(text.into()))
    }

    /// With this caption on its first table, and this label; those of further tables are numbered.
    pub fn with_caption(mut self, caption: Option<&str>, label: Option<&str>) -> Self {
        let tables = self.blocks.iter_mut().filter_map(|block| match block {
            Block::Table { table, .. } => Some(table),
            Block::Paragraph(_) => None,
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

    /// With all of another document after this one.
    pub fn append(mut self, other: Self) -> Self {
        self.blocks.extend(other.blocks);
        self
    }

    fn with(mut self, note: Footnote) -> Self {
        match self.blocks.last_mut() {
            Some(Block::Table { notes, .. } | Block::Paragraph(notes)) => notes.push(note),
            None => self.blocks.push(Block::Paragraph(vec![note])),
        }
        self
    }

    /// Its parts.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl TableFormat {
    /// The document in this format: its parts with an empty line between them.
    ///
    /// On a terminal a note per line reads best; elsewhere notes belong to their table.
    pub fn render_document(self, document: &Document) -> String {
        self.render_document_for(document, Terminal::default())
    }

    /// The same for a screen, on which no line of a text is too long.
    pub fn render_document_for(self, document: &Document, screen: Terminal) -> String {
        let words = |notes: &[Footnote]| -> Vec<String> {
            let notes = notes.iter().filter_map(|note| note.in_format(self));
            notes.map(str::to_owned).collect()
        };
        let separator = if self == Self::Text { "\n" } else { " " };
        let escaped = |notes: Vec<String>| {
            let shown = notes.iter().map(|note| match (self, screen.columns) {
                (Self::Text, Some(limit)) => wrap_to_width(&self.escaped(note), limit).join("\n"),
                _ => self.escaped(note),
            });
            join(shown, separator) + "\n"
        };
        let blocks = document.blocks().iter().map(|block| match block {
            Block::Table { table, notes } => match (words(notes), self) {
                (notes, _) if notes.is_empty() => self.render_on(table, screen),
                (notes, Self::Text) => self.render_on(table, screen) + &escaped(notes),
                // The format escapes a table's own note.
                (notes, _) => self.render(&table.clone().with_note(notes.join(" "))),
            },
            Block::Paragraph(notes) => match words(notes) {
                notes if notes.is_empty() => String::new(),
                notes => escaped(notes),
            },
        });
        join(blocks.filter(|text| !text.is_empty()), "\n")
    }
}
