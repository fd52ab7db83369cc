//! Metadata of melodies and clips.

/// Metadata of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemMetadata {
    /// Source file, relative to the imported source.
    pub source: String,
    /// First clef.
    pub clef: Option<String>,
    /// First key signature.
    pub key: Option<String>,
    /// First metre.
    pub time: Option<String>,
    /// First tempo, in quarter notes per minute.
    pub tempo: Option<f64>,
}
