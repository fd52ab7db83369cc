//! `partita collection show`: details of items.

use std::path::Path;

use clap::Args;
use partita::melody::collection::{Collection, ItemLookupError};
use partita::melody::writers::{MelodyExport, file_name_for_id};
use partita::report::{Figure, piano_roll_figure};

use super::{MelodyError, collection_error, open};
use crate::output::destination::{create_folder, is_folder_path, write_file};
use crate::output::error::CliError;
use crate::output::figure::FigureTarget;
use crate::output::result::ResultArgs;
use crate::verovio;

/// Show items: notes, clef, key, metre, source
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection show rism.coll 000.111.706-1.1.1\n  partita collection show tunes.coll BanishMisfortune --format json\n  partita collection show tunes.coll BanishMisfortune --figure roll.svg"
)]
pub(crate) struct ShowItemsArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Ids of the items
    #[arg(required = true, value_name = "ITEM")]
    items: Vec<String>,
    /// Draw melodies as piano rolls: a file that ends in .svg, .pdf or .png, or a folder
    #[arg(long, value_name = "FILE|DIR/", help_heading = "Output")]
    figure: Option<FigureTarget>,
    /// Engrave melodies on staves with Verovio, if its npm package is installed: an .svg file, or a
    /// folder. Staves can influence judges: do not show them to judges without need
    #[arg(long, value_name = "FILE.svg|DIR/", help_heading = "Output")]
    staves: Option<String>,
    /// Folder of the npm package of Verovio [default: where Node.js finds it]
    #[arg(long, value_name = "DIR", requires = "staves", help_heading = "Output")]
    verovio: Option<String>,
    #[command(flatten)]
    show: ResultArgs,
}

pub(crate) fn run(args: &ShowItemsArgs) -> Result<(), CliError> {
    let collection = open(&args.collection)?;
    let shown = collection.details(&args.items);
    let shown = shown.map_err(|error| item_error(&args.collection, error))?;
    if let Some(place) = &args.figure {
        draw(args, &collection, place)?;
    }
    if let Some(place) = &args.staves {
        engrave(args, &collection, place)?;
    }
    args.show.print(&shown, &shown, Vec::new())
}

/// Returns an error if several melodies go to one file.
fn refuse_several(args: &ShowItemsArgs, option: &str, folder: bool) -> Result<(), CliError> {
    let several = args.items.len();
    if several == 1 || folder {
        return Ok(());
    }
    let message = format!("a file shows one melody, but there are {several}");
    Err(CliError::input(message).with_hint(format!("name a folder, as in `--{option} pictures/`")))
}

/// Draws the melodies as piano rolls.
fn draw(
    args: &ShowItemsArgs,
    collection: &Collection,
    place: &FigureTarget,
) -> Result<(), CliError> {
    refuse_several(args, "figure", place.is_folder())?;
    let mut figures: Vec<(String, Figure)> = Vec::new();
    let drawn = collection.for_each_melody(&args.items, &mut |item, melody, _| {
        let figure = piano_roll_figure(&item.id, melody)
            .map_err(|error| CliError::input(error.to_string()))?;
        figures.push((file_name_for_id(&item.id), figure));
        Ok(())
    });
    drawn.map_err(|error: MelodyError| error.into_cli_error(&args.collection))?;
    place.write(figures)
}

/// Engraves the melodies on staves with Verovio and writes them as SVG.
fn engrave(args: &ShowItemsArgs, collection: &Collection, place: &str) -> Result<(), CliError> {
    let folder = is_folder_path(place);
    refuse_several(args, "staves", folder)?;
    if !folder && !place.to_lowercase().ends_with(".svg") {
        let message = format!("{place}: staves are written as SVG");
        return Err(
            CliError::input(message).with_hint("name a file that ends in .svg, or a folder")
        );
    }
    let (mut names, mut sources) = (Vec::new(), Vec::new());
    let written = collection.for_each_melody(&args.items, &mut |item, melody, info| {
        let id = item.id.as_str();
        let source = verovio::plaine_and_easie_source(MelodyExport { id, melody, info });
        sources.push(source.map_err(|error| {
            CliError::input(error.to_string()).with_hint("--figure draws every melody")
        })?);
        names.push(file_name_for_id(id));
        Ok(())
    });
    written.map_err(|error: MelodyError| error.into_cli_error(&args.collection))?;
    let engraved = verovio::engrave(&sources, args.verovio.as_deref())?;
    if !folder {
        return engraved.iter().try_for_each(|svg| write_file(place, svg));
    }
    create_folder(place)?;
    names
        .iter()
        .zip(&engraved)
        .try_for_each(|(name, svg)| write_file(Path::new(place).join(format!("{name}.svg")), svg))
}

/// Converts an item lookup error and suggests similar ids.
pub(crate) fn item_error(file: &str, error: ItemLookupError) -> CliError {
    match error {
        ItemLookupError::Collection(error) => collection_error(file, &error),
        ItemLookupError::NotAMelody(_) => {
            CliError::input(format!("{file}: {error}")).with_hint("give only melodies")
        }
        ItemLookupError::UnknownId { ref nearest, .. } => {
            let failure = CliError::input(format!("{file}: {error}"));
            match nearest {
                Some(nearest) => failure.with_hint(format!("the nearest is {nearest}")),
                None => failure.with_hint("`partita collection list` lists all"),
            }
        }
    }
}
