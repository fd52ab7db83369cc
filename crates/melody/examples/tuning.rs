//! `tuning FOLDER SYSTEM [KEEP]`: tunes a system on a folder with `families.csv` and `krn/`, every KEEP-th of the
//! melodies without a family among them.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::collections::HashMap;

use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::GroundTruth;
use partita_core::work::Work;
use partita_melody::read::{Format, ReadOptions};
use partita_melody::tune::{TuneRequest, tune};

struct Two;

impl Work for Two {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pieces {
                break;
            }
            piece(number);
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            work();
        });
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = &arguments[0];
    let keep: usize = arguments.get(2).map_or(1, |n| n.parse().unwrap());
    let list = std::fs::read_to_string(format!("{folder}/families.csv")).unwrap();
    let groups: HashMap<String, String> = list
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
    let mut others = 0;
    let melodies: Vec<_> = paths
        .iter()
        .filter_map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if !groups.contains_key(&name) {
                others += 1;
                if others % keep != 0 {
                    return None;
                }
            }
            let read = Format::Kern
                .read_one(&std::fs::read(path).unwrap(), &ReadOptions::default())
                .ok()?;
            Some((name, read.melody))
        })
        .collect();
    let lists = groups.iter().filter_map(|(query, family)| {
        let mut relevant: Vec<&str> = groups
            .iter()
            .filter(|(m, f)| *f == family && *m != query)
            .map(|(m, _)| m.as_str())
            .collect();
        relevant.sort_unstable();
        (!relevant.is_empty()).then_some((query.as_str(), [relevant]))
    });
    let mut lists: Vec<_> = lists.collect();
    lists.sort();
    let truth = GroundTruth::of_groups(lists).unwrap();
    let request = TuneRequest {
        system: arguments[1].clone(),
        groups: groups.clone(),
        folds: 5,
        seed: 1,
    };
    println!("{} melodies, {} queries", melodies.len(), truth.len());
    let tuning = tune(&request, &melodies, &truth, &Two).unwrap();
    println!("{}", serde_json::to_string_pretty(&tuning).unwrap());
}
