//! The randomisation test of paired differences.

use partita_stats::randomization::of_differences;
use partita_stats::streams::stream;
use serde_json::json;

use super::Test;
use super::answer::{answer, differences, p_values};

pub(super) const TEST: Test = Test {
    name: "randomization",
    summary: "paired samples: is the mean difference 0? exact up to 20, drawn with --seed beyond",
    takes: r#"{"d":[..],"round":"relative|none"}, or x and y for d"#,
    gives: r#"{"p_less","p_greater","p_two_sided","rounded_ties"}, and "seed" and "resamples" where signs were drawn"#,
    answer: |fields, drawing| {
        // Every line draws from the same stream: its answer does not depend on its place.
        let mut rng = stream(drawing.seed, &[2]);
        let differences = differences(fields)?;
        let test = of_differences(&differences, drawing.resamples, &mut rng);
        let test = test.map_err(|error| error.to_string())?;
        let mut answer = answer(p_values(&test.p));
        answer.insert("rounded_ties".to_owned(), json!(differences.ties_made()));
        if !test.exact {
            answer.insert("seed".to_owned(), json!(drawing.seed));
            answer.insert("resamples".to_owned(), json!(drawing.resamples));
        }
        Ok(answer)
    },
};
