//! Tests that `--like trec_eval` prints the same as trec_eval.

use serde_json::Value;

use crate::data::data;
use crate::session::{Folder, Program};

#[test]
fn the_output_is_that_of_trec_eval_line_by_line() {
    let fixture = include_str!("../../../../core/tests/fixtures/trec_eval_official.json");
    let fixture: Value = serde_json::from_str(fixture).unwrap();
    let text = |name: &str| fixture[name].as_str().unwrap();
    let dir = Folder::with("t.qrels", text("qrels")).and("r.run", text("run"));
    let lines = fixture["lines"].as_array().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let command = "evaluate --truth t.qrels r.run --like trec_eval";
    let printed = dir.output(&format!("{command} --per-query"));
    assert_eq!(printed.lines().collect::<Vec<_>>(), lines);
    // Without --per-query, only the lines for all queries are printed.
    let all = lines.iter().filter(|line| line.contains("\tall\t"));
    let printed = dir.output(command);
    assert!(printed.lines().eq(all.copied()));
    // Counts and further measures are not printed if measures are selected, nor in CSV.
    let asked = dir.output(&format!("{command} -m map"));
    assert!(!asked.contains("num_ret") && !asked.contains("gm_map"));
    assert!(
        !dir.output(&format!("{command} --format csv"))
            .contains("iprec")
    );
}

#[test]
fn interpolated_precision_is_omitted_if_ties_are_averaged() {
    let dir = Folder::with("t.qrels", "q 0 a 1\n").and("r.run", "q Q0 a 1 1 r\nq Q0 b 2 1 r\n");
    let command = "evaluate --truth t.qrels r.run --like trec_eval --ties average";
    let printed = dir.output(command);
    assert!(
        printed.contains("map") && !printed.contains("iprec"),
        "{printed}"
    );
}

#[test]
fn numbers_w1_grades_that_trec_eval_cuts_are_named_in_a_warning() {
    let dir = Folder::with("t.qrels", "q 0 a 0.75\nq 0 b -2\nq 0 c 2\n")
        .and("r.run", "q Q0 a 1 3 r\nq Q0 b 2 2 r\nq Q0 c 3 1 r\n");
    let ended = dir
        .partita("evaluate --truth t.qrels r.run --like trec_eval -m bpref,P_5")
        .succeeds();
    ended.says(&[
        "warning: t.qrels: grades that are not whole numbers: 1, the first being 0.75 of `a` for \
         the query `q`; trec_eval reads them without their decimals, and so they count here\n",
    ]);
    assert!(ended.out.contains("bpref                 \tall\t0.0000\n"));
    assert!(ended.out.contains("P_5                   \tall\t0.2000\n"));
    let whole = dir
        .partita("evaluate --truth t.qrels r.run -m P_5")
        .succeeds();
    assert_eq!(whole.err, "");
}

mod real_data {
    use super::*;

    #[test]
    #[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
    fn the_output_for_every_run_of_trec_dl_2021_equals_trec_eval() {
        let folder = data("trec-dl-2021");
        let fixture = include_str!("../../fixtures/pytrec_eval_official_trec_dl_2021.json");
        let fixture: Value = serde_json::from_str(fixture).unwrap();
        let measures = fixture["measures"].as_array().unwrap();
        let runs = fixture["runs"].as_object().unwrap();
        assert_eq!((measures.len(), runs.len()), (28, 40));
        for (file, expected) in runs {
            let values = expected["values"].as_array().unwrap();
            let counted = [
                ("runid", expected["name"].as_str().unwrap().to_owned()),
                ("num_q", expected["num_q"].to_string()),
            ];
            let measured = measures.iter().zip(values).map(|(measure, value)| {
                let (measure, value) = (measure.as_str().unwrap(), value.as_f64().unwrap());
                let decimals = if measure.starts_with("num_") { 0 } else { 4 };
                (measure, format!("{value:.decimals$}"))
            });
            let lines = counted.into_iter().chain(measured);
            let lines: Vec<String> = lines
                .map(|(name, value)| format!("{name:<22}\tall\t{value}"))
                .collect();
            let command = format!("evaluate --truth qrels.txt runs/{file} --like trec_eval");
            let printed = Program::within(&folder, &command).succeeds().out;
            assert_eq!(printed.lines().collect::<Vec<_>>(), lines, "{file}");
        }
    }
}
