//! Columns that the tables `query item group` and `query item gain` share.

use partita_core::GroundTruth;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::remedy::Remedy;
use crate::table::csv_writer::CsvWriter;
use crate::table::{ITEM, InputRow, QUERY, Table};
use crate::text::SourceText;
use crate::text::name_rules::check_table_name;

/// Meaning of the column of values in a table with a ground truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueColumn {
    Group,
    Gain,
}

/// Indices of the columns of a table with a ground truth.
pub(super) struct Columns {
    pub(super) label: Option<usize>,
    pub(super) query: usize,
    pub(super) item: usize,
    /// Index of the column of the group or the gain.
    pub(super) number: usize,
    pub(super) value: ValueColumn,
}

impl Columns {
    /// Finds the columns by their headings; `None` if the row is not a header.
    pub(super) fn from_header(header: &InputRow<'_>) -> Option<Self> {
        let query = header.column_index(QUERY)?;
        let item = header.column_index(ITEM)?;
        let group = header
            .column_index(&["group"])
            .map(|column| (column, ValueColumn::Group));
        let gain = header.column_index(&["gain", "grade", "rel", "relevance", "score"]);
        let (number, value) = group.or(gain.map(|column| (column, ValueColumn::Gain)))?;
        // Only groups have labels; in other tables such a column is not read.
        let label = header.column_index(&["label", "truth", "list"]);
        let label = label.filter(|place| value == ValueColumn::Group && *place != query);
        Some(Self {
            label,
            query,
            item,
            number,
            value,
        })
    }

    /// Returns the columns of a table without a header: query, item and value, after a label in a
    /// table of groups with four columns.
    fn without_header(count: usize, value: ValueColumn) -> Self {
        let label = (count == 4 && value == ValueColumn::Group).then_some(0);
        let first = usize::from(label.is_some());
        Self {
            label,
            query: first,
            item: first + 1,
            number: first + 2,
            value,
        }
    }
}

/// Calls `visit` with every judgment of a table. Returns the warning about columns that are not
/// read, if there are any.
pub(super) fn for_each_judgment<'a>(
    text: &'a SourceText<'a>,
    value: ValueColumn,
    mut visit: impl FnMut(InputRow<'a>, &Columns) -> Result<(), FormatError>,
) -> Result<Option<Warning>, FormatError> {
    // Only formats with a whole query per line have long lines; the rows of a table are short.
    text.refuse_overlong_lines()?;
    let table = Table::with_columns(text, 3)?;
    let first = table.header();
    let header = Columns::from_header(&first);
    if let Some(named) = &header
        && named.value != value
    {
        let (is, not) = match value {
            ValueColumn::Group => ("groups", "gains"),
            ValueColumn::Gain => ("gains", "groups"),
        };
        let problem = diagnostic!(OtherFormat { found = not, asked = is }:
            "the header names {found}, but {asked} were asked for");
        let remedy = Remedy::parse(&format!("say {{truth_format {not}}}"));
        return Err(first.line.error(problem).with_remedy(remedy));
    }
    let warning = header.as_ref().and_then(|columns| {
        let [query, item, number] = [columns.query, columns.item, columns.number].map(Some);
        table.unread_columns_warning(&[columns.label, query, item, number])
    });
    let rows = table.all_rows().skip(usize::from(header.is_some()));
    let count = match (&header, first.fields.len(), value) {
        (Some(_), count, _) => count,
        (None, 4, ValueColumn::Group) => 4,
        (None, ..) => 3,
    };
    let columns = header.unwrap_or_else(|| Columns::without_header(first.fields.len(), value));
    for row in rows {
        let found = row.fields.len();
        if found != count {
            let what = match (count, value) {
                (4, ValueColumn::Group) => "label, query, item and group",
                (3, ValueColumn::Group) => "query, item and group",
                (3, ValueColumn::Gain) => "query, item and gain",
                _ => "as in the first line",
            };
            let problem = diagnostic!(ColumnCount { expected = count, columns = what, found }:
                "expected {expected} columns ({columns}), found {found}");
            return Err(row.line.error(problem).at_column(1));
        }
        row.require_name(columns.query, "query")?;
        row.require_name(columns.item, "item")?;
        visit(row, &columns)?;
    }
    Ok(warning)
}

/// Writes a table with the header `query,item,VALUE`, where `VALUE` is `group` or `gain`.
pub(super) fn write<'a, R: Iterator<Item = (&'a str, String)>>(
    truth: &'a GroundTruth,
    value: &str,
    rows: impl Fn(&'a partita_core::QueryTruth) -> R,
) -> Result<String, FormatError> {
    let format = format!("{value}s");
    let mut csv = CsvWriter::in_memory();
    csv.push_row(["query", "item", value]);
    for (query, judged) in truth.iter() {
        for (item, number) in rows(judged) {
            check_table_name(&format, query)?;
            check_table_name(&format, item)?;
            csv.push_row([query, item, &number]);
        }
    }
    Ok(csv.into_text())
}
