//! Tests of reading rankings in every format, and of the errors for invalid files.

use partita_core::AssessorRankings;
use partita_formats::rankings::{RankingsFormat, RankingsInput, RankingsReadOptions, read, write};
use partita_formats::{FormatError, Source};

fn read_files(files: &[(&str, &str)]) -> Result<RankingsInput, FormatError> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(name, text)| Source::from_bytes(*name, *text))
        .collect();
    read(&sources, &RankingsReadOptions::default())
}

fn read_file(name: &str, text: &str) -> RankingsInput {
    read_files(&[(name, text)]).expect("the file is valid")
}

fn error_text(name: &str, text: &str) -> String {
    read_files(&[(name, text)])
        .expect_err("the file is invalid")
        .to_string()
}

fn rank(rankings: &AssessorRankings, assessor: &str, item: &str) -> Option<f64> {
    let assessor = rankings
        .assessors()
        .get(assessor)
        .expect("the file names the assessor");
    let item = rankings.items().get(item).expect("the file names the item");
    rankings.rank(assessor.index(), item)
}

#[test]
fn rows_are_read_with_any_column_order_and_empty_ranks() {
    let text = "rank,item,query,assessor\n1,a,q1,ann\n2.5,b,q1,ann\n2.5,d,q1,ann\n,c,q1,ann\n1,\"x, y\",q2,bob\n";
    let read = read_file("r.csv", text);
    assert!(read.warnings.is_empty());
    let names: Vec<&str> = read.queries.iter().map(|q| q.name.as_str()).collect();
    assert_eq!(names, ["q1", "q2"]);
    let q1 = &read.queries[0].rankings;
    assert_eq!(rank(q1, "ann", "a"), Some(1.0));
    assert_eq!(rank(q1, "ann", "b"), Some(2.5));
    assert_eq!(rank(q1, "ann", "c"), None);
    assert_eq!(rank(&read.queries[1].rankings, "bob", "x, y"), Some(1.0));
}

#[test]
fn tab_separated_rows_are_read() {
    let read = read_file("r.tsv", "query\tassessor\titem\trank\nq, 1\tann\ta\t1\n");
    assert_eq!(read.queries[0].name, "q, 1");
}

#[test]
fn warning_names_columns_that_are_not_read() {
    let read = read_file("r.csv", "query,assessor,item,rank,mood\nq,ann,a,1,good\n");
    assert_eq!(
        read.warnings[0].to_string(),
        "r.csv:1: columns that are not read: mood"
    );
}

#[test]
fn invalid_ranks_are_refused_with_line_and_column() {
    for (rank, message) in [
        ("0", "a rank must be above 0, not 0"),
        ("-3", "a rank must be above 0, not -3"),
        ("x", "a rank must be a number, not `x`"),
        ("inf", "a rank must be a finite number, not inf"),
    ] {
        let rows = format!("query,assessor,item,rank\nq,ann,a,1\nq,ann,b,{rank}\n");
        assert_eq!(error_text("r.csv", &rows), format!("r.csv:3:9: {message}"));
        let matrix = format!("assessor,a,b\nann,1,2\nbob,{rank},1\n");
        assert_eq!(
            error_text("m.csv", &matrix),
            format!("m.csv:3:5: {message}")
        );
    }
}

#[test]
fn second_rank_of_an_item_by_the_same_assessor_is_refused() {
    let rows = "query,assessor,item,rank\nq,ann,a,1\nq,bob,a,1\nq,ann,a,2\n";
    assert_eq!(
        error_text("r.csv", rows),
        "r.csv:4:7: the assessor `ann` ranked `a` of query `q` already, on line 2"
    );
    let matrix = "assessor,a,b\nann,1,2\nann,2,1\n";
    assert!(error_text("m.csv", matrix).contains("already, on line 2"));
    let twice = read_files(&[("q.soc", "1: 1,2\n"), ("other/q.soc", "1: 2,1\n")]);
    let error = twice.expect_err("the file is invalid");
    assert!(error.message.ends_with("on line 1 of q.soc"), "{error}");
    assert!(error.remedy.is_some());
}

