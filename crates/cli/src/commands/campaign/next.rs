//! `partita campaign next`: pairs to ask now.

use clap::Args;
use partita::judging::campaign::{
    AskError, JudgmentKind, OpenPairState, OpenPairs, PairRequestError, QueryPair,
};

use super::campaign_log;
use super::campaign_log::StampArgs;
use super::sheets::{SheetArgs, write_sheets};
use super::{pluralise, print_message};
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Print the pairs to ask now
///
/// The order of the pairs and the side of each item are random, from the seed of the campaign, and
/// recorded in the log. Pairs that were printed before and lack answers are printed again as
/// pending, so repeating the command changes nothing.
///
/// CSV output is a sheet with empty columns `assessor` and `answer` (a, b or equal). Each assessor
/// fills in a copy, and `partita campaign add` reads it; rows without an answer are skipped.
///
/// With --person or --people each assessor gets a sheet of their own; no vote is assigned twice.
/// --output is the folder of the sheets. Questions on a sheet in this folder that are not answered
/// in the log stay assigned to that person, who gets no other sheet. Deleting a sheet frees its
/// questions.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign next campaign.jsonl --output batch.csv\n  partita campaign next campaign.jsonl --new --format json\n  partita campaign next campaign.jsonl --ask q1 x y\n  partita campaign next campaign.jsonl --people 20 --output sheets/\n  partita campaign next campaign.jsonl --person ann --questions 30"
)]
pub(crate) struct NextArgs {
    /// Log of the campaign
    log: String,
    /// Print only pairs that were not printed before
    #[arg(long)]
    new: bool,
    /// Also ask this pair, even if the strategy does not need it
    #[arg(long, num_args = 3, value_names = ["QUERY", "A", "B"])]
    ask: Option<Vec<String>>,
    #[command(flatten, next_help_heading = "A sheet for each person")]
    sheets: SheetArgs,
    #[command(flatten)]
    stamp: StampArgs,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &NextArgs) -> Result<(), CliError> {
    if let Some(people) = args.sheets.people()? {
        let mut session = campaign_log::open_session(&args.log)?;
        let stamp = args.stamp.stamp();
        return write_sheets(&mut session, &stamp, &people, &args.show);
    }
    let by_hand = args.ask.as_deref().map(|names| match names {
        [query, a, b] => QueryPair {
            query: query.clone(),
            a: a.clone(),
            b: b.clone(),
        },
        _ => unreachable!("the option takes three names"),
    });
    let mut session = campaign_log::open_session(&args.log)?;
    let asked = session.ask(&args.stamp.stamp(), by_hand.as_ref());
    let mut questions = asked.map_err(|error| match (error, &by_hand) {
        (AskError::NotAsked(error), Some(pair)) => ask_error(&error, pair),
        (AskError::NotAsked(error), None) => CliError::internal(error),
        (AskError::NotRecorded(error), _) => error.into(),
    })?;
    let campaign = session.campaign();
    let message = match (campaign.is_closed(), campaign.is_paused()) {
        (true, _) => format!(
            "The campaign is closed: `partita campaign export {}`",
            args.log
        ),
        (_, true) => format!(
            "The campaign is paused: `partita campaign resume {}`",
            args.log
        ),
        _ if !campaign.spec().kinds.contains(&JudgmentKind::Preference) => {
            "The campaign does not ask for preferences".to_owned()
        }
        _ => summary_message(&questions, &args.log, args.new),
    };
    if args.new {
        (questions.pairs).retain(|pair| pair.state == OpenPairState::New);
    }
    args.show.print(&questions, &questions, Vec::new())?;
    print_message(&format!("{message}."));
    Ok(())
}

/// Returns a summary of the open pairs.
fn summary_message(questions: &OpenPairs, log: &str, only_new: bool) -> String {
    if questions.pairs.is_empty() {
        return format!("All lists are settled: `partita campaign export {log}`");
    }
    let pairs = |state| questions.in_state(state).count() as u64;
    let answers = |state| -> u64 {
        questions
            .in_state(state)
            .map(|pair| u64::from(pair.votes))
            .sum()
    };
    let (new, pending) = (OpenPairState::New, OpenPairState::Pending);
    let mut message = format!(
        "{} to ask, {}",
        pluralise(pairs(new), "new pair"),
        pluralise(answers(new), "answer")
    );
    if pairs(pending) > 0 {
        message.push_str(&format!(
            "; {} pending, {} to come{}",
            pluralise(pairs(pending), "pair"),
            pluralise(answers(pending), "answer"),
            if only_new { " (not printed)" } else { "" }
        ));
    }
    message
}

fn ask_error(error: &PairRequestError, pair: &QueryPair) -> CliError {
    let QueryPair { query, a, b } = pair;
    match error {
        PairRequestError::Refused(refusal) => CliError::input(refusal.to_string()),
        _ => CliError::input(format!("query `{query}`, `{a}` and `{b}`: {error}")),
    }
}
