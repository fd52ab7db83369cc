//! `partita campaign agree`: comparison of answers with reference decisions.

use clap::{ArgGroup, Args};
use partita::formats::preferences::ColumnMap;
use partita::formats::{Source, Warning, diagnostic};
use partita::judging::campaign::JudgmentKind;
use partita::judging::{
    AnswerClass, DecisionRule, DescribedAnswers, ReferenceComparisonRequest, ReferenceJudgments,
    compare_with_reference,
};
use partita::truth::{Alpha, RankEvidence};

use super::answers::{AnswerSource, AnswersArgs};
use crate::args::evidence::{GivenOptions, campaign_option_error};
use crate::args::input::{TruthInputArgs, check_single_stdin};
use crate::args::preferences::parse_column_map;
use crate::args::rankings::{QueryArgs, RankingsArgs, parse_alpha};
use crate::output::error::CliError;
use crate::output::result::{ResultArgs, named_value_parser};

/// Compare decisions on pairs with a ground truth, answers or rankings
///
/// The reference is a ground truth, the answers of other people (or the same answers by another
/// rule), or rankings, whose pairs are decided by one-tailed Mann-Whitney tests in both directions.
/// The table counts the decisions of the reference (rows) against those of the answers (columns).
/// The score of a pair is 1 for the same decision, a half if one of the two is equal, and 0 for the
/// opposite (Urbano, Morato, Marrero and Martín 2010, Tables 3 to 6).
///
/// With --single or --by every answer counts instead of the decision on its pair, in one table for
/// each class of answers.
///
/// Answers of a campaign are decided by its own rule, answers in a file by --decide and --alpha.
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    group = ArgGroup::new("others").required(true).args(["against", "against_preferences", "rankings"]),
    mut_arg("rankings", |rankings| rankings
        .long("against-rankings")
        .short(None)
        .required(false)
        .help("Many people's rankings of the same items, or the log of a campaign"))
)]
pub(crate) struct AgreeArgs {
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    answers: AnswersArgs,
    #[command(flatten)]
    queries: QueryArgs,
    /// Significance level of the tests
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// Count every single answer instead of the decision on its pair
    #[arg(long)]
    single: bool,
    /// Count every single answer, in one table for each class
    #[arg(long, value_name = "CLASS", value_parser = named_value_parser::<AnswerClass>())]
    by: Option<AnswerClass>,
    #[command(flatten)]
    show: ResultArgs,
    /// A ground truth of the same items: an item of an earlier group is closer
    #[arg(long, value_name = "FILE", help_heading = "Others")]
    against: Option<String>,
    #[command(flatten, next_help_heading = "Others")]
    truth_reading: TruthInputArgs,
    /// Answers of other people, or the same answers with another rule
    #[arg(long, value_name = "FILE", help_heading = "Others")]
    against_preferences: Option<String>,
    /// Map of columns for --against-preferences [default: as --map]
    #[arg(
        long,
        value_name = "OURS=THEIRS,...",
        value_parser = parse_column_map,
        requires = "against_preferences",
        help_heading = "Others"
    )]
    against_map: Option<ColumnMap>,
    /// Rule that decides a pair from the votes in --against-preferences [default: as --decide]
    #[arg(
        long,
        value_name = "RULE",
        requires = "against_preferences",
        help_heading = "Others"
    )]
    against_decide: Option<DecisionRule>,
    #[command(flatten, next_help_heading = "Others")]
    rankings: RankingsArgs,
    /// Significance level of the tests of the reference [default: as --alpha]
    #[arg(long, value_name = "LEVEL", help_heading = "Others")]
    against_alpha: Option<f64>,
}

const AFTER_HELP: &str = "\
Examples:
  partita campaign agree campaign.jsonl --against experts.txt
  partita campaign agree -p answers.csv --against experts.txt
  partita campaign agree -p answers.csv --against-rankings r.csv --by background
  partita campaign agree -p crowd.csv --against-preferences experts.csv
  partita campaign agree -p a.csv --against-preferences a.csv \\
    --against-decide sign";

