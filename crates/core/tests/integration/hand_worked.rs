//! Scores of measures on small examples, computed by hand.

use crate::support::{assert_close, graded, ranking, score, tied_ranking};
use partita_core::{QueryTruth, Ranking, ZeroGainPolicy};

/// Creates a ground truth of three relevant documents a, b, c with grades 3, 2, 1, and two
/// documents m and n that were judged not relevant. Other documents, such as x, are unjudged.
fn truth() -> QueryTruth {
    let judgments = [("a", 3.0), ("b", 2.0), ("c", 1.0), ("m", 0.0), ("n", 0.0)];
    graded(&judgments, ZeroGainPolicy::LeaveOut)
}

/// Checks the score of a result for the ground truth of [`truth`].
#[track_caller]
fn assert_score(text: &str, result: &[&str], expected: f64) {
    assert_score_for(&truth(), text, result, expected);
}

/// Checks the score of a result for a ground truth.
#[track_caller]
fn assert_score_for(truth: &QueryTruth, text: &str, result: &[&str], expected: f64) {
    let got = score(text, truth, &ranking(truth, result)).expect("a score");
    assert_close(text, got, expected);
}

#[test]
fn err_weighs_each_rank_by_the_probability_of_reaching_it() {
    // On a scale up to 3, a document of grade g satisfies a user with probability R = (2^g - 1) /
    // 8: b with 3/8, a with 7/8, the unjudged x with 0. ERR is 1/1 * 3/8 + 1/3 * (5/8 * 1) * 7/8 =
    // 72/192 + 35/192.
    assert_score("ERR(max=3)", &["b", "x", "a"], 107.0 / 192.0);
    assert_score("ERR(max=3)@2", &["b", "x", "a"], 3.0 / 8.0);
    // On a scale up to 4 the probabilities are 3/16 for b and 7/16 for a: 3/16 + 1/3 * 13/16 * 7/16
    // = 144/768 + 91/768. Without `max` the scale ends at the highest gain passed to the parser, 4
    // in these tests.
    assert_score("ERR(max=4)", &["b", "x", "a"], 235.0 / 768.0);
    assert_score("ERR", &["b", "x", "a"], 235.0 / 768.0);
    // The second copy of b adds nothing to the 3/8 of the first.
    assert_score("ERR(max=3)", &["b", "b"], 3.0 / 8.0);
    // After a at rank 1, a user reaches rank 2 with probability 1/8: 7/8 + 1/2 * 1/8 * 3/8.
    assert_score("ERR(max=3)", &["a", "b"], 7.0 / 8.0 + 3.0 / 128.0);
}

#[test]
fn rbp_with_p_one_half_halves_the_weight_at_each_rank() {
    // Ranks 1 and 4 are relevant: 1/2 * (1 + 1/8).
    assert_score("RBP(p=0.5)", &["a", "x", "m", "c"], 0.5625);
    assert_score("RBP(p=0.5)@3", &["a", "x", "m", "c"], 0.5);
    assert_score("RBP(p=0.5,rel=2)", &["a", "x", "m", "c"], 0.5);
    // By default p is 0.8: 0.2 * (1 + 0.8^3).
    assert_score("RBP", &["a", "x", "m", "c"], 0.2 * 1.512);
}

#[test]
fn rbp_residual_is_the_weight_of_unjudged_and_unseen_ranks() {
    // The unjudged x at rank 2 has weight 1/2 * 1/2; all ranks after 4 together have 1/2^4.
    assert_score("RBPresidual(p=0.5)", &["a", "x", "m", "c"], 0.25 + 0.0625);
    // All ranks after the cut-off 2 together have weight 1/2^2.
    assert_score("RBPresidual(p=0.5)@2", &["a", "x", "m", "c"], 0.25 + 0.25);
    // A cut-off past the end of the result does not change the residual.
    assert_score("RBPresidual(p=0.5)@9", &["a", "x", "m", "c"], 0.3125);
    // The second copies of a and x cannot turn out relevant; x at rank 3 and the ranks after 4 can.
    assert_score("RBPresidual(p=0.5)", &["a", "a", "x", "x"], 0.125 + 0.0625);
    assert_score("RBPresidual(p=0.5)", &[], 1.0);
}

