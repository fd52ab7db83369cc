//! ShapeH, Time, ShapeTime and Splines beside a plain implementation of their formulas.
//!
//! Everything is done the long way here: splines are polynomials over their basis functions, areas are cut
//! at roots that are found by halving, alignments fill a table.

use std::collections::HashMap;

use partita_core::work::SequentialWork;
use partita_melody::Melody;
use partita_melody::systems;
use partita_melody::systems::SearchOptions;
use proptest::prelude::*;

use super::{Plain, any_collection, any_melody, melody};

type Polynomial = Vec<f64>;

fn value(polynomial: &Polynomial, x: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn derivative(polynomial: &Polynomial) -> Polynomial {
    (polynomial.iter().enumerate().skip(1))
        .map(|(power, c)| power as f64 * c)
        .collect()
}

/// The basis functions of uniform B-splines of degree 2 and 3, the first for the last note.
fn basis(notes: usize) -> Vec<Polynomial> {
    match notes {
        3 => vec![
            vec![0.0, 0.0, 0.5],
            vec![0.5, 1.0, -1.0],
            vec![0.5, -1.0, 0.5],
        ],
        4 => vec![
            vec![0.0, 0.0, 0.0, 1.0 / 6.0],
            vec![1.0 / 6.0, 0.5, 0.5, -0.5],
            vec![2.0 / 3.0, 0.0, -1.0, 0.5],
            vec![1.0 / 6.0, -0.5, 0.5, -1.0 / 6.0],
        ],
        _ => unreachable!("grams have 3 or 4 notes"),
    }
}

fn spline(notes: &[f64]) -> Polynomial {
    let mut sum = vec![0.0; notes.len()];
    for (basis, note) in basis(notes.len()).iter().zip(notes.iter().rev()) {
        for (total, c) in sum.iter_mut().zip(basis) {
            *total += note * c;
        }
    }
    sum
}

fn area(one: &[f64], other: &[f64]) -> f64 {
    let difference: Polynomial = (spline(one).iter().zip(spline(other)))
        .map(|(a, b)| a - b)
        .collect();
    let slope = derivative(&difference);
    // A slope is at most quadratic: on either side of where it turns it has one root at most.
    let turn = match slope[..] {
        [_, linear, square] if square != 0.0 => -linear / (2.0 * square),
        _ => 0.5,
    };
    let turn = turn.clamp(0.0, 1.0);
    let mut cuts = vec![0.0];
    for (mut low, end) in [(0.0, turn), (turn, 1.0)] {
        let mut high = end;
        if value(&slope, low) * value(&slope, high) < 0.0 {
            for _ in 0..80 {
                let middle = (low + high) / 2.0;
                if value(&slope, low) * value(&slope, middle) <= 0.0 {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            cuts.push(low);
        }
        // A root may be just here; a cut where there is none divides a rise or a fall in two.
        cuts.push(end);
    }
    let parts = cuts
        .windows(2)
        .map(|ends| value(&difference, ends[1]) - value(&difference, ends[0]));
    parts.map(f64::abs).sum()
}

/// What two different grams cost.
type Mismatch = dyn Fn(&Gram, &Gram) -> f64;

#[derive(Clone, Debug)]
struct Gram {
    pitches: Vec<i32>,
    durations: Vec<f64>,
}

impl Gram {
    fn of(melody: &Melody, n: usize) -> Vec<Self> {
        let windows = melody.notes().windows(n);
        windows
            .map(|notes| Self {
                pitches: notes
                    .iter()
                    .map(|note| i32::from(note.pitch.number()))
                    .collect(),
                durations: (notes.iter())
                    .map(|note| *note.duration.numer() as f64 / *note.duration.denom() as f64)
                    .collect(),
            })
            .collect()
    }

    fn offsets(&self) -> Vec<f64> {
        let first = self.pitches[0];
        self.pitches
            .iter()
            .map(|pitch| f64::from(pitch - first))
            .collect()
    }

    fn ratios(&self) -> Vec<f64> {
        self.durations
            .iter()
            .map(|lasts| lasts / self.durations[0])
            .collect()
    }

    fn pitch_id(&self) -> Vec<i32> {
        self.pitches
            .iter()
            .map(|pitch| pitch - self.pitches[0])
            .collect()
    }

    fn time_id(&self) -> Vec<String> {
        self.ratios()
            .iter()
            .map(|ratio| format!("{ratio:.3}"))
            .collect()
    }

    fn intervals(&self) -> Vec<i32> {
        self.pitches.windows(2).map(|two| two[1] - two[0]).collect()
    }
}

fn hybrid(
    one: &[Gram],
    other: &[Gram],
    score: &dyn Fn(Option<&Gram>, Option<&Gram>) -> f64,
) -> f64 {
    let mut table = vec![vec![0.0; other.len() + 1]; one.len() + 1];
    for i in 1..=one.len() {
        table[i][0] = table[i - 1][0] + score(Some(&one[i - 1]), None);
    }
    for j in 1..=other.len() {
        table[0][j] = table[0][j - 1] + score(None, Some(&other[j - 1]));
    }
    let mut best = f64::NEG_INFINITY;
    for i in 1..=one.len() {
        for j in 1..=other.len() {
            let up = table[i - 1][j] + score(Some(&one[i - 1]), None);
            let left = table[i][j - 1] + score(None, Some(&other[j - 1]));
            let both = table[i - 1][j - 1] + score(Some(&one[i - 1]), Some(&other[j - 1]));
            table[i][j] = f64::max(both, f64::max(up, left));
            best = f64::max(best, table[i][j]);
        }
    }
    best / one.len().min(other.len()) as f64
}

struct Frequencies(HashMap<Vec<i32>, f64>);

impl Frequencies {
    fn of(documents: &[Melody]) -> Self {
        let grams: Vec<Gram> = documents
            .iter()
            .flat_map(|melody| Gram::of(melody, 3))
            .collect();
        let mut shares: HashMap<Vec<i32>, f64> = HashMap::new();
        for gram in &grams {
            *shares.entry(gram.pitch_id()).or_default() += 1.0 / grams.len() as f64;
        }
        Self(shares)
    }

    fn score(
        &self,
        one: Option<&Gram>,
        other: Option<&Gram>,
        mismatch: &dyn Fn(&Gram, &Gram) -> f64,
    ) -> f64 {
        let share = |gram: &Gram| self.0.get(&gram.pitch_id()).copied().unwrap_or(0.0);
        match (one, other) {
            (Some(a), Some(b)) if a.pitch_id() == b.pitch_id() => 1.0 - share(a),
            (Some(a), Some(b)) => mismatch(a, b),
            (Some(only), None) | (None, Some(only)) => share(only) - 1.0,
            (None, None) => unreachable!("something is aligned"),
        }
    }
}

fn shape(one: &Gram, other: &Gram) -> f64 {
    let signs = |gram: &Gram| {
        let curve = derivative(&spline(&gram.offsets()));
        (value(&curve, 0.0), value(&curve, 1.0))
    };
    let (p, q) = (signs(one), signs(other));
    let valley = |(a, b): (f64, f64)| a <= 0.0 && b >= 0.0;
    let peak = |(a, b): (f64, f64)| a >= 0.0 && b <= 0.0;
    let rise = |(a, b): (f64, f64)| a >= 0.0 && b >= 0.0;
    let fall = |(a, b): (f64, f64)| a <= 0.0 && b <= 0.0;
    let (same, opposite) = if valley(p) {
        (valley(q), peak(q))
    } else if peak(p) {
        (peak(q), valley(q))
    } else if rise(p) {
        (rise(q), fall(q))
    } else {
        (fall(q), rise(q))
    };
    if same {
        -0.5
    } else if opposite {
        -8.0
    } else {
        -1.0
    }
}

fn time(one: Option<&Gram>, other: Option<&Gram>, weight: f64) -> f64 {
    match (one, other) {
        (Some(a), Some(b)) => {
            let pitch = match a.pitch_id() == b.pitch_id() {
                true => 2.0 * 2.1838,
                false => -area(&a.offsets(), &b.offsets()),
            };
            let time = match a.time_id() == b.time_id() {
                true => 2.0 * 0.4772,
                false => -area(&a.ratios(), &b.ratios()),
            };
            pitch + weight * time * (2.1838 / 0.4772)
        }
        (Some(only), None) | (None, Some(only)) => -area(&only.offsets(), &[0.0; 4]),
        (None, None) => unreachable!("something is aligned"),
    }
}

fn compare(
    text: &str,
    query: &Melody,
    documents: &[Melody],
    plain: &dyn Fn(&Melody) -> Option<f64>,
) {
    let system = systems::parse(text).expect("it is a system");
    let collection = system.prepare(&mut documents.iter().cloned());
    for (number, document) in documents.iter().enumerate() {
        match (collection.score(query, number), plain(document)) {
            (Some(ours), Some(theirs)) => {
                assert!(
                    (ours - theirs).abs() < 1e-9,
                    "{text} {number}: {ours} {theirs}"
                );
            }
            (ours, theirs) => assert_eq!(ours.is_none(), theirs.is_none(), "{text} {number}"),
        }
    }
}

fn grams(query: &Melody, document: &Melody, n: usize) -> Option<(Vec<Gram>, Vec<Gram>)> {
    let (one, other) = (Gram::of(query, n), Gram::of(document, n));
    (!one.is_empty() && !other.is_empty()).then_some((one, other))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn shapes_score_what_the_formulas_give(query in any_melody(2..20), documents in any_collection()) {
        let query = melody(&query);
        let documents: Vec<Melody> = documents.iter().map(melody).collect();
        let known = Frequencies::of(&documents);
        let mismatches: [(&str, &Mismatch); 3] = [
            ("ShapeH", &shape),
            ("Splines", &|a, b| -area(&a.offsets(), &b.offsets())),
            ("Splines(mismatch=domain)", &|a, b| {
                let differences = a.intervals().into_iter().zip(b.intervals());
                -differences.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>() / 2.0
            }),
        ];
        for (text, mismatch) in mismatches {
            compare(text, &query, &documents, &|document| {
                let (one, other) = grams(&query, document, 3)?;
                Some(hybrid(&one, &other, &|a, b| known.score(a, b, mismatch)))
            });
        }
    }

    #[test]
    fn times_score_what_the_formulas_give(query in any_melody(2..14), documents in any_collection()) {
        let query = melody(&query);
        let documents: Vec<Melody> = documents.iter().map(melody).collect();
        for (text, weight) in [("Time", 0.5), ("Time(weight=0)", 0.0)] {
            compare(text, &query, &documents, &|document| {
                let (one, other) = grams(&query, document, 4)?;
                Some(hybrid(&one, &other, &|a, b| time(a, b, weight)))
            });
        }
    }

    #[test]
    fn shape_time_has_the_documents_of_shape_h_in_the_order_of_time(
        query in any_melody(4..14),
        documents in prop::collection::vec(any_melody(4..20), 1..12),
        top in 1usize..6,
    ) {
        let query = melody(&query);
        let search = |text: &str, wanted| {
            let system = systems::parse(text).expect("it is a system");
            let collection = system.prepare(&mut documents.iter().map(melody));
            collection.search(&query, wanted, &SequentialWork).expect("nobody stops it").expect("long enough")
        };
        let shapes = search("ShapeH", SearchOptions::ALL);
        let least = shapes[top.min(shapes.len()) - 1].score;
        let chosen: Vec<usize> =
            shapes.iter().filter(|hit| hit.score >= least).map(|hit| hit.document).collect();
        let mut times = search("Time", SearchOptions::ALL);
        times.retain(|hit| chosen.contains(&hit.document));
        times.truncate(top);
        prop_assert_eq!(search("ShapeTime", SearchOptions { top, exhaustive: true }), times);
    }
}

#[test]
fn local_and_global_alignments_by_hand() {
    // Grams of the document: (2,2) (2,1) (1,2); of the query (2,2) (-2,-2). All grams of the collection are
    // different, so that each has a third.
    let plain: Plain = vec![
        (60, 0, 12),
        (62, 0, 12),
        (64, 0, 12),
        (65, 0, 12),
        (67, 0, 12),
    ];
    let query: Plain = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12), (62, 0, 12)];
    let query = {
        // 2 2, then 2 -2.
        melody(&query)
    };
    let score = |text: &str| {
        let system = systems::parse(text).expect("it is a system");
        system
            .prepare(&mut [melody(&plain)].into_iter())
            .score(&query, 0)
    };
    // The first match adds 2/3; nothing after it does.
    assert_eq!(score("ShapeH"), Some(0.3333333333));
    assert_eq!(score("ShapeH(how=local)"), Some(0.3333333333));
    // (2,-2) is a peak beside two rises, and is not in the collection: beside one of them -1, the other
    // skipped -2/3; 2/3 - 1 - 2/3 = -1.
    assert_eq!(score("ShapeH(how=global)"), Some(-1.0));
}

#[test]
fn a_gram_that_the_collection_does_not_have_costs_1_to_skip() {
    let document: Plain = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12)];
    // Its first gram (12, 2) is nowhere; its second (2, 2) is all that there is.
    let query: Plain = vec![(48, 0, 12), (60, 0, 12), (62, 0, 12), (64, 0, 12)];
    let system = systems::parse("ShapeH").expect("it is a system");
    let collection = system.prepare(&mut [melody(&document)].into_iter());
    // Rises beside a rise: -0.5. Skipping it costs 1, and the match adds 1 - 1 = 0.
    assert_eq!(collection.score(&melody(&query), 0), Some(-0.5));
}
