//! Hasse diagram of the partial order of systems.

mod crossings;
mod layers;
mod node_layout;

use layers::LayeredGraph;
use node_layout::{BOX_HEIGHT, BOX_PADDING, BoxWidths, FONT_SIZE, NodeLayout};

use partita_core::comparison::{ComparedSystem, Comparison};

use super::canvas::caption::{MARGIN, footnote, heading};
use super::canvas::palette;
use super::canvas::scene::{Area, Colour, Figure, Point, Shape, Stroke, Text};
use super::comparison::{
    ComparisonFigureKind, require_all_pairs, require_at_most, system_count_text, system_indices,
    test_caption,
};
use super::critical_difference::MAX_DIAGRAM_SYSTEMS;
use super::error::FigureError;
use super::three_decimals;
use crate::phrases::{join, list_names};

/// Maximum number of systems named per cycle of systems that beat each other; the others are only
/// counted.
const MAX_NAMED_IN_CYCLE: usize = 6;

/// Footnote of a diagram with edges.
const NOTE_WITH_EDGES: &str = "A system is significantly better than all those that lines lead down to \
     from it. Numbers: mean scores.";
/// Addition to the footnote if edges cross and are therefore coloured.
const NOTE_ON_CROSSINGS: &str = " Colours only help to follow lines.";
/// Footnote of a diagram without edges.
const NOTE_WITHOUT_EDGES: &str =
    "No system is significantly better than another. Numbers: mean scores.";

/// Draws the systems in layers, best at the top, with an edge from each system to the systems that
/// it is directly better than.
///
/// Edges never pass through the box of a system. Edges of one system to several distant systems
/// share their path. A layer that is too wide is split into rows; only edges have a meaning, rows
/// do not. Systems that beat each other in a cycle have no edges between them and are named below.
///
/// # Errors
/// Returns [`FigureError`] if there are more than [`MAX_DIAGRAM_SYSTEMS`] systems, if only some
/// pairs were compared, if the test is an equivalence test, or if a mean is beyond ±10¹².
pub fn hasse_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    let (_, hasse) = require_all_pairs(comparison)?;
    let systems = &comparison.systems;
    let (many, measure) = (system_count_text(comparison), &comparison.measure);
    let title = format!("Which of {many} are significantly better by {measure}");
    for system in systems {
        let place = || system.name.to_string();
        FigureError::check_drawable(&title, place, "a mean score", system.mean)?;
    }
    require_at_most(comparison, ComparisonFigureKind::Hasse, MAX_DIAGRAM_SYSTEMS)?;
    let indices = system_indices(comparison);
    let edges = hasse.edges.iter();
    let edges = edges.map(|[better, worse]| (indices[&**better], indices[&**worse]));
    let edges: Vec<(usize, usize)> = edges.collect();

    let sizes = BoxWidths::from_systems(systems);
    let means: Vec<f64> = systems.iter().map(|system| system.mean).collect();
    let layered = LayeredGraph::new(&means, &edges, sizes.max_boxes_per_row());
    let mut places = NodeLayout::new(&layered, &sizes);
    let width = places.width() + 2.0 * MARGIN;
    let (mut shapes, top) = heading(&title, &test_caption(comparison), width);
    places.move_down(top + 8.0);
    shapes.extend(edge_lines(systems, &layered, &places));
    for (index, system) in systems.iter().enumerate() {
        shapes.push(system_box(system, &places.area(index)));
    }
    let mut words = match (edges.is_empty(), layered.has_crossings()) {
        (true, _) => NOTE_WITHOUT_EDGES.to_owned(),
        (false, false) => NOTE_WITH_EDGES.to_owned(),
        (false, true) => NOTE_WITH_EDGES.to_owned() + NOTE_ON_CROSSINGS,
    };
    for circle in &hasse.cycles {
        let circle = list_names(circle, MAX_NAMED_IN_CYCLE);
        words += &format!(" In a circle, and so without an order: {circle}.");
    }
    let height = footnote(&words, width, places.bottom() + 24.0, &mut shapes);
    let (description, size) = (description(systems, &edges), (width, height));
    Ok(Figure::new(title, description, size, shapes))
}

/// Draws the box of a system.
fn system_box(system: &ComparedSystem, area: &Area) -> Shape {
    let (name, mean) = (&system.name, three_decimals(system.mean));
    let word = |words: &str, baseline: f64, size: f64| {
        let text = Text::new(words, (area.middle(), area.top + baseline), size);
        text.middle().fitted(area.width - 2.0 * BOX_PADDING)
    };
    let edge = Some(Stroke::solid("#5B7F9B", 0.9));
    let surface = Shape::Rect(*area, 4.0, "#EAF2F8".into(), edge);
    let title = format!("{name}: mean {mean}");
    let baseline = 0.43 * BOX_HEIGHT;
    let name = word(name, baseline, FONT_SIZE);
    let mean = word(&mean, baseline + FONT_SIZE + 2.5, FONT_SIZE - 1.0).quiet();
    Shape::with_tooltip(title, vec![surface, name.into(), mean.into()])
}

/// Draws the edges of each system: the line through its waypoints, and its branches to worse
/// systems.
fn edge_lines(
    systems: &[ComparedSystem],
    layered: &LayeredGraph,
    places: &NodeLayout,
) -> Vec<Shape> {
    let colours = edge_colours(layered);
    let top = |node: usize| Point::from((places.middle(node), places.area(node).top));
    let bottom = |node: usize| Point::from((places.middle(node), places.area(node).bottom()));
    let bundles = layered.bundles.iter().map(|bundle| {
        let stroke = Stroke::solid(colours[bundle.trunk[0]], 1.0);
        let line = |points: Vec<Point>| Shape::Polyline(points, stroke);
        let mut trunk = vec![bottom(bundle.trunk[0])];
        let waypoints = bundle.trunk[1..].iter();
        trunk.extend(waypoints.flat_map(|node| [top(*node), bottom(*node)]));
        let branches = bundle.branches.iter();
        let worse = branches.clone().map(|(_, worse)| &systems[*worse].name);
        let branches =
            branches.map(|(step, worse)| line(vec![bottom(bundle.trunk[*step]), top(*worse)]));
        let better = &systems[bundle.trunk[0]].name;
        let title = format!("{better} is better than {}", join(worse, ", "));
        Shape::with_tooltip(
            title,
            std::iter::once(line(trunk)).chain(branches).collect(),
        )
    });
    bundles.collect()
}

/// Returns the colour of the edges of each system. All edges are grey if none cross. Otherwise
/// neighbouring systems get different colours, so that a reader can follow their edges.
fn edge_colours(layered: &LayeredGraph) -> Vec<Colour> {
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

fn description(systems: &[ComparedSystem], edges: &[(usize, usize)]) -> String {
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|one, other| systems[*other].mean.total_cmp(&systems[*one].mean));
    let sentences = order.iter().map(|index| {
        let worse = order.iter().filter(|w| edges.contains(&(*index, **w)));
        let worse = join(worse.map(|w| &systems[*w].name), ", ");
        let system = &systems[*index];
        let known = format!("{} ({})", system.name, three_decimals(system.mean));
        if worse.is_empty() {
            known
        } else {
            format!("{known} is better than {worse}")
        }
    });
    format!(
        "Which of {} systems are significantly better than which, without what follows from \
         other lines. {}.",
        systems.len(),
        join(sentences, "; ")
    )
}
