//! `partita judge screen`: a card for every assessor with what speaks for and against them.

use clap::Args;
use partita_formats::preferences::{ColumnMap, PreferencesFile};
use partita_formats::{Source, Warning, durations, problem};
use partita_judging::campaign::{Campaign, People};
use partita_judging::{Screening, ScreeningEvidence, ScreeningSettings};
use partita_report::judging::ScreeningView;
use partita_report::screening_figure;

use super::log_file;
use crate::failure::Failure;
use crate::figure::FigurePlace;
use crate::preferences::PreferencesArgs;
use crate::rankings::QueryArgs;
use crate::reading::only_one_standard_input;
use crate::show::ShowArgs;

/// Look for assessors who do not listen
///
/// Every assessor gets a card: how frequent their most frequent answer is, which side they prefer, how
/// long their answers take and how much that varies, how many came before the clips can have ended, how
/// many gold pairs they got wrong, how far they agree with the others, how far their answers have to do
/// with what is asked (their sharpness), whose answers theirs are most like, and whether they say the same
/// of a pair that is shown again. What is large enough to matter and unlikely enough to be chance is a
/// signal, with the reason. People differ in earnest; so the tests take as much difference for usual as
/// there is in the crowd. Who has a signal is left out, and everybody is judged again beside the rest,
/// until nothing changes.
///
/// The query itself among its own candidates is gold for free: nothing is closer to it. The gold of a
/// campaign counts with what people said to it. More comes with --gold, a file of answers known to be right. How long clips last comes from a column of
/// the answers (--map clips=COLUMN), or with --durations by the names of items and queries.
///
/// This is advice: `partita judge exclude` leaves somebody out. A signal may have an honest reason: in
/// simulated campaigns like that of Urbano et al. (2010) 0.5% to 2.0% of honest people had one where all were
/// honest, and at most 2.2% where some were not. Who is found depends on how far the crowd agrees. Of people with 40 answers or
/// more who answer at random, 50% had a signal where two people agree by 0.66 as there, and 89% where they agree
/// by 0.74; with 5 to 14 answers 5% and 37%. Of those who always say the same, nearly all were found from 15
/// answers on; of careless people who listen half of the time, hardly any.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("preferences", |preferences| preferences
        .required_unless_present("log")
        .conflicts_with("log")),
    mut_arg("decide", |decide| decide.hide(true))
)]
pub(crate) struct ScreenArgs {
    /// The log of a campaign, whose answers are screened
    log: Option<String>,
    #[command(flatten)]
    preferences: PreferencesArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// How long clips last: a file `item,seconds`, in which a query goes by its own name
    #[arg(long, value_name = "FILE")]
    durations: Option<String>,
    /// Answers known to be right: a file `query,a,b,answer`
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// The level of the tests
    #[arg(
        long,
        alias = "level",
        value_name = "LEVEL",
        default_value_t = 0.001,
        help_heading = "What is a signal"
    )]
    alpha: f64,
    /// Fewer answers than this raise no signal
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        help_heading = "What is a signal"
    )]
    least_answers: usize,
    /// The share of one answer from which on it is a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        help_heading = "What is a signal"
    )]
    same_answer: f64,
    /// The coefficient of variation of the times up to which it is a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.1,
        help_heading = "What is a signal"
    )]
    time_variation: f64,
    /// The share of answers before the clips can have ended from which on it is a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.5,
        help_heading = "What is a signal"
    )]
    too_fast: f64,
    /// The share of gold pairs answered wrongly from which on it is a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.25,
        help_heading = "What is a signal"
    )]
    gold_missed: f64,
    /// How much more often than by others one side must be preferred to be a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.2,
        help_heading = "What is a signal"
    )]
    side_excess: f64,
    /// How much lower than usual the agreement with others must be to be a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.06,
        help_heading = "What is a signal"
    )]
    agreement_deficit: f64,
    /// How much less likely answers must be of one of the crowd than of somebody who does not listen; at most
    /// this share of people like the others is taken for unreliable
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.11,
        help_heading = "What is a signal"
    )]
    unreliable: f64,
    /// The share of answers like those of one other person from which on it is a signal
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.75,
        help_heading = "What is a signal"
    )]
    alike: f64,
    /// Draw the cards
    #[arg(long, value_name = "FILE")]
    figure: Option<FigurePlace>,
    #[command(flatten)]
    show: ShowArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge screen campaign.jsonl
  partita judge screen --preferences answers.csv
  partita judge screen -p answers.csv --durations clips.csv --gold gold.csv
  partita judge screen --preferences turk.csv --map mturk";

