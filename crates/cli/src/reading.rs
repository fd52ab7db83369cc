//! The options by which files are read, which several commands share.

use clap::{Args, ValueEnum};
use partita_core::ZeroGains;
use partita_formats::run::{self, Order, RunFormat, Ties};
use partita_formats::truth::{self, TruthFormat};

use crate::failure::Failure;

/// Refuses two files that are both standard input.
pub(crate) fn only_one_standard_input<'a>(
    files: impl IntoIterator<Item = Option<&'a str>>,
) -> Result<(), Failure> {
    if files.into_iter().filter(|file| *file == Some("-")).count() > 1 {
        return Err(Failure::input("only one file can be standard input"));
    }
    Ok(())
}

/// How a ground truth is read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TruthArgs {
    /// The format of the ground truth, if its looks leave a doubt
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) truth_format: Option<TruthFormatName>,
    /// Make the judged items with a grade of 0 or less the last group of the list
    #[arg(long)]
    pub(crate) keep_zero: bool,
    /// Which ground truth of a file with a column of labels
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,
}

impl TruthArgs {
    pub(crate) fn options(&self) -> truth::ReadOptions {
        truth::ReadOptions {
            format: self.truth_format.map(TruthFormatName::format),
            zero: match self.keep_zero {
                true => ZeroGains::LastGroup,
                false => ZeroGains::LeaveOut,
            },
            label: self.label.clone(),
        }
    }
}

/// The names of the formats of ground truths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TruthFormatName {
    /// query,item,group or label query item group: group 1 is best
    Groups,
    /// query iter item grade: a higher grade is better
    Qrels,
    /// query,item,gain: a higher gain is better
    Gains,
    /// PrefLib's .soc and .toc with one voter
    Preflib,
    /// {"query": [["a", "b"], ["c"]]}
    Json,
    /// query: (a, b), (c)
    Notation,
}

impl TruthFormatName {
    pub(crate) fn format(self) -> TruthFormat {
        match self {
            Self::Groups => TruthFormat::Groups,
            Self::Qrels => TruthFormat::Qrels,
            Self::Gains => TruthFormat::Gains,
            Self::Preflib => TruthFormat::Preflib,
            Self::Json => TruthFormat::Json,
            Self::Notation => TruthFormat::Notation,
        }
    }
}

/// How runs are read.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RunArgs {
    /// The format of the runs, if their looks leave a doubt
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) run_format: Option<RunFormatName>,
    /// What the order of a TREC run is taken from
    #[arg(long, value_enum, default_value = "score")]
    pub(crate) order: OrderName,
    /// How documents with the same score are ordered: by name, descending, as trec_eval does; as
    /// in the file; or not at all, taking the mean over all orders
    #[arg(long, value_enum, default_value = "docno")]
    pub(crate) ties: TiesName,
    /// The precision in which scores are compared; trec_eval compares them in single precision
    #[arg(long, value_name = "PRECISION", value_enum, default_value = "double")]
    pub(crate) score_precision: PrecisionName,
}

impl RunArgs {
    pub(crate) fn options(self) -> run::ReadOptions {
        run::ReadOptions {
            format: self.run_format.map(RunFormatName::format),
            order: match self.order {
                OrderName::Score => Order::Score,
                OrderName::Rank => Order::Rank,
                OrderName::File => Order::File,
            },
            ties: match self.ties {
                TiesName::Docno => Ties::Docno,
                TiesName::File => Ties::File,
                TiesName::Average => Ties::Average,
            },
            single_precision: self.score_precision == PrecisionName::Single,
        }
    }
}

impl Default for RunArgs {
    fn default() -> Self {
        Self {
            run_format: None,
            order: OrderName::Score,
            ties: TiesName::Docno,
            score_precision: PrecisionName::Double,
        }
    }
}

/// The names of the formats of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormatName {
    /// query Q0 item rank score tag
    Trec,
    /// system query item, in the order of rank
    Systems,
    /// query item item ..., a line a query
    Lines,
    /// {"query": ["a", "b"]}, with inner lists for tied items
    Json,
}

impl RunFormatName {
    pub(crate) fn format(self) -> RunFormat {
        match self {
            Self::Trec => RunFormat::Trec,
            Self::Systems => RunFormat::Systems,
            Self::Lines => RunFormat::Lines,
            Self::Json => RunFormat::Json,
        }
    }
}

/// What the order of a TREC run is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    Score,
    Rank,
    File,
}

/// How documents with the same score are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TiesName {
    Docno,
    File,
    Average,
}

/// The precision in which scores are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionName {
    Single,
    Double,
}
