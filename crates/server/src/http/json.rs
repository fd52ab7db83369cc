//! JSON parser that reports errors with JSON pointers (RFC 6901).

use serde::Deserialize;

use super::problem::HttpProblem;

/// Parses JSON. The error contains the position of the invalid value as a JSON pointer (RFC 6901).
pub(crate) fn parse_json<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, HttpProblem> {
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
