//! Plans from plain scores.

use crate::plan::worlds::matrix;
use crate::session::Folder;

#[test]
fn scores_alone_give_a_useful_answer() {
    let folder = Folder::of(&[("s.csv", &matrix(6, 20))]);
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
    let shares: f64 = (measure["components"].as_array().expect("components").iter())
        .map(|component| component["share"].as_f64().expect("a share"))
        .sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let value = |of: &str| measure[of]["value"].as_f64().expect("a value");
    assert!(value("phi") <= value("erho2"));
}

#[test]
fn the_published_example_of_shrout_and_fleiss_comes_out() {
    // Six targets as systems, four judges as queries: ICC(3,4) = .91 and ICC(2,4) = .62.
    let rows = "a,b,c,d,e,f\n9,6,8,7,10,6\n2,1,4,1,5,2\n5,3,6,2,6,4\n8,2,8,6,9,7\n";
    let folder = Folder::of(&[("s.csv", rows)]);
    let found = folder.planned("s.csv --intervals normal");
    let measure = &found["measures"][0];
    for (of, end, published) in [
        ("erho2", "value", 0.91),
        ("phi", "value", 0.62),
        ("erho2", "lower", 0.68),
        ("erho2", "upper", 0.99),
    ] {
        let value = measure[of][end].as_f64().expect("a value");
        assert!((value - published).abs() < 0.006, "{of} {end}: {value}");
    }
}

#[test]
fn a_given_variance_gives_the_textbook_numbers_of_queries() {
    let folder = Folder::of(&[("s.csv", &matrix(4, 12))]);
    // A difference of half a standard deviation: 34 queries; of one: 10.
    let found = folder.planned("s.csv --variance 0.04 --difference 0.1,0.2");
    let differences = &found["measures"][0]["t_test"][0]["differences"];
    assert_eq!(differences[0]["queries"]["value"], 34.0);
    assert_eq!(differences[1]["queries"]["value"], 10.0);
    let largest = folder.planned("s.csv --variance largest");
    let mean = folder.planned("s.csv");
    let variance = |found: &serde_json::Value| {
        let variance = &found["measures"][0]["t_test"][0]["variance"]["value"];
        variance.as_f64().expect("a variance")
    };
    assert!(variance(&largest) > variance(&mean));
    assert!(largest["measures"][0]["pair"].is_array());
}

#[test]
fn several_measures_stand_side_by_side() {
    let mut rows = "system,query,measure,value\n".to_owned();
    for (measure, scale) in [("AP", 1.0), ("RR", 0.5)] {
        for (line, query) in matrix(4, 8).lines().skip(1).zip(0..) {
            for (system, value) in line.split(',').skip(1).enumerate() {
                let value: f64 = value.parse().expect("a number");
                rows.push_str(&format!("s{system},q{query},{measure},{}\n", scale * value));
            }
        }
    }
    let folder = Folder::of(&[("s.csv", &rows)]);
    let table = folder.plan("s.csv --format table");
    assert!(
        table.out.contains("AP") && table.out.contains("RR"),
        "{}",
        table.out
    );
    let found = folder.planned("s.csv");
    let erho2 = |at: usize| {
        found["measures"][at]["erho2"]["value"]
            .as_f64()
            .expect("a value")
    };
    assert!((erho2(0) - erho2(1)).abs() < 1e-9);
    assert_eq!(
        folder.planned("s.csv -m RR")["measures"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

#[test]
fn a_budget_is_spent_and_the_best_use_is_marked() {
    let folder = Folder::of(&[("s.csv", &matrix(5, 15))]);
    let money = "--budget 1000 --cost-per-judgment 0.5 --judgments-per-query 20 --cost-per-query 2";
    let found = folder.planned(&format!("s.csv {money} --difference 0.1"));
    let rows = found["measures"][0]["budget"].as_array().expect("rows");
    let numbers = |key: &str| -> Vec<f64> {
        rows.iter()
            .map(|row| row[key].as_f64().expect(key))
            .collect()
    };
    // 12 a query: 250, 500, 750 and 1000 pay for 20, 41, 62 and 83.
    assert_eq!(numbers("queries"), [20.0, 41.0, 62.0, 83.0]);
    assert_eq!(numbers("cost"), [240.0, 492.0, 744.0, 996.0]);
    let best: Vec<bool> = rows.iter().map(|row| row["best"] == true).collect();
    assert_eq!(best, [false, false, false, true]);
    let power = |row: &serde_json::Value| row["t_power"][0]["power"].as_f64().expect("a power");
    assert!(
        rows.windows(2)
            .all(|pair| power(&pair[0]) < power(&pair[1]))
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
fn every_format_is_written_and_csv_is_the_default_elsewhere() {
    let folder = Folder::of(&[("s.csv", &matrix(4, 10))]);
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
fn negative_variances_are_remarked() {
    // Systems that do not differ beyond chance.
    let rows = "a,b,c\n0.1,0.9,0.4\n0.9,0.2,0.5\n0.4,0.5,0.1\n0.5,0.3,0.9\n0.2,0.2,0.3\n";
    let folder = Folder::of(&[("s.csv", rows)]);
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
    assert_eq!(measure["erho2"]["value"], 0.0);
    assert!(measure["queries_needed"][0]["queries"]["value"].is_null());
    assert!(!found["warnings"].as_array().expect("warnings").is_empty());
}
