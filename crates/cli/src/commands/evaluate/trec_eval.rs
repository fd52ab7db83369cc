//! `measure query value`, as trec_eval prints them.

use std::fmt::Write;

use super::EvaluateArgs;
use super::results::Results;

pub(super) fn print(args: &EvaluateArgs, results: &Results) -> String {
    let mut text = String::new();
    let mut line = |measure: &str, query: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{measure:<22}\t{query}\t{value}");
    };
    for run in &results.runs {
        let measures = || results.measures.iter().zip(&run.scores.by_measure);
        if args.printing.per_query {
            for (query, (name, _)) in results.truth.iter().enumerate() {
                for ((measure, _), scores) in measures() {
                    if let Some(score) = scores.scores[query] {
                        line(measure, name, &format!("{score:.4}"));
                    }
                }
            }
        }
        line("runid", "all", &run.scores.run);
        line("num_q", "all", &(results.truth.len()).to_string());
        for ((measure, _), scores) in measures() {
            if let Some(mean) = scores.mean() {
                line(measure, "all", &format!("{mean:.4}"));
            }
        }
    }
    text
}
