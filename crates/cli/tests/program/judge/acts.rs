//! What the organiser of a campaign decides while it runs, and judgments of other kinds than preferences.

use std::fs::{self, File, OpenOptions};
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::crowd::Campaign;
use crate::session::{Folder, Program, outcome_of, outcome_with, output_of};

const ITEMS: &str = "query,item\nq1,x\nq1,y\nq1,z\nq2,u\nq2,v\n";

fn small(options: &[&str]) -> Campaign {
    Campaign::of(ITEMS, &[&["--decide", "majority"], options].concat())
}

/// What people with these names say to all that is asked now: the item whose name comes first.
fn sheet(campaign: &Campaign, people: &[&str]) -> String {
    let mut text = "query,a,b,assessor,answer\n".to_owned();
    for pair in campaign.next() {
        let answer = if pair.a < pair.b { "a" } else { "b" };
        for person in people {
            text.push_str(&format!(
                "{},{},{},{person},{answer}\n",
                pair.query, pair.a, pair.b
            ));
        }
    }
    text
}

#[test]
fn fewer_people_than_votes_is_an_error_if_their_number_is_known() {
    let folder = Folder::new();
    let candidates = folder.file("c.csv", ITEMS);
    let log = folder.place("c.jsonl");
    let init = [
        "judge",
        "init",
        &log,
        "-c",
        &candidates,
        "--votes",
        "10",
        "--people",
    ];
    let said = outcome_of(&[&init[..], &["8"]].concat());
    assert_eq!(said.code, 2);
    said.says(&["wants 10 votes", "8 are invited", "use `--votes 8` or less"]);
    assert!(!folder.path("c.jsonl").exists());
    assert_eq!(outcome_of(&[&init[..], &["10"]].concat()).code, 0);
}

