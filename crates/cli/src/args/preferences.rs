//! Options for preferences, their decision and their cost.

use clap::Args;
use partita::formats::Source;
use partita::formats::preferences::{
    self, ColumnMap, ColumnMapError, PreferencesFile, PreferencesReadOptions,
};
use partita::judging::campaign::{AssessorFilter, log};
use partita::judging::{
    Currency, DecisionRule, Fee, Price, PriceOptions, PriceOptionsError, PricePreset, Surcharge,
};
use partita::truth::Alpha;

use crate::commands::campaign::campaign_log;
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Parses a column map; `@FILE` reads it from a file.
pub(crate) fn parse_column_map(text: &str) -> Result<ColumnMap, String> {
    let map = match text.strip_prefix('@') {
        None => text.parse(),
        Some(file) => {
            let read = Source::open(file).and_then(|source| source.bytes());
            let bytes = read.map_err(|error| error.to_string())?;
            String::from_utf8_lossy(&bytes).parse()
        }
    };
    map.map_err(|error: ColumnMapError| match &error {
        ColumnMapError::NotAPair(part) if std::path::Path::new(part).is_file() => {
            format!("{error}; `@{part}` reads the map of that file")
        }
        _ => error.to_string(),
    })
}

/// Options for reading preferences.
#[derive(Clone, Debug, Args)]
pub(crate) struct PreferenceInputArgs {
    /// Map of columns and answer words: `mturk`, `@FILE`, or
    /// query=COLUMN,a=COLUMN,b=COLUMN,assessor=COLUMN,answer=COLUMN,equal=WORD; also first, second,
    /// seconds, batch, time, ended, background and clips
    #[arg(long, value_name = "MAP", value_parser = parse_column_map)]
    pub(crate) map: Option<ColumnMap>,
    /// Pause in minutes that starts a new batch, if no column names the batches
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    batch_gap: f64,
}

impl PreferenceInputArgs {
    /// Reads the answers to these queries, or to all if none is named.
    pub(crate) fn read(&self, file: &str, queries: &[String]) -> Result<PreferencesFile, CliError> {
        self.read_with_map(file, self.map.clone().unwrap_or_default(), queries)
    }

    /// Returns the options for reading answers with this column map.
    pub(super) fn options(
        &self,
        map: ColumnMap,
        queries: &[String],
    ) -> Result<PreferencesReadOptions, CliError> {
        if self.batch_gap.is_nan() || self.batch_gap < 0.0 {
            let message = format!("--batch-gap must be at least 0, not {}", self.batch_gap);
            return Err(CliError::input(message));
        }
        Ok(PreferencesReadOptions {
            map,
            batch_gap: 60.0 * self.batch_gap,
            queries: queries.to_vec(),
        })
    }

    /// Reads answers with this column map.
    pub(crate) fn read_with_map(
        &self,
        file: &str,
        map: ColumnMap,
        queries: &[String],
    ) -> Result<PreferencesFile, CliError> {
        let options = self.options(map, queries)?;
        let source = Source::open(file)?;
        if log::is_log(&source.first_bytes(64)?) {
            let campaign = campaign_log::campaign_from_source(&source)?;
            let answers = campaign.preferences(AssessorFilter::NotExcluded, queries)?;
            return partita::preferences_from_log(source.name(), answers)
                .map_err(|error| CliError::input(error.to_string()));
        }
        Ok(preferences::read(&source, &options)?)
    }

    /// Reads the answers in a table to these queries, or to all if none is named.
    pub(crate) fn read_table(
        &self,
        source: &Source,
        queries: &[String],
    ) -> Result<PreferencesFile, CliError> {
        let options = self.options(self.map.clone().unwrap_or_default(), queries)?;
        Ok(preferences::read(source, &options)?)
    }
}

/// Options for reading preferences and deciding pairs.
#[derive(Clone, Debug, Args)]
pub(crate) struct PreferencesArgs {
    /// Answers to which of two items is closer to the query, or the log of a campaign; `-` is
    /// standard input
    #[arg(long, short, value_name = "FILE")]
    pub(crate) preferences: Option<String>,
    #[command(flatten)]
    pub(crate) reading: PreferenceInputArgs,
    #[arg(
        long,
        value_name = "RULE",
        default_value = "mwu",
        help = format!("Rule that decides a pair from its votes: {}", DecisionRule::NAMES)
    )]
    decide: DecisionRule,
}

impl PreferencesArgs {
    /// Returns the file of answers, or an error if the option is missing.
    pub(crate) fn file(&self) -> Result<&str, CliError> {
        let file = self.preferences.as_deref();
        file.ok_or_else(|| CliError::input("--preferences is required"))
    }

    /// Returns the requested decision rule at significance level `alpha`.
    pub(crate) fn rule(&self, alpha: Alpha) -> DecisionRule {
        self.decide.with_alpha(alpha)
    }
}

/// Options for the cost of an answer.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Cost")]
pub(crate) struct PriceArgs {
    /// Reward of the assessor per answer; without a price nothing is said about cost
    #[arg(long, value_name = "AMOUNT")]
    reward: Option<f64>,
    /// Published price of an answer: urbano-2010 (a reward of 0.02 and a fee of 0.005)
    #[arg(long, value_name = "NAME", value_parser = named_value_parser::<PricePreset>())]
    like: Option<PricePreset>,
    /// Fee of the platform per answer: an amount, or a share of the reward such as 20% [default: 0]
    #[arg(long, value_name = "AMOUNT|SHARE%")]
    fee: Option<Fee>,
    /// Minimum fee of the platform per answer [default: 0]
    #[arg(long, value_name = "AMOUNT")]
    minimum_fee: Option<f64>,
    /// Surcharge of the platform for pairs with many answers: a share of the reward and the number
    /// of answers, such as 20%@10
    #[arg(long, value_name = "SHARE%@ANSWERS")]
    surcharge: Option<Surcharge>,
    /// Currency of the amounts: a code of three letters, such as EUR
    #[arg(long, value_name = "CODE")]
    currency: Option<Currency>,
}

impl PriceArgs {
    /// Returns the price of an answer that the options give; `None` if they give none.
    pub(crate) fn price(&self) -> Result<Option<Price>, CliError> {
        let options = PriceOptions {
            like: self.like,
            reward: self.reward,
            fee: self.fee,
            minimum_fee: self.minimum_fee,
            surcharge: self.surcharge,
            currency: self.currency,
        };
        options.price().map_err(|error| {
            let (option, problem) = match error {
                PriceOptionsError::OutOfRange(error) => return error.into(),
                PriceOptionsError::TwoPrices { option, like } => (
                    option,
                    format!("excludes `--like {like}`, which sets the whole price"),
                ),
                PriceOptionsError::NoPrice { option } => (
                    option,
                    "needs a price: `--reward AMOUNT` or `--like urbano-2010`".to_owned(),
                ),
            };
            CliError::input(format!("`--{}` {problem}", option.replace('_', "-")))
        })
    }
}
