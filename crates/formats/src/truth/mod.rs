//! Ground truths: one file a format.
//!
//! | format | looks like | direction |
//! |---|---|---|
//! | `groups` | `query,item,group` or `label query item group` | group 1 is best |
//! | `qrels` | `query iter item grade` | higher is better |
//! | `gains` | `query,item,gain` | higher is better |
//! | `preflib` | `1: 1,{2,3},4` after a header | best first |
//! | `json` | `{"query": [["a", "b"], ["c"]]}` | best first |
//! | `notation` | `query: (a, b), (c)` | best first |

mod build;
mod gains;
mod groups;
mod json;
mod notation;
mod preflib;
mod qrels;
mod table;

use partita_core::{GroundTruth, ZeroGains};
use partita_stats::named::Named;

use crate::columns::{LONGEST_LINE, Line, one_word, starts_line};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::table::{Row, Separator};
use crate::text::{Blocks, Text, is_comment_or_blank};

use build::Rows;

partita_stats::named! {
    /// A format of ground truths.
    pub enum TruthFormat: "format of ground truths" {
        /// query,item,group or label query item group: group 1 is best
        Groups = "groups",
        /// query iter item grade: a higher grade is better
        Qrels = "qrels",
        /// query,item,gain: a higher gain is better
        Gains = "gains",
        /// PrefLib's .soc and .toc with one voter
        Preflib = "preflib",
        /// {"query": [["a", "b"], ["c"]]}, best group first
        Json = "json",
        /// query: (a, b), (c), best group first
        Notation = "notation",
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
    let (format, rows) = match options.format {
        Some(format) => (format, read_rows(source, format, options)?),
        None => match looks(source)? {
            Looks::Like(format) => (format, read_rows(source, format, options)?),
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

fn read_rows(
    source: &Source,
    format: TruthFormat,
    options: &ReadOptions,
) -> Result<Rows, FormatError> {
    refuse_label(source, format, options)?;
    // Lists of a whole query stand on one line; rows of a table are short.
    let any_line = usize::MAX - 1;
    match format {
        TruthFormat::Qrels => qrels::read(source),
        TruthFormat::Groups => read_text(source, LONGEST_LINE, |text| {
            groups::read(source, text, options.label.as_deref())
        }),
        TruthFormat::Gains => read_text(source, LONGEST_LINE, |text| gains::read(source, text)),
        TruthFormat::Preflib => read_text(source, any_line, |text| preflib::read(source, text)),
        TruthFormat::Json => read_text(source, any_line, |text| json::read(source, text)),
        TruthFormat::Notation => read_text(source, any_line, |text| notation::read(source, text)),
    }
}

fn read_text(
    source: &Source,
    longest_line: usize,
    read: impl FnOnce(&Text) -> Result<Rows, FormatError>,
) -> Result<Rows, FormatError> {
    let text = Text::read(source)?;
    text.refuse_lines_beyond(source, longest_line)?;
    let mut rows = read(&text)?;
    rows.warn(text.warning);
    Ok(rows)
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
        Ok(None) => Ok((TruthFormat::Groups, as_groups()?)),
        // What is wrong in qrels may be right in groups.
        Err(wrong) => {
            let text = Text::read(source)?;
            match text.lines().all(|(_, line)| has_usual_iteration(line)) {
                true => refuse_label(source, TruthFormat::Qrels, options).and(Err(wrong)),
                false => Ok((TruthFormat::Groups, as_groups()?)),
            }
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
        Some(label) if format != TruthFormat::Groups => {
            let message = format!(
                "no label `{label}`: a truth of {} has no labels",
                format.name()
            );
            Err(FormatError::file(source.name(), message))
        }
        _ => Ok(()),
    }
}

fn has_usual_iteration(line: &str) -> bool {
    matches!(line.split_ascii_whitespace().nth(1), Some("0" | "Q0"))
}

/// Writes a ground truth.
///
/// A format of lists gets the list of the truth; a format of grades gets its grades, which for a
/// truth of groups are g, g-1, ..., 1.
pub fn write(truth: &GroundTruth, format: TruthFormat) -> Result<String, FormatError> {
    match format {
        TruthFormat::Groups => groups::write(truth),
        TruthFormat::Qrels => {
            refuse_unreadable_words(truth)?;
            qrels::write(truth)
        }
        TruthFormat::Gains => gains::write(truth),
        TruthFormat::Preflib => preflib::write(truth),
        TruthFormat::Json => Ok(json::write(truth)),
        TruthFormat::Notation => notation::write(truth),
    }
}

/// Refuses names that would not be read back from qrels as they are.
fn refuse_unreadable_words(truth: &GroundTruth) -> Result<(), FormatError> {
    for (query, judged) in truth.iter() {
        starts_line("qrels", query)?;
        let items = judged.names().items();
        let items = items.map(|item| judged.names().name(item));
        for name in std::iter::once(query).chain(items) {
            one_word("qrels", name)?;
        }
    }
    Ok(())
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
    let mut blocks = Blocks::new(source, usize::MAX - 1)?;
    let mut started = false;
    while let Some(block) = blocks.next()? {
        let start = block.text.trim_start();
        if !started && start.starts_with(['{', '[']) {
            return Ok(Looks::Like(TruthFormat::Json));
        }
        if !started && crate::preflib::looks_like(start) {
            return Ok(Looks::Like(TruthFormat::Preflib));
        }
        started |= !start.is_empty();
        let mut lines = (block.first_line..).zip(block.text.lines());
        if let Some((number, first)) = lines.find(|(_, line)| !is_comment_or_blank(line)) {
            return line_looks(source, number, first);
        }
    }
    Err(crate::text::empty(source.name()))
}

/// Finds out the format of a ground truth by its first line that says something.
fn line_looks(source: &Source, number: u64, first: &str) -> Result<Looks, FormatError> {
    if notation::looks_like(first) {
        return Ok(Looks::Like(TruthFormat::Notation));
    }
    let separator = Separator::of(first, 3);
    let line = Line {
        file: source.name(),
        number,
        text: first,
    };
    let row = Row::new(line, separator);
    if let Some(columns) = table::Columns::from_header(&row) {
        return Ok(Looks::Like(match columns.value {
            table::Value::Group => TruthFormat::Groups,
            table::Value::Gain => TruthFormat::Gains,
        }));
    }
    if first.split_ascii_whitespace().count() == 4 && has_usual_iteration(first) {
        return Ok(Looks::LikeQrels);
    }
    let wrong = |message: &str| FormatError::line(source.name(), number, message).column(1);
    let columns = row.fields;
    let iteration = columns.get(1).map(|column| column.as_ref());
    match columns.len() {
        // Taken for groups, such a file would be one query with its grades upside down.
        4 if matches!(iteration, Some("0" | "Q0")) => Err(wrong(
            "this looks like qrels (higher is better), whose columns are separated by blanks",
        )
        .hint(
            "separate the columns by single blanks, add a header line `query,iter,item,gain`, or \
             say `--truth-format groups` if the columns are label, query, item and group",
        )),
        4 => Ok(Looks::Like(TruthFormat::Groups)),
        3 => Err(wrong(
            "three columns without a header could be groups (1 is best) or gains (higher is better)",
        )
        .hint(
            "say `--truth-format groups` or `--truth-format gains`, or add a header line \
             `query,item,group` or `query,item,gain`",
        )),
        count => Err(wrong(&format!(
            "a line of {count} columns is no ground truth that can be told by its looks"
        ))
        .hint(format!(
            "say its format with `--truth-format`: {}",
            TruthFormat::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
        ))),
    }
}
