//! Scores runs against a ground truth, and tests which systems differ.
//!
//! `cargo run -p partita --example score_and_compare`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::evaluation::{EvaluationRequest, evaluate};
use partita::report::views::evaluation::EvaluationView;
use partita::report::{ComparisonView, TableFormat, View};
use partita::{GroundTruth, Run, ThreadPool, comparison};

fn main() -> Result<(), Box<dyn Error>> {
    // All ten queries have the same list of five melodies, in groups of two, one and two.
    let queries = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"];
    let groups = [vec!["m1", "m2"], vec!["m3"], vec!["m4", "m5"]];
    let truth = GroundTruth::from_groups(queries.map(|query| (query, groups.clone())))?;

    // Results of three systems: `careful` fails on one query, `hasty` on every second, and `lazy`
    // returns only two melodies.
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
        Run::from_lists(name, answers)
    });

    let work = ThreadPool::new(0);
    let request = EvaluationRequest {
        measures: vec!["ADR".to_owned()],
        sort: Some("ADR".to_owned()),
        ..EvaluationRequest::default()
    };
    let evaluation = evaluate(&request, &truth, &runs, &work)?;
    let view = EvaluationView {
        result: &evaluation,
        per_query: false,
        with_settings: false,
    };
    println!("{}", view.render(TableFormat::Text));

    // The scores of each measure are compared separately; here there is one measure.
    let settings = comparison::ComparisonOptions::default();
    let comparisons = (evaluation.scores()?.iter())
        .map(|scores| comparison::compare(scores, comparison::DEFAULT_TEST, &settings, &work))
        .collect::<Result<Vec<_>, _>>()?;
    let view = ComparisonView {
        comparisons: &comparisons,
        all_pairs: true,
        with_settings: false,
        test_is_default: false,
    };
    print!("{}", view.render(TableFormat::Text));
    Ok(())
}
