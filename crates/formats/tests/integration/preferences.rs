//! Tests of reading preferences, and of the errors for invalid files.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use partita_core::Preference;
use partita_formats::preferences::{ColumnMap, PreferencesFile, PreferencesReadOptions, read};
use partita_formats::{FormatError, Source};

fn read_bytes(bytes: &[u8], map: &str) -> Result<PreferencesFile, FormatError> {
    let options = PreferencesReadOptions {
        map: map.parse().unwrap(),
        ..PreferencesReadOptions::default()
    };
    read(&Source::from_bytes("p.csv", bytes), &options)
}

fn read_valid(text: &str) -> PreferencesFile {
    read_bytes(text.as_bytes(), "").unwrap()
}

fn error_text(text: &str, map: &str) -> String {
    read_bytes(text.as_bytes(), map).unwrap_err().to_string()
}

/// Returns every vote as (query, item a, item b, assessor, preference), with names.
fn named_votes(file: &PreferencesFile) -> Vec<(String, String, String, String, Preference)> {
    let mut answers = Vec::new();
    for query in file.preferences.queries() {
        for given in query.votes() {
            answers.push((
                query.name().to_owned(),
                query.items().name(given.a).to_owned(),
                query.items().name(given.b).to_owned(),
                file.preferences.assessors().name(given.assessor).to_owned(),
                given.preference,
            ));
        }
    }
    answers
}

const VALID_TABLE: &str =
    "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,x,y,bob,equal\nq2,u,v,ann,b\n";

