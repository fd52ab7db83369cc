//! Tests of the results of `partita reliability` and of their formats.

use serde_json::Value;

use crate::reliability::support::number;
use crate::session::Folder;

fn cells(answer: &Value) -> &Vec<Value> {
    answer["cells"].as_array().unwrap()
}

#[test]
fn json_cells_have_the_documented_fields() {
    let folder = Folder::with_scores(6, 20);
    let answer = folder.json("reliability scores.csv --trials 40");
    assert_eq!(
        (&answer["seed"], &answer["trials"]),
        (&1.into(), &40.into())
    );
    let cells = cells(&answer);
    // Four query set sizes (5, 10, 15, 20) and two tests.
    assert_eq!(cells.len(), 8);
    for cell in cells {
        let size = number(cell, "size");
        assert_eq!(cell["measure"], "score");
        for key in ["trials", "comparisons", "power"] {
            assert!(cell[key].is_number(), "{key}");
        }
        // A query set with more than half of the queries leaves no second, disjoint set of that
        // size.
        for key in [
            "lack_of_power",
            "swap",
            "significant_swap",
            "conflicts",
            "exclusive_or",
            "stable",
        ] {
            assert_eq!(cell.get(key).is_some(), size <= 10.0, "{key}");
        }
    }
    let tests: Vec<&Value> = cells.iter().map(|cell| &cell["test"]).collect();
    assert_eq!(
        (tests[0], tests[7]),
        (&"friedman-tukey".into(), &"wilcoxon".into())
    );
    assert_eq!(
        (number(&cells[0], "alpha"), number(&cells[7], "alpha")),
        (0.05, 0.01)
    );
}

#[test]
fn the_result_is_equal_for_any_thread_count() {
    let folder = Folder::with_scores(7, 24);
    let command = "reliability scores.csv --trials 40 --sizes 5,12,24 --details --format json --test \
                   friedman-tukey,wilcoxon,wilcoxon-normal,wilcoxon-exact,t,sign,permutation,t:0.05:holm";
    let on = |threads: &str| {
        let said = folder.partita(command).threads(threads).run();
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    let one = on("1");
    assert_eq!(one, on("2"));
    assert_eq!(one, on("8"));
    let other = folder.output(&format!("{command} --seed 2"));
    assert_ne!(one, other);
}

#[test]
fn measures_are_columns_of_one_table_and_can_be_selected() {
    let folder = Folder::new();
    let mut text = "run,query,measure,value\n".to_owned();
    for (run, level) in [("a", 1.0), ("b", 2.0), ("c", 3.5)] {
        for query in 0..12 {
            let noise = f64::from(query * 7 % 5);
            text += &format!("{run},q{query},AP,{}\n", level + noise);
            text += &format!("{run},q{query},RR,{}\n", level * noise);
        }
        text += &format!("{run},all,AP,9\n");
    }
    folder.file("scores.csv", &text);
    let answer = folder.json("reliability scores.csv --trials 20");
    let measures: Vec<&Value> = cells(&answer).iter().map(|cell| &cell["measure"]).collect();
    assert_eq!(measures.len(), 12);
    assert!(measures.contains(&&"AP".into()) && measures.contains(&&"RR".into()));
    assert_eq!(answer["measures"][0]["stratified"], false);
    let picked = folder.json("reliability scores.csv --trials 20 --measure RR");
    let rr: Vec<&Value> = cells(&answer)
        .iter()
        .filter(|cell| cell["measure"] == "RR")
        .collect();
    assert_eq!(cells(&picked).iter().collect::<Vec<_>>(), rr);
    let table = folder.output("reliability scores.csv --trials 20 --format table");
    for words in ["AP", "RR", "not stratified; seed 1", "Power, 12 queries"] {
        assert!(table.contains(words), "{words}: {table}");
    }
}

#[test]
fn the_csv_of_evaluate_is_read_from_standard_input() {
    let folder = Folder::new();
    let mut truth = String::new();
    let (mut good, mut bad) = (String::new(), String::new());
    for query in 0..8 {
        truth += &format!("q{query}: (a, b), (c)\n");
        good += &format!("q{query} Q0 a 1 3 good\nq{query} Q0 b 2 2 good\n");
        bad += &format!("q{query} Q0 c 1 3 bad\nq{query} Q0 x 2 2 bad\n");
    }
    folder.file("t.txt", &truth);
    folder.file("good.run", &good);
    folder.file("bad.run", &bad);
    let scores = folder.output("evaluate --truth t.txt good.run bad.run --per-query --format csv");
    let said = (folder.partita("reliability - --format json --sizes 4,8"))
        .input(scores)
        .run();
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(number(&cells(&answer)[1], "power"), 1.0, "{answer}");
}

#[test]
fn strata_from_a_file_and_from_a_column_give_equal_results() {
    let folder = Folder::with_scores(5, 20);
    let by_column = folder.json("reliability scores.csv --trials 30");
    assert_eq!(by_column["measures"][0]["strata"]["g0"], 5);
    let strata: String = (0..20)
        .map(|query| format!("q{query},g{}\n", query % 4))
        .collect();
    folder.file("strata.csv", &strata);
    let matrix = folder.read("scores.csv");
    let bare: Vec<String> = matrix
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [&cells[..1], &cells[2..]].concat().join(",")
        })
        .collect();
    folder.file("bare.csv", bare.join("\n"));
    let by_file = folder.json("reliability bare.csv --strata strata.csv --trials 30");
    assert_eq!(by_column["cells"], by_file["cells"]);
    let without = folder.json("reliability bare.csv --trials 30");
    assert_ne!(by_column["cells"], without["cells"]);
}

