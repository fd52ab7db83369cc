//! What stands in one place of a table.

/// The content of a [`Cell`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Words.
    Text(String),
    /// A whole number, shown in full.
    Integer(i64),
    /// A number, shown with the decimals of its column.
    Number(f64),
    /// No value: shown as a dash.
    Missing,
}

impl Value {
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
/// assert_eq!(cell.value(), &Value::Number(0.74));
/// assert!(cell.is_emphasised());
/// assert_eq!(Cell::from(None::<f64>), Cell::missing());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    value: Value,
    emphasised: bool,
}

impl Cell {
    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into()).into()
    }

    /// A cell with a whole number.
    #[must_use]
    pub fn integer(value: i64) -> Self {
        Value::Integer(value).into()
    }

    /// A cell with a number.
    #[must_use]
    pub fn number(value: f64) -> Self {
        Value::Number(value).into()
    }

    /// A cell without a value.
    #[must_use]
    pub fn missing() -> Self {
        Value::Missing.into()
    }

    /// The same cell, emphasised.
    #[must_use]
    pub fn emphasised(mut self) -> Self {
        self.emphasise();
        self
    }

    pub(super) fn emphasise(&mut self) {
        self.emphasised = true;
    }

    /// What the cell held.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    /// What the cell holds.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether the cell is emphasised.
    #[must_use]
    pub fn is_emphasised(&self) -> bool {
        self.emphasised
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self {
            value,
            emphasised: false,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {
        $(impl From<$integer> for Cell {
            fn from(value: $integer) -> Self {
                Self::integer(i64::try_from(value).expect("counts fit 63 bits"))
            }
        })*
    };
}

from_integers!(i64 u64 u32 u8 usize);

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::text(if value { "true" } else { "false" })
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        Self::text(text.as_str())
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::number(value)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(Self::missing, Into::into)
    }
}
