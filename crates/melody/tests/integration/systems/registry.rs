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
        "Opti3",
        "Align",
    ];
    assert_eq!(names, all);
    for (alias, name) in [
        ("orio", "O"),
        ("L(P3)", "P3"),
        ("l(dp)", "DP"),
        ("fm", "Opti3"),
    ] {
        assert_eq!(systems::parse_definition(alias).unwrap().name, name);
    }
}

#[test]
fn music_a5_fm_is_opti3_and_says_that_it_is_not_the_entry_of_mirex_2005() {
    let definition = systems::parse_definition("FM(unit=quarter)").unwrap();
    assert_eq!(definition.name, "Opti3");
    assert!(
        definition
            .description
            .contains("not FM, the entry of MIREX 2005")
    );
    assert!(definition.description.contains("optiP"));
    assert!(
        !definition.reference.contains("2005"),
        "{}",
        definition.reference
    );
    assert_eq!(
        systems::canonical_name("fm( segment = 3 )").unwrap(),
        "Opti3(segment=3)"
    );
    let warnings = ["fm(segment=3)", "DP", "opti3"].map(str::to_owned);
    let warnings = partita_melody::search::system_name_warnings(&warnings);
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0]
            .message
            .contains("not the entry FM of MIREX 2005")
    );
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
