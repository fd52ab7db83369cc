//! Tests of reading Plaine & Easie: notes, errors and file forms (carriers).

use partita_formats::{Diagnostic, DiagnosticCode};
use partita_melody::Beats;
use partita_melody::readers::pae;
use partita_melody::readers::pae::{PaeRecord, PaeVersion};
use partita_melody::readers::{ChordPolicy, MelodyEntry, MelodyReadOptions, Transcript};

/// Returns a version 1 record with a G clef, the metre 4/4 and this data field.
fn record(data: &str) -> PaeRecord<'_> {
    PaeRecord {
        clef: "G-2".into(),
        timesig: "4/4".into(),
        data: data.into(),
        ..PaeRecord::default()
    }
}

/// Returns a version 2 record with a G clef, the metre 4/4 and this data field.
fn version_2_record(data: &str) -> PaeRecord<'_> {
    PaeRecord {
        version: PaeVersion::Two,
        ..record(data)
    }
}

/// Parses a record with default options.
fn transcribe(record: &PaeRecord<'_>) -> Result<Transcript, Diagnostic> {
    record.transcribe(&MelodyReadOptions::default())
}

/// Formats the notes of a melody as `pitch:onset:duration`, separated by spaces.
pub(crate) fn notes(read: &Transcript) -> String {
    let notes = read.melody.notes().iter();
    let notes =
        notes.map(|note| format!("{}:{}:{}", note.pitch.number(), note.onset, note.duration));
    notes.collect::<Vec<_>>().join(" ")
}

/// Returns the notes of a version 1 data field, formatted by [`notes`].
fn notes_of(data: &str) -> String {
    notes(&transcribe(&record(data)).unwrap_or_else(|unread| panic!("{data}: {unread:?}")))
}

/// Returns the code of the error for an invalid version 1 data field.
fn error_code(data: &str) -> DiagnosticCode {
    transcribe(&record(data)).expect_err(data).code
}

#[test]
fn random_incipits_have_the_notes_that_verovio_plays() {
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
        let read = transcribe(&record).unwrap_or_else(|unread| panic!("{data}: {unread:?}"));
        assert_eq!(notes(&read), expected, "{data}");
        count += 1;
    }
    assert_eq!(count, 250);
}

#[test]
fn examples_of_the_specification_have_the_stated_notes() {
    // Rhythmic sequence, repeated figure, repeated measures, and tuplets with and without a written
    // duration.
    assert_eq!(
        notes_of("'8.68{AB''C}{DEF}"),
        notes_of("{'8.A6B''8C}{8.D6E8F}")
    );
    assert_eq!(notes_of("!{'8ABAG}!ff"), notes_of("'8ABAGABAGABAG"));
    assert_eq!(notes_of("'4ABAG/i/i/"), notes_of("'4ABAG/ABAG/ABAG"));
    assert_eq!(
        notes_of("4('6DEFGA;5)"),
        "62:0:1/5 64:1/5:1/5 65:2/5:1/5 67:3/5:1/5 69:4/5:1/5"
    );
    assert_eq!(notes_of("(6ABC)"), notes_of("8(6ABC;3)"));
    assert_eq!(notes_of("4(8ABC;3)"), notes_of("({8ABC})"));
}

#[test]
fn music_a2_three_notes_without_a_value_inside_are_a_triplet_of_the_value_before_them() {
    // 402.010.073-1.1.1 of RISM, in 3/2: three quarters in the time of two fill the first bar.
    assert_eq!(
        notes_of("2'D'A''4(DC'B)/''2C"),
        "62:0:2 69:2:2 74:4:2/3 72:14/3:2/3 71:16/3:2/3 72:6:2"
    );
    for data in ["8({ABC})", "8{(ABC)}", "8(ABC)", "8(xABnC)"] {
        let read = transcribe(&record(data)).unwrap();
        assert_eq!(read.melody.length(), Beats::new(1, 1), "{data}");
    }
    // The value holds on after the triplet, and a rest counts as a note.
    assert_eq!(
        notes_of("'4(DCD)E"),
        "62:0:2/3 60:2/3:2/3 62:4/3:2/3 64:2:1"
    );
    assert_eq!(notes_of("'4(D-D)"), "62:0:2/3 62:4/3:2/3");
    // A value inside or a number makes the value before the duration of the whole group.
    assert_eq!(notes_of("'4(8DCD)"), "62:0:1/3 60:1/3:1/3 62:2/3:1/3");
    assert_eq!(notes_of("'4(DCD;3)"), "62:0:1/3 60:1/3:1/3 62:2/3:1/3");
    // So does any other number of notes, and the sign of version 2.
    assert_eq!(
        notes_of("'4(DCDC)"),
        "62:0:1/4 60:1/4:1/4 62:1/2:1/4 60:3/4:1/4"
    );
    let total = transcribe(&version_2_record("(4;'DCD)")).unwrap();
    assert_eq!(notes(&total), "62:0:1/3 60:1/3:1/3 62:2/3:1/3");
}

