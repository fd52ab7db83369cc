//! Views of a collection of melodies: its import, its items, and the notes of an item.

use std::io;

use partita_formats::DiagnosticCode;
use partita_melody::collection::{
    CollectionListing, ImportReport, ItemDetails, ItemDetailsList, ItemSummary, NoteDetails,
    SkippedItem,
};
use partita_named::NamedEnum;

use crate::phrases::count_noun;
use crate::table::{integer, number, text};
use crate::{ColumnSet, Document, View};

/// Maximum number of skipped items that a document lists.
const MAX_LISTED_ITEMS: usize = 20;

fn import_count_columns() -> ColumnSet<'static, ImportReport> {
    ColumnSet::<ImportReport>::new()
        .field("collection", text("Collection"), |row| {
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

fn skipped_item_columns() -> ColumnSet<'static, SkippedItem> {
    ColumnSet::<SkippedItem>::new()
        .table_field(text("Skipped"), |row| match row.line {
            Some(line) => format!("{}, line {line}", row.file),
            None => row.file.clone(),
        })
        .table_field(text("Place"), |row| row.place.clone())
        .table_field(text("Reason"), |row| row.code.name())
        .table_field(text("Why"), |row| row.message.clone())
}

impl View for ImportReport {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        import_count_columns().write_csv([self], writer)
    }

    fn document(&self) -> Document {
        let document = Document::new().table(import_count_columns().to_table([self]));
        let all = &self.skipped;
        if all.is_empty() {
            return document;
        }
        let mut document =
            document.table(skipped_item_columns().to_table(all.iter().take(MAX_LISTED_ITEMS)));
        let more = all.len().saturating_sub(MAX_LISTED_ITEMS);
        if more > 0 {
            let were = if more == 1 { "was" } else { "were" };
            document = document
                .note(format!("{more} more {were} skipped."))
                .hint("--format json names all of them.");
        }
        let such = |code: DiagnosticCode| {
            let skipped = all.iter().filter(|skipped| skipped.code == code);
            let skipped = skipped.count();
            let words = || count_noun(skipped, "that is skipped", "that are skipped");
            (skipped > 0).then(|| format!("{} as {}", words(), code.name()))
        };
        if let Some(them) = such(DiagnosticCode::SeveralVoices) {
            document = document.hint(format!("--voice 1 reads the first voice of {them}."));
        }
        if let Some(them) = such(DiagnosticCode::Polyphonic) {
            document = document.hint(format!("--chords highest reads the top notes of {them}."));
        }
        document
    }
}

fn item_columns() -> ColumnSet<'static, ItemSummary> {
    ColumnSet::<ItemSummary>::new()
        .field("item", text("Item"), |row| row.item.clone())
        .field("kind", text("Kind"), |row| row.kind.name())
        .field("notes", integer("Notes"), |row| row.notes)
        .field("beats", number("Beats", 2), |row| row.beats)
        .field("seconds", number("Seconds", 1), |row| row.seconds)
        .csv_field("checksum", |row| row.checksum.to_string())
        .csv_field("content", |row| row.content.to_string())
        .field("format", text("Format"), |row| row.format.name())
        .field("source", text("Source"), |row| row.source.clone())
}

impl View for CollectionListing {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        item_columns().write_csv(&self.items, writer)
    }

    fn document(&self) -> Document {
        let shown = self.items.len();
        let document = Document::new().table(item_columns().to_table(&self.items));
        if shown as u64 == self.total {
            return document.note(format!("{}.", count_noun(shown, "item", "items")));
        }
        document.note(format!("{shown} of {} items.", self.total))
    }
}

/// Note of a melody with its position.
struct NoteRow<'a> {
    item: &'a ItemDetails,
    number: usize,
    note: &'a NoteDetails,
}

fn note_columns<'a>() -> ColumnSet<'static, NoteRow<'a>> {
    ColumnSet::<NoteRow<'_>>::new()
        .csv_field("item", |row| row.item.id.clone())
        .field("note", integer("Note"), |row| row.number)
        .field("pitch", integer("Pitch"), |row| i64::from(row.note.pitch))
        .field("name", text("Name"), |row| row.note.name.clone())
        .field("onset", text("Onset"), |row| row.note.onset.clone())
        .field("duration", text("Duration"), |row| {
            row.note.duration.clone()
        })
}

fn rows(item: &ItemDetails) -> impl Iterator<Item = NoteRow<'_>> {
    (1..)
        .zip(&item.notes)
        .map(move |(number, note)| NoteRow { item, number, note })
}

impl View for ItemDetailsList {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        note_columns().write_csv(self.items.iter().flat_map(rows), writer)
    }

    fn document(&self) -> Document {
        self.items.iter().fold(Document::new(), |document, item| {
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
                false => document.table(note_columns().to_table(rows(item))),
            }
        })
    }
}
