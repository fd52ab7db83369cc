//! Builder that collects ranks, read one by one, into the rankings of each query.

use std::collections::HashMap;

use partita_core::{AssessorRankings, Item, Names, RankingFault, summarize_names};

use super::{QueryRankings, RankingsInput};
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning, WarningCounter};
use crate::remedy::Remedy;
use crate::text::line::SourceLine;
use crate::text::name_rules::LONGEST_NAME;
use crate::text::shorten;

/// Maximum number of assessors times items of one query. Ranks are stored in a matrix, so without
/// this limit a file with many names and few ranks could exhaust the memory.
const MAX_RANKS: u64 = 20_000_000;

/// Returns the diagnostic if a query has more than [`MAX_RANKS`] combinations of assessor and item,
/// else `None`.
pub(super) fn too_many_ranks(assessors: u64, items: u64) -> Option<Diagnostic> {
    (assessors.saturating_mul(items) > MAX_RANKS).then(|| {
        diagnostic!(TooLarge { assessors, items, most = MAX_RANKS }:
            "{assessors} assessors and {items} items of one query: there is room for {most} \
             ranks, given or not")
    })
}

/// Reason why numbering the names of a query cannot fail, for a panic message.
const NAMES_FIT: &str = "a query has fewer names than ranks";

/// Ranks collected by query; the queries are in the order of their first rank.
#[derive(Default)]
pub(super) struct RankingsBuilder {
    queries: Vec<QueryRankingsBuilder>,
    by_name: HashMap<String, usize>,
    last: usize,
    warnings: Vec<Warning>,
}

#[derive(Default)]
struct QueryRankingsBuilder {
    name: String,
    file: String,
    items: Names,
    assessors: Names,
    entries: Vec<(Item, Item, Option<f64>)>,
    /// Position where an assessor ranked an item (index in `files`, and line), keyed by assessor
    /// and item. It detects duplicates.
    positions: HashMap<(Item, Item), (usize, u64)>,
    files: Vec<String>,
    long_names: WarningCounter,
}

impl RankingsBuilder {
    pub(super) fn warn(&mut self, warning: impl Into<Option<Warning>>) {
        self.warnings.extend(warning.into());
    }

    /// Returns the builder of a query, adding it if it is new.
    fn query_builder(&mut self, name: &str, file: &str) -> &mut QueryRankingsBuilder {
        let same = |query: &QueryRankingsBuilder| query.name == name;
        if !self.queries.get(self.last).is_some_and(same) {
            self.last = match self.by_name.get(name) {
                Some(&query) => query,
                None => {
                    self.by_name.insert(name.to_owned(), self.queries.len());
                    self.queries.push(QueryRankingsBuilder {
                        name: name.to_owned(),
                        file: file.to_owned(),
                        ..QueryRankingsBuilder::default()
                    });
                    self.queries.len() - 1
                }
            };
        }
        &mut self.queries[self.last]
    }

    /// Adds the rank that an assessor gave to an item, or `None` if they left it unranked. `part`
    /// is the text of the line that an error message points to.
    pub(super) fn add(
        &mut self,
        (line, part): (SourceLine<'_>, &str),
        query: &str,
        (assessor, item): (&str, &str),
        rank: Option<f64>,
    ) -> Result<(), FormatError> {
        let query = self.query_builder(query, line.file);
        query.add((line, part), assessor, item, rank)
    }

    /// Returns the collected rankings of all queries, with the warnings. Unless `as_ranks` is true,
    /// refuses a query whose rows are no rankings.
    pub(super) fn finish(self, as_ranks: bool) -> Result<RankingsInput, FormatError> {
        let mut warnings = self.warnings;
        let mut no_rankings = NoRankings::default();
        let mut queries = Vec::with_capacity(self.queries.len());
        for query in self.queries {
            let first_rows = query.first_rows();
            let rankings =
                AssessorRankings::from_indexed(query.items, query.assessors, &query.entries)
                    .expect("every entry was checked when it was added");
            let rows = RowFaults::find(&rankings);
            if !as_ranks && let Some(problem) = rows.refusal(&query.name, &rankings) {
                let (file, line) = first_rows[rows.faults[0].0];
                return Err(FormatError::in_file(&query.files[file], problem)
                    .at_line(line)
                    .with_remedy(Remedy::parse(rows.remedy())));
            }
            for (assessor, fault) in rows.faults {
                let (file, line) = first_rows[assessor];
                let row = format!(
                    "`{}` of query `{}` ({fault})",
                    shorten(rankings.assessor_name(assessor)),
                    shorten(&query.name)
                );
                no_rankings.add((&query.files[file], line), row);
            }
            warnings.extend(query.long_names.warning(&query.file, |count, first| {
                diagnostic!(LongNames { count, most = LONGEST_NAME, first }:
                    "names longer than {most} bytes: {count}; the first starts `{first}`")
            }));
            queries.push(QueryRankings {
                name: query.name,
                file: query.file,
                rankings,
            });
        }
        warnings.extend(no_rankings.warnings());
        Ok(RankingsInput { queries, warnings })
    }
}

/// Rows of one query that are not rankings of its items; a row holds the values by one assessor.
struct RowFaults {
    /// Assessors whose row is no ranking, by number, each with the reason.
    faults: Vec<(usize, RankingFault)>,
    /// True if no row with values is a ranking.
    is_every_row: bool,
    /// True if every column is a ranking of the assessors.
    are_columns_rankings: bool,
}

impl RowFaults {
    fn find(rankings: &AssessorRankings) -> Self {
        let (items, assessors) = (rankings.items().len(), rankings.assessors().len());
        let rows = rankings.rows().enumerate();
        let faults: Vec<(usize, RankingFault)> = rows
            .filter_map(|(assessor, row)| {
                let fault = RankingFault::find(row.iter().copied().flatten(), items)?;
                Some((assessor, fault))
            })
            .collect();
        let with_values = rankings
            .rows()
            .filter(|row| row.iter().any(Option::is_some));
        let is_column_ranking = |item: Item| {
            let column = rankings.rows().filter_map(|row| row[item.index()]);
            RankingFault::find_without_dense(column, assessors).is_none()
        };
        Self {
            is_every_row: faults.len() == with_values.count(),
            are_columns_rankings: !faults.is_empty()
                && rankings.items().items().all(is_column_ranking),
            faults,
        }
    }

