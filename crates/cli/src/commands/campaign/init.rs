//! `partita campaign init`: creation of a campaign.

use std::path::Path;

use clap::Args;
use partita::FileStore;
use partita::formats::campaign::candidates::{self, CandidateStimulus};
use partita::formats::preferences::{self, ColumnMap};
use partita::formats::{FormatError, Source, Warning, diagnostic};
use partita::judging::campaign::{
    Campaign, CampaignError, CampaignSession, CampaignSpec, CampaignSpecErrorKind, EngineSettings,
    GoldPair, GoldSet, ItemSpec, JudgingOptions, JudgmentKind, NameMatching, QuerySpec, Stimulus,
};
use partita::judging::{DecisionRule, GroupingRule, PooledStrategy, StrategyName};
use partita::judgment::AnswerRow;
use partita::named::NamedEnum;

use super::campaign_log;
use super::campaign_log::StampArgs;
use super::{pluralise, print_message};
use crate::args::preferences::PriceArgs;
use crate::args::rankings::parse_alpha;
use crate::output::destination::print_warnings;
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Create a campaign from queries and their candidate items
///
/// All settings are written to the log and hold for the whole campaign.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct InitArgs {
    /// Log file to create; it must not exist
    log: String,
    /// Items to order: CSV with the columns query and item, optionally prior (a rank; lower is
    /// closer to the query), same_as (an item with the same content), content (the same word for
    /// the same content), or what pages show (audio, image, text, alt; of the query query_audio,
    /// query_image, query_text, query_alt); `-` is standard input
    #[arg(long, short, value_name = "FILE", visible_alias = "queries")]
    candidates: String,
    /// Name of the campaign [default: file name of the log]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Random seed for initial orders, the order of the questions, and sides
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    stamp: StampArgs,
    // The heading of these options also applies to later options that have none.
    #[command(flatten)]
    voting: VoteArgs,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    validation: ValidationArgs,
    #[command(flatten)]
    people: PeopleArgs,
    #[command(flatten)]
    price: PriceArgs,
}

/// Votes and the decision on pairs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Votes and decisions")]
struct VoteArgs {
    /// Votes per pair, or the maximum if the strategy needs fewer
    #[arg(long, value_name = "N", default_value_t = 10)]
    votes: u32,
    #[arg(long, value_name = "RULE", default_value = "mwu", help = format!("Rule that decides a pair from its votes: {}", DecisionRule::NAMES))]
    decide: DecisionRule,
    /// Significance level of the rule, if it is a test
    #[arg(long, value_name = "LEVEL", default_value_t = 0.25)]
    alpha: f64,
    /// Posterior probability at which a predictive strategy stops asking a pair
    #[arg(
        long,
        alias = "confidence",
        value_name = "SHARE",
        default_value_t = 0.9
    )]
    stop_at: f64,
    /// Maximum number of votes per list, for strategies with a budget
    #[arg(long, value_name = "VOTES")]
    budget: Option<usize>,
}

/// Strategy that chooses pairs and builds lists.
#[derive(Debug, Args)]
#[command(next_help_heading = "Strategy")]
struct StrategyArgs {
    /// Strategy that chooses pairs and builds lists, see below
    #[arg(long, value_name = "NAME", default_value = "sort")]
    strategy: String,
    /// Settle only this many items at the top of each list
    #[arg(long, value_name = "ITEMS")]
    top: Option<usize>,
    /// Smallest mean vote that separates two items in model-based lists, in standard deviations of
    /// a vote
    #[arg(long, value_name = "SPREADS", default_value_t = GroupingRule::DEFAULT_MATTERS)]
    matters: f64,
    /// How settled a list must be: the expected share of pairs in the wrong order, by a difference
    /// that matters, at which `pooled` stops asking about it
    #[arg(long, value_name = "SHARE", default_value_t = PooledStrategy::DEFAULT_SETTLED)]
    settled: f64,
}

/// Held-out pairs and gold pairs, which check the lists and the assessors.
#[derive(Debug, Args)]
#[command(next_help_heading = "Checks")]
struct ValidationArgs {
    /// Share of pairs per list held out at random to validate the list
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    held_out: f64,
    /// Votes per held-out pair
    #[arg(long, value_name = "N", default_value_t = 1)]
    held_out_votes: u32,
    /// Gold pairs, to check how carefully people answer: CSV with the columns query, a, b and
    /// answer (a, b or equal). Their answers never count as votes
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,
    /// Share of each assessor's questions that are gold pairs
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, requires = "gold")]
    gold_share: f64,
}

