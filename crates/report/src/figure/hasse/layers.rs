//! Assignment of systems to the layers of a Hasse diagram, with waypoints for edges that pass
//! through a layer.

use super::crossings;

/// Node of a layered graph. Nodes are numbered from 0, systems first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    System,
    /// Point through which the edges of a system pass a layer between the boxes of other systems.
    Waypoint,
}

/// Layers from top to bottom, each from left to right.
pub(super) struct LayeredGraph {
    pub(super) nodes: Vec<Node>,
    pub(super) layers: Vec<Vec<usize>>,
    /// Neighbours of each node in the layer below; `above` holds those in the layer above.
    pub(super) below: Vec<Vec<usize>>,
    pub(super) above: Vec<Vec<usize>>,
    /// Edges of each system that has edges downwards.
    pub(super) bundles: Vec<EdgeBundle>,
}

/// Edges from one system down to the systems that it is better than.
pub(super) struct EdgeBundle {
    /// Node of the system, followed by its waypoints, one in each of the following layers.
    pub(super) trunk: Vec<usize>,
    /// Edges as (index of a node in `trunk`, node of a worse system).
    pub(super) branches: Vec<(usize, usize)>,
}

impl LayeredGraph {
    /// Assigns the systems to layers of at most `most_in_a_row` systems. Each edge is a pair
    /// (better system, worse system).
    pub(super) fn new(means: &[f64], edges: &[(usize, usize)], most_in_a_row: usize) -> Self {
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        edges.dedup();
        let graph = Graph::new(means.len(), &edges);
        let layer_of = graph.layers(&graph.topological_order(), means);
        let rows = rows(&layer_of, means, most_in_a_row);
        let mut layered = Self::with_waypoints(rows, &edges);
        crossings::reduce_crossings(&mut layered);
        layered
    }

    /// Adds one waypoint per system and layer that its edges pass through. The edges of a system
    /// share their waypoints, which reduces the number of lines.
    fn with_waypoints(rows: Vec<Vec<usize>>, edges: &[(usize, usize)]) -> Self {
        let systems = rows.iter().map(Vec::len).sum();
        let mut row_of = vec![0; systems];
        for (row, members) in rows.iter().enumerate() {
            for system in members {
                row_of[*system] = row;
            }
        }
        let mut layered = Self {
            nodes: vec![Node::System; systems],
            layers: rows,
            below: vec![Vec::new(); systems],
            above: vec![Vec::new(); systems],
            bundles: Vec::new(),
        };
        for from in edges.chunk_by(|one, other| one.0 == other.0) {
            let (mut trunk, mut branches) = (vec![from[0].0], Vec::new());
            let mut targets: Vec<usize> = from.iter().map(|(_, worse)| *worse).collect();
            targets.sort_by_key(|worse| row_of[*worse]);
            for worse in targets {
                let passed = row_of[worse] - row_of[trunk[0]];
                while trunk.len() < passed {
                    let waypoint = layered.add_waypoint(row_of[trunk[0]] + trunk.len());
                    layered.connect(trunk[trunk.len() - 1], waypoint);
                    trunk.push(waypoint);
                }
                layered.connect(trunk[passed - 1], worse);
                branches.push((passed - 1, worse));
            }
            layered.bundles.push(EdgeBundle { trunk, branches });
        }
        layered
    }

    pub(super) fn has_crossings(&self) -> bool {
        crossings::count_crossings(self) > 0
    }

    /// Returns true if the node is a system with edges downwards.
    pub(super) fn is_above_others(&self, node: usize) -> bool {
        self.nodes[node] == Node::System && !self.below[node].is_empty()
    }

    /// Adds a waypoint to a layer and returns its node number.
    fn add_waypoint(&mut self, layer: usize) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node::Waypoint);
        self.below.push(Vec::new());
        self.above.push(Vec::new());
        self.layers[layer].push(number);
        number
    }

    /// Adds an edge between nodes of adjacent layers.
    fn connect(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }
}

