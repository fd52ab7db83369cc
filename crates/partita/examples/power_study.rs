//! Measures how often other queries would lead to the same conclusions about systems, and how many
//! queries are needed.
//!
//! `cargo run -p partita --example power_study`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;

use partita::plan::{self, PlanInput, plan};
use partita::reliability::{self, study};
use partita::report::views::reliability::ReliabilityView;
use partita::report::{TableFormat, View};
use partita::stats::random::{standard_normal, stream};
use partita::{ScoreMatrix, ThreadPool};

fn main() -> Result<(), Box<dyn Error>> {
    // Simulated scores: the difficulty of queries varies, and systems differ in mean score.
    let systems = [
        ("ngrams", 0.52),
        ("contour", 0.48),
        ("rhythm", 0.47),
        ("random", 0.30),
    ];
    let queries: Vec<String> = (1..=40).map(|query| format!("q{query}")).collect();
    let mut drawn = stream(1, &[]);
    let mut values = Vec::new();
    for _ in &queries {
        let ease = 0.1 * standard_normal(&mut drawn);
        values.extend(systems.map(|(_, mean)| mean + ease + 0.1 * standard_normal(&mut drawn)));
    }
    let scores = ScoreMatrix::new("ADR", systems.map(|(name, _)| name), queries, values)?;

    let work = ThreadPool::new(0);
    let request = reliability::ReliabilityRequest {
        tests: ["t", "wilcoxon:0.05:holm"].map(str::to_owned).to_vec(),
        sizes: Some("10,20,40".parse()?),
        trials: 100,
        ..reliability::ReliabilityRequest::default()
    };
    let found = study(&request, &[scores.clone().into()], &work)?;
    let view = ReliabilityView {
        result: &found,
        details: false,
    };
    println!("{}", view.render(TableFormat::Text));

    let request = plan::PlanRequest {
        erho2: vec![0.9, 0.95],
        differences: vec![0.05],
        ..plan::PlanRequest::default()
    };
    let plan = plan(&request, &[PlanInput::Scores(&scores)])?;
    print!("{}", plan.render(TableFormat::Text));
    Ok(())
}
