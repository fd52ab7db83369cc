//! Reader of the reference values in `tests/fixtures`.
use serde_json::Value;

/// File of reference values: a JSON object.
pub(crate) struct Fixture(Value);

/// Arguments and expected results of one test case: a JSON object.
pub(crate) struct Case(Value);

/// Reads the fixture tests/fixtures/NAME.json.
pub(crate) fn load(name: &str) -> Fixture {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    Fixture(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}")))
}

impl Fixture {
    pub(crate) fn cases(&self, key: &str) -> Vec<Case> {
        let list = self.0[key]
            .as_array()
            .expect("the value is a list of cases");
        assert!(!list.is_empty());
        list.iter().cloned().map(Case).collect()
    }

    pub(crate) fn object(&self, key: &str) -> Case {
        Case(self.0[key].clone())
    }
}

impl Case {
    pub(crate) fn object(&self, key: &str) -> Case {
        Case(self.0[key].clone())
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.optional(key)
            .unwrap_or_else(|| panic!("no {key} in {}", self.0))
    }

    pub(crate) fn optional(&self, key: &str) -> Option<f64> {
        self.0[key].as_f64()
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        self.0[key].as_bool().expect("the value is a boolean")
    }

    pub(crate) fn numbers(&self, key: &str) -> Vec<f64> {
        numbers(&self.0[key])
    }

    pub(crate) fn rows(&self, key: &str) -> Vec<Vec<f64>> {
        rows(&self.0[key])
    }

    pub(crate) fn flags(&self, key: &str) -> Vec<bool> {
        let list = self.0[key]
            .as_array()
            .expect("the value is a list of booleans");
        list.iter()
            .map(|v| v.as_bool().expect("the value is a boolean"))
            .collect()
    }

    pub(crate) fn cases(&self, key: &str) -> Vec<Case> {
        let list = self.0[key]
            .as_array()
            .expect("the value is a list of cases");
        list.iter().cloned().map(Case).collect()
    }
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    let rows = value.as_array().expect("the value is a list of lists");
    rows.iter().map(numbers).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("the value is a list of numbers");
    list.iter()
        .map(|v| v.as_f64().expect("the value is a number"))
        .collect()
}

/// Asserts that |found - expected| <= tolerance. The panic message includes the case.
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, case: &Case) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance,
        "found {found:e}, expected {expected:e}, off by {error:e} in {}",
        case.0
    );
}
