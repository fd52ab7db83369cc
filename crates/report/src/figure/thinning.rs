//! Polylines with fewer points that look the same.

use super::scene::Point;

/// How far, at the best, a thinned line may be from the whole one. It is a
/// small part of the width of any line that is drawn.
const FINEST: f64 = 0.1;

/// The polyline without the points that make no visible difference (Douglas and
/// Peucker 1973), coarser only when more than `at_most` points would be left.
pub(super) fn thinned(points: &[Point], at_most: usize) -> Vec<Point> {
    let weights = weights(points);
    let mut ranked: Vec<f64> = weights.iter().copied().filter(|w| *w > FINEST).collect();
    ranked.sort_unstable_by(|one, other| other.total_cmp(one));
    let tolerance = ranked.get(at_most.max(2)).copied().unwrap_or(FINEST);
    let weighed = points.iter().zip(weights);
    weighed
        .filter_map(|(point, weight)| (weight > tolerance).then_some(*point))
        .collect()
}

/// For each point, the tolerance below which the method of Douglas and Peucker
/// keeps it: the method always splits at the same points, so that one pass
/// serves every tolerance. Points that the finest tolerance drops weigh nothing.
fn weights(points: &[Point]) -> Vec<f64> {
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
            && far > FINEST
        {
            weights[at] = far.min(limit);
            stretches.extend([(from, at, weights[at]), (at, to, weights[at])]);
        }
    }
    weights
}

/// The distance of a point from the line between two others.
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
    // A square root is the same on every machine; `hypot` is not.
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(heights: &[f64]) -> Vec<Point> {
        let places = heights.iter().enumerate();
        places.map(|(x, y)| (x as f64, *y).into()).collect()
    }

    #[test]
    fn points_on_a_straight_line_are_left_out() {
        assert_eq!(thinned(&line(&[1.0; 500]), 1000).len(), 2);
    }

    #[test]
    fn one_point_and_none_stay_as_they_are() {
        assert_eq!(thinned(&line(&[3.0]), 10), line(&[3.0]));
        assert_eq!(thinned(&[], 10), []);
    }

    proptest! {
        #[test]
        fn every_point_left_out_lies_on_the_thinned_line(
            heights in proptest::collection::vec(0.0..3.0_f64, 1..80),
        ) {
            let whole = line(&heights);
            let thin = thinned(&whole, 1000);
            for point in &whole {
                let near = thin.windows(2).map(|pair| distance(*point, pair[0], pair[1]));
                let nearest = near.fold(f64::INFINITY, f64::min);
                prop_assert!(thin.len() == 1 || nearest <= FINEST + 1e-12);
            }
        }

        #[test]
        fn no_more_points_are_kept_than_asked_for(
            heights in proptest::collection::vec(0.0..300.0_f64, 1..300),
            at_most in 2_usize..50,
        ) {
            prop_assert!(thinned(&line(&heights), at_most).len() <= at_most);
        }
    }
}
