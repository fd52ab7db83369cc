//! `partita truth study`: comparison of the six aggregation functions.

use clap::Args;
use partita::report::{AggregationStudyView, BoxPlots, box_plot_figure};
use partita::truth::{AggregationStudyOptions, Recipe, study_aggregations};

use super::scored_runs::ScoredRunArgs;
use crate::args::input::check_single_stdin;
use crate::args::rankings::{QueryArgs, RankingsArgs, by_query, parse_alpha};
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;

/// Compare the six ways to build lists from rankings
///
/// Builds all lists by each of the six aggregation functions, and measures their consistency and
/// the size of their groups (Urbano, Marrero, Martín and Lloréns, ISMIR 2010, Table 3). With runs,
/// also scores every system against the lists of every function (Table 4).
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StudyArgs {
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten, next_help_heading = "Rankings")]
    rankings: RankingsArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// Significance level of the tests that build the lists (in `truth check`, --alpha is for
    /// checking)
    #[arg(
        long,
        visible_alias = "build-alpha",
        value_name = "LEVEL",
        default_value_t = 0.25,
        help_heading = "Levels"
    )]
    alpha: f64,
    /// Significance level of the tests that measure consistency [default: as --alpha]
    #[arg(long, value_name = "LEVEL", help_heading = "Levels")]
    check_alpha: Option<f64>,
    /// Also print every list
    #[arg(long, help_heading = "Output")]
    per_query: bool,
    /// Draw notched box plots of consistency and of items per group, by function
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    show: ResultArgs,
    #[command(flatten, next_help_heading = "Systems")]
    systems: ScoredRunArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth study --rankings rankings.csv
  partita truth study --rankings skating/*.toc --per-query --format csv
  partita truth study --rankings rankings.csv --run runs/*.run --format latex";

pub(crate) fn run(args: &StudyArgs) -> Result<(), CliError> {
    let settings = AggregationStudyOptions {
        alpha: parse_alpha("--alpha", args.alpha)?,
        check_alpha: parse_alpha("--check-alpha", args.check_alpha.unwrap_or(args.alpha))?,
        reading: args.rankings.test_options(),
    };
    let inputs = [
        args.rankings.is_standard_input(),
        args.systems.is_standard_input(),
    ];
    check_single_stdin(inputs.map(|input| input.then_some("-")))?;
    let (read, mut warnings) = args.rankings.read(&args.queries.query)?;
    let queries = by_query(&read);
    let recipe = Recipe {
        alpha: settings.alpha,
        reading: settings.reading,
        ..Recipe::default()
    };
    let systems = args.systems.read(&queries, &recipe, &mut warnings)?;
    let result = study_aggregations(&queries, &settings, &systems, &args.work.workers())?;
    if let Some(place) = &args.figure {
        let figure = box_plot_figure(&BoxPlots::from_study(&result));
        place.write([("consistency".to_owned(), figure)])?;
    }
    let view = AggregationStudyView {
        result: &result,
        per_query: args.per_query,
    };
    args.show.print(&result, &view, warnings)
}
