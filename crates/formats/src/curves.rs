//! Curves of power and stability, as a study of reliability is written in JSON.
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
use crate::problem;
use crate::remedy::Remedy;
use crate::source::Source;
use crate::text::Text;

/// Reads the cells of an object `{"cells": [...]}`.
pub fn read(source: &Source) -> Result<Vec<Observed>, FormatError> {
    let text = Text::read(source)?;
    let wrong = |problem| {
        let remedy = Remedy::with_terms("{reliability json} prints such a file");
        source.error(problem).remedy(remedy)
    };
    let whole: String = text
        .lines()
        .map(|line| format!("{}\n", line.text))
        .collect();
    let object: Value = serde_json::from_str(&whole)
        .map_err(|error| wrong(problem!(Syntax { error }: "this is not JSON: {error}")))?;
    let Some(cells) = object.get("cells").and_then(Value::as_array) else {
        return Err(wrong(problem!(Syntax: "there is no list `cells`")));
    };
    let cell = |(number, cell): (usize, &Value)| {
        let wrong = |key: &str, expected: &str| {
            let found = cell.get(key).map_or("nothing".to_owned(), Value::to_string);
            wrong(problem!(Syntax { cell = number + 1, key, expected, found }:
                "cell {cell}: `{key}` must be {expected}, not {found}"))
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
