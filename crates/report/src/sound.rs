//! How clips are shown.

use std::io;

use partita_melody::sound::{RenderedClip, Rendering};

use crate::table::{number, text};
use crate::words::count;
use crate::{Document, Present, Sheet};

/// Clips that were made.
#[derive(Clone, Copy, Debug)]
pub struct RenderingView<'a> {
    /// The clips.
    pub result: &'a Rendering,
}

fn clips() -> Sheet<'static, RenderedClip> {
    Sheet::new()
        .field("item", text("Item"), |row: &RenderedClip| row.item.clone())
        .field("file", text("File"), |row| row.file.clone())
        .field("seconds", number("Seconds", 2), |row| row.seconds)
        .csv_field("lead", |row| row.lead)
        .field("peak", number("Peak (dB)", 2), |row| row.peak)
        .field("loudness", number("Loudness (LUFS)", 2), |row| row.loudness)
        .csv_field("sha256", |row| row.sha256.clone())
}

impl Present for RenderingView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        clips().csv(&self.result.clips, place)
    }

    fn document(&self) -> Document {
        let all = &self.result.clips;
        let seconds: f64 = all.iter().map(|clip| clip.seconds).sum();
        Document::new().table(clips().table(all)).note(format!(
            "{}, {:.1} minutes to listen to.",
            count(all.len(), "clip", "clips"),
            seconds / 60.0
        ))
    }
}
