//! Grid of plots of equal size.

use crate::figure::canvas::scene::Area;

/// Grid of panels: number of columns and rows, position, and sizes. Lengths are in figure units.
pub(crate) struct Panels {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// X of the left edge of the first panel.
    pub(crate) left: f64,
    pub(crate) top: f64,
    /// Width at the left of each plot for its y axis; `above` is the height above it for text.
    pub(crate) before: f64,
    pub(crate) above: f64,
    /// Width and height of each plot.
    pub(crate) plot: (f64, f64),
    /// Height of a panel with the text above and below its plot.
    pub(crate) height: f64,
    /// Horizontal distance between columns, and vertical distance between rows.
    pub(crate) gaps: (f64, f64),
}

impl Panels {
    /// Returns the width of a column with the gap after it.
    fn column_step(&self) -> f64 {
        self.before + self.plot.0 + self.gaps.0
    }

    /// Returns the x of the right edge of the grid.
    pub(crate) fn right(&self) -> f64 {
        self.left + self.columns as f64 * self.column_step() - self.gaps.0
    }

    /// Returns the y of the lower edge of the grid.
    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.rows as f64 * (self.height + self.gaps.1) - self.gaps.1
    }

    /// Returns the plot area of the panel with this index, counted from 0 row by row.
    pub(crate) fn area(&self, index: usize) -> Area {
        let (row, column) = (index / self.columns, index % self.columns);
        let left = self.left + self.before + column as f64 * self.column_step();
        let top = self.top + row as f64 * (self.height + self.gaps.1) + self.above;
        Area::new((left, top), self.plot)
    }

    /// Returns true if the panel is the first of its row in the grid.
    pub(crate) fn is_first_in_row(&self, index: usize) -> bool {
        index.is_multiple_of(self.columns)
    }
}
