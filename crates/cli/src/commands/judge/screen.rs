//! `partita judge screen`: a card for every assessor with what speaks for and against him.

mod csv;
mod exclusion;
mod json;
mod tables;

use clap::Args;
use partita_core::{Item, Preferences};
use partita_formats::preferences::{ColumnMap, PreferencesFile};
use partita_formats::{Source, Warning, durations};
use partita_judging::campaign::People;
use partita_judging::{Card, GoldPair, ScreeningEvidence, ScreeningSettings, screen};

use super::log_file::{self, StampArgs};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::{Destination, warn};
use crate::preferences::{self, PreferencesArgs};

/// Look for assessors who do not listen
///
/// Every assessor gets a card: how frequent his most frequent answer is, which side he prefers, how
/// long his answers take and how much that varies, how many came before the clips can have ended, how
/// many gold pairs he got wrong, and how far he agrees with the others. What is large enough to
/// matter and unlikely enough to be chance is a signal, with the reason.
///
/// The query itself among its own candidates is gold for free: nothing is closer to it. More gold
/// comes with --gold, a file of answers known to be right. How long clips last comes from a column of
/// the answers (--map clips=COLUMN), or with --durations by the names of items and queries.
///
/// This is advice. Nobody is excluded unless --exclude says so, and a signal may have an honest reason: in simulated campaigns
/// 1% to 3% of honest assessors had one. Robots were always found, who prefers one side in 75% of
/// cases (five answers or more) to 100% (thirty), and who answers at random in 51% to 86%.
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
    /// Leave the votes of this person out of the campaign. The answers stay in its log, exactly the
    /// pairs that need more votes are open again, and nothing is lost; may be given many times
    #[arg(long, value_name = "ASSESSOR", requires = "log")]
    exclude: Vec<String>,
    /// Take the votes of this person in again; may be given many times
    #[arg(long, value_name = "ASSESSOR", requires = "log")]
    readmit: Vec<String>,
    #[command(flatten)]
    stamp: StampArgs,
    #[command(flatten)]
    preferences: PreferencesArgs,
    /// How long clips last: a file `item,seconds`, in which a query goes by its own name
    #[arg(long, value_name = "FILE")]
    durations: Option<String>,
    /// Answers known to be right: a file `query,a,b,answer`
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// The level of the tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.001)]
    level: f64,
    /// Fewer answers than this raise no signal
    #[arg(long, value_name = "N", default_value_t = 5)]
    least_answers: usize,
    /// The share of one answer from which on it is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    same_answer: f64,
    /// The coefficient of variation of the times up to which it is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    time_variation: f64,
    /// The share of answers before the clips can have ended from which on it is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    too_fast: f64,
    /// The share of gold pairs answered wrongly from which on it is a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    gold_missed: f64,
    /// How much more often than by others one side must be preferred to be a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    side_excess: f64,
    /// How much lower than usual the agreement with others must be to be a signal
    #[arg(long, value_name = "SHARE", default_value_t = 0.06)]
    agreement_deficit: f64,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita judge screen campaign.jsonl
  partita judge screen campaign.jsonl --exclude A2XJ --exclude A9QQ
  partita judge screen campaign.jsonl --readmit A2XJ
  partita judge screen --preferences answers.csv
  partita judge screen --preferences answers.csv --durations clips.csv --gold gold.csv --format json
  partita judge screen --preferences turk.csv --map query=Input.query,a=Input.docA,b=Input.docB,\
assessor=WorkerId,answer=Answer.radio,equal=s,seconds=WorkTimeInSeconds,clips=Input.time";

/// The cards, the greatest concern first.
struct Screened<'f> {
    preferences: &'f Preferences,
    cards: Vec<Card>,
    settings: ScreeningSettings,
}

impl Screened<'_> {
    fn name(&self, card: &Card) -> &str {
        self.preferences.assessors().name(card.assessor)
    }
}

