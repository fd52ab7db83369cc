//! Tests of random streams.

use partita_stats::random::*;

#[test]
fn streams_of_fixed_seeds_and_paths_have_pinned_values() {
    let first = |seed, path: &[u64]| {
        let mut rng = stream(seed, path);
        [rng.next_u64(), rng.next_u64()]
    };
    // Computed from the definition in `partita_stats::random` by an independent Python program
    // with its own implementation of ChaCha.
    assert_eq!(
        first(0, &[]),
        [0x634d_8142_a1b6_ebec, 0xc401_2fe3_15c2_5d4e]
    );
    assert_eq!(
        first(42, &[]),
        [0x8096_ac66_8bc9_b134, 0x4328_3ad7_f700_4486]
    );
    assert_eq!(
        first(42, &[1]),
        [0x2996_74b7_b6fe_3f61, 0xd7c2_5854_53b5_d69f]
    );
    assert_eq!(
        first(42, &[1, 2]),
        [0x2d1e_2122_f8ac_0a4b, 0x2771_d421_5dd6_9b42]
    );
    assert_eq!(
        first(u64::MAX, &[u64::MAX, 0, 7]),
        [0x72fb_70c2_3884_fb14, 0xc3fc_55a4_de1e_9e44]
    );
}

#[test]
fn draws_from_a_fixed_stream_have_pinned_values() {
    let mut rng = stream(42, &[1]);
    let drawn: Vec<usize> = (0..8).map(|_| uniform_index(&mut rng, 1000)).collect();
    assert_eq!(drawn, [162, 842, 17, 816, 476, 498, 583, 600]);
    let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
    shuffle(&mut rng, &mut items);
    assert_eq!(items, [2, 0, 3, 5, 1, 4, 7, 6]);
    assert_eq!(sample_without_replacement(&mut rng, 20, 4), [4, 12, 19, 2]);
    assert_eq!(uniform(&mut rng), 0.926_597_819_440_483_3);
    assert_eq!(standard_normal(&mut rng), -0.15840609781640536);
}

#[test]
fn streams_differ_by_seed_path_and_path_length() {
    let first = |seed, path: &[u64]| stream(seed, path).next_u64();
    let all = [
        first(1, &[2]),
        first(2, &[1]),
        first(1, &[]),
        first(1, &[0]),
        first(1, &[0, 0]),
        first(1, &[2, 0]),
        first(1, &[0, 2]),
    ];
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            assert_ne!(a, b);
        }
    }
}

#[test]
fn all_indices_below_n_are_drawn_about_equally_often() {
    let mut rng = stream(7, &[]);
    let mut counts = [0u32; 7];
    for _ in 0..70_000 {
        counts[uniform_index(&mut rng, 7)] += 1;
    }
    let chi_squared: f64 = counts
        .iter()
        .map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0)
        .sum();
    // The .9999 quantile of chi-squared on 6 degrees of freedom is 27.9.
    assert!(chi_squared < 27.9, "{counts:?}");
}

#[test]
fn shuffling_gives_all_orders_about_equally_often() {
    let mut rng = stream(8, &[]);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..6000 {
        let mut items = [0, 1, 2];
        shuffle(&mut rng, &mut items);
        *counts.entry(items).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    assert!(
        counts.values().all(|&c| (880..1120).contains(&c)),
        "{counts:?}"
    );
}

#[test]
fn sample_without_replacement_has_no_repeats() {
    let mut rng = stream(9, &[]);
    for count in 0..12 {
        let mut drawn = sample_without_replacement(&mut rng, 10, count);
        assert_eq!(drawn.len(), count.min(10));
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), count.min(10));
    }
}

#[test]
fn empty_range_gives_zero_without_consuming_a_draw() {
    let mut rng = stream(1, &[]);
    assert_eq!(uniform_index(&mut rng, 0), 0);
    assert_eq!(rng.next_u64(), stream(1, &[]).next_u64());
    assert!(choose::<u8>(&mut rng, &[]).is_none());
}

