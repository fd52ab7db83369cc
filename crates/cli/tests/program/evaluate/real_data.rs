//! Tests of `partita evaluate` on complete real evaluations, against independent computations.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::data::data;
use crate::evaluate::scores::Scores;
use crate::session::{Folder, Program};

fn evaluate(folder: &Path, arguments: &str) -> Program {
    Program::within(folder, &format!("evaluate {arguments}"))
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn trec_dl_2021_has_the_scores_of_pytrec_eval() {
    let folder = data("trec-dl-2021");
    let reference = include_str!("../../fixtures/pytrec_eval_trec_dl_2021.json");
    let reference: Value = serde_json::from_str(reference).unwrap();
    let theirs = reference["measures"].as_array().unwrap();
    let theirs: Vec<&str> = theirs.iter().map(|name| name.as_str().unwrap()).collect();
    let reference = reference["runs"].as_object().unwrap();
    let mut files: Vec<String> = std::fs::read_dir(folder.join("runs"))
        .unwrap()
        .map(|entry| format!("runs/{}", entry.unwrap().file_name().display()))
        .collect();
    files.sort();
    assert_eq!(files.len(), 40);
    let measures = [
        "AP",
        "RR",
        "nDCG@10",
        "P@10",
        "Recall@100",
        "Rprec",
        "Success@5",
        "bpref",
        "nDCG",
    ];
    let arguments = format!(
        "--truth qrels.txt {} --like trec_eval -m {} -m ADR,ADR@10,RBP,ERR@10,Compat --per-query \
         --missing zero --format csv",
        files.join(" "),
        theirs.join(","),
    );
    let ended = evaluate(&folder, &arguments).succeeds();
    let mut scores: HashMap<(String, String, String), f64> = HashMap::new();
    for [run, query, measure, value] in Scores::read(&ended.out).rows() {
        let value: f64 = value.parse().unwrap();
        assert!(
            (0.0..=1.0).contains(&value),
            "{run} {query} {measure} {value}"
        );
        scores.insert((run.clone(), query.clone(), measure.clone()), value);
    }
    // 40 runs; 53 queries and the mean; 14 measures.
    assert_eq!(scores.len(), 40 * 54 * 14);
    let mut compared = 0;
    for (run, queries) in reference {
        for (query, values) in queries.as_object().unwrap() {
            for (measure, value) in measures.iter().zip(values.as_array().unwrap()) {
                let key = (run.clone(), query.clone(), (*measure).to_owned());
                let (ours, theirs) = (scores[&key], value.as_f64().unwrap());
                assert!((ours - theirs).abs() <= 1e-9, "{key:?} {ours} {theirs}");
                compared += 1;
            }
        }
        // The reference has no scores for queries that a run lacks; with --missing zero they score
        // 0.
        let keys = scores.keys().filter(|key| key.0 == *run && key.2 == "AP");
        for key in keys.filter(|key| key.1 != "all") {
            assert!(
                queries.get(&key.1).is_some() || scores[key] == 0.0,
                "{key:?}"
            );
        }
    }
    assert_eq!(compared, 40 * 53 * 9);
}

/// Data of one edition of MIREX Audio Music Similarity, read by the test independently of the
/// program.
struct AmsEdition {
    folder: PathBuf,
    /// The grade of each document, by query.
    grades: HashMap<String, HashMap<String, f64>>,
    /// Documents that each system returned, by system and query.
    results: BTreeMap<(String, String), Vec<String>>,
}

impl AmsEdition {
    fn read() -> Self {
        let folder = data("ams-fine");
        let mut grades: HashMap<String, HashMap<String, f64>> = HashMap::new();
        for [query, document, grade] in rows(&folder.join("judgments.txt")) {
            let grade = grade.parse().unwrap();
            grades.entry(query).or_default().insert(document, grade);
        }
        let mut results: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for [system, query, document] in rows(&folder.join("runs.txt")) {
            results.entry((system, query)).or_default().push(document);
        }
        Self {
            folder,
            grades,
            results,
        }
    }

    fn scores(&self, more: &str) -> Scores {
        let arguments = format!(
            "--truth judgments.txt --truth-format gains runs.txt -m AG@5 -m nDCG(discount=log)@5 -m ANDCG@5 \
             -m ADR@5 --per-query --format csv {more}"
        );
        let ended = evaluate(&self.folder, &arguments).succeeds();
        assert_eq!(ended.err, "");
        Scores::read(&ended.out)
    }

    /// Returns the grades of the documents that a system returned, and all grades of the query,
    /// best first.
    fn gains(&self, system: &str, query: &str) -> (Vec<f64>, Vec<f64>) {
        let grades = &self.grades[query];
        let returned = &self.results[&(system.to_owned(), query.to_owned())];
        let mut ideal: Vec<f64> = grades.values().copied().collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        (returned.iter().map(|d| grades[d]).collect(), ideal)
    }

    fn systems(&self) -> Vec<&str> {
        let mut systems: Vec<&str> = self.results.keys().map(|(s, _)| s.as_str()).collect();
        systems.dedup();
        systems
    }
}

fn rows(file: &Path) -> Vec<[String; 3]> {
    let text = std::fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        columns.try_into().unwrap()
    };
    text.lines().map(row).collect()
}

