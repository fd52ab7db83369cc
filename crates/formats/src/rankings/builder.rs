//! Builder that collects ranks, read one by one, into the rankings of each query.

use std::collections::HashMap;

use partita_core::{AssessorRankings, Item, Names};

use super::{QueryRankings, RankingsInput};
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning, WarningCounter};
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

    /// Returns the collected rankings of all queries, with the warnings.
    pub(super) fn finish(self) -> RankingsInput {
        let mut warnings = self.warnings;
        let mut queries = Vec::with_capacity(self.queries.len());
        for query in self.queries {
            let rankings =
                AssessorRankings::from_indexed(query.items, query.assessors, &query.entries)
                    .expect("every entry was checked when it was added");
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
        RankingsInput { queries, warnings }
    }
}

impl QueryRankingsBuilder {
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
