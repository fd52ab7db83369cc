//! `partita judge ask`: one person judges in the terminal.

use std::io;
use std::time::Instant;

use clap::Args;
use partita::LogFile;
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{
    AnswerRecord, Campaign, Checked, Chosen, Event, Graded, Lease, Leases, NoQuestions, PairName,
    Ranked, Session, Task, TaskRequest,
};

use super::forms::{self, Reply};
use super::log_file::{self, StampArgs, WaitArgs};
use super::shown::Shown;
use super::{counted, say};
use crate::failure::Failure;

/// Judge in the terminal, one question after the other
///
/// Shows the pairs that wait for an answer and that this person has not answered yet, and takes a, b or
/// e (equal) for each; questions whose answers are known (gold) come among them at their share. Where the
/// campaign asks for rankings or grades, those follow. Sides are drawn for each person. Every answer is in
/// the log before the next question is shown, so that nothing is lost by stopping at any point, and several
/// people can judge at the same time.
///
/// --show says what the items are: a folder with a file for each, called like the item or the query, or CSV
/// with the columns item (or query) and show, a file or a text. Texts are printed. Anything else is played or
/// opened on request (p, or pq, pa, pb for one part; of a ranking p and a number) by --player, or by what the system opens files with.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge ask campaign.jsonl --assessor ann\n  \
                        partita judge ask campaign.jsonl --assessor ann --query q7 --most 20\n  \
                        partita judge ask campaign.jsonl --assessor ann --show clips/ --player mpv"
)]
pub(crate) struct AskArgs {
    /// The log of the campaign
    log: String,
    /// Who judges
    #[arg(long, value_name = "NAME")]
    assessor: String,
    /// Only the pairs of these queries
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    query: Vec<String>,
    /// Stop after so many answers
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// What the items are: a folder of files, or CSV with the columns item (or query) and show
    #[arg(long, value_name = "PLACE")]
    show: Option<String>,
    /// The command that plays or opens a file, to which its name is added
    #[arg(long, value_name = "COMMAND", requires = "show")]
    player: Option<String>,
    #[command(flatten)]
    wait: WaitArgs,
    #[command(flatten)]
    stamp: StampArgs,
}

/// How many seconds a command that saves an answer waits for others who are saving theirs.
const PATIENCE: u64 = 10;

/// What a person is asked.
struct Put {
    chosen: Chosen,
    /// How many pairs wait for an answer of theirs.
    to_go: usize,
    /// Whether some questions have known answers. The number to go would tell which those are.
    has_gold: bool,
    /// The items of the list, if it is to be ranked.
    items: Vec<String>,
}

pub(crate) fn run(args: &AskArgs) -> Result<(), Failure> {
    if args.assessor.trim().is_empty() {
        return Err(Failure::input("whoever judges has a name"));
    }
    let shown = args.show.as_deref().map(Shown::read).transpose()?;
    let shown = shown.unwrap_or_default().played_by(args.player.as_deref());
    let mut input = io::stdin().lock();
    let mut skipped: Vec<Lease> = Vec::new();
    let mut saved = 0;
    while args.most.is_none_or(|most| saved < most) {
        let Some(put) = next(args, &skipped)? else {
            break;
        };
        let began = Instant::now();
        let reply = match &put.chosen.task {
            Task::Preference { query, a, b } => {
                let to_go = format!(" ({} to go)", counted(put.to_go as u64, "pair"));
                let more = if put.has_gold { "" } else { &to_go };
                forms::pair([query, a, b], more, &shown, &mut input)?
            }
            Task::Ranking { query } => forms::ranking(query, &put.items, &shown, &mut input)?,
            Task::Grading { query, item } => forms::grade([query, item], &shown, &mut input)?,
        };
        match reply {
            Reply::Stop => break,
            Reply::Skip => skipped.push(lease(args, put.chosen)),
            reply => {
                let seconds = began.elapsed().as_secs_f64();
                keep(args, put.chosen, reply, seconds)?;
                saved += 1;
            }
        }
    }
    let session = open(args)?;
    let left = waiting(args, session.campaign(), &[]) as u64;
    say(&format!(
        "{} saved; {} left for {}.",
        counted(saved as u64, "answer"),
        counted(left, "pair"),
        args.assessor
    ));
    Ok(())
}

fn lease(args: &AskArgs, chosen: Chosen) -> Lease {
    Lease {
        person: args.assessor.clone(),
        task: chosen.task,
        gold: chosen.gold.is_some(),
    }
}

