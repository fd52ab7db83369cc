//! View of a plan: how many queries and assessors an evaluation needs.

use std::io;

use partita_core::plan::{
    AssessorsNeeded, BudgetGoal, BudgetOption, Design, GCoefficient, MeasurePlan, Plan,
    PlanEstimate, PlanNote, QueriesNeeded, TTestPlan,
};
use partita_named::NamedEnum;

use crate::column_set::write_csv_rows;
use crate::phrases;
use crate::phrases::join;
use crate::table::{integer, number, right, text};
use crate::{Cell, ColumnSet, Document, Table, View};

impl View for Plan {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let keys = [
            "measure", "quantity", "wanted", "queries", "judges", "value", "lower", "upper",
        ];
        write_csv_rows(keys, self.measures.iter().flat_map(csv_rows), writer)
    }

    fn document(&self) -> Document {
        let many = self.measures.len() > 1;
        let of = |measure: &MeasurePlan| {
            let name = many.then(|| format!(", {}", measure.measure));
            name.unwrap_or_default()
        };
        let advice = self.measures.iter().map(|measure| {
            let name = many.then(|| format!("{}: ", measure.measure));
            name.unwrap_or_default() + &advice(self, measure)
        });
        let mut document = advice.fold(Document::new(), Document::note);
        if let (Some(budget), Some(best)) = (self.budget, self.best) {
            for measure in &self.measures {
                let caption = format!("What {budget} buys{}", of(measure));
                document = document.table(budget_table(measure).with_caption(caption));
                document = budget_notes(best, measure, document);
            }
        }
        let needed = if has_assessors(&self.measures) {
            Vec::from_iter(self.measures.iter().map(|measure| {
                let caption = format!("How many queries are needed{}", of(measure));
                queries_needed_by_assessors_table(measure).with_caption(caption)
            }))
        } else {
            vec![queries_needed_table(&self.measures).with_caption("How many queries are needed")]
        };
        let document = needed_notes(self, document.tables(needed));
        current_scores_notes(self, document.table(current_scores_table(&self.measures)))
    }
}

/// Returns the recommendation for further evaluations that follows from the plan of one measure.
fn advice(plan: &Plan, measure: &MeasurePlan) -> String {
    if let (Some(sum), Some(best)) = (plan.budget, measure.budget.iter().find(|one| one.best)) {
        return format!(
            "Spend {sum} on {}: Eρ² {}, Φ {}.",
            queries_and_assessors_text(best.queries as f64, best.judges),
            format_estimate(best.erho2),
            format_estimate(best.phi)
        );
    }
    let goals = measure.queries_needed.iter();
    let goals = goals.filter(|needed| needed.coefficient == GCoefficient::Erho2);
    // A goal counts as reached only if the whole interval reaches it.
    let is_reached = |wanted: f64| measure.erho2.lower >= wanted;
    let open = goals.clone().map(|needed| needed.wanted);
    let open = open.filter(|wanted| !is_reached(*wanted)).reduce(f64::min);
    let highest = goals.clone().map(|needed| needed.wanted).reduce(f64::max);
    let Some(wanted) = open.or(highest) else {
        return String::new();
    };
    // Among several numbers of assessors, use the one with the fewest judgments.
    let judgments = |needed: &QueriesNeeded| {
        let ends = [needed.queries.upper, needed.queries.value];
        ends.map(|queries| queries * f64::from(needed.judges.unwrap_or(1)))
    };
    let cheapest =
        goals.filter(|needed| needed.wanted == wanted && needed.queries.value.is_finite());
    let cheapest = cheapest.min_by(|one, other| {
        let [one, other] = [judgments(one), judgments(other)];
        (one[0].total_cmp(&other[0])).then(one[1].total_cmp(&other[1]))
    });
    let there = queries_and_assessors_text(
        measure.queries as f64,
        measure.judges.map(|judges| judges as u32),
    );
    let estimate = format_estimate(measure.erho2);
    let now = format!("the present {there} give {estimate}");
    let Some(needed) = cheapest else {
        return format!("No number of queries is enough for an Eρ² of {wanted}: {now}.");
    };
    let (range, percent) = (needed.queries, 100.0 * plan.confidence);
    if range.upper.is_infinite() {
        let estimated = queries_and_assessors_text(range.value, needed.judges);
        return format!(
            "No number of queries can be called safe for an Eρ² of {wanted}: the estimate is \
             {estimated} ({percent}% interval: {} or more), and {now}.",
            range.lower
        );
    }
    let enough = format!(
        "{} (the upper end of the {percent}% interval {} to {}; the estimate is {})",
        queries_and_assessors_text(range.upper, needed.judges),
        range.lower,
        range.upper,
        range.value
    );
    if is_reached(wanted) {
        format!(
            "The present {there} suffice for an Eρ² of {wanted}: they give {estimate}. {enough} \
             would do."
        )
    } else if measure.erho2.value >= wanted {
        format!(
            "Ask {enough} for an Eρ² of {wanted}: {now}, and the interval reaches below {wanted}."
        )
    } else {
        format!("Ask {enough} for an Eρ² of {wanted}; {now}.")
    }
}

