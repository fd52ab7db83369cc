//! `partita`: ground truths from human judgments, and comparison of retrieval systems with them.
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 failed check,
//! 2 usage or input error, 70 internal error.

mod args;
mod commands;
mod output;
#[cfg(feature = "melody")]
mod verovio;

use std::process::ExitCode;

use crate::output::error::CliError;

/// Allocator for many small names, events and rows: the system allocator took a seventh of a
/// server's time.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = commands::Command::parse_arguments();
    // A panic is always a bug of this program, regardless of the input: it has its own exit code
    // and asks for a report. The panic message is already printed here.
    match std::panic::catch_unwind(|| command.run()) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.print(),
        Err(_) => CliError::Internal("internal error: the program panicked".to_owned()).print(),
    }
}
