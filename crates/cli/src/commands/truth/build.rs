//! `partita truth build`: ground truths from judgments.

use clap::{ArgGroup, Args};
use partita::formats::preferences::PreferencesFile;
use partita::formats::{Diagnostic, DiagnosticCode, Warning};
use partita::judging::campaign::CampaignEvidence;
use partita::judging::{
    Grades, GroupingRule, ListBuildNote, ListMethod, PreferenceListsRequest, build_preference_lists,
};
use partita::report::{PreferenceListsView, RankingListsView};
use partita::truth::{Aggregation, Alpha, BuildOptions, Recipe, build};
use partita::{AssessorRankings, Evidence, campaign_evidence, unsettled_lists_warning};

use crate::args::evidence::{EvidenceArgs, GivenOptions, GradesArgs};
use crate::args::preferences::{PreferencesArgs, PriceArgs};
use crate::args::rankings::{QueryArgs, RankingsArgs, by_query, parse_alpha};
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::ground_truth::ListOutputArgs;
use crate::output::result::named_value_parser;

/// Build ground truths from rankings, preferences, grades or a campaign
///
/// What a file holds is recognised. --rankings, --preferences or --grades say it where it is not
/// clear.
///
/// From rankings: items are sorted by median rank, then by mean rank. In that order, each item
/// joins the current group or opens the next, as Mann-Whitney tests of the ranks decide (Urbano,
/// Marrero, Martín and Lloréns, ISMIR 2010). The order inside a group is kept.
///
/// From preferences: the votes on each pair decide it, and the self-organising sort that asked for
/// the pairs is repeated (Urbano, Morato, Marrero and Martín, 2010). If the answers are compatible
/// with several lists, --details prints them all.
///
/// From grades: the gain of an item is the median of its broad grades or the mean of its fine grades.
///
/// From the log of a campaign: the lists that the campaign has now, by its own rule and strategy and
/// without excluded people. They are those that `partita campaign export` writes.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("judgments")
        .required(true)
        .args(["files", "rankings", "preferences", "grades"]),
    mut_arg("rankings", |rankings| rankings.required(false))
)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    given: GivenOptions,
    /// Rankings, preferences or grades by several assessors, or the log of a campaign; `-` is
    /// standard input. Rankings may be in several files
    #[arg(value_name = "FILE")]
    files: Vec<String>,
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
    #[arg(long, alias = "by", value_parser = named_value_parser::<ListMethod>(), default_value_t = ListMethod::Sort, help_heading = "From preferences")]
    strategy: ListMethod,
    /// Smallest mean vote that separates two items in a model-based list, in standard deviations of
    /// a vote
    #[arg(long, value_name = "SPREADS", default_value_t = GroupingRule::DEFAULT_MATTERS, help_heading = "From preferences")]
    matters: f64,
    #[command(flatten, next_help_heading = "From grades")]
    grades: GradesArgs,
    #[command(flatten)]
    price: PriceArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth build rankings.csv
  partita truth build campaign.jsonl --format qrels
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
    let settings = args.settings()?;
    args.lists.check(args.details)?;
    let read = args.evidence().read()?;
    let (name, warnings) = (&read.name, read.warnings);
    match &read.evidence {
        Evidence::Rankings(file) => {
            args.build_rankings(name, &by_query(&file.queries), &settings, warnings)
        }
        Evidence::Preferences(file) => args.build_preferences(name, file, &settings, warnings),
        Evidence::Grades(grades) => args.build_grades(grades, warnings),
        Evidence::Campaign { campaign, kind } => {
            let evidence = campaign_evidence(name, campaign, *kind, &args.queries.query)?;
            args.build_campaign(name, &evidence, warnings)
        }
    }
}

impl BuildArgs {
    fn evidence(&self) -> EvidenceArgs<'_> {
        EvidenceArgs {
            given: &self.given,
            files: &self.files,
            queries: &self.queries,
            rankings: &self.rankings,
            preferences: &self.preferences,
            grades: &self.grades,
            not_for_logs: &["alpha", "seed"],
        }
    }

    fn build_rankings(
        &self,
        name: &str,
        queries: &[(&str, &AssessorRankings)],
        settings: &BuildOptions,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let details = self.details;
        let result = build(queries, settings, details, &self.work.workers())?;
        warnings.extend(result.chance_agreement().map(|note| {
            let problem = Diagnostic::new(DiagnosticCode::OddRankings, note.to_string());
            Warning::in_file(name, problem)
        }));
        let view = RankingListsView {
            result: &result,
            details,
        };
        (self.lists).print(&result.truth, (&result, details), &view, warnings)
    }

    fn build_preferences(
        &self,
        name: &str,
        file: &PreferencesFile,
        settings: &BuildOptions,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let details = self.details;
        let request = self.request(file, settings.recipe.alpha)?;
        let result = build_preference_lists(&request, &self.work.workers())?;
        let notes = result.notes().into_iter();
        warnings.extend(notes.filter_map(|note| note_warning(name, &note, details)));
        let view = PreferenceListsView {
            result: &result,
            details,
        };
        (self.lists).print(&result.truth, (&result, details), &view, warnings)
    }

    fn build_grades(&self, grades: &Grades, warnings: Vec<Warning>) -> Result<(), CliError> {
        let result = grades.build(self.grades.scale);
        let (details, items) = (self.details, &result.items);
        (self.lists).print_gains(&result.truth, (&result, details), items, warnings)
    }

    /// Prints the lists that a campaign makes of its judgments.
    fn build_campaign(
        &self,
        name: &str,
        evidence: &CampaignEvidence,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        match evidence {
            CampaignEvidence::Lists(lists) => {
                warnings.extend(unsettled_lists_warning(evidence, "written"));
                let truth = lists.ground_truth();
                (self.lists).print(&truth, (&**lists, self.details), &**lists, warnings)
            }
            CampaignEvidence::Rankings(rankings) => {
                let queries = rankings.iter();
                let queries: Vec<(&str, &AssessorRankings)> = queries
                    .map(|(query, ranks)| (query.as_str(), ranks))
                    .collect();
                self.build_rankings(name, &queries, &BuildOptions::default(), warnings)
            }
            CampaignEvidence::Grades(grades) => self.build_grades(grades, warnings),
        }
    }
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
