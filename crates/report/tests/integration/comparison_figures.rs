//! Tests of the figures of a comparison of systems.

use std::sync::Arc;

use partita_core::ScoreMatrix;
use partita_core::comparison::{
    ComparedSystem, Comparison, ComparisonOptions, HasseDiagram, MeanRankOrder, PairComparison,
    compare,
};
use partita_core::significance::{ComparedQuantity, CriticalDifference};
use partita_core::work::SequentialWork;
use partita_report::{
    ComparisonFigureKind, Figure, FigureError, MAX_DIAGRAM_SYSTEMS, MAX_INTERVAL_ROWS,
    MAX_MATRIX_SYSTEMS, critical_difference_figure, forest_figure, hasse_figure, mean_ranks_figure,
    means_figure, pairwise_matrix_figure,
};
use proptest::prelude::*;

use crate::svg::{assert_self_contained, attributes, points, words};

/// Creates a comparison of systems with these names and means, which are also their mean ranks. It
/// has no pairs, no groups and an empty partial order.
pub(crate) fn comparison(names: &[String], values: &[f64]) -> Comparison {
    let scores = ScoreMatrix::new(
        "AP",
        ["a", "b"],
        ["1", "2", "3"],
        vec![1., 0., 1., 0., 0., 1.],
    );
    let made = compare(
        &scores.expect("scores"),
        "t",
        &ComparisonOptions::default(),
        &SequentialWork,
    );
    let mut made = made.expect("a comparison");
    let systems = names
        .iter()
        .zip(values)
        .map(|(name, &value)| ComparedSystem {
            name: Arc::from(name.as_str()),
            mean: value,
            mean_rank: value,
            ..made.systems[0].clone()
        });
    made.systems = systems.collect();
    made.settings.ranks = MeanRankOrder::HighestIsBest;
    made.pairs.clear();
    made.groups = Some(Vec::new());
    made.hasse = Some(HasseDiagram {
        edges: Vec::new(),
        cycles: Vec::new(),
        implied: Vec::new(),
    });
    made
}

fn numbered(systems: usize) -> Vec<String> {
    (0..systems).map(|i| format!("S{i}")).collect()
}

/// Creates a comparison of mean ranks with a critical difference of 0.5. `cliques` are sets of
/// systems, by index, that do not differ significantly.
fn ranks(values: &[f64], cliques: &[&[usize]]) -> Comparison {
    let mut made = comparison(&numbered(values.len()), values);
    made.critical_difference = Some(CriticalDifference {
        of: ComparedQuantity::MeanRank,
        value: 0.5,
    });
    let name = |&i: &usize| made.systems[i].name.clone();
    let groups = cliques
        .iter()
        .map(|clique| clique.iter().map(name).collect());
    made.groups = Some(groups.collect());
    made
}

/// Creates a comparison whose partial order has these edges from better to worse systems, by index.
fn order(values: &[f64], edges: &[(usize, usize)]) -> Comparison {
    let mut made = comparison(&numbered(values.len()), values);
    let name = |i: usize| made.systems[i].name.clone();
    let edges = edges.iter().map(|&(a, b)| [name(a), name(b)]).collect();
    made.hasse.as_mut().expect("an order").edges = edges;
    made
}

/// Creates the comparison of systems `i` and `j`, significant if `p` is below 0.03.
pub(crate) fn pair(
    systems: &[ComparedSystem],
    (i, j): (usize, usize),
    p: f64,
    difference: f64,
) -> PairComparison {
    let significant = p < 0.03;
    let better = if difference > 0.0 { i } else { j };
    PairComparison {
        a: systems[i].name.clone(),
        b: systems[j].name.clone(),
        difference,
        lower: None,
        upper: None,
        d: None,
        a12: 0.5,
        wins: 0,
        ties: 0,
        losses: 0,
        ties_made: 0,
        mean_rank_difference: difference,
        p: Some(p),
        p_adjusted: Some(p),
        significant,
        better: significant.then(|| systems[better].name.clone()),
        against_the_means: false,
        equivalent: None,
    }
}