pub(crate) fn run(args: &AgreeArgs) -> Result<(), CliError> {
    let alpha = parse_alpha("--alpha", args.alpha)?;
    let against_alpha = args.against_alpha;
    let against_alpha = against_alpha.map(|level| parse_alpha("--against-alpha", level));
    let against_alpha = against_alpha.transpose()?;
    let ours = args.answers.name()?;
    check_single_stdin([
        Some(ours),
        args.against.as_deref(),
        args.against_preferences.as_deref(),
        args.rankings.is_standard_input().then_some("-"),
    ])?;
    let queries = &args.queries.query;
    let source = args.answers.open()?;
    let rule = match &source {
        AnswerSource::Table(_) => args.answers.file.rule(alpha),
        AnswerSource::Campaign {
            campaign,
            name,
            arguments,
        } => {
            if let Some(option) = args.given.find(&["decide", "alpha"]) {
                let kind = JudgmentKind::Preference;
                return Err(campaign_option_error(option, name, arguments, kind));
            }
            campaign.spec().settings.rule()
        }
    };
    let file = args.answers.read(&source, queries)?;
    let against_alpha = against_alpha.or(rule.alpha()).unwrap_or(alpha);
    let request = ReferenceComparisonRequest {
        rule,
        against_alpha,
        single: args.single,
        by: args.by,
    };
    let mut warnings = file.warnings;
    let (others, reference_warnings) = args.read_reference(rule, against_alpha)?;
    // Reading the same file twice gives the same warnings, which are shown once.
    let new = reference_warnings
        .into_iter()
        .filter(|warning| !warnings.contains(warning));
    let new: Vec<Warning> = new.collect();
    warnings.extend(new);
    let batches: Vec<String> = file.batches.into_iter().map(|batch| batch.name).collect();
    let answers = DescribedAnswers {
        preferences: &file.preferences,
        backgrounds: &file.backgrounds,
        batches: &batches,
    };
    let found = compare_with_reference(answers, &others, &request).map_err(|error| {
        CliError::input(format!("{ours}: {error}"))
            .with_hint("queries and items must have the same names in both")
    })?;
    if found.unknown_count() > 0 {
        let problem = diagnostic!(UnmatchedItems { counted = found.counted, count = found.unknown_count() }:
            "{counted} without a counterpart in the reference, not counted: {count}");
        warnings.push(Warning::in_file(ours, problem));
    }
    args.show.print(&found, &found, warnings)
}

impl AgreeArgs {
    /// Reads the reference judgments, with warnings about their files. Answers of other people are
    /// decided by our rule unless an option names another.
    fn read_reference(
        &self,
        ours: DecisionRule,
        alpha: Alpha,
    ) -> Result<(ReferenceJudgments, Vec<Warning>), CliError> {
        let queries = &self.queries.query;
        if let Some(file) = &self.against {
            let read = self.truth_reading.read(&Source::open(file)?)?;
            return Ok((ReferenceJudgments::from_truth(read.truth), read.warnings));
        }
        if let Some(name) = &self.against_preferences {
            let reading = &self.answers.file.reading;
            let read = match &self.against_map {
                Some(map) => reading.read_with_map(name, map.clone(), queries)?,
                None => reading.read(name, queries)?,
            };
            let rule = self.against_decide.unwrap_or(ours).with_alpha(alpha);
            return Ok((
                ReferenceJudgments::from_preferences(&read.preferences, rule),
                read.warnings,
            ));
        }
        let (queries, warnings) = self.rankings.read(queries)?;
        let reading = self.rankings.test_options();
        let tested = queries.into_iter().map(|query| {
            let evidence = RankEvidence::new(&query.rankings, alpha, reading);
            (query.name, query.rankings.items().clone(), evidence)
        });
        Ok((ReferenceJudgments::from_rankings(tested), warnings))
    }
}
