//! Registry of measures, and the notation by which users select them.

use std::collections::HashSet;

use crate::support::every_measure;
use partita_core::call::CallError;
use partita_core::measure::{self, CutoffRule, MeasureError, REGISTRY};
use proptest::prelude::*;
use proptest::sample::Index;

#[test]
fn no_two_measures_share_a_name_or_alias() {
    let mut seen = HashSet::new();
    for definition in REGISTRY {
        for name in [&[definition.name][..], definition.aliases].concat() {
            assert!(
                seen.insert(name.to_lowercase()),
                "{name} names two measures"
            );
            let found = [name.to_uppercase(), name.to_lowercase(), name.to_owned()]
                .map(|name| measure::find_definition(&name).unwrap().name);
            assert_eq!(found, [definition.name; 3]);
        }
    }
}

#[test]
fn every_definition_has_texts_a_valid_example_and_valid_defaults() {
    for definition in REGISTRY {
        let name = definition.name;
        let texts = [
            definition.summary,
            definition.description,
            definition.reference,
        ];
        for text in texts {
            assert!(
                !text.trim().is_empty() && !text.contains("  "),
                "{name}: {text}"
            );
        }
        assert!(definition.example.starts_with(name));
        assert!(measure::parse(definition.example, 4.0).is_ok());
        let described = measure::catalogue(Some(name)).unwrap().measures;
        let begins = format!("{} = ", definition.example);
        assert!(described[0].formula.starts_with(&begins), "{name}");
        for parameter in definition.parameters {
            let texts = [parameter.name, parameter.default, parameter.description];
            assert!(
                texts.iter().all(|text| !text.is_empty()),
                "{name}: {texts:?}"
            );
            if parameter.values.contains('|') {
                let mut choices = parameter.values.split('|');
                assert!(choices.any(|c| c == parameter.default), "{name}: {texts:?}");
            } else if parameter.default.parse::<f64>().is_err() {
                // A default in words depends on the ground truth, so it cannot be parsed.
                continue;
            }
            // Writing the default value gives the same measure as leaving the parameter out.
            let cutoff = match definition.cutoff {
                CutoffRule::Required => "@5",
                _ => "",
            };
            let default = format!("{name}({}={})", parameter.name, parameter.default);
            let formula =
                |text: &str| measure::parse(&format!("{text}{cutoff}"), 4.0).map(|m| m.formula());
            assert_eq!(formula(&default), formula(name));
        }
    }
}

#[test]
fn every_measure_shows_a_worked_example_in_the_documentation_of_its_file() {
    let folder = format!("{}/src/measure", env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        if !source.contains("static DEFINITION: MeasureDefinition") {
            continue;
        }
        let module: Vec<&str> = source
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .collect();
        // A plain fence is a doctest that rustdoc runs; a fence of an example that is not run has
        // an attribute such as `ignore`.
        assert!(module.contains(&"//! ```"), "{}", path.display());
        assert!(
            module.iter().any(|line| line.contains("measure::parse(")),
            "{}",
            path.display()
        );
        files += 1;
    }
    assert_eq!(files, REGISTRY.len());
}

#[test]
fn the_definition_of_a_measure_is_found_from_its_full_text() {
    for (text, name) in [
        ("nDCG(discount=log2p1)@10", "nDCG"),
        (" map ( rel = 2 ) @ 100 ", "AP"),
        ("bpref", "bpref"),
        // Invalid values are left to `parse`; the definition is found all the same.
        ("ADR(short=no)@0", "ADR"),
    ] {
        assert_eq!(
            measure::parse_definition(text).unwrap().name,
            name,
            "{text}"
        );
    }
    let unknown = measure::parse_definition("nDGC(b=2)@10");
    assert!(matches!(
        unknown,
        Err(MeasureError::Call(CallError::UnknownName { .. }))
    ));
    for text in ["", "nDCG(", "nDCG(b)", "nDCG 10", "(b=2)@10"] {
        let error = measure::parse_definition(text).unwrap_err();
        assert!(
            matches!(error, MeasureError::Call(CallError::Grammar { .. })),
            "{text}"
        );
        assert_eq!(measure::parse(text, 4.0).err(), Some(error));
    }
}

