//! `partita judge batches`, `agree` and `screen`, and `partita truth check --preferences`.

use serde_json::{Value, json};

use crate::data::data;
use crate::fixtures::Folder;
use crate::program::{output_of, partita, partita_on, partita_with};

/// The columns of the archive of Urbano et al. (2010).
const TURK: &str = "query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,\
                    answer=Answer.radio,equal=s,time=CreationTime,ended=SubmitTime,\
                    seconds=WorkTimeInSeconds,background=Answer.bground,clips=Input.time";

/// The archive, or a notice that a test is skipped.
fn archive() -> Option<String> {
    let file = data("sigir2010-crowdsourcing")?.join("judgments.csv");
    Some(file.to_str().expect("a path").to_owned())
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[track_caller]
fn close(found: &Value, expected: f64, tolerance: f64) {
    let found = number(found);
    assert!((found - expected).abs() < tolerance, "{found} {expected}");
}

#[test]
fn the_batches_of_the_archive_are_those_of_table_2() {
    let Some(file) = archive() else {
        return;
    };
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
    // The Python packages krippendorff 0.8 and irrCAC 0.4 on the same answers.
    let coefficients = &all["coefficients"];
    close(
        &coefficients["krippendorff_alpha"],
        0.232_632_704_821_653_2,
        1e-11,
    );
    close(
        &coefficients["krippendorff_alpha_ordinal"],
        0.231_128_586_763_888_26,
        1e-11,
    );
    close(&coefficients["fleiss_kappa"], 0.232_111_037_278, 1e-11);
    close(&coefficients["gwet_ac1"], 0.309_086_008_817, 1e-11);
    close(&coefficients["gwet_ac2_linear"], 0.410_386_758_942, 1e-11);
}

#[test]
fn people_without_background_answer_as_in_table_4() {
    let Some(file) = archive() else {
        return;
    };
    let folder = Folder::new();
    let lists = folder.path("lists.csv");
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
fn the_assessor_who_prefers_others_to_the_query_itself_comes_first() {
    let Some(file) = archive() else {
        return;
    };
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
fn the_audit_of_the_archive_finds_the_equal_pairs_that_were_parted() {
    let Some(file) = archive() else {
        return;
    };
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
    let again = partita_on("1", &arguments);
    // The pivots that the record tells of lead to the lists themselves.
    assert!(!again.err.contains("the record alone"), "{}", again.err);
    assert_eq!(parsed(&again.out), found);
}

const ANSWERS: &str = "query,a,b,assessor,answer,seconds,batch,background\n\
                       q,x,y,ann,a,10,1,no\nq,x,y,bob,a,12,1,piano\nq,y,x,cy,b,9,1,\n\
                       q,y,z,ann,equal,11,2,no\nq,y,z,bob,equal,10,2,piano\nq,z,y,di,a,30,2,\n";

#[test]
fn batches_are_summed_up_in_every_format() {
    let run = |format: &str| {
        let said = partita_with(
            ANSWERS,
            &["judge", "batches", "-p", "-", "--format", format],
        );
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let found = parsed(&run("json"));
    assert_eq!(found["batches"][1]["returning"], 2);
    close(&found["all"]["mean_returning"], 2.0 / 3.0, 1e-12);
    assert_eq!(found["batches"][0]["coefficients"]["gwet_ac1"], 1.0);
    assert_eq!(found["all"]["cost"], 0.15);
    let table = run("table");
    assert!(table.contains("2 (67%)"), "{table}");
    assert!(run("latex").contains("\\begin{tabular}"));
    assert!(run("mediawiki").contains("{|"));
    assert!(run("markdown").contains("| Batch"));
    let rows: Vec<String> = run("csv").lines().map(str::to_owned).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[3].starts_with("all,2,6,0,4,"), "{}", rows[3]);
}

#[test]
fn answers_stand_beside_rankings_truths_and_other_answers() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    let truth = folder.file("truth.txt", "q: (x), (y, z)\n");
    let mut text = "query,assessor,item,rank\n".to_owned();
    for expert in 0..6 {
        text.push_str(&format!("q,{expert},x,1\nq,{expert},y,2\nq,{expert},z,3\n"));
    }
    let rankings = folder.file("rankings.csv", &text);
    let table = |options: &[&str]| {
        let arguments = ["judge", "agree", "-p", &answers, "--format", "json"];
        parsed(&output_of(&[&arguments, options].concat()))["tables"][0].clone()
    };
    let by_truth = table(&["--against", &truth]);
    assert_eq!(
        (&by_truth["full"], &by_truth["total"]),
        (&json!(2), &json!(2))
    );
    // Experts rank y before z, and the crowd calls them equal.
    let by_rankings = table(&["--against-rankings", &rankings]);
    assert_eq!(by_rankings["counts"]["less"]["equal"], 1);
    assert_eq!(by_rankings["score"], 0.75);
    // One of the six answers prefers z.
    let single = table(&["--against", &truth, "--single"]);
    assert_eq!(
        (&single["full"], &single["partial"]),
        (&json!(5), &json!(1))
    );
    let csv = output_of(&[
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &truth,
        "--by",
        "batch",
    ]);
    assert!(csv.contains("1,less,less,2,"), "{csv}");
    assert_eq!(csv.lines().count(), 19);
    let latex = [
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &truth,
        "--format",
        "latex",
    ];
    assert!(output_of(&latex).contains("Less (1)"));
}

#[test]
fn others_who_know_nothing_are_refused_and_who_know_little_are_reported() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    let other = folder.file("other.txt", "r: (x), (y, z)\n");
    let part = folder.file("part.txt", "q: (x), (y)\n");
    let agree = |file: &str| partita(&["judge", "agree", "-p", &answers, "--against", file]);
    let refused = agree(&other);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .err
            .contains("others say nothing of any of the 2 pairs"),
        "{}",
        refused.err
    );
    let reported = agree(&part);
    assert_eq!(reported.code, 0);
    assert!(
        reported.err.contains("since others say nothing of them: 1"),
        "{}",
        reported.err
    );
    assert_eq!(partita(&["judge", "agree", "-p", &answers]).code, 2);
    let both = [
        "judge",
        "agree",
        "-p",
        &answers,
        "--against",
        &part,
        "--against-preferences",
        &answers,
    ];
    assert_eq!(partita(&both).code, 2);
}

