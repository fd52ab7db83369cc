//! Measures the time to build and audit lists of 50 items ranked by 35 assessors (100 lists by
//! default), and to bootstrap smaller ones.
//!
//! `cargo run --release -p partita-core --example workload [lists]`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Instant;

use partita_core::truth::{
    Aggregation, Alpha, ListBootstrap, PairwiseRelations, Panel, RankEvidence, RankTestOptions,
    Recipe, SystemBootstrap, Tails, assessor_concordance, consistency,
};
use partita_core::{AssessorRankings, Ranking};
use partita_stats::random::{standard_normal, stream, uniform};

/// Simulates the rankings of one list. Each assessor ranks a random share of the items, at least
/// `share`.
fn rankings(list: u64, items: usize, assessors: usize, share: f64) -> AssessorRankings {
    let mut rng = stream(1, &[list]);
    let quality: Vec<f64> = (0..items).map(|_| standard_normal(&mut rng)).collect();
    let names: Vec<String> = (0..items).map(|i| format!("i{i}")).collect();
    let who: Vec<String> = (0..assessors).map(|a| format!("a{a}")).collect();
    let mut entries = Vec::new();
    for assessor in &who {
        let mut seen: Vec<(f64, usize)> = (quality.iter().enumerate())
            .map(|(i, q)| (q + standard_normal(&mut rng), i))
            .collect();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ranked = (items as f64 * (share + (1.0 - share) * uniform(&mut rng))) as usize;
        for (place, &(_, item)) in seen.iter().enumerate() {
            let rank = (place < ranked).then_some(place as f64 + 1.0);
            entries.push((assessor.as_str(), names[item].as_str(), rank));
        }
    }
    AssessorRankings::new(entries).unwrap()
}

fn main() {
    let lists: u64 = std::env::args().nth(1).map_or(100, |n| n.parse().unwrap());
    for (what, share) in [("all ranked", 1.0), ("some unranked", 0.3)] {
        let (mut test, mut build, mut check) = (0.0, 0.0, 0.0);
        let (mut intra, mut inter, mut triples) = (0, 0, 0);
        for list in 0..lists {
            let rankings = rankings(list, 50, 35, share);
            let start = Instant::now();
            let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
            test += start.elapsed().as_secs_f64();
            let start = Instant::now();
            let built = evidence.aggregate(Aggregation::Any1);
            build += start.elapsed().as_secs_f64();
            let start = Instant::now();
            for tails in [Tails::One, Tails::Two] {
                consistency(&built.list, evidence.pair_tests(), tails).unwrap();
                let listed = (rankings.items(), &built.list);
                let (_, counts) = evidence.audit(listed, tails);
                intra += counts.intra;
                inter += counts.inter;
                let tests = evidence.pair_tests();
                let relations =
                    PairwiseRelations::from_item_tests(built.list.items(), tests, tails);
                triples += relations.count_intransitive().total();
            }
            assessor_concordance(&rankings);
            check += start.elapsed().as_secs_f64();
        }
        println!(
            "{what}: {lists} lists; seconds to test {test:.2}, build {build:.2}, audit twice {check:.2}; intra {intra}, inter {inter}, triples {triples}"
        );
    }
    let mut all = Vec::new();
    for list in 0..24 {
        all.push(rankings(list, 22, 9, 1.0));
    }
    let panels: Vec<Panel> = all.iter().map(|r| Panel::new("q", r)).collect();
    let names: Vec<String> = (0..22).map(|i| format!("i{i}")).collect();
    let start = Instant::now();
    for panel in &panels {
        let mut bootstrap = ListBootstrap::new(panel, Recipe::default(), Alpha::TYPKE);
        for replicate in 0..1000 {
            bootstrap.replicate(1, replicate);
        }
    }
    let lists = start.elapsed().as_secs_f64();
    let run: Vec<Ranking> = (all.iter())
        .map(|r| Ranking::from_names(r.items(), names.iter().map(String::as_str)))
        .collect();
    let runs = vec![run; 7];
    let mut systems = SystemBootstrap::new(&panels, Recipe::default(), &runs);
    let start = Instant::now();
    for replicate in 0..100 {
        systems.replicate(1, replicate);
    }
    let scores = start.elapsed().as_secs_f64();
    println!(
        "1,000 replicates of 24 lists of 22 items and 9 judges: lists {:.1}, scores {:.1} seconds",
        lists,
        10.0 * scores
    );
}
