//! The scores of systems on queries: what the commands on them share.

use clap::{Args, ValueEnum};
use partita_formats::scores::{Missing, ReadOptions};

/// Which scores are read, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct ScoresArgs {
    /// The scores of systems on queries: `system,query,measure,value` as `partita evaluate --per-query
    /// --format csv` prints them, or a matrix with a row for each query and a column for each system;
    /// `-` is standard input
    #[arg(value_name = "SCORES")]
    pub(crate) scores: String,
    /// Only the scores by this measure; may be given many times
    #[arg(long = "measure", short, value_name = "MEASURE")]
    measures: Vec<String>,
    /// What becomes of a score that is not there
    #[arg(long, value_enum, default_value = "refuse")]
    missing: MissingName,
}

/// What becomes of a score that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingName {
    /// It is an error
    Refuse,
    /// The query is left out for all systems
    DropQuery,
    /// It counts as 0
    Zero,
}

impl ScoresArgs {
    /// How the scores are read.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            measures: self.measures.clone(),
            missing: match self.missing {
                MissingName::Refuse => Missing::Refuse,
                MissingName::DropQuery => Missing::DropQuery,
                MissingName::Zero => Missing::Zero,
            },
        }
    }

    /// What becomes of a missing score, in a word.
    pub(crate) fn missing_name(&self) -> &'static str {
        match self.missing {
            MissingName::Refuse => "refuse",
            MissingName::DropQuery => "drop-query",
            MissingName::Zero => "zero",
        }
    }
}
