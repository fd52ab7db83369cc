//! `partita plan`: number of queries and assessors that an evaluation needs.

use clap::Args;
use partita::formats::Source;
use partita::plan::{
    BudgetGoal, Design, EffectDistribution, PlanError, PlanInputError, PlanRequest, VarianceChoice,
};
use partita::report::plan_figure;
use partita::{ScoresJobError, plan_scores};

use crate::args::scores::ScoresArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{ResultArgs, named_value_parser};

/// Plan an evaluation: how many queries, and how many judges
///
/// From the scores of an earlier evaluation, or of a pilot: how far its result would hold with
/// other queries (generalizability theory: the coefficients Eρ² of the order of systems and Φ of
/// their scores), how many queries a wanted coefficient needs, and how many the t-test needs to
/// find a difference (topic set size design). With `--money`, what a sum buys. Scores with a column
/// `judge` tell how many judges are needed as well.
#[derive(Clone, Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    input: ScoresArgs,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Target coefficients Eρ²: how well the order of systems holds with other queries
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',', default_values_t = [0.8, 0.9, 0.95], help_heading = "Coefficients")]
    erho2: Vec<f64>,
    /// Target coefficients Φ: how well the scores themselves hold [default: as --erho2]
    #[arg(
        long,
        value_name = "SHARE,...",
        value_delimiter = ',',
        help_heading = "Coefficients"
    )]
    phi: Vec<f64>,
    /// Confidence level of the intervals
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        help_heading = "Coefficients"
    )]
    confidence: f64,
    /// Interval method: `robust` widens intervals for heavy-tailed effects, `normal` assumes normal
    /// effects
    #[arg(long, alias = "intervals", value_parser = named_value_parser::<EffectDistribution>(), default_value = "robust", help_heading = "Coefficients")]
    interval_method: EffectDistribution,
    #[command(flatten)]
    judging: AssessorArgs,
    #[command(flatten)]
    test: PowerTestArgs,
    #[command(flatten)]
    money: BudgetArgs,
    /// Draw the coefficients against the number of queries, or against cost with --money
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    show: ResultArgs,
}

/// Options on the assessors.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Judges (scores with a column `judge`)")]
struct AssessorArgs {
    /// Numbers of judges per query to plan with [default: 1 to the number in the scores]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1000))]
    judges: Vec<u32>,
    /// Design: every judge judges every query (crossed), or every query has judges of its own
    /// (nested)
    #[arg(long, value_parser = named_value_parser::<Design>(), default_value = "crossed")]
    design: Design,
    /// Number of resamples of the variances for the intervals
    #[arg(long, value_name = "N", default_value_t = 10_000, alias = "replicates")]
    resamples: usize,
}

/// Options of the power analysis by t-test.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Topic set size for the t-test")]
struct PowerTestArgs {
    /// Differences between mean scores that the t-test should detect
    #[arg(long, value_name = "D,...", value_delimiter = ',')]
    difference: Vec<f64>,
    /// Significance level of the t-test, which is paired and two-sided
    #[arg(long, value_name = "LEVEL", default_value_t = 0.05)]
    alpha: f64,
    /// Power of the t-test: probability of detecting the difference
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, alias = "t-power")]
    power: f64,
    /// Variance of the differences between two systems: of a mean pair (twice the residual variance
    /// of the two-way analysis of variance), of the worst pair, or a number
    #[arg(long, value_name = "mean|largest|NUMBER", default_value = "mean")]
    variance: VarianceChoice,
}

/// Options of the budget.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Money")]
struct BudgetArgs {
    /// Budget, in any unit of money or time
    #[arg(long, value_name = "SUM", alias = "budget")]
    money: Option<f64>,
    /// Cost of one judgment, in the same unit
    #[arg(long, value_name = "COST", requires = "money")]
    cost_per_judgment: Option<f64>,
    /// Documents that a judge judges per query: the size of its pool
    #[arg(long, value_name = "N", requires = "money")]
    judgments_per_query: Option<f64>,
    /// Cost of a query in addition to its judgments
    #[arg(long, value_name = "COST", requires = "money")]
    cost_per_query: Option<f64>,
    /// Coefficient by which the best combination is chosen
    #[arg(long, value_parser = named_value_parser::<BudgetGoal>(), default_value = "erho2")]
    best: BudgetGoal,
}

