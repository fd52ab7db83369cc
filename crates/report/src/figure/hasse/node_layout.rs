//! Positions of the boxes and waypoints of a Hasse diagram, in figure units.

use partita_core::comparison::ComparedSystem;

use super::layers::{LayeredGraph, Node};
use super::three_decimals;
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::Area;
use crate::figure::canvas::text_metrics;

/// Number of sweeps over all layers, alternately downwards and upwards.
const SWEEPS: usize = 12;
/// Minimum width of the figure without its margins. A narrower diagram is centred in it.
const MIN_FIGURE_WIDTH: f64 = 480.0;
/// Maximum width of a system name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 200.0;
/// Distance between the border of a box and its text, at the left and at the right.
pub(super) const BOX_PADDING: f64 = 8.0;
/// Approximate maximum width of a row of boxes.
const MAX_ROW_WIDTH: f64 = 900.0;
/// Number of boxes that a row may always have, even if it becomes wider than the maximum.
const MIN_BOXES_PER_ROW: usize = 3;
/// Minimum horizontal distance between two boxes of a layer, or a box and a waypoint.
const BOX_GAP: f64 = 16.0;
/// Minimum horizontal distance between two waypoints of a layer.
const WAYPOINT_GAP: f64 = 9.0;
/// Minimum vertical distance between two layers with edges between them. The distance grows with
/// the horizontal extent of the edges, up to [`MAX_LAYER_GAP`], so that edges are not too flat.
const MIN_LAYER_GAP: f64 = 34.0;
const MAX_LAYER_GAP: f64 = 84.0;
/// Vertical distance between two layers without edges between them.
const LAYER_GAP_WITHOUT_EDGES: f64 = 14.0;
/// Vertical distance between two layers, as a share of the largest horizontal extent of an edge.
const LAYER_GAP_PER_EDGE_EXTENT: f64 = 0.16;
/// Weight of the link between two waypoints relative to other links; a high weight keeps edges
/// straight.
const WAYPOINT_WEIGHT: f64 = 4.0;
/// Font size of system names.
pub(super) const FONT_SIZE: f64 = 11.0;
pub(super) const BOX_HEIGHT: f64 = 34.0;

/// Width of the box of each system, in figure units.
pub(super) struct BoxWidths(Vec<f64>);

impl BoxWidths {
    pub(super) fn from_systems(systems: &[ComparedSystem]) -> Self {
        let width = |system: &ComparedSystem| {
            let name = text_metrics::width(&system.name, FONT_SIZE, false);
            let mean = text_metrics::width(&three_decimals(system.mean), FONT_SIZE - 1.0, false);
            name.max(mean).clamp(30.0, MAX_NAME_WIDTH) + 2.0 * BOX_PADDING
        };
        Self(systems.iter().map(width).collect())
    }

    /// Returns how many boxes of mean width fit in a row, at least [`MIN_BOXES_PER_ROW`].
    pub(super) fn max_boxes_per_row(&self) -> usize {
        let widths = self.0.iter().map(|width| width + BOX_GAP);
        let mean = widths.sum::<f64>() / self.0.len().max(1) as f64;
        // A float to integer cast saturates.
        ((MAX_ROW_WIDTH / mean) as usize).max(MIN_BOXES_PER_ROW)
    }
}

/// Rectangle of every node of the layered graph; a waypoint has width 0.
pub(super) struct NodeLayout {
    areas: Vec<Area>,
    width: f64,
}

impl NodeLayout {
    /// Computes the positions of all nodes, with the upper edge of the first layer at y 0.
    pub(super) fn new(layered: &LayeredGraph, sizes: &BoxWidths) -> Self {
        let mut top = 0.0;
        let mut widths = sizes.0.clone();
        widths.resize(layered.nodes.len(), 0.0);
        let middles = centres(layered, &widths);
        let reach = |sign: f64| {
            let places = middles.iter().zip(&widths);
            let ends = places.map(|(middle, width)| sign * middle + width / 2.0);
            ends.fold(f64::NEG_INFINITY, f64::max)
        };
        let (left, right) = (-reach(-1.0), reach(1.0));
        let width = (right - left).max(MIN_FIGURE_WIDTH);
        let shift = MARGIN + width / 2.0 - (left + right) / 2.0;
        let nowhere = Area::new((0.0, 0.0), (0.0, BOX_HEIGHT));
        let mut areas = vec![nowhere; layered.nodes.len()];
        for layer in &layered.layers {
            for node in layer {
                let left = middles[*node] - widths[*node] / 2.0 + shift;
                areas[*node] = Area::new((left, top), (widths[*node], BOX_HEIGHT));
            }
            top += BOX_HEIGHT + gap_below(layered, layer, &middles);
        }
        Self { areas, width }
    }

