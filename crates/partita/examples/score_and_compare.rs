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
    // The same five melodies for each of six queries: two that are closest, then one, then two.
    let queries = ["q1", "q2", "q3", "q4", "q5", "q6"];
    let groups = [vec!["m1", "m2"], vec!["m3"], vec!["m4", "m5"]];
    let truth = GroundTruth::of_groups(queries.map(|query| (query, groups.clone())))?;

    // What three systems return. `careful` errs once, `hasty` often, and `lazy` knows two melodies.
    let good = ["m2", "m1", "m3", "m5", "m4"];
    let poor = ["m4", "m3", "m2", "m1", "m5"];
    let bad = ["m5", "m4", "m9", "m8", "m3"];
    let runs = [
        ("careful", [good, good, good, poor, good, good]),
        ("hasty", [poor, good, bad, poor, poor, bad]),
    ];
    let mut runs = runs
        .map(|(name, returned)| Run::of(name, &truth, queries.into_iter().zip(returned)))
        .to_vec();
    runs.push(Run::of(
        "lazy",
        &truth,
        queries.map(|query| (query, ["m1", "m4"])),
    ));

    let work = Threads::new(0);
    let request = Request {
        measures: vec!["ADR".to_owned(), "AG@3".to_owned()],
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

    // The scores go on as they are; each measure is compared by itself.
    let settings = compare::Settings::default();
    let comparisons = (evaluation.scores()?.iter())
        .map(|scores| compare::compare(scores, compare::DEFAULT, &settings, &work))
        .collect::<Result<Vec<_>, _>>()?;
    let view = ComparisonView {
        comparisons: &comparisons,
        pairs: true,
        details: false,
        by_default: true,
    };
    print!("{}", view.in_format(TableFormat::Text));
    Ok(())
}
