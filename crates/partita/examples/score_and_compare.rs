//! Scores runs against a ground truth and says which system is better.
//!
//! `cargo run -p partita --example score_and_compare`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::evaluation::{Request, evaluate};
use partita::report::evaluation::EvaluationView;
use partita::report::{ComparisonView, Present, TableFormat};
use partita::{GroundTruth, Run, Threads, compare};

fn main() -> Result<(), Box<dyn Error>> {
    // The same five melodies for each of ten queries: two that are closest, then one, then two.
    let queries = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"];
    let groups = [vec!["m1", "m2"], vec!["m3"], vec!["m4", "m5"]];
    let truth = GroundTruth::of_groups(queries.map(|query| (query, groups.clone())))?;

    // What three systems return: `careful` errs once, `hasty` every other time, and `lazy` stops early.
    let good = vec!["m2", "m1", "m3", "m5", "m4"];
    let poor = vec!["m4", "m3", "m2", "m1", "m9"];
    let short = vec!["m1", "m4"];
    let returned = |name: &str, query: usize| match (name, query) {
        ("careful", 3) => poor.clone(),
        ("hasty", query) if query % 2 == 0 => poor.clone(),
        ("lazy", _) => short.clone(),
        _ => good.clone(),
    };
    let runs = ["careful", "hasty", "lazy"].map(|name| {
        let answers = (0..)
            .zip(queries)
            .map(|(at, query)| (query, returned(name, at)));
        Run::of(name, answers)
    });

    let work = Threads::new(0);
    let request = Request {
        measures: vec!["ADR".to_owned()],
        sort: Some("ADR".to_owned()),
        ..Request::default()
    };
    let evaluation = evaluate(&request, &truth, &runs, &work)?;
    let view = EvaluationView {
        result: &evaluation,
        per_query: false,
        details: false,
    };
    println!("{}", view.in_format(TableFormat::Text));

    // The scores go on as they are; if there were several measures, each would be compared by itself.
    let settings = compare::Settings::default();
    let comparisons = (evaluation.scores()?.iter())
        .map(|scores| compare::compare(scores, compare::DEFAULT, &settings, &work))
        .collect::<Result<Vec<_>, _>>()?;
    let view = ComparisonView {
        comparisons: &comparisons,
        pairs: true,
        details: false,
        by_default: false,
    };
    print!("{}", view.in_format(TableFormat::Text));
    Ok(())
}
