//! Tests of how `partita evaluate` reads files: compression, standard input, format recognition,
//! line ends and white space.

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;

use crate::evaluate::scores::assert_near;
use crate::session::Folder;

const TRUTH: &str = "q1 0 a 1\nq2 0 b 2\n";
const RUN: &str = "q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

/// Asserts that [`TRUTH`] and [`RUN`] are read completely and without a warning.
fn assert_read_completely(dir: &Folder, arguments: &str) {
    let command = format!("evaluate {arguments} -m RR --per-query --format csv");
    let ended = dir.partita(&command).succeeds();
    let expected =
        "run,query,measure,value,kind\nt,q1,RR,1,query\nt,q2,RR,0.5,query\nt,all,RR,0.75,mean\n";
    assert_eq!(ended.out, expected, "{arguments}");
    assert_eq!(ended.err, "", "{arguments}");
}

#[test]
fn gzip_and_zstd_are_recognised_with_any_file_name() {
    let dir = Folder::with("t.gz", gzip(TRUTH))
        .and("t.zst", zstd(TRUTH))
        .and("plain", TRUTH)
        .and("r.run.gz", gzip(RUN))
        .and("r.run.zst", zstd(RUN))
        .and("disguised.run", gzip(RUN))
        .and("r.run", RUN);
    for truth in ["t.gz", "t.zst", "plain"] {
        for run in ["r.run.gz", "r.run.zst", "disguised.run", "r.run"] {
            assert_read_completely(&dir, &format!("--truth {truth} {run}"));
        }
    }
}

#[test]
fn compressed_files_with_several_members_are_read_completely() {
    let (first, rest) = RUN.split_at(14);
    let gz = [gzip(first), gzip(rest)].concat();
    // pzstd writes skippable frames between the frames with data.
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let zst = [skipped.to_vec(), zstd(first), skipped.to_vec(), zstd(rest)].concat();
    let empty_first = [zstd(""), zstd(RUN)].concat();
    let dir = Folder::with("t.qrels", TRUTH)
        .and("a.gz", gz)
        .and("b.zst", zst)
        .and("c.zst", empty_first);
    for run in ["a.gz", "b.zst", "c.zst"] {
        assert_read_completely(&dir, &format!("--truth t.qrels {run}"));
    }
}

#[test]
fn truncated_and_corrupted_compressed_files_are_refused() {
    let long: String = (0..20_000)
        .map(|i| format!("q1 Q0 d{i} {i} {} t\n", 9e9 / f64::from(i + 1)))
        .collect();
    let (gz, zst) = (gzip(&long), zstd(&long));
    let cut = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let mut changed = gz.clone();
    let end = changed.len() - 6;
    changed[end] ^= 1;
    let mut followed = zst.clone();
    followed.extend(b"garbage");
    let dir = Folder::with("t.qrels", TRUTH)
        .and("cut.gz", cut(&gz))
        .and("cut.zst", cut(&zst))
        .and("changed.gz", changed)
        .and("followed.zst", followed);
    for run in ["cut.gz", "cut.zst", "changed.gz", "followed.zst"] {
        dir.partita(&format!("evaluate --truth t.qrels {run}"))
            .refuses(&[&format!("{run}: ")]);
    }
}

#[test]
fn a_dash_is_standard_input_for_a_truth_and_for_a_run() {
    let dir = Folder::with("t.qrels", TRUTH).and("r.run", RUN);
    let expected = "run,query,measure,value,kind\nt,all,RR,0.75,mean\n";
    let from = |arguments: &str, bytes: &[u8]| {
        let command = dir.partita(&format!("evaluate {arguments} -m RR --format csv"));
        command.input(bytes).succeeds().out
    };
    assert_eq!(from("--truth - r.run", TRUTH.as_bytes()), expected);
    assert_eq!(from("--truth t.qrels -", RUN.as_bytes()), expected);
    assert_eq!(from("--truth t.qrels -", &gzip(RUN)), expected);
    assert_eq!(from("-t - r.run", &zstd(TRUTH)), expected);
    let named = from("--truth t.qrels -", br#"{"q1": ["a"]}"#);
    assert!(named.contains("\nstandard input,all,"), "{named}");
    let both = dir.partita("evaluate --truth - -").input(RUN);
    both.refuses(&["standard input"]);
    let groups = dir.partita("evaluate --truth - r.run --groups -");
    groups.input(TRUTH).refuses(&["standard input"]);
    let wrong = dir.partita("evaluate --truth - r.run").input("q1 0 a x\n");
    wrong.refuses(&["standard input:1:8: "]);
}

#[test]
fn line_ends_byte_order_marks_comments_and_white_space_are_accepted() {
    let variants = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        [
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            format!("\u{feff}{}", text.replace('\n', "\r\n")),
            format!(
                "# a comment\n\n{}",
                text.replace('\n', "\n\n  # more\n   \n")
            ),
            text.replace(' ', "\t"),
            format!("  {}  \n", lines.join("  \n\t ")),
            text.trim_end().to_owned(),
            text.replace(' ', "  "),
        ]
    };
    for (truth, run) in variants(TRUTH).iter().zip(&variants(RUN)) {
        let dir = Folder::with("t.qrels", truth).and("r.run", run);
        assert_read_completely(&dir, "--truth t.qrels r.run");
    }
}

