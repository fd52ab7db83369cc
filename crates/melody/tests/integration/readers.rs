//! MIDI, kern, MusicXML, MEI and recordings.

use partita_formats::{DiagnosticCode, FormatError};
use partita_melody::readers::{ChordPolicy, MelodyFormat, MelodyReadOptions, Transcript};
use partita_named::NamedEnum;

use crate::pae::notes;

fn read(format: MelodyFormat, bytes: &[u8]) -> Result<Transcript, FormatError> {
    format.read_melody("test", bytes, &MelodyReadOptions::default())
}

fn reason(format: MelodyFormat, bytes: &[u8]) -> DiagnosticCode {
    read(format, bytes).expect_err("it cannot be read").code
}

/// The bytes of a score in the fixtures.
fn score(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/scores");
    std::fs::read(format!("{folder}/{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn one_melody_has_the_same_notes_and_checksum_in_all_formats() {
    let answers = include_str!("../fixtures/scores/notes.tsv").lines();
    for row in answers.filter(|row| !row.starts_with('#')) {
        let (name, expected) = row.split_once('\t').unwrap();
        let mut checksums = Vec::new();
        for ending in ["pae", "mei", "musicxml", "mid"] {
            let bytes = score(&format!("{name}.{ending}"));
            let format = MelodyFormat::detect(&bytes, "x").unwrap();
            let read = if format == MelodyFormat::Pae {
                let mut all = Vec::new();
                partita_melody::readers::pae::read(
                    "test",
                    &bytes,
                    &MelodyReadOptions::default(),
                    &mut |entry| {
                        all.push(entry.result.unwrap());
                    },
                );
                all.pop().unwrap()
            } else {
                read(format, &bytes).unwrap_or_else(|unread| panic!("{name}.{ending}: {unread}"))
            };
            assert_eq!(notes(&read), expected, "{name}.{ending}");
            checksums.push(read.melody.checksum());
        }
        checksums.dedup();
        assert_eq!(checksums.len(), 1);
    }
}

/// A file of one track with these events, and this division.
fn midi(division: [u8; 2], events: &[u8]) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    bytes.extend(division);
    bytes.extend(b"MTrk");
    bytes.extend((events.len() as u32).to_be_bytes());
    bytes.extend(events);
    bytes
}

const END: [u8; 4] = [0, 0xff, 0x2f, 0];

#[test]
fn running_status_and_notes_without_velocity_are_understood() {
    let events = [
        &[0, 0x90, 60, 64, 96, 60, 0, 0, 62, 64, 48, 62, 0][..],
        &END,
    ]
    .concat();
    let read = read(MelodyFormat::Midi, &midi([0, 96], &events)).unwrap();
    assert_eq!(notes(&read), "60:0:1 62:1:1/2");
}

#[test]
fn a_note_that_reaches_one_tick_into_the_next_is_cut_and_two_ticks_are_polyphonic() {
    let overlap = |ticks: u8| {
        let events = [0, 0x90, 60, 64, 96, 62, 64, ticks, 60, 0, 96 - ticks, 62, 0];
        read(
            MelodyFormat::Midi,
            &midi([0, 96], &[&events[..], &END].concat()),
        )
    };
    let cut = overlap(1).unwrap();
    assert_eq!(notes(&cut), "60:0:1 62:1:1");
    assert_eq!(cut.diagnostic_counts.count(DiagnosticCode::CutNotes), 1);
    assert_eq!(overlap(2).unwrap_err().code, DiagnosticCode::Polyphonic);
}

#[test]
fn broken_midi_has_a_reason_and_a_place() {
    let events = [&[0, 0x90, 60, 64, 96, 60, 0][..], &END].concat();
    let whole = midi([0, 96], &events);
    for length in 1..whole.len() {
        let unread = read(MelodyFormat::Midi, &whole[..length]).unwrap_err();
        assert_eq!(unread.code, DiagnosticCode::Truncated, "{length} bytes");
        assert!(unread.fields.contains_key("byte"));
    }
    assert_eq!(reason(MelodyFormat::Midi, b""), DiagnosticCode::EmptyFile);
    assert_eq!(
        reason(MelodyFormat::Midi, &midi([0, 0], &events)),
        DiagnosticCode::Syntax
    );
    assert_eq!(
        reason(MelodyFormat::Midi, &midi([0xe7, 40], &events)),
        DiagnosticCode::Unsupported
    );
    assert_eq!(
        reason(MelodyFormat::Midi, &midi([0, 96], &END)),
        DiagnosticCode::NoNotes
    );
    let running = [&[0, 60, 64][..], &END].concat();
    let unread = read(MelodyFormat::Midi, &midi([0, 96], &running)).unwrap_err();
    assert_eq!(
        (unread.code, unread.fields["byte"].as_str()),
        (DiagnosticCode::Syntax, "23")
    );
    let endless = [&[0, 0x90, 60, 64][..], &END].concat();
    assert_eq!(
        reason(MelodyFormat::Midi, &midi([0, 96], &endless)),
        DiagnosticCode::Truncated
    );
    // A track that promises four gigabytes.
    let mut long = whole.clone();
    long[18..22].copy_from_slice(&[0xff; 4]);
    assert_eq!(reason(MelodyFormat::Midi, &long), DiagnosticCode::Truncated);
}

#[test]
fn a_million_notes_are_too_long() {
    let mut events = Vec::new();
    for _ in 0..1_000_000 {
        events.extend([0, 0x90, 60, 64, 1, 0x80, 60, 0]);
    }
    events.extend(END);
    assert_eq!(
        reason(MelodyFormat::Midi, &midi([0, 96], &events)),
        DiagnosticCode::TooLong
    );
}

#[test]
fn voices_are_chosen_and_chords_give_their_highest_note() {
    let text = "**kern\t**kern\n4C\t4g\n4D\t4a\n*-\t*-\n";
    assert_eq!(
        reason(MelodyFormat::Kern, text.as_bytes()),
        DiagnosticCode::SeveralVoices
    );
    let voice = |voice| MelodyReadOptions {
        voice: Some(voice),
        ..MelodyReadOptions::default()
    };
    let one = |options: &MelodyReadOptions| {
        MelodyFormat::Kern.read_melody("test", text.as_bytes(), options)
    };
    assert_eq!(notes(&one(&voice(1)).unwrap()), "48:0:1 50:1:1");
    assert_eq!(notes(&one(&voice(2)).unwrap()), "67:0:1 69:1:1");
    assert_eq!(
        one(&voice(3)).unwrap_err().code,
        DiagnosticCode::SeveralVoices
    );
    let chord = "**kern\n4c 4e 4g\n4a\n*-\n";
    assert_eq!(
        reason(MelodyFormat::Kern, chord.as_bytes()),
        DiagnosticCode::Polyphonic
    );
    let highest = MelodyReadOptions {
        chords: ChordPolicy::Highest,
        ..MelodyReadOptions::default()
    };
    let kept = MelodyFormat::Kern
        .read_melody("test", chord.as_bytes(), &highest)
        .unwrap();
    assert_eq!(
        (
            notes(&kept).as_str(),
            kept.diagnostic_counts.count(DiagnosticCode::Chords)
        ),
        ("67:0:1 69:1:1", 2)
    );
}

#[test]
fn kern_is_read_as_humdrum_defines_it() {
    let text = "!! a comment\n**kern\t**text\n*clefG2\t*\n*k[b-e-]\t*\n*M3/4\t*\n*MM96\t*\n=1\t=1\n{4.b-\tla\n\
                8qcc\t.\n8r\t.\n[4a\tla\n=2\t=2\n4a]}\t.\n6e\t.\n12g#\t.\n3%2c\tla\n*-\t*-\n";
    let read = read(MelodyFormat::Kern, text.as_bytes()).unwrap();
    assert_eq!(
        notes(&read),
        "70:0:3/2 69:2:2 64:4:2/3 68:14/3:1/3 60:5:8/3"
    );
    let known = (
        read.clef.as_deref(),
        read.key.as_deref(),
        read.time.as_deref(),
        read.tempo,
    );
    assert_eq!(known, (Some("G-2"), Some("bBE"), Some("3/4"), Some(96.0)));
    assert_eq!(read.diagnostic_counts.count(DiagnosticCode::GraceNotes), 1);
}

#[test]
fn broken_kern_has_a_reason_and_a_line() {
    for (text, expected, line) in [
        ("**kern\n4c\n", DiagnosticCode::Truncated, None),
        ("**kern\n4c\t4d\n*-\n", DiagnosticCode::Syntax, Some(2)),
        ("**kern\nc\n*-\n", DiagnosticCode::Syntax, Some(2)),
        ("**kern\n4\n*-\n", DiagnosticCode::Syntax, Some(2)),
        ("**kern\n4r\n*-\n", DiagnosticCode::NoNotes, None),
        ("**mens\n4c\n*-\n", DiagnosticCode::Mensural, None),
        ("**dynam\nf\n*-\n", DiagnosticCode::Unsupported, None),
        ("4c\n", DiagnosticCode::Syntax, Some(1)),
        ("**kern\n00000000c\n*-\n", DiagnosticCode::Syntax, Some(2)),
        // Found by fuzzing.
        (
            "**kern\t**kern\n*M3/4\t\n*-\t*-\n",
            DiagnosticCode::Syntax,
            Some(2),
        ),
        ("\n", DiagnosticCode::EmptyFile, None),
    ] {
        let unread = read(MelodyFormat::Kern, text.as_bytes()).unwrap_err();
        assert_eq!((unread.code, unread.line), (expected, line), "{text:?}");
    }
}

const XML: &str =
    "<score-partwise><part><measure><attributes><divisions>2</divisions></attributes>";

#[test]
fn broken_xml_has_a_reason() {
    let whole = String::from_utf8(score("rests.musicxml")).unwrap();
    let entity = whole.replacen(
        "<score-partwise",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><score-partwise",
        1,
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, entity.as_bytes()),
        DiagnosticCode::Entities
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, &whole.as_bytes()[..whole.len() / 2]),
        DiagnosticCode::Truncated
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, b"<opus/>"),
        DiagnosticCode::Unsupported
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, b"<score-timewise/>"),
        DiagnosticCode::NoNotes
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, b""),
        DiagnosticCode::EmptyFile
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, b"<score-partwise \xff/>"),
        DiagnosticCode::NotText
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, b"<score-partwise/>"),
        DiagnosticCode::NoNotes
    );
    let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
    assert!(read(MelodyFormat::Musicxml, deep.as_bytes()).is_err());
    assert!(read(MelodyFormat::Mei, deep.as_bytes()).is_err());
    let beams = format!(
        "<mei><music><score><section><measure><staff><layer>{}{}</layer></staff></measure></section></score></music></mei>",
        "<beam>".repeat(5000),
        "</beam>".repeat(5000)
    );
    assert_eq!(
        reason(MelodyFormat::Mei, beams.as_bytes()),
        DiagnosticCode::Syntax
    );
    let crowded: String = (0..100_000)
        .map(|number| format!(" a{number}=''"))
        .collect();
    let crowded = format!("<score-partwise{crowded}/>");
    assert_eq!(
        reason(MelodyFormat::Musicxml, crowded.as_bytes()),
        DiagnosticCode::Syntax
    );
    let long = format!(
        "{XML}<note><rest/><duration>9999999</duration></note></measure></part></score-partwise>"
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, long.as_bytes()),
        DiagnosticCode::TooLong
    );
}