#[test]
fn short_truncate_overrides_the_parameter_beyond_of_adr_and_the_help_says_so() {
    let formula = |text: &str| measure::parse(text, 4.0).unwrap().formula();
    let truncated = formula("ADR(short=truncate)@5");
    assert!(truncated.contains("shortest of result, cut-off and ground truth"));
    for beyond in ["stop", "cap"] {
        let both = formula(&format!("ADR(short=truncate,beyond={beyond})@5"));
        assert_eq!(both, truncated);
    }
    let parameters = measure::find_definition("ADR").unwrap().parameters;
    let described = |name| parameters.iter().find(|p| p.name == name).unwrap();
    let short = described("short").description;
    assert!(short.contains("shortest of result, cut-off and ground truth"));
    assert!(short.contains("`beyond`"));
    assert!(
        described("beyond")
            .description
            .contains("no effect with short=truncate")
    );
}

#[test]
fn cutoffs_are_optional_required_or_rejected_as_the_definition_says() {
    for definition in REGISTRY {
        let parse = |text: String| measure::parse(&text, 4.0).err();
        let name = definition.name;
        let refused = |error| matches!(error, Some(MeasureError::Cutoff { .. }));
        let (without, with) = (parse(name.to_owned()), parse(format!("{name}@7")));
        match definition.cutoff {
            CutoffRule::Optional => assert_eq!((without, with), (None, None)),
            CutoffRule::Required => assert!(refused(without) && with.is_none(), "{name}"),
            CutoffRule::None => assert!(without.is_none() && refused(with), "{name}"),
        }
        if definition.cutoff != CutoffRule::None {
            for k in ["0", "-1", "+5", "x", "", "1.5", "99999999999999999999999"] {
                let error = parse(format!("{name}@{k}"));
                assert!(
                    matches!(error, Some(MeasureError::Call(CallError::Value { .. }))),
                    "{name}@{k}"
                );
            }
        }
    }
}

#[test]
fn every_number_outside_its_range_is_rejected_with_the_accepted_values() {
    for definition in REGISTRY {
        for parameter in definition
            .parameters
            .iter()
            .filter(|p| !p.values.contains('|'))
        {
            for value in ["0", "-1", "NaN", "", "one", "inf", "-inf", "1e999"] {
                let text = format!("{}({}={value})", definition.name, parameter.name);
                let text = match definition.cutoff {
                    CutoffRule::Required => format!("{text}@5"),
                    _ => text,
                };
                // The error message lists the same accepted values as the help.
                match measure::parse(&text, 4.0).err() {
                    Some(MeasureError::Call(CallError::Value { expected, .. })) => {
                        assert_eq!(expected, parameter.values, "{text}");
                    }
                    other => panic!("{text}: {other:?}"),
                }
            }
        }
    }
}

