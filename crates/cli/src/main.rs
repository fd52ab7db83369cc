//! `partita`: ground truths from people's judgments, and retrieval systems compared with them.
//!
//! Data goes to standard output, talk to standard error. Exit codes: 0 fine, 1 the answer is no,
//! 2 wrong use or input, 70 a fault of the program itself.

mod args;
mod commands;
mod output;
#[cfg(feature = "melody")]
mod verovio;

use std::process::ExitCode;

use crate::output::error::CliError;

/// Names, events and rows are small and many: the usual allocator took a seventh of the time of a server.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = commands::Command::parse_arguments();
    // A panic is a fault of ours whatever the input: it has its own exit code and asks for a
    // report, and the message has been printed by then.
    match std::panic::catch_unwind(|| command.run()) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.print(),
        Err(_) => CliError::Internal("internal error: the program panicked".to_owned()).print(),
    }
}
