//! Versions of the log format, and detection of changed logs.

use std::fs;
use std::path::{Path, PathBuf};

use partita_core::Preference;
use partita_judging::campaign::log::{self, HashChain, LogTail};
use partita_judging::campaign::{
    Answer, BatchPair, BroadGrade, Campaign, CampaignExtension, CampaignSession, CampaignSpec,
    Defect, DefectReport, EngineSettings, Event, GoldPair, GoldSet, JudgingOptions, Judgment,
    JudgmentKind, MemoryStore, NameMatching, Playback, PreferenceChoice, Question, StimulusPart,
};

use crate::campaign::simulated_assessors::{candidates, stamp};

fn fixture_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/campaign")
        .join(name)
}

fn fixture_text(name: &str) -> String {
    fs::read_to_string(fixture_path(name)).expect("the fixture is stored")
}

/// Returns the snapshot of the replayed log, as printed by `partita campaign replay`.
fn replayed_state(log: &str) -> String {
    let read = log::read(log.as_bytes()).expect("the log is valid");
    let campaign = Campaign::replay(read.events()).expect("the events are valid");
    serde_json::to_string_pretty(&campaign.snapshot()).expect("the JSON is valid") + "\n"
}

#[test]
fn replayed_version_1_log_gives_the_stored_state() {
    assert_eq!(
        replayed_state(&fixture_text("version-1.jsonl")),
        fixture_text("version-1.state.json")
    );
}

#[test]
fn unknown_log_version_error_names_version_and_remedy() {
    let log = fixture_text("version-1.jsonl");
    for (version, said) in [
        (0, "the log has version 0, which is unknown"),
        (
            2,
            "the log has version 2, and this program reads versions up to 1",
        ),
        (
            99,
            "the log has version 99, and this program reads versions up to 1",
        ),
    ] {
        let changed = log.replacen("\"version\":1", &format!("\"version\":{version}"), 1);
        let error = log::read(changed.as_bytes()).unwrap_err();
        assert_eq!(
            (error.line, error.kind),
            (1, log::LogErrorKind::NewerVersion)
        );
        assert!(error.message.starts_with(said), "{error}");
        assert!(error.message.ends_with("update partita"), "{error}");
    }
}

#[test]
fn every_single_byte_change_of_a_log_is_detected() {
    let whole = fixture_text("version-1.jsonl").into_bytes();
    // The first six lines are enough to try every kind of position in a line.
    let lines: Vec<&[u8]> = whole
        .split_inclusive(|&byte| byte == b'\n')
        .take(6)
        .collect();
    let log = lines.concat();
    assert!(log::read(&log).is_ok_and(|read| read.extent.torn_bytes == 0));
    let mut line = 1;
    for place in 0..log.len() {
        for change in [
            1_u8,
            0x20,
            0x80,
            log[place] ^ b'\n',
            log[place] ^ b' ',
            log[place],
        ] {
            let mut changed = log.clone();
            changed[place] ^= change;
            if changed == log {
                continue;
            }
            let error = log::read(&changed).expect_err("the changed byte is detected");
            assert_eq!(error.line, line, "byte {place}: {error}");
        }
        line += usize::from(log[place] == b'\n');
    }
}

