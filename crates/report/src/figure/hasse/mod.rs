//! Which system is better than which, as a diagram of an order (Hasse).

mod crossings;
mod layers;
mod places;

use layers::Layered;
use places::{Places, Sizes};

use super::caption::{MARGIN, footnote, heading};
use super::critical_difference::MAX_DIAGRAM_SYSTEMS;
use super::error::FigureError;
use super::palette;
use super::recall_plot::three_decimals;
use super::scene::{Anchor, Area, Colour, Figure, Fill, Point, QUIET, Shape, Stroke, Text};
use super::typeface;

/// Below the title.
const TOP: f64 = 42.0;
/// Of a circle of more systems than these, the rest are only counted.
const MOST_OF_A_CYCLE: usize = 6;
/// And their names are kept short.
const NAME_IN_A_CYCLE: f64 = 150.0;

const WITH_LINES: &str = "A system is significantly better than all those that lines lead down to \
                          from it. Numbers: mean scores.";
const WITH_CROSSINGS: &str = " Colours only help to follow lines.";
const WITHOUT_LINES: &str = "No system is significantly better than another. Numbers: mean scores.";

/// Systems, and which of them are better than which.
///
/// ```
/// use partita_report::Hasse;
///
/// let order = Hasse {
///     title: "Significant differences".to_owned(),
///     systems: vec![("EMD".to_owned(), 0.74), ("n-grams".to_owned(), 0.71), ("random".to_owned(), 0.2)],
///     edges: vec![(0, 2), (1, 2)],
/// };
/// assert_eq!(order.edges.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Hasse {
    /// The title of the figure.
    pub title: String,
    /// Each system with its mean score, in any order.
    pub systems: Vec<(String, f64)>,
    /// Pairs of a better and a worse system, as indices into `systems`, without
    /// those that follow from others.
    pub edges: Vec<(usize, usize)>,
}

/// The systems in layers, best at the top, with a line from each to those that it
/// is directly better than.
///
/// Lines never pass through the box of a system. Lines from the same system to
/// several far below share their way. A layer with more systems than fit side by
/// side is broken into rows, which means nothing: only lines do. Where the edges
/// lead in a circle, there is no order, and the figure says so.
///
/// # Errors
/// When there are more than [`MAX_DIAGRAM_SYSTEMS`] systems, when an edge has an
/// index that no system has, or when a mean is not a number or beyond ±10¹².
///
/// ```
/// use partita_report::{FigureError, Hasse, hasse_figure};
///
/// let figure = hasse_figure(&Hasse {
///     title: "Significant differences".to_owned(),
///     systems: vec![("EMD".to_owned(), 0.74), ("n-grams".to_owned(), 0.71), ("random".to_owned(), 0.2)],
///     edges: vec![(0, 2), (1, 2)],
/// })?;
/// assert!(figure.description().contains("EMD (0.740) is better than random"));
/// # Ok::<(), FigureError>(())
/// ```
pub fn hasse_figure(order: &Hasse) -> Result<Figure, FigureError> {
    check(order)?;
    if order.systems.is_empty() {
        let words = "There are no systems to draw.";
        return Ok(Figure::saying(&order.title, words));
    }
    let sizes = Sizes::of(order);
    let layered = match Layered::new(order, sizes.most_in_a_row()) {
        Ok(layered) => layered,
        Err(cycle) => return Ok(circle(order, &cycle)),
    };
    let places = Places::new(&layered, &sizes, TOP);
    let width = places.width() + 2.0 * MARGIN;
    let mut shapes = vec![heading(&order.title, width)];
    shapes.extend(lines(order, &layered, &places));
    for (index, (name, mean)) in order.systems.iter().enumerate() {
        shapes.push(system(name, *mean, &places.area(index), &sizes));
    }
    let words = match (order.edges.is_empty(), layered.has_crossings()) {
        (true, _) => WITHOUT_LINES.to_owned(),
        (false, false) => WITH_LINES.to_owned(),
        (false, true) => WITH_LINES.to_owned() + WITH_CROSSINGS,
    };
    let (notes, height) = footnote(&words, width, places.bottom() + 24.0);
    shapes.extend(notes);
    Ok(Figure {
        title: order.title.clone(),
        description: description(order),
        width,
        height,
        shapes,
    })
}

fn check(order: &Hasse) -> Result<(), FigureError> {
    let (title, systems) = (&order.title, order.systems.len());
    FigureError::if_too_many(title, systems, MAX_DIAGRAM_SYSTEMS)?;
    for (name, mean) in &order.systems {
        FigureError::unless_drawable(title, || name.clone(), "a mean score", *mean)?;
    }
    for (better, worse) in &order.edges {
        FigureError::unless_a_system(title, *better, systems)?;
        FigureError::unless_a_system(title, *worse, systems)?;
    }
    Ok(())
}

