//! How collections of melodies are shown.

use std::io;

use partita_formats::Code;
use partita_melody::collection::{
    ImportReport, ListedItem, Listing, ShownItem, ShownItems, ShownNote, Skipped,
};
use partita_stats::named::Named;

use crate::table::{integer, number, text};
use crate::words::count;
use crate::{Document, Present, Sheet};

/// How many of what could not be read a person is shown.
const MOST_SHOWN: usize = 20;

/// What became of an import.
#[derive(Clone, Copy, Debug)]
pub struct ImportView<'a> {
    /// What became of it.
    pub result: &'a ImportReport,
}

fn counts() -> Sheet<'static, ImportReport> {
    Sheet::new()
        .field("collection", text("Collection"), |row: &ImportReport| {
            row.collection.clone()
        })
        .field("items", integer("Items"), |row| row.items as i64)
        .field("added", integer("Added"), |row| row.added as i64)
        .field("unchanged", integer("Unchanged"), |row| {
            row.unchanged as i64
        })
        .field("replaced", integer("Replaced"), |row| row.replaced as i64)
        .field("skipped", integer("Skipped"), |row| row.skipped.len())
}

fn skipped() -> Sheet<'static, Skipped> {
    Sheet::new()
        .table_field(text("Skipped"), |row: &Skipped| match row.line {
            Some(line) => format!("{}, line {line}", row.file),
            None => row.file.clone(),
        })
        .table_field(text("Place"), |row| row.place.clone())
        .table_field(text("Reason"), |row| row.code.name())
        .table_field(text("Why"), |row| row.message.clone())
}

impl Present for ImportView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        counts().csv([self.result], place)
    }

    fn document(&self) -> Document {
        let document = Document::new().table(counts().table([self.result]));
        let all = &self.result.skipped;
        if all.is_empty() {
            return document;
        }
        let mut document = document.table(skipped().table(all.iter().take(MOST_SHOWN)));
        let more = all.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            let were = if more == 1 { "was" } else { "were" };
            document = document
                .note(format!("{more} more {were} skipped."))
                .hint("--format json names all of them.");
        }
        let such = |code: Code| {
            let skipped = all.iter().filter(|skipped| skipped.code == code);
            let skipped = skipped.count();
            let words = || count(skipped, "that is skipped", "that are skipped");
            (skipped > 0).then(|| format!("{} as {}", words(), code.name()))
        };
        if let Some(them) = such(Code::SeveralVoices) {
            document = document.hint(format!("--voice 1 reads the first voice of {them}."));
        }
        if let Some(them) = such(Code::Polyphonic) {
            document = document.hint(format!("--chords highest reads the top notes of {them}."));
        }
        document
    }
}

/// The items of a collection.
#[derive(Clone, Copy, Debug)]
pub struct ListingView<'a> {
    /// The items.
    pub result: &'a Listing,
}

fn items() -> Sheet<'static, ListedItem> {
    Sheet::new()
        .field("item", text("Item"), |row: &ListedItem| row.item.clone())
        .field("kind", text("Kind"), |row| row.kind.name())
        .field("notes", integer("Notes"), |row| row.notes)
        .field("beats", number("Beats", 2), |row| row.beats)
        .field("seconds", number("Seconds", 1), |row| row.seconds)
        .csv_field("checksum", |row| row.checksum.to_string())
        .csv_field("content", |row| row.content.to_string())
        .field("format", text("Format"), |row| row.format.name())
        .field("source", text("Source"), |row| row.source.clone())
}

impl Present for ListingView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        items().csv(&self.result.items, place)
    }

    fn document(&self) -> Document {
        let shown = self.result.items.len();
        let document = Document::new().table(items().table(&self.result.items));
        if shown as u64 == self.result.total {
            return document.note(format!("{}.", count(shown, "item", "items")));
        }
        document.note(format!("{shown} of {} items.", self.result.total))
    }
}

/// Items in full.
#[derive(Clone, Copy, Debug)]
pub struct ShownItemsView<'a> {
    /// The items.
    pub result: &'a ShownItems,
}

struct NoteOf<'a> {
    item: &'a ShownItem,
    number: usize,
    note: &'a ShownNote,
}

fn notes<'a>() -> Sheet<'static, NoteOf<'a>> {
    Sheet::new()
        .csv_field("item", |row: &NoteOf<'_>| row.item.id.clone())
        .field("note", integer("Note"), |row| row.number)
        .field("pitch", integer("Pitch"), |row| i64::from(row.note.pitch))
        .field("name", text("Name"), |row| row.note.name.clone())
        .field("onset", text("Onset"), |row| row.note.onset.clone())
        .field("duration", text("Duration"), |row| {
            row.note.duration.clone()
        })
}

fn rows(item: &ShownItem) -> impl Iterator<Item = NoteOf<'_>> {
    (1..)
        .zip(&item.notes)
        .map(move |(number, note)| NoteOf { item, number, note })
}

impl Present for ShownItemsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        notes().csv(self.result.items.iter().flat_map(rows), place)
    }

    fn document(&self) -> Document {
        self.result
            .items
            .iter()
            .fold(Document::new(), |document, item| {
                let facts = [
                    ("clef", item.clef.clone()),
                    ("key", item.key.clone()),
                    ("time", item.time.clone()),
                    ("tempo", item.tempo.map(|tempo| tempo.to_string())),
                ];
                let facts = facts
                    .into_iter()
                    .filter_map(|(name, value)| Some(format!("{name} {}", value?)));
                let facts: Vec<String> = facts.collect();
                let about = format!(
                    "{}: {} of {}, {:.1} s",
                    item.id, item.kind, item.source, item.seconds
                );
                let document = document.paragraph([vec![about], facts].concat().join(", "));
                match item.notes.is_empty() {
                    true => document,
                    false => document.table(notes().table(rows(item))),
                }
            })
    }
}
