//! Consistency, aggregation and correlations, compared with the fixtures for Urbano et al. (2010):
//! every case and every field.

use crate::support::{Fields, fixture, number};
use crate::truth_support::{fixture_rankings, groups, strings};
use partita_core::truth::{
    Aggregation, Alpha, ItemPairTests, ItemPairVerdict, NullDistribution, RankEvidence,
    RankTestOptions, Tails, UnrankedPolicy, consistency,
};
use partita_core::{GroupedList, Item, Names};
use partita_stats::correlation::kendall::kendall;
use partita_stats::correlation::pearson::pearson;
use serde_json::Value;

const TOLERANCE: f64 = 1e-12;

/// Options with the exact null distribution for all tests.
const EXACT: RankTestOptions = RankTestOptions {
    unranked: UnrankedPolicy::LeftOut,
    null_distribution: NullDistribution::Exact,
};

fn close(what: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= TOLERANCE,
        "{what}: {found}, expected {expected}"
    );
}

#[test]
fn consistency_agrees_with_the_fixture() {
    let mut file = Fields::new("consistency.json", &fixture("consistency.json"));
    for about in ["source", "rule"] {
        file.take(about);
    }
    let cases = file.take("cases");
    file.end();
    for case in cases.as_array().unwrap() {
        let mut case = Fields::new("case", case);
        let id = case.take("id").to_string();
        let mut names = Names::new();
        let listed = case.take("groups");
        let list = GroupedList::from_names(&mut names, groups(&listed).iter()).unwrap();
        let equal_pairs = case.take("equal_pairs");
        let equal_pairs = groups(&equal_pairs);
        let tests = ItemPairTests::from_fn(names.len(), Alpha::TYPKE, |a, b| {
            let (a, b) = (names.name(a), names.name(b));
            let equal = |pair: &Vec<&str>| pair[..] == [a, b] || pair[..] == [b, a];
            let differs = !equal_pairs.iter().any(equal);
            ItemPairVerdict {
                less: differs,
                two_sided: differs,
                ..ItemPairVerdict::default()
            }
        });
        let found = consistency(&list, &tests, Tails::Two);
        assert_eq!(found, consistency(&list, &tests, Tails::One));
        let (value, fraction) = (case.take("value"), case.take("fraction"));
        let per_position = case.take("per_position");
        let expected = per_position.as_array().unwrap();
        match &found {
            Some(found) => {
                close(&id, found.value, number(&value));
                close(&id, found.value, number(&fraction));
                assert_eq!(found.per_position.len(), expected.len());
                for (found, expected) in found.per_position.iter().zip(expected) {
                    close(&id, *found, number(expected));
                }
            }
            None => assert!(
                value.is_null() && fraction.is_null() && expected.is_empty(),
                "{id}"
            ),
        }
        let counts = tests.count_pairs(&list, Tails::Two);
        if id == "\"paper\"" {
            close(&id, found.unwrap().value, number(&case.take("printed")));
        } else {
            let intra = case.take("intra_inconsistent_pairs");
            let inter = case.take("inter_inconsistent_pairs");
            assert_eq!(counts.intra as u64, intra.as_u64().unwrap(), "{id}");
            assert_eq!(counts.inter as u64, inter.as_u64().unwrap(), "{id}");
        }
        case.end();
    }
}

