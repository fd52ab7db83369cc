//! Tests of `partita search`, `partita systems` and `partita tune`.

use serde_json::json;

use super::session::Folder;

/// Melodies in Plaine & Easie code: a; b, which is a transposed by a fifth; c, which is a with
/// another end; d, which is dissimilar; and e, which has only two notes.
const INCIPITS: &str = "\
a\t%G-2@4/4$ 4'CDEF/GFED/1C//
b\t%G-2@4/4$ 4'GAB''C/DC'BA/1G//
c\t%G-2@4/4$ 4'CDEF/GABA/1G//
d\t%G-2@4/4$ 8'C''C'CGC''C'CG/1C//
e\t%G-2@4/4$ 2'CG//
";

fn collection() -> Folder {
    let folder = Folder::with("tunes.pae", INCIPITS);
    folder
        .partita("collection import tunes.pae --into t.coll")
        .succeeds();
    folder
}

#[test]
fn search_results_are_ordered_from_the_most_similar_item() {
    let folder = collection();
    let found = folder.json("search a --in t.coll --system DP");
    assert_eq!(
        (&found["system"], &found["items"], &found["exhaustive"]),
        (&json!("DP"), &json!(5), &json!(true))
    );
    let search = &found["searches"][0];
    assert_eq!(
        (&search["query"], &search["too_short"]),
        (&json!("a"), &json!(0))
    );
    let results = search["results"].as_array().unwrap();
    let items: Vec<&str> = results
        .iter()
        .map(|row| row["item"].as_str().unwrap())
        .collect();
    // b is a transposed, so both have the same score, and ties are ordered by id.
    assert_eq!(items[..3], ["a", "b", "c"]);
    assert_eq!(
        (&results[1]["rank"], &results[1]["score"]),
        (&json!(2), &json!(1.0))
    );
    let csv = folder.output("search a --in t.coll --system DP --top 2");
    assert_eq!(csv, "query,rank,item,score\na,1,a,1\na,2,b,1\n");
    let csv = folder.output("search a --in t.coll --system DP --top 1 --without-query");
    assert_eq!(csv, "query,rank,item,score\na,1,b,1\n");
}

#[test]
fn melody_files_are_accepted_as_collection_and_as_query() {
    let folder = collection().and("query.pae", "%G-2@4/4$ 4'DExFG/AGxFE/1D//\n");
    let found = folder.output("search query.pae --in tunes.pae --system DP --top 1 --format lines");
    assert_eq!(found, "a\n");
    let found =
        folder.output("search --queries all --in t.coll --system DP --top 2 --format lines");
    assert_eq!(found.lines().next(), Some("a a b"));
    assert_eq!(found.lines().count(), 5);
}

#[test]
fn music_a3_a_search_is_exhaustive_unless_the_index_is_asked_for() {
    let folder = collection().and("ids.txt", "a\nb\nd\n");
    let search = |options: &str| {
        let found = folder.json(&format!(
            "search --queries ids.txt --in t.coll --system ShapeH {options}"
        ));
        (found["exhaustive"].clone(), found["searches"].clone())
    };
    let (exhaustive, found) = search("");
    assert_eq!(exhaustive, json!(true));
    assert_eq!(search("--exhaustive"), (json!(true), found));
    assert_eq!(search("--index").0, json!(false));
    folder.refuses(
        "search a --in t.coll --index --exhaustive",
        &["--index", "--exhaustive", "cannot be used with"],
    );
}

#[test]
fn music_a5_a_search_by_fm_says_that_it_is_another_system() {
    let folder = collection();
    let ended = folder
        .partita("search a --in t.coll --system FM --format json")
        .succeeds();
    let found = ended.json();
    assert_eq!(found["system"], json!("Opti3"));
    assert!(
        found["warnings"][0]["message"]
            .as_str()
            .is_some_and(|text| text.contains("MIREX 2005"))
    );
    ended.says(&["warning: FM: this is Opti3 and not the entry FM of MIREX 2005"]);
    let ended = folder
        .partita("search a --in t.coll --system Opti3")
        .succeeds();
    assert_eq!(ended.err, "");
}

#[test]
fn evaluate_reads_the_run_of_a_search() {
    let folder = collection()
        .and("ids.txt", "a\nc\n")
        .and("truth.txt", "a: (b)\nc: (a, b)\n");
    folder
        .partita("search --queries ids.txt --in t.coll --system DP --without-query --run dp.run --tag mine")
        .succeeds();
    let run = folder.read("dp.run");
    assert!(run.starts_with("a Q0 b 1 1 mine\n"), "{run}");
    let scores = folder.json("evaluate --truth truth.txt dp.run --order rank");
    assert_eq!(scores["runs"][0]["mean"]["ADR"], json!(1.0));
}

