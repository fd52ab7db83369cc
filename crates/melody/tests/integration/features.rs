//! Features: as Verovio has them, and as they are defined.

use std::fs;
use std::path::Path;

use partita_core::work::SequentialWork;
use partita_melody::collection::{Collection, ImportRequest, ItemLookupError, import};
use partita_melody::features::{
    Feature, FeatureFilter, FeatureFilterError, ItemFeatures, QueryFeatures, features, key,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::clip_analysis::{Written, melody};

/// A collection of incipits, a line each.
pub(crate) fn collection(lines: &str) -> (TempDir, Collection) {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("incipits.txt");
    fs::write(&source, lines).unwrap();
    let request = ImportRequest {
        sources: vec![source.to_string_lossy().into_owned()],
        ..ImportRequest::default()
    };
    let place = folder.path().join("c.coll");
    import(&request, &place, &SequentialWork).unwrap();
    let collection = Collection::open(&place).unwrap();
    (folder, collection)
}

#[test]
fn the_lists_are_those_of_verovio() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/features-verovio.tsv");
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 40);
    let lines: Vec<String> = (10..)
        .zip(&rows)
        .map(|(id, row)| format!("{id}\t{}", row[0]))
        .collect();
    let (_folder, collection) = collection(&lines.join("\n"));
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

fn one(incipit: &str) -> ItemFeatures {
    let (_folder, collection) = collection(&format!("x\t{incipit}"));
    features(&collection, &["x"]).unwrap().items.remove(0)
}

#[test]
fn a_worked_example() {
    let found = one("%G-2@3/4$xF 2'G4B/8''DDDDDD/2'G4B/2.''D//");
    // G B D D D D D D G B D: 4 3 0 0 0 0 0 -7 4 3
    assert_eq!(
        (found.notes, found.pitch_range, found.interval_max),
        (11, 7, 7)
    );
    let shares: Vec<(i32, f64)> = found.interval_histogram.into_iter().collect();
    assert_eq!(shares, [(-7, 0.1), (0, 0.5), (3, 0.2), (4, 0.2)]);
    // 0 0 0 comes three times; nothing else comes again.
    assert_eq!(found.repeated_motives, 1);
    assert_eq!(found.contour, "UURRRRRDUU");
    assert_eq!(found.duration_ratio, 6.0);
    assert_eq!(found.key.as_deref(), Some("G major"));
    assert_eq!(found.time.as_deref(), Some("3/4"));
}

#[test]
fn keys_are_found_and_follow_transpositions() {
    // The scale of A minor with its leading note, ending on A.
    let minor: Vec<Written> = [69, 71, 72, 74, 76, 77, 80, 81]
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
fn clips_have_no_features_and_unknown_items_are_named() {
    let (_folder, collection) = collection("x\t%G-2 4'C");
    let unknown = features(&collection, &["y"]);
    assert!(matches!(unknown, Err(ItemLookupError::UnknownId { id, .. }) if id == "y"));
    // One note has no intervals.
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
fn predicates_are_read_and_wrong_ones_explained() {
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
    // No factor is below 1.
    assert!(matches!(
        wrong("duration_ratio=0.5"),
        FeatureFilterError::Tolerance { least: 1, .. }
    ));
}

#[test]
fn distances_are_as_they_are_defined() {
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
    let gauge = QueryFeatures::from_melody(&query);
    // Range 4 and 7, largest 4 and 7, shares {4, -2} and {4, 0, -7}, UD and URD, ratios 2 and 8.
    let edges = [
        ("pitch_range", 3.0),
        ("interval_max", 3.0),
        ("interval_histogram", 1.0 / 6.0 + 0.5 + 2.0 / 3.0),
        ("contour", 1.0 / 3.0),
        ("duration_ratio", 4.0),
        ("notes", 1.0),
        ("repeated_motives", 0.0),
    ];
    for (feature, distance) in edges {
        let near =
            |tolerance: f64| -> FeatureFilter { format!("{feature}={tolerance}").parse().unwrap() };
        assert!(near(distance + 1e-9).accepts(&gauge, &other), "{feature}");
        if distance > 0.0 {
            assert!(!near(distance - 1e-6).accepts(&gauge, &other), "{feature}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_melody_is_near_itself_transposed_and_after_a_rest(
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
        let gauge = QueryFeatures::from_melody(&melody(&now));
        let moved = melody(&later).transposed(semitones).expect("still a pitch");
        for feature in ["pitch_range", "interval_max", "interval_histogram", "contour", "notes", "repeated_motives"] {
            let near: FeatureFilter = format!("{feature}=0").parse().unwrap();
            prop_assert!(near.accepts(&gauge, &moved), "{}", feature);
        }
        prop_assert!("duration_ratio=1".parse::<FeatureFilter>().unwrap().accepts(&gauge, &moved));
    }
}