/// Assessors, and the judgments they are asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "People and questions")]
struct PeopleArgs {
    /// Kinds of judgments: preference (which of two items), ranking (the items of a list in order),
    /// grading (each item by itself)
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = named_value_parser::<JudgmentKind>(), default_value = "preference")]
    kinds: Vec<JudgmentKind>,
    /// Number of assessors who grade each item, or rank each list [default: 3 for grades, unlimited
    /// for rankings]
    #[arg(long, value_name = "N")]
    graders: Option<u32>,
    /// How names of assessors are compared: exact, or any-case (`ann`, `ANN` and ` Ann ` are one
    /// person)
    #[arg(long, value_name = "HOW", value_parser = named_value_parser::<NameMatching>(), default_value = "exact")]
    names: NameMatching,
    /// Number of assessors, if known; an upper bound for --votes
    #[arg(long, value_name = "N")]
    people: Option<u32>,
}

impl ValidationArgs {
    /// Reads the gold pairs, if a file is given.
    fn gold_set(&self, lists: &[QuerySpec]) -> Result<Option<GoldSet>, CliError> {
        let Some(file) = &self.gold else {
            return Ok(None);
        };
        let read = preferences::read_rows(&Source::open(file)?, &ColumnMap::default())?;
        print_warnings(&read.warnings);
        let rows: Result<Vec<AnswerRow>, FormatError> = read.rows.into_iter().collect();
        let only = || match lists {
            [only] => Some(only.query.clone()),
            _ => None,
        };
        let pair = |row: AnswerRow| {
            // The query may be omitted if there is only one.
            let [a, b] = row.pair().map(str::to_owned);
            let query = row.query.or_else(only).ok_or_else(|| {
                let place = row.position.expect("a row of a file has its place");
                let message = format!("{file}:{}: no column names the query", place.line);
                CliError::input(message).with_hint("gold has the columns query, a, b and answer")
            })?;
            Ok(GoldPair {
                query,
                a,
                b,
                answer: row.judgment.preference().into(),
            })
        };
        let pairs: Result<Vec<GoldPair>, CliError> = rows?.into_iter().map(pair).collect();
        Ok(Some(GoldSet {
            share: self.gold_share,
            pairs: pairs?,
        }))
    }
}

/// Reads the lists of a candidates file.
pub(super) fn read_candidates(file: &str) -> Result<Vec<QuerySpec>, CliError> {
    let file = candidates::read(&Source::open(file)?)?;
    print_warnings(&file.warnings);
    let lists = file.lists.into_iter().map(|(query, rows)| QuerySpec {
        query,
        show: rows
            .first()
            .map(|row| stimulus(row.show_query.clone()))
            .unwrap_or_default(),
        items: (rows.into_iter())
            .map(|row| ItemSpec {
                item: row.item,
                prior: row.prior,
                same_as: row.same_as,
                show: stimulus(row.show),
            })
            .collect(),
    });
    Ok(lists.collect())
}

/// Converts the columns of a table to a stimulus.
fn stimulus(columns: CandidateStimulus) -> Stimulus {
    let CandidateStimulus {
        audio,
        image,
        text,
        alt,
    } = columns;
    Stimulus {
        audio,
        image,
        text,
        alt,
    }
}

