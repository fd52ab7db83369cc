//! Simplification of polylines without a visible difference.

use crate::figure::canvas::scene::Point;

/// Minimum tolerance of the simplification: maximum distance, in figure units, of a removed point
/// from the simplified line. It is a small fraction of any line width and so invisible.
const MIN_TOLERANCE: f64 = 0.1;
/// Number of points that a line keeps even if the figure has too many points, so that its shape is
/// preserved.
const MIN_KEPT_POINTS: usize = 40;

/// Removes points that make no visible difference (Douglas and Peucker 1973). Uses a coarser
/// tolerance only if more than `at_most` points and more than [`MIN_KEPT_POINTS`] would remain.
pub(crate) fn thinned(points: &[Point], at_most: usize) -> Vec<Point> {
    let weights = keep_tolerances(points);
    let mut ranked: Vec<f64> = weights
        .iter()
        .copied()
        .filter(|w| *w > MIN_TOLERANCE)
        .collect();
    ranked.sort_unstable_by(|one, other| other.total_cmp(one));
    let tolerance = ranked
        .get(at_most.max(MIN_KEPT_POINTS))
        .copied()
        .unwrap_or(MIN_TOLERANCE);
    let weighed = points.iter().zip(weights);
    let kept = weighed.filter(|(_, weight)| *weight > tolerance);
    kept.map(|(point, _)| *point).collect()
}

/// Computes for each point the tolerance below which the Douglas-Peucker algorithm keeps it. The
/// algorithm always splits at the same points, so one pass serves every tolerance. Points that the
/// finest tolerance drops get 0.
fn keep_tolerances(points: &[Point]) -> Vec<f64> {
    let mut weights = vec![0.0; points.len()];
    let Some(last) = points.len().checked_sub(1) else {
        return weights;
    };
    weights[0] = f64::INFINITY;
    weights[last] = f64::INFINITY;
    let mut stretches = vec![(0, last, f64::INFINITY)];
    while let Some((from, to, limit)) = stretches.pop() {
        let farthest = (from + 1..to)
            .map(|at| (at, distance(points[at], points[from], points[to])))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        if let Some((at, far)) = farthest
            && far > MIN_TOLERANCE
        {
            weights[at] = far.min(limit);
            stretches.extend([(from, at, weights[at]), (at, to, weights[at])]);
        }
    }
    weights
}

/// Returns the distance of `point` from the segment between `from` and `to`.
fn distance(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (px, py) = (point.x - from.x, point.y - from.y);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 {
        ((px * dx + py * dy) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (x, y) = (px - along * dx, py - along * dy);
    // Square roots are the same on every machine; `hypot` is not.
    (x * x + y * y).sqrt()
}
