//! `partita campaign batches`: summary of batches of answers.

use clap::Args;
use partita::judging::report_batches;
use partita::report::batches_figure;

use super::answers::AnswersArgs;
use crate::args::preferences::PriceArgs;
use crate::args::rankings::QueryArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;

/// Summarise batches of answers: people, time, agreement and cost
///
/// The table follows Urbano, Morato, Marrero and Martín (2010): for each batch the pairs, the
/// assessors and how many of them had answered before, the median time of an answer, the time from
/// the first to the last answer (if a column gives the end times), the agreement of the assessors,
/// and the cost, if the campaign or an option sets a price. Krippendorff's alpha, Fleiss' kappa and
/// Gwet's AC1 are given as well; they are 0 for agreement by chance.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("decide", |decide| decide.hide(true))
)]
pub(crate) struct BatchesArgs {
    #[command(flatten)]
    answers: AnswersArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// Draw the batches
    #[arg(long, value_name = "FILE")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    show: ResultArgs,
    #[command(flatten)]
    price: PriceArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita campaign batches campaign.jsonl
  partita campaign batches --preferences answers.csv
  partita campaign batches --preferences answers.csv --reward 0.05 --fee 20%
  partita campaign batches --preferences turk.csv --map mturk --format latex";

pub(crate) fn run(args: &BatchesArgs) -> Result<(), CliError> {
    let given = args.price.price()?;
    let source = args.answers.open()?;
    let file = (args.answers).read(&source, &args.queries.query)?;
    let price = given.or(source.price());
    let found = report_batches(&file.preferences, &file.batches, price.as_ref());
    if let Some(place) = &args.figure {
        place.write([("batches".to_owned(), batches_figure(&found))])?;
    }
    args.show.print(&found, &found, file.warnings)
}
