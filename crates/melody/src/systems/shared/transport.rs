//! Solver of the transportation problem: the cheapest flow from supplies to demands.
//!
//! It uses successive shortest paths with potentials (Edmonds and Karp 1972). Each round finds the
//! shortest paths in the residual graph from all remaining supplies to all remaining demands. It
//! then augments the flow along these paths one after the other, because all of them have reduced
//! cost 0 under the new potentials.

/// Solver of the transportation problem, with scratch memory that is reused.
#[derive(Default)]
pub(crate) struct TransportSolver {
    /// Amount moved from each supply to each demand: a matrix in row order with one row per supply.
    flow: Vec<f64>,
    supply_left: Vec<f64>,
    demand_left: Vec<f64>,
    // The vectors below have one entry per node: first the supplies, then the demands.
    potential: Vec<f64>,
    distance: Vec<f64>,
    /// Previous node on the shortest path to each node; `usize::MAX` for the first node of a path.
    predecessors: Vec<usize>,
    visited: Vec<bool>,
}

/// Share of an amount below which the remainder of a subtraction counts as a rounding error.
const RELATIVE_EPSILON: f64 = 1e-12;

impl TransportSolver {
    /// Returns the minimum cost of satisfying all demands, whose sum must not exceed that of the
    /// supplies. `costs` is a matrix in row order with one row per supply.
    pub(crate) fn least_cost(&mut self, supplies: &[f64], demands: &[f64], costs: &[f64]) -> f64 {
        let (rows, columns) = (supplies.len(), demands.len());
        let nodes = rows + columns;
        self.flow.clear();
        self.flow.resize(rows * columns, 0.0);
        self.supply_left.clear();
        self.supply_left.extend_from_slice(supplies);
        self.demand_left.clear();
        self.demand_left.extend_from_slice(demands);
        self.potential.clear();
        self.potential.resize(nodes, 0.0);
        let all: f64 = demands.iter().sum();
        let mut moved = self.serve_from_cheapest(rows, columns, costs);
        while all - moved > RELATIVE_EPSILON * all {
            self.shortest_paths(rows, columns, costs);
            let predecessors = moved;
            for end in rows..nodes {
                if self.demand_left[end - rows] > 0.0 && self.distance[end].is_finite() {
                    moved += self.augment_path(end, rows, columns);
                }
            }
            if moved <= predecessors {
                break;
            }
        }
        self.flow
            .iter()
            .zip(costs)
            .map(|(flow, cost)| flow * cost)
            .sum()
    }

    /// Satisfies each demand from its cheapest supply as far as possible and returns the total
    /// amount moved. This leaves little for the main loop, and the potentials are optimal for this
    /// partial flow.
    fn serve_from_cheapest(&mut self, rows: usize, columns: usize, costs: &[f64]) -> f64 {
        let mut moved = 0.0;
        for column in 0..columns {
            let mut nearest = 0;
            for row in 1..rows {
                if costs[row * columns + column] < costs[nearest * columns + column] {
                    nearest = row;
                }
            }
            self.potential[rows + column] = costs[nearest * columns + column];
            let amount = self.supply_left[nearest].min(self.demand_left[column]);
            subtract_to_zero(&mut self.supply_left[nearest], amount);
            subtract_to_zero(&mut self.demand_left[column], amount);
            self.flow[nearest * columns + column] += amount;
            moved += amount;
        }
        moved
    }

    /// Finds the shortest paths from the remaining supplies to every node (Dijkstra 1959) and
    /// stores them in `predecessors`.
    fn shortest_paths(&mut self, rows: usize, columns: usize, costs: &[f64]) {
        let nodes = rows + columns;
        self.distance.clear();
        self.distance.resize(nodes, f64::INFINITY);
        self.visited.clear();
        self.visited.resize(nodes, false);
        self.predecessors.clear();
        self.predecessors.resize(nodes, usize::MAX);
        for row in 0..rows {
            if self.supply_left[row] > 0.0 {
                self.distance[row] = 0.0;
            }
        }
        let mut farthest = 0.0;
        loop {
            let (mut node, mut reached) = (nodes, f64::INFINITY);
            for (other, &distance) in self.distance.iter().enumerate() {
                if distance < reached && !self.visited[other] {
                    (node, reached) = (other, distance);
                }
            }
            if node == nodes {
                break;
            }
            self.visited[node] = true;
            farthest = reached;
            if node >= rows {
                let column = node - rows;
                for row in 0..rows {
                    if !self.visited[row] && self.flow[row * columns + column] > 0.0 {
                        let cost = -costs[row * columns + column] + self.potential[node]
                            - self.potential[row];
                        self.relax(node, row, reached + cost.max(0.0));
                    }
                }
            } else {
                for column in 0..columns {
                    let to = rows + column;
                    if !self.visited[to] {
                        let cost = costs[node * columns + column] + self.potential[node]
                            - self.potential[to];
                        self.relax(node, to, reached + cost.max(0.0));
                    }
                }
            }
        }
        // Unreachable nodes get the largest distance, so that no reduced cost becomes negative.
        for node in 0..nodes {
            self.potential[node] += self.distance[node].min(farthest);
        }
    }

