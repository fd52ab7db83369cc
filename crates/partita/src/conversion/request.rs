//! Request of a conversion, and the format that it asks for.

use partita_core::{MissingScorePolicy, RunOrder, ScorePrecision, TieBreaking, ZeroGainPolicy};
use partita_formats::preferences::{ColumnMap, PreferencesFormat};
use partita_formats::rankings::RankingsFormat;
use partita_formats::run::{RunFormat, RunReadOptions};
use partita_formats::scores::ScoresFormat;
use partita_formats::truth::{TruthFormat, TruthReadOptions};
use partita_formats::{DataKind, Source};
use partita_named::NamedEnum;
use serde::Deserialize;

use super::error::{ConversionError, list_kinds};

/// Request to convert files: the options of `partita convert`. Its fields are read from JSON by the
/// names of the options.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConversionRequest {
    /// Name of the format to write; `csv` is the table format of each kind of data.
    pub to: String,
    /// Kind of data in the files; `None` to recognise it.
    pub kind: Option<DataKind>,
    /// Queries to convert, all if empty; for preferences, a matrix of rankings or a PrefLib file,
    /// the name of its query.
    pub query: Vec<String>,
    /// Format of the ground truth; `None` to detect it.
    pub truth_format: Option<TruthFormat>,
    /// True to put judged items with a grade of 0 or less into the last group of the list.
    pub keep_zero: bool,
    /// Label of the ground truth to read, in a file with a column of labels.
    pub label: Option<String>,
    /// Format of the runs; `None` to detect it.
    pub run_format: Option<RunFormat>,
    /// Column that gives the order of a TREC run.
    pub order: Option<RunOrder>,
    /// Order of documents with the same score.
    pub ties: Option<TieBreaking>,
    /// Precision in which scores are compared.
    pub score_precision: Option<ScorePrecision>,
    /// Name of a run that has no name of its own; `None` for the name of the file.
    pub tag: Option<String>,
    /// Format of the rankings; `None` to detect it.
    pub rankings_format: Option<RankingsFormat>,
    /// Columns and answer words of the preferences.
    pub map: Option<ColumnMap>,
    /// Measures of the scores to convert; all if empty.
    pub measure: Vec<String>,
    /// Treatment of missing scores.
    pub missing: Option<MissingScorePolicy>,
    /// True to write each query as a text of its own if the format holds one query.
    #[serde(skip)]
    pub separate_queries: bool,
}

/// Format to write, which depends on the kind of data.
#[derive(Clone, Copy, Debug)]
pub(super) enum TargetFormat {
    Truth(TruthFormat),
    Run(RunFormat),
    Rankings(RankingsFormat),
    Preferences(PreferencesFormat),
    Scores(ScoresFormat),
}

impl TargetFormat {
    /// Returns the format of this name for a kind of data; `csv` is the usual table format of the
    /// kind.
    fn find(kind: DataKind, name: &str) -> Option<Self> {
        fn parse_format<T: NamedEnum>(name: &str, csv: T) -> Option<T> {
            match name.eq_ignore_ascii_case("csv") {
                true => Some(csv),
                false => T::from_name(name).ok(),
            }
        }
        match kind {
            DataKind::Truth => parse_format(name, TruthFormat::Groups).map(Self::Truth),
            DataKind::Run => parse_format(name, RunFormat::Systems).map(Self::Run),
            DataKind::Rankings => parse_format(name, RankingsFormat::Rows).map(Self::Rankings),
            DataKind::Preferences => {
                parse_format(name, PreferencesFormat::Answers).map(Self::Preferences)
            }
            DataKind::Scores => parse_format(name, ScoresFormat::Rows).map(Self::Scores),
        }
    }
}

impl ConversionRequest {
    /// Returns the given options that only some kinds of data have, with these kinds.
    fn given_options(&self) -> Vec<(&'static str, &'static [DataKind])> {
        use DataKind::{Preferences, Rankings, Run, Scores, Truth};
        let options: [(bool, &'static str, &'static [DataKind]); 13] = [
            (self.truth_format.is_some(), "truth_format", &[Truth]),
            (self.keep_zero, "keep_zero", &[Truth]),
            (self.label.is_some(), "label", &[Truth]),
            (self.run_format.is_some(), "run_format", &[Run]),
            (self.order.is_some(), "order", &[Run]),
            (self.ties.is_some(), "ties", &[Run]),
            (self.score_precision.is_some(), "score_precision", &[Run]),
            (self.tag.is_some(), "tag", &[Run]),
            (
                self.rankings_format.is_some(),
                "rankings_format",
                &[Rankings],
            ),
            (self.map.is_some(), "map", &[Preferences]),
            (!self.measure.is_empty(), "measure", &[Scores]),
            (self.missing.is_some(), "missing", &[Scores]),
            (
                !self.query.is_empty(),
                "query",
                &[Truth, Rankings, Preferences],
            ),
        ];
        let given = options.into_iter().filter(|(is_given, ..)| *is_given);
        given.map(|(_, option, kinds)| (option, kinds)).collect()
    }

    /// Returns the kind of data that the request names or that an option about the input format
    /// implies.
    pub(super) fn stated_kind(&self) -> Option<DataKind> {
        let format_options = ["truth_format", "run_format", "rankings_format", "map"];
        self.kind.or_else(|| {
            let options = self.given_options().into_iter();
            let mut formats = options.filter(|(option, _)| format_options.contains(option));
            formats.next().map(|(_, kinds)| kinds[0])
        })
    }

    /// Returns the format to write. Refuses options and formats that the kind does not have.
    pub(super) fn target_format(
        &self,
        kind: DataKind,
        files: usize,
    ) -> Result<TargetFormat, ConversionError> {
        let options = self.given_options();
        if let Some((option, kinds)) = options.iter().find(|(_, kinds)| !kinds.contains(&kind)) {
            return Err(ConversionError::OptionOfOtherKind {
                option,
                kinds: list_kinds(kinds),
                kind,
            });
        }
        if kind != DataKind::Rankings && files > 1 {
            return Err(ConversionError::SeveralFiles);
        }
        if kind != DataKind::Truth && self.query.len() > 1 {
            return Err(ConversionError::SeveralQueries);
        }
        TargetFormat::find(kind, &self.to).ok_or_else(|| ConversionError::UnknownFormat {
            kind,
            to: self.to.clone(),
        })
    }

    /// Returns the options for reading a ground truth.
    pub(super) fn truth_options(&self) -> TruthReadOptions {
        TruthReadOptions {
            format: self.truth_format,
            zero: ZeroGainPolicy::from(self.keep_zero),
            label: self.label.clone(),
        }
    }

    /// Returns the options for reading the runs of a file.
    pub(super) fn run_options(&self, source: &Source) -> RunReadOptions {
        // A tag is one word, but a file stem may have several.
        let stem = || {
            let words: Vec<&str> = source.stem().split_whitespace().collect();
            words.join("-")
        };
        RunReadOptions {
            format: self.run_format,
            name: Some(self.tag.clone().unwrap_or_else(stem)),
            order: self.order.unwrap_or_default(),
            ties: self.ties.unwrap_or_default(),
            score_precision: self.score_precision.unwrap_or_default(),
        }
    }
}
