//! Matrix of all pairs of systems: which is better, and whether significantly.

use partita_core::comparison::{ComparedSystem, Comparison, PairComparison};
use partita_core::significance::ComparedQuantity;
use partita_stats::adjustment::Adjustment;

use super::canvas::caption::{MARGIN, footnote, heading};
use super::canvas::scene::{
    Area, Colour, Figure, SECONDARY_COLOUR, Shape, Stroke, TEXT_COLOUR, Text, WHITE,
};
use super::canvas::text_metrics;
use super::comparison::{
    ComparisonFigureKind, require_all_pairs, require_at_most, system_count_text, system_indices,
    test_caption,
};
use super::error::FigureError;
use super::plot::box_summary::three_decimals_at_most;
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use crate::phrases;
use crate::phrases::join;

/// Maximum number of systems in [`pairwise_matrix_figure`].
pub const MAX_MATRIX_SYSTEMS: usize = 200;

/// Maximum number of systems for which cells contain their p-values.
const MAX_SYSTEMS_WITH_P_VALUES: usize = 20;
/// Maximum number of systems for which cells have tooltips. With more systems the file would have
/// megabytes.
const MAX_SYSTEMS_WITH_TOOLTIPS: usize = 40;
/// Maximum width of a system name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 200.0;
/// Distance between a system name and the matrix, in figure units.
const NAME_GAP: f64 = 5.0;
/// Minimum width of the figure.
const MIN_FIGURE_WIDTH: f64 = 420.0;
/// Font size of the p-values in cells.
const P_VALUE_FONT_SIZE: f64 = 9.0;

/// Cell of the matrix: comparison of the system of its row with the system of its column.
#[derive(Clone, Copy, Debug)]
struct MatrixCell {
    verdict: PairVerdict,
    /// Adjusted p-value; `None` if the pair was not tested.
    p: Option<f64>,
    /// Mean of the row's system minus that of the column's system (or of mean ranks, if they decide
    /// the test), positive if the row's system is better.
    difference: f64,
}

/// Matrix of the comparisons of every system with every other.
struct Matrix<'a> {
    systems: &'a [ComparedSystem],
    /// Cells by row and column; both are in the order of `systems`.
    cells: Vec<Vec<MatrixCell>>,
    cell: f64,
    /// Font size of system names.
    size: f64,
    alpha: f64,
}

/// Draws a square matrix with a cell for every pair of systems. The colour says which system is
/// significantly better, if any.
///
/// A cell compares the system of its row with the system of its column. With up to 20 systems it
/// contains the p-value, bold if significant; with up to 40 it has a tooltip. The diagonal is
/// blank.
///
/// # Errors
/// Returns [`FigureError`] if there are more than [`MAX_MATRIX_SYSTEMS`] systems, if only some
/// pairs were compared, if the test is an equivalence test, or if a difference is beyond ±10¹².
pub fn pairwise_matrix_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    require_all_pairs(comparison)?;
    require_at_most(comparison, ComparisonFigureKind::Matrix, MAX_MATRIX_SYSTEMS)?;
    let (many, measure) = (system_count_text(comparison), &comparison.measure);
    let title = format!("Which of {many} are better or worse by {measure}");
    let matrix = Matrix::new(comparison, &title)?;
    let systems = matrix.systems.len();
    let side = matrix.cell * systems as f64;
    let names = matrix.systems.iter().map(|system| &system.name);
    let name_width = text_metrics::widest(names, matrix.size).min(MAX_NAME_WIDTH);
    let left = MARGIN + name_width + NAME_GAP;
    let width = (left + side + MARGIN).max(MIN_FIGURE_WIDTH);

    let (mut shapes, top) = heading(&title, &test_caption(comparison), width);
    let below = Legend::new(matrix.legend_entries(), None, width).draw(top, &mut shapes);
    let square = Area::new((left, below + 10.0 + name_width + NAME_GAP), (side, side));
    shapes.extend(matrix.names_around(&square));
    shapes.extend(matrix.rows(&square));
    shapes.extend(grid(&square, matrix.cell, systems));
    let height = footnote(
        &footnote_text(comparison),
        width,
        square.bottom() + 20.0,
        &mut shapes,
    );
    let size = (width, height);
    Ok(Figure::new(title, matrix.description(), size, shapes))
}

/// Returns the difference by which the test decides the pair, positive if the first system leads.
/// It is the difference of mean ranks if the critical difference is one of mean ranks or if the
/// test contradicts the order of the means, and the difference of means otherwise.
fn shown_difference(comparison: &Comparison, pair: &PairComparison) -> f64 {
    let of_ranks = (comparison.critical_difference)
        .is_some_and(|critical| critical.of == ComparedQuantity::MeanRank);
    if of_ranks || pair.against_the_means {
        // Positive if the first system leads.
        comparison
            .settings
            .ranks
            .to_increasing(pair.mean_rank_difference)
    } else {
        pair.difference
    }
}

/// Verdict on a pair of systems that a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PairVerdict {
    Better,
    Worse,
    NotSignificant,
    /// Pair that the test cannot decide because its differences do not vary.
    Untested,
    /// Significant difference, but the test does not say which system is better.
    Unequal,
    Diagonal,
}

