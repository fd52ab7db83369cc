//! The transportation problem: the cheapest way to move what is here to where it is wanted.
//!
//! Solved by successive shortest paths with potentials (Edmonds and Karp 1972): each round finds the
//! cheapest ways, over what was moved before if need be, from any place that still has something to all
//! that still want something, and moves as much as those ways allow, one after the other: they all cost
//! nothing by the new potentials.

/// Room to work in.
#[derive(Default)]
pub(crate) struct TransportSolver {
    flow: Vec<f64>,
    left: Vec<f64>,
    wanted: Vec<f64>,
    /// What a unit has cost to get to each place, for both sides.
    potential: Vec<f64>,
    distance: Vec<f64>,
    before: Vec<usize>,
    settled: Vec<bool>,
}

/// What is left of amounts that should cancel.
const RELATIVE_EPSILON: f64 = 1e-12;

impl TransportSolver {
    /// The least cost of serving all demands, which are no more than the supplies. `costs` has a row for each
    /// supply.
    pub(crate) fn least_cost(&mut self, supplies: &[f64], demands: &[f64], costs: &[f64]) -> f64 {
        let (rows, columns) = (supplies.len(), demands.len());
        let nodes = rows + columns;
        self.flow.clear();
        self.flow.resize(rows * columns, 0.0);
        self.left.clear();
        self.left.extend_from_slice(supplies);
        self.wanted.clear();
        self.wanted.extend_from_slice(demands);
        self.potential.clear();
        self.potential.resize(nodes, 0.0);
        let all: f64 = demands.iter().sum();
        let mut moved = self.begin(rows, columns, costs);
        while all - moved > RELATIVE_EPSILON * all {
            self.shortest_paths(rows, columns, costs);
            let before = moved;
            for end in rows..nodes {
                if self.wanted[end - rows] > 0.0 && self.distance[end].is_finite() {
                    moved += self.move_along(end, rows, columns);
                }
            }
            if moved <= before {
                break;
            }
        }
        self.flow
            .iter()
            .zip(costs)
            .map(|(flow, cost)| flow * cost)
            .sum()
    }

    /// Serves every demand from where that is cheapest, as far as it goes, and says how much was moved. What
    /// is left is little, and the potentials are those of an optimum of what was moved.
    fn begin(&mut self, rows: usize, columns: usize, costs: &[f64]) -> f64 {
        let mut moved = 0.0;
        for column in 0..columns {
            let mut nearest = 0;
            for row in 1..rows {
                if costs[row * columns + column] < costs[nearest * columns + column] {
                    nearest = row;
                }
            }
            self.potential[rows + column] = costs[nearest * columns + column];
            let amount = self.left[nearest].min(self.wanted[column]);
            take(&mut self.left[nearest], amount);
            take(&mut self.wanted[column], amount);
            self.flow[nearest * columns + column] += amount;
            moved += amount;
        }
        moved
    }

    /// The cheapest way from what is left to every place, in `before` (Dijkstra 1959).
    fn shortest_paths(&mut self, rows: usize, columns: usize, costs: &[f64]) {
        let nodes = rows + columns;
        self.distance.clear();
        self.distance.resize(nodes, f64::INFINITY);
        self.settled.clear();
        self.settled.resize(nodes, false);
        self.before.clear();
        self.before.resize(nodes, usize::MAX);
        for row in 0..rows {
            if self.left[row] > 0.0 {
                self.distance[row] = 0.0;
            }
        }
        let mut farthest = 0.0;
        loop {
            let (mut node, mut reached) = (nodes, f64::INFINITY);
            for (other, &distance) in self.distance.iter().enumerate() {
                if distance < reached && !self.settled[other] {
                    (node, reached) = (other, distance);
                }
            }
            if node == nodes {
                break;
            }
            self.settled[node] = true;
            farthest = reached;
            if node >= rows {
                let column = node - rows;
                for row in 0..rows {
                    if !self.settled[row] && self.flow[row * columns + column] > 0.0 {
                        let cost = -costs[row * columns + column] + self.potential[node]
                            - self.potential[row];
                        self.relax(node, row, reached + cost.max(0.0));
                    }
                }
            } else {
                for column in 0..columns {
                    let to = rows + column;
                    if !self.settled[to] {
                        let cost = costs[node * columns + column] + self.potential[node]
                            - self.potential[to];
                        self.relax(node, to, reached + cost.max(0.0));
                    }
                }
            }
        }
        // Where no way leads is as far as the farthest, so that no cost becomes negative.
        for node in 0..nodes {
            self.potential[node] += self.distance[node].min(farthest);
        }
    }

