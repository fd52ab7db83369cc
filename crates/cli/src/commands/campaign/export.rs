//! `partita campaign export`: lists, answers or decisions of a campaign.

use clap::Args;
use partita::ZeroGainPolicy;
use partita::formats::{Warning, diagnostic};
use partita::judging::campaign::{
    AnswerSelection, CampaignEvidence, ExportRequest, GradeScale, JudgmentKind, PairDecision,
    PairFormat,
};
use partita::judging::{GradeLists, Relation};
use partita::report::phrases::list_names;
use partita::report::views::campaign::{
    first_name_with_blanks, write_answers_csv, write_grades_csv, write_left_right_pairs,
    write_rankings_csv, write_relation_probabilities_csv, write_winner_pairs,
};
use partita::work::SequentialWork;

use super::campaign_place::CampaignArgs;
use crate::output::destination::print_warnings;
use crate::output::error::CliError;
use crate::output::ground_truth::ListOutputArgs;
use crate::output::result::named_value_parser;

/// Export the lists of a campaign, or its answers or decisions
///
/// The lists are a ground truth. Lists that are not settled are written as they are now, with a
/// warning.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign export campaign.jsonl > truth.csv\n  partita campaign export campaign.jsonl --settled --format qrels\n  partita campaign export campaign.jsonl --answers counted > votes.csv\n  partita campaign export campaign.jsonl --pairs winner > pairs.txt"
)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Export only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    /// Export only settled lists
    #[arg(long)]
    settled: bool,
    /// Write the answers instead, as CSV with the outcome of each; `counted` writes only those that
    /// are votes
    #[arg(long, value_name = "WHICH", value_parser = named_value_parser::<AnswerSelection>(), num_args = 0..=1, default_missing_value = "all", conflicts_with_all = ["pairs", "details"])]
    answers: Option<AnswerSelection>,
    /// Write the decided pairs instead, in a format of other programs
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<PairFormat>(), conflicts_with_all = ["format", "details"])]
    pairs: Option<PairFormat>,
    /// Write decision probabilities of a new panel instead, as CSV: query, a, b, less (a is
    /// closer), equal, greater. They are posterior predictive probabilities for as many new votes
    /// as the campaign needs per pair
    #[arg(long, conflicts_with_all = ["pairs", "answers", "rankings", "grades", "format", "details"])]
    odds: bool,
    /// Write the rankings that count instead, as CSV: query, assessor, item, rank
    #[arg(long, conflicts_with_all = ["pairs", "answers", "grades", "details"])]
    rankings: bool,
    /// Write the grades that count instead, as CSV: query, assessor, item, broad, fine
    #[arg(long, conflicts_with_all = ["pairs", "answers", "details"])]
    grades: bool,
    /// Judgments that make the ground truth: preference, ranking (lists by any-1, as in `partita
    /// truth build`) or grading (gains) [default: the first kind of the campaign]
    #[arg(long, value_name = "KIND", value_parser = named_value_parser::<JudgmentKind>(), conflicts_with_all = ["pairs", "answers", "rankings", "grades"])]
    kind: Option<JudgmentKind>,
    /// Grades used as gains: broad (the median of 0, 1 and 2) or fine (the mean) [default: fine if
    /// there are any]
    #[arg(long, value_name = "SCALE", value_parser = named_value_parser::<GradeScale>())]
    scale: Option<GradeScale>,
    /// Do not protect names in CSV. By default names in answers, rankings and grades that begin
    /// with one of = + - @, a tab or a carriage return get an apostrophe, so that spreadsheets do
    /// not run them as formulas
    #[arg(long)]
    raw: bool,
    /// Show which lists are unfinished; JSON also has how well each list predicts held-out votes
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    lists: ListOutputArgs,
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), CliError> {
    let place = args.campaign.place()?;
    let campaign = place.read()?;
    let request = ExportRequest {
        queries: args.query.clone(),
        settled: args.settled,
    };
    if args.answers.is_some() || args.rankings || args.grades {
        args.lists
            .require_csv("answers, rankings and grades are written")?;
    }
    let destination = &args.lists.destination;
    if let Some(which) = args.answers {
        let (name, answers) = (
            &campaign.spec().name,
            campaign.exported_answers(&request, which)?,
        );
        return destination.stream(|place| write_answers_csv(name, &answers, args.raw, place));
    }
    if let Some(format) = args.pairs {
        let decided = campaign.decided_pairs(&request)?;
        if format == PairFormat::LeftRight {
            return destination.stream(|place| write_left_right_pairs(&decided, place));
        }
        check_winners(place.name(), &decided)?;
        return destination.stream(|place| write_winner_pairs(&decided, place));
    }
    if args.odds {
        let odds = campaign.predictions(&request)?;
        return destination
            .stream(|place| write_relation_probabilities_csv(&odds, args.raw, place));
    }
    if args.rankings {
        let rankings = campaign.exported_rankings(&args.query)?;
        return destination.stream(|place| write_rankings_csv(&rankings, args.raw, place));
    }
    if args.grades {
        let grades = campaign.exported_grades(&args.query)?;
        return destination.stream(|place| write_grades_csv(&grades, args.raw, place));
    }
    args.lists.check(args.details)?;
    let kind = args.kind.unwrap_or(campaign.spec().kinds[0]);
    if kind != JudgmentKind::Preference && (args.details || args.settled) {
        let message = format!("--details and --settled are about preference judgments, not {kind}");
        return Err(CliError::input(message));
    }
    let evidence = campaign.evidence(kind, &request)?;
    let lists = match &evidence {
        CampaignEvidence::Lists(lists) => &**lists,
        CampaignEvidence::Rankings(_) => {
            let zero = ZeroGainPolicy::LeaveOut;
            let truth = evidence.ground_truth(None, zero, &SequentialWork)?;
            return args
                .lists
                .print(&truth, (&truth, args.details), &truth, Vec::new());
        }
        CampaignEvidence::Grades(grades) => {
            let GradeLists { truth, items, .. } = grades.build(args.scale);
            return args
                .lists
                .print_gains(&truth, (&truth, false), &items, Vec::new());
        }
    };
    let mut warnings = Vec::new();
    if !lists.unfinished.is_empty() {
        let problem = diagnostic!(OpenLists { lists = list_names(&lists.unfinished, 10) }:
            "lists that are not settled yet, written as they are now: {lists}; `--settled` \
             leaves them out");
        warnings.push(Warning::in_file(&lists.campaign, problem));
    }
    let truth = lists.ground_truth();
    (args.lists).print(&truth, (lists, args.details), lists, warnings)
}

/// Warns about equal pairs, which the format omits, and rejects names that it cannot represent.
fn check_winners(log: &str, decided: &[PairDecision]) -> Result<(), CliError> {
    let equal = |pair: &&PairDecision| pair.relation == Relation::Equal;
    let count = decided.iter().filter(equal).count();
    if count > 0 {
        let problem = diagnostic!(LeftOut { count }:
            "equal pairs left out, since this format cannot hold them: {count}");
        print_warnings(&[Warning::in_file(log, problem)]);
    }
    first_name_with_blanks(decided).map_or(Ok(()), |name| {
        let message =
            format!("the name `{name}` contains blanks, which separate the columns of this format");
        Err(CliError::input(message).with_hint("use `--pairs left-right`"))
    })
}