#[test]
fn removed_repeated_or_swapped_log_lines_are_detected() {
    let whole = fixture_text("version-1.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert!(lines.len() > 4);
    let read = |lines: &[&str]| log::read(lines.concat().as_bytes());
    for place in 0..lines.len() - 1 {
        let mut fewer = lines.clone();
        fewer.remove(place);
        assert!(read(&fewer).is_err(), "without line {}", place + 1);
        let mut twice = lines.clone();
        twice.insert(place, lines[place]);
        assert!(read(&twice).is_err(), "line {} twice", place + 1);
        let mut moved = lines.clone();
        moved.swap(place, place + 1);
        assert!(read(&moved).is_err(), "line {} moved", place + 1);
    }
    // A missing last line is detected only by comparison with a noted chain hash.
    let shorter = read(&lines[..lines.len() - 1]).unwrap();
    let noted = read(&lines).unwrap().entries.last().unwrap().tail();
    assert_ne!(shorter.entries.last().unwrap().tail(), noted);
}

#[test]
fn trailing_zero_bytes_are_accepted_and_other_bytes_rejected() {
    let whole = fixture_text("version-1.jsonl");
    let zeros = whole.clone() + "\0\0\0\0";
    let read = log::read(zeros.as_bytes()).unwrap();
    assert_eq!(
        (read.extent.complete_bytes, read.extent.torn_bytes),
        (whole.len(), 4)
    );
    assert!(log::read((whole + "x").as_bytes()).is_err());
}

#[test]
fn documented_log_example_is_valid_and_documents_every_field() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/campaign-log.md");
    let page = fs::read_to_string(page).expect("the documentation");
    let block = |language: &str| {
        let (_, rest) = page
            .split_once(&format!("```{language}\n"))
            .expect("the page has a code block");
        rest.split_once("```").expect("the code block ends").0
    };
    let example = block("jsonl campaign.jsonl");
    let read = log::read(example.as_bytes()).expect("the log is valid");
    Campaign::replay(read.events()).expect("the events are valid");
    // Recompute the chain: hash of the previous chain value and the line up to its own chain.
    let mut before = "0".repeat(64);
    let mut chain = LogTail::EMPTY.chain;
    assert_eq!(chain.to_string(), before);
    for line in example.lines() {
        let (content, seal) = line
            .split_once(",\"chain\":\"")
            .expect("the line ends with a chain value");
        chain = HashChain::after(chain, content.as_bytes());
        assert_eq!(seal, format!("{chain}\"}}"));
        // The page shows the first digits of each chain value in a shell example.
        let shown = &before[..8];
        assert!(page.contains(shown), "{shown}");
        before = chain.to_string();
    }
    assert!(
        page.contains(&before),
        "the page shows the last chain value in full"
    );
    // The page documents every event and field.
    for name in Event::names() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    for name in [
        "expected",
        "groups",
        "unranked",
        "item",
        "broad",
        "fine",
        "problem",
        "budget",
        "settled",
        "lists",
        "reason",
        "listened",
        "hidden",
        "kinds",
        "gold",
        "graders",
        "names",
        "people",
        "seq",
        "at",
        "author",
        "chain",
        "version",
        "spec",
        "settings",
        "title",
        "instructions",
        "consent",
        "judging",
        "show",
        "prior",
        "same_as",
        "batch",
        "pairs",
        "votes",
        "more",
        "query",
        "assessor",
        "answer",
        "seconds",
        "time",
        "id",
    ] {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn unknown_event_is_reported_with_its_position_and_all_known_events() {
    let error = log::read(b"{\"event\":\"nothing\"}\n").unwrap_err();
    let known: Vec<String> = (Event::names().iter())
        .map(|name| format!("`{name}`"))
        .collect();
    let message = format!(
        "this is no log of a campaign (unknown variant `nothing`, expected one of {} at line 1 \
         column 18)",
        known.join(", ")
    );
    assert_eq!(error.message, message);
}

/// Returns a log with every kind of event, each with every optional field.
fn log_with_every_event() -> String {
    let lists = vec![
        candidates("q1", &["x", "y", "z"]),
        candidates("q2", &["u", "v"]),
    ];
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 2,
            decide: "majority".parse().expect("the rule name is valid"),
            name_matching: NameMatching::AnyCase,
            ..EngineSettings::default()
        },
        judging: JudgingOptions {
            graders: Some(2),
            invited_assessors: Some(4),
            background: Some(true),
            ..JudgingOptions::default()
        },
        kinds: vec![
            JudgmentKind::Preference,
            JudgmentKind::Ranking,
            JudgmentKind::Grading,
        ],
        gold: Some(GoldSet {
            share: 0.25,
            pairs: vec![GoldPair {
                query: "q2".to_owned(),
                a: "u".to_owned(),
                b: "v".to_owned(),
                answer: PreferenceChoice::A,
            }],
        }),
        ..CampaignSpec::new("acts", lists)
    };
    let begun = CampaignSession::create(MemoryStore::default(), settings, &stamp(0));
    let mut session = begun.expect("the settings are valid");
    let mut happen = |at: u32, events: Vec<Event>| {
        let recorded = session.record(&stamp(at), events);
        recorded.expect("the events are valid");
    };
    let asked = |batch: u32, a: &str, b: &str, votes: u32, more: u32| Event::Asked {
        batch,
        pairs: vec![BatchPair {
            query: "q1".to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            votes,
            new_votes: more,
        }],
    };
    let answered = |query: &str, a: &str, b: &str, person: &str, answer: Preference| Answer {
        seconds: Some(12.5),
        time: Some(1_271_269_772.0),
        id: Some(format!("{person}-{a}-{b}")),
        ..Answer::preference(query, a, b, person, Some(answer))
    };
    let heard = |plays, ended| Playback { plays, ended };
    let gold = answered("q2", "v", "u", "ann", Preference::A);
    let one = Answer {
        playback: [
            (StimulusPart::Query, heard(2, true)),
            (StimulusPart::A, heard(1, true)),
            (StimulusPart::B, heard(1, false)),
        ]
        .into(),
        hidden_seconds: Some(3.25),
        ..answered("q1", "x", "y", "ann", Preference::A)
    };
    happen(1, vec![asked(1, "x", "y", 2, 2)]);
    happen(2, vec![Event::vote(one)]);
    happen(
        3,
        vec![Event::vote(answered("q1", "y", "x", "ANN", Preference::A))],
    );
    happen(4, vec![Event::gold(gold, Preference::B)]);
    let ranked = |person: &str, groups: &[&[&str]]| {
        let owned = |group: &&[&str]| group.iter().map(|item| (*item).to_owned()).collect();
        let judgment = Judgment::Ranking {
            groups: groups.iter().map(owned).collect(),
            unranked: vec!["z".to_owned()],
        };
        Event::vote(Answer {
            seconds: Some(60.0),
            time: Some(1_271_269_900.0),
            id: Some(format!("r-{person}-{}", groups.len())),
            ..Answer::new(person, Question::ranking("q1"), judgment)
        })
    };
    happen(
        5,
        vec![
            ranked("ann", &[&["x"], &["y"]]),
            ranked("bob", &[&["x", "y"]]),
        ],
    );
    happen(6, vec![ranked("ann", &[&["x", "y"]])]);
    let graded = |person: &str, broad, fine| {
        let judgment = Judgment::Grade {
            broad: Some(broad),
            fine: Some(fine),
        };
        Event::vote(Answer {
            seconds: Some(4.0),
            time: Some(1_271_269_950.0),
            id: Some(format!("g-{person}")),
            ..Answer::new(person, Question::grade("q2", "u"), judgment)
        })
    };
    happen(
        7,
        vec![
            graded("bob", BroadGrade::Very, 8.5),
            graded("cid", BroadGrade::Somewhat, 6.0),
        ],
    );
    happen(
        8,
        vec![Event::Reported(DefectReport {
            query: "q2".to_owned(),
            item: Some("v".to_owned()),
            assessor: "cid".to_owned(),
            problem: Defect::Silent,
        })],
    );
    happen(9, vec![Event::Paused]);
    happen(10, vec![Event::Resumed]);
    happen(
        11,
        vec![Event::imported(Answer {
            batch: Some("pilot".to_owned()),
            ..answered("q1", "x", "z", "dan", Preference::A)
        })],
    );
    happen(
        12,
        vec![Event::Extended(CampaignExtension {
            votes: Some(1),
            budget: Some(40),
            settled: Some(0.04),
            lists: vec![candidates("q1", &["w"]), candidates("q3", &["1", "2"])],
        })],
    );
    happen(
        13,
        vec![Event::Retracted {
            answer: 4,
            reason: Some("a slip".to_owned()),
        }],
    );
    happen(
        14,
        vec![Event::Excluded {
            assessor: "bob".to_owned(),
            reason: Some("in a hurry".to_owned()),
        }],
    );
    let assessor = "BOB".to_owned();
    happen(15, vec![Event::Readmitted { assessor }]);
    happen(
        16,
        vec![Event::Closed {
            query: Some("q3".to_owned()),
        }],
    );
    happen(17, vec![Event::Closed { query: None }]);
    session.into_store().text
}

#[test]
fn stored_version_1_log_equals_generated_log() {
    let log = log_with_every_event();
    if std::env::var_os("PARTITA_BLESS").is_some() {
        fs::write(fixture_path("version-1.jsonl"), &log).unwrap();
        fs::write(fixture_path("version-1.state.json"), replayed_state(&log)).unwrap();
    }
    assert_eq!(log, fixture_text("version-1.jsonl"));
    let read = log::read(log.as_bytes()).unwrap();
    let again: String = read.entries.iter().map(log::LogEntry::line).collect();
    assert_eq!(
        again, log,
        "entries that are read and written again are unchanged"
    );
}
