//! Tests of `partita campaign simulate`.

use serde_json::Value;

use crate::session::{Folder, Program, outcome_of, outcome_on, output_of};

/// Arguments of a small simulation whose assessors have fixed parameters instead of calibrated
/// ones.
const SMALL_SIMULATION: [&str; 14] = [
    "judge",
    "simulate",
    "--lists",
    "4",
    "--items",
    "6:8",
    "--votes",
    "4",
    "--noise",
    "0.5",
    "--band",
    "0.4",
    "--resamples",
    "20",
];

/// Returns the output of the small simulation with these options.
fn simulate(options: &[&str]) -> String {
    output_of(&[&SMALL_SIMULATION[..], options].concat())
}

fn json(options: &[&str]) -> Value {
    let text = simulate(&[options, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

fn refused(options: &[&str]) -> String {
    let said = outcome_of(&[&["judge", "simulate"], options].concat());
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{options:?}");
    said.err
}

#[test]
fn json_has_the_settings_and_the_strategies_in_the_given_order() {
    let strategies = "sort,pooled,sort-refitted:0.7/0.9";
    let found = json(&["--strategies", strategies, "--like", "urbano-2010"]);
    assert_eq!(found["seed"], 1);
    assert_eq!(found["lists"], 4);
    assert_eq!(found["items"], serde_json::json!([6, 8]));
    assert_eq!(found["votes_per_pair"], 4);
    assert_eq!(found["baseline"], "sort");
    let strategies = found["strategies"].as_array().expect("strategies");
    let names: Vec<&str> = (strategies.iter())
        .map(|strategy| strategy["strategy"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["sort", "pooled", "sort-refitted:0.7/0.9"]);
    // In that paper an answer cost 0.025. By default it takes 21.75 seconds.
    let point = &strategies[0]["points"][0];
    let part = |name: &str| point[name].as_f64().expect("a number");
    let votes = point["votes"]["mean"].as_f64().expect("votes");
    assert!((part("cost") - 0.025 * votes).abs() < 1e-9, "{point}");
    assert!((part("hours") - votes * 21.75 / 3600.0).abs() < 1e-9);
}

#[test]
fn csv_has_a_row_per_value_and_the_documentation_describes_each_measure() {
    let text = simulate(&["--strategies", "sort,sort-curtailed"]);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("strategy,point,measure,mean,lower,upper")
    );
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
    let docs = std::fs::read_to_string(docs).expect("the documentation");
    let (_, section) = docs
        .split_once("### `campaign simulate`\n")
        .expect("a section");
    let section = section.split("\n### ").next().expect("a section");
    for line in lines {
        let columns: Vec<&str> = line.split(',').collect();
        assert_eq!(columns.len(), 6, "{line}");
        let measure = columns[2];
        let described = section.contains(&format!("`{measure}`"));
        assert!(described || measure == "mean", "{measure}");
        columns[3].parse::<f64>().expect("a number");
        let ends = [columns[4], columns[5]].map(|end| end.parse::<f64>().is_ok());
        // Rows of needed votes may lack an interval or have an open one. Of the other rows, cost and
        // hours have no interval, nor have values that do not vary.
        let share = columns[1].starts_with("needed");
        let alone = ["cost", "hours"].contains(&measure);
        assert!(share || ends[0] == ends[1], "{line}");
        assert!(!alone || !ends[0], "{line}");
        assert!(!ends[0] || columns[4] != columns[5], "{line}");
        assert!(share || measure != "inversions" || ends[0], "{line}");
    }
    assert!(text.contains("\nsort-curtailed,needed,mean,"), "{text}");
}

#[test]
fn a_note_below_the_table_states_the_votes_each_strategy_needs() {
    let options = ["--strategies", "sort,sort-curtailed", "--format"];
    let table = simulate(&[&options[..], &["table"]].concat());
    for part in [
        "Strategy",
        "inversions",
        "Means over 4 lists of 6 to 8 items (seed 1).",
        "sort-curtailed is as good as sort for ",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let latex = simulate(&[&options[..], &["latex"]].concat());
    assert!(latex.contains("\\toprule"), "{latex}");
}

#[test]
fn a_seed_gives_the_same_output_for_any_thread_count() {
    let of = |threads: &str, seed: &str| {
        let arguments = [&SMALL_SIMULATION[..], &["--seed", seed, "--format", "json"]].concat();
        outcome_on(threads, &arguments).out
    };
    let one = of("1", "5");
    assert!(!one.is_empty());
    assert_eq!(one, of("2", "5"));
    assert_ne!(one, of("2", "6"));
}

#[test]
fn invalid_simulations_are_refused() {
    for (options, message) in [
        (
            &["--strategies", "sort,bogus"][..],
            "no strategy is called `bogus`",
        ),
        (
            &["--strategies", "sort-predictive:1.5"],
            "no strategy is called `sort-predictive:1.5`",
        ),
        (
            &["--strategies", "sort:11"],
            "no strategy is called `sort:11`",
        ),
        (&["--items", "1"], "a number of items such as 20 or 14:24"),
        (&["--items", "9:5"], "a number of items such as 20 or 14:24"),
        (
            &["--items", "many"],
            "a number of items such as 20 or 14:24",
        ),
        (&["--careless", "1.5"], "--careless must be between 0 and 1"),
        (&["--lists", "0"], "--lists must be at least 1"),
        (&["--votes", "0"], "--votes must be between 1 and 100"),
        (&["--noise=-1"], "--noise must be at least 0"),
        (&["--bias", "nan"], "--bias must be a number"),
        (&["--alpha", "2"], "--alpha"),
        (&["--oracle", "none.csv"], "none.csv: cannot be read"),
        (
            &["--oracle", "none.csv", "--noise", "1"],
            "cannot be used with",
        ),
        (&["--calibrate", "none.csv"], "none.csv: cannot be read"),
        (&["--equal", "0.5"], "--oracle"),
    ] {
        let said = refused(options);
        assert!(said.contains(message), "{options:?}: {said}");
    }
    assert!(refused(&["--strategies", "bogus"]).contains("hint: there are sort,"));
}

#[test]
fn invalid_recorded_votes_are_refused_with_file_and_line() {
    let folder = Folder::new();
    for (text, message) in [
        ("x,y,1,0.5\nx,z,2,1\n", "votes.csv:2:5: expected `2` votes"),
        ("x,y,1,0.5\nx,x,1,1\n", "votes.csv:2:1: the item `x`"),
        ("x,y,1,much\n", "votes.csv:1:7: a vote must be a number"),
        ("x y\n", "votes.csv:1:1: expected id1,id2,n,v1,...,vn"),
    ] {
        let votes = folder.file("votes.csv", text);
        let said = refused(&["--oracle", &votes]);
        assert!(said.contains(message), "{text}: {said}");
    }
    let few = folder.file("few.csv", "x,y,1,0.5\ny,z,1,0.5\nx,z,1,1\n");
    let said = refused(&["--oracle", &few, "--items", "3"]);
    let message = "few.csv: lists of 3 items cannot be drawn from 3 and be compared with others";
    assert!(said.contains(message), "{said}");
    assert!(said.contains("`--items`"), "{said}");
}

/// Returns recorded votes of seven assessors on all pairs of items; they prefer the item with the
/// lower number.
fn recorded_votes(items: usize) -> String {
    let mut text = String::new();
    for a in 0..items {
        for b in a + 1..items {
            let size = if b - a > 1 { "1" } else { "0.1" };
            text.push_str(&format!("i{a},i{b},7{}\n", format!(",{size}").repeat(7)));
        }
    }
    text
}

#[test]
fn a_folder_with_one_votes_file_is_read_like_the_file() {
    let folder = Folder::new();
    let votes = folder.file("votes.csv", recorded_votes(12));
    let arguments = [
        "judge",
        "simulate",
        "--oracle",
        &votes,
        "--items",
        "6",
        "--lists",
        "3",
        "--votes",
        "7",
        "--strategies",
        "sort",
        "--format",
        "json",
    ];
    let place = folder.place("");
    let by_folder = arguments.map(|word| if word == votes { &place } else { word });
    assert_eq!(output_of(&by_folder), output_of(&arguments));
    // File and folder are also found relative to the folder of real data.
    let data = Folder::new();
    std::fs::create_dir(data.path("photos")).expect("a folder");
    data.file("photos/votes.csv", recorded_votes(12));
    for named in ["photos/votes.csv", "photos"] {
        let named = arguments.map(|word| if word == votes { named } else { word });
        let mut command = Program::new().args(&named).into_command();
        let done = command.env("PARTITA_DATA", data.place("")).output();
        let done = done.expect("the program runs");
        let text = String::from_utf8(done.stdout).expect("text");
        assert_eq!(text, output_of(&arguments), "{named:?}");
    }
}

#[test]
fn calibration_without_shared_pairs_is_refused() {
    let folder = Folder::new();
    let lonely = "query,a,b,assessor,answer\nq,x,y,ann,a\n";
    let said = refused(&["--calibrate", &folder.file("lonely.csv", lonely)]);
    let message = "lonely.csv: no pair has two answers to agree";
    assert!(said.contains(message), "{said}");
}

#[test]
fn a_figure_has_a_curve_per_strategy_and_a_folder_gets_three_figures() {
    let folder = Folder::new();
    let one = folder.path("curves.svg");
    let one = one.to_string_lossy();
    let strategies = ["--strategies", "sort,random,pooled", "--figure"];
    simulate(&[&strategies[..], &[&one]].concat());
    let svg = std::fs::read_to_string(one.as_ref()).expect("a figure");
    for part in [
        "<svg",
        "Pairs in the wrong order",
        "random",
        "pooled",
        "4 lists of 6 to 8 items",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    let all = folder.path("figures");
    let place = format!("{}/", all.display());
    simulate(&[&strategies[..], &[&place]].concat());
    let read = |name: &str| std::fs::read_to_string(all.join(name)).expect("a figure");
    assert_eq!(read("inversions.svg"), svg);
    assert!(read("adr.svg").contains("ADR"));
    assert!(read("relations.svg").contains("relation is right"));
    // With recorded votes ADR has two references, each with its own panel.
    let votes = folder.file("votes.csv", recorded_votes(9));
    let arguments = [
        "--oracle", &votes, "--items", "5", "--lists", "2", "--votes", "7",
    ];
    let arguments = [
        &["judge", "simulate"],
        &arguments[..],
        &["--figure", &place],
    ]
    .concat();
    output_of(&arguments);
    for part in ["Reference 1: ", "Reference 2: "] {
        assert!(read("adr.svg").contains(part), "{part}");
        assert!(!read("inversions.svg").contains(part), "{part}");
    }
}