#[test]
fn bpref_counts_judged_nonrelevant_documents_before_relevant_ones() {
    // R = 3 documents are relevant, N = 2 judged not relevant. One of the N precedes a: 1 - 1/2.
    // Both precede b: 1 - 2/2. c is not returned.
    assert_score("bpref", &["m", "a", "x", "n", "b"], (0.5 + 0.0 + 0.0) / 3.0);
    assert_score(
        "bpref",
        &["x", "y", "a", "m", "b", "c"],
        (1.0 + 0.5 + 0.5) / 3.0,
    );
    // With rel=2, c counts as not relevant: R = 2 and N = 3. c precedes a: 1 - 1/2. c, m and n
    // precede b, of which the first R = 2 count: 1 - 2/2.
    assert_score("bpref(rel=2)", &["c", "a", "m", "n", "b"], 0.5 / 2.0);
    // A list of groups has no documents judged not relevant, so bpref is recall: 2 of 3.
    let groups = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]]).unwrap();
    assert_score_for(&groups, "bpref", &["x", "b", "a"], 2.0 / 3.0);
}

#[test]
fn compat_uses_the_ideal_ranking_most_similar_to_the_result() {
    let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]]).unwrap();
    // The ideal rankings are a, b, c and a, c, b; the first is more similar to the result b, a, x.
    // Overlaps of both at depths 1 to 3: 0 of 1, 2 of 2, 2 of 3. With weights 1, 1/2, 1/4 they sum
    // to 0 + 1/2 * 2/2 + 1/4 * 2/3 = 2/3, divided by the maximum 1 + 1/2 + 1/4 = 7/4.
    assert_score_for(
        &truth,
        "Compat(p=0.5,depth=3)",
        &["b", "a", "x"],
        8.0 / 21.0,
    );
    // Depth 4 adds 1/8 * 2/4 to the sum, which becomes 35/48, and 1/8 * 3/4 to the maximum, which
    // becomes 59/32.
    assert_score_for(
        &truth,
        "Compat(p=0.5)@4",
        &["b", "a", "x"],
        (35.0 / 48.0) / (59.0 / 32.0),
    );
    // With depth=lists the depth is the length of the lists: three ranks.
    assert_score_for(
        &truth,
        "Compat(p=0.5,depth=lists)",
        &["b", "a", "x"],
        8.0 / 21.0,
    );
    // The smaller of depth and cut-off applies.
    for text in [
        "Compat(p=0.5,depth=lists)@3",
        "Compat(p=0.5,depth=lists)@9",
        "Compat(p=0.5,depth=3)@9",
        "Compat(p=0.5,depth=9)@3",
    ] {
        assert_score_for(&truth, text, &["b", "a", "x"], 8.0 / 21.0);
    }
    // At depth 2 the sum is 1/2 * 2/2 and the maximum 1 + 1/2.
    assert_score_for(
        &truth,
        "Compat(p=0.5,depth=lists)@2",
        &["b", "a", "x"],
        1.0 / 3.0,
    );
    // Both orders of the group (b, c) are ideal. With the grades 3, 2, 1 only a, b, c is.
    assert_score_for(&truth, "Compat", &["a", "c", "b"], 1.0);
    assert_score_for(&truth, "Compat", &["a", "b", "c"], 1.0);
    assert_score("Compat", &["a", "b", "c", "m"], 1.0);
    // Documents of grade 0 are in no ideal ranking, so m overlaps with nothing, like an unjudged
    // document.
    assert_score("Compat(p=0.5,depth=2)", &["m", "a"], (0.5 * 0.5) / 1.5);
}

#[test]
fn andcg_averages_ndcg_over_the_ranks() {
    // With base 2, ranks 1 and 2 are not discounted (log2 2 = 1): nDCG@1 = 2/3, nDCG@2 = (2 + 3) /
    // (3 + 2), nDCG@3 = 5 / (5 + 1 / log2 3).
    let third = 5.0 / (5.0 + 1.0 / 3f64.log2());
    assert_score("ANDCG@3", &["b", "a", "x"], (2.0 / 3.0 + 1.0 + third) / 3.0);
    assert_score("nDCG(discount=log)@3", &["b", "a", "x"], third);
    // A result that ends at rank 1 keeps its DCG of 2 at ranks 2 and 3.
    let (second, third) = (2.0 / 5.0, 2.0 / (5.0 + 1.0 / 3f64.log2()));
    assert_score("ANDCG@3", &["b"], (2.0 / 3.0 + second + third) / 3.0);
    // Without relevant documents, nDCG is 0 at every rank.
    let nothing = graded(&[("m", 0.0)], ZeroGainPolicy::LeaveOut);
    assert_score_for(&nothing, "ANDCG@3", &["m"], 0.0);
}

