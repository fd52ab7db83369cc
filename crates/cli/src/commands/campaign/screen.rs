//! `partita campaign screen`: screening card of every assessor.

use clap::Args;
use partita::formats::campaign::durations;
use partita::formats::preferences::{ColumnMap, PreferencesFile};
use partita::formats::{Source, Warning, diagnostic};
use partita::judging::campaign::{AssessorFilter, Campaign};
use partita::judging::{Screening, ScreeningEvidence, ScreeningOptions};
use partita::report::screening_figure;

use super::answers::{AnswerSource, AnswersArgs, preferences_of};
use crate::args::input::check_single_stdin;
use crate::args::rankings::QueryArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;

/// Screen assessors for inattention
///
/// Every assessor gets a card: the share of their most frequent answer, the side they prefer, the
/// time of their answers and its variation, the answers given before the clips can have ended, the
/// gold pairs they got wrong, their agreement with the others, how far their answers depend on the
/// question (sharpness), the assessor with the most similar answers, and their consistency on
/// repeated pairs. A value that is large enough to matter and unlikely to be chance is a signal,
/// with its reason. The tests allow for as much honest disagreement as the crowd shows. Assessors
/// with a signal are left out and all are tested again against the rest, until nothing changes.
///
/// A query among its own candidates is a gold pair: nothing is closer to it. Gold pairs of the
/// campaign are used as well, and --gold adds a file of answers known to be right. The length of
/// clips comes from a column of the answers (--map clips=COLUMN) or from --durations. People whom the
/// campaign has excluded get no card, and nobody is compared with them.
///
/// This is advice: `partita campaign exclude` excludes somebody. A signal can have an honest reason.
/// In simulated campaigns like that of Urbano et al. (2010), 0.5% to 2.0% of honest people had one
/// if all were honest, and at most 2.2% if some were not. Detection depends on the agreement of the
/// crowd. Of people with 40 or more answers who answer at random, 50% had a signal if two people
/// agree by 0.66, and 89% if they agree by 0.74; with 5 to 14 answers 5% and 37%. People who always
/// give the same answer were nearly all found from 15 answers on; careless people who listen half
/// of the time were hardly ever found.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("decide", |decide| decide.hide(true))
)]
pub(crate) struct ScreenArgs {
    #[command(flatten)]
    answers: AnswersArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// Lengths of the clips: a file `item,seconds`, which may also name queries
    #[arg(long, value_name = "FILE")]
    durations: Option<String>,
    /// Gold pairs: a file `query,a,b,answer`
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// Draw the cards
    #[arg(long, value_name = "FILE")]
    figure: Option<FigureTarget>,
    // The heading of these options also applies to later options that have none.
    #[command(flatten)]
    thresholds: ThresholdArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Thresholds from which a value of a card is a signal.
#[derive(Debug, Args)]
#[command(next_help_heading = "Thresholds of signals")]
struct ThresholdArgs {
    /// Significance level of the tests
    #[arg(long, alias = "level", value_name = "LEVEL", default_value_t = 0.001)]
    alpha: f64,
    /// Smallest number of answers that can raise a signal
    #[arg(long, value_name = "N", default_value_t = 5)]
    least_answers: usize,
    /// Smallest share of one answer that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    same_answer: f64,
    /// Largest coefficient of variation of the times that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    time_variation: f64,
    /// Smallest share of answers before the end of the clips that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    too_fast: f64,
    /// Smallest share of wrong gold pairs that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    gold_missed: f64,
    /// Smallest excess of one side over the usual share that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    side_excess: f64,
    /// Smallest deficit of agreement with others that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.06)]
    agreement_deficit: f64,
    /// Likelihood ratio (attentive to inattentive) below which an assessor is flagged; also the
    /// largest share of attentive people who are flagged
    #[arg(long, value_name = "SHARE", default_value_t = 0.11)]
    unreliable: f64,
    /// Smallest share of answers equal to those of one other person that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.75)]
    alike: f64,
    /// Smallest share of reported questions that is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    many_reports: f64,
}

const AFTER_HELP: &str = "\
Examples:
  partita campaign screen campaign.jsonl
  partita campaign screen --preferences answers.csv
  partita campaign screen -p answers.csv --durations clips.csv --gold gold.csv
  partita campaign screen --preferences turk.csv --map mturk";

impl ThresholdArgs {
    fn options(&self) -> ScreeningOptions {
        ScreeningOptions {
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
            many_reports: self.many_reports,
        }
    }
}

pub(crate) fn run(args: &ScreenArgs) -> Result<(), CliError> {
    let ours = args.answers.name()?;
    check_single_stdin([Some(ours), args.durations.as_deref(), args.gold.as_deref()])?;
    let queries = &args.queries.query;
    let source = args.answers.open()?;
    let mut file = match &source {
        AnswerSource::Campaign { campaign, name, .. } => {
            preferences_from_campaign(name, campaign, queries)?
        }
        AnswerSource::Table(_) => args.answers.read(&source, queries)?,
    };
    let preferences = &file.preferences;
    let warnings = &mut file.warnings;
    let remark = |count: usize, file: &str, what: &str| {
        (count > 0).then(|| {
            Warning::in_file(
                file,
                diagnostic!(UnmatchedItems { what, count }: "{what}: {count}"),
            )
        })
    };
    let mut evidence = ScreeningEvidence {
        clips: file.clips,
        ..ScreeningEvidence::default()
    };
    evidence.add_repeats(&file.repeats);
    if let AnswerSource::Campaign { campaign, .. } = &source {
        evidence.add_campaign_gold(campaign, queries);
        evidence.add_campaign_reports(campaign);
    }
    if let Some(name) = &args.durations {
        let read = durations::read(&Source::open(name)?)?;
        warnings.extend(read.warnings);
        let [known, unknown] = evidence.add_durations(preferences, &read.seconds);
        if known == 0 {
            let message = format!("{name}: none of its items was compared");
            return Err(CliError::input(message)
                .with_hint("items must have the same names as in the answers"));
        }
        warnings.extend(remark(
            unknown,
            name,
            "answers about items that are not in this file",
        ));
    }
    if let Some(name) = &args.gold {
        let reading = &args.answers.file.reading;
        let read = reading.read_with_map(name, ColumnMap::default(), &[])?;
        warnings.extend(read.warnings);
        let unknown = evidence.add_gold(preferences, &read.preferences);
        let what = "gold pairs of queries or items that nobody answered";
        warnings.extend(remark(unknown, name, what));
    }
    let screening = Screening::new(preferences, &evidence, args.thresholds.options())?;
    if let Some(place) = &args.figure {
        place.write([("screening".to_owned(), screening_figure(&screening))])?;
    }
    args.show.print(&screening, &screening, file.warnings)
}

/// Returns the first answer to each question, counted or not, of each assessor who is not excluded.
fn preferences_from_campaign(
    name: &str,
    campaign: &Campaign,
    queries: &[String],
) -> Result<PreferencesFile, CliError> {
    let mut answers = campaign.preferences(AssessorFilter::NotExcluded, queries)?;
    // Screening uses repeated answers, and blank ones do not concern it.
    (answers.blanks, answers.duplicates) = (0, 0);
    let mut file = preferences_of(name, answers)?;
    file.repeats = partita::repeated_answers_in_log(campaign, queries);
    Ok(file)
}
