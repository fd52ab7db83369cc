//! `partita collection show`: all that is known of items.

use clap::Args;
use partita_melody::collection::{Collection, NotShown};
use partita_melody::write::{Unwritable, Written, file_stem};
use partita_report::collection::ShownItemsView;
use partita_report::{Figure, TooLongMelody, piano_roll_figure};

use super::{open, unreadable};
use crate::failure::Failure;
use crate::figure::FigurePlace;
use crate::output::{is_folder, write_file};
use crate::show::ShowArgs;
use crate::staves;

/// Show items: notes, clef, key, metre, source
#[derive(Args, Debug)]
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
    figure: Option<FigurePlace>,
    /// Engrave melodies on staves with Verovio, if its npm package is installed: an .svg file, or a
    /// folder. Staves can influence judges: do not show them to judges without need
    #[arg(long, value_name = "FILE.svg|DIR/", help_heading = "Output")]
    staves: Option<String>,
    /// Folder of the npm package of Verovio [default: where Node.js finds it]
    #[arg(long, value_name = "DIR", requires = "staves", help_heading = "Output")]
    verovio: Option<String>,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &ShowItemsArgs) -> Result<(), Failure> {
    let collection = open(&args.collection)?;
    let shown = collection.show(&args.items);
    let shown = shown.map_err(|error| not_shown(&args.collection, error))?;
    if let Some(place) = &args.figure {
        draw(args, &collection, place)?;
    }
    if let Some(place) = &args.staves {
        engrave(args, &collection, place)?;
    }
    let view = ShownItemsView { result: &shown };
    args.show.show(&shown, &view, Vec::new())
}

/// Why there is no picture of a melody.
enum Unseen {
    NotShown(NotShown),
    TooLong(TooLongMelody),
    Unwritable(Unwritable),
}

impl From<NotShown> for Unseen {
    fn from(error: NotShown) -> Self {
        Self::NotShown(error)
    }
}

impl Unseen {
    fn failure(self, file: &str) -> Failure {
        match self {
            Self::NotShown(error) => not_shown(file, error),
            Self::TooLong(error) => Failure::input(error.to_string()),
            Self::Unwritable(error) => {
                Failure::input(error.to_string()).hint("--figure draws every melody")
            }
        }
    }
}

/// A file has room for one melody.
fn refuse_several(args: &ShowItemsArgs, option: &str, folder: bool) -> Result<(), Failure> {
    let several = args.items.len();
    if several == 1 || folder {
        return Ok(());
    }
    let message = format!("a file shows one melody, but there are {several}");
    Err(Failure::input(message).hint(format!("name a folder, as in `--{option} pictures/`")))
}

fn draw(args: &ShowItemsArgs, collection: &Collection, place: &FigurePlace) -> Result<(), Failure> {
    refuse_several(args, "figure", place.is_folder())?;
    let mut figures: Vec<(String, Figure)> = Vec::new();
    let drawn = collection.each_melody(&args.items, &mut |item, melody, _| {
        let figure = piano_roll_figure(&item.id, melody).map_err(Unseen::TooLong)?;
        figures.push((file_stem(&item.id), figure));
        Ok(())
    });
    drawn.map_err(|error: Unseen| error.failure(&args.collection))?;
    place.write(figures)
}

fn engrave(args: &ShowItemsArgs, collection: &Collection, place: &str) -> Result<(), Failure> {
    let folder = is_folder(place);
    refuse_several(args, "staves", folder)?;
    if !folder && !place.to_lowercase().ends_with(".svg") {
        let message = format!("{place}: staves are written as SVG");
        return Err(Failure::input(message).hint("name a file that ends in .svg, or a folder"));
    }
    let (mut names, mut sources) = (Vec::new(), Vec::new());
    let written = collection.each_melody(&args.items, &mut |item, melody, info| {
        let id = item.id.as_str();
        sources.push(staves::source(Written { id, melody, info }).map_err(Unseen::Unwritable)?);
        names.push(file_stem(id));
        Ok(())
    });
    written.map_err(|error: Unseen| error.failure(&args.collection))?;
    let engraved = staves::engrave(&sources, args.verovio.as_deref())?;
    if !folder {
        return engraved.iter().try_for_each(|svg| write_file(place, svg));
    }
    std::fs::create_dir_all(place).map_err(|error| Failure::writing(place, &error))?;
    names.iter().zip(&engraved).try_for_each(|(name, svg)| {
        let file = std::path::Path::new(place).join(format!("{name}.svg"));
        write_file(&file.to_string_lossy(), svg)
    })
}

/// Why items are not shown, and what they may be called.
pub(crate) fn not_shown(file: &str, error: NotShown) -> Failure {
    match error {
        NotShown::Collection(error) => unreadable(file, &error),
        NotShown::Clip(_) => Failure::input(format!("{file}: {error}")).hint("give only melodies"),
        NotShown::Unknown { ref nearest, .. } => {
            let failure = Failure::input(format!("{file}: {error}"));
            match nearest {
                Some(nearest) => failure.hint(format!("the nearest is {nearest}")),
                None => failure.hint("`partita collection list` lists all"),
            }
        }
    }
}