#[test]
fn ag_divides_by_the_cutoff_and_with_scale_max_by_the_highest_grade() {
    // (2 + 0 + 3) / 5 = 1, although only three documents were returned.
    assert_score("AG@5", &["b", "x", "a"], 1.0);
    assert_score("AG(scale=max,max=3)@5", &["b", "x", "a"], 1.0 / 3.0);
    assert_score("AG(scale=max,max=100)@5", &["b", "x", "a"], 0.01);
    // Without `max` the scale ends at 4 in these tests.
    assert_score("AG(scale=max)@5", &["b", "x", "a"], 0.25);
    assert_score("CG@5", &["b", "x", "a"], 5.0);
}

#[test]
fn ndcg_with_ideal_max_uses_an_ideal_of_documents_of_the_highest_grade() {
    let log3 = 3f64.log2();
    // DCG@3 = 2 / log2 2 + 0 + 3 / log2 4 = 3.5. The ideal is three documents of grade 3 with
    // ideal=max, else a, b, c.
    let text = "nDCG(ideal=max,max=3)@3";
    assert_score(
        text,
        &["b", "x", "a"],
        3.5 / (3.0 * (1.0 + 1.0 / log3 + 0.5)),
    );
    assert_score("nDCG@3", &["b", "x", "a"], 3.5 / (3.0 + 2.0 / log3 + 0.5));
    // With ideal=max the ideal has k documents even if fewer are relevant: the result a, b, c gets
    // 3 + 2 + 1 / log2 3 of 4 * (1 + 1 + 1 / log2 3 + 1/2 + 1 / log2 5).
    let ideal = 4.0 * (2.5 + 1.0 / log3 + 1.0 / 5f64.log2());
    assert_score(
        "nDCG(discount=log,ideal=max)@5",
        &["a", "b", "c"],
        (5.0 + 1.0 / log3) / ideal,
    );
    // With exponential gains b gets 2^2 - 1 = 3, and the ideal document a 2^3 - 1 = 7.
    assert_score("nDCG(gain=exp)@1", &["b"], 3.0 / 7.0);
    assert_score("nDCG(gain=exp,ideal=max,max=4)@1", &["b"], 3.0 / 15.0);
}

#[test]
fn exponential_gains_of_grades_too_high_for_a_double_keep_their_ratio() {
    let truth = graded(&[("a", 2000.0), ("b", 1999.0)], ZeroGainPolicy::LeaveOut);
    // For such grades 2^g - 1 is 2^g in a double, so b has half the gain of a. Ranks 1 and 2 of the
    // base-2 discount have equal weight: the order b, a gets (1/2 + 1) / (1 + 1/2).
    assert_score_for(&truth, "nDCG(gain=exp)@1", &["b"], 0.5);
    assert_score_for(&truth, "nDCG(discount=log,gain=exp)", &["b", "a"], 1.0);
    assert_score_for(&truth, "ANDCG(gain=exp)@2", &["b", "a"], (0.5 + 1.0) / 2.0);
    assert_score_for(&truth, "nDCG(gain=exp,ideal=max,max=2001)@1", &["b"], 0.25);
    // Very low grades keep their ratio too: 2^g - 1 is g ln 2, although 2^g is 1 in a double.
    let low = graded(&[("a", 2e-20), ("b", 1e-20)], ZeroGainPolicy::LeaveOut);
    assert_score_for(&low, "nDCG(gain=exp)@1", &["b"], 0.5);
    // DCG is not divided by an ideal, so a grade above 1000 counts as 1000 to keep it finite.
    let highest = 1000f64.exp2();
    assert_score_for(&truth, "DCG(gain=exp)@1", &["a"], highest);
    assert_score_for(
        &truth,
        "DCG(discount=log,gain=exp)",
        &["a", "b"],
        2.0 * highest,
    );
}

#[test]
fn a_grade_above_the_end_of_the_scale_counts_as_its_end() {
    // a has grade 3 and b grade 2; max=2 is the end of the scale.
    assert_score("AG(scale=max,max=2)@2", &["a", "b"], 1.0);
    assert_score("nDCG(ideal=max,max=2)@2", &["a", "b"], 1.0);
    assert_score("ANDCG(ideal=max,max=2)@2", &["a", "x"], (1.0 + 0.5) / 2.0);
    assert_score("ERR(max=2)", &["a"], 3.0 / 4.0);
    // Variants that do not depend on the end of the scale do not cap grades.
    assert_score("AG(max=2)@1", &["a"], 3.0);
    assert_score("nDCG(max=2)@1", &["b"], 2.0 / 3.0);
}