/// Creates a comparison of all pairs of systems. A system with a smaller index is better,
/// significantly if the indices differ by 2 or more.
fn matrix(names: &[String]) -> Comparison {
    let mut made = comparison(names, &vec![0.5; names.len()]);
    let pairs = (0..names.len()).flat_map(|i| (i + 1..names.len()).map(move |j| (i, j)));
    let pairs = pairs.map(|(i, j)| {
        let difference = j as f64 - i as f64;
        pair(&made.systems, (i, j), 0.04 / difference, difference)
    });
    made.pairs = pairs.collect();
    made
}

/// Returns the y of the name of each system in a figure; systems are named `S0`, `S1` and so on.
fn heights(figure: &Figure, systems: usize) -> Vec<f64> {
    let texts = attributes(figure, "text", "y");
    let words = words(figure);
    let height = |i: usize| {
        let place = words.iter().position(|word| *word == format!("S{i}"));
        texts[place.expect("every system is named")]
    };
    (0..systems).map(height).collect()
}

#[test]
fn elbow_lines_meet_the_axis_at_the_mean_ranks() {
    let values = [2.5, 1.0, 4.0, 3.75];
    let figure = critical_difference_figure(&ranks(&values, &[])).expect("possible ranks");
    let mut places: Vec<f64> = points(&figure, "polyline").iter().map(|p| p[0].0).collect();
    assert_eq!(places.len(), 4);
    places.sort_by(f64::total_cmp);
    let unit = (places[3] - places[0]) / 3.0;
    for (place, rank) in places.iter().zip([1.0, 2.5, 3.75, 4.0]) {
        assert!((place - places[0] - (rank - 1.0) * unit).abs() < 0.02);
    }
    // The bar of the critical difference, 0.5, is the first line.
    let from = attributes(&figure, "line", "x1")[0];
    let to = attributes(&figure, "line", "x2")[0];
    assert!((to - from - 0.5 * unit).abs() < 0.02);
}

#[test]
fn a_bar_covers_the_systems_that_do_not_differ() {
    let values = [1.0, 2.0, 3.0, 4.0];
    let thick = |cliques: &[&[usize]]| {
        let figure = critical_difference_figure(&ranks(&values, cliques)).expect("possible ranks");
        let widths = attributes(&figure, "line", "stroke-width");
        let [from, to] = ["x1", "x2"].map(|name| attributes(&figure, "line", name));
        let lines = widths.iter().zip(from.iter().zip(&to));
        let bars: Vec<(f64, f64)> = lines
            .filter(|(width, _)| **width > 3.0)
            .map(|(_, (from, to))| (*from, *to))
            .collect();
        let elbows: Vec<f64> = points(&figure, "polyline").iter().map(|p| p[0].0).collect();
        (bars, elbows)
    };
    let (bars, elbows) = thick(&[&[2, 1], &[3]]);
    assert_eq!(bars.len(), 1, "a set of one system has no bar");
    // Elbow lines are drawn from the worst system to the best.
    assert!(bars[0].0 < elbows[1] && bars[0].0 > elbows[0]);
    assert!(bars[0].1 > elbows[2] && bars[0].1 < elbows[3]);
    assert!(thick(&[]).0.is_empty());
    assert!(thick(&[&[0, 2]]).0.is_empty(), "a set with a gap has dots");
}

#[test]
fn the_diagram_says_which_end_is_better() {
    let figure = critical_difference_figure(&ranks(&[1.0, 2.0], &[&[0, 1]])).expect("ranks");
    let words = words(&figure);
    let place = |wanted: &str| {
        let at = words.iter().position(|word| word == wanted);
        attributes(&figure, "text", "x")[at.expect("it is written")]
    };
    assert!(place("better →") > place("← worse"));
    assert!(place("S1") > place("S0"), "the better is at the better end");
    assert!(words.iter().any(|word| word == "critical difference 0.50"));
}

