//! Student's and Welch's t-tests.

use partita_stats::StatsError;
use partita_stats::differences::{Differences, Rounding};
use partita_stats::t_test::{TTest, one_sample, student, welch};
use serde_json::json;

use super::Test;
use super::answer::{answer, p_values, rounding};

pub(super) const TEST: Test = Test {
    name: "t",
    summary: "two samples: is the mean of x smaller than that of y?",
    takes: r#"{"x":[..],"y":[..],"kind":"paired|welch|student","round":"relative|none"}"#,
    gives: r#"{"t","df","p_less","p_greater","p_two_sided"}; round is for paired"#,
    answer: |fields, _| {
        let samples = fields.samples();
        let rounding = rounding(fields);
        let test = fields.required_choice("kind", &KINDS)?;
        let (x, y) = samples?;
        let test = test(&x, &y, rounding?).map_err(|error| error.to_string())?;
        let [less, greater, two_sided] = p_values(&test.p);
        Ok(answer([
            ("t", json!(test.t)),
            ("df", json!(test.df)),
            less,
            greater,
            two_sided,
        ]))
    },
};

type Kind = fn(&[f64], &[f64], Rounding) -> Result<TTest, StatsError>;

const KINDS: [(&str, Kind); 3] = [
    ("paired", |x, y, rounding| {
        one_sample(&Differences::of(x, y, rounding)?.averaged())
    }),
    ("welch", |x, y, _| welch(x, y)),
    ("student", |x, y, _| student(x, y)),
];
