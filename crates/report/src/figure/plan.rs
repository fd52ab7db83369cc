//! Figure of a plan: reliability of an evaluation by number of queries or by cost.

use partita_core::plan::{GCoefficient, MeasurePlan, Plan, PlanEstimate};

use super::canvas::scene::Figure;
use super::line_chart::{LineChart, LinePanel, LineSeries, line_chart_figure};
use crate::phrases::count_noun;

/// Number of points per curve.
const POINTS_PER_CURVE: u32 = 60;
/// Maximum extent of the curves on the x axis, as a multiple of the present number of queries.
const MAX_EXTENT: f64 = 10.0;

/// Draws the generalizability coefficients Eρ² and Φ against the number of queries, or against the
/// cost if the plan has a budget. There is one panel per measure, with the intervals of both
/// coefficients. If the scores are by several assessors, there is one panel per measure and
/// coefficient, with one curve per number of assessors and the interval of the present design.
pub fn plan_figure(plan: &Plan) -> Figure {
    let has_cost = plan.budget.is_some();
    let panels = plan
        .measures
        .iter()
        .flat_map(|measure| match measure.judges {
            None => vec![panel_by_queries(plan, measure)],
            Some(judges) => [GCoefficient::Erho2, GCoefficient::Phi]
                .map(|which| panel_by_assessors(plan, measure, which, judges as u32))
                .into(),
        });
    let curves = LineChart {
        title: if has_cost {
            "How far the result would hold, by cost".to_owned()
        } else {
            "How far the result would hold, by the number of queries".to_owned()
        },
        x_label: if has_cost { "cost" } else { "queries" }.to_owned(),
        y_label: "coefficient".to_owned(),
        y_is_percent: false,
        panels: panels.collect(),
    };
    line_chart_figure(&curves)
        .expect("coefficients are shares, and there are as many ends as points")
}

/// Returns the name of a generalizability coefficient in a figure.
fn coefficient_name(coefficient: GCoefficient) -> &'static str {
    match coefficient {
        GCoefficient::Erho2 => "Eρ², of the order of systems",
        GCoefficient::Phi => "Φ, of their scores",
    }
}

/// Returns the cost of a query judged by this number of assessors; 1 if there is no budget and the
/// x axis counts queries; `None` if the budget has no option with this number of assessors.
fn cost_per_query(plan: &Plan, measure: &MeasurePlan, judges: Option<u32>) -> Option<f64> {
    if plan.budget.is_none() {
        return Some(1.0);
    }
    let mut bought = measure
        .budget
        .iter()
        .filter(|bought| bought.judges == judges);
    bought
        .next()
        .map(|bought| bought.cost / bought.queries as f64)
}

/// Returns the numbers of queries at which the curves are computed. The curves cover twice the
/// present number of queries, and also the required numbers and the numbers that the budget buys
/// unless these exceed [`MAX_EXTENT`] times the present number.
fn query_counts(measure: &MeasurePlan) -> Vec<f64> {
    let present = measure.queries as f64;
    let needed = measure
        .queries_needed
        .iter()
        .map(|needed| needed.queries.value);
    let bought = measure.budget.iter().map(|bought| bought.queries as f64);
    let wanted = needed
        .chain(bought)
        .filter(|queries| *queries <= MAX_EXTENT * present);
    let last = wanted.fold(2.0 * present, f64::max);
    // Points are denser where the curves bend.
    let share = |i: u32| f64::from(i) / f64::from(POINTS_PER_CURVE - 1);
    let step = |i: u32| 1.0 + (last - 1.0) * share(i) * share(i);
    (0..POINTS_PER_CURVE).map(step).collect()
}

/// Returns the panel of a measure with both coefficients, for scores without assessors.
fn panel_by_queries(plan: &Plan, measure: &MeasurePlan) -> LinePanel {
    let present = measure.queries as f64;
    let price = cost_per_query(plan, measure, None);
    let curve = |(which, found): (GCoefficient, PlanEstimate)| {
        let spread = measure.decomposition(which, plan.design);
        // By the Spearman-Brown formula, an interval end at the present number of queries gives the
        // end at any other number: more queries reduce the error variance only.
        let at = |share: f64, n: f64| {
            if share > 0.0 {
                share * n / (share * n + (1.0 - share) * present)
            } else {
                0.0
            }
        };
        let sizes = query_counts(measure);
        let band = sizes
            .iter()
            .map(|n| (at(found.lower.max(0.0), *n), at(found.upper, *n)));
        LineSeries {
            name: coefficient_name(which).to_owned(),
            band: Some(band.collect()),
            points: (sizes.iter())
                .map(|n| (n * price.unwrap_or(1.0), spread.coefficient(*n, 1.0)))
                .collect(),
        }
    };
    let coefficients = [
        (GCoefficient::Erho2, measure.erho2),
        (GCoefficient::Phi, measure.phi),
    ];
    let queries = count_noun(measure.queries, "query", "queries");
    LinePanel {
        title: format!("{} ({queries} now)", measure.measure),
        curves: coefficients.map(curve).into(),
        references: Vec::new(),
    }
}

/// Returns the panel of one coefficient with a curve per number of assessors; `present` is the
/// number of assessors of the present scores.
fn panel_by_assessors(
    plan: &Plan,
    measure: &MeasurePlan,
    which: GCoefficient,
    present: u32,
) -> LinePanel {
    let spread = measure.decomposition(which, plan.design);
    let mut numbers: Vec<u32> = measure
        .queries_needed
        .iter()
        .filter_map(|n| n.judges)
        .collect();
    numbers.extend(measure.budget.iter().filter_map(|bought| bought.judges));
    numbers.sort_unstable();
    numbers.dedup();
    let curve = |judges: u32| {
        let price = cost_per_query(plan, measure, Some(judges))?;
        let points = query_counts(measure).into_iter();
        let points = points.map(|n| (n * price, spread.coefficient(n, f64::from(judges))));
        Some(LineSeries {
            name: count_noun(judges as usize, "judge", "judges"),
            points: points.collect(),
            band: None,
        })
    };
    let found = match which {
        GCoefficient::Erho2 => measure.erho2,
        GCoefficient::Phi => measure.phi,
    };
    let now = cost_per_query(plan, measure, Some(present)).map(|price| LineSeries {
        name: "now, with its interval".to_owned(),
        points: vec![(measure.queries as f64 * price, found.value)],
        band: Some(vec![(found.lower, found.upper)]),
    });
    LinePanel {
        title: format!("{}: {}", measure.measure, coefficient_name(which)),
        curves: numbers.into_iter().filter_map(curve).chain(now).collect(),
        references: Vec::new(),
    }
}
