//! What the figures of a comparison share, and which there are.

use std::collections::HashMap;
use std::sync::Arc;

use partita_core::compare::{Comparison, Hasse};
use partita_core::test::Goal;

use super::error::FigureError;
use super::scene::Figure;
use super::{critical_difference_figure, hasse_figure, pairwise_matrix_figure};

partita_stats::named! {
    /// A figure of a comparison.
    pub enum ComparisonFigure: "figure" {
        /// Mean ranks on a line, with bars over systems that do not differ
        CriticalDifference = "cd",
        /// A square with every pair
        Matrix = "matrix",
        /// Who is better than whom, the best on top
        Hasse = "hasse",
    }
}

impl ComparisonFigure {
    /// The one that shows most of this comparison: the matrix where only some pairs were compared.
    pub fn of(comparison: &Comparison) -> Self {
        if comparison.groups.is_some() {
            Self::CriticalDifference
        } else {
            Self::Matrix
        }
    }

    /// What a file of it is called, between the measure and the ending.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::CriticalDifference => "critical-difference",
            Self::Matrix => "matrix",
            Self::Hasse => "hasse",
        }
    }

    /// Draws it.
    ///
    /// # Errors
    /// When the comparison cannot be shown so.
    pub fn draw(self, comparison: &Comparison) -> Result<Figure, FigureError> {
        match self {
            Self::CriticalDifference => critical_difference_figure(comparison),
            Self::Matrix => pairwise_matrix_figure(comparison),
            Self::Hasse => hasse_figure(comparison),
        }
    }
}

/// Sets of systems by name.
pub(super) type Groups = [Vec<Arc<str>>];

/// What is known where all pairs were compared for differences: sets of systems that do not differ,
/// and the order of the better ones.
pub(super) fn whole(comparison: &Comparison) -> Result<(&Groups, &Hasse), FigureError> {
    of_differences(comparison)?;
    let groups = comparison.groups.as_deref();
    let whole = groups.zip(comparison.hasse.as_ref());
    whole.ok_or(FigureError::SomePairs)
}

/// Refuses a comparison that asked for something else than differences.
pub(super) fn of_differences(comparison: &Comparison) -> Result<(), FigureError> {
    match comparison.goal {
        Goal::Difference => Ok(()),
        Goal::Equivalence => Err(FigureError::Equivalence),
    }
}

/// Refuses a comparison of more systems than the figure has room for.
pub(super) fn of_at_most(comparison: &Comparison, most: usize) -> Result<(), FigureError> {
    let (title, systems) = (title(comparison), comparison.systems.len());
    if systems <= most {
        return Ok(());
    }
    Err(FigureError::TooManySystems {
        title,
        systems,
        most,
    })
}

pub(super) fn title(comparison: &Comparison) -> String {
    let (measure, test) = (&comparison.measure, &comparison.test);
    format!("{measure}: {test}, alpha {}", comparison.alpha)
}

/// The number of each system.
pub(super) fn numbers(comparison: &Comparison) -> HashMap<&str, usize> {
    let names = comparison.systems.iter().map(|system| &*system.name);
    names.zip(0..).collect()
}
