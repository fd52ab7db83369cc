//! `partita collection`: collections of melodies and clips.

mod candidates;
mod export;
mod features;
mod import;
mod list;
mod render;
mod show;

use std::path::Path;

use clap::Subcommand;
pub(crate) use import::import_error;
use partita::melody::collection::{Collection, CollectionError, ItemLookupError};

use crate::output::error::CliError;

/// Import melodies and clips into one file, and inspect it
#[derive(Debug, Subcommand)]
pub(crate) enum CollectionCommand {
    Import(Box<import::ImportArgs>),
    List(list::ListArgs),
    Show(Box<show::ShowItemsArgs>),
    Export(export::ExportArgs),
    Render(render::RenderArgs),
    Features(features::FeaturesArgs),
    Candidates(Box<candidates::CandidatesArgs>),
}

pub(crate) fn run(command: &CollectionCommand) -> Result<(), CliError> {
    match command {
        CollectionCommand::Import(args) => import::run(args),
        CollectionCommand::List(args) => list::run(args),
        CollectionCommand::Show(args) => show::run(args),
        CollectionCommand::Export(args) => export::run(args),
        CollectionCommand::Render(args) => render::run(args),
        CollectionCommand::Features(args) => features::run(args),
        CollectionCommand::Candidates(args) => candidates::run(args),
    }
}

/// Reason why a command stopped at a melody of a collection.
enum MelodyError {
    Lookup(ItemLookupError),
    Failed(CliError),
}

impl MelodyError {
    /// Converts to the error of the command, for the collection in this file.
    fn into_cli_error(self, file: &str) -> CliError {
        match self {
            Self::Lookup(error) => show::item_error(file, error),
            Self::Failed(error) => error,
        }
    }
}

impl From<ItemLookupError> for MelodyError {
    fn from(error: ItemLookupError) -> Self {
        Self::Lookup(error)
    }
}

impl From<CliError> for MelodyError {
    fn from(error: CliError) -> Self {
        Self::Failed(error)
    }
}

/// Opens a collection file of melodies and clips.
pub(crate) fn open(file: &str) -> Result<Collection, CliError> {
    Collection::open(Path::new(file)).map_err(|error| collection_error(file, &error))
}

/// Converts a collection error and adds a hint.
pub(crate) fn collection_error(file: &str, error: &CollectionError) -> CliError {
    let failure = CliError::input(format!("{file}: {error}"));
    match error {
        CollectionError::NotACollection => {
            failure.with_hint("`partita collection import` creates collections")
        }
        CollectionError::UnsupportedVersion(_) => {
            failure.with_hint("install a newer version of partita")
        }
        CollectionError::Damaged(_) => failure.with_hint("import it again from its sources"),
        CollectionError::Unreadable(error) => {
            CliError::from_read_error(file, error).with_hint("check the spelling of the path")
        }
    }
}
