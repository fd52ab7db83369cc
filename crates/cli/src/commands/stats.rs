//! `partita stats`: statistical tests for other programs, as JSON lines.

use std::io::{BufRead, BufReader, Write};

use clap::Args;
use partita::formats::open_stream;
use partita::report::phrases::count_noun;
use partita::significance;
use partita::significance::{ResamplingOptions, sample_tests};
use serde_json::json;

use crate::output::destination::Destination;
use crate::output::error::CliError;

/// Run statistical tests on JSON lines
///
/// Each line is answered as soon as it is read. The result has all three alternatives: p_less is
/// for x, or the difference, tending to be smaller. A line that cannot be read gives {"error":
/// "...", "line": 3}; the other lines are still answered and the exit code is 2.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct StatsArgs {
    /// Test to run; `--list` names them
    #[arg(required_unless_present = "list")]
    test: Option<String>,
    /// The file to read; `-` is standard input
    #[arg(default_value = "-")]
    file: String,
    /// List the tests with their fields
    #[arg(long)]
    list: bool,
    /// Random seed (permutation of more than 20 differences)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of resamples (permutation of more than 20 differences)
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    resamples: usize,
    #[command(flatten)]
    destination: Destination,
}

const EXAMPLES: &str = "\
Examples:
  echo '{\"x\": [1, 2, 2], \"y\": [3, 4, 2]}' | partita stats mann-whitney
  partita stats adjust p-values.jsonl
  partita stats --list";

fn after_help() -> String {
    format!("{}\n{EXAMPLES}", list_tests())
}

/// Returns the text of `--list`: each test with its input and output fields.
fn list_tests() -> String {
    let tests = sample_tests().map(|(test, asked)| {
        let (name, asks, takes, gives) = (
            test.name,
            asked.question,
            asked.input_form,
            asked.output_form,
        );
        format!("  {name}: {asks}\n      {takes}\n   -> {gives}\n")
    });
    format!("Tests:\n{}", tests.collect::<String>())
}

pub(crate) fn run(args: &StatsArgs) -> Result<(), CliError> {
    let Some(name) = args.test.as_deref().filter(|_| !args.list) else {
        return args.destination.write(&list_tests());
    };
    let (_, test) = significance::find_sample_test(name).map_err(|error| {
        let hint = format!("the tests are {}", error.known.join(", "));
        CliError::input(error.to_string()).with_hint(hint)
    })?;
    let drawing = ResamplingOptions {
        seed: args.seed,
        resamples: args.resamples,
    };
    let source = if args.file == "-" {
        "standard input"
    } else {
        &args.file
    };
    let mut reader = BufReader::new(open_stream(&args.file)?);
    let (mut writer, place) = args.destination.open()?;
    let (mut bytes, mut line, mut lines, mut wrong) = (Vec::new(), 0u64, 0usize, 0usize);
    loop {
        bytes.clear();
        let length = (reader.read_until(b'\n', &mut bytes))
            .map_err(|error| CliError::from_read_error(source, &error))?;
        if length == 0 {
            break;
        }
        line += 1;
        let mark: &[u8] = if line == 1 {
            "\u{feff}".as_bytes()
        } else {
            &[]
        };
        let text = bytes.strip_prefix(mark).unwrap_or(&bytes).trim_ascii();
        if text.is_empty() {
            continue;
        }
        lines += 1;
        let answer = test.run_json(text, drawing).unwrap_or_else(|error| {
            wrong += 1;
            json!({"error": error.to_string(), "line": line}).to_string()
        });
        writeln!(writer, "{answer}")
            .and_then(|()| writer.flush())
            .map_err(|error| CliError::from_write_error(place, &error))?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(CliError::input(format!(
            "{source}: {wrong} of {} could not be answered; each has its reason in the output",
            count_noun(lines, "line", "lines")
        ))),
    }
}
