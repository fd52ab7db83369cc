//! How good the lists of each strategy are against the votes that they took.

use std::path::Path;

use partita_judging::simulate::{Estimate, Outcome, measures};
use partita_report::{Curve, CurvePanel, Curves, curves_figure};

use super::SimulateArgs;
use crate::failure::Failure;
use crate::output::{is_folder, write_file};

/// A measure that is drawn: its name, the title of its figure, what y is, and whether that is a share.
const DRAWN: [(&str, &str, &str, bool); 3] = [
    (
        "inversions",
        "Pairs in the wrong order",
        "pairs in the wrong order",
        true,
    ),
    ("adr", "Average dynamic recall", "ADR", false),
    (
        "relations",
        "Pairs whose relation is right",
        "pairs whose relation is right",
        true,
    ),
];

/// The titles of the panels where measures are by two references.
const REFERENCES: [&str; 2] = [
    "Reference 1: cheapest groups",
    "Reference 2: groups end at any difference",
];

/// One file with the inversions, or a folder with a figure for each measure.
pub(super) fn draw(
    args: &SimulateArgs,
    outcomes: &[Outcome],
    references: usize,
    place: &str,
) -> Result<(), Failure> {
    let figures = DRAWN.map(|drawn| (drawn.0, figure(args, outcomes, references, drawn)));
    if !is_folder(place) {
        let [(_, first), ..] = figures;
        return write(place, &first);
    }
    std::fs::create_dir_all(place).map_err(|error| Failure::writing(place, &error))?;
    for (name, curves) in figures {
        let file = Path::new(place).join(format!("{name}.svg"));
        write(&file.to_string_lossy(), &curves)?;
    }
    Ok(())
}

fn write(file: &str, curves: &Curves) -> Result<(), Failure> {
    let figure = curves_figure(curves).map_err(Failure::ours)?;
    write_file(file, &figure.to_svg())
}

/// The figure of a measure, with a panel for each reference that it is by.
fn figure(
    args: &SimulateArgs,
    outcomes: &[Outcome],
    references: usize,
    (measure, title, y_label, percent): (&str, &str, &str, bool),
) -> Curves {
    let names = measures(references);
    let by_each = format!("{measure}_");
    let columns = (0..names.len()).filter(|&column| {
        names[column] == measure || names[column].strip_prefix(&by_each).is_some()
    });
    let columns: Vec<usize> = columns.collect();
    let titles = REFERENCES.map(str::to_owned);
    let titles = match columns.len() {
        1 => vec![args.studied()],
        _ => titles.into(),
    };
    let panels = columns.into_iter().zip(titles);
    Curves {
        title: title.to_owned(),
        x_label: "votes on a list, with 95% intervals over lists".to_owned(),
        y_label: y_label.to_owned(),
        percent,
        panels: panels
            .map(|(column, title)| panel(outcomes, column, title))
            .collect(),
    }
}

fn panel(outcomes: &[Outcome], column: usize, title: String) -> CurvePanel {
    let ends = |estimate: &Estimate| (estimate.lower, estimate.upper);
    let curve = |outcome: &Outcome| {
        let points = outcome.points.iter();
        Curve {
            name: outcome.name.clone(),
            points: (points.clone())
                .map(|point| (point.spent[0].mean, point.quality[column].mean))
                .collect(),
            band: Some(points.map(|point| ends(&point.quality[column])).collect()),
        }
    };
    let baseline = outcomes.first().and_then(|first| {
        let end = first.points.last()?;
        Some((end.quality[column].mean, first.name.clone()))
    });
    CurvePanel {
        title,
        curves: outcomes.iter().map(curve).collect(),
        references: baseline.into_iter().collect(),
    }
}
