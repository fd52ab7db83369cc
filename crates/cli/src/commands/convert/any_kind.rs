//! `partita convert`: conversion of a file of any kind.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::formats::preferences::{self, ColumnMap, PreferenceRows, PreferencesFormat};
use partita::formats::rankings::{self, RankingsFormat, RankingsInput};
use partita::formats::run::{self, RunFile, RunFormat};
use partita::formats::scores::{self, ScoresFile, ScoresFormat};
use partita::formats::truth::{self, TruthFile, TruthFormat};
use partita::formats::{DataKind, DiagnosticCode, FormatError, Source};
use partita::named::NamedEnum;
use partita::{MissingScorePolicy, Run};

use crate::args::input::{RunInputArgs, TruthInputArgs, check_single_stdin, open_all};
use crate::args::preferences::parse_column_map;
use crate::args::scores::{MeasureList, parse_measures};
use crate::commands::run as runs;
use crate::commands::truth::convert as truths;
use crate::output::destination::Destination;
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Convert ground truths, runs, rankings, preferences or scores
///
/// The kind of the file is recognised by its content. If a file fits several kinds, --to or another
/// option may leave one of them; otherwise give --kind.
///
/// Ground truths: groups become the grades g, g-1, ..., 1; equal grades become a group. In `groups`
/// the number 1 is best; in `qrels`, `qrels-json` and `gains` a higher number is better.
///
/// `preflib` and a `matrix` of rankings hold one query: if there are several, choose one with --query
/// or give a folder as --output. In PrefLib files ranks become places and assessors lose their names.
/// A `matrix` of scores holds one measure: choose it with --measure. `winner` and `left-right` do not
/// name the assessors.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  partita convert truth.txt --to qrels
  partita convert my.run --to json
  partita convert truth.json --to json --kind truth
  partita convert rankings.csv --to preflib --output lists/
  partita convert results.csv --map mturk --to answers
  partita convert scores.csv --to matrix -m AP")]
