//! Writers of preferences.

use std::collections::HashSet;

use partita_core::{Preference, PreferenceRow};
use partita_named::NamedEnum;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::table::csv_writer::CsvWriter;
use crate::text::name_rules::{check_line_start, check_single_word, check_table_name};

partita_named::named_enum! {
    /// Format of preferences.
    pub enum PreferencesFormat: "format of preferences" {
        /// query,a,b,assessor,answer, and whatever else is known
        Answers = "answers",
        /// query a b winner, without people
        Winner = "winner",
        /// left,right,winner of one query, without people
        LeftRight = "left-right",
    }
}

/// Preferences written in a format.
#[derive(Clone, Debug)]
pub struct PreferencesText {
    /// The text.
    pub text: String,
    /// Columns with data that the format cannot hold.
    pub lost_columns: Vec<String>,
    /// Number of blank answers, which the format cannot hold.
    pub blanks: usize,
}

/// Name of a column, and the function that reads its value from a row.
type Column = (&'static str, fn(&PreferenceRow) -> Option<String>);

/// Optional columns of an answer, besides the query, the items and the preference.
const MORE: [Column; 9] = [
    ("assessor", |row| row.assessor.clone()),
    ("seconds", |row| {
        row.seconds.map(|number| number.to_string())
    }),
    ("batch", |row| row.batch.clone()),
    ("time", |row| row.asked_at.map(|number| number.to_string())),
    ("ended", |row| {
        row.answered_at.map(|number| number.to_string())
    }),
    ("background", |row| row.background.clone()),
    ("clips", |row| {
        row.clip_seconds.map(|number| number.to_string())
    }),
    ("campaign", |row| row.campaign.clone()),
    ("id", |row| row.id.clone()),
];

/// Writes preferences. `query` is the query of the rows that name none.
///
/// # Errors
/// Returns [`FormatError`] for names that the format cannot hold, or for several queries in a
/// format that holds one.
pub fn write(
    rows: &[PreferenceRow],
    query: &str,
    format: PreferencesFormat,
) -> Result<PreferencesText, FormatError> {
    let known = |(_, of): &Column| rows.iter().any(|row| of(row).is_some());
    let more: Vec<Column> = MORE.into_iter().filter(known).collect();
    let of = |row: &PreferenceRow| row.query.clone().unwrap_or_else(|| query.to_owned());
    if format == PreferencesFormat::Answers {
        return Ok(PreferencesText {
            text: answers(rows, &of, &more)?,
            lost_columns: Vec::new(),
            blanks: 0,
        });
    }
    let queries: HashSet<String> = rows.iter().map(of).collect();
    if format == PreferencesFormat::LeftRight && queries.len() > 1 {
        let problem = diagnostic!(Unrepresentable { count = queries.len() }:
            "a file holds one query, but there are {count}");
        let remedy = Remedy::parse("use {to answers} or {to winner}");
        return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
    }
    let text = match format {
        PreferencesFormat::LeftRight => left_right(rows)?,
        _ => winners(rows, &of)?,
    };
    Ok(PreferencesText {
        text,
        lost_columns: more.iter().map(|(name, _)| (*name).to_owned()).collect(),
        blanks: rows.iter().filter(|row| row.preference.is_none()).count(),
    })
}

const MEMORY: &str = "memory can be written to";

fn csv(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = CsvWriter::new(Vec::new());
    for row in rows {
        writer.write_row(row).expect(MEMORY);
    }
    String::from_utf8(writer.finish().expect(MEMORY)).expect("text was written")
}

fn answers(
    rows: &[PreferenceRow],
    query: &dyn Fn(&PreferenceRow) -> String,
    more: &[Column],
) -> Result<String, FormatError> {
    for row in rows {
        for name in [&query(row), &row.a, &row.b] {
            check_table_name("answers", name)?;
        }
    }
    // The assessor comes before the answer, all other optional columns after it.
    let named = usize::from(more.first().is_some_and(|(name, _)| *name == "assessor"));
    let (who, more) = more.split_at(named);
    let header = ["query", "a", "b"].into_iter();
    let header = header.chain(who.iter().map(|(name, _)| *name));
    let header = header.chain(["answer"]);
    let header = header.chain(more.iter().map(|(name, _)| *name));
    let line = |row: &PreferenceRow| {
        let field = |(_, of): &Column| of(row).unwrap_or_default();
        let first = [query(row), row.a.clone(), row.b.clone()].into_iter();
        let answer = row.preference.map_or("", Preference::name).to_owned();
        let line = first.chain(who.iter().map(field)).chain([answer]);
        line.chain(more.iter().map(field)).collect()
    };
    let header = header.map(str::to_owned).collect();
    Ok(csv([header].into_iter().chain(rows.iter().map(line))))
}

fn left_right(rows: &[PreferenceRow]) -> Result<String, FormatError> {
    for name in rows.iter().flat_map(|row| [&row.a, &row.b]) {
        check_table_name("left-right", name)?;
        if ["left", "right", "tie"].contains(&name.as_str()) {
            return Err(no_item("left-right", name));
        }
    }
    let line = |row: &PreferenceRow| {
        let winner = match row.preference? {
            Preference::A => "left",
            Preference::B => "right",
            Preference::Equal => "tie",
        };
        Some(vec![row.a.clone(), row.b.clone(), winner.to_owned()])
    };
    let header = ["left", "right", "winner"].map(str::to_owned).to_vec();
    Ok(csv([header]
        .into_iter()
        .chain(rows.iter().filter_map(line))))
}

fn winners(
    rows: &[PreferenceRow],
    query: &dyn Fn(&PreferenceRow) -> String,
) -> Result<String, FormatError> {
    let mut text = String::new();
    for row in rows {
        let (query, a, b) = (query(row), &row.a, &row.b);
        check_line_start("winner", &query)?;
        for name in [&query, a, b] {
            check_single_word("winner", name)?;
            if name == "=" {
                return Err(no_item("winner", name));
            }
        }
        let winner = match row.preference {
            None => continue,
            Some(Preference::A) => a,
            Some(Preference::B) => b,
            Some(Preference::Equal) => "=",
        };
        text.push_str(&format!("{query} {a} {b} {winner}\n"));
    }
    Ok(text)
}

fn no_item(format: &str, name: &str) -> FormatError {
    let problem = diagnostic!(Unrepresentable { name }: "`{name}` is no name of an item there");
    FormatError::in_file(format, problem).with_remedy(Remedy::parse("use {to answers}"))
}
