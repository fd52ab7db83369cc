//! A row a number.

use csv::Writer;
use partita_core::plan::Estimate;

use super::planned::Plan;
use crate::failure::Failure;

/// The columns that say what a number is of.
#[derive(Clone, Copy, Default)]
struct About {
    wanted: Option<f64>,
    queries: Option<f64>,
    judges: Option<u32>,
}

pub(super) fn print(plans: &[Plan]) -> Result<String, Failure> {
    let mut rows = Rows(Writer::from_writer(Vec::new()));
    let header = [
        "measure", "quantity", "wanted", "queries", "judges", "value", "lower", "upper",
    ];
    rows.0.write_record(header).map_err(Failure::ours)?;
    for plan in plans {
        let of_plan = |rows: &mut Rows, quantity: &str, about: About, estimate: Estimate| {
            rows.push(&plan.measure, quantity, about, estimate)
        };
        let present = About {
            queries: Some(plan.queries as f64),
            judges: plan.judges.and_then(|judges| u32::try_from(judges).ok()),
            wanted: None,
        };
        for component in &plan.components {
            let quantity = format!("variance:{}", component.effect.name());
            let about = About::default();
            of_plan(&mut rows, &quantity, about, plain(component.variance))?;
        }
        of_plan(&mut rows, "erho2", present, plan.erho2)?;
        of_plan(&mut rows, "phi", present, plan.phi)?;
        for needed in &plan.needed {
            let quantity = format!("queries_for:{}", needed.coefficient.name());
            let about = About {
                wanted: Some(needed.wanted),
                judges: needed.judges,
                queries: None,
            };
            of_plan(&mut rows, &quantity, about, needed.queries)?;
        }
        for needed in &plan.judges_needed {
            let quantity = format!("judges_for:{}", needed.coefficient.name());
            let about = About {
                wanted: Some(needed.wanted),
                queries: Some(plan.queries as f64),
                judges: None,
            };
            of_plan(&mut rows, &quantity, about, needed.judges)?;
        }
        for topics in &plan.topics {
            let judges = topics.judges;
            let about = About {
                judges,
                ..About::default()
            };
            of_plan(&mut rows, "difference_variance", about, topics.variance)?;
            let about = About { judges, ..present };
            of_plan(&mut rows, "detectable_difference", about, topics.detectable)?;
            for &(difference, queries) in &topics.differences {
                let about = About {
                    wanted: Some(difference),
                    judges,
                    queries: None,
                };
                of_plan(&mut rows, "queries_for:difference", about, queries)?;
            }
        }
        for curve in &plan.curves {
            for wanted in &curve.wanted {
                let quantity = format!("queries_for:{}:{}", curve.kind.name(), curve.test);
                let about = About {
                    wanted: Some(wanted.share),
                    ..About::default()
                };
                of_plan(&mut rows, &quantity, about, wanted.queries)?;
            }
        }
        for bought in &plan.bought {
            let about = About {
                wanted: None,
                queries: Some(bought.purchase.queries as f64),
                judges: plan.judges.map(|_| bought.purchase.judges),
            };
            let mut row = |quantity: &str, estimate| of_plan(&mut rows, quantity, about, estimate);
            row("budget:cost", plain(bought.purchase.cost))?;
            row("budget:judgments", plain(bought.purchase.judgments as f64))?;
            row("budget:erho2", bought.erho2)?;
            row("budget:phi", bought.phi)?;
            row("budget:detectable_difference", plain(bought.detectable))?;
            for (curve, share) in plan.curves.iter().zip(&bought.shares) {
                if let Some(share) = share {
                    let quantity = format!("budget:{}:{}", curve.kind.name(), curve.test);
                    row(&quantity, plain(*share))?;
                }
            }
            row("budget:best", plain(f64::from(u8::from(bought.best))))?;
        }
    }
    let bytes = rows.0.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

/// A number without an interval.
fn plain(value: f64) -> Estimate {
    Estimate {
        value,
        lower: f64::NAN,
        upper: f64::NAN,
    }
}

struct Rows(Writer<Vec<u8>>);

impl Rows {
    fn push(
        &mut self,
        measure: &str,
        quantity: &str,
        about: About,
        estimate: Estimate,
    ) -> Result<(), Failure> {
        let number = |value: f64| match value.is_nan() {
            true => String::new(),
            false => value.to_string(),
        };
        let row = [
            measure.to_owned(),
            quantity.to_owned(),
            about.wanted.map_or(String::new(), number),
            about.queries.map_or(String::new(), number),
            about
                .judges
                .map_or(String::new(), |judges| judges.to_string()),
            number(estimate.value),
            number(estimate.lower),
            number(estimate.upper),
        ];
        self.0.write_record(&row).map_err(Failure::ours)
    }
}