/// Computes discounted cumulated gain as Urbano et al. (2011): ranks below the base 2 of the
/// logarithm are not discounted.
fn dcg(gains: &[f64], k: usize) -> f64 {
    let discount = |rank: usize| (rank as f64).log2().max(1.0);
    let gains = (1..).zip(gains.iter().take(k));
    gains.map(|(rank, gain)| gain / discount(rank)).sum()
}

fn ndcg(gains: &[f64], ideal: &[f64], k: usize) -> f64 {
    let best = dcg(ideal, k);
    if best == 0.0 {
        0.0
    } else {
        dcg(gains, k) / best
    }
}

/// Computes average dynamic recall at `k` by its definition: the mean over positions i of the share
/// of the first i documents that belong to a group starting within the first i positions of the
/// ideal list.
fn adr(gains: &[f64], ideal: &[f64], k: usize) -> f64 {
    let recall = |i: usize| {
        let open = |gain: &&f64| {
            let before = ideal.iter().filter(|better| *better > *gain).count();
            before < i && ideal.contains(*gain)
        };
        gains.iter().take(i).filter(open).count() as f64 / i as f64
    };
    (1..=k).map(recall).sum::<f64>() / k as f64
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < 1e-10,
        "{what}: {found} is not {expected}"
    );
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn ams_fine_has_the_scores_of_a_naive_computation() {
    let ams = AmsEdition::read();
    let (scores, kept) = (ams.scores(""), ams.scores("--keep-zero"));
    assert_eq!(scores.rows().len(), 18 * 101 * 4);
    let systems = ams.systems();
    assert_eq!(systems.len(), 18);
    for (number, system) in systems.iter().enumerate() {
        let mut sum = 0.0;
        for query in ams.grades.keys() {
            let (gains, ideal) = ams.gains(system, query);
            let ag = gains.iter().sum::<f64>() / 5.0;
            sum += ag;
            assert_near(scores.value(system, query, "AG@5"), ag, query);
            assert_near(kept.value(system, query, "AG@5"), ag, query);
            // Check the other measures for every sixth system only.
            if number % 6 > 0 {
                continue;
            }
            let what = format!("{system} {query}");
            let at_5 = ndcg(&gains, &ideal, 5);
            assert_near(
                scores.value(system, query, "nDCG(discount=log)@5"),
                at_5,
                &what,
            );
            let mean = (1..=5).map(|k| ndcg(&gains, &ideal, k)).sum::<f64>() / 5.0;
            assert_near(scores.value(system, query, "ANDCG@5"), mean, &what);
            assert_near(
                kept.value(system, query, "ADR@5"),
                adr(&gains, &ideal, 5),
                &what,
            );
            let relevant: Vec<f64> = ideal.iter().copied().filter(|&g| g > 0.0).collect();
            let expected = adr(&gains, &relevant, 5);
            assert_near(scores.value(system, query, "ADR@5"), expected, &what);
        }
        assert_near(scores.value(system, "all", "AG@5"), sum / 100.0, system);
    }
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn every_document_of_ams_fine_is_judged_and_no_query_is_missing() {
    let folder = data("ams-fine");
    let arguments =
        "--truth judgments.txt --truth-format gains runs.txt -m AG@5 -m ADR@5 --format json";
    let json = evaluate(&folder, arguments).succeeds().json();
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 18);
    for run in runs {
        assert_eq!(
            run["unjudged"],
            serde_json::json!({"AG@5": 0.0, "ADR@5": 0.0})
        );
        assert_eq!(run["missing"], serde_json::json!([]));
        assert_eq!(run["queries"], 100);
    }
}

#[test]
#[ignore = "needs PARTITA_DATA (see CONTRIBUTING.md)"]
fn means_by_genre_are_the_means_over_the_queries_of_the_genre() {
    let ams = AmsEdition::read();
    let genres: HashMap<String, String> = rows(&ams.folder.join("metadata.txt"))
        .into_iter()
        .map(|[clip, _, genre]| (clip, genre))
        .collect();
    let lines = ams
        .grades
        .keys()
        .map(|query| format!("{query},{}\n", genres[query]));
    let dir = Folder::with(
        "genres.csv",
        format!("query,genre\n{}", lines.collect::<String>()),
    );
    let groups = dir.path("genres.csv");
    let scores = ams.scores(&format!("--groups {}", groups.display()));
    let mut by_genre: HashMap<&str, Vec<&str>> = HashMap::new();
    for query in ams.grades.keys() {
        by_genre.entry(&genres[query]).or_default().push(query);
    }
    assert_eq!(by_genre.len(), 10);
    for system in ams.systems() {
        for (genre, queries) in &by_genre {
            let values = queries
                .iter()
                .map(|query| scores.value(system, query, "AG@5"));
            let mean = values.sum::<f64>() / queries.len() as f64;
            assert_near(scores.stratum_mean(system, genre, "AG@5"), mean, genre);
        }
    }
}
