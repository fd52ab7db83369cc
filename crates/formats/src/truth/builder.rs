//! Builder that collects rows of judgments into a ground truth.

use partita_core::{
    Gains, GroundTruth, GroundTruthError, GroupedList, Item, Names, QueryTruth, TruthScale,
    ZeroGainPolicy,
};

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning, WarningCounter};
use crate::text::line::SourceLine;
use crate::text::name_rules::{LONGEST_NAME, long_names};
use crate::text::shorten;
use crate::text::source::Source;

/// Builder of a ground truth. It holds judgments in the order of the file, and queries in the order
/// of their first judgment.
pub(super) struct TruthBuilder {
    scale: TruthScale,
    names: Names,
    queries: Vec<QueryTruthBuilder>,
    last: usize,
    long_names: WarningCounter,
    warnings: Vec<Warning>,
}

/// Judgments of one query while the file is read.
struct QueryTruthBuilder {
    names: Names,
    /// Group number or grade of each item, indexed like `names`.
    values: Vec<f64>,
    first_line: u64,
}

impl TruthBuilder {
    pub(super) fn new(scale: TruthScale) -> Self {
        Self {
            scale,
            names: Names::new(),
            queries: Vec::new(),
            last: 0,
            long_names: WarningCounter::default(),
            warnings: Vec::new(),
        }
    }

    /// Returns the scale of the judgments: groups or grades.
    pub(super) fn scale(&self) -> TruthScale {
        self.scale
    }

    pub(super) fn warn(&mut self, warning: impl Into<Option<Warning>>) {
        self.warnings.extend(warning.into());
    }

    /// Returns the index of a query, adding it if it is new. A query is kept even if it has no
    /// judgments.
    pub(super) fn query(&mut self, name: &str) -> usize {
        if !self.queries.is_empty() && self.query_name(self.last) == name {
            return self.last;
        }
        let query = self.names.intern(name);
        self.last = query
            .expect("a file in memory has fewer queries than there are numbers")
            .index();
        if self.last == self.queries.len() {
            // Preallocate: queries tend to have as many items as the previous one.
            let (names, values) = match self.queries.last() {
                Some(last) => (
                    Names::with_capacity_like(&last.names),
                    Vec::with_capacity(last.values.len()),
                ),
                None => (Names::new(), Vec::new()),
            };
            self.queries.push(QueryTruthBuilder {
                names,
                values,
                first_line: 0,
            });
        }
        self.last
    }

    /// Returns the name of the query with this index.
    fn query_name(&self, query: usize) -> &str {
        let item = Item::from_index(query).expect("each query has a name");
        self.names.name(item)
    }

    /// Adds the judgment of an item: a group, counted from 1, or a grade.
    pub(super) fn add(
        &mut self,
        line: SourceLine<'_>,
        query: &str,
        item: &str,
        value: f64,
    ) -> Result<(), FormatError> {
        let number = self.query(query);
        let query = &mut self.queries[number];
        if item.len() > LONGEST_NAME {
            self.long_names.add(line.number, || shorten(item));
        }
        let item_count = query.names.len();
        let index = query.names.intern(item).map_or(item_count, Item::index);
        if index < item_count {
            let problem = diagnostic!(Duplicate { name = shorten(item), query = self.query_name(number) }:
                "the item `{name}` stands twice in the ground truth of query `{query}`");
            return Err(line
                .error_at(item, problem)
                .with_remedy("remove one of the two: a ground truth says one thing of an item"));
        }
        if query.values.is_empty() {
            query.first_line = line.number;
        }
        query.values.push(value);
        Ok(())
    }

    /// Returns the ground truth with its warnings. `zero` is the treatment of grades of 0 or less.
    pub(super) fn finish(
        mut self,
        source: &Source,
        zero: ZeroGainPolicy,
    ) -> Result<(GroundTruth, Vec<Warning>), FormatError> {
        if self.queries.is_empty() {
            return Err(source.empty_error());
        }
        (self.warnings).extend(self.long_names.warning(source.name(), long_names));
        let mut gaps = WarningCounter::default();
        let mut judged = Vec::with_capacity(self.queries.len());
        for (name, query) in self.names.items().zip(self.queries) {
            let query_truth = match self.scale {
                TruthScale::Groups => query.build_from_groups(self.names.name(name), &mut gaps),
                TruthScale::Grades => query.build_from_grades(zero),
            };
            judged.push(query_truth.expect("every row was checked when it was added"));
        }
        let gaps = gaps.warning(source.name(), |count, first| {
            diagnostic!(NumberingGaps { count, first }:
                "queries whose groups are not numbered 1, 2, 3, ...: {count}, the first being \
                 {first}; only the order of groups was used")
        });
        self.warnings.extend(gaps);
        let truth = GroundTruth::with_query_names(self.scale, self.names, judged);
        Ok((truth, self.warnings))
    }
}

impl QueryTruthBuilder {
    /// Builds the list of a query from group numbers; counts gaps in the numbering in `gaps`.
    fn build_from_groups(
        self,
        name: &str,
        gaps: &mut WarningCounter,
    ) -> Result<QueryTruth, GroundTruthError> {
        let mut rows: Vec<(f64, Item)> = self.values.into_iter().zip(self.names.items()).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let groups = rows.chunk_by(|a, b| a.0 == b.0);
        let numbered = (1..)
            .zip(groups.clone())
            .all(|(n, group)| group[0].0 == f64::from(n));
        if !numbered {
            gaps.add(self.first_line, || format!("`{name}`"));
        }
        let list = GroupedList::new(groups.map(|group| group.iter().map(|&(_, item)| item)));
        QueryTruth::from_list(self.names, list.expect("repeated items were refused"))
    }

    /// Builds the list of a query from grades.
    fn build_from_grades(self, zero: ZeroGainPolicy) -> Result<QueryTruth, GroundTruthError> {
        let gains =
            Gains::from_values(self.values).expect("every grade was checked when it was read");
        QueryTruth::from_gains(self.names, gains, zero)
    }
}
