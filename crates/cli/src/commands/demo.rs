//! `partita demo`: worked evaluation on built-in data, and a demo campaign.

#[cfg(feature = "server")]
mod server;

use std::path::{Path, PathBuf};

use clap::Args;
use partita::evaluation::EvaluationRequest;
use partita::formats::Source;
use partita::formats::truth::TruthReadOptions;
use partita::measure::{average_dynamic_recall, dynamic_recall};
use partita::report::views::evaluation::EvaluationView;
use partita::report::{Cell, Column, Table, TableFormat, Terminal, View, recall_figure};
use partita::work::SequentialWork;
use partita::{EvaluationFiles, QueryTruth, Ranking, evaluate_files};

#[cfg(not(feature = "server"))]
use super::features;
use crate::output::destination::{Destination, create_folder, write_file};
use crate::output::error::CliError;

/// Show a worked evaluation, then serve a small campaign to try out
///
/// All data comes with the program. The server listens on a free port of this machine only, and
/// stops with Ctrl-C. It prints one link per judge and the address where the organiser signs in.
/// The token of the organiser is in a file and is not printed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita demo\n  partita demo --no-serve --output demo-files\n  partita demo --data campaigns"
)]
pub(crate) struct DemoArgs {
    /// Write the data of the evaluation and its figure to this folder
    #[arg(long, short, value_name = "DIR")]
    output: Option<String>,
    /// Show only the evaluation
    #[arg(long)]
    no_serve: bool,
    /// Folder of the server, which is kept [default: a temporary folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_serve")]
    data: Option<PathBuf>,
}

/// Name and text of the files of an invented evaluation: a ground truth of eight queries, and runs
/// of three systems.
const DEMO_FILES: [(&str, &str); 4] = [
    ("truth.txt", include_str!("../../demo/truth.txt")),
    ("contour.run", include_str!("../../demo/contour.run")),
    ("ngrams.run", include_str!("../../demo/ngrams.run")),
    ("rhythm.run", include_str!("../../demo/rhythm.run")),
];

pub(crate) fn run(args: &DemoArgs) -> Result<(), CliError> {
    let folder = args.output.as_deref();
    if let Some(folder) = folder {
        create_folder(folder)?;
        for (name, text) in DEMO_FILES {
            write_file(Path::new(folder).join(name), text)?;
        }
    }
    let destination = Destination::default();
    let mut text = worked_example();
    text.push_str(&example_evaluation(folder, destination.terminal())?);
    destination.write(&text)?;
    match args.no_serve {
        true => Ok(()),
        false => serve(args.data.as_deref()),
    }
}

#[cfg(feature = "server")]
fn serve(data: Option<&Path>) -> Result<(), CliError> {
    server::serve(data)
}

/// Returns an error, because this build has no server.
#[cfg(not(feature = "server"))]
fn serve(_data: Option<&Path>) -> Result<(), CliError> {
    let hint = "`partita demo --no-serve` only shows the evaluation";
    Err(CliError::from(features::SERVER).with_hint(hint))
}

/// Explains average dynamic recall (ADR) position by position, on the example of Typke, Veltkamp
/// and Wiering (2006).
fn worked_example() -> String {
    let groups = [["1", "2"].as_slice(), &["3", "4", "5"]];
    let result = ["2", "3", "1", "5", "7", "8", "9", "4"];
    let truth = QueryTruth::from_groups(groups).expect("the example has no duplicate item");
    let ranking = Ranking::from_names(truth.names(), result);
    let n = truth.list().len();
    let recall = dynamic_recall(&truth, &ranking, n);
    let columns = [
        Column::integer("Position"),
        Column::text("Returned so far"),
        Column::text("Relevant by now"),
        Column::number("Dynamic recall", 2),
    ];
    let adr = average_dynamic_recall(&truth, &ranking).expect("the list is not empty");
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
    format!(
        "A ground truth is a list of groups. In (1, 2), (3, 4, 5) the items 1 and 2 are\n\
         equally good, and both are better than 3, 4 and 5. A system returned 2, 3, 1, 5,\n\
         7, 8, 9, 4. How well did it do? At each position, count how many of the items\n\
         that should have come by then it has returned:\n\n{}\n",
        TableFormat::Text.render(&table)
    )
}

/// Evaluates the three systems of the invented evaluation and returns the result as text. Also
/// writes its figure if there is a folder.
fn example_evaluation(folder: Option<&str>, terminal: Terminal) -> Result<String, CliError> {
    let [truth, runs @ ..] = DEMO_FILES.map(|(name, text)| Source::from_bytes(name, text));
    let request = EvaluationRequest {
        measures: ["ADR", "nDCG@5"].map(str::to_owned).to_vec(),
        intervals: true,
        sort: Some("ADR".to_owned()),
        dynamic_recall: folder.is_some(),
        ..EvaluationRequest::default()
    };
    let files = EvaluationFiles {
        truth: &truth,
        truth_options: TruthReadOptions::default(),
        runs: &runs,
        run_format: None,
        strata: None,
    };
    let scored = evaluate_files(&request, &files, &SequentialWork)?;
    let evaluation = scored.evaluation;
    let view = EvaluationView {
        result: &evaluation,
        per_query: false,
        with_settings: false,
    };
    // Part of the lesson: a warning on standard error would come before the text that explains it.
    let document = (scored.warnings.iter()).fold(view.document(), |document, warning| {
        document.paragraph(format!("The command also warns: {warning}."))
    });
    let table = TableFormat::Text.render_document_for(&document, terminal);
    let next = match folder {
        Some(folder) => {
            let svg = recall_figure(&evaluation, &scored.truth).to_svg();
            write_file(Path::new(folder).join("recall.svg"), svg)?;
            format!(
                "The files are in {folder}, and recall.svg shows the dynamic recall of each query.\n\
                 Go there and try it:\n  partita evaluate --truth truth.txt *.run --per-query\n"
            )
        }
        None => "To get the files and a figure: partita demo --no-serve --output demo-files\n"
            .to_owned(),
    };
    Ok(format!(
        "The same on an invented campaign of three systems and eight queries:\n  \
         partita evaluate --truth truth.txt *.run -m ADR,nDCG@5 --intervals --sort ADR\n\n{table}\n{next}"
    ))
}
