//! Conversion of ground truths, runs, rankings, preferences and scores between file formats.

use partita_core::judgment::AnswerRow;
use partita_core::{
    GroundTruth, MissingScorePolicy, Run, RunOrder, ScorePrecision, TieBreaking, TruthScale,
    UnknownQueryError, ZeroGainPolicy, summarize_names,
};
use partita_formats::preferences::{self, ColumnMap, PreferenceRows, PreferencesFormat};
use partita_formats::rankings::{self, QueryRankings, RankingsFormat, RankingsInput};
use partita_formats::run::{self, RunFile, RunFormat, RunReadOptions};
use partita_formats::scores::{self, ScoresFile, ScoresFormat, ScoresReadOptions};
use partita_formats::truth::{self, TruthFile, TruthFormat, TruthReadOptions};
use partita_formats::{
    DataKind, Diagnostic, DiagnosticCode, FormatError, Source, Warning, diagnostic,
};
use partita_named::NamedEnum;
use partita_report::phrases::count_noun;
use serde::Deserialize;

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

/// Converted data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertedData {
    /// Text of one file.
    Text(String),
    /// Name and text of a file for each query.
    Files(Vec<(String, String)>),
}

/// Error of a conversion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConversionError {
    /// A file cannot be read, or the format cannot hold its content.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file cannot be read as the kind of data that the request states.
    #[error(transparent)]
    StatedKind(FormatError),
    /// There are several files, which are not rankings.
    #[error("several files must all be rankings")]
    SeveralFiles,
    /// Several queries were requested of data other than a ground truth.
    #[error("only ground truths take several queries")]
    SeveralQueries,
    /// An option was given that the kind of data does not have.
    #[error("{option} is only for {kinds}, but the input is {}", kind.summary())]
    OptionOfOtherKind {
        /// Name of the option.
        option: &'static str,
        /// Kinds of data that have the option.
        kinds: String,
        /// Kind of the input.
        kind: DataKind,
    },
    /// The kind of data has no format of the requested name.
    #[error("{} cannot be written as {to}", kind.summary())]
    UnknownFormat {
        /// Kind of the input.
        kind: DataKind,
        /// Name of the requested format.
        to: String,
    },
    /// The content of the file is no kind of data.
    #[error("{file}: this is not recognised as {}", list_kinds(DataKind::VARIANTS))]
    NotRecognised {
        /// Name of the file.
        file: String,
    },
    /// The content of the file may be of several kinds.
    #[error("{file}: this can be {}", list_kinds(kinds))]
    Ambiguous {
        /// Name of the file.
        file: String,
        /// Possible kinds.
        kinds: Vec<DataKind>,
    },
    /// A requested query is not in the ground truth.
    #[error(transparent)]
    Query(#[from] UnknownQueryError),
    /// The requested query is not in the rankings.
    #[error("there is no query `{name}`")]
    NoRankings {
        /// Name of the requested query.
        name: String,
        /// Some names of the queries with rankings.
        known: String,
    },
    /// The name of a query cannot be the name of its file.
    #[error("the query `{0}` cannot be the name of a file")]
    FileName(String),
}