impl ScreenArgs {
    fn settings(&self) -> ScreeningSettings {
        ScreeningSettings {
            level: self.alpha,
            least_answers: self.least_answers,
            same_answer: self.same_answer,
            time_variation: self.time_variation,
            too_fast: self.too_fast,
            gold_missed: self.gold_missed,
            side_excess: self.side_excess,
            agreement_deficit: self.agreement_deficit,
            unreliable: self.unreliable,
            alike: self.alike,
        }
    }
}

pub(crate) fn run(args: &ScreenArgs) -> Result<(), Failure> {
    let ours = args.preferences.preferences.as_deref();
    only_one_standard_input([ours, args.durations.as_deref(), args.gold.as_deref()])?;
    let queries = &args.queries.query;
    let campaign = args.log.as_deref().map(log_file::read).transpose()?;
    let mut file = match (&args.log, &campaign) {
        (Some(log), Some(campaign)) => of_campaign(log, campaign, queries)?,
        _ => args.preferences.read(args.preferences.file()?, queries)?,
    };
    let preferences = &file.preferences;
    let warnings = &mut file.warnings;
    let remark = |count: usize, file: &str, what: &str| {
        (count > 0).then(|| {
            Warning::file(
                file,
                problem!(UnmatchedItems { what, count }: "{what}: {count}"),
            )
        })
    };
    let mut evidence = ScreeningEvidence {
        clips: file.clips,
        ..ScreeningEvidence::default()
    };
    evidence.add_repeats(&file.repeats);
    if let Some(campaign) = &campaign {
        evidence.add_checks(campaign, queries);
    }
    if let Some(name) = &args.durations {
        let read = durations::read(&Source::open(name)?)?;
        warnings.extend(read.warnings);
        let [known, unknown] = evidence.add_durations(preferences, &read.seconds);
        if known == 0 {
            let message = format!("{name}: it names no item that was compared");
            return Err(Failure::input(message).hint("items must be called as in the answers"));
        }
        warnings.extend(remark(unknown, name, "answers to items that are not in it"));
    }
    if let Some(name) = &args.gold {
        let read = args.preferences.read_by(name, ColumnMap::default(), &[])?;
        warnings.extend(read.warnings);
        let unknown = evidence.add_gold(preferences, &read.preferences);
        let what = "gold pairs of queries or items that nobody answered";
        warnings.extend(remark(unknown, name, what));
    }
    let screening = Screening::new(preferences, &evidence, args.settings())?;
    if let Some(place) = &args.figure {
        place.write([("screening".to_owned(), screening_figure(&screening))])?;
    }
    let view = ScreeningView(&screening);
    args.show.show(&screening, &view, file.warnings)
}

/// All answers of a campaign, each person's first to a question, whatever became of them.
fn of_campaign(
    log: &str,
    campaign: &Campaign,
    queries: &[String],
) -> Result<PreferencesFile, Failure> {
    let answers = campaign.preferences(People::All, queries)?;
    let file = partita::answers_of_log(log, answers);
    let mut file = file.map_err(|error| Failure::input(error.to_string()))?;
    file.warnings.clear();
    file.repeats = partita::repeats_in_log(campaign, queries);
    Ok(file)
}
