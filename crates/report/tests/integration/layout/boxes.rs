//! Layout of box plot figures.

use partita_report::{BoxPlots, box_plot_figure};
use proptest::prelude::*;

use super::assert_well_laid_out;

/// Returns one deterministic sample per category, with values of about the magnitude `size`. A
/// larger `divisor` reduces the values.
fn samples(categories: usize, size: f64, divisor: usize) -> Vec<Vec<f64>> {
    let sample = |category: usize| {
        let values = (0..category * 5 % 23).map(move |i| ((category + i * i) % 17) as f64);
        values.map(|value| size * (value - 5.0) / divisor as f64)
    };
    (0..categories)
        .map(|category| sample(category).collect())
        .collect()
}

fn plots(title: &str, categories: &[String], labels: &[&str], size: f64) -> BoxPlots {
    let mut plots = BoxPlots::new(title, categories.to_vec());
    for (number, label) in labels.iter().enumerate() {
        plots.push(*label, samples(categories.len(), size, number + 1));
    }
    plots
}

#[test]
fn box_plots_of_every_number_of_categories_and_panels_are_well_laid_out() {
    let labels = ["ADR-1 consistency", "ADR-2 consistency", "items per group"];
    let labels = [labels, ["items", "groups", "pairs"]].concat();
    for categories in [1, 2, 3, 6, 7, 12, 30, 80] {
        let categories: Vec<String> = (0..categories).map(|i| format!("All-{i}")).collect();
        for panels in 1..=labels.len() {
            for size in [1e-9, 0.01, 1.0, 1e9] {
                let plots = plots("box plots", &categories, &labels[..panels], size);
                assert_well_laid_out(&box_plot_figure(&plots));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn box_plots_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        label in "\\PC{0,80}",
        categories in proptest::collection::hash_set("\\PC{0,60}", 1..12),
        panels in 1_usize..6,
        size in 1e-6..1e9_f64,
    ) {
        let mut categories: Vec<String> = categories.into_iter().collect();
        categories.sort();
        let labels = vec![label.as_str(); panels];
        assert_well_laid_out(&box_plot_figure(&plots(&title, &categories, &labels, size)));
    }
}