#[test]
fn a_score_of_measures_of_parts_is_read_part_by_part() {
    let note = |step: char| {
        format!(
            "<note><pitch><step>{step}</step><octave>4</octave></pitch><duration>2</duration></note>"
        )
    };
    let part = |id: &str, steps: &str| {
        let notes: String = steps.chars().map(note).collect();
        format!("<part id=\"{id}\">{notes}</part>")
    };
    let divided = "<attributes><divisions>2</divisions></attributes>";
    // The second measure has the parts in another order.
    let score = |second: bool| {
        let other = |steps| {
            if second {
                part("P2", steps)
            } else {
                String::new()
            }
        };
        let text = format!(
            "<score-timewise><measure number=\"1\">{}{}</measure><measure number=\"2\">{}{}</measure></score-timewise>",
            part("P1", "CD"),
            other("E"),
            other("F"),
            part("P1", "G"),
        );
        text.replace("\"P1\">", &format!("\"P1\">{divided}"))
            .replace("\"P2\">", &format!("\"P2\">{divided}"))
    };
    assert_eq!(
        notes(&read(MelodyFormat::Musicxml, score(false).as_bytes()).unwrap()),
        "60:0:1 62:1:1 67:2:1"
    );
    assert_eq!(
        reason(MelodyFormat::Musicxml, score(true).as_bytes()),
        DiagnosticCode::SeveralVoices
    );
    let second = MelodyReadOptions {
        voice: Some(2),
        ..MelodyReadOptions::default()
    };
    let read = MelodyFormat::Musicxml.read_melody("test", score(true).as_bytes(), &second);
    assert_eq!(notes(&read.unwrap()), "64:0:1 65:1:1");
}

