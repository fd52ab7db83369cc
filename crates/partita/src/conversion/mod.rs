//! Conversion of ground truths, runs, rankings, preferences and scores between file formats.

mod content;
mod error;
mod request;
mod warnings;
mod writing;

use partita_formats::preferences::PreferencesFormat;
use partita_formats::rankings::RankingsFormat;
use partita_formats::run::RunFormat;
use partita_formats::scores::ScoresFormat;
use partita_formats::truth::TruthFormat;
use partita_formats::{DataKind, Source, Warning};
use partita_named::NamedEnum;

pub use error::ConversionError;
pub use request::ConversionRequest;

/// Converted data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertedData {
    /// Text of one file.
    Text(String),
    /// Name and text of a file for each query.
    Files(Vec<(String, String)>),
}

/// Returns the names and descriptions of the formats of a kind of data.
pub fn data_formats(kind: DataKind) -> Vec<(&'static str, &'static str)> {
    fn names_and_descriptions<T: NamedEnum>() -> Vec<(&'static str, &'static str)> {
        let formats = T::VARIANTS.iter();
        formats
            .map(|format| (format.name(), format.summary()))
            .collect()
    }
    match kind {
        DataKind::Truth => names_and_descriptions::<TruthFormat>(),
        DataKind::Run => names_and_descriptions::<RunFormat>(),
        DataKind::Rankings => names_and_descriptions::<RankingsFormat>(),
        DataKind::Preferences => names_and_descriptions::<PreferencesFormat>(),
        DataKind::Scores => names_and_descriptions::<ScoresFormat>(),
    }
}

/// Converts files to another format, and adds warnings about the files to `warnings`.
///
/// The kind of data is that of the request, or that of its options about the format of the input, or
/// it is recognised by the content of the files.
///
/// ```
/// use partita::formats::Source;
/// use partita::{ConversionRequest, ConvertedData, convert};
///
/// let request: ConversionRequest = partita::read_request(r#"{"to": "qrels"}"#)?;
/// let source = Source::from_bytes("truth.txt", "q1: (a, b), (c)\n");
/// let converted = convert(&request, &[source], &mut Vec::new())?;
/// let text = "q1 0 a 2\nq1 0 b 2\nq1 0 c 1\n";
/// assert_eq!(converted, ConvertedData::Text(text.to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ConversionError`] if the kind of data is not recognised, has no such format or option,
/// or if the files cannot be read or written.
pub fn convert(
    request: &ConversionRequest,
    sources: &[Source],
    warnings: &mut Vec<Warning>,
) -> Result<ConvertedData, ConversionError> {
    if let Some(kind) = request.stated_kind() {
        let format = request.target_format(kind, sources.len())?;
        let content = request.read(kind, sources);
        let content = content.map_err(ConversionError::StatedKind)?;
        return request.write(&sources[0], content, format, warnings);
    }
    let mut contents = request.possible_contents(sources)?;
    if contents.len() > 1 {
        let kinds: Vec<DataKind> = contents.iter().map(|(kind, _)| *kind).collect();
        contents.retain(|(kind, _)| request.target_format(*kind, sources.len()).is_ok());
        if contents.len() != 1 {
            let file = sources[0].name().to_owned();
            return Err(ConversionError::Ambiguous { file, kinds });
        }
    }
    let (kind, content) = contents.remove(0);
    let format = request.target_format(kind, sources.len())?;
    request.write(&sources[0], content?, format, warnings)
}
