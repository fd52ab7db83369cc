//! Tests of requests that are read from JSON objects of named options.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Debug;

use partita::comparison::{ComparisonError, ComparisonPreset, ComparisonRequest};
use partita::evaluation::{EvaluationPreset, EvaluationRequest, MissingQueryPolicy};
use partita::formats::run::{RunFormat, RunReadOptions};
use partita::formats::truth::TruthReadOptions;
use partita::plan::{PlanError, PlanRequest, VarianceChoice};
use partita::reliability::{ReliabilityError, ReliabilityRequest};
use partita::truth::Tails;
use partita::{NamedOptions, OptionError, read_request};
use serde::de::DeserializeOwned;

fn message<T: DeserializeOwned + Debug>(json: &str) -> String {
    read_request::<T>(json).unwrap_err().to_string()
}

#[test]
fn no_options_give_the_default_request() {
    let request: PlanRequest = read_request("{}").unwrap();
    assert_eq!(request, PlanRequest::default());
    let request: ComparisonRequest = read_request("{}").unwrap();
    assert_eq!(request, ComparisonRequest::default());
    let request: EvaluationRequest = read_request("{}").unwrap();
    assert_eq!(
        format!("{request:?}"),
        format!("{:?}", EvaluationRequest::default())
    );
    let request: ReliabilityRequest = read_request("{}").unwrap();
    assert_eq!(
        format!("{request:?}"),
        format!("{:?}", ReliabilityRequest::default())
    );
}

#[test]
fn options_have_the_names_of_the_command_line() {
    let json = r#"{"measure": ["ADR", "AP"], "like": "trec_eval", "no-relevant": "skip",
        "judged_only": true, "interval-method": "percentile", "seed": 7, "sort": null}"#;
    let request: EvaluationRequest = read_request(json).unwrap();
    assert_eq!(request.measures, ["ADR", "AP"]);
    assert_eq!(request.like, Some(EvaluationPreset::TrecEval));
    assert_eq!(request.rules().missing, MissingQueryPolicy::Skip);
    assert_eq!(
        (request.judged_only, request.seed, request.sort),
        (true, 7, None)
    );
}

