//! How the batches of a campaign are shown: the paper's Table 2.

use std::io;

use partita_judging::{Agreement, Batch, Batches};

use super::percent;
use crate::words::clock;
use crate::{Align, Column, Document, Present, Sheet};

/// The batches of a campaign, and all of them in a last row.
#[derive(Clone, Copy, Debug)]
pub struct BatchesView<'a>(pub &'a Batches);

/// A row: one batch, or all of them.
struct Row<'a> {
    name: &'a str,
    counts: [usize; 4],
    /// How many return, and how that is said.
    returning: Option<usize>,
    returning_words: Option<String>,
    median_seconds: Option<f64>,
    seconds: Option<f64>,
    agreement: Option<f64>,
    coefficients: &'a Agreement,
    cost: f64,
}

impl<'a> Row<'a> {
    fn of(batch: &'a Batch) -> Self {
        let found = &batch.priced;
        let share = found.returning as f64 / found.assessors.max(1) as f64;
        let words = format!("{} ({})", found.returning, percent(share));
        Self {
            name: &found.name,
            counts: [found.pairs, found.answers, found.blank, found.assessors],
            returning: Some(found.returning),
            // Nobody can return to the first.
            returning_words: (found.batch > 1).then_some(words),
            median_seconds: found.median_seconds,
            seconds: found.seconds_to_completion,
            agreement: found.agreement,
            coefficients: &batch.coefficients,
            cost: found.cost,
        }
    }

    fn all(result: &'a Batches) -> Self {
        let found = &result.all;
        let blank = result.batches.iter().map(|batch| batch.priced.blank).sum();
        Self {
            name: "all",
            counts: [found.pairs, found.answers, blank, found.assessors],
            // How many return is a share here, and belongs to JSON.
            returning: None,
            returning_words: found.returning.map(percent),
            median_seconds: found.mean_of_median_seconds,
            seconds: result.all.seconds_to_completion,
            agreement: found.agreement_of_batches,
            coefficients: &found.agreement,
            cost: result.all.cost,
        }
    }
}

fn sheet<'a>() -> Sheet<'static, Row<'a>> {
    let right = |header: &str| Column::text(header).align(Align::Right);
    Sheet::new()
        .field("batch", Column::text("Batch"), |row: &Row<'_>| {
            row.name.into()
        })
        .field("pairs", Column::integer("Pairs"), |row| {
            row.counts[0].into()
        })
        .field("answers", Column::integer("Answers"), |row| {
            row.counts[1].into()
        })
        .csv_field("blank", |row| row.counts[2].into())
        .field("assessors", Column::integer("Assessors"), |row| {
            row.counts[3].into()
        })
        .csv_field("returning", |row| row.returning.into())
        .table_field(right("Returning"), |row| row.returning_words.clone().into())
        .field("median_seconds", Column::number("Median s", 2), |row| {
            row.median_seconds.into()
        })
        .csv_field("seconds_to_completion", |row| row.seconds.into())
        .table_field(right("Time"), |row| row.seconds.map(clock).into())
        .field("agreement", Column::number("Agreement", 3), |row| {
            row.agreement.into()
        })
        .field("krippendorff_alpha", Column::number("Alpha", 3), |row| {
            row.coefficients.alpha_nominal.into()
        })
        .csv_field("krippendorff_alpha_ordinal", |row| {
            row.coefficients.alpha_ordinal.into()
        })
        .field("fleiss_kappa", Column::number("Kappa", 3), |row| {
            row.coefficients.fleiss_kappa.into()
        })
        .field("gwet_ac1", Column::number("AC1", 3), |row| {
            row.coefficients.ac1.into()
        })
        .csv_field("gwet_ac2_linear", |row| row.coefficients.ac2.into())
        .field("cost", Column::number("Cost", 2), |row| row.cost.into())
}

impl Present for BatchesView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let mut rows: Vec<Row<'_>> = self.0.batches.iter().map(Row::of).collect();
        rows.push(Row::all(self.0));
        sheet().csv(&rows, place)
    }

    fn document(&self) -> Document {
        let rows: Vec<Row<'_>> = self.0.batches.iter().map(Row::of).collect();
        let sheet = sheet();
        let mut table = sheet.table(&rows);
        table.push_rule();
        sheet.add(&Row::all(self.0), &mut table);
        let all = &self.0.all;
        let seconds = match all.median_seconds {
            Some(seconds) => format!(", over all answers the median time {seconds} s"),
            None => String::new(),
        };
        let score = all.agreement_of_pairs;
        let score =
            score.map(|score| format!("Over all pairs the mean agreement is {score:.3}{seconds}."));
        Document::new()
            .table(table)
            .note(
                "The last row has sums, different people, and means over batches; alpha, kappa and \
                 AC1 are those of all pairs.",
            )
            .notes(score)
    }
}
