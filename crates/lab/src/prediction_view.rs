//! Tables of a prediction study.

use partita_judging::simulate::VotesNeeded;
use partita_report::{Column, ColumnSet, Document, phrases};

use crate::prediction::{PredictionPoint, StoppingRuleResult, VotesPerPairReport};

/// Creates the tables of a prediction study: prediction errors by number of votes, and for each
/// stopping rule the shares of votes used and of decisions kept and reversed.
pub fn prediction_document(result: &VotesPerPairReport) -> Document {
    let found = &result.prediction;
    let points = ColumnSet::new()
        .table_field(Column::integer("Votes"), |point: &PredictionPoint| {
            point.votes
        })
        .table_field(Column::number("Own direction", 3), |point| {
            point.own.direction
        })
        .table_field(Column::number("Pooled direction", 3), |point| {
            point.pooled.direction
        })
        .table_field(Column::number("Own mean square", 3), |point| {
            point.own.mean_square
        })
        .table_field(Column::number("Pooled mean square", 3), |point| {
            point.pooled.mean_square
        });
    let stops = ColumnSet::new()
        .table_field(Column::text("Stop"), |row: &StoppingRuleResult| {
            row.stop.clone()
        })
        .table_field(Column::number("Votes", 3), |row| row.found.votes)
        .table_field(Column::number("Kept", 3), |row| row.found.kept)
        .table_field(Column::number("Reversed", 4), |row| row.found.reversed);
    let needed = found.needed.iter();
    Document::new()
        .table(points.to_table(&found.points))
        .notes(needed.map(|(measure, needed)| needed_votes_sentence(measure, needed, result.votes)))
        .note(format!(
            "Errors over {} to {}, means over {} (seed {}).",
            phrases::count_noun(found.held_out, "held-out answer", "held-out answers"),
            phrases::count_noun(found.pairs, "pair", "pairs"),
            phrases::count_noun(result.splits as usize, "order", "orders"),
            result.seed
        ))
        .table(stops.to_table(&result.stops))
        .note(format!(
            "Shares of the votes asked, and of the decisions by {} of all votes on a pair.",
            result.decide
        ))
}

/// Returns a sentence that says how many pooled votes predict as well as a pair's own votes.
fn needed_votes_sentence(measure: &str, needed: &VotesNeeded, votes: u32) -> String {
    let measure = measure.replace('_', " ");
    let Some(share) = &needed.share else {
        return format!("By {measure}, pooled votes are never as good as {votes} of a pair's own.");
    };
    let at_most = if needed.at_most { "at most " } else { "" };
    let interval = match share.interval() {
        Some((lower, upper)) => format!(" ({lower:.2} to {upper:.2})"),
        None => String::new(),
    };
    format!(
        "By {measure}, {at_most}{:.2}{interval} times as many pooled votes are as good as {votes} of a pair's own.",
        share.mean
    )
}
