//! `partita truth build`: ground truths from rankings or preferences.

use clap::Args;
use partita::formats::preferences::PreferencesFile;
use partita::formats::{Diagnostic, DiagnosticCode, Warning};
use partita::judging::{
    GroupingRule, ListBuildNote, ListMethod, PreferenceListsRequest, build_preference_lists,
};
use partita::report::{PreferenceListsView, RankingListsView};
use partita::truth::{Aggregation, Alpha, BuildOptions, Recipe, build};

use crate::args::preferences::{PreferencesArgs, PriceArgs};
use crate::args::rankings::{QueryArgs, RankingsArgs, by_query, parse_alpha};
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::ground_truth::ListOutputArgs;
use crate::output::result::named_value_parser;

/// Build ground truths from rankings or preferences
///
/// From rankings: items are sorted by median rank, then by mean rank. In that order, each item
/// joins the current group or opens the next, as Mann-Whitney tests of the ranks decide (Urbano,
/// Marrero, Martín and Lloréns, ISMIR 2010). The order inside a group is kept.
///
/// From preferences: the votes on each pair decide it, and the self-organising sort that asked for
/// the pairs is repeated (Urbano, Morato, Marrero and Martín, 2010). If the answers are compatible
/// with several lists, --details prints them all.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("rankings", |rankings| rankings
        .required(false)
        .required_unless_present("preferences")
        .conflicts_with("preferences"))
)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    queries: QueryArgs,
    /// Random seed: for the order of a sort, or one of several lists
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
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
    /// Significance level of the tests that measure the consistency of the lists, with --details
    /// [default: as --alpha]
    #[arg(long, value_name = "LEVEL", help_heading = "Levels")]
    check_alpha: Option<f64>,
    /// Show how every decision was made
    #[arg(long, help_heading = "Output")]
    details: bool,
    #[command(flatten)]
    lists: ListOutputArgs,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten, next_help_heading = "From rankings")]
    rankings: RankingsArgs,
    /// Rule by which an item opens a group: it differs from all items of the current group, from
    /// any of them, or from the previous one; by a 1-tailed or a 2-tailed test
    #[arg(long, value_name = "FUNCTION", value_parser = named_value_parser::<Aggregation>(), default_value_t, help_heading = "From rankings")]
    aggregate: Aggregation,
    #[command(flatten, next_help_heading = "From preferences")]
    preferences: PreferencesArgs,
    /// How answers make a list: by the sort for which they were asked, or by one model of all votes
    /// and the reliability of the assessors
    #[arg(long, alias = "by", value_parser = named_value_parser::<ListMethod>(), default_value_t = ListMethod::Sort, conflicts_with = "rankings", help_heading = "From preferences")]
    strategy: ListMethod,
    /// Smallest mean vote that separates two items in a model-based list, in standard deviations of
    /// a vote
    #[arg(long, value_name = "SPREADS", default_value_t = GroupingRule::DEFAULT_MATTERS, conflicts_with = "rankings", help_heading = "From preferences")]
    matters: f64,
    #[command(flatten)]
    price: PriceArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth build --rankings rankings.csv
  partita truth build --rankings skating/*.toc --aggregate all-2 --format json
  partita truth build --rankings matrix.csv --query q7 --alpha 0.1 --details
  partita truth build --preferences answers.csv --decide margin:2
  partita truth build --preferences answers.csv --strategy pooled --details
  partita truth build --preferences turk.csv --map mturk --details";

impl BuildArgs {
    fn settings(&self) -> Result<BuildOptions, CliError> {
        Ok(BuildOptions {
            recipe: Recipe {
                aggregation: self.aggregate,
                alpha: parse_alpha("--alpha", self.alpha)?,
                reading: self.rankings.test_options(),
            },
            check_alpha: parse_alpha("--check-alpha", self.check_alpha.unwrap_or(self.alpha))?,
        })
    }

    fn request<'a>(
        &self,
        read: &'a PreferencesFile,
        alpha: Alpha,
    ) -> Result<PreferenceListsRequest<'a>, CliError> {
        Ok(PreferenceListsRequest {
            preferences: &read.preferences,
            batches: &read.batches,
            price: self.price.price()?,
            rule: self.preferences.rule(alpha),
            by: self.strategy,
            grouping: GroupingRule::with_matters(self.matters)?,
            seed: self.seed,
        })
    }
}

pub(crate) fn run(args: &BuildArgs) -> Result<(), CliError> {
    let (settings, details, work) = (args.settings()?, args.details, args.work.workers());
    args.lists.check(details)?;
    if let Some(file) = &args.preferences.preferences {
        let read = args.preferences.read(file, &args.queries.query)?;
        let result = build_preference_lists(&args.request(&read, settings.recipe.alpha)?, &work)?;
        let notes = result.notes().into_iter();
        let warnings = notes.filter_map(|note| note_warning(file, &note, details));
        let warnings = read.warnings.into_iter().chain(warnings).collect();
        let view = PreferenceListsView {
            result: &result,
            details,
        };
        return (args.lists).print(&result.truth, (&result, details), &view, warnings);
    }
    let (queries, warnings) = args.rankings.read(&args.queries.query)?;
    let result = build(&by_query(&queries), &settings, details, &work)?;
    let view = RankingListsView {
        result: &result,
        details,
    };
    (args.lists).print(&result.truth, (&result, details), &view, warnings)
}

/// Converts a note on lists to a warning, unless the details already show it.
fn note_warning(file: &str, note: &ListBuildNote, details: bool) -> Option<Warning> {
    let more = match note {
        ListBuildNote::SeveralLists { .. } if details => return None,
        ListBuildNote::SeveralLists { .. } => "; `--details` shows them all",
        ListBuildNote::Unfinished(_) | ListBuildNote::NotASortRecord { .. } => "",
    };
    let problem = Diagnostic::new(DiagnosticCode::OpenLists, format!("{note}{more}"));
    Some(Warning::in_file(file, problem))
}
