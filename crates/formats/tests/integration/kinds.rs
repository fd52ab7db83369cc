//! Tests of detecting the kind of a file, and of the errors for a file of another kind than
//! expected.

use partita_formats::{
    DataKind, DiagnosticCode, EvidenceKind, FileKind, FormatError, Source, preferences, rankings,
    run, scores, truth,
};

const RUN: &str = "q1 Q0 a 1 2.5 bm25\nq1 Q0 b 2 1.5 bm25\n";
const SYSTEMS: &str = "system,query,item\ns1,q1,a\ns1,q1,b\n";
const QRELS: &str = "q1 0 a 1\nq1 0 b 0\n";
const TRUTH: &str = "query,item,group\nq1,a,1\nq1,b,2\n";
const RANKINGS: &str = "query,assessor,item,rank\nq1,ann,a,1\nq1,ann,b,2\n";
const PREFERENCES: &str = "query,a,b,assessor,answer\nq1,a,b,ann,a\n";
const SCORES: &str = "run,query,measure,value\ns1,q1,AP,0.5\ns2,q1,AP,0.25\n";
const TURK: &str = "HITId,WorkerId,Input.query,Input.docA,Input.docB,Answer.radio\n1,7,q1,a,b,s\n";
const LOG: &str = r#"{"seq":1,"at":"2026-03-01T10:00:00.000Z","author":"ann","event":"opened","version":1,"settings":{}}
"#;

#[test]
fn kind_of_a_file_is_detected_from_its_first_lines() {
    let kinds = [
        (RUN, FileKind::Run),
        ("q1\tQ0\tAnna B\t1\t2.5\tt\n", FileKind::Run),
        ("q1;Q0;a;1;2,5;t\n", FileKind::Run),
        (SYSTEMS, FileKind::Systems),
        ("qid,docno,score\nq1,a,0.5\n", FileKind::Systems),
        (QRELS, FileKind::Qrels),
        (TRUTH, FileKind::Truth),
        ("q1: (a, b), (c)\n", FileKind::Truth),
        (RANKINGS, FileKind::Rankings),
        ("# FILE NAME: a.toc\n1: 1,2\n", FileKind::Preflib),
        (PREFERENCES, FileKind::Preferences),
        ("left,right,winner\nx,y,left\n", FileKind::Preferences),
        ("q1 x y x\nq1 y z y\n", FileKind::Preferences),
        (TURK, FileKind::Turk),
        (SCORES, FileKind::Scores),
        (LOG, FileKind::Log),
        ("\u{feff}{\"q1\": {\"a\": 1}}", FileKind::Json),
    ];
    for (text, kind) in kinds {
        assert_eq!(
            FileKind::detect_bytes(text.as_bytes()),
            Some(kind),
            "{text}"
        );
    }
    for text in [
        "",
        "a b c\n",
        "query,bm25,dfr\nq1,0.1,0.2\n",
        "assessor,a,b\nann,1,2\n",
    ] {
        assert_eq!(FileKind::detect_bytes(text.as_bytes()), None, "{text}");
    }
}

/// Returns the message and the remedy of an error for a file of another kind than expected.
fn mismatch_text(error: FormatError) -> String {
    assert_eq!(error.code, DiagnosticCode::OtherFormat, "{error}");
    format!("{}; {}", error.message, error.remedy.unwrap())
}

#[test]
fn error_for_another_kind_of_file_names_the_detected_kind() {
    let as_truth = |text: &str| {
        mismatch_text(truth::read(&Source::from_bytes("t", text), &Default::default()).unwrap_err())
    };
    let as_run = |text: &str| {
        mismatch_text(run::read(&Source::from_bytes("t", text), &Default::default()).unwrap_err())
    };
    let as_scores = |text: &str| {
        mismatch_text(
            scores::read(&Source::from_bytes("t", text), &Default::default()).unwrap_err(),
        )
    };
    let as_rankings = |text: &str| {
        mismatch_text(
            rankings::read(&[Source::from_bytes("t", text)], &Default::default()).unwrap_err(),
        )
    };
    let as_preferences = |text: &str| {
        mismatch_text(
            preferences::read(&Source::from_bytes("t", text), &Default::default()).unwrap_err(),
        )
    };
    assert_eq!(
        as_truth(RUN),
        "this looks like a run (query Q0 item rank score tag), not like a ground truth; are the \
         arguments swapped?"
    );
    assert_eq!(
        as_run(QRELS),
        "this looks like qrels (query 0 item grade), not like a run; are the arguments swapped?"
    );
    for (found, words) in [
        (as_truth(SYSTEMS), "looks like a run (system,query,item)"),
        (
            as_run(TRUTH),
            "looks like a ground truth (query,item,group)",
        ),
        (
            as_run(SCORES),
            "looks like scores (system,query,measure,value)",
        ),
        (
            as_truth(RANKINGS),
            "looks like rankings (query,assessor,item,rank)",
        ),
        (
            as_scores(RUN),
            "`evaluation = csv` gives the scores of runs",
        ),
        (
            as_scores(PREFERENCES),
            "looks like preferences (query,a,b,assessor,answer)",
        ),
        (as_rankings(PREFERENCES), "give it with `preferences`"),
        (as_rankings(TURK), "say `map = mturk`"),
        (as_preferences(TURK), "say `map = mturk`"),
        (as_preferences(RANKINGS), "give it with `rankings`"),
        (
            as_preferences(LOG),
            "the log of a campaign, not like preferences; are the arguments swapped? The log comes first, then the answers",
        ),
    ] {
        assert!(found.contains(words), "no `{words}` in {found}");
    }
}

