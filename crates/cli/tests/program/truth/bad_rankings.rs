//! Tests of `partita truth build` on invalid and unusual rankings: an error or a warning.

use crate::session::{Folder, Outcome, outcome_of};

fn build(name: &str, text: &str) -> Outcome {
    let folder = Folder::new();
    let file = folder.file(name, text);
    outcome_of(&["truth", "build", "--rankings", &file, "--format", "json"])
}

#[test]
fn invalid_rankings_are_refused_with_line_and_column() {
    let header = "query,assessor,item,rank\n";
    for (name, text, why) in [
        (
            "r.csv",
            format!("{header}q,ann,a,0\n"),
            "r.csv:2:9: a rank must be above 0, not 0",
        ),
        (
            "r.csv",
            format!("{header}q,ann,a,-3\n"),
            "r.csv:2:9: a rank must be above 0, not -3",
        ),
        (
            "r.csv",
            format!("{header}q,ann,a,x\n"),
            "r.csv:2:9: a rank must be a number, not `x`",
        ),
        (
            "r.csv",
            format!("{header}q,ann,a,1\nq,ann,a,2\n"),
            "r.csv:3:7: the assessor `ann` ranked `a`",
        ),
        (
            "m.csv",
            "assessor,a\nann,1\nann,1\n".to_owned(),
            "m.csv:3:5: the assessor `ann` ranked",
        ),
        ("r.csv", header.to_owned(), "no ranking after it"),
        ("r.csv", String::new(), "nothing in this file"),
        (
            "v.toc",
            "1: 1,1\n".to_owned(),
            "v.toc:1:6: the alternative 1 stands twice",
        ),
    ] {
        let said = build(name, &text);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{text}");
        assert!(said.err.contains(why), "{text}: {}", said.err);
    }
}

#[test]
fn unusual_rankings_are_read_with_a_warning() {
    for (text, what) in [
        ("a,b\n1,2\n", "one assessor only"),
        ("a\n1\n1\n", "one item only"),
        ("a,b\n1,1\n1,1\n", "all ranks are tied"),
        ("a,b,c\n1,2,\n2,1,\n", "nobody ranked c (not in the list)"),
        ("a,b,c\n1,2,3\n2,1,\n", "only one assessor ranked c"),
        (
            "assessor,a,b\nann,1,2\nbob,,\ncy,2,1\n",
            "nothing was ranked by bob",
        ),
        ("a,b,c\n1,2,2\n2,1,3\n1,2,3\n", "1 assessor tied items: 1"),
    ] {
        let said = build("q.csv", text);
        assert_eq!(said.code, 0, "{text}: {}", said.err);
        assert!(said.err.contains(what), "{text}: {}", said.err);
        assert!(said.out.contains("\"q\""), "{text}");
    }
}

#[test]
fn use_a4_ratings_and_turned_tables_are_refused_with_the_way_out() {
    let folder = Folder::with(
        "ratings.csv",
        "assessor,x,y,z\nann,40,80,15\nbob,55,90,10\n",
    )
    .and("turned.csv", "ann,bob\n1,2\n2,1\n3,3\n")
    .and(
        "typo.csv",
        "assessor,x,y,z\nann,1,2,3\nbob,2,1,33\ncy,1,3,2\n",
    );
    for command in ["build", "check", "study"] {
        folder.refuses(
            &format!("truth {command} --rankings ratings.csv"),
            &[
                "ratings.csv:2: query `ratings`: no row is a ranking of the items",
                "hint: are the values ratings?",
                "`--as-ranks`",
            ],
        );
        folder.refuses(
            &format!("truth {command} --rankings turned.csv"),
            &["hint: is the table turned?", "`--as-ranks`"],
        );
        let anyway = format!("truth {command} --rankings ratings.csv --as-ranks");
        folder.partita(&anyway).succeeds();
        let typo = format!("truth {command} --rankings typo.csv");
        let typo = folder.partita(&typo).succeeds();
        let named = "typo.csv:3: rows that are no ranking of their items: 1, by `bob`";
        assert!(typo.err.contains(named), "{}", typo.err);
    }
    folder.refuses(
        "truth build --preferences ratings.csv --as-ranks",
        &["--as-ranks cannot be used with preferences"],
    );
}

#[test]
fn warnings_of_one_kind_are_printed_once() {
    let mut text = "query,assessor,item,rank\n".to_owned();
    for query in 1..=20 {
        text.push_str(&format!("q{query},ann,a,1\nq{query},ann,b,2\n"));
    }
    let said = build("r.csv", &text);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    assert!(
        said.err.contains("likewise in 19 more queries"),
        "{}",
        said.err
    );
}

#[test]
fn invalid_levels_and_unknown_names_are_refused() {
    let folder = Folder::new();
    let file = folder.file("q.csv", "a,b\n1,2\n2,1\n");
    let rows = folder.file("r.csv", "query,assessor,item,rank\nq,ann,a,1\n");
    for arguments in [
        ["-r", &file, "--alpha", "0"],
        ["-r", &file, "--alpha", "1"],
        ["-r", &file, "--check-alpha", "-1"],
        ["-r", &file, "--aggregate", "most-3"],
        ["-r", &rows, "--query", "q9"],
        ["-r", "-", "-r", "-"],
    ] {
        let said = outcome_of(&[&["truth", "build"], &arguments[..]].concat());
        assert_eq!(said.code, 2, "{arguments:?}: {}", said.out);
    }
}

#[test]
fn a_list_that_a_format_cannot_represent_gets_a_usable_hint() {
    let folder = Folder::new();
    let rows = "query,assessor,item,rank\nq1,ann,a,1\nq2,ann,\"b, c\",1\n";
    let file = folder.file("r.csv", rows);
    for format in ["preflib", "notation"] {
        let build = ["truth", "build", "-r", &file, "--format"];
        let said = outcome_of(&[&build[..], &[format]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{format}");
        assert!(
            said.err.contains("hint: use `--format json`"),
            "{}",
            said.err
        );
        assert_eq!(outcome_of(&[&build[..], &["json"]].concat()).code, 0);
    }
}