/// Formats a number of queries and, if known, the number of assessors per query.
fn queries_and_assessors_text(queries: f64, judges: Option<u32>) -> String {
    let queries = phrases::count_noun(queries as usize, "query", "queries");
    match judges {
        Some(judges) => format!(
            "{queries} with {} each",
            phrases::plural(judges as usize, "judge")
        ),
        None => queries,
    }
}

/// Returns the text of a remark on the plan of a measure.
pub fn remark_text(measure: &str, remark: &PlanNote) -> String {
    match remark {
        PlanNote::NegativeVariance(component) => format!(
            "{measure}: the variance of {} came out as {:.2e}, which is taken as 0",
            component.effect, component.estimate
        ),
        PlanNote::NoDifference => format!(
            "{measure}: the systems differ no more than chance makes them, so no number of queries \
             is enough for any coefficient"
        ),
    }
}

/// Returns the CSV rows of the plan of a measure, one row per quantity. The key of a row is the
/// target value, the number of queries and the number of assessors that the quantity refers to.
fn csv_rows(plan: &MeasurePlan) -> Vec<[Cell; 8]> {
    /// Target value, number of queries and number of assessors that a quantity refers to.
    type QuantityKey = (Option<f64>, Option<u64>, Option<u32>);
    let row = |(wanted, queries, judges): QuantityKey,
               quantity: &str,
               value: f64,
               ends: [Option<f64>; 2]| {
        [
            (&plan.measure).into(),
            quantity.into(),
            wanted.into(),
            queries.into(),
            judges.into(),
            value.into(),
            ends[0].into(),
            ends[1].into(),
        ]
    };
    let plain = |key, quantity: &str, value| row(key, quantity, value, [None; 2]);
    let estimate = |key, quantity: &str, found: PlanEstimate| {
        row(
            key,
            quantity,
            found.value,
            [found.lower, found.upper].map(Some),
        )
    };
    let components = plan.components.iter().map(|share| &share.component);
    let mut rows = Vec::from_iter(components.map(|found| {
        let quantity = format!("variance:{}", found.effect);
        plain((None, None, None), &quantity, found.variance)
    }));
    let present = Some(plan.queries as u64);
    let now = (None, present, plan.judges.map(|judges| judges as u32));
    rows.push(estimate(now, "erho2", plan.erho2));
    rows.push(estimate(now, "phi", plan.phi));
    for needed in &plan.queries_needed {
        let key = (Some(needed.wanted), None, needed.judges);
        let quantity = format!("queries_for:{}", needed.coefficient);
        rows.push(estimate(key, &quantity, needed.queries));
    }
    for needed in &plan.judges_needed {
        let key = (Some(needed.wanted), Some(needed.queries as u64), None);
        let quantity = format!("judges_for:{}", needed.coefficient);
        rows.push(estimate(key, &quantity, needed.judges));
    }
    for test in &plan.t_test {
        let judges = test.judges;
        rows.push(estimate(
            (None, None, judges),
            "difference_variance",
            test.variance,
        ));
        let detectable = "detectable_difference";
        rows.push(estimate(
            (None, present, judges),
            detectable,
            test.detectable,
        ));
        rows.extend(test.differences.iter().map(|found| {
            let key = (Some(found.difference), None, judges);
            estimate(key, "queries_for:difference", found.queries)
        }));
    }
    for option in &plan.budget {
        let key = (None, Some(option.queries), option.judges);
        let best = f64::from(u8::from(option.best));
        rows.extend([
            plain(key, "budget:cost", option.cost),
            plain(key, "budget:judgments", option.judgments as f64),
            estimate(key, "budget:erho2", option.erho2),
            estimate(key, "budget:phi", option.phi),
            plain(key, "budget:detectable_difference", option.detectable),
            plain(key, "budget:best", best),
        ]);
    }
    rows
}

