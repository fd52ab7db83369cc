//! What the tables `query item group` and `query item gain` share.

use std::borrow::Cow;

use partita_core::GroundTruth;

use crate::columns::{Delimiter, Line, fits_table, table_writer};
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::text::Text;

/// What the last column of a table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Group,
    Gain,
}

/// Which column of a table holds what.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) label: Option<usize>,
    pub(super) query: usize,
    pub(super) item: usize,
    number: usize,
    pub(super) value: Value,
    count: usize,
    unread: Vec<String>,
}

impl Columns {
    /// The columns that a header names, or `None` if the line is no header.
    pub(super) fn from_header(line: &str) -> Option<Self> {
        let (_, names) = delimited(line);
        let names: Vec<String> = names.iter().map(|n| n.to_lowercase()).collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let query = find(&["query", "topic", "qid", "query_id"])?;
        let item = find(&["item", "doc", "document", "docno", "docid", "doc_id"])?;
        let group = find(&["group"]).map(|column| (column, Value::Group));
        let gain = find(&["gain", "grade", "rel", "relevance"]).map(|c| (c, Value::Gain));
        let (number, value) = group.or(gain)?;
        // Only groups come with labels; elsewhere such a column is one that is not read.
        let label = find(&["label", "truth", "list"]).filter(|_| value == Value::Group);
        let used = [label, Some(query), Some(item), Some(number)];
        let unread = (0..names.len()).filter(|&column| !used.contains(&Some(column)));
        Some(Self {
            label,
            query,
            item,
            number,
            value,
            count: names.len(),
            unread: unread.map(|column| names[column].clone()).collect(),
        })
    }

    /// The columns of a table without a header.
    fn in_order(count: usize, value: Value) -> Self {
        let label = (count == 4 && value == Value::Group).then_some(0);
        let first = usize::from(label.is_some());
        Self {
            label,
            query: first,
            item: first + 1,
            number: first + 2,
            value,
            count: first + 3,
            unread: Vec::new(),
        }
    }

    /// What there is to say of columns that are not read.
    pub(super) fn warning(&self, source: &Source, line: u64) -> Option<Warning> {
        (!self.unread.is_empty()).then(|| Warning {
            file: source.name().to_owned(),
            line: Some(line),
            message: format!("columns that are not read: {}", self.unread.join(", ")),
        })
    }
}

/// What separates the columns of a line, and the columns.
pub(super) fn delimited(line: &str) -> (Delimiter, Vec<Cow<'_, str>>) {
    let delimiter = Delimiter::of(line);
    (delimiter, delimiter.split(line))
}

/// A row of a table.
pub(super) struct Row<'a> {
    pub(super) line: Line<'a>,
    pub(super) label: Option<Cow<'a, str>>,
    pub(super) query: Cow<'a, str>,
    pub(super) item: Cow<'a, str>,
    pub(super) number: Cow<'a, str>,
}

/// Calls `visit` with every row of a table and gives back its columns.
pub(super) fn each_row<'a>(
    source: &'a Source,
    text: &'a Text,
    value: Value,
    mut visit: impl FnMut(Row<'a>) -> Result<(), FormatError>,
) -> Result<Option<Warning>, FormatError> {
    let mut lines = text.lines().peekable();
    let Some(&(first_number, first)) = lines.peek() else {
        return Err(crate::text::empty(source.name()));
    };
    let (delimiter, first_columns) = delimited(first);
    let columns = match Columns::from_header(first) {
        Some(columns) => {
            lines.next();
            if columns.value != value {
                let (is, not) = match value {
                    Value::Group => ("groups", "gains"),
                    Value::Gain => ("gains", "groups"),
                };
                let message = format!("the header names {not}, but {is} were asked for");
                return Err(FormatError::line(source.name(), first_number, message)
                    .hint(format!("say `--truth-format {not}`")));
            }
            columns
        }
        None => Columns::in_order(first_columns.len(), value),
    };
    for (number, text) in lines {
        let line = Line {
            file: source.name(),
            number,
            text,
        };
        let mut fields = delimiter.split(text);
        if fields.len() != columns.count {
            let what = match (columns.count, value) {
                (4, Value::Group) => "label, query, item and group",
                (3, Value::Group) => "query, item and group",
                (3, Value::Gain) => "query, item and gain",
                _ => "as in the first line",
            };
            let expected = columns.count;
            let found = fields.len();
            let message = format!("expected {expected} columns ({what}), found {found}");
            return Err(line.error(message).column(1));
        }
        let mut take = |column: usize| std::mem::take(&mut fields[column]);
        let row = Row {
            line,
            label: columns.label.map(&mut take),
            query: take(columns.query),
            item: take(columns.item),
            number: take(columns.number),
        };
        for (name, what) in [(&row.query, "query"), (&row.item, "item")] {
            if name.is_empty() {
                return Err(line.error_at(name, format!("the {what} has no name")));
            }
        }
        visit(row)?;
    }
    Ok(columns.warning(source, first_number))
}

/// Writes a table with the header `query,item,VALUE`.
pub(super) fn write<'a, R: Iterator<Item = (&'a str, String)>>(
    truth: &'a GroundTruth,
    value: &str,
    rows: impl Fn(&'a partita_core::Judged) -> R,
) -> Result<String, FormatError> {
    let format = format!("{value}s");
    let mut writer = table_writer();
    // Writing to memory cannot fail.
    let _ = writer.write_record(["query", "item", value]);
    for (query, judged) in truth.iter() {
        for (item, number) in rows(judged) {
            fits_table(&format, query)?;
            fits_table(&format, item)?;
            let _ = writer.write_record([query, item, &number]);
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    Ok(String::from_utf8(bytes).unwrap_or_default())
}
