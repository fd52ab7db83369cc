//! Round-trip tests: ground truths and runs that are written in a format and read again are
//! unchanged, also after conversion to a second format.

use std::collections::HashSet;

use partita_core::{GroundTruth, Run, TruthScale, ZeroGainPolicy};
use partita_formats::run::{self, RunFormat, TieBreaking};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{FormatError, Source};
use partita_named::NamedEnum;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fuzz::checks::{
    self, check_run_round_trip, check_truth_round_trip, run_lists, truth_lists,
};

/// Regular expression of names that every format can represent.
const PORTABLE_NAMES: &str = "[a-zA-Z0-9._/+|é旋αЖ-]{1,8}";
/// Regular expression of arbitrary names, many of which only some formats can represent.
const ANY_NAMES: &str =
    "[a-z0-9 ,\"'():#{}\\\\é旋α\t\n\r\u{0}\u{7}\u{85}\u{a0}\u{feff}-]{0,6}|\\PC{0,6}";

/// Strategy that generates several queries with groups of items. The names of the queries are
/// distinct, and so are the names of the items of a query.
fn query_lists(names: &'static str) -> impl Strategy<Value = checks::Lists> {
    let groups = vec(vec(names, 1..4), 0..4);
    vec((names, groups), 1..4).prop_map(|mut queries| {
        let mut known = HashSet::new();
        queries.retain(|(query, _)| known.insert(query.clone()));
        for (_, groups) in &mut queries {
            let mut known = HashSet::new();
            for group in groups.iter_mut() {
                group.retain(|item| known.insert(item.clone()));
            }
            groups.retain(|group| !group.is_empty());
        }
        queries
    })
}

/// Returns the lists as JSON, without using the writer under test.
fn lists_as_json(lists: &checks::Lists) -> String {
    let map: serde_json::Map<String, serde_json::Value> = lists
        .iter()
        .map(|(query, groups)| (query.clone(), serde_json::json!(groups)))
        .collect();
    serde_json::Value::Object(map).to_string()
}

fn read_truth(text: &str, format: TruthFormat) -> Result<GroundTruth, FormatError> {
    let source = Source::from_bytes("memory", text.as_bytes());
    let options = truth::TruthReadOptions {
        format: Some(format),
        ..Default::default()
    };
    truth::read(&source, &options).map(|file| file.truth)
}

fn read_run(text: &str, format: RunFormat) -> Vec<Run> {
    let source = Source::from_bytes("memory", text.as_bytes());
    let options = run::RunReadOptions {
        format: Some(format),
        ties: TieBreaking::Average,
        ..Default::default()
    };
    run::read(&source, &options).unwrap().runs
}

