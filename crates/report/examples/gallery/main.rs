//! Draws every kind of figure, with ordinary and extreme data, into a folder for visual checks:
//! `cargo run -p partita-report --example gallery -- /tmp/gallery`

mod comparisons;
mod judging;
mod lists;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use partita_report::{Figure, RecallCurve, RecallPanel, dynamic_recall_figure, mean_recall_figure};

/// Linear congruential generator of random numbers from 0 to 1; its state is the seed.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }
}

/// Returns the recall curve of a synthetic run over `n` positions. The probability that a relevant
/// document is found, `skill` times a factor, decreases with the position.
fn curve(run: &str, n: usize, skill: f64, seed: u64) -> RecallCurve {
    let mut stream = Stream(seed);
    let mut count = 0.0;
    let recall = (1..=n).map(|position| {
        let chance = skill * (1.1 - 0.85 * position as f64 / n as f64);
        count += f64::from(stream.next() < chance);
        count / position as f64
    });
    RecallCurve::new(run, recall.collect())
}

fn group_ends(n: usize, seed: u64) -> Vec<usize> {
    let mut stream = Stream(seed);
    let (mut ends, mut end) = (Vec::new(), 0);
    while end < n {
        end = (end + 1 + (stream.next() * 9.0) as usize).min(n);
        ends.push(end);
    }
    ends
}

fn panel(query: &str, n: usize, runs: &[&str], seed: u64) -> RecallPanel {
    let curves = (0..).zip(runs).map(|(number, run)| {
        let skill = 0.95 - 0.5 * number as f64 / runs.len() as f64;
        curve(run, n, skill, seed * 1000 + number)
    });
    RecallPanel::new(query, group_ends(n, seed), curves.collect())
}

