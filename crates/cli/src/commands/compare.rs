//! `partita compare`: significance tests between systems.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use partita::comparison::{Comparison, ComparisonError, ComparisonPreset, ComparisonRequest};
use partita::formats::{Source, Warning, diagnostic};
use partita::report::phrases::list_names;
use partita::report::views::comparison::ComparisonView;
use partita::report::{ComparisonFigureKind, FigureError};
use partita::significance::system_tests;
use partita::stats::adjustment::Adjustment;
use partita::stats::signed_rank::{SignedRankMethod, ZeroMethod};
use partita::truth::Tails;
use partita::{ScoresComparisonError, ScoresJobError, compare_scores};

use crate::args::rankings::parse_alpha;
use crate::args::scores::ScoresArgs;
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{ResultArgs, named_value_parser};

/// Compare systems by their scores, with significance tests
///
/// Scores are the output of `partita evaluate --per-query --format csv`, or a matrix with a row for
/// each query and a column for each system. For every pair of systems the result has the difference
/// of means with an interval, effect sizes, a p-value and a p-value corrected for the number of
/// comparisons. The leaderboard is a partial order: systems that share a letter do not differ
/// significantly.
///
/// The default, a two-tailed permutation test with Holm's correction, follows the evidence on
/// comparing means (Smucker, Allan & Carterette 2007; Urbano, Lima & Hanjalic 2019). Each measure
/// is compared separately.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = AFTER_LONG_HELP.as_str())]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    input: ScoresArgs,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten)]
    testing: ComparisonTestArgs,
    /// Print every pair, however many there are
    #[arg(long, help_heading = "Output")]
    pairs: bool,
    /// Draw the comparison to this file; a folder gets every figure of every measure
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    /// Kind of figure [default: forest with --baseline, mean-ranks with --like mirex, means for a
    /// test of means, else cd; matrix for more than 25 systems]
    #[arg(long, requires = "figure", help_heading = "Output", value_parser = named_value_parser::<ComparisonFigureKind>())]
    kind: Option<ComparisonFigureKind>,
    /// Print all settings with the result
    #[arg(long, help_heading = "Output")]
    details: bool,
    #[command(flatten)]
    show: ResultArgs,
}

const EXAMPLES: &str = "\
Examples:
  partita compare scores.csv
  partita evaluate --truth qrels.txt *.run --per-query -o scores.csv
  partita compare scores.csv --test t --baseline bm25
  partita compare scores.csv --like mirex --figure ranks.svg
  partita compare scores.csv --test wilcoxon --alpha 0.01 --format json
  partita compare scores.csv --test equivalence --margin 0.02
  partita compare scores.csv --figure figures/";

/// Help text with all tests and the examples.
static AFTER_LONG_HELP: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let tests = system_tests().map(|(test, _)| format!("  {:<17} {}\n", test.name, test.summary));
    format!("Tests:\n{}\n{EXAMPLES}", tests.collect::<String>())
});

