//! Collections as clips.

use std::collections::BTreeMap;
use std::sync::Mutex;

use partita_core::work::SequentialWork;
use partita_melody::audio::renderer::{
    AudioFormat, BuiltInInstrument, ClipError, RecordingError, RenderError, RenderReport,
    RenderRequest, Tempo, render_collection,
};
use partita_melody::collection::{Collection, ItemLookupError};
use partita_melody::sha256_hex;

use crate::collection::small_collection;
use crate::features::collection;

type Files = BTreeMap<String, Vec<u8>>;

fn rendered(
    collection: &Collection,
    ids: &[&str],
    request: &RenderRequest,
) -> Result<(RenderReport, Files), RenderError> {
    let files = Mutex::new(Files::new());
    let keep = |file: &str, bytes: &[u8]| {
        files
            .lock()
            .unwrap()
            .insert(file.to_owned(), bytes.to_vec());
        Ok(())
    };
    let made = render_collection(
        collection,
        ids,
        request,
        &BuiltInInstrument,
        &keep,
        &SequentialWork,
    )?;
    Ok((made, files.into_inner().unwrap()))
}

#[test]
fn melodies_and_recordings_become_files_of_their_names() {
    let collection = Collection::from_reader(Box::new(small_collection())).unwrap();
    let request = RenderRequest {
        audio: AudioFormat::Wav,
        rate: 8_000,
        ..RenderRequest::default()
    };
    let (made, files) = rendered(&collection, &[], &request).unwrap();
    let names: Vec<&str> = made.clips.iter().map(|clip| clip.file.as_str()).collect();
    assert_eq!(
        names,
        [
            "clip.wav",
            "list%231.wav",
            "list%232.wav",
            "other.wav",
            "q.wav",
            "tune.wav"
        ]
    );
    for clip in &made.clips {
        let file = &files[&clip.file];
        assert_eq!(clip.sha256, sha256_hex(file));
        assert_eq!(clip.seconds, (file.len() - 44) as f64 / 16_000.0);
        assert_eq!(clip.notes, None);
    }
}

#[test]
fn the_tempo_is_one_for_all_or_that_of_the_source() {
    let (_folder, collection) = collection("x\t%G-2 =2/4'CD-E");
    let seconds = |tempo| {
        let request = RenderRequest {
            rate: 8_000,
            tempo,
            with_note_timings: true,
            ..RenderRequest::default()
        };
        let (made, _) = rendered(&collection, &["x"], &request).unwrap();
        let clip = &made.clips[0];
        let notes = clip.notes.as_ref().unwrap();
        // The rest before the first note is left out, the one inside is not.
        assert_eq!((notes.len(), notes[0].start), (3, clip.lead));
        notes[2].start - clip.lead
    };
    assert!((seconds(Tempo::Fixed(60.0)) - 3.0).abs() < 1e-9);
    assert!((seconds(Tempo::Fixed(120.0)) - 1.5).abs() < 1e-9);
    // Plaine & Easie says no tempo.
    assert!((seconds(Tempo::Source) - 1.5).abs() < 1e-9);
    assert_eq!("SOURCE".parse(), Ok(Tempo::Source));
    assert!(
        ["0", "x", "nan", "1e9"]
            .iter()
            .all(|text| text.parse::<Tempo>().is_err())
    );
}

#[test]
fn the_first_item_that_cannot_be_rendered_is_named() {
    // Four thousand longas last for hours.
    let long = "0C".repeat(4_000);
    let (_folder, collection) =
        collection(&format!("a\t%G-2 4'C\nb\t%G-2 '{long}\nc\t%G-2 '{long}"));
    let request = RenderRequest {
        rate: 8_000,
        ..RenderRequest::default()
    };
    let refused = rendered(&collection, &[], &request).unwrap_err();
    assert!(
        matches!(refused, RenderError::Item { item, why: RecordingError::Clip(ClipError::TooLong(_)) } if item == "b")
    );
    let refused = rendered(&collection, &["z"], &request).unwrap_err();
    assert!(matches!(
        refused,
        RenderError::Lookup(ItemLookupError::UnknownId { .. })
    ));
    let high = RenderRequest { rate: 1, ..request };
    let refused = rendered(&collection, &[], &high).unwrap_err();
    assert!(matches!(
        refused,
        RenderError::InvalidSettings(ClipError::Rate(1))
    ));
}