#[test]
fn the_axis_of_mean_ranks_is_reversed_if_rank_1_is_best() {
    let mut found = ranks(&[1.0, 2.0, 4.0], &[&[0, 1]]);
    found.settings.ranks = MeanRankOrder::OneIsBest;
    let figure = critical_difference_figure(&found).expect("ranks");
    let words = words(&figure);
    let place = |wanted: &str| {
        let at = words.iter().position(|word| word == wanted);
        attributes(&figure, "text", "x")[at.expect("it is written")]
    };
    assert!(place("S0") > place("S2"), "the better is at the better end");
    let tick = |value: f64| {
        let at = words.iter().position(|word| word.parse() == Ok(value));
        attributes(&figure, "text", "x")[at.expect("it is a tick")]
    };
    assert!(tick(2.0) > tick(3.0), "ticks run down");
    assert!(words.iter().any(|word| word.contains("1 is best")));
    assert!(
        figure
            .description
            .contains("from the best: S0 1.00, S1 2.00, S2 4.00")
    );
}

#[test]
fn a_shortened_name_keeps_its_start_its_end_and_combining_marks() {
    let name = "bm25 with k1=0.9 and b=0.4, stemmed, of the second kind, b=0.4";
    let names = [
        name.to_owned(),
        "e\u{301}".repeat(80),
        "👩\u{200d}🎤".repeat(80),
    ];
    let figure = hasse_figure(&comparison(&names, &[0.5, 0.4, 0.3])).expect("an order");
    let words = words(&figure);
    let key = words
        .iter()
        .position(|word| word == "In full:")
        .expect("a key");
    let short: Vec<&String> = words[..key]
        .iter()
        .filter(|word| word.contains('…'))
        .collect();
    assert_eq!(short.len(), 3, "{words:?}");
    assert!(words[key + 1].ends_with(&format!(" = {name}")), "{words:?}");
    assert!(
        short
            .iter()
            .any(|word| word.starts_with("bm25 w") && word.ends_with("0.4"))
    );
    for signs in [&['e', '\u{301}'][..], &['👩', '\u{200d}', '🎤']] {
        let count = |sign: &char| short.iter().map(|word| word.matches(*sign).count()).sum();
        // The first of the three names contains further letters e, which are subtracted.
        let counts: Vec<usize> = signs.iter().map(count).collect();
        let plain = short.iter().filter(|word| word.starts_with("bm25"));
        let others: usize = plain.map(|word| word.matches(signs[0]).count()).sum();
        assert!(counts[1..].iter().all(|count| *count == counts[0] - others));
    }
    assert!(figure.to_svg().contains(&format!("<title>{name}</title>")));
}

#[test]
fn matrix_cells_show_direction_and_significance() {
    let figure = pairwise_matrix_figure(&matrix(&numbered(4))).expect("a square");
    let count = |colour: &str| {
        let svg = figure.to_svg();
        let cells = svg.lines().filter(|line| line.starts_with("<rect x="));
        cells.filter(|line| line.contains(colour)).count()
    };
    // The legend has one more rectangle of each colour.
    assert_eq!(
        count("#0072B2"),
        3 + 1,
        "1 is better than 3 and 4, 2 than 4"
    );
    assert_eq!(count("#F0B040"), 3 + 1);
    assert_eq!(count("#E9E9E9"), 6 + 1);
    assert!(words(&figure).iter().any(|word| word == ".013"));
    let title = "S0 against S3: difference 3, p = 0.0133, significant";
    assert!(figure.to_svg().contains(title));
}

#[test]
fn cells_contain_p_values_for_up_to_20_systems() {
    let count = |systems: usize| {
        let figure = pairwise_matrix_figure(&matrix(&numbered(systems))).expect("a square");
        words(&figure)
            .iter()
            .filter(|word| word.starts_with('.'))
            .count()
    };
    assert_eq!([count(20), count(21), count(130)], [380, 0, 0]);
}

