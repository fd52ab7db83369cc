//! `partita collection export`: melodies in formats of other programs.

use std::path::Path;

use clap::Args;
use partita::formats::CsvWriter;
use partita::melody::writers::{
    ExportFormat, MelodyExport, MelodyWriteError, PaeCarrier, file_name_for_id, note_rows,
    write_kern, write_midi, write_pae,
};
use partita::named::NamedEnum;

use super::{MelodyError, open};
use crate::output::destination::{Destination, create_folder, write_file};
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Export melodies of a collection to another format
///
/// MIDI and kern are written to a folder, one file per melody; Plaine & Easie and notes to one
/// file. Reading them back gives the same notes. A melody that the format cannot hold is an error.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita collection export rism.coll --to midi --output midi/\n  partita collection export tunes.coll BanishMisfortune --to pae"
)]
pub(crate) struct ExportArgs {
    /// Collection
    #[arg(value_name = "COLL")]
    collection: String,
    /// Ids of the melodies [default: all]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<ExportFormat>())]
    to: ExportFormat,
    /// File layout of Plaine & Easie [default: tags]
    #[arg(long, value_parser = named_value_parser::<PaeCarrier>())]
    carrier: Option<PaeCarrier>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), CliError> {
    if args.carrier.is_some() && args.to != ExportFormat::Pae {
        return Err(
            CliError::input("--carrier is only for Plaine & Easie").with_hint("use `--to pae`")
        );
    }
    match args.to {
        ExportFormat::Midi | ExportFormat::Kern => write_files(args),
        ExportFormat::Pae => {
            let carrier = args.carrier.unwrap_or_default();
            let mut text = String::new();
            for_each_melody(args, &mut |written| {
                text += &write_pae(written, carrier).map_err(write_error)?;
                Ok(())
            })?;
            args.destination.write(&text)
        }
        ExportFormat::Notes => {
            let mut csv = CsvWriter::in_memory();
            csv.push_row(["item", "note", "pitch", "onset", "duration", "name"]);
            for_each_melody(args, &mut |written| {
                note_rows(written).for_each(|row| csv.push_row(row));
                Ok(())
            })?;
            args.destination.write(&csv.into_text())
        }
    }
}

/// Writes one file per melody. Writes nothing if any melody cannot be represented.
fn write_files(args: &ExportArgs) -> Result<(), CliError> {
    let Some(folder) = args
        .destination
        .output
        .as_deref()
        .filter(|output| *output != "-")
    else {
        let message = format!(
            "{} is written into a folder, one file per melody",
            args.to.name()
        );
        return Err(CliError::input(message).with_hint("give the folder with --output"));
    };
    let encoded = |written: MelodyExport<'_>| {
        let bytes = match args.to {
            ExportFormat::Midi => write_midi(written),
            _ => write_kern(written).map(String::into_bytes),
        };
        bytes.map_err(write_error)
    };
    for_each_melody(args, &mut |written| Ok(encoded(written).map(|_| ())?))?;
    create_folder(folder)?;
    let ending = if args.to == ExportFormat::Midi {
        "mid"
    } else {
        "krn"
    };
    for_each_melody(args, &mut |written| {
        let file = Path::new(folder).join(format!("{}.{ending}", file_name_for_id(written.id)));
        Ok(write_file(file, encoded(written)?)?)
    })
}

/// Calls the function with each requested melody.
fn for_each_melody(
    args: &ExportArgs,
    take: &mut dyn FnMut(MelodyExport<'_>) -> Result<(), MelodyError>,
) -> Result<(), CliError> {
    let collection = open(&args.collection)?;
    let done = collection.for_each_melody(&args.items, &mut |item, melody, info| {
        let id = item.id.as_str();
        take(MelodyExport { id, melody, info })
    });
    done.map_err(|error: MelodyError| error.into_cli_error(&args.collection))
}

/// Converts the error for a melody that the format cannot hold.
fn write_error(error: MelodyWriteError) -> CliError {
    CliError::input(error.to_string()).with_hint("`--to notes` holds every melody")
}
