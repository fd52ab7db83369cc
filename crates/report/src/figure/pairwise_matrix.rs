//! Every pair of systems in a square: which is better, and whether significantly.

use partita_core::compare::{Comparison, Pair};
use partita_core::test::Quantity;

use super::caption::{MARGIN, footnote, heading};
use super::comparison::{numbers, of_differences, title};
use super::error::FigureError;
use super::legend::{Entry, Legend, Sample};
use super::sample::three_decimals_at_most;
use super::scene::{Anchor, Area, Colour, Figure, Fill, INK, Point, QUIET, Shape, Stroke, Text};
use super::typeface;

/// The most systems [`pairwise_matrix_figure`] shows.
pub const MAX_MATRIX_SYSTEMS: usize = 200;

/// Up to as many systems, cells have room for a p-value.
const WITH_VALUES: usize = 20;
/// Up to as many systems, the words of each cell can be read by pointing at it;
/// those of more would make a file of megabytes.
const WITH_TITLES: usize = 40;
const LONGEST_NAME: f64 = 150.0;
const NAME_GAP: f64 = 5.0;
const NARROWEST: f64 = 420.0;
const VALUE_SIZE: f64 = 9.0;

/// The line through a pair that was not compared.
const STRIKE: Stroke = Stroke {
    colour: "#AAAAAA",
    width: 0.7,
    dashes: &[],
    opacity: 1.0,
};

/// How the system of a row compares with that of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MatrixCell {
    pub(super) p: f64,
    /// By how much the system of the row is ahead of that of the column.
    pub(super) difference: f64,
    pub(super) significant: bool,
    /// Whether the system of the row is the better one, if either is.
    pub(super) better: Option<bool>,
}

/// How every system compares with every other.
pub(super) struct PairwiseMatrix {
    pub(super) title: String,
    /// The systems, in the order of rows and columns.
    pub(super) systems: Vec<String>,
    /// A row for each system: how it compares with the system of each column; nothing
    /// where there was no comparison, and on the diagonal.
    pub(super) cells: Vec<Vec<Option<MatrixCell>>>,
}

/// A square with a cell for every pair of systems, coloured by which is better
/// and whether significantly.
///
/// A cell says how the system of its row compares with that of its column. Up to
/// 20 systems the p-value stands in it, bold if significant; up to 40 its words
/// can be read by pointing at it. The diagonal is blank, and a pair that was not
/// compared is struck through.
///
/// # Errors
/// When there are more than [`MAX_MATRIX_SYSTEMS`] systems, when equivalence was
/// asked for, or when a difference is beyond ±10¹².
///
/// ```
/// use partita_core::Scores;
/// use partita_core::compare::{Settings, compare};
/// use partita_core::work::InTurn;
/// use partita_report::pairwise_matrix_figure;
///
/// let values = (0..8).flat_map(|i| [0.9 - 0.01 * f64::from(i), 0.2]);
/// let queries = (1..=8).map(|query| query.to_string());
/// let scores = Scores::new("AP", ["EMD", "n-grams"], queries, values.collect())?;
/// let figure = pairwise_matrix_figure(&compare(&scores, "sign", &Settings::default(), &InTurn)?)?;
/// assert!(figure.description().contains("1 of 1 pairs differ significantly"));
/// assert!(figure.to_svg().contains(">.008</text>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairwise_matrix_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    of_differences(comparison)?;
    let title = title(comparison);
    let numbers = numbers(comparison);
    let systems = numbers.len();
    FigureError::if_too_many(&title, systems, MAX_MATRIX_SYSTEMS)?;
    let mut cells = vec![vec![None; systems]; systems];
    for pair in &comparison.pairs {
        let difference = shown_difference(comparison, pair);
        let place = || format!("{} and {}", pair.a, pair.b);
        FigureError::unless_drawable(&title, place, "a difference", difference)?;
        let cell = MatrixCell {
            p: pair.p_adjusted,
            difference,
            significant: pair.significant,
            better: pair.better.as_ref().map(|better| *better == pair.a),
        };
        let (a, b) = (numbers[&pair.a], numbers[&pair.b]);
        cells[a][b] = Some(cell);
        cells[b][a] = Some(MatrixCell {
            difference: -difference,
            better: cell.better.map(|better| !better),
            ..cell
        });
    }
    draw(&PairwiseMatrix {
        title,
        systems: comparison
            .systems
            .iter()
            .map(|s| s.name.to_string())
            .collect(),
        cells,
    })
}