/// Inserts, replaces or removes characters of a text at random positions.
fn mutate(text: &str, changes: &[(Index, u8, char)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for &(place, kind, character) in changes {
        let place = place.index(characters.len() + 1);
        match kind % 3 {
            0 => characters.insert(place, character),
            1 if place < characters.len() => characters[place] = character,
            _ if place < characters.len() => {
                characters.remove(place);
            }
            _ => {}
        }
    }
    characters.into_iter().collect()
}

/// Parses a measure, and checks that its formula or the error message is not empty.
fn parse_and_describe(text: &str, highest_gain: f64) {
    match measure::parse(text, highest_gain) {
        Ok(measure) => assert!(!measure.formula().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

proptest! {
    #[test]
    fn parsing_never_panics_on_any_text(text in any::<String>(), printable in "\\PC*", highest in any::<f64>()) {
        parse_and_describe(&text, highest);
        parse_and_describe(&printable, highest);
    }

    #[test]
    fn parsing_never_panics_on_a_mutated_measure(
        texts in every_measure(),
        changes in prop::collection::vec(
            (any::<Index>(), any::<u8>(), prop_oneof![any::<char>(), prop::char::ranges("()@=,. 0é".chars().map(|c| c..=c).collect::<Vec<_>>().into())]),
            1..4,
        ),
    ) {
        for text in &texts {
            parse_and_describe(&mutate(text, &changes), 4.0);
        }
    }

    #[test]
    fn spaces_and_the_order_of_parameters_change_no_formula(texts in every_measure()) {
        for text in &texts {
            let formula = |text: &str| measure::parse(text, 4.0).map(|m| m.formula());
            prop_assert!(formula(text).is_ok(), "{}", text);
            let spaced = ["(", ")", ",", "=", "@"]
                .iter()
                .fold(text.clone(), |text, sign| text.replace(sign, &format!(" {sign} ")));
            prop_assert_eq!(formula(&spaced), formula(text), "{}", spaced);
            let (name, rest) = text.split_once('(').unwrap();
            let (inside, cutoff) = rest.split_once(')').unwrap();
            let reversed: Vec<&str> = inside.split(',').rev().collect();
            let reversed = format!("{name}({}){cutoff}", reversed.join(","));
            prop_assert_eq!(formula(&reversed), formula(text), "{}", reversed);
        }
    }
}

#[test]
fn every_notation_of_a_measure_has_the_same_canonical_name() {
    for (written, printed) in [
        ("adr", "ADR"),
        ("NDCG@10 ", "nDCG@10"),
        ("nDCG(discount=log2p1)@10", "nDCG@10"),
        ("nDCG(b=2.0)@5", "nDCG(discount=log)@5"),
        (
            "ndcg( IDEAL=Max, b=3 )@5",
            "nDCG(discount=log,b=3,ideal=max)@5",
        ),
        ("ANDCG(discount=log,b=2)@5", "ANDCG@5"),
        ("RBP(p=.80)", "RBP"),
        ("rbp(p=.50)", "RBP(p=0.5)"),
        ("MRR", "RR"),
    ] {
        assert_eq!(measure::canonical_name(written).as_deref(), Ok(printed));
        assert_eq!(measure::canonical_name(printed).as_deref(), Ok(printed));
    }
    let both = measure::parse("nDCG(discount=log2p1,b=3)", 1.0)
        .err()
        .unwrap();
    assert_eq!(
        both.to_string(),
        "`nDCG(discount=log2p1,b=3)`: b goes with discount=log, as in nDCG(discount=log,b=3)"
    );
}

#[test]
fn trec_eval_names_convert_to_canonical_names_and_back() {
    for (theirs, ours) in [
        ("map", "AP"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("recip_rank", "RR"),
        ("P_10", "P@10"),
        ("Rprec", "Rprec"),
        ("success_5", "Success@5"),
        ("recall_100", "Recall@100"),
        ("map_cut_1000", "AP@1000"),
        ("bpref", "bpref"),
    ] {
        assert_eq!(measure::canonical_name(theirs).as_deref(), Ok(ours));
        assert_eq!(measure::trec_eval_name(ours).as_deref(), Some(theirs));
        let asked = theirs.to_uppercase().replace("_1", ".1");
        assert_eq!(
            measure::canonical_name(&asked).as_deref(),
            Ok(ours),
            "{asked}"
        );
    }
    for neither in ["ndcg_cut_", "P_x", "P_5@10", "success_0"] {
        assert!(measure::canonical_name(neither).is_err(), "{neither}");
    }
    assert_eq!(measure::trec_eval_name("nDCG(gain=exp)@5"), None);
    assert_eq!(measure::trec_eval_name("RR@10"), None);
}

#[test]
fn names_of_ranx_and_ir_measures_convert_to_canonical_names_of_equal_measures() {
    for (theirs, ours) in [
        // Names of ranx.
        ("hit_rate@5", "Success@5"),
        ("r_precision", "Rprec"),
        ("rbp.95", "RBP(p=0.95)"),
        ("RBP.5", "RBP(p=0.5)"),
        ("mrr@10", "RR@10"),
        ("map@10", "AP@10"),
        ("precision@5", "P@5"),
        ("recall@10", "Recall@10"),
        ("ndcg@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("dcg_burges", "DCG(gain=exp)"),
        // Names of ir_measures.
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("nDCG(dcg=\"log2\")@10", "nDCG@10"),
        ("nDCG(cutoff=10)", "nDCG@10"),
        ("R(rel=2)@10", "Recall(rel=2)@10"),
        ("Bpref", "bpref"),
    ] {
        assert_eq!(
            measure::canonical_name(theirs).as_deref(),
            Ok(ours),
            "{theirs}"
        );
    }
    // Names of other measures are rejected, not mapped to the most similar measure here.
    for other in [
        "hits@5",
        "f1@5",
        "rbp.",
        "IPrec@0.1",
        "nDCG(dcg='other')@10",
        "nDCG(cutoff=5)@10",
    ] {
        assert!(measure::canonical_name(other).is_err(), "{other}");
    }
}

#[test]
fn a_definition_is_found_by_name_whatever_its_parameters() -> Result<(), Box<dyn std::error::Error>>
{
    use partita_core::measure;

    let definition = measure::parse_definition("ndcg(discount=log2p1)@10")?;
    assert_eq!(definition.name, "nDCG");
    assert_eq!(definition.higher_is_better, Some(true));
    Ok(())
}

#[test]
fn the_catalogue_lists_the_requested_measure_or_all() -> Result<(), Box<dyn std::error::Error>> {
    use partita_core::measure;

    let one = measure::catalogue(Some("nDCG@10"))?;
    assert_eq!(one.measures[0].definition.name, "nDCG");
    assert_eq!(
        measure::catalogue(None)?.measures.len(),
        measure::REGISTRY.len()
    );
    Ok(())
}
