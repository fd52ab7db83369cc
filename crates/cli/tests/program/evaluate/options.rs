//! Tests of every option of `partita evaluate`, with expected scores computed by hand.

use serde_json::json;

use crate::evaluate::scores::assert_near;
use crate::session::Folder;

/// Returns a folder with graded judgments and a run. For q1 the run returns d3, which is not
/// relevant, d1, the unjudged x, and d2. It returns nothing for q2. No document is relevant for q3.
fn graded() -> Folder {
    Folder::with(
        "t.qrels",
        "q1 0 d1 3\nq1 0 d2 2\nq1 0 d3 0\nq1 0 d4 1\nq2 0 d1 1\nq3 0 d1 0\n",
    )
    .and(
        "r.run",
        "q1 Q0 d3 1 4 mine\nq1 Q0 d1 2 3 mine\nq1 Q0 x 3 2 mine\nq1 Q0 d2 4 1 mine\n\
         q3 Q0 d1 1 1 mine\n",
    )
}

#[test]
fn the_default_measures_of_grades_are_adr_ndcg_ap_and_rr() {
    let scores = graded().scores("--truth t.qrels r.run --query q1");
    // The truth is (d1), (d2), (d4). The run has found nothing at position 1, and d1 at 2 and 3.
    assert_near(scores.value("mine", "q1", "ADR"), (0.5 + 1.0 / 3.0) / 3.0);
    // The run has gains 0, 3, 0, 2 with discounts 1, log2 3, 2, log2 5; the ideal gains are 3, 2,
    // 1.
    let (log3, log5) = (3f64.log2(), 5f64.log2());
    let ideal = 3.0 + 2.0 / log3 + 1.0 / 2.0;
    let found = 3.0 / log3 + 2.0 / log5;
    assert_near(scores.value("mine", "q1", "nDCG@10"), found / ideal);
    // Precision 1/2 at d1 and 2/4 at d2, over three relevant documents.
    assert_near(scores.value("mine", "q1", "AP"), 1.0 / 3.0);
    assert_near(scores.value("mine", "q1", "RR"), 0.5);
    assert_eq!(scores.rows().len(), 8);
}

