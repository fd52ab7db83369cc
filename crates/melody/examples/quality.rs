//! How well each system finds the relatives of a melody.
//!
//! `quality FOLDER [--systems A;B] [--every N]`: FOLDER has `families.csv` (melody, family) and `krn/`. Every
//! N-th labelled melody is a query, the rest of its family is relevant.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::HashMap;
use std::time::Instant;

use partita_core::work::InTurn;
use partita_core::{Judged, Ranking, measure};
use partita_melody::system::{self, Wanted};
use partita_melody::{Beats, Melody, Note, Pitch};

fn kern(text: &str) -> Option<Melody> {
    let mut notes: Vec<Note> = Vec::new();
    let mut at = Beats::from_integer(0);
    let mut tied = false;
    for line in text.lines() {
        if line.is_empty() || line.starts_with(['!', '*', '=']) {
            continue;
        }
        let token = line.split('\t').next()?;
        if token == "." || token.contains('q') {
            continue;
        }
        let digits: String = token.chars().filter(char::is_ascii_digit).collect();
        let Ok(value) = digits.parse::<i64>() else {
            continue;
        };
        let mut lasts = if value == 0 {
            Beats::from_integer(8)
        } else {
            Beats::new(4, value)
        };
        let mut dot = lasts;
        for _ in token.chars().filter(|&c| c == '.') {
            dot /= 2;
            lasts += dot;
        }
        if !token.contains('r') {
            let letters: Vec<char> = token
                .chars()
                .filter(|c| matches!(c, 'a'..='g' | 'A'..='G'))
                .collect();
            let letter = *letters.first()?;
            let step = [9, 11, 0, 2, 4, 5, 7][letter.to_ascii_lowercase() as usize - 'a' as usize];
            let octave = if letter.is_lowercase() {
                3 + letters.len() as i32
            } else {
                4 - letters.len() as i32
            };
            let sharp = token.matches('#').count() as i32 - token.matches('-').count() as i32;
            let pitch = Pitch::new(u8::try_from((octave + 1) * 12 + step + sharp).ok()?)?;
            if tied {
                notes.last_mut()?.duration += lasts;
            } else {
                notes.push(Note::new(pitch, at, lasts));
            }
            if token.contains('[') {
                tied = true;
            }
            if token.contains(']') {
                tied = false;
            }
        }
        at += lasts;
    }
    Melody::new(notes).ok()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        arguments
            .iter()
            .position(|a| a == name)
            .map(|at| arguments[at + 1].clone())
    };
    let folder = &arguments[0];
    let every: usize = after("--every").map_or(1, |n| n.parse().unwrap());
    let systems = after("--systems").unwrap_or_else(|| {
        system::REGISTRY
            .iter()
            .map(|d| d.name)
            .collect::<Vec<_>>()
            .join(";")
    });
    let families: HashMap<String, String> =
        std::fs::read_to_string(format!("{folder}/families.csv"))
            .unwrap()
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').unwrap())
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect();
    let mut paths: Vec<_> = std::fs::read_dir(format!("{folder}/krn"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    let items: Vec<(String, Melody)> = paths
        .iter()
        .filter_map(|path| {
            let bytes = std::fs::read(path).unwrap();
            let melody = kern(&String::from_utf8_lossy(&bytes))?;
            Some((
                path.file_stem().unwrap().to_str().unwrap().to_owned(),
                melody,
            ))
        })
        .collect();
    let notes: usize = items.iter().map(|i| i.1.len()).sum();
    println!(
        "{} melodies, {:.1} notes each",
        items.len(),
        notes as f64 / items.len() as f64
    );
    let queries: Vec<usize> = (0..items.len())
        .filter(|&i| families.contains_key(&items[i].0))
        .step_by(every)
        .collect();
    for text in systems.split(';') {
        let system = system::parse(text).unwrap();
        let start = Instant::now();
        let searcher = system.prepare(&mut items.iter().map(|i| i.1.clone()));
        let wanted = if text.starts_with("TWV") {
            Wanted {
                top: 300,
                exhaustive: false,
            }
        } else {
            Wanted::ALL
        };
        let half = queries.len().div_ceil(2);
        let run = |queries: &[usize]| -> Vec<(f64, f64)> {
            queries
                .iter()
                .filter_map(|&q| {
                    let family = &families[&items[q].0];
                    let relevant: Vec<&str> = items
                        .iter()
                        .filter(|i| families.get(&i.0) == Some(family) && i.0 != items[q].0)
                        .map(|i| i.0.as_str())
                        .collect();
                    if relevant.is_empty() {
                        return None;
                    }
                    let truth = Judged::of_groups(&[relevant]).unwrap();
                    let hits = searcher.search(&items[q].1, wanted, &InTurn).unwrap()?;
                    let names = hits
                        .iter()
                        .map(|h| items[h.document].0.as_str())
                        .filter(|n| *n != items[q].0);
                    let ranking = Ranking::of(truth.names(), names);
                    let score = |m: &str| {
                        measure::parse(m, 1.0)
                            .unwrap()
                            .score(&truth, &ranking)
                            .unwrap()
                    };
                    Some((score("AP"), score("ADR")))
                })
                .collect()
        };
        let (a, b) = queries.split_at(half);
        let scores: Vec<(f64, f64)> = std::thread::scope(|scope| {
            let other = scope.spawn(|| run(b));
            let mut mine = run(a);
            mine.extend(other.join().unwrap());
            mine
        });
        let n = scores.len() as f64;
        let map = scores.iter().map(|s| s.0).sum::<f64>() / n;
        let adr = scores.iter().map(|s| s.1).sum::<f64>() / n;
        println!(
            "{text:40} MAP {map:.4} ADR {adr:.4}  {} queries, {:.1} s",
            scores.len(),
            start.elapsed().as_secs_f64()
        );
    }
}
