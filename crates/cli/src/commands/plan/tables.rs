//! Tables for people.

use partita_core::plan::Estimate;
use partita_core::plan::curves::Reach;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::planned::{Coefficient, JudgesNeeded, Needed, Plan, Topics, wanted};
use super::{PlanArgs, VarianceName};
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(
    args: &PlanArgs,
    plans: &[Plan],
    format: TableFormat,
) -> Result<String, Failure> {
    let mut parts = vec![
        render(present(plans)?, &present_notes(args, plans), format),
        render(needed(args, plans)?, &needed_notes(args, plans), format),
    ];
    if let Some(budget) = args.money.budget {
        let many = plans.len() > 1;
        for plan in plans {
            let of = if many {
                format!(", {}", plan.measure)
            } else {
                String::new()
            };
            let caption = format!("What {budget} buys{of}");
            let table = bought(args, plan)?.with_caption(caption);
            parts.push(render(table, &bought_notes(args, plan), format));
        }
    }
    Ok(parts.join("\n"))
}

/// What the scores say as they are: a row a measure.
fn present(plans: &[Plan]) -> Result<Table, Failure> {
    let judged = plans.iter().any(|plan| plan.judges.is_some());
    let right = |name: &str| Column::text(name).align(Align::Right);
    let mut columns = vec![
        Column::text("Measure"),
        Column::integer("Systems"),
        Column::integer("Queries"),
    ];
    if judged {
        columns.push(Column::integer("Judges"));
    }
    columns.extend(["Eρ²", "Φ", "Detects"].map(right));
    let effects = plans.first().map_or(&[][..], |plan| &plan.components);
    columns.extend(
        effects
            .iter()
            .map(|c| right(&format!("{} %", c.effect.name()))),
    );
    let table = Table::new(columns);
    let mut table = table.with_caption("The scores as they are");
    for plan in plans {
        let mut row = vec![
            Cell::text(plan.measure.clone()),
            Cell::integer(plan.systems as i64),
            Cell::integer(plan.queries as i64),
        ];
        if let Some(judges) = plan.judges {
            row.push(Cell::integer(judges as i64));
        }
        row.extend([plan.erho2, plan.phi].map(|value| Cell::text(share(value))));
        // With as many judges as there are, or else with the most planned with.
        let there_are = |t: &&Topics| t.judges.map(|j| j as usize) == plan.judges;
        let detects = plan.topics.iter().find(there_are).or(plan.topics.last());
        row.push(detects.map_or(Cell::missing(), |t| Cell::text(share(t.detectable))));
        let total: f64 = plan.components.iter().map(|c| c.variance).sum();
        let parts = plan.components.iter();
        row.extend(parts.map(|c| Cell::text(format!("{:.1}", 100.0 * c.variance / total))));
        table.push(row);
    }
    Ok(table)
}

fn present_notes(args: &PlanArgs, plans: &[Plan]) -> Vec<String> {
    let percent = 100.0 * args.confidence;
    let judged = plans.iter().any(|plan| plan.judges.is_some());
    let mut notes = vec![
        "Eρ²: how far the order of the systems would hold with other queries; Φ: how far their \
         scores would. From 0 to 1."
            .to_owned(),
        format!(
            "Detects: the least difference between two means that a paired t-test at {} finds {} \
             of the time.",
            args.test.alpha, args.test.t_power
        ),
        "%: the parts of the variance of a score.".to_owned(),
    ];
    notes.push(match judged {
        true => format!(
            "In brackets: {percent}% intervals ({}), by drawing the variances {} times (seed {}).",
            args.intervals.name(),
            args.judging.replicates,
            args.seed
        ),
        false => format!(
            "In brackets: {percent}% intervals ({}): Feldt 1965, Arteaga et al. 1982, the jackknife.",
            args.intervals.name()
        ),
    });
    notes
}

