//! `partita judge export`: the lists of a campaign, or its answers.

use clap::Args;
use partita_formats::{Warning, problem};
use partita_judging::Relation;
use partita_judging::campaign::{DecidedPair, ExportRequest, PairFormat, WhichAnswers};
use partita_report::judging::{AnswersView, ListsView, PairsView};
use partita_report::words::some;

use super::log_file;
use crate::failure::Failure;
use crate::lists::ListsArgs;
use crate::output::warn;
use crate::show::named;

/// Write the lists of a campaign as a ground truth, or its answers or decisions
///
/// Lists that are not settled yet are written as they are now, with a warning.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge export campaign.jsonl > truth.csv\n  partita judge export campaign.jsonl --settled --format qrels\n  partita judge export campaign.jsonl --answers counted > votes.csv\n  partita judge export campaign.jsonl --pairs winner > pairs.txt"
)]
pub(crate) struct ExportArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// Only these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    /// Only lists that are settled
    #[arg(long)]
    settled: bool,
    /// Write the answers instead, as CSV with what became of each; only those that are votes if it
    /// is `counted`
    #[arg(long, value_name = "WHICH", value_parser = named::<WhichAnswers>(), num_args = 0..=1, default_missing_value = "all", conflicts_with_all = ["pairs", "format", "details"])]
    answers: Option<WhichAnswers>,
    /// Write the decided pairs instead, as other programs read them
    #[arg(long, value_name = "FORMAT", value_parser = named::<PairFormat>(), conflicts_with_all = ["format", "details"])]
    pairs: Option<PairFormat>,
    /// Which lists are unfinished, and as JSON how well each predicts held-out votes
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    lists: ListsArgs,
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let campaign = log_file::read(&args.log)?;
    let request = ExportRequest {
        queries: args.query.clone(),
        settled: args.settled,
    };
    if let Some(which) = args.answers {
        let view = AnswersView {
            campaign: &campaign.settings().campaign,
            answers: &campaign.exported_answers(&request, which)?,
        };
        return args.lists.destination.stream(|place| view.csv(place));
    }
    if let Some(format) = args.pairs {
        let decided = campaign.decided_pairs(&request)?;
        let (view, destination) = (PairsView(&decided), &args.lists.destination);
        if format == PairFormat::LeftRight {
            return destination.stream(|place| view.left_right(place));
        }
        check_winners(&args.log, &decided)?;
        return destination.stream(|place| view.winners(place));
    }
    args.lists.check(args.details)?;
    let lists = campaign.export(&request)?;
    let mut warnings = Vec::new();
    if !lists.unfinished.is_empty() {
        let problem = problem!(OpenLists { lists = some(&lists.unfinished, 10) }:
            "lists that are not settled yet, written as they are now: {lists}; `--settled` \
             leaves them out");
        warnings.push(Warning::file(&args.log, problem));
    }
    let (truth, view) = (lists.ground_truth(), ListsView(&lists));
    (args.lists).show(&truth, (&lists, args.details), &view, warnings)
}

/// Says how many pairs have no place where each has a winner, and refuses names that cannot stand there.
fn check_winners(log: &str, decided: &[DecidedPair]) -> Result<(), Failure> {
    let equal = |pair: &&DecidedPair| pair.relation == Relation::Equal;
    let count = decided.iter().filter(equal).count();
    if count > 0 {
        let problem = problem!(LeftOut { count }:
            "equal pairs that have no place in this format and are left out: {count}");
        warn(&[Warning::file(log, problem)]);
    }
    PairsView(decided)
        .name_with_blanks()
        .map_or(Ok(()), |name| {
            let message =
                format!("the name `{name}` has blanks and cannot stand in a file of blanks");
            Err(Failure::input(message).hint("say `--pairs left-right`"))
        })
}
