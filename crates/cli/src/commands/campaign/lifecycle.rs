//! `partita campaign votes`, `extend`, `close`, `pause`, `resume` and `retract`: actions of the
//! organiser while a campaign runs. Each is an event of the log.

use std::path::Path;

use clap::{ArgGroup, Args};
use partita::judging::campaign::{
    Action, ActionEffect, AnswerReference, CampaignError, CampaignExtension, CampaignSession,
    Event, InputError, RecordError,
};

use super::campaign_log::{StampArgs, WaitArgs};
use super::campaign_place::{LogStore, ServerArgs};
use super::init::read_candidates;
use super::{pluralise, print_message};
use crate::output::error::CliError;
use crate::output::result::ResultArgs;

/// Campaign, author and output of an organiser action.
#[derive(Debug, Args)]
pub(crate) struct ActionArgs {
    /// Log of the campaign, or with --data or --database its name on the server
    which: String,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    stamp: StampArgs,
    #[command(flatten)]
    pub(super) show: ResultArgs,
}

impl ActionArgs {
    /// Opens the campaign for changes.
    pub(super) fn open(&self) -> Result<CampaignSession<LogStore>, CliError> {
        self.server.place(&self.which)?.open(&self.wait)
    }

    /// Performs an action and returns its events, none if it changes nothing, and its effect.
    pub(super) fn perform(
        &self,
        session: &mut CampaignSession<LogStore>,
        action: &Action,
    ) -> Result<(Vec<Event>, ActionEffect), CliError> {
        let performed = session.perform_with_effect(&self.stamp.stamp(), action);
        performed.map_err(|error| action_error(&self.which, error))
    }

    /// Performs an action and prints its effect; if it changes nothing, prints the reason.
    fn perform_and_print(&self, action: &Action, unchanged: &str) -> Result<(), CliError> {
        self.perform_in_session(&mut self.open()?, action, unchanged)
    }

    /// Performs an action in a session like [`ActionArgs::perform_and_print`].
    fn perform_in_session(
        &self,
        session: &mut CampaignSession<LogStore>,
        action: &Action,
        unchanged: &str,
    ) -> Result<(), CliError> {
        let (events, effect) = self.perform(session, action)?;
        if events.is_empty() {
            print_message(&format!("{unchanged}; nothing changes."));
            return Ok(());
        }
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

/// Converts the error of an action. Names that do not exist speak for themselves; other reasons
/// name the campaign.
fn action_error(campaign: &str, error: RecordError<CliError>) -> CliError {
    let error = match error {
        RecordError::Store(error) => return error,
        RecordError::Event(CampaignError::Input(error)) => error,
        RecordError::Event(error) => return CliError::input(format!("{campaign}: {error}")),
    };
    let lists = match &error {
        InputError::UnknownAssessor(_) => "lists all assessors",
        InputError::UnknownAnswerId { .. } => "shows the ids of answers",
        _ => return error.into(),
    };
    CliError::from(error).with_hint(format!("`partita campaign export LOG --answers` {lists}"))
}

/// Change the number of votes per pair
///
/// Lower it if there are fewer assessors than votes: pairs with enough votes are then decided.
/// Raising it reopens decided pairs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita campaign votes campaign.jsonl 8")]
pub(crate) struct VotesArgs {
    #[command(flatten)]
    common: ActionArgs,
    /// Votes per pair, or the maximum if the strategy needs fewer
    votes: u32,
}

pub(crate) fn votes(args: &VotesArgs) -> Result<(), CliError> {
    let extend = Action::Extend(CampaignExtension {
        votes: Some(args.votes),
        ..CampaignExtension::default()
    });
    let unchanged = format!("Every pair gets {} already", args.votes);
    args.common.perform_and_print(&extend, &unchanged)
}

/// Extend a campaign, for example by votes, candidates or people
///
/// New candidates are appended to their list. Earlier answers stay valid; the strategy may ask
/// other pairs.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true).args(["votes", "budget", "settled", "candidates", "limit"]),
    after_help = "Examples:\n  partita campaign extend campaign.jsonl --budget 300\n  partita campaign extend campaign.jsonl --settled 0.01\n  partita campaign extend campaign.jsonl --candidates more.csv\n  partita campaign extend melodies --limit 60 --data campaigns"
)]
pub(crate) struct ExtendArgs {
    #[command(flatten)]
    common: ActionArgs,
    /// New number of votes per pair
    #[arg(long, value_name = "N")]
    votes: Option<u32>,
    /// New maximum number of votes per list
    #[arg(long, value_name = "VOTES")]
    budget: Option<usize>,
    /// New share of pairs in the wrong order at which `pooled` stops asking about a list
    #[arg(long, value_name = "SHARE")]
    settled: Option<f64>,
    /// New lists and candidates: CSV with the columns query and item, as for `campaign init`. Pages
    /// show audio, image, text and alt, and of a new query query_audio, query_image, query_text and
    /// query_alt
    #[arg(long, short, value_name = "FILE")]
    candidates: Option<String>,
    /// New maximum number of people from the panel, for a campaign on a server
    #[arg(long, value_name = "PEOPLE", conflicts_with_all = ["votes", "budget", "settled", "candidates"])]
    limit: Option<u32>,
}

