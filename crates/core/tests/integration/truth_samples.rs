//! Samples of ranks.

use partita_core::Rankings;
use partita_core::truth::*;

#[test]
fn medians_and_means_of_even_odd_and_empty_samples() {
    let rankings = Rankings::new([
        ("p", "even", Some(3.0)),
        ("q", "even", Some(6.0)),
        ("p", "odd", Some(9.0)),
        ("p", "none", None),
    ]);
    let rankings = rankings.unwrap();
    let samples = RankSamples::new(&rankings, Unranked::LeftOut);
    let item = |name| rankings.items().get(name).unwrap();
    assert_eq!(samples.median(item("even")), Some(4.5));
    assert_eq!(samples.mean(item("even")), Some(4.5));
    assert_eq!(samples.median(item("odd")), Some(9.0));
    assert_eq!(samples.median(item("none")), None);
    assert_eq!(samples.mean(item("none")), None);
}

#[test]
fn the_worst_rank_is_never_better_than_a_given_one() {
    let ranks = [
        ("p", "a", Some(2.0)),
        ("p", "b", Some(40.0)),
        ("p", "c", None),
    ];
    let rankings = Rankings::new(ranks).unwrap();
    let samples = RankSamples::new(&rankings, Unranked::Worst);
    let c = rankings.items().get("c").unwrap();
    assert_eq!(samples.sample(c), [41.0]);
}