/// The difference that the test decides by: of mean ranks for Friedman's, and wherever
/// the means speak for the other system.
fn shown_difference(comparison: &Comparison, pair: &Pair) -> f64 {
    let of_ranks =
        (comparison.critical_difference).is_some_and(|critical| critical.of == Quantity::MeanRank);
    if of_ranks || pair.against_the_means {
        pair.mean_rank_difference
    } else {
        pair.difference
    }
}

pub(super) fn draw(matrix: &PairwiseMatrix) -> Result<Figure, FigureError> {
    let systems = matrix.systems.len();
    FigureError::if_too_many(&matrix.title, systems, MAX_MATRIX_SYSTEMS)?;
    let style = Style::of(systems);
    let side = style.cell * systems as f64;
    let names = matrix.systems.iter();
    let names = names.map(|name| typeface::width(name, style.size, false));
    let name_width = names.fold(0.0, f64::max).min(LONGEST_NAME);
    let left = MARGIN + name_width + NAME_GAP;
    let width = (left + side + MARGIN).max(NARROWEST);

    let legend = Legend::new(entries(matrix), None, width - 2.0 * MARGIN);
    let mut shapes = vec![heading(&matrix.title, width)];
    shapes.extend(legend.shapes(Point::new(MARGIN, 34.0)));
    let square = Area {
        left,
        top: 34.0 + legend.height() + 10.0 + name_width + NAME_GAP,
        width: side,
        height: side,
    };
    shapes.extend(names_around(matrix, &square, style));
    shapes.extend(rows(matrix, &square, style));
    shapes.extend(grid(&square, style.cell, systems));
    let (notes, height) = footnote(&note(systems), width, square.bottom() + 20.0);
    shapes.extend(notes);
    Ok(Figure {
        title: matrix.title.clone(),
        description: description(matrix),
        width,
        height,
        shapes,
    })
}

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Better,
    Worse,
    NotSignificant,
    /// Significant, but neither is better.
    Unequal,
    NotCompared,
    Diagonal,
}

impl Verdict {
    fn at(matrix: &PairwiseMatrix, i: usize, j: usize) -> Self {
        match matrix.cells[i][j] {
            _ if i == j => Self::Diagonal,
            None => Self::NotCompared,
            Some(cell) if !cell.significant => Self::NotSignificant,
            Some(cell) => match cell.better {
                Some(true) => Self::Better,
                Some(false) => Self::Worse,
                None => Self::Unequal,
            },
        }
    }

    /// Blue and orange of Okabe and Ito (2008), one dark and one light, so that
    /// they differ on grey paper too.
    fn colour(self) -> Colour {
        match self {
            Self::Better => "#0072B2",
            Self::Worse => "#F0B040",
            Self::NotSignificant => "#E9E9E9",
            Self::Unequal => "#CC79A7",
            Self::NotCompared => "#FFFFFF",
            Self::Diagonal => "#FFFFFF",
        }
    }

    /// The colour of words on it.
    fn ink(self) -> Colour {
        match self {
            Self::Better => "#FFFFFF",
            Self::NotSignificant => QUIET,
            _ => INK,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Better => "row better",
            Self::Worse => "row worse",
            Self::NotSignificant => "not significant",
            Self::Unequal => "significant without a direction",
            Self::NotCompared => "not compared",
            Self::Diagonal => "",
        }
    }
}

