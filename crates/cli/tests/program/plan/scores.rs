//! Tests of `partita plan` on scores without judges.

use crate::plan::support::matrix;
use crate::session::Folder;

#[test]
fn plain_scores_give_components_coefficients_and_goals() {
    let folder = Folder::with_files(&[("s.csv", &matrix(6, 20))]);
    let table = folder.plan("s.csv --format table");
    assert_eq!(table.code, 0, "{}", table.err);
    for words in [
        "Eρ²",
        "Φ",
        "Detects",
        "system:query %",
        "Eρ² of 0.95",
        "Φ of 0.8",
        "t-test finds 0.05",
    ] {
        assert!(table.out.contains(words), "no `{words}` in\n{}", table.out);
    }
    let found = folder.planned("s.csv");
    let measure = &found["measures"][0];
    assert_eq!(measure["systems"], 6);
    assert_eq!(measure["queries"], 20);
    assert!(measure["judges"].is_null());
    assert_eq!(measure["components"].as_array().map(Vec::len), Some(3));
    assert_eq!(measure["queries_needed"].as_array().map(Vec::len), Some(6));
}

#[test]
fn use_b9_present_queries_suffice_only_if_the_whole_interval_reaches_the_goal() {
    let folder = Folder::with_files(&[("s.csv", &matrix(5, 14))]);
    let advice = |goal: f64| {
        let printed = folder.plan(&format!("s.csv --erho2 {goal:.6} --format markdown"));
        let found = folder.planned(&format!("s.csv --erho2 {goal:.6}"));
        let needed = found["measures"][0]["queries_needed"][0]["queries"].clone();
        (printed.out, needed)
    };
    let present = folder.planned("s.csv")["measures"][0]["erho2"].clone();
    let [lower, value, upper] =
        ["lower", "value", "upper"].map(|end| present[end].as_f64().expect("a number"));
    let (said, _) = advice(0.9 * lower);
    assert!(
        said.starts_with("The present 14 queries suffice for an Eρ²"),
        "{said}"
    );
    for goal in [0.5 * (lower + value), 0.5 * (value + upper)] {
        let (said, needed) = advice(goal);
        assert!(!said.contains("suffice"), "{said}");
        let first = match needed["upper"].as_f64() {
            Some(upper) => format!("Ask {upper} queries (the upper end of the 95% interval "),
            None => "No number of queries can be called safe for an Eρ² of ".to_owned(),
        };
        assert!(said.starts_with(&first), "{first}: {said}");
        assert_eq!(
            said.contains("and the interval reaches below"),
            goal < value && needed["upper"].is_number()
        );
    }
}

#[test]
fn the_option_variance_accepts_a_number_or_the_largest_of_a_pair() {
    let folder = Folder::with_files(&[("s.csv", &matrix(4, 12))]);
    let found =
        folder.planned("s.csv --variance 0.04 --difference 0.1,0.2 --interval-method normal");
    assert_eq!(
        (&found["t_test"]["given"], &found["intervals"]),
        (&0.04.into(), &"normal".into())
    );
    let differences = &found["measures"][0]["t_test"][0]["differences"];
    assert_eq!(differences.as_array().map(Vec::len), Some(2));
    assert!(folder.planned("s.csv --variance largest")["measures"][0]["pair"].is_array());
}

#[test]
fn several_measures_are_planned_in_one_table() {
    let mut rows = "system,query,measure,value\n".to_owned();
    for (measure, scale) in [("AP", 1.0), ("RR", 0.5)] {
        for (line, query) in matrix(4, 8).lines().skip(1).zip(0..) {
            for (system, value) in line.split(',').skip(1).enumerate() {
                let value: f64 = value.parse().expect("a number");
                rows.push_str(&format!("s{system},q{query},{measure},{}\n", scale * value));
            }
        }
    }
    let folder = Folder::with_files(&[("s.csv", &rows)]);
    let table = folder.plan("s.csv --format table");
    assert!(
        table.out.contains("AP") && table.out.contains("RR"),
        "{}",
        table.out
    );
    let measures = |options: &str| {
        let found = folder.planned(&format!("s.csv{options}"));
        found["measures"].as_array().map(Vec::len)
    };
    assert_eq!((measures(""), measures(" -m RR")), (Some(2), Some(1)));
}

#[test]
fn the_best_design_for_a_budget_is_marked() {
    let folder = Folder::with_files(&[("s.csv", &matrix(5, 15))]);
    let money = "--money 1000 --cost-per-judgment 0.5 --judgments-per-query 20 --cost-per-query 2";
    let found = folder.planned(&format!("s.csv {money} --difference 0.1"));
    let last = &found["measures"][0]["budget"][3];
    assert_eq!(
        (&last["best"], &found["best"]),
        (&true.into(), &"erho2".into())
    );
    let table = folder.plan(&format!("s.csv {money} --format table"));
    assert!(table.out.contains("What 1000 buys"), "{}", table.out);
    assert!(
        table.out.contains("Judges cannot be planned"),
        "{}",
        table.out
    );
}

#[test]
fn every_format_is_written_and_csv_is_the_default_without_a_terminal() {
    let folder = Folder::with_files(&[("s.csv", &matrix(4, 10))]);
    for (format, words) in [
        ("table", "How many queries are needed"),
        ("latex", "\\begin{tabular}"),
        ("mediawiki", "{|"),
        ("markdown", "| Goal"),
        ("json", "\"measures\""),
    ] {
        let said = folder.plan(&format!("s.csv --format {format}"));
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.out.contains(words), "{format}: {}", said.out);
    }
    let csv = folder.plan("s.csv");
    assert!(
        csv.out
            .starts_with("measure,quantity,wanted,queries,judges,value,lower,upper\n")
    );
    assert!(csv.out.lines().all(|line| line.split(',').count() == 8));
    let written = folder.plan("s.csv --output plan.csv");
    assert_eq!((written.code, written.out.as_str()), (0, ""));
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::new();
    let said = (folder.partita("plan - --format json"))
        .input(matrix(4, 10))
        .run();
    assert_eq!(said.code, 0, "{}", said.err);
    drop(folder);
}

#[test]
fn negative_variances_are_reported() {
    // Scores of systems that do not differ significantly, so their variance is estimated as
    // negative.
    let rows = "a,b,c\n0.1,0.9,0.4\n0.9,0.2,0.5\n0.4,0.5,0.1\n0.5,0.3,0.9\n0.2,0.2,0.3\n";
    let folder = Folder::with_files(&[("s.csv", rows)]);
    let said = folder.plan("s.csv --format json");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.err.contains("the variance of system came out as -"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("no number of queries is enough"),
        "{}",
        said.err
    );
    let found: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let measure = &found["measures"][0];
    assert!(measure["queries_needed"][0]["queries"]["value"].is_null());
    assert!(!found["warnings"].as_array().expect("warnings").is_empty());
}
