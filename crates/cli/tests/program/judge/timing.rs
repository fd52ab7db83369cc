//! Commands that are killed at some time or other. Every place at which a log can be cut off is tried
//! in `interrupted`, without a clock.

use std::process::Stdio;
use std::time::Duration;

use crate::judge::support::{Campaign, answers};
use crate::session::Program;

#[test]
#[ignore = "depends on the clock: `make explore` runs it"]
fn killing_a_command_at_any_time_loses_nothing_and_adds_nothing_twice() {
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
        // It may be done already.
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
