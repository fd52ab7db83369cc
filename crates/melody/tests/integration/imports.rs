//! Tests of imports of mixed files: detection of formats and repeated ids.

use std::fs;

use partita_formats::DiagnosticCode;
use partita_melody::collection::{Collection, ImportError, ImportOutcome, ImportRequest};
use partita_melody::readers::MelodyFormat;
use tempfile::TempDir;

use crate::collection::{folder_with_files, import_into, import_request, zip};

/// Imports the folder `in` of a folder with these files.
fn import_files(files: &[(&str, &[u8])]) -> (TempDir, Result<ImportOutcome, ImportError>) {
    let folder = folder_with_files(files);
    let outcome = import_into(&folder, &import_request(&[&folder.path().join("in")]));
    (folder, outcome)
}

/// Returns ids and note names of all items of the collection in a folder.
fn items(folder: &TempDir) -> Vec<(String, String)> {
    let collection = Collection::open(&folder.path().join("c.coll")).unwrap();
    let listing = collection.listing(0, None).unwrap().items;
    let ids: Vec<&str> = listing.iter().map(|item| item.item.as_str()).collect();
    let shown = collection.details(&ids).unwrap().items;
    let shown = shown.into_iter().map(|item| {
        let names: Vec<String> = item.notes.into_iter().map(|note| note.name).collect();
        (item.id, names.join(" "))
    });
    shown.collect()
}

/// Returns the items expected from [`items`].
fn expected(items: &[(&str, &str)]) -> Vec<(String, String)> {
    let items = items.iter();
    items
        .map(|(id, notes)| ((*id).to_owned(), (*notes).to_owned()))
        .collect()
}

/// Returns the count of the warning with this code; `None` if there is no such warning.
fn warning_count(outcome: &ImportOutcome, code: DiagnosticCode) -> Option<&str> {
    let warning = outcome.warnings.iter().find(|warning| warning.code == code);
    warning.map(|warning| warning.fields["count"].as_str())
}

#[test]
fn music_a1_files_of_other_formats_that_begin_with_a_percent_sign_are_unsupported() {
    let packed = zip(&[("x/notes.txt", b"%G-2 4'C\n")]);
    let files: [(&str, &[u8]); 9] = [
        ("in/a.pdf", b"%PDF-1.4\nA\nendobj\n"),
        ("in/b.abc", b"%abc-2.1\nX:1\nK:C\nCDEF\n"),
        ("in/c.tex", b"% G-2 is a clef\nABC\n"),
        ("in/d.ps", b"%!PS-Adobe-3.0\nA\n"),
        ("in/e", b"%abc-2.1\nX:1\nK:C\nCDEF\n"),
        ("in/f.txt", b"% notes on ABC\n%G-2 4'C\nABC\nBCA\n"),
        ("in/g", b"id\t%!PS\nABC\n"),
        ("in/h.bin", &packed),
        ("in/melody.txt", b"m\t%G-2 4'C\n"),
    ];
    let (folder, outcome) = import_files(&files);
    // The packed file is a zip, of which the member is read.
    assert_eq!(items(&folder), expected(&[("m", "C4"), ("notes", "C4")]));
    let skipped = outcome.unwrap().report.skipped;
    let skipped: Vec<_> = (skipped.iter())
        .map(|item| (item.file.rsplit_once("/in/").unwrap().1, item.code))
        .collect();
    let expected = ["a.pdf", "b.abc", "c.tex", "d.ps", "e", "f.txt", "g"];
    assert_eq!(
        skipped,
        expected.map(|file| (file, DiagnosticCode::Unsupported))
    );
}