/// Converts an error in the specification of a new campaign.
fn spec_error(error: &CampaignError) -> CliError {
    let failure = CliError::input(error.to_string());
    let CampaignError::Spec(errors) = error else {
        return failure;
    };
    let hint = errors.iter().find_map(|error| match &error.kind {
        CampaignSpecErrorKind::TooFewPeople { people, .. } => Some(format!(
            "use `--votes {people}` or less, or invite more people"
        )),
        CampaignSpecErrorKind::Gold { .. } => {
            Some("gold pairs must be candidates of the campaign".to_owned())
        }
        _ => None,
    });
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// Warns if the model-based strategy takes a second or more to build the longest list.
fn warn_of_long_lists(spec: &CampaignSpec) {
    let Some((query, seconds)) = spec.slowest_list().filter(|(_, seconds)| *seconds >= 1.0) else {
        return;
    };
    let problem = diagnostic!(TooLarge { query, seconds = format!("{seconds:.0}") }:
        "making the list of the query `{query}` takes about {seconds} seconds each time it is shown, \
         and choosing its pairs a tenth of that; the sort strategies are fast for lists of any length");
    print_warnings(&[Warning::in_file("--candidates", problem)]);
}

fn after_help() -> String {
    let mut help = "Strategies:\n".to_owned();
    for strategy in StrategyName::VARIANTS {
        help.push_str(&format!("  {strategy:<16} {}\n", strategy.summary()));
    }
    help.push_str(
        "\nWith lists of 14 to 24 items, a campaign with pooled stops after 30 to 42% of the votes of sort,\n\
         with 8 items after about two thirds. Its order is then as good or better, except where people are\n\
         sure: use a smaller --settled there. Choosing pairs for a list of 1,000 items takes it about a\n\
         tenth of a second.\n",
    );
    help.push_str(
        "\nExamples:\n  partita campaign init campaign.jsonl --candidates candidates.csv\n  partita campaign init \
         c.jsonl -c candidates.csv --strategy sort-predictive\n  partita campaign init \
         c.jsonl -c candidates.csv --held-out 0.1 --reward 0.10\n  partita campaign init \
         c.jsonl -c candidates.csv --gold gold.csv --people 12",
    );
    help
}

pub(crate) fn run(args: &InitArgs) -> Result<(), CliError> {
    if Path::new(&args.log).exists() {
        let message = format!("{}: already exists", args.log);
        return Err(CliError::input(message)
            .with_hint("a campaign is never overwritten; choose another name"));
    }
    let lists = read_candidates(&args.candidates)?;
    let stem = Path::new(&args.log)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let (voting, people) = (&args.voting, &args.people);
    let rule = match voting.decide.alpha() {
        None => voting.decide,
        Some(_) => (voting.decide).with_alpha(parse_alpha("--alpha", voting.alpha)?),
    };
    let strategy = StrategyName::from_name(&args.strategy.strategy).map_err(|unknown| {
        CliError::input(format!("no strategy is called `{}`", unknown.name)).with_hint(format!(
            "the strategies are {}",
            unknown.valid_names.join(", ")
        ))
    })?;
    let name = args.name.clone().or(stem).unwrap_or_default();
    let spec = CampaignSpec {
        kinds: people.kinds.clone(),
        settings: EngineSettings {
            seed: args.seed,
            votes: voting.votes,
            decide: rule,
            alpha: None,
            strategy,
            confidence: voting.stop_at,
            top: args.strategy.top,
            budget: voting.budget,
            matters: args.strategy.matters,
            settled: args.strategy.settled,
            held_out: args.validation.held_out,
            held_out_votes: args.validation.held_out_votes,
            price: args.price.price()?,
            name_matching: people.names,
        },
        gold: args.validation.gold_set(&lists)?,
        judging: JudgingOptions {
            graders: people.graders,
            invited_assessors: people.people,
            ..JudgingOptions::default()
        },
        ..CampaignSpec::new(&name, lists)
    };
    // Validate the specification before the log file is created.
    Campaign::open(spec.clone()).map_err(|error| spec_error(&error))?;
    warn_of_long_lists(&spec);
    let begun = CampaignSession::create(FileStore::create(&args.log)?, spec, &args.stamp.stamp());
    let session = begun.map_err(|error| campaign_log::open_error(&args.log, error))?;
    let campaign = session.campaign();
    let spec = campaign.spec();
    let settings = &spec.settings;
    let items: usize = spec.lists.iter().map(|list| list.items.len()).sum();
    let queries = match spec.lists.len() {
        1 => "1 query".to_owned(),
        count => format!("{count} queries"),
    };
    print_message(&format!(
        "Campaign `{}`: {queries}, {}; {} per pair, decided by {}{}; strategy {}; seed {}.\nNow say \
         {}.",
        spec.name,
        pluralise(items as u64, "candidate"),
        pluralise(settings.votes, "vote"),
        settings.rule(),
        spec.alpha()
            .map(|alpha| format!(" at {alpha}"))
            .unwrap_or_default(),
        settings.strategy,
        settings.seed,
        if spec.kinds.contains(&JudgmentKind::Preference) {
            format!(
                "`partita campaign next {}` for a sheet of questions",
                args.log
            )
        } else {
            format!("`partita campaign add {}`", args.log)
        },
    ));
    Ok(())
}
