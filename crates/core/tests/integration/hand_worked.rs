//! Small examples whose arithmetic can be followed by hand.

use crate::support::{assert_close, graded, ranking, score, tied_ranking};
use partita_core::{QueryTruth, Ranking, ZeroGainPolicy};

/// Three relevant documents of grades 3, 2 and 1, and two that were judged not relevant.
fn truth() -> QueryTruth {
    let judgments = [("a", 3.0), ("b", 2.0), ("c", 1.0), ("m", 0.0), ("n", 0.0)];
    graded(&judgments, ZeroGainPolicy::LeaveOut)
}

#[track_caller]
fn expect(text: &str, result: &[&str], expected: f64) {
    expect_of(&truth(), text, result, expected);
}

#[track_caller]
fn expect_of(truth: &QueryTruth, text: &str, result: &[&str], expected: f64) {
    let got = score(text, truth, &ranking(truth, result)).expect("a score");
    assert_close(text, got, expected);
}

#[test]
fn err_weighs_each_rank_by_the_chance_to_get_there() {
    // On a scale to 3, R = (2^g - 1) / 8: b 3/8, a 7/8. x does not satisfy anybody.
    // 1/1 * 3/8 + 1/3 * (5/8 * 1) * 7/8 = 72/192 + 35/192.
    expect("ERR(max=3)", &["b", "x", "a"], 107.0 / 192.0);
    expect("ERR(max=3)@2", &["b", "x", "a"], 3.0 / 8.0);
    // On a scale to 4, b 3/16 and a 7/16: 3/16 + 1/3 * 13/16 * 7/16 = 144/768 + 91/768. The
    // highest grade of the ground truth, 4 in these tests, is the scale where none is given.
    expect("ERR(max=4)", &["b", "x", "a"], 235.0 / 768.0);
    expect("ERR", &["b", "x", "a"], 235.0 / 768.0);
    // A second copy satisfies nobody: 3/8 alone.
    expect("ERR(max=3)", &["b", "b"], 3.0 / 8.0);
    // A perfect document first leaves little to the rest: 7/8 + 1/2 * 1/8 * 3/8.
    expect("ERR(max=3)", &["a", "b"], 7.0 / 8.0 + 3.0 / 128.0);
}

#[test]
fn rbp_halves_the_weight_from_rank_to_rank() {
    // Relevant at ranks 1 and 4: 1/2 * (1 + 1/8).
    expect("RBP(p=0.5)", &["a", "x", "m", "c"], 0.5625);
    expect("RBP(p=0.5)@3", &["a", "x", "m", "c"], 0.5);
    expect("RBP(p=0.5,rel=2)", &["a", "x", "m", "c"], 0.5);
    // With 0.8: 0.2 * (1 + 0.8^3).
    expect("RBP", &["a", "x", "m", "c"], 0.2 * 1.512);
}

#[test]
fn the_residual_of_rbp_is_the_weight_of_what_is_unjudged_and_unseen() {
    // x at rank 2 is unjudged: 1/2 * 1/2. After rank 4: 1/2^4.
    expect("RBPresidual(p=0.5)", &["a", "x", "m", "c"], 0.25 + 0.0625);
    // After rank 2: 1/2^2.
    expect("RBPresidual(p=0.5)@2", &["a", "x", "m", "c"], 0.25 + 0.25);
    // A cut-off past the end of the result cannot make more of it known.
    expect("RBPresidual(p=0.5)@9", &["a", "x", "m", "c"], 0.3125);
    // A second copy is no unjudged document; it will not turn out relevant.
    expect("RBPresidual(p=0.5)", &["a", "a", "x", "x"], 0.125 + 0.0625);
    expect("RBPresidual(p=0.5)", &[], 1.0);
}

