//! Every test against the plain one of `partita-stats`, made afresh of the scores of each sample.

use partita_stats::differences::quantised;
use partita_stats::friedman::friedman;
use partita_stats::signed_rank::{Method, Zeros, signed_rank};
use partita_stats::streams::{index_below, stream};
use partita_stats::{randomization, sign_test, t_test};
use proptest::prelude::*;

use super::*;
use crate::Strata;
use crate::reliability::draw::Draw;

/// The sign of a plain test of every pair on a sample, 0 where it is not significant; nothing where
/// there is no plain test.
fn plain(test: &TestCall, scores: &Scores, queries: &[u32]) -> Vec<Option<i16>> {
    let rows: Vec<&[f64]> = queries
        .iter()
        .map(|&query| scores.row(query as usize))
        .collect();
    if test.name() == "friedman-tukey" {
        let tukey = friedman(&rows).unwrap().tukey(test.alpha()).unwrap();
        let verdicts = tukey
            .pairs
            .iter()
            .map(|pair| Verdict::new(pair.diff, pair.significant));
        return verdicts.map(|verdict| Some(verdict.sign())).collect();
    }
    let of_pair = |(a, b): (usize, usize)| {
        let d: Vec<f64> = rows.iter().map(|row| quantised(row[a] - row[b])).collect();
        plain_pair(test, &d)
    };
    pairs(scores.systems().len()).map(of_pair).collect()
}

fn plain_pair(test: &TestCall, d: &[f64]) -> Option<i16> {
    let alpha = test.alpha();
    let one_tailed = |method| {
        let p = signed_rank(d, Zeros::Wilcox, method).unwrap().p;
        i16::from(p.greater < alpha) - i16::from(p.less < alpha)
    };
    let two_tailed = |p: f64, lead: f64| Verdict::new(lead, p < alpha).sign();
    match test.name() {
        "wilcoxon" => Some(one_tailed(Method::NORMAL)),
        "wilcoxon-exact" => Some(one_tailed(Method::ExactConditional)),
        "t" if d.len() < 2 => Some(0),
        "t" => {
            let test = t_test::one_sample(d).unwrap();
            Some(two_tailed(test.p.two_sided, test.mean_difference))
        }
        "sign" => {
            let test = sign_test::sign_test(d).unwrap();
            let lead = test.positive as f64 - test.negative as f64;
            Some(two_tailed(test.p.two_sided, lead))
        }
        // Patterns are drawn beyond ten queries, and not as the plain test draws them.
        "permutation" if d.len() > 10 => None,
        "permutation" => {
            let test = randomization::paired(d, 1, &mut stream(1, &[])).unwrap();
            Some(two_tailed(test.p.two_sided, test.mean))
        }
        other => panic!("no plain test for {other}"),
    }
}

/// Scores with this many distinct values, in steps that no double holds exactly.
fn scores(queries: usize, systems: usize, values: usize, seed: u64) -> Scores {
    let mut random = stream(seed, &[]);
    let score = |_| {
        // Later systems are better, or nothing would ever be significant.
        |random: &mut _, system: usize| 0.013 * (index_below(random, values) + system) as f64
    };
    let mut cells = Vec::new();
    for cell in 0..queries * systems {
        cells.push(score(cell)(&mut random, cell % systems));
    }
    let queries = (0..queries).map(|query| format!("q{query}"));
    let systems = (0..systems).map(|system| format!("s{system}"));
    Scores::new("AP", systems, queries, cells).unwrap()
}

fn all_agree(scores: &Scores, tests: &[&str], size: usize) {
    let queries = scores.queries().len();
    let draw = Draw::new(&Strata::single(queries), 5);
    let (first, second) = Batch::drawn(&draw, size, 0..7);
    let systems = scores.systems().len();
    for test in tests {
        let test: TestCall = test.parse().unwrap();
        let prepared = test.prepare(scores, 5);
        let mut verdicts = Verdicts::new(systems * (systems - 1) / 2);
        for batch in [Some(&first), second.as_ref()].into_iter().flatten() {
            prepared.decide(batch, &mut verdicts);
            for (lane, sample) in batch.samples().enumerate() {
                let evidence = prepared.evidence(batch, lane);
                let expected = plain(&test, scores, sample);
                for (number, pair) in pairs(systems).enumerate() {
                    let found = verdicts.get(number, lane);
                    if let Some(expected) = expected[number] {
                        assert_eq!(found.sign(), expected, "{test} {size} {pair:?} {sample:?}");
                    }
                    let Evidence { p, lead } = evidence[number];
                    assert_eq!(found, Verdict::new(lead, p < test.alpha()), "{test}");
                }
            }
        }
    }
}

