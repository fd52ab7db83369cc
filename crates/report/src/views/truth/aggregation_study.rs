//! View of the comparison of the six aggregation functions.

use std::cmp::Ordering;
use std::io;

use partita_core::truth::{
    AggregatedListSummary, AggregationStudy, AggregationSummary, SystemAdrByFunction,
};

use crate::column_set::{ColumnSet, write_csv_rows};
use crate::document::{Document, View};
use crate::phrases::plural;
use crate::table::{Cell, Optimum, Table, integer, number, right, text};

/// View of a study of the six aggregation functions, which build lists from rankings.
pub struct AggregationStudyView<'a> {
    /// Lists built by each function, and scores of systems against them.
    pub result: &'a AggregationStudy,
    /// True to also show every list, false for means over lists.
    pub per_query: bool,
}

impl View for AggregationStudyView<'_> {
    /// Writes `function,query,system,measure,value`; the query of a mean is `all`.
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let keys = ["function", "query", "system", "measure", "value"];
        write_csv_rows(keys, self.rows(), writer)
    }

    fn document(&self) -> Document {
        let study = self.result;
        let mut document = Document::new();
        if self.per_query {
            document = document.table(self.lists_table());
        }
        let (functions, marked) = self.functions_table();
        let marks = "* p < 0.10, ** p < 0.05, *** p < 0.01: paired 1-tailed t-tests of greater \
                     consistency and of smaller groups than all-2; 2-tailed test of r.";
        document = document
            .table(functions)
            .notes(marked.then_some(marks))
            .note("r: the correlation of items per group with ADR-1.")
            .note(format!(
                "Built at alpha {}, measured at alpha {}; unranked items: {}.",
                study.settings.alpha.value(),
                study.settings.check_alpha.value(),
                study.settings.reading.unranked
            ));
        if study.systems.is_empty() {
            return document;
        }
        let tau = "tau: Kendall's tau-b with the systems' order by all-2.";
        document
            .table(self.systems_table())
            .notes((study.systems.len() > 1).then_some(tau))
    }
}

