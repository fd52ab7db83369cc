//! `partita truth check`: agreement of ground truths with the judgments behind them.

use clap::{ArgGroup, Args};
use partita::formats::rankings::QueryRankings;
use partita::formats::{Diagnostic, DiagnosticCode, Source, Warning};
use partita::judging::campaign::{
    AssessorFilter, Campaign, CampaignEvidence, GradeScale, JudgmentKind,
};
use partita::judging::{
    DecisionRule, Grades, PreferenceCheckRequest, check_grades, check_preferences,
    check_strategy_lists,
};
use partita::report::{TruthCheckView, preference_list_figure, ranking_list_figure};
use partita::truth::{
    Aggregation, IntransitiveTriples, PanelBootstrapRequest, Recipe, Tails, TruthCheckError,
    TruthCheckNote, TruthCheckRequest, check,
};
use partita::{Evidence, GroundTruth, Preferences, campaign_evidence, unsettled_lists_warning};

use super::scored_runs::ScoredRunArgs;
use crate::args::evidence::{EvidenceArgs, GivenOptions, GradesArgs, NamedEvidence};
use crate::args::input::{TruthInputArgs, check_single_stdin};
use crate::args::preferences::PreferencesArgs;
use crate::args::rankings::{QueryArgs, RankingsArgs, by_query, campaign_rankings, parse_alpha};
use crate::args::threads::ThreadArgs;
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::{ResultArgs, named_value_parser};

/// Check ground truths against the judgments behind them
///
/// What a file holds is recognised. --rankings, --preferences or --grades say it where it is not
/// clear. The log of a campaign stands for its judgments, its decision rule and its lists.
///
/// From rankings: measures the consistency of every list (ADR-1 and ADR-2). Finds every pair of
/// items in the same group that differ, every pair in different groups that do not, every pair in
/// the wrong order, and every triple for which the tests contradict each other (Urbano, Marrero,
/// Martín and Lloréns, ISMIR 2010). Kendall's W measures the agreement of the assessors.
///
/// From preferences: finds the same by the decisions on the compared pairs, and counts the pairs
/// that nobody compared. --bootstrap resamples the assessors, each with all their answers, and
/// sorts the lists again: this gives the probability that other people decide a pair, or place an
/// item, in each way. In simulated campaigns like the published one, 95% intervals held the group
/// of an item in the list of other people in 96% to 99% of cases.
///
/// From grades: two grades by one person are a vote for the item with the higher one.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("judgments")
        .required(true)
        .args(["files", "rankings", "preferences", "grades"]),
    mut_arg("rankings", |rankings| rankings.required(false))
)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    given: GivenOptions,
    /// Rankings, preferences or grades by several assessors, or the log of a campaign; `-` is
    /// standard input. Rankings may be in several files
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Ground truth to check [default: the lists that the judgments make, or those of the campaign]
    #[arg(long, short, value_name = "FILE")]
    truth: Option<String>,
    #[command(flatten)]
    queries: QueryArgs,
    /// Significance level of the tests that check the lists (in `truth build` and `truth study`,
    /// --alpha is for building)
    #[arg(
        long,
        visible_alias = "check-alpha",
        value_name = "LEVEL",
        default_value_t = 0.25,
        help_heading = "Tests"
    )]
    alpha: f64,
    /// 1: items differ by either of the 1-tailed tests, as in ADR-1. 2: by the 2-tailed test, as in
    /// ADR-2
    #[arg(long, value_parser = named_value_parser::<Tails>(), default_value_t = Tails::One, help_heading = "Tests")]
    tails: Tails,
    /// Print every inconsistent pair and triple; JSON always has every pair and the 500 worst
    /// triples
    #[arg(long, help_heading = "Output")]
    pairs: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Draw the list: groups as boxes, ranks as box plots or answers as bars, inconsistent pairs as
    /// arcs; a folder gets a figure of every list
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    figure: Option<FigureTarget>,
    #[command(flatten)]
    show: ResultArgs,
    #[command(flatten)]
    work: ThreadArgs,
    #[command(flatten, next_help_heading = "From rankings")]
    rankings: RankingsArgs,
    /// Function that builds the lists, if no ground truth is given
    #[arg(long, value_name = "FUNCTION", value_parser = named_value_parser::<Aggregation>(), default_value_t, help_heading = "From rankings")]
    aggregate: Aggregation,
    /// Significance level of the tests by which --aggregate builds lists [default: as --alpha]
    #[arg(long, value_name = "LEVEL", help_heading = "Tests")]
    build_alpha: Option<f64>,
    #[command(flatten, next_help_heading = "From preferences")]
    preferences: PreferencesArgs,
    #[command(flatten, next_help_heading = "From grades")]
    grades: GradesArgs,
    #[command(flatten, next_help_heading = "Ground truth")]
    truth_reading: TruthInputArgs,
    /// Resample the assessors this many times [default: --resamples] to measure how reliable the
    /// lists of --aggregate are
    #[arg(long, value_name = "N", num_args = 0..=1, help_heading = "Bootstrap")]
    bootstrap: Option<Option<usize>>,
    /// Number of resamples of the assessors
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        help_heading = "Bootstrap"
    )]
    resamples: usize,
    /// Confidence level of the intervals
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.95,
        requires = "bootstrap",
        help_heading = "Bootstrap"
    )]
    confidence: f64,
    /// Treat assessors of the same name as one person on all queries, and resample all their
    /// rankings together
    #[arg(long, requires = "bootstrap", help_heading = "Bootstrap")]
    shared_assessors: bool,
    #[command(flatten, next_help_heading = "Bootstrap")]
    systems: ScoredRunArgs,
}

