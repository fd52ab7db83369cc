//! Prints the notes of melody files as JSON, one line per melody. Scripts compare this output with
//! that of other programs that read the same files.
//!
//! `cargo run --example read_notes -- tune.mid incipits.pae`

#![allow(clippy::print_stdout, reason = "the example prints its results")]

use partita_melody::readers::{MelodyEntry, MelodyFormat, MelodyReadOptions, pae};

fn main() -> std::io::Result<()> {
    let options = MelodyReadOptions::default();
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file)?;
        let mut show = |entry: MelodyEntry| {
            let line = match entry.result {
                Err(unread) => serde_json::json!({
                    "file": file, "id": entry.id, "reason": unread.code, "message": unread.message,
                }),
                Ok(read) => {
                    let notes = read.melody.notes().iter();
                    let notes = notes.map(|note| {
                        let times = [note.onset.to_string(), note.duration.to_string()];
                        serde_json::json!([note.pitch.number(), times[0], times[1]])
                    });
                    serde_json::json!({"file": file, "id": entry.id, "notes": notes.collect::<Vec<_>>()})
                }
            };
            println!("{line}");
        };
        match MelodyFormat::detect(&bytes, &file) {
            Some(MelodyFormat::Pae) => pae::read(&file, &bytes, &options, &mut show),
            Some(format) => show(MelodyEntry {
                id: None,
                line: None,
                result: format.read_melody(&file, &bytes, &options),
            }),
            None => println!(
                "{}",
                serde_json::json!({"file": file, "reason": "unsupported"})
            ),
        }
    }
    Ok(())
}
