//! `partita judge ask`: one person judges in the terminal.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use clap::Args;
use partita_core::Answer;
use partita_judging::campaign::log::Stamp;
use partita_judging::campaign::{
    Campaign, IntakeRequest, NoQuestions, PairName, Question, Submission,
};

use super::log_file::{self, StampArgs};
use super::{counted, say};
use crate::failure::Failure;

/// Judge pairs in the terminal, one after the other
///
/// Shows the pairs that wait for an answer and that this person has not answered yet, and takes a, b or
/// e (equal) for each. Every answer is in the log before the next pair is shown, so that nothing is lost
/// by stopping at any point, and several people can judge at the same time. What the items are, a
/// recording or a text, is for the person to open: their names are shown.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge ask campaign.jsonl --assessor ann\n  \
                        partita judge ask campaign.jsonl --assessor ann --query q7 --most 20"
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
    #[command(flatten)]
    stamp: StampArgs,
}

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
    let mut input = io::stdin().lock();
    let mut skipped: Vec<String> = Vec::new();
    let mut saved = 0;
    while args.most.is_none_or(|most| saved < most) {
        let waiting = waiting(args, &skipped)?;
        let Some(question) = waiting.first() else {
            break;
        };
        let began = Instant::now();
        match ask(question, waiting.len(), &mut input)? {
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
    let mut session = log_file::open(&args.log)?;
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
fn ask(question: &Question, waiting: usize, input: &mut impl BufRead) -> Result<Said, Failure> {
    let Question { query, a, b, .. } = question;
    say(&format!(
        "\nQuery {query} ({} to go). Which is closer to it?\n  a  {a}\n  b  {b}",
        counted(waiting as u64, "pair")
    ));
    loop {
        // The prompt is talk, and stays on the line of the answer.
        let _ = write!(io::stderr(), "a, b, e (equal), s (skip) or q (stop): ");
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
            "s" | "skip" => return Ok(Said::Skip),
            "q" | "quit" | "stop" => return Ok(Said::Stop),
            _ => {}
        }
    }
}

/// Writes an answer into the log.
fn keep(args: &AskArgs, question: &Question, answer: Answer, seconds: f64) -> Result<(), Failure> {
    let mut session = log_file::open(&args.log)?;
    let stamp = Stamp {
        author: args.assessor.clone(),
        ..args.stamp.stamp()
    };
    let submission = Submission {
        query: Some(question.query.clone()),
        a: question.a.clone(),
        b: question.b.clone(),
        assessor: Some(args.assessor.clone()),
        answer: Some(answer).into(),
        seconds: Some(seconds),
        ended: Some(stamp.at.seconds()),
        place: None,
        campaign: None,
        asked: None,
        id: None,
        batch: None,
    };
    let request = IntakeRequest {
        submissions: vec![submission],
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
