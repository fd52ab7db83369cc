//! A result as JSON: what every front answers with.

use std::io;

use schemars::JsonSchema;
use serde::Serialize;

/// The number of the shapes that replies have; it grows when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// A result, the number of its schema, and what there is to be said of its input.
///
/// ```
/// use partita_report::Reply;
///
/// #[derive(serde::Serialize)]
/// struct Count { queries: usize }
///
/// let reply = Reply::new(Count { queries: 11 }, Vec::<String>::new());
/// let mut text = Vec::new();
/// reply.write(&mut text)?;
/// let expected = "{\n  \"schema\": 1,\n  \"queries\": 11,\n  \"warnings\": []\n}\n";
/// assert_eq!(String::from_utf8(text)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "{R}Reply")]
pub struct Reply<R, W> {
    /// The number of the schema.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema: u32,
    /// The result.
    #[serde(flatten)]
    result: R,
    /// What is odd about the input.
    warnings: Vec<W>,
}

impl<R: Serialize, W: Serialize> Reply<R, W> {
    /// A reply with this result.
    pub fn new(result: R, warnings: Vec<W>) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            result,
            warnings,
        }
    }

    /// Writes it as it goes: a reply may be larger than what it was made from.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn write(&self, place: &mut dyn io::Write) -> io::Result<()> {
        write_json(self, place)
    }
}

/// Writes a value as JSON, indented, as it goes.
///
/// # Errors
/// When the place cannot be written to.
pub fn write_json(value: &impl Serialize, place: &mut dyn io::Write) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(place);
    if let Err(error) = serde_json::to_writer_pretty(&mut buffered, value) {
        assert!(error.is_io(), "a result cannot be written as JSON: {error}");
        return Err(error.into());
    }
    io::Write::write_all(&mut buffered, b"\n")?;
    io::Write::flush(&mut buffered)
}
