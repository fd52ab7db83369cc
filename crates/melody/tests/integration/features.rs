//! Tests of melody features: comparison with Verovio, definitions and feature filters.

use std::fs;
use std::path::Path;

use partita_core::work::SequentialWork;
use partita_melody::collection::{Collection, ImportRequest, ItemLookupError, import};
use partita_melody::features::{
    Feature, FeatureFilter, FeatureFilterError, ItemFeatures, QueryFeatures, features, key,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::clip_analysis::{NoteTuple, melody};

/// Imports incipits, one per line, into a collection file in a temporary folder.
pub(crate) fn collection_of_incipits(lines: &str) -> (TempDir, Collection) {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("incipits.txt");
    fs::write(&source, lines).unwrap();
    let request = ImportRequest {
        sources: vec![source.to_string_lossy().into_owned()],
        ..ImportRequest::default()
    };
    let path = folder.path().join("c.coll");
    import(&request, &path, &SequentialWork).unwrap();
    let collection = Collection::open(&path).unwrap();
    (folder, collection)
}

#[test]
fn features_equal_those_of_verovio() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/features-verovio.tsv");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 40);
    let lines: Vec<String> = (10..)
        .zip(&rows)
        .map(|(id, row)| format!("{id}\t{}", row[0]))
        .collect();
    let (_folder, collection) = collection_of_incipits(&lines.join("\n"));
    let ours = features::<&str>(&collection, &[]).unwrap().items;
    assert_eq!(ours.len(), 40);
    for (ours, row) in ours.iter().zip(&rows) {
        let lists = [
            &ours.pitches_chromatic,
            &ours.pitches_diatonic,
            &ours.intervals_chromatic,
            &ours.intervals_diatonic,
            &ours.interval_gross_contour,
            &ours.interval_refined_contour,
        ];
        let lists = lists.map(|list| list.join(" "));
        assert_eq!(lists.as_slice(), &row[1..], "{}", row[0]);
    }
}

/// Returns the features of one incipit.
fn features_of_incipit(incipit: &str) -> ItemFeatures {
    let (_folder, collection) = collection_of_incipits(&format!("x\t{incipit}"));
    features(&collection, &["x"]).unwrap().items.remove(0)
}

#[test]
fn features_match_values_calculated_by_hand() {
    let found = features_of_incipit("%G-2@3/4$xF 2'G4B/8''DDDDDD/2'G4B/2.''D//");
    // Notes G B D D D D D D G B D, with the intervals 4 3 0 0 0 0 0 -7 4 3.
    assert_eq!(
        (found.notes, found.pitch_range, found.interval_max),
        (11, 7, 7)
    );
    let shares: Vec<(i32, f64)> = found.interval_histogram.into_iter().collect();
    assert_eq!(shares, [(-7, 0.1), (0, 0.5), (3, 0.2), (4, 0.2)]);
    // Of the motives of three intervals, only 0 0 0 occurs more than once.
    assert_eq!(found.repeated_motives, 1);
    assert_eq!(found.contour, "UURRRRRDUU");
    assert_eq!(found.duration_ratio, 6.0);
    assert_eq!(found.key.as_deref(), Some("G major"));
    assert_eq!(found.time.as_deref(), Some("3/4"));
}

#[test]
fn estimated_key_follows_transposition() {
    // Harmonic minor scale from A to A, in which both notes A last longest.
    let minor: Vec<NoteTuple> = [69, 71, 72, 74, 76, 77, 80, 81]
        .into_iter()
        .zip(0..)
        .map(|(pitch, beat)| (pitch, (beat, 1), (if pitch % 12 == 9 { 4 } else { 1 }, 4)))
        .collect();
    let tune = melody(&minor);
    assert_eq!(key::estimate_key(&tune).unwrap().to_string(), "A minor");
    for semitones in 0..12 {
        let key = key::estimate_key(&tune.transposed(semitones).unwrap()).unwrap();
        assert!(key.minor && key.tonic == (9 + semitones as usize) % 12);
    }
    let chromatic: Vec<_> = (60..72)
        .zip(0..)
        .map(|(p, beat)| (p, (beat, 1), (1, 1)))
        .collect();
    assert_eq!(key::estimate_key(&melody(&chromatic)), None);
}

