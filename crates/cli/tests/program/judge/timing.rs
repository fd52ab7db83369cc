//! Test of a command that is killed at various times. The tests in `interrupted` cover truncated
//! logs without depending on time.

use std::process::Stdio;
use std::time::Duration;

use crate::judge::support::{Campaign, answers};
use crate::session::Program;

#[test]
#[ignore = "depends on the clock: `make explore` runs it"]
fn killing_judge_add_at_any_time_loses_and_duplicates_no_answer() {
    let campaign = Campaign::new(&[]);
    let text = answers(&campaign.next(), "p");
    let file = campaign.file("answers.csv", &text);
    for delay in 0..12 {
        let mut child = Program::new()
            .args(&["judge", "add", &campaign.log, &file])
            .into_command()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(delay * delay / 4));
        // An error means that the process has already ended.
        let _ = child.kill();
        child.wait().expect("the program ends");
        assert_eq!(campaign.run("status", &[]).code, 0);
    }
    assert_eq!(campaign.run("add", &[&file]).code, 0);
    let kept = campaign.output("export", &["--answers"]);
    assert_eq!(kept.lines().count(), text.lines().count());
    assert!(
        kept.lines().skip(1).all(|line| line.ends_with(",counted")),
        "{kept}"
    );
}