#[test]
fn music_a2_bars_that_do_not_fill_the_metre_are_counted() {
    let uneven = |timesig: &'static str, data: &'static str| {
        let record = PaeRecord {
            timesig: timesig.into(),
            ..record(data)
        };
        let read = transcribe(&record).unwrap();
        read.diagnostic_counts.count(DiagnosticCode::UnevenBars)
    };
    for data in [
        "'4CDEF/GFED/C",
        "'4C/DEFG/2C//",
        "=2/'4CDEF/=1/i/",
        "'4CDEF//:GF://ED/CDEF/",
        "'4CDEF@3/4 /CDE/FGA/",
        "'4CD@3/4 EF/CDE/",
        "!'4CD!f/4(CDE)2F/CDEF",
        "/'4C/DEFG/",
    ] {
        assert_eq!(uneven("4/4", data), 0, "{data}");
    }
    for data in [
        "'4CDEF/GFE/CDEF",
        "'4CDEFG/ABCD/",
        "'4CDEF/GFEDC/",
        "'4CDEF/CDE/i/CDEF",
        "'4CDEF/4(8CDE)2F/CDEF",
        "=2/'4CDEF/=1'4C/",
    ] {
        assert_eq!(uneven("4/4", data), 1, "{data}");
    }
    // A metre that is missing or has no clear length is not compared.
    assert_eq!([uneven("", "'4C/D/E/"), uneven("3", "'4C/D/E/")], [0, 0]);
}

#[test]
fn parentheses_around_one_note_are_a_fermata() {
    assert_eq!(notes_of("'4C(D)(8E)F"), notes_of("'4CD8EF"));
    assert_eq!(notes_of("4(6A(B)C;3)"), notes_of("4(6ABC;3)"));
}

#[test]
fn grace_notes_are_left_out_and_counted_and_the_main_note_keeps_its_value() {
    let graces = transcribe(&record("'4CgDEq8FGqq6ABrA")).unwrap();
    assert_eq!(notes(&graces), "60:0:1 64:1:1 67:2:1/2 69:5/2:1/4");
    assert_eq!(
        graces.diagnostic_counts.count(DiagnosticCode::GraceNotes),
        4
    );
}

#[test]
fn an_accidental_holds_for_its_octave_until_the_bar_line_and_a_tie_carries_it_over() {
    assert_eq!(notes_of("'4xFF''F/'F"), "66:0:1 66:1:1 77:2:1 65:3:1");
    assert_eq!(notes_of("'4xF+/FF"), "66:0:2 65:2:1");
    assert_eq!(notes_of("'4xFnFbF"), "66:0:1 65:1:1 64:2:1");
}

#[test]
fn a_tie_between_different_pitches_is_ignored_and_counted() {
    let slur = transcribe(&record("'4C+D")).unwrap();
    assert_eq!(notes(&slur), "60:0:1 62:1:1");
    assert_eq!(slur.diagnostic_counts.count(DiagnosticCode::BrokenTies), 1);
}

#[test]
fn measures_of_rest_have_the_length_of_the_metre() {
    let three = PaeRecord {
        timesig: "3/4".into(),
        ..record("=2/'4C@c =/D")
    };
    assert_eq!(notes(&transcribe(&three).unwrap()), "60:6:1 62:11:1");
    let none = PaeRecord {
        timesig: "".into(),
        ..record("=1/'4C")
    };
    let none = transcribe(&none).unwrap();
    assert_eq!(notes(&none), "60:4:1");
    assert_eq!(
        none.diagnostic_counts.count(DiagnosticCode::UnclearMetre),
        1
    );
}

#[test]
fn chords_are_rejected_or_give_their_highest_note() {
    assert_eq!(error_code("''2D^'A^xF"), DiagnosticCode::Polyphonic);
    let options = MelodyReadOptions {
        chords: ChordPolicy::Highest,
        ..MelodyReadOptions::default()
    };
    let highest = record("'2A^''D^'xF''4E").transcribe(&options).unwrap();
    assert_eq!(notes(&highest), "74:0:2 76:2:1");
}

