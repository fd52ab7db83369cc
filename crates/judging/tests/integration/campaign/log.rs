//! Replay of complete, truncated and damaged logs.

use partita_judging::campaign::log::{LogEntry, LogErrorKind, LogTail, Stamp, Timestamp};
use partita_judging::campaign::{
    Campaign, CampaignSpec, EngineSettings, Event, GoldPair, GoldSet, PreferenceChoice, QuerySpec,
    log,
};
use proptest::prelude::*;

use crate::campaign::simulated_assessors::{CampaignRun, SimulatedAssessors, lists, state};

/// Returns a finished campaign with at most ten votes per pair, an exclusion and a readmission.
fn campaign_with_exclusion() -> CampaignRun {
    campaign_with_exclusion_and_votes(10)
}

fn campaign_with_exclusion_and_votes(votes: u32) -> CampaignRun {
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes,
            held_out: 0.2,
            strategy: "sort-predictive"
                .parse()
                .expect("the strategy name is valid"),
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[4, 3]))
    };
    let mut run = CampaignRun::new(settings);
    let people = SimulatedAssessors {
        noise: 40,
        group: 2,
        world: "log".to_owned(),
    };
    let open = run.request_open_pairs();
    for pair in &open {
        run.answer_by_next_assessor(&people, pair);
    }
    run.apply_event(Event::Excluded {
        assessor: "p0".to_owned(),
        reason: None,
    });
    run.finish(&people);
    run.apply_event(Event::Readmitted {
        assessor: "p0".to_owned(),
    });
    run
}

#[test]
fn replayed_log_reproduces_the_state_exactly() {
    let run = campaign_with_exclusion();
    let bytes = run.log_bytes();
    let read = log::read(&bytes).unwrap();
    assert!(read.events().eq(&run.events));
    assert_eq!(
        (
            read.extent.torn_bytes,
            read.extent.complete_bytes,
            read.extent.lacks_newline
        ),
        (0, bytes.len(), false)
    );
    let first = Campaign::replay(read.events()).unwrap();
    let second = Campaign::replay(read.events()).unwrap();
    assert_eq!(state(&first), state(&run.campaign));
    assert_eq!(state(&first), state(&second));
}

#[test]
fn truncated_log_is_read_up_to_its_last_complete_event() {
    let run = campaign_with_exclusion_and_votes(2);
    let bytes = run.log_bytes();
    let mut ends = vec![0];
    for entry in run.entries() {
        ends.push(ends[ends.len() - 1] + entry.line().len());
    }
    for cut in 0..=bytes.len() {
        let read = log::read(&bytes[..cut]).unwrap();
        // An event is complete even if only its newline is missing.
        let whole = ends
            .iter()
            .rposition(|&end| end <= cut + 1 && end > 0 || end == 0)
            .unwrap();
        assert_eq!(read.entries.len(), whole, "{cut}");
        assert!(read.events().eq(&run.events[..whole]), "{cut}");
        assert_eq!(
            read.extent.complete_bytes + read.extent.torn_bytes,
            cut,
            "{cut}"
        );
        assert_eq!(
            read.extent.lacks_newline,
            whole > 0 && ends[whole] == cut + 1,
            "{cut}"
        );
        if whole > 0 && read.extent.torn_bytes == 0 {
            Campaign::replay(read.events()).unwrap();
        }
    }
}

#[test]
fn campaign_resumed_from_any_event_ends_with_the_same_lists() {
    let settings = CampaignSpec {
        settings: EngineSettings {
            votes: 3,
            ..EngineSettings::default()
        },
        ..CampaignSpec::new("c", lists(&[4]))
    };
    let people = SimulatedAssessors {
        noise: 30,
        group: 1,
        world: "stop".to_owned(),
    };
    let mut whole = CampaignRun::new(settings.clone());
    whole.finish(&people);
    for stop in 1..=whole.events.len() {
        let campaign = Campaign::replay(&whole.events[..stop]).unwrap();
        let mut run = CampaignRun::new(settings.clone());
        for event in &whole.events[1..stop] {
            run.apply_event(event.clone());
        }
        assert_eq!(state(&campaign), state(&run.campaign));
        // Open pairs are answered by the next assessors who have not answered them.
        loop {
            let open = run.request_open_pairs();
            let Some(pair) = open.first() else { break };
            let answered = run
                .campaign
                .answers_with_status()
                .into_iter()
                .filter(|answer| {
                    let items = [&answer.a, &answer.b];
                    items.contains(&&pair.a) && items.contains(&&pair.b)
                });
            let person = answered.count();
            let answer = people.preference(&pair.query, &pair.a, &pair.b, person);
            let answered = partita_judging::campaign::Answer::preference(
                &pair.query,
                &pair.a,
                &pair.b,
                &format!("p{person}"),
                Some(answer),
            );
            run.answer(answered);
        }
        assert_eq!(run.lists(), whole.lists(), "{stop}");
    }
}

