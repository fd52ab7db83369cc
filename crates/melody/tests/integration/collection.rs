//! Tests of collection files: imports, reproducible bytes, atomic writing and detection of damage.

use std::fs;
use std::io::Write;
use std::path::Path;

use partita_core::work::SequentialWork;
use partita_formats::DiagnosticCode;
use partita_melody::collection::{
    Collection, CollectionError, IdScheme, ImportError, ImportOutcome, ImportRequest, ItemKind,
    import,
};
use partita_melody::readers::MelodyFormat;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

use crate::readers::wav;

/// Creates a temporary folder with files, given by path and content.
pub(crate) fn folder_with_files(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// Returns a request to import these files and folders with default options.
pub(crate) fn import_request(sources: &[&Path]) -> ImportRequest {
    ImportRequest {
        sources: sources
            .iter()
            .map(|source| source.to_string_lossy().into_owned())
            .collect(),
        ..ImportRequest::default()
    }
}

/// Imports into the collection `c.coll` in a folder.
pub(crate) fn import_into(
    folder: &TempDir,
    request: &ImportRequest,
) -> Result<ImportOutcome, ImportError> {
    import(request, &folder.path().join("c.coll"), &SequentialWork)
}

/// Files to import, by path and content: five melodies, one unreadable incipit (`p`) and one file
/// that contains no melody (`README`).
const TUNES: &[(&str, &[u8])] = &[
    ("in/a.pae", b"@start:q\n@clef:G-2\n@keysig:xF\n@data:'4FGgAB\n@end:q\n@start:p\n@clef:G+2\n@data:'4F\n@end:p\n"),
    ("in/b/tune.krn", b"**kern\n4c\n8d\n*-\n"),
    ("in/b/other.krn", b"**kern\n4g\n8a\n*-\n"),
    ("in/list.txt", b"%G-2 4'C\n%G-2 4'D\n"),
    ("in/README", b"nothing\n"),
];

/// Returns the bytes of a collection file with five melodies and one recording.
pub(crate) fn small_collection() -> Vec<u8> {
    let folder = folder_with_files(TUNES);
    fs::write(folder.path().join("in/clip.wav"), wav(100, 100)).unwrap();
    import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    fs::read(folder.path().join("c.coll")).unwrap()
}

#[test]
fn import_reports_added_and_skipped_items() {
    let folder = folder_with_files(TUNES);
    let done = import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    let report = &done.report;
    assert_eq!(
        (
            report.items,
            report.added,
            report.unchanged,
            report.replaced
        ),
        (5, 5, 0, 0)
    );
    let skipped: Vec<_> = report
        .skipped
        .iter()
        .map(|skipped| (skipped.id.as_deref(), skipped.code))
        .collect();
    assert_eq!(
        skipped,
        [
            (None, DiagnosticCode::Unsupported),
            (Some("p"), DiagnosticCode::Mensural)
        ]
    );
    assert!(report.skipped[1].file.ends_with("in/a.pae") && report.skipped[1].line == Some(8));
    let warning = &done.warnings[0];
    assert_eq!(
        (warning.code, warning.fields["count"].as_str()),
        (DiagnosticCode::GraceNotes, "1")
    );
    assert!(warning.file.ends_with("in/a.pae") && warning.line == Some(4));
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    let listing = collection.listing(0, None).unwrap();
    let items: Vec<_> = listing
        .items
        .iter()
        .map(|item| (item.item.as_str(), item.source.as_str()))
        .collect();
    let expected = [
        ("list#1", "list.txt"),
        ("list#2", "list.txt"),
        ("other", "b/other.krn"),
        ("q", "a.pae"),
        ("tune", "b/tune.krn"),
    ];
    assert_eq!(items, expected);
    // `other` is `tune` transposed up a fifth, so only their content checksums are equal.
    assert_eq!(listing.items[2].content, listing.items[4].content);
    assert_ne!(listing.items[2].checksum, listing.items[4].checksum);
    let shown = collection.details(&["q"]).unwrap();
    let shown = &shown.items[0];
    assert_eq!(
        (shown.format, shown.key.as_deref(), shown.grace_notes),
        (MelodyFormat::Pae, Some("xF"), 1)
    );
    let names: Vec<&str> = shown.notes.iter().map(|note| note.name.as_str()).collect();
    assert_eq!(names, ["F#4", "G4", "B4"]);
    assert_eq!(collection.listing(3, Some(1)).unwrap().items[0].item, "q");
    assert!(
        collection
            .details(&["tunes"])
            .unwrap_err()
            .to_string()
            .contains("tunes")
    );
    assert_eq!(
        collection.nearest_id("tunes").unwrap().as_deref(),
        Some("tune")
    );
}

#[test]
fn collection_does_not_depend_on_the_order_of_imports_or_their_repetition() {
    let (one, two) = (folder_with_files(TUNES), folder_with_files(TUNES));
    import_into(&one, &import_request(&[&one.path().join("in")])).unwrap();
    let sources = ["list.txt", "b/tune.krn", "b/other.krn", "a.pae"];
    for source in sources {
        import_into(
            &two,
            &import_request(&[&two.path().join("in").join(source)]),
        )
        .unwrap();
    }
    let bytes = |folder: &TempDir| fs::read(folder.path().join("c.coll")).unwrap();
    let listed = |folder: &TempDir| {
        Collection::open(&folder.path().join("c.coll"))
            .unwrap()
            .listing(0, None)
            .unwrap()
    };
    // Only checksums are compared, because the stored source path depends on the imported path.
    let checksums = |folder| {
        listed(folder)
            .items
            .into_iter()
            .map(|item| (item.item, item.checksum))
            .collect::<Vec<_>>()
    };
    assert_eq!(checksums(&one), checksums(&two));
    let before = bytes(&one);
    let again = import_into(&one, &import_request(&[&one.path().join("in")])).unwrap();
    assert_eq!((again.report.added, again.report.unchanged), (0, 5));
    assert_eq!(bytes(&one), before);
    let three = folder_with_files(TUNES);
    import_into(&three, &import_request(&[&three.path().join("in")])).unwrap();
    assert_eq!(bytes(&three), before);
    // No temporary file remains next to the folder `in` and the collection.
    assert_eq!(fs::read_dir(one.path()).unwrap().count(), 2);
}

#[test]
fn colliding_ids_stop_an_import_and_leave_the_collection_unchanged() {
    let twice = folder_with_files(&[
        ("in/a/x.krn", b"**kern\n4c\n*-\n"),
        ("in/b/x.krn", b"**kern\n4d\n*-\n"),
    ]);
    let source = twice.path().join("in");
    assert!(matches!(
        import_into(&twice, &import_request(&[&source])),
        Err(ImportError::DuplicateId { .. })
    ));
    assert!(!twice.path().join("c.coll").exists());
    let by_path = ImportRequest {
        ids: IdScheme::Path,
        ..import_request(&[&source])
    };
    assert_eq!(import_into(&twice, &by_path).unwrap().report.items, 2);
    fs::write(twice.path().join("in/a/x.krn"), "**kern\n4e\n*-\n").unwrap();
    let before = fs::read(twice.path().join("c.coll")).unwrap();
    assert!(matches!(
        import_into(&twice, &by_path),
        Err(ImportError::ExistingId { .. })
    ));
    assert_eq!(fs::read(twice.path().join("c.coll")).unwrap(), before);
    let replacing = ImportRequest {
        replace: true,
        ..by_path
    };
    let done = import_into(&twice, &replacing).unwrap();
    assert_eq!((done.report.replaced, done.report.unchanged), (1, 1));
}

#[test]
fn strict_imports_with_errors_and_imports_without_items_write_nothing() {
    let folder = folder_with_files(TUNES);
    let strict = ImportRequest {
        strict: true,
        ..import_request(&[&folder.path().join("in")])
    };
    let done = import_into(&folder, &strict).unwrap();
    assert!(!done.is_written && done.report.skipped.len() == 2);
    let none = import_into(
        &folder,
        &import_request(&[&folder.path().join("in/README")]),
    )
    .unwrap();
    assert!(!none.is_written && none.report.items == 0);
    assert!(!folder.path().join("c.coll").exists());
}

#[test]
fn every_changed_byte_and_every_truncation_is_detected() {
    let bytes = small_collection();
    let whole = Collection::from_reader(Box::new(bytes.clone())).unwrap();
    assert_eq!(whole.len(), 6);
    whole.verify().unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let opened = Collection::from_reader(Box::new(damaged));
        let listed = opened.and_then(|collection| collection.listing(0, None));
        assert!(listed.is_err(), "byte {at} of {}", bytes.len());
    }
    for length in 0..bytes.len() {
        assert!(
            Collection::from_reader(Box::new(bytes[..length].to_vec())).is_err(),
            "{length} bytes"
        );
    }
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert!(matches!(
        Collection::from_reader(Box::new(newer)),
        Err(CollectionError::UnsupportedVersion(2))
    ));
    assert!(matches!(
        Collection::from_reader(Box::new(b"%PDF-1.4".to_vec())),
        Err(CollectionError::NotACollection)
    ));
}

