//! Imports sources into a collection on one thread, and says how long that took.
//!
//! `cargo run --release --example bench_import -- incipits.txt c.coll`

#![allow(clippy::print_stdout, reason = "this is what the example is for")]

use std::path::Path;
use std::time::Instant;

use partita_core::work::InTurn;
use partita_melody::collection::{Collection, ImportRequest, import};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, into] = &arguments[..] else {
        return Err("a source and a collection are expected".into());
    };
    let request = ImportRequest {
        sources: vec![source.clone()],
        ..ImportRequest::default()
    };
    let begun = Instant::now();
    let done = import(&request, Path::new(into), &InTurn)?;
    let (items, skipped) = (done.report.items, done.report.skipped.len());
    println!("{items} items, {skipped} skipped, {:?}", begun.elapsed());
    let begun = Instant::now();
    let first = Collection::open(Path::new(into))?.list(0, Some(1))?;
    println!("the first of {}: {:?}", first.total, begun.elapsed());
    let begun = Instant::now();
    let notes: usize = Collection::open(Path::new(into))?
        .melodies(0)
        .map(|read| read.map(|(_, _, melody)| melody.len()))
        .sum::<Result<usize, _>>()?;
    println!("{notes} notes read back, {:?}", begun.elapsed());
    Ok(())
}
