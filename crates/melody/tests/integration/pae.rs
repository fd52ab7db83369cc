//! Plaine & Easie: what it says, and what cannot be read.

use partita_formats::{Diagnostic, DiagnosticCode};
use partita_melody::readers::pae;
use partita_melody::readers::pae::{PaeRecord, PaeVersion};
use partita_melody::readers::{ChordPolicy, MelodyEntry, MelodyReadOptions, Transcript};

fn record(data: &str) -> PaeRecord<'_> {
    PaeRecord {
        clef: "G-2".into(),
        timesig: "4/4".into(),
        data: data.into(),
        ..PaeRecord::default()
    }
}

fn second(data: &str) -> PaeRecord<'_> {
    PaeRecord {
        version: PaeVersion::Two,
        ..record(data)
    }
}

fn read(record: &PaeRecord<'_>) -> Result<Transcript, Diagnostic> {
    record.transcribe(&MelodyReadOptions::default())
}

/// The notes as `pitch:onset:duration`.
pub(crate) fn notes(read: &Transcript) -> String {
    let notes = read.melody.notes().iter();
    let notes =
        notes.map(|note| format!("{}:{}:{}", note.pitch.number(), note.onset, note.duration));
    notes.collect::<Vec<_>>().join(" ")
}

fn said(data: &str) -> String {
    notes(&read(&record(data)).unwrap_or_else(|unread| panic!("{data}: {unread:?}")))
}

fn reason(data: &str) -> DiagnosticCode {
    read(&record(data)).expect_err(data).code
}

#[test]
fn random_incipits_are_read_as_verovio_plays_them() {
    let rows = include_str!("../fixtures/pae-verovio.tsv").lines();
    let rows = rows.filter(|row| !row.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let [clef, keysig, timesig, data, expected] = fields[..] else {
            panic!("a row of five fields: {row}");
        };
        let record = PaeRecord {
            clef: clef.into(),
            keysig: keysig.into(),
            timesig: timesig.into(),
            data: data.into(),
            ..PaeRecord::default()
        };
        let read = read(&record).unwrap_or_else(|unread| panic!("{data}: {unread:?}"));
        assert_eq!(notes(&read), expected, "{data}");
        count += 1;
    }
    assert_eq!(count, 250);
}

#[test]
fn the_examples_of_the_specification_say_what_it_says() {
    // A rhythmic sequence, a repeated figure, repeated measures, a tuplet that lasts what stands before it.
    assert_eq!(said("'8.68{AB''C}{DEF}"), said("{'8.A6B''8C}{8.D6E8F}"));
    assert_eq!(said("!{'8ABAG}!ff"), said("'8ABAGABAGABAG"));
    assert_eq!(said("'4ABAG/i/i/"), said("'4ABAG/ABAG/ABAG"));
    assert_eq!(
        said("4('6DEFGA;5)"),
        "62:0:1/5 64:1/5:1/5 65:2/5:1/5 67:3/5:1/5 69:4/5:1/5"
    );
    assert_eq!(said("(6ABC)"), said("8(6ABC;3)"));
    assert_eq!(said("4(8ABC;3)"), said("({8ABC})"));
}

#[test]
fn parentheses_around_one_note_are_a_fermata() {
    assert_eq!(said("'4C(D)(8E)F"), said("'4CD8EF"));
    assert_eq!(said("4(6A(B)C;3)"), said("4(6ABC;3)"));
}

#[test]
fn grace_notes_are_left_out_and_counted_and_the_main_note_keeps_its_value() {
    let graces = read(&record("'4CgDEq8FGqq6ABrA")).unwrap();
    assert_eq!(notes(&graces), "60:0:1 64:1:1 67:2:1/2 69:5/2:1/4");
    assert_eq!(
        graces.diagnostic_counts.count(DiagnosticCode::GraceNotes),
        4
    );
}

