//! What stands in one place of a table.

/// The content of a [`Cell`].
#[derive(Debug, Clone, PartialEq)]
pub enum CellValue {
    /// Words.
    Text(String),
    /// A whole number, shown in full.
    Integer(i64),
    /// A number, shown with the decimals of its column.
    Number(f64),
    /// No value: shown as a dash.
    Missing,
}

impl CellValue {
    /// The value as a number, if it is one.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Text(_) | Self::Missing => None,
        }
    }
}

/// One place of a table: a value, emphasised or not.
///
/// ```
/// use partita_report::{Cell, Value};
///
/// let cell = Cell::number(0.74).emphasised();
/// assert_eq!(cell.value, Value::Number(0.74));
/// assert!(cell.emphasised);
/// assert_eq!(Cell::from(None::<f64>), Cell::missing());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// What it holds.
    pub value: CellValue,
    /// Whether it is emphasised.
    pub emphasised: bool,
}

impl Cell {
    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        CellValue::Text(text.into()).into()
    }

    /// A cell with a whole number.
    pub fn integer(value: i64) -> Self {
        CellValue::Integer(value).into()
    }

    /// A cell with a number.
    pub fn number(value: f64) -> Self {
        CellValue::Number(value).into()
    }

    /// A cell without a value.
    pub fn missing() -> Self {
        CellValue::Missing.into()
    }

    /// The same cell, emphasised.
    pub fn with_emphasis(self) -> Self {
        let emphasised = true;
        Self { emphasised, ..self }
    }
}

/// What is a cell by itself: `Type: value => its Value;`.
macro_rules! impl_cell_from {
    ($($from:ty: $value:ident => $made:expr;)+) => {
        $(impl From<$from> for Cell {
            fn from($value: $from) -> Self {
                let (value, emphasised) = ($made, false);
                Self { value, emphasised }
            }
        })+
    };
}

impl_cell_from! {
    CellValue: value => value;
    &str: text => CellValue::Text(text.to_owned());
    &String: text => CellValue::Text(text.clone());
    String: text => CellValue::Text(text);
    bool: value => CellValue::Text(value.to_string());
    f64: value => CellValue::Number(value);
    i64: value => CellValue::Integer(value);
    u8: value => CellValue::Integer(value.into());
    u32: value => CellValue::Integer(value.into());
    u64: value => CellValue::Integer(value.try_into().expect("counts fit 63 bits"));
    usize: value => CellValue::Integer(value.try_into().expect("counts fit 63 bits"));
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::missing, Into::into)
    }
}