#[test]
fn bpref_counts_judged_nonrelevant_documents_before_relevant_ones() {
    // R = 3 and N = 2. a has one of them before it: 1 - 1/2; b has both: 1 - 2/2; c is missing.
    expect("bpref", &["m", "a", "x", "n", "b"], (0.5 + 0.0 + 0.0) / 3.0);
    expect(
        "bpref",
        &["x", "y", "a", "m", "b", "c"],
        (1.0 + 0.5 + 0.5) / 3.0,
    );
    // With rel=2, R = 2 and N = 3, c among them. Before a comes c: 1 - 1/2. Before b come c, m and
    // n, of which the first R = 2 count: 1 - 2/2.
    expect("bpref(rel=2)", &["c", "a", "m", "n", "b"], 0.5 / 2.0);
    // A list of groups names no non-relevant documents: two of three were found.
    let groups = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]]).unwrap();
    expect_of(&groups, "bpref", &["x", "b", "a"], 2.0 / 3.0);
}

#[test]
fn compat_takes_the_ideal_ranking_that_is_most_like_the_result() {
    let truth = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]]).unwrap();
    // The ideal rankings are a, b, c and a, c, b; the first is more like b, a, x.
    // In common: 0 of 1, 2 of 2, 2 of 3. With weights 1, 1/2, 1/4:
    // 0 + 1/2 * 2/2 + 1/4 * 2/3 = 2/3, of at most 1 + 1/2 + 1/4 = 7/4.
    expect_of(
        &truth,
        "Compat(p=0.5,depth=3)",
        &["b", "a", "x"],
        8.0 / 21.0,
    );
    // To rank 4: 2/3 + 1/8 * 2/4 = 35/48, of 7/4 + 1/8 * 3/4 = 59/32.
    expect_of(
        &truth,
        "Compat(p=0.5)@4",
        &["b", "a", "x"],
        (35.0 / 48.0) / (59.0 / 32.0),
    );
    // As deep as the lists are: three ranks.
    expect_of(
        &truth,
        "Compat(p=0.5,depth=lists)",
        &["b", "a", "x"],
        8.0 / 21.0,
    );
    // Of the depth and the cut-off the smaller counts.
    for text in [
        "Compat(p=0.5,depth=lists)@3",
        "Compat(p=0.5,depth=lists)@9",
        "Compat(p=0.5,depth=3)@9",
        "Compat(p=0.5,depth=9)@3",
    ] {
        expect_of(&truth, text, &["b", "a", "x"], 8.0 / 21.0);
    }
    // Two ranks: 1/2 * 2/2 of 1 + 1/2.
    expect_of(
        &truth,
        "Compat(p=0.5,depth=lists)@2",
        &["b", "a", "x"],
        1.0 / 3.0,
    );
    // Both ideal rankings are ideal, also in the grades 3, 2, 1, where only one is.
    expect_of(&truth, "Compat", &["a", "c", "b"], 1.0);
    expect_of(&truth, "Compat", &["a", "b", "c"], 1.0);
    expect("Compat", &["a", "b", "c", "m"], 1.0);
    // Grade 0 is in no ideal ranking: m in common with nothing, as if it were a stranger.
    expect("Compat(p=0.5,depth=2)", &["m", "a"], (0.5 * 0.5) / 1.5);
}

#[test]
fn andcg_averages_ndcg_over_the_ranks() {
    // Ranks 1 and 2 are not discounted (log2 2 = 1): nDCG@1 = 2/3, nDCG@2 = (2 + 3) / (3 + 2),
    // nDCG@3 = 5 / (5 + 1 / log2 3).
    let third = 5.0 / (5.0 + 1.0 / 3f64.log2());
    expect("ANDCG@3", &["b", "a", "x"], (2.0 / 3.0 + 1.0 + third) / 3.0);
    expect("nDCG(discount=log)@3", &["b", "a", "x"], third);
    // A short result goes on with what it has: after rank 1 nothing is added.
    let (second, third) = (2.0 / 5.0, 2.0 / (5.0 + 1.0 / 3f64.log2()));
    expect("ANDCG@3", &["b"], (2.0 / 3.0 + second + third) / 3.0);
    // Where nothing is relevant every nDCG@i is 0.
    let nothing = graded(&[("m", 0.0)], ZeroGainPolicy::LeaveOut);
    expect_of(&nothing, "ANDCG@3", &["m"], 0.0);
}