/// Options of the test.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Test")]
struct ComparisonTestArgs {
    /// The test, such as t, wilcoxon or friedman-tukey; `--help` lists them [default: permutation]
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// Reproduce a published procedure. With `mirex` the best system has the highest mean rank,
    /// otherwise rank 1
    #[arg(long, value_name = "PROCEDURE", value_parser = named_value_parser::<ComparisonPreset>(),
        conflicts_with_all = ["test", "tails", "correct", "method", "zeros", "unrounded"])]
    like: Option<ComparisonPreset>,
    /// Significance level for the adjusted p-values [default: 0.05]
    #[arg(long, value_name = "LEVEL")]
    alpha: Option<f64>,
    /// Number of tails. 1 means two one-tailed tests per pair, each at --alpha; the error rate per
    /// pair is then up to twice alpha [default: 2]
    #[arg(long, value_name = "TAILS", value_parser = named_value_parser::<Tails>())]
    tails: Option<Tails>,
    /// Correction for the number of comparisons [default: holm; none for friedman-tukey and
    /// randomised-tukey, which include a correction]
    #[arg(long, value_name = "PROCEDURE", value_parser = named_value_parser::<Adjustment>())]
    correct: Option<Adjustment>,
    /// Compare every system only with this one: differences are system minus baseline; may be given
    /// several times
    #[arg(long, value_name = "SYSTEM")]
    baseline: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// permutation (of more than 20 queries), bootstrap, randomised-tukey: number of resamples
    /// [default: 100000, 10000, 100000; more if adjusted p-values need them, up
    /// to a bound on the work]
    #[arg(long, value_name = "N", alias = "samples")]
    resamples: Option<usize>,
    /// wilcoxon: how to treat differences of zero [default: wilcox]
    #[arg(long, value_name = "HOW", value_parser = named_value_parser::<ZeroMethod>())]
    zeros: Option<ZeroMethod>,
    /// wilcoxon: `exact` for the test wilcoxon-exact, `normal` for wilcoxon-normal
    #[arg(long, value_name = "LAW", value_parser = method_parser())]
    method: Option<SignedRankMethod>,
    /// Do not round before looking for ties. By default scores and differences are rounded to 12
    /// digits of the largest score, so that 0.3 - 0.2 equals 0.1; JSON has the number of ties that
    /// this makes
    #[arg(long)]
    unrounded: bool,
    /// sign: differences up to this size count as ties [default: 0]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// equivalence: differences of means smaller than this do not matter
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    margin: Option<f64>,
}

/// Creates the parser of the null distribution of the Wilcoxon test.
fn method_parser() -> impl TypedValueParser<Value = SignedRankMethod> {
    PossibleValuesParser::new(["auto", "exact", "normal"]).try_map(|name| name.parse())
}

impl ComparisonTestArgs {
    fn request(&self) -> Result<ComparisonRequest, CliError> {
        let alpha = self.alpha.map(|alpha| parse_alpha("--alpha", alpha));
        Ok(ComparisonRequest {
            test: self.test.clone(),
            like: self.like,
            alpha: alpha.transpose()?,
            tails: self.tails,
            correct: self.correct,
            baseline: self.baseline.clone(),
            seed: self.seed,
            resamples: self.resamples,
            zeros: self.zeros,
            method: self.method,
            unrounded: self.unrounded,
            threshold: self.threshold,
            margin: self.margin,
        })
    }
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), CliError> {
    let request = args.testing.request()?;
    if args
        .kind
        .is_some_and(|kind| kind != ComparisonFigureKind::Matrix)
        && !request.baseline.is_empty()
    {
        return Err(figure_error(&FigureError::NotAllPairs));
    }
    let source = Source::open(&args.input.scores)?;
    let reading = args.input.options();
    let compared = compare_scores(&request, &source, &reading, &args.work.workers());
    let compared = compared.map_err(|error| scores_error(source.name(), error))?;
    let (result, mut warnings) = (compared.result, compared.warnings);
    if let Some(place) = &args.figure {
        let like_mirex = args.testing.like == Some(ComparisonPreset::Mirex);
        let drawn = draw(&result.comparisons, args.kind, like_mirex, place)?;
        warnings.extend(drawn);
    }
    let view = ComparisonView {
        comparisons: &result.comparisons,
        all_pairs: args.pairs,
        with_settings: args.details,
        test_is_default: args.testing.test.is_none() && args.testing.like.is_none(),
    };
    args.show.print(&result, &view, warnings)
}

/// Converts the error of a comparison of the scores in this file.
fn scores_error(file: &str, error: ScoresJobError<ScoresComparisonError>) -> CliError {
    match error {
        ScoresJobError::Format(error) => error.into(),
        ScoresJobError::Job(ScoresComparisonError::Request(error)) => {
            comparison_error(&error, "", &[])
        }
        ScoresJobError::Job(ScoresComparisonError::Measure {
            measure,
            measures,
            systems,
            error,
        }) => {
            let failure = comparison_error(&error, &format!("{file}: {measure}"), &systems);
            match measures {
                1 => failure,
                _ => {
                    failure.with_default_hint("choose measures that can be compared with --measure")
                }
            }
        }
    }
}