/// Draws a figure like Typke, Veltkamp and Wiering (2006), Fig. 1, from synthetic data with the
/// same result: 26 of 48 documents found, average dynamic recall 0.74.
fn figure_1() -> Figure {
    for seed in 0.. {
        let curve = curve("variant of the Earth Mover’s Distance", 48, 0.9, seed);
        if curve.relevant_found().last() == Some(&26.0) && (curve.adr() - 0.74).abs() < 0.003 {
            let ends = vec![1, 4, 6, 11, 13, 19, 26, 31, 40, 48];
            let panel = RecallPanel::new("240.001.397-1, distorted", ends, vec![curve]);
            return dynamic_recall_figure(&[panel]);
        }
    }
    dynamic_recall_figure(&[])
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    fs::create_dir_all(&folder)?;
    let five = [
        "EMD",
        "PTD, polyphonic",
        "n-grams",
        "Markov chains",
        "edit distance <&\">",
    ];
    let forty: Vec<String> = (1..=40)
        .map(|i| format!("bm25 k1=0.9 b=0.{i:02}"))
        .collect();
    let forty: Vec<&str> = forty.iter().map(String::as_str).collect();
    let long = [
        "a system with a very long name indeed that nobody would want to read twice, variant 1",
        "a system with a very long name indeed that nobody would want to read twice, variant 2",
        "Ähnlichkeit der Melodie",
        "旋律の類似度（編集距離）による検索システム、第二版の改良型と評価実験",
        "мелодическое сходство",
        "תשובה לחן",
    ];
    let queries = [
        "190.011.224-1.1.1",
        "400.065.784-1.1.1",
        "450.024.802-1.1.1",
        "600.053.475-1.1.1",
        "600.053.481-1.1.1",
        "600.054.278-1.1.1",
        "600.192.742-1.1.1",
        "700.010.059-1.1.1",
        "700.010.591-1.1.1",
        "702.001.406-1.1.1",
        "703.001.021-1.1.1",
        "a query with a name that is much too long for its panel <&>",
    ];
    let of_queries = |count: usize, runs: &[&str]| -> Vec<RecallPanel> {
        let queries = (1..).zip(&queries[..count]);
        queries
            .map(|(seed, query)| panel(query, 3 + (seed as usize * 17) % 45, runs, seed))
            .collect()
    };
    let many: Vec<RecallPanel> = (1..=50)
        .map(|seed| {
            panel(
                &format!("q{seed}"),
                4 + (seed as usize * 37) % 60,
                &five,
                seed,
            )
        })
        .collect();
    let even: Vec<RecallPanel> = (1..=50)
        .map(|seed| panel(&format!("q{seed}"), 10, &five[..2], seed))
        .collect();
    let beyond = RecallPanel::new(
        "k = 30, n = 12",
        vec![2, 5, 12],
        vec![curve("EMD", 30, 0.8, 5)],
    );
    let cut = RecallPanel::new(
        "k = 10, n = 48",
        group_ends(48, 4),
        vec![curve("EMD", 10, 0.8, 5)],
    );
    let singles: Vec<usize> = (1..=400).collect();
    let singles = RecallPanel::new("a complete order", singles, vec![curve("EMD", 400, 0.8, 5)]);
    let figures = [
        ("figure-1", figure_1()),
        (
            "five-runs",
            dynamic_recall_figure(&[panel("190.011.224-1.1.1", 48, &five, 3)]),
        ),
        (
            "forty-runs",
            dynamic_recall_figure(&[panel("190.011.224-1.1.1", 60, &forty, 3)]),
        ),
        (
            "long-names",
            dynamic_recall_figure(&[panel(long[0], 20, &long, 3)]),
        ),
        (
            "one-position",
            dynamic_recall_figure(&[panel("q", 1, &five[..1], 3)]),
        ),
        (
            "one-position-five-runs",
            dynamic_recall_figure(&[panel("q", 1, &five, 3)]),
        ),
        (
            "thousands",
            dynamic_recall_figure(&[panel("q", 5000, &five, 3)]),
        ),
        (
            "thousands-one-run",
            dynamic_recall_figure(&[panel("q", 5000, &five[..1], 3)]),
        ),
        ("beyond-the-truth", dynamic_recall_figure(&[beyond])),
        ("cut-before-the-end", dynamic_recall_figure(&[cut])),
        ("complete-order", dynamic_recall_figure(&[singles])),
        (
            "perfect",
            dynamic_recall_figure(&[RecallPanel::new(
                "perfect",
                vec![2, 5, 6],
                vec![RecallCurve::new("oracle", vec![1.0; 6])],
            )]),
        ),
        (
            "nothing-found",
            dynamic_recall_figure(&[RecallPanel::new(
                "nothing found",
                vec![2, 5, 6],
                vec![RecallCurve::new("random", vec![0.0; 6])],
            )]),
        ),
        ("two-queries", dynamic_recall_figure(&of_queries(2, &five))),
        (
            "four-queries-one-run",
            dynamic_recall_figure(&of_queries(4, &five[..1])),
        ),
        (
            "six-queries",
            dynamic_recall_figure(&of_queries(6, &five[..3])),
        ),
        (
            "twelve-queries",
            dynamic_recall_figure(&of_queries(12, &five)),
        ),
        (
            "twelve-queries-forty-runs",
            dynamic_recall_figure(&of_queries(12, &forty)),
        ),
        ("fifty-queries", dynamic_recall_figure(&many)),
        ("mean", mean_recall_figure(&many)),
        ("mean-even", mean_recall_figure(&even)),
        ("mean-one-query", mean_recall_figure(&even[..1])),
        ("empty", dynamic_recall_figure(&[])),
    ];
    let lists = lists::list_figures()?.into_iter();
    let boxes = lists::box_figures()?.into_iter();
    let comparisons = comparisons::figures()?.into_iter();
    let judging = judging::figures()?.into_iter();
    let all = figures.into_iter().chain(lists).chain(boxes);
    for (name, figure) in all.chain(comparisons).chain(judging) {
        fs::write(folder.join(name).with_extension("svg"), figure.to_svg())?;
        #[cfg(feature = "pdf")]
        fs::write(
            folder.join(name).with_extension("png"),
            figure.encode(partita_report::FigureFormat::Png),
        )?;
    }
    Ok(())
}
