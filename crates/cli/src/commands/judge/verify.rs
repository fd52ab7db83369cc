//! `partita judge verify`: whether a log is whole and unchanged.

use clap::Args;
use partita_formats::Source;
use partita_judging::campaign::Replay;
use partita_judging::campaign::log::{self, Entry, Tail};

use super::counted;
use crate::failure::Failure;
use crate::output::Destination;

/// Check that the log of a campaign is whole and unchanged
///
/// Every event must fit those before it, have the next number, and carry the chain that its content and
/// the event before it give. The exit code is 0 if so, and 1 if not. Whoever noted the chain of an event
/// elsewhere (--head prints it) can give it with --expect: that also finds a log of which everything after
/// some event was cut off or written again.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge verify campaign.jsonl\n  partita judge verify campaign.jsonl --head > head.txt\n  partita judge verify campaign.jsonl --expect \"$(cat head.txt)\""
)]
pub(crate) struct VerifyArgs {
    /// The log of the campaign; `-` is standard input
    log: String,
    /// A chain that must be in the log
    #[arg(long, value_name = "SHA256", visible_alias = "chain")]
    expect: Option<String>,
    /// Print the chain of the last event and nothing else, to be kept elsewhere
    #[arg(long)]
    head: bool,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let source = Source::open(&args.log)?;
    let name = source.name();
    let no = |why: String| Failure::No(format!("{name}: {why}"));
    let expected = args.expect.as_deref();
    let is_it = |tail: Tail, chain: &str| {
        let known = tail.chain.to_string();
        known.eq_ignore_ascii_case(chain.trim())
    };
    let mut last = None;
    let mut found = false;
    let mut replay = Replay::default();
    let take = |entry: Entry| {
        let tail = entry.tail();
        found = found || expected.is_some_and(|chain| is_it(tail, chain));
        last = Some(tail);
        replay.take(&entry.event);
    };
    let read = log::read_each(&source.bytes()?, take)
        .map_err(|error| no(format!("line {}: {}", error.line, error.message)))?;
    if read.torn > 0 {
        return Err(no(format!(
            "the last line is unfinished ({} bytes)",
            read.torn
        )));
    }
    let Some(last) = last else {
        return Err(no("there is nothing in it".to_owned()));
    };
    let replayed = replay.end();
    replayed.map_err(|(place, error)| no(format!("event {}: {error}", place + 1)))?;
    if let Some(chain) = expected.filter(|_| !found) {
        return Err(no(format!(
            "no event has the chain {chain}: events were taken off the end, or written again"
        )));
    }
    if args.head {
        return args.destination.write(&format!("{}\n", last.chain));
    }
    args.destination.write(&format!(
        "{name}: sound, {}, chain {}\n",
        counted(read.events as u64, "event"),
        last.chain
    ))
}