#[test]
fn an_accidental_holds_for_its_octave_until_the_bar_line_and_a_tie_carries_it_over() {
    assert_eq!(said("'4xFF''F/'F"), "66:0:1 66:1:1 77:2:1 65:3:1");
    assert_eq!(said("'4xF+/FF"), "66:0:2 65:2:1");
    assert_eq!(said("'4xFnFbF"), "66:0:1 65:1:1 64:2:1");
}

#[test]
fn a_tie_to_another_pitch_is_left_out_and_counted() {
    let slur = read(&record("'4C+D")).unwrap();
    assert_eq!(notes(&slur), "60:0:1 62:1:1");
    assert_eq!(slur.diagnostic_counts.count(DiagnosticCode::BrokenTies), 1);
}

#[test]
fn measures_of_rest_last_as_long_as_the_metre_says() {
    let three = PaeRecord {
        timesig: "3/4".into(),
        ..record("=2/'4C@c =/D")
    };
    assert_eq!(notes(&read(&three).unwrap()), "60:6:1 62:11:1");
    let none = PaeRecord {
        timesig: "".into(),
        ..record("=1/'4C")
    };
    let none = read(&none).unwrap();
    assert_eq!(notes(&none), "60:4:1");
    assert_eq!(
        none.diagnostic_counts.count(DiagnosticCode::UnclearMetre),
        1
    );
}

#[test]
fn chords_are_skipped_or_give_their_highest_note() {
    assert_eq!(reason("''2D^'A^xF"), DiagnosticCode::Polyphonic);
    let options = MelodyReadOptions {
        chords: ChordPolicy::Highest,
        ..MelodyReadOptions::default()
    };
    let highest = record("'2A^''D^'xF''4E").transcribe(&options).unwrap();
    assert_eq!(notes(&highest), "74:0:2 76:2:1");
}

#[test]
fn version_two_is_read_by_its_own_signs() {
    let second =
        |data| notes(&read(&second(data)).unwrap_or_else(|unread| panic!("{data}: {unread:?}")));
    assert_eq!(second("2''G/_/4_"), "79:0:5");
    assert_eq!(second("'4FG_A"), "65:0:1 67:1:2 69:3:1");
    assert_eq!(second("2''G/8{_AB}"), "79:0:5/2 81:5/2:1/2 83:3:1/2");
    assert_eq!(second("(4;'4D8E;3)"), "62:0:2/3 64:2/3:1/3");
    assert_eq!(second("(4;6'DEFGA;5)"), said("4('6DEFGA;5)"));
    assert_eq!(second("({'8ABC};3:2)"), said("('8ABC)"));
    assert_eq!(second("2G1''Cp4Dtp"), "67:0:2 72:2:4 74:6:1");
    assert_eq!(
        second("'4Ay''{'8B''8C}r{''8D'8B}"),
        "69:0:1 74:1:1/2 71:3/2:1/2"
    );
    assert_eq!(second("'2A-//%F-4$xFC ,8B"), "69:0:2 59:4:1/2");
    let chord = self::second("2^AxF>4G");
    assert_eq!(read(&chord).unwrap_err().code, DiagnosticCode::Polyphonic);
    let without = PaeRecord {
        clef: "".into(),
        ..self::second("4C")
    };
    assert_eq!(
        read(&without).unwrap_err().code,
        DiagnosticCode::UnknownClef
    );
    // Its signs are none of version 1, nor the other way round.
    assert_eq!(reason("4G_"), DiagnosticCode::Syntax);
    assert_eq!(
        read(&self::second("4C+C")).unwrap_err().code,
        DiagnosticCode::Syntax
    );
}

