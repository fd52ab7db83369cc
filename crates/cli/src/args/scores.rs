//! Options for the scores of systems on queries.

use clap::Args;
use partita::MissingScorePolicy;
use partita::formats::scores::ScoresReadOptions;

use crate::output::result::named_value_parser;

/// Names of measures in one value of an option, which separates them by commas.
pub(crate) type MeasureList = Vec<String>;

/// Parses measures separated by commas.
pub(crate) fn parse_measures(list: &str) -> Result<MeasureList, &'static str> {
    let measures = partita::measure::split_list(list);
    if measures.is_empty() {
        return Err("give the name of a measure");
    }
    Ok(measures)
}

/// Options for reading scores.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScoresArgs {
    /// Scores of systems on queries: `run,query,measure,value` as `partita evaluate --per-query
    /// --format csv` prints them, or a matrix with a row for each query and a column for each
    /// system; `-` is standard input
    #[arg(value_name = "SCORES")]
    pub(crate) scores: String,
    /// Use only these measures, separated by commas or given one by one
    #[arg(long = "measure", short, value_name = "MEASURE", value_parser = parse_measures, help_heading = "Scores")]
    measures: Vec<MeasureList>,
    /// How to treat missing scores
    #[arg(long, default_value = "refuse", value_parser = named_value_parser::<MissingScorePolicy>(), help_heading = "Scores")]
    missing: MissingScorePolicy,
}

impl ScoresArgs {
    /// Returns the options for reading the file of scores.
    pub(crate) fn options(&self) -> ScoresReadOptions {
        ScoresReadOptions {
            measures: self.measures.concat(),
            missing: self.missing,
        }
    }
}
