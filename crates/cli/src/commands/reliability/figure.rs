//! Power and conflicts against the number of queries (Figures 1 to 4 of the paper), and the share of
//! significant pairs at every level.

use std::path::Path;

use partita_core::reliability::Shares;
use partita_report::{Curve, CurvePanel, Curves, curves_figure};

use super::ReliabilityArgs;
use super::studied::{Measured, Tested};
use crate::failure::Failure;
use crate::output::{is_folder, write_file};

/// One file with the power, or a folder with all three figures.
pub(super) fn draw(
    args: &ReliabilityArgs,
    studied: &[Measured],
    place: &str,
) -> Result<(), Failure> {
    let power = by_queries(
        "Evaluation power",
        "significant pairs",
        power(args, studied),
    );
    if !is_folder(place) {
        return write(place, power);
    }
    std::fs::create_dir_all(place).map_err(|error| Failure::writing(place, &error))?;
    let file = |name: &str| Path::new(place).join(name).to_string_lossy().into_owned();
    write(&file("power.svg"), power)?;
    let conflicts = by_queries(
        "Evaluation stability",
        "conflicts",
        conflicts(args, studied),
    );
    write(&file("conflicts.svg"), conflicts)?;
    let figure = Curves {
        title: "Discriminative power".to_owned(),
        x_label: "significance level".to_owned(),
        y_label: "significant pairs".to_owned(),
        percent: true,
        panels: discrimination(args, studied),
    };
    write(&file("discrimination.svg"), figure)
}

fn write(file: &str, curves: Curves) -> Result<(), Failure> {
    let figure = curves_figure(&curves).map_err(Failure::ours)?;
    write_file(file, &figure.to_svg())
}

fn by_queries(title: &str, y_label: &str, panels: Vec<CurvePanel>) -> Curves {
    Curves {
        title: title.to_owned(),
        x_label: "queries".to_owned(),
        y_label: y_label.to_owned(),
        percent: true,
        panels,
    }
}

/// A panel a test, a curve a measure.
fn panels(
    args: &ReliabilityArgs,
    studied: &[Measured],
    points: impl Fn(&Tested) -> Vec<(f64, f64)>,
    reference: Option<(f64, String)>,
) -> Vec<CurvePanel> {
    let tests = args.tests.iter().enumerate();
    let panel = |(number, test): (usize, &partita_core::reliability::TestCall)| CurvePanel {
        title: test.to_string(),
        curves: studied
            .iter()
            .map(|measured| Curve {
                name: measured.scores.measure().to_owned(),
                points: points(&measured.tests[number]),
                band: None,
            })
            .collect(),
        references: reference.iter().cloned().collect(),
    };
    tests.map(panel).collect()
}

/// The power, with that of the first test and measure on all queries as a reference in all panels.
fn power(args: &ReliabilityArgs, studied: &[Measured]) -> Vec<CurvePanel> {
    let points = |tested: &Tested| by_size(tested, |shares| Some(shares.power));
    let original = studied.first().and_then(|measured| {
        let tested = measured.tests.first()?;
        Some((
            tested.whole_power,
            original(measured, tested, measured.study.queries()),
        ))
    });
    panels(args, studied, points, original)
}

/// The conflicts, with those of the first test and measure at their largest size as a reference.
fn conflicts(args: &ReliabilityArgs, studied: &[Measured]) -> Vec<CurvePanel> {
    let conflicts = |shares: &Shares| Some(shares.stability.as_ref()?.conflicts);
    let points = |tested: &Tested| by_size(tested, conflicts);
    let original = studied.first().and_then(|measured| {
        let tested = measured.tests.first()?;
        let (size, shares) = tested.half()?;
        Some((conflicts(shares)?, original(measured, tested, *size)))
    });
    panels(args, studied, points, original)
}

fn original(measured: &Measured, tested: &Tested, queries: usize) -> String {
    let (measure, test) = (measured.scores.measure(), tested.test.name());
    format!("{measure}, {test}, {queries} queries")
}

fn by_size(tested: &Tested, value: impl Fn(&Shares) -> Option<f64>) -> Vec<(f64, f64)> {
    let sizes = tested.sizes.iter();
    let points = sizes.filter_map(|(size, shares)| Some((*size as f64, value(shares)?)));
    points.collect()
}

/// The share of significant pairs on all queries, at levels up to 0.1.
fn discrimination(args: &ReliabilityArgs, studied: &[Measured]) -> Vec<CurvePanel> {
    let points = |tested: &Tested| -> Vec<(f64, f64)> {
        let levels = (1..=50).map(|step| f64::from(step) * 0.002);
        levels
            .map(|alpha| (alpha, tested.share_at(alpha)))
            .collect()
    };
    let mut panels = panels(args, studied, points, None);
    // These hold at any level.
    for (panel, test) in panels.iter_mut().zip(&args.tests) {
        panel.title = match test.correction() {
            Some(correction) => format!("{}, {correction}", test.name()),
            None => test.name().to_owned(),
        };
    }
    panels
}
