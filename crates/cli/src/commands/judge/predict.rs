//! `partita judge predict`: how many votes a pair is worth.

use clap::Args;
use partita_judging::simulate::{NoPrediction, PredictionRequest, PredictionSettings, votes_worth};
use partita_report::judging::VotesWorthView;

use crate::failure::Failure;
use crate::preferences::PreferencesArgs;
use crate::rankings::{QueryArgs, level};
use crate::show::ShowArgs;
use crate::work::WorkArgs;

/// Say how many votes a pair is worth, by how well recorded answers predict each other
///
/// Some answers to each pair predict its other answers: by themselves, with a uniform prior of the
/// three shares, and by Davidson's model of as many answers to every pair of the list. The direction is
/// wrong where a pair that differs by the other answers is predicted the other way round (one half if
/// predicted to be equal); the mean vote, from -1 to 1, is off by a mean square. The votes that the model
/// needs to be as good as a pair's own are given as a share, with an interval from drawing the lists again.
///
/// Beside it stands what stopping early would have made of the same answers: the share of votes that
/// would have been asked, and of decisions that would have been the same, or the other way round.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("preferences", |preferences| preferences.required(true))
)]
pub(crate) struct PredictArgs {
    #[command(flatten, next_help_heading = "Answers")]
    preferences: PreferencesArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// The significance level of the rule
    #[arg(
        long,
        value_name = "LEVEL",
        default_value_t = 0.25,
        help_heading = "Answers"
    )]
    alpha: f64,
    /// The most votes on a pair to predict by; its other answers are held out
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = PREDICTION)]
    votes: u32,
    /// How confident of the outcome one has to be to stop early
    #[arg(
        long,
        alias = "confidence",
        value_name = "P,...",
        value_delimiter = ',',
        default_value = "0.95,0.9,0.8",
        help_heading = PREDICTION
    )]
    stop_at: Vec<f64>,
    /// How often it is drawn which answers come first
    #[arg(long, alias = "splits", value_name = "N", default_value_t = 20, help_heading = PREDICTION)]
    trials: u32,
    /// The number of times the lists are drawn again for intervals
    #[arg(long, value_name = "N", default_value_t = 300, help_heading = PREDICTION)]
    resamples: u32,
    /// The seed of all that is drawn
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = PREDICTION)]
    seed: u64,
    #[command(flatten, next_help_heading = PREDICTION)]
    work: WorkArgs,
    #[command(flatten)]
    show: ShowArgs,
}

const PREDICTION: &str = "Prediction";

const AFTER_HELP: &str = "\
Examples:
  partita judge predict --preferences answers.csv
  partita judge predict --preferences answers.csv --votes 3 --stop-at 0.9,0.7
  partita judge predict --preferences answers.csv --decide sign --alpha 0.05";

impl PredictArgs {
    fn request(&self) -> Result<PredictionRequest, Failure> {
        Ok(PredictionRequest {
            settings: PredictionSettings {
                votes: self.votes,
                splits: self.trials,
                resamples: self.resamples,
                seed: self.seed,
            },
            rule: self.preferences.rule(level("--alpha", self.alpha)?),
            confidence: self.stop_at.clone(),
        })
    }
}

pub(crate) fn run(args: &PredictArgs) -> Result<(), Failure> {
    let request = args.request()?;
    let file = args.preferences.file()?;
    let read = args.preferences.read(file, &args.queries.query)?;
    let worth = votes_worth(&read.preferences, &request, &args.work.workers())
        .map_err(|error| refusal(file, error))?;
    args.show
        .show(&worth, &VotesWorthView(&worth), read.warnings)
}

fn refusal(file: &str, error: NoPrediction) -> Failure {
    let failure = Failure::input(format!("{file}: {error}"));
    match error {
        NoPrediction::OutOfRange(error) => error.into(),
        NoPrediction::NothingHeldOut { most: 0 | 1, .. } => {
            failure.hint("answers of several people to the same pair are needed")
        }
        NoPrediction::NothingHeldOut { most, .. } => {
            failure.hint(format!("predict by fewer with `--votes {}`", most / 2))
        }
        NoPrediction::Stopped(_) => failure,
    }
}
