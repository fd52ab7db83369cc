//! Layout of line charts.

use partita_report::{Figure, LineChart, LinePanel, LineSeries, line_chart_figure};
use proptest::prelude::*;

use super::assert_well_laid_out;

/// Draws one panel per title in `panels`, each with a series and a reference line per name.
/// `titles` are the title of the figure, of the x axis and of the y axis; `size` is the magnitude
/// of the values.
fn charts(
    titles: [&str; 3],
    panels: &[&str],
    names: &[String],
    size: f64,
    percent: bool,
) -> Figure {
    let curve = |number: usize, name: &String| {
        let points = (0..=(number * 5 % 23)).map(|i| {
            let y = size * ((number * i + i * i) % 17) as f64;
            (size * i as f64, y)
        });
        let points: Vec<(f64, f64)> = points.collect();
        let around = |(_, y): &(f64, f64)| (y - size, y + 0.5 * size);
        LineSeries {
            name: name.clone(),
            band: number
                .is_multiple_of(2)
                .then(|| points.iter().map(around).collect()),
            points,
        }
    };
    let panel = |title: &&str| LinePanel {
        title: (*title).to_owned(),
        curves: names
            .iter()
            .enumerate()
            .map(|(i, name)| curve(i, name))
            .collect(),
        references: (0..)
            .zip(names)
            .map(|(i, name): (u32, _)| (0.3 * size * f64::from(i), name.clone()))
            .collect(),
    };
    line_chart_figure(&LineChart {
        title: titles[0].to_owned(),
        x_label: titles[1].to_owned(),
        y_label: titles[2].to_owned(),
        y_is_percent: percent,
        panels: panels.iter().map(panel).collect(),
    })
    .expect("possible curves")
}

#[test]
fn charts_of_every_number_of_panels_and_curves_are_well_laid_out() {
    for panels in [1, 2, 4, 5, 10] {
        for curves in [0, 1, 4, 45] {
            let names: Vec<String> = (0..curves).map(|i| format!("measure {i}")).collect();
            for size in [1e-9, 0.01, 1.0, 1e9] {
                for percent in [false, true] {
                    let words = ["power", "queries", "significant pairs"];
                    let titles = vec!["a test"; panels];
                    assert_well_laid_out(&charts(words, &titles, &names, size, percent));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn charts_are_well_laid_out_for_every_name(
        title in "\\PC{0,90}",
        x in "\\PC{0,120}",
        y in "\\PC{0,120}",
        panel in "\\PC{0,80}",
        panels in 1_usize..6,
        names in proptest::collection::vec("\\PC{0,60}", 1..12),
        size in -1e9..1e9_f64,
        percent in any::<bool>(),
    ) {
        let titles = vec![panel.as_str(); panels];
        assert_well_laid_out(&charts([&title, &x, &y], &titles, &names, size, percent));
    }
}