#[test]
fn equal_cells_of_a_large_matrix_are_merged_into_few_shapes() {
    let figure = pairwise_matrix_figure(&matrix(&numbered(130))).expect("a square");
    assert!(figure.to_svg().len() < 150_000);
    let figure = pairwise_matrix_figure(&matrix(&numbered(MAX_MATRIX_SYSTEMS)));
    assert!(figure.expect("a square").to_svg().len() < 1_500_000);
}

#[test]
fn a_p_value_below_alpha_is_never_rounded_up_to_alpha() {
    let mut two = matrix(&numbered(2));
    two.pairs = vec![pair(&two.systems, (0, 1), 0.0498, 0.1)];
    two.pairs[0].significant = true;
    two.pairs[0].better = Some(two.systems[0].name.clone());
    let figure = pairwise_matrix_figure(&two).expect("a p-value");
    let bold = "font-weight=\"bold\">&lt;.05</text>";
    assert!(figure.to_svg().contains(bold), "{:?}", words(&figure));
    two.pairs = vec![pair(&two.systems, (0, 1), 0.0502, 0.1)];
    let figure = pairwise_matrix_figure(&two).expect("a p-value");
    assert!(words(&figure).contains(&".050".to_owned()));
    assert!(!figure.to_svg().contains("bold\">.050"));
}

#[test]
fn subtitles_name_the_test_its_level_and_its_correction() {
    let two = matrix(&numbered(2));
    for figure in [
        critical_difference_figure(&two),
        means_figure(&two),
        pairwise_matrix_figure(&two),
        hasse_figure(&two),
    ] {
        let words = words(&figure.expect("a figure")).join(" ");
        let test = "Student's paired t-test of the difference of means (two-tailed, alpha 0.05, \
                    Holm's correction, 3 queries)";
        assert!(words.contains(test), "{words}");
    }
    let words = words(&pairwise_matrix_figure(&two).expect("a figure")).join(" ");
    assert!(
        words.contains("p-values adjusted for the number of comparisons"),
        "{words}"
    );
}

/// Creates a comparison of all other systems with the first one, the baseline.
pub(crate) fn with_baseline(names: &[String]) -> Comparison {
    let mut made = matrix(names);
    let baseline = made.systems[0].name.clone();
    made.pairs.retain(|pair| pair.a == baseline);
    for (pair, number) in made.pairs.iter_mut().zip(1..) {
        let difference = if number % 2 == 0 { 0.1 } else { -0.1 } * f64::from(number);
        pair.difference = difference;
        (pair.lower, pair.upper) = (Some(difference - 0.05), Some(difference + 0.15));
    }
    (made.groups, made.hasse) = (None, None);
    made.settings.baselines = vec![baseline.to_string()];
    made
}

#[test]
fn a_forest_plot_shows_each_system_minus_the_baseline_best_first() {
    let figure = forest_figure(&with_baseline(&numbered(5))).expect("differences");
    assert_eq!(figure.title, "4 systems against S0, by AP");
    // The baseline is the first system of each pair, so the figure inverts the signs.
    let words = words(&figure);
    let rows: Vec<&String> = words.iter().filter(|word| word.contains('[')).collect();
    assert_eq!(
        rows,
        [
            "+0.300 [+0.150, +0.350]",
            "+0.100 [−0.050, +0.150]",
            "−0.200 [−0.350, −0.150]",
            "−0.400 [−0.550, −0.350]"
        ]
    );
    let no_baseline = forest_figure(&matrix(&numbered(3)));
    assert_eq!(no_baseline.err(), Some(FigureError::NoBaseline));
}

#[test]
fn intervals_of_mean_ranks_are_as_wide_as_the_critical_difference() {
    let figure = mean_ranks_figure(&ranks(&[1.0, 2.5], &[])).expect("mean ranks");
    assert!(
        figure
            .description
            .contains("S1 2.50 [2.25, 2.75], S0 1.00 [0.75, 1.25]")
    );
    let t = mean_ranks_figure(&matrix(&numbered(3)));
    assert_eq!(t.err(), Some(FigureError::NoCriticalRanks("t".to_owned())));
}