#[test]
fn music_a1_the_ending_or_magic_number_decides_before_the_text() {
    let detect = MelodyFormat::detect;
    // A compressed score whose first member is not its container.
    let name = format!("{}.xml", "score".repeat(50));
    let score = zip(&[(&name, b"\n\t%G-2 4'C"), ("META-INF/container.xml", b"")]);
    assert_eq!(detect(&score, "x.mxl"), Some(MelodyFormat::Musicxml));
    assert_eq!(detect(&score, "x"), None);
    assert_eq!(detect(b"%G-2 4'C", "x.abc"), None);
    assert_eq!(detect(b"%G-2 4'C", "x.kern"), Some(MelodyFormat::Kern));
    assert_eq!(detect(b"MThd", "x.pae"), Some(MelodyFormat::Midi));
    for line in [
        "%G-2 4'C",
        "a b\t%C+1 4'C",
        ";pe2%G-2 4'C",
        "%F*4 4'C",
        "%[G-2]@c 4'C",
    ] {
        assert_eq!(
            detect(line.as_bytes(), "x.txt"),
            Some(MelodyFormat::Pae),
            "{line}"
        );
    }
    for line in [
        "%",
        "% G-2",
        "%X-2 4'C",
        "%G-9",
        "%matlab",
        "a\t%",
        "%%\n%G-2 'C\nA",
    ] {
        assert_eq!(detect(line.as_bytes(), "x.txt"), None, "{line}");
    }
}

#[test]
fn music_a1_a_file_most_of_whose_lines_fail_is_one_unsupported_file() {
    let skipped = |text: &[u8]| {
        let (_folder, outcome) =
            import_files(&[("in/x.pae", text), ("in/y.krn", b"**kern\n4c\n*-\n")]);
        let report = outcome.unwrap().report;
        let codes = report
            .skipped
            .into_iter()
            .map(|item| (item.line, item.code));
        (report.items, codes.collect::<Vec<_>>())
    };
    use DiagnosticCode::{Mensural, Syntax, Unsupported};
    let mostly_text = b"%G-2 4'C\nA\nB\n";
    assert_eq!(skipped(mostly_text), (1, vec![(None, Unsupported)]));
    assert_eq!(
        skipped(b"%G-2 4'C\n%G-2 hello\n%G-2 world\n"),
        (1, vec![(None, Unsupported)])
    );
    assert_eq!(skipped(b"DEAF BEAD\n"), (1, vec![(None, Unsupported)]));
    // A line of text is no melody, and the lines around it are read.
    assert_eq!(
        skipped(b"%G-2 4'C\n%G-2 4'D\nDEAF\n"),
        (3, vec![(Some(3), Syntax)])
    );
    // Incipits that are well-formed but cannot be read keep their reasons, as does a single line.
    assert_eq!(
        skipped(b"%G+2 4'C\n%G+2 4'D\n%G-2 4'C\n").1,
        [(Some(1), Mensural), (Some(2), Mensural)]
    );
    assert_eq!(skipped(b"%G-2 4'C?\n"), (1, vec![(Some(1), Syntax)]));
    // The format that a user names does not change this.
    let folder = folder_with_files(&[("x.pdf", b"%PDF-1.4\nA\nB\n")]);
    let request = ImportRequest {
        format: Some(MelodyFormat::Pae),
        ..import_request(&[&folder.path().join("x.pdf")])
    };
    let report = import_into(&folder, &request).unwrap().report;
    assert_eq!((report.items, report.skipped.len()), (0, 1));
    assert_eq!(report.skipped[0].code, Unsupported);
    assert!(
        report.skipped[0].message.contains("3 of its 3 lines"),
        "{}",
        report.skipped[0].message
    );
}

#[test]
fn music_a2_imports_count_incipits_with_uneven_bars() {
    let lines = b"a\t%G-2@4/4 4'CDEF/GF/E\nb\t%G-2@4/4 4'CDEF/GFED/E\nc\t%G-2@3/4 4'CDE/8C/C/\n";
    let (_folder, outcome) = import_files(&[("in/x.txt", lines)]);
    let outcome = outcome.unwrap();
    assert_eq!(
        warning_count(&outcome, DiagnosticCode::UnevenBars),
        Some("2")
    );
    assert_eq!(outcome.warnings[0].line, Some(1));
}