/// The queries that each goal needs: a column a measure.
fn needed(args: &PlanArgs, plans: &[Plan]) -> Result<Table, Failure> {
    let judged = plans.iter().any(|plan| plan.judges.is_some());
    let mut columns = vec![Column::text("Goal")];
    if judged {
        columns.push(Column::integer("Judges"));
    }
    let measures = plans.iter();
    columns.extend(measures.map(|p| Column::text(p.measure.clone()).align(Align::Right)));
    let table = Table::new(columns);
    let mut table = table.with_caption("How many queries are needed");
    let mut push = |goal: String, judges: Option<u32>, cells: Vec<String>| {
        let mut row = vec![Cell::text(goal)];
        if judged {
            row.push(judges.map_or(Cell::missing(), |j| Cell::integer(i64::from(j))));
        }
        row.extend(cells.into_iter().map(Cell::text));
        table.push(row)
    };
    // All measures are asked the same, though perhaps with other numbers of judges.
    let mut judges: Vec<Option<u32>> = Vec::new();
    for topics in plans.iter().flat_map(|plan| &plan.topics) {
        if !judges.contains(&topics.judges) {
            judges.push(topics.judges);
        }
    }
    judges.sort_unstable();
    let or_dash = |estimate: Option<Estimate>| estimate.map_or("–".to_owned(), count);
    for which in [Coefficient::Erho2, Coefficient::Phi] {
        for wanted in wanted(args, which) {
            for &judges in &judges {
                let matches = |needed: &&Needed| {
                    let asked = (needed.coefficient, needed.wanted, needed.judges);
                    asked == (which, *wanted, judges)
                };
                let cell =
                    |plan: &Plan| or_dash(plan.needed.iter().find(matches).map(|n| n.queries));
                let goal = format!("{} of {wanted}", symbol(which));
                push(goal, judges, plans.iter().map(cell).collect());
            }
        }
    }
    for (place, &difference) in args.differences().iter().enumerate() {
        for &judges in &judges {
            let cell = |plan: &Plan| {
                let mut topics = plan.topics.iter();
                let topics = topics.find(|topics| topics.judges == judges);
                or_dash(topics.map(|topics| topics.differences[place].1))
            };
            let cells = plans.iter().map(cell).collect();
            push(format!("t-test finds {difference}"), judges, cells);
        }
    }
    // Measures may have curves of different tests.
    let mut goals: Vec<(String, &'static str, f64)> = Vec::new();
    for curve in plans.iter().flat_map(|plan| &plan.curves) {
        for wanted in &curve.wanted {
            let goal = (curve.test.clone(), curve.kind.name(), wanted.share);
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
    }
    for (test, kind, wanted_share) in goals {
        let cell = |plan: &Plan| {
            let curves = plan.curves.iter();
            let mut found = curves
                .filter(|curve| curve.test == test && curve.kind.name() == kind)
                .flat_map(|curve| &curve.wanted)
                .filter(|wanted| wanted.share == wanted_share);
            found.next().map_or("–".to_owned(), |wanted| {
                let mark = if wanted.reach == Reach::Far { "?" } else { "" };
                format!("{}{mark}", count(wanted.queries))
            })
        };
        let goal = format!("{kind} of {wanted_share} ({test})");
        push(goal, None, plans.iter().map(cell).collect());
    }
    if judged {
        table.push_heading("Judges needed with the queries there are");
        for which in [Coefficient::Erho2, Coefficient::Phi] {
            for wanted in wanted(args, which) {
                let matches = |needed: &&JudgesNeeded| {
                    (needed.coefficient, needed.wanted) == (which, *wanted)
                };
                let cell = |plan: &Plan| {
                    or_dash(plan.judges_needed.iter().find(matches).map(|n| n.judges))
                };
                let goal = Cell::text(format!("{} of {wanted}", symbol(which)));
                let cells = plans.iter().map(|plan| Cell::text(cell(plan)));
                let row = [goal, Cell::missing()].into_iter().chain(cells);
                table.push(row);
            }
        }
    }
    Ok(table)
}

fn symbol(which: Coefficient) -> &'static str {
    match which {
        Coefficient::Erho2 => "Eρ²",
        Coefficient::Phi => "Φ",
    }
}

fn needed_notes(args: &PlanArgs, plans: &[Plan]) -> Vec<String> {
    let mut notes = Vec::new();
    let endless = |estimate: Estimate| estimate.upper.is_infinite();
    let any_endless = plans.iter().any(|plan| {
        plan.needed.iter().any(|needed| endless(needed.queries))
            || plan
                .judges_needed
                .iter()
                .any(|needed| endless(needed.judges))
            || (plan.curves.iter().flat_map(|curve| &curve.wanted))
                .any(|wanted| endless(wanted.queries))
    });
    if any_endless {
        notes.push("∞: no number can be given that is enough.".to_owned());
    }
    notes.push(match args.test.variance {
        VarianceName::Mean => "t-test: with the mean variance of a pair of systems.".to_owned(),
        VarianceName::Largest => {
            let pairs = plans.iter().filter_map(|plan| plan.pair.as_ref());
            let pairs: Vec<String> = pairs.map(|(a, b)| format!("{a} and {b}")).collect();
            format!(
                "t-test: with the largest variance of a pair of systems ({}).",
                pairs.join("; ")
            )
        }
        VarianceName::Given(variance) => {
            format!("t-test: with the variance {variance}, as given.")
        }
    });
    if plans.iter().any(|plan| plan.judges.is_some()) {
        notes.push(match args.judging.design {
            super::DesignName::Crossed => {
                "Judges: for each query, and the same for all queries (--design nested for others)."
                    .to_owned()
            }
            super::DesignName::Nested => {
                "Judges: for each query, and others for every query.".to_owned()
            }
        });
    }
    for curve in plans.first().map_or(&[][..], |plan| &plan.curves) {
        if curve.wanted.is_empty() {
            continue;
        }
        let best = curve.extrapolation.best();
        notes.push(format!(
            "{} ({}): by the {} model from size {} on, which missed held-out sizes by {:.4}; {}.",
            curve.kind.name(),
            curve.test,
            best.model.name(),
            best.from,
            best.error,
            match curve.resampled {
                true => "the interval counts the choice of queries",
                false => "the interval does not count the choice of queries",
            }
        ));
    }
    let far = plans.iter().flat_map(|plan| &plan.curves);
    if (far.flat_map(|curve| &curve.wanted)).any(|wanted| wanted.reach == Reach::Far) {
        notes.push("?: more than twice the sizes observed: a rough guess.".to_owned());
    }
    notes
}

/// What the budget buys: a row a combination.
fn bought(args: &PlanArgs, plan: &Plan) -> Result<Table, Failure> {
    let right = |name: String| Column::text(name).align(Align::Right);
    let mut columns = Vec::new();
    if plan.judges.is_some() {
        columns.push(Column::integer("Judges"));
    }
    columns.extend([
        Column::integer("Queries"),
        Column::integer("Judgments"),
        Column::number("Cost", 2),
        right("Eρ²".to_owned()),
        right("Φ".to_owned()),
        Column::number("Detects", 3),
    ]);
    let differences = args.test.difference.iter();
    columns.extend(differences.map(|d| Column::number(format!("Finds {d}"), 2)));
    let curves = plan.curves.iter();
    columns.extend(
        curves.map(|curve| Column::number(format!("{} ({})", curve.kind.name(), curve.test), 2)),
    );
    columns.push(Column::text(""));
    let mut table = Table::new(columns);
    for bought in &plan.bought {
        let mut row = Vec::new();
        if plan.judges.is_some() {
            row.push(Cell::integer(i64::from(bought.purchase.judges)));
        }
        row.extend([
            Cell::integer(bought.purchase.queries as i64),
            Cell::integer(bought.purchase.judgments as i64),
            Cell::number(bought.purchase.cost),
            Cell::text(share(bought.erho2)),
            Cell::text(share(bought.phi)),
            Cell::number(bought.detectable),
        ]);
        row.extend(bought.finds.iter().map(|power| Cell::number(*power)));
        row.extend(bought.shares.iter().map(|share| Cell::from(*share)));
        row.push(Cell::text(if bought.best { "best" } else { "" }));
        let row = row.into_iter().map(|cell| match bought.best {
            true => cell.emphasised(),
            false => cell,
        });
        table.push(row);
    }
    Ok(table)
}

fn bought_notes(args: &PlanArgs, plan: &Plan) -> Vec<String> {
    use super::budget::Best;

    let by = match args.money.best {
        Best::Erho2 => "the highest Eρ²",
        Best::Phi => "the highest Φ",
        Best::Difference => "the smallest difference that is detected",
    };
    let mut notes = vec![format!("Best: {by} (--best).")];
    match plan.judges {
        None => notes.push(
            "Judges cannot be planned: the scores have no column `judge`. The rows are parts of \
             the budget."
                .to_owned(),
        ),
        Some(_) if !plan.curves.is_empty() => {
            notes.push("Curves know the number of queries, not of judges.".to_owned());
        }
        Some(_) => {}
    }
    notes
}

/// A share or a difference with its interval.
fn share(estimate: Estimate) -> String {
    let Estimate {
        value,
        lower,
        upper,
    } = estimate;
    format!("{value:.3} [{lower:.3}, {upper:.3}]")
}

/// A number of queries or judges with its interval.
fn count(estimate: Estimate) -> String {
    let number = |value: f64| match value.is_finite() {
        true => format!("{value:.0}"),
        false => "∞".to_owned(),
    };
    let (lower, upper) = (number(estimate.lower), number(estimate.upper));
    match lower == upper {
        true => number(estimate.value),
        false => format!("{} [{lower}, {upper}]", number(estimate.value)),
    }
}
