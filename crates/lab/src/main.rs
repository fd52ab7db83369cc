//! `partita-lab`: prints the studies of this crate for `bench/`.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use partita::ThreadPool;
use partita_core::truth::Alpha;
use partita_formats::campaign::recorded_votes;
use partita_formats::preferences::{self, ColumnMap, PreferencesReadOptions};
use partita_formats::{Source, Warning};
use partita_judging::simulate::{
    AnswerSource, DEFAULT_CONTENDERS, RecordedAnswers, SimulationRequest, simulate,
};
use partita_judging::{DecisionRule, GroupingRule, LAPSE_RATE, PooledStrategy, Price};
use partita_lab::{
    CalibrationSource, PredictionModel, PredictionOptions, PredictionRequest, World,
    calibrate_answers, calibrate_probabilities, calibration_document, calibration_figure,
    measure_vote_value, prediction_document, simulate_world, worlds,
};
use partita_report::{Document, Reply, TableFormat, View};
use serde::Serialize;

/// Studies behind the documented figures of partita
#[derive(Debug, Parser)]
#[command(name = "partita-lab", version)]
struct Lab {
    #[command(subcommand)]
    study: Study,
    /// Number of threads; 0 for one per core. The result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 0, global = true)]
    threads: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table, global = true)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Json,
}

#[derive(Debug, Subcommand)]
enum Study {
    /// Try strategies in a simulated world
    Simulate {
        /// Name of the world; an unknown name is answered with all names
        #[arg(long, value_name = "NAME", default_value = "base")]
        world: String,
        /// File of recorded votes that answer the questions, in place of a world
        #[arg(long, value_name = "FILE", conflicts_with = "world")]
        oracle: Option<String>,
        /// Absolute value up to which a recorded vote counts as "equal"
        #[arg(
            long,
            value_name = "SIZE",
            default_value_t = 0.125,
            requires = "oracle"
        )]
        equal: f64,
        /// Strategies, the first being the baseline
        #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = DEFAULT_CONTENDERS)]
        strategies: Vec<String>,
        #[command(flatten)]
        lists: Lists,
    },
    /// Check whether predicted probabilities come true
    Calibration {
        /// Name of the world; an unknown name is answered with all names
        #[arg(long, value_name = "NAME", default_value = "base")]
        world: String,
        /// File of recorded votes that answer the questions, in place of a world
        #[arg(long, value_name = "FILE", conflicts_with = "world")]
        oracle: Option<String>,
        /// Absolute value up to which a recorded vote counts as "equal"
        #[arg(
            long,
            value_name = "SIZE",
            default_value_t = 0.125,
            requires = "oracle"
        )]
        equal: f64,
        /// Draw lists of items that lie next to each other in the order of all recorded votes
        #[arg(long, requires = "oracle")]
        close: bool,
        /// File of recorded answers by named people, of which one half predicts the other, in
        /// place of a world
        #[arg(long, value_name = "FILE", conflicts_with_all = ["world", "oracle"])]
        preferences: Option<String>,
        /// Column map of the file of answers, such as query=COLUMN,a=COLUMN,b=COLUMN
        #[arg(long, value_name = "MAP", requires = "preferences")]
        map: Option<ColumnMap>,
        /// Number of random halves of the recorded answers
        #[arg(long, value_name = "N", default_value_t = 20)]
        trials: u32,
        /// Lapse rate of the predicted decisions
        #[arg(long, value_name = "RATE", default_value_t = LAPSE_RATE)]
        lapse_rate: f64,
        /// Lower bound of the standard deviation of the pair effects
        #[arg(long, value_name = "SPREAD", default_value_t = 0.0)]
        least_spread: f64,
        /// Strategies that choose the questions; predictions are made from their votes
        #[arg(
            long,
            value_name = "NAME,...",
            value_delimiter = ',',
            default_value = "sort,random,pooled"
        )]
        strategies: Vec<String>,
        /// File for a reliability diagram in SVG
        #[arg(long, value_name = "FILE")]
        figure: Option<PathBuf>,
        #[command(flatten)]
        lists: Lists,
    },
    /// Estimate how many votes a pair is worth, by how well recorded answers predict each other
    Predict {
        /// File of recorded answers
        #[arg(long, value_name = "FILE")]
        preferences: String,
        /// Column map of the file of answers, such as query=COLUMN,a=COLUMN,b=COLUMN
        #[arg(long, value_name = "MAP")]
        map: Option<ColumnMap>,
        #[command(flatten)]
        decision: Decision,
        /// Maximum number of votes on a pair to predict from; its other answers are held out
        #[arg(long, value_name = "N", default_value_t = 5)]
        votes: u32,
        /// Probability of the predicted outcome at which voting on a pair stops early
        #[arg(
            long,
            value_name = "P,...",
            value_delimiter = ',',
            default_value = "0.95,0.9,0.8"
        )]
        stop_at: Vec<f64>,
        /// Number of random orders of the answers to average over
        #[arg(long, value_name = "N", default_value_t = 20)]
        trials: u32,
        /// Number of bootstrap resamples of the lists, for intervals
        #[arg(long, value_name = "N", default_value_t = 300)]
        resamples: u32,
        /// Seed of all random numbers
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
}

