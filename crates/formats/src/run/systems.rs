//! `system query item`: three columns, each system's items in the order of rank. Where a header names
//! them, columns may stand in any order, `score` or `rank` says the order of items, and a file without a
//! column of systems holds one run. Columns of TREC's that commas or semicolons separate are read too.

use std::collections::HashMap;

use partita_core::Run;

use super::{Lists, Order, ReadOptions, of_scores, untied};
use crate::columns::{LONGEST_LINE, Line, fits_table};
use crate::csv_writer::csv_text;
use crate::error::{FormatError, Warning};
use crate::problem;
use crate::source::Source;
use crate::table::{ASSESSOR, ITEM, QUERY, Row, SYSTEM, Separator};
use crate::text::{Blocks, is_comment_or_blank};

/// Which column holds what.
pub(super) struct Columns {
    system: Option<usize>,
    query: usize,
    item: usize,
    score: Option<usize>,
    rank: Option<usize>,
    /// How many there are, and whether a header names them.
    count: usize,
    is_named: bool,
}

impl Columns {
    /// The columns that a header names; nothing if it is none of a run.
    pub(super) fn of_header(header: &Row<'_>) -> Option<Self> {
        let columns = Self {
            system: header.place(SYSTEM).or_else(|| header.place(&["tag"])),
            query: header.place(QUERY)?,
            item: header.place(ITEM)?,
            score: header.place(&["score", "sim", "value"]),
            rank: header.place(&["rank"]),
            count: header.fields.len(),
            is_named: true,
        };
        // Rankings are somebody's, and a ground truth has neither systems nor an order.
        let is_run = columns.system.or(columns.score).or(columns.rank).is_some();
        (is_run && header.place(ASSESSOR).is_none()).then_some(columns)
    }

    /// The columns of a row `query Q0 item rank score tag`.
    pub(super) fn of_trec(row: &Row<'_>) -> Option<Self> {
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

    fn in_order() -> Self {
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

    /// What the columns are, and whether the first row is a header.
    fn of_first(row: &Row<'_>) -> (Self, bool) {
        if let Some(columns) = Self::of_header(row) {
            return (columns, true);
        }
        match Self::of_trec(row) {
            Some(columns) => (columns, false),
            None => (Self::in_order(), row.place(QUERY) == Some(1)),
        }
    }

    /// What a document is put in order by, the highest first; nothing where the file says the order.
    fn key(&self, row: &Row<'_>, order: Order) -> Result<Option<f64>, FormatError> {
        let by_score = |column| row.number(column, "a score").map(Some);
        let by_rank = |column| row.number(column, "a rank").map(|rank| Some(-rank));
        match (order, self.score, self.rank) {
            (Order::File, ..) | (_, None, None) => Ok(None),
            (Order::Score, Some(score), _) | (Order::Rank, Some(score), None) => by_score(score),
            (Order::Score, None, Some(rank)) | (Order::Rank, _, Some(rank)) => by_rank(rank),
        }
    }

    /// What there is to say of the columns of a header that are not read.
    fn unread(&self, header: &Row<'_>) -> Option<Warning> {
        let used = [
            self.system,
            Some(self.query),
            Some(self.item),
            self.score,
            self.rank,
        ];
        let names = header.fields.iter().enumerate();
        let unread = names.filter(|(at, name)| {
            !used.contains(&Some(*at))
                && !["q0", "iter", "iteration"].contains(&&*name.to_lowercase())
        });
        let unread: Vec<String> = unread.map(|(_, name)| name.to_lowercase()).collect();
        (!unread.is_empty()).then(|| {
            let problem = problem!(UnreadColumns { columns = unread.join(", ") }:
                "columns that are not read: {columns}");
            Warning::file(header.line.file, problem).line(header.line.number)
        })
    }
}

/// One system: its run so far, the lines on which its queries start, and for each of them the documents
/// with what they are put in order by.
struct System {
    run: Run,
    lines: Vec<u64>,
    scores: Vec<Vec<(String, f64)>>,
}

pub(super) fn read(source: &Source, options: &ReadOptions) -> Result<Lists, FormatError> {
    let mut blocks = Blocks::new(source, LONGEST_LINE)?;
    let mut systems: Vec<System> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut table: Option<(Separator, Columns)> = None;
    let mut warnings = Vec::new();
    while let Some(block) = blocks.next()? {
        for (number, text) in (block.first_line..).zip(block.text().lines()) {
            if is_comment_or_blank(text) {
                continue;
            }
            let line = Line::new(source, number, text);
            let row = match &table {
                Some((separator, _)) => Row::new(line, *separator),
                None => {
                    let separator = Separator::of(text, 3);
                    let row = Row::new(line, separator);
                    let (columns, is_header) = Columns::of_first(&row);
                    if is_header {
                        warnings.extend(columns.unread(&row));
                    }
                    table = Some((separator, columns));
                    if is_header {
                        continue;
                    }
                    row
                }
            };
            let (_, columns) = table.as_ref().expect("the first row made it");
            if columns.is_named {
                row.has_columns(columns.count)?;
                row.name(columns.query, "query")?;
                row.name(columns.item, "item")?;
            } else if columns.count == 3 {
                row.exactly(["system", "query", "item"])?;
                row.refuse_empty()?;
            } else {
                row.exactly(["query", "Q0", "item", "rank", "score", "tag"])?;
                row.refuse_empty()?;
            }
            let name = columns
                .system
                .map_or(options.name(source), |at| &row.fields[at]);
            let at = match numbers.get(name) {
                Some(&at) => at,
                None => {
                    numbers.insert(name.to_owned(), systems.len());
                    systems.push(System {
                        run: Run::new(name),
                        lines: Vec::new(),
                        scores: Vec::new(),
                    });
                    systems.len() - 1
                }
            };
            let System { run, lines, scores } = &mut systems[at];
            let (query, item) = (
                run.query(&row.fields[columns.query]),
                &row.fields[columns.item],
            );
            if query == lines.len() {
                lines.push(number);
                scores.push(Vec::new());
            }
            match columns.key(&row, options.order)? {
                None => run.push(query, item),
                Some(key) => scores[query].push((item.to_string(), key)),
            }
        }
    }
    if systems.is_empty() {
        return Err(source.empty());
    }
    let ordered = |System { run, lines, scores }: System| {
        if scores.iter().all(Vec::is_empty) {
            return (run, lines);
        }
        let queries = run.queries().map(|(query, _)| query.to_owned());
        (
            of_scores(run.name(), queries.zip(scores).collect(), options),
            lines,
        )
    };
    warnings.extend(blocks.warning());
    Ok(Lists {
        runs: systems.into_iter().map(ordered).collect(),
        warnings,
    })
}

pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let mut rows = Vec::new();
    for run in runs {
        fits_table("systems", run.name())?;
        for (query, groups) in run.queries() {
            untied("systems", query, &groups)?;
            fits_table("systems", query)?;
            for item in groups.concat() {
                fits_table("systems", item)?;
                rows.push([run.name(), query, item]);
            }
        }
    }
    Ok(csv_text(["system", "query", "item"], &rows))
}