#[test]
fn chi_squared_deviates_follow_their_distribution() {
    for df in [0.6, 1.0, 3.0, 40.0, 6000.0] {
        let mut rng = stream(12, &[df as u64]);
        let mut shares: Vec<f64> = (0..4000)
            .map(|_| {
                partita_stats::distribution::chi_squared::cdf(chi_squared(&mut rng, df), df)
                    .unwrap()
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        // Kolmogorov-Smirnov distance from uniformity; its .9999 quantile is 2.23/√4000.
        let distance = (0u32..)
            .zip(&shares)
            .map(|(rank, share)| (share - (f64::from(rank) + 0.5) / 4000.0).abs())
            .fold(0.0, f64::max);
        assert!(distance < 0.036, "{df}: {distance}");
    }
    assert_eq!(chi_squared(&mut stream(1, &[]), 0.0), 0.0);
}

#[test]
fn normal_deviates_have_mean_zero_and_variance_one() {
    let mut rng = stream(10, &[]);
    let drawn: Vec<f64> = (0..20_000).map(|_| standard_normal(&mut rng)).collect();
    let mean = drawn.iter().sum::<f64>() / 20_000.0;
    let variance = drawn.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / 19_999.0;
    assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.04);
}

#[test]
fn chi_squared_deviates_have_a_mean_near_their_df() {
    use partita_stats::random::{chi_squared, stream};

    let mut rng = stream(1, &[]);
    let mean: f64 = (0..1000).map(|_| chi_squared(&mut rng, 5.0)).sum::<f64>() / 1000.0;
    assert!((mean - 5.0).abs() < 0.4);
}

#[test]
fn a_thousand_normal_deviates_have_a_mean_near_0() {
    use partita_stats::random::{standard_normal, stream};

    let mut rng = stream(1, &[]);
    let mean: f64 = (0..1000).map(|_| standard_normal(&mut rng)).sum::<f64>() / 1000.0;
    assert!(mean.abs() < 0.15);
}

#[test]
fn a_uniform_number_is_strictly_inside_0_and_1() {
    use partita_stats::random::{stream, uniform};

    let drawn = uniform(&mut stream(1, &[]));
    assert!(drawn > 0.0 && drawn < 1.0);
}

#[test]
fn five_of_100_drawn_without_replacement_are_distinct() {
    use partita_stats::random::{sample_without_replacement, stream};

    let mut drawn = sample_without_replacement(&mut stream(1, &[]), 100, 5);
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 5);
}

#[test]
fn choice_from_an_empty_slice_is_none() {
    use partita_stats::random::{choose, stream};

    let mut rng = stream(1, &[]);
    assert!(choose(&mut rng, &["less", "equal", "greater"]).is_some());
    assert!(choose::<u8>(&mut rng, &[]).is_none());
}

#[test]
fn an_index_is_below_its_bound() {
    use partita_stats::random::{stream, uniform_index};

    let mut rng = stream(1, &[]);
    assert!((0..1000).all(|_| uniform_index(&mut rng, 3) < 3));
}

#[test]
fn order_of_path_elements_matters() {
    use partita_stats::random::{Rng, stream};

    assert_eq!(stream(1, &[2, 3]).next_u64(), stream(1, &[2, 3]).next_u64());
    assert_ne!(stream(1, &[2, 3]).next_u64(), stream(1, &[3, 2]).next_u64());
}

#[test]
fn stream_numbers_are_registered_only_once() {
    use partita_stats::random::stream_id;
    use partita_stats::random::stream_id::choice;
    use std::collections::HashMap;

    for registered in [stream_id::ALL, choice::ALL] {
        let mut names = HashMap::new();
        for (name, number) in registered {
            let other = names.insert(number, name);
            assert_eq!(other, None, "{name} has the number of another stream");
        }
    }
}