#[test]
fn a_run_may_start_with_the_comments_of_ir_metadata() {
    let run = format!("# ir_metadata.start\n# tag: x\n# ir_metadata.end\n{RUN}");
    let dir = Folder::with("t.qrels", TRUTH).and("r.run", run);
    assert_read_completely(&dir, "--truth t.qrels r.run");
}

#[test]
fn every_truth_format_gives_the_same_adr_recognised_or_stated() {
    let files = [
        (
            "groups",
            "t.csv",
            "query,item,group\nt,1,1\nt,2,1\nt,3,2\nt,4,2\nt,5,2\n",
        ),
        (
            "groups",
            "t.qrel",
            "MTurk\tt\t1\t1\nMTurk\tt\t2\t1\nMTurk\tt\t3\t2\nMTurk\tt\t4\t2\nMTurk\tt\t5\t2\n",
        ),
        (
            "qrels",
            "t.qrels",
            "t 0 1 4.5\nt 0 2 4.5\nt 0 3 .25\nt 0 4 0.25\nt 0 5 2.5e-1\nt 0 6 0\n",
        ),
        (
            "gains",
            "t.tsv",
            "query\titem\tgain\nt\t3\t10\nt\t1\t90.5\nt\t4\t10\nt\t2\t90.5\nt\t5\t10\n",
        ),
        (
            "preflib",
            "t.toc",
            "# NUMBER ALTERNATIVES: 5\n1: {1,2},{3,4,5}\n",
        ),
        ("json", "t.json", r#"{"t": [["1", "2"], ["3", "4", "5"]]}"#),
        ("notation", "t.txt", "t: (1, 2), (3, 4, 5)\n"),
    ];
    for (format, name, text) in files {
        let dir = Folder::with(name, text).and(
            "r.json",
            r#"{"t": ["2", "3", "1", "5", "7", "8", "9", "4"]}"#,
        );
        for flag in [String::new(), format!("--truth-format {format}")] {
            let scores = dir.scores(&format!("--truth {name} r.json -m ADR {flag}"));
            assert_near(scores.value("r", "t", "ADR"), 0.86);
        }
    }
}

#[test]
fn every_run_format_gives_the_same_adr_recognised_or_stated() {
    let documents = ["2", "3", "1", "5", "7", "8", "9", "4"];
    let rows = |line: &dyn Fn(usize, &str) -> String| -> String {
        (1..)
            .zip(documents)
            .map(|(rank, item)| line(rank, item))
            .collect()
    };
    let trec = rows(&|rank, item| format!("t Q0 {item} {rank} {} r\n", 100 - rank));
    let systems = rows(&|_, item| format!("r,t,{item}\n"));
    let lines = format!("t {}\n", documents.join("\t"));
    let json = format!(r#"{{"t": [{}]}}"#, documents.join(", "));
    let dir = Folder::with("t.txt", "t: (1, 2), (3, 4, 5)\n")
        .and("trec/r.run", &trec)
        .and("systems/r.csv", systems)
        .and("lines/r.txt", lines)
        .and("json/r.json", json);
    for arguments in [
        "trec/r.run",
        "trec/r.run --run-format trec",
        "systems/r.csv",
        "systems/r.csv --run-format systems",
        "lines/r.txt --run-format lines",
        "json/r.json",
        "json/r.json --run-format json",
    ] {
        let scores = dir.scores(&format!("--truth t.txt {arguments}"));
        assert_near(scores.value("r", "t", "ADR"), 0.86);
    }
    dir.partita("evaluate --truth t.txt lines/r.txt").refuses(&[
        "lines/r.txt:1:1: ",
        "--run-format",
        "lines",
    ]);
}

#[test]
fn the_figure_is_well_formed_svg_with_the_names_of_all_runs() {
    let dir = Folder::with("t.json", r#"{"q<1>": [["a"], ["b", "c"]]}"#)
        .and("one&two.json", r#"{"q<1>": ["a", "c"]}"#)
        .and("other.json", r#"{"q<1>": ["b"]}"#);
    dir.partita("evaluate --truth t.json one&two.json other.json --figure f.svg")
        .succeeds();
    let svg = dir.read("f.svg");
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let texts: String = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    for name in ["one&two", "other", "q<1>"] {
        assert!(texts.contains(name), "no {name} in {texts}");
    }
}

#[test]
fn figures_of_many_and_of_no_queries_are_well_formed() {
    let truth: String = (0..60).map(|q| format!("q{q}: (a), (b)\n")).collect();
    let run: String = (0..60).map(|q| format!("q{q} Q0 a 1 1 t\n")).collect();
    let dir = Folder::with("t.txt", truth)
        .and("r.run", run)
        .and("none.qrels", "q1 0 a 0\n");
    for truth in ["t.txt", "none.qrels"] {
        dir.partita(&format!("evaluate --truth {truth} r.run --figure f.svg"))
            .succeeds();
        roxmltree::Document::parse(&dir.read("f.svg")).unwrap();
    }
}
