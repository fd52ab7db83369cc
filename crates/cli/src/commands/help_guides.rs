//! Guide document of each command, named in the last line of its help.

use clap::Command;

/// Guide documents by the first word of the command.
const GUIDES: [(&str, &str); 23] = [
    ("evaluate", "tutorials/score-and-compare-runs.md"),
    ("measures", "concepts.md"),
    ("compare", "which-test.md"),
    ("truth", "tutorials/from-rankings-to-a-ground-truth.md"),
    ("collection", "systems.md"),
    ("search", "systems.md"),
    ("systems", "systems.md"),
    ("tune", "systems.md"),
    ("judge", "tutorials/a-crowd-campaign-in-files.md"),
    ("convert", "files.md"),
    ("run", "files.md"),
    ("rankings", "files.md"),
    ("preferences", "files.md"),
    ("scores", "files.md"),
    ("plan", "tutorials/plan-the-next-edition.md"),
    ("reliability", "concepts.md"),
    ("serve", "server.md"),
    ("campaign", "server.md"),
    ("token", "server.md"),
    ("backup", "server.md"),
    ("restore", "server.md"),
    ("verify", "server.md"),
    ("move", "server.md"),
];

/// Adds the line that names the guide document to the help of all commands.
pub(super) fn with_guides(program: Command) -> Command {
    let program = with_guide_line(program, "README.md");
    program.mut_subcommands(|command| {
        let guide = GUIDES.iter().find(|(name, _)| *name == command.get_name());
        with_guide(command, guide.map_or("files.md", |(_, guide)| guide))
    })
}

/// Adds the line that names a guide document to the help of a command and its subcommands.
fn with_guide(command: Command, guide: &str) -> Command {
    with_guide_line(command, guide).mut_subcommands(|below| with_guide(below, guide))
}

fn with_guide_line(command: Command, guide: &str) -> Command {
    let read_on = format!("Guide: docs/{guide} (in the source)");
    let with_guide = |text: String| match text.as_str() {
        "" => read_on.clone(),
        text => format!("{text}\n\n{read_on}"),
    };
    let short = command.get_after_help().map(ToString::to_string);
    let long = command.get_after_long_help().map(ToString::to_string);
    let command = command.after_help(with_guide(short.unwrap_or_default()));
    match long {
        Some(long) => command.after_long_help(with_guide(long)),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory;

    use super::*;

    /// Appends a command and all its subcommands to `found`.
    fn collect_commands(command: &Command, found: &mut Vec<Command>) {
        found.push(command.clone());
        for below in command.get_subcommands() {
            collect_commands(below, found);
        }
    }

    fn commands() -> Vec<Command> {
        let mut found = Vec::new();
        collect_commands(&with_guides(super::super::Command::command()), &mut found);
        found
    }

    #[test]
    fn every_help_text_names_an_existing_document() {
        let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for command in commands() {
            let help = command.get_after_help().expect("a guide").to_string();
            let guide = help.lines().last().expect("a line");
            let file = guide.split_whitespace().nth(1).expect("a document");
            assert!(documents.join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn examples_fit_a_terminal_of_80_columns() {
        for command in commands() {
            for help in [command.get_after_help(), command.get_after_long_help()] {
                let help = help.map(ToString::to_string).unwrap_or_default();
                let examples = help.lines().skip_while(|line| *line != "Examples:");
                for line in examples {
                    assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
                }
            }
        }
    }
}
