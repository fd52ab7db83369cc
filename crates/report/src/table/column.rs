//! The columns of a table.

use super::CellValue;

/// Where the text of a column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// At the left, as words are.
    Left,
    /// In the middle.
    Centre,
    /// At the right, as numbers are.
    Right,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words.
    Text,
    /// Numbers, all shown with the same decimals.
    Number {
        /// How many digits are shown after the point.
        decimals: u8,
    },
}

/// A column of a table: its header, what it holds and how it is aligned.
///
/// ```
/// use partita_report::{Align, Column, ColumnKind};
///
/// let adr = Column::number("ADR", 3);
/// assert_eq!((adr.kind, adr.align), (ColumnKind::Number { decimals: 3 }, Align::Right));
/// assert_eq!(Column::text("Grade").aligned(Align::Centre).align, Align::Centre);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The words over it.
    pub header: String,
    /// Where its text stands.
    pub align: Alignment,
    /// What it holds.
    pub kind: ColumnKind,
}

impl Column {
    /// A column of words, aligned left.
    pub fn text(header: impl Into<String>) -> Self {
        let (header, align, kind) = (header.into(), Alignment::Left, ColumnKind::Text);
        Self {
            header,
            align,
            kind,
        }
    }

    /// A column of numbers with this many decimals, aligned right.
    pub fn number(header: impl Into<String>, decimals: u8) -> Self {
        let kind = ColumnKind::Number { decimals };
        let column = Self::text(header).with_alignment(Alignment::Right);
        Self { kind, ..column }
    }

    /// A column of whole numbers, aligned right.
    pub fn integer(header: impl Into<String>) -> Self {
        Self::number(header, 0)
    }

    /// The same column with another alignment.
    pub fn with_alignment(self, align: Alignment) -> Self {
        Self { align, ..self }
    }

    /// The value as this column shows it, before any format escapes it.
    pub(super) fn format_value(&self, value: &CellValue) -> String {
        match (value, self.kind) {
            (CellValue::Text(text), _) => text.clone(),
            (CellValue::Integer(value), _) => value.to_string(),
            (CellValue::Number(value), ColumnKind::Number { decimals }) => {
                format_decimals(*value, decimals)
            }
            // `Table::push` lets no number into a column of text.
            (CellValue::Number(value), ColumnKind::Text) => value.to_string(),
            (CellValue::Missing, _) => "–".to_owned(),
        }
    }
}

pub(crate) fn text(header: impl Into<String>) -> Column {
    Column::text(header)
}

/// A column of words that stand at the right, as numbers do.
pub(crate) fn right(header: impl Into<String>) -> Column {
    Column::text(header).with_alignment(Alignment::Right)
}

pub(crate) fn number(header: impl Into<String>, decimals: u8) -> Column {
    Column::number(header, decimals)
}

pub(crate) fn integer(header: impl Into<String>) -> Column {
    Column::integer(header)
}

/// The number with these decimals; what rounds to zero has no sign.
fn format_decimals(value: f64, decimals: u8) -> String {
    let text = format!("{value:.*}", usize::from(decimals));
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        _ => text,
    }
}