#[test]
fn files_without_rankings_are_refused() {
    assert!(error_text("r.csv", "").contains("nothing in this file"));
    assert!(error_text("r.csv", "query,assessor,item,rank\n").contains("no ranking after it"));
    assert!(error_text("m.csv", "assessor,a,b\n").contains("no ranking after it"));
    assert!(error_text("v.soc", "# NUMBER ALTERNATIVES: 2\n").contains("no vote after it"));
    // The only vote is empty, and no header states a number of alternatives.
    assert!(error_text("v.soi", "1:\n").contains("no alternative"));
}

#[test]
fn header_without_a_required_column_is_refused() {
    let message = error_text("r.csv", "item,rank\na,1\n");
    assert_eq!(
        message,
        "r.csv:1:1: the header names no column query, assessor"
    );
    for (header, missing) in [
        ("query,assessor,item", "rank"),
        ("query,assessor,rank", "item"),
        ("assessor,item,rank", "query"),
    ] {
        let message = error_text("r.csv", &format!("{header}\nx,y,1\n"));
        assert!(
            message.ends_with(&format!("names no column {missing}")),
            "{message}"
        );
    }
}

#[test]
fn semicolons_blanks_and_decimal_commas_are_read() {
    let rows = read_file(
        "r.csv",
        "query;assessor;item;rank\nq;ann;x;1,5\nq;ann;\"y;\nz\";1,5\n",
    );
    let rankings = &rows.queries[0].rankings;
    assert_eq!(rank(rankings, "ann", "x"), Some(1.5));
    assert_eq!(rank(rankings, "ann", "y;\nz"), Some(1.5));
    let matrix = read_file("m.csv", "a b c\n1 2 3\n");
    assert_eq!(rank(&matrix.queries[0].rankings, "1", "c"), Some(3.0));
}

#[test]
fn wrong_column_counts_and_empty_or_repeated_names_are_refused() {
    let short = "query,assessor,item,rank\nq,ann,a\n";
    assert_eq!(
        error_text("r.csv", short),
        "r.csv:2:1: expected 4 columns as in the header, found 3"
    );
    assert!(
        error_text("r.csv", "query,assessor,item,rank\nq,,a,1\n").contains("assessor has no name")
    );
    assert!(error_text("m.csv", "a,b\n1,2\n1,2,3\n").contains("m.csv:3:1: expected 2 columns"));
    assert!(error_text("m.csv", "a,,c\n1,2,3\n").contains("column 2 has no name"));
    assert!(error_text("m.csv", "a,b,a\n1,2,3\n").contains("`a` twice"));
}

#[test]
fn assessors_of_a_matrix_are_named_by_its_first_column_or_numbered() {
    let named = read_file("dir/songs.csv", "Assessor,a,b\nann,1,2\nbob,,1\n");
    let songs = &named.queries[0];
    assert_eq!(
        (songs.name.as_str(), songs.file.as_str()),
        ("songs", "dir/songs.csv")
    );
    assert_eq!(rank(&songs.rankings, "bob", "a"), None);
    assert_eq!(rank(&songs.rankings, "bob", "b"), Some(1.0));
    let numbered = read_file("songs.csv", "a,b\n1,2\n2,1\n");
    assert_eq!(rank(&numbered.queries[0].rankings, "2", "a"), Some(2.0));
    let options = RankingsReadOptions {
        query: Some("q7".to_owned()),
        ..RankingsReadOptions::default()
    };
    let source = Source::from_bytes("songs.csv", "a,b\n1,2\n");
    let named = read(&[source], &options).expect("the file is valid");
    assert_eq!(named.queries[0].name, "q7");
}

fn read_as_ranks(text: &str) -> RankingsInput {
    let options = RankingsReadOptions {
        as_ranks: true,
        ..RankingsReadOptions::default()
    };
    read(&[Source::from_bytes("m.csv", text)], &options).expect("the file is valid")
}