#[test]
fn damaged_log_line_is_an_error_with_its_line_number() {
    let bytes = campaign_with_exclusion().log_bytes();
    let text = String::from_utf8(bytes).unwrap();
    let damaged: String = (text.lines().enumerate())
        .map(|(number, line)| match number {
            4 => format!("{}\n", &line[..line.len() / 2]),
            _ => format!("{line}\n"),
        })
        .collect();
    let error = log::read(damaged.as_bytes()).unwrap_err();
    assert_eq!(error.line, 5);
    assert!(error.message.contains("no event"), "{error}");
    let error = log::read(b"query,a,b\n").unwrap_err();
    assert!(
        error.to_string().contains("no log of a campaign"),
        "{error}"
    );
    let error = log::read(b"not even a line").unwrap_err();
    assert_eq!(error.line, 1);
    let later = text.replacen("\"version\":1", "\"version\":99", 1);
    let error = log::read(later.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("version 99"), "{error}");
    let unlike = b"{\"event\":\"opened\",\"version\":3,\"all\":\"is new\"}\n";
    let error = log::read(unlike).unwrap_err();
    assert!(error.to_string().contains("version 3,"), "{error}");
}

/// Returns the line of a log that opens a campaign with this specification.
fn opened_line(spec: CampaignSpec) -> String {
    let stamp = Stamp {
        at: "2026-01-02T03:04:05.000Z".parse().expect("a time"),
        author: "organiser".to_owned(),
    };
    let opened = Event::Opened {
        version: log::VERSION,
        spec: Box::new(spec),
    };
    LogEntry::new(LogTail::EMPTY, stamp, opened).line()
}

/// Returns the text before the first colon of each line.
fn pointers(message: &str) -> Vec<&str> {
    message
        .lines()
        .map(|line| line.split_once(':').expect("a pointer and a reason").0)
        .collect()
}

#[test]
fn all_errors_of_a_logged_specification_have_pointers_into_the_line() {
    let mut spec = CampaignSpec::new("c", vec![QuerySpec::new("q", ["x", "y"])]);
    spec.settings.votes = 99;
    spec.judging.graders = Some(0);
    spec.lists[0].items[0].same_as = Some("x".to_owned());
    spec.gold = Some(GoldSet {
        share: 0.1,
        pairs: vec![GoldPair {
            query: "none".to_owned(),
            a: "x".to_owned(),
            b: "y".to_owned(),
            answer: PreferenceChoice::A,
        }],
    });
    let expected = [
        "/spec/settings/votes",
        "/spec/judging/graders",
        "/spec/lists/0/items/0/same_as",
        "/spec/gold/pairs/0/query",
    ];
    let line = opened_line(spec);
    let read = log::read(line.as_bytes()).unwrap();
    let (index, error) = Campaign::replay(read.events()).unwrap_err();
    assert_eq!(
        (index, pointers(&error.to_string())),
        (0, expected.to_vec())
    );
    // Values that cannot be read are reported together with the others, in any order of fields.
    let unread = line
        .replacen("\"seed\":1", "\"seed\":\"one\",\"sead\":1", 1)
        .replacen(
            "\"kinds\":[\"preference\"]",
            "\"kinds\":[\"preference\",\"taste\"]",
            1,
        );
    let reordered = unread.replacen("\"event\":\"opened\",", "", 1);
    let reordered = reordered.replacen("\"chain\"", "\"event\":\"opened\",\"chain\"", 1);
    for text in [unread, reordered] {
        let error = log::read(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.kind), (1, LogErrorKind::InvalidSpec));
        let found = pointers(&error.message);
        let first = [
            "/spec/kinds/1",
            "/spec/settings/seed",
            "/spec/settings/sead",
        ];
        assert_eq!(found, [&first[..], &expected].concat());
    }
    // Other errors of the event are not those of its specification.
    let other = opened_line(CampaignSpec::new(
        "c",
        vec![QuerySpec::new("q", ["x", "y"])],
    ));
    let other = other.replacen("\"version\":1", "\"version\":\"one\"", 1);
    let error = log::read(other.as_bytes()).unwrap_err();
    assert_eq!(error.kind, LogErrorKind::NotALog);
}

