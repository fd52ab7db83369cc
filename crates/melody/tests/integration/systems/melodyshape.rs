//! Comparison of ShapeH, Time, ShapeTime and Splines with a simple implementation of their
//! formulas.
//!
//! The simple implementation does not use closed forms or faster algorithms: splines are sums of
//! basis functions, areas are split at roots that are found by bisection, and alignments fill a
//! matrix.

use std::collections::HashMap;

use partita_core::work::SequentialWork;
use partita_melody::Melody;
use partita_melody::systems;
use partita_melody::systems::SearchOptions;
use proptest::prelude::*;

use super::{NoteList, any_collection, any_melody, melody};

/// Coefficients of a polynomial, in ascending order of powers.
type Polynomial = Vec<f64>;

/// Evaluates a polynomial at `x`.
fn evaluate(polynomial: &Polynomial, x: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn derivative(polynomial: &Polynomial) -> Polynomial {
    (polynomial.iter().enumerate().skip(1))
        .map(|(power, c)| power as f64 * c)
        .collect()
}

/// Returns the basis functions of the uniform B-spline of degree `notes` - 1, from the last note to
/// the first.
fn basis_functions(notes: usize) -> Vec<Polynomial> {
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
        _ => unreachable!("n-grams have 3 or 4 notes"),
    }
}

/// Returns the uniform B-spline whose coefficients are these pitches or durations.
fn spline(notes: &[f64]) -> Polynomial {
    let mut sum = vec![0.0; notes.len()];
    for (basis, note) in basis_functions(notes.len()).iter().zip(notes.iter().rev()) {
        for (total, c) in sum.iter_mut().zip(basis) {
            *total += note * c;
        }
    }
    sum
}

