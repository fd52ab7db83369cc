//! Errors of data that cannot be drawn as a figure.

use super::comparison::ComparisonFigureKind;

/// Largest absolute value that fits in a readable axis label.
const MAX_DRAWABLE_VALUE: f64 = 1e12;

/// Reason why a comparison or a line chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// The comparison has more systems than the figure can show.
    #[error("a figure of the kind `{kind}` shows at most {most} systems, and there are {systems}")]
    TooManySystems {
        /// Kind of figure.
        kind: ComparisonFigureKind,
        /// Number of systems.
        systems: usize,
        /// Maximum number of systems that this kind of figure can show.
        most: usize,
    },
    /// The figure shows which systems are better, but the test is an equivalence test.
    #[error("figures show who is better, which the equivalence test does not ask")]
    EquivalenceTest,
    /// The figure needs all pairs, but only some were compared.
    #[error("only the kind `forest` can be drawn where systems were compared with a baseline")]
    NotAllPairs,
    /// The figure shows differences from a baseline, but every pair was compared.
    #[error("a figure of the kind `forest` needs a baseline")]
    NoBaseline,
    /// The figure shows intervals of mean ranks, but this test has no critical difference of mean
    /// ranks.
    #[error("a figure of the kind `mean-ranks` shows Friedman's test with Tukey's HSD, not `{0}`")]
    NoCriticalRanks(String),
    /// The band of a series does not have one interval per point.
    #[error("the curve \"{curve}\" has a band of {band} intervals for {points} points")]
    BandLength {
        /// Name of the series.
        curve: String,
        /// Number of intervals of the band.
        band: usize,
        /// Number of points of the series.
        points: usize,
    },
    /// A value is not a number or too large to be drawn.
    #[error("\"{title}\", {place}: {value} cannot be drawn as {quantity}")]
    NotDrawable {
        /// Title of the figure.
        title: String,
        /// System, pair of systems or series that has the value.
        place: String,
        /// Name of the quantity that the value belongs to.
        quantity: &'static str,
        /// Value that cannot be drawn.
        value: f64,
    },
}

impl FigureError {
    /// Returns an error unless the value is finite and small enough for an axis label.
    pub(super) fn check_drawable(
        title: &str,
        place: impl FnOnce() -> String,
        quantity: &'static str,
        value: f64,
    ) -> Result<(), Self> {
        if value.abs() <= MAX_DRAWABLE_VALUE {
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