#[test]
fn use_a4_ratings_are_refused_unless_they_are_taken_for_ranks() {
    let matrix = "assessor,oak,elm,ash\nann,70,20,95\nbob,64.5,30,88\n";
    let rows = "query,assessor,item,rank\nq,ann,oak,7\nq,ann,elm,3\nq,bob,oak,6\nq,bob,elm,9\n";
    for (text, message) in [
        (
            matrix,
            "m.csv:2: query `m`: no row is a ranking of the items; in the row of `ann`, 95 is \
             above the number of items",
        ),
        (
            rows,
            "m.csv:2: query `q`: no row is a ranking of the items; in the row of `ann`, 7 is \
             above the number of items",
        ),
    ] {
        let error = read_files(&[("m.csv", text)]).expect_err("ratings are refused");
        assert_eq!(error.to_string(), message);
        let remedy = error.remedy.expect("a remedy").to_string();
        assert!(remedy.contains("are the values ratings?"), "{remedy}");
        assert!(remedy.contains("`as_ranks`"), "{remedy}");
        let anyway = read_as_ranks(text);
        let warning = anyway.warnings[0].to_string();
        assert!(
            warning.contains("no ranking of their items: 2"),
            "{warning}"
        );
    }
    let elm = rank(&read_as_ranks(matrix).queries[0].rankings, "bob", "elm");
    assert_eq!(elm, Some(30.0));
}

#[test]
fn use_a4_a_row_that_is_no_ranking_is_named_with_the_reason() {
    for (row, reason) in [
        ("1,2,44,3", "44 is above the number of items"),
        ("2,3,4,2", "nothing is first, and the best rank is 2"),
        ("1,2,4,4", "no tie explains 4 after 2"),
        ("0.5,1,2,3", "0.5 is below 1"),
        ("1,4,,", "no tie explains 4 after 1"),
    ] {
        let text = format!("assessor,a,b,c,d\nann,1,2,3,4\nbob,{row}\ncy,4,3,1,2\n");
        let read = read_file("m.csv", &text);
        assert_eq!(
            read.warnings[0].to_string(),
            format!(
                "m.csv:3: rows that are no ranking of their items: 1, by `bob` of query `m` ({reason})"
            )
        );
    }
}

#[test]
fn use_a4_ties_and_unranked_items_leave_a_ranking() {
    for row in [
        "1,2,3,4",
        "2.5,1,2.5,4",
        "1,1,3,4",
        "1,1,2,3",
        "2.5,2.5,2.5,2.5",
        ",1,2,",
        ",,,",
        "3,1,2,3",
        "3,1,1,",
    ] {
        let text = format!("assessor,a,b,c,d\nann,4,2,3,1\nbob,{row}\n");
        assert!(read_file("m.csv", &text).warnings.is_empty(), "{row}");
    }
}

#[test]
fn use_a4_a_turned_table_is_refused() {
    // Each column holds the ranking of five items by one of three assessors.
    let turned = "eve,fay,gus\n1,2,1\n2,1,3\n3,4,2\n4,3,5\n5,5,4\n";
    let error = read_files(&[("m.csv", turned)]).expect_err("the table is turned");
    assert!(
        error
            .message
            .contains("the columns are rankings and the rows are not"),
        "{error}"
    );
    let remedy = error.remedy.expect("a remedy").to_string();
    assert!(remedy.contains("is the table turned?"), "{remedy}");
    assert_eq!(read_as_ranks(turned).queries[0].rankings.items().len(), 3);
    // With few items and many assessors, columns hold all ranks without being rankings.
    let typo = "a,b,c\n1,2,3\n2,1,3\n3,1,2\n1,3,2\n2,3,1\n1,2,22\n3,2,1\n";
    assert_eq!(read_file("m.csv", typo).warnings.len(), 1);
    // A Latin square is a ranking in both directions.
    let square = read_file("m.csv", "a,b,c\n1,2,3\n2,3,1\n3,1,2\n");
    assert!(square.warnings.is_empty());
}

const TOC_HEADER: &str = "# FILE NAME: v.toc\n# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 3\n\
    # ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bob\n# ALTERNATIVE NAME 3: Cy\n\
    # ALTERNATIVE NAME 4: Di\n";

#[test]
fn preflib_voters_become_assessors_and_ties_get_midranks() {
    let read = read_file(
        "v.toc",
        &format!("{TOC_HEADER}2: 1,{{2,3}},4\n1: {{4,3,2}},1\n"),
    );
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    let v = &read.queries[0].rankings;
    assert_eq!(
        (read.queries[0].name.as_str(), v.assessors().len()),
        ("v", 3)
    );
    for assessor in ["1", "2"] {
        let ranks = ["Ann", "Bob", "Cy", "Di"].map(|item| rank(v, assessor, item));
        assert_eq!(ranks, [Some(1.0), Some(2.5), Some(2.5), Some(4.0)]);
    }
    assert_eq!(rank(v, "3", "Bob"), Some(2.0));
    assert_eq!(rank(v, "3", "Ann"), Some(4.0));
}

