//! Plain text tables for terminals: light rules, aligned numbers, at most as wide as the terminal.
//!
//! A table that is too wide is narrowed in three steps. Headers are wrapped, then text cells. If
//! that is not enough, the columns are split into blocks that are stacked, and each block repeats
//! the key columns. The last block does not have a single column besides them if another one can be
//! moved to it.

use super::text_width::{min_width, pad, width, wrap_to_width};
use super::{Alignment, Cell, ColumnKind, Table, TableRow};

/// Number of spaces between two columns.
const COLUMN_GAP: usize = 2;

/// Maximum number of lines that a column header is wrapped into.
const MAX_HEADER_LINES: usize = 4;

/// Minimum width of a wrapped text column in characters, unless the terminal is narrower.
const MIN_TEXT_WIDTH: usize = 16;

/// Properties of the terminal that a table is rendered for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Line width in characters; `None` for unlimited lines.
    pub columns: Option<usize>,
    /// True if emphasis is shown in bold. Otherwise it is not shown.
    pub bold: bool,
}

/// Writes the table so that it fits the terminal.
pub(super) fn write(table: &Table, terminal: Terminal) -> String {
    let cells = TextTable::from_table(table);
    let limit = terminal.columns.unwrap_or(usize::MAX);
    let mut out = String::new();
    if let Some(caption) = &table.caption {
        out += &(wrap_to_width(&escaped(caption), limit).join("\n") + "\n");
    }
    for (number, part) in cells.split_columns(limit).iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out += &cells.render_block(table, part, terminal);
    }
    if let Some(note) = &table.note {
        out += &(wrap_to_width(&escaped(note), limit).join("\n") + "\n");
    }
    out
}

/// Returns the text on one line without control characters.
pub(super) fn escaped(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(shown).collect()
}

/// Cell texts of a table, with the widths that the layout needs.
struct TextTable {
    headers: Vec<String>,
    /// Cell texts of each row; empty for headings and rules.
    rows: Vec<Vec<String>>,
    aligns: Vec<Alignment>,
    /// True for columns of text that can be wrapped.
    wraps: Vec<bool>,
    /// Width of the widest cell of each column, header excluded.
    content_width: Vec<usize>,
    /// Width of the longest word in the cells of each column, header excluded; wrapped cells are at
    /// least this wide.
    longest_word: Vec<usize>,
    /// Number of leading columns that identify a row; `None` if the table does not define them.
    keys: Option<usize>,
}

/// Columns shown side by side, each as (column index, width in characters).
type ColumnBlock = Vec<(usize, usize)>;

impl TextTable {
    fn from_table(table: &Table) -> Self {
        let columns = table.columns();
        let text =
            |(cell, column): (&Cell, &super::Column)| escaped(&column.format_value(&cell.value));
        let rows: Vec<Vec<String>> = (table.rows().iter())
            .map(|row| match row {
                TableRow::Cells(cells) => cells.iter().zip(columns).map(text).collect(),
                TableRow::Heading(_) | TableRow::Rule => Vec::new(),
            })
            .collect();
        let widest = |column: usize| {
            let texts = rows.iter().filter_map(|row| row.get(column));
            texts.map(|text| width(text)).max().unwrap_or(0)
        };
        let longest = |column: usize| {
            let words = rows.iter().filter_map(|row| row.get(column));
            let words = words.flat_map(|text| text.split(' '));
            words.map(width).max().unwrap_or(0)
        };
        Self {
            headers: columns
                .iter()
                .map(|column| escaped(&column.header))
                .collect(),
            aligns: columns.iter().map(|column| column.align).collect(),
            wraps: (columns.iter())
                .map(|column| column.kind == ColumnKind::Text && column.align == Alignment::Left)
                .collect(),
            content_width: (0..columns.len()).map(widest).collect(),
            longest_word: (0..columns.len()).map(longest).collect(),
            keys: table.key_columns,
            rows,
        }
    }