#[test]
fn use_b10_the_run_of_a_search_with_ties_is_scored_in_its_own_order() {
    // No melody shares a gram of intervals with d, so that US gives all of them the same score.
    let folder = collection()
        .and("ids.txt", "b\nd\n")
        .and("truth.txt", "b: (a), (c)\nd: (c), (a)\n");
    folder
        .partita("search --queries ids.txt --in t.coll --system US(n=3) --without-query --run us.run -o us.csv")
        .succeeds();
    let found = folder.read("us.csv");
    let ranked: Vec<Vec<&str>> = (found.lines().skip(1))
        .map(|line| line.split(',').collect())
        .collect();
    assert!(
        ranked
            .windows(2)
            .any(|pair| (pair[0][0], pair[0][3]) == (pair[1][0], pair[1][3])),
        "{found}"
    );
    let by_rank = folder
        .partita("evaluate --truth truth.txt us.run --order rank --per-query")
        .succeeds();
    for rules in ["", "--like trec_eval --format csv -m ADR"] {
        let ended = folder
            .partita(&format!(
                "evaluate --truth truth.txt us.run --per-query {rules}"
            ))
            .succeeds();
        assert_eq!(
            (ended.out, ended.err),
            (by_rank.out.clone(), String::new()),
            "{rules}"
        );
    }
}

#[test]
fn short_melodies_are_counted_as_items_and_refused_as_queries() {
    let folder = collection();
    let found = folder.json("search a --in t.coll --system ShapeTime");
    assert_eq!(found["searches"][0]["too_short"], json!(1));
    folder.refuses(
        "search e --in t.coll",
        &["e has 2 notes", "too short for ShapeTime"],
    );
}

#[test]
fn unknown_names_are_refused_with_similar_ones() {
    let folder = collection();
    folder.refuses(
        "search a --in t.coll --system ShapTime",
        &["ShapTime", "ShapeTime"],
    );
    folder.refuses(
        "search a --in t.coll --system US(m=2)",
        &["no parameter `m`", "it has n"],
    );
    folder.refuses("search aa --in t.coll", &["aa", "nearest item is a"]);
    folder.refuses("systems Orjo", &["Orjo", "O"]);
}

#[test]
fn systems_name_the_sources_of_their_constants() {
    let folder = Folder::new();
    let all = folder.json("systems");
    let systems = all["systems"].as_array().unwrap();
    assert_eq!(systems.len(), 12);
    let keys = [
        "name",
        "aliases",
        "summary",
        "description",
        "reference",
        "parameters",
        "invariant_to",
        "indexed",
        "tie_rule",
        "example",
    ];
    for system in systems {
        assert!(keys.iter().all(|&key| !system[key].is_null()), "{system}");
        for parameter in system["parameters"].as_array().unwrap() {
            let source = parameter["source"].as_str().unwrap();
            assert!(
                ["published", "chosen", "tuned"].contains(&source),
                "{parameter}"
            );
        }
    }
    let one = folder.json("systems orio");
    assert_eq!(one["systems"][0]["name"], json!("O"));
    assert_eq!(
        one["systems"][0]["invariant_to"],
        json!(["transposition", "rests", "scaling"])
    );
}

#[test]
fn tuning_reports_the_scores_of_held_out_queries() {
    let folder = collection()
        .and("truth.txt", "a: (b)\nb: (a)\nc: (a, b)\nd: (c)\n")
        .and("groups.csv", "query,group\na,1\nb,1\nc,2\nd,3\n");
    let asked = "tune --in t.coll --truth truth.txt --system US --groups groups.csv --folds 3";
    let found = folder.json(asked);
    assert_eq!(
        (&found["system"], &found["seed"]),
        (&json!("US"), &json!(1))
    );
    let folds = found["folds"].as_array().unwrap();
    assert_eq!(folds.len(), 3);
    for fold in folds {
        assert!(
            fold["parameters"]["n"].is_string() && fold["train"].is_number(),
            "{fold}"
        );
    }
    let held_out = &found["held_out"];
    assert_eq!(held_out["measure"], json!("AP"));
    // The interval contains the mean, or is absent because no resample differs.
    let number = |key: &str| held_out[key].as_f64();
    assert_eq!(number("low").is_some(), number("high").is_some());
    if let Some((low, high)) = number("low").zip(number("high")) {
        assert!(low < high && Some(low) <= number("mean") && number("mean") <= Some(high));
    }
    assert_eq!(folder.json(asked), found);
    folder.refuses(
        "tune --in t.coll --truth truth.txt --system DP",
        &["DP has no parameter"],
    );
    folder.refuses(
        "tune --in t.coll --truth truth.txt --system US --folds 9",
        &["9 folds"],
    );
}