#[test]
fn version_2_signs_are_valid_only_in_version_2() {
    let version_2_notes = |data| {
        notes(
            &transcribe(&version_2_record(data))
                .unwrap_or_else(|unread| panic!("{data}: {unread:?}")),
        )
    };
    assert_eq!(version_2_notes("2''G/_/4_"), "79:0:5");
    assert_eq!(version_2_notes("'4FG_A"), "65:0:1 67:1:2 69:3:1");
    assert_eq!(
        version_2_notes("2''G/8{_AB}"),
        "79:0:5/2 81:5/2:1/2 83:3:1/2"
    );
    assert_eq!(version_2_notes("(4;'4D8E;3)"), "62:0:2/3 64:2/3:1/3");
    assert_eq!(version_2_notes("(4;6'DEFGA;5)"), notes_of("4('6DEFGA;5)"));
    assert_eq!(version_2_notes("({'8ABC};3:2)"), notes_of("('8ABC)"));
    assert_eq!(version_2_notes("2G1''Cp4Dtp"), "67:0:2 72:2:4 74:6:1");
    assert_eq!(
        version_2_notes("'4Ay''{'8B''8C}r{''8D'8B}"),
        "69:0:1 74:1:1/2 71:3/2:1/2"
    );
    assert_eq!(version_2_notes("'2A-//%F-4$xFC ,8B"), "69:0:2 59:4:1/2");
    let chord = version_2_record("2^AxF>4G");
    assert_eq!(
        transcribe(&chord).unwrap_err().code,
        DiagnosticCode::Polyphonic
    );
    let without = PaeRecord {
        clef: "".into(),
        ..version_2_record("4C")
    };
    assert_eq!(
        transcribe(&without).unwrap_err().code,
        DiagnosticCode::UnknownClef
    );
    // The tie sign of each version is an error in the other version.
    assert_eq!(error_code("4G_"), DiagnosticCode::Syntax);
    assert_eq!(
        transcribe(&version_2_record("4C+C")).unwrap_err().code,
        DiagnosticCode::Syntax
    );
}

#[test]
fn unreadable_incipits_report_code_and_position() {
    let clef = |clef: &'static str| {
        let clef = PaeRecord {
            clef: clef.into(),
            ..record("4C")
        };
        transcribe(&clef).unwrap_err().code
    };
    assert_eq!(clef("C+3"), DiagnosticCode::Mensural);
    assert_eq!(clef("C:3"), DiagnosticCode::Neume);
    assert_eq!(clef("X-9"), DiagnosticCode::UnknownClef);
    assert_eq!(error_code(""), DiagnosticCode::EmptyFile);
    assert_eq!(error_code("  "), DiagnosticCode::EmptyFile);
    assert_eq!(error_code("4-/=3/"), DiagnosticCode::NoNotes);
    assert_eq!(error_code("'7.ABC"), DiagnosticCode::Neume);
    for open in ["4C4(8DEF", "!8AB", "4Cqq8DE"] {
        assert_eq!(error_code(open), DiagnosticCode::OpenGroup, "{open}");
    }
    for invalid in [
        "4C?", "4C)", "i/", "4Cr", "'''''C", "4.....C", "4(8AB;)", "^C", "4C$xQ D",
    ] {
        assert_eq!(error_code(invalid), DiagnosticCode::Syntax, "{invalid}");
    }
    let key = |keysig: &'static str| {
        transcribe(&PaeRecord {
            keysig: keysig.into(),
            ..record("4C")
        })
    };
    for invalid in ["F", "x", "xxF", "xFF", "xFbF", "xFn", "bBE[A]x"] {
        assert_eq!(
            key(invalid).unwrap_err().code,
            DiagnosticCode::Syntax,
            "{invalid}"
        );
    }
    for valid in ["", "n", "$xF C", "[xF]", "bBE[A]", "xFbB", "nF"] {
        assert!(key(valid).is_ok(), "{valid}");
    }
    let unread = transcribe(&record("'4CDE?F")).unwrap_err();
    assert_eq!(unread.fields["character"], "6");
}

#[test]
fn huge_repetitions_rests_and_nesting_are_rejected() {
    let figure = format!("!{}!{}", "8ABCDEFGA".repeat(2000), "f".repeat(1_000_000));
    assert_eq!(error_code(&figure), DiagnosticCode::TooLong);
    let measures = format!("{}/{}", "8ABCDEFGA".repeat(2000), "i/".repeat(500_000));
    assert_eq!(error_code(&measures), DiagnosticCode::TooLong);
    assert_eq!(error_code("=4000000000/4C"), DiagnosticCode::TooLong);
    assert_eq!(error_code(&"(".repeat(1_000_000)), DiagnosticCode::Syntax);
    assert_eq!(error_code(&"0A+".repeat(90_000)), DiagnosticCode::TooLong);
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

/// Notes formatted by [`notes`], or the code of the error.
type NotesOrCode = Result<String, DiagnosticCode>;

/// Reads all incipits of a file. Returns id, line, and notes or error code of each.
fn entries(text: &str) -> Vec<(Option<String>, Option<u64>, NotesOrCode)> {
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
fn all_carriers_give_the_same_incipits() {
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
fn version_2_is_recognised_in_tags_json_and_lines() {
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
fn invalid_records_do_not_affect_the_other_records() {
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
