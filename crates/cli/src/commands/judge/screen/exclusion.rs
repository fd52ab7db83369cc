//! Leaving people's votes out, and taking them in again.

use partita_judging::campaign::{ExclusionRequest, NotExcluded};
use partita_report::{Cell, Column, Table};

use super::super::format::csv;
use super::super::{counted, log_file, say};
use super::ScreenArgs;
use crate::failure::Failure;
use crate::format::{Form, Format};

pub(super) fn run(args: &ScreenArgs, log: &str) -> Result<(), Failure> {
    let mut session = log_file::open(log)?;
    let request = ExclusionRequest {
        exclude: args.exclude.clone(),
        readmit: args.readmit.clone(),
    };
    let done = session.exclude(&args.stamp.stamp(), &request);
    let (plan, effect) = done.map_err(|error| match error {
        NotExcluded::Refused(refusal) => Failure::input(refusal.to_string())
            .hint("`partita judge export LOG --answers` names everybody"),
        NotExcluded::NotRecorded(error) => error.into(),
    })?;
    for (name, excluded) in &plan.unchanged {
        let state = if *excluded {
            "excluded already"
        } else {
            "not excluded"
        };
        say(&format!("`{name}` is {state}; nothing changes."));
    }
    let talk = format!(
        "{} are votes now, {} before; {} open again; {} changed.",
        effect.votes,
        effect.votes_before,
        counted(effect.reopened.len() as u64, "pair"),
        counted(effect.changed_lists.len() as u64, "list"),
    );
    let reopened =
        (effect.reopened.iter()).map(|pair| [pair.query.clone(), pair.a.clone(), pair.b.clone()]);
    let text = match Format::chosen(args.format, &args.destination) {
        Form::Json => serde_json::to_string_pretty(&effect).map_err(Failure::ours)? + "\n",
        Form::Csv => csv(["query", "a", "b"], reopened)?,
        Form::Table(format) => {
            let header = ["Open again", "A", "B"].map(Column::text);
            let mut table = Table::new(header);
            for pair in reopened {
                let cells = pair.map(Cell::text);
                table.push(cells);
            }
            format.render(&table)
        }
    };
    args.destination.write(&text)?;
    say(&talk);
    Ok(())
}