/// Directed graph of systems. `worse` lists the systems that each system is better than, `better`
/// the systems that are better than it.
struct Graph {
    worse: Vec<Vec<usize>>,
    better: Vec<Vec<usize>>,
}

impl Graph {
    fn new(systems: usize, edges: &[(usize, usize)]) -> Self {
        let mut graph = Self {
            worse: vec![Vec::new(); systems],
            better: vec![Vec::new(); systems],
        };
        for (better, worse) in edges {
            graph.worse[*better].push(*worse);
            graph.better[*worse].push(*better);
        }
        graph
    }

    /// Returns the systems in topological order, better before worse (Kahn 1962).
    fn topological_order(&self) -> Vec<usize> {
        let mut waiting: Vec<usize> = self.better.iter().map(Vec::len).collect();
        let mut sorted: Vec<usize> = (0..waiting.len()).filter(|s| waiting[*s] == 0).collect();
        let mut next = 0;
        while let Some(system) = sorted.get(next).copied() {
            for worse in &self.worse[system] {
                waiting[*worse] -= 1;
                if waiting[*worse] == 0 {
                    sorted.push(*worse);
                }
            }
            next += 1;
        }
        let all = waiting.len();
        assert_eq!(sorted.len(), all, "the lines of an order lead in no circle");
        sorted
    }

    /// Returns the layer of each system, by the longest path from the top. A system that fits in
    /// several layers gets the one closest to its mean score. Otherwise a system that does not
    /// differ from any other would always be in the top layer.
    fn layers(&self, sorted: &[usize], means: &[f64]) -> Vec<usize> {
        let mut highest = vec![0; sorted.len()];
        for system in sorted {
            let above = self.better[*system].iter().map(|b| highest[*b] + 1);
            highest[*system] = above.max().unwrap_or(0);
        }
        let last = highest.iter().copied().max().unwrap_or(0);
        let mut lowest = vec![last; sorted.len()];
        for system in sorted.iter().rev() {
            let below = self.worse[*system].iter().map(|w| lowest[*w] - 1);
            lowest[*system] = below.min().unwrap_or(last);
        }
        let typical = (0..=last).map(|layer| {
            let fixed = (0..means.len()).filter(|s| highest[*s] == layer && lowest[*s] == layer);
            let (sum, count) =
                fixed.fold((0.0, 0.0), |(sum, count), s| (sum + means[s], count + 1.0));
            // The systems on a longest path have a fixed layer, one in every layer, so `count` is
            // not 0.
            sum / count
        });
        let typical: Vec<f64> = typical.collect();
        let mut layers = vec![0; sorted.len()];
        for system in sorted {
            let above = self.better[*system].iter().map(|b| layers[*b] + 1);
            let first = above.max().unwrap_or(0);
            let distance = |layer: &usize| (typical[*layer] - means[*system]).abs();
            let best = (first..=lowest[*system])
                .min_by(|one, other| distance(one).total_cmp(&distance(other)));
            layers[*system] = best.unwrap_or(first);
        }
        layers
    }
}

/// Splits layers of more than `most` systems into rows of similar size, and orders the systems of a
/// row from the best. Systems of a layer are incomparable, so any split is valid.
fn rows(layer_of: &[usize], means: &[f64], most: usize) -> Vec<Vec<usize>> {
    let layers = layer_of.iter().copied().max().map_or(0, |last| last + 1);
    let mut rows = Vec::new();
    for layer in 0..layers {
        let members = 0..layer_of.len();
        let mut members: Vec<usize> = members.filter(|s| layer_of[*s] == layer).collect();
        members.sort_by(|one, other| means[*other].total_cmp(&means[*one]));
        let count = members.len().div_ceil(most.max(1)).max(1);
        let in_each = members.len().div_ceil(count).max(1);
        rows.extend(members.chunks(in_each).map(<[usize]>::to_vec));
    }
    rows
}
