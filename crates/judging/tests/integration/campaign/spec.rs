//! Campaign specifications: all errors at once with their positions, and the form in the log.

use partita_judging::campaign::log::LogEntry;
use partita_judging::campaign::{
    Campaign, CampaignError, CampaignExtension, CampaignSession, CampaignSpec, CampaignSpecDraft,
    CampaignSpecError, EngineSettings, JudgmentKind, MemoryStore, PageTexts, QuerySpec, Recruiter,
    Stimulus,
};
use serde_json::{Value, json};

use crate::campaign::simulated_assessors::{candidates, stamp};

/// Returns the JSON of a valid specification for pages, with every part of it.
fn valid_json() -> Value {
    let item = |item: &str| json!({"item": item, "show": {"text": item}});
    let list = |query: &str, items: &[&str]| {
        let items: Vec<Value> = items.iter().map(|name| item(name)).collect();
        json!({"query": query, "show": {"text": query}, "items": items})
    };
    json!({
        "name": "c",
        "title": "A campaign",
        "kinds": ["preference", "grading"],
        "instructions": {"en": "Listen."},
        "consent": {"version": "1", "text": {"en": "Agree?"}},
        "settings": {"votes": 3, "decide": "sign", "alpha": 0.1},
        "lists": [list("q", &["x", "y", "z"]), list("r", &["k", "l"])],
        "gold": {"share": 0.1, "pairs": [{"query": "q", "a": "x", "b": "y", "answer": "a"}]},
        "recruiter": {"preset": "prolific", "outcomes": {"complete": {"code": "SECRET1"}}},
        "judging": {"people": 5},
    })
}

fn parse(json: &Value) -> Result<CampaignSpec, Vec<CampaignSpecError>> {
    let mut draft = CampaignSpecDraft::parse(json.to_string().as_bytes());
    draft.validate(CampaignSpec::validate_for_pages);
    draft.into_spec()
}

/// Returns the pointers of the errors of an invalid specification, sorted.
fn error_pointers(json: &Value) -> Vec<String> {
    let errors = parse(json).expect_err("the specification has errors");
    let mut pointers: Vec<String> = errors.into_iter().map(|error| error.pointer).collect();
    pointers.sort();
    pointers
}

#[test]
fn invalid_specifications_are_rejected_with_the_reason() {
    let base = || CampaignSpec::new("c", vec![candidates("q", &["x", "y"])]);
    let with = |settings: EngineSettings| CampaignSpec { settings, ..base() };
    let usual = EngineSettings::default;
    let cases: Vec<(CampaignSpec, &str, &str)> = vec![
        (
            with(EngineSettings {
                votes: 0,
                ..usual()
            }),
            "/settings/votes",
            "votes on a pair must be from 1 to 30",
        ),
        (
            with(EngineSettings {
                votes: 31,
                ..usual()
            }),
            "/settings/votes",
            "votes on a pair must be from 1 to 30",
        ),
        (
            with(EngineSettings {
                held_out: 1.5,
                ..usual()
            }),
            "/settings/held_out",
            "held out must be from 0 to 1",
        ),
        (
            with(EngineSettings {
                confidence: 0.0,
                ..usual()
            }),
            "/settings/confidence",
            "the confidence must be above 0",
        ),
        (
            with(EngineSettings {
                alpha: Some(2.0),
                ..usual()
            }),
            "/settings/alpha",
            "alpha must be between 0 and 1",
        ),
        (
            with(EngineSettings {
                top: Some(0),
                ..usual()
            }),
            "/settings/top",
            "at least 1",
        ),
        (
            with(EngineSettings {
                top: Some(3),
                ..usual()
            }),
            "/settings/top",
            "the head of 3 items is longer than every list",
        ),
        (
            CampaignSpec {
                name: " ".to_owned(),
                ..base()
            },
            "/name",
            "the name of the campaign is empty",
        ),
        (
            CampaignSpec {
                lists: vec![],
                ..base()
            },
            "/lists",
            "there is no query",
        ),
        (
            CampaignSpec {
                kinds: vec![],
                ..base()
            },
            "/kinds",
            "no kind of judgment",
        ),
        (
            CampaignSpec {
                lists: vec![candidates("q", &["x"]), candidates("q", &["y"])],
                ..base()
            },
            "/lists/1/query",
            "the query `q` comes twice",
        ),
        (
            CampaignSpec {
                lists: vec![candidates("q", &["x", "x"])],
                ..base()
            },
            "/lists/0/items/1/item",
            "`x` comes twice among the candidates of the query `q`",
        ),
    ];
    for (spec, pointer, message) in cases {
        let errors = spec.validate();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].pointer, pointer);
        let error = Campaign::open(spec).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error, CampaignError::Spec(errors));
    }
}

