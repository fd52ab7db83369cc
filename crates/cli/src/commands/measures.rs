//! `partita measures`: every measure with its definition.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use partita_core::measure::{self, Cutoff, Definition, REGISTRY};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::json;

use crate::failure::Failure;
use crate::output::Destination;

/// List every measure, or say all of one: definition, formula, parameters, reference
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita measures\n  partita measures nDCG\n  partita measures --format json"
)]
pub(crate) struct MeasuresArgs {
    /// The measure to say all of
    name: Option<String>,
    /// How the result is written; a table on a terminal, else CSV
    #[arg(long, value_enum)]
    format: Option<ListFormat>,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    Table,
    Csv,
    Json,
}

pub(crate) fn run(args: &MeasuresArgs) -> Result<(), Failure> {
    let chosen: Vec<&Definition> = match &args.name {
        // `partita measures nDCG@10` asks for nDCG.
        Some(name) => vec![measure::definition_of(name)?],
        None => REGISTRY.to_vec(),
    };
    let default = match args.destination.is_terminal() || args.name.is_some() {
        true => ListFormat::Table,
        false => ListFormat::Csv,
    };
    let text = match args.format.unwrap_or(default) {
        ListFormat::Table if args.name.is_some() => chosen.iter().map(|d| describe(d)).collect(),
        ListFormat::Table => table(&chosen)?,
        ListFormat::Csv => csv(&chosen)?,
        ListFormat::Json => {
            let all: Vec<_> = chosen.iter().map(|d| as_json(d)).collect();
            format!("{:#}\n", json!({ "measures": all }))
        }
    };
    args.destination.write(&text)
}

/// The formula of a measure as its example is computed.
fn formula(definition: &Definition) -> String {
    measure::parse(definition.example, 1.0).map_or(String::new(), |m| m.formula())
}

fn cutoff(definition: &Definition) -> &'static str {
    match definition.cutoff {
        Cutoff::Optional => "optional",
        Cutoff::Required => "required",
        Cutoff::None => "none",
    }
}

fn describe(definition: &Definition) -> String {
    let mut text = format!("{}\n{}\n\n", definition.name, definition.summary);
    text.push_str(&wrap(definition.description, "", 80));
    let better = match definition.higher_is_better {
        Some(true) => "; higher is better",
        Some(false) => "; lower is better",
        None => "",
    };
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nFormula:   {}\nRange:     {}{better}\nCut-off:   {}\nExample:   {}\n",
        wrap(&formula(definition), "           ", 80).trim(),
        definition.range,
        cutoff(definition),
        definition.example
    );
    if !definition.aliases.is_empty() {
        let _ = writeln!(text, "Also:      {}", definition.aliases.join(", "));
    }
    if !definition.parameters.is_empty() {
        text.push_str("\nParameters:\n");
        for parameter in definition.parameters {
            let _ = writeln!(
                text,
                "  {} = {} (default: {})",
                parameter.name, parameter.values, parameter.default
            );
            text.push_str(&wrap(parameter.description, "      ", 80));
        }
    }
    text.push_str("\nReference:\n");
    text.push_str(&wrap(definition.reference, "  ", 80));
    text
}

/// A paragraph in lines of at most `width` characters, each after an indent.
fn wrap(paragraph: &str, indent: &str, width: usize) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in paragraph.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > width {
            let _ = writeln!(text, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(text, "{indent}{line}");
    text
}

fn table(chosen: &[&Definition]) -> Result<String, Failure> {
    let columns = ["Measure", "What it says", "Example"].map(Column::text);
    let mut table = Table::new(columns).with_note("`partita measures NAME` says all of one.");
    for definition in chosen {
        let row = [definition.name, definition.summary, definition.example];
        table.push(row.map(Cell::text));
    }
    Ok(TableFormat::Text.render(&table))
}

fn csv(chosen: &[&Definition]) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "name",
        "summary",
        "formula",
        "range",
        "cutoff",
        "parameters",
        "example",
        "reference",
    ];
    writer.write_record(header).map_err(Failure::ours)?;
    for definition in chosen {
        let parameters: Vec<&str> = definition.parameters.iter().map(|p| p.name).collect();
        let record = [
            definition.name,
            definition.summary,
            &formula(definition),
            definition.range,
            cutoff(definition),
            &parameters.join(" "),
            definition.example,
            definition.reference,
        ];
        writer.write_record(record).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}

fn as_json(definition: &Definition) -> serde_json::Value {
    let parameters: Vec<_> = definition
        .parameters
        .iter()
        .map(|p| json!({"name": p.name, "values": p.values, "default": p.default, "description": p.description}))
        .collect();
    json!({
        "name": definition.name,
        "aliases": definition.aliases,
        "summary": definition.summary,
        "description": definition.description,
        "formula": formula(definition),
        "range": definition.range,
        "higher_is_better": definition.higher_is_better,
        "cutoff": cutoff(definition),
        "parameters": parameters,
        "example": definition.example,
        "reference": definition.reference,
    })
}