/// The verdicts that the figure explains.
fn entries(matrix: &PairwiseMatrix) -> Vec<Entry> {
    let systems = matrix.systems.len();
    let occurs = |verdict: Verdict| {
        let mut pairs = (0..systems).flat_map(|i| (0..systems).map(move |j| (i, j)));
        pairs.any(|(i, j)| Verdict::at(matrix, i, j) == verdict)
    };
    let always = [Verdict::Better, Verdict::Worse, Verdict::NotSignificant];
    let at_times = [Verdict::Unequal, Verdict::NotCompared];
    let at_times = at_times.into_iter().filter(|verdict| occurs(*verdict));
    let entry = |verdict: Verdict| Entry {
        sample: match verdict {
            Verdict::NotCompared => Sample::Struck(STRIKE),
            _ => Sample::Surface(Fill::opaque(verdict.colour())),
        },
        name: verdict.in_words().to_owned(),
        value: None,
    };
    always.into_iter().chain(at_times).map(entry).collect()
}

/// The sizes of cells and names.
#[derive(Debug, Clone, Copy)]
struct Style {
    cell: f64,
    size: f64,
}

impl Style {
    fn of(systems: usize) -> Self {
        let (cell, size) = match systems {
            0..=8 => (46.0, 11.0),
            9..=WITH_VALUES => (36.0, 11.0),
            21..=WITH_TITLES => (18.0, 10.0),
            41..=80 => (11.0, 9.0),
            _ => (8.0, 7.5),
        };
        Self { cell, size }
    }
}

/// The names at the left and, running upwards, at the top.
fn names_around(matrix: &PairwiseMatrix, square: &Area, style: Style) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (index, name) in matrix.systems.iter().enumerate() {
        let along = (index as f64 + 0.5) * style.cell + 0.36 * style.size;
        let room = LONGEST_NAME;
        let beside = Point::new(square.left - NAME_GAP, square.top + along);
        let row = Text::new(name, beside, style.size).anchored(Anchor::End);
        let above = Point::new(square.left + along, square.top - NAME_GAP);
        let column = Text::new(name, above, style.size).turned(-90.0);
        shapes.push(Shape::Text(row.fitted(room)));
        shapes.push(Shape::Text(column.fitted(room)));
    }
    shapes
}

fn rows(matrix: &PairwiseMatrix, square: &Area, style: Style) -> Vec<Shape> {
    let systems = matrix.systems.len();
    let mut shapes = Vec::new();
    for i in 0..systems {
        let mut from = 0;
        while from < systems {
            let verdict = Verdict::at(matrix, i, from);
            // Where cells have no words, equal neighbours are one rectangle.
            let alike = |j: &usize| Verdict::at(matrix, i, *j) == verdict;
            let count = match systems > WITH_TITLES {
                true => (from..systems).take_while(alike).count(),
                false => 1,
            };
            let area = Area {
                left: square.left + from as f64 * style.cell,
                top: square.top + i as f64 * style.cell,
                width: count as f64 * style.cell,
                height: style.cell,
            };
            let surface = Shape::Rect {
                area,
                corner: 0.0,
                fill: Fill::opaque(verdict.colour()),
                outline: None,
            };
            match verdict {
                Verdict::Diagonal => {}
                Verdict::NotCompared if systems > WITH_TITLES => {
                    shapes.push(struck_through(&area, count));
                }
                _ if systems > WITH_TITLES => shapes.push(surface),
                _ => shapes.push(cell(matrix, (i, from), surface, &area)),
            }
            from += count;
        }
    }
    shapes
}

/// A cell of its own, with its words.
fn cell(matrix: &PairwiseMatrix, (i, j): (usize, usize), surface: Shape, area: &Area) -> Shape {
    let verdict = Verdict::at(matrix, i, j);
    let mut shapes = vec![surface];
    let pair = format!("{} against {}", matrix.systems[i], matrix.systems[j]);
    let title = match matrix.cells[i][j] {
        Some(cell) => {
            if matrix.systems.len() <= WITH_VALUES {
                let middle = Point::new(
                    area.left + area.width / 2.0,
                    area.top + area.height / 2.0 + 0.36 * VALUE_SIZE,
                );
                let value = Text::new(p_value(cell.p), middle, VALUE_SIZE)
                    .anchored(Anchor::Middle)
                    .coloured(verdict.ink());
                shapes.push(Shape::Text(match cell.significant {
                    true => value.bold(),
                    false => value,
                }));
            }
            format!(
                "{pair}: difference {}, p = {}, {}",
                three_decimals_at_most(cell.difference),
                cell.p.min(1.0),
                if cell.significant {
                    "significant"
                } else {
                    "not significant"
                }
            )
        }
        None => {
            shapes.push(struck_through(area, 1));
            format!("{pair}: not compared")
        }
    };
    Shape::Group {
        title: Some(title),
        clip: None,
        shapes,
    }
}