#[test]
fn a_message_about_several_errors_has_a_line_for_each() {
    let lists = vec![candidates("q", &["x", "x"])];
    let settings = EngineSettings {
        votes: 0,
        ..EngineSettings::default()
    };
    let spec = CampaignSpec {
        settings,
        ..CampaignSpec::new("c", lists)
    };
    let message = Campaign::open(spec).unwrap_err().to_string();
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn all_errors_are_reported_at_once_whatever_their_kind() {
    let mut json = valid_json();
    json["colour"] = json!(1);
    json["title"] = json!(5);
    json["kinds"] = json!(["preference", "guess", "preference", "hunch"]);
    json["settings"] = json!({"votes": "many", "decide": "coin", "strategy": "magic", "hue": 1});
    json["settings"]["price"] = json!({"reward": 0.1, "fee": {"fixed": "x"}, "minimum": 0.0});
    json["lists"][0] = json!(7);
    json["lists"][1]["items"][1] = json!({"item": "l", "show": {"text": 1}, "same_as": "k"});
    json["lists"][1]["items"][0]["same_as"] = json!("l");
    json["lists"]
        .as_array_mut()
        .unwrap()
        .push(json!({"query": "s", "items": []}));
    json["gold"]["pairs"][0]["answer"] = json!("perhaps");
    let unknown = json!({"query": "r", "a": "k", "b": "nobody", "answer": "a"});
    json["gold"]["pairs"].as_array_mut().unwrap().push(unknown);
    json["recruiter"]["outcomes"]["complete"]["url"] = json!("http://panel.example");
    json["judging"] = json!({"ahead": 0, "fine": {"min": 0, "max": 10}});
    assert_eq!(
        error_pointers(&json),
        [
            "/colour",
            "/gold/pairs/0/answer",
            "/gold/pairs/1/b",
            "/judging/ahead",
            "/judging/fine",
            "/kinds/1",
            "/kinds/2",
            "/kinds/3",
            "/lists/0",
            "/lists/1/items/0/same_as",
            "/lists/1/items/1/same_as",
            "/lists/1/items/1/show",
            "/lists/1/items/1/show/text",
            "/lists/2/items",
            "/lists/2/show",
            "/recruiter/outcomes/complete/url",
            "/settings/decide",
            "/settings/hue",
            "/settings/price/fee/fixed",
            "/settings/strategy",
            "/settings/votes",
            "/title",
        ]
    );
}

#[test]
fn missing_fields_are_errors_at_their_own_positions() {
    assert_eq!(
        error_pointers(&json!({})),
        ["/lists", "/name", "/title"],
        "an empty object"
    );
    let mut json = valid_json();
    json["lists"][0].as_object_mut().unwrap().remove("query");
    json["lists"][1]["items"][0] = json!({});
    let found = error_pointers(&json);
    for pointer in [
        "/lists/0/query",
        "/lists/1/items/0/item",
        "/lists/1/items/0/show",
    ] {
        assert!(found.iter().any(|found| found == pointer), "{found:?}");
    }
}

#[test]
fn texts_that_are_no_specification_are_rejected() {
    for text in ["", "{", "5", "null", "{\"name\": \"c\",}"] {
        let draft = CampaignSpecDraft::parse(text.as_bytes());
        assert_eq!(draft.spec(), None, "{text}");
        let errors = draft.into_spec().unwrap_err();
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!(errors[0].pointer, "", "{text}");
    }
}

#[test]
fn duplicates_that_refer_to_each_other_are_rejected_and_chains_are_not() {
    let list = |twins: &[(usize, &str)]| {
        let mut list = QuerySpec::new("q", ["a", "b", "c", "d"]);
        for (place, other) in twins {
            list.items[*place].same_as = Some((*other).to_owned());
        }
        let errors = CampaignSpec::new("c", vec![list]).validate();
        errors
            .into_iter()
            .map(|error| error.pointer)
            .collect::<Vec<_>>()
    };
    let at = |item: usize| format!("/lists/0/items/{item}/same_as");
    assert_eq!(list(&[(1, "a"), (2, "b"), (3, "c")]), Vec::<String>::new());
    assert_eq!(list(&[(0, "b"), (1, "a")]), [at(0), at(1)]);
    assert_eq!(list(&[(2, "c")]), [at(2)], "an item that refers to itself");
    assert_eq!(list(&[(0, "b"), (1, "c"), (2, "b")]), [at(1), at(2)]);
    assert_eq!(list(&[(0, "nobody")]), [at(0)]);
}

#[test]
fn a_specification_reads_as_it_was_written() {
    let spec = parse(&valid_json()).unwrap();
    let written = serde_json::to_string(&spec).unwrap();
    assert_eq!(
        serde_json::from_str::<CampaignSpec>(&written).unwrap(),
        spec
    );
    assert_eq!(spec.settings.rule().to_string(), "sign");
    assert_eq!(spec.alpha(), Some(0.1));
}

#[test]
fn completion_codes_never_enter_a_log() {
    let spec = parse(&valid_json()).unwrap();
    assert!(serde_json::to_string(&spec).unwrap().contains("SECRET1"));
    let session = CampaignSession::create(MemoryStore::default(), spec, &stamp(0)).unwrap();
    assert_eq!(session.campaign().spec().recruiter, None::<Recruiter>);
    let log = session.into_store().text;
    assert!(
        !log.contains("SECRET1") && !log.contains("prolific"),
        "{log}"
    );
}

#[test]
fn the_log_states_settings_that_were_left_to_their_defaults() {
    let spec = CampaignSpec::new("c", vec![candidates("q", &["x", "y"])]);
    let session = CampaignSession::create(MemoryStore::default(), spec, &stamp(0)).unwrap();
    let log = session.into_store().text;
    for setting in [
        "\"alpha\":0.25",
        "\"matters\":0.242",
        "\"settled\":0.02",
        "\"graders\":3",
        "\"votes\":10",
    ] {
        assert!(log.contains(setting), "{setting}: {log}");
    }
}

#[test]
fn server_b15_the_number_of_rankings_is_unlimited_unless_set() {
    let judging = |kinds: &[JudgmentKind], graders| {
        let mut spec = CampaignSpec::new("c", vec![candidates("q", &["x", "y"])]);
        (spec.kinds, spec.judging.graders) = (kinds.to_vec(), graders);
        // More than the people who are invited are never needed.
        spec.judging.invited_assessors = Some(12);
        let campaign = Campaign::open(spec).unwrap();
        let judging = campaign.spec().judging.clone();
        let limits = [JudgmentKind::Ranking, JudgmentKind::Grading];
        (
            judging.graders,
            limits.map(|kind| judging.graders_for(kind)),
        )
    };
    let (ranking, grading) = (JudgmentKind::Ranking, JudgmentKind::Grading);
    assert_eq!(judging(&[ranking], None), (None, [None, Some(3)]));
    assert_eq!(judging(&[grading, ranking], None), (None, [None, Some(3)]));
    // A log states the default that applies.
    assert_eq!(judging(&[grading], None).0, Some(3));
    assert_eq!(judging(&[ranking], Some(6)), (Some(6), [Some(6); 2]));
}

#[test]
fn use_b13_words_of_pages_are_set_by_language() {
    let mut json = valid_json();
    json["title"] = json!({"en": "Sayings", "pt-BR": "Ditados"});
    json["texts"] = json!({
        "en": {"question": "Which one?", "query": "Saying", "background": ""},
        "es": {"item": "Dicho"},
    });
    let spec = parse(&json).unwrap();
    // A missing language is replaced by its nearest one, by English, or by any other.
    for (language, title) in [("pt", "Ditados"), ("pt-BR", "Ditados"), ("de", "Sayings")] {
        assert_eq!(spec.title.in_language(language), title);
    }
    let texts = spec.page_texts("es-MX");
    assert_eq!((texts.item.as_deref(), texts.query), (Some("Dicho"), None));
    assert_eq!(spec.page_texts("fr").query.as_deref(), Some("Saying"));
    let session = CampaignSession::create(MemoryStore::default(), spec.clone(), &stamp(0)).unwrap();
    let replayed = CampaignSession::open(session.into_store()).unwrap();
    let replayed = replayed.campaign().spec().clone();
    assert_eq!(
        (&replayed.title, &replayed.texts),
        (&spec.title, &spec.texts)
    );

    json["title"] = json!({"en": " "});
    json["texts"] = json!({
        "en": {"question": "", "a": "x".repeat(501), "background": ""},
        "an other": {},
    });
    let expected = ["/texts", "/texts/en/a", "/texts/en/question", "/title/en"];
    assert_eq!(error_pointers(&json), expected);
    json["texts"] = json!({"en": {"colour": "x"}});
    json["title"] = json!(7);
    assert_eq!(error_pointers(&json), ["/texts/en/colour", "/title"]);
}

#[test]
fn use_b13_background_is_asked_for_audio_unless_it_is_set() {
    let asks = |audio: bool, option: Option<bool>, text: Option<&str>| {
        let mut spec = parse(&valid_json()).unwrap();
        if audio {
            spec.lists[0].items[1].show.audio = Some("0".repeat(64));
        }
        spec.judging.background = option;
        spec.asks_background(&PageTexts {
            background: text.map(str::to_owned),
            ..PageTexts::default()
        })
    };
    assert!(asks(true, None, None) && !asks(false, None, None));
    assert!(asks(false, Some(true), None) && !asks(true, Some(false), None));
    assert!(asks(false, None, Some("Which languages?")) && !asks(true, None, Some("")));
}

#[test]
fn extensions_carry_the_stimuli_of_what_they_add() {
    let text = |text: &str| Stimulus {
        text: Some(text.to_owned()),
        ..Stimulus::default()
    };
    let mut spec = parse(&valid_json()).unwrap();
    let mut added = QuerySpec::new("q", ["w"]);
    added.items[0].show = text("w");
    let mut new = QuerySpec::new("s", ["1", "2"]);
    new.show = text("s");
    let extension = CampaignExtension {
        lists: vec![added, new],
        ..CampaignExtension::default()
    };
    spec.extend(&extension);
    assert_eq!(
        spec.lists[0].show,
        text("q"),
        "a known query keeps its stimulus"
    );
    assert_eq!(spec.lists[0].items[3].show, text("w"));
    assert_eq!(spec.lists[2].show, text("s"));
}

#[test]
fn a_log_whose_specification_has_unknown_keys_is_refused() {
    let spec = CampaignSpec::new("c", vec![candidates("q", &["x", "y"])]);
    let session = CampaignSession::create(MemoryStore::default(), spec, &stamp(0)).unwrap();
    let log = session.into_store().text;
    let entry = partita_judging::campaign::log::read(log.as_bytes()).unwrap();
    assert_eq!(
        entry.entries.iter().map(LogEntry::line).collect::<String>(),
        log
    );
    for (known, unknown) in [
        ("\"settings\":{", "\"settings\":{\"hue\":1,"),
        ("\"judging\":{", "\"judging\":{\"hue\":1,"),
        ("{\"item\":\"x\"", "{\"hue\":1,\"item\":\"x\""),
    ] {
        let changed = log.replacen(known, unknown, 1);
        assert_ne!(changed, log);
        let error = partita_judging::campaign::log::read(changed.as_bytes()).unwrap_err();
        assert!(error.message.contains("unknown field `hue`"), "{error}");
    }
}