    /// Splits the columns into as few blocks as fit the terminal.
    fn split_columns(&self, limit: usize) -> Vec<ColumnBlock> {
        let all: Vec<usize> = (0..self.headers.len()).collect();
        if let Some(part) = self.side_by_side(&all, limit) {
            return vec![part];
        }
        let keys = self.repeated_columns(limit);
        let mut parts = Vec::new();
        let mut rest = &all[keys.len()..];
        while !rest.is_empty() {
            let with_keys = |count: usize| [&keys[..], &rest[..count]].concat();
            let counts = (1..=rest.len()).rev();
            let mut fitting =
                counts.map(|count| (count, self.side_by_side(&with_keys(count), limit)));
            let found = fitting.find_map(|(count, part)| Some((count, part?)));
            let (count, part) = found.unwrap_or_else(|| (1, self.squeeze(&with_keys(1), limit)));
            parts.push(part);
            rest = &rest[count..];
        }
        if let [.., before, last] = &mut parts[..]
            && last.len() == keys.len() + 1
        {
            self.balance_last_blocks(before, last, keys.len(), limit);
        }
        parts
    }

    /// Moves columns from the block before the last to the last block, so that the last one has at
    /// least two columns of its own and both have a similar width.
    fn balance_last_blocks(
        &self,
        before: &mut ColumnBlock,
        last: &mut ColumnBlock,
        keys: usize,
        limit: usize,
    ) {
        let columns = before.iter().chain(&last[keys..]);
        let columns: Vec<usize> = columns.map(|&(column, _)| column).collect();
        let (keys, own) = columns.split_at(keys);
        let split = |count: usize| {
            let [one, other] = [&own[..count], &own[count..]].map(|own| [keys, own].concat());
            self.side_by_side(&one, limit)
                .zip(self.side_by_side(&other, limit))
        };
        let width = |part: &ColumnBlock| {
            part.iter()
                .map(|(_, width)| width + COLUMN_GAP)
                .sum::<usize>()
        };
        // Each block needs at least two columns besides the keys; otherwise nothing is moved.
        let splits = (2..own.len().saturating_sub(1)).filter_map(split);
        let best = splits.min_by_key(|(one, other)| width(one).max(width(other)));
        if let Some(both) = best {
            (*before, *last) = both;
        }
    }

    /// Returns the indices of the key columns, which every block repeats: as many of those that the
    /// table defines as leave space for another column. If it defines none: the first column and up
    /// to two text columns after it, as many as take at most half of the terminal. At least one.
    fn repeated_columns(&self, limit: usize) -> Vec<usize> {
        let columns = self.headers.len();
        let words = (1..columns.min(3)).take_while(|&column| self.wraps[column]);
        let count = self.keys.unwrap_or(1 + words.count()).min(columns - 1);
        let room = |column: usize| {
            self.content_width[column].max(self.least_header_width(column)) + COLUMN_GAP
        };
        let numbers = (count..columns).filter(|&column| !self.wraps[column]);
        let other = numbers
            .map(room)
            .max()
            .unwrap_or(MIN_TEXT_WIDTH + COLUMN_GAP);
        let most = if self.keys.is_some() {
            limit.saturating_sub(other)
        } else {
            limit / 2
        };
        let fits = |count: &usize| (0..*count).map(room).sum::<usize>() <= most;
        (0..(1..=count).rev().find(fits).unwrap_or(1)).collect()
    }

    /// Returns the minimum width of a column whose header is wrapped into at most
    /// [`MAX_HEADER_LINES`] lines.
    fn least_header_width(&self, column: usize) -> usize {
        min_width(&self.headers[column], MAX_HEADER_LINES)
    }

    /// Returns the minimum width of a text column whose cells are wrapped. A word is broken only if
    /// it is longer than a third of a line.
    fn least_width(&self, column: usize, limit: usize) -> usize {
        let word = self.longest_word[column].min(limit / 3);
        self.least_header_width(column)
            .max(MIN_TEXT_WIDTH)
            .max(word)
    }