/// Twenty pairs with the query itself, answered by four who listen and by a robot.
fn with_a_robot() -> String {
    let mut text = "query,a,b,assessor,answer,seconds\n".to_owned();
    for pair in 0..20 {
        for (who, seconds) in [("ann", 15), ("bob", 22), ("cy", 31), ("di", 18)] {
            let seconds = seconds + pair % 7;
            text.push_str(&format!("q,q,item{pair},{who},a,{seconds}\n"));
        }
        text.push_str(&format!("q,q,item{pair},robot,equal,8\n"));
    }
    text
}

#[test]
fn a_robot_is_told_apart_with_its_reasons() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", &with_a_robot());
    let mut durations = "item,seconds\nq,4\n".to_owned();
    for pair in 0..20 {
        durations.push_str(&format!("item{pair},4\n"));
    }
    let durations = folder.file("durations.csv", &durations);
    let arguments = [
        "judge",
        "screen",
        "-p",
        &answers,
        "--durations",
        &durations,
        "--format",
    ];
    let found = parsed(&output_of(&[&arguments[..], &["json"]].concat()));
    let first = &found["assessors"][0];
    assert_eq!(first["assessor"], "robot");
    let kinds: Vec<&str> = (first["signals"].as_array().expect("signals").iter())
        .map(|signal| signal["signal"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        kinds,
        ["same-answer", "same-time", "too-fast", "disagreement"]
    );
    // To call something equal to the query is no mistake that gold shows.
    assert_eq!(first["gold"]["wrong"], 0);
    for card in &found["assessors"].as_array().expect("cards")[1..] {
        assert_eq!(card["signals"], json!([]), "{card}");
    }
    // Explicit gold shows it.
    let mut gold = "query,a,b,answer\n".to_owned();
    for pair in 0..20 {
        gold.push_str(&format!("q,item{pair},q,b\n"));
    }
    let gold = folder.file("gold.csv", &format!("{gold}q,q,unheard,a\n"));
    let said = partita(&[
        "judge", "screen", "-p", &answers, "--gold", &gold, "--format", "json",
    ]);
    assert!(said.err.contains("that nobody answered: 1"), "{}", said.err);
    assert_eq!(parsed(&said.out)["assessors"][0]["gold"]["wrong"], 20);
    let table = output_of(&[&arguments[..], &["table"]].concat());
    assert!(table.contains("100% of 20 answers are `equal`"), "{table}");
    assert!(table.contains("This is advice"), "{table}");
    let csv = output_of(&[&arguments[..], &["csv"]].concat());
    assert!(
        csv.lines()
            .nth(1)
            .expect("a row")
            .starts_with("robot,20,0,20,0,equal,1,"),
        "{csv}"
    );
}

#[test]
fn bad_durations_gold_and_settings_are_refused() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", &with_a_robot());
    let refused = |option: &str, text: &str| {
        let file = folder.file("bad.csv", text);
        let said = partita(&["judge", "screen", "-p", &answers, option, &file]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
        said.err
    };
    let minus = refused("--durations", "item,seconds\nq,-1\n");
    assert!(
        minus.contains("bad.csv:2:3: seconds are a number of at least 0, not `-1`"),
        "{minus}"
    );
    assert!(refused("--durations", "q,1\nq,2\n").contains("the item `q` lasts 1 seconds already"));
    assert!(refused("--durations", "q\n").contains("expected 2 columns"));
    assert!(refused("--durations", "nobody,1\n").contains("names no item that was compared"));
    assert!(refused("--gold", "query,a,b,answer\nq,q,item1,maybe\n").contains("not `maybe`"));
    let level = partita(&["judge", "screen", "-p", &answers, "--level", "7"]);
    assert!(
        level.err.contains("--level must be between 0 and 1, not 7"),
        "{}",
        level.err
    );
    assert_eq!(partita(&["judge", "screen"]).code, 2);
}

