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

#[test]
fn use_a3_agreement_by_chance_is_a_warning_and_the_list_is_still_written() {
    // Each person starts a cycle of five items at another place, so every item has the same mean.
    let chance = "assessor,a,b,c,d,e\np1,1,2,3,4,5\np2,5,1,2,3,4\np3,4,5,1,2,3\n\
                  p4,3,4,5,1,2\np5,2,3,4,5,1\n";
    let agreed = "assessor,a,b,c,d,e\np1,1,2,3,4,5\np2,1,2,3,5,4\np3,2,1,3,4,5\n\
                  p4,1,3,2,4,5\np5,1,2,4,3,5\n";
    let folder = Folder::with("chance.csv", chance).and("agreed.csv", agreed);
    let warning = "chance.csv: these people do not agree more than by chance (Kendall's W): query \
                   `chance` (W = 0.000, p = 1.0000)";
    for command in ["build", "check"] {
        let said = folder
            .partita(&format!("truth {command} chance.csv --format table"))
            .succeeds();
        let unwrapped = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(unwrapped.contains(warning), "{}", said.err);
        assert!(
            said.out.contains("1.0000") && said.out.contains(" W "),
            "{}",
            said.out
        );
        let said = folder
            .partita(&format!("truth {command} agreed.csv --format table"))
            .succeeds();
        assert!(!said.err.contains("by chance"), "{}", said.err);
        assert!(said.out.contains("0.0"), "{}", said.out);
    }
    let details = folder.output("truth build chance.csv --details --format json");
    let found: serde_json::Value = serde_json::from_str(&details).expect("JSON");
    assert_eq!(found["kendall_w"]["chance"]["common"]["p"], 1.0);
    assert!(found["warnings"].to_string().contains("by chance"));
    let csv = folder.output("truth check agreed.csv --format csv");
    assert!(
        csv.starts_with("query,items,groups,assessors,w,w_p,w_unranked_last,"),
        "{csv}"
    );
}

#[test]
fn odd_files_are_refused_with_their_place_or_read_to_the_end() {
    let folder = Folder::with("row.csv", "a,b,c\n2,1,3\n")
        .and("people.csv", "rater,a,b\nR1,1,2\nR2,2,1\n")
        .and(
            "queries.csv",
            "list,rater,image,rank\nq,R1,a,1\nq,R1,b,2\nr,R1,a,2\nr,R1,b,1\nq,R2,a,1\nq,R2,b,2\n\
             r,R2,b,1\nr,R2,a,2\n",
        );
    let bad: [(&str, &[u8], &str); 6] = [
        ("empty.csv", b"", "empty.csv: there is nothing in this file"),
        (
            "column.csv",
            b"a\n2\n1\n3\n",
            "column.csv:2: query `column`: the columns are rankings",
        ),
        (
            "nul.csv",
            b"rater,a\0,b\nR1,1,2\n",
            "nul.csv:1:8: binary data: a NUL byte",
        ),
        (
            "huge.csv",
            b"rater,a,b\nR1,1e308,1\n",
            "huge.csv:2:4: a rank must be between",
        ),
        (
            "nan.csv",
            b"rater,a,b\nR1,2,NaN\n",
            "nan.csv:2:6: a rank must be a finite number",
        ),
        (
            "zero.csv",
            b"rater,a,b\nR1,2,0\n",
            "zero.csv:2:6: a rank must be above 0, not 0",
        ),
    ];
    for command in ["build", "check --bootstrap 20", "study"] {
        for (name, bytes, message) in bad {
            folder.file(name, bytes);
            let said = folder.run(&format!("truth {command} --rankings {name}"));
            assert_eq!((said.code, said.out.as_str()), (2, ""), "{command} {name}");
            assert!(
                said.err.starts_with(&format!("error: {message}")),
                "{}",
                said.err
            );
        }
        for name in ["row.csv", "people.csv", "queries.csv"] {
            let said = folder.run(&format!("truth {command} --rankings {name} --format json"));
            assert_eq!(said.code, 0, "{command} {name}: {}", said.err);
            said.json();
        }
    }
    let lone = folder.file("lone.json", r#"{"r": [["\ud800"], ["b"]]}"#);
    let check = format!("truth check --rankings queries.csv --truth {lone}");
    folder.refuses(&check, &["lone.json:1:"]);
}
