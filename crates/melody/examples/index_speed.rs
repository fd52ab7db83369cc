//! `index_speed FOLDER MELODIES QUERIES`: ShapeH with and without its index, on generated melodies whose intervals
//! follow each other as those of the folder's kern files do. CPU seconds of this thread.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::HashMap;

use partita_core::work::InTurn;
use partita_melody::read::{Format, ReadOptions};
use partita_melody::system::{self, Wanted};
use partita_melody::{Beats, Melody, Note, Pitch};
use partita_stats::streams;

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments[1].parse().unwrap();
    let queries: usize = arguments[2].parse().unwrap();
    let system = arguments.get(3).map_or("ShapeH", String::as_str);
    let mut paths: Vec<_> = std::fs::read_dir(format!("{}/krn", arguments[0]))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    let mut after: HashMap<i32, Vec<i32>> = HashMap::new();
    let mut starts: Vec<i32> = Vec::new();
    for path in &paths {
        let Ok(read) =
            Format::Kern.read_one(&std::fs::read(path).unwrap(), &ReadOptions::default())
        else {
            continue;
        };
        let intervals: Vec<i32> = read.melody.intervals().collect();
        starts.extend(intervals.first());
        for two in intervals.windows(2) {
            after.entry(two[0]).or_default().push(two[1]);
        }
    }
    let melody = |number: u64| {
        let mut rng = streams::stream(12, &[number]);
        let notes = 8 + streams::index_below(&mut rng, 17);
        let mut pitch = 60i32;
        let mut step = starts[streams::index_below(&mut rng, starts.len())];
        let mut line = Vec::new();
        for at in 0..notes {
            let sounding = Pitch::new(pitch as u8).unwrap();
            line.push(Note::new(
                sounding,
                Beats::from_integer(at as i64),
                Beats::from_integer(1),
            ));
            if !(20..=107).contains(&(pitch + step)) {
                step = -step;
            }
            pitch += step;
            let next = after.get(&step).unwrap_or(&starts);
            step = next[streams::index_below(&mut rng, next.len())];
        }
        Melody::new(line).unwrap()
    };
    let start = cpu();
    let collection = system::parse(system)
        .unwrap()
        .prepare(&mut (0..count as u64).map(&melody));
    println!("{count} melodies made ready in {:.2} s", cpu() - start);
    let top = 50;
    // The index is made with the first search.
    let start = cpu();
    let _ = collection.search(
        &melody(0),
        Wanted {
            top,
            exhaustive: false,
        },
        &InTurn,
    );
    println!("index made in {:.2} s", cpu() - start);
    let (mut good, mut all) = (0, 0);
    let mut worst = 1.0f64;
    let questions: Vec<Melody> = (0..queries as u64).map(|n| melody(1 << 40 | n)).collect();
    let ask = |exhaustive: bool| {
        let start = cpu();
        let found: Vec<_> = questions
            .iter()
            .map(|query| {
                collection
                    .search(query, Wanted { top, exhaustive }, &InTurn)
                    .unwrap()
                    .unwrap()
            })
            .collect();
        (found, cpu() - start)
    };
    let (exact, slow) = ask(true);
    if let Ok(list) = std::env::var("SWEEP") {
        for setting in list.split(';') {
            std::fs::write("/tmp/sweep-scale", setting).unwrap();
            let (found, fast) = ask(false);
            let mut good = 0;
            for (f, e) in found.iter().zip(&exact) {
                let least = e.last().unwrap().score;
                good += f.iter().filter(|hit| hit.score >= least).count();
            }
            println!(
                "{setting}: {:.5} s, {:.0} times, {:.4}",
                fast / queries as f64,
                slow / fast,
                good as f64 / (top * queries) as f64
            );
        }
    }
    let (found, fast) = ask(false);
    for (f, e) in found.iter().zip(&exact) {
        let least = e.last().unwrap().score;
        let share = f.iter().filter(|hit| hit.score >= least).count();
        worst = worst.min(share as f64 / top as f64);
        good += share;
        all += top;
    }
    println!(
        "exhaustive: {:.4} s per query, {:.2} million comparisons per second",
        slow / queries as f64,
        count as f64 * queries as f64 / slow / 1e6
    );
    println!(
        "index: {:.5} s per query, {:.0} times cheaper, {:.4} of the first {top} at least as good as the {top}th (worst query {worst:.2})",
        fast / queries as f64,
        slow / fast,
        good as f64 / all as f64
    );
}