#[test]
fn what_cannot_be_read_has_a_reason_and_a_place() {
    let clef = |clef: &'static str| {
        let clef = PaeRecord {
            clef: clef.into(),
            ..record("4C")
        };
        read(&clef).unwrap_err().code
    };
    assert_eq!(clef("C+3"), DiagnosticCode::Mensural);
    assert_eq!(clef("C:3"), DiagnosticCode::Neume);
    assert_eq!(clef("X-9"), DiagnosticCode::UnknownClef);
    assert_eq!(reason(""), DiagnosticCode::EmptyFile);
    assert_eq!(reason("  "), DiagnosticCode::EmptyFile);
    assert_eq!(reason("4-/=3/"), DiagnosticCode::NoNotes);
    assert_eq!(reason("'7.ABC"), DiagnosticCode::Neume);
    for open in ["4C4(8DEF", "!8AB", "4Cqq8DE"] {
        assert_eq!(reason(open), DiagnosticCode::OpenGroup, "{open}");
    }
    for odd in [
        "4C?", "4C)", "i/", "4Cr", "'''''C", "4.....C", "4(8AB;)", "^C", "4C$xQ D",
    ] {
        assert_eq!(reason(odd), DiagnosticCode::Syntax, "{odd}");
    }
    let key = |keysig: &'static str| {
        read(&PaeRecord {
            keysig: keysig.into(),
            ..record("4C")
        })
    };
    for odd in ["F", "x", "xxF", "xFF", "xFbF", "xFn", "bBE[A]x"] {
        assert_eq!(key(odd).unwrap_err().code, DiagnosticCode::Syntax, "{odd}");
    }
    for plain in ["", "n", "$xF C", "[xF]", "bBE[A]", "xFbB", "nF"] {
        assert!(key(plain).is_ok(), "{plain}");
    }
    let unread = read(&record("'4CDE?F")).unwrap_err();
    assert_eq!(unread.fields["character"], "6");
}

#[test]
fn what_multiplies_without_end_is_stopped_before_memory_is_taken() {
    let figure = format!("!{}!{}", "8ABCDEFGA".repeat(2000), "f".repeat(1_000_000));
    assert_eq!(reason(&figure), DiagnosticCode::TooLong);
    let measures = format!("{}/{}", "8ABCDEFGA".repeat(2000), "i/".repeat(500_000));
    assert_eq!(reason(&measures), DiagnosticCode::TooLong);
    assert_eq!(reason("=4000000000/4C"), DiagnosticCode::TooLong);
    assert_eq!(reason(&"(".repeat(1_000_000)), DiagnosticCode::Syntax);
    assert_eq!(reason(&"0A+".repeat(90_000)), DiagnosticCode::TooLong);
    let few = MelodyReadOptions {
        max_notes: 3,
        ..MelodyReadOptions::default()
    };
    assert_eq!(
        record("4CDEF").transcribe(&few).unwrap_err().code,
        DiagnosticCode::TooLong
    );
    assert!(record("4CDE--").transcribe(&few).is_ok());
}

/// The notes, or why there are none.
type Said = Result<String, DiagnosticCode>;

/// Ids, lines and notes of a file.
fn entries(text: &str) -> Vec<(Option<String>, Option<u64>, Said)> {
    let mut entries = Vec::new();
    pae::read(
        "test",
        text.as_bytes(),
        &MelodyReadOptions::default(),
        &mut |entry: MelodyEntry| {
            let read = entry
                .result
                .map(|read| notes(&read))
                .map_err(|unread| unread.code);
            entries.push((entry.id, entry.line, read));
        },
    );
    entries
}