#[test]
fn line_ends_separators_quotes_and_compression_do_not_change_answers() {
    let expected = named_votes(&read_valid(VALID_TABLE));
    assert_eq!(expected.len(), 3);
    assert_eq!(
        named_votes(&read_valid(&VALID_TABLE.replace('\n', "\r\n"))),
        expected
    );
    assert_eq!(
        named_votes(&read_valid(&VALID_TABLE.replace(',', "\t"))),
        expected
    );
    assert_eq!(
        named_votes(&read_valid(&format!("\u{feff}{VALID_TABLE}"))),
        expected
    );
    let quoted = "\"query\",\"a\",\"b\",\"assessor\",\"answer\"\n\"q1\", x ,y,ann,A\n\
                  q1,x,y,bob,Equal\n# a comment\nq2,u,v,ann,right\n";
    assert_eq!(named_votes(&read_valid(quoted)), expected);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(VALID_TABLE.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    assert_eq!(named_votes(&read_bytes(&packed, "").unwrap()), expected);
    let other_order = "answer,b,a,assessor,topic\na,y,x,ann,q1\ntie,y,x,bob,q1\nb,v,u,ann,q2\n";
    assert_eq!(named_votes(&read_valid(other_order)), expected);
}

#[test]
fn error_line_is_right_after_a_quoted_line_feed() {
    let text = "query,a,b,assessor,answer,remark\n\
                q,x,y,ann,a,\"first line\nsecond, \"\"quoted\"\" line\"\nq,x,y,bob,maybe,\n";
    assert!(
        error_text(text, "").starts_with("p.csv:4: "),
        "{}",
        error_text(text, "")
    );
}

#[test]
fn latin_1_is_read_with_a_warning() {
    let bytes = b"query,a,b,assessor,answer,background\nq,caf\xe9,y,ann,a,I\xb4ve played\n";
    let file = read_bytes(bytes, "").unwrap();
    assert_eq!(named_votes(&file)[0].1, "café");
    assert_eq!(file.backgrounds[0].as_deref(), Some("I´ve played"));
    assert!(file.warnings[0].message.contains("Latin-1"));
}

#[test]
fn column_map_assigns_all_columns_and_answers() {
    let text = "HIT,Q,L,R,Who,Pick,Took,Batch,Put,Done,Clip,Music\n\
                1,q,x,y,ann,2,12.5,first,2020-01-01T10:00:00Z,2020-01-01T10:05:00Z,13,piano\n\
                1,q,x,y,bob,0,,first,2020-01-01T10:00:00Z,2020-01-01T10:09:00Z,13,\n";
    let map = "query=Q,a=L,b=R,assessor=Who,answer=Pick,first=1,second=2,equal=0,seconds=Took,\
               batch=Batch,time=Put,ended=Done,clips=Clip,background=Music";
    let file = read_bytes(text.as_bytes(), map).unwrap();
    let query = &file.preferences.queries()[0];
    assert_eq!(query.votes()[0].preference, Preference::B);
    assert_eq!(query.votes()[1].preference, Preference::Equal);
    assert_eq!(query.votes()[0].seconds, Some(12.5));
    assert_eq!(query.votes()[1].seconds, None);
    assert_eq!(file.clips, [[Some(13.0), Some(13.0)]]);
    assert_eq!(file.backgrounds, [Some("piano".to_owned()), None]);
    let batch = &file.batches[0];
    assert_eq!(batch.name, "first");
    assert_eq!(
        batch.first_answered_at.unwrap() - batch.first_asked_at.unwrap(),
        300.0
    );
    assert_eq!(
        batch.last_answered_at.unwrap() - batch.first_answered_at.unwrap(),
        240.0
    );
}

#[test]
fn clip_durations_stay_with_their_votes_when_other_rows_are_dropped() {
    let text = "query,a,b,assessor,answer,clips\nr,u,v,ann,,1\nq,x,y,ann,a,2\nq,y,x,ann,a,3\n\
                r,u,v,bob,b,4\nq,x,y,bob,equal,5\n";
    let file = read_valid(text);
    let names: Vec<&str> = file
        .preferences
        .queries()
        .iter()
        .map(partita_core::QueryPreferences::name)
        .collect();
    assert_eq!(names, ["q", "r"]);
    assert_eq!(file.clips, [vec![Some(2.0), Some(5.0)], vec![Some(4.0)]]);
}

#[test]
fn invalid_rows_and_headers_are_refused_with_their_position() {
    let header = "query,a,b,assessor,answer,seconds,batch,time\n";
    let with = |row: &str| error_text(&format!("{header}q,x,y,ann,a,1,1,5\n{row}\n"), "");
    assert!(with("q,x,x,bob,a,1,1,5").starts_with("p.csv:3: the item `x` is compared with itself"));
    assert!(with("q,x,y,bob,c,1,1,5").starts_with("p.csv:3: an answer is"));
    assert!(
        with("q,x,y,bob,a,-1,1,5").starts_with("p.csv:3:13: seconds are a number of at least 0")
    );
    assert!(with("q,x,y,bob,a,NaN,1,5").starts_with("p.csv:3:13: seconds are a number"));
    assert!(with("q,x,y,bob,a,1,,5").starts_with("p.csv:3: there is no batch"));
    assert!(with("q,x,y,bob,a,1,1,noon").starts_with("p.csv:3: `noon` is no time"));
    assert!(with(",x,y,bob,a,1,1,5").starts_with("p.csv:3: there is no query"));
    assert!(
        with("q,x,y,bob,a,1,1,5,more").contains("expected 8 columns as in the header, found 9")
    );
    assert!(error_text("", "").contains("p.csv:"));
    assert!(error_text("query,a,b\nq,x,y\n", "").contains("names no column answer"));
    assert!(error_text(VALID_TABLE, "answer=Pick").contains("the header names no column `Pick`"));
    assert!(
        error_text("q x y\n", "").contains("expected 4 columns (topic, a, b, winner), found 3")
    );
}

#[test]
fn invalid_column_maps_are_refused() {
    let error = |map: &str| map.parse::<ColumnMap>().unwrap_err().to_string();
    assert!(error("query").contains("neither `mturk` nor of the form ours=theirs"));
    assert!(error("colour=blue").contains("no `colour` to be mapped"));
    assert!(error("a=x,a=y").contains("`a` is mapped twice"));
    assert!(error("equal=s,equal=t").contains("`equal` is mapped twice"));
    assert!("".parse::<ColumnMap>().unwrap().is_empty());
}

#[test]
fn winner_tables_are_read_with_any_separator_with_or_without_header() {
    for text in [
        "topic a b winner\nq1 x y y\nq1 x z =\n",
        "q1 x y y\nq1 x z tie\n",
        "q1\tx\ty\ty\nq1\tx\tz\ttie\n",
        "q1,x,y,y\nq1,x,z,equal\n",
        "topic,a,b,winner\nq1,x,y,y\nq1,x,z,tie\n",
        "query,model_a,model_b,winner\nq1,x,y,model_b\nq1,x,z,tie (bothbad)\n",
    ] {
        let read = read(
            &Source::from_bytes("p.txt", text),
            &PreferencesReadOptions::default(),
        )
        .expect(text);
        let query = &read.preferences.queries()[0];
        let answers: Vec<Preference> = query.votes().iter().map(|given| given.preference).collect();
        assert_eq!(
            (query.name(), answers),
            ("q1", vec![Preference::B, Preference::Equal]),
            "{text}"
        );
    }
}

#[test]
fn items_named_a_and_b_do_not_swap_answers() {
    let of = |header: &str| {
        let file = read_valid(&format!("query,a,b,assessor,{header}\nq,b,a,ann,a\n"));
        named_votes(&file)[0].4
    };
    // In a column `answer`, `a` is the item shown first, here the item b. In a column `winner`, `a`
    // is the item of that name.
    assert_eq!(of("answer"), Preference::A);
    assert_eq!(of("winner"), Preference::B);
    let named = read_valid("query,a,b,assessor,answer\nq,x,y,ann,y\n");
    assert_eq!(named_votes(&named)[0].4, Preference::B);
}

/// In files of Mechanical Turk, all answers to a question have the time at which it was asked.
#[test]
fn times_shared_by_all_answers_to_a_question_are_asking_times() {
    let text = "query,a,b,assessor,answer,time\n\
                q,x,y,ann,a,2020-01-01T10:00:00Z\nq,x,y,bob,a,2020-01-01T10:00:00Z\n\
                q,x,z,ann,a,2020-01-01T10:00:05Z\nq,x,z,bob,a,2020-01-01T10:00:05Z\n";
    let asked = &read_valid(text).batches[0];
    assert_eq!(
        (asked.first_answered_at, asked.last_answered_at),
        (None, None)
    );
    assert!(asked.first_asked_at.is_some());
    // If one answer to a question has another time, all times are those of answers.
    let text = text.replace("bob,a,2020-01-01T10:00:05Z", "bob,a,2020-01-01T10:30:00Z");
    let answered = &read_valid(&text).batches[0];
    let [first, last] =
        [answered.first_answered_at, answered.last_answered_at].map(|time| time.unwrap());
    assert_eq!(last - first, 1800.0);
}