    /// Returns the columns with their widths if they fit side by side in `limit` characters, else
    /// `None`.
    fn side_by_side(&self, columns: &[usize], limit: usize) -> Option<ColumnBlock> {
        let gaps = COLUMN_GAP * (columns.len() - 1);
        let mut widths = Vec::new();
        for lines in 1..=MAX_HEADER_LINES {
            let header = |&column: &usize| min_width(&self.headers[column], lines);
            let widest = |column: &usize| header(column).max(self.content_width[*column]);
            widths = columns.iter().map(widest).collect();
            if widths.iter().sum::<usize>() + gaps <= limit {
                return Some(columns.iter().copied().zip(widths).collect());
            }
        }
        // Text columns are narrowed, the widest first.
        let mut over = widths.iter().sum::<usize>() + gaps - limit;
        while over > 0 {
            let can_give = |&place: &usize| {
                let column = columns[place];
                self.wraps[column] && widths[place] > self.least_width(column, limit)
            };
            let places = (0..columns.len()).filter(can_give);
            let widest = places.max_by_key(|&place| widths[place])?;
            widths[widest] -= 1;
            over -= 1;
        }
        Some(columns.iter().copied().zip(widths).collect())
    }

    /// Returns the columns with reduced widths, for a terminal that is too narrow even for wrapped
    /// columns. The widest columns are reduced first.
    fn squeeze(&self, columns: &[usize], limit: usize) -> ColumnBlock {
        let room = limit.saturating_sub(COLUMN_GAP * (columns.len() - 1));
        let natural = |&column: &usize| {
            (
                column,
                self.content_width[column].max(self.least_header_width(column)),
            )
        };
        let mut part: ColumnBlock = columns.iter().map(natural).collect();
        while part.iter().map(|(_, width)| width).sum::<usize>() > room.max(part.len()) {
            let widest = part.iter_mut().max_by_key(|(_, width)| *width);
            widest.expect("there are columns").1 -= 1;
        }
        part
    }

    fn render_block(&self, table: &Table, part: &ColumnBlock, terminal: Terminal) -> String {
        let body =
            part.iter().map(|(_, width)| width).sum::<usize>() + COLUMN_GAP * (part.len() - 1);
        let headings = table.rows().iter().map(|row| match row {
            TableRow::Heading(heading) => width(&escaped(heading)) + 4,
            TableRow::Cells(_) | TableRow::Rule => 0,
        });
        let widest = headings
            .max()
            .unwrap_or(0)
            .min(terminal.columns.unwrap_or(usize::MAX));
        let total = body.max(widest);
        let rule = "─".repeat(total) + "\n";
        let header = |column: usize| self.headers[column].as_str();
        let mut out = rule.clone();
        out += &self.lines(part, header, |_| false, true);
        if !matches!(table.rows().first(), Some(TableRow::Heading(_))) {
            out += &rule;
        }
        for (row, texts) in table.rows().iter().zip(&self.rows) {
            out += &match row {
                TableRow::Cells(cells) => {
                    let bold = |column: usize| terminal.bold && cells[column].emphasised;
                    self.lines(part, |column| &texts[column], bold, false)
                }
                TableRow::Heading(heading) => heading_rule(heading, total),
                TableRow::Rule => rule.clone(),
            };
        }
        out + &rule
    }

    /// Returns the lines of a row, with long cells wrapped. Headers are aligned to the bottom,
    /// other rows to the top.
    fn lines<'a>(
        &self,
        part: &ColumnBlock,
        text: impl Fn(usize) -> &'a str,
        bold: impl Fn(usize) -> bool,
        at_bottom: bool,
    ) -> String {
        let set = |&(column, width): &(usize, usize)| wrap_to_width(text(column), width);
        let cells: Vec<Vec<String>> = part.iter().map(set).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        for line in 0..height {
            let mut shown = String::new();
            for (&(column, width), cell) in part.iter().zip(&cells) {
                let above = if at_bottom { height - cell.len() } else { 0 };
                let words = line.checked_sub(above).and_then(|line| cell.get(line));
                let words = words.map_or("", String::as_str);
                let words = pad(words, width, self.aligns[column]);
                if !shown.is_empty() {
                    shown += &" ".repeat(COLUMN_GAP);
                }
                shown += &if bold(column) {
                    format!("\x1b[1m{words}\x1b[0m")
                } else {
                    words
                };
            }
            out += shown.trim_end();
            out.push('\n');
        }
        out
    }
}

/// Returns the line of a subheading, extended by a rule to the width `total`.
fn heading_rule(heading: &str, total: usize) -> String {
    let heading = wrap_to_width(&escaped(heading), total.saturating_sub(4).max(1)).join(" ");
    let rest = total.saturating_sub(width(&heading) + 3);
    format!("─ {heading} {}\n", "─".repeat(rest))
}