#[test]
fn music_a4_ids_that_a_file_repeats_are_one_item_or_are_numbered() {
    let field = |number: usize, data: &str| {
        format!(
            "<datafield tag=\"031\"><subfield code=\"a\">{number}</subfield><subfield code=\"b\">1</subfield>\
             <subfield code=\"c\">1</subfield>\n<subfield code=\"p\">{data}</subfield></datafield>"
        )
    };
    let fields = [
        field(1, "4'C"),
        field(1, "4'D"),
        field(1, "4'C"),
        field(1, "4'E"),
        field(2, "4'F"),
    ];
    let marc = format!(
        "<collection><record><controlfield tag=\"001\">400006537</controlfield>{}</record></collection>",
        fields.concat()
    );
    let (folder, outcome) = import_files(&[("in/dup.xml", marc.as_bytes())]);
    let outcome = outcome.unwrap();
    let all = expected(&[
        ("400.006.537-1.1.1", "C4"),
        ("400.006.537-1.1.1~2", "D4"),
        ("400.006.537-1.1.1~3", "E4"),
        ("400.006.537-2.1.1", "F4"),
    ]);
    assert_eq!(items(&folder), all);
    assert_eq!((outcome.report.added, outcome.report.skipped.len()), (4, 0));
    assert_eq!(
        warning_count(&outcome, DiagnosticCode::RepeatedIds),
        Some("2")
    );
    assert_eq!(
        warning_count(&outcome, DiagnosticCode::Duplicate),
        Some("1")
    );
    assert_eq!(outcome.warnings[0].line, Some(3));
    // The same import again changes nothing.
    let again = import_into(&folder, &import_request(&[&folder.path().join("in")])).unwrap();
    assert_eq!((again.report.added, again.report.unchanged), (0, 4));
    // An id that the collection has with other notes stays an error.
    fs::write(folder.path().join("in/dup.xml"), marc.replace("4'E", "4'G")).unwrap();
    let request = import_request(&[&folder.path().join("in")]);
    let refused = import_into(&folder, &request);
    assert!(
        matches!(refused, Err(ImportError::ExistingId { id, .. }) if id == "400.006.537-1.1.1~3")
    );
    let replacing = ImportRequest {
        replace: true,
        ..request
    };
    assert_eq!(import_into(&folder, &replacing).unwrap().report.replaced, 1);
}

#[test]
fn music_a4_numbered_ids_depend_on_neither_the_form_nor_the_order_of_files() {
    let tags = "@start:x\n@data:4'C\n@end:x\n@start:x\n@data:4'D\n@end:x\n@start:x~2\n@data:4'E\n@end:x~2\n";
    let lines = "x\t%G-2 4'C\nx\t%G-2 4'D\nx~2\t%G-2 4'E\n";
    let json = "{\"id\": \"x\", \"data\": \"4'C\"}\n{\"id\": \"x\", \"data\": \"4'D\"}\n{\"id\": \"x~2\", \"data\": \"4'E\"}\n";
    for text in [tags, lines, json] {
        let (folder, outcome) = import_files(&[("in/a.txt", text.as_bytes())]);
        outcome.unwrap();
        // `x~2` is taken by the item whose file states it.
        let all = expected(&[("x", "C4"), ("x~2", "E4"), ("x~3", "D4")]);
        assert_eq!(items(&folder), all, "{text}");
    }
    let files: [(&str, &[u8]); 2] = [("a.txt", b"x\t%G-2 4'C\n"), ("b.txt", b"x\t%G-2 4'D\n")];
    for order in [["a.txt", "b.txt"], ["b.txt", "a.txt"]] {
        let folder = folder_with_files(&files);
        let paths = order.map(|name| folder.path().join(name));
        import_into(&folder, &import_request(&[&paths[0], &paths[1]])).unwrap();
        assert_eq!(items(&folder), expected(&[("x", "C4"), ("x~2", "D4")]));
    }
}

#[test]
fn music_a4_ids_from_file_names_still_end_the_import() {
    let equal: [(&str, &[u8]); 2] = [
        ("in/a/x.krn", b"**kern\n4c\n*-\n"),
        ("in/b/x.krn", b"**kern\n4c\n*-\n"),
    ];
    let mixed: [(&str, &[u8]); 2] = [
        ("in/a.txt", b"x\t%G-2 4'D\n"),
        ("in/x.krn", b"**kern\n4c\n*-\n"),
    ];
    for files in [equal, mixed] {
        let (folder, outcome) = import_files(&files);
        assert!(matches!(outcome, Err(ImportError::DuplicateId { id, .. }) if id == "x"));
        assert!(!folder.path().join("c.coll").exists());
    }
}