/// A line through each of so many cells side by side, in one stroke: its ways
/// down to the next cell lie under the white lines between cells.
fn struck_through(area: &Area, cells: usize) -> Shape {
    let width = area.width / cells as f64;
    let ends = (0..cells).flat_map(|cell| {
        let left = area.left + cell as f64 * width;
        [
            Point::new(left, area.bottom()),
            Point::new(left + width, area.top),
        ]
    });
    Shape::Polyline {
        points: ends.collect(),
        stroke: STRIKE,
    }
}

/// White lines between cells, and an edge around all of them.
fn grid(square: &Area, cell: f64, systems: usize) -> Vec<Shape> {
    let white = Stroke::solid("#FFFFFF", if cell > 15.0 { 1.2 } else { 0.5 });
    let mut shapes = Vec::new();
    for index in 1..systems {
        let along = index as f64 * cell;
        let (x, y) = (square.left + along, square.top + along);
        shapes.push(Shape::Line {
            from: Point::new(x, square.top),
            to: Point::new(x, square.bottom()),
            stroke: white,
        });
        shapes.push(Shape::Line {
            from: Point::new(square.left, y),
            to: Point::new(square.right(), y),
            stroke: white,
        });
    }
    let corners = [
        (square.left, square.top),
        (square.right(), square.top),
        (square.right(), square.bottom()),
        (square.left, square.bottom()),
        (square.left, square.top),
    ];
    shapes.push(Shape::Polyline {
        points: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
        stroke: Stroke::solid("#AAAAAA", 0.8),
    });
    shapes
}

/// The p-value without the zero that all have.
fn p_value(p: f64) -> String {
    if p < 0.0005 {
        return "<.001".to_owned();
    }
    let text = format!("{:.3}", p.min(1.0));
    match text.strip_prefix('0') {
        Some(decimals) => decimals.to_owned(),
        None => "1".to_owned(),
    }
}

fn note(systems: usize) -> String {
    let mut words = "A cell says whether the system of its row is significantly better or worse \
                     than the system of its column."
        .to_owned();
    if systems <= WITH_VALUES {
        words += " Numbers: p-values, bold if significant.";
    }
    words
}

fn description(matrix: &PairwiseMatrix) -> String {
    let systems = matrix.systems.len();
    let count = |i: usize, verdict: Verdict| {
        let columns = 0..systems;
        columns
            .filter(|j| Verdict::at(matrix, i, *j) == verdict)
            .count()
    };
    let differ = |i: usize, j: usize| {
        let either = [matrix.cells[i][j], matrix.cells[j][i]];
        either.iter().flatten().any(|cell| cell.significant)
    };
    let compared =
        |i: usize, j: usize| matrix.cells[i][j].is_some() || matrix.cells[j][i].is_some();
    let pairs = || (0..systems).flat_map(|i| (0..i).map(move |j| (i, j)));
    let all = pairs().filter(|(i, j)| compared(*i, *j)).count();
    let significant = pairs().filter(|(i, j)| differ(*i, *j)).count();
    let rows = matrix.systems.iter().enumerate().map(|(i, name)| {
        format!(
            "{name} is better than {} and worse than {}",
            count(i, Verdict::Better),
            count(i, Verdict::Worse)
        )
    });
    let rows: Vec<String> = rows.collect();
    format!(
        "Comparisons of {systems} systems: {significant} of {all} pairs differ significantly. {}.",
        rows.join("; ")
    )
}
