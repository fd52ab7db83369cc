//! How far the result of an evaluation holds, by its queries or by what they cost.

use partita_core::plan::{GCoefficient, MeasurePlan, Plan, PlanEstimate};

use super::canvas::scene::Figure;
use super::line_chart::{LineChart, LinePanel, LineSeries, line_chart_figure};
use crate::phrases::count_noun;

/// As many points have curves.
const POINTS: u32 = 60;
/// Curves go at most as many times the present number of queries far.
const FARTHEST: f64 = 10.0;

/// The coefficients Eρ² and Φ against the number of queries, or, where a budget has prices, against
/// the cost; a panel for each measure, with the intervals of the coefficients. Scores by judges have
/// a panel for each coefficient, a curve for each number of judges, and the interval of the present.
pub fn plan_figure(plan: &Plan) -> Figure {
    let has_cost = plan.budget.is_some();
    let panels = plan
        .measures
        .iter()
        .flat_map(|measure| match measure.judges {
            None => vec![by_queries(plan, measure)],
            Some(judges) => [GCoefficient::Erho2, GCoefficient::Phi]
                .map(|which| by_judges(plan, measure, which, judges as u32))
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

/// What a coefficient is called in a figure.
fn name(which: GCoefficient) -> &'static str {
    match which {
        GCoefficient::Erho2 => "Eρ², of the order of systems",
        GCoefficient::Phi => "Φ, of their scores",
    }
}

/// What a query costs with so many judges, or 1 where costs are unknown and so not asked for.
fn price(plan: &Plan, measure: &MeasurePlan, judges: Option<u32>) -> Option<f64> {
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

/// The numbers of queries for which curves are drawn: past the present, past what is wanted if that
/// is not too far, and past what money buys.
fn sizes(measure: &MeasurePlan) -> Vec<f64> {
    let present = measure.queries as f64;
    let needed = measure
        .queries_needed
        .iter()
        .map(|needed| needed.queries.value);
    let bought = measure.budget.iter().map(|bought| bought.queries as f64);
    let wanted = needed
        .chain(bought)
        .filter(|queries| *queries <= FARTHEST * present);
    let last = wanted.fold(2.0 * present, f64::max);
    // More of them stand where the curves bend.
    let share = |i: u32| f64::from(i) / f64::from(POINTS - 1);
    let step = |i: u32| 1.0 + (last - 1.0) * share(i) * share(i);
    (0..POINTS).map(step).collect()
}

fn by_queries(plan: &Plan, measure: &MeasurePlan) -> LinePanel {
    let present = measure.queries as f64;
    let price = price(plan, measure, None);
    let curve = |(which, found): (GCoefficient, PlanEstimate)| {
        let spread = measure.spread(which, plan.design);
        // By the formula of Spearman and Brown, an end at the present number of queries is one at
        // any other: more queries lessen the error alone.
        let at = |share: f64, n: f64| {
            if share > 0.0 {
                share * n / (share * n + (1.0 - share) * present)
            } else {
                0.0
            }
        };
        let sizes = sizes(measure);
        let band = sizes
            .iter()
            .map(|n| (at(found.lower.max(0.0), *n), at(found.upper, *n)));
        LineSeries {
            name: name(which).to_owned(),
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

fn by_judges(plan: &Plan, measure: &MeasurePlan, which: GCoefficient, present: u32) -> LinePanel {
    let spread = measure.spread(which, plan.design);
    let mut numbers: Vec<u32> = measure
        .queries_needed
        .iter()
        .filter_map(|n| n.judges)
        .collect();
    numbers.extend(measure.budget.iter().filter_map(|bought| bought.judges));
    numbers.sort_unstable();
    numbers.dedup();
    let curve = |judges: u32| {
        let price = price(plan, measure, Some(judges))?;
        let points = sizes(measure).into_iter();
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
    let now = price(plan, measure, Some(present)).map(|price| LineSeries {
        name: "now, with its interval".to_owned(),
        points: vec![(measure.queries as f64 * price, found.value)],
        band: Some(vec![(found.lower, found.upper)]),
    });
    LinePanel {
        title: format!("{}: {}", measure.measure, name(which)),
        curves: numbers.into_iter().filter_map(curve).chain(now).collect(),
        references: Vec::new(),
    }
}