#[test]
fn recordings_are_stored_unchanged_and_kept_by_later_imports() {
    let folder = folder_with_files(TUNES);
    fs::write(folder.path().join("clip.wav"), wav(100, 100)).unwrap();
    import_into(&folder, &import_request(&[&folder.path().join("clip.wav")])).unwrap();
    import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    let item = collection.item_by_id("clip").unwrap();
    assert_eq!((item.kind, item.seconds), (ItemKind::Audio, 100.0 / 8000.0));
    assert_eq!(
        collection.recording_bytes(&item).unwrap(),
        Some(wav(100, 100))
    );
    assert_eq!(collection.melody(&item).unwrap(), None);
    assert_eq!(collection.melodies(0).count(), 5);
}

/// Returns a zip archive with these members, given by name and content.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn recordings_from_zip_and_gzip_files_are_stored_unchanged() {
    let (one, other) = (wav(100, 100), wav(200, 7));
    let zipped = zip(&[("x/b.wav", &one), ("a.wav", &other)]);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&wav(300, 9)).unwrap();
    let gzipped = packer.finish().unwrap();
    let folder = folder_with_files(&[("in/clips.zip", &zipped), ("in/c.wav.gz", &gzipped)]);
    let done = import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    assert_eq!((done.report.items, done.report.skipped.len()), (3, 0));
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    for (id, clip) in [("b", one), ("a", other), ("c", wav(300, 9))] {
        let item = collection.item_by_id(id).unwrap();
        assert_eq!(
            collection.recording_bytes(&item).unwrap(),
            Some(clip),
            "{id}"
        );
    }
}

