//! Tests of the list of systems and of their text form.

use partita_melody::systems;
use partita_melody::systems::{REGISTRY, SystemError};

#[test]
fn names_aliases_examples_and_tuning_values_are_valid() {
    for definition in REGISTRY {
        for text in definition
            .aliases
            .iter()
            .chain([&definition.name, &definition.example])
        {
            assert!(systems::parse(text).is_ok(), "{text}");
            assert_eq!(
                systems::parse_definition(text).unwrap().name,
                definition.name
            );
        }
        for parameter in definition.parameters {
            for value in parameter.tuning_values {
                let text = format!("{}({}={value})", definition.name, parameter.name);
                assert!(systems::parse(&text).is_ok(), "{text}");
            }
        }
        assert!(!definition.summary.is_empty() && !definition.reference.is_empty());
        assert!(definition.description.len() > 40, "{}", definition.name);
    }
}

#[test]
fn registry_lists_twelve_systems() {
    let names: Vec<&str> = REGISTRY.iter().map(|definition| definition.name).collect();
    let all = [
        "ShapeH",
        "Time",
        "ShapeTime",
        "Splines",
        "GAM",
        "O",
        "US",
        "TWV",
        "P3",
        "DP",
        "FM",
        "Align",
    ];
    assert_eq!(names, all);
    for (alias, name) in [("orio", "O"), ("L(P3)", "P3"), ("l(dp)", "DP")] {
        assert_eq!(systems::parse_definition(alias).unwrap().name, name);
    }
}

#[test]
fn errors_explain_unknown_names_and_invalid_values() {
    let error = systems::parse("ShapTime").err().unwrap();
    assert!(
        matches!(&error, SystemError::UnknownName { nearest, .. } if nearest[0] == "ShapeTime")
    );
    let error = systems::parse("US(m=5)").err().unwrap().to_string();
    assert_eq!(error, "`US(m=5)`: US has no parameter `m`; it has n");
    let error = systems::parse("ShapeH(how=far)").err().unwrap().to_string();
    assert_eq!(
        error,
        "`ShapeH(how=far)`: how must be hybrid or local or global, not `far`"
    );
    for wrong in [
        "US(n=0)",
        "US(n=+5)",
        "US(n=13)",
        "Time(weight=-1)",
        "Time(weight=nan)",
        "ShapeTime(depth=0)",
    ] {
        assert!(
            matches!(systems::parse(wrong), Err(SystemError::Value { .. })),
            "{wrong}"
        );
    }
}

#[test]
fn canonical_name_normalises_spelling_and_aliases() {
    for (text, canonical) in [
        ("orio", "O"),
        (" us( n = 4 ) ", "US(n=4)"),
        ("L(P3)", "P3"),
        ("shapetime(depth=7)", "ShapeTime(depth=7)"),
    ] {
        assert_eq!(systems::canonical_name(text).unwrap(), canonical);
    }
}
