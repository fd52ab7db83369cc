//! Output of an evaluation in the format of trec_eval.

use std::io::{self, Write};

use partita_core::evaluation::{
    Evaluation, MissingQueryPolicy, RECALL_LEVELS, RunEvaluation, TrecEvalCounts, geometric_mean,
    mean,
};
use partita_core::measure::trec_eval_name;

use super::format_score;

/// Writes the mean scores of every run; if `per_query` is set, first the scores of each of its
/// queries.
pub(super) fn write(result: &Evaluation, per_query: bool, place: &mut dyn Write) -> io::Result<()> {
    let mut place = io::BufWriter::new(place);
    let mut line = |measure: &str, query: &str, value: &str| {
        writeln!(place, "{measure:<22}\t{query}\t{value}")
    };
    for run in &result.runs {
        let all = run.per_query.queries().iter().enumerate();
        for (number, query) in all.take_while(|_| per_query) {
            let counts = run.counts.as_ref().and_then(|all| all[number].as_ref());
            let counts: Vec<&TrecEvalCounts> = counts.into_iter().collect();
            for (name, value) in lines(result, run, &counts, Some(number)) {
                line(&name, query, &value)?;
            }
        }
        let left_out = match result.settings.missing {
            MissingQueryPolicy::Skip => run.missing.len(),
            MissingQueryPolicy::Empty => 0,
        };
        line("runid", "all", &run.run)?;
        line("num_q", "all", &(run.queries - left_out).to_string())?;
        let counts: Vec<&TrecEvalCounts> = run.counts.iter().flatten().flatten().collect();
        for (name, value) in lines(result, run, &counts, None) {
            line(&name, "all", &value)?;
        }
    }
    place.flush()
}

/// Returns the output lines of one query as (measure name, value). If `query` is `None`, the lines
/// are for all queries: sums of counts and means of measures. If documents were counted, the counts
/// come first, and further measures of trec_eval follow AP and RR.
fn lines(
    result: &Evaluation,
    run: &RunEvaluation,
    counts: &[&TrecEvalCounts],
    query: Option<usize>,
) -> Vec<(String, String)> {
    let sum =
        |of: fn(&TrecEvalCounts) -> usize| counts.iter().map(|&counts| of(counts)).sum::<usize>();
    let mut printed: Vec<(String, String)> = Vec::new();
    if !counts.is_empty() {
        let named = |(name, count): (&str, usize)| (name.to_owned(), count.to_string());
        let sums = [
            ("num_ret", sum(|counts| counts.returned)),
            ("num_rel", sum(|counts| counts.relevant)),
            ("num_rel_ret", sum(|counts| counts.relevant_returned)),
        ];
        printed.extend(sums.map(named));
    }
    for (number, measure) in result.measures.iter().enumerate() {
        let column = run.per_query.column(number);
        let score = match query {
            Some(query) => column[query],
            None => run.mean.get(measure).copied().flatten(),
        };
        let name = trec_eval_name(measure).unwrap_or_else(|| measure.clone());
        printed.extend(score.map(|score| (name, format_score(score))));
        match measure.as_str() {
            "AP" if !counts.is_empty() && query.is_none() => {
                let mean = geometric_mean(column.iter().copied());
                printed.extend(mean.map(|mean| ("gm_map".to_owned(), format_score(mean))));
            }
            "RR" if !counts.is_empty() => {
                let levels = RECALL_LEVELS.iter().enumerate();
                printed.extend(levels.map(|(number, level)| {
                    let levels = counts.iter().map(|counts| counts.interpolated_precision);
                    let mean = mean(levels.map(|levels| Some(levels[number])));
                    let mean = mean.expect("a mean is defined if documents were counted");
                    (format!("iprec_at_recall_{level:.2}"), format_score(mean))
                }));
            }
            _ => {}
        }
    }
    printed
}