pub(crate) fn extend(args: &ExtendArgs) -> Result<(), CliError> {
    if let Some(limit) = args.limit {
        let place = args.common.server.place(&args.common.which)?;
        print_message(&match place.raise_panel_limit(limit)? {
            true => format!("{} from the panel can take part.", people(limit)),
            false => format!("The limit is {} already; nothing changes.", people(limit)),
        });
        return Ok(());
    }
    let lists = args.candidates.as_deref().map(read_candidates);
    let mut lists = lists.transpose()?.unwrap_or_default();
    let file = args.candidates.as_deref().unwrap_or_default();
    let folder = Path::new(file).parent().filter(|folder| *folder != "");
    let common = &args.common;
    let place = common.server.place(&common.which)?;
    let folder = folder.unwrap_or(Path::new("."));
    let mut session = place.open_with_lists(&common.wait, &mut lists, folder)?;
    let extend = Action::Extend(CampaignExtension {
        votes: args.votes,
        budget: args.budget,
        settled: args.settled,
        lists,
    });
    common.perform_in_session(
        &mut session,
        &extend,
        "The campaign has all of this already",
    )
}

fn people(number: u32) -> String {
    match number {
        1 => "1 person".to_owned(),
        number => format!("{number} people"),
    }
}

/// Close a campaign, or some of its lists
///
/// No more questions are asked and the lists stay as they are. Later answers are kept in the log
/// but do not count. This cannot be undone.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita campaign close campaign.jsonl\n  partita campaign close campaign.jsonl --query q7"
)]
pub(crate) struct CloseArgs {
    #[command(flatten)]
    common: ActionArgs,
    /// Close only the lists of these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
}

pub(crate) fn close(args: &CloseArgs) -> Result<(), CliError> {
    let queries = args.query.clone();
    args.common
        .perform_and_print(&Action::Close { queries }, "The campaign is already closed")
}

/// Pause a campaign
///
/// `partita campaign next` prints no pairs until `partita campaign resume`. Answers to pairs that were
/// printed before still count.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita campaign pause campaign.jsonl")]
pub(crate) struct PauseArgs {
    #[command(flatten)]
    common: ActionArgs,
}

pub(crate) fn pause(args: &PauseArgs) -> Result<(), CliError> {
    args.common
        .perform_and_print(&Action::Pause, "The campaign is already paused")
}

/// Resume a paused campaign
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  partita campaign resume campaign.jsonl")]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    common: ActionArgs,
}

pub(crate) fn resume(args: &ResumeArgs) -> Result<(), CliError> {
    args.common
        .perform_and_print(&Action::Resume, "The campaign is not paused")
}

/// Retract an answer, a ranking or a grade
///
/// The answer stays in the log but no longer counts. The assessor may answer again; missing votes
/// are asked again.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("answer").required(true).args(["event", "id"]),
    after_help = "Examples:\n  partita campaign retract campaign.jsonl --event 17 --reason \"wrong key\"\n  partita campaign retract campaign.jsonl --assessor ann --id 3f1c"
)]
pub(crate) struct RetractArgs {
    #[command(flatten)]
    common: ActionArgs,
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
    let answer = match (args.event, &args.id, &args.assessor) {
        (Some(event), ..) => AnswerReference::Event(event),
        (None, Some(id), Some(assessor)) => AnswerReference::Id {
            assessor: assessor.clone(),
            id: id.clone(),
        },
        _ => return Err(CliError::internal("one of --event and --id is required")),
    };
    let reason = args.reason.clone();
    let retract = Action::Retract { answer, reason };
    args.common
        .perform_and_print(&retract, "The answer is already retracted")
}
