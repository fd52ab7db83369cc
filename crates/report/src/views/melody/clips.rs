//! View of the audio clips rendered from melodies.

use std::io;

use partita_melody::audio::renderer::{RenderReport, RenderedClip};

use crate::phrases::count_noun;
use crate::table::{number, text};
use crate::{ColumnSet, Document, View};

fn clip_columns() -> ColumnSet<'static, RenderedClip> {
    ColumnSet::<RenderedClip>::new()
        .field("item", text("Item"), |row| row.item.clone())
        .field("file", text("File"), |row| row.file.clone())
        .field("seconds", number("Seconds", 2), |row| row.seconds)
        .csv_field("lead", |row| row.lead)
        .field("peak", number("Peak (dB)", 2), |row| row.peak)
        .field("loudness", number("Loudness (LUFS)", 2), |row| row.loudness)
        .csv_field("sha256", |row| row.sha256.clone())
}

impl View for RenderReport {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        clip_columns().write_csv(&self.clips, writer)
    }

    fn document(&self) -> Document {
        let all = &self.clips;
        let seconds: f64 = all.iter().map(|clip| clip.seconds).sum();
        Document::new()
            .table(clip_columns().to_table(all))
            .note(format!(
                "{}, {:.1} minutes to listen to.",
                count_noun(all.len(), "clip", "clips"),
                seconds / 60.0
            ))
    }
}
