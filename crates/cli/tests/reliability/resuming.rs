//! A study that is broken off goes on where it was.

use crate::session::Session;

const STUDY: &str = "reliability scores.csv --trials 70 --format json";

#[test]
fn a_study_broken_off_anywhere_ends_as_one_in_a_go() {
    let session = Session::with_scores(5, 20);
    let whole = session.output(STUDY);
    assert_eq!(
        session.output(&format!("{STUDY} --resume done.jsonl")),
        whole
    );
    let done = session.read("done.jsonl");
    assert_eq!(done.lines().count(), 5);
    // Cut off in the header, at its end, within a line, and at the end of one.
    let header = done.find('\n').unwrap() + 1;
    let second = header + done[header..].find('\n').unwrap() + 1;
    for cut in [
        0,
        10,
        header - 1,
        header,
        header + 20,
        second,
        second + 1,
        done.len() - 1,
    ] {
        session.write("done.jsonl", &done[..cut]);
        assert_eq!(
            session.output(&format!("{STUDY} --resume done.jsonl")),
            whole,
            "{cut}"
        );
        let mut lines: Vec<String> = session
            .read("done.jsonl")
            .lines()
            .map(str::to_owned)
            .collect();
        let mut expected: Vec<&str> = done.lines().collect();
        lines.sort();
        expected.sort_unstable();
        assert_eq!(lines, expected, "{cut}");
    }
}

#[test]
fn what_is_done_is_taken_from_the_file() {
    let session = Session::with_scores(5, 20);
    session.output(&format!("{STUDY} --resume done.jsonl"));
    let done = session.read("done.jsonl");
    let line = done.lines().nth(1).unwrap();
    let significant = |count: &str| {
        let (before, after) = line.split_once("\"significant\":").unwrap();
        let end = after.find(',').unwrap();
        let changed = format!("{before}\"significant\":{count}{}", &after[end..]);
        session.write("done.jsonl", &done.replace(line, &changed));
        session.run(&format!("{STUDY} --resume done.jsonl"))
    };
    // A count that was changed is believed, so nothing was done again; an impossible one is not.
    let changed = significant("1");
    assert_eq!(changed.code, 0, "{}", changed.err);
    assert_ne!(changed.out, session.output(STUDY));
    let impossible = significant("999999999999");
    assert_eq!(impossible.code, 2, "{}", impossible.err);
    assert!(
        impossible.err.contains("done.jsonl:2"),
        "{}",
        impossible.err
    );
    // More sizes are added to what is there.
    session.write("done.jsonl", &done);
    let more = format!("{STUDY} --sizes 3:20:1");
    assert_eq!(
        session.output(&format!("{more} --resume done.jsonl")),
        session.output(&more)
    );
    assert!(session.read("done.jsonl").lines().count() > done.lines().count());
}

#[test]
fn another_study_or_another_file_is_refused_and_left_alone() {
    let session = Session::with_scores(5, 20);
    session.output(&format!("{STUDY} --resume done.jsonl"));
    let done = session.read("done.jsonl");
    for other in ["--seed 2", "--test t", "--trials 71"] {
        let study = "reliability scores.csv --trials 70 --resume done.jsonl";
        let study = match other {
            "--trials 71" => study.replace("--trials 70", other),
            _ => format!("{study} {other}"),
        };
        session.refuses(
            &study,
            &["done.jsonl", "other scores, strata, tests, trials or seed"],
        );
    }
    session.write("other.csv", &crate::session::matrix(6, 20));
    let other = STUDY.replace("scores.csv", "other.csv");
    session.refuses(&format!("{other} --resume done.jsonl"), &["hint: "]);
    assert_eq!(session.read("done.jsonl"), done);
    let scores = session.read("scores.csv");
    session.refuses(&format!("{STUDY} --resume scores.csv"), &["not a study"]);
    assert_eq!(session.read("scores.csv"), scores);
    session.write("note.txt", "no line end");
    session.refuses(&format!("{STUDY} --resume note.txt"), &["not a study"]);
    assert_eq!(session.read("note.txt"), "no line end");
    let middle = done.lines().count() / 2;
    let broken: Vec<String> = done
        .lines()
        .enumerate()
        .map(|(number, line)| {
            if number == middle {
                "{".to_owned()
            } else {
                line.to_owned()
            }
        })
        .collect();
    session.write("done.jsonl", &(broken.join("\n") + "\n"));
    session.refuses(
        &format!("{STUDY} --resume done.jsonl"),
        &[&format!("done.jsonl:{}", middle + 1)],
    );
}
