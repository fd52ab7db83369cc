//! `partita judge votes`, `extend`, `close`, `pause`, `resume` and `retract`: actions of the
//! organiser while a campaign runs. Each is an event of the log.

use clap::{ArgGroup, Args};
use partita::FileStore;
use partita::judging::campaign::{CampaignExtension, CampaignSession, Event, RecordError};

use super::campaign_log;
use super::campaign_log::{StampArgs, WaitArgs};
use super::init::read_candidates;
use super::{pluralise, print_message};
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Campaign, author and output of an organiser action.
#[derive(Debug, Args)]
pub(crate) struct LifecycleArgs {
    /// Log of the campaign
    log: String,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    stamp: StampArgs,
    #[command(flatten)]
    show: ResultArgs,
}

impl LifecycleArgs {
    fn open(&self) -> Result<CampaignSession<FileStore>, CliError> {
        campaign_log::open_session_with_wait(&self.log, &self.wait)
    }

    /// Records the events and prints their effect.
    fn record_and_print(
        &self,
        session: &mut CampaignSession<FileStore>,
        events: Vec<Event>,
    ) -> Result<(), CliError> {
        let done = session.perform(&self.stamp.stamp(), events);
        let effect = done.map_err(|error| match error {
            RecordError::Event(error) => CliError::input(format!("{}: {error}", self.log)),
            RecordError::Store(error) => error.into(),
        })?;
        self.show.print(&effect, &effect, Vec::new())?;
        let state = match (effect.closed, effect.paused) {
            (true, _) => "the campaign is closed".to_owned(),
            (_, true) => "the campaign is paused".to_owned(),
            _ => format!("{} to vote on", pluralise(effect.open as u64, "pair")),
        };
        print_message(&format!(
            "{} now, {} before; {} changed; {state}.",
            pluralise(effect.votes as u64, "vote"),
            effect.votes_before,
            pluralise(effect.changed_lists.len() as u64, "list"),
        ));
        Ok(())
    }
}

/// Change the number of votes per pair
///
/// Lower it if there are fewer assessors than votes: pairs with enough votes are then decided.
/// Raising it reopens decided pairs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita judge votes campaign.jsonl 8")]
pub(crate) struct VotesArgs {
    #[command(flatten)]
    common: LifecycleArgs,
    /// Votes per pair, or the maximum if the strategy needs fewer
    votes: u32,
}

pub(crate) fn votes(args: &VotesArgs) -> Result<(), CliError> {
    let mut session = args.common.open()?;
    if session.campaign().spec().votes == args.votes {
        print_message(&format!(
            "Every pair gets {} already; nothing changes.",
            args.votes
        ));
        return Ok(());
    }
    let extended = CampaignExtension {
        votes: Some(args.votes),
        ..CampaignExtension::default()
    };
    args.common
        .record_and_print(&mut session, vec![Event::Extended(extended)])
}

/// Extend a campaign: more votes, a larger budget, or new candidates
///
/// New candidates are appended to their list. Earlier answers stay valid; the strategy may ask
/// other pairs.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true).args(["votes", "budget", "candidates"]),
    after_help = "Examples:\n  partita judge extend campaign.jsonl --budget 300\n  partita judge extend campaign.jsonl --candidates more.csv"
)]
pub(crate) struct ExtendArgs {
    #[command(flatten)]
    common: LifecycleArgs,
    /// New number of votes per pair
    #[arg(long, value_name = "N")]
    votes: Option<u32>,
    /// New maximum number of votes per list
    #[arg(long, value_name = "VOTES")]
    budget: Option<usize>,
    /// New lists and candidates: CSV with the columns query and item, as for `judge init`
    #[arg(long, short, value_name = "FILE")]
    candidates: Option<String>,
}

pub(crate) fn extend(args: &ExtendArgs) -> Result<(), CliError> {
    let lists = args.candidates.as_deref().map(read_candidates);
    let extended = CampaignExtension {
        votes: args.votes,
        budget: args.budget,
        lists: lists.transpose()?.unwrap_or_default(),
    };
    let mut session = args.common.open()?;
    args.common
        .record_and_print(&mut session, vec![Event::Extended(extended)])
}