/// Returns true if the scores of any measure distinguish assessors.
fn has_assessors(plans: &[MeasurePlan]) -> bool {
    plans.iter().any(|plan| plan.judges.is_some())
}

/// Returns the table of the reliability of the scores at hand, one row per measure.
fn current_scores_table(plans: &[MeasurePlan]) -> Table {
    // Detectable difference with the present number of assessors, or else with the last planned
    // one.
    let detects = |plan: &MeasurePlan| {
        let there_are = |t: &&TTestPlan| t.judges.map(|j| j as usize) == plan.judges;
        let topics = plan.t_test.iter().find(there_are).or(plan.t_test.last());
        topics.map(|topics| format_estimate(topics.detectable))
    };
    let mut columns = ColumnSet::<MeasurePlan>::new()
        .table_field(text("Measure"), |p| p.measure.clone())
        .table_field(integer("Systems"), |p| p.systems)
        .table_field(integer("Queries"), |p| p.queries)
        .add_if(has_assessors(plans), |columns| {
            columns.table_field(integer("Judges"), |p| p.judges)
        })
        .table_field(right("Eρ²"), |p| format_estimate(p.erho2))
        .table_field(right("Φ"), |p| format_estimate(p.phi))
        .table_field(right("Detects"), detects);
    let effects = plans.first().map_or(&[][..], |plan| &plan.components);
    for (place, effect) in effects.iter().enumerate() {
        let column = right(format!("{} %", effect.component.effect));
        columns = columns.table_field(column, move |plan| {
            format!("{:.1}", 100.0 * plan.components[place].share)
        });
    }
    columns
        .to_table(plans)
        .with_caption("The scores as they are")
}

/// Adds the notes below the table of the reliability of the scores at hand.
fn current_scores_notes(plan: &Plan, document: Document) -> Document {
    let percent = 100.0 * plan.confidence;
    let intervals = plan.intervals;
    let how = if has_assessors(&plan.measures) {
        let (replicates, seed) = (plan.replicates, plan.seed);
        format!(", by {replicates} resamples of the variances (seed {seed})")
    } else {
        ": Feldt 1965, Arteaga et al. 1982, the jackknife".to_owned()
    };
    document
        .note(format!(
            "Detects: the least difference between two means that a paired t-test at {} finds {} \
             of the time.",
            plan.t_test.alpha, plan.t_test.power
        ))
        .note("%: the parts of the variance of a score.")
        .note(format!(
            "In brackets: {percent}% intervals ({intervals}){how}."
        ))
}

/// Target of a plan: a value of a generalizability coefficient, or a difference of means to detect.
#[derive(Clone, Copy, PartialEq)]
enum PlanGoal {
    Coefficient(GCoefficient, f64),
    Difference(f64),
}

