//! `partita judge ask`: one person judges in the terminal.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use clap::Args;
use partita_core::{Answer, AnswerRow};
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{Campaign, IntakeRequest, NoQuestions, PairName, Question};

use super::log_file::{self, StampArgs, WaitArgs};
use super::shown::Shown;
use super::{counted, say};
use crate::failure::Failure;

/// Judge pairs in the terminal, one after the other
///
/// Shows the pairs that wait for an answer and that this person has not answered yet, and takes a, b or
/// e (equal) for each. Every answer is in the log before the next pair is shown, so that nothing is lost
/// by stopping at any point, and several people can judge at the same time.
///
/// --show says what the items are: a folder with a file for each, called like the item or the query, or CSV
/// with the columns item (or query) and show, a file or a text. Texts are printed. Anything else is played or
/// opened on request (p, or pq, pa, pb for one part) by --player, or by what the system opens files with.
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

/// What a person says to a pair.
enum Said {
    Answer(Answer),
    Skip,
    Stop,
}

pub(crate) fn run(args: &AskArgs) -> Result<(), Failure> {
    if args.assessor.trim().is_empty() {
        return Err(Failure::input("whoever judges has a name"));
    }
    let shown = args.show.as_deref().map(Shown::read).transpose()?;
    let shown = shown.unwrap_or_default().played_by(args.player.as_deref());
    let mut input = io::stdin().lock();
    let mut skipped: Vec<String> = Vec::new();
    let mut saved = 0;
    while args.most.is_none_or(|most| saved < most) {
        let waiting = waiting(args, &skipped)?;
        let Some(question) = waiting.first() else {
            break;
        };
        let began = Instant::now();
        match ask(question, waiting.len(), &shown, &mut input)? {
            Said::Stop => break,
            Said::Skip => skipped.push(question.pair.clone()),
            Said::Answer(answer) => {
                let seconds = began.elapsed().as_secs_f64();
                keep(args, question, answer, seconds)?;
                saved += 1;
            }
        }
    }
    let left = waiting(args, &[])?.len() as u64;
    say(&format!(
        "{} saved; {} left for {}.",
        counted(saved as u64, "answer"),
        counted(left, "pair"),
        args.assessor
    ));
    Ok(())
}

/// The pairs that wait for an answer of this person. All batches that are due are given out first.
fn waiting(args: &AskArgs, skipped: &[String]) -> Result<Vec<Question>, Failure> {
    let mut session = log_file::open_waiting(&args.log, &args.wait.or_seconds(PATIENCE))?;
    session.campaign().lists_of(&args.query)?;
    if session.campaign().is_excluded(&args.assessor) {
        let message = format!("`{}` is excluded from this campaign", args.assessor);
        return Err(Failure::input(message).hint("`partita judge readmit` takes people in again"));
    }
    let questions = session
        .ask(&args.stamp.stamp(), None)
        .map_err(|error| match error {
            NoQuestions::NotAsked(error) => Failure::ours(error),
            NoQuestions::NotRecorded(error) => error.into(),
        })?;
    let campaign = session.campaign();
    let mut waiting = questions.pairs;
    waiting.retain(|question| {
        (args.query.is_empty() || args.query.contains(&question.query))
            && !skipped.contains(&question.pair)
            && !has_answered(campaign, question, &args.assessor)
    });
    Ok(waiting)
}

fn has_answered(campaign: &Campaign, question: &Question, assessor: &str) -> bool {
    let pair = PairName {
        query: question.query.clone(),
        a: question.a.clone(),
        b: question.b.clone(),
    };
    campaign.has_answered(&pair, assessor)
}

/// Shows a pair and reads what is said to it.
fn ask(
    question: &Question,
    waiting: usize,
    shown: &Shown,
    input: &mut impl BufRead,
) -> Result<Said, Failure> {
    let Question { query, a, b, .. } = question;
    say(&format!(
        "\nQuery {query} ({} to go). Which is closer to it?{}\n  [a] {a}{}\n  [b] {b}{}",
        counted(waiting as u64, "pair"),
        shown.words(query),
        shown.words(a),
        shown.words(b),
    ));
    let parts = [query, a, b];
    let can_play = parts.iter().any(|name| shown.is_file(name));
    let play = if can_play { "p (play), " } else { "" };
    loop {
        // The prompt is talk, and stays on the line of the answer.
        let _ = write!(
            io::stderr(),
            "a, b, e (equal), {play}s (skip) or q (stop): "
        );
        let _ = io::stderr().flush();
        let mut line = String::new();
        let read = input.read_line(&mut line);
        let length = read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
        match line.trim().to_lowercase().as_str() {
            _ if length == 0 => {
                // The next message begins a line.
                say("");
                return Ok(Said::Stop);
            }
            "a" => return Ok(Said::Answer(Answer::A)),
            "b" => return Ok(Said::Answer(Answer::B)),
            "e" | "equal" | "=" => return Ok(Said::Answer(Answer::Equal)),
            "p" if can_play => parts.iter().for_each(|name| shown.play(name)),
            "pq" => shown.play(query),
            "pa" => shown.play(a),
            "pb" => shown.play(b),
            "s" | "skip" => return Ok(Said::Skip),
            "q" | "quit" | "stop" => return Ok(Said::Stop),
            _ => {}
        }
    }
}

/// Writes an answer into the log.
fn keep(args: &AskArgs, question: &Question, answer: Answer, seconds: f64) -> Result<(), Failure> {
    let mut session = log_file::open_waiting(&args.log, &args.wait.or_seconds(PATIENCE))?;
    let stamp = Stamp {
        author: args.assessor.clone(),
        ..args.stamp.stamp()
    };
    let row = AnswerRow {
        query: Some(question.query.clone()),
        a: question.a.clone(),
        b: question.b.clone(),
        assessor: Some(args.assessor.clone()),
        answer: Some(answer),
        seconds: Some(seconds),
        ended: Some(stamp.at.seconds()),
        ..AnswerRow::default()
    };
    let request = IntakeRequest {
        answers: vec![row],
        now: stamp.at.seconds(),
        adopt: false,
    };
    let intake = session.campaign().intake(&request);
    if let Some(refused) = intake.refused.first() {
        return Err(Failure::input(refused.1.to_string()));
    }
    session.record(&stamp, intake.events)?;
    Ok(())
}
