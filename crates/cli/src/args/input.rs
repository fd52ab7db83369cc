//! Options for reading ground truths and runs.

use clap::Args;
use partita::formats::run::{self, RunFormat};
use partita::formats::truth::{self, TruthFile, TruthFormat};
use partita::formats::{FormatError, Source};
use partita::work::SequentialWork;
use partita::{ConversionRequest, RunOrder, ScorePrecision, TieBreaking, ZeroGainPolicy};

use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Returns an error if two files are both standard input.
pub(crate) fn check_single_stdin<'a>(
    files: impl IntoIterator<Item = Option<&'a str>>,
) -> Result<(), CliError> {
    if files.into_iter().filter(|file| *file == Some("-")).count() > 1 {
        return Err(CliError::input("only one file can be standard input"));
    }
    Ok(())
}

/// Opens all files for reading.
pub(crate) fn open_all(files: &[String]) -> Result<Vec<Source>, FormatError> {
    files.iter().map(|file| Source::open(file)).collect()
}

/// Options for reading a ground truth.
#[derive(Clone, Debug, Args)]
pub(crate) struct TruthInputArgs {
    /// Format of the ground truth, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<TruthFormat>())]
    truth_format: Option<TruthFormat>,
    /// Put judged items with a grade of 0 or less into the last group of the list
    #[arg(long)]
    keep_zero: bool,
    /// Label of the ground truth to read, in a file with a column of labels
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
}

impl TruthInputArgs {
    /// Returns a conversion request with these options.
    pub(crate) fn conversion(&self) -> ConversionRequest {
        ConversionRequest {
            truth_format: self.truth_format,
            keep_zero: self.keep_zero,
            label: self.label.clone(),
            ..ConversionRequest::default()
        }
    }

    /// Reads a ground truth, or the lists of a campaign from its log.
    pub(crate) fn read(&self, source: &Source) -> Result<TruthFile, CliError> {
        Ok(partita::read_truth(
            source,
            &self.options(),
            &SequentialWork,
        )?)
    }

    /// Returns the options for reading the ground truth.
    pub(crate) fn options(&self) -> truth::TruthReadOptions {
        truth::TruthReadOptions {
            format: self.truth_format,
            zero: ZeroGainPolicy::from(self.keep_zero),
            label: self.label.clone(),
        }
    }
}

/// Options for reading runs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct RunInputArgs {
    /// Format of the runs, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<RunFormat>())]
    pub(crate) run_format: Option<RunFormat>,
    /// Column that gives the order of a TREC run [default: score]
    #[arg(long, value_parser = named_value_parser::<RunOrder>())]
    pub(crate) order: Option<RunOrder>,
    /// Order of documents with the same score [default: docno]
    #[arg(long, value_parser = named_value_parser::<TieBreaking>())]
    pub(crate) ties: Option<TieBreaking>,
    /// Precision in which scores are compared [default: double]
    #[arg(long, value_name = "PRECISION", value_parser = named_value_parser::<ScorePrecision>())]
    pub(crate) score_precision: Option<ScorePrecision>,
}

impl RunInputArgs {
    /// Adds these options to a conversion request.
    pub(crate) fn conversion(self, request: ConversionRequest) -> ConversionRequest {
        ConversionRequest {
            run_format: self.run_format,
            order: self.order,
            ties: self.ties,
            score_precision: self.score_precision,
            ..request
        }
    }

    /// Returns the options for reading runs.
    pub(crate) fn options(self) -> run::RunReadOptions {
        run::RunReadOptions {
            format: self.run_format,
            name: None,
            order: self.order.unwrap_or_default(),
            ties: self.ties.unwrap_or_default(),
            score_precision: self.score_precision.unwrap_or_default(),
        }
    }
}
