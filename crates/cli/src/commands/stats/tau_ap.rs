//! AP correlation.

use partita_stats::StatsError;
use partita_stats::tau_ap::{tau_ap, tau_ap_a, tau_ap_b};
use serde_json::{Value, json};

use super::Test;
use super::answer::answer;

pub(super) const TEST: Test = Test {
    name: "tau-ap",
    summary: "how alike two orders are, most of all at the top; larger values are better. Null where \
              not defined: tau_ap with ties, tau_ap_a with ties in truth, tau_ap_b of constants",
    takes: r#"{"truth":[..],"estimate":[..]}"#,
    gives: r#"{"tau_ap","tau_ap_a","tau_ap_b"}"#,
    answer: |fields, _| {
        let (truth, estimate) = (fields.numbers("truth"), fields.numbers("estimate"));
        let (truth, estimate) = (truth?, estimate?);
        let agreement = tau_ap_b(&truth, &estimate).map_err(|error| error.to_string())?;
        Ok(answer([
            ("tau_ap", untied(tau_ap(&truth, &estimate))?),
            ("tau_ap_a", untied(tau_ap_a(&truth, &estimate))?),
            ("tau_ap_b", json!(agreement)),
        ]))
    },
};

/// A coefficient that is not defined with ties.
fn untied(tau: Result<f64, StatsError>) -> Result<Value, String> {
    match tau {
        Ok(tau) => Ok(json!(tau)),
        Err(StatsError::Tied { .. }) => Ok(Value::Null),
        Err(error) => Err(error.to_string()),
    }
}
