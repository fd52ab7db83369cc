//! Tests of the output of `partita campaign replay`, `status` and `export`, and of the help.

use crate::judge::support::{Campaign, answers};
use crate::session::{outcome_of, outcome_with, output_of};

#[test]
fn replay_is_deterministic_for_a_file_and_standard_input() {
    let campaign = Campaign::new(&["--held-out", "0.2", "--strategy", "sort-predictive"]);
    campaign.finish();
    let first = campaign.output("replay", &[]);
    assert_eq!(first, campaign.output("replay", &[]));
    let log = String::from_utf8(campaign.bytes()).expect("UTF-8");
    assert_eq!(first, outcome_with(&log, &["judge", "replay", "-"]).out);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, log.as_bytes()).expect("gzip");
    let packed = packed.finish().expect("gzip");
    let file = campaign.file("packed.jsonl.gz", "");
    std::fs::write(&file, packed).expect("a file");
    assert_eq!(first, output_of(&["judge", "replay", &file]));
    let state: serde_json::Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(state["settled"], true);
    assert_eq!(state["lists"][0]["query"], "q1");
}

#[test]
fn status_counts_votes_and_costs() {
    let campaign = Campaign::new(&["--reward", "0.10", "--fee", "20%"]);
    let status = campaign.json("status", &[]);
    assert_eq!(status["lists"][0]["unasked_votes"], 30);
    assert!(status["expected_votes"].as_f64().expect("votes") >= 50.0);
    let asked = campaign.next();
    campaign.add(&answers(&asked, "p"), &[]);
    let status = campaign.json("status", &[]);
    assert_eq!(status["answers"]["counted"], 50);
    assert!((status["cost"].as_f64().expect("a cost") - 6.0).abs() < 1e-9);
    assert_eq!(status["lists"][0]["votes"], 30);
    let csv = campaign.output("status", &["--format", "csv"]);
    assert!(csv.starts_with(
        "query,items,groups,settled,pairs,decided,open,asked,returned,votes,wanted,expected_votes\n"
    ));
    campaign.finish();
    let status = campaign.json("status", &[]);
    assert_eq!(status["settled"], true);
    assert_eq!(
        (&status["expected_votes"], &status["expected_cost"]),
        (&0.0.into(), &0.0.into())
    );
    let table = campaign.output("status", &["--format", "table"]);
    assert!(table.contains("2 of 2 lists settled"), "{table}");
}

#[test]
fn unfinished_lists_are_exported_with_a_warning() {
    let campaign = Campaign::new(&[]);
    let said = campaign.run("export", &["--format", "notation"]);
    assert_eq!(said.code, 0);
    assert!(
        said.err
            .contains("not settled yet, written as they are now: q1, q2"),
        "{}",
        said.err
    );
    assert_eq!(said.out.lines().count(), 2);
    let said = campaign.run("export", &["--format", "json", "--settled"]);
    assert_eq!((said.out.trim(), said.err.as_str()), ("{}", ""));
}

#[test]
fn exported_lists_are_read_back_from_every_format() {
    let campaign = Campaign::new(&[]);
    campaign.finish();
    let expected = campaign.json("export", &[]);
    for format in ["csv", "groups", "notation", "qrels", "json"] {
        let text = campaign.output("export", &["--format", format]);
        let file = campaign.file(&format!("truth.{format}"), &text);
        let read = output_of(&["truth", "convert", &file, "--to", "json"]);
        let read: serde_json::Value = serde_json::from_str(&read).expect("JSON");
        assert_eq!(read, expected, "{format}");
    }
    let one = campaign.output("export", &["--format", "preflib", "--query", "q2"]);
    assert!(one.contains("# ALTERNATIVE NAME"), "{one}");
    assert_eq!(campaign.run("export", &["--query", "q7"]).code, 2);
}

#[test]
fn exported_votes_build_the_same_lists() {
    let campaign = Campaign::new(&[]);
    campaign.finish();
    let votes = campaign.output("export", &["--answers", "counted"]);
    let said = outcome_with(&votes, &["truth", "build", "-p", "-", "--format", "json"]);
    let built: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(
        built["q2"],
        campaign.json("export", &[])["q2"],
        "{}",
        said.err
    );
    // Adding the exported votes to their own campaign adds nothing.
    let said = campaign.add(&votes, &["--format", "csv"]);
    assert_eq!(
        said.out
            .lines()
            .nth(1)
            .map(|line| line.starts_with("repeated,")),
        Some(true)
    );
}

