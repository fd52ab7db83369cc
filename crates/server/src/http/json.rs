//! JSON parser that reports errors with JSON pointers (RFC 6901).

use serde::Deserialize;
use serde_json::Value;

use super::problem::{FieldError, HttpProblem};

/// Escape by which JSON writes a NUL character. A NUL that is not escaped is a syntax error.
const ESCAPED_NUL: &[u8] = b"\\u0000";

/// Explanation of the error of a text with a NUL character, which PostgreSQL cannot store.
pub(crate) const NUL_DETAIL: &str = "a text must not contain the character NUL (U+0000)";

/// Parses JSON in which no text contains NUL. The error contains the position of the invalid value
/// as a JSON pointer (RFC 6901).
pub(crate) fn parse_json<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, HttpProblem> {
    let parsed = parse_any_json(bytes)?;
    let errors = nul_pointers(bytes).into_iter();
    let errors: Vec<FieldError> = errors
        .map(|pointer| FieldError::new(pointer, NUL_DETAIL))
        .collect();
    match errors.is_empty() {
        true => Ok(parsed),
        false => Err(HttpProblem::invalid(errors)),
    }
}

/// Returns the JSON pointers of all texts and keys with a NUL character. Returns none for invalid
/// JSON.
pub(crate) fn nul_pointers(bytes: &[u8]) -> Vec<String> {
    let mut pointers = Vec::new();
    // Nearly all requests lack the escape, so only the others are parsed a second time.
    let is_suspect = bytes
        .windows(ESCAPED_NUL.len())
        .any(|window| window == ESCAPED_NUL);
    if is_suspect && let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        find_nul(&value, "", &mut pointers);
    }
    pointers
}

/// Adds the pointers of texts with a NUL character in a value, which is at `pointer`.
fn find_nul(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains('\0') => found.push(pointer.to_owned()),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                find_nul(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                if key.contains('\0') {
                    found.push(pointer.to_owned());
                }
                find_nul(
                    value,
                    &format!("{pointer}/{}", escape_pointer_token(key)),
                    found,
                );
            }
        }
        _ => {}
    }
}

/// Parses JSON with any texts.
fn parse_any_json<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, HttpProblem> {
    serde_json::from_slice(bytes).map_err(|_| {
        // Tracking the position is slow, so it is done only in a second pass after an error.
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let read: Result<T, _> = serde_path_to_error::deserialize(&mut reader);
        match read.map(|_| reader.end()) {
            Err(error) => field_problem(&error),
            Ok(Err(error)) => HttpProblem::invalid_request(error),
            Ok(Ok(())) => unreachable!("what cannot be read once cannot be read twice"),
        }
    })
}

/// Returns the problem of a JSON field that cannot be parsed, with its JSON pointer (RFC 6901).
pub(crate) fn field_problem(error: &serde_path_to_error::Error<serde_json::Error>) -> HttpProblem {
    HttpProblem::invalid_field(json_pointer(error.path()), error.inner().to_string())
}

/// Formats the path of a JSON value as a JSON pointer (RFC 6901).
fn json_pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segment = |segment: &Segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } | Segment::Enum { variant: key } => {
            format!("/{}", escape_pointer_token(key))
        }
        Segment::Unknown => String::new(),
    };
    path.iter().map(segment).collect()
}

/// Escapes an object key for use in a JSON pointer (RFC 6901).
pub(crate) fn escape_pointer_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_found_wherever_it_stands() {
        let text = r#"{"a": ["x", {"b/c": "y\u0000"}], "d\u0000": 1, "e": "\\u0000"}"#;
        assert_eq!(nul_pointers(text.as_bytes()), ["/a/1/b~1c", ""]);
        let refused = parse_json::<Value>(text.as_bytes()).expect_err("it holds NUL");
        let found: Vec<&str> = (refused.errors.iter())
            .map(|error| error.pointer.as_str())
            .collect();
        assert_eq!(found, ["/a/1/b~1c", ""]);
        assert!(parse_json::<Value>(br#"["\\u0000"]"#).is_ok());
    }
}