/// Formats that can represent a ground truth with several queries: all but PrefLib's.
const MULTI_QUERY_FORMATS: [TruthFormat; 6] = [
    TruthFormat::Groups,
    TruthFormat::Qrels,
    TruthFormat::Gains,
    TruthFormat::Json,
    TruthFormat::QrelsJson,
    TruthFormat::Notation,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn truths_with_portable_names_survive_every_pair_of_formats(
        mut expected in query_lists(PORTABLE_NAMES),
    ) {
        // Not every format can represent a query without items.
        expected.retain(|(_, groups)| !groups.is_empty());
        prop_assume!(!expected.is_empty());
        let truth = read_truth(&lists_as_json(&expected), TruthFormat::Json).unwrap();
        prop_assert_eq!(truth_lists(&truth), expected.clone());
        for first in MULTI_QUERY_FORMATS {
            let once = read_truth(&truth::write(&truth, first).unwrap(), first).unwrap();
            prop_assert_eq!(&truth_lists(&once), &expected);
            for second in MULTI_QUERY_FORMATS {
                let twice = read_truth(&truth::write(&once, second).unwrap(), second).unwrap();
                prop_assert_eq!(&truth_lists(&twice), &expected, "{:?} {:?}", first, second);
                let back = truth::write(&twice, TruthFormat::Json).unwrap();
                let back = read_truth(&back, TruthFormat::Json).unwrap();
                prop_assert_eq!(&truth_lists(&back), &expected);
            }
        }
    }

    #[test]
    fn truths_with_any_names_are_read_back_unchanged_or_refused(
        expected in query_lists(ANY_NAMES),
    ) {
        let truth = read_truth(&lists_as_json(&expected), TruthFormat::Json).unwrap();
        prop_assert_eq!(truth_lists(&truth), expected);
        for &format in TruthFormat::VARIANTS {
            check_truth_round_trip(&truth, format, ZeroGainPolicy::LeaveOut);
        }
        prop_assert!(check_truth_round_trip(&truth, TruthFormat::Json, ZeroGainPolicy::LeaveOut));
    }

    #[test]
    fn grades_are_read_back_bit_for_bit(
        rows in vec(("[a-c]", "[a-z]{1,3}", -1e100f64..1e100), 1..12),
        tiny in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
    ) {
        let mut known = HashSet::new();
        let mut text = String::from("query,item,gain\n");
        for (index, (query, item, grade)) in rows.iter().enumerate() {
            let grade = if index % 2 == 0 && tiny.abs() < 1e100 { tiny } else { *grade };
            if known.insert((query, item)) {
                text.push_str(&format!("{query},{item},{grade:e}\n"));
            }
        }
        for zero in [ZeroGainPolicy::LeaveOut, ZeroGainPolicy::LastGroup] {
            let source = Source::from_bytes("gains.csv", text.as_bytes());
            let options = truth::TruthReadOptions { zero, ..Default::default() };
            let truth = truth::read(&source, &options).unwrap().truth;
            prop_assert_eq!(truth.scale(), TruthScale::Grades);
            prop_assert!(check_truth_round_trip(&truth, TruthFormat::Gains, zero));
            prop_assert!(check_truth_round_trip(&truth, TruthFormat::Qrels, zero));
            prop_assert!(check_truth_round_trip(&truth, TruthFormat::QrelsJson, zero));
        }
    }

    #[test]
    fn runs_with_portable_names_survive_every_pair_of_formats(
        mut expected in query_lists(PORTABLE_NAMES),
    ) {
        // All formats can represent runs without ties in which every query has a document.
        expected.retain(|(_, groups)| !groups.is_empty());
        prop_assume!(!expected.is_empty());
        for (_, groups) in &mut expected {
            *groups = groups.concat().into_iter().map(|item| vec![item]).collect();
        }
        let run = read_run(&lists_as_json(&expected), RunFormat::Json);
        for &first in RunFormat::VARIANTS {
            let once = read_run(&run::write(&run, first).unwrap(), first);
            for &second in RunFormat::VARIANTS {
                let twice = read_run(&run::write(&once, second).unwrap(), second);
                prop_assert_eq!(&run_lists(&twice[0]), &expected, "{:?} {:?}", first, second);
            }
        }
    }

    #[test]
    fn runs_with_any_names_are_read_back_unchanged_or_refused(
        expected in query_lists(ANY_NAMES),
        name in ANY_NAMES,
    ) {
        let mut run = read_run(&lists_as_json(&expected), RunFormat::Json);
        prop_assert_eq!(&run_lists(&run[0]), &expected);
        run[0] = run[0].clone().with_name(name);
        for &format in RunFormat::VARIANTS {
            check_run_round_trip(&run, format);
        }
        prop_assert!(check_run_round_trip(&run, RunFormat::Json));
    }

    #[test]
    fn tied_documents_stay_tied_in_trec_and_in_json(expected in query_lists(PORTABLE_NAMES)) {
        let run = read_run(&lists_as_json(&expected), RunFormat::Json);
        prop_assert!(check_run_round_trip(&run, RunFormat::Trec));
        prop_assert!(check_run_round_trip(&run, RunFormat::Json));
        prop_assert!(check_run_round_trip(&run, RunFormat::ScoresJson));
    }
}

#[test]
fn no_format_refuses_one_query_with_portable_names() {
    let text = r#"{"q.1": [["a-b", "旋律"], ["c/d"]]}"#;
    let truth = read_truth(text, TruthFormat::Json).unwrap();
    for &format in TruthFormat::VARIANTS {
        let name = format.name();
        assert!(
            check_truth_round_trip(&truth, format, ZeroGainPolicy::LeaveOut),
            "{name}"
        );
    }
    let run = read_run(r#"{"q.1": ["a-b", "旋律"]}"#, RunFormat::Json);
    for &format in RunFormat::VARIANTS {
        let name = format.name();
        assert!(check_run_round_trip(&run, format), "{name}");
    }
}

#[test]
fn tables_json_and_preflib_accept_names_that_qrels_and_notation_refuse() {
    let text = r#"{"a query": [["a, b", "say \"hi\""], ["'"]]}"#;
    let truth = read_truth(text, TruthFormat::Json).unwrap();
    for format in [TruthFormat::Groups, TruthFormat::Gains, TruthFormat::Json] {
        assert!(check_truth_round_trip(
            &truth,
            format,
            ZeroGainPolicy::LeaveOut
        ));
    }
    assert!(check_truth_round_trip(
        &truth,
        TruthFormat::Preflib,
        ZeroGainPolicy::LeaveOut
    ));
    for format in [TruthFormat::Qrels, TruthFormat::Notation] {
        assert!(!check_truth_round_trip(
            &truth,
            format,
            ZeroGainPolicy::LeaveOut
        ));
    }
}
