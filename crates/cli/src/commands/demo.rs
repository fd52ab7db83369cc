//! `partita demo`: a worked evaluation on data that comes with the program.

use std::path::Path;

use clap::{Args, Parser};
use partita_core::measure::{average_dynamic_recall, dynamic_recall};
use partita_core::{Judged, Ranking};
use partita_formats::Source;
use partita_report::{Cell, Column, Table, TableFormat};

use super::{Command, evaluate};
use crate::failure::Failure;
use crate::output::{Destination, write_file};

/// Show a worked evaluation on data that comes with the program
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  partita demo\n  partita demo --output demo-files")]
pub(crate) struct DemoArgs {
    /// Write the data and the figure to this folder, to try the commands on them
    #[arg(long, short, value_name = "DIR")]
    output: Option<String>,
}

/// An invented campaign: eight queries, three systems.
const FILES: [(&str, &str); 4] = [
    ("truth.txt", include_str!("../../demo/truth.txt")),
    ("contour.run", include_str!("../../demo/contour.run")),
    ("ngrams.run", include_str!("../../demo/ngrams.run")),
    ("rhythm.run", include_str!("../../demo/rhythm.run")),
];

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let folder = args.output.as_deref();
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
        for (name, text) in FILES {
            write_file(&Path::new(folder).join(name).to_string_lossy(), text)?;
        }
    }
    let mut text = worked_example()?;
    text.push_str(&campaign(folder)?);
    Destination::default().write(&text)
}

/// ADR position by position, on the example of Typke, Veltkamp and Wiering (2006).
fn worked_example() -> Result<String, Failure> {
    let groups = [["1", "2"].as_slice(), &["3", "4", "5"]];
    let result = ["2", "3", "1", "5", "7", "8", "9", "4"];
    let truth = Judged::of_groups(groups).map_err(Failure::ours)?;
    let ranking = Ranking::of(truth.names(), result);
    let n = truth.list().len();
    let recall = dynamic_recall(&truth, &ranking, n);
    let columns = [
        Column::integer("Position"),
        Column::text("Returned so far"),
        Column::text("Relevant by now"),
        Column::number("Dynamic recall", 2),
    ];
    let adr = average_dynamic_recall(&truth, &ranking).unwrap_or_default();
    let mut table =
        Table::new(columns).with_note(format!("Average Dynamic Recall is their mean: {adr:.2}."));
    for (before, recall) in recall.into_iter().enumerate() {
        let open = groups.iter().scan(0, |end, group| {
            let starts_in_time = *end <= before;
            *end += group.len();
            starts_in_time.then_some(group.join(", "))
        });
        let row = [
            Cell::integer(before as i64 + 1),
            Cell::text(result[..=before].join(", ")),
            Cell::text(open.collect::<Vec<_>>().join(", ")),
            Cell::number(recall),
        ];
        table.push(row);
    }
    Ok(format!(
        "A ground truth is a list of groups. In (1, 2), (3, 4, 5) the items 1 and 2 are equally good,\n\
         and both are better than 3, 4 and 5. A system returned 2, 3, 1, 5, 7, 8, 9, 4. How well did\n\
         it do? At each position, count what it has returned of what should have come by then:\n\n{}\n",
        TableFormat::Text.render(&table)
    ))
}

/// Three systems on eight queries.
fn campaign(folder: Option<&str>) -> Result<String, Failure> {
    let [truth, runs @ ..] = FILES.map(|(name, text)| Source::memory(name, text));
    let mut words = "partita evaluate --truth truth.txt contour.run ngrams.run rhythm.run \
                     -m ADR -m nDCG@5 --intervals --sort ADR --format table"
        .split_whitespace()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    let shown = words[..words.len() - 2].join(" ");
    if let Some(folder) = folder {
        let figure = Path::new(folder).join("recall.svg");
        words.extend(["--figure".to_owned(), figure.to_string_lossy().into_owned()]);
    }
    let Ok(Command::Evaluate(args)) = Command::try_parse_from(words) else {
        return Err(Failure::ours("the command of the demonstration is wrong"));
    };
    let table = evaluate::evaluate(&args, &truth, &runs)?;
    let next = match folder {
        Some(folder) => format!(
            "The files are in {folder}, and recall.svg shows the dynamic recall of each query. Go \
             there and try it:\n  partita evaluate --truth truth.txt *.run --per-query\n"
        ),
        None => "To get the files and a figure: partita demo --output demo-files\n".to_owned(),
    };
    Ok(format!(
        "The same on an invented campaign of three systems and eight queries:\n  {shown}\n\n{table}\n{next}"
    ))
}
