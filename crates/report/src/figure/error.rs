//! What can be wrong with the data of a figure.

use super::comparison::ComparisonFigureKind;

/// Larger numbers have no room at an axis.
const LARGEST: f64 = 1e12;

/// Why a comparison of systems or a chart of curves could not be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// Nobody could read a figure of so many systems.
    #[error("a figure of the kind `{kind}` shows at most {most} systems, and there are {systems}")]
    TooManySystems {
        /// The kind of figure.
        kind: ComparisonFigureKind,
        /// The number of systems.
        systems: usize,
        /// The most systems such a figure shows.
        most: usize,
    },
    /// A figure of who is better was asked for of a test of equivalence.
    #[error("figures show who is better, which the equivalence test does not ask")]
    EquivalenceTest,
    /// A figure of the order of all systems was asked for where only some pairs were compared.
    #[error("only the kind `forest` can be drawn where systems were compared with a baseline")]
    NotAllPairs,
    /// Differences from a baseline were asked for where every pair was compared.
    #[error("a figure of the kind `forest` needs a baseline")]
    NoBaseline,
    /// Intervals of mean ranks were asked for of a test that has none.
    #[error("a figure of the kind `mean-ranks` shows Friedman's test with Tukey's HSD, not `{0}`")]
    NoCriticalRanks(String),
    /// A curve does not have one interval for each of its points.
    #[error("the curve \"{curve}\" has a band of {band} intervals for {points} points")]
    BandLength {
        /// The name of the curve.
        curve: String,
        /// The number of intervals.
        band: usize,
        /// The number of points.
        points: usize,
    },
    /// A value is not a number, or not one that can be drawn.
    #[error("\"{title}\", {place}: {value} cannot be drawn as {quantity}")]
    NotDrawable {
        /// The title of the figure.
        title: String,
        /// The system, the pair of systems or the curve.
        place: String,
        /// What the value should be.
        quantity: &'static str,
        /// The value.
        value: f64,
    },
}

impl FigureError {
    /// Fails unless the value is a number with room at an axis.
    pub(super) fn check_drawable(
        title: &str,
        place: impl FnOnce() -> String,
        quantity: &'static str,
        value: f64,
    ) -> Result<(), Self> {
        if value.abs() <= LARGEST {
            return Ok(());
        }
        let (title, place) = (title.to_owned(), place());
        Err(Self::NotDrawable {
            title,
            place,
            quantity,
            value,
        })
    }
}
