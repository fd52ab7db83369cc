//! Test of `partita reliability` on an edition of MIREX Audio Music Similarity, with the findings
//! of Urbano et al. (2011) on another edition.

use serde_json::Value;

use crate::data::data;
use crate::reliability::support::number;
use crate::session::Folder;

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn a_mirex_edition_confirms_the_findings_of_urbano_2011() {
    let edition = data("ams-fine");
    let folder = Folder::new();
    let file = |name: &str| std::fs::read_to_string(edition.join(name)).unwrap();
    folder.file("judgments.txt", file("judgments.txt"));
    folder.file("runs.txt", file("runs.txt"));
    let genres = file("metadata.txt")
        .lines()
        .fold(String::new(), |genres, line| {
            let columns: Vec<&str> = line.split('\t').collect();
            genres + columns[0] + "\t" + columns[2] + "\n"
        });
    folder.file("genres.tsv", &genres);
    folder.output(
        "evaluate --truth judgments.txt --truth-format gains runs.txt -m AG@5 -m nDCG@5 -m ANDCG@5 \
         -m ADR@5 --per-query --format csv -o scores.csv",
    );
    let answer =
        folder.json("reliability scores.csv --strata genres.tsv --trials 100 --like urbano-2011");
    assert_eq!(
        answer["measures"][0]["strata"].as_object().unwrap().len(),
        10
    );
    let cell = |measure: &str, test: &str, size: u64| -> Value {
        let cells = answer["cells"].as_array().unwrap().iter();
        let mut cells = cells.filter(|cell| cell["measure"] == measure && cell["test"] == test);
        cells.find(|cell| cell["size"] == size).unwrap().clone()
    };
    // With all queries 96 of the 153 pairs are significant by Friedman's test with Tukey's HSD.
    let whole = cell("AG@5", "friedman-tukey", 100);
    assert_eq!((number(&whole, "power") * 153.0).round(), 96.0);
    for measure in ["AG@5", "nDCG@5", "ANDCG@5", "ADR@5"] {
        for test in ["friedman-tukey", "wilcoxon-normal"] {
            // The power grows with the number of queries.
            let power = |size| number(&cell(measure, test, size), "power");
            assert!(power(10) < power(30) && power(30) < power(60) && power(60) < power(100));
            // Conflicts are rarely swaps, and almost never swaps that are significant in both query
            // sets.
            let half = cell(measure, test, 50);
            assert!(number(&half, "significant_swap") < 1e-3, "{half}");
            assert!(
                number(&half, "swap") < 0.2 * number(&half, "conflicts"),
                "{half}"
            );
        }
        // Wilcoxon tests without correction find more significant pairs on the same number of
        // queries.
        let power = |test, size| number(&cell(measure, test, size), "power");
        assert!(power("wilcoxon-normal", 50) > power("friedman-tukey", 50));
    }
    // By AG@5 even half of the queries give them more than all queries give the Friedman test.
    assert!(number(&cell("AG@5", "wilcoxon-normal", 50), "power") > number(&whole, "power"));
    // ADR, which uses only the order of the grades, has less power than AG.
    let adr = number(&cell("ADR@5", "friedman-tukey", 50), "power");
    assert!(adr < 0.75 * number(&cell("AG@5", "friedman-tukey", 50), "power"));
    // Expected shares from six trials of an independent computation: 4.9% conflicts, and 10.8%
    // pairs that are significant in exactly one of the two query sets.
    let half = cell("AG@5", "friedman-tukey", 50);
    assert!((number(&half, "conflicts") - 0.049).abs() < 0.03, "{half}");
    assert!(
        (number(&half, "exclusive_or") - 0.108).abs() < 0.045,
        "{half}"
    );
}
