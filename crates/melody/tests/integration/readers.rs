//! Tests of the readers of MIDI, `**kern`, MusicXML, MEI and recordings.

use partita_formats::{DiagnosticCode, FormatError};
use partita_melody::readers::{ChordPolicy, MelodyFormat, MelodyReadOptions, Transcript};
use partita_named::NamedEnum;

use crate::pae::notes;

/// Reads a file of a format with default options.
fn read(format: MelodyFormat, bytes: &[u8]) -> Result<Transcript, FormatError> {
    format.read_melody("test", bytes, &MelodyReadOptions::default())
}

/// Returns the code of the error for an invalid file of a format.
fn error_code(format: MelodyFormat, bytes: &[u8]) -> DiagnosticCode {
    read(format, bytes).expect_err("the file is invalid").code
}

/// Returns the bytes of a file in the folder of test scores.
fn score_fixture(name: &str) -> Vec<u8> {
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
            let bytes = score_fixture(&format!("{name}.{ending}"));
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

/// Returns a MIDI file with one track of these events. `division` contains the bytes of the header
/// that define the unit of time, usually the number of ticks per quarter note.
fn midi(division: [u8; 2], events: &[u8]) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    bytes.extend(division);
    bytes.extend(b"MTrk");
    bytes.extend((events.len() as u32).to_be_bytes());
    bytes.extend(events);
    bytes
}

/// MIDI event that ends a track.
const END_OF_TRACK: [u8; 4] = [0, 0xff, 0x2f, 0];

#[test]
fn running_status_is_read_and_velocity_0_ends_a_note() {
    let events = [
        &[0, 0x90, 60, 64, 96, 60, 0, 0, 62, 64, 48, 62, 0][..],
        &END_OF_TRACK,
    ]
    .concat();
    let read = read(MelodyFormat::Midi, &midi([0, 96], &events)).unwrap();
    assert_eq!(notes(&read), "60:0:1 62:1:1/2");
}

#[test]
fn overlap_of_one_tick_is_trimmed_and_of_two_ticks_is_polyphonic() {
    let overlap = |ticks: u8| {
        let events = [0, 0x90, 60, 64, 96, 62, 64, ticks, 60, 0, 96 - ticks, 62, 0];
        read(
            MelodyFormat::Midi,
            &midi([0, 96], &[&events[..], &END_OF_TRACK].concat()),
        )
    };
    let cut = overlap(1).unwrap();
    assert_eq!(notes(&cut), "60:0:1 62:1:1");
    assert_eq!(cut.diagnostic_counts.count(DiagnosticCode::CutNotes), 1);
    assert_eq!(overlap(2).unwrap_err().code, DiagnosticCode::Polyphonic);
}

#[test]
fn invalid_midi_reports_code_and_byte() {
    let events = [&[0, 0x90, 60, 64, 96, 60, 0][..], &END_OF_TRACK].concat();
    let whole = midi([0, 96], &events);
    for length in 1..whole.len() {
        let unread = read(MelodyFormat::Midi, &whole[..length]).unwrap_err();
        assert_eq!(unread.code, DiagnosticCode::Truncated, "{length} bytes");
        assert!(unread.fields.contains_key("byte"));
    }
    assert_eq!(
        error_code(MelodyFormat::Midi, b""),
        DiagnosticCode::EmptyFile
    );
    assert_eq!(
        error_code(MelodyFormat::Midi, &midi([0, 0], &events)),
        DiagnosticCode::Syntax
    );
    assert_eq!(
        error_code(MelodyFormat::Midi, &midi([0xe7, 40], &events)),
        DiagnosticCode::Unsupported
    );
    assert_eq!(
        error_code(MelodyFormat::Midi, &midi([0, 96], &END_OF_TRACK)),
        DiagnosticCode::NoNotes
    );
    let running = [&[0, 60, 64][..], &END_OF_TRACK].concat();
    let unread = read(MelodyFormat::Midi, &midi([0, 96], &running)).unwrap_err();
    assert_eq!(
        (unread.code, unread.fields["byte"].as_str()),
        (DiagnosticCode::Syntax, "23")
    );
    let endless = [&[0, 0x90, 60, 64][..], &END_OF_TRACK].concat();
    assert_eq!(
        error_code(MelodyFormat::Midi, &midi([0, 96], &endless)),
        DiagnosticCode::Truncated
    );
    // The header of the track declares a length of four gigabytes.
    let mut long = whole.clone();
    long[18..22].copy_from_slice(&[0xff; 4]);
    assert_eq!(
        error_code(MelodyFormat::Midi, &long),
        DiagnosticCode::Truncated
    );
}

#[test]
fn midi_file_with_a_million_notes_is_too_long() {
    let mut events = Vec::new();
    for _ in 0..1_000_000 {
        events.extend([0, 0x90, 60, 64, 1, 0x80, 60, 0]);
    }
    events.extend(END_OF_TRACK);
    assert_eq!(
        error_code(MelodyFormat::Midi, &midi([0, 96], &events)),
        DiagnosticCode::TooLong
    );
}