const AFTER_HELP: &str = "\
Examples:
  partita truth check rankings.csv
  partita truth check campaign.jsonl --pairs
  partita truth check --truth truth.csv --rankings rankings.csv
  partita truth check --truth truth.csv --rankings rankings.csv --pairs --exact
  partita truth check --rankings skating/*.toc --aggregate all-2 --tails 2
  partita truth check --rankings rankings.csv --bootstrap --run a.run b.run
  partita truth check --rankings rankings.csv --figure figures/
  partita truth check --truth truth.csv --preferences answers.csv --pairs
  partita truth check --preferences answers.csv --bootstrap --resamples 2000";

impl CheckArgs {
    /// Returns an error for options that contradict each other.
    fn validate(&self) -> Result<(), CliError> {
        if self.replicates() == Some(0) {
            return Err(CliError::input("--resamples must be at least 1"));
        }
        if self.bootstrap.is_none() && !self.systems.is_empty() {
            return Err(CliError::input("--run is for --bootstrap only")
                .with_hint("`partita truth build` and `partita evaluate` score runs"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            let found = self.confidence;
            let message = format!("--confidence must be between 0 and 1, not {found}");
            return Err(CliError::input(message));
        }
        check_single_stdin([
            self.truth.as_deref(),
            self.evidence().is_standard_input().then_some("-"),
            self.systems.is_standard_input().then_some("-"),
        ])
    }

    /// Reads the ground truth and returns it with its name.
    fn read_truth(
        &self,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<(String, GroundTruth)>, CliError> {
        let Some(file) = &self.truth else {
            return Ok(None);
        };
        let source = Source::open(file)?;
        let read = self.truth_reading.read(&source)?;
        warnings.extend(read.warnings);
        Ok(Some((source.name().to_owned(), read.truth)))
    }

    /// Returns the number of bootstrap replicates, if requested.
    fn replicates(&self) -> Option<usize> {
        self.bootstrap.map(|draws| draws.unwrap_or(self.resamples))
    }

    /// Returns the maximum number of listed intransitive triples per list.
    fn max_triples(&self) -> usize {
        if self.pairs {
            usize::MAX
        } else {
            IntransitiveTriples::MAX_LISTED
        }
    }
}

/// Origin of the lists that votes make.
#[derive(Clone, Copy)]
enum ListOrigin<'a> {
    /// The sort that asked for the votes is repeated.
    Record,
    /// The votes follow from grades, which make the lists.
    Grades(&'a Grades, GradeScale),
    /// The strategy of the campaign makes the lists.
    Campaign(&'a Campaign),
}

/// Returns the notes of a check as warnings, each with the file concerned.
fn note_warnings<'a>(
    notes: &'a [TruthCheckNote],
    truth: &'a str,
    answers: &'a str,
) -> impl Iterator<Item = Warning> + 'a {
    notes.iter().map(move |note| {
        let (file, code) = match note {
            TruthCheckNote::IncompleteSortRecord(_) => (answers, DiagnosticCode::OpenLists),
            TruthCheckNote::ChanceAgreement(_) => (answers, DiagnosticCode::OddRankings),
            TruthCheckNote::FewAssessors(_) | TruthCheckNote::UnvariedLists(_) => {
                (answers, DiagnosticCode::TooLittle)
            }
            TruthCheckNote::ListsNotRebuilt(..) => (truth, DiagnosticCode::OpenLists),
            TruthCheckNote::QueriesWithoutJudgments(..)
            | TruthCheckNote::QueriesWithoutList(..) => (truth, DiagnosticCode::UnmatchedQueries),
            TruthCheckNote::ItemsOutsideList(_) | TruthCheckNote::UncomparedItems(_) => {
                (truth, DiagnosticCode::UnmatchedItems)
            }
        };
        Warning::in_file(file, Diagnostic::new(code, note.to_string()))
    })
}

/// Converts a check error, with the file of the ground truth.
fn check_error(error: TruthCheckError, file: &str) -> CliError {
    let hint = match &error {
        TruthCheckError::Work(stopped) => return (*stopped).into(),
        TruthCheckError::NoCommonQuery {
            judgments: "rankings",
            ..
        } => "the query of a matrix or PrefLib file is the file name, or `--query`",
        TruthCheckError::NoCommonQuery { .. } => "queries must have the same names in both",
        TruthCheckError::UnknownItems { .. } => {
            "items must have the same names in the ground truth and the rankings"
        }
    };
    CliError::input(format!("{file}: {error}")).with_hint(hint)
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), CliError> {
    args.validate()?;
    let alpha = parse_alpha("--alpha", args.alpha)?;
    let recipe = Recipe {
        aggregation: args.aggregate,
        alpha: parse_alpha("--build-alpha", args.build_alpha.unwrap_or(args.alpha))?,
        reading: args.rankings.test_options(),
    };
    let NamedEvidence {
        name,
        evidence,
        mut warnings,
    } = args.evidence().read()?;
    let truth = args.read_truth(&mut warnings)?;
    let truth = truth.as_ref().map(|(name, truth)| (name.as_str(), truth));
    match evidence {
        Evidence::Rankings(file) => args.check_rankings(&file.queries, truth, recipe, warnings),
        Evidence::Preferences(file) => {
            let rule = args.preferences.rule(alpha);
            let votes = (&file.preferences, ListOrigin::Record);
            args.check_votes(&name, votes, truth, rule, warnings)
        }
        Evidence::Grades(grades) => {
            let rule = args.preferences.rule(alpha);
            args.check_grades(&name, &grades, truth, rule, warnings)
        }
        Evidence::Campaign { campaign, kind } => {
            args.check_campaign(&name, (&campaign, kind), truth, warnings)
        }
    }
}

impl CheckArgs {
    fn evidence(&self) -> EvidenceArgs<'_> {
        EvidenceArgs {
            given: &self.given,
            files: &self.files,
            queries: &self.queries,
            rankings: &self.rankings,
            preferences: &self.preferences,
            grades: &self.grades,
            not_for_logs: &[],
        }
    }

    fn check_rankings(
        &self,
        rankings: &[QueryRankings],
        truth: Option<(&str, &GroundTruth)>,
        recipe: Recipe,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let queries = by_query(rankings);
        let systems = self.systems.read(&queries, &recipe, &mut warnings)?;
        let request = TruthCheckRequest {
            queries: &queries,
            truth,
            recipe,
            alpha: parse_alpha("--alpha", self.alpha)?,
            tails: self.tails,
            max_triples: self.max_triples(),
            bootstrap: self.replicates().map(|replicates| PanelBootstrapRequest {
                replicates,
                seed: self.seed,
                confidence: self.confidence,
                shared_assessors: self.shared_assessors,
                systems: &systems,
            }),
        };
        let file = truth.map_or("", |(name, _)| name);
        let result =
            check(&request, &self.work.workers()).map_err(|error| check_error(error, file))?;
        let answers = rankings.first().map_or("", |query| &query.file);
        warnings.extend(note_warnings(&result.notes, file, answers));
        if let Some(place) = &self.figure {
            place.write_one_per_list(result.lists.iter().map(|list| {
                let mut known = rankings.iter().filter(|known| known.name == list.query);
                let known = known.next().expect("lists are of queries that were ranked");
                let figure = ranking_list_figure(&known.rankings, list, &result);
                (list.query.clone(), figure)
            }))?;
        }
        let view = TruthCheckView::from_rankings(&result, self.pairs);
        self.show.print(&result, &view, warnings)
    }

    /// Checks lists against the votes in the file `name`, which make lists in this way.
    fn check_votes(
        &self,
        name: &str,
        (preferences, origin): (&Preferences, ListOrigin<'_>),
        truth: Option<(&str, &GroundTruth)>,
        rule: DecisionRule,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        if !self.systems.is_empty() {
            return Err(CliError::input("--run is for --rankings only"));
        }
        let request = PreferenceCheckRequest {
            preferences,
            truth,
            rule,
            seed: self.seed,
            triples: self.max_triples(),
            bootstrap: (self.replicates()).map(|replicates| (replicates, self.confidence)),
        };
        let file = truth.map_or("", |(name, _)| name);
        let work = self.work.workers();
        let result = match origin {
            ListOrigin::Record => check_preferences(&request, &work),
            ListOrigin::Grades(grades, scale) => check_grades(&request, (grades, scale), &work),
            ListOrigin::Campaign(campaign) => {
                check_strategy_lists(&request, &campaign.strategy_lists(), &work)
            }
        };
        let result = result.map_err(|error| check_error(error, file))?;
        warnings.extend(note_warnings(&result.notes, file, name));
        if let Some(place) = &self.figure {
            place.write_one_per_list(result.lists.iter().map(|list| {
                let mut known = preferences.queries().iter();
                let known = known.find(|known| known.name() == list.query);
                let known = known.expect("lists are of queries that were answered");
                let figure = preference_list_figure(known, list, &result);
                (list.query.clone(), figure)
            }))?;
        }
        let view = TruthCheckView::from_preferences(&result, self.pairs);
        self.show.print(&result, &view, warnings)
    }

    /// Checks lists against grades: two grades by one assessor are a vote.
    fn check_grades(
        &self,
        name: &str,
        grades: &Grades,
        truth: Option<(&str, &GroundTruth)>,
        rule: DecisionRule,
        warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let scale = self.grades.scale.unwrap_or_else(|| grades.usual_scale());
        let preferences = grades.preferences(scale);
        let graded = (&preferences, ListOrigin::Grades(grades, scale));
        self.check_votes(name, graded, truth, rule, warnings)
    }

    /// Checks the lists of a campaign, or those of a ground truth, against its judgments.
    fn check_campaign(
        &self,
        name: &str,
        (campaign, kind): (&Campaign, Option<JudgmentKind>),
        truth: Option<(&str, &GroundTruth)>,
        mut warnings: Vec<Warning>,
    ) -> Result<(), CliError> {
        let (queries, rule) = (&self.queries.query, campaign.spec().settings.rule());
        let evidence = campaign_evidence(name, campaign, kind, queries)?;
        if truth.is_none() {
            warnings.extend(unsettled_lists_warning(&evidence, "checked"));
        }
        match evidence {
            CampaignEvidence::Lists(lists) => {
                let answers = campaign.preferences(AssessorFilter::NotExcluded, queries)?;
                let file = partita::preferences_from_log(name, answers)
                    .map_err(|error| CliError::input(error.to_string()))?;
                warnings.extend(file.warnings);
                let own = lists.ground_truth();
                let truth = truth.unwrap_or((name, &own));
                let votes = (&file.preferences, ListOrigin::Campaign(campaign));
                self.check_votes(name, votes, Some(truth), rule, warnings)
            }
            CampaignEvidence::Rankings(rankings) => {
                let rankings = campaign_rankings(name, rankings);
                self.check_rankings(&rankings, truth, Recipe::default(), warnings)
            }
            CampaignEvidence::Grades(grades) => {
                self.check_grades(name, &grades, truth, rule, warnings)
            }
        }
    }
}