#[test]
fn the_first_kind_of_figure_shows_the_quantity_that_was_tested() {
    let first = |comparison: &Comparison| ComparisonFigureKind::kinds_for(comparison)[0];
    assert_eq!(first(&matrix(&numbered(3))), ComparisonFigureKind::Means);
    let many = matrix(&numbered(MAX_DIAGRAM_SYSTEMS + 1));
    assert_eq!(first(&many), ComparisonFigureKind::Matrix);
    let of_ranks = ranks(&[1.0, 2.0], &[]);
    assert_eq!(first(&of_ranks), ComparisonFigureKind::CriticalDifference);
    let baseline = with_baseline(&numbered(3));
    assert_eq!(
        ComparisonFigureKind::kinds_for(&baseline),
        [ComparisonFigureKind::Forest]
    );
}

#[test]
fn p_values_in_cells_are_short_and_never_zero() {
    let mut two = matrix(&numbered(2));
    for (p, written) in [
        (0.0, "<.001"),
        (0.000_49, "<.001"),
        (0.0123, ".012"),
        (0.9999, "1"),
        (1.0, "1"),
    ] {
        two.pairs = vec![pair(&two.systems, (0, 1), p, 0.1)];
        let words = words(&pairwise_matrix_figure(&two).expect("a p-value"));
        assert!(words.iter().any(|word| word == written), "{p} in {words:?}");
    }
}

#[test]
fn better_systems_are_higher_in_a_hasse_diagram() {
    let edges = [(4, 0), (0, 1), (1, 2), (4, 3), (3, 2)];
    let figure = hasse_figure(&order(&[0.5, 0.4, 0.1, 0.3, 0.9], &edges)).expect("an order");
    let heights = heights(&figure, 5);
    for (better, worse) in edges {
        assert!(heights[better] < heights[worse]);
    }
}

/// Returns true if edges of the Hasse diagram cross, which its footnote on colours reveals.
fn has_crossings(systems: usize, edges: &[(usize, usize)]) -> bool {
    let values: Vec<f64> = (0..systems).map(|i| -(i as f64)).collect();
    let figure = hasse_figure(&order(&values, edges)).expect("an order");
    words(&figure)
        .join(" ")
        .contains("Colours only help to follow lines.")
}

#[test]
fn edges_cross_only_if_they_must() {
    // Four edges that would all cross if systems were ordered by mean score.
    assert!(!has_crossings(8, &[(0, 7), (1, 6), (2, 5), (3, 4)]));
    let tree = (1..15).map(|worse| ((worse - 1) / 2, worse)).rev();
    assert!(!has_crossings(15, &tree.collect::<Vec<_>>()));
    let both = [(0, 2), (0, 3), (1, 2), (1, 3)];
    assert!(has_crossings(4, &both), "two that are better than two");
}

#[test]
fn a_system_without_edges_is_in_the_layer_closest_to_its_score() {
    let chain = [(0, 1), (1, 2), (2, 3)];
    for (mean, beside) in [(0.85, 0), (0.62, 1), (0.38, 2), (0.02, 3)] {
        let figure = hasse_figure(&order(&[0.8, 0.6, 0.4, 0.2, mean], &chain)).expect("an order");
        let heights = heights(&figure, 5);
        assert_eq!(heights[4], heights[beside], "{mean}");
    }
}

#[test]
fn a_cycle_of_systems_is_named_and_has_no_edges() {
    let mut made = order(&[0.5; 4], &[(0, 1)]);
    let names = made.systems[1..].iter().map(|system| system.name.clone());
    made.hasse.as_mut().expect("an order").cycles = vec![names.collect()];
    let figure = hasse_figure(&made).expect("an order");
    let said = words(&figure).join(" ");
    assert!(said.contains("without an order: S1, S2, S3."), "{said}");
    assert_eq!(
        points(&figure, "polyline").len(),
        2,
        "a trunk and its branch"
    );
}

