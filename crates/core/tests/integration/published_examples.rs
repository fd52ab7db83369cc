//! Worked examples printed in papers, and exact score ranges over the orders of tied documents.

use crate::support::{
    Fields, assert_close, fixture, grouped, groups, measure, number, ranking, score, strings,
    tied_ranking,
};
use partita_core::measure::{self, average_dynamic_recall, dynamic_recall};
use serde_json::Value;

/// Returns half a unit of the last printed decimal, the largest possible rounding error.
fn rounding(printed: &Value) -> f64 {
    let text = printed.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, after)| after.len());
    0.5 * 10f64.powi(-(decimals as i32))
}

#[test]
fn adr_of_every_printed_example_equals_the_printed_value() {
    let examples = fixture("measures.json")["paper_examples"].take();
    let mut checked = 0;
    for example in examples.as_array().unwrap() {
        let name = example["name"].to_string();
        let mut fields = Fields::new(&name, example);
        fields.take("name");
        assert!(["000", "001", "004"].contains(&fields.take("paper").as_str().unwrap()));
        assert_eq!(fields.take("measure"), "ADR");
        assert!(fields.take("k").is_null(), "{name} stops at n");
        let truth = grouped(&groups(&fields.take("groups")));
        let result = ranking(&truth, &strings(&fields.take("result")));

        let adr = average_dynamic_recall(&truth, &result).unwrap();
        assert_eq!(score("ADR", &truth, &result), Some(adr));
        assert_close(&name, adr, number(&fields.take("value")));
        assert_close(&name, adr, number(&fields.take("fraction")));
        let printed = fields.take("printed");
        assert!(
            (adr - number(&printed)).abs() <= rounding(&printed),
            "{name}"
        );

        let expected = fields.take("per_position");
        let expected: Vec<f64> = expected.as_array().unwrap().iter().map(number).collect();
        let n = truth.list().len();
        assert_eq!(expected.len(), n);
        assert_eq!(dynamic_recall(&truth, &result, n), expected, "{name}");
        for (before, &recall) in expected.iter().enumerate() {
            let at = format!("DR@{}", before + 1);
            assert_close(&name, score(&at, &truth, &result).unwrap(), recall);
        }
        fields.end();
        checked += 1;
    }
    assert_eq!(checked, 5);
}

#[test]
fn the_tie_break_of_the_paper_prefers_the_list_with_the_lower_inverted_adr() {
    let mut fields = Fields::new("tie_break", &fixture("measures.json")["tie_break"]);
    let groups = groups(&fields.take("groups"));
    let truth = grouped(&groups);
    let reversed: Vec<Vec<String>> = groups.iter().rev().cloned().collect();
    let reversed = grouped(&reversed);
    let mut inverted = Vec::new();
    for (number_of_list, list) in fields.take("lists").as_array().unwrap().iter().enumerate() {
        let what = format!("tie_break list {number_of_list}");
        let mut fields = Fields::new(&what, list);
        let result = ranking(&truth, &strings(&fields.take("result")));
        let adr = score("ADR", &truth, &result).unwrap();
        assert_close(&what, adr, number(&fields.take("adr")));
        let by_set = number(&fields.take("inverted_adr_set"));
        let value = score("ADRinv", &truth, &result).unwrap();
        assert_close(&what, value, by_set);
        // ADRinv is the ADR of the list that the paper constructs, scored against the reversed
        // groups.
        let constructed = ranking(&reversed, &strings(&fields.take("constructed")));
        assert_close(
            &what,
            score("ADR", &reversed, &constructed).unwrap(),
            by_set,
        );
        // The fixture also has the value for counting the filler more than once, which ADRinv does
        // not do.
        assert!((value - number(&fields.take("inverted_adr_multiset"))).abs() > 0.01);
        fields.end();
        inverted.push(value);
    }
    // The paper prefers the second list, <3,4,5,6>, to the first, <4,3,5,6>.
    assert_eq!(inverted.len(), 2);
    assert!(inverted[1] < inverted[0]);
    assert!(fields.take("decision").as_str().unwrap().contains("LOWER"));
    let better = measure::find_definition("ADRinv").unwrap().higher_is_better;
    assert_eq!(better, Some(false));
    fields.end();
}

/// Checks the range of ADR over the orders of a tied result of a fixture.
fn check_adr_range(what: &str, fields: &mut Fields) {
    let truth = grouped(&groups(&fields.take("gt")));
    let result = tied_ranking(&truth, &groups(&fields.take("result_groups")));
    let range = measure::score_range(measure("ADR").as_ref(), &truth, &result)
        .expect("a list that is not empty");
    assert_close(what, range.min, number(&fields.take("min")));
    assert_close(what, range.mean, number(&fields.take("mean")));
    assert_close(what, range.max, number(&fields.take("max")));
}

#[test]
fn adr_range_of_the_crowdsourcing_example_is_that_of_its_twelve_orders() {
    let example = &fixture("measures.json")["permutation_range"];
    let mut fields = Fields::new("permutation_range", example);
    check_adr_range("permutation_range", &mut fields);
    fields.take("note");
    fields.end();
}

#[test]
fn adr_range_of_tied_results_equals_the_enumerated_range() {
    let mut file = Fields::new("file", &fixture("adr_grouped_result_range.json"));
    file.take("source");
    let cases = file.take("cases");
    file.end();
    let cases = cases.as_array().unwrap();
    for (number_of_case, case) in cases.iter().enumerate() {
        let what = format!("case {number_of_case}");
        let mut fields = Fields::new(&what, case);
        check_adr_range(&what, &mut fields);
        fields.end();
    }
    assert_eq!(cases.len(), 30);
}

#[test]
fn every_part_of_the_measures_fixture_is_listed() {
    // The tests are here and in reference_values.rs. This test fails for a new part until the part
    // is listed here.
    let mut file = Fields::new("measures.json", &fixture("measures.json"));
    for part in ["source", "conventions", "paper_examples", "tie_break"] {
        file.take(part);
    }
    for part in ["permutation_range", "adr_random", "gain_random"] {
        file.take(part);
    }
    file.end();
}
