//! Runs of several systems as rows `system query item`, with the items of each system in the order
//! of rank. If a header names the columns, they may come in any order, `score` or `rank` gives the
//! order of items, and a file without a column of systems holds one run. TREC's columns separated
//! by commas or semicolons are read too.

use std::collections::HashMap;

use partita_core::Run;

use super::{ParsedRuns, RunOrder, RunReadOptions, refuse_ties, run_from_scores};
use crate::diagnostic::{FormatError, Warning};
use crate::table::csv_writer::CsvWriter;
use crate::table::{ASSESSOR, ITEM, InputRow, QUERY, SYSTEM, Separator};
use crate::text::line::{LONGEST_LINE, SourceLine};
use crate::text::name_rules::check_table_name;
use crate::text::source::Source;
use crate::text::{BlockReader, is_comment_or_blank};

/// Indices of the columns of a table of runs.
pub(super) struct SystemColumns {
    system: Option<usize>,
    query: usize,
    item: usize,
    score: Option<usize>,
    rank: Option<usize>,
    /// Number of columns of the table; `is_named` is true if a header names them.
    count: usize,
    is_named: bool,
}

impl SystemColumns {
    /// Finds the columns by their headings; `None` if the row is not the header of a table of runs.
    pub(super) fn from_header(header: &InputRow<'_>) -> Option<Self> {
        let columns = Self {
            system: header
                .column_index(SYSTEM)
                .or_else(|| header.column_index(&["tag"])),
            query: header.column_index(QUERY)?,
            item: header.column_index(ITEM)?,
            score: header.column_index(&["score", "sim", "value"]),
            rank: header.column_index(&["rank"]),
            count: header.fields.len(),
            is_named: true,
        };
        // A header with assessors is that of rankings. A header without systems, scores and ranks
        // is that of a ground truth.
        let is_run = columns.system.or(columns.score).or(columns.rank).is_some();
        (is_run && header.column_index(ASSESSOR).is_none()).then_some(columns)
    }

    /// Returns the columns of a row `query Q0 item rank score tag`, or `None` for other rows.
    pub(super) fn from_trec_row(row: &InputRow<'_>) -> Option<Self> {
        let is_trec = row.fields.len() == 6 && row.fields[1].eq_ignore_ascii_case("Q0");
        is_trec.then_some(Self {
            system: Some(5),
            query: 0,
            item: 2,
            score: Some(4),
            rank: Some(3),
            count: 6,
            is_named: false,
        })
    }

    /// Returns the columns of a table without a header: system, query, item.
    fn without_header() -> Self {
        Self {
            system: Some(0),
            query: 1,
            item: 2,
            score: None,
            rank: None,
            count: 3,
            is_named: false,
        }
    }

    /// Finds the columns by the first row of a table. The flag is true if this row is a header.
    fn from_first_row(row: &InputRow<'_>) -> (Self, bool) {
        if let Some(columns) = Self::from_header(row) {
            return (columns, true);
        }
        match Self::from_trec_row(row) {
            Some(columns) => (columns, false),
            None => (Self::without_header(), row.column_index(QUERY) == Some(1)),
        }
    }

    /// Returns the key by which a document is sorted, in descending order: its score or minus its
    /// rank; `None` if the documents stay in the order of the file.
    fn sort_key(&self, row: &InputRow<'_>, order: RunOrder) -> Result<Option<f64>, FormatError> {
        let by_score = |column| row.require_number(column, "a score").map(Some);
        let by_rank = |column| row.require_number(column, "a rank").map(|rank| Some(-rank));
        match (order, self.score, self.rank) {
            (RunOrder::File, ..) | (_, None, None) => Ok(None),
            (RunOrder::Score, Some(score), _) | (RunOrder::Rank, Some(score), None) => {
                by_score(score)
            }
            (RunOrder::Score, None, Some(rank)) | (RunOrder::Rank, _, Some(rank)) => by_rank(rank),
        }
    }