#[test]
fn decided_pairs_are_exported_in_formats_of_other_programs() {
    let campaign = Campaign::new(&[]);
    campaign.finish();
    let said = campaign.run("export", &["--pairs", "winner", "--query", "q1"]);
    assert!(
        said.out.lines().all(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            words.len() == 4 && words[3] == words[1].min(words[2])
        }),
        "{}",
        said.out
    );
    assert!(said.err.contains("equal pairs left out"), "{}", said.err);
    let pairs = campaign.output("export", &["--pairs", "left-right"]);
    assert!(pairs.starts_with("query,left,right,winner\n"), "{pairs}");
    let again = outcome_with(
        &pairs,
        &[
            "truth",
            "build",
            "-p",
            "-",
            "--decide",
            "plurality",
            "--format",
            "json",
        ],
    );
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        "init", "next", "add", "status", "decide", "screen", "export", "replay",
    ] {
        let said = outcome_of(&["judge", command, "--help"]);
        assert_eq!(said.code, 0);
        assert!(
            said.out.contains(&format!("partita campaign {command} ")),
            "{}",
            said.out
        );
        assert!(said.out.contains("Examples:"), "{}", said.out);
    }
    let help = output_of(&["judge", "init", "--help"]);
    assert!(help.contains("sort-curtailed"), "{help}");
}

