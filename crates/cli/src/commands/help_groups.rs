//! Groups of subcommands in the help of commands that have many.
//!
//! clap lists all subcommands under one heading, so the list is built here from the command tree.

use clap::Command;

/// Heading in the help, with the names of the subcommands under it.
type CommandGroup = (&'static str, &'static [&'static str]);

/// Heading of the commands that no group names.
const OTHER_HEADING: &str = "Other";

/// Groups of subcommands of `partita`. Commands that are not built in are skipped.
const PROGRAM_GROUPS: [CommandGroup; 6] = [
    (
        "Score and compare",
        &[
            "evaluate",
            "compare",
            "measures",
            "reliability",
            "plan",
            "stats",
        ],
    ),
    ("Build and check ground truths", &["truth"]),
    ("Collect judgments", &["campaign", "judge"]),
    (
        "Search melodies",
        &["collection", "search", "systems", "tune"],
    ),
    (
        "Run a server for judgments",
        &["serve", "token", "backup", "restore", "verify", "move"],
    ),
    (OTHER_HEADING, &["convert", "demo", "completions", "man"]),
];

/// Groups of subcommands of `partita campaign` and of its alias `partita judge`.
const CAMPAIGN_GROUPS: [CommandGroup; 6] = [
    ("Run a campaign in a file", &["init", "next", "add"]),
    (
        "Run a campaign on a server",
        &["create", "list", "invite", "log", "delete"],
    ),
    (
        "Look at a campaign",
        &["status", "decide", "screen", "agree", "batches", "export"],
    ),
    (
        "Change a campaign",
        &[
            "exclude", "readmit", "retract", "votes", "extend", "pause", "resume", "close",
        ],
    ),
    ("Check the log", &["verify", "replay"]),
    ("Plan a campaign", &["simulate"]),
];

/// Lists the subcommands of `partita`, `partita campaign` and `partita judge` in groups in their
/// help.
pub(super) fn with_groups(program: Command) -> Command {
    let program = ["campaign", "judge"].iter().fold(program, |program, name| {
        program.mut_subcommand(name, |command| {
            with_grouped_subcommands(command, &CAMPAIGN_GROUPS)
        })
    });
    with_grouped_subcommands(program, &PROGRAM_GROUPS)
}

/// Replaces the list of subcommands in the help of a command by groups.
fn with_grouped_subcommands(command: Command, groups: &[CommandGroup]) -> Command {
    let header = *command.get_styles().get_header();
    let heading = |text: &str| format!("{}{text}:{}", header.render(), header.render_reset());
    let list = list_subcommands(&command, groups, heading);
    let options = heading("Options");
    command.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{options}\n{{options}}{{after-help}}"
    ))
}

/// Returns the visible subcommands as text, one per line under the headings of their groups.
///
/// Subcommands that no group names follow in the last group, `Other`.
fn list_subcommands(
    command: &Command,
    groups: &[CommandGroup],
    heading: impl Fn(&str) -> String,
) -> String {
    let visible: Vec<&Command> = (command.get_subcommands())
        .filter(|subcommand| !subcommand.is_hide_set())
        .collect();
    let width = visible.iter().map(|member| member.get_name().len()).max();
    let width = width.unwrap_or(0).max("help".len());
    let style = *command.get_styles().get_literal();
    let line = |name: &str, about: &str| {
        let (on, off) = (style.render(), style.render_reset());
        let blanks = " ".repeat(width - name.len());
        format!("  {on}{name}{off}{blanks}  {about}\n")
    };
    let member_line = |member: &Command| {
        let about = member.get_about().map(ToString::to_string);
        line(member.get_name(), &about.unwrap_or_default())
    };
    let mut text = String::new();
    let mut others = String::new();
    for (title, names) in groups {
        let named = names.iter().filter_map(|name| {
            let mut members = visible.iter();
            members.find(|member| member.get_name() == *name)
        });
        let lines: String = named.map(|member| member_line(member)).collect();
        if *title == OTHER_HEADING {
            others = lines;
        } else if !lines.is_empty() {
            text.push_str(&format!("{}\n{lines}\n", heading(title)));
        }
    }
    let is_grouped = |name: &str| groups.iter().any(|(_, names)| names.contains(&name));
    for member in visible {
        if !is_grouped(member.get_name()) {
            others.push_str(&member_line(member));
        }
    }
    others.push_str(&line("help", "Print the help of a command"));
    text.push_str(&format!("{}\n{others}\n", heading(OTHER_HEADING)));
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Returns the commands whose help has groups, with their groups.
    fn commands() -> [(Command, &'static [CommandGroup]); 3] {
        let program = super::super::Command::command();
        let subcommand = |name: &str| program.find_subcommand(name).expect("a command").clone();
        [
            (subcommand("campaign"), &CAMPAIGN_GROUPS),
            (subcommand("judge"), &CAMPAIGN_GROUPS),
            (program, &PROGRAM_GROUPS),
        ]
    }

    #[test]
    fn every_visible_command_is_listed_once() {
        for (command, groups) in commands() {
            let text = list_subcommands(&command, groups, std::borrow::ToOwned::to_owned);
            let plain = strip_styles(&text);
            for subcommand in command.get_subcommands() {
                let start = format!("  {} ", subcommand.get_name());
                let lines = plain
                    .lines()
                    .filter(|line| line.starts_with(&start))
                    .count();
                let expected = usize::from(!subcommand.is_hide_set());
                assert_eq!(lines, expected, "{}", subcommand.get_name());
            }
        }
    }

    #[test]
    fn commands_without_a_group_are_listed_under_other() {
        let command = Command::new("x")
            .subcommand(Command::new("a").about("A"))
            .subcommand(Command::new("b").about("B"))
            .subcommand(Command::new("c").about("C").hide(true));
        let text = list_subcommands(
            &command,
            &[("Job", &["a", "gone"])],
            std::borrow::ToOwned::to_owned,
        );
        let expected =
            "Job\n  a     A\n\nOther\n  b     B\n  help  Print the help of a command\n\n";
        assert_eq!(strip_styles(&text), expected);
    }

    #[test]
    fn lists_fit_a_terminal_of_80_columns() {
        for (command, groups) in commands() {
            let text = strip_styles(&list_subcommands(
                &command,
                groups,
                std::borrow::ToOwned::to_owned,
            ));
            let names = groups.iter().flat_map(|(_, names)| *names);
            for name in names {
                let start = format!("  {name} ");
                let line = text.lines().find(|line| line.starts_with(&start));
                assert!(
                    line.is_none_or(|line| line.chars().count() <= 80),
                    "{line:?}"
                );
            }
        }
    }

    /// Removes the escape sequences of styles.
    fn strip_styles(text: &str) -> String {
        let mut parts = text.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest));
        rest.fold(first, |plain, part| plain + part)
    }
}