#[test]
fn ag_divides_by_the_cutoff_and_where_asked_by_the_highest_grade() {
    // (2 + 0 + 3) / 5 = 1, although only three documents were returned.
    expect("AG@5", &["b", "x", "a"], 1.0);
    expect("AG(scale=max,max=3)@5", &["b", "x", "a"], 1.0 / 3.0);
    expect("AG(scale=max,max=100)@5", &["b", "x", "a"], 0.01);
    // The scale of these tests ends at 4.
    expect("AG(scale=max)@5", &["b", "x", "a"], 0.25);
    expect("CG@5", &["b", "x", "a"], 5.0);
}

#[test]
fn ndcg_can_be_held_against_documents_of_the_highest_grade() {
    let log3 = 3f64.log2();
    // DCG@3 = 2 / log2 2 + 0 + 3 / log2 4 = 3.5. Ideal: three documents of grade 3, or a, b, c.
    let text = "nDCG(ideal=max,max=3)@3";
    expect(
        text,
        &["b", "x", "a"],
        3.5 / (3.0 * (1.0 + 1.0 / log3 + 0.5)),
    );
    expect("nDCG@3", &["b", "x", "a"], 3.5 / (3.0 + 2.0 / log3 + 0.5));
    // The ideal of k documents does not shrink where fewer are judged: (3 + 2 + 1 / log2 3) of
    // 4 * (1 + 1 + 1 / log2 3 + 1/2 + 1 / log2 5).
    let ideal = 4.0 * (2.5 + 1.0 / log3 + 1.0 / 5f64.log2());
    expect(
        "nDCG(discount=log,ideal=max)@5",
        &["a", "b", "c"],
        (5.0 + 1.0 / log3) / ideal,
    );
    // Exponential gains: 2^2 - 1 = 3 of the ideal 2^3 - 1 = 7.
    expect("nDCG(gain=exp)@1", &["b"], 3.0 / 7.0);
    expect("nDCG(gain=exp,ideal=max,max=4)@1", &["b"], 3.0 / 15.0);
}

#[test]
fn exponential_gains_of_grades_too_high_for_a_double_keep_their_ratio() {
    let truth = graded(&[("a", 2000.0), ("b", 1999.0)], ZeroGainPolicy::LeaveOut);
    // Beside 2^2000 the 1 is nothing: 1/2, and b before a (1/2 + 1) / (1 + 1/2).
    expect_of(&truth, "nDCG(gain=exp)@1", &["b"], 0.5);
    expect_of(&truth, "nDCG(discount=log,gain=exp)", &["b", "a"], 1.0);
    expect_of(&truth, "ANDCG(gain=exp)@2", &["b", "a"], (0.5 + 1.0) / 2.0);
    expect_of(&truth, "nDCG(gain=exp,ideal=max,max=2001)@1", &["b"], 0.25);
    // And so do grades too low for 2^g to differ from 1: (2^g - 1) is g ln 2.
    let low = graded(&[("a", 2e-20), ("b", 1e-20)], ZeroGainPolicy::LeaveOut);
    expect_of(&low, "nDCG(gain=exp)@1", &["b"], 0.5);
    // DCG has nothing to be divided by: a grade above 1000 counts as 1000.
    let highest = 1000f64.exp2();
    expect_of(&truth, "DCG(gain=exp)@1", &["a"], highest);
    expect_of(
        &truth,
        "DCG(discount=log,gain=exp)",
        &["a", "b"],
        2.0 * highest,
    );
}

#[test]
fn a_grade_above_the_end_of_the_scale_counts_as_its_end() {
    // a has grade 3 and b 2 on a scale that is said to end at 2.
    expect("AG(scale=max,max=2)@2", &["a", "b"], 1.0);
    expect("nDCG(ideal=max,max=2)@2", &["a", "b"], 1.0);
    expect("ANDCG(ideal=max,max=2)@2", &["a", "x"], (1.0 + 0.5) / 2.0);
    expect("ERR(max=2)", &["a"], 3.0 / 4.0);
    // Where the end does not matter, neither does the cap.
    expect("AG(max=2)@1", &["a"], 3.0);
    expect("nDCG(max=2)@1", &["b"], 2.0 / 3.0);
}