impl PairVerdict {
    fn from_pair(pair: &PairComparison) -> Self {
        match &pair.better {
            _ if pair.p.is_none() => Self::Untested,
            _ if !pair.significant => Self::NotSignificant,
            Some(better) if *better == pair.a => Self::Better,
            Some(_) => Self::Worse,
            None => Self::Unequal,
        }
    }

    /// Returns the verdict with the two systems swapped.
    fn reversed(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            same => same,
        }
    }

    fn is_significant(self) -> bool {
        matches!(self, Self::Better | Self::Worse | Self::Unequal)
    }

    /// Returns the cell colour, the text colour and the meaning of a verdict. Blue and orange of
    /// Okabe and Ito (2008), one dark and one light, also differ in greyscale.
    fn colours_and_meaning(self) -> (Colour, Colour, &'static str) {
        match self {
            Self::Better => ("#0072B2", WHITE, "row better"),
            Self::Worse => ("#F0B040", TEXT_COLOUR, "row worse"),
            Self::NotSignificant => ("#E9E9E9", SECONDARY_COLOUR, "not significant"),
            Self::Untested => ("#F7F7F7", SECONDARY_COLOUR, "not tested"),
            Self::Unequal => ("#CC79A7", TEXT_COLOUR, "significant without a direction"),
            Self::Diagonal => (WHITE, TEXT_COLOUR, ""),
        }
    }
}

impl<'a> Matrix<'a> {
    fn new(comparison: &'a Comparison, title: &str) -> Result<Self, FigureError> {
        let indices = system_indices(comparison);
        let count = indices.len();
        let nothing = MatrixCell {
            verdict: PairVerdict::Diagonal,
            p: None,
            difference: 0.0,
        };
        let mut cells = vec![vec![nothing; count]; count];
        for pair in &comparison.pairs {
            let (difference, p) = (shown_difference(comparison, pair), pair.p_adjusted);
            let place = || format!("{} and {}", pair.a, pair.b);
            FigureError::check_drawable(title, place, "a difference", difference)?;
            let verdict = PairVerdict::from_pair(pair);
            let cell = |verdict, difference| MatrixCell {
                verdict,
                p,
                difference,
            };
            let (a, b) = (indices[&*pair.a], indices[&*pair.b]);
            cells[a][b] = cell(verdict, difference);
            cells[b][a] = cell(verdict.reversed(), -difference);
        }
        let (cell, size) = match count {
            0..=8 => (46.0, 11.0),
            9..=MAX_SYSTEMS_WITH_P_VALUES => (36.0, 11.0),
            21..=MAX_SYSTEMS_WITH_TOOLTIPS => (18.0, 10.0),
            41..=80 => (11.0, 9.0),
            _ => (8.0, 7.5),
        };
        Ok(Self {
            systems: &comparison.systems,
            cells,
            cell,
            size,
            alpha: comparison.alpha,
        })
    }

    /// Returns the legend entries of the verdicts. The entries for untested pairs and for differences
    /// without a direction are included only if the matrix has such cells.
    fn legend_entries(&self) -> Vec<LegendEntry> {
        let occurs =
            |verdict: &PairVerdict| self.cells.iter().flatten().any(|c| c.verdict == *verdict);
        let always = [
            PairVerdict::Better,
            PairVerdict::Worse,
            PairVerdict::NotSignificant,
        ];
        let entry = |verdict: PairVerdict| {
            let (colour, _, words) = verdict.colours_and_meaning();
            LegendEntry::new(LegendKey::Surface(colour), words)
        };
        let at_times = [PairVerdict::Untested, PairVerdict::Unequal]
            .into_iter()
            .filter(occurs);
        always.into_iter().chain(at_times).map(entry).collect()
    }

    /// Draws the system names at the left of the matrix and, rotated, above it.
    fn names_around(&self, square: &Area) -> Vec<Shape> {
        let names = self.systems.iter().enumerate().flat_map(|(index, system)| {
            let along = (index as f64 + 0.5) * self.cell + 0.36 * self.size;
            let name = |x, y| Text::new(&*system.name, (x, y), self.size).fitted(MAX_NAME_WIDTH);
            let row = name(square.left - NAME_GAP, square.top + along).end();
            let column = name(square.left + along, square.top - NAME_GAP).upwards();
            [row.into(), column.into()]
        });
        names.collect()
    }

    /// Draws all cells, row by row.
    fn rows(&self, square: &Area) -> Vec<Shape> {
        let systems = self.systems.len();
        let with_titles = systems <= MAX_SYSTEMS_WITH_TOOLTIPS;
        let mut shapes = Vec::new();
        for (i, row) in self.cells.iter().enumerate() {
            let mut from = 0;
            while from < systems {
                let verdict = row[from].verdict;
                // Cells without text are merged with equal neighbours into one rectangle.
                let rest = row[from..].iter();
                let alike = rest.take_while(|cell| cell.verdict == verdict);
                let count = if with_titles { 1 } else { alike.count() };
                let [x, y, width] = [from, i, count].map(|cells| cells as f64 * self.cell);
                let area = Area::new((square.left + x, square.top + y), (width, self.cell));
                let surface = Shape::rect(area, verdict.colours_and_meaning().0, None);
                match verdict {
                    PairVerdict::Diagonal => {}
                    _ if with_titles => {
                        shapes.push(self.cell_with_tooltip((i, from), surface, &area));
                    }
                    _ => shapes.push(surface),
                }
                from += count;
            }
        }
        shapes
    }

