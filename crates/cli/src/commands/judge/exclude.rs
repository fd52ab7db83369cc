//! `partita judge exclude` and `readmit`: exclusion of assessors.

use clap::Args;
use partita::judging::campaign::{ExclusionError, ExclusionRequest};

use super::campaign_log;
use super::campaign_log::{StampArgs, WaitArgs};
use super::{pluralise, print_message};
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Campaign and assessors.
#[derive(Debug, Args)]
pub(crate) struct ExclusionArgs {
    /// Log of the campaign
    log: String,
    /// Assessors, as named in the answers
    #[arg(required = true, value_name = "ASSESSOR")]
    assessors: Vec<String>,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    stamp: StampArgs,
    #[command(flatten)]
    show: ResultArgs,
}

/// Exclude assessors, so that their votes no longer count
///
/// Their answers stay in the log but no longer count. Pairs that now lack votes are asked again.
/// `partita judge readmit` undoes this.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita judge exclude campaign.jsonl A2XJ A9QQ")]
pub(crate) struct ExcludeArgs {
    #[command(flatten)]
    people: ExclusionArgs,
    /// Reason to record in the log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Readmit excluded assessors
///
/// All their votes count again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita judge readmit campaign.jsonl A2XJ")]
pub(crate) struct ReadmitArgs {
    #[command(flatten)]
    people: ExclusionArgs,
}

pub(crate) fn exclude(args: &ExcludeArgs) -> Result<(), CliError> {
    let request = ExclusionRequest {
        exclude: args.people.assessors.clone(),
        reason: args.reason.clone(),
        ..ExclusionRequest::default()
    };
    apply_exclusion(&args.people, &request)
}

pub(crate) fn readmit(args: &ReadmitArgs) -> Result<(), CliError> {
    let request = ExclusionRequest {
        readmit: args.people.assessors.clone(),
        ..ExclusionRequest::default()
    };
    apply_exclusion(&args.people, &request)
}

fn apply_exclusion(args: &ExclusionArgs, request: &ExclusionRequest) -> Result<(), CliError> {
    let done = campaign_log::open_session_with_wait(&args.log, &args.wait)?
        .exclude(&args.stamp.stamp(), request);
    let (plan, effect) = done.map_err(|error| match error {
        ExclusionError::Refused(refusal) => CliError::from(refusal)
            .with_hint("`partita judge export LOG --answers` lists all assessors"),
        ExclusionError::NotRecorded(error) => error.into(),
    })?;
    for (name, excluded) in &plan.unchanged {
        let state = if *excluded {
            "already excluded"
        } else {
            "not excluded"
        };
        print_message(&format!("`{name}` is {state}; nothing changes."));
    }
    (args.show).print(&effect, &effect, Vec::new())?;
    print_message(&format!(
        "{} now, {} before; {} open again; {} changed.",
        pluralise(effect.votes as u64, "vote"),
        effect.votes_before,
        pluralise(effect.reopened.len() as u64, "pair"),
        pluralise(effect.changed_lists.len() as u64, "list"),
    ));
    Ok(())
}