#[test]
fn csv_and_json_have_equal_values_and_tables_are_in_all_formats() {
    let folder = Folder::with_scores(5, 20);
    let answer = folder.json("reliability scores.csv --trials 30");
    let csv = folder.output("reliability scores.csv --trials 30");
    let mut rows = csv.lines();
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|known| *known == name).unwrap();
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), cells(&answer).len());
    for (row, cell) in rows.iter().zip(cells(&answer)) {
        for key in ["size", "power", "conflicts", "stable", "exclusive_or"] {
            let expected = cell
                .get(key)
                .map_or(String::new(), |value| value.as_f64().unwrap().to_string());
            assert_eq!(row[column(key)], expected, "{key}");
        }
    }
    for (format, words) in [
        ("table", "Power and stability"),
        ("latex", "\\toprule"),
        ("mediawiki", "{|"),
        ("markdown", "| Measure"),
    ] {
        let text = folder.output(&format!("reliability scores.csv --format {format}"));
        assert!(text.contains(words), "{text}");
        assert!(text.starts_with("With 20 queries, "), "{text}");
    }
    let details = folder.output("reliability scores.csv --trials 30 --details --format table");
    for words in ["best query sets", "Exclusive or", "q0"] {
        assert!(details.contains(words), "{details}");
    }
}

#[test]
fn the_table_starts_with_a_summary_and_names_tests_without_power() {
    let folder = Folder::with_scores(5, 12);
    let ask = "reliability scores.csv --trials 20 --sizes 4,6,12 --format table";
    let text = folder.output(ask);
    assert!(
        text.starts_with("With 12 queries, friedman-tukey at 0.05 finds that "),
        "{text}"
    );
    assert!(
        text.contains("wilcoxon at 0.01 finds nothing on fewer than 8"),
        "{text}"
    );
    assert!(!text.contains("best query sets\n"), "{text}");
    // Without a second, disjoint query set the output has no conflicts.
    let text = folder.output("reliability scores.csv --trials 20 --sizes 9 --format table");
    assert!(!text.contains("Conflicts"), "{text}");
}

#[test]
fn the_option_alpha_applies_to_tests_without_their_own_level() {
    let folder = Folder::with_scores(5, 12);
    let levels = |options: &str| -> Vec<f64> {
        let answer = folder.json(&format!(
            "reliability scores.csv --trials 5 --sizes 12 {options}"
        ));
        let cells = cells(&answer).iter();
        cells.map(|cell| cell["alpha"].as_f64().unwrap()).collect()
    };
    assert_eq!(levels(""), [0.05, 0.01]);
    assert_eq!(levels("--alpha 0.1"), [0.1, 0.1]);
    assert_eq!(levels("--test t,sign:0.2 --alpha 0.01"), [0.01, 0.2]);
}

/// Returns the first line of the output for synthetic scores.
fn first_output_line(systems: usize, queries: usize, more: &str) -> String {
    let folder = Folder::with_scores(systems, queries);
    let command = format!("reliability scores.csv --test t --trials 40 --format table {more}");
    let out = folder.output(&command);
    out.lines().next().unwrap().to_owned()
}

#[test]
fn fewer_queries_are_recommended_only_if_they_miss_few_significant_pairs() {
    let many = first_output_line(20, 60, "--miss 9");
    assert!(many.contains("Fewer would do: "), "{many}");
    assert!(many.contains("missed at most 9 of the "), "{many}");
    let few = first_output_line(4, 60, "");
    assert!(!few.contains("Fewer would do"), "{few}");
    assert!(
        few.contains("Keep all of them if every significant pair matters"),
        "{few}"
    );
    assert!(few.contains("missed up to 2 of the "), "{few}");
    let none = first_output_line(2, 60, "");
    assert!(none.contains("Ask more queries: "), "{none}");
}
