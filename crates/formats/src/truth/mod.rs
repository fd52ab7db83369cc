//! Ground truths, one module per format.
//!
//! | format | looks like | direction |
//! |---|---|---|
//! | `groups` | `query,item,group` or `label query item group` | group 1 is best |
//! | `qrels` | `query iter item grade` | higher is better |
//! | `gains` | `query,item,gain` | higher is better |
//! | `preflib` | `1: 1,{2,3},4` after a header | best first |
//! | `json` | `{"query": [["a", "b"], ["c"]]}` | best first |
//! | `qrels-json` | `{"query": {"a": 2, "b": 0}}` | higher is better |
//! | `notation` | `query: (a, b), (c)` | best first |

mod builder;
mod gains;
mod groups;
mod json;
mod notation;
mod preflib;
mod qrels;
mod table;

use partita_core::{GroundTruth, QueryTruth, TruthScale, ZeroGainPolicy};
use partita_named::NamedEnum;
use serde::Deserialize;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::file_kind::{FileKind, prefer_mismatch_error};
use crate::remedy::Remedy;
use crate::table::{InputRow, Separator};
use crate::text::line::{SourceLine, count_of_columns};
use crate::text::source::Source;
use crate::text::{BlockReader, SourceText, is_comment_or_blank};

use builder::TruthBuilder;

/// Properties of a file format of ground truths, with its reader and its writer.
struct TruthFormatDefinition {
    /// Scale of the judgments in the file: group numbers or grades.
    scale: TruthScale,
    /// True if every item has its own line, so that a query without items cannot be written.
    by_item: bool,
    read: TruthReader,
    write: fn(&GroundTruth) -> Result<String, FormatError>,
}

