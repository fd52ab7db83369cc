//! Tests of rendering the items of a collection as clips.

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
use crate::features::collection_of_incipits;

/// Content of audio files, by file name.
type AudioFiles = BTreeMap<String, Vec<u8>>;

/// Renders items with the built-in instrument and collects the audio files in memory.
fn render_in_memory(
    collection: &Collection,
    ids: &[&str],
    request: &RenderRequest,
) -> Result<(RenderReport, AudioFiles), RenderError> {
    let files = Mutex::new(AudioFiles::new());
    let keep = |file: &str, bytes: &[u8]| {
        files
            .lock()
            .unwrap()
            .insert(file.to_owned(), bytes.to_vec());
        Ok(())
    };
    let report = render_collection(
        collection,
        ids,
        request,
        &BuiltInInstrument,
        &keep,
        &SequentialWork,
    )?;
    Ok((report, files.into_inner().unwrap()))
}

#[test]
fn items_are_rendered_to_files_named_after_their_ids() {
    let collection = Collection::from_reader(Box::new(small_collection())).unwrap();
    let request = RenderRequest {
        audio: AudioFormat::Wav,
        rate: 8_000,
        ..RenderRequest::default()
    };
    let (report, files) = render_in_memory(&collection, &[], &request).unwrap();
    let names: Vec<&str> = report.clips.iter().map(|clip| clip.file.as_str()).collect();
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
    for clip in &report.clips {
        let file = &files[&clip.file];
        assert_eq!(clip.sha256, sha256_hex(file));
        assert_eq!(clip.seconds, (file.len() - 44) as f64 / 16_000.0);
        assert_eq!(clip.notes, None);
    }
}

#[test]
fn tempo_is_fixed_or_that_of_the_source() {
    let (_folder, collection) = collection_of_incipits("x\t%G-2 =2/4'CD-E");
    let seconds = |tempo| {
        let request = RenderRequest {
            rate: 8_000,
            tempo,
            with_note_timings: true,
            ..RenderRequest::default()
        };
        let (report, _) = render_in_memory(&collection, &["x"], &request).unwrap();
        let clip = &report.clips[0];
        let notes = clip.notes.as_ref().unwrap();
        // The rest before the first note is left out, but the rest between notes is kept.
        assert_eq!((notes.len(), notes[0].start), (3, clip.lead));
        notes[2].start - clip.lead
    };
    assert!((seconds(Tempo::Fixed(60.0)) - 3.0).abs() < 1e-9);
    assert!((seconds(Tempo::Fixed(120.0)) - 1.5).abs() < 1e-9);
    // Plaine & Easie files state no tempo, so the default of 120 applies.
    assert!((seconds(Tempo::Source) - 1.5).abs() < 1e-9);
    assert_eq!("SOURCE".parse(), Ok(Tempo::Source));
    assert!(
        ["0", "x", "nan", "1e9"]
            .iter()
            .all(|text| text.parse::<Tempo>().is_err())
    );
}

#[test]
fn error_names_the_first_item_that_cannot_be_rendered() {
    // 4,000 longas of 16 quarter notes each last hours, longer than any clip may be.
    let long = "0C".repeat(4_000);
    let (_folder, collection) =
        collection_of_incipits(&format!("a\t%G-2 4'C\nb\t%G-2 '{long}\nc\t%G-2 '{long}"));
    let request = RenderRequest {
        rate: 8_000,
        ..RenderRequest::default()
    };
    let error = render_in_memory(&collection, &[], &request).unwrap_err();
    assert!(
        matches!(error, RenderError::Item { item, why: RecordingError::Clip(ClipError::TooLong(_)) } if item == "b")
    );
    let error = render_in_memory(&collection, &["z"], &request).unwrap_err();
    assert!(matches!(
        error,
        RenderError::Lookup(ItemLookupError::UnknownId { .. })
    ));
    let invalid_rate = RenderRequest { rate: 1, ..request };
    let error = render_in_memory(&collection, &[], &invalid_rate).unwrap_err();
    assert!(matches!(
        error,
        RenderError::InvalidSettings(ClipError::Rate(1))
    ));
}