    /// Moves all nodes down by a distance.
    pub(super) fn move_down(&mut self, distance: f64) {
        self.areas.iter_mut().for_each(|area| area.top += distance);
    }

    pub(super) fn area(&self, node: usize) -> Area {
        self.areas[node]
    }

    /// Returns the x of the centre of a node's rectangle.
    pub(super) fn middle(&self, node: usize) -> f64 {
        self.areas[node].middle()
    }

    /// Returns the width of the diagram without the margins of the figure.
    pub(super) fn width(&self) -> f64 {
        self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.areas.iter().map(Area::bottom).fold(0.0, f64::max)
    }
}

/// Returns the vertical distance between a layer and the next one.
fn gap_below(layered: &LayeredGraph, layer: &[usize], middles: &[f64]) -> f64 {
    let spans = layer.iter().flat_map(|node| {
        let lower = layered.below[*node].iter();
        lower.map(|lower| (middles[*lower] - middles[*node]).abs())
    });
    let widest = spans.fold(f64::NEG_INFINITY, f64::max);
    if widest >= 0.0 {
        (LAYER_GAP_PER_EDGE_EXTENT * widest).clamp(MIN_LAYER_GAP, MAX_LAYER_GAP)
    } else {
        LAYER_GAP_WITHOUT_EDGES
    }
}

/// Computes the x of the centre of each node, close to its neighbours.
fn centres(layered: &LayeredGraph, widths: &[f64]) -> Vec<f64> {
    let mut middles = vec![0.0; widths.len()];
    for layer in &layered.layers {
        // Initially every layer is packed around 0.
        let wanted = vec![(0.0, 1.0); layer.len()];
        place(layered, layer, &wanted, widths, &mut middles);
    }
    for sweep in 0..SWEEPS {
        let mut layers: Vec<&Vec<usize>> = layered.layers.iter().collect();
        if sweep % 2 == 1 {
            layers.reverse();
        }
        for layer in layers {
            let wanted = layer
                .iter()
                .map(|node| preferred_position(layered, *node, &middles));
            place(
                layered,
                layer,
                &wanted.collect::<Vec<_>>(),
                widths,
                &mut middles,
            );
        }
    }
    middles
}

/// Returns the preferred x of a node, the weighted mean of its neighbours' x, and the sum of the
/// weights.
fn preferred_position(layered: &LayeredGraph, node: usize, middles: &[f64]) -> (f64, f64) {
    let (mut sum, mut weights) = (0.0, 0.0);
    for neighbour in layered.above[node].iter().chain(&layered.below[node]) {
        let straight = [node, *neighbour].map(|n| layered.nodes[n]) == [Node::Waypoint; 2];
        let weight = if straight { WAYPOINT_WEIGHT } else { 1.0 };
        sum += weight * middles[*neighbour];
        weights += weight;
    }
    if weights > 0.0 {
        (sum / weights, weights)
    } else {
        // A node without neighbours stays where it is. Its small weight lets other nodes push it
        // aside.
        (middles[node], 0.1)
    }
}

/// Places the nodes of a layer in order and without overlap, as close as possible to their
/// preferred positions by least squares. After subtracting the distances between nodes this is an
/// isotonic regression (pool adjacent violators, Ayer et al. 1955).
fn place(
    layered: &LayeredGraph,
    layer: &[usize],
    wanted: &[(f64, f64)],
    widths: &[f64],
    middles: &mut [f64],
) {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (index, node) in layer.iter().enumerate() {
        if index > 0 {
            let before = layer[index - 1];
            let lines = [before, *node].map(|n| layered.nodes[n]) == [Node::Waypoint; 2];
            let gap = if lines { WAYPOINT_GAP } else { BOX_GAP };
            offset += widths[before] / 2.0 + gap + widths[*node] / 2.0;
        }
        offsets.push(offset);
    }
    // Blocks of touching nodes: preferred position minus offset, total weight, number of nodes.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for ((want, weight), offset) in wanted.iter().zip(&offsets) {
        let mut block = (want - offset, *weight, 1);
        while let Some(last) = blocks.pop_if(|last| last.0 >= block.0) {
            let weight = last.1 + block.1;
            let mean = (last.0 * last.1 + block.0 * block.1) / weight;
            block = (mean, weight, last.2 + block.2);
        }
        blocks.push(block);
    }
    let firsts = blocks.iter();
    let firsts = firsts.flat_map(|(first, _, count)| std::iter::repeat_n(*first, *count));
    for ((node, offset), first) in layer.iter().zip(&offsets).zip(firsts) {
        middles[*node] = first + offset;
    }
}
