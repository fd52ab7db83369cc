//! `function,query,system,measure,value`; the query of a mean is `all`.

use csv::Writer;

use super::{Study, StudyArgs, defined};
use crate::failure::Failure;

pub(super) fn print(args: &StudyArgs, study: &Study) -> Result<String, Failure> {
    let mut rows = vec![["function", "query", "system", "measure", "value"].map(str::to_owned)];
    for (number, function) in study.functions.iter().enumerate() {
        let name = function.aggregation.name();
        let mut push = |query: &str, system: &str, measure: &str, value: Option<f64>| {
            if let Some(value) = value {
                let row = [name, query, system, measure].map(str::to_owned);
                let [function, query, system, measure] = row;
                rows.push([function, query, system, measure, value.to_string()]);
            }
        };
        if args.per_query {
            for (query, lists) in study.queries.iter().zip(&study.lists) {
                let list = &lists[number];
                push(&query.name, "", "adr1", list.adr_1);
                push(&query.name, "", "adr2", list.adr_2);
                push(&query.name, "", "items_per_group", list.items_per_group);
                for (system, &score) in study.systems.iter().zip(&list.systems) {
                    push(&query.name, system, "ADR", defined(score));
                }
            }
        }
        push("all", "", "adr1", function.adr_1);
        push("all", "", "adr2", function.adr_2);
        push("all", "", "items_per_group", function.items_per_group);
        push("all", "", "pearson_r", function.correlation.map(|r| r.r));
        let p = function.correlation.map(|r| r.p.two_sided);
        push("all", "", "pearson_p", p);
        let p = function.more_consistent.map(|test| test.p.greater);
        push("all", "", "more_consistent_p", p);
        let p = function.smaller_groups.map(|test| test.p.less);
        push("all", "", "smaller_groups_p", p);
        for (system, &score) in study.systems.iter().zip(&function.systems) {
            push("all", system, "ADR", defined(score));
        }
        push("all", "", "tau", function.tau);
    }
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}
