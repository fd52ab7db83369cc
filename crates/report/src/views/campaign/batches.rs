//! View of the batches of answers of a campaign, in the form of Table 2 of Urbano, Morato, Marrero
//! and Martín (2010).

use std::io;

use partita_judging::{AgreementCoefficients, BatchReport, BatchTotals, BatchesReport};

use super::{cost_heading, percent};
use crate::phrases::format_duration;
use crate::table::{integer, number, right, text};
use crate::{ColumnSet, Document, View};

/// Row of the table of batches: one batch, the mean over batches, or all answers.
#[derive(Default)]
struct BatchRow<'a> {
    name: &'a str,
    counts: [Option<usize>; 4],
    /// Number of assessors who also answered in earlier batches; `returning_words` adds their share
    /// of all assessors of the batch.
    returning: Option<usize>,
    returning_words: Option<String>,
    median_seconds: Option<f64>,
    seconds: Option<f64>,
    agreement: Option<f64>,
    coefficients: Option<&'a AgreementCoefficients>,
    cost: Option<f64>,
}

impl<'a> BatchRow<'a> {
    fn from_batch(batch: &'a BatchReport) -> Self {
        let found = &batch.priced;
        let share = found.returning as f64 / found.assessors.max(1) as f64;
        let words = format!("{} ({})", found.returning, percent(share));
        Self {
            name: &found.name,
            counts: [found.pairs, found.answers, found.blank, found.assessors].map(Some),
            returning: Some(found.returning),
            // The first batch has no returning assessors.
            returning_words: (found.batch > 1).then_some(words),
            median_seconds: found.median_seconds,
            seconds: found.seconds_to_completion,
            agreement: found.agreement,
            coefficients: Some(&batch.coefficients),
            cost: found.cost,
        }
    }

    /// Creates the row of means over the batches, as in the last line of the paper's table.
    fn mean(found: &'a BatchTotals) -> Self {
        Self {
            name: "mean",
            returning_words: found.returning.map(percent),
            median_seconds: found.mean_of_median_seconds,
            agreement: found.agreement_of_batches,
            ..Self::default()
        }
    }

    /// Creates the row of all answers of the campaign together.
    fn all(result: &'a BatchesReport) -> Self {
        let found = &result.all;
        let blank = result.batches.iter().map(|batch| batch.priced.blank).sum();
        let counts = [found.pairs, found.answers, blank, found.assessors];
        Self {
            name: "all",
            counts: counts.map(Some),
            median_seconds: found.median_seconds,
            seconds: found.seconds_to_completion,
            agreement: found.agreement_of_pairs,
            coefficients: Some(&found.agreement),
            cost: found.cost,
            ..Self::default()
        }
    }
}

/// Returns the columns of the table of batches, with their costs if they have a price.
fn columns<'a>(report: &BatchesReport) -> ColumnSet<'static, BatchRow<'a>> {
    /// Accessor of one agreement coefficient.
    type CoefficientAccessor = fn(&AgreementCoefficients) -> Option<f64>;
    let of = |part: CoefficientAccessor| move |row: &BatchRow<'_>| row.coefficients.and_then(part);
    ColumnSet::<BatchRow<'_>>::new()
        .field("batch", text("Batch"), |row| row.name)
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
        .table_field(right("Time"), |row| row.seconds.map(format_duration))
        .field("agreement", number("Agreement", 3), |row| row.agreement)
        .field(
            "krippendorff_alpha",
            number("Alpha", 3),
            of(|a| a.alpha_nominal),
        )
        .csv_field("krippendorff_alpha_ordinal", of(|a| a.alpha_ordinal))
        .field("fleiss_kappa", number("Kappa", 3), of(|a| a.fleiss_kappa))
        .field("gwet_ac1", number("AC1", 3), of(|a| a.ac1))
        .csv_field("gwet_ac2_linear", of(|a| a.ac2))
        .add_if(report.all.cost.is_some(), |columns| {
            let heading = cost_heading(report.currency);
            columns.field("cost", number(heading, 2), |row| row.cost)
        })
}

/// Shows the batches of a campaign, with a row of means over batches and a row for all answers.
impl View for BatchesReport {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.batches.iter().map(BatchRow::from_batch);
        let last = [BatchRow::mean(&self.all), BatchRow::all(self)];
        columns(self).write_csv(rows.chain(last), writer)
    }

    fn document(&self) -> Document {
        let columns = columns(self);
        let mut table = columns.to_table(self.batches.iter().map(BatchRow::from_batch));
        table.push_rule();
        columns.push_row(&BatchRow::mean(&self.all), &mut table);
        columns.push_row(&BatchRow::all(self), &mut table);
        Document::new().table(table).note(
            "mean: means over the batches, however many pairs each has. all: sums, different people, \
             and agreement over all pairs. Alpha (Krippendorff), kappa (Fleiss) and AC1 (Gwet) are 0 \
             for chance.",
        )
    }
}
