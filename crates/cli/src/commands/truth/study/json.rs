//! A study as JSON.

use partita_core::truth::{FunctionStudy, ListStudy};
use partita_formats::Warning;
use partita_stats::t_test::TTest;
use serde_json::{Map, Value, json};

use super::{Study, StudyArgs, defined};
use crate::output::warnings_json;

pub(super) fn print(args: &StudyArgs, study: &Study, warnings: &[Warning]) -> String {
    let name = |function: &FunctionStudy| function.aggregation.name().to_owned();
    let systems = study.systems.iter().enumerate().map(|(number, system)| {
        let score =
            |function: &FunctionStudy| (name(function), json!(defined(function.systems[number])));
        let scores: Map<String, Value> = study.functions.iter().map(score).collect();
        json!({"system": system, "adr": scores})
    });
    let lists = study
        .queries
        .iter()
        .zip(&study.lists)
        .map(|(query, lists)| {
            let functions = study.functions.iter().zip(lists);
            let functions: Map<String, Value> = functions
                .map(|(function, list)| (name(function), of_list(study, list)))
                .collect();
            json!({"query": query.name, "functions": functions})
        });
    let object = json!({
        "settings": {
            "alpha": args.alpha,
            "check_alpha": args.measured_at(),
            "unranked": args.rankings.unranked_name(),
            "exact": args.rankings.is_exact(),
        },
        "functions": study.functions.iter().map(of_function).collect::<Vec<_>>(),
        "systems": systems.collect::<Vec<_>>(),
        "lists": lists.collect::<Vec<_>>(),
        "warnings": warnings_json(warnings),
    });
    format!("{object:#}\n")
}

fn of_function(function: &FunctionStudy) -> Value {
    let test = |test: &TTest, p: f64| json!({"t": test.t, "df": test.df, "p": p});
    json!({
        "function": function.aggregation.name(),
        "adr1": function.adr_1,
        "adr2": function.adr_2,
        "items_per_group": function.items_per_group,
        "pearson": function.correlation.map(|r| json!({"r": r.r, "p": r.p.two_sided})),
        "more_consistent": function.more_consistent.map(|t| test(&t, t.p.greater)),
        "smaller_groups": function.smaller_groups.map(|t| test(&t, t.p.less)),
        "tau": function.tau,
    })
}

fn of_list(study: &Study, list: &ListStudy) -> Value {
    let scores = study.systems.iter().zip(&list.systems);
    let scores: Map<String, Value> = scores
        .map(|(system, &score)| (system.clone(), json!(defined(score))))
        .collect();
    json!({
        "items": list.list.len(),
        "groups": list.list.group_count(),
        "items_per_group": list.items_per_group,
        "adr1": list.adr_1,
        "adr2": list.adr_2,
        "adr": scores,
    })
}
