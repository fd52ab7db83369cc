//! `partita completions` and `partita man`: shell completions and manual pages.

use clap::Args;
use clap_complete::Shell;

use crate::output::destination::Destination;
use crate::output::error::CliError;

/// Print shell completions
///
/// Bash, for example: partita completions bash > ~/.local/share/bash-completion/completions/partita
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut program: clap::Command,
) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "partita", &mut script);
    args.destination.stream(|place| place.write_all(&script))
}

/// Write the manual pages to a folder
///
/// There is one page per command; `man ./FOLDER/partita-evaluate.1` shows one of them.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Folder to write to; created if missing
    folder: String,
}

pub(crate) fn man(args: &ManArgs, program: clap::Command) -> Result<(), CliError> {
    let failure = |error: std::io::Error| CliError::from_write_error(&args.folder, &error);
    std::fs::create_dir_all(&args.folder).map_err(failure)?;
    clap_mangen::generate_to(program, &args.folder).map_err(failure)
}