/// Decision rule for a pair.
#[derive(Clone, Copy, Debug, Args)]
struct Decision {
    /// Rule by which the votes on a pair decide it
    #[arg(long, value_name = "RULE", default_value = "mwu")]
    decide: DecisionRule,
    /// Significance level of the decision rule
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
}

/// Lists to draw or simulate, and the votes on them.
#[derive(Clone, Copy, Debug, Args)]
struct Lists {
    /// Number of lists
    #[arg(long, value_name = "N", default_value_t = 60)]
    lists: usize,
    /// Number of items of a list: one, or the least and the most [default: those of the world]
    #[arg(long, value_name = "N|LEAST:MOST", value_parser = parse_list_sizes)]
    items: Option<(usize, usize)>,
    /// Number of votes on a pair without early stopping
    #[arg(long, value_name = "N", default_value_t = 10)]
    votes: u32,
    /// Mean vote from which on a difference matters, in units of the spread of votes
    #[arg(long, value_name = "SPREADS", default_value_t = GroupingRule::DEFAULT_MATTERS)]
    matters: f64,
    /// Expected share of pairs in the wrong order at which a campaign stops asking about a list
    #[arg(long, value_name = "SHARE", default_value_t = PooledStrategy::DEFAULT_SETTLED)]
    settled: f64,
    #[command(flatten)]
    decision: Decision,
    /// Number of bootstrap resamples of the lists, for intervals
    #[arg(long, value_name = "N", default_value_t = 300)]
    resamples: usize,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Parses a number of items, or a minimum and a maximum separated by a colon.
fn parse_list_sizes(text: &str) -> Result<(usize, usize), String> {
    let (least, most) = text.split_once(':').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>();
    match (number(least), number(most)) {
        (Ok(least), Ok(most)) => Ok((least, most)),
        _ => Err(format!(
            "expected a number of items such as 20 or 14:24, not `{text}`"
        )),
    }
}

impl Decision {
    /// Returns the decision rule with its significance level.
    fn rule(self) -> Result<DecisionRule, Box<dyn Error>> {
        let alpha = Alpha::new(self.alpha).ok_or("--alpha must be between 0 and 1")?;
        Ok(self.decide.with_alpha(alpha))
    }
}

impl Lists {
    /// Creates the request of a simulation of these strategies; `world` gives the default list
    /// sizes.
    fn request(
        self,
        strategies: Vec<String>,
        world: &World,
    ) -> Result<SimulationRequest, Box<dyn Error>> {
        Ok(SimulationRequest {
            strategies,
            lists: self.lists,
            items: self.items.unwrap_or(world.items),
            votes: self.votes,
            rule: self.decision.rule()?,
            matters: self.matters,
            settled: self.settled,
            price: Some(Price::URBANO_2010),
            seconds: SECONDS_PER_ANSWER,
            resamples: self.resamples,
            seed: self.seed,
        })
    }
}

/// Seconds per answer that the simulation assumes: the default of `partita campaign simulate`.
const SECONDS_PER_ANSWER: f64 = 21.75;

/// Returns the world of this name, or an error message that lists all names.
fn find_world(name: &str) -> Result<World, String> {
    World::by_name(name.trim()).ok_or_else(|| {
        let names: Vec<String> = worlds()
            .iter()
            .map(|world| format!("`{}`", world.name))
            .collect();
        format!(
            "no world is called `{name}`; there are {}",
            names.join(", ")
        )
    })
}

/// Writes a result to standard output, as tables or JSON, and warnings as text to standard error.
fn write(
    format: Format,
    result: &impl Serialize,
    document: &Document,
    warnings: Vec<Warning>,
) -> Result<(), Box<dyn Error>> {
    for warning in &warnings {
        writeln!(io::stderr(), "warning: {warning}")?;
    }
    let mut place = io::stdout().lock();
    match format {
        Format::Table => place.write_all(TableFormat::Text.render_document(document).as_bytes())?,
        Format::Json => Reply::new(result, warnings).write(&mut place)?,
    }
    Ok(())
}

/// Runs the selected study and writes its result.
fn run(lab: Lab) -> Result<(), Box<dyn Error>> {
    let work = ThreadPool::new(lab.threads);
    match lab.study {
        Study::Simulate {
            world: name,
            oracle,
            equal,
            strategies,
            lists,
        } => {
            let world = find_world(&name)?;
            let request = lists.request(strategies, &world)?;
            if let Some(file) = oracle {
                let read = recorded_votes::read(&Source::open(&file)?)?;
                let answers = RecordedAnswers::from_vote_sizes(&read.items, &read.pairs, equal)?;
                let found = simulate(&request, AnswerSource::Recorded(&answers), &work)?;
                return write(lab.format, &found, &found.document(), read.warnings);
            }
            let found = simulate_world(&request, &world, &work)?;
            let document = found.simulation.document();
            write(lab.format, &found, &document, Vec::new())
        }
        Study::Calibration {
            world: name,
            oracle,
            equal,
            close,
            preferences: answers,
            map,
            trials,
            lapse_rate,
            least_spread,
            strategies,
            figure,
            lists,
        } => {
            let world = find_world(&name)?;
            let request = lists.request(strategies, &world)?;
            let mut warnings = Vec::new();
            let model = PredictionModel {
                lapse_rate,
                least_spread,
            };
            let found = if let Some(file) = oracle {
                let read = recorded_votes::read(&Source::open(&file)?)?;
                warnings = read.warnings;
                let answers = RecordedAnswers::from_vote_sizes(&read.items, &read.pairs, equal)?;
                let source = match close {
                    true => CalibrationSource::CloseItems(&answers),
                    false => CalibrationSource::Recorded(&answers),
                };
                calibrate_probabilities(&request, source, model, &work)?
            } else if let Some(file) = answers {
                let options = PreferencesReadOptions {
                    map: map.unwrap_or_default(),
                    ..PreferencesReadOptions::default()
                };
                let read = preferences::read(&Source::open(&file)?, &options)?;
                warnings = read.warnings;
                let splits = (request.rule, trials, request.seed);
                calibrate_answers(&read.preferences, splits, model, &work)?
            } else {
                calibrate_probabilities(&request, CalibrationSource::World(&world), model, &work)?
            };
            if let Some(file) = figure {
                std::fs::write(file, calibration_figure(&found).to_svg())?;
            }
            write(lab.format, &found, &calibration_document(&found), warnings)
        }
        Study::Predict {
            preferences: file,
            map,
            decision,
            votes,
            stop_at,
            trials,
            resamples,
            seed,
        } => {
            let options = PreferencesReadOptions {
                map: map.unwrap_or_default(),
                ..PreferencesReadOptions::default()
            };
            let read = preferences::read(&Source::open(&file)?, &options)?;
            let request = PredictionRequest {
                settings: PredictionOptions {
                    votes,
                    splits: trials,
                    resamples,
                    seed,
                },
                rule: decision.rule()?,
                confidence: stop_at,
            };
            let found = measure_vote_value(&read.preferences, &request, &work)?;
            write(
                lab.format,
                &found,
                &prediction_document(&found),
                read.warnings,
            )
        }
    }
}

fn main() -> ExitCode {
    match run(Lab::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignore the error if standard error is closed.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