#[test]
fn unknown_item_is_an_error_and_one_note_has_no_intervals() {
    let (_folder, collection) = collection_of_incipits("x\t%G-2 4'C");
    let unknown = features(&collection, &["y"]);
    assert!(matches!(unknown, Err(ItemLookupError::UnknownId { id, .. }) if id == "y"));
    // A melody of one note has no intervals.
    let found = features(&collection, &["x"]).unwrap().items.remove(0);
    assert_eq!(
        (
            found.pitch_range,
            found.interval_max,
            found.contour.as_str()
        ),
        (0, 0, "")
    );
    assert!(found.interval_histogram.is_empty() && found.duration_ratio == 1.0);
}

#[test]
fn feature_filters_are_parsed_and_invalid_ones_rejected() {
    let near: FeatureFilter = "Pitch-Range = 4".parse().unwrap();
    assert_eq!((near.feature, near.tolerance), (Feature::PitchRange, 4.0));
    assert_eq!(
        "interval_histogram=1.0"
            .parse::<FeatureFilter>()
            .unwrap()
            .to_string(),
        "interval_histogram=1"
    );
    let wrong = |text: &str| text.parse::<FeatureFilter>().unwrap_err();
    assert!(matches!(wrong("contour"), FeatureFilterError::Form(_)));
    assert!(matches!(
        wrong("pitch_rage=3"),
        FeatureFilterError::Unknown {
            nearest: "pitch_range",
            ..
        }
    ));
    for tolerance in ["", "x", "-1", "NaN", "inf"] {
        assert!(matches!(
            wrong(&format!("contour={tolerance}")),
            FeatureFilterError::Tolerance { .. }
        ));
    }
    // The distance in this feature is a factor of at least 1, so a tolerance below 1 is invalid.
    assert!(matches!(
        wrong("duration_ratio=0.5"),
        FeatureFilterError::Tolerance { least: 1, .. }
    ));
}

#[test]
fn feature_distances_match_their_definitions() {
    let query = melody(&[
        (60, (0, 1), (1, 1)),
        (64, (1, 1), (1, 1)),
        (62, (2, 1), (2, 1)),
    ]);
    let other = melody(&[
        (60, (0, 1), (1, 2)),
        (64, (1, 1), (4, 1)),
        (64, (5, 1), (1, 1)),
        (57, (6, 1), (1, 1)),
    ]);
    let query_features = QueryFeatures::from_melody(&query);
    // Features of `query` and `other`: pitch range 4 and 7, largest interval 4 and 7, intervals
    // {4, -2} and {4, 0, -7}, contour UD and URD, duration ratio 2 and 8.
    let distances = [
        ("pitch_range", 3.0),
        ("interval_max", 3.0),
        ("interval_histogram", 1.0 / 6.0 + 0.5 + 2.0 / 3.0),
        ("contour", 1.0 / 3.0),
        ("duration_ratio", 4.0),
        ("notes", 1.0),
        ("repeated_motives", 0.0),
    ];
    for (feature, distance) in distances {
        let near =
            |tolerance: f64| -> FeatureFilter { format!("{feature}={tolerance}").parse().unwrap() };
        assert!(
            near(distance + 1e-9).accepts(&query_features, &other),
            "{feature}"
        );
        if distance > 0.0 {
            assert!(
                !near(distance - 1e-6).accepts(&query_features, &other),
                "{feature}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn transposition_and_leading_rests_do_not_change_feature_distances(
        notes in proptest::collection::vec((40_u8..90, 1_i64..9), 1..20),
        semitones in -20_i32..20,
        rest in 0_i64..9,
    ) {
        let mut beat = 0;
        let mut later = Vec::new();
        let mut now = Vec::new();
        for (pitch, length) in notes {
            now.push((pitch, (beat, 2), (length, 4)));
            later.push((pitch, (beat + rest, 2), (length, 4)));
            beat += length;
        }
        let query_features = QueryFeatures::from_melody(&melody(&now));
        let moved = melody(&later).transposed(semitones).expect("transposed pitches stay in the MIDI range");
        for feature in ["pitch_range", "interval_max", "interval_histogram", "contour", "notes", "repeated_motives"] {
            let near: FeatureFilter = format!("{feature}=0").parse().unwrap();
            prop_assert!(near.accepts(&query_features, &moved), "{}", feature);
        }
        prop_assert!("duration_ratio=1".parse::<FeatureFilter>().unwrap().accepts(&query_features, &moved));
    }
}
