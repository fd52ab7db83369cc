//! `partita stats`: statistical tests for other programs, one JSON object a line in and one out.

mod adjust;
mod answer;
mod fields;
mod friedman_tukey;
mod kendall;
mod mann_whitney;
mod pearson;
mod randomization;
mod sign;
mod studentized_range;
mod t;
mod tau_ap;
mod wilcoxon;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};

use clap::Args;
use partita_formats::stream;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::Destination;
use fields::Fields;

/// Statistical tests for any program: one JSON object a line in, one out
///
/// Every line is answered as soon as it is read. All three alternatives are always given: p_less
/// is for x, or the difference, tending to be smaller. A line that cannot be read is answered with
/// {"error": "...", "line": 3}, the others are still answered, and the exit code is then 2.
#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub(crate) struct StatsArgs {
    /// The test; `--list` names them
    #[arg(required_unless_present = "list")]
    test: Option<String>,
    /// The file to read; `-` is standard input
    #[arg(default_value = "-")]
    file: String,
    /// List the tests with their fields
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    destination: Destination,
}

/// How samples are drawn, where a test draws any.
#[derive(Args, Clone, Copy, Debug)]
struct Drawing {
    /// The seed of what is drawn (randomization of more than 20 differences)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many times signs are drawn (randomization of more than 20 differences)
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    resamples: usize,
}

/// The answer to a line, or why there is none.
type Answer = Result<Map<String, Value>, String>;

/// A test as other programs use it.
struct Test {
    name: &'static str,
    summary: &'static str,
    /// What a line holds.
    takes: &'static str,
    /// What the answer holds.
    gives: &'static str,
    answer: fn(&mut Fields, Drawing) -> Answer,
}

/// Every test.
const REGISTRY: [&Test; 11] = [
    &mann_whitney::TEST,
    &wilcoxon::TEST,
    &sign::TEST,
    &randomization::TEST,
    &t::TEST,
    &friedman_tukey::TEST,
    &studentized_range::TEST,
    &kendall::TEST,
    &tau_ap::TEST,
    &pearson::TEST,
    &adjust::TEST,
];

const EXAMPLES: &str = "\
Examples:
  echo '{\"x\": [1, 2, 2], \"y\": [3, 4, 2]}' | partita stats mann-whitney
  partita stats adjust p-values.jsonl
  partita stats --list";

fn after_help() -> String {
    format!("{}\n{EXAMPLES}", list())
}

/// The tests with their fields.
fn list() -> String {
    let mut text = "Tests:\n".to_owned();
    for test in REGISTRY {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "  {}: {}\n      {}\n   -> {}\n",
            test.name, test.summary, test.takes, test.gives
        );
    }
    text
}

pub(crate) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let Some(name) = args.test.as_deref().filter(|_| !args.list) else {
        return args.destination.write(&list());
    };
    let Some(test) = REGISTRY.iter().find(|test| test.name == name) else {
        let names = REGISTRY.map(|test| test.name).join(", ");
        let message = format!("there is no test `{name}`");
        return Err(Failure::input(message).hint(format!("the tests are {names}")));
    };
    let source = match args.file.as_str() {
        "-" => "standard input",
        file => file,
    };
    let mut reader = BufReader::new(stream(&args.file)?);
    let (mut writer, place) = args.destination.open()?;
    let (mut bytes, mut line, mut lines, mut wrong) = (Vec::new(), 0u64, 0u64, 0u64);
    loop {
        bytes.clear();
        let length = reader
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Failure::input(format!("{source}: cannot be read: {error}")))?;
        if length == 0 {
            break;
        }
        line += 1;
        let mark = if line == 1 {
            "\u{feff}".as_bytes()
        } else {
            &[]
        };
        let text = bytes.strip_prefix(mark).unwrap_or(&bytes).trim_ascii();
        if text.is_empty() {
            continue;
        }
        lines += 1;
        let answer = answer_line(test, text, args.drawing).unwrap_or_else(|error| {
            wrong += 1;
            json!({"error": error, "line": line})
        });
        writeln!(writer, "{answer}")
            .and_then(|()| writer.flush())
            .map_err(|error| Failure::writing(place, &error))?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::input(format!(
            "{source}: {wrong} of {lines} lines could not be answered; each has its reason in the output"
        ))),
    }
}

fn answer_line(test: &Test, text: &[u8], drawing: Drawing) -> Result<Value, String> {
    let mut fields = Fields::parse(text)?;
    let answer = (test.answer)(&mut fields, drawing);
    // A misspelt field is the likeliest reason why another one is missing, so it is named first.
    fields.refuse_the_rest(test.takes)?;
    answer.map(Value::Object)
}