#[test]
fn the_only_default_measure_for_groups_is_adr() {
    let dir = Folder::with("t.txt", "q: (a), (b)\n").and("r.json", r#"{"q": ["a"]}"#);
    let json = dir.evaluation("--truth t.txt r.json");
    assert_eq!(json["measures"], json!(["ADR"]));
}

#[test]
fn keep_zero_makes_judged_but_irrelevant_items_the_last_group() {
    let dir = graded();
    let left_out = dir.scores("--truth t.qrels r.run -m ADR -m AP --query q1");
    let kept = dir.scores("--truth t.qrels r.run -m ADR -m AP --query q1 --keep-zero");
    assert_near(left_out.value("mine", "q1", "ADR"), 5.0 / 18.0);
    // The truth is now (d1), (d2), (d4), (d3). At position 4 the run has found three of the four.
    let four = (0.5 + 1.0 / 3.0 + 0.75) / 4.0;
    assert_near(kept.value("mine", "q1", "ADR"), four);
    // For binary measures d3 is still not relevant, because its gain is 0.
    assert_near(kept.value("mine", "q1", "AP"), 1.0 / 3.0);
}

#[test]
fn a_missing_query_counts_zero_and_is_named_unless_it_is_skipped() {
    let dir = graded();
    let with = dir.partita("evaluate --truth t.qrels r.run -m AP --per-query --format csv");
    let ended = with.succeeds();
    ended.says(&["warning: r.run: ", "`mine`: 1 of 3", "missing", "q2"]);
    let scores = dir.scores("--truth t.qrels r.run -m AP");
    assert_eq!(scores.value("mine", "q2", "AP"), 0.0);
    assert_near(scores.value("mine", "all", "AP"), (1.0 / 3.0) / 3.0);
    let skipped = dir.scores("--truth t.qrels r.run -m AP --missing skip");
    assert!(!skipped.has_query("q2"));
    assert_near(skipped.value("mine", "all", "AP"), (1.0 / 3.0) / 2.0);
    for missing in ["zero", "skip"] {
        let json = dir.evaluation(&format!("--truth t.qrels r.run --missing {missing}"));
        assert_eq!(json["runs"][0]["missing"], json!(["q2"]));
    }
}

#[test]
fn queries_without_relevant_items_get_a_warning_and_can_be_skipped() {
    let dir = graded();
    let command = "evaluate --truth t.qrels r.run -m AP -m ADR --missing skip --format json";
    let ended = dir.partita(command).succeeds();
    ended.says(&["without any relevant item: 1 of 3, namely q3"]);
    let run = &ended.json()["runs"][0];
    assert_eq!(run["undefined"], json!({"ADR": ["q3"]}));
    assert_eq!(run["per_query"]["q3"], json!({"AP": 0.0}));
    let left = dir.evaluation("--truth t.qrels r.run -m AP --missing skip --no-relevant skip");
    assert!(left["runs"][0]["per_query"].get("q3").is_none());
    let mean = left["runs"][0]["mean"]["AP"].as_f64().unwrap();
    assert_near(mean, 1.0 / 3.0);
}

#[test]
fn only_the_selected_queries_are_scored_without_a_warning_on_others() {
    let dir = graded();
    let command = "evaluate --truth t.qrels r.run -m AP --query q1 --format json";
    let ended = dir.partita(command).succeeds();
    assert_eq!(ended.err, "");
    let json = ended.json();
    assert_eq!(json["runs"][0]["queries"], 1);
    assert_eq!(json["warnings"], json!([]));
    dir.partita("evaluate --truth t.qrels r.run --query q9")
        .refuses(&["`q9`", "q1, q2, q3"]);
}

#[test]
fn judged_only_removes_unjudged_documents_before_scoring() {
    let dir = graded();
    let scores = dir.scores("--truth t.qrels r.run -m AP -m RR --query q1 --judged-only");
    // Without x the run is d3, d1, d2: the precision is 1/2 at d1 and 2/3 at d2.
    assert_near(scores.value("mine", "q1", "AP"), (0.5 + 2.0 / 3.0) / 3.0);
    let json = dir.evaluation("--truth t.qrels r.run -m AP -m P@2 --query q1 --judged-only");
    // The share of unjudged documents is that of the original result: x is one of four.
    assert_eq!(json["runs"][0]["unjudged"], json!({"AP": 0.25, "P@2": 0.0}));
    // The dynamic recall is also computed without x.
    let json = dir.evaluation("--truth t.qrels r.run -m ADR --query q1 --judged-only --per-query");
    let curve = &json["runs"][0]["dynamic_recall"]["q1"];
    let third = curve[2].as_f64().unwrap();
    assert_near(third, 2.0 / 3.0);
    let adr = json["runs"][0]["mean"]["ADR"].as_f64().unwrap();
    assert_near(adr, (0.0 + 0.5 + 2.0 / 3.0) / 3.0);
}

#[test]
fn judged_and_unjudged_are_measures_too() {
    let arguments = "--truth t.qrels r.run --measure Judged@3 --measure Unjudged@3 --query q1";
    let scores = graded().scores(arguments);
    assert_near(scores.value("mine", "q1", "Judged@3"), 2.0 / 3.0);
    assert_near(scores.value("mine", "q1", "Unjudged@3"), 1.0 / 3.0);
}

#[test]
fn the_mean_of_a_stratum_is_the_mean_over_its_queries() {
    let dir = Folder::with("t.txt", "q1: (a)\nq2: (a)\nq3: (a)\nq4: (a)\n")
        .and(
            "r.json",
            r#"{"q1": ["a"], "q2": ["x", "a"], "q3": ["x", "x2", "a"], "q4": ["a"]}"#,
        )
        .and(
            "g.csv",
            "query,genre\nq1,\"slow, sad\"\nq2,\"slow, sad\"\nq3,fast\n",
        );
    let arguments = "--truth t.txt r.json -m RR --strata g.csv";
    let csv = dir.output(&format!("evaluate {arguments} --per-query --format csv"));
    for row in [
        "run,query,measure,value,stratum,kind",
        "r,q2,RR,0.5,\"slow, sad\",query",
        "r,all,RR,0.75,\"slow, sad\",mean",
        "r,all,RR,1,no stratum,mean",
        "r,q4,RR,1,,query",
    ] {
        assert!(csv.lines().any(|line| line == row), "{row} in {csv}");
    }
    let groups = dir.evaluation(arguments)["runs"][0]["strata"].clone();
    assert_eq!(
        groups[0],
        json!({"stratum": "slow, sad", "queries": 2, "mean": {"RR": 0.75}})
    );
    assert_eq!(groups[2]["stratum"], json!(null));
    let table = dir.partita(&format!("evaluate {arguments} --format table"));
    assert!(table.succeeds().out.contains("slow, sad"));
}

/// Returns a folder with three runs whose scores differ between the twelve queries.
fn folder_with_three_runs() -> Folder {
    let queries: Vec<usize> = (1..=12).collect();
    let truth: String = queries.iter().map(|q| format!("q{q}: (a)\n")).collect();
    let mut dir = Folder::with("t.txt", truth);
    for (run, step) in [("r1", 1), ("r2", 5), ("r3", 7)] {
        let lists = queries.iter().map(|q| {
            let before = (q * step) % 4;
            let list: String = (0..before).map(|x| format!(" x{x}")).collect();
            format!("q{q}{list} a\n")
        });
        dir = dir.and(&format!("{run}.txt"), lists.collect::<String>());
    }
    dir
}

const INTERVAL_ARGUMENTS: &str =
    "--truth t.txt r1.txt r2.txt r3.txt --run-format lines -m RR --intervals --resamples 2000";

#[test]
fn intervals_depend_on_the_seed_and_not_on_the_number_of_threads() {
    let dir = folder_with_three_runs();
    let print = |more: &str| {
        let command = format!("evaluate {INTERVAL_ARGUMENTS} --format json {more}");
        dir.partita(&command).succeeds().out
    };
    let first = print("--seed 1 --threads 1");
    for threads in ["1", "2", "8"] {
        assert_eq!(print(&format!("--seed 1 --threads {threads}")), first);
    }
    assert_eq!(print(""), first, "the seed is 1 by default");
    assert_ne!(print("--seed 2"), first);
}

#[test]
fn intervals_contain_the_mean_and_widen_with_the_confidence() {
    let dir = folder_with_three_runs();
    let width = |more: &str| {
        let csv = dir.output(&format!(
            "evaluate {INTERVAL_ARGUMENTS} {more} --format csv"
        ));
        let mut lines = csv.lines();
        assert_eq!(
            lines.next(),
            Some("run,query,measure,value,lower,upper,kind")
        );
        let row = lines.next().unwrap().strip_prefix("r1,all,RR,").unwrap();
        let row = row.strip_suffix(",mean").unwrap();
        let numbers: Vec<f64> = row.split(',').map(|n| n.parse().unwrap()).collect();
        let [mean, lower, upper] = numbers[..] else {
            panic!("{row}");
        };
        assert!(lower < mean && mean < upper);
        upper - lower
    };
    let narrow = width("--confidence 0.5");
    let usual = width("");
    let wide = width("--confidence 0.99");
    assert!(narrow < usual && usual < wide);
    assert_eq!(usual, width("--confidence 0.95"));
    assert_eq!(usual, width("--interval-method bca"));
    assert!(usual != width("--interval-method percentile"));
    let table = dir.partita(&format!("evaluate {INTERVAL_ARGUMENTS} --format table"));
    let table = table.succeeds().out;
    assert!(
        table.contains("95% intervals") && table.contains("seed 1"),
        "{table}"
    );
}

#[test]
fn invalid_interval_settings_are_refused() {
    for wrong in [
        "--confidence 1",
        "--confidence 0",
        "--confidence NaN",
        "--resamples 0",
        "--threads -1",
        "--seed -1",
    ] {
        let ended = folder_with_three_runs()
            .partita(&format!("evaluate {INTERVAL_ARGUMENTS} {wrong}"))
            .run();
        assert_eq!(ended.code, 2, "{wrong}");
    }
}

#[test]
fn tied_documents_are_ordered_by_name_or_by_file_or_averaged() {
    let dir = Folder::with("t.txt", "q: (b)\n")
        .and("r.run", "q Q0 a 1 5 t\nq Q0 b 1 5 t\nq Q0 c 1 4 t\n");
    let rr = |ties: &str| dir.scores(&format!("--truth t.txt r.run -m RR {ties}"));
    // The default order of ties is by descending name: b before a.
    assert_eq!(rr("").value("t", "q", "RR"), 1.0);
    assert_eq!(rr("--ties docno").value("t", "q", "RR"), 1.0);
    assert_eq!(rr("--ties file").value("t", "q", "RR"), 0.5);
    let average = rr("--ties average");
    assert_near(average.value("t", "q", "RR"), 0.75);
    assert_near(average.value("t", "q", "RR:min"), 0.5);
    assert_near(average.value("t", "q", "RR:max"), 1.0);
}

#[test]
fn documents_are_ordered_by_score_by_rank_or_as_in_the_file() {
    let dir = Folder::with("t.txt", "q: (a)\n")
        .and("r.run", "q Q0 c 3 2.0 t\nq Q0 a 1 1.0 t\nq Q0 b 2 3.0 t\n");
    let rr = |order: &str| {
        let command = format!("evaluate --truth t.txt r.run -m RR {order} --format json");
        let ended = dir.partita(&command).succeeds();
        let value = ended.json()["runs"][0]["mean"]["RR"].as_f64().unwrap();
        (value, ended.err)
    };
    // The order is b, c, a by score; a, b, c by rank; c, a, b in the file.
    let (by_score, said) = rr("--order score");
    assert_near(by_score, 1.0 / 3.0);
    assert!(said.contains("r.run:2: rank and score disagree"), "{said}");
    assert!(
        said.contains("the order was taken from the score"),
        "{said}"
    );
    let (by_rank, said) = rr("--order rank");
    assert_eq!(by_rank, 1.0);
    assert!(said.contains("the order was taken from the rank"), "{said}");
    let (by_file, _) = rr("--order file");
    assert_eq!(by_file, 0.5);
    assert_near(rr("").0, 1.0 / 3.0);
}

#[test]
fn scores_equal_in_single_precision_are_ties_only_on_request() {
    // In single precision 2^24 + 1 is rounded to 2^24.
    let dir = Folder::with("t.txt", "q: (a)\n")
        .and("r.run", "q Q0 a 1 16777217 t\nq Q0 b 2 16777216 t\n");
    let rr = |precision: &str| {
        let scores = dir.scores(&format!("--truth t.txt r.run -m RR {precision}"));
        scores.value("t", "q", "RR")
    };
    assert_eq!(rr(""), 1.0);
    assert_eq!(rr("--score-precision double"), 1.0);
    assert_eq!(rr("--score-precision single"), 0.5);
    assert_eq!(rr("--score-precision single --ties average"), 0.75);
    assert_eq!(rr("--score-precision single --ties file"), 1.0);
}

#[test]
fn runs_are_sorted_best_first_with_ties_in_adr_broken_by_adrinv() {
    let dir = Folder::with("t.txt", "q: (1), (2), (3), (4)\n")
        .and("bad.json", r#"{"q": ["4", "3", "5", "6"]}"#)
        .and("better.json", r#"{"q": ["3", "4", "5", "6"]}"#)
        .and("best.json", r#"{"q": ["1"]}"#);
    let runs = |more: &str| {
        let scores = dir.scores(&format!(
            "--truth t.txt bad.json better.json best.json -m ADR -m ADRinv -m Unjudged {more}"
        ));
        let runs: Vec<String> = scores.runs().iter().map(|&run| run.to_owned()).collect();
        (runs, scores)
    };
    let (given, scores) = runs("");
    assert_eq!(given, ["bad", "better", "best"]);
    for run in ["bad", "better"] {
        assert_near(scores.value(run, "q", "ADR"), 5.0 / 24.0);
    }
    assert_near(scores.value("bad", "q", "ADRinv"), 41.0 / 48.0);
    assert_near(scores.value("better", "q", "ADRinv"), 29.0 / 48.0);
    assert_eq!(runs("--sort ADR").0, ["best", "better", "bad"]);
    // A lower ADRinv is better.
    assert_eq!(runs("--sort adrinv").0.last().unwrap(), "bad");
    dir.partita("evaluate --truth t.txt bad.json --sort AP")
        .refuses(&["AP", "ADR"]);
}

#[test]
fn a_label_selects_one_ground_truth_of_a_file() {
    let dir = Folder::with("t.qrel", "Expert q a 1\nExpert q b 2\nCrowd q b 1\n")
        .and("r.json", r#"{"q": ["a", "b"]}"#);
    let adr = |label: &str| {
        let scores = dir.scores(&format!("--truth t.qrel r.json --label {label}"));
        scores.value("r", "q", "ADR")
    };
    assert_eq!(adr("Expert"), 1.0);
    assert_eq!(adr("Crowd"), 0.0);
    dir.partita("evaluate --truth t.qrel r.json --label Nobody")
        .refuses(&["t.qrel", "`Nobody`", "Crowd, Expert"]);
}

#[test]
fn details_show_the_settings_and_the_seed() {
    let dir = graded();
    let json = dir.evaluation("--truth t.qrels r.run -m AP --details --seed 7 --ties file");
    assert_eq!(json["settings"]["seed"], 7);
    assert_eq!(json["settings"]["ties"], "file");
    assert_eq!(json["settings"]["order"], "score");
    // JSON has the same keys with any options.
    let keys = |json: &serde_json::Value| -> Vec<String> {
        json.as_object().unwrap().keys().cloned().collect()
    };
    let plain = dir.evaluation("--truth t.qrels r.run -m AP");
    let resampled = dir.evaluation("--truth t.qrels r.run -m AP --intervals --resamples 9");
    assert_eq!(keys(&plain), keys(&json));
    assert_eq!(keys(&plain["settings"]), keys(&resampled["settings"]));
    assert_eq!(keys(&plain["runs"][0]), keys(&resampled["runs"][0]));
    let table = dir.partita("evaluate --truth t.qrels r.run -m AP --details --format table");
    let stdout = table.succeeds().out.to_lowercase();
    assert!(
        stdout.contains("settings: truth t.qrels") && stdout.contains("ties docno (by name"),
        "{stdout}"
    );
}

#[test]
fn the_option_like_applies_the_measures_and_rules_of_other_tools() {
    let dir = graded();
    let printed = dir.output("evaluate --truth t.qrels r.run --like trec_eval");
    let lines: Vec<Vec<&str>> = (printed.lines())
        .map(|line| line.split('\t').map(str::trim).collect())
        .collect();
    let value = |measure: &str| {
        let line = lines.iter().find(|line| line[0] == measure);
        line.unwrap_or_else(|| panic!("no {measure} in {printed}"))[2]
    };
    assert_eq!(value("runid"), "mine");
    // The run lacks one of the three queries, and trec_eval leaves it out of the means.
    assert_eq!(value("num_q"), "2");
    for measure in ["map", "Rprec", "bpref", "recip_rank", "P_5", "P_1000"] {
        assert!(value(measure).parse::<f64>().is_ok(), "{printed}");
    }
    let asked = dir.output("evaluate --truth t.qrels r.run --like trec_eval -m ndcg_cut_10,map");
    assert!(
        asked.contains("ndcg_cut_10 ") && !asked.contains("P_5"),
        "{asked}"
    );
    // Explicit options take precedence over --like.
    let all = dir.output("evaluate --truth t.qrels r.run --like trec_eval --missing zero");
    assert!(all.contains("num_q                 \tall\t3"), "{all}");
    for (procedure, measures) in [
        ("mirex-ams", vec!["AG@5"]),
        (
            "urbano-2011",
            vec!["AG@5", "nDCG(discount=log)@5", "ANDCG@5", "ADR@5"],
        ),
        (
            "URBANO2011",
            vec!["AG@5", "nDCG(discount=log)@5", "ANDCG@5", "ADR@5"],
        ),
    ] {
        let json = dir.json(&format!(
            "evaluate --truth t.qrels r.run --like {procedure}"
        ));
        assert_eq!(json["measures"], serde_json::json!(measures));
    }
}

#[test]
fn measures_are_separated_by_commas_and_printed_by_their_main_names() {
    let json = graded().json("evaluate --truth t.qrels r.run -m ndcg@10,AP(rel=2),map -m MAP");
    assert_eq!(
        json["measures"],
        serde_json::json!(["nDCG@10", "AP(rel=2)", "AP"])
    );
}
