//! `partita judge batches`: what became of each batch of questions.

use clap::Args;
use partita_formats::preferences::PreferencesFile;
use partita_judging::{
    Agreement, CampaignSummary, PricedBatch, batch_agreements, priced_batches, summarise_campaign,
};
use partita_report::words::clock;
use partita_report::{Align, Cell, Column, Table, TableFormat};
use serde_json::{Value, json};

use super::format::{csv, number};
use crate::batches::exact;
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::notes::render;
use crate::output::{Destination, warn};
use crate::preferences::{PreferencesArgs, PriceArgs};

/// Sum up the batches of a campaign: people, time, agreement and cost
///
/// The table is that of Urbano, Morato, Marrero and Martín (2010): for each batch the pairs, the
/// assessors and how many of them had answered before, the median time of an answer, the time from the
/// first answer to the last (by a column for when answers ended), how far the assessors agree, and the cost.
/// Beside the paper's agreement stand Krippendorff's alpha, Fleiss' kappa and Gwet's AC1, which are 0
/// where agreement is what chance would give.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("preferences", |preferences| preferences.required(true)),
    mut_arg("decide", |decide| decide.hide(true))
)]
pub(crate) struct BatchesArgs {
    #[command(flatten)]
    preferences: PreferencesArgs,
    #[command(flatten)]
    price: PriceArgs,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge batches --preferences answers.csv
  partita judge batches --preferences answers.csv --reward 0.05 --fee 20% --minimum-fee 0.01
  partita judge batches --preferences turk.csv --format latex --map query=Input.query,a=Input.docA,\
b=Input.docB,assessor=WorkerId,answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
seconds=WorkTimeInSeconds";

/// A campaign, summed up.
struct Campaign {
    batches: Vec<PricedBatch>,
    agreements: Vec<Agreement>,
    all: CampaignSummary,
}

pub(crate) fn run(args: &BatchesArgs) -> Result<(), Failure> {
    let price = args.price.price()?;
    let file: PreferencesFile = args.preferences.read(args.preferences.file()?)?;
    warn(&file.warnings);
    let campaign = Campaign {
        batches: priced_batches(&file.preferences, &file.batches, &price),
        agreements: batch_agreements(&file.preferences),
        all: summarise_campaign(&file.preferences),
    };
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(tables) => campaign.table(tables)?,
        Form::Json => campaign.json(),
        _ => campaign.csv()?,
    };
    args.destination.write(&text)
}

impl Campaign {
    fn cost(&self) -> f64 {
        exact(self.batches.iter().map(|batch| batch.cost).sum())
    }

    /// The sum of the times to completion, if every batch has one.
    fn seconds_to_completion(&self) -> Option<f64> {
        let times = self.batches.iter().map(|batch| batch.seconds_to_completion);
        times.sum()
    }

    fn rows(&self) -> impl Iterator<Item = (&PricedBatch, &Agreement)> {
        self.batches.iter().zip(&self.agreements)
    }

    fn table(&self, format: TableFormat) -> Result<String, Failure> {
        let mut table = Table::new([
            Column::text("Batch"),
            Column::integer("Pairs"),
            Column::integer("Answers"),
            Column::integer("Assessors"),
            Column::text("Returning").align(Align::Right),
            Column::number("Median s", 2),
            Column::text("Time").align(Align::Right),
            Column::number("Agreement", 3),
            Column::number("Alpha", 3),
            Column::number("Kappa", 3),
            Column::number("AC1", 3),
            Column::number("Cost", 2),
        ]);
        let time = |seconds: Option<f64>| match seconds {
            Some(seconds) => Cell::text(clock(seconds)),
            None => Cell::missing(),
        };
        for (number, (batch, agreement)) in self.rows().enumerate() {
            let summary = batch;
            let returning = match number {
                0 => Cell::missing(),
                _ => {
                    let share = summary.returning as f64 / summary.assessors.max(1) as f64;
                    Cell::text(format!("{} ({:.0}%)", summary.returning, 100.0 * share))
                }
            };
            let row = [
                Cell::text(batch.name.clone()),
                Cell::integer(summary.pairs as i64),
                Cell::integer(summary.answers as i64),
                Cell::integer(summary.assessors as i64),
                returning,
                summary.median_seconds.into(),
                time(batch.seconds_to_completion),
                summary.agreement.into(),
                agreement.alpha_nominal.into(),
                agreement.fleiss_kappa.into(),
                agreement.ac1.into(),
                Cell::number(batch.cost),
            ];
            table.push(row);
        }
        table.push_rule();
        let all = &self.all;
        let returning = all.returning.map(|share| format!("{:.0}%", 100.0 * share));
        let row = [
            Cell::text("all"),
            Cell::integer(all.pairs as i64),
            Cell::integer(all.answers as i64),
            Cell::integer(all.assessors as i64),
            returning.map_or_else(Cell::missing, Cell::text),
            all.mean_of_median_seconds.into(),
            time(self.seconds_to_completion()),
            all.agreement_of_batches.into(),
            all.agreement.alpha_nominal.into(),
            all.agreement.fleiss_kappa.into(),
            all.agreement.ac1.into(),
            Cell::number(self.cost()),
        ];
        table.push(row);
        Ok(render(table, &self.notes(), format))
    }