    /// Updates the shortest path to the node `to` if the path over `from` is shorter.
    fn relax(&mut self, from: usize, to: usize, distance: f64) {
        if distance < self.distance[to] {
            self.distance[to] = distance;
            self.predecessors[to] = from;
        }
    }

    /// Moves as much as possible along the shortest path to the demand node `end` and returns the
    /// amount.
    fn augment_path(&mut self, end: usize, rows: usize, columns: usize) -> f64 {
        let mut amount = self.demand_left[end - rows];
        let mut node = end;
        while self.predecessors[node] != usize::MAX {
            let from = self.predecessors[node];
            if from >= rows {
                amount = amount.min(self.flow[node * columns + from - rows]);
            }
            node = from;
        }
        amount = amount.min(self.supply_left[node]);
        subtract_to_zero(&mut self.supply_left[node], amount);
        subtract_to_zero(&mut self.demand_left[end - rows], amount);
        let mut node = end;
        while self.predecessors[node] != usize::MAX {
            let from = self.predecessors[node];
            if from < rows {
                self.flow[from * columns + node - rows] += amount;
            } else {
                subtract_to_zero(&mut self.flow[node * columns + from - rows], amount);
            }
            node = from;
        }
        amount
    }
}

/// Subtracts an amount, and sets the result to 0 if only a rounding error is left.
fn subtract_to_zero(from: &mut f64, amount: f64) {
    let left = *from - amount;
    *from = if left <= RELATIVE_EPSILON * *from {
        0.0
    } else {
        left
    };
}

/// Lower bound on the minimum transportation cost from the dual problem, raised by subgradient
/// steps (Polyak 1969).
///
/// Let s(i) be the supplies, d(j) the demands and c(i, j) the costs. For any prices v(j) of the
/// demands, the sum over i of s(i) times the minimum over j of (c(i, j) - v(j)), plus the sum over
/// j of d(j) v(j), is at most the minimum cost (weak duality). In each step, the price of a demand
/// falls if the demand would receive more than d(j), and rises if it would receive less. Polyak's
/// step size needs a target value of the bound, which is the cost to exceed.
#[derive(Default)]
pub(crate) struct DualBound {
    prices: Vec<f64>,
    /// Amount that each demand lacks at the current dual prices; negative if it receives too much.
    shortfalls: Vec<f64>,
}

/// Largest number of subgradient steps.
const SUBGRADIENT_STEPS: usize = 24;

impl DualBound {
    /// Returns true if moving all supplies certainly costs more than `cost`: if the lower bound that
    /// the dual prices of the demands give exceeds it. If some demands may remain unmet
    /// (`is_balanced` is false), only prices up to 0 give a bound, so higher prices are set to 0.
    pub(crate) fn exceeds(
        &mut self,
        cost: f64,
        supplies: &[f64],
        demands: &[f64],
        costs: &[f64],
        is_balanced: bool,
    ) -> bool {
        self.prices.clear();
        self.prices.resize(demands.len(), 0.0);
        for _ in 0..SUBGRADIENT_STEPS {
            self.shortfalls.clear();
            self.shortfalls.extend_from_slice(demands);
            let paid = demands.iter().zip(&self.prices);
            let mut bound: f64 = paid.map(|(demand, price)| demand * price).sum();
            for (&supply, row) in supplies.iter().zip(costs.chunks_exact(demands.len())) {
                let (mut cheapest, mut least) = (0, f64::INFINITY);
                for (column, (cost, price)) in row.iter().zip(&self.prices).enumerate() {
                    let cost = cost - price;
                    if cost < least {
                        (cheapest, least) = (column, cost);
                    }
                }
                bound += supply * least;
                self.shortfalls[cheapest] -= supply;
            }
            if bound > cost {
                return true;
            }
            let square: f64 = self
                .shortfalls
                .iter()
                .map(|shortfall| shortfall * shortfall)
                .sum();
            // The target is slightly above the cost, because the steps approach the target without
            // reaching it.
            let step = (1.05 * cost - bound) / square;
            if !step.is_finite() || step <= 0.0 {
                return false;
            }
            for (price, shortfall) in self.prices.iter_mut().zip(&self.shortfalls) {
                *price += step * shortfall;
                if !is_balanced {
                    *price = price.min(0.0);
                }
            }
        }
        false
    }
}