#[test]
fn alternatives_missing_from_a_vote_are_unranked() {
    let header = TOC_HEADER.replace(".toc", ".soi");
    let read = read_file("v.soi", &format!("{header}2: 3,1\n1: 2\n"));
    assert!(read.warnings.is_empty());
    let v = &read.queries[0].rankings;
    assert_eq!(rank(v, "1", "Cy"), Some(1.0));
    assert_eq!(rank(v, "1", "Bob"), None);
    // Di is an item, because the header names it, although nobody ranked it.
    assert_eq!(v.items().len(), 4);
    let promised = read_file("v.soc", &format!("{header}3: 3,1\n"));
    let warning = promised.warnings[0].to_string();
    assert!(warning.contains("promises complete orders"), "{warning}");
}

#[test]
fn repeated_alternative_names_are_replaced_by_numbers_with_a_warning() {
    let header = TOC_HEADER.replace("Bob", "Ann");
    let read = read_file("v.toc", &format!("{header}3: 1,2,3,4\n"));
    assert_eq!(rank(&read.queries[0].rankings, "3", "2"), Some(2.0));
    assert!(read.warnings[0].message.contains("not unique"));
}

#[test]
fn name_equal_to_the_number_of_an_unnamed_alternative_is_replaced() {
    let header = "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: 2\n# ALTERNATIVE NAME 3: Cy\n";
    let read = read_file("v.soc", &format!("{header}1: 1,2,3\n"));
    let v = &read.queries[0].rankings;
    let ranks = ["1", "2", "3"].map(|item| rank(v, "1", item));
    assert_eq!(ranks, [Some(1.0), Some(2.0), Some(3.0)]);
    assert!(read.warnings[0].message.contains("not unique"));
    // A number greater than the number of alternatives is a valid name.
    let years = header.replace(": 2\n", ": 1999\n");
    let read = read_file("v.soc", &format!("{years}1: 1,2,3\n"));
    assert_eq!(rank(&read.queries[0].rankings, "1", "1999"), Some(1.0));
}

#[test]
fn query_with_too_many_pairs_of_assessor_and_item_is_refused() {
    let votes = "# NUMBER ALTERNATIVES: 1000000\n21: 1,2\n";
    assert_eq!(
        error_text("v.soi", votes),
        "v.soi: 21 assessors and 1000000 items of one query: there is room for 20000000 ranks, \
         given or not"
    );
    // Every assessor ranks a different item, so 4,473 rows need a matrix of over 20 million ranks.
    let mut rows = "query,assessor,item,rank\n".to_owned();
    rows.extend((0..4500).map(|n| format!("q,a{n},i{n},1\n")));
    let message = error_text("r.csv", &rows);
    assert!(
        message.starts_with("r.csv:4474:9: 4473 assessors"),
        "{message}"
    );
}

#[test]
fn invalid_preflib_votes_are_refused_with_line_and_column() {
    for (vote, message) in [
        (
            "1: 1,x,3",
            "v.toc:8:6: expected the number of an alternative, not `x`",
        ),
        (
            "1: 1,2,1",
            "v.toc:8:8: the alternative 1 stands twice in one vote",
        ),
        ("1: 1,{2,3", "v.toc:8:6: a brace that is never closed"),
        ("1: 1,9", "v.toc:8:6: the header knows no alternative 9"),
        (
            "0: 1,2",
            "v.toc:8:1: expected how many people cast this vote, not `0`",
        ),
        ("1,2,3", "v.toc:8:1: expected a vote such as `1: 1,{2,3},4`"),
    ] {
        assert_eq!(
            error_text("v.toc", &format!("{TOC_HEADER}{vote}\n")),
            message
        );
    }
    let read = read_file("v.toc", &format!("{TOC_HEADER}2: 1,2,3,4\n"));
    assert!(read.warnings[0].message.contains("3 voters, but 2 votes"));
}