/// Returns the area from 0 to 1 between the derivatives of two splines, given by their
/// coefficients.
fn area(one: &[f64], other: &[f64]) -> f64 {
    let difference: Polynomial = (spline(one).iter().zip(spline(other)))
        .map(|(a, b)| a - b)
        .collect();
    let slope = derivative(&difference);
    // The slope is at most quadratic, so it has at most one root on each side of its extremum.
    let extremum_position = match slope[..] {
        [_, linear, square] if square != 0.0 => -linear / (2.0 * square),
        _ => 0.5,
    };
    let extremum = extremum_position.clamp(0.0, 1.0);
    let mut cuts = vec![0.0];
    for (mut low, end) in [(0.0, extremum), (extremum, 1.0)] {
        let mut high = end;
        if evaluate(&slope, low) * evaluate(&slope, high) < 0.0 {
            for _ in 0..80 {
                let middle = (low + high) / 2.0;
                if evaluate(&slope, low) * evaluate(&slope, middle) <= 0.0 {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            cuts.push(low);
        }
        // The extremum may itself be a root. If it is none, the additional cut does not change the
        // sum.
        cuts.push(end);
    }
    let parts = cuts
        .windows(2)
        .map(|ends| evaluate(&difference, ends[1]) - evaluate(&difference, ends[0]));
    parts.map(f64::abs).sum()
}

/// Function that returns the score of aligning two different n-grams.
type MismatchScore = dyn Fn(&Gram, &Gram) -> f64;

/// N-gram of notes.
#[derive(Clone, Debug)]
struct Gram {
    /// MIDI note numbers.
    pitches: Vec<i32>,
    /// Durations in quarter notes.
    durations: Vec<f64>,
}

impl Gram {
    /// Returns all n-grams of a melody, in time order.
    fn from_melody(melody: &Melody, n: usize) -> Vec<Self> {
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

    /// Returns the pitches in semitones above the first.
    fn pitch_offsets(&self) -> Vec<f64> {
        let first = self.pitches[0];
        self.pitches
            .iter()
            .map(|pitch| f64::from(pitch - first))
            .collect()
    }

    /// Returns the durations as ratios to the first.
    fn duration_ratios(&self) -> Vec<f64> {
        self.durations
            .iter()
            .map(|lasts| lasts / self.durations[0])
            .collect()
    }

    /// Returns the pitches relative to the first. N-grams with equal values match in pitch.
    fn pitch_id(&self) -> Vec<i32> {
        self.pitches
            .iter()
            .map(|pitch| pitch - self.pitches[0])
            .collect()
    }

    /// Returns the duration ratios with three decimals. N-grams with equal texts match in time.
    fn time_id(&self) -> Vec<String> {
        self.duration_ratios()
            .iter()
            .map(|ratio| format!("{ratio:.3}"))
            .collect()
    }

    /// Returns the intervals between successive notes, in semitones.
    fn intervals(&self) -> Vec<i32> {
        self.pitches.windows(2).map(|two| two[1] - two[0]).collect()
    }
}

/// Returns the score of the hybrid alignment of two melodies, given by their n-grams. `score`
/// returns the score of aligning two n-grams, or of skipping one if the other is `None`.
fn hybrid_score(
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

/// Share of each trigram among all trigrams of a collection, by [`Gram::pitch_id`].
struct TrigramFrequencies(HashMap<Vec<i32>, f64>);

impl TrigramFrequencies {
    fn from_documents(documents: &[Melody]) -> Self {
        let grams: Vec<Gram> = documents
            .iter()
            .flat_map(|melody| Gram::from_melody(melody, 3))
            .collect();
        let mut shares: HashMap<Vec<i32>, f64> = HashMap::new();
        for gram in &grams {
            *shares.entry(gram.pitch_id()).or_default() += 1.0 / grams.len() as f64;
        }
        Self(shares)
    }

    /// Returns the score of aligning two trigrams, or of skipping one if the other is `None`.
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
            (None, None) => unreachable!("at least one n-gram is given"),
        }
    }
}

/// Returns the score of aligning two different trigrams in ShapeH.
fn shape_mismatch_score(one: &Gram, other: &Gram) -> f64 {
    let signs = |gram: &Gram| {
        let curve = derivative(&spline(&gram.pitch_offsets()));
        (evaluate(&curve, 0.0), evaluate(&curve, 1.0))
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

/// Returns the score of aligning two n-grams in Time, or of skipping one if the other is `None`.
fn time_score(one: Option<&Gram>, other: Option<&Gram>, weight: f64) -> f64 {
    match (one, other) {
        (Some(a), Some(b)) => {
            let pitch = match a.pitch_id() == b.pitch_id() {
                true => 2.0 * 2.1838,
                false => -area(&a.pitch_offsets(), &b.pitch_offsets()),
            };
            let time = match a.time_id() == b.time_id() {
                true => 2.0 * 0.4772,
                false => -area(&a.duration_ratios(), &b.duration_ratios()),
            };
            pitch + weight * time * (2.1838 / 0.4772)
        }
        (Some(only), None) | (None, Some(only)) => -area(&only.pitch_offsets(), &[0.0; 4]),
        (None, None) => unreachable!("at least one n-gram is given"),
    }
}

/// Checks that the system `text` gives each document the same score as the simple implementation
/// `plain`.
fn check_scores(
    text: &str,
    query: &Melody,
    documents: &[Melody],
    plain: &dyn Fn(&Melody) -> Option<f64>,
) {
    let system = systems::parse(text).expect("the system is valid");
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

/// Returns the n-grams of both melodies, or `None` if one of them is too short.
fn grams_of_both(query: &Melody, document: &Melody, n: usize) -> Option<(Vec<Gram>, Vec<Gram>)> {
    let (one, other) = (Gram::from_melody(query, n), Gram::from_melody(document, n));
    (!one.is_empty() && !other.is_empty()).then_some((one, other))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn shape_h_and_splines_match_the_formulas(query in any_melody(2..20), documents in any_collection()) {
        let query = melody(&query);
        let documents: Vec<Melody> = documents.iter().map(melody).collect();
        let frequencies = TrigramFrequencies::from_documents(&documents);
        let mismatches: [(&str, &MismatchScore); 3] = [
            ("ShapeH", &shape_mismatch_score),
            ("Splines", &|a, b| -area(&a.pitch_offsets(), &b.pitch_offsets())),
            ("Splines(mismatch=domain)", &|a, b| {
                let differences = a.intervals().into_iter().zip(b.intervals());
                -differences.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>() / 2.0
            }),
        ];
        for (text, mismatch) in mismatches {
            check_scores(text, &query, &documents, &|document| {
                let (one, other) = grams_of_both(&query, document, 3)?;
                Some(hybrid_score(&one, &other, &|a, b| frequencies.score(a, b, mismatch)))
            });
        }
    }

    #[test]
    fn time_matches_the_formulas(query in any_melody(2..14), documents in any_collection()) {
        let query = melody(&query);
        let documents: Vec<Melody> = documents.iter().map(melody).collect();
        for (text, weight) in [("Time", 0.5), ("Time(weight=0)", 0.0)] {
            check_scores(text, &query, &documents, &|document| {
                let (one, other) = grams_of_both(&query, document, 4)?;
                Some(hybrid_score(&one, &other, &|a, b| time_score(a, b, weight)))
            });
        }
    }

    #[test]
    fn shape_time_returns_documents_of_shape_h_in_the_order_of_time(
        query in any_melody(4..14),
        documents in prop::collection::vec(any_melody(4..20), 1..12),
        top in 1usize..6,
    ) {
        let query = melody(&query);
        let search = |text: &str, wanted| {
            let system = systems::parse(text).expect("the system is valid");
            let collection = system.prepare(&mut documents.iter().map(melody));
            collection.search(&query, wanted, &SequentialWork).expect("the search is not cancelled").expect("the query is long enough")
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

/// Returns the score by which MelodyShape breaks ties: an alignment of n-grams in which equal pitches
/// add 1 and everything else subtracts 1.
fn pitch_tie_score(query: &Melody, document: &Melody, n: usize) -> f64 {
    let (one, other) = grams_of_both(query, document, n).expect("long enough");
    hybrid_score(&one, &other, &|a, b| match (a, b) {
        (Some(a), Some(b)) if a.pitches == b.pitches => 1.0,
        _ => -1.0,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn music_b5_ties_follow_exact_intervals_or_on_request_the_pitches_of_melodyshape(
        query in any_melody(4..12),
        others in prop::collection::vec(any_melody(4..12), 0..4),
        shifts in prop::collection::vec(-5i32..6, 4..10),
    ) {
        let query = melody(&query);
        // Transposed copies of the query have the same score and differ in pitch only.
        let copies = shifts.iter().filter_map(|&shift| query.transposed(shift));
        let documents: Vec<Melody> = copies.chain(others.iter().map(melody)).collect();
        let search = |text: &str, query: &Melody| {
            let system = systems::parse(text).expect("the system is valid");
            let collection = system.prepare(&mut documents.iter().cloned());
            let found = collection.search(query, SearchOptions::ALL, &SequentialWork);
            found.expect("the search is not cancelled").expect("the query is long enough")
        };
        for (name, n) in [("ShapeH", 3), ("Splines", 3), ("Time", 4), ("ShapeTime", 3)] {
            let found = search(&format!("{name}(ties=pitch)"), &query);
            for pair in found.windows(2).filter(|pair| pair[0].score == pair[1].score) {
                let key = |place: usize| {
                    let document = &documents[pair[place].document];
                    let length = document.len().abs_diff(query.len());
                    (-pitch_tie_score(&query, document, n), length, pair[place].document)
                };
                prop_assert!(key(0) < key(1), "{} {:?}", name, pair);
            }
            // By default, transposing the query changes nothing.
            if let Some(transposed) = query.transposed(1) {
                prop_assert_eq!(search(name, &query), search(name, &transposed));
            }
        }
    }
}

#[test]
fn music_b5_the_tie_rule_of_the_first_four_systems_is_called_exact_interval() {
    for name in ["ShapeH", "Time", "ShapeTime", "Splines"] {
        let definition = systems::parse_definition(name).expect("the system is valid");
        assert_eq!(
            definition.tie_rule.to_string(),
            "exact-interval alignment, then difference in length"
        );
        let text = format!("{name}(ties=pitch)");
        assert_eq!(
            systems::canonical_name(&text).expect("the system is valid"),
            text
        );
    }
}

#[test]
fn shape_h_alignments_match_scores_calculated_by_hand() {
    // Trigrams of the document, by intervals: (2, 2), (2, 1), (1, 2). Those of the query: (2, 2),
    // (2, -2).
    // The three trigrams of the collection are different, so each has the frequency 1/3.
    let plain: NoteList = vec![
        (60, 0, 12),
        (62, 0, 12),
        (64, 0, 12),
        (65, 0, 12),
        (67, 0, 12),
    ];
    let query: NoteList = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12), (62, 0, 12)];
    let query = melody(&query);
    let score = |text: &str| {
        let system = systems::parse(text).expect("the system is valid");
        system
            .prepare(&mut [melody(&plain)].into_iter())
            .score(&query, 0)
    };
    // The match of (2, 2) adds 1 - 1/3, and the score is divided by the two trigrams of the query.
    assert_eq!(score("ShapeH"), Some(0.3333333333));
    assert_eq!(score("ShapeH(how=local)"), Some(0.3333333333));
    // A global alignment continues to the end. Aligning (2, -2) with one of the other two trigrams
    // adds -1, and skipping the other one adds -2/3: 2/3 - 1 - 2/3 = -1.
    assert_eq!(score("ShapeH(how=global)"), Some(-1.0));
}

#[test]
fn skipping_a_trigram_that_is_not_in_the_collection_costs_1() {
    let document: NoteList = vec![(60, 0, 12), (62, 0, 12), (64, 0, 12)];
    // The first trigram of the query, (12, 2), is not in the collection. The second, (2, 2), is the
    // only one in the collection.
    let query: NoteList = vec![(48, 0, 12), (60, 0, 12), (62, 0, 12), (64, 0, 12)];
    let system = systems::parse("ShapeH").expect("the system is valid");
    let collection = system.prepare(&mut [melody(&document)].into_iter());
    // Aligning (12, 2) with (2, 2) scores -0.5, because both rise. Skipping (12, 2) would cost 1,
    // and the match of (2, 2) would add 1 - 1 = 0.
    assert_eq!(collection.score(&melody(&query), 0), Some(-0.5));
}