const AFTER_HELP: &str = "\
Examples:
  partita plan scores.csv
  partita evaluate --truth qrels.txt *.run --per-query -o scores.csv
  partita plan scores.csv --measure AP --erho2 0.95 --difference 0.05
  partita plan scores.csv --money 2000 --cost-per-query 5
  partita plan scores-by-judge.csv --money 2000 \\
      --cost-per-judgment 0.1 --judgments-per-query 50";

impl PlanArgs {
    fn request(&self) -> PlanRequest {
        PlanRequest {
            erho2: self.erho2.clone(),
            phi: self.phi.clone(),
            confidence: self.confidence,
            effect_distribution: self.interval_method,
            judges: self.judging.judges.clone(),
            design: self.judging.design,
            replicates: self.judging.resamples,
            differences: self.test.difference.clone(),
            alpha: self.test.alpha,
            t_power: self.test.power,
            variance: self.test.variance,
            money: self.money.money,
            cost_per_judgment: self.money.cost_per_judgment,
            judgments_per_query: self.money.judgments_per_query,
            cost_per_query: self.money.cost_per_query,
            best: self.money.best,
            seed: self.seed,
        }
    }
}

pub(crate) fn run(args: &PlanArgs) -> Result<(), CliError> {
    let source = Source::open(&args.input.scores)?;
    let planned = plan_scores(&args.request(), &source, &args.input.options());
    let planned = planned.map_err(|error| match error {
        ScoresJobError::Format(error) => error.into(),
        ScoresJobError::Job(error) => plan_error(source.name(), &error),
    })?;
    let plan = planned.result;
    if let Some(place) = &args.figure {
        place.write([("plan".to_owned(), plan_figure(&plan))])?;
    }
    args.show.print(&plan, &plan, planned.warnings)
}

/// Converts a plan error, with the file concerned and a hint.
fn plan_error(file: &str, error: &PlanError) -> CliError {
    let failure = CliError::input(format!("{file}: {error}"));
    let own = || CliError::input(error.to_string());
    match error {
        PlanError::Input(PlanInputError::TooFew { what, .. }) => failure.with_hint(match *what {
            "systems" => "give the scores of several systems",
            "queries" => "the variance between queries cannot be estimated from so few",
            _ => "the variance between judges cannot be estimated from one: leave out the column `judge`",
        }),
        PlanError::Input(PlanInputError::Constant { .. } | PlanInputError::NoResidual { .. }) => {
            failure.with_hint("the scores do not vary, so the effect of more queries cannot be estimated")
        }
        PlanError::Input(PlanInputError::OutOfRange {
            what,
            expected,
            found,
        }) => {
            let option = option_name(what);
            let failure = CliError::input(format!("{option} must be {expected}, not {found}"));
            if option == "--difference" {
                failure.with_hint("give a --difference above 0")
            } else {
                failure
            }
        }
        PlanError::NoAssessors => {
            failure.with_hint("scores by each judge have the header `system,query,judge,measure,value`")
        }
        PlanError::LargestVarianceByAssessor => own()
            .with_hint("--variance largest needs scores without a column `judge`; use --variance mean, or a number"),
        PlanError::NoCosts => CliError::input("--money needs prices").with_hint(
            "give --cost-per-query, or --cost-per-judgment with --judgments-per-query",
        ),
        PlanError::NoPoolSize => {
            CliError::input("--cost-per-judgment needs --judgments-per-query").with_hint(
                "it is the size of a query's pool: at most the number of systems times the cut-off",
            )
        }
        PlanError::NoJudgmentCost => {
            CliError::input("--judgments-per-query needs --cost-per-judgment")
                .with_hint("it is the cost of one judgment")
        }
        PlanError::Costs(_) | PlanError::CostsWithoutBudget => own(),
        PlanError::BudgetTooSmall { .. } => {
            own().with_hint("raise --money, judge fewer documents, or ask fewer judges")
        }
    }
}

/// Returns the command-line option that sets the value described by `what` in a plan error.
fn option_name(what: &str) -> &str {
    match what {
        "a wanted Eρ²" => "--erho2",
        "a wanted Φ" => "--phi",
        "a confidence" => "--confidence",
        "the level of the t-test" => "--alpha",
        "the power of the t-test" => "--power",
        "a difference" => "--difference",
        "a variance" => "--variance",
        "a budget" => "--money",
        "the number of replicates" => "--resamples",
        other => other,
    }
}