impl PlanGoal {
    /// Returns the distinct targets of all measures: coefficients in the order of the request, then
    /// differences.
    fn all(plans: &[MeasurePlan]) -> Vec<Self> {
        let coefficients = plans.iter().flat_map(|plan| &plan.queries_needed);
        let coefficients =
            coefficients.map(|needed| Self::Coefficient(needed.coefficient, needed.wanted));
        let tests = plans.iter().filter_map(|plan| plan.t_test.first());
        let differences = tests.flat_map(|test| &test.differences);
        let all = coefficients.chain(differences.map(|found| Self::Difference(found.difference)));
        let mut goals = Vec::new();
        for goal in all {
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        goals
    }

    /// Returns the target as a table entry, such as `Φ of 0.95`.
    fn name(self) -> String {
        match self {
            Self::Coefficient(which, wanted) => {
                format!("{} of {wanted}", coefficient_symbol(which))
            }
            Self::Difference(difference) => format!("t-test finds {difference}"),
        }
    }

    /// Returns the number of queries that reach the target with this number of assessors, with its
    /// interval.
    fn queries_text(self, plan: &MeasurePlan, judges: Option<u32>) -> Option<String> {
        match self {
            Self::Coefficient(which, wanted) => {
                let is_it = |n: &&QueriesNeeded| {
                    (n.coefficient, n.wanted, n.judges) == (which, wanted, judges)
                };
                let needed = plan.queries_needed.iter().find(is_it)?;
                Some(format_count(needed.queries))
            }
            Self::Difference(difference) => {
                let topics = plan.t_test.iter().find(|topics| topics.judges == judges)?;
                let mut known = topics.differences.iter();
                Some(format_count(
                    known.find(|one| one.difference == difference)?.queries,
                ))
            }
        }
    }

    /// Returns the number of assessors that reach the target with the present number of queries,
    /// with its interval.
    fn assessors_text(self, plan: &MeasurePlan) -> Option<String> {
        let Self::Coefficient(which, wanted) = self else {
            return None;
        };
        let is_it = |n: &&AssessorsNeeded| (n.coefficient, n.wanted) == (which, wanted);
        Some(format_count(plan.judges_needed.iter().find(is_it)?.judges))
    }
}

/// Returns the table of the number of queries that each target needs, with a column per measure.
fn queries_needed_table(plans: &[MeasurePlan]) -> Table {
    let columns = ColumnSet::<PlanGoal>::new().table_field(text("Goal"), |goal| goal.name());
    let columns = plans.iter().fold(columns, |columns, plan| {
        columns.table_field(right(&plan.measure), |goal| goal.queries_text(plan, None))
    });
    columns.to_table(PlanGoal::all(plans))
}

/// Returns the table of the number of queries that each target needs by one measure, with a column
/// per number of assessors, and a last column with the number of assessors that the target needs
/// with the present number of queries.
fn queries_needed_by_assessors_table(plan: &MeasurePlan) -> Table {
    let mut columns = ColumnSet::<PlanGoal>::new().table_field(text("Goal"), |goal| goal.name());
    for judges in plan.t_test.iter().map(|topics| topics.judges) {
        let header = phrases::plural(judges.unwrap_or(1) as usize, "judge");
        columns = columns.table_field(right(header), move |goal| goal.queries_text(plan, judges));
    }
    let header = format!(
        "Judges, with {}",
        queries_and_assessors_text(plan.queries as f64, None)
    );
    let columns = columns.table_field(right(header), |goal| goal.assessors_text(plan));
    columns.to_table(PlanGoal::all(std::slice::from_ref(plan)))
}

/// Returns the symbol of a generalizability coefficient.
fn coefficient_symbol(coefficient: GCoefficient) -> &'static str {
    match coefficient {
        GCoefficient::Erho2 => "Eρ²",
        GCoefficient::Phi => "Φ",
    }
}