/// The campaign, if this person may judge in it. All batches that are due are given out.
fn open(args: &AskArgs) -> Result<Session<LogFile>, Failure> {
    let mut session = log_file::open_waiting(&args.log, &args.wait.or_seconds(PATIENCE))?;
    session.campaign().lists_of(&args.query)?;
    if session.campaign().is_excluded(&args.assessor) {
        let message = format!("`{}` is excluded from this campaign", args.assessor);
        return Err(Failure::input(message).hint("`partita judge readmit` takes people in again"));
    }
    session
        .ask(&args.stamp.stamp(), None)
        .map_err(|error| match error {
            NoQuestions::NotAsked(error) => Failure::ours(error),
            NoQuestions::NotRecorded(error) => error.into(),
        })?;
    Ok(session)
}

/// What this person is asked next, but for what they skipped.
fn next(args: &AskArgs, skipped: &[Lease]) -> Result<Option<Put>, Failure> {
    let mut session = open(args)?;
    let mut with_them = skipped.to_vec();
    for kind in session.campaign().settings().kinds.clone() {
        let request = TaskRequest::new(&args.assessor).judging(kind);
        loop {
            let leases = Leases::of(session.campaign(), with_them.iter().cloned());
            let leases = leases.expect("what was chosen is of the campaign");
            let Some(chosen) = session.next_task(&args.stamp.stamp(), &request, &leases)? else {
                break;
            };
            if !is_wanted(args, chosen.task.query()) {
                with_them.push(lease(args, chosen));
                continue;
            }
            let campaign = session.campaign();
            let list = campaign.list_of(chosen.task.query());
            let items = list.map(|list| campaign.settings().lists[list].items.iter());
            let items = items.into_iter().flatten();
            return Ok(Some(Put {
                to_go: waiting(args, campaign, skipped),
                has_gold: campaign.settings().gold.is_some(),
                items: items.map(|candidate| candidate.item.clone()).collect(),
                chosen,
            }));
        }
    }
    Ok(None)
}

fn is_wanted(args: &AskArgs, query: &str) -> bool {
    args.query.is_empty() || args.query.iter().any(|wanted| wanted == query)
}

/// How many pairs wait for an answer of this person.
fn waiting(args: &AskArgs, campaign: &Campaign, skipped: &[Lease]) -> usize {
    let is_skipped = |pair: &PairName| {
        skipped.iter().any(|lease| match &lease.task {
            Task::Preference { query, a, b } => {
                *query == pair.query && [a, b].iter().all(|item| [&pair.a, &pair.b].contains(item))
            }
            _ => false,
        })
    };
    let lists = (0..campaign.lists()).filter(|&list| is_wanted(args, campaign.query_name(list)));
    let offers = lists.flat_map(|list| campaign.offers(list));
    let pairs = offers.map(|offer| PairName {
        query: offer.query,
        a: offer.a,
        b: offer.b,
    });
    pairs
        .filter(|pair| !is_skipped(pair) && !campaign.has_answered(pair, &args.assessor))
        .count()
}

/// Writes what was said into the log.
fn keep(args: &AskArgs, chosen: Chosen, reply: Reply, seconds: f64) -> Result<(), Failure> {
    let stamp = Stamp {
        author: args.assessor.clone(),
        ..args.stamp.stamp()
    };
    let assessor = args.assessor.clone();
    let (seconds, time, id) = (Some(seconds), Some(stamp.at.seconds()), None);
    let event = match (chosen.task, reply) {
        (Task::Preference { query, a, b }, Reply::Pair(answer)) => {
            let mut answered = AnswerRecord::new(&query, &a, &b, &assessor, Some(answer));
            (answered.seconds, answered.time) = (seconds, time);
            match chosen.gold {
                Some(expected) => Event::Checked(Checked { answered, expected }),
                None => Event::Answered(answered),
            }
        }
        (Task::Ranking { query }, Reply::Ranking(groups)) => Event::Ranked(Ranked {
            query,
            assessor,
            groups,
            unranked: Vec::new(),
            seconds,
            time,
            id,
        }),
        (Task::Grading { query, item }, Reply::Grade(broad, fine)) => Event::Graded(Graded {
            query,
            item,
            assessor,
            broad,
            fine,
            seconds,
            time,
            id,
        }),
        _ => unreachable!("a question is answered in its own form"),
    };
    let mut session = log_file::open_waiting(&args.log, &args.wait.or_seconds(PATIENCE))?;
    session.record(&stamp, vec![event])?;
    Ok(())
}
