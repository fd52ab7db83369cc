//! Gauss-Legendre quadrature with 48 points.

/// Positive nodes of the symmetric 48-point rule on [-1, 1] with their weights: the roots of the
/// Legendre polynomial P₄₈, found by Newton's method in forty-digit arithmetic.
const POSITIVE_NODES: [(f64, f64); 24] = [
    (0.03238017096286936, 0.06473769681268392),
    (0.0970046992094627, 0.06446616443595009),
    (0.1612223560688917, 0.06392423858464819),
    (0.22476379039468905, 0.06311419228625402),
    (0.28736248735545555, 0.062039423159892665),
    (0.34875588629216075, 0.06070443916589388),
    (0.4086864819907167, 0.059114839698395635),
    (0.4669029047509584, 0.057277292100403214),
    (0.523160974722233, 0.055199503699984165),
    (0.5772247260839727, 0.05289018948519367),
    (0.6288673967765136, 0.05035903555385447),
    (0.6778723796326639, 0.04761665849249048),
    (0.7240341309238146, 0.04467456085669428),
    (0.7671590325157404, 0.04154508294346475),
    (0.8070662040294426, 0.03824135106583071),
    (0.8435882616243935, 0.03477722256477044),
    (0.8765720202742479, 0.03116722783279809),
    (0.9058791367155696, 0.027426509708356948),
    (0.9313866907065543, 0.02357076083932438),
    (0.9529877031604309, 0.01961616045735553),
    (0.9705915925462473, 0.015579315722943849),
    (0.9841245837228269, 0.01147723457923454),
    (0.9935301722663508, 0.0073275539012762625),
    (0.9987710072524261, 0.0031533460523058385),
];

/// Returns the nodes of the 48-point rule on [0, end] with their weights.
pub(crate) fn gauss_legendre_rule(end: f64) -> impl Iterator<Item = (f64, f64)> {
    POSITIVE_NODES.iter().flat_map(move |&(node, weight)| {
        let weight = 0.5 * end * weight;
        [
            (0.5 * end * (1.0 - node), weight),
            (0.5 * end * (1.0 + node), weight),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_up_to_degree_95_are_integrated_exactly() {
        for degree in [0, 1, 2, 47, 94, 95] {
            let integral: f64 = gauss_legendre_rule(1.0)
                .map(|(x, weight)| weight * x.powi(degree))
                .sum();
            assert!((integral * f64::from(degree + 1) - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn exponential_is_integrated_to_rounding_error() {
        let integral: f64 = gauss_legendre_rule(3.0)
            .map(|(x, weight)| weight * x.exp())
            .sum();
        assert!((integral / (3f64.exp() - 1.0) - 1.0).abs() < 1e-14);
    }
}