#[test]
fn a_given_list_is_audited_by_preferences() {
    let folder = Folder::new();
    let answers = folder.file("answers.csv", ANSWERS);
    // x is preferred to y, and y is equal to z.
    let truth = folder.file("truth.txt", "q: (y, x), (z, new)\nother: (u)\n");
    let check = |options: &[&str]| {
        let arguments = ["truth", "check", "--truth", &truth, "-p", &answers];
        partita(&[&arguments, options].concat())
    };
    let said = check(&["--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err
            .contains("1 items that nobody compared are left out: `new`"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("1 queries have no answers"),
        "{}",
        said.err
    );
    let found = parsed(&said.out);
    let list = &found["lists"][0];
    assert_eq!(
        list["intra"][0],
        json!({"a": "y", "b": "x", "votes": [0, 0, 3], "relation": "greater", "p": 0.05,
               "p_less": list["intra"][0]["p_less"], "p_greater": 0.05})
    );
    assert_eq!(list["inter"][0]["votes"], json!([0, 2, 1]));
    assert_eq!(
        (&list["undecided"], &list["consistent"]),
        (&json!(1), &json!(0.0))
    );
    let rows = check(&["--pairs"]).out;
    assert!(rows.contains("q,intra,y,x,,0,0,3,greater,"), "{rows}");
    let drawn = check(&["--bootstrap", "20"]);
    assert!(
        drawn
            .err
            .contains("lists are not those that the answers make"),
        "{}",
        drawn.err
    );
    assert!(drawn.out.contains("\nrelation,q,x,y,,,,"), "{}", drawn.out);
    let table = check(&["--format", "table", "--pairs", "--bootstrap", "20"]).out;
    assert!(
        table.contains("P(less)") && table.contains("1 of 1"),
        "{table}"
    );
    let figure = check(&["--figure", "x.svg"]);
    assert!(
        figure.err.contains("--figure is for --rankings only"),
        "{}",
        figure.err
    );
    let nobody = folder.file("nobody.txt", "r: (x)\n");
    let said = partita(&["truth", "check", "--truth", &nobody, "-p", &answers]);
    assert_eq!(said.code, 2);
    assert!(
        said.err
            .contains("no query of the ground truth has answers"),
        "{}",
        said.err
    );
}

#[test]
fn pooled_votes_of_the_archive_foretell_with_about_half_and_curtailment_keeps_decisions() {
    let Some(file) = archive() else {
        return;
    };
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
fn predictions_are_printed_in_every_format_and_depend_on_the_seed_alone() {
    let mut csv = String::from("query,a,b,assessor,answer\n");
    for (a, b) in [("x", "y"), ("y", "z"), ("x", "z")] {
        for (who, answer) in ["a", "a", "equal", "b"].iter().enumerate() {
            csv.push_str(&format!("q,{a},{b},p{who},{answer}\n"));
        }
    }
    let run = |more: &[&str]| {
        let arguments = [&["judge", "predict", "-p", "-", "--votes", "2"], more].concat();
        let said = partita_with(&csv, &arguments);
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let rows = run(&[]);
    assert!(rows.starts_with("way,votes,measure,value,lower,upper\nown,1,direction,"));
    assert!(rows.contains("\ncurtailed,,kept,1,,\n"), "{rows}");
    assert_eq!(rows, run(&["--seed", "1"]));
    let table = run(&["--format", "table"]);
    assert!(table.contains("predictive:0.95"), "{table}");
    assert!(table.contains("6 held-out answers to 3 pairs"), "{table}");
    let json = parsed(&run(&["--format", "json", "--confidence", "0.7"]));
    assert_eq!(json["stops"].as_array().expect("stops").len(), 3);
    assert!(json["needed"]["direction"]["share"]["lower"].is_null());
}

#[test]
fn predictions_without_answers_to_foretell_are_refused() {
    let one = "query,a,b,assessor,answer\nq,x,y,p1,a\nq,y,z,p1,b\n";
    let said = partita_with(one, &["judge", "predict", "-p", "-"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("no pair has more than 5 answers"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("hint: answers of several people"),
        "{}",
        said.err
    );
    let three = "query,a,b,assessor,answer\nq,x,y,p1,a\nq,x,y,p2,b\nq,x,y,p3,b\n";
    let said = partita_with(three, &["judge", "predict", "-p", "-"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`--votes 1`"), "{}", said.err);
    for wrong in [["--votes", "0"], ["--splits", "0"], ["--confidence", "1.5"]] {
        let arguments = [&["judge", "predict", "-p", "-"], wrong.as_slice()].concat();
        let said = partita_with(three, &arguments);
        assert_eq!(said.code, 2, "{wrong:?}");
        assert!(said.err.contains(wrong[0]), "{}", said.err);
    }
}
