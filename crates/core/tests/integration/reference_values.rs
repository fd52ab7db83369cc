//! Measures of random cases, compared with exact rational values computed by Python and again by R.

use crate::support::{
    Fields, assert_close, fixture, graded, grouped, groups, number, ranking, score, strings,
};
use partita_core::{QueryTruth, ZeroGainPolicy};
use serde_json::Value;

#[test]
fn adr_of_every_random_list_equals_the_reference_value_at_every_cutoff() {
    let cases = fixture("measures.json")["adr_random"].take();
    let (mut checked, mut cutoffs) = (0, 0);
    for case in cases.as_array().unwrap() {
        let what = format!("adr_random {}", case["id"]);
        let mut fields = Fields::new(&what, case);
        fields.take("id");
        let truth = grouped(&groups(&fields.take("groups")));
        let result = ranking(&truth, &strings(&fields.take("result")));
        let check = |text: &str, expected: &Value| {
            let got = score(text, &truth, &result).unwrap();
            assert_close(&format!("{what} {text}"), got, number(expected));
        };
        let repeats = result.slots().iter().any(|slot| slot.is_repeat());
        assert_eq!(fields.take("has_duplicates"), repeats, "{what}");
        check("ADR", &fields.take("adr"));
        check("ADR", &fields.take("adr_fraction"));
        check("ADR(dedup=first)", &fields.take("adr_dedup"));
        for (field, value) in fields.take_prefixed("adr@") {
            check(&field.to_uppercase(), &value);
            cutoffs += 1;
        }
        fields.end();
        checked += 1;
    }
    // All cases have the cut-offs 1, 3 and 5, and also n + 2 if that is another one. No case
    // returns a document twice; adr.rs compares such results with the definition.
    assert_eq!((checked, cutoffs), (150, 572));
}

/// Random query with graded documents, and the result of a system.
struct GradedQuery {
    /// Ground truth without the documents that are not relevant.
    relevant: QueryTruth,
    /// Ground truth in which the documents that are not relevant form the last group.
    with_last_group: QueryTruth,
    /// Names of the returned documents.
    result: Vec<String>,
    /// All judged documents, best first.
    ideal: Vec<String>,
}

impl GradedQuery {
    fn from_json(judgments: &Value, result: Vec<String>) -> Self {
        let judgments: Vec<(String, f64)> = judgments
            .as_object()
            .expect("grades by document")
            .iter()
            .map(|(document, grade)| (document.clone(), number(grade)))
            .collect();
        let mut best_first = judgments.clone();
        best_first.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self {
            relevant: graded(&judgments, ZeroGainPolicy::LeaveOut),
            with_last_group: graded(&judgments, ZeroGainPolicy::LastGroup),
            result,
            ideal: best_first
                .into_iter()
                .map(|(document, _)| document)
                .collect(),
        }
    }

    /// Returns the score if documents that are not relevant are left out of the groups. ADR is then
    /// undefined for a query without relevant documents, where the fixture has 0.
    fn score(&self, text: &str) -> f64 {
        let result = ranking(&self.relevant, &self.result);
        let score = score(text, &self.relevant, &result);
        if text.starts_with("ADR") && self.relevant.ideal_gains().is_empty() {
            assert_eq!(score, None);
        } else {
            assert!(score.is_some(), "{text}");
        }
        score.unwrap_or(0.0)
    }

    /// Returns the score if documents that are not relevant form the last group.
    fn score_with_last_group(&self, text: &str) -> f64 {
        let result = ranking(&self.with_last_group, &self.result);
        let literal = score(text, &self.with_last_group, &result).expect("a score");
        if !text.starts_with("ADR") {
            // Measures of gains do not depend on the treatment of documents that are not relevant.
            assert_eq!(literal, self.score(text), "{text}");
        }
        literal
    }

    /// Returns the score of the ideal result.
    fn ideal_score(&self, text: &str) -> f64 {
        score(text, &self.relevant, &ranking(&self.relevant, &self.ideal)).expect("a score")
    }
}

#[test]
fn every_gain_measure_of_random_queries_equals_the_reference_value_at_every_cutoff() {
    let cases = fixture("measures.json")["gain_random"].take();
    let (mut checked, mut values) = (0, 0);
    for case in cases.as_array().unwrap() {
        let what = format!("gain_random {}", case["id"]);
        let mut fields = Fields::new(&what, case);
        fields.take("id");
        let query =
            GradedQuery::from_json(&fields.take("judgments"), strings(&fields.take("result")));
        let highest = query.relevant.gains().highest().unwrap();
        let scale = fields.take("scale");
        let end = match scale.as_str().unwrap() {
            "binary" => 1.0,
            "broad" => 2.0,
            "fine" => 100.0,
            other => panic!("{what}: unknown scale {other}"),
        };
        assert!(highest <= end, "{what}");

        let at = fields.take("at");
        for (k, expected) in at.as_object().unwrap() {
            let mut fields = Fields::new(format!("{what} at {k}"), expected);
            let mut check = |field: &str, got: f64| {
                let expected = number(&fields.take(field));
                assert_close(&format!("{what} at {k}: {field}"), got, expected);
                values += 1;
            };
            check("cg", query.score_with_last_group(&format!("CG@{k}")));
            check("ag", query.score_with_last_group(&format!("AG@{k}")));
            check(
                "dcg_b2",
                query.score_with_last_group(&format!("DCG(discount=log)@{k}")),
            );
            check(
                "dcg_b3",
                query.score_with_last_group(&format!("DCG(b=3)@{k}")),
            );
            check(
                "dcg_b10",
                query.score_with_last_group(&format!("DCG(b=10)@{k}")),
            );
            check("dcg_ms", query.score_with_last_group(&format!("DCG@{k}")));
            check("idcg_b2", query.ideal_score(&format!("DCG(b=2)@{k}")));
            check(
                "ndcg_b2",
                query.score_with_last_group(&format!("nDCG(discount=log)@{k}")),
            );
            check("ndcg_ms", query.score_with_last_group(&format!("nDCG@{k}")));
            check(
                "andcg_b2",
                query.score_with_last_group(&format!("ANDCG@{k}")),
            );
            check(
                "adr_gain_literal",
                query.score_with_last_group(&format!("ADR@{k}")),
            );
            check("adr_gain_relevant_only", query.score(&format!("ADR@{k}")));
            fields.end();
        }
        assert_eq!(at.as_object().unwrap().len(), 5);
        fields.end();
        checked += 1;
    }
    assert_eq!((checked, values), (150, 150 * 5 * 12));
}
