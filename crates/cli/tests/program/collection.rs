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
    folder.output("collection import x.txt --into c.coll");
    for (command, words) in [
        (
            "collection import nowhere --into d.coll",
            "nowhere: cannot be read",
        ),
        ("collection import x.txt x.txt --into d.coll", "--id path"),
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
