//! Curves of power and stability, as `partita reliability --format json` prints them.
//!
//! ```
//! use partita_formats::{Source, curves};
//!
//! let text = r#"{"cells": [{"measure": "AP", "test": "wilcoxon", "size": 10, "power": 0.4}]}"#;
//! let cells = curves::read(&Source::memory("reliability.json", text))?;
//! assert_eq!((cells[0].size, cells[0].power, cells[0].stable), (10, 0.4, None));
//! # Ok::<(), partita_formats::FormatError>(())
//! ```

use partita_core::plan::Observed;
use serde_json::Value;

use crate::error::FormatError;
use crate::source::Source;
use crate::text::Text;

/// Reads the cells of an object `{"cells": [...]}`.
pub fn read(source: &Source) -> Result<Vec<Observed>, FormatError> {
    let text = Text::read(source)?;
    let name = source.name();
    let whole: String = text.lines().map(|(_, line)| format!("{line}\n")).collect();
    let object: Value = serde_json::from_str(&whole).map_err(|error| {
        FormatError::file(name, format!("this is not JSON: {error}")).hint(HINT)
    })?;
    let Some(cells) = object.get("cells").and_then(Value::as_array) else {
        return Err(FormatError::file(name, "there is no list `cells`").hint(HINT));
    };
    let cell = |(number, cell): (usize, &Value)| {
        let wrong = |key: &str, expected: &str| {
            let found = cell.get(key).map_or("nothing".to_owned(), Value::to_string);
            let message = format!(
                "cell {}: `{key}` must be {expected}, not {found}",
                number + 1
            );
            FormatError::file(name, message).hint(HINT)
        };
        let word = |key: &str| {
            let word = cell.get(key).and_then(Value::as_str);
            word.map(str::to_owned).ok_or_else(|| wrong(key, "a name"))
        };
        let share = |key: &str| match cell.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(share) if (0.0..=1.0).contains(&share) => Ok(Some(share)),
                _ => Err(wrong(key, "a number from 0 to 1")),
            },
        };
        let size = cell
            .get("size")
            .and_then(Value::as_u64)
            .filter(|&size| size > 0);
        Ok(Observed {
            measure: word("measure")?,
            test: word("test")?,
            size: size.ok_or_else(|| wrong("size", "a whole number above 0"))? as usize,
            power: share("power")?.ok_or_else(|| wrong("power", "a number from 0 to 1"))?,
            stable: share("stable")?,
        })
    };
    cells.iter().enumerate().map(cell).collect()
}

const HINT: &str = "`partita reliability --format json` prints such a file";
