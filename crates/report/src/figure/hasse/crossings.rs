//! Crossing reduction in a layered drawing: order of the nodes within each layer.

use super::layers::LayeredGraph;

/// Number of sweeps over all layers, alternately downwards and upwards.
const SWEEPS: usize = 16;

/// Orders the nodes of every layer by the mean position of their neighbours in the previous layer,
/// alternately downwards and upwards, and swaps adjacent nodes after each sweep (Sugiyama, Tagawa
/// and Toda 1981; Gansner et al. 1993). Keeps the order with the fewest crossings.
pub(super) fn reduce_crossings(layered: &mut LayeredGraph) {
    let mut best = layered.layers.clone();
    let mut fewest = usize::MAX;
    for sweep in 0..SWEEPS {
        let count = layered.layers.len();
        let downwards = sweep % 2 == 0;
        for step in 1..count {
            let layer = if downwards { step } else { count - 1 - step };
            order_by_neighbours(layered, layer, downwards);
        }
        swap_neighbours(layered);
        let crossings = count_crossings(layered);
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&layered.layers);
        }
    }
    layered.layers = best;
}

/// Returns the position of each node within its layer, counted from the left.
fn positions_in_layers(layered: &LayeredGraph) -> Vec<usize> {
    let mut places = vec![0; layered.nodes.len()];
    for layer in &layered.layers {
        for (place, node) in layer.iter().enumerate() {
            places[*node] = place;
        }
    }
    places
}

/// Orders the nodes of one layer by the mean position of their neighbours in the layer above (if
/// `downwards`) or below.
fn order_by_neighbours(layered: &mut LayeredGraph, layer: usize, downwards: bool) {
    let places = positions_in_layers(layered);
    let fixed = if downwards {
        &layered.above
    } else {
        &layered.below
    };
    let key = |node: &usize| {
        let neighbours = &fixed[*node];
        match neighbours.len() {
            // A node without neighbours keeps its position.
            0 => places[*node] as f64,
            many => neighbours.iter().map(|n| places[*n] as f64).sum::<f64>() / many as f64,
        }
    };
    layered.layers[layer].sort_by(|one, other| key(one).total_cmp(&key(other)));
}

/// Swaps adjacent nodes of a layer while that removes crossings.
fn swap_neighbours(layered: &mut LayeredGraph) {
    let mut places = positions_in_layers(layered);
    // Each swap removes a crossing, so the loop ends by itself; the limit bounds the time.
    for _ in 0..SWEEPS {
        let mut changed = false;
        for layer in 0..layered.layers.len() {
            for place in 1..layered.layers[layer].len() {
                let [left, right] = [place - 1, place].map(|at| layered.layers[layer][at]);
                let now = crossings_of_nodes(layered, &places, left, right);
                let then = crossings_of_nodes(layered, &places, right, left);
                if then < now {
                    layered.layers[layer].swap(place - 1, place);
                    places.swap(left, right);
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Counts the crossings between the edges of node `left` and those of node `right`, its right
/// neighbour.
fn crossings_of_nodes(
    layered: &LayeredGraph,
    places: &[usize],
    left: usize,
    right: usize,
) -> usize {
    let between = |neighbours: &[Vec<usize>]| {
        let crossed = |l: &usize| {
            let of_right = neighbours[right].iter();
            of_right.filter(|r| places[**r] < places[*l]).count()
        };
        neighbours[left].iter().map(crossed).sum::<usize>()
    };
    between(&layered.above) + between(&layered.below)
}

/// Counts the crossings of edges between all adjacent layers.
pub(super) fn count_crossings(layered: &LayeredGraph) -> usize {
    let places = positions_in_layers(layered);
    let mut count = 0;
    for layer in &layered.layers {
        for (place, right) in layer.iter().enumerate() {
            for left in &layer[..place] {
                for l in &layered.below[*left] {
                    let crossed = layered.below[*right].iter();
                    count += crossed.filter(|r| places[**r] < places[*l]).count();
                }
            }
        }
    }
    count
}
