//! Whatever is written reads back as the same: every truth format to every other and back, and
//! runs likewise.

use std::collections::HashSet;

use partita_core::{GroundTruth, Run, TruthScale, ZeroGainPolicy};
use partita_formats::run::{self, RunFormat, TieBreaking};
use partita_formats::truth::{self, TruthFormat};
use partita_formats::{FormatError, Source};
use partita_named::NamedEnum;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fuzz::checks::{self, lists, lists_of_run, run_survives, truth_survives};

/// Names that every format can hold.
const WORDS: &str = "[a-zA-Z0-9._/+|é旋αЖ-]{1,8}";
/// Names that only some can.
const ANY: &str = "[a-z0-9 ,\"'():#{}\\\\é旋α\t\n\r\u{0}\u{7}\u{85}\u{a0}\u{feff}-]{0,6}|\\PC{0,6}";

/// Lists of distinct names for distinct queries.
fn lists_of(names: &'static str) -> impl Strategy<Value = checks::Lists> {
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

/// The JSON of lists, made without the writer under test.
fn json(lists: &checks::Lists) -> String {
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

const HOLDING_MANY: [TruthFormat; 6] = [
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
    fn simple_names_go_through_every_pair_of_formats_and_back(mut given in lists_of(WORDS)) {
        // Not every format can hold a query without items.
        given.retain(|(_, groups)| !groups.is_empty());
        prop_assume!(!given.is_empty());
        let truth = read_truth(&json(&given), TruthFormat::Json).unwrap();
        prop_assert_eq!(lists(&truth), given.clone());
        for first in HOLDING_MANY {
            let once = read_truth(&truth::write(&truth, first).unwrap(), first).unwrap();
            prop_assert_eq!(&lists(&once), &given);
            for second in HOLDING_MANY {
                let twice = read_truth(&truth::write(&once, second).unwrap(), second).unwrap();
                prop_assert_eq!(&lists(&twice), &given, "{:?} {:?}", first, second);
                let back = truth::write(&twice, TruthFormat::Json).unwrap();
                let back = read_truth(&back, TruthFormat::Json).unwrap();
                prop_assert_eq!(&lists(&back), &given);
            }
        }
    }

    #[test]
    fn any_names_read_back_from_every_format_or_are_refused_by_it(given in lists_of(ANY)) {
        let truth = read_truth(&json(&given), TruthFormat::Json).unwrap();
        prop_assert_eq!(lists(&truth), given);
        for &format in TruthFormat::VARIANTS {
            truth_survives(&truth, format, ZeroGainPolicy::LeaveOut);
        }
        prop_assert!(truth_survives(&truth, TruthFormat::Json, ZeroGainPolicy::LeaveOut));
    }

    #[test]
    fn grades_read_back_to_the_last_bit(
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
            prop_assert!(truth_survives(&truth, TruthFormat::Gains, zero));
            prop_assert!(truth_survives(&truth, TruthFormat::Qrels, zero));
            prop_assert!(truth_survives(&truth, TruthFormat::QrelsJson, zero));
        }
    }

    #[test]
    fn runs_of_simple_names_go_through_every_pair_of_formats_and_back(given in lists_of(WORDS)) {
        // One document a place, and a document for every query: what all formats can hold.
        let mut given = given;
        given.retain(|(_, groups)| !groups.is_empty());
        prop_assume!(!given.is_empty());
        for (_, groups) in &mut given {
            *groups = groups.concat().into_iter().map(|item| vec![item]).collect();
        }
        let run = read_run(&json(&given), RunFormat::Json);
        for &first in RunFormat::VARIANTS {
            let once = read_run(&run::write(&run, first).unwrap(), first);
            for &second in RunFormat::VARIANTS {
                let twice = read_run(&run::write(&once, second).unwrap(), second);
                prop_assert_eq!(&lists_of_run(&twice[0]), &given, "{:?} {:?}", first, second);
            }
        }
    }

    #[test]
    fn runs_of_any_names_read_back_from_every_format_or_are_refused_by_it(
        given in lists_of(ANY),
        name in ANY,
    ) {
        let mut run = read_run(&json(&given), RunFormat::Json);
        prop_assert_eq!(&lists_of_run(&run[0]), &given);
        run[0] = run[0].clone().with_name(name);
        for &format in RunFormat::VARIANTS {
            run_survives(&run, format);
        }
        prop_assert!(run_survives(&run, RunFormat::Json));
    }

    #[test]
    fn tied_documents_stay_tied_in_trec_and_in_json(given in lists_of(WORDS)) {
        let run = read_run(&json(&given), RunFormat::Json);
        prop_assert!(run_survives(&run, RunFormat::Trec));
        prop_assert!(run_survives(&run, RunFormat::Json));
        prop_assert!(run_survives(&run, RunFormat::ScoresJson));
    }
}

#[test]
fn what_every_format_can_hold_is_not_refused_by_any() {
    let text = r#"{"q.1": [["a-b", "旋律"], ["c/d"]]}"#;
    let truth = read_truth(text, TruthFormat::Json).unwrap();
    for &format in TruthFormat::VARIANTS {
        let name = format.name();
        assert!(
            truth_survives(&truth, format, ZeroGainPolicy::LeaveOut),
            "{name}"
        );
    }
    let run = read_run(r#"{"q.1": ["a-b", "旋律"]}"#, RunFormat::Json);
    for &format in RunFormat::VARIANTS {
        let name = format.name();
        assert!(run_survives(&run, format), "{name}");
    }
}

#[test]
fn names_with_blanks_commas_and_quotes_are_held_by_tables_and_json() {
    let text = r#"{"a query": [["a, b", "say \"hi\""], ["'"]]}"#;
    let truth = read_truth(text, TruthFormat::Json).unwrap();
    for format in [TruthFormat::Groups, TruthFormat::Gains, TruthFormat::Json] {
        assert!(truth_survives(&truth, format, ZeroGainPolicy::LeaveOut));
    }
    assert!(truth_survives(
        &truth,
        TruthFormat::Preflib,
        ZeroGainPolicy::LeaveOut
    ));
    for format in [TruthFormat::Qrels, TruthFormat::Notation] {
        assert!(!truth_survives(&truth, format, ZeroGainPolicy::LeaveOut));
    }
}
