//! A study that is broken off goes on where it was.

use crate::session::Folder;

const STUDY: &str = "reliability scores.csv --trials 70 --format json";

#[test]
fn a_study_broken_off_anywhere_ends_as_one_in_a_go() {
    let folder = Folder::with_scores(5, 20);
    let whole = folder.output(STUDY);
    assert_eq!(
        folder.output(&format!("{STUDY} --resume done.jsonl")),
        whole
    );
    let done = folder.read("done.jsonl");
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
        folder.file("done.jsonl", &done[..cut]);
        assert_eq!(
            folder.output(&format!("{STUDY} --resume done.jsonl")),
            whole,
            "{cut}"
        );
        let mut lines: Vec<String> = folder
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
    let folder = Folder::with_scores(5, 20);
    folder.output(&format!("{STUDY} --resume done.jsonl"));
    let done = folder.read("done.jsonl");
    let line = done.lines().nth(1).unwrap();
    let significant = |count: &str| {
        let (before, after) = line.split_once("\"significant\":").unwrap();
        let end = after.find(',').unwrap();
        let changed = format!("{before}\"significant\":{count}{}", &after[end..]);
        folder.file("done.jsonl", done.replace(line, &changed));
        folder.run(&format!("{STUDY} --resume done.jsonl"))
    };
    // A count that was changed is believed, so nothing was done again; an impossible one is not.
    let changed = significant("1");
    assert_eq!(changed.code, 0, "{}", changed.err);
    assert_ne!(changed.out, folder.output(STUDY));
    let impossible = significant("999999999999");
    assert_eq!(impossible.code, 2, "{}", impossible.err);
    assert!(
        impossible.err.contains("done.jsonl:2"),
        "{}",
        impossible.err
    );
    // More sizes are added to what is there.
    folder.file("done.jsonl", &done);
    let more = format!("{STUDY} --sizes 3:20:1");
    assert_eq!(
        folder.output(&format!("{more} --resume done.jsonl")),
        folder.output(&more)
    );
    assert!(folder.read("done.jsonl").lines().count() > done.lines().count());
}

#[test]
fn another_study_or_another_file_is_refused_and_left_alone() {
    let folder = Folder::with_scores(5, 20);
    folder.output(&format!("{STUDY} --resume done.jsonl"));
    let done = folder.read("done.jsonl");
    for other in ["--seed 2", "--test t", "--trials 71"] {
        let study = "reliability scores.csv --trials 70 --resume done.jsonl";
        let study = match other {
            "--trials 71" => study.replace("--trials 70", other),
            _ => format!("{study} {other}"),
        };
        folder.refuses(
            &study,
            &["done.jsonl", "other scores, strata, tests, trials or seed"],
        );
    }
    folder.file("other.csv", crate::reliability::worlds::matrix(6, 20));
    let other = STUDY.replace("scores.csv", "other.csv");
    folder.refuses(&format!("{other} --resume done.jsonl"), &["hint: "]);
    assert_eq!(folder.read("done.jsonl"), done);
    let scores = folder.read("scores.csv");
    folder.refuses(&format!("{STUDY} --resume scores.csv"), &["not a study"]);
    assert_eq!(folder.read("scores.csv"), scores);
    folder.file("note.txt", "no line end");
    folder.refuses(&format!("{STUDY} --resume note.txt"), &["not a study"]);
    assert_eq!(folder.read("note.txt"), "no line end");
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
    folder.file("done.jsonl", &(broken.join("\n") + "\n"));
    folder.refuses(
        &format!("{STUDY} --resume done.jsonl"),
        &[&format!("done.jsonl:{}", middle + 1)],
    );
}