#[test]
fn all_frames_of_a_zstd_file_are_read() {
    let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    let lines = [frame("%G-2 4'C\n"), frame("%G-2 4'D\n")];
    // The program pzstd writes a skippable frame before each data frame.
    let skippable_frame = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    let (plain, parallel) = (
        lines.concat(),
        [&skippable_frame[..], &lines[0], &skippable_frame, &lines[1]].concat(),
    );
    let folder = folder_with_files(&[("in/a.pae.zst", &plain), ("in/b.pae.zst", &parallel)]);
    let done = import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    assert_eq!((done.report.items, done.report.skipped.len()), (4, 0));
}

#[test]
fn zip_members_are_read_like_files_in_a_folder() {
    let tunes = zip(&[("x/t.krn", b"**kern\n4c\n*-\n"), ("u.mid", b"MThd\0\0")]);
    let folder = folder_with_files(&[("in/a.zip", &tunes)]);
    let done = import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    assert_eq!(done.report.items, 1);
    assert!(done.report.skipped[0].file.ends_with("in/a.zip/u.mid"));
    assert_eq!(done.report.skipped[0].code, DiagnosticCode::Truncated);
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    assert_eq!(
        collection.listing(0, None).unwrap().items[0].source,
        "a.zip/x/t.krn"
    );
}

#[test]
fn zip_is_unpacked_only_up_to_the_size_limits() {
    let zeros = vec![0; 3 << 20];
    let members: Vec<(String, &[u8])> = (0..20)
        .map(|number| (format!("{number:02}"), &zeros[..1 << 20]))
        .collect();
    let mut all: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (name.as_str(), *bytes))
        .collect();
    all.push(("bomb", &zeros));
    all.push(("0.krn", b"**kern\n4c\n*-\n"));
    let folder = folder_with_files(&[("bomb.zip", &zip(&all))]);
    let mut request = import_request(&[&folder.path().join("bomb.zip")]);
    request.options.max_size = 1 << 20;
    let done = import_into(&folder, &request).unwrap();
    assert_eq!(done.report.items, 1);
    let large = done
        .report
        .skipped
        .iter()
        .filter(|skipped| skipped.code == DiagnosticCode::TooLarge);
    assert!(large.count() >= 5);
}

