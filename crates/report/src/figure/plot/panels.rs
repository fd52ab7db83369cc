//! Plots of one size side by side, in rows.

use crate::figure::canvas::scene::Area;

pub(crate) struct Panels {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Where the first panel begins.
    pub(crate) left: f64,
    pub(crate) top: f64,
    /// The room at the left of each plot and above it.
    pub(crate) before: f64,
    pub(crate) above: f64,
    /// The width and the height of each plot.
    pub(crate) plot: (f64, f64),
    /// How high a panel is, with what is above and below its plot.
    pub(crate) height: f64,
    /// Between two columns and between two rows.
    pub(crate) gaps: (f64, f64),
}

impl Panels {
    /// How wide a column is with the gap after it.
    fn across(&self) -> f64 {
        self.before + self.plot.0 + self.gaps.0
    }

    pub(crate) fn right(&self) -> f64 {
        self.left + self.columns as f64 * self.across() - self.gaps.0
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.rows as f64 * (self.height + self.gaps.1) - self.gaps.1
    }

    /// The plot of a panel.
    pub(crate) fn area(&self, index: usize) -> Area {
        let (row, column) = (index / self.columns, index % self.columns);
        let left = self.left + self.before + column as f64 * self.across();
        let top = self.top + row as f64 * (self.height + self.gaps.1) + self.above;
        Area::new((left, top), self.plot)
    }

    /// Whether it is the first of its row.
    pub(crate) fn is_first(&self, index: usize) -> bool {
        index.is_multiple_of(self.columns)
    }
}
