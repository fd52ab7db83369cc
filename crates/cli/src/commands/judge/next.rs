//! `partita judge next`: the pairs to ask now.

use clap::Args;
use partita_judging::campaign::{
    NoQuestions, NotAsked, PairName, Question, QuestionState, Questions,
};
use partita_report::{Cell, Column, Table};

use super::format::csv;
use super::log_file::{self, StampArgs};
use super::{counted, say};
use crate::failure::Failure;
use crate::format::{Form, Format};
use crate::output::Destination;

/// Print the pairs to ask now
///
/// The order of the pairs and the side of each item are drawn with the seed of the campaign and
/// kept in its log. What was asked before and lacks answers is printed again as pending, so that
/// asking twice changes nothing. Answers go back in with `partita judge add`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita judge next campaign.jsonl > batch.csv\n  partita judge next campaign.jsonl --new --format json\n  partita judge next campaign.jsonl --ask q1 x y"
)]
pub(crate) struct NextArgs {
    /// The log of the campaign
    log: String,
    /// Print only pairs that were not printed before
    #[arg(long)]
    new: bool,
    /// Ask this pair as well, whether the strategy wants it or not
    #[arg(long, num_args = 3, value_names = ["QUERY", "A", "B"])]
    ask: Option<Vec<String>>,
    #[command(flatten)]
    stamp: StampArgs,
    /// How the pairs are written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &NextArgs) -> Result<(), Failure> {
    let by_hand = args.ask.as_deref().map(|names| match names {
        [query, a, b] => PairName {
            query: query.clone(),
            a: a.clone(),
            b: b.clone(),
        },
        _ => unreachable!("the option takes three names"),
    });
    let mut session = log_file::open(&args.log)?;
    let asked = session.ask(&args.stamp.stamp(), by_hand.as_ref());
    let mut questions = asked.map_err(|error| match (error, &by_hand) {
        (NoQuestions::NotAsked(error), Some(pair)) => refused(&error, pair),
        (NoQuestions::NotAsked(error), None) => Failure::ours(error),
        (NoQuestions::NotRecorded(error), _) => error.into(),
    })?;
    let talk = talk(&questions, args);
    if args.new {
        (questions.pairs).retain(|pair| pair.state == QuestionState::New);
    }
    let format = Format::chosen(args.format, &args.destination);
    args.destination.write(&text(&questions, format)?)?;
    say(&format!("{talk}."));
    Ok(())
}

/// How much there is to ask, in words.
fn talk(questions: &Questions, args: &NextArgs) -> String {
    if questions.pairs.is_empty() {
        return format!("All lists are settled: `partita judge export {}`", args.log);
    }
    let pairs = |state| questions.in_state(state).count() as u64;
    let answers = |state| -> u64 {
        questions
            .in_state(state)
            .map(|pair| u64::from(pair.votes))
            .sum()
    };
    let (new, pending) = (QuestionState::New, QuestionState::Pending);
    let mut talk = format!(
        "{} to ask, {}",
        counted(pairs(new), "new pair"),
        counted(answers(new), "answer")
    );
    if pairs(pending) > 0 {
        talk.push_str(&format!(
            "; {} pending, {} to come{}",
            counted(pairs(pending), "pair"),
            counted(answers(pending), "answer"),
            if args.new { " (not printed)" } else { "" }
        ));
    }
    talk
}

fn refused(error: &NotAsked, pair: &PairName) -> Failure {
    let PairName { query, a, b } = pair;
    match error {
        NotAsked::Refused(refusal) => Failure::input(refusal.to_string()),
        _ => Failure::input(format!("query `{query}`, `{a}` and `{b}`: {error}")),
    }
}

fn text(questions: &Questions, format: Form) -> Result<String, Failure> {
    let name = &questions.campaign;
    let pairs = questions.pairs.iter();
    match format {
        Form::Csv => {
            let header = [
                "campaign", "batch", "pair", "query", "a", "b", "votes", "state",
            ];
            csv(
                header,
                pairs.map(|pair: &Question| {
                    [
                        name.clone(),
                        pair.batch.to_string(),
                        pair.pair.clone(),
                        pair.query.clone(),
                        pair.a.clone(),
                        pair.b.clone(),
                        pair.votes.to_string(),
                        pair.state.name().to_owned(),
                    ]
                }),
            )
        }
        Form::Json => {
            let text = serde_json::to_string_pretty(questions).map_err(Failure::ours)?;
            Ok(text + "\n")
        }
        Form::Table(tables) => {
            let columns = [
                Column::text("Pair"),
                Column::text("Query"),
                Column::text("A"),
                Column::text("B"),
                Column::integer("Votes"),
                Column::text("State"),
            ];
            let mut table = Table::new(columns);
            for pair in pairs {
                let cells = [
                    Cell::text(pair.pair.clone()),
                    Cell::text(pair.query.clone()),
                    Cell::text(pair.a.clone()),
                    Cell::text(pair.b.clone()),
                    Cell::integer(pair.votes.into()),
                    Cell::text(pair.state.name()),
                ];
                table.push(cells);
            }
            Ok(tables.render(&table))
        }
    }
}