#[test]
fn compressed_musicxml_score_is_read_as_one_melody() {
    let folder_of_scores = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/scores");
    let plain = fs::read(format!("{folder_of_scores}/rests.musicxml")).unwrap();
    let container =
        b"<container><rootfiles><rootfile full-path=\"score.musicxml\"/></rootfiles></container>";
    let packed = zip(&[
        ("META-INF/container.xml", container),
        ("score.musicxml", &plain),
    ]);
    let folder = folder_with_files(&[("in/rests.mxl", &packed), ("in/plain.musicxml", &plain)]);
    import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    let listing = collection.listing(0, None).unwrap();
    assert_eq!(listing.items.len(), 2);
    assert_eq!(listing.items[0].checksum, listing.items[1].checksum);
}

#[test]
fn streamed_marcxml_gives_the_same_items_as_marcxml_in_memory() {
    let record = |number: usize| {
        format!(
            "<record>\n<controlfield tag=\"001\">{number:09}</controlfield>\n<datafield tag=\"031\">             <subfield code=\"a\">1</subfield>\n<subfield code=\"p\">4'C{}&amp;</subfield></datafield></record>\n",
            if number == 7 { "(" } else { "D" }
        )
        .replace("&amp;", if number == 9 { "&#39;E" } else { "E" })
    };
    let records: String = (0..3000).map(record).collect();
    let whole = format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection>\n{records}</collection>\n"
    );
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("dump.xml", zip::write::SimpleFileOptions::default())
        .unwrap();
    zip.write_all(whole.as_bytes()).unwrap();
    let packed = zip.finish().unwrap().into_inner();
    let folder = folder_with_files(&[("dump.xml", whole.as_bytes()), ("dump.zip", &packed)]);
    let read = |name: &str, into: &str| {
        let request = import_request(&[&folder.path().join(name)]);
        let done = import(&request, &folder.path().join(into), &SequentialWork).unwrap();
        let collection = Collection::open(&folder.path().join(into)).unwrap();
        let ids: Vec<_> = (collection.items(0))
            .map(|item| {
                let item = item.unwrap();
                (item.id.clone(), item.checksum)
            })
            .collect();
        let skipped: Vec<_> = (done.report.skipped.iter())
            .map(|skipped| (skipped.id.clone(), skipped.line, skipped.code))
            .collect();
        (ids, skipped)
    };
    // The plain file is streamed. The same file in a zip archive is unpacked into memory.
    let (items, skipped) = read("dump.xml", "one.coll");
    assert_eq!(items.len(), 2999);
    assert_eq!(items[0].0, "000.000.000-1");
    assert_eq!(skipped.len(), 1);
    assert_eq!(skipped[0].1, Some(3 + 7 * 4 + 3));
    assert_eq!((items, skipped), read("dump.zip", "other.coll"));
    // A truncated file gives the items before the cut, and an error.
    let cut = &whole.as_bytes()[..whole.len() / 2];
    fs::write(folder.path().join("cut.xml"), cut).unwrap();
    let (items, skipped) = read("cut.xml", "cut.coll");
    assert!(items.len() > 1400);
    assert_eq!(skipped.last().unwrap().2, DiagnosticCode::Truncated);
    // A byte that is invalid in UTF-8 ends the reading at its position, with an error.
    let mut bytes = whole.clone().into_bytes();
    let middle = bytes.len() / 2;
    bytes[middle] = 0xff;
    fs::write(folder.path().join("bad.xml"), bytes).unwrap();
    let (items, skipped) = read("bad.xml", "bad.coll");
    assert!(items.len() > 1400);
    assert!(matches!(
        skipped.last().unwrap().2,
        DiagnosticCode::NotText | DiagnosticCode::Syntax
    ));
}