#[test]
fn syntax_error_in_a_file_of_the_expected_kind_is_kept() {
    let wrong = |text: &str| {
        let error = run::read(&Source::from_bytes("t", text), &Default::default()).unwrap_err();
        (error.code, error.line)
    };
    assert_eq!(
        wrong("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 x t\n"),
        (DiagnosticCode::NotANumber, Some(2))
    );
    assert_eq!(
        wrong("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1\n"),
        (DiagnosticCode::ColumnCount, Some(2))
    );
}

#[test]
fn error_for_pdf_zip_html_and_utf16_names_the_file_type() {
    for (bytes, what) in [
        (b"%PDF-1.7\n".as_slice(), "a PDF document"),
        (b"PK\x03\x04....", "a zip archive"),
        (b"<!DOCTYPE html>\n", "an HTML page"),
        (b"\xff\xfeq\0", "UTF-16 text"),
    ] {
        let error = truth::read(&Source::from_bytes("t", bytes), &Default::default()).unwrap_err();
        assert!(error.message.contains(what), "{error}");
    }
}

#[test]
fn error_for_an_inconvertible_table_names_its_kind_and_command() {
    for (text, kind, command) in [
        ("query,item\nq1,a\n", "candidates", "campaign init"),
        (
            "query,item,prior,content\nq1,a,1,7f\n",
            "candidates",
            "campaign init",
        ),
        (
            "query,assessor,item,fine\nq1,ann,a,50\n",
            "grades",
            "campaign add",
        ),
        ("query,stratum\nq1,jazz\n", "strata", "as strata"),
        (LOG, "the log of a campaign", "campaign export"),
    ] {
        let error =
            mismatch_text(DataKind::possible_kinds(&Source::from_bytes("t", text)).unwrap_err());
        assert!(
            error.contains(kind) && error.contains(command),
            "{text}: {error}"
        );
    }
    let matrix = Source::from_bytes("t", "query,stratum,a\nq1,jazz,0.5\n");
    assert_eq!(
        DataKind::possible_kinds(&matrix),
        Ok(vec![DataKind::Scores])
    );
}

#[test]
fn judgments_are_recognised_by_their_header_or_their_numbers() {
    let kinds = [
        (RANKINGS, EvidenceKind::Rankings),
        ("item,rank,assessor\na,1,ann\n", EvidenceKind::Rankings),
        ("assessor,a,b\nann,1,2\n", EvidenceKind::Rankings),
        ("x;y;z\n1;2,5;2,5\n3;1;\n", EvidenceKind::Rankings),
        ("rater,a,b\nR1,1,2\n", EvidenceKind::Rankings),
        ("evaluator,a,b\nR1,1,2\n", EvidenceKind::Rankings),
        ("R1,a,b,c\nR2,c,b,a\n", EvidenceKind::Rankings),
        ("subject,first,second\nR1,a,b\n", EvidenceKind::Rankings),
        ("rater,image,fine\nR1,a,10\n", EvidenceKind::Grades),
        ("# FILE NAME: a.toc\n1: 1,2\n", EvidenceKind::Rankings),
        (PREFERENCES, EvidenceKind::Preferences),
        ("left,right,winner\nx,y,left\n", EvidenceKind::Preferences),
        ("q1 x y x\nq1 y z y\n", EvidenceKind::Preferences),
        (TURK, EvidenceKind::Preferences),
        (
            "query,assessor,item,broad,fine\nq,ann,x,VS,9\n",
            EvidenceKind::Grades,
        ),
        ("item,fine,query,worker\nx,9,q,ann\n", EvidenceKind::Grades),
        (LOG, EvidenceKind::Log),
    ];
    for (text, kind) in kinds {
        let found = EvidenceKind::detect(&Source::from_bytes("file", text));
        assert_eq!(found, Ok(kind), "{text}");
    }
    let toc = EvidenceKind::detect(&Source::from_bytes("q.toc", "2\n"));
    assert_eq!(toc, Ok(EvidenceKind::Rankings));
}

#[test]
fn judgments_of_two_kinds_are_refused_with_both_options() {
    let error = |text: &str| EvidenceKind::detect(&Source::from_bytes("file", text)).unwrap_err();
    for (text, message, remedy) in [
        (
            "query,assessor,item,rank,fine\nq,ann,x,1,9\n",
            "this can be rankings or grades",
            "say which: `rankings` or `grades`",
        ),
        (
            "a,b,winner\n1,2,1\n2,1,2\n",
            "this can be rankings or preferences",
            "say which: `rankings` or `preferences`",
        ),
        (
            "query,a,b,assessor,answer,item,broad\nq,x,y,ann,a,x,VS\n",
            "this can be preferences or grades",
            "say which: `preferences` or `grades`",
        ),
    ] {
        let error = error(text);
        assert_eq!(error.code, DiagnosticCode::Ambiguous, "{error}");
        assert_eq!(error.message, message);
        assert_eq!(error.remedy.unwrap().to_string(), remedy);
    }
    for text in [RUN, QRELS, TRUTH, SCORES, "{}"] {
        let error = error(text);
        assert_eq!(error.code, DiagnosticCode::OtherFormat, "{error}");
        assert!(error.message.ends_with("grades or the log of a campaign"));
    }
    // A matrix of scores by query, words and a header without rows.
    for text in ["query,x,y\n1,0.5,0.25\n", "one two\nthree four\n", "x,y\n"] {
        let error = error(text);
        assert_eq!(error.code, DiagnosticCode::UnknownFormat, "{error}");
    }
    assert_eq!(error("").code, DiagnosticCode::EmptyFile);
}
