//! `partita campaign exclude` and `readmit`: exclusion of assessors.

use clap::Args;
use partita::judging::campaign::{Action, Event, ExclusionEffect};

use super::lifecycle::ActionArgs;
use super::{pluralise, print_message};
use crate::output::error::CliError;

/// Campaign and assessors.
#[derive(Debug, Args)]
pub(crate) struct ExclusionArgs {
    #[command(flatten)]
    common: ActionArgs,
    /// Assessors, as named in the answers
    #[arg(required = true, value_name = "ASSESSOR")]
    assessors: Vec<String>,
}

/// Exclude assessors, so that their votes no longer count
///
/// Their answers stay in the log but no longer count. Pairs that now lack votes are asked again.
/// `partita campaign readmit` undoes this.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita campaign exclude campaign.jsonl A2XJ A9QQ")]
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
#[command(after_help = "Examples:\n  partita campaign readmit campaign.jsonl A2XJ")]
pub(crate) struct ReadmitArgs {
    #[command(flatten)]
    people: ExclusionArgs,
}

pub(crate) fn exclude(args: &ExcludeArgs) -> Result<(), CliError> {
    let exclude = Action::Exclude {
        assessors: args.people.assessors.clone(),
        reason: args.reason.clone(),
    };
    args.people.perform(exclude, "already excluded")
}

pub(crate) fn readmit(args: &ReadmitArgs) -> Result<(), CliError> {
    let assessors = args.people.assessors.clone();
    args.people
        .perform(Action::Readmit { assessors }, "not excluded")
}

impl ExclusionArgs {
    /// Performs the action and prints its effect, and the assessors whom it does not change because
    /// of their state.
    fn perform(&self, action: Action, state: &str) -> Result<(), CliError> {
        let mut session = self.common.open()?;
        let (events, effect) = self.common.perform(&mut session, &action)?;
        // The events are in the order of the names.
        let mut events = events.iter().peekable();
        for name in &self.assessors {
            let is_changed = |event: &&Event| event.assessor() == Some(name);
            if events.next_if(is_changed).is_none() {
                print_message(&format!("`{name}` is {state}; nothing changes."));
            }
        }
        let effect = ExclusionEffect::new(action, effect);
        self.common.show.print(&effect, &effect, Vec::new())?;
        print_message(&format!(
            "{} now, {} before; {} open again; {} changed.",
            pluralise(effect.votes as u64, "vote"),
            effect.votes_before,
            pluralise(effect.reopened.len() as u64, "pair"),
            pluralise(effect.changed_lists.len() as u64, "list"),
        ));
        Ok(())
    }
}
