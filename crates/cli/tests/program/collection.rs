//! Tests of `partita collection`.

use crate::session::Folder;

const INCIPITS: &str = "a\t%G-2@3/4$xF '4FG8AB\nb\t%G+2 4'C\nc\t%C-1 2'C(8DEF)\n";

#[test]
fn incipits_are_imported_listed_shown_and_exported() {
    let folder = Folder::with("x.txt", INCIPITS);
    let reply = folder.json("collection import x.txt --into c.coll");
    assert_eq!((&reply["items"], &reply["added"]), (&2.into(), &2.into()));
    assert_eq!(reply["skipped"][0]["reason"], "mensural");
    assert_eq!(reply["skipped"][0]["line"], 2);
    let list = folder.output("collection list c.coll --format csv");
    let head = "item,kind,notes,beats,seconds,checksum,content,format,source\na,melody,4,3,1.5,";
    assert!(list.starts_with(head), "{list}");
    let reply = folder.json("collection show c.coll a");
    assert_eq!(reply["items"][0]["notes"][0]["name"], "F#4");
    assert_eq!(reply["items"][0]["notes"][3]["onset"], "5/2");
    for (to, output) in [
        ("midi", "midi"),
        ("kern", "kern"),
        ("pae", "back.pae"),
        ("notes", "notes.csv"),
    ] {
        folder.output(&format!(
            "collection export c.coll --to {to} --output {output}"
        ));
    }
    for back in ["midi", "kern", "back.pae"] {
        let again = folder.output(&format!(
            "collection import {back} --into c.coll --format csv"
        ));
        assert!(again.ends_with("c.coll,2,0,2,0,0\n"), "{back}: {again}");
    }
    let notes = folder.read("notes.csv");
    assert!(
        notes.starts_with("item,note,pitch,onset,duration,name\na,1,66,0,1,\"F#4\"\n"),
        "{notes}"
    );
}

#[test]
fn incipits_are_imported_from_standard_input() {
    let folder = Folder::new();
    let import = folder.partita("collection import - --into c.coll --format csv");
    let import = import.input(INCIPITS).succeeds();
    assert!(import.out.ends_with("c.coll,2,2,0,0,1\n"), "{}", import.out);
}

#[test]
fn errors_have_a_hint_and_write_nothing() {
    let folder = Folder::with("x.txt", INCIPITS);
    let folder = folder.and("y.txt", "%G+2 4'C\n").and("z.coll", "PARTITAC");
    let folder = folder.and("in/a/tune.krn", "**kern\n4c\n*-\n");
    let folder = folder.and("in/b/tune.krn", "**kern\n4d\n*-\n");
    folder.output("collection import x.txt --into c.coll");
    for (command, words) in [
        (
            "collection import nowhere --into d.coll",
            "nowhere: cannot be read",
        ),
        ("collection import in --into d.coll", "--id path"),
        ("collection list z.coll", "damaged"),
        ("collection list x.txt", "no collection"),
        ("collection show c.coll aa", "the nearest is a"),
        ("collection export c.coll --to midi", "--output"),
        (
            "collection export c.coll --to kern --carrier json --output k",
            "--to pae",
        ),
    ] {
        folder.refuses(command, &[words]);
    }
    // The JSON of a failed import still lists the items that could not be read.
    for (command, words) in [
        (
            "collection import y.txt --into d.coll",
            "nothing could be read",
        ),
        (
            "collection import x.txt --into d.coll --strict",
            "nothing was written",
        ),
    ] {
        let outcome = folder.run(&format!("{command} --format json"));
        assert_eq!(outcome.code, 2);
        outcome.says(&[words]);
        assert_eq!(outcome.json()["skipped"][0]["reason"], "mensural");
    }
    assert!(!folder.path("d.coll").exists());
}

#[test]
fn music_b8_standard_error_gives_file_and_reason_in_every_format() {
    let folder = Folder::with("bad.mid", "MThd").and("x.txt", INCIPITS);
    let folder = folder.and("in/a.pdf", "%PDF-1.4\n").and("in/b.mid", "MThd");
    let folder = folder
        .and("in/c.abc", "X:1\n")
        .and("in/d.krn", "**kern\n4c\n*-\n");
    for format in ["csv", "json", "table"] {
        let alone = folder.run(&format!(
            "collection import bad.mid --into c.coll --format {format}"
        ));
        assert_eq!(alone.code, 2);
        alone.says(&["bad.mid", "truncated", "nothing was written"]);
        let one = folder.run(&format!(
            "collection import x.txt --into {format}.coll --format {format}"
        ));
        assert_eq!(one.code, 0);
        one.says(&["x.txt:2: skipped (mensural): the clef"]);
        let several = folder.run(&format!(
            "collection import in --into s{format}.coll --format {format}"
        ));
        assert_eq!(several.code, 0);
        several.says(&[
            "in/a.pdf: 3 melodies or files are skipped (2 unsupported, 1 truncated)",
            "this is a PDF",
        ]);
    }
}

#[test]
fn music_a4_a_repeated_id_is_numbered_with_a_warning() {
    let folder = Folder::with("dup.txt", "a\t%G-2 4'C\na\t%G-2 4'D\na\t%G-2 4'C\n");
    let import = folder.run("collection import dup.txt --into c.coll --format json");
    assert_eq!(import.code, 0);
    import.says(&["numbered ~2, ~3 and so on: 1", "left out: 1"]);
    let reply = import.json();
    assert_eq!(reply["added"], 2);
    let warnings = reply["warnings"].as_array().unwrap();
    let codes: Vec<_> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["repeated-ids", "duplicate"]);
    assert!(
        folder
            .output("collection list c.coll --format csv")
            .contains("\na~2,melody,")
    );
}
