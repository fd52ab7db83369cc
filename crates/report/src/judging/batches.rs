//! How the batches of a campaign are shown: the paper's Table 2.

use std::io;

use partita_judging::{Agreement, Batch, Batches};

use super::percent;
use crate::table::{integer, number, right, text};
use crate::words::clock;
use crate::{Document, Present, Sheet};

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
    Sheet::new()
        .field("batch", text("Batch"), |row: &Row<'_>| row.name)
        .field("pairs", integer("Pairs"), |row| row.counts[0])
        .field("answers", integer("Answers"), |row| row.counts[1])
        .csv_field("blank", |row| row.counts[2])
        .field("assessors", integer("Assessors"), |row| row.counts[3])
        .csv_field("returning", |row| row.returning)
        .table_field(right("Returning"), |row| row.returning_words.clone())
        .field("median_seconds", number("Median s", 2), |row| {
            row.median_seconds
        })
        .csv_field("seconds_to_completion", |row| row.seconds)
        .table_field(right("Time"), |row| row.seconds.map(clock))
        .field("agreement", number("Agreement", 3), |row| row.agreement)
        .field("krippendorff_alpha", number("Alpha", 3), |row| {
            row.coefficients.alpha_nominal
        })
        .csv_field("krippendorff_alpha_ordinal", |row| {
            row.coefficients.alpha_ordinal
        })
        .field("fleiss_kappa", number("Kappa", 3), |row| {
            row.coefficients.fleiss_kappa
        })
        .field("gwet_ac1", number("AC1", 3), |row| row.coefficients.ac1)
        .csv_field("gwet_ac2_linear", |row| row.coefficients.ac2)
        .field("cost", number("Cost", 2), |row| row.cost)
}

impl Present for BatchesView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.0.batches.iter().map(Row::of);
        sheet().csv(rows.chain([Row::all(self.0)]), place)
    }

    fn document(&self) -> Document {
        let sheet = sheet();
        let mut table = sheet.table(self.0.batches.iter().map(Row::of));
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
