//! `partita collection export`: melodies of a collection as files that others read.

use std::fs;
use std::path::Path;

use clap::Args;
use partita_formats::CsvWriter;
use partita_melody::collection::NotShown;
use partita_melody::write::{
    Carrier, ExportFormat, Unwritable, Written, file_stem, kern, midi, note_rows, pae,
};
use partita_stats::named::Named;

use super::open;
use super::show::not_shown;
use crate::failure::Failure;
use crate::output::Destination;
use crate::show::named;

/// Export melodies of a collection to another format
///
/// MIDI and kern are written to a folder, one file per melody; Plaine & Easie and notes to one
/// file. Reading them back gives the same notes. A melody that the format cannot hold is an error.
#[derive(Args, Debug)]
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
    #[arg(long, value_name = "FORMAT", value_parser = named::<ExportFormat>())]
    to: ExportFormat,
    /// File layout of Plaine & Easie [default: tags]
    #[arg(long, value_parser = named::<Carrier>())]
    carrier: Option<Carrier>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    if args.carrier.is_some() && args.to != ExportFormat::Pae {
        return Err(Failure::input("--carrier is only for Plaine & Easie").hint("use `--to pae`"));
    }
    match args.to {
        ExportFormat::Midi | ExportFormat::Kern => files(args),
        ExportFormat::Pae => {
            let carrier = args.carrier.unwrap_or_default();
            let mut text = String::new();
            each(args, &mut |written| {
                text += &pae(written, carrier)?;
                Ok(())
            })?;
            args.destination.write(&text)
        }
        ExportFormat::Notes => {
            let mut writer = CsvWriter::new(Vec::new());
            let memory = "memory can be written to";
            writer
                .row(["item", "note", "pitch", "onset", "duration", "name"])
                .expect(memory);
            each(args, &mut |written| {
                note_rows(written).for_each(|row| writer.row(row).expect(memory));
                Ok(())
            })?;
            let text = writer.finish().expect(memory);
            let text = String::from_utf8(text).expect("ids and numbers are text");
            args.destination.write(&text)
        }
    }
}

/// Writes a file for each melody, if each can be written.
fn files(args: &ExportArgs) -> Result<(), Failure> {
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
        return Err(Failure::input(message).hint("give the folder with --output"));
    };
    let encoded = |written: Written<'_>| -> Result<Vec<u8>, Unwritable> {
        match args.to {
            ExportFormat::Midi => midi(written),
            _ => kern(written).map(String::into_bytes),
        }
    };
    each(args, &mut |written| Ok(encoded(written).map(|_| ())?))?;
    fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
    let ending = if args.to == ExportFormat::Midi {
        "mid"
    } else {
        "krn"
    };
    each(args, &mut |written| {
        let file = Path::new(folder).join(format!("{}.{ending}", file_stem(written.id)));
        let place = file.to_string_lossy();
        fs::write(&file, encoded(written)?).map_err(|error| Failure::writing(&place, &error).into())
    })
}

/// Hands over the melodies that were asked for.
fn each(
    args: &ExportArgs,
    take: &mut dyn FnMut(Written<'_>) -> Result<(), Refused>,
) -> Result<(), Failure> {
    let collection = open(&args.collection)?;
    let done = collection.each_melody(&args.items, &mut |item, melody, info| {
        let id = item.id.as_str();
        take(Written { id, melody, info })
    });
    done.map_err(|refused: Refused| match refused {
        Refused::NotShown(error) => not_shown(&args.collection, error),
        Refused::Failure(failure) => failure,
    })
}

/// Why a melody was not written.
enum Refused {
    NotShown(NotShown),
    Failure(Failure),
}

impl From<NotShown> for Refused {
    fn from(error: NotShown) -> Self {
        Self::NotShown(error)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Unwritable> for Refused {
    fn from(error: Unwritable) -> Self {
        let failure = Failure::input(error.to_string());
        Self::Failure(failure.hint("`--to notes` holds every melody"))
    }
}
