//! Content of the files to convert: reading them as the kinds of data that they may be.

use partita_core::Run;
use partita_formats::preferences::{self, PreferenceRows};
use partita_formats::rankings::{self, RankingsInput};
use partita_formats::run::{self, RunFile};
use partita_formats::scores::{self, ScoresFile, ScoresReadOptions};
use partita_formats::truth::{self, TruthFile, TruthFormat, TruthReadOptions};
use partita_formats::{DataKind, DiagnosticCode, FormatError, Source};
use partita_named::NamedEnum;

use super::{ConversionError, ConversionRequest};

/// Content of an input file, by kind of data.
pub(super) enum FileContent {
    Truth(TruthFile),
    Run(RunFile<Run>),
    Rankings(RankingsInput),
    Preferences(PreferenceRows),
    Scores(ScoresFile),
}

/// Content of a file as one kind of data, or the error of its reader.
pub(super) type ReadResult = Result<FileContent, FormatError>;

impl ConversionRequest {
    /// Reads the files as data of this kind.
    pub(super) fn read(&self, kind: DataKind, sources: &[Source]) -> ReadResult {
        let source = &sources[0];
        match kind {
            DataKind::Truth => truth::read(source, &self.truth_options()).map(FileContent::Truth),
            DataKind::Run => run::read(source, &self.run_options(source)).map(FileContent::Run),
            DataKind::Rankings => {
                // For a matrix or a PrefLib file the option names the query; for other files it
                // selects one.
                let options = rankings::RankingsReadOptions {
                    format: self.rankings_format,
                    query: self.query.first().cloned(),
                    // A conversion does not interpret the values.
                    as_ranks: true,
                };
                rankings::read(sources, &options).map(FileContent::Rankings)
            }
            DataKind::Preferences => {
                let map = self.map.clone().unwrap_or_default();
                preferences::read_rows(source, &map).map(FileContent::Preferences)
            }
            DataKind::Scores => {
                let options = ScoresReadOptions {
                    measures: self.measure.clone(),
                    missing: self.missing.unwrap_or_default(),
                };
                scores::read(source, &options).map(FileContent::Scores)
            }
        }
    }

    /// Reads the files as every kind of data that they may contain, and returns the kinds that fit
    /// with their content.
    ///
    /// A kind is returned with an error instead of content if its reader recognises the files but
    /// needs an option, or if no other kind is possible.
    pub(super) fn possible_contents(
        &self,
        sources: &[Source],
    ) -> Result<Vec<(DataKind, ReadResult)>, ConversionError> {
        let mut candidates = DataKind::VARIANTS.to_vec();
        for source in sources {
            let of_source = DataKind::possible_kinds(source)?;
            candidates.retain(|kind| of_source.contains(kind));
        }
        if sources.len() > 1 {
            candidates.retain(|kind| *kind == DataKind::Rankings);
            if candidates.is_empty() {
                return Err(ConversionError::SeveralFiles);
            }
        }
        let reads = candidates
            .iter()
            .map(|kind| (*kind, self.read(*kind, sources)));
        let mut reads: Vec<_> = reads.collect();
        if let [_] = reads[..] {
            return Ok(reads);
        }
        let mut errors = Vec::new();
        reads.retain(|(kind, read)| match read {
            Ok(FileContent::Preferences(rows)) => rows.rows.iter().all(Result::is_ok),
            Ok(_) => true,
            Err(error) => {
                let is_recognised = error.code == DiagnosticCode::Ambiguous
                    || *kind == DataKind::Truth && self.is_truth_without_header(&sources[0]);
                errors.push(error.clone());
                is_recognised
            }
        });
        match (reads.is_empty(), errors.first()) {
            // All readers report the same problem, for example an empty file.
            (true, Some(first)) if errors.iter().all(|e| e.to_string() == first.to_string()) => {
                Err(first.clone().into())
            }
            (true, _) => Err(ConversionError::NotRecognised {
                file: sources[0].name().to_owned(),
            }),
            _ => Ok(reads),
        }
    }

    /// Returns true if the file has three columns that can be read as groups or gains.
    fn is_truth_without_header(&self, source: &Source) -> bool {
        [TruthFormat::Groups, TruthFormat::Gains]
            .iter()
            .any(|format| {
                let options = TruthReadOptions {
                    format: Some(*format),
                    ..self.truth_options()
                };
                truth::read(source, &options).is_ok()
            })
    }
}