/// Converts a comparison error and adds a hint if there is one.
fn comparison_error(error: &ComparisonError, place: &str, systems: &[String]) -> CliError {
    let plain = || CliError::input(error.to_string());
    let placed = || CliError::input(format!("{place}: {error}"));
    match error {
        ComparisonError::UnknownTest(unknown) => {
            plain().with_hint(format!("the tests are {}", unknown.known.join(", ")))
        }
        ComparisonError::UnknownBaseline { .. } => {
            placed().with_hint(format!("the systems are {}", list_names(systems, 20)))
        }
        ComparisonError::AlreadyCorrected { .. } => plain().with_hint("leave out --correct"),
        ComparisonError::NotOneTailed { .. } => plain().with_hint("leave out --tails"),
        ComparisonError::NoMargin => {
            plain().with_hint("give one with --margin, as in `--margin 0.02`")
        }
        ComparisonError::UnusedOption {
            option,
            test,
            tests,
        } => {
            let option = match *option {
                "tails" => "tails 1",
                other => other,
            };
            CliError::input(format!("--{option} has no effect with --test {test}"))
                .with_hint(format!("use it with --test {}", tests.join(", ")))
        }
        ComparisonError::OptionOfProcedure { .. }
        | ComparisonError::AlphaTooLarge { .. }
        | ComparisonError::Parameter { .. }
        | ComparisonError::Work(_) => plain(),
        ComparisonError::Stats(_)
        | ComparisonError::OneSystem { .. }
        | ComparisonError::FewQueries { .. }
        | ComparisonError::Constant { .. }
        | ComparisonError::TooLarge { .. } => placed(),
    }
}

/// Draws one figure, or all figures if the target is a folder. Figures that cannot be drawn in a
/// folder become warnings.
fn draw(
    comparisons: &[Comparison],
    kind: Option<ComparisonFigureKind>,
    like_mirex: bool,
    place: &FigureTarget,
) -> Result<Vec<Warning>, CliError> {
    if !place.is_folder() {
        let [comparison] = comparisons else {
            let message = format!(
                "a figure shows one measure, but there are {}",
                comparisons.len()
            );
            return Err(CliError::input(message).with_hint(
                "choose one with --measure, or name a folder, as in `--figure figures/`",
            ));
        };
        let kinds = ComparisonFigureKind::kinds_for(comparison);
        let mirex = kinds
            .iter()
            .find(|kind| like_mirex && **kind == ComparisonFigureKind::MeanRanks);
        let kind = kind.or(mirex.copied()).unwrap_or(kinds[0]);
        let figure = kind
            .draw(comparison)
            .map_err(|error| figure_error(&error))?;
        place.write([(kind.file_name().to_owned(), figure)])?;
        return Ok(Vec::new());
    }
    let (mut figures, mut warnings) = (Vec::new(), Vec::new());
    for comparison in comparisons {
        for one in kind.map_or_else(
            || ComparisonFigureKind::kinds_for(comparison),
            |kind| vec![kind],
        ) {
            let name = format!("{}-{}", comparison.measure, one.file_name());
            match one.draw(comparison) {
                Ok(figure) => figures.push((name, figure)),
                Err(error) => {
                    let problem = diagnostic!(NotDrawn { error }: "not drawn: {error}");
                    warnings.push(Warning::in_file(format!("{name}.svg"), problem));
                }
            }
        }
    }
    place.write(figures)?;
    Ok(warnings)
}

/// Converts a figure error and adds a hint if there is one.
fn figure_error(error: &FigureError) -> CliError {
    let failure = CliError::input(error.to_string());
    match error {
        FigureError::TooManySystems { kind, .. } => failure.with_hint(match kind {
            ComparisonFigureKind::Matrix | ComparisonFigureKind::Forest => {
                "compare fewer systems: leave columns out of the scores"
            }
            _ => "use `--kind matrix`, or `--baseline SYSTEM` to compare with one system",
        }),
        FigureError::NotAllPairs => {
            failure.with_hint("leave out --baseline, or use `--kind forest`")
        }
        FigureError::NoBaseline => failure.with_hint("give a system with --baseline"),
        FigureError::NoCriticalRanks(_) => {
            failure.with_hint("use `--like mirex`, or another --kind such as `cd`")
        }
        FigureError::EquivalenceTest
        | FigureError::BandLength { .. }
        | FigureError::NotDrawable { .. } => failure,
    }
}