#[test]
fn a_doctype_is_not_fetched_and_utf_16_is_text() {
    let note = "<note><pitch><step>B</step><alter>-1</alter><octave>4</octave></pitch><duration>3</duration></note>";
    let text = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE score-partwise PUBLIC \"-//Recordare//DTD MusicXML 4.0 Partwise//EN\" \
         \"http://www.musicxml.org/dtds/partwise.dtd\">{XML}{note}</measure></part></score-partwise>"
    );
    assert_eq!(
        notes(&read(MelodyFormat::Musicxml, text.as_bytes()).unwrap()),
        "70:0:3/2"
    );
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&[0xff, 0xfe][..], &wide].concat();
    assert_eq!(
        MelodyFormat::detect(&wide, "x"),
        Some(MelodyFormat::Musicxml)
    );
    assert_eq!(
        notes(&read(MelodyFormat::Musicxml, &wide).unwrap()),
        "70:0:3/2"
    );
}

#[test]
fn files_tell_their_formats_by_content() {
    let told = |bytes: &[u8]| MelodyFormat::detect(bytes, "file");
    assert_eq!(told(&score("rests.mid")), Some(MelodyFormat::Midi));
    assert_eq!(told(&score("rests.mei")), Some(MelodyFormat::Mei));
    assert_eq!(told(&score("rests.musicxml")), Some(MelodyFormat::Musicxml));
    assert_eq!(told(&score("rests.pae")), Some(MelodyFormat::Pae));
    assert_eq!(told(b"!!!OTL: x\n**kern\n"), Some(MelodyFormat::Kern));
    assert_eq!(told(b"a\t%G-2 4C\n"), Some(MelodyFormat::Pae));
    assert_eq!(told(b"{\"data\": \"4C\"}"), Some(MelodyFormat::Pae));
    assert_eq!(told(b"fLaC"), Some(MelodyFormat::Audio));
    assert_eq!(told(b"just a text"), None);
    assert_eq!(
        MelodyFormat::detect(b"just a text", "x.krn"),
        Some(MelodyFormat::Kern)
    );
}