/// Joins the names of kinds of data: `a run or scores`.
fn list_kinds(kinds: &[DataKind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.summary()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
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

/// Format to write, which depends on the kind of data.
#[derive(Clone, Copy, Debug)]
enum TargetFormat {
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

/// Content of an input file, by kind of data.
enum FileContent {
    Truth(TruthFile),
    Run(RunFile<Run>),
    Rankings(RankingsInput),
    Preferences(PreferenceRows),
    Scores(ScoresFile),
}

/// Content of a file as one kind of data, or the error of its reader.
type ReadResult = Result<FileContent, FormatError>;

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
    fn stated_kind(&self) -> Option<DataKind> {
        let format_options = ["truth_format", "run_format", "rankings_format", "map"];
        self.kind.or_else(|| {
            let options = self.given_options().into_iter();
            let mut formats = options.filter(|(option, _)| format_options.contains(option));
            formats.next().map(|(_, kinds)| kinds[0])
        })
    }

    /// Returns the format to write. Refuses options and formats that the kind does not have.
    fn target_format(&self, kind: DataKind, files: usize) -> Result<TargetFormat, ConversionError> {
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
    fn truth_options(&self) -> TruthReadOptions {
        TruthReadOptions {
            format: self.truth_format,
            zero: ZeroGainPolicy::from(self.keep_zero),
            label: self.label.clone(),
        }
    }

    /// Returns the options for reading the runs of a file.
    fn run_options(&self, source: &Source) -> RunReadOptions {
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

    /// Reads the files as data of this kind.
    fn read(&self, kind: DataKind, sources: &[Source]) -> ReadResult {
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
    fn possible_contents(
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

    /// Writes the content of the files in the requested format.
    fn write(
        &self,
        source: &Source,
        content: FileContent,
        format: TargetFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        match (content, format) {
            (FileContent::Truth(file), TargetFormat::Truth(format)) => {
                self.write_truth(source, file, format, warnings)
            }
            (FileContent::Run(file), TargetFormat::Run(format)) => {
                write_runs(source, file, format, warnings)
            }
            (FileContent::Rankings(files), TargetFormat::Rankings(format)) => {
                self.write_rankings(files, format, warnings)
            }
            (FileContent::Preferences(rows), TargetFormat::Preferences(format)) => {
                self.write_preferences(source, rows, format, warnings)
            }
            (FileContent::Scores(file), TargetFormat::Scores(format)) => {
                let written = scores::write(&file, format)?;
                warnings.extend(file.warnings);
                warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
                Ok(ConvertedData::Text(written.text))
            }
            _ => unreachable!("the format was found for the kind of the content"),
        }
    }

    /// Writes the requested queries of a ground truth, or all if none is named.
    fn write_truth(
        &self,
        source: &Source,
        file: TruthFile,
        format: TruthFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        warnings.extend(file.warnings);
        let queries = self.query.iter().flat_map(|names| names.split(','));
        let queries: Vec<String> = queries.map(str::to_owned).collect();
        let truth = file.truth.restrict_to(&queries)?;
        warnings.extend(dropped_items_warning(&truth, source.name(), format));
        warnings.extend(empty_queries_warning(&truth, source.name(), format));
        if !(self.separate_queries && format == TruthFormat::Preflib) {
            return Ok(ConvertedData::Text(truth::write(&truth, format)?));
        }
        let files = truth.query_names().enumerate().map(|(number, query)| {
            let text = truth::write(&truth.with_single_query(number), format)?;
            Ok((format!("{}.toc", file_name(query)?), text))
        });
        let files: Result<_, ConversionError> = files.collect();
        Ok(ConvertedData::Files(files?))
    }

    /// Writes the rankings of the requested query, or of all if none is named.
    fn write_rankings(
        &self,
        files: RankingsInput,
        format: RankingsFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        warnings.extend(files.warnings);
        let mut queries = files.queries;
        if let Some(name) = self.query.first() {
            let known: Vec<String> = queries.iter().map(|query| query.name.clone()).collect();
            queries.retain(|query| query.name == *name);
            if queries.is_empty() {
                return Err(ConversionError::NoRankings {
                    name: name.clone(),
                    known: summarize_names(&known, 5),
                });
            }
        }
        if !self.separate_queries || format == RankingsFormat::Rows {
            return Ok(ConvertedData::Text(rankings::write(&queries, format)?));
        }
        let files = queries.iter().map(|query: &QueryRankings| {
            let text = rankings::write(std::slice::from_ref(query), format)?;
            // A PrefLib file states its kind of orders, which determines the file extension.
            let kind = text.split("# DATA TYPE: ").nth(1);
            let kind = kind.filter(|_| format == RankingsFormat::Preflib);
            let ending = kind.map_or("csv", |rest| &rest[..3]);
            Ok((format!("{}.{ending}", file_name(&query.name)?), text))
        });
        let files: Result<_, ConversionError> = files.collect();
        Ok(ConvertedData::Files(files?))
    }

    /// Writes preferences. If the table has no query column, its query is named by the request, or
    /// else by the file name without its extension.
    fn write_preferences(
        &self,
        source: &Source,
        read: PreferenceRows,
        format: PreferencesFormat,
        warnings: &mut Vec<Warning>,
    ) -> Result<ConvertedData, ConversionError> {
        let rows: Result<Vec<AnswerRow>, _> = read.rows.into_iter().collect();
        let query = self.query.first().map_or(source.stem(), String::as_str);
        let written = preferences::write(&rows?, query, format)?;
        warnings.extend(read.warnings);
        if read.unfilled + written.blanks > 0 {
            let count = read.unfilled + written.blanks;
            warnings.push(preferences::unfilled_rows_warning(source.name(), count));
        }
        warnings.extend(lost_columns_warning(source, format, &written.lost_columns));
        Ok(ConvertedData::Text(written.text))
    }
}

/// Writes runs.
fn write_runs(
    source: &Source,
    file: RunFile<Run>,
    format: RunFormat,
    warnings: &mut Vec<Warning>,
) -> Result<ConvertedData, ConversionError> {
    warnings.extend(file.warnings);
    let left_out = run::unwritable_queries(&file.runs, format);
    if !left_out.is_empty() {
        let problem = diagnostic!(EmptyQueries { format, queries = left_out.join(", ") }:
            "queries without any document cannot stand in {format}: {queries}");
        warnings.push(Warning::in_file(source.name(), problem));
    }
    Ok(ConvertedData::Text(run::write(&file.runs, format)?))
}

/// Returns the query if it is a valid file name.
fn file_name(query: &str) -> Result<&str, ConversionError> {
    match query.contains(['/', '\\']) || query.starts_with('.') {
        true => Err(ConversionError::FileName(query.to_owned())),
        false => Ok(query),
    }
}

/// Creates the warning about columns that a format cannot hold, if there are any.
fn lost_columns_warning(
    source: &Source,
    format: impl NamedEnum,
    columns: &[String],
) -> Option<Warning> {
    (!columns.is_empty()).then(|| {
        let problem = diagnostic!(LeftOut { format = format.name(), columns = columns.join(", ") }:
            "{format} has no place for {columns}");
        Warning::in_file(source.name(), problem)
    })
}

/// Warns about judged items that a list format cannot represent.
fn dropped_items_warning(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let lists = format.scale() == TruthScale::Groups;
    let count: usize = truth
        .iter()
        .map(|(_, judged)| judged.gains().len() - judged.list().len())
        .sum();
    (lists && truth.scale() == TruthScale::Grades && count > 0).then(|| {
        let items = count_noun(count, "judged item", "judged items");
        let is = if count == 1 { "is" } else { "are" };
        let message = format!("{items} with a grade of 0 or less {is} not in the lists");
        let problem = Diagnostic::new(DiagnosticCode::LeftOut, message);
        Warning::in_file(file, problem.with_field("left_out_items", count))
    })
}

/// Warns about queries without items, which a format with one line per item cannot represent.
fn empty_queries_warning(truth: &GroundTruth, file: &str, format: TruthFormat) -> Option<Warning> {
    let empty = truth.iter().filter(|(_, judged)| !format.can_hold(judged));
    let names: Vec<&str> = empty.map(|(query, _)| query).collect();
    (!names.is_empty()).then(|| {
        let problem = diagnostic!(EmptyQueries { format, queries = names.join(", ") }:
            "queries without any item cannot stand in {format}: {queries}");
        Warning::in_file(file, problem)
    })
}
