//! `partita evaluate`: scores of runs against a ground truth.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use partita::evaluation::{
    EvaluationError, EvaluationPreset, EvaluationRequest, MissingQueryPolicy, NoRelevantPolicy,
};
use partita::formats::Source;
use partita::report::recall_figure;
use partita::report::views::evaluation::EvaluationView;
use partita::stats::bootstrap::IntervalMethod;
use partita::{
    EvaluationFiles, FileEvaluation, FileEvaluationError, evaluate_files, trec_eval_output_warning,
};

use crate::args::input::{RunInputArgs, TruthInputArgs, check_single_stdin, open_all};
use crate::args::scores::{MeasureList, parse_measures};
use crate::args::threads::ThreadArgs;
use crate::output::destination::{Destination, print_warnings};
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{CaptionArgs, ResultArgs, ResultFormat, named_value_parser};

/// Score runs against a ground truth
///
/// Prints the mean of every measure over the queries of the ground truth, for every run. The
/// default measures are ADR for a truth of groups, and ADR, nDCG@10, AP and RR for a graded one.
///
/// The output is a table on a terminal and CSV with all digits in a pipe or file. --format changes
/// this: `partita evaluate ... --format table | less` shows the table.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct EvaluateArgs {
    /// The ground truth, or the log of a campaign for its lists; `-` is standard input
    #[arg(long, short, value_name = "FILE")]
    truth: String,
    /// The runs to score; `-` is standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    work: ThreadArgs,
    // The heading of these options also applies to later options that have none.
    #[command(flatten)]
    scoring: ScoringArgs,
    #[command(flatten, next_help_heading = "Reading")]
    truth_reading: TruthInputArgs,
    #[command(flatten, next_help_heading = "Reading")]
    run_reading: RunInputArgs,
    /// Also print the score of every query, with the runs side by side
    #[arg(long, help_heading = "Output")]
    per_query: bool,
    /// Sort the runs by this measure, best first; ties are broken by ADRinv if it is measured
    #[arg(long, value_name = "MEASURE", help_heading = "Output")]
    sort: Option<String>,
    /// Draw the dynamic recall of the runs: FILE.svg, FILE.pdf or FILE.png
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    /// Print the settings with the result
    #[arg(long, help_heading = "Output")]
    details: bool,
    /// Output format [default: table on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Output")]
    format: Option<EvaluationFormat>,
    #[command(flatten)]
    title: CaptionArgs,
    #[command(flatten)]
    destination: Destination,
}

