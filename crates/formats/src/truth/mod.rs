//! Ground truths: one file a format.
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

mod build;
mod gains;
mod groups;
mod json;
mod notation;
mod preflib;
mod qrels;
mod table;

use partita_core::{GroundTruth, Judged, Scale, ZeroGains};
use partita_stats::named::Named;

use crate::columns::{Line, count_of_columns};
use crate::error::{FormatError, Warning};
use crate::kind::{FileKind, or_mistaken};
use crate::problem;
use crate::remedy::Remedy;
use crate::source::Source;
use crate::table::{Row, Separator};
use crate::text::{Blocks, Text, is_comment_or_blank};

use build::Rows;

/// How a format is read and written.
struct Definition {
    /// Whether it holds lists or grades.
    scale: Scale,
    /// Whether every item has a line of its own, so that a query without items has no place.
    by_item: bool,
    read: Reader,
    write: fn(&GroundTruth) -> Result<String, FormatError>,
}

/// How a format is read.
enum Reader {
    /// As a whole.
    Whole(fn(&Text<'_>, &ReadOptions) -> Result<Rows, FormatError>),
    /// Block by block.
    InBlocks(fn(&Source) -> Result<Rows, FormatError>),
}

/// Makes the enum and everything that depends on the list of its formats, so that a format is named once:
/// `Variant = "name", module::DEFINITION, "what it is";`.
macro_rules! truth_formats {
    ($($variant:ident = $name:literal, $definition:path, $about:literal;)+) => {
        partita_stats::named! {
            /// A format of ground truths.
            pub enum TruthFormat: "format of ground truths" {
                $(#[doc = $about] $variant = $name,)+
            }
        }

        impl TruthFormat {
            fn definition(self) -> &'static Definition {
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
    /// Whether it holds lists or grades.
    pub fn scale(self) -> Scale {
        self.definition().scale
    }

    /// Whether a query has a place in it.
    pub fn holds(self, judged: &Judged) -> bool {
        let is_empty = match self.scale() {
            Scale::Groups => judged.list().is_empty(),
            Scale::Grades => judged.gains().is_empty(),
        };
        !(self.definition().by_item && is_empty)
    }
}

/// How a ground truth is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format, if it is not to be found out.
    pub format: Option<TruthFormat>,
    /// What becomes of items with a grade of 0 or less in the list.
    pub zero: ZeroGains,
    /// Which of several labels is read, in a file of `label query item group`.
    pub label: Option<String>,
}

/// A ground truth as it was read.
#[derive(Debug)]
pub struct TruthFile {
    /// The ground truth.
    pub truth: GroundTruth,
    /// The format it was in.
    pub format: TruthFormat,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// Reads a ground truth.
pub fn read(source: &Source, options: &ReadOptions) -> Result<TruthFile, FormatError> {
    let read = read_as_asked(source, options);
    read.map_err(|error| or_mistaken(FileKind::Truth, source, error))
}

/// Whether a line is of the papers' notation.
pub(crate) fn is_notation(line: &str) -> bool {
    notation::looks_like(line)
}

/// Whether a row names the columns of a ground truth.
pub(crate) fn is_header(row: &Row<'_>) -> bool {
    table::Columns::from_header(row).is_some()
}

fn read_as_asked(source: &Source, options: &ReadOptions) -> Result<TruthFile, FormatError> {
    let (format, rows) = match options.format {
        Some(format) => read_rows(source, format, options)?,
        None => match looks(source)? {
            Looks::Like(format) => read_rows(source, format, options)?,
            Looks::LikeQrels => read_likely_qrels(source, options)?,
        },
    };
    let (truth, warnings) = rows.finish(source, options.zero)?;
    Ok(TruthFile {
        truth,
        format,
        warnings,
    })
}

/// Reads judgments; those of JSON are lists or grades, and say so themselves.
fn read_rows(
    source: &Source,
    format: TruthFormat,
    options: &ReadOptions,
) -> Result<(TruthFormat, Rows), FormatError> {
    refuse_label(source, format, options)?;
    let rows = match format.definition().read {
        Reader::InBlocks(read) => read(source)?,
        Reader::Whole(read) => {
            let text = Text::read(source)?;
            let mut rows = read(&text, options)?;
            rows.warn(text.warning);
            rows
        }
    };
    let grades = format == TruthFormat::Json && rows.scale() == Scale::Grades;
    let format = if grades {
        TruthFormat::QrelsJson
    } else {
        format
    };
    Ok((format, rows))
}

/// Reads `query 0 item grade`, unless a later line tells that it is `label query item group`.
fn read_likely_qrels(
    source: &Source,
    options: &ReadOptions,
) -> Result<(TruthFormat, Rows), FormatError> {
    let as_groups = || read_rows(source, TruthFormat::Groups, options);
    match qrels::read_usual(source) {
        Ok(Some(rows)) => {
            refuse_label(source, TruthFormat::Qrels, options)?;
            Ok((TruthFormat::Qrels, rows))
        }
        Ok(None) => as_groups(),
        // What is wrong in qrels may be right in groups.
        Err(wrong) => {
            let text = Text::read(source)?;
            if text.lines().all(|line| has_usual_iteration(line.text)) {
                return refuse_label(source, TruthFormat::Qrels, options).and(Err(wrong));
            }
            as_groups()
        }
    }
}

/// Refuses a label where there are none.
fn refuse_label(
    source: &Source,
    format: TruthFormat,
    options: &ReadOptions,
) -> Result<(), FormatError> {
    match &options.label {
        Some(label) if format != TruthFormat::Groups => Err(source.error(problem!(UnknownName {
            label, format
        }:
            "no label `{label}`: a truth of {format} has no labels"))),
        _ => Ok(()),
    }
}

fn has_usual_iteration(line: &str) -> bool {
    matches!(columns_of(line).nth(1), Some("0" | "Q0"))
}

/// The columns of a line that tabs separate, if it has any, else blanks.
fn columns_of(line: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    if line.contains('\t') {
        Box::new(line.split('\t').map(str::trim))
    } else {
        Box::new(line.split_ascii_whitespace())
    }
}

/// Writes a ground truth.
///
/// A format of lists gets the list of the truth; a format of grades gets its grades, which for a
/// truth of groups are g, g-1, ..., 1.
pub fn write(truth: &GroundTruth, format: TruthFormat) -> Result<String, FormatError> {
    (format.definition().write)(truth)
}

/// What format a ground truth seems to have.
enum Looks {
    Like(TruthFormat),
    /// Like qrels, as far as can be told from the first line.
    LikeQrels,
}

/// Finds out the format of a ground truth by the file's ending and the start of its content.
fn looks(source: &Source) -> Result<Looks, FormatError> {
    if crate::preflib::is_ending(source.ending()) {
        return Ok(Looks::Like(TruthFormat::Preflib));
    }
    let mut blocks = Blocks::start(source)?;
    let mut started = false;
    while let Some(block) = blocks.next()? {
        let start = block.text().trim_start();
        if !started && start.starts_with(['{', '[']) {
            return Ok(Looks::Like(TruthFormat::Json));
        }
        if !started && crate::preflib::looks_like(start) {
            return Ok(Looks::Like(TruthFormat::Preflib));
        }
        started |= !start.is_empty();
        let mut lines = (block.first_line..).zip(block.text().lines());
        if let Some((number, first)) = lines.find(|(_, line)| !is_comment_or_blank(line)) {
            return line_looks(source, number, first);
        }
    }
    Err(source.empty())
}

/// Finds out the format of a ground truth by its first line that says something.
fn line_looks(source: &Source, number: u64, first: &str) -> Result<Looks, FormatError> {
    if notation::looks_like(first) {
        return Ok(Looks::Like(TruthFormat::Notation));
    }
    let separator = Separator::of(first, 3);
    let line = Line::new(source, number, first);
    let row = Row::new(line, separator);
    if let Some(columns) = table::Columns::from_header(&row) {
        return Ok(Looks::Like(match columns.value {
            table::Value::Group => TruthFormat::Groups,
            table::Value::Gain => TruthFormat::Gains,
        }));
    }
    if columns_of(first).count() == 4 && has_usual_iteration(first) {
        return Ok(Looks::LikeQrels);
    }
    let wrong = |problem| line.error(problem).column(1);
    let columns = row.fields;
    let iteration = columns.get(1).map(|column| column.as_ref());
    match columns.len() {
        // Taken for groups, such a file would be one query with its grades upside down.
        4 if matches!(iteration, Some("0" | "Q0")) => Err(wrong(problem!(UnknownFormat:
            "this looks like qrels (higher is better), whose columns are separated by blanks or tabs"))
        .remedy(Remedy::with_terms(
            "separate the columns by blanks or tabs, add a header line `query,iter,item,gain`, or say \
             {truth_format groups} if the columns are label, query, item and group",
        ))),
        4 => Ok(Looks::Like(TruthFormat::Groups)),
        3 => Err(wrong(problem!(UnknownFormat:
            "three columns without a header could be groups (1 is best) or gains (higher is \
             better)"))
        .remedy(Remedy::with_terms(
            "say {truth_format groups} or {truth_format gains}, or add a header line \
             `query,item,group` or `query,item,gain`",
        ))),
        columns => {
            let found = count_of_columns(columns);
            let problem = problem!(UnknownFormat { found }:
                "a ground truth cannot be recognised by a line of {found}");
            let formats: Vec<&str> = TruthFormat::ALL.iter().map(|format| format.name()).collect();
            let remedy = format!("say its format with {{truth_format}}: {}", formats.join(", "));
            Err(wrong(problem).remedy(Remedy::with_terms(&remedy)))
        }
    }
}