const EVERY: [&str; 12] = [
    "friedman-tukey",
    "friedman-tukey:0.3",
    "wilcoxon",
    "wilcoxon:0.2",
    "wilcoxon-exact",
    "wilcoxon-exact:0.05",
    "wilcoxon-exact:0.3",
    "t",
    "t:0.4",
    "sign",
    "sign:0.3",
    "permutation:0.1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_test_decides_as_the_plain_one_on_every_sample(
        queries in 4..40usize,
        systems in 2..7usize,
        values in 1..60usize,
        share in 0.0..1.0f64,
        seed: u64,
    ) {
        let size = 1 + (share * (queries - 1) as f64) as usize;
        all_agree(&scores(queries, systems, values, seed), &EVERY, size);
    }
}

#[test]
fn sums_too_large_for_small_numbers_are_made_of_larger_ones() {
    // Ties of more than forty, and more than 255 queries: 32 bits; ties of 1700: 64.
    for (queries, values, size) in [(120, 2, 90), (300, 1000, 290), (3500, 2, 3450)] {
        let tests = ["wilcoxon", "wilcoxon:0.2", "t", "sign"];
        all_agree(&scores(queries, 3, values, 3), &tests, size);
    }
}

#[test]
fn samples_that_are_all_ties_are_no_evidence() {
    // The first two systems are the same one, and all are on the first 20 queries.
    let cells = (0..90).map(|cell| f64::from(u8::from(cell >= 60 && cell % 3 == 2)));
    let queries = (0..30).map(|query| format!("q{query}"));
    let scores = Scores::new("P", ["a", "b", "c"], queries, cells.collect()).unwrap();
    for size in [1, 5, 10, 25] {
        all_agree(&scores, &EVERY, size);
    }
}

#[test]
fn constant_differences_are_significant_by_any_test_that_can_be() {
    let cells: Vec<f64> = (0..20)
        .flat_map(|query| [0.1 * f64::from(query), 0.1 * f64::from(query) + 0.1])
        .collect();
    let queries = (0..20).map(|query| format!("q{query}"));
    let scores = Scores::new("P", ["a", "b"], queries, cells).unwrap();
    all_agree(&scores, &EVERY, 10);
}

#[test]
fn corrected_p_values_are_those_of_the_plain_adjustment() {
    let scores = scores(30, 5, 12, 9);
    let draw = Draw::new(&Strata::single(30), 5);
    let (batch, _) = Batch::drawn(&draw, 12, 0..5);
    for name in ["t", "wilcoxon", "sign", "permutation"] {
        let raw: TestCall = format!("{name}:0.05").parse().unwrap();
        let holm: TestCall = format!("{name}:0.05:holm").parse().unwrap();
        assert_eq!(holm.correction(), Some("holm"));
        let (raw, prepared) = (raw.prepare(&scores, 1), holm.prepare(&scores, 1));
        let mut verdicts = Verdicts::new(10);
        prepared.decide(&batch, &mut verdicts);
        for lane in 0..batch.len() {
            let p: Vec<f64> = raw.evidence(&batch, lane).iter().map(|e| e.p).collect();
            let adjusted = partita_stats::adjust::adjust(&p, Adjustment::Holm).unwrap();
            for (pair, p) in adjusted.into_iter().enumerate() {
                assert_eq!(verdicts.get(pair, lane).is_significant(), p < 0.05);
            }
        }
    }
}

#[test]
fn drawn_patterns_come_near_the_exact_permutation_test() {
    let scores = scores(18, 3, 20, 4);
    let test: TestCall = "permutation".parse().unwrap();
    let prepared = test.prepare(&scores, 2);
    let evidence = prepared.evidence(&Batch::whole(18), 0);
    for (pair, evidence) in differences(&scores).iter().zip(evidence) {
        let exact = randomization::paired(pair, 1, &mut stream(1, &[])).unwrap();
        // Four standard errors of 999 draws.
        let error = 4.0 * (exact.p.two_sided * (1.0 - exact.p.two_sided) / 999.0).sqrt() + 0.002;
        assert!((evidence.p - exact.p.two_sided).abs() < error);
    }
}

#[test]
fn what_names_no_test_is_refused() {
    for (wrong, said) in [
        (
            "anova",
            "friedman-tukey, wilcoxon, wilcoxon-exact, t, sign, permutation",
        ),
        ("t:2", "above 0 and below 1"),
        ("wilcoxon:0.5", "below 0.5"),
        ("t:0.05:magic", "bonferroni"),
        ("t:0.05:holm:x", "NAME:ALPHA:CORRECTION"),
        ("friedman-tukey:0.05:holm", "allows for all pairs already"),
        ("", "no test ``"),
    ] {
        let error = wrong.parse::<TestCall>().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