/// A WAV file of so many samples, of which it promises others.
pub(crate) fn wav(samples: u32, promised: u32) -> Vec<u8> {
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + promised * 2).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(8000_u32.to_le_bytes());
    bytes.extend(16_000_u32.to_le_bytes());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend((promised * 2).to_le_bytes());
    for sample in 0..samples {
        bytes.extend(((sample * 300) as u16).to_le_bytes());
    }
    bytes
}

#[test]
fn recordings_are_decoded_to_know_how_long_they_are() {
    let clip = partita_melody::audio::decoder::read(wav(4000, 4000)).unwrap();
    assert_eq!(clip.seconds, 0.5);
    let other = partita_melody::audio::decoder::read(wav(3999, 3999)).unwrap();
    assert_ne!(clip.checksum, other.checksum);
    let cut = partita_melody::audio::decoder::read(wav(1000, 4000)).unwrap_err();
    assert_eq!(cut.code, DiagnosticCode::Truncated);
    // Found by fuzzing.
    let mut crowd = wav(10, 10);
    crowd[22..24].copy_from_slice(&[1, 0xc1]);
    assert_eq!(
        partita_melody::audio::decoder::read(crowd)
            .unwrap_err()
            .code,
        DiagnosticCode::Unsupported
    );
    assert!(partita_melody::audio::decoder::read(b"OggS nothing".to_vec()).is_err());
}

#[test]
fn codes_of_skipped_melodies_keep_their_names() {
    let names = "truncated syntax not-text empty-file no-notes polyphonic several-voices mensural neume \
                 unknown-clef open-group too-long too-large entities unsupported";
    for name in names.split_whitespace() {
        assert!(DiagnosticCode::from_name(name).is_ok(), "{name}");
    }
}
