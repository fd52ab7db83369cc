//! The Wilcoxon signed-rank test.

use partita_stats::signed_rank::{Method, Zeros, signed_rank};
use serde_json::json;

use super::Test;
use super::answer::{answer, differences, p_values};

pub(super) const TEST: Test = Test {
    name: "wilcoxon",
    summary: "paired samples: do the differences d = x - y tend to be positive?",
    takes: r#"{"d":[..],"zeros":"wilcox|pratt|zsplit","method":"auto|exact|normal|normal-nocc"}, or x and y for d"#,
    gives: r#"{"w_plus","p_less","p_greater","p_two_sided","method"}"#,
    answer: |fields, _| {
        let d = differences(fields);
        let zeros = fields.choice("zeros", &ZEROS);
        let method = fields.choice("method", &METHODS);
        let (d, zeros) = (d?, zeros?.unwrap_or_default());
        let test = signed_rank(&d, zeros, method?.unwrap_or(Method::Auto));
        let test = test.map_err(|error| error.to_string())?;
        let [less, greater, two_sided] = p_values(&test.p);
        let name = METHODS.iter().find(|(_, known)| *known == test.method);
        Ok(answer([
            ("w_plus", json!(test.w_plus)),
            less,
            greater,
            two_sided,
            ("method", json!(name.map(|(name, _)| name))),
        ]))
    },
};

const ZEROS: [(&str, Zeros); 3] = [
    ("wilcox", Zeros::Wilcox),
    ("pratt", Zeros::Pratt),
    ("zsplit", Zeros::Split),
];

const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("exact", Method::ExactConditional),
    ("normal", Method::Normal),
    (
        "normal-nocc",
        Method::Normal {
            ties: true,
            continuity: false,
        },
    ),
];
