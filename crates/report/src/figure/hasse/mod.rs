//! Which system is better than which, as a diagram of an order (Hasse).

mod crossings;
mod layers;
mod places;

use layers::Layered;
use places::{Places, Sizes};

use partita_core::compare::Comparison;

use super::caption::{MARGIN, footnote, heading};
use super::comparison::{numbers, title, whole};
use super::critical_difference::MAX_DIAGRAM_SYSTEMS;
use super::error::FigureError;
use super::palette;
use super::recall_plot::three_decimals;
use super::scene::{Anchor, Area, Colour, Figure, Fill, Point, QUIET, Shape, Stroke, Text};
use crate::words::some;

/// Below the title.
const TOP: f64 = 42.0;
/// Of a circle of more systems than these, the rest are only counted.
const MOST_OF_A_CIRCLE: usize = 6;

const WITH_LINES: &str = "A system is significantly better than all those that lines lead down to \
                          from it. Numbers: mean scores.";
const WITH_CROSSINGS: &str = " Colours only help to follow lines.";
const WITHOUT_LINES: &str = "No system is significantly better than another. Numbers: mean scores.";

/// Systems, and which of them are better than which, by number.
pub(in crate::figure) struct Hasse {
    pub(in crate::figure) title: String,
    /// Each system with its mean score, in any order.
    pub(in crate::figure) systems: Vec<(String, f64)>,
    /// Pairs of a better and a worse system, without those that follow from others.
    pub(in crate::figure) edges: Vec<(usize, usize)>,
    /// The names of systems that beat each other in a circle.
    pub(in crate::figure) circles: Vec<String>,
}

/// The systems in layers, best at the top, with a line from each to those that it
/// is directly better than.
///
/// Lines never pass through the box of a system. Lines from the same system to
/// several far below share their way. A layer with more systems than fit side by
/// side is broken into rows, which means nothing: only lines do. Systems that beat
/// each other in a circle have no lines among them, and are named below.
///
/// # Errors
/// When there are more than [`MAX_DIAGRAM_SYSTEMS`] systems, when only some pairs
/// were compared, when equivalence was asked for, or when a mean is beyond ±10¹².
///
/// ```
/// use partita_core::Scores;
/// use partita_core::compare::{Settings, compare};
/// use partita_core::work::InTurn;
/// use partita_report::hasse_figure;
///
/// let values = (0..8).flat_map(|i| [0.9, 0.2 + 0.02 * f64::from(i), 0.34 - 0.02 * f64::from(i)]);
/// let queries = (1..=8).map(|query| query.to_string());
/// let scores = Scores::new("AP", ["EMD", "n-grams", "random"], queries, values.collect())?;
/// let figure = hasse_figure(&compare(&scores, "t", &Settings::default(), &InTurn)?)?;
/// assert!(figure.description().contains("EMD (0.900) is better than n-grams, random"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hasse_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    let hasse = whole(comparison)?.hasse;
    let numbers = numbers(comparison);
    let title = title(comparison);
    for system in &comparison.systems {
        let place = || system.name.to_string();
        FigureError::unless_drawable(&title, place, "a mean score", system.mean)?;
    }
    let systems = comparison.systems.iter();
    draw(&Hasse {
        systems: systems.map(|s| (s.name.to_string(), s.mean)).collect(),
        edges: (hasse.edges.iter())
            .map(|[better, worse]| (numbers[better], numbers[worse]))
            .collect(),
        circles: hasse
            .circles
            .iter()
            .map(|circle| some(circle, MOST_OF_A_CIRCLE))
            .collect(),
        title,
    })
}

pub(in crate::figure) fn draw(order: &Hasse) -> Result<Figure, FigureError> {
    FigureError::if_too_many(&order.title, order.systems.len(), MAX_DIAGRAM_SYSTEMS)?;
    let sizes = Sizes::of(order);
    let layered = Layered::new(order, sizes.most_in_a_row());
    let places = Places::new(&layered, &sizes, TOP);
    let width = places.width() + 2.0 * MARGIN;
    let mut shapes = vec![heading(&order.title, width)];
    shapes.extend(lines(order, &layered, &places));
    for (index, (name, mean)) in order.systems.iter().enumerate() {
        shapes.push(system(name, *mean, &places.area(index), &sizes));
    }
    let mut words = match (order.edges.is_empty(), layered.has_crossings()) {
        (true, _) => WITHOUT_LINES.to_owned(),
        (false, false) => WITH_LINES.to_owned(),
        (false, true) => WITH_LINES.to_owned() + WITH_CROSSINGS,
    };
    for circle in &order.circles {
        words += &format!(" In a circle, and so without an order: {circle}.");
    }
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