#[test]
fn log_with_a_recruiter_is_refused_without_showing_its_secrets() {
    let mut spec = CampaignSpec::new("c", vec![QuerySpec::new("q", ["x", "y"])]);
    let recruiter = r#"{"preset":"prolific","outcomes":{"complete":{"code":"SECRET1"}}}"#;
    spec.recruiter = serde_json::from_str(recruiter).unwrap();
    assert!(spec.recruiter.is_some());
    let line = opened_line(spec.clone());
    spec.settings.votes = 0;
    let invalid = opened_line(spec);
    let message = |line: &str| {
        let read = log::read(line.as_bytes()).unwrap();
        Campaign::replay(read.events()).unwrap_err().1.to_string()
    };
    assert_eq!(pointers(&message(&line)), ["/spec/recruiter"]);
    assert!(message(&line).contains("remove it"));
    let both = ["/spec/settings/votes", "/spec/recruiter"];
    assert_eq!(pointers(&message(&invalid)), both);
    // The same holds for a recruiter that cannot be read.
    for (read, unread) in [("\"prolific\"", "\"SECRET1\""), ("\"code\"", "\"coda\"")] {
        let text = line.replacen(read, unread, 1);
        let error = log::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.kind, LogErrorKind::InvalidSpec);
        assert_eq!(pointers(&error.message), ["/spec/recruiter"]);
        assert!(!error.message.contains("SECRET1"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn log_reader_never_panics_on_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = log::read(&bytes);
    }

    #[test]
    fn damaged_log_never_causes_a_panic(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        swap in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let mut bytes = campaign_with_exclusion().log_bytes();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let (one, two) = (swap.0.index(lines.len()), swap.1.index(lines.len()));
        lines.swap(one, two);
        if let Ok(read) = log::read(&lines.concat())
            && let Ok(campaign) = Campaign::replay(read.events())
        {
            let _ = (campaign.snapshot(), campaign.next_batch(), campaign.open_pairs_in_request_order(0));
        }
    }
}

#[test]
fn timestamps_round_trip_and_invalid_ones_are_rejected() {
    let moment = |seconds: f64| Timestamp::from_seconds(seconds).expect("the time is in range");
    let printed = [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (0.001, "1970-01-01T00:00:00.001Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"),
        (951_782_399.999, "2000-02-28T23:59:59.999Z"),
        (1_271_269_772.25, "2010-04-14T18:29:32.250Z"),
        (-62_167_219_200.0, "0000-01-01T00:00:00.000Z"),
    ];
    for (seconds, text) in printed {
        assert_eq!(moment(seconds).to_string(), text);
        assert_eq!(text.parse(), Ok(moment(seconds)));
    }
    assert_eq!("2000-02-29T00:00:00Z".parse(), Ok(moment(951_782_400.0)));
    assert_eq!(
        "2010-04-14T18:29:32.2Z".parse(),
        Ok(moment(1_271_269_772.2))
    );
    assert_eq!(
        "2010-04-14T18:29:32.2504Z".parse(),
        Ok(moment(1_271_269_772.25))
    );
    for text in [
        "",
        "2010-04-14",
        "2010-04-14T18:29:32",
        "2010-04-14T18:29:32+00:00",
        "2010-02-29T00:00:00Z",
        "2010-13-01T00:00:00Z",
        "2010-00-01T00:00:00Z",
        "2010-04-31T00:00:00Z",
        "2010-04-00T00:00:00Z",
        "2010-12-32T00:00:00Z",
        "2010-04-14T24:00:00Z",
        "2010-04-14T18:29:32.Z",
        "2010-04-14 18:29:32Z",
        "+010-04-14T18:29:32Z",
    ] {
        assert!(text.parse::<Timestamp>().is_err(), "{text}");
    }
    assert_eq!(Timestamp::from_seconds(f64::NAN), None);
    assert_eq!(Timestamp::from_seconds(253_402_300_800.0), None);
}