pub(crate) fn run(args: &ScreenArgs) -> Result<(), Failure> {
    if let (Some(log), false) = (
        &args.log,
        args.exclude.is_empty() && args.readmit.is_empty(),
    ) {
        return exclusion::run(args, log);
    }
    let settings = settings(args)?;
    let ours = args.preferences.preferences.as_deref();
    let inputs = [ours, args.durations.as_deref(), args.gold.as_deref()];
    if inputs.into_iter().filter(|&file| file == Some("-")).count() > 1 {
        return Err(Failure::input("only one file can be standard input"));
    }
    let mut file = match &args.log {
        Some(log) => of_campaign(log)?,
        None => args.preferences.read(args.preferences.file()?)?,
    };
    warn(&file.warnings);
    if let Some(durations) = &args.durations {
        warn(&add_durations(&mut file, durations)?);
    }
    let gold = match &args.gold {
        Some(gold) => {
            let (gold, warnings) = read_gold(args, gold, &file.preferences)?;
            warn(&warnings);
            gold
        }
        None => Vec::new(),
    };
    let evidence = ScreeningEvidence {
        clips: std::mem::take(&mut file.clips),
        gold,
    };
    let mut cards = screen(&file.preferences, &evidence, &settings);
    // Among those without a signal, those who answered most come first.
    cards.sort_by(|a, b| {
        let concern = b.concern().total_cmp(&a.concern());
        concern.then(b.answers.cmp(&a.answers))
    });
    let screened = Screened {
        preferences: &file.preferences,
        cards,
        settings,
    };
    let format = Format::chosen(args.format, &args.destination);
    let text = match format {
        Form::Table(format) => tables::print(&screened, format)?,
        Form::Json => json::print(&screened),
        _ => csv::print(&screened)?,
    };
    args.destination.write(&text)
}

/// All answers of a campaign, each person's first to a question, whatever became of them.
fn of_campaign(log: &str) -> Result<PreferencesFile, Failure> {
    let campaign = log_file::read(log)?;
    let answers = campaign.preferences(People::All);
    let mut file = preferences::file_of(log, answers)?;
    file.warnings.clear();
    Ok(file)
}

fn settings(args: &ScreenArgs) -> Result<ScreeningSettings, Failure> {
    for (name, share) in [
        ("--level", args.level),
        ("--same-answer", args.same_answer),
        ("--time-variation", args.time_variation),
        ("--too-fast", args.too_fast),
        ("--gold-missed", args.gold_missed),
        ("--side-excess", args.side_excess),
        ("--agreement-deficit", args.agreement_deficit),
    ] {
        if !(0.0..=1.0).contains(&share) {
            let message = format!("{name} must be between 0 and 1, not {share}");
            return Err(Failure::input(message));
        }
    }
    Ok(ScreeningSettings {
        level: args.level,
        least_answers: args.least_answers,
        same_answer: args.same_answer,
        time_variation: args.time_variation,
        too_fast: args.too_fast,
        gold_missed: args.gold_missed,
        side_excess: args.side_excess,
        agreement_deficit: args.agreement_deficit,
    })
}

/// Adds how long the clips of a question last: those of both items, and that of the query if it has
/// one. What a column of the answers says goes first.
fn add_durations(file: &mut PreferencesFile, name: &str) -> Result<Vec<Warning>, Failure> {
    let read = durations::read(&Source::open(name)?)?;
    let (mut known, mut unknown) = (0, 0);
    for (query, clips) in file.preferences.queries().iter().zip(&mut file.clips) {
        let of_query = read.seconds.get(query.name()).copied().unwrap_or(0.0);
        let of = |item: Item| read.seconds.get(query.items().name(item));
        for (given, clips) in query.answers().iter().zip(clips) {
            if clips.is_none() {
                *clips = of(given.a).zip(of(given.b)).map(|(a, b)| a + b + of_query);
            }
            match clips {
                Some(_) => known += 1,
                None => unknown += 1,
            }
        }
    }
    if known == 0 {
        let message = format!("{name}: it names no item that was compared");
        return Err(Failure::input(message).hint("items must be called as in the answers"));
    }
    let mut warnings = read.warnings;
    if unknown > 0 {
        warnings.push(Warning {
            file: name.to_owned(),
            line: None,
            message: format!("answers to items that are not in it: {unknown}"),
        });
    }
    Ok(warnings)
}

/// Reads answers known to be right. Those on pairs that nobody was asked about say nothing.
fn read_gold(
    args: &ScreenArgs,
    name: &str,
    preferences: &Preferences,
) -> Result<(Vec<GoldPair>, Vec<Warning>), Failure> {
    let read = args.preferences.read_by(name, ColumnMap::default())?;
    let mut warnings = read.warnings;
    let (mut gold, mut unknown) = (Vec::new(), 0);
    for right in read.preferences.queries() {
        let queries = preferences.queries();
        let query = queries
            .iter()
            .position(|query| query.name() == right.name());
        for given in right.answers() {
            let pair = query.and_then(|query| {
                let item = |item| queries[query].items().get(right.items().name(item));
                Some(GoldPair {
                    query,
                    a: item(given.a)?,
                    b: item(given.b)?,
                    answer: given.answer,
                })
            });
            match pair {
                Some(pair) => gold.push(pair),
                None => unknown += 1,
            }
        }
    }
    if unknown > 0 {
        warnings.push(Warning {
            file: name.to_owned(),
            line: None,
            message: format!("gold pairs of queries or items that nobody answered: {unknown}"),
        });
    }
    Ok((gold, warnings))
}