/// Function that reads a file format of ground truths.
enum TruthReader {
    /// Function that gets the whole text of the file at once.
    Whole(fn(&SourceText<'_>, &TruthReadOptions) -> Result<TruthBuilder, FormatError>),
    /// Function that reads the file block by block, for formats of long files.
    InBlocks(fn(&Source) -> Result<TruthBuilder, FormatError>),
}

/// Defines [`TruthFormat`] and all that depends on the list of formats, so that a format is named
/// once: `Variant = "name", module::DEFINITION, "summary";`.
macro_rules! truth_formats {
    ($($variant:ident = $name:literal, $definition:path, $about:literal;)+) => {
        partita_named::named_enum! {
            /// Format of ground truths.
            pub enum TruthFormat: "format of ground truths" {
                $(#[doc = $about] $variant = $name,)+
            }
        }

        impl TruthFormat {
            fn definition(self) -> &'static TruthFormatDefinition {
                match self { $(Self::$variant => &$definition,)+ }
            }
        }
    };
}

truth_formats! {
    Groups = "groups", groups::FORMAT, "query,item,group or label query item group: group 1 is best";
    Qrels = "qrels", qrels::FORMAT, "query iter item grade: a higher grade is better";
    Gains = "gains", gains::FORMAT, "query,item,gain: a higher gain is better";
    Preflib = "preflib", preflib::FORMAT, "PrefLib's .soc and .toc with one voter";
    Json = "json", json::LISTS, "{\"query\": [[\"a\", \"b\"], [\"c\"]]}, best group first";
    QrelsJson = "qrels-json", json::GRADES,
        "{\"query\": {\"a\": 2, \"b\": 0}}, grades as pytrec_eval, ranx and BEIR have them";
    Notation = "notation", notation::FORMAT, "query: (a, b), (c), best group first";
}

impl TruthFormat {
    /// Returns the scale of the judgments in this format: group numbers or grades.
    pub fn scale(self) -> TruthScale {
        self.definition().scale
    }

    /// Returns true if the format can represent the judgments of a query. A format with one line
    /// per item cannot represent a query without items.
    pub fn can_hold(self, judged: &QueryTruth) -> bool {
        let is_empty = match self.scale() {
            TruthScale::Groups => judged.list().is_empty(),
            TruthScale::Grades => judged.gains().is_empty(),
        };
        !(self.definition().by_item && is_empty)
    }
}

/// Options for reading ground truths.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TruthReadOptions {
    /// Format of the file; `None` to detect it.
    #[serde(rename = "truth_format")]
    pub format: Option<TruthFormat>,
    /// Treatment of items with a grade of 0 or less when the list is built from grades.
    #[serde(rename = "keep_zero")]
    pub zero: ZeroGainPolicy,
    /// Label to read, for files `label query item group` that hold several ground truths, one per
    /// label; `None` if the file has at most one.
    pub label: Option<String>,
}

/// Content of a file with a ground truth.
#[derive(Debug)]
pub struct TruthFile {
    /// Ground truth of all queries.
    pub truth: GroundTruth,
    /// Format of the file.
    pub format: TruthFormat,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads a ground truth, in the given format or the one that is detected.
pub fn read(source: &Source, options: &TruthReadOptions) -> Result<TruthFile, FormatError> {
    let read = read_with_options(source, options);
    read.map_err(|error| prefer_mismatch_error(FileKind::Truth, source, error))
}

/// Returns true if a line is in the format `notation`, `query: (a, b), (c)`.
pub(crate) fn is_notation(line: &str) -> bool {
    notation::looks_like(line)
}

/// Returns true if a row is the header of a table with a ground truth.
pub(crate) fn is_header(row: &InputRow<'_>) -> bool {
    table::Columns::from_header(row).is_some()
}

/// Reads a ground truth, except that an error does not yet say if the file is of another kind.
fn read_with_options(
    source: &Source,
    options: &TruthReadOptions,
) -> Result<TruthFile, FormatError> {
    let (format, rows) = match options.format {
        Some(format) => read_rows(source, format, options)?,
        None => match guess_format(source)? {
            FormatGuess::Format(format) => read_rows(source, format, options)?,
            FormatGuess::QrelsOrGroups => read_qrels_or_groups(source, options)?,
        },
    };
    let (truth, warnings) = rows.finish(source, options.zero)?;
    Ok(TruthFile {
        truth,
        format,
        warnings,
    })
}

/// Reads judgments in the given or detected format. Also returns the actual format, because the
/// content of a JSON file decides between groups and grades.
fn read_rows(
    source: &Source,
    format: TruthFormat,
    options: &TruthReadOptions,
) -> Result<(TruthFormat, TruthBuilder), FormatError> {
    refuse_label(source, format, options)?;
    let rows = match format.definition().read {
        TruthReader::InBlocks(read) => read(source)?,
        TruthReader::Whole(read) => {
            let text = SourceText::read(source)?;
            let mut rows = read(&text, options)?;
            rows.warn(text.warning);
            rows
        }
    };
    let grades = format == TruthFormat::Json && rows.scale() == TruthScale::Grades;
    let format = if grades {
        TruthFormat::QrelsJson
    } else {
        format
    };
    Ok((format, rows))
}

/// Reads the file as `query 0 item grade`, unless a later line shows that it is `label query item
/// group`.
fn read_qrels_or_groups(
    source: &Source,
    options: &TruthReadOptions,
) -> Result<(TruthFormat, TruthBuilder), FormatError> {
    let as_groups = || read_rows(source, TruthFormat::Groups, options);
    match qrels::read_if_usual_iteration(source) {
        Ok(Some(rows)) => {
            refuse_label(source, TruthFormat::Qrels, options)?;
            Ok((TruthFormat::Qrels, rows))
        }
        Ok(None) => as_groups(),
        // A line that is invalid as qrels may be valid as groups.
        Err(wrong) => {
            let text = SourceText::read(source)?;
            if text.lines().all(|line| has_usual_iteration(line.text)) {
                return refuse_label(source, TruthFormat::Qrels, options).and(Err(wrong));
            }
            as_groups()
        }
    }
}

/// Returns an error if the options name a label, for formats without labels.
fn refuse_label(
    source: &Source,
    format: TruthFormat,
    options: &TruthReadOptions,
) -> Result<(), FormatError> {
    match &options.label {
        Some(label) if format != TruthFormat::Groups => {
            Err(source.error(diagnostic!(UnknownName {
            label, format
        }:
            "no label `{label}`: a truth of {format} has no labels")))
        }
        _ => Ok(()),
    }
}

/// Returns true if the second column is `0` or `Q0`, as in nearly all qrels.
fn has_usual_iteration(line: &str) -> bool {
    matches!(split_columns(line).nth(1), Some("0" | "Q0"))
}

/// Splits a line into columns at its tabs, or at blanks if it has no tabs.
fn split_columns(line: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    if line.contains('\t') {
        Box::new(line.split('\t').map(str::trim))
    } else {
        Box::new(line.split_ascii_whitespace())
    }
}

/// Writes a ground truth.
///
/// A format of groups gets the list of the truth. A format of grades gets its grades; for a truth
/// of g groups, these are g, g-1, ..., 1 from the best group to the last.
pub fn write(truth: &GroundTruth, format: TruthFormat) -> Result<String, FormatError> {
    (format.definition().write)(truth)
}

/// Format of a ground truth as guessed from the start of the file.
enum FormatGuess {
    Format(TruthFormat),
    /// Either qrels or labelled groups, both of four columns; the first line cannot distinguish
    /// them.
    QrelsOrGroups,
}

/// Guesses the format of a ground truth from the file name extension and the start of its content.
fn guess_format(source: &Source) -> Result<FormatGuess, FormatError> {
    if crate::shared::preflib::is_preflib_extension(source.extension()) {
        return Ok(FormatGuess::Format(TruthFormat::Preflib));
    }
    let mut blocks = BlockReader::with_small_blocks(source)?;
    let mut started = false;
    while let Some(block) = blocks.next()? {
        let start = block.text().trim_start();
        if !started && start.starts_with(['{', '[']) {
            return Ok(FormatGuess::Format(TruthFormat::Json));
        }
        if !started && crate::shared::preflib::starts_like_preflib(start) {
            return Ok(FormatGuess::Format(TruthFormat::Preflib));
        }
        started |= !start.is_empty();
        let mut lines = (block.first_line..).zip(block.text().lines());
        if let Some((number, first)) = lines.find(|(_, line)| !is_comment_or_blank(line)) {
            return guess_from_line(source, number, first);
        }
    }
    Err(source.empty_error())
}

/// Guesses the format of a ground truth from its first line that is neither blank nor a comment.
fn guess_from_line(source: &Source, number: u64, first: &str) -> Result<FormatGuess, FormatError> {
    if notation::looks_like(first) {
        return Ok(FormatGuess::Format(TruthFormat::Notation));
    }
    let separator = Separator::detect(first, 3);
    let line = SourceLine::new(source, number, first);
    let row = InputRow::new(line, separator);
    if let Some(columns) = table::Columns::from_header(&row) {
        return Ok(FormatGuess::Format(match columns.value {
            table::ValueColumn::Group => TruthFormat::Groups,
            table::ValueColumn::Gain => TruthFormat::Gains,
        }));
    }
    if split_columns(first).count() == 4 && has_usual_iteration(first) {
        return Ok(FormatGuess::QrelsOrGroups);
    }
    let wrong = |problem| line.error(problem).at_column(1);
    let columns = row.fields;
    let iteration = columns.get(1).map(std::convert::AsRef::as_ref);
    match columns.len() {
        // Read as `label query item group`, such a file would be a single query with reversed
        // grades.
        4 if matches!(iteration, Some("0" | "Q0")) => Err(wrong(diagnostic!(UnknownFormat:
            "this looks like qrels (higher is better), whose columns are separated by blanks or tabs"))
        .with_remedy(Remedy::parse(
            "separate the columns by blanks or tabs, add a header line `query,iter,item,gain`, or say \
             {truth_format groups} if the columns are label, query, item and group",
        ))),
        4 => Ok(FormatGuess::Format(TruthFormat::Groups)),
        3 => Err(wrong(diagnostic!(UnknownFormat:
            "three columns without a header could be groups (1 is best) or gains (higher is \
             better)"))
        .with_remedy(Remedy::parse(
            "say {truth_format groups} or {truth_format gains}, or add a header line \
             `query,item,group` or `query,item,gain`",
        ))),
        columns => {
            let found = count_of_columns(columns);
            let problem = diagnostic!(UnknownFormat { found }:
                "a ground truth cannot be recognised by a line of {found}");
            let formats: Vec<&str> = TruthFormat::VARIANTS.iter().map(|format| format.name()).collect();
            let remedy = format!("say its format with {{truth_format}}: {}", formats.join(", "));
            Err(wrong(problem).with_remedy(Remedy::parse(&remedy)))
        }
    }
}
