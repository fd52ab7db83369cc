//! Decisions, the sort and agreement, compared with published values and other programs.

use std::collections::HashMap;

use partita_core::{Item, Names};
use partita_judging::{DecisionRule, Relation, SelfOrganisingSort, Votes};
use serde_json::Value;

fn parse_json(text: &str) -> Value {
    serde_json::from_str(text).expect("the JSON is valid")
}

fn vote_count(value: &Value) -> u32 {
    value.as_u64().expect("a count") as u32
}

#[test]
fn decisions_match_exact_test_and_published_lists() {
    let file = parse_json(include_str!("../fixtures/preference_decisions.json"));
    let rule = DecisionRule::default();
    let (mut tested, mut published) = (0, 0);
    for row in file["rows"].as_array().unwrap() {
        let votes = Votes {
            a: vote_count(&row["n_A"]),
            equal: vote_count(&row["n_equal"]),
            b: vote_count(&row["n_B"]),
        };
        let expected = match row["decision_exactcond_025"].as_str().unwrap() {
            "Equal" => Relation::Equal,
            _ => Relation::Less,
        };
        assert_eq!(rule.decide(votes), expected, "{votes:?}");
        assert_eq!(rule.decide(votes.mirrored()), expected.mirrored());
        tested += 1;
        if let Some(decision) = row["published_decision"].as_str() {
            assert_eq!(
                decision == "Equal",
                expected == Relation::Equal,
                "{votes:?}"
            );
            published += 1;
        }
        let sign: DecisionRule = "sign".parse().unwrap();
        let p = row["p_one_sided"]["sign_exact"].as_f64().unwrap();
        let differs = sign.decide(votes) != Relation::Equal;
        // The p-values of the fixture are rounded to ten digits; exact values of 0.25 stay 0.25.
        assert_eq!(differs, p < 0.25, "{votes:?}");
    }
    assert!(tested >= 60 && published >= 20, "{tested} {published}");
}

#[test]
fn vote_agreement_matches_published_table() {
    let file = parse_json(include_str!("../fixtures/paper_tables.json"));
    let rows = file["inter_agreement_10"].as_array().unwrap();
    for row in rows {
        let votes = Votes {
            a: vote_count(&row["n_A"]),
            equal: vote_count(&row["n_equal"]),
            b: vote_count(&row["n_B"]),
        };
        let expected = row["score"].as_f64().unwrap();
        assert!(
            (votes.agreement().unwrap() - expected).abs() < 1e-12,
            "{votes:?}"
        );
    }
    assert_eq!(rows.len(), 66);
}

#[test]
fn sort_matches_published_example_in_every_iteration() {
    let file = parse_json(include_str!("../fixtures/quicksort_example.json"));
    let mut relations: HashMap<(String, String), Relation> = HashMap::new();
    for key in file["relations"].as_object().unwrap().keys() {
        let (a, rest) = key.split_at(1);
        let (sign, b) = rest.split_at(1);
        let relation = match sign {
            "<" => Relation::Less,
            "=" => Relation::Equal,
            _ => Relation::Greater,
        };
        relations.insert((a.to_owned(), b.to_owned()), relation);
        relations.insert((b.to_owned(), a.to_owned()), relation.mirrored());
    }
    let mut names = Names::new();
    let order: Vec<Item> = (file["initial"].as_array().unwrap().iter())
        .map(|name| names.intern(name.as_str().unwrap()).unwrap())
        .collect();
    let mut sort = SelfOrganisingSort::new(&order);
    let named = |items: &[Item]| -> Vec<&str> { items.iter().map(|&i| names.name(i)).collect() };
    let iterations = file["iterations"].as_array().unwrap();
    let mut judgments = 0;
    for iteration in iterations {
        let segments: Vec<Vec<&str>> = sort.segments().iter().map(|s| named(s)).collect();
        assert_eq!(serde_json::json!(segments), iteration["segments"]);
        let questions = sort.questions();
        assert_eq!(
            questions.len(),
            iteration["judged"].as_array().unwrap().len()
        );
        judgments += questions.len();
        for (pivot, other) in questions {
            let key = (names.name(other).to_owned(), names.name(pivot).to_owned());
            sort.record(other, pivot, relations[&key]);
        }
        sort.advance();
    }
    assert!(sort.is_done());
    assert_eq!(judgments as u64, file["judgments"].as_u64().unwrap());
    let mut groups: Vec<Vec<&str>> = sort.segments().iter().map(|s| named(s)).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    assert_eq!(serde_json::json!(groups), file["groups"]);
}
