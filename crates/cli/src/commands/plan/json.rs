//! Everything as one JSON object. A number of queries or judges that does not exist is null.

use partita_core::plan::Estimate;
use partita_formats::Warning;
use serde_json::{Value, json};

use super::curves::Curve;
use super::planned::{Bought, Plan, Topics};
use super::{PlanArgs, VarianceName};

pub(super) fn print(args: &PlanArgs, plans: &[Plan], warnings: &[Warning]) -> String {
    let warnings = warnings
        .iter()
        .map(|w| json!({"file": w.file, "line": w.line, "message": w.message}));
    let object = json!({
        "seed": args.seed,
        "confidence": args.confidence,
        "intervals": args.intervals.name(),
        "design": args.judging.design.name(),
        "t_test": {
            "alpha": args.test.alpha,
            "power": args.test.t_power,
            "variance": match args.test.variance {
                VarianceName::Mean => "mean",
                VarianceName::Largest => "largest",
                VarianceName::Given(_) => "given",
            },
        },
        "budget": args.money.budget,
        "measures": plans.iter().map(|plan| measure(args, plan)).collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
    });
    format!("{object:#}\n")
}

fn measure(args: &PlanArgs, plan: &Plan) -> Value {
    let total: f64 = plan.components.iter().map(|c| c.variance).sum();
    let components = plan.components.iter().map(|component| {
        json!({
            "effect": component.effect.name(),
            "df": component.df,
            "mean_square": component.mean_square,
            "kurtosis": component.kurtosis,
            "estimate": component.estimate,
            "variance": component.variance,
            "share": component.variance / total,
        })
    });
    let needed = plan.needed.iter().map(|needed| {
        json!({
            "coefficient": needed.coefficient.name(),
            "wanted": needed.wanted,
            "judges": needed.judges,
            "queries": estimate(needed.queries),
        })
    });
    let judges = plan.judges_needed.iter().map(|needed| {
        json!({
            "coefficient": needed.coefficient.name(),
            "wanted": needed.wanted,
            "queries": plan.queries,
            "judges": estimate(needed.judges),
        })
    });
    json!({
        "measure": plan.measure,
        "systems": plan.systems,
        "queries": plan.queries,
        "judges": plan.judges,
        "components": components.collect::<Vec<_>>(),
        "erho2": estimate(plan.erho2),
        "phi": estimate(plan.phi),
        "queries_needed": needed.collect::<Vec<_>>(),
        "judges_needed": judges.collect::<Vec<_>>(),
        "pair": plan.pair.as_ref().map(|(a, b)| [a, b]),
        "t_test": plan.topics.iter().map(topics).collect::<Vec<_>>(),
        "curves": plan.curves.iter().map(curve).collect::<Vec<_>>(),
        "budget": plan.bought.iter().map(|one| bought(args, plan, one)).collect::<Vec<_>>(),
    })
}

fn topics(topics: &Topics) -> Value {
    let differences = topics.differences.iter().map(
        |(difference, queries)| json!({"difference": difference, "queries": estimate(*queries)}),
    );
    json!({
        "judges": topics.judges,
        "variance": estimate(topics.variance),
        "detectable": estimate(topics.detectable),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn curve(curve: &Curve) -> Value {
    let fits = curve.extrapolation.fits().iter().map(|fit| {
        json!({
            "model": fit.model.name(),
            "from": fit.from,
            "a": fit.parameters.0,
            "b": fit.parameters.1,
            "held_out_error": fit.error,
        })
    });
    let wanted = curve.wanted.iter().map(|wanted| {
        json!({
            "share": wanted.share,
            "queries": estimate(wanted.queries),
            "reach": wanted.reach.name(),
        })
    });
    json!({
        "test": curve.test,
        "of": curve.kind.name(),
        "largest_size": curve.extrapolation.largest(),
        "queries_resampled": curve.resampled,
        "fits": fits.collect::<Vec<_>>(),
        "wanted": wanted.collect::<Vec<_>>(),
    })
}

fn bought(args: &PlanArgs, plan: &Plan, bought: &Bought) -> Value {
    let finds = args.test.difference.iter().zip(&bought.finds);
    let finds = finds.map(|(difference, power)| json!({"difference": difference, "power": power}));
    let curves = plan.curves.iter().zip(&bought.shares);
    let curves = curves
        .map(|(curve, share)| json!({"test": curve.test, "of": curve.kind.name(), "share": share}));
    json!({
        "judges": plan.judges.map(|_| bought.purchase.judges),
        "queries": bought.purchase.queries,
        "judgments": bought.purchase.judgments,
        "cost": bought.purchase.cost,
        "erho2": estimate(bought.erho2),
        "phi": estimate(bought.phi),
        "detectable": bought.detectable,
        "t_power": finds.collect::<Vec<_>>(),
        "curves": curves.collect::<Vec<_>>(),
        "best": bought.best,
    })
}

/// Infinite numbers are null in JSON: none suffices.
fn estimate(estimate: Estimate) -> Value {
    json!({"value": estimate.value, "lower": estimate.lower, "upper": estimate.upper})
}