impl AggregationStudyView<'_> {
    /// Returns the CSV rows: function, query, system, measure, value.
    fn rows(&self) -> Vec<[Cell; 5]> {
        let mut rows = Vec::new();
        for study in &self.result.functions {
            let function = study.function.to_string();
            let mut push = |query: &str, system: &str, measure: &str, value: Option<f64>| {
                let what = [&function, query, system, measure].map(Cell::from);
                let [function, query, system, measure] = what;
                rows.extend(value.map(|v| [function, query, system, measure, v.into()]));
            };
            for query in self.result.lists.iter().filter(|_| self.per_query) {
                let list = query.functions.get(&function);
                let list = list.expect("there is a list for each function");
                push(&query.query, "", "adr1", list.consistency.adr1);
                push(&query.query, "", "adr2", list.consistency.adr2);
                push(&query.query, "", "items_per_group", list.items_per_group);
                for (system, score) in list.adr.iter() {
                    push(&query.query, system, "ADR", *score);
                }
            }
            push("all", "", "adr1", study.consistency.adr1);
            push("all", "", "adr2", study.consistency.adr2);
            push("all", "", "items_per_group", study.items_per_group);
            push("all", "", "pearson_r", study.pearson.map(|r| r.r));
            push("all", "", "pearson_p", study.pearson.map(|r| r.p));
            let more_consistent = study.more_consistent.map(|test| test.p);
            push("all", "", "more_consistent_p", more_consistent);
            let smaller_groups = study.smaller_groups.map(|test| test.p);
            push("all", "", "smaller_groups_p", smaller_groups);
            for system in &self.result.systems {
                let score = system.adr.get(&function).copied().flatten();
                push("all", &system.system, "ADR", score);
            }
            push("all", "", "tau", study.tau);
        }
        rows
    }

    /// Returns Table 3 of Urbano, Marrero, Martín and Lloréns (2010), with a row per aggregation
    /// function, and true if any value has a significance star.
    fn functions_table(&self) -> (Table, bool) {
        let functions = &self.result.functions;
        let mut marked = false;
        // Decimals stay aligned: cells are padded to the longest mark of their column.
        let mut column = |value: SummaryAccessor, p: SummaryAccessor, most: usize| {
            let width = functions.iter().map(|row| stars(p(row), most).len()).max();
            let width = width.unwrap_or(0);
            marked |= width > 0;
            move |row: &AggregationSummary| {
                let stars = stars(p(row), most);
                value(row).map(|value| format!("{value:.3}{stars:<width$}"))
            }
        };
        let adr1 = column(
            |row| row.consistency.adr1,
            |row| Some(row.more_consistent?.p),
            2,
        );
        let size = column(
            |row| row.items_per_group,
            |row| Some(row.smaller_groups?.p),
            2,
        );
        let pearson = column(|row| Some(row.pearson?.r), |row| Some(row.pearson?.p), 3);
        let table = ColumnSet::<AggregationSummary>::new()
            .table_field(text("Function"), |row| row.function.to_string())
            .table_field(right("ADR-1"), adr1)
            .table_field(number("ADR-2", 3), |row| row.consistency.adr2)
            .table_field(right("Items per group"), size)
            .table_field(right("Pearson's r"), pearson)
            .to_table(functions);
        let lists = plural(self.result.lists.len(), "list");
        let caption = format!("Consistency and size of groups, means over {lists}");
        (table.with_caption(caption), marked)
    }

    /// Returns Table 4 of Urbano, Marrero, Martín and Lloréns (2010), with a row per system and a
    /// column per aggregation function.
    fn systems_table(&self) -> Table {
        let functions = &self.result.functions;
        let columns = functions.iter();
        let columns = columns.map(|study| number(study.function.to_string(), 3));
        let columns = [text("System")].into_iter().chain(columns);
        let mut table = Table::new(columns)
            .with_caption("Mean ADR of every system against the lists of every function");
        let mut systems: Vec<_> = self.result.systems.iter().collect();
        let score = |system: &SystemAdrByFunction| system.adr.iter().find_map(|(_, score)| *score);
        systems.sort_by(|a, b| score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal));
        for system in &systems {
            let scores = system.adr.iter().map(|(_, score)| Cell::from(*score));
            table.push(std::iter::once(Cell::from(&system.system)).chain(scores));
        }
        if self.result.systems.len() > 1 {
            for column in 1..=functions.len() {
                table.emphasise_best(column, Optimum::Highest);
            }
        }
        table.push_rule();
        let taus = functions.iter().map(|study| Cell::from(study.tau));
        table.push(std::iter::once(Cell::text("tau")).chain(taus));
        table
    }

    /// Returns a table with a row per list and aggregation function.
    fn lists_table(&self) -> Table {
        let columns = ColumnSet::<(&str, &AggregatedListSummary)>::new()
            .table_field(text("Function"), |(function, _)| *function)
            .table_field(integer("Items"), |(_, list)| list.items)
            .table_field(integer("Groups"), |(_, list)| list.groups)
            .table_field(number("Items per group", 3), |(_, list)| {
                list.items_per_group
            })
            .table_field(number("ADR-1", 3), |(_, list)| list.consistency.adr1)
            .table_field(number("ADR-2", 3), |(_, list)| list.consistency.adr2);
        let lists = self.result.lists.iter();
        columns.to_grouped_table(lists.map(|query| (&query.query, query.functions.iter())))
    }
}

/// Accessor of one value in the summary of an aggregation function; `None` if it is not defined.
type SummaryAccessor = fn(&AggregationSummary) -> Option<f64>;

/// Returns the significance stars of a p-value, at most `most`: * below 0.10, ** below 0.05, ***
/// below 0.01.
fn stars(p: Option<f64>, most: usize) -> String {
    let reached = [0.10, 0.05, 0.01][..most].iter();
    let reached = reached.filter(|&&level| p.is_some_and(|p| p < level));
    "*".repeat(reached.count())
}