    fn relax(&mut self, from: usize, to: usize, distance: f64) {
        if distance < self.distance[to] {
            self.distance[to] = distance;
            self.before[to] = from;
        }
    }

    /// Moves as much as the way allows, and says how much.
    fn move_along(&mut self, end: usize, rows: usize, columns: usize) -> f64 {
        let mut amount = self.wanted[end - rows];
        let mut node = end;
        while self.before[node] != usize::MAX {
            let from = self.before[node];
            if from >= rows {
                amount = amount.min(self.flow[node * columns + from - rows]);
            }
            node = from;
        }
        amount = amount.min(self.left[node]);
        take(&mut self.left[node], amount);
        take(&mut self.wanted[end - rows], amount);
        let mut node = end;
        while self.before[node] != usize::MAX {
            let from = self.before[node];
            if from < rows {
                self.flow[from * columns + node - rows] += amount;
            } else {
                take(&mut self.flow[node * columns + from - rows], amount);
            }
            node = from;
        }
        amount
    }
}

/// Less by an amount, and 0 where only rounding is left.
fn take(from: &mut f64, amount: f64) {
    let left = *from - amount;
    *from = if left <= RELATIVE_EPSILON * *from {
        0.0
    } else {
        left
    };
}

/// Prices of the places that want something, from which a bound of the cost follows.
///
/// Whatever the prices, every unit costs at least the least of cost less price over all places, and the price of
/// where it goes is paid back: sum of s(i) min over j of (c(i, j) - v(j)) + sum of d(j) v(j) is no more than the
/// least cost (the dual of the problem). Where more goes to a place than it wants its price falls, else it
/// rises, by a step after Polyak (1969): as if what is to be exceeded were the highest bound.
#[derive(Default)]
pub(crate) struct DualBound {
    each: Vec<f64>,
    over: Vec<f64>,
}

/// How often prices are changed: more rarely help.
const ROUNDS: usize = 24;

impl DualBound {
    /// Whether moving all supplies is known to cost more than this. Where not all demands are met (`whole`
    /// says that they are), no price is above 0.
    pub(crate) fn exceed(
        &mut self,
        cost: f64,
        supplies: &[f64],
        demands: &[f64],
        costs: &[f64],
        whole: bool,
    ) -> bool {
        self.each.clear();
        self.each.resize(demands.len(), 0.0);
        for _ in 0..ROUNDS {
            self.over.clear();
            self.over.extend_from_slice(demands);
            let paid = demands.iter().zip(&self.each);
            let mut bound: f64 = paid.map(|(demand, price)| demand * price).sum();
            for (&supply, row) in supplies.iter().zip(costs.chunks_exact(demands.len())) {
                let (mut cheapest, mut least) = (0, f64::INFINITY);
                for (column, (cost, price)) in row.iter().zip(&self.each).enumerate() {
                    let cost = cost - price;
                    if cost < least {
                        (cheapest, least) = (column, cost);
                    }
                }
                bound += supply * least;
                self.over[cheapest] -= supply;
            }
            if bound > cost {
                return true;
            }
            let square: f64 = self.over.iter().map(|over| over * over).sum();
            // A bit further than just there, which is never reached.
            let step = (1.05 * cost - bound) / square;
            if !step.is_finite() || step <= 0.0 {
                return false;
            }
            for (price, over) in self.each.iter_mut().zip(&self.over) {
                *price += step * over;
                if !whole {
                    *price = price.min(0.0);
                }
            }
        }
        false
    }
}