#[test]
fn a_list_may_be_given_by_its_only_element_and_a_name_by_a_number() {
    let request: ComparisonRequest =
        read_request(r#"{"baseline": "bm25", "tails": 1, "test": "t"}"#).unwrap();
    assert_eq!(request.baseline, ["bm25"]);
    assert_eq!(request.tails, Some(Tails::One));
    let request: PlanRequest = read_request(r#"{"variance": 0.5, "erho2": 0.9}"#).unwrap();
    assert_eq!(request.variance, VarianceChoice::Given(0.5));
    assert_eq!(request.erho2, [0.9]);
    for sizes in [r#""10,40""#, "[10, 40]"] {
        let json = format!(r#"{{"sizes": {sizes}}}"#);
        let request: ReliabilityRequest = read_request(&json).unwrap();
        assert_eq!(request.sizes.unwrap().as_slice(), [10, 40]);
    }
}

#[test]
fn an_unknown_option_is_refused_with_the_nearest_one() {
    assert_eq!(
        message::<ComparisonRequest>(r#"{"alhpa": 0.01}"#),
        "no option `alhpa`; did you mean `alpha`?"
    );
    assert_eq!(
        message::<PlanRequest>(r#"{"cost-per-judgement": 1}"#),
        "no option `cost_per_judgement`; did you mean `cost_per_judgment`?"
    );
    let found = message::<ReliabilityRequest>(r#"{"colour": "red"}"#);
    assert_eq!(
        found,
        "no option `colour`; there are alpha, like, miss, seed, sizes, tails, test, trials"
    );
}

#[test]
fn a_wrong_value_is_refused_with_what_is_allowed() {
    for (json, expected) in [
        (
            r#"{"seed": -1}"#,
            "option `seed`: it must be a whole number from 0, not -1",
        ),
        (
            r#"{"seed": "x"}"#,
            "option `seed`: it must be a whole number from 0, not \"x\"",
        ),
        (
            r#"{"unrounded": 1}"#,
            "option `unrounded`: it must be true or false, not 1",
        ),
        (
            r#"{"margin": "wide"}"#,
            "option `margin`: it must be a number, not \"wide\"",
        ),
        (
            r#"{"test": {}}"#,
            "option `test`: it must be a text, not an object",
        ),
        (
            r#"{"baseline": [["a"]]}"#,
            "option `baseline`: it must be a text, not a list",
        ),
        (
            r#"{"like": "trec"}"#,
            "option `like`: unknown procedure \"trec\"; there are: mirex, urbano-2011",
        ),
    ] {
        assert_eq!(message::<ComparisonRequest>(json), expected);
    }
    let found = message::<ComparisonRequest>(r#"{"alpha": 1.5}"#);
    assert!(found.starts_with("option `alpha`: "), "{found}");
    assert!(found.contains("between 0 and 1"), "{found}");
    let found = message::<ReliabilityRequest>(r#"{"sizes": "20:5"}"#);
    assert!(
        found.starts_with("option `sizes`: ") && found.contains("a range goes up"),
        "{found}"
    );
    let found = message::<PlanRequest>(r#"{"variance": "smallest"}"#);
    assert!(
        found.contains("`mean`, `largest` or a number above 0"),
        "{found}"
    );
}

#[test]
fn options_must_be_an_object_that_gives_each_once() {
    assert!(matches!(
        read_request::<PlanRequest>("{"),
        Err(OptionError::Json(_))
    ));
    assert_eq!(
        message::<PlanRequest>("[1]"),
        "options are an object of names and values, not a list"
    );
    assert_eq!(
        message::<EvaluationRequest>(r#"{"no_relevant": "skip", "no-relevant": "score"}"#),
        "the option `no_relevant` is given twice"
    );
}

#[test]
fn each_part_of_a_job_takes_its_own_options() {
    let json = r#"{"query": ["q1"], "order": "rank", "run-format": "trec", "label": "mine"}"#;
    let mut options = NamedOptions::parse(json).unwrap();
    let request: EvaluationRequest = options.take().unwrap();
    let runs: RunReadOptions = options.take().unwrap();
    assert_eq!(request.queries, ["q1"]);
    assert_eq!(
        (runs.format, Some(runs.order)),
        (Some(RunFormat::Trec), request.order)
    );
    assert!(matches!(
        options.clone().finish(),
        Err(OptionError::Unknown { .. })
    ));
    let truth: TruthReadOptions = options.take().unwrap();
    assert_eq!(truth.label.as_deref(), Some("mine"));
    assert_eq!(options.finish(), Ok(()));
}

#[test]
fn options_that_a_procedure_sets_are_refused_with_it() {
    let request: ComparisonRequest =
        read_request(r#"{"like": "mirex", "correct": "holm"}"#).unwrap();
    assert_eq!(
        request.resolve().unwrap_err(),
        ComparisonError::OptionOfProcedure {
            procedure: ComparisonPreset::Mirex,
            option: "correct"
        }
    );
    let request: ReliabilityRequest = read_request(r#"{"like": "mirex", "alpha": 0.1}"#).unwrap();
    assert_eq!(
        request.test_specs().unwrap_err(),
        ReliabilityError::TestsOfProcedure(ComparisonPreset::Mirex)
    );
}

#[test]
fn an_option_that_the_test_does_not_use_is_refused_with_the_tests_that_do() {
    let request: ComparisonRequest = read_request(r#"{"test": "t", "margin": 0.1}"#).unwrap();
    assert_eq!(
        request.resolve().unwrap_err().to_string(),
        "the option `margin` has no effect with the test t; it is for equivalence"
    );
}

#[cfg(feature = "melody")]
#[test]
fn jobs_on_melodies_have_named_options() {
    use partita::melody::audio::renderer::{RenderRequest, Tempo};
    use partita::melody::collection::ImportRequest;
    use partita::melody::readers::{ChordPolicy, MelodyReadOptions};
    use partita::melody::search::SearchRequest;
    use partita::melody::search::candidates::CandidatesRequest;
    use partita::melody::search::tuning::TuningRequest;

    let search: SearchRequest = read_request(r#"{"top": 3, "without-query": true}"#).unwrap();
    assert_eq!(
        (search.system.as_str(), search.top, search.exclude_query),
        ("ShapeTime", 3, true)
    );
    let tuning: TuningRequest = read_request(r#"{"system": "Align", "folds": 3}"#).unwrap();
    assert_eq!(
        (tuning.system.as_str(), tuning.folds, tuning.seed),
        ("Align", 3, 1)
    );
    let json = r#"{"near": "contour=0.4", "keep": 9}"#;
    let candidates: CandidatesRequest = read_request(json).unwrap();
    assert_eq!(
        (candidates.filters.len(), candidates.max_candidates),
        (1, 9)
    );
    let render: RenderRequest = read_request(r#"{"tempo": 90, "audio": "wav"}"#).unwrap();
    assert_eq!(render.tempo, Tempo::Fixed(90.0));
    let mut options = NamedOptions::parse(r#"{"strict": true, "chords": "highest"}"#).unwrap();
    let import: ImportRequest = options.take().unwrap();
    let reading: MelodyReadOptions = options.take().unwrap();
    options.finish().unwrap();
    assert_eq!(
        (import.strict, reading.chords),
        (true, ChordPolicy::Highest)
    );
    assert_eq!(
        message::<SearchRequest>(r#"{"sytem": "Align"}"#),
        "no option `sytem`; did you mean `system`?"
    );
    let found = message::<CandidatesRequest>(r#"{"near": ["colour=1"]}"#);
    assert!(
        found.starts_with("option `near`: there is no feature called `colour`"),
        "{found}"
    );
    let found = message::<RenderRequest>(r#"{"tempo": "fast"}"#);
    assert!(found.contains("from 1 to 1,000, or `source`"), "{found}");
}

#[test]
fn a_simulation_has_the_options_and_defaults_of_its_command() {
    use partita::judging::simulate::{AssessorTraits, SimulationRequest};

    let mut options = NamedOptions::parse(
        r#"{"strategies": ["sort", "pooled"], "items": "5:9", "decide": "sign", "alpha": 0.1,
            "reward": 0.05, "fee": "20%", "careless": 0.3}"#,
    )
    .unwrap();
    let request: SimulationRequest = options.take().unwrap();
    let traits: AssessorTraits = options.take().unwrap();
    options.finish().unwrap();
    assert_eq!(
        (request.items, request.votes, request.lists),
        ((5, 9), 10, 60)
    );
    assert_eq!(
        request.rule.alpha().map(partita::truth::Alpha::value),
        Some(0.1)
    );
    assert_eq!((traits.careless, traits.noise), (0.3, None));
    let found = message::<SimulationRequest>(r#"{"items": "24:14"}"#);
    assert!(
        found.starts_with("option `items`: expected a number of items"),
        "{found}"
    );
    let found = message::<SimulationRequest>(r#"{"decide": "dice"}"#);
    assert!(found.starts_with("option `decide`: "), "{found}");
    let found = message::<SimulationRequest>(r#"{"stategies": ["sort"]}"#);
    assert_eq!(found, "no option `stategies`; did you mean `strategies`?");
}

#[test]
fn costs_and_a_budget_need_each_other() {
    let plan = |json| {
        let request: PlanRequest = read_request(json).unwrap();
        partita::plan::plan(&request, &[]).unwrap_err()
    };
    assert_eq!(plan(r#"{"money": 100}"#), PlanError::NoCosts);
    assert_eq!(
        plan(r#"{"cost_per_query": 1}"#),
        PlanError::CostsWithoutBudget
    );
    let json = r#"{"money": 100, "cost_per_judgment": 1}"#;
    assert_eq!(plan(json), PlanError::NoPoolSize);
    let json = r#"{"money": 100, "judgments_per_query": 1}"#;
    assert_eq!(plan(json), PlanError::NoJudgmentCost);
}