#[test]
fn the_option_map_reads_answers_of_a_crowdsourcing_platform() {
    let campaign = Campaign::new(&[]);
    let asked = campaign.next();
    let pair = &asked[0];
    let rows = format!(
        "WorkerId,Input.q,Input.l,Input.r,Answer.radio,SubmitTime,AssignmentId\n\
         W1,{},{},{},s,Wed Apr 14 18:29:32 GMT 2010,X7\n",
        pair.query, pair.a, pair.b
    );
    let map = "query=Input.q,a=Input.l,b=Input.r,assessor=WorkerId,answer=Answer.radio,equal=s,\
               ended=SubmitTime,id=AssignmentId";
    let said = campaign.add(&rows, &["--map", map, "--format", "csv", "--details"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.ends_with(",W1,equal,counted\n"), "{}", said.out);
    let answers = campaign.output("export", &["--answers"]);
    assert!(
        answers.contains("trial,X7,") && answers.contains(",2010-04-14T18:29:32.000Z,1,counted"),
        "{answers}"
    );
}

/// Users copy the examples, so their lines must fit a terminal of 80 columns.
#[test]
fn help_examples_fit_80_columns_and_papers_have_authors() {
    let judge = [
        "init", "next", "add", "status", "decide", "screen", "exclude", "readmit", "export",
        "replay", "verify", "batches", "agree", "simulate",
    ];
    let truth = ["build", "check", "study", "compare", "convert"];
    let judge = judge.map(|command| ["judge", command]);
    for command in judge
        .into_iter()
        .chain(truth.map(|command| ["truth", command]))
    {
        let help = output_of(&[&command[..], &["--help"]].concat());
        let (_, examples) = help.split_once("Examples:").expect("examples");
        for line in examples.lines() {
            assert!(line.chars().count() <= 80, "{command:?}: {line}");
        }
        for words in ["the paper paid", "PARTITA_DATA"] {
            assert!(!help.contains(words), "{command:?}: {words}");
        }
    }
}

#[test]
fn former_names_of_options_are_accepted() {
    let campaign = Campaign::new(&["--confidence", "0.8"]);
    campaign.output("status", &["--rehearsals", "2"]);
    let answers = "query,a,b,assessor,answer\nq,x,y,ann,a\nq,x,y,bob,a\n";
    for options in [
        ["truth", "build", "--by", "pooled"],
        ["truth", "build", "--build-alpha", "0.2"],
        ["truth", "check", "--check-alpha", "0.2"],
        ["judge", "screen", "--level", "0.01"],
    ] {
        let more = ["--preferences", "-", "--query", "q"];
        let said = outcome_with(answers, &[&options[..], &more].concat());
        assert_eq!(said.code, 0, "{options:?}: {}", said.err);
    }
}

#[test]
fn use_b3_without_a_price_nothing_mentions_cost() {
    let campaign = Campaign::new(&[]);
    let asked = campaign.next();
    campaign.add(&answers(&asked, "p"), &[]);
    let log = campaign.file(
        "copy.jsonl",
        &String::from_utf8(campaign.bytes()).expect("UTF-8"),
    );
    let sheet = campaign.file("answers.csv", &answers(&asked, "p"));
    let simulation = [
        "judge",
        "simulate",
        "--lists",
        "2",
        "--items",
        "5",
        "--strategies",
        "sort",
        "--resamples",
        "10",
    ];
    for format in ["table", "csv", "json"] {
        let texts = [
            campaign.output("status", &["--format", format]),
            campaign.output("batches", &["--format", format]),
            output_of(&[
                "judge",
                "batches",
                "--preferences",
                &sheet,
                "--format",
                format,
            ]),
            output_of(&[&simulation[..], &["--format", format]].concat()),
        ];
        for text in texts {
            let text = text.to_lowercase();
            assert!(
                !text.contains("cost") && !text.contains("spent"),
                "{format}: {text}"
            );
        }
    }
    let built = outcome_of(&["truth", "build", "--preferences", &sheet, "--details"]);
    let shown = built.out + &built.err;
    assert!(
        !shown.contains("in all, at") && !shown.contains("Cost"),
        "{shown}"
    );
    let written = std::fs::read_to_string(&log).expect("the log");
    assert!(!written.contains("price"), "{written}");
}

#[test]
fn use_b3_a_price_is_shown_with_its_currency() {
    let campaign = Campaign::new(&["--reward", "0.07", "--currency", "eur"]);
    let asked = campaign.next();
    campaign.add(&answers(&asked, "p"), &[]);
    // 50 answers at 0.07, without a fee that nobody set.
    let status = campaign.json("status", &[]);
    assert!((status["cost"].as_f64().expect("a cost") - 3.5).abs() < 1e-9);
    assert_eq!(status["currency"], "EUR");
    let table = campaign.output("status", &["--format", "table"]);
    assert!(table.contains("3.50 EUR spent"), "{table}");
    let batches = campaign.output("batches", &["--format", "table"]);
    assert!(batches.contains("Cost (EUR)"), "{batches}");
    let other = campaign.json("batches", &["--like", "urbano-2010"]);
    assert!(
        (other["all"]["cost"].as_f64().expect("a cost") - 1.25).abs() < 1e-9,
        "{other}"
    );
    let simulation = output_of(&[
        "judge",
        "simulate",
        "--lists",
        "2",
        "--items",
        "5",
        "--strategies",
        "sort",
        "--like",
        "urbano-2010",
        "--format",
        "table",
    ]);
    assert!(simulation.contains("Cost"), "{simulation}");
}

#[test]
fn use_b3_options_of_a_price_need_one_price() {
    for (options, words) in [
        (
            &["--fee", "20%"][..],
            "`--fee` needs a price: `--reward AMOUNT` or `--like urbano-2010`",
        ),
        (&["--currency", "EUR"], "`--currency` needs a price"),
        (
            &["--like", "urbano-2010", "--reward", "1"],
            "`--reward` excludes `--like urbano-2010`",
        ),
    ] {
        let said = outcome_with(
            "",
            &[&["judge", "batches", "--preferences", "-"], options].concat(),
        );
        assert_eq!(said.code, 2);
        assert!(said.err.contains(words), "{}", said.err);
    }
    let said = outcome_with(
        "",
        &[
            "judge",
            "batches",
            "--preferences",
            "-",
            "--reward",
            "1",
            "--currency",
            "euros",
        ],
    );
    assert!(
        said.code == 2 && said.err.contains("three letters"),
        "{}",
        said.err
    );
}

#[test]
fn use_b5_exported_answers_say_what_was_heard_and_when() {
    let campaign = Campaign::new(&[]);
    let asked = campaign.next();
    campaign.add(&answers(&asked, "p"), &[]);
    let csv = campaign.output("export", &["--answers"]);
    let head = csv.lines().next().expect("a head");
    assert_eq!(
        head,
        "campaign,id,query,a,b,assessor,answer,seconds,time,batch,flag,plays_query,plays_a,plays_b,heard,hidden"
    );
    let time = csv
        .lines()
        .nth(1)
        .and_then(|row| row.split(',').nth(8))
        .expect("a time");
    assert!(
        time.is_empty() || (time.contains('T') && time.ends_with('Z')),
        "{csv}"
    );
}