#[test]
fn edges_given_twice_are_drawn_once() {
    let once = hasse_figure(&order(&[2.0, 1.0], &[(0, 1)])).expect("an order");
    let twice = hasse_figure(&order(&[2.0, 1.0], &[(0, 1), (0, 1)])).expect("an order");
    assert_eq!(once.to_svg(), twice.to_svg());
}

#[test]
fn means_too_large_for_an_axis_are_refused() {
    for value in [1e13, -1e13] {
        let mut far = matrix(&numbered(2));
        far.pairs = vec![pair(&far.systems, (0, 1), 0.5, value)];
        for refused in [
            pairwise_matrix_figure(&far),
            hasse_figure(&order(&[value, 0.2], &[])),
        ] {
            assert!(matches!(refused, Err(FigureError::NotDrawable { .. })));
        }
    }
}

#[test]
fn too_many_systems_missing_pairs_and_equivalence_tests_are_refused() {
    let many = vec![0.5; MAX_DIAGRAM_SYSTEMS + 1];
    for refused in [
        critical_difference_figure(&ranks(&many, &[])),
        means_figure(&ranks(&many, &[])),
        hasse_figure(&order(&many, &[])),
        forest_figure(&with_baseline(&numbered(MAX_INTERVAL_ROWS + 2))),
        pairwise_matrix_figure(&matrix(&numbered(MAX_MATRIX_SYSTEMS + 1))),
    ] {
        assert!(matches!(refused, Err(FigureError::TooManySystems { .. })));
    }
    let mut some = ranks(&[0.5, 0.7], &[]);
    (some.groups, some.hasse) = (None, None);
    for draw in [
        critical_difference_figure,
        hasse_figure,
        means_figure,
        pairwise_matrix_figure,
    ] {
        assert_eq!(draw(&some).err(), Some(FigureError::NotAllPairs));
    }
    let mut equivalence = ranks(&[0.5, 0.7], &[]);
    equivalence.goal = partita_core::significance::TestGoal::Equivalence;
    for draw in [
        critical_difference_figure,
        hasse_figure,
        pairwise_matrix_figure,
    ] {
        assert_eq!(draw(&equivalence).err(), Some(FigureError::EquivalenceTest));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_svg_is_well_formed_and_reproducible_for_any_names(
        title in any::<String>(),
        names in proptest::collection::vec(any::<String>(), 1..12),
        values in proptest::collection::vec(-1e12..1e12_f64, 12),
        cliques in proptest::collection::vec(proptest::collection::vec(0..12_usize, 0..5), 0..6),
        edges in proptest::collection::vec((0..12_usize, 0..12_usize), 0..20),
    ) {
        let count = names.len();
        // A suffix makes the names of the systems distinct.
        let names: Vec<String> = names.iter().zip(0..).map(|(name, i)| format!("{name}{i}")).collect();
        let mut made = matrix(&names);
        made.measure = title;
        for (system, value) in made.systems.iter_mut().zip(values) {
            (system.mean, system.mean_rank) = (value, value);
        }
        made.critical_difference = Some(CriticalDifference { of: ComparedQuantity::MeanRank, value: 1e6 });
        let name = |index: usize| made.systems[index % count].name.clone();
        let cliques = cliques.into_iter().map(|clique| clique.into_iter().map(name).collect());
        made.groups = Some(cliques.collect());
        let edges = edges.into_iter().map(|(i, j)| (i % count, j % count)).filter(|(i, j)| i < j);
        let edges = edges.map(|(i, j)| [name(i), name(j)]).collect();
        made.hasse.as_mut().expect("an order").edges = edges;
        let draw = || [
            critical_difference_figure(&made),
            hasse_figure(&made),
            pairwise_matrix_figure(&made),
        ];
        for (figure, again) in draw().into_iter().zip(draw()) {
            let figure = figure.expect("possible data");
            assert_self_contained(&figure);
            prop_assert_eq!(figure.to_svg(), again.expect("possible data").to_svg());
        }
    }
}