    /// Creates the warning about columns of a header that are not read, if there are any.
    fn unread_columns_warning(&self, header: &InputRow<'_>) -> Option<Warning> {
        let used = [
            self.system,
            Some(self.query),
            Some(self.item),
            self.score,
            self.rank,
        ];
        let mut unread = header.headings_except(&used);
        unread.retain(|heading| !["q0", "iter", "iteration"].contains(&heading.as_str()));
        header.unread_columns_warning(unread)
    }
}

/// Run of one system while the file is read: the line on which each query starts, and the documents
/// of each query with their sort keys.
struct SystemRun {
    run: Run,
    lines: Vec<u64>,
    scores: Vec<Vec<(String, f64)>>,
}

pub(super) fn read(source: &Source, options: &RunReadOptions) -> Result<ParsedRuns, FormatError> {
    let mut blocks = BlockReader::new(source, LONGEST_LINE)?;
    let mut systems: Vec<SystemRun> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut table: Option<(Separator, SystemColumns)> = None;
    let mut warnings = Vec::new();
    while let Some(block) = blocks.next()? {
        for (number, text) in (block.first_line..).zip(block.text().lines()) {
            if is_comment_or_blank(text) {
                continue;
            }
            let line = SourceLine::new(source, number, text);
            let row = match &table {
                Some((separator, _)) => InputRow::new(line, *separator),
                None => {
                    let separator = Separator::detect(text, 3);
                    let row = InputRow::new(line, separator);
                    let (columns, is_header) = SystemColumns::from_first_row(&row);
                    if is_header {
                        warnings.extend(columns.unread_columns_warning(&row));
                    }
                    table = Some((separator, columns));
                    if is_header {
                        continue;
                    }
                    row
                }
            };
            let (_, columns) = table
                .as_ref()
                .expect("the first row determines the columns");
            if columns.is_named {
                row.require_column_count(columns.count)?;
                row.require_name(columns.query, "query")?;
                row.require_name(columns.item, "item")?;
            } else if columns.count == 3 {
                row.expect_columns(["system", "query", "item"])?;
                row.refuse_empty()?;
            } else {
                row.expect_columns(["query", "Q0", "item", "rank", "score", "tag"])?;
                row.refuse_empty()?;
            }
            let name = columns
                .system
                .map_or(options.name_or_stem(source), |at| &row.fields[at]);
            let number_of_system = match numbers.get(name) {
                Some(&known) => known,
                None => {
                    numbers.insert(name.to_owned(), systems.len());
                    systems.push(SystemRun {
                        run: Run::new(name),
                        lines: Vec::new(),
                        scores: Vec::new(),
                    });
                    systems.len() - 1
                }
            };
            let SystemRun { run, lines, scores } = &mut systems[number_of_system];
            let query = run.intern_query(&row.fields[columns.query]);
            let item = &row.fields[columns.item];
            if query == lines.len() {
                lines.push(number);
                scores.push(Vec::new());
            }
            match columns.sort_key(&row, options.order)? {
                None => run.push(query, item),
                Some(key) => scores[query].push((item.to_string(), key)),
            }
        }
    }
    if systems.is_empty() {
        return Err(source.empty_error());
    }
    let sorted = |SystemRun { run, lines, scores }: SystemRun| {
        if scores.iter().all(Vec::is_empty) {
            return (run, lines);
        }
        let queries = run.queries().map(|(query, _)| query.to_owned());
        let queries = queries.zip(scores).collect();
        (run_from_scores(run.name(), queries, options), lines)
    };
    warnings.extend(blocks.warning());
    Ok(ParsedRuns {
        runs: systems.into_iter().map(sorted).collect(),
        warnings,
    })
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let mut csv = CsvWriter::in_memory();
    csv.push_row(["system", "query", "item"]);
    for run in runs {
        check_table_name("systems", run.name())?;
        for (query, groups) in run.queries() {
            refuse_ties("systems", query, &groups)?;
            check_table_name("systems", query)?;
            for item in groups.concat() {
                check_table_name("systems", item)?;
                csv.push_row([run.name(), query, item]);
            }
        }
    }
    Ok(csv.into_text())
}
