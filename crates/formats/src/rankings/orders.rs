//! Rankings as orders: one row per assessor with all items from best to worst. A first column may
//! name the assessors; without it, they are numbered. A header is optional.

use std::borrow::Cow;
use std::collections::HashSet;

use super::builder::RankingsBuilder;
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::table::{ASSESSOR, InputRow, Table};
use crate::text::{SourceText, shorten};

/// Remedy in errors about orders: their form, and that of the other tables.
const REMEDY: &str = "orders have one row per assessor, such as `ann,x,z,y`: a name, then all items \
                      from best to worst; a matrix has a column for each item, and holds ranks";

/// Reads the orders of a file as rankings of one query into the builder.
pub(super) fn read(
    text: &SourceText<'_>,
    query: &str,
    builder: &mut RankingsBuilder,
) -> Result<(), FormatError> {
    let table = Table::new(text)?;
    let rows: Vec<InputRow<'_>> = table.all_rows().collect();
    let Some(layout) = OrderLayout::find(&rows) else {
        return Err(OrderLayout::usual(&rows).error(&rows));
    };
    for (number, row) in (1..).zip(&rows[usize::from(layout.has_header)..]) {
        let items = layout.items(row);
        let assessor = match layout.has_names {
            true => row.require_name(0, "assessor")?.to_owned(),
            false => number.to_string(),
        };
        for (rank, item) in (1_u32..).zip(items) {
            let rank = Some(f64::from(rank));
            builder.add((row.line, item), query, (&assessor, item), rank)?;
        }
    }
    Ok(())
}

/// Maximum number of rows that are inspected to tell orders from ranks.
const MAX_INSPECTED_ROWS: usize = 100;

/// Returns true if a table looks like orders: rows after the first hold mostly names.
pub(super) fn looks_like_orders(table: &Table<'_>) -> bool {
    let (mut names, mut ranks) = (0_usize, 0_usize);
    for row in table.all_rows().skip(1).take(MAX_INSPECTED_ROWS) {
        for column in 1..row.fields.len() {
            match row.fields[column].is_empty() || row.parse_number(column).is_some() {
                true => ranks += 1,
                false => names += 1,
            }
        }
    }
    names > ranks
}

/// Returns true if the first rows of a file are orders of the same items.
pub(crate) fn are_orders(rows: &[InputRow<'_>]) -> bool {
    let is_name = |row: &InputRow<'_>, column| row.parse_number(column).is_none();
    let has_names = |row: &InputRow<'_>| (0..row.fields.len()).any(|column| is_name(row, column));
    OrderLayout::find(rows).is_some_and(|layout| {
        let orders = &rows[usize::from(layout.has_header)..];
        orders
            .iter()
            .all(|row| layout.items(row).len() > 1 && has_names(row))
    })
}

/// Parts of a table of orders beside the items.
#[derive(Clone, Copy)]
struct OrderLayout {
    has_header: bool,
    /// True if the first column names the assessors.
    has_names: bool,
}

impl OrderLayout {
    /// Finds the layout in which every row holds the same items; `None` if there is none.
    fn find(rows: &[InputRow<'_>]) -> Option<Self> {
        let usual = Self::usual(rows);
        let is_usual = rows.first()?.is_heading(0, ASSESSOR);
        let any = [(false, false), (false, true), (true, false), (true, true)];
        let mut layouts = any.into_iter().map(|(has_header, has_names)| Self {
            has_header,
            has_names,
        });
        if is_usual {
            return Some(usual).filter(|layout| layout.fits(rows, 1));
        }
        // A single row could hold any names.
        layouts.find(|layout| layout.fits(rows, 2))
    }

    /// Returns the layout with a header and with names of assessors.
    fn usual(rows: &[InputRow<'_>]) -> Self {
        Self {
            has_header: rows.len() > 1,
            has_names: true,
        }
    }

    /// Returns true if there are at least `least` rows, all with the same items.
    fn fits(self, rows: &[InputRow<'_>], least: usize) -> bool {
        let orders = rows.get(usize::from(self.has_header)..).unwrap_or_default();
        orders.len() >= least && (orders.iter()).all(|row| self.check_row(&orders[0], row).is_ok())
    }

    /// Returns the error for rows that are no orders in any layout.
    fn error(self, rows: &[InputRow<'_>]) -> FormatError {
        let orders = &rows[usize::from(self.has_header)..];
        let mut checked = orders.iter().map(|row| self.check_row(&orders[0], row));
        checked.find_map(Result::err).unwrap_or_else(|| {
            let problem = diagnostic!(OddRankings:
                "a single row of names is no ranking, unless the header calls its first column \
                 `assessor`");
            rows[0].line.error(problem).with_remedy(REMEDY)
        })
    }

    /// Returns the items of a row.
    fn items<'r>(self, row: &'r InputRow<'_>) -> &'r [Cow<'r, str>] {
        row.fields
            .get(usize::from(self.has_names)..)
            .unwrap_or_default()
    }

    /// Checks that a row holds the items of the first row, each once, and at least two.
    fn check_row(self, first: &InputRow<'_>, row: &InputRow<'_>) -> Result<(), FormatError> {
        let (expected, items) = (self.items(first), self.items(row));
        let known: HashSet<&str> = expected.iter().map(AsRef::as_ref).collect();
        let found: HashSet<&str> = items.iter().map(AsRef::as_ref).collect();
        let line = first.line.number;
        let problem = if let Some(item) = items.iter().find(|item| !known.contains(&***item)) {
            diagnostic!(UnmatchedItems { item = shorten(item), line }:
                "every row must hold the same items, and line {line} does not hold `{item}`")
        } else if let Some(item) = expected.iter().find(|item| !found.contains(&***item)) {
            diagnostic!(UnmatchedItems { item = shorten(item), line }:
                "every row must hold the same items, and this one lacks `{item}` of line {line}")
        } else if found.len() < items.len() || found.contains("") {
            diagnostic!(Duplicate: "an order holds every item once, and no empty field")
        } else if items.len() < 2 {
            diagnostic!(ColumnCount: "an order holds at least two items")
        } else {
            return Ok(());
        };
        Err(row.line.error(problem).at_column(1).with_remedy(REMEDY))
    }
}