    /// Draws the cell of row `i` and column `j` with its tooltip and, up to
    /// [`MAX_SYSTEMS_WITH_P_VALUES`] systems, its p-value.
    fn cell_with_tooltip(&self, (i, j): (usize, usize), surface: Shape, area: &Area) -> Shape {
        let cell = &self.cells[i][j];
        let verdict = cell.verdict;
        let mut shapes = vec![surface];
        let mut title = format!(
            "{} against {}: ",
            self.systems[i].name, self.systems[j].name
        );
        if self.systems.len() <= MAX_SYSTEMS_WITH_P_VALUES {
            let baseline = area.top + area.height / 2.0 + 0.36 * P_VALUE_FONT_SIZE;
            let value = Text::new(
                cell.p
                    .map_or("–".to_owned(), |p| p_value_text(p, self.alpha)),
                (area.middle(), baseline),
                P_VALUE_FONT_SIZE,
            );
            let bold = verdict.is_significant();
            let value = value.middle().coloured(verdict.colours_and_meaning().1);
            shapes.push(if bold { value.bold() } else { value }.into());
        }
        let difference = three_decimals_at_most(cell.difference);
        let outcome = match cell.p.map(|p| phrases::format_p_value(p.min(1.0))) {
            None => "not tested".to_owned(),
            Some(p) => {
                let not = if verdict.is_significant() { "" } else { "not " };
                let sign = if p.starts_with('<') { "" } else { "= " };
                format!("p {sign}{p}, {not}significant")
            }
        };
        title += &format!("difference {difference}, {outcome}");
        Shape::with_tooltip(title, shapes)
    }

    fn description(&self) -> String {
        let systems = self.systems.len();
        let pairs = || (0..systems).flat_map(|i| (0..i).map(move |j| self.cells[i][j].verdict));
        let significant = pairs().filter(|verdict| verdict.is_significant());
        let (significant, all) = (significant.count(), pairs().count());
        let rows = self.systems.iter().zip(&self.cells).map(|(system, row)| {
            let count = |verdict| row.iter().filter(|cell| cell.verdict == verdict).count();
            let (better, worse) = (count(PairVerdict::Better), count(PairVerdict::Worse));
            format!(
                "{} is better than {better} and worse than {worse}",
                system.name
            )
        });
        let rows = join(rows, "; ");
        format!(
            "Comparisons of {systems} systems: {significant} of {all} pairs differ significantly. \
             {rows}."
        )
    }
}

/// Draws white lines between the cells, and a border around the matrix.
fn grid(square: &Area, cell: f64, systems: usize) -> Vec<Shape> {
    let (left, top, right, bottom) = (square.left, square.top, square.right(), square.bottom());
    let white = Stroke::solid(WHITE, if cell > 15.0 { 1.2 } else { 0.5 });
    let lines = (1..systems).flat_map(|index| {
        let (x, y) = (left + index as f64 * cell, top + index as f64 * cell);
        let down = Shape::line((x, top), (x, bottom), white);
        [down, Shape::line((left, y), (right, y), white)]
    });
    let corners = [
        (left, top),
        (right, top),
        (right, bottom),
        (left, bottom),
        (left, top),
    ];
    let corners = corners.map(Into::into).to_vec();
    let edge = Shape::Polyline(corners, Stroke::solid("#AAAAAA", 0.8));
    lines.chain([edge]).collect()
}

/// Formats a p-value without the leading zero. A value below alpha is never rounded up to alpha.
fn p_value_text(p: f64, alpha: f64) -> String {
    let short = |number: String| number.strip_prefix('0').unwrap_or("1").to_owned();
    let p = p.min(1.0);
    let text = format!("{p:.3}");
    let rounded: f64 = text.parse().expect("a formatted number can be parsed");
    if p < 0.0005 {
        "<.001".to_owned()
    } else if p < alpha && rounded >= alpha {
        format!("<{}", short(alpha.to_string()))
    } else {
        short(text)
    }
}

/// Returns the footnote, which explains the cells and their numbers.
fn footnote_text(comparison: &Comparison) -> String {
    let mut words = "A cell says whether the system of its row is significantly better or worse \
                     than the system of its column."
        .to_owned();
    if comparison.systems.len() <= MAX_SYSTEMS_WITH_P_VALUES {
        let adjusted = if comparison.simultaneous_p || comparison.correction != Adjustment::None {
            "adjusted for the number of comparisons"
        } else {
            "not adjusted for the number of comparisons"
        };
        let alpha = comparison.alpha;
        words += &format!(" Numbers: p-values {adjusted}, bold if below alpha, {alpha}.");
    }
    words
}