#[test]
fn a_campaign_with_fewer_people_than_votes_says_so_and_is_brought_to_an_end() {
    let campaign = small(&["--votes", "5"]);
    let people = ["ann", "bob", "cid"];
    campaign.add(&sheet(&campaign, &people), &[]);
    let status = campaign.json("status", &[]);
    let stuck = &status["stuck"];
    assert_eq!((&stuck["people"], &stuck["votes"]), (&3.into(), &3.into()));
    assert_eq!(stuck["nothing_else"], true);
    let said = Program::new()
        .args(&["judge", "status", &campaign.log, "--format", "table"])
        .run();
    let text = (said.out + &said.err).replace('\n', " ");
    for words in [
        "more people than the",
        "nothing goes on without more people",
        "partita judge votes",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(campaign.run("votes", &["3"]).code, 0);
    for _ in 0..5 {
        campaign.add(&sheet(&campaign, &people), &[]);
    }
    let status = campaign.json("status", &[]);
    assert_eq!(
        (&status["settled"], &status["stuck"]),
        (&true.into(), &().into())
    );
    let truth = campaign.output("export", &[]);
    assert!(truth.contains("q1,x,1\nq1,y,2\nq1,z,3\n"), "{truth}");
}

#[test]
fn a_list_is_closed_as_it_is_and_then_the_campaign() {
    let campaign = small(&["--votes", "2"]);
    let first = sheet(&campaign, &["ann"]);
    campaign.add(&first, &[]);
    assert_eq!(campaign.run("close", &["--query", "q1"]).code, 0);
    assert!(campaign.next().iter().all(|pair| pair.query == "q2"));
    campaign
        .run("close", &["--query", "q1"])
        .says(&["nothing changes"]);
    let all = campaign.run("close", &[]);
    all.says(&["the campaign is closed"]);
    let said = campaign.run("next", &[]);
    said.says(&["The campaign is closed"]);
    // What comes later is kept and is no vote.
    let late = campaign.add(&first.replace(",ann,", ",bob,"), &[]);
    assert!(late.out.contains("closed,"), "{}", late.out);
    for command in [&["pause"][..], &["extend", "--budget", "7"]] {
        let said = campaign.run(command[0], &command[1..]);
        assert_eq!(said.code, 2, "{}", said.err);
        said.says(&["the campaign is closed"]);
    }
    assert_eq!(campaign.run("verify", &[]).code, 0);
}

#[test]
fn nothing_is_asked_while_a_campaign_is_paused() {
    let campaign = small(&["--votes", "2"]);
    let asked = campaign.next();
    assert_eq!(campaign.run("pause", &[]).code, 0);
    campaign.run("pause", &[]).says(&["nothing changes"]);
    assert!(campaign.next().is_empty());
    campaign.run("next", &[]).says(&["The campaign is paused"]);
    assert_eq!(campaign.json("status", &[])["paused"], true);
    assert_eq!(campaign.run("resume", &[]).code, 0);
    assert_eq!(campaign.next().len(), asked.len());
}

#[test]
fn new_candidates_and_new_lists_join_a_campaign() {
    let campaign = small(&["--votes", "1"]);
    campaign.finish();
    let more = campaign.file("more.csv", "query,item\nq1,w\nq3,1\nq3,2\n");
    let said = campaign.run("extend", &["--candidates", &more]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("q3,1,2,open"), "{}", said.out);
    for _ in 0..9 {
        campaign.add(&sheet(&campaign, &["ann"]), &[]);
    }
    let truth = campaign.output("export", &["--settled"]);
    assert!(
        truth.contains("q3,1,1\nq3,2,2\n") && truth.contains("q1,w,"),
        "{truth}"
    );
    let again = campaign.run("extend", &["--candidates", &more]);
    assert_eq!(again.code, 2);
    again.says(&["`w` comes twice"]);
}

#[test]
fn an_answer_is_taken_back_by_its_id_or_its_number() {
    let campaign = small(&["--votes", "1"]);
    let pair = campaign.next().remove(0);
    let text = format!(
        "query,a,b,assessor,answer,id\n{},{},{},ann,a,i1\n",
        pair.query, pair.a, pair.b
    );
    campaign.add(&text, &[]);
    let nothing = campaign.run("retract", &["--id", "i2", "--assessor", "ann"]);
    assert_eq!(nothing.code, 2);
    nothing.says(&["no answer with the id `i2`"]);
    let said = campaign.run(
        "retract",
        &["--id", "i1", "--assessor", "ann", "--reason", "slip"],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    said.says(&["0 votes now, 1 before"]);
    let answers = campaign.output("export", &["--answers"]);
    assert!(answers.contains(",retracted\n"), "{answers}");
    let again = campaign.run("retract", &["--event", "3"]);
    assert_eq!(again.code, 2, "{}", again.err);
    again.says(&["was taken back before"]);
    assert!(String::from_utf8_lossy(&campaign.bytes()).contains("\"reason\":\"slip\""));
}

#[test]
fn a_retry_under_the_same_id_is_the_same_answer_whatever_its_clock() {
    let campaign = small(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let row = |answer: &str, seconds: f64, id: &str| {
        let (query, a, b) = (&pair.query, &pair.a, &pair.b);
        format!(
            "query,a,b,assessor,answer,seconds,id\n{query},{a},{b},ann,{answer},{seconds},{id}\n"
        )
    };
    campaign.add(&row("a", 3.0, "i1"), &[]);
    let before = campaign.bytes();
    let again = campaign.add(&row("a", 4.5, "i1"), &[]);
    assert!(again.out.contains("repeated,1"), "{}", again.out);
    assert!(campaign.bytes() == before, "nothing is written");
    let other = campaign.add(&row("b", 3.0, "i1"), &[]);
    assert_eq!(other.code, 2);
    other.says(&["the id `i1` of `ann` stands for another answer"]);
    // Two in one file are refused in the same way.
    let both = row("a", 3.0, "i2") + row("b", 3.0, "i2").lines().nth(1).expect("a row") + "\n";
    assert_eq!(campaign.add(&both, &[]).code, 2);
}

#[test]
fn names_are_compared_as_the_organiser_says() {
    for (names, votes) in [("exact", 2), ("any-case", 1)] {
        let campaign = small(&["--votes", "5", "--names", names]);
        let text = sheet(&campaign, &["ann", "ANN"]);
        let one: String = text
            .lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect();
        let said = campaign.add(&one, &[]);
        let kept = campaign.output("export", &["--answers", "counted"]);
        assert_eq!(kept.lines().count() - 1, votes, "{names}: {kept}");
        assert_eq!(
            said.err.contains("are two people here"),
            names == "exact",
            "{}",
            said.err
        );
        if names == "any-case" {
            assert_eq!(campaign.run("exclude", &["Ann"]).code, 0);
            assert_eq!(campaign.json("status", &[])["excluded"][0], "ann");
        }
    }
}

#[test]
fn a_name_of_ten_kilobytes_or_with_control_characters_is_refused_with_the_limit() {
    let campaign = small(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let row = |person: &str| {
        format!(
            "query,a,b,assessor,answer\n{},{},{},{person},a\n",
            pair.query, pair.a, pair.b
        )
    };
    let before = campaign.bytes();
    let long = campaign.add(&row(&"p".repeat(10_000)), &[]);
    assert_eq!(long.code, 2);
    long.says(&["has 10000 bytes", "at most 256"]);
    let bell = campaign.add(&row("a\u{7}nn"), &[]);
    assert_eq!(bell.code, 2);
    bell.says(&["a control character"]);
    assert!(campaign.bytes() == before);
    assert_eq!(campaign.add(&row(&"p".repeat(256)), &[]).code, 0);
}

#[test]
fn gold_is_about_items_of_the_campaign_and_its_answers_are_no_votes() {
    let folder = Folder::new();
    let (candidates, log) = (folder.file("c.csv", ITEMS), folder.place("c.jsonl"));
    let init = |gold: &str| {
        let gold = folder.file("gold.csv", gold);
        let begin = [
            "judge",
            "init",
            &log,
            "-c",
            &candidates,
            "--votes",
            "1",
            "--gold",
            &gold,
        ];
        outcome_of(&begin)
    };
    for (gold, words) in [
        (
            "query,a,b,answer\nq1,x,nothing,a\n",
            "both must be candidates",
        ),
        ("query,a,b,answer\nq9,x,y,a\n", "there is no such query"),
        ("query,a,b,answer\nq1,x,x,a\n", "the same item"),
        ("query,a,b,answer\nq1,x,y,a\nq1,y,x,b\n", "comes twice"),
        ("query,a,b,answer\nq1,x,y,perhaps\n", "perhaps"),
    ] {
        let said = init(gold);
        assert_eq!(said.code, 2, "{gold}");
        said.says(&[words]);
        assert!(!folder.path("c.jsonl").exists());
    }
    assert_eq!(init("query,a,b,answer\nq1,x,y,a\n").code, 0);
    // Nothing was asked yet, so that this cannot be an answer for its own sake.
    let right_and_wrong = "query,a,b,assessor,answer\nq1,x,y,ann,a\nq1,y,x,bob,a\n";
    let said = outcome_with(right_and_wrong, &["judge", "add", &log, "-"]);
    assert!(said.out.contains("gold,2"), "{}{}", said.out, said.err);
    let log_text = fs::read_to_string(&log).expect("a log");
    assert!(log_text.contains("\"event\":\"checked\""));
    assert!(
        log_text.contains("\"answer\":\"a\",\"expected\":\"b\""),
        "turned as it was shown"
    );
    let counted = output_of(&["judge", "export", &log, "--answers", "counted"]);
    assert_eq!(counted.lines().count(), 1, "{counted}");
}

#[test]
fn rankings_make_the_list_that_truth_build_makes_of_them() {
    let campaign = small(&["--kinds", "ranking", "--graders", "2"]);
    let rankings = "query,assessor,item,rank\n\
                    q1,ann,x,1\nq1,ann,y,2\nq1,ann,z,3\nq1,bob,x,1\nq1,bob,y,2.5\nq1,bob,z,2.5\n\
                    q1,cid,x,1\nq1,cid,y,2\nq1,cid,z,\n";
    let file = campaign.file("r.csv", rankings);
    let said = campaign.run("add", &[&file]);
    assert_eq!(said.code, 0, "{}", said.err);
    let again = campaign.json("add", &[&file]);
    assert_eq!(
        (&again["added"], &again["repeated"]),
        (&0.into(), &3.into())
    );
    let kept = campaign.output("export", &["--rankings"]);
    assert!(
        kept.contains("q1,bob,y,2.5\nq1,bob,z,2.5\n") && kept.contains("q1,cid,z,\n"),
        "{kept}"
    );
    let exported = campaign.file("kept.csv", &kept);
    let built = output_of(&["truth", "build", "--rankings", &exported]);
    assert_eq!(campaign.output("export", &[]), built);
    assert_eq!(output_of(&["truth", "build", "--rankings", &file]), built);
    let other = campaign.run("add", &[&file, "--kind", "grading"]);
    assert_eq!(other.code, 2);
    other.says(&["the campaign asks for ranking, not for grading"]);
}

#[test]
fn grades_make_gains_by_the_median_or_the_mean_and_the_last_counts() {
    let campaign = small(&["--kinds", "preference,grading"]);
    let grades = "query,assessor,item,broad,fine\n\
                  q1,ann,x,SS,4\nq1,bob,x,VS,9\nq1,cid,x,VS,8\nq1,ann,y,NS,0\nq1,bob,y,SS,1\n";
    let said = campaign.add(grades, &["--kind", "grading"]);
    assert_eq!(said.code, 0, "{}", said.err);
    campaign.add(
        "query,assessor,item,broad,fine\nq1,ann,x,SS,7\n",
        &["--kind", "grading"],
    );
    let kept = campaign.output("export", &["--grades"]);
    assert!(
        kept.contains("q1,ann,x,SS,7\n") && !kept.contains("q1,ann,x,SS,4"),
        "{kept}"
    );
    let fine = campaign.output("export", &["--kind", "grading"]);
    assert_eq!(fine, "query,item,gain\nq1,x,8\nq1,y,0.5\n");
    let broad = campaign.output("export", &["--kind", "grading", "--scale", "broad"]);
    assert_eq!(broad, "query,item,gain\nq1,x,2\nq1,y,0.5\n");
    for (row, words) in [
        ("q1,ann,x,GREAT,7", "NS, SS or VS"),
        ("q1,ann,x,VS,101", "cannot be 101"),
        ("q1,ann,nothing,VS,1", "no candidate"),
        ("q1,ann,x,,", "neither broad nor fine"),
    ] {
        let text = format!("query,assessor,item,broad,fine\n{row}\n");
        let said = campaign.add(&text, &["--kind", "grading"]);
        assert_eq!(said.code, 2, "{row}");
        said.says(&[words]);
    }
}

#[test]
fn what_a_spreadsheet_takes_for_a_formula_is_defused_unless_raw() {
    let campaign = small(&["--votes", "2"]);
    let pair = campaign.next().remove(0);
    let (query, a, b) = (&pair.query, &pair.a, &pair.b);
    campaign.add(
        &format!("query,a,b,assessor,answer,id\n{query},{a},{b},=cmd|' /C calc'!A0,a,@x\n"),
        &[],
    );
    let safe = campaign.output("export", &["--answers"]);
    assert!(
        safe.contains(",'=cmd|' /C calc'!A0,") && safe.contains(",'@x,"),
        "{safe}"
    );
    let raw = campaign.output("export", &["--answers", "--raw"]);
    assert!(
        raw.contains(",=cmd|' /C calc'!A0,") && raw.contains(",@x,"),
        "{raw}"
    );
}

#[test]
fn a_head_that_was_kept_finds_a_missing_end() {
    let campaign = small(&["--votes", "2"]);
    campaign.next();
    let head = campaign.output("verify", &["--head"]);
    assert_eq!(head.trim().len(), 64);
    campaign.add(&sheet(&campaign, &["ann"]), &[]);
    assert_eq!(campaign.run("verify", &["--expect", head.trim()]).code, 0);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let first: String = text
        .lines()
        .take(1)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&campaign.log, first).expect("a log");
    assert_eq!(campaign.run("verify", &[]).code, 0, "sound in itself");
    let said = campaign.run("verify", &["--expect", head.trim()]);
    assert_eq!(said.code, 1);
    said.says(&["truncated or rewritten"]);
}

#[test]
fn the_first_event_that_was_changed_taken_out_or_moved_is_named_by_every_command() {
    let campaign = small(&["--votes", "2"]);
    campaign.add(&sheet(&campaign, &["ann"]), &[]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.len() > 4);
    let without: String = lines[..2].iter().chain(&lines[3..]).copied().collect();
    let swapped = [lines[0], lines[1], lines[3], lines[2]].concat() + &lines[4..].concat();
    let changed = text.replacen("\"ann\"", "\"bob\"", 1);
    for (damaged, words) in [
        (without, "event 3 was taken out or moved"),
        (swapped, "event 3 was taken out or moved"),
        (changed, "event 3 was changed"),
    ] {
        fs::write(&campaign.log, damaged).expect("a log");
        for (command, code) in [
            ("verify", 1),
            ("status", 2),
            ("next", 2),
            ("pause", 2),
            ("replay", 2),
        ] {
            let said = campaign.run(command, &[]);
            assert_eq!(said.code, code, "{command}: {}", said.err);
            said.says(&[words]);
        }
    }
}

#[test]
fn an_empty_last_line_and_lines_of_other_systems_are_no_damage() {
    let campaign = small(&["--votes", "2"]);
    let answers = sheet(&campaign, &["ann"]);
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    for edited in [
        text.clone() + "\n",
        text.clone() + "\r\n\n",
        text.replace('\n', "\r\n"),
    ] {
        fs::write(&campaign.log, &edited).expect("a log");
        assert_eq!(campaign.run("verify", &[]).code, 0, "{edited:?}");
        let said = campaign.add(&answers, &[]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(campaign.run("verify", &[]).code, 0, "and it is carried on");
    }
}

#[test]
fn an_event_of_a_later_version_says_so() {
    let campaign = small(&["--votes", "2"]);
    let mut text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    text.push_str("{\"seq\":2,\"at\":\"2030-01-01T00:00:00.000Z\",\"author\":\"o\",\"event\":\"dreamt\",\"chain\":\"");
    text.push_str(&"0".repeat(64));
    text.push_str("\"}\n");
    fs::write(&campaign.log, text).expect("a log");
    let said = campaign.run("status", &[]);
    assert_eq!(said.code, 2);
    said.says(&["`dreamt`", "update partita"]);
    assert!(
        !said.err.contains("changed by another program"),
        "{}",
        said.err
    );
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_nothing_that_blocks_the_next_beginning() {
    let folder = Folder::new();
    folder.file("c.csv", ITEMS);
    let program = Program::within(&folder.path(""), "judge init c.jsonl -c c.csv").into_command();
    // No file may grow at all, and the signal that says so is ignored: as on a full disk, writing fails.
    let words: Vec<String> = std::iter::once(program.get_program())
        .chain(program.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {}", words.join(" "));
    let said = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .output()
        .expect("a shell");
    assert_eq!(said.status.code(), Some(2));
    let err = String::from_utf8_lossy(&said.stderr);
    assert!(err.contains("c.jsonl: cannot be written"), "{err}");
    let left: Vec<_> = fs::read_dir(folder.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 1, "only the candidates: {left:?}");
    assert_eq!(folder.run("judge init c.jsonl -c c.csv").code, 0);
}

#[cfg(unix)]
#[test]
fn what_can_be_read_and_not_written_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;

    let campaign = small(&["--votes", "2"]);
    fs::set_permissions(&campaign.log, fs::Permissions::from_mode(0o444)).expect("permissions");
    if OpenOptions::new().append(true).open(&campaign.log).is_ok() {
        // Whoever may do anything can write it all the same.
        return;
    }
    let said = campaign.run("pause", &[]);
    assert_eq!(said.code, 2);
    said.says(&["cannot be written"]);
}

#[test]
fn a_command_waits_for_another_that_is_writing_if_it_is_told_to() {
    let campaign = small(&["--votes", "2"]);
    let answers = sheet(&campaign, &["ann"]);
    let held = File::open(&campaign.log).expect("the log");
    held.lock().expect("the lock");
    let at_once = campaign.add(&answers, &[]);
    assert_eq!(at_once.code, 2);
    at_once.says(&["another command is writing", "--wait"]);
    let release = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        drop(held);
    });
    let said = campaign.add(&answers, &["--wait", "60"]);
    assert_eq!(said.code, 0, "{}", said.err);
    release.join().expect("the lock is given back");
}

#[test]
fn a_head_longer_than_every_list_is_refused() {
    let folder = Folder::with("c.csv", ITEMS);
    folder.refuses(
        "judge init c.jsonl -c c.csv --top 4",
        &["the head of 4 items is longer than every list: the longest has 3"],
    );
    assert!(!folder.path("c.jsonl").exists());
}

#[test]
fn a_long_list_has_its_time_stated_beforehand() {
    let mut items = "query,item\n".to_owned();
    (0..2_000).for_each(|item| items.push_str(&format!("q,i{item}\n")));
    let folder = Folder::with("c.csv", items);
    let said = folder.run("judge init c.jsonl -c c.csv --strategy pooled");
    assert_eq!(said.code, 0, "{}", said.err);
    said.says(&["takes about", "seconds each time"]);
    let sort = folder.run("judge init d.jsonl -c c.csv");
    assert!(!sort.err.contains("seconds each time"), "{}", sort.err);
}

#[test]
fn shuffled_rows_give_the_same_bytes() {
    let rows = [
        "q1,x,y,ann,a",
        "q1,y,x,bob,a",
        "q1,x,y,cid,equal",
        "q1,z,x,ann,b",
        "q1,x,z,bob,a",
        "q1,z,y,cid,a",
        "q1,y,z,ann,equal",
        "q2,u,v,ann,a",
        "q2,v,u,bob,a",
        "q2,u,v,cid,b",
    ];
    let folder = Folder::new();
    let header = "query,a,b,assessor,answer\n";
    let text = |rows: &[&str]| header.to_owned() + &rows.join("\n") + "\n";
    let mut printed = Vec::new();
    for shift in 0..rows.len() {
        let mut shuffled = rows.to_vec();
        shuffled.rotate_left(shift);
        if shift % 2 == 1 {
            shuffled.reverse();
        }
        folder.file("answers.csv", text(&shuffled));
        folder.file("others.csv", text(&rows));
        let agree = folder.output(
            "judge agree --preferences answers.csv --against-preferences others.csv --format json",
        );
        let summed = folder.output("judge batches --preferences answers.csv --format json");
        printed.push((agree, summed));
    }
    assert!(printed[0].1.contains("alpha"), "{}", printed[0].1);
    assert!(printed.iter().all(|one| *one == printed[0]));
}

#[test]
fn gold_that_does_not_say_its_query_is_refused_where_there_are_several() {
    let folder = Folder::with("c.csv", "query,item\nq1,x\nq1,y\nq2,x\nq2,y\n")
        .and("gold.csv", "a,b,answer\nx,y,a\n");
    let begin = "judge init c.jsonl --candidates c.csv --gold gold.csv --gold-share 0.1";
    folder.refuses(
        begin,
        &["gold.csv:2", "names the query", "query, a, b and answer"],
    );
    assert!(!folder.path("c.jsonl").exists());
}