#[test]
fn options_select_a_voice_and_the_highest_note_of_chords() {
    let text = "**kern\t**kern\n4C\t4g\n4D\t4a\n*-\t*-\n";
    assert_eq!(
        error_code(MelodyFormat::Kern, text.as_bytes()),
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
        error_code(MelodyFormat::Kern, chord.as_bytes()),
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
fn kern_notes_and_metadata_follow_the_humdrum_definition() {
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
fn invalid_kern_reports_code_and_line() {
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
        // Found by fuzzing: a line with an empty token.
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

/// Start of a MusicXML score with two duration units per quarter note.
const MUSICXML_START: &str =
    "<score-partwise><part><measure><attributes><divisions>2</divisions></attributes>";

#[test]
fn invalid_xml_scores_report_a_code() {
    let whole = String::from_utf8(score_fixture("rests.musicxml")).unwrap();
    let entity = whole.replacen(
        "<score-partwise",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><score-partwise",
        1,
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, entity.as_bytes()),
        DiagnosticCode::Entities
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, &whole.as_bytes()[..whole.len() / 2]),
        DiagnosticCode::Truncated
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, b"<opus/>"),
        DiagnosticCode::Unsupported
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, b"<score-timewise/>"),
        DiagnosticCode::NoNotes
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, b""),
        DiagnosticCode::EmptyFile
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, b"<score-partwise \xff/>"),
        DiagnosticCode::NotText
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, b"<score-partwise/>"),
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
        error_code(MelodyFormat::Mei, beams.as_bytes()),
        DiagnosticCode::Syntax
    );
    let crowded: String = (0..100_000)
        .map(|number| format!(" a{number}=''"))
        .collect();
    let crowded = format!("<score-partwise{crowded}/>");
    assert_eq!(
        error_code(MelodyFormat::Musicxml, crowded.as_bytes()),
        DiagnosticCode::Syntax
    );
    let long = format!(
        "{MUSICXML_START}<note><rest/><duration>9999999</duration></note></measure></part></score-partwise>"
    );
    assert_eq!(
        error_code(MelodyFormat::Musicxml, long.as_bytes()),
        DiagnosticCode::TooLong
    );
}

#[test]
fn time_wise_musicxml_is_read_part_by_part() {
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
    // Returns a score of two measures. The part `P2` is optional, and it is the first part of the
    // second measure.
    let score = |with_second_part: bool| {
        let other = |steps| {
            if with_second_part {
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
        error_code(MelodyFormat::Musicxml, score(true).as_bytes()),
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
fn doctype_is_not_fetched_and_utf_16_is_decoded() {
    let note = "<note><pitch><step>B</step><alter>-1</alter><octave>4</octave></pitch><duration>3</duration></note>";
    let text = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE score-partwise PUBLIC \"-//Recordare//DTD MusicXML 4.0 Partwise//EN\" \
         \"http://www.musicxml.org/dtds/partwise.dtd\">{MUSICXML_START}{note}</measure></part></score-partwise>"
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
fn formats_are_detected_by_content_or_else_by_extension() {
    let detected = |bytes: &[u8]| MelodyFormat::detect(bytes, "file");
    assert_eq!(
        detected(&score_fixture("rests.mid")),
        Some(MelodyFormat::Midi)
    );
    assert_eq!(
        detected(&score_fixture("rests.mei")),
        Some(MelodyFormat::Mei)
    );
    assert_eq!(
        detected(&score_fixture("rests.musicxml")),
        Some(MelodyFormat::Musicxml)
    );
    assert_eq!(
        detected(&score_fixture("rests.pae")),
        Some(MelodyFormat::Pae)
    );
    assert_eq!(detected(b"!!!OTL: x\n**kern\n"), Some(MelodyFormat::Kern));
    assert_eq!(detected(b"a\t%G-2 4C\n"), Some(MelodyFormat::Pae));
    assert_eq!(detected(b"{\"data\": \"4C\"}"), Some(MelodyFormat::Pae));
    assert_eq!(detected(b"fLaC"), Some(MelodyFormat::Audio));
    assert_eq!(detected(b"just a text"), None);
    assert_eq!(
        MelodyFormat::detect(b"just a text", "x.krn"),
        Some(MelodyFormat::Kern)
    );
}

/// Returns a WAV file at 8 kHz with one channel and `samples` samples, whose header declares
/// `declared` samples.
pub(crate) fn wav(samples: u32, declared: u32) -> Vec<u8> {
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + declared * 2).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(8000_u32.to_le_bytes());
    bytes.extend(16_000_u32.to_le_bytes());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend((declared * 2).to_le_bytes());
    for sample in 0..samples {
        bytes.extend(((sample * 300) as u16).to_le_bytes());
    }
    bytes
}

#[test]
fn decoding_gives_duration_and_checksum_and_rejects_damaged_recordings() {
    let clip = partita_melody::audio::decoder::read(wav(4000, 4000)).unwrap();
    assert_eq!(clip.seconds, 0.5);
    let other = partita_melody::audio::decoder::read(wav(3999, 3999)).unwrap();
    assert_ne!(clip.checksum, other.checksum);
    let cut = partita_melody::audio::decoder::read(wav(1000, 4000)).unwrap_err();
    assert_eq!(cut.code, DiagnosticCode::Truncated);
    // Found by fuzzing: a header with 49,409 channels.
    let mut many_channels = wav(10, 10);
    many_channels[22..24].copy_from_slice(&[1, 0xc1]);
    assert_eq!(
        partita_melody::audio::decoder::read(many_channels)
            .unwrap_err()
            .code,
        DiagnosticCode::Unsupported
    );
    assert!(partita_melody::audio::decoder::read(b"OggS nothing".to_vec()).is_err());
}

#[test]
fn diagnostic_codes_keep_their_names() {
    let names = "truncated syntax not-text empty-file no-notes polyphonic several-voices mensural neume \
                 unknown-clef open-group too-long too-large entities unsupported";
    for name in names.split_whitespace() {
        assert!(DiagnosticCode::from_name(name).is_ok(), "{name}");
    }
}