/// The box of a system.
fn system(name: &str, mean: f64, area: &Area, sizes: &Sizes) -> Shape {
    let middle = area.left + area.width / 2.0;
    let word = |words: &str, baseline: f64, size: f64| {
        let at = Point::new(middle, area.top + baseline);
        Text::new(words, at, size).anchored(Anchor::Middle)
    };
    let mean_size = sizes.size - 1.0;
    let mean = three_decimals(mean);
    Shape::Group {
        title: Some(format!("{name}: mean {mean}")),
        clip: None,
        shapes: vec![
            Shape::Rect {
                area: *area,
                corner: 4.0,
                fill: Fill::opaque("#EAF2F8"),
                outline: Some(Stroke::solid("#5B7F9B", 0.9)),
            },
            Shape::Text(word(name, sizes.name_baseline(), sizes.size).fitted(sizes.words(area))),
            Shape::Text(
                word(&mean, sizes.mean_baseline(), mean_size)
                    .fitted(sizes.words(area))
                    .coloured(QUIET),
            ),
        ],
    }
}

/// The lines from each system: its way through waypoints, and branches off it.
fn lines(order: &Hasse, layered: &Layered, places: &Places) -> Vec<Shape> {
    let colours = colours(layered);
    let top = |node: usize| Point::new(places.middle(node), places.area(node).top);
    let bottom = |node: usize| Point::new(places.middle(node), places.area(node).bottom());
    let ways = layered.ways.iter().map(|way| {
        let stroke = Stroke::solid(colours[way.trunk[0]], 1.0);
        let line = |points: Vec<Point>| Shape::Polyline { points, stroke };
        let mut trunk = vec![bottom(way.trunk[0])];
        trunk.extend(
            way.trunk[1..]
                .iter()
                .flat_map(|node| [top(*node), bottom(*node)]),
        );
        let branches = way
            .branches
            .iter()
            .map(|(step, worse)| line(vec![bottom(way.trunk[*step]), top(*worse)]));
        let worse = way
            .branches
            .iter()
            .map(|(_, worse)| order.systems[*worse].0.as_str());
        let worse: Vec<&str> = worse.collect();
        let better = &order.systems[way.trunk[0]].0;
        Shape::Group {
            title: Some(format!("{better} is better than {}", worse.join(", "))),
            clip: None,
            shapes: std::iter::once(line(trunk)).chain(branches).collect(),
        }
    });
    ways.collect()
}

/// The colour of the lines from each system. Where lines cross, those from
/// neighbours differ, so that the eye can follow one.
fn colours(layered: &Layered) -> Vec<Colour> {
    let mut colours = vec!["#555555"; layered.nodes.len()];
    if layered.has_crossings() {
        let drawn = layered.layers.iter().flatten();
        let systems = drawn.filter(|node| layered.is_above_others(**node));
        for (number, system) in systems.enumerate() {
            colours[*system] = palette::series(number).colour;
        }
    }
    colours
}

/// The figure that says that there is no order.
fn circle(order: &Hasse, cycle: &[usize]) -> Figure {
    let name = |index: &usize| {
        let name = &order.systems[*index].0;
        typeface::shortened(name, NAME_IN_A_CYCLE, 13.0, false).unwrap_or_else(|| name.clone())
    };
    let mut names: Vec<String> = cycle.iter().take(MOST_OF_A_CYCLE).map(name).collect();
    if cycle.len() > MOST_OF_A_CYCLE {
        names.push(format!("{} more", cycle.len() - MOST_OF_A_CYCLE));
    }
    names.extend(cycle.first().map(name));
    let words = format!(
        "There is no order to draw: “better than” leads in a circle. {}.",
        names.join(" > ")
    );
    Figure::saying(&order.title, &words)
}

fn description(order: &Hasse) -> String {
    let mut indices: Vec<usize> = (0..order.systems.len()).collect();
    indices.sort_by(|one, other| order.systems[*other].1.total_cmp(&order.systems[*one].1));
    let sentences = indices.iter().map(|index| {
        let (name, mean) = &order.systems[*index];
        let worse = indices
            .iter()
            .filter(|w| order.edges.contains(&(*index, **w)));
        let worse: Vec<&str> = worse.map(|w| order.systems[*w].0.as_str()).collect();
        let mean = three_decimals(*mean);
        match worse.is_empty() {
            true => format!("{name} ({mean})"),
            false => format!("{name} ({mean}) is better than {}", worse.join(", ")),
        }
    });
    let sentences: Vec<String> = sentences.collect();
    format!(
        "Which of {} systems are significantly better than which, without what follows from \
         other lines. {}.",
        order.systems.len(),
        sentences.join("; ")
    )
}