#[test]
fn several_files_make_several_queries() {
    let read = read_files(&[
        ("x.soc", "1: 1,2\n1: 2,1\n"),
        ("m.csv", "a,b\n1,2\n"),
        ("r.csv", "query,assessor,item,rank\nq1,ann,a,1\nx,ann,3,1\n"),
    ]);
    let read = read.expect("the file is valid");
    let names: Vec<&str> = read.queries.iter().map(|q| q.name.as_str()).collect();
    assert_eq!(names, ["x", "m", "q1"]);
    assert_eq!(read.queries[0].rankings.assessors().len(), 3);
}

#[test]
fn requested_format_overrides_detection() {
    let options = RankingsReadOptions {
        format: Some(RankingsFormat::Matrix),
        ..RankingsReadOptions::default()
    };
    let source = Source::from_bytes("odd.soc", "item,rank\n1,2\n");
    let odd = read(&[source], &options).expect("the file is valid");
    assert_eq!(rank(&odd.queries[0].rankings, "1", "rank"), Some(2.0));
}

#[test]
fn use_b7_people_and_items_are_found_under_the_headings_that_people_use() {
    for heading in [
        "Expert",
        "PARTICIPANT",
        "rater",
        "subject",
        "person",
        "judge",
        "worker",
        "Annotator",
        "user",
    ] {
        let matrix = read_file("m.csv", &format!("{heading},fir,yew\nP7,2,1\nP9,1,2\n"));
        let rankings = &matrix.queries[0].rankings;
        assert_eq!(rank(rankings, "P9", "fir"), Some(1.0), "{heading}");
        assert_eq!(rankings.items().len(), 2, "{heading}");
        for item in ["image", "Stimulus", "document"] {
            let rows = format!("topic,{heading},{item},rank\nt,P7,fir,2\nt,P7,yew,1\n");
            let read = read_file("r.csv", &rows);
            assert_eq!(rank(&read.queries[0].rankings, "P7", "fir"), Some(2.0));
        }
    }
    // Numbers can name people too.
    let numbered = read_file("m.csv", "participant,fir,yew\n31,2,1\n32,1,2\n");
    assert_eq!(rank(&numbered.queries[0].rankings, "32", "yew"), Some(2.0));
}

#[test]
fn use_b7_an_unknown_first_heading_is_named() {
    let unknown = read_files(&[("m.csv", "evaluator,fir,yew\nP7,2,1\nP9,1,2\n")]);
    let error = unknown.expect_err("the heading is unknown");
    assert_eq!(
        error.to_string(),
        "m.csv:2:1: the first column is called `evaluator`, which is no name for assessors, and \
         `P7` is no rank"
    );
    let remedy = error.remedy.expect("a remedy").to_string();
    assert!(
        remedy.contains("assessor") && remedy.contains("participant"),
        "{remedy}"
    );
    let turned = read_files(&[("m.csv", "image,P7,P9\nfir,2,1\nyew,1,2\n")]);
    let error = turned.expect_err("the table is turned");
    assert!(
        error
            .to_string()
            .contains("the first column, `image`, names an item in each row (`fir`)"),
        "{error}"
    );
    assert!(
        error
            .remedy
            .expect("a remedy")
            .to_string()
            .contains("turned")
    );
}

#[test]
fn use_b7_a_named_query_replaces_the_column_of_queries() {
    let rows = "participant,stimulus,rank\nP7,fir,2\nP7,yew,1\n";
    let error = read_files(&[("r.csv", rows)]).expect_err("no query is named");
    assert!(
        error.to_string().contains("names no column query"),
        "{error}"
    );
    let remedy = error.remedy.expect("a remedy").to_string();
    assert!(remedy.contains("`query = NAME`"), "{remedy}");
    let options = RankingsReadOptions {
        query: Some("trees".to_owned()),
        ..RankingsReadOptions::default()
    };
    let read = read(&[Source::from_bytes("r.csv", rows)], &options).expect("one list");
    assert_eq!(read.queries[0].name, "trees");
    assert_eq!(rank(&read.queries[0].rankings, "P7", "fir"), Some(2.0));
    assert!(read.warnings.is_empty());
}