#[test]
fn all_carriers_say_the_same() {
    let tags = "@start:a\n@clef:G-2\n@keysig:bB\n@timesig:3/4\n@data:=1/4'BC\n@end:a\n\
                @start:b\n@clef:G-2\n@data:4'D\n@end:b\n";
    let json = "[{\"id\": \"a\", \"clef\": \"G-2\", \"keysig\": \"bB\", \"timesig\": \"3/4\", \"data\": \"=1/4'BC\"},\n\
                 {\"id\": \"b\", \"clef\": \"G-2\", \"data\": \"4'D\"}]";
    let json_lines = "{\"id\": \"a\", \"clef\": \"G-2\", \"keysig\": \"bB\", \"timesig\": \"3/4\", \"data\": \"=1/4'BC\"}\n\
                      {\"id\": \"b\", \"clef\": \"G-2\", \"data\": \"4'D\"}\n";
    let lines = "a\t%G-2@3/4$bB =1/4'BC\r\n\nb\t%G-2 4'D\n";
    let marc = "<?xml version=\"1.0\"?><marc:collection xmlns:marc=\"x\"><marc:record>\
        <marc:controlfield tag=\"001\">000111706</marc:controlfield>\
        <marc:datafield tag=\"031\"><marc:subfield code=\"a\">1</marc:subfield><marc:subfield code=\"b\">1</marc:subfield>\
        <marc:subfield code=\"c\">2</marc:subfield><marc:subfield code=\"g\">G-2</marc:subfield>\
        <marc:subfield code=\"n\">bB</marc:subfield><marc:subfield code=\"o\">3/4</marc:subfield>\
        <marc:subfield code=\"p\">=1/4&#39;BC</marc:subfield></marc:datafield>\
        <marc:datafield tag=\"031\"><marc:subfield code=\"a\">2</marc:subfield><marc:subfield code=\"b\">1</marc:subfield>\
        <marc:subfield code=\"c\">1</marc:subfield><marc:subfield code=\"p\">4&apos;D</marc:subfield></marc:datafield>\
        </marc:record></marc:collection>";
    for (text, line) in [(tags, 9), (json, 2), (json_lines, 2), (lines, 3)] {
        let [first, other] = &entries(text)[..] else {
            panic!("two incipits in {text}");
        };
        assert_eq!(first.0.as_deref(), Some("a"));
        assert_eq!(first.2.as_deref(), Ok("70:3:1 60:4:1"), "{text}");
        assert_eq!(
            (other.0.as_deref(), other.1),
            (Some("b"), Some(line)),
            "{text}"
        );
    }
    let ids: Vec<_> = entries(marc)
        .into_iter()
        .map(|entry| (entry.0, entry.2))
        .collect();
    let first = (
        Some("000.111.706-1.1.2".to_owned()),
        Ok("70:3:1 60:4:1".to_owned()),
    );
    let other = (
        Some("000.111.706-2.1.1".to_owned()),
        Ok("62:0:1".to_owned()),
    );
    assert_eq!(ids, [first, other]);
}

#[test]
fn a_version_is_the_second_where_a_carrier_says_so() {
    for text in [
        "@clef:G-2\n@version:pe2\n@data:4'C_\n",
        "{\"clef\": \"G-2\", \"version\": \"pe2\", \"data\": \"4'C_\"}",
        "{\"clef\": \"G-2\", \"version\": 2, \"data\": \"4'C_\"}",
        ";pe2%G-2 4'C_\n",
    ] {
        assert_eq!(entries(text)[0].2.as_deref(), Ok("60:0:2"), "{text}");
    }
}

#[test]
fn one_bad_record_does_not_spoil_the_others() {
    let reasons = |text: &str| {
        entries(text)
            .into_iter()
            .map(|entry| entry.2.err())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        reasons("%G-2 4'C\n%G+2 4'C\n%G-2 4'?\n%G-2 4'D\n"),
        [
            None,
            Some(DiagnosticCode::Mensural),
            Some(DiagnosticCode::Syntax),
            None
        ]
    );
    assert_eq!(
        reasons("@start:a\n@data:4'C\n@start:b\n@data:4'C\n@end:b\n"),
        [Some(DiagnosticCode::Truncated), None]
    );
    assert_eq!(
        reasons("[{\"data\": \"4'C\"}, {\"data\": 4}, {\"data\": \"4'D\"}"),
        [
            None,
            Some(DiagnosticCode::Syntax),
            None,
            Some(DiagnosticCode::Truncated)
        ]
    );
    assert_eq!(
        reasons("<collection><record>"),
        [Some(DiagnosticCode::Truncated)]
    );
    let entities = "<!DOCTYPE r [<!ENTITY a \"b\">]><collection/>";
    assert_eq!(reasons(entities), [Some(DiagnosticCode::Entities)]);
}
