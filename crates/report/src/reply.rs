//! JSON reply of the command line and of every other front end.

use std::io;

use schemars::JsonSchema;
use serde::Serialize;

/// Version of the JSON output schema. It increases when a field changes its meaning or is removed.
pub const SCHEMA_VERSION: u32 = 1;

/// JSON reply: a result with the schema version and warnings about the input.
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
    /// Version of the JSON schema that the reply follows.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema: u32,
    /// Result of the command.
    #[serde(flatten)]
    result: R,
    /// Warnings about the input of the command.
    warnings: Vec<W>,
}

impl<R: Serialize, W: Serialize> Reply<R, W> {
    /// Creates a reply with this result and these warnings.
    pub fn new(result: R, warnings: Vec<W>) -> Self {
        Self {
            schema: SCHEMA_VERSION,
            result,
            warnings,
        }
    }

    /// Writes the reply as JSON without holding the whole text in memory, because a reply can be
    /// larger than its input.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        write_json(self, writer)
    }
}

/// Writes a value as indented JSON without holding the whole text in memory.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_json(value: &impl Serialize, writer: &mut dyn io::Write) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(writer);
    if let Err(error) = serde_json::to_writer_pretty(&mut buffered, value) {
        assert!(error.is_io(), "a result cannot be written as JSON: {error}");
        return Err(error.into());
    }
    io::Write::write_all(&mut buffered, b"\n")?;
    io::Write::flush(&mut buffered)
}
