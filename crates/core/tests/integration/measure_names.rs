//! Notation of measures.

use partita_core::measure::*;

#[test]
fn every_mistake_in_a_measure_has_its_own_message() {
    let message = |text: &str| parse(text, 1.0).err().unwrap().to_string();
    assert!(message("ARD").contains("nearest names are ADR,"));
    assert!(message("ndgc@10").contains("nDCG"));
    assert!(message("ADR@0").contains("from 1 to"));
    assert!(message("ADR@x").contains("`x`"));
    assert!(message("ADR@+5").contains("`+5`"));
    assert!(message("Compat(depth=+5)").contains("from 1 to 1000000, or lists"));
    assert!(message("P(rel=inf)@5").contains("a number above 0"));
    assert!(message("AG(max=1e999)@5").contains("a number above 0"));
    assert!(message("ADR(short=no)").contains("keep or truncate"));
    assert!(message("ADR(shrot=keep)").contains("no parameter `shrot`"));
    assert!(message("AG").contains("needs a cut-off"));
    assert!(message("bpref@10").contains("no cut-off"));
    assert!(message("RBP(p=1)").contains("between 0 and 1"));
    assert!(message("RBP(p=NaN)").contains("between 0 and 1"));
    assert!(message("RBP(p=.8").contains("parenthesis"));
    assert!(message("RBP(p=.8)10").contains("only @"));
    assert!(message("RBP(p)").contains("name=value"));
    assert!(message("RBP(p=.8,p=.9)").contains("twice"));
    assert!(message("").contains("one word"));
    assert!(message("nDCG(ideal=max)").contains("cut-off"));
}

#[test]
fn upper_and_lower_case_and_aliases_name_the_same_measure() {
    for text in ["ndcg@10", "NDCG@10", "map", "mrr", "recall@5", "R@5"] {
        assert!(parse(text, 1.0).is_ok(), "{text}");
    }
}
