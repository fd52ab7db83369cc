//! `partita campaign verify`: integrity check of a log.

use clap::Args;
use partita::formats::Source;
#[cfg(feature = "server")]
use partita::judging::campaign::CampaignStore as _;
use partita::judging::campaign::LogReplay;
use partita::judging::campaign::log::{self, LogEntry, LogTail};
#[cfg(feature = "server")]
use partita_server::{AdminError, ServeError, StoreError};

use super::campaign_place::{CampaignArgs, CampaignPlace};
use super::pluralise;
use crate::output::destination::Destination;
use crate::output::error::CliError;

/// Check that the log of a campaign is complete and unchanged
///
/// Every event must be valid after the events before it, have the next number, and carry the right
/// chain value: a hash of its content and of the event before. The exit code is 0 if so, and 1 if
/// not. To find a log that was truncated or rewritten after some event, keep a chain value
/// elsewhere (--head prints it) and give it with --expect.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign verify campaign.jsonl\n  partita campaign verify campaign.jsonl --head > head.txt\n  partita campaign verify campaign.jsonl --expect \"$(cat head.txt)\""
)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Chain value that must be in the log
    #[arg(long, value_name = "SHA256", visible_alias = "chain")]
    expect: Option<String>,
    /// Print only the chain value of the last event, to be kept elsewhere
    #[arg(long)]
    head: bool,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<(), CliError> {
    let place = args.campaign.place()?;
    let expected = args.expect.as_deref();
    let is_it = |tail: LogTail, chain: &str| {
        let known = tail.chain.to_string();
        known.eq_ignore_ascii_case(chain.trim())
    };
    let mut last = None;
    let mut found = false;
    let mut replay = LogReplay::default();
    let mut take = |entry: LogEntry| {
        let tail = entry.tail();
        found = found || expected.is_some_and(|chain| is_it(tail, chain));
        last = Some(tail);
        replay.push(&entry.event);
    };
    let name = read_entries(&place, &mut take)?;
    let no = |why: String| CliError::CheckFailed(format!("{name}: {why}"));
    let Some(last) = last else {
        return Err(no("there is nothing in it".to_owned()));
    };
    let replayed = replay.finish();
    replayed.map_err(|(place, error)| no(format!("event {}: {error}", place + 1)))?;
    if let Some(chain) = expected.filter(|_| !found) {
        return Err(no(format!(
            "no event has the chain value {chain}: the log was truncated or rewritten"
        )));
    }
    if args.head {
        return args.destination.write(&format!("{}\n", last.chain));
    }
    args.destination.write(&format!(
        "{name}: sound, {}, chain {}\n",
        pluralise(last.seq, "event"),
        last.chain
    ))
}

/// Passes the entries of the log to a callback. Returns the name of the log for messages.
///
/// # Errors
/// Returns [`CliError::CheckFailed`] if the log is damaged.
fn read_entries(
    place: &CampaignPlace<'_>,
    take: &mut dyn FnMut(LogEntry),
) -> Result<String, CliError> {
    let damaged = |name: &str, why: String| CliError::CheckFailed(format!("{name}: {why}"));
    match place {
        CampaignPlace::Log(file) => {
            let source = Source::open(file)?;
            let name = source.name();
            let read = log::for_each_entry(&source.bytes()?, take).map_err(|error| {
                damaged(name, format!("line {}: {}", error.line, error.message))
            })?;
            if read.torn_bytes > 0 {
                let why = format!("the last line is unfinished ({} bytes)", read.torn_bytes);
                return Err(damaged(name, why));
            }
            Ok(name.to_owned())
        }
        #[cfg(feature = "server")]
        CampaignPlace::Server { name, .. } => {
            let read = place.open_database()?.for_each_entry(0, take);
            read.map_err(|error| match error {
                AdminError::Storage(ServeError::Store(StoreError::Corrupted(reason))) => {
                    damaged(name, reason)
                }
                error => error.into(),
            })?;
            Ok((*name).to_owned())
        }
    }
}