#[test]
fn every_gain_above_zero_is_relevant_however_small() {
    for grade in [f64::from_bits(1), 1e-310, f64::MIN_POSITIVE] {
        let truth = graded(&[("a", grade), ("m", 0.0)], ZeroGainPolicy::LeaveOut);
        for text in ["P@1", "Recall", "AP", "RR", "bpref", "nDCG"] {
            assert_score_for(&truth, text, &["a"], 1.0);
            assert_score_for(&truth, text, &["m"], 0.0);
        }
        assert_score_for(&truth, "RBP(p=0.5)", &["a"], 0.5);
    }
}

#[test]
fn dcg_does_not_discount_ranks_below_its_base() {
    // With base 3, ranks 1 and 2 are not discounted; rank 3 is divided by log3 3 = 1, rank 9 by
    // log3 9 = 2.
    let result = ["a", "x1", "b", "x2", "x3", "x4", "x5", "x6", "c"];
    assert_score("DCG(b=3)", &result, 3.0 + 2.0 + 0.5);
    // With base 2, rank 3 is divided by log2 3, rank 9 by log2 9.
    assert_score(
        "DCG(discount=log)",
        &result,
        3.0 + 2.0 / 3f64.log2() + 1.0 / 9f64.log2(),
    );
    assert_score("DCG@3", &result, 3.0 + 2.0 / 2.0);
}

#[test]
fn precision_recall_and_average_precision_count_relevant_documents() {
    let result = ["x", "a", "m", "c", "a"];
    // Ranks 2 and 4 are relevant; the second copy of a at rank 5 is not.
    assert_score("P@4", &result, 2.0 / 4.0);
    assert_score("P@10", &result, 2.0 / 10.0);
    assert_score("Recall", &result, 2.0 / 3.0);
    assert_score("Recall(rel=2)", &result, 1.0 / 2.0);
    assert_score("RR", &result, 1.0 / 2.0);
    assert_score("RR@1", &result, 0.0);
    // AP is (1/2 + 2/4 + 0) / 3; with cut-off 3 it is (1/2) / 3, still divided by all three
    // relevant documents.
    assert_score("AP", &result, 1.0 / 3.0);
    assert_score("AP@3", &result, 1.0 / 6.0);
    // Only x is unjudged; the second copy of a counts as judged.
    assert_score("Judged", &result, 4.0 / 5.0);
    assert_score("Unjudged@2", &result, 1.0 / 2.0);
}

#[test]
fn a_second_copy_counts_as_judged_like_the_first_but_never_as_unjudged() {
    let result = ["x", "x", "a", "a"];
    assert_score("Judged", &result, 2.0 / 4.0);
    assert_score("Judged@2", &result, 0.0);
    assert_score("Judged@3", &result, 1.0 / 3.0);
    assert_score("Unjudged", &result, 1.0 / 4.0);
}

#[test]
fn the_score_of_tied_documents_is_the_mean_over_their_orders() {
    let truth = truth();
    let groups = [vec!["x", "a"], vec!["b"]].map(|g| g.into_iter().map(str::to_owned).collect());
    let result = tied_ranking(&truth, &groups);
    let assert_mean = |text: &str, first: f64, second: f64| {
        let got = score(text, &truth, &result).unwrap();
        assert_close(text, got, (first + second) / 2.0);
    };
    // The two orders of the tie are x, a, b and a, x, b.
    assert_mean("RR", 1.0 / 2.0, 1.0);
    assert_mean("AP", (1.0 / 2.0 + 2.0 / 3.0) / 3.0, (1.0 + 2.0 / 3.0) / 3.0);
    assert_mean("P@1", 0.0, 1.0);
    assert_mean("ERR(max=3)@2", 7.0 / 16.0, 7.0 / 8.0);
    // The groups are (a), (b), (c). Dynamic recall is 0, 1/2, 2/3 for x, a, b and 1, 1/2, 2/3 for
    // a, x, b.
    assert_mean(
        "ADR",
        (1.0 / 2.0 + 2.0 / 3.0) / 3.0,
        (1.0 + 1.0 / 2.0 + 2.0 / 3.0) / 3.0,
    );
}

#[test]
fn compat_of_a_perfect_run_of_100000_groups_is_1() {
    let names: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let groups: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
    let truth = QueryTruth::from_groups(&groups).unwrap();
    let ranking = Ranking::from_names(truth.names(), names.iter().map(String::as_str));
    // This takes milliseconds. Summing over all groups at every rank would take minutes.
    assert_eq!(score("Compat(depth=lists)", &truth, &ranking), Some(1.0));
}
