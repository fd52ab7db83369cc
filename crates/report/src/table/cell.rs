//! Cells of a table: a value with optional emphasis.

/// Content of a [`Cell`].
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue {
    /// Text.
    Text(String),
    /// Whole number, shown with all digits.
    Integer(i64),
    /// Number, shown with the decimals of its column.
    Number(f64),
    /// Missing value, shown as a dash.
    Missing,
}

impl CellValue {
    /// Returns the value as a number, if it is one.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Text(_) | Self::Missing => None,
        }
    }
}

/// Table entry: a value with optional emphasis.
///
/// ```
/// use partita_report::{Cell, CellValue};
///
/// let cell = Cell::number(0.74).with_emphasis();
/// assert_eq!(cell.value, CellValue::Number(0.74));
/// assert!(cell.emphasised);
/// assert_eq!(Cell::from(None::<f64>), Cell::missing());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Content of the cell.
    pub value: CellValue,
    /// True if the cell is emphasised.
    pub emphasised: bool,
}

impl Cell {
    /// Creates a cell with text.
    pub fn text(text: impl Into<String>) -> Self {
        CellValue::Text(text.into()).into()
    }

    /// Creates a cell with a whole number.
    pub fn integer(value: i64) -> Self {
        CellValue::Integer(value).into()
    }

    /// Creates a cell with a number.
    pub fn number(value: f64) -> Self {
        CellValue::Number(value).into()
    }

    /// Creates a cell without a value.
    pub fn missing() -> Self {
        CellValue::Missing.into()
    }

    /// Emphasises the cell.
    pub fn with_emphasis(self) -> Self {
        let emphasised = true;
        Self { emphasised, ..self }
    }
}

/// Implements `From<Type>` for [`Cell`]: `Type: value => CellValue;`.
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