/// Close a campaign, or some of its lists
///
/// No more questions are asked and the lists stay as they are. Later answers are kept in the log
/// but do not count. This cannot be undone.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita judge close campaign.jsonl\n  partita judge close campaign.jsonl --query q7"
)]
pub(crate) struct CloseArgs {
    #[command(flatten)]
    common: LifecycleArgs,
    /// Close only the lists of these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
}

pub(crate) fn close(args: &CloseArgs) -> Result<(), CliError> {
    let mut session = args.common.open()?;
    let campaign = session.campaign();
    let lists = campaign.list_indices(&args.query)?;
    let open = |list: &usize| !campaign.is_list_closed(*list);
    let events = if args.query.is_empty() {
        let any = !campaign.is_closed();
        Vec::from_iter(any.then_some(Event::Closed { query: None }))
    } else {
        let queries = lists.into_iter().filter(open);
        let closed = queries.map(|list| Event::Closed {
            query: Some(campaign.query_name(list).to_owned()),
        });
        closed.collect()
    };
    if events.is_empty() {
        print_message("The campaign is already closed; nothing changes.");
        return Ok(());
    }
    args.common.record_and_print(&mut session, events)
}

/// Pause a campaign
///
/// `partita judge next` prints no pairs until `partita judge resume`. Answers to pairs that were
/// printed before still count.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita judge pause campaign.jsonl")]
pub(crate) struct PauseArgs {
    #[command(flatten)]
    common: LifecycleArgs,
}

pub(crate) fn pause(args: &PauseArgs) -> Result<(), CliError> {
    let mut session = args.common.open()?;
    if session.campaign().is_paused() {
        print_message("The campaign is already paused; nothing changes.");
        return Ok(());
    }
    args.common
        .record_and_print(&mut session, vec![Event::Paused])
}

/// Resume a paused campaign
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita judge resume campaign.jsonl")]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    common: LifecycleArgs,
}

pub(crate) fn resume(args: &ResumeArgs) -> Result<(), CliError> {
    let mut session = args.common.open()?;
    if !session.campaign().is_paused() {
        print_message("The campaign is not paused; nothing changes.");
        return Ok(());
    }
    args.common
        .record_and_print(&mut session, vec![Event::Resumed])
}

/// Retract an answer, a ranking or a grade
///
/// The answer stays in the log but no longer counts. The assessor may answer again; missing votes
/// are asked again.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("which").required(true).args(["event", "id"]),
    after_help = "Examples:\n  partita judge retract campaign.jsonl --event 17 --reason \"wrong key\"\n  partita judge retract campaign.jsonl --assessor ann --id 3f1c"
)]
pub(crate) struct RetractArgs {
    #[command(flatten)]
    common: LifecycleArgs,
    /// Number of its event: the `seq` of its line
    #[arg(long, value_name = "N")]
    event: Option<u64>,
    /// Id of the answer
    #[arg(long, value_name = "ID", requires = "assessor")]
    id: Option<String>,
    /// Assessor who gave the answer
    #[arg(long, value_name = "NAME")]
    assessor: Option<String>,
    /// Reason to record in the log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) fn retract(args: &RetractArgs) -> Result<(), CliError> {
    let mut session = args.common.open()?;
    let answer = match (args.event, &args.id, &args.assessor) {
        (Some(event), ..) => event,
        (None, Some(id), Some(assessor)) => {
            let event = session.campaign().event_with_id(assessor, id);
            let event = event.ok_or_else(|| {
                CliError::input(format!("`{assessor}` has no answer with the id `{id}`"))
                    .with_hint("`partita judge export LOG --answers` shows the ids of answers")
            })?;
            event as u64
        }
        _ => return Err(CliError::internal("one of --event and --id is required")),
    };
    let reason = args.reason.clone();
    args.common
        .record_and_print(&mut session, vec![Event::Retracted { answer, reason }])
}
