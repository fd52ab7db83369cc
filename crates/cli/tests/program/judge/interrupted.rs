//! Tests of interrupted commands and of concurrent commands on one log.

use std::fs::{self, File, OpenOptions};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::judge::organiser::{ITEMS, answers_to_open_pairs, small_campaign};
use crate::judge::support::{Campaign, answers};
use crate::session::{Folder, Program};

#[test]
fn a_log_truncated_at_any_byte_can_be_continued() {
    let campaign = Campaign::new(&["--votes", "1", "--decide", "majority"]);
    let asked = campaign.next();
    campaign.add(&answers(&asked, "p"), &[]);
    let whole = campaign.bytes();
    let kept = campaign.output("export", &["--answers"]);
    let lines: Vec<usize> = (whole.iter().enumerate())
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(place, _)| place + 1)
        .collect();
    // The tests of `partita-judging` truncate at every byte; these only within the first line after
    // the settings and within the last line.
    let ends: Vec<&[usize]> = lines.windows(2).collect();
    let cuts = [ends[0], ends[ends.len() - 1]]
        .into_iter()
        .flat_map(|ends| {
            let middle = (ends[0] + ends[1]) / 2;
            [ends[0], ends[0] + 1, middle, ends[1] - 2, ends[1] - 1]
        });
    for cut in cuts {
        std::fs::write(&campaign.log, &whole[..cut]).expect("a log");
        let _ = std::fs::remove_file(format!("{}.torn", campaign.log));
        let torn = !lines.contains(&cut) && !lines.contains(&(cut + 1));
        let said = campaign.run("replay", &[]);
        assert_eq!(said.code, 0, "{cut}: {}", said.err);
        assert_eq!(said.err.contains("unfinished"), torn, "{cut}: {}", said.err);
        assert!(campaign.bytes() == whole[..cut], "reading changes nothing");
        // A writing command moves the incomplete line to another file. Adding the answers again
        // restores all of them.
        let said = campaign.run("next", &[]);
        assert_eq!(said.code, 0, "{cut}: {}", said.err);
        assert_eq!(said.err.contains("moved to"), torn, "{cut}: {}", said.err);
        if torn {
            let aside = std::fs::read(format!("{}.torn", campaign.log)).expect("what was cut off");
            let start = lines.iter().rfind(|&&end| end <= cut).expect("a line");
            assert_eq!(aside, [&whole[*start..cut], b"\n"].concat());
        }
        let said = campaign.add(&answers(&asked, "p"), &[]);
        assert_eq!(said.code, 0, "{cut}: {}", said.err);
        let now = campaign.output("export", &["--answers"]);
        assert_eq!(sorted(&now), sorted(&kept), "{cut}");
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn commands_report_a_log_whose_creation_was_interrupted() {
    let campaign = Campaign::new(&[]);
    let whole = campaign.bytes();
    for cut in [0, 1, 10, whole.len() / 2] {
        std::fs::write(&campaign.log, &whole[..cut]).expect("a log");
        for command in ["status", "next"] {
            let said = campaign.run(command, &[]);
            assert_eq!(said.code, 2);
            assert!(said.err.contains("never begun"), "{cut}: {}", said.err);
            assert!(said.err.contains("remove the file"), "{cut}: {}", said.err);
        }
    }
}

#[test]
fn a_damaged_line_is_reported_and_the_log_left_unchanged() {
    let campaign = Campaign::new(&[]);
    campaign.finish();
    let text = String::from_utf8(campaign.bytes()).expect("UTF-8");
    let damaged = text.replacen("\"event\":\"answered\"", "\"event\":\"answer", 1);
    std::fs::write(&campaign.log, &damaged).expect("a log");
    for command in ["status", "next", "export"] {
        let said = campaign.run(command, &[]);
        assert_eq!(said.code, 2);
        assert!(
            said.err
                .contains("trial.jsonl:3: event 3 was changed: it is no event"),
            "{}",
            said.err
        );
    }
    assert!(campaign.bytes() == damaged.as_bytes());
}

#[test]
fn two_commands_never_write_at_the_same_time() {
    let campaign = Campaign::new(&[]);
    let held = OpenOptions::new()
        .append(true)
        .open(&campaign.log)
        .expect("the log");
    held.lock().expect("a lock");
    let said = campaign.run("next", &[]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("another command is writing"),
        "{}",
        said.err
    );
    assert_eq!(campaign.run("status", &[]).code, 0, "reading goes on");
    drop(held);
    assert_eq!(campaign.run("next", &[]).code, 0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_file_that_blocks_the_next_init() {
    let folder = Folder::new();
    folder.file("c.csv", ITEMS);
    let program = Program::within(&folder.path(""), "judge init c.jsonl -c c.csv").into_command();
    // `ulimit -f 0` forbids writing to files; with the signal XFSZ ignored, writes fail as on a
    // full disk.
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
fn a_read_only_log_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let campaign = small_campaign(&["--votes", "2"]);
    fs::set_permissions(&campaign.log, fs::Permissions::from_mode(0o444)).expect("permissions");
    if OpenOptions::new().append(true).open(&campaign.log).is_ok() {
        // The superuser can write a read-only file, so the test does not apply.
        return;
    }
    let said = campaign.run("pause", &[]);
    assert_eq!(said.code, 2);
    said.says(&["cannot be written"]);
}

#[test]
fn the_option_wait_waits_for_the_lock_of_another_command() {
    let campaign = small_campaign(&["--votes", "2"]);
    let answers = answers_to_open_pairs(&campaign, &["ann"]);
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
