//! Kinds of figures of a comparison of systems, and helpers that they share.

use std::collections::HashMap;
use std::sync::Arc;

use partita_core::comparison::{Comparison, HasseDiagram};
use partita_core::significance::{ComparedQuantity, TestGoal};
use partita_core::truth::Tails;
use partita_named::NamedEnum;

use super::canvas::scene::Figure;
use super::error::FigureError;
use super::{
    MAX_DIAGRAM_SYSTEMS, critical_difference_figure, forest_figure, hasse_figure,
    mean_ranks_figure, means_figure, pairwise_matrix_figure,
};
use crate::phrases::count_noun;
use crate::views::comparison::correction;

partita_named::named_enum! {
    /// Kind of figure of a comparison.
    pub enum ComparisonFigureKind: "figure" {
        /// Mean ranks on a line, with bars over systems that do not differ
        CriticalDifference = "cd",
        /// Mean scores on a line, with bars over systems that do not differ
        Means = "means",
        /// Mean ranks with Tukey's intervals, as MIREX draws them
        MeanRanks = "mean-ranks",
        /// The difference of each system from a baseline, with its interval
        Forest = "forest",
        /// A square with every pair
        Matrix = "matrix",
        /// Partial order of the systems, the best on top
        Hasse = "hasse",
    }
}

impl ComparisonFigureKind {
    /// Returns the kinds that show the quantity that was tested, most informative first:
    /// differences from a baseline if one was named; else mean scores if means were tested, mean
    /// ranks otherwise, with the matrix of pairs (first if there are more than
    /// [`MAX_DIAGRAM_SYSTEMS`] systems) and the partial order.
    pub fn kinds_for(comparison: &Comparison) -> Vec<Self> {
        if !comparison.settings.baselines.is_empty() {
            return vec![Self::Forest];
        }
        let critical = comparison.critical_difference.map(|critical| critical.of);
        let mut kinds = match critical {
            Some(ComparedQuantity::MeanRank) => vec![Self::CriticalDifference, Self::MeanRanks],
            Some(ComparedQuantity::Mean) => vec![Self::Means],
            None if TESTS_OF_MEANS.contains(&&*comparison.test) => vec![Self::Means],
            None => vec![Self::CriticalDifference],
        };
        let place = if comparison.systems.len() > MAX_DIAGRAM_SYSTEMS {
            0
        } else {
            kinds.len()
        };
        kinds.insert(place, Self::Matrix);
        kinds.push(Self::Hasse);
        kinds
    }

    /// Returns the word for this kind in a file name, between the measure and the extension.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::CriticalDifference => "critical-difference",
            other => other.name(),
        }
    }

    /// Draws this kind of figure of a comparison.
    ///
    /// # Errors
    /// Returns [`FigureError`] if the comparison does not have the data for this kind of figure,
    /// has too many systems for it, or has a value that cannot be drawn.
    pub fn draw(self, comparison: &Comparison) -> Result<Figure, FigureError> {
        match self {
            Self::CriticalDifference => critical_difference_figure(comparison),
            Self::Means => means_figure(comparison),
            Self::MeanRanks => mean_ranks_figure(comparison),
            Self::Forest => forest_figure(comparison),
            Self::Matrix => pairwise_matrix_figure(comparison),
            Self::Hasse => hasse_figure(comparison),
        }
    }
}

/// Names of the tests that compare means but have no critical difference.
const TESTS_OF_MEANS: [&str; 3] = ["permutation", "t", "bootstrap"];

/// Sets of systems that do not differ significantly, by name.
pub(super) type Groups = [Vec<Arc<str>>];

/// Returns the sets of systems that do not differ significantly and the partial order of the
/// systems. Fails unless all pairs were tested for a difference.
pub(super) fn require_all_pairs(
    comparison: &Comparison,
) -> Result<(&Groups, &HasseDiagram), FigureError> {
    require_difference_test(comparison)?;
    let groups = comparison.groups.as_deref();
    let whole = groups.zip(comparison.hasse.as_ref());
    whole.ok_or(FigureError::NotAllPairs)
}

/// Returns an error if the comparison was an equivalence test rather than a test of differences.
pub(super) fn require_difference_test(comparison: &Comparison) -> Result<(), FigureError> {
    match comparison.goal {
        TestGoal::Difference => Ok(()),
        TestGoal::Equivalence => Err(FigureError::EquivalenceTest),
    }
}

/// Returns an error if there are more systems than the figure can show.
pub(super) fn require_at_most(
    comparison: &Comparison,
    kind: ComparisonFigureKind,
    most: usize,
) -> Result<(), FigureError> {
    let systems = comparison.systems.len();
    if systems <= most {
        return Ok(());
    }
    Err(FigureError::TooManySystems {
        kind,
        systems,
        most,
    })
}

/// Returns the number of compared systems as a phrase, such as `5 systems`.
pub(super) fn system_count_text(comparison: &Comparison) -> String {
    count_noun(comparison.systems.len(), "system", "systems")
}

/// Returns the subtitle that names the test.
pub(super) fn test_caption(comparison: &Comparison) -> String {
    let mut test = comparison.summary.clone();
    if let Some(first) = test.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let tails = match comparison.settings.tails {
        _ if comparison.simultaneous_p => "",
        Tails::Two => "two-tailed, ",
        Tails::One => "one-tailed both ways, ",
    };
    let (alpha, correction) = (comparison.alpha, correction(comparison));
    let queries = count_noun(comparison.queries, "query", "queries");
    format!("{test} ({tails}alpha {alpha}, {correction}, {queries})")
}

/// Maps the name of each system to its index in [`Comparison::systems`].
pub(super) fn system_indices(comparison: &Comparison) -> HashMap<&str, usize> {
    let names = comparison.systems.iter().map(|system| &*system.name);
    names.zip(0..).collect()
}
