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
    #[must_use]
    pub fn of(comparison: &Comparison) -> Self {
        if comparison.groups.is_some() {
            Self::CriticalDifference
        } else {
            Self::Matrix
        }
    }

    /// What a file of it is called, between the measure and the ending.
    #[must_use]
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

/// What is known where all pairs were compared for differences.
pub(super) struct Whole<'a> {
    pub(super) groups: &'a [Vec<Arc<str>>],
    pub(super) hasse: &'a Hasse,
}

pub(super) fn whole(comparison: &Comparison) -> Result<Whole<'_>, FigureError> {
    of_differences(comparison)?;
    match (&comparison.groups, &comparison.hasse) {
        (Some(groups), Some(hasse)) => Ok(Whole { groups, hasse }),
        _ => Err(FigureError::SomePairs),
    }
}

/// Refuses a comparison that asked for something else than differences.
pub(super) fn of_differences(comparison: &Comparison) -> Result<(), FigureError> {
    match comparison.goal {
        Goal::Difference => Ok(()),
        Goal::Equivalence => Err(FigureError::Equivalence),
    }
}

pub(super) fn title(comparison: &Comparison) -> String {
    let Comparison {
        measure,
        test,
        alpha,
        ..
    } = comparison;
    format!("{measure}: {test}, alpha {alpha}")
}

/// The number of each system.
pub(super) fn numbers(comparison: &Comparison) -> HashMap<&Arc<str>, usize> {
    let systems = comparison.systems.iter().enumerate();
    systems
        .map(|(number, system)| (&system.name, number))
        .collect()
}