#[test]
fn aggregation_agrees_with_the_fixture() {
    let mut file = Fields::new("aggregation.json", &fixture("aggregation.json"));
    for about in ["source", "order"] {
        file.take(about);
    }
    let cases = file.take("cases");
    file.end();
    for case_value in cases.as_array().unwrap() {
        let mut case = Fields::new("case", case_value);
        let id = case.take("id").to_string();
        let rankings = fixture_rankings(case_value);
        case.take("ranks");
        let names = rankings.items();
        let named = |items: &[Item]| -> Vec<String> {
            items
                .iter()
                .map(|&item| names.name(item).to_owned())
                .collect()
        };
        let evidence = RankEvidence::new(&rankings, Alpha::TYPKE, RankTestOptions::default());
        let exact_evidence = RankEvidence::new(&rankings, Alpha::TYPKE, EXACT);
        assert_eq!(evidence.pair_tests(), exact_evidence.pair_tests());
        assert_eq!(
            named(evidence.arrangement()),
            strings(&case.take("order")),
            "{id}"
        );

        let pairs = case.take("pairs");
        for pair in pairs.as_array().unwrap() {
            let mut pair = Fields::new("pair", pair);
            let (a, b) = (pair.take("a"), pair.take("b"));
            let item = |name: &Value| names.get(name.as_str().unwrap()).unwrap();
            let (a, b) = (item(&a), item(&b));
            let found = exact_evidence.p_values(a, b).unwrap();
            assert!(!found.approximate);
            let verdict = evidence.pair_tests().verdict(a, b);
            for (field, p, rejects) in [
                ("p_less", found.p.less, verdict.less),
                ("p_greater", found.p.greater, verdict.greater),
                ("p_two", found.p.two_sided, verdict.two_sided),
            ] {
                let expected = number(&pair.take(field));
                close(&id, p, expected);
                assert_eq!(rejects, expected < 0.25, "{id} {field}");
            }
            pair.end();
        }

        let mut aggregations = Fields::new("aggregations", &case.take("aggregations"));
        for name in ["All-2", "All-1", "Any-2", "Any-1", "Prev-2", "Prev-1"] {
            let mut expected = Fields::new(name, &aggregations.take(name));
            let aggregation: Aggregation = name.parse().unwrap();
            let built = evidence.aggregate(aggregation);
            let found: Vec<Vec<String>> = built.list.groups().map(named).collect();
            assert_eq!(found, groups(&expected.take("groups")), "{id} {name}");
            assert_eq!(built.list, evidence.list(aggregation));
            for (field, tails) in [
                ("adr1_consistency", Tails::One),
                ("adr2_consistency", Tails::Two),
            ] {
                let found = consistency(&built.list, evidence.pair_tests(), tails).unwrap();
                close(
                    &format!("{id} {name} {field}"),
                    found.value,
                    number(&expected.take(field)),
                );
            }
            expected.end();
        }
        aggregations.end();
        case.end();
    }
}

/// Table 4 of Urbano et al. (2010): ADR of seven systems under the six aggregation functions.
const TABLE_4: [(&str, [f64; 7]); 6] = [
    ("All-2", [0.66, 0.65, 0.642, 0.571, 0.558, 0.543, 0.518]),
    ("Any-2", [0.59, 0.607, 0.604, 0.558, 0.52, 0.503, 0.498]),
    ("Prev-2", [0.66, 0.65, 0.642, 0.571, 0.558, 0.543, 0.518]),
    ("All-1", [0.624, 0.643, 0.639, 0.566, 0.54, 0.511, 0.507]),
    ("Any-1", [0.583, 0.593, 0.594, 0.556, 0.515, 0.494, 0.483]),
    ("Prev-1", [0.605, 0.639, 0.628, 0.564, 0.534, 0.506, 0.507]),
];

#[test]
fn kendall_taus_of_table_4_agree_with_the_paper() {
    let expected = fixture("paper_tables.json")["kendall_T4_paper000"].clone();
    let mut expected = Fields::new("kendall_T4_paper000", &expected);
    let printed = [0.8095, 1.0, 0.8095, 0.7143, 0.7143];
    for ((name, scores), printed) in TABLE_4[1..].iter().zip(printed) {
        let tau = kendall(&TABLE_4[0].1, scores).unwrap().unwrap().tau;
        close(name, tau, number(&expected.take(name)));
        assert!((tau - printed).abs() < 5e-5, "{name}: {tau}");
    }
    expected.end();
}

#[test]
fn correlations_of_table_3_are_significant_at_the_printed_level() {
    // Constructs eleven points with exactly this correlation, because p depends only on r and n.
    for r in [-0.892_f64, -0.862, -0.937, -0.954, -0.749, -0.939] {
        let x: Vec<f64> = (-5..=5).map(f64::from).collect();
        let z: Vec<f64> = x.iter().map(|x| x * x - 10.0).collect();
        let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let (nx, nz) = (norm(&x), norm(&z));
        let y: Vec<f64> = (x.iter().zip(&z))
            .map(|(x, z)| r * x / nx + (1.0 - r * r).sqrt() * z / nz)
            .collect();
        let found = pearson(&x, &y).unwrap().unwrap();
        close("r", found.r, r);
        assert!(found.p.two_sided < 0.01);
        if r == -0.749 {
            assert!(
                (found.p.two_sided - 0.0080).abs() < 5e-5,
                "{}",
                found.p.two_sided
            );
        }
    }
}