pub(crate) struct ConvertArgs {
    /// File to convert; `-` is standard input. Rankings may be in several files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Format to write; `csv` is the table format of each kind
    #[arg(long, value_name = "FORMAT", value_parser = format_name_parser())]
    to: String,
    /// Kind of data in the file, if it is not recognised
    #[arg(long, value_name = "KIND", value_parser = named_value_parser::<DataKind>())]
    kind: Option<DataKind>,
    /// Convert only this query (ground truths and rankings; several for ground truths). For
    /// preferences, a matrix of rankings or a PrefLib file: name of its query [default: file name]
    #[arg(long, value_name = "NAME,...")]
    query: Vec<String>,
    #[command(flatten, next_help_heading = "Ground truths")]
    truth: TruthInputArgs,
    #[command(flatten, next_help_heading = "Runs")]
    run: RunInputArgs,
    /// Name of a run that has no name of its own [default: file name]
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    tag: Option<String>,
    /// Format of the rankings, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<RankingsFormat>(), help_heading = "Rankings")]
    rankings_format: Option<RankingsFormat>,
    /// Map of columns and answer words: `mturk`, `@FILE`, or query=COLUMN,a=COLUMN,...,equal=WORD
    #[arg(long, value_name = "MAP", value_parser = parse_column_map, help_heading = "Preferences")]
    map: Option<ColumnMap>,
    /// Convert only the scores by these measures, separated by commas or given one by one
    #[arg(long = "measure", short, value_name = "MEASURE", value_parser = parse_measures, help_heading = "Scores")]
    measures: Vec<MeasureList>,
    /// How to treat missing scores [default: refuse]
    #[arg(long, value_parser = named_value_parser::<MissingScorePolicy>(), help_heading = "Scores")]
    missing: Option<MissingScorePolicy>,
    #[command(flatten)]
    destination: Destination,
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

/// Content of a file as one kind of data, or the error of its reader.
type ReadResult = Result<FileContent, FormatError>;

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

/// Returns the names and descriptions of the formats of a kind of data.
fn formats(kind: DataKind) -> Vec<(&'static str, &'static str)> {
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

/// Parses the name of a format of any kind of data. A format that several kinds have is listed
/// once.
fn format_name_parser() -> impl TypedValueParser<Value = String> {
    let mut listed: Vec<(&str, String)> = Vec::new();
    for kind in DataKind::VARIANTS {
        for (name, about) in formats(*kind) {
            let about = format!("{kind}: {about}");
            match listed.iter_mut().find(|(known, _)| *known == name) {
                Some((_, text)) => *text = format!("{text}; {about}"),
                None => listed.push((name, about)),
            }
        }
    }
    let values = listed
        .into_iter()
        .map(|(name, about)| PossibleValue::new(name).help(about));
    let csv = PossibleValue::new("csv").hide(true);
    PossibleValuesParser::new(values.chain([csv]))
}

/// Content of an input file, by kind of data.
enum FileContent {
    Truth(TruthFile),
    Run(RunFile<Run>),
    Rankings(RankingsInput),
    Preferences(PreferenceRows),
    Scores(ScoresFile),
}

impl ConvertArgs {
    /// Returns the given command-line options that only some kinds of data have, with these kinds.
    fn given_kind_options(&self) -> Vec<(&'static str, &'static [DataKind])> {
        use DataKind::{Preferences, Rankings, Run, Scores, Truth};
        let mut given: Vec<(&'static str, &'static [DataKind])> = Vec::new();
        let truth = self.truth.given_options().into_iter();
        given.extend(truth.map(|option| (option, [Truth].as_slice())));
        let run = self.run.given_options().into_iter();
        given.extend(run.map(|option| (option, [Run].as_slice())));
        let others: [(bool, &'static str, &'static [DataKind]); 6] = [
            (self.tag.is_some(), "--tag", &[Run]),
            (
                self.rankings_format.is_some(),
                "--rankings-format",
                &[Rankings],
            ),
            (self.map.is_some(), "--map", &[Preferences]),
            (!self.measures.is_empty(), "--measure", &[Scores]),
            (self.missing.is_some(), "--missing", &[Scores]),
            (
                !self.query.is_empty(),
                "--query",
                &[Truth, Rankings, Preferences],
            ),
        ];
        let others = others.into_iter().filter(|(is_given, ..)| *is_given);
        given.extend(others.map(|(_, option, kinds)| (option, kinds)));
        given
    }

    /// Returns the kind of data that --kind names or that an option about the input format implies.
    fn stated_kind(&self) -> Option<DataKind> {
        let format_options = [
            "--truth-format",
            "--run-format",
            "--rankings-format",
            "--map",
        ];
        self.kind.or_else(|| {
            let options = self.given_kind_options().into_iter();
            let mut formats = options.filter(|(option, _)| format_options.contains(option));
            formats.next().map(|(_, kinds)| kinds[0])
        })
    }

    /// Returns the format to write. Refuses options and formats that the kind does not have.
    fn target_format(&self, kind: DataKind) -> Result<TargetFormat, CliError> {
        let options = self.given_kind_options();
        if let Some((option, kinds)) = options.iter().find(|(_, kinds)| !kinds.contains(&kind)) {
            let (of, is) = (list_kinds(kinds, "or"), kind.summary());
            let message = format!("{option} is only for {of}, but the input is {is}");
            return Err(CliError::input(message).with_hint(format!("leave {option} out")));
        }
        if kind != DataKind::Rankings && self.files.len() > 1 {
            return Err(several_files_error());
        }
        if kind != DataKind::Truth && self.query.len() > 1 {
            return Err(CliError::input("only ground truths take several --query"));
        }
        TargetFormat::find(kind, &self.to).ok_or_else(|| {
            let (is, to) = (kind.summary(), &self.to);
            let names: Vec<&str> = formats(kind).into_iter().map(|(name, _)| name).collect();
            let message = format!("{is} cannot be written as {to}");
            CliError::input(message).with_hint(format!("give --to {}", names.join(", ")))
        })
    }

    /// Reads the files as data of this kind.
    fn read(&self, kind: DataKind, sources: &[Source]) -> Result<FileContent, FormatError> {
        let source = &sources[0];
        match kind {
            DataKind::Truth => truth::read(source, &self.truth.options()).map(FileContent::Truth),
            DataKind::Run => {
                let options = runs::with_run_name(source, self.tag.as_deref(), self.run.options());
                run::read(source, &options).map(FileContent::Run)
            }
            DataKind::Rankings => {
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
                let options = scores::ScoresReadOptions {
                    measures: self.measures.concat(),
                    missing: self.missing.unwrap_or_default(),
                };
                scores::read(source, &options).map(FileContent::Scores)
            }
        }
    }

    /// Writes the content of the files in the requested format.
    fn write(
        &self,
        source: &Source,
        content: FileContent,
        format: TargetFormat,
    ) -> Result<(), CliError> {
        let destination = &self.destination;
        let query = self.query.first().map(String::as_str);
        match (content, format) {
            (FileContent::Truth(file), TargetFormat::Truth(format)) => {
                let names = self.query.iter().flat_map(|names| names.split(','));
                let queries: Vec<String> = names.map(str::to_owned).collect();
                truths::write(source, file, format, &queries, destination)
            }
            (FileContent::Run(file), TargetFormat::Run(format)) => {
                runs::write(source, &file, format, destination)
            }
            (FileContent::Rankings(files), TargetFormat::Rankings(format)) => {
                super::write_rankings(files, format, query, destination)
            }
            (FileContent::Preferences(rows), TargetFormat::Preferences(format)) => {
                super::write_preferences(source, rows, format, query, destination)
            }
            (FileContent::Scores(file), TargetFormat::Scores(format)) => {
                super::write_scores(source, file, format, destination)
            }
            _ => unreachable!("the format was found for the kind of the content"),
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
    ) -> Result<Vec<(DataKind, ReadResult)>, CliError> {
        let mut candidates = DataKind::VARIANTS.to_vec();
        for source in sources {
            let of_source = DataKind::possible_kinds(source)?;
            candidates.retain(|kind| of_source.contains(kind));
        }
        if sources.len() > 1 {
            candidates.retain(|kind| *kind == DataKind::Rankings);
            if candidates.is_empty() {
                return Err(several_files_error());
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
            (true, _) => {
                let name = sources[0].name();
                let kinds = list_kinds(DataKind::VARIANTS, "or");
                let message = format!("{name}: this is not recognised as {kinds}");
                let names: Vec<&str> = DataKind::VARIANTS.iter().map(|kind| kind.name()).collect();
                let hint = format!(
                    "say what it is with `--kind {}`; the error then shows the line that is wrong",
                    names.join("|")
                );
                Err(CliError::input(message).with_hint(hint))
            }
            _ => Ok(reads),
        }
    }

    /// Returns true if the file has three columns that can be read as groups or gains.
    fn is_truth_without_header(&self, source: &Source) -> bool {
        [TruthFormat::Groups, TruthFormat::Gains]
            .iter()
            .any(|format| {
                let options = truth::TruthReadOptions {
                    format: Some(*format),
                    ..self.truth.options()
                };
                truth::read(source, &options).is_ok()
            })
    }
}

/// Joins the names of kinds of data: `a run or scores`.
fn list_kinds(kinds: &[DataKind], conjunction: &str) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.summary()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => String::new(),
    }
}

pub(crate) fn run(args: &ConvertArgs) -> Result<(), CliError> {
    check_single_stdin(args.files.iter().map(|file| Some(file.as_str())))?;
    if let Some(kind) = args.stated_kind() {
        let format = args.target_format(kind)?;
        let sources = open_all(&args.files)?;
        let content = args.read(kind, &sources).map_err(|error| {
            CliError::from_single_file_error(error, "give another --kind, or leave it out")
        })?;
        return args.write(&sources[0], content, format);
    }
    let sources = open_all(&args.files)?;
    let mut possible_contents = args.possible_contents(&sources)?;
    if possible_contents.len() > 1 {
        let kinds: Vec<DataKind> = possible_contents.iter().map(|(kind, _)| *kind).collect();
        possible_contents.retain(|(kind, _)| args.target_format(*kind).is_ok());
        if possible_contents.len() != 1 {
            return Err(ambiguous_kind_error(sources[0].name(), &kinds));
        }
    }
    let (kind, content) = possible_contents.remove(0);
    let format = args.target_format(kind)?;
    args.write(&sources[0], content?, format)
}

/// Returns the error for several files of data other than rankings.
fn several_files_error() -> CliError {
    let hint = "convert files of other kinds one by one";
    CliError::input("several files must all be rankings").with_hint(hint)
}

/// Returns the error for a file that fits several kinds of data.
fn ambiguous_kind_error(file: &str, kinds: &[DataKind]) -> CliError {
    let message = format!("{file}: this can be {}", list_kinds(kinds, "or"));
    let names: Vec<String> = kinds
        .iter()
        .map(|kind| format!("`--kind {kind}`"))
        .collect();
    CliError::input(message).with_hint(format!("give {}", names.join(" or ")))
}