/// Adds the notes on the tables of the needed numbers of queries and assessors.
fn needed_notes(plan: &Plan, mut document: Document) -> Document {
    let plans = &plan.measures;
    let queries = plans.iter().flat_map(|plan| &plan.queries_needed);
    let judges = plans.iter().flat_map(|plan| &plan.judges_needed);
    let mut estimates =
        (queries.map(|needed| needed.queries)).chain(judges.map(|needed| needed.judges));
    if estimates.any(|estimate| estimate.upper.is_infinite()) {
        document = document.note("∞: no number can be given that is enough.");
    }
    document = document.note(match (plan.t_test.given, plan.t_test.variance.as_str()) {
        (Some(variance), _) => format!("t-test: with the variance {variance}, as given."),
        (None, "largest") => {
            let pairs = plans.iter().filter_map(|plan| plan.pair.as_ref());
            let pairs = join(pairs.map(|[a, b]| format!("{a} and {b}")), "; ");
            format!("t-test: with the largest variance of a pair of systems ({pairs}).")
        }
        _ => "t-test: with the mean variance of a pair of systems.".to_owned(),
    });
    document = document.note(
        "Eρ²: how far the order of the systems would hold with other queries; Φ: how far their \
         scores would. From 0 to 1.",
    );
    if has_assessors(plans) {
        document = match plan.design {
            Design::Crossed => document
                .note("Judges: for each query, and the same for all queries.")
                .hint("--design nested plans with other judges for every query."),
            Design::Nested => document.note("Judges: for each query, and others for every query."),
        };
    }
    document
}

/// Returns the table of the designs that the budget can pay, one row per combination of numbers of
/// queries and assessors.
fn budget_table(plan: &MeasurePlan) -> Table {
    let mut columns = ColumnSet::<BudgetOption>::new()
        .add_if(plan.judges.is_some(), |columns| {
            columns.table_field(integer("Judges"), |one| one.judges)
        })
        .table_field(integer("Queries"), |one| one.queries)
        .table_field(text(""), |one| if one.best { "best" } else { "" })
        .table_field(integer("Judgments"), |one| one.judgments)
        .table_field(number("Cost", 2), |one| one.cost)
        .table_field(right("Eρ²"), |one| format_estimate(one.erho2))
        .table_field(right("Φ"), |one| format_estimate(one.phi))
        .table_field(number("Detects", 3), |one| one.detectable);
    let first = plan.budget.first();
    for (place, found) in first.iter().flat_map(|one| &one.t_power).enumerate() {
        let column = number(format!("Finds {}", found.difference), 2);
        columns = columns.table_field(column, move |one| one.t_power[place].power);
    }
    let keys = if plan.judges.is_some() { 3 } else { 2 };
    let columns = columns.emphasise_if(|one| one.best);
    columns.to_table(&plan.budget).with_key_columns(keys)
}

/// Adds the notes below the table of a budget.
fn budget_notes(best: BudgetGoal, plan: &MeasurePlan, document: Document) -> Document {
    let by = match best {
        BudgetGoal::Erho2 => "the highest Eρ²",
        BudgetGoal::Phi => "the highest Φ",
        BudgetGoal::Difference => "the smallest difference that is detected",
    };
    let others = BudgetGoal::VARIANTS.iter().filter(|other| **other != best);
    let others = join(others.map(|other| other.name()), " or ");
    let document = document.note(format!("Best: {by}."));
    let document = document.hint(format!("--best {others} chooses by another goal."));
    match plan.judges {
        None => document.note(
            "Judges cannot be planned: the scores have no column `judge`. The rows are parts of \
             the budget.",
        ),
        Some(_) => document,
    }
}

/// Formats a coefficient or a difference of means with its interval.
fn format_estimate(estimate: PlanEstimate) -> String {
    let [value, lower, upper] = [estimate.value, estimate.lower, estimate.upper];
    format!("{value:.3} [{lower:.3}, {upper:.3}]")
}

/// Formats a number of queries or assessors with its interval; an infinite number as ∞.
fn format_count(estimate: PlanEstimate) -> String {
    let whole = |number: f64| {
        if number.is_finite() {
            format!("{number:.0}")
        } else {
            "∞".to_owned()
        }
    };
    let [value, lower, upper] = [estimate.value, estimate.lower, estimate.upper].map(whole);
    if lower == upper {
        value
    } else {
        format!("{value} [{lower}, {upper}]")
    }
}