    /// Returns the reason to refuse the rows as rankings, or `None`.
    fn refusal(&self, query: &str, rankings: &AssessorRankings) -> Option<Diagnostic> {
        let (assessor, fault) = self.faults.first()?;
        let (query, assessor) = (shorten(query), rankings.assessor_name(*assessor));
        if self.are_columns_rankings {
            Some(
                diagnostic!(OddRankings { query, assessor = shorten(assessor), fault }:
                "query `{query}`: the columns are rankings and the rows are not; in the row of \
                 `{assessor}`, {fault}"),
            )
        } else if self.is_every_row {
            Some(
                diagnostic!(OddRankings { query, assessor = shorten(assessor), fault }:
                "query `{query}`: no row is a ranking of the items; in the row of `{assessor}`, \
                 {fault}"),
            )
        } else {
            None
        }
    }

    /// Returns the remedy for refused rows.
    fn remedy(&self) -> &'static str {
        if self.are_columns_rankings {
            "is the table turned? A row holds the ranks by one assessor, and a column those of one \
             item; {as_ranks} reads it as it is"
        } else {
            "are the values ratings? Turn each row into ranks first, with 1 for the best item; \
             {as_ranks} takes the values for ranks, the lowest for the best"
        }
    }
}

/// Rows that are not rankings, by file, for one warning per file.
#[derive(Default)]
struct NoRankings {
    files: Vec<(String, u64, Vec<String>)>,
}

impl NoRankings {
    /// Adds a row, described by its assessor, its query and the reason.
    fn add(&mut self, (file, line): (&str, u64), row: String) {
        match self.files.iter_mut().find(|(known, ..)| known == file) {
            Some((_, first, rows)) => {
                *first = line.min(*first);
                rows.push(row);
            }
            None => self.files.push((file.to_owned(), line, vec![row])),
        }
    }

    fn warnings(self) -> impl Iterator<Item = Warning> {
        self.files.into_iter().map(|(file, line, rows)| {
            let (count, rows) = (rows.len(), summarize_names(&rows, 5));
            let problem = diagnostic!(OddRankings { count, rows }:
                "rows that are no ranking of their items: {count}, by {rows}");
            Warning::in_file(file, problem).at_line(line)
        })
    }
}

impl QueryRankingsBuilder {
    /// Returns the position of the first value by each assessor: index in `files`, and line.
    fn first_rows(&self) -> Vec<(usize, u64)> {
        let mut found = vec![None; self.assessors.len()];
        for &(assessor, item, _) in &self.entries {
            found[assessor.index()].get_or_insert_with(|| self.positions[&(assessor, item)]);
        }
        // Every assessor was named by an entry.
        found.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Adds a rank. Refuses a second rank of the same assessor for the same item, and more than
    /// [`MAX_RANKS`] combinations of assessor and item.
    fn add(
        &mut self,
        (line, part): (SourceLine<'_>, &str),
        assessor: &str,
        item: &str,
        rank: Option<f64>,
    ) -> Result<(), FormatError> {
        for name in [assessor, item] {
            if name.len() > LONGEST_NAME {
                self.long_names.add(line.number, || shorten(name));
            }
        }
        let assessor_number = self.assessors.intern(assessor).expect(NAMES_FIT);
        let item_number = self.items.intern(item).expect(NAMES_FIT);
        let (assessors, items) = (self.assessors.len() as u64, self.items.len() as u64);
        if let Some(problem) = too_many_ranks(assessors, items) {
            return Err(line.error_at(part, problem));
        }
        if self.files.last().is_none_or(|file| file != line.file) {
            self.files.push(line.file.to_owned());
        }
        let position = (self.files.len() - 1, line.number);
        if let Some((file, number)) = self
            .positions
            .insert((assessor_number, item_number), position)
        {
            let before = if file == position.0 {
                format!("line {number}")
            } else {
                format!("line {number} of {}", self.files[file])
            };
            let problem = diagnostic!(Duplicate {
                assessor = shorten(assessor), item = shorten(item), query = shorten(&self.name), before
            }:
                "the assessor `{assessor}` ranked `{item}` of query `{query}` already, on \
                 {before}");
            return Err(line.error_at(part, problem).with_remedy(
                "one assessor ranks a list once: remove one of the two rankings, or give them \
                 different names if they are of different people",
            ));
        }
        self.entries.push((assessor_number, item_number, rank));
        Ok(())
    }
}
