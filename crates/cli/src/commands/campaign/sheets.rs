//! Question sheets, one per assessor.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use clap::Args;
use partita::FileStore;
use partita::formats::{FormatError, Source, diagnostic, preferences};
use partita::judging::campaign::log::Stamp;
use partita::judging::campaign::{
    Campaign, CampaignSession, Leases, QueryPair, QuestionSheets, QuestionSheetsRequest,
};
use partita::report::View;
use partita::report::views::campaign::QuestionSheetView;

use super::{pluralise, print_message};
use crate::output::destination::create_folder;
use crate::output::error::CliError;
use crate::output::figure::file_name;
use crate::output::result::ResultArgs;

/// Recipients of sheets.
#[derive(Clone, Debug, Args)]
pub(super) struct SheetArgs {
    /// Write a sheet for this person; may be given several times
    #[arg(long, value_name = "NAME", conflicts_with_all = ["new", "ask"])]
    person: Vec<String>,
    /// Write a sheet for each of this many people, called person-1 and so on, or for each name in
    /// this file, one per line
    #[arg(long, value_name = "N|FILE", conflicts_with_all = ["new", "ask"], requires = "output")]
    people: Option<String>,
    /// Maximum number of questions on a sheet
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    questions: u32,
}

/// Assessors who get a question sheet, and the maximum number of questions for each.
pub(super) struct SheetRecipients {
    names: Vec<String>,
    questions: usize,
}

impl SheetArgs {
    /// Returns the assessors who get a sheet; `None` if no option names any.
    pub(super) fn people(&self) -> Result<Option<SheetRecipients>, CliError> {
        let mut names = self.person.clone();
        if let Some(people) = &self.people {
            match people.parse::<usize>() {
                Ok(count @ 1..=10_000) => {
                    let width = count.to_string().len();
                    names.extend((1..=count).map(|number| format!("person-{number:0width$}")));
                }
                Ok(count) => {
                    let message = format!("--people must be from 1 to 10,000, not {count}");
                    return Err(CliError::input(message)
                        .with_hint("give fewer people, or run the command several times"));
                }
                Err(_) => names.extend(read_names(people)?),
            }
        }
        Ok((!names.is_empty()).then_some(SheetRecipients {
            names,
            questions: self.questions as usize,
        }))
    }
}

/// Reads names of assessors, one per line.
fn read_names(file: &str) -> Result<Vec<String>, CliError> {
    let text = fs::read_to_string(file).map_err(|error| {
        CliError::from_read_error(file, &error)
            .with_hint("--people is a number, or a file with a name on each line")
    })?;
    let names = text.lines().map(str::trim).filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// Creates the sheets and writes them into the folder of --output. A single sheet without a folder
/// is the result itself.
pub(super) fn write_sheets(
    session: &mut CampaignSession<FileStore>,
    stamp: &Stamp,
    people: &SheetRecipients,
    show: &ResultArgs,
) -> Result<(), CliError> {
    let folder = show.destination.output.as_deref().filter(|to| *to != "-");
    if folder.is_none() && people.names.len() > 1 {
        let message = "sheets for several people need a folder";
        return Err(CliError::input(message).with_hint("give one with `--output sheets/`"));
    }
    let out = match folder {
        Some(folder) => outstanding_leases(session.campaign(), folder)?,
        None => Leases::new(),
    };
    let request = QuestionSheetsRequest {
        assessors: people.names.clone(),
        questions: people.questions,
        out,
    };
    let mut sheets = session.issue_sheets(stamp, &request)?;
    let mut summary = show.clone();
    if let Some(folder) = folder {
        write_sheet_files(&mut sheets, folder)?;
        // --output is the folder of the sheets; the summary goes to standard output.
        summary.destination.output = None;
    }
    summary.print(&sheets, &sheets, Vec::new())?;
    print_message(&summary_message(&sheets));
    Ok(())
}

/// Returns the questions on sheets in the folder that are not answered in the log.
fn outstanding_leases(campaign: &Campaign, folder: &str) -> Result<Leases, CliError> {
    if !Path::new(folder).exists() {
        create_folder(folder)?;
    }
    let entries = fs::read_dir(folder).and_then(std::iter::Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| CliError::from_read_error(folder, &error))?;
    let mut files: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "csv"));
    files.sort();
    let mut places = Vec::new();
    let mut questions = Vec::new();
    for file in files {
        let source = Source::open(&file.to_string_lossy())?;
        for row in preferences::read_question_sheet(&source)? {
            places.push((source.name().to_owned(), row.line));
            let (query, a, b) = (row.query, row.a, row.b);
            questions.push((row.assessor, QueryPair { query, a, b }));
        }
    }
    let rows = questions
        .iter()
        .map(|(who, question)| (who.as_str(), question.clone()));
    campaign.leases_from_sheets(rows).map_err(|(row, refusal)| {
        let (file, line) = &places[row];
        let problem = diagnostic!(UnknownName: "{refusal}");
        CliError::from(FormatError::in_file(file, problem).at_line(*line))
            .with_hint("use a separate folder for the sheets of each campaign")
    })
}

/// Writes each sheet to a new file. An existing sheet is never overwritten, because somebody may be
/// filling it in.
fn write_sheet_files(sheets: &mut QuestionSheets, folder: &str) -> Result<(), CliError> {
    let campaign = sheets.campaign.clone();
    for sheet in &mut sheets.sheets {
        let mut number = 1;
        let (path, mut file) = loop {
            let name = format!("{}-{number}.csv", file_name(&sheet.assessor));
            let path = Path::new(folder).join(name);
            match File::create_new(&path) {
                Ok(file) => break (path.to_string_lossy().into_owned(), file),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => {
                    return Err(CliError::from_write_error(&path.to_string_lossy(), &error));
                }
            }
        };
        let mut text = Vec::new();
        let view = QuestionSheetView {
            campaign: &campaign,
            sheet,
        };
        let written = view
            .write_csv(&mut text)
            .and_then(|()| file.write_all(&text));
        written.map_err(|error| CliError::from_write_error(&path, &error))?;
        sheet.file = Some(path);
    }
    Ok(())
}

fn summary_message(sheets: &QuestionSheets) -> String {
    let questions: usize = sheets
        .sheets
        .iter()
        .map(|sheet| sheet.questions.len())
        .sum();
    let mut message = format!(
        "{} with {}",
        pluralise(sheets.sheets.len() as u64, "new sheet"),
        pluralise(questions as u64, "question")
    );
    for (people, what) in [
        (&sheets.waiting, "still have one"),
        (&sheets.idle, "have nothing to do now"),
    ] {
        if !people.is_empty() {
            message.push_str(&format!("; {} {what}", people.len()));
        }
    }
    message + "."
}
