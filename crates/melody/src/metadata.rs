//! Metadata of the melodies and recordings of a collection.

/// Metadata of a collection item. A recording has only a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemMetadata {
    /// Path of the imported file, relative to the folder or archive that was imported; only the
    /// file name if the file itself was imported.
    pub source: String,
    /// First clef in Plaine & Easie notation, for example `G-2`.
    pub clef: Option<String>,
    /// First key signature in Plaine & Easie notation, for example `xFC`.
    pub key: Option<String>,
    /// First metre, for example `3/4`.
    pub time: Option<String>,
    /// First tempo that the imported file states, in quarter notes per minute.
    pub tempo: Option<f64>,
}