#[test]
fn use_b7_rows_with_the_items_in_order_are_read() {
    for text in [
        "P7,yew,fir,oak\nP9,oak,yew,fir\n",
        "participant,1st,2nd,3rd\nP7,yew,fir,oak\nP9,oak,yew,fir\n",
        "who,best,middle,worst\nP7,yew,fir,oak\nP9,oak,yew,fir\n",
        "assessor;fir;oak;yew\nP7;yew;fir;oak\nP9;oak;yew;fir\n",
    ] {
        let read = read_file("trees.csv", text);
        assert!(read.warnings.is_empty(), "{text}");
        let trees = &read.queries[0];
        assert_eq!(trees.name, "trees");
        assert_eq!(trees.rankings.assessors().len(), 2, "{text}");
        assert_eq!(rank(&trees.rankings, "P7", "oak"), Some(3.0), "{text}");
        assert_eq!(rank(&trees.rankings, "P9", "yew"), Some(2.0), "{text}");
    }
    let unnamed = read_file("trees.csv", "yew,fir,oak\noak,yew,fir\nfir,yew,oak\n");
    assert_eq!(rank(&unnamed.queries[0].rankings, "2", "oak"), Some(1.0));
    assert_eq!(unnamed.queries[0].rankings.assessors().len(), 3);
}

#[test]
fn use_b7_orders_of_different_items_are_refused_with_the_expected_form() {
    for (text, message) in [
        (
            "assessor,1,2,3\nP7,yew,fir,oak\nP9,oak,elm,fir\n",
            "t.csv:3:1: every row must hold the same items, and line 2 does not hold `elm`",
        ),
        (
            "assessor,1,2,3\nP7,yew,fir,oak\nP9,oak,fir\n",
            "t.csv:3:1: every row must hold the same items, and this one lacks `yew` of line 2",
        ),
        (
            "assessor,1,2,3\nP7,yew,fir,oak\nP9,oak,fir,fir\n",
            "t.csv:3:1: every row must hold the same items, and this one lacks `yew` of line 2",
        ),
        (
            "assessor,1,2,3\nP7,yew,yew,oak\nP9,oak,yew,yew\n",
            "t.csv:2:1: an order holds every item once, and no empty field",
        ),
        (
            "P7,yew,fir,oak\n1st,2nd,3rd,4th\n",
            "t.csv:1: a single row of names is no ranking, unless the header calls its first column \
             `assessor`",
        ),
    ] {
        let error = read_files(&[("t.csv", text)]).expect_err("the file is invalid");
        assert_eq!(error.to_string(), message);
        let remedy = error.remedy.expect("a remedy").to_string();
        assert!(remedy.contains("`ann,x,z,y`"), "{remedy}");
    }
}

#[test]
fn orders_are_written_and_read_again() {
    let text = "assessor,1,2,3\nP7,yew,fir,oak\nP9,oak,yew,fir\n";
    let read = read_file("trees.csv", text);
    let written = write(&read.queries, RankingsFormat::Orders).expect("orders");
    assert_eq!(written, text);
    let tied = read_file("m.csv", "assessor,a,b\nann,1,1\nbob,1,2\n");
    let error = write(&tied.queries, RankingsFormat::Orders).expect_err("a tie");
    assert!(
        error.to_string().contains("the ranking by `ann`"),
        "{error}"
    );
}

proptest::proptest! {
    #[test]
    fn randomly_edited_files_never_cause_a_panic(
        file_index in 0usize..3,
        edits in proptest::collection::vec((proptest::num::usize::ANY, ".{0,3}"), 1..6),
    ) {
        let toc = format!("{TOC_HEADER}2: 1,{{2,3}},4\n1: {{4,3,2}},1\n");
        let (name, text) = [
            ("r.csv", "query,assessor,item,rank\nq,ann,a,1\nq,\"b\",b,2.5\nq,ann,c,\n"),
            ("m.csv", "assessor,a,b\nann,1,2\nbob,,1\n"),
            ("v.toc", toc.as_str()),
        ][file_index];
        let mut text: Vec<char> = text.chars().collect();
        for (number, insertion) in edits {
            let start = number % (text.len() + 1);
            let end = (start + insertion.chars().count() % 2).min(text.len());
            text.splice(start..end, insertion.chars());
        }
        let text: String = text.into_iter().collect();
        if let Err(error) = read_files(&[(name, &text)]) {
            proptest::prop_assert!(!error.message.is_empty());
        }
    }
}
