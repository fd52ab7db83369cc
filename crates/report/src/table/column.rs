//! Columns of a table.

use super::CellValue;

/// Alignment of the text of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Left, the default for text.
    Left,
    /// Centred.
    Centre,
    /// Right, the default for numbers.
    Right,
}

/// Kind of content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// Numbers, all with the same number of decimals.
    Number {
        /// Number of digits after the decimal point.
        decimals: u8,
    },
}

/// Column of a table: header, kind of content and alignment.
///
/// ```
/// use partita_report::{Alignment, Column, ColumnKind};
///
/// let adr = Column::number("ADR", 3);
/// assert_eq!((adr.kind, adr.align), (ColumnKind::Number { decimals: 3 }, Alignment::Right));
/// let grade = Column::text("Grade").with_alignment(Alignment::Centre);
/// assert_eq!(grade.align, Alignment::Centre);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Text at the head of the column.
    pub header: String,
    /// Alignment of the cells and the header.
    pub align: Alignment,
    /// Kind of content of the cells.
    pub kind: ColumnKind,
}

impl Column {
    /// Creates a left-aligned column of text.
    pub fn text(header: impl Into<String>) -> Self {
        let (header, align, kind) = (header.into(), Alignment::Left, ColumnKind::Text);
        Self {
            header,
            align,
            kind,
        }
    }

    /// Creates a right-aligned column of numbers with this many decimals.
    pub fn number(header: impl Into<String>, decimals: u8) -> Self {
        let kind = ColumnKind::Number { decimals };
        let column = Self::text(header).with_alignment(Alignment::Right);
        Self { kind, ..column }
    }

    /// Creates a right-aligned column of whole numbers.
    pub fn integer(header: impl Into<String>) -> Self {
        Self::number(header, 0)
    }

    /// Sets the alignment of the cells and the header.
    pub fn with_alignment(self, align: Alignment) -> Self {
        Self { align, ..self }
    }

    /// Formats a value as text for this column, before the output format escapes it.
    pub(super) fn format_value(&self, value: &CellValue) -> String {
        match (value, self.kind) {
            (CellValue::Text(text), _) => text.clone(),
            (CellValue::Integer(value), _) => value.to_string(),
            (CellValue::Number(value), ColumnKind::Number { decimals }) => {
                format_decimals(*value, decimals)
            }
            // `Table::push` rejects numbers in a text column.
            (CellValue::Number(value), ColumnKind::Text) => value.to_string(),
            (CellValue::Missing, _) => "–".to_owned(),
        }
    }
}

pub(crate) fn text(header: impl Into<String>) -> Column {
    Column::text(header)
}

/// Creates a right-aligned column of text.
pub(crate) fn right(header: impl Into<String>) -> Column {
    Column::text(header).with_alignment(Alignment::Right)
}

pub(crate) fn number(header: impl Into<String>, decimals: u8) -> Column {
    Column::number(header, decimals)
}

pub(crate) fn integer(header: impl Into<String>) -> Column {
    Column::integer(header)
}

/// Formats a number with `decimals` decimals. A number that rounds to zero has no minus sign.
fn format_decimals(value: f64, decimals: u8) -> String {
    let text = format!("{value:.*}", usize::from(decimals));
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        _ => text,
    }
}
