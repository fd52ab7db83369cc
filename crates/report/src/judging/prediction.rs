//! How it is shown how many votes a pair is worth.

use std::io;

use partita_judging::simulate::{Needed, PredictionPoint, StoppedBy, VotesWorth};

use super::{ends, percent};
use crate::sheet::write_rows;
use crate::table::{integer, number, text};
use crate::words::plural;
use crate::{Cell, Document, Present, Sheet};

/// How well answers predict each other, and what stopping early would have made of them.
#[derive(Clone, Copy, Debug)]
pub struct VotesWorthView<'a>(pub &'a VotesWorth);

impl Present for VotesWorthView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let keys = ["way", "votes", "measure", "value", "lower", "upper"];
        write_rows(keys, self.numbers(), place)
    }

    fn document(&self) -> Document {
        let result = self.0;
        let found = &result.prediction;
        let points = Sheet::new()
            .table_field(integer("Votes"), |point: &PredictionPoint| point.votes)
            .table_field(number("Own direction", 3), |point| point.own.direction)
            .table_field(number("Pooled direction", 3), |point| {
                point.pooled.direction
            })
            .table_field(number("Own mean square", 3), |point| point.own.mean_square)
            .table_field(number("Pooled mean square", 3), |point| {
                point.pooled.mean_square
            });
        let stops = Sheet::new()
            .table_field(text("Stop"), |row: &StoppedBy| row.stop.clone())
            .table_field(number("Votes", 3), |row| row.found.votes)
            .table_field(number("Kept", 3), |row| row.found.kept)
            .table_field(number("Reversed", 4), |row| row.found.reversed);
        let needed = found.needed.iter();
        Document::new()
            .table(points.table(&found.points))
            .notes(needed.map(|(measure, needed)| self.sentence(measure, needed)))
            .note(format!(
                "Errors over {} to {}, in the mean over {} (seed {}).",
                plural(found.held_out, "held-out answer"),
                plural(found.pairs, "pair"),
                plural(result.splits as usize, "order"),
                result.seed
            ))
            .table(stops.table(&result.stops))
            .note(format!(
                "Shares of the votes asked and of the decisions by {} of all votes on a pair.",
                result.decide
            ))
    }
}

impl VotesWorthView<'_> {
    /// How many votes the model needs.
    fn sentence(&self, measure: &str, needed: &Needed) -> String {
        let measure = measure.replace('_', " ");
        let votes = self.0.votes;
        let Some(share) = &needed.share else {
            return format!(
                "By {measure}, pooled votes are never as good as {votes} of a pair's own."
            );
        };
        let interval = if share.lower.is_nan() {
            String::new()
        } else {
            format!(" ({})", ends(share, needed.never))
        };
        format!(
            "By {measure}, pooled votes are as good as {votes} of a pair's own for {}{}{interval} of them.",
            if needed.at_most { "at most " } else { "" },
            percent(share.mean)
        )
    }

    fn numbers(&self) -> Vec<[Cell; 6]> {
        let mut numbers = Vec::new();
        let mut add = |way: &str, votes: Option<u32>, measure: &str, value: f64, ends| {
            let [lower, upper]: [Option<f64>; 2] = ends;
            numbers.push([
                way.into(),
                votes.into(),
                measure.into(),
                value.into(),
                lower.into(),
                upper.into(),
            ]);
        };
        let found = &self.0.prediction;
        for point in &found.points {
            for (way, error) in [("own", point.own), ("pooled", point.pooled)] {
                let votes = Some(point.votes);
                add(way, votes, "direction", error.direction, [None; 2]);
                add(way, votes, "mean_square", error.mean_square, [None; 2]);
            }
        }
        for (measure, needed) in found.needed.iter() {
            if let Some(share) = &needed.share {
                let ends = [share.lower, share.upper].map(|end| (!end.is_nan()).then_some(end));
                add("needed", None, measure, share.mean, ends);
            }
        }
        for StoppedBy { stop, found } in &self.0.stops {
            add(stop, None, "asked", found.votes, [None; 2]);
            add(stop, None, "kept", found.kept, [None; 2]);
            add(stop, None, "reversed", found.reversed, [None; 2]);
        }
        numbers
    }
}
