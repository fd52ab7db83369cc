//! `run,query,measure,value`; the query of a mean is `all`, of a group's mean `all:GROUP`.

use csv::Writer;

use super::EvaluateArgs;
use super::results::{Results, RunResult};
use crate::failure::Failure;

pub(super) fn print(args: &EvaluateArgs, results: &Results) -> Result<String, Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut rows = vec![["run", "query", "measure", "value"].map(str::to_owned)];
    for run in &results.runs {
        if args.printing.per_query {
            per_query(results, run, &mut rows);
        }
        means(results, run, &mut rows);
    }
    for row in rows {
        writer.write_record(&row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

fn per_query(results: &Results, run: &RunResult, rows: &mut Vec<[String; 4]>) {
    for query in 0..results.truth.len() {
        for ((measure, _), scores) in results.measures.iter().zip(&run.scores.by_measure) {
            let mut add = |measure: String, value: f64| {
                let (run, query) = (run.scores.run.clone(), results.truth.name(query).to_owned());
                rows.push([run, query, measure, value.to_string()]);
            };
            if let Some(score) = scores.scores[query] {
                add(measure.clone(), score);
            }
            if let Some((low, high)) = scores.extremes.as_ref().and_then(|e| e[query]) {
                add(format!("{measure}:min"), low);
                add(format!("{measure}:max"), high);
            }
        }
    }
}

fn means(results: &Results, run: &RunResult, rows: &mut Vec<[String; 4]>) {
    let name = &run.scores.run;
    let mut add = |query: &str, measure: String, value: f64| {
        rows.push([name.clone(), query.to_owned(), measure, value.to_string()]);
    };
    for group in results.group_means(run) {
        for ((measure, _), mean) in results.measures.iter().zip(&group.means) {
            if let Some(mean) = mean {
                add(&format!("all:{}", group.name), measure.clone(), *mean);
            }
        }
    }
    let measures = results.measures.iter().zip(&run.scores.by_measure);
    for (((measure, _), scores), interval) in measures.zip(&run.intervals) {
        if let Some(mean) = scores.mean() {
            add("all", measure.clone(), mean);
        }
        if let Some((low, high)) = scores.extreme_means() {
            add("all", format!("{measure}:min"), low);
            add("all", format!("{measure}:max"), high);
        }
        if let Some(interval) = interval {
            add("all", format!("{measure}:lower"), interval.lower);
            add("all", format!("{measure}:upper"), interval.upper);
        }
    }
}
