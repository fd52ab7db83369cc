//! Orders of the nodes of each layer with few crossings.

use super::layers::Layered;

/// As many times the layers are gone through, downwards and upwards.
const SWEEPS: usize = 16;

/// Orders every layer by the mean place of the neighbours of its nodes in the
/// layer before, downwards and upwards in turn, with swaps of neighbours after
/// each sweep (Sugiyama, Tagawa and Toda 1981; Gansner et al. 1993), and keeps
/// the best order that was seen.
pub(super) fn reduce(layered: &mut Layered) {
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
        let crossings = crossings(layered);
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&layered.layers);
        }
    }
    layered.layers = best;
}

/// The place of each node in its layer.
fn places(layered: &Layered) -> Vec<usize> {
    let mut places = vec![0; layered.nodes.len()];
    for layer in &layered.layers {
        for (place, node) in layer.iter().enumerate() {
            places[*node] = place;
        }
    }
    places
}

fn order_by_neighbours(layered: &mut Layered, layer: usize, downwards: bool) {
    let places = places(layered);
    let fixed = if downwards {
        &layered.above
    } else {
        &layered.below
    };
    let key = |node: &usize| {
        let neighbours = &fixed[*node];
        match neighbours.len() {
            // Who has no neighbours stays where it is.
            0 => places[*node] as f64,
            many => neighbours.iter().map(|n| places[*n] as f64).sum::<f64>() / many as f64,
        }
    };
    layered.layers[layer].sort_by(|one, other| key(one).total_cmp(&key(other)));
}

/// Swaps neighbours in a layer while that removes crossings.
fn swap_neighbours(layered: &mut Layered) {
    let mut places = places(layered);
    // Each swap removes a crossing; the limit is for time only.
    for _ in 0..SWEEPS {
        let mut changed = false;
        for layer in 0..layered.layers.len() {
            for place in 1..layered.layers[layer].len() {
                let [left, right] = [place - 1, place].map(|at| layered.layers[layer][at]);
                let now = crossings_of(layered, &places, left, right);
                let then = crossings_of(layered, &places, right, left);
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

/// The crossings of the lines of two nodes, one at the left of the other.
fn crossings_of(layered: &Layered, places: &[usize], left: usize, right: usize) -> usize {
    let between = |neighbours: &[Vec<usize>]| {
        let crossed = |l: &usize| {
            let of_right = neighbours[right].iter();
            of_right.filter(|r| places[**r] < places[*l]).count()
        };
        neighbours[left].iter().map(crossed).sum::<usize>()
    };
    between(&layered.above) + between(&layered.below)
}

/// All crossings.
pub(super) fn crossings(layered: &Layered) -> usize {
    let places = places(layered);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn layered(systems: usize, edges: Vec<(usize, usize)>) -> Layered {
        let means: Vec<f64> = (0..systems).map(|i| -(i as f64)).collect();
        Layered::new(&means, &edges, 9)
    }

    #[test]
    fn lines_that_need_not_cross_do_not() {
        // Four chains, given so that by mean score they would all cross.
        let chains = vec![(0, 7), (1, 6), (2, 5), (3, 4)];
        assert_eq!(crossings(&layered(8, chains)), 0);
        // A tree.
        let tree = (1..15).map(|worse| ((worse - 1) / 2, worse)).rev();
        assert_eq!(crossings(&layered(15, tree.collect())), 0);
    }

    #[test]
    fn two_that_are_better_than_two_cross_once() {
        let both = vec![(0, 2), (0, 3), (1, 2), (1, 3)];
        assert_eq!(crossings(&layered(4, both)), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_edge_goes_down_by_one_layer_between_nodes(
            edges in proptest::collection::vec((0..20_usize, 0..20_usize), 0..60),
        ) {
            let downwards = edges.into_iter().filter(|(better, worse)| better < worse);
            let layered = layered(20, downwards.collect());
            let mut layer_of = vec![usize::MAX; layered.nodes.len()];
            for (number, layer) in layered.layers.iter().enumerate() {
                for node in layer {
                    prop_assert_eq!(layer_of[*node], usize::MAX, "each node has one place");
                    layer_of[*node] = number;
                }
            }
            for (upper, below) in layered.below.iter().enumerate() {
                for lower in below {
                    prop_assert_eq!(layer_of[upper] + 1, layer_of[*lower]);
                }
            }
        }
    }
}