#[test]
fn every_gain_above_zero_is_relevant_however_small() {
    for grade in [f64::from_bits(1), 1e-310, f64::MIN_POSITIVE] {
        let truth = graded(&[("a", grade), ("m", 0.0)], ZeroGainPolicy::LeaveOut);
        for text in ["P@1", "Recall", "AP", "RR", "bpref", "nDCG"] {
            expect_of(&truth, text, &["a"], 1.0);
            expect_of(&truth, text, &["m"], 0.0);
        }
        expect_of(&truth, "RBP(p=0.5)", &["a"], 0.5);
    }
}

#[test]
fn dcg_leaves_the_ranks_below_its_base_undiscounted() {
    // Base 3: ranks 1 and 2 as they are, rank 3 by log3 3 = 1, rank 9 by log3 9 = 2.
    let result = ["a", "x1", "b", "x2", "x3", "x4", "x5", "x6", "c"];
    expect("DCG(b=3)", &result, 3.0 + 2.0 + 0.5);
    // Base 2: rank 3 by log2 3, rank 9 by log2 9.
    expect(
        "DCG(discount=log)",
        &result,
        3.0 + 2.0 / 3f64.log2() + 1.0 / 9f64.log2(),
    );
    expect("DCG@3", &result, 3.0 + 2.0 / 2.0);
}

#[test]
fn precision_recall_and_their_averages_count_relevant_documents() {
    let result = ["x", "a", "m", "c", "a"];
    // Relevant at ranks 2 and 4; the second copy of a at rank 5 is not.
    expect("P@4", &result, 2.0 / 4.0);
    expect("P@10", &result, 2.0 / 10.0);
    expect("Recall", &result, 2.0 / 3.0);
    expect("Recall(rel=2)", &result, 1.0 / 2.0);
    expect("RR", &result, 1.0 / 2.0);
    expect("RR@1", &result, 0.0);
    // (1/2 + 2/4 + 0) / 3; to rank 3 (1/2) / 3, still of all three.
    expect("AP", &result, 1.0 / 3.0);
    expect("AP@3", &result, 1.0 / 6.0);
    // One of five is unjudged; a second copy is not.
    expect("Judged", &result, 4.0 / 5.0);
    expect("Unjudged@2", &result, 1.0 / 2.0);
}

#[test]
fn a_second_copy_is_as_judged_as_the_first_and_counts_as_unjudged_once() {
    let result = ["x", "x", "a", "a"];
    expect("Judged", &result, 2.0 / 4.0);
    expect("Judged@2", &result, 0.0);
    expect("Judged@3", &result, 1.0 / 3.0);
    expect("Unjudged", &result, 1.0 / 4.0);
}

#[test]
fn tied_documents_take_the_mean_of_their_orders() {
    let truth = truth();
    let groups = [vec!["x", "a"], vec!["b"]].map(|g| g.into_iter().map(str::to_owned).collect());
    let result = tied_ranking(&truth, &groups);
    let expect = |text: &str, first: f64, second: f64| {
        let got = score(text, &truth, &result).unwrap();
        assert_close(text, got, (first + second) / 2.0);
    };
    // x, a, b and a, x, b, one as likely as the other.
    expect("RR", 1.0 / 2.0, 1.0);
    expect("AP", (1.0 / 2.0 + 2.0 / 3.0) / 3.0, (1.0 + 2.0 / 3.0) / 3.0);
    expect("P@1", 0.0, 1.0);
    expect("ERR(max=3)@2", 7.0 / 16.0, 7.0 / 8.0);
    // Groups (a), (b), (c): dynamic recall 0, 1/2, 2/3 and 1, 1/2, 2/3.
    expect(
        "ADR",
        (1.0 / 2.0 + 2.0 / 3.0) / 3.0,
        (1.0 + 1.0 / 2.0 + 2.0 / 3.0) / 3.0,
    );
}

#[test]
fn a_perfect_run_of_a_hundred_thousand_groups_has_one() {
    let names: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let groups: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
    let truth = QueryTruth::from_groups(&groups).unwrap();
    let ranking = Ranking::from_names(truth.names(), names.iter().map(String::as_str));
    // It takes milliseconds; to add up all groups at every rank would take minutes.
    assert_eq!(score("Compat(depth=lists)", &truth, &ranking), Some(1.0));
}