    fn notes(&self) -> Vec<String> {
        let all = &self.all;
        let mut notes = vec![
            "The last row has sums, different people, and means over batches; alpha, kappa and AC1 \
             are those of all pairs."
                .to_owned(),
        ];
        if let (Some(score), Some(seconds)) = (all.agreement.score, all.median_seconds) {
            notes.push(format!(
                "Over all pairs the mean agreement is {score:.3}, over all answers the median time \
                 {seconds} s."
            ));
        } else if let Some(score) = all.agreement.score {
            notes.push(format!("Over all pairs the mean agreement is {score:.3}."));
        }
        notes
    }

    fn json(&self) -> String {
        let batches = self.rows().map(|(batch, agreement)| {
            let mut value = json!(batch);
            value["coefficients"] = json!(agreement);
            value
        });
        let all = &self.all;
        let value = json!({
            "batches": batches.collect::<Vec<Value>>(),
            "all": {
                "pairs": all.pairs,
                "answers": all.answers,
                "assessors": all.assessors,
                "mean_returning": all.returning,
                "mean_of_median_seconds": all.mean_of_median_seconds,
                "median_seconds": all.median_seconds,
                "seconds_to_completion": self.seconds_to_completion(),
                "agreement_of_batches": all.agreement_of_batches,
                "agreement_of_pairs": all.agreement.score,
                "coefficients": json!(all.agreement),
                "cost": self.cost(),
            },
        });
        format!("{value:#}\n")
    }

    fn csv(&self) -> Result<String, Failure> {
        let header = [
            "batch",
            "pairs",
            "answers",
            "blank",
            "assessors",
            "returning",
            "median_seconds",
            "seconds_to_completion",
            "agreement",
            "krippendorff_alpha",
            "krippendorff_alpha_ordinal",
            "fleiss_kappa",
            "gwet_ac1",
            "gwet_ac2_linear",
            "cost",
        ];
        let mut rows = Vec::new();
        let coefficients = |agreement: &Agreement| {
            [
                agreement.alpha_nominal,
                agreement.alpha_ordinal,
                agreement.fleiss_kappa,
                agreement.ac1,
                agreement.ac2,
            ]
            .map(number)
        };
        for (batch, agreement) in self.rows() {
            let summary = batch;
            let [alpha, ordinal, kappa, ac1, ac2] = coefficients(agreement);
            rows.push([
                batch.name.clone(),
                summary.pairs.to_string(),
                summary.answers.to_string(),
                batch.blank.to_string(),
                summary.assessors.to_string(),
                summary.returning.to_string(),
                number(summary.median_seconds),
                number(batch.seconds_to_completion),
                number(summary.agreement),
                alpha,
                ordinal,
                kappa,
                ac1,
                ac2,
                exact(batch.cost).to_string(),
            ]);
        }
        let all = &self.all;
        let blanks: usize = self.batches.iter().map(|batch| batch.blank).sum();
        let [alpha, ordinal, kappa, ac1, ac2] = coefficients(&all.agreement);
        rows.push([
            "all".to_owned(),
            all.pairs.to_string(),
            all.answers.to_string(),
            blanks.to_string(),
            all.assessors.to_string(),
            // How many return is a share here, and belongs to JSON.
            String::new(),
            number(all.mean_of_median_seconds),
            number(self.seconds_to_completion()),
            number(all.agreement_of_batches),
            alpha,
            ordinal,
            kappa,
            ac1,
            ac2,
            self.cost().to_string(),
        ]);
        csv(header, rows)
    }
}
