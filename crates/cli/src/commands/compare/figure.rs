//! The figures of a comparison.

use std::path::Path;

use clap::ValueEnum;
use partita_core::compare::{self, Comparison, Goal, Leaderboard, Pair};
use partita_formats::Warning;
use partita_report::{
    CriticalDifference, Figure, FigureError, Hasse, MatrixCell, PairwiseMatrix,
    critical_difference_figure, hasse_figure, pairwise_matrix_figure,
};

use crate::failure::Failure;
use crate::output::{is_folder, write_file};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// Mean ranks on a line, with bars over systems that do not differ
    Cd,
    /// A square with every pair
    Matrix,
    /// Who is better than whom, the best on top
    Hasse,
}

impl Kind {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Cd, "critical-difference"),
        (Self::Matrix, "matrix"),
        (Self::Hasse, "hasse"),
    ];
}

/// Draws one figure, or, where the name given is that of a folder, all of them. What a folder
/// cannot get is remarked.
pub(super) fn draw(
    comparisons: &[Comparison],
    kind: Option<Kind>,
    place: &str,
) -> Result<Vec<Warning>, Failure> {
    if is_folder(place) {
        return draw_all(comparisons, kind, place);
    }
    let [comparison] = comparisons else {
        let message = format!(
            "a figure shows one measure, but there are {}",
            comparisons.len()
        );
        return Err(Failure::input(message)
            .hint("choose one with --measure, or name a folder, as in `--figure figures/`"));
    };
    let default = match comparison.leaderboard.is_some() {
        true => Kind::Cd,
        false => Kind::Matrix,
    };
    let figure = figure(comparison, kind.unwrap_or(default))?;
    write_file(place, &figure.to_svg())?;
    Ok(Vec::new())
}

fn draw_all(
    comparisons: &[Comparison],
    kind: Option<Kind>,
    place: &str,
) -> Result<Vec<Warning>, Failure> {
    std::fs::create_dir_all(place).map_err(|error| Failure::writing(place, &error))?;
    let mut warnings = Vec::new();
    for comparison in comparisons {
        let measure = &comparison.measure;
        if measure.contains(['/', '\\']) || measure.starts_with('.') {
            let message = format!("the measure `{measure}` cannot be the name of a file");
            return Err(Failure::input(message));
        }
        for (one, name) in Kind::ALL {
            if kind.is_some_and(|kind| kind != one) {
                continue;
            }
            let file = Path::new(place).join(format!("{measure}-{name}.svg"));
            let file = file.to_string_lossy();
            match figure(comparison, one) {
                Ok(figure) => write_file(&file, &figure.to_svg())?,
                Err(Failure::Input { message, .. }) => warnings.push(Warning {
                    file: file.into_owned(),
                    line: None,
                    message: format!("not drawn: {message}"),
                }),
                Err(other) => return Err(other),
            }
        }
    }
    Ok(warnings)
}

fn figure(comparison: &Comparison, kind: Kind) -> Result<Figure, Failure> {
    let title = format!(
        "{}: {}, alpha {}",
        comparison.measure,
        comparison.test.name,
        comparison.settings.alpha.value()
    );
    let drawn = match (kind, &comparison.leaderboard) {
        _ if comparison.test.goal == Goal::Equivalence => {
            let message = "figures show who is better, which the equivalence test does not ask";
            return Err(Failure::input(message));
        }
        (Kind::Matrix, _) => pairwise_matrix_figure(&matrix(comparison, title)),
        (_, None) => {
            return Err(Failure::input("only the matrix can be drawn of some pairs"));
        }
        (Kind::Hasse, Some(leaderboard)) => {
            let systems = comparison.systems.iter();
            hasse_figure(&Hasse {
                title,
                systems: systems.map(|s| (s.name.clone(), s.mean)).collect(),
                edges: leaderboard.order.edges.clone(),
            })
        }
        (Kind::Cd, Some(leaderboard)) => {
            critical_difference_figure(&diagram(comparison, leaderboard, title))
        }
    };
    drawn.map_err(|error| match error {
        FigureError::TooManySystems { .. } => {
            let hint = "the matrix has the most room: `--kind matrix`";
            Failure::input(error.to_string()).hint(hint)
        }
        FigureError::NotDrawable { .. } => Failure::input(error.to_string()),
        other => Failure::ours(other),
    })
}

fn diagram(
    comparison: &Comparison,
    leaderboard: &Leaderboard,
    title: String,
) -> CriticalDifference {
    let systems = comparison.systems.iter();
    CriticalDifference {
        title,
        systems: systems.map(|s| (s.name.clone(), s.mean_rank)).collect(),
        critical_difference: match comparison.critical_difference {
            Some(compare::CriticalDifference::OfRanks(difference)) => Some(difference),
            _ => None,
        },
        cliques: leaderboard.groups.clone(),
    }
}

fn matrix(comparison: &Comparison, title: String) -> PairwiseMatrix {
    let k = comparison.systems.len();
    let mut cells = vec![vec![None; k]; k];
    for pair in &comparison.pairs {
        let cell = MatrixCell {
            p: pair.p_adjusted,
            difference: shown_difference(comparison, pair),
            significant: pair.significant,
        };
        cells[pair.a][pair.b] = Some(cell);
        cells[pair.b][pair.a] = Some(MatrixCell {
            difference: -cell.difference,
            ..cell
        });
    }
    PairwiseMatrix {
        title,
        systems: comparison.systems.iter().map(|s| s.name.clone()).collect(),
        cells,
    }
}

/// The difference that the test decides by: of mean ranks for Friedman's, and wherever the means
/// speak for the other system.
fn shown_difference(comparison: &Comparison, pair: &Pair) -> f64 {
    let of_ranks = matches!(
        comparison.critical_difference,
        Some(compare::CriticalDifference::OfRanks(_))
    );
    match of_ranks || pair.against_the_means {
        true => pair.mean_rank_difference,
        false => pair.difference,
    }
}