const AFTER_HELP: &str = "\
Examples:
  partita evaluate --truth truth.txt my.run
  partita evaluate --truth qrels.txt runs/*.run -m ADR,nDCG@10 --intervals
  partita evaluate --truth truth.csv my.run --query q7 --figure q7.svg
  partita evaluate --truth qrels.txt *.run -m AP --format matrix > scores.csv";

/// Options of the scoring.
#[derive(Clone, Debug, Args)]
struct ScoringArgs {
    /// Measures, as in ADR, nDCG@5 or RBP(p=0.8), separated by commas or given one by one; the names of
    /// trec_eval are understood
    #[arg(long = "measure", short, value_name = "MEASURE", value_parser = parse_measures, help_heading = "Measures")]
    measures: Vec<MeasureList>,
    /// Use the measures and rules of another tool; explicit options take precedence
    #[arg(long, value_name = "PROCEDURE", value_parser = named_value_parser::<EvaluationPreset>(), help_heading = "Measures")]
    like: Option<EvaluationPreset>,
    /// Score only these queries
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Queries"
    )]
    query: Vec<String>,
    /// How to score queries for which a run returned nothing [default: zero]
    #[arg(long, value_parser = named_value_parser::<MissingQueryPolicy>(), help_heading = "Queries")]
    missing: Option<MissingQueryPolicy>,
    /// How to score queries without any relevant document
    #[arg(long, value_parser = named_value_parser::<NoRelevantPolicy>(), default_value = "score", help_heading = "Queries")]
    no_relevant: NoRelevantPolicy,
    /// Remove unjudged documents before scoring (condensed lists)
    #[arg(long, help_heading = "Queries")]
    judged_only: bool,
    /// Also print means per stratum of queries, such as genres: a file `query,stratum`
    #[arg(
        long,
        visible_alias = "groups",
        value_name = "FILE",
        help_heading = "Queries"
    )]
    strata: Option<String>,
    #[command(flatten)]
    intervals: IntervalArgs,
}

/// Options of the confidence intervals.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Intervals")]
struct IntervalArgs {
    /// Print confidence intervals of the means, by resampling queries
    #[arg(long)]
    intervals: bool,
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,
    /// Number of bootstrap samples of the queries
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    resamples: usize,
    /// Bootstrap method of the intervals
    #[arg(long, value_parser = named_value_parser::<IntervalMethod>(), default_value = "bca")]
    interval_method: IntervalMethod,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Output format of an evaluation: a result format, a matrix, or the output of trec_eval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvaluationFormat {
    Standard(ResultFormat),
    Matrix,
    TrecEval,
}

fn format_parser() -> impl TypedValueParser<Value = EvaluationFormat> {
    let trec_eval = PossibleValue::new("trec_eval").alias("trec-eval");
    let trec_eval = trec_eval.help("measure, query, value, as trec_eval prints them");
    let matrix = PossibleValue::new("matrix");
    let matrix = matrix.help("CSV with a row per query and a column per run, of one measure");
    let values = ResultFormat::possible_values()
        .into_iter()
        .chain([matrix, trec_eval]);
    PossibleValuesParser::new(values).map(|name| match name.as_str() {
        "matrix" => EvaluationFormat::Matrix,
        "trec_eval" | "trec-eval" => EvaluationFormat::TrecEval,
        usual => EvaluationFormat::Standard(ResultFormat::from_name(usual)),
    })
}

impl EvaluateArgs {
    /// Returns the requested format; `--like trec_eval` implies the trec_eval format.
    fn requested_format(&self) -> Option<EvaluationFormat> {
        let usual = self.is_trec_eval().then_some(EvaluationFormat::TrecEval);
        self.format.or(usual)
    }

    fn is_trec_eval(&self) -> bool {
        self.scoring.like == Some(EvaluationPreset::TrecEval)
    }

    fn request(&self) -> EvaluationRequest {
        let (scoring, reading) = (&self.scoring, &self.run_reading);
        let intervals = &scoring.intervals;
        let json = self.format == Some(EvaluationFormat::Standard(ResultFormat::Json));
        EvaluationRequest {
            measures: scoring.measures.concat(),
            like: scoring.like,
            queries: scoring.query.clone(),
            missing: scoring.missing,
            no_relevant: scoring.no_relevant,
            judged_only: scoring.judged_only,
            order: reading.order,
            ties: reading.ties,
            score_precision: reading.score_precision,
            intervals: intervals.intervals,
            confidence: intervals.confidence,
            resamples: intervals.resamples,
            interval_method: intervals.interval_method,
            seed: intervals.seed,
            sort: self.sort.clone(),
            // Curves are long, so they are computed only if they are shown.
            dynamic_recall: self.figure.is_some() || (json && self.per_query),
            ..EvaluationRequest::default()
        }
    }
}

pub(crate) fn run(args: &EvaluateArgs) -> Result<(), CliError> {
    let files = args.runs.iter().chain(&args.scoring.strata);
    let files = files.chain([&args.truth]);
    check_single_stdin(files.map(|file| Some(file.as_str())))?;
    let source = Source::open(&args.truth)?;
    let sources = open_all(&args.runs)?;
    let strata = args.scoring.strata.as_deref().map(Source::open);
    let strata = strata.transpose()?;
    let files = EvaluationFiles {
        truth: &source,
        truth_options: args.truth_reading.options(),
        runs: &sources,
        run_format: args.run_reading.run_format,
        strata: strata.as_ref(),
    };
    let scored = evaluate_files(&args.request(), &files, &args.work.workers())?;
    let FileEvaluation {
        evaluation,
        truth,
        mut warnings,
    } = scored;
    if let Some(place) = &args.figure {
        let figure = recall_figure(&evaluation, &truth);
        place.write([("dynamic-recall".to_owned(), figure)])?;
    }
    let view = EvaluationView {
        result: &evaluation,
        per_query: args.per_query,
        with_settings: args.details,
    };
    let format = match args.requested_format() {
        Some(EvaluationFormat::Matrix) => {
            let measures = &evaluation.measures;
            if measures.len() > 1 {
                let message = "--format matrix holds one measure, but several are given";
                let hint = format!("choose one with -m: {}", measures.join(", "));
                return Err(CliError::input(message).with_hint(hint));
            }
            print_warnings(&warnings);
            return args.destination.stream(|place| view.write_matrix(0, place));
        }
        Some(EvaluationFormat::TrecEval) => {
            warnings.extend(trec_eval_output_warning(&evaluation, source.name()));
            print_warnings(&warnings);
            return args.destination.stream(|place| view.write_trec_eval(place));
        }
        Some(EvaluationFormat::Standard(form)) => Some(form),
        None => None,
    };
    let show = ResultArgs {
        format,
        title: args.title.clone(),
        destination: args.destination.clone(),
    };
    show.print(&evaluation, &view, warnings)
}

impl From<EvaluationError> for CliError {
    fn from(error: EvaluationError) -> Self {
        match error {
            EvaluationError::Measure(error) => error.into(),
            EvaluationError::Query(error) => error.into(),
            EvaluationError::Confidence(found) => {
                Self::input(format!("--confidence must be between 0 and 1, not {found}"))
            }
            EvaluationError::NoResamples => Self::input("--resamples must be at least 1"),
            EvaluationError::Sort { sort, measures } => {
                Self::input(format!("--sort {sort}: this measure is not computed"))
                    .with_hint(format!("give one of {}", measures.join(", ")))
            }
            EvaluationError::NoCommonQuery(error) => Self::input(error.to_string()),
            EvaluationError::Work(stopped) => Self::input(stopped.to_string()),
        }
    }
}

impl From<FileEvaluationError> for CliError {
    fn from(error: FileEvaluationError) -> Self {
        match error {
            FileEvaluationError::Format(error) => error.into(),
            FileEvaluationError::Truth(error) => (*error).into(),
            FileEvaluationError::Evaluation(error) => error.into(),
        }
    }
}
