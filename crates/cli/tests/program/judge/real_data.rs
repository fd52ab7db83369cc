//! What is found in answers that people gave: the archive of Urbano et al. (2010), and votes on
//! photos.

use serde_json::{Value, json};

use crate::data::data;
use crate::judge::agree::{close, number, parsed};
use crate::session::{Folder, outcome_on, output_of};

/// The columns of the archive.
const TURK: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                    answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
                    seconds=WorkTimeInSeconds,background=Answer.bground,clips=Input.time";

fn archive() -> String {
    let file = data("sigir2010-crowdsourcing").join("judgments.csv");
    file.to_str().expect("a path").to_owned()
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_batches_of_the_archive_are_those_of_table_2() {
    let file = archive();
    let arguments = [
        "judge", "batches", "-p", &file, "--map", TURK, "--format", "json",
    ];
    let found = parsed(&output_of(&arguments));
    let minutes: Vec<i64> = (found["batches"].as_array().expect("batches").iter())
        .map(|batch| number(&batch["seconds_to_completion"]) as i64 / 60)
        .collect();
    // Table 2, save its third batch: it prints 3h for what are 3h 40m.
    let printed = [13 * 60 + 29, 182, 220, 603, 209, 168, 81, 28];
    assert_eq!(minutes, printed);
    let all = &found["all"];
    assert_eq!(all["pairs"], 281);
    assert_eq!(all["answers"], 2805);
    assert_eq!(all["assessors"], 79);
    close(&all["mean_returning"], 0.55, 0.005);
    assert_eq!(all["mean_of_median_seconds"], 21.75);
    assert_eq!(all["cost"], 70.25);
    close(&all["agreement_of_batches"], 0.664, 5e-4);
    close(&all["agreement_of_pairs"], 0.715, 5e-4);
    // The Python package krippendorff 0.8, and Fleiss' and Gwet's formulas in NumPy, on the same answers
    // with every pair turned by the names of its items.
    let coefficients = &all["coefficients"];
    close(
        &coefficients["krippendorff_alpha"],
        0.237_320_216_240_016_5,
        1e-11,
    );
    close(
        &coefficients["krippendorff_alpha_ordinal"],
        0.243_507_201_877_885_1,
        1e-11,
    );
    close(&coefficients["fleiss_kappa"], 0.236_832_433_594_2, 1e-11);
    close(&coefficients["gwet_ac1"], 0.307_157_682_520_5, 1e-11);
    close(&coefficients["gwet_ac2_linear"], 0.406_453_965_610_9, 1e-11);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn people_without_background_answer_as_in_table_4() {
    let file = archive();
    let folder = Folder::new();
    let lists = folder.place("lists.csv");
    output_of(&["truth", "build", "-p", &file, "--map", TURK, "-o", &lists]);
    let by = |options: &[&str]| {
        let arguments = [
            "judge", "agree", "-p", &file, "--map", TURK, "--format", "json",
        ];
        parsed(&output_of(&[&arguments, options].concat()))
    };
    let found = by(&["--against", &lists, "--by", "background"]);
    let tables = found["tables"].as_array().expect("tables");
    let classes: Vec<&str> = tables
        .iter()
        .map(|t| t["class"].as_str().expect("a class"))
        .collect();
    assert_eq!(classes, ["none", "some", "unknown"]);
    let columns = ["less", "equal", "greater"].map(|ours| -> u64 {
        let rows = ["less", "equal", "greater"].iter();
        rows.map(|theirs| tables[0]["counts"][theirs][ours].as_u64().expect("a count"))
            .sum()
    });
    // Table 4 has 97 equal: it counts the two blank answers of these five people as equal.
    assert_eq!(columns, [81, 95, 193]);
    let total: u64 = tables
        .iter()
        .map(|t| t["total"].as_u64().expect("a count"))
        .sum();
    assert_eq!(total, 2805);
    // The lists keep all but the pairs that were equal and fell into different groups.
    let aggregated = by(&["--against", &lists]);
    let table = &aggregated["tables"][0];
    assert_eq!((&table["total"], &table["none"]), (&json!(281), &json!(0)));
    assert_eq!(table["partial"], 44);
    // The same answers by the same rule agree in full.
    let same = by(&["--against-preferences", &file]);
    assert_eq!(same["tables"][0]["score"], 1.0);
    assert_eq!(same["tables"][0]["counts"]["greater"]["greater"], 115);
    let strict = by(&["--against-preferences", &file, "--against-decide", "sign"]);
    assert_eq!(strict["tables"][0]["none"], 0);
    assert!(number(&strict["tables"][0]["score"]) < 1.0);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_assessor_who_prefers_others_to_the_query_itself_comes_first() {
    let file = archive();
    let arguments = [
        "judge", "screen", "-p", &file, "--map", TURK, "--format", "json",
    ];
    let found = parsed(&output_of(&arguments));
    let cards = found["assessors"].as_array().expect("cards");
    assert_eq!(cards.len(), 79);
    assert_eq!(cards[0]["assessor"], "4");
    assert_eq!(cards[0]["gold"]["wrong"], 15);
    let answers: u64 = cards
        .iter()
        .map(|c| c["answers"].as_u64().expect("a count"))
        .sum();
    assert_eq!(answers, 2805);
    // The two robots had been blocked before: nobody is left whose times are all the same.
    let same_time = cards
        .iter()
        .flat_map(|card| card["signals"].as_array().expect("signals"));
    assert_eq!(
        same_time
            .filter(|signal| signal["signal"] == "same-time")
            .count(),
        0
    );
    let raised = cards
        .iter()
        .filter(|card| !card["signals"].as_array().expect("signals").is_empty());
    assert!(raised.count() < 16);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn the_audit_of_the_archive_finds_the_equal_pairs_that_were_parted() {
    let file = archive();
    let arguments = [
        "truth",
        "check",
        "-p",
        &file,
        "--map",
        TURK,
        "--bootstrap",
        "40",
        "--format",
        "json",
    ];
    let found = parsed(&output_of(&arguments));
    let summary = &found["summary"];
    assert_eq!(summary["intra"], 0);
    assert_eq!(summary["inter"], 44);
    assert_eq!(summary["misordered"], 0);
    // 717 pairs of 118 items in 11 lists, of which 281 were compared.
    assert_eq!(summary["undecided"], 717 - 281);
    let lists = found["lists"].as_array().expect("lists");
    assert_eq!(lists.len(), 11);
    for list in lists {
        let trust = &list["trust"];
        for item in trust["items"].as_array().expect("items") {
            assert!(number(&item["lower"]) <= number(&item["upper"]), "{item}");
        }
        for pair in trust["relations"].as_array().expect("relations") {
            let sum = number(&pair["less"]) + number(&pair["equal"]) + number(&pair["greater"]);
            assert!((sum - 1.0).abs() < 1e-9, "{pair}");
        }
    }
    let again = outcome_on("1", &arguments);
    // The pivots that the record tells of lead to the lists themselves.
    assert!(!again.err.contains("the record alone"), "{}", again.err);
    assert_eq!(parsed(&again.out), found);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn pooled_votes_of_the_archive_foretell_with_about_half_and_curtailment_keeps_decisions() {
    let file = archive();
    let arguments = [
        "judge", "predict", "-p", &file, "--map", TURK, "--format", "json",
    ];
    let found = parsed(&output_of(&arguments));
    assert_eq!(found["pairs"], 281);
    assert_eq!(found["held_out"], 2805 - 5 * 281);
    // By the mean square it is a half, give or take what the orders make of it.
    for (measure, most) in [("direction", 0.5), ("mean_square", 0.55)] {
        let share = number(&found["needed"][measure]["share"]["mean"]);
        assert!(share <= most, "{measure} {share}");
    }
    let stops = found["stops"].as_array().expect("stops");
    assert_eq!(stops[1]["stop"], "curtailed");
    assert_eq!(stops[1]["kept"], 1.0);
    assert!(number(&stops[1]["asked"]) < 0.92);
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn on_photos_the_pooled_strategy_needs_far_fewer_votes_than_the_sort() {
    let folder = data("photo-pairs");
    let folder = folder.to_string_lossy();
    let arguments = [
        "judge",
        "simulate",
        "--oracle",
        &folder,
        "--lists",
        "30",
        "--items",
        "14:16",
        "--strategies",
        "sort,pooled",
        "--resamples",
        "20",
        "--format",
        "json",
    ];
    let found: Value = serde_json::from_str(&output_of(&arguments)).expect("JSON");
    let share = found["strategies"][1]["needed_mean"]["mean"].as_f64();
    let share = share.expect("it is as good at some point");
    assert!(share < 0.6, "{share}");
}
