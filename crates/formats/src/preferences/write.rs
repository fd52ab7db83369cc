//! Writers of preferences in the formats of [`PreferencesFormat`].

use std::collections::HashSet;

use partita_core::Preference;
use partita_core::judgment::AnswerRow;
use partita_named::NamedEnum;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::table::csv_writer::CsvWriter;
use crate::text::name_rules::{check_line_start, check_single_word, check_table_name};

partita_named::named_enum! {
    /// File format in which preferences are written.
    pub enum PreferencesFormat: "format of preferences" {
        /// query,a,b,assessor,answer, and whatever else is known
        Answers = "answers",
        /// query a b winner, without people
        Winner = "winner",
        /// left,right,winner of one query, without people
        LeftRight = "left-right",
    }
}

/// Preferences as the text of a file, and the data that its format cannot hold.
#[derive(Clone, Debug)]
pub struct PreferencesText {
    /// Content of the file to write.
    pub text: String,
    /// Names of the optional columns with data that the format cannot hold.
    pub lost_columns: Vec<String>,
    /// Number of unanswered questions, which the format cannot hold.
    pub blanks: usize,
}

/// Name of an optional column, and the function that reads its value from a row.
type OptionalColumn = (&'static str, fn(&AnswerRow) -> Option<String>);

/// Optional columns of a table of answers, besides the query, the items and the answer.
const OPTIONAL_COLUMNS: [OptionalColumn; 9] = [
    ("assessor", |row| row.assessor.clone()),
    ("seconds", |row| format_number(row.seconds)),
    ("batch", |row| row.batch.clone()),
    ("time", |row| format_number(row.asked_at)),
    ("ended", |row| format_number(row.answered_at)),
    ("background", |row| row.background.clone()),
    ("clips", |row| format_number(row.clip_seconds)),
    ("campaign", |row| row.campaign.clone()),
    ("id", |row| row.id.clone()),
];

/// Formats a number for a cell; `None` stays `None`.
fn format_number(number: Option<f64>) -> Option<String> {
    number.map(|number| number.to_string())
}

/// Writes preferences. `query` is the query of the rows that name none.
///
/// # Errors
/// Returns [`FormatError`] for names that the format cannot hold, or for several queries in a
/// format that holds one.
pub fn write(
    rows: &[AnswerRow],
    query: &str,
    format: PreferencesFormat,
) -> Result<PreferencesText, FormatError> {
    let has_values = |(_, value): &OptionalColumn| rows.iter().any(|row| value(row).is_some());
    let more: Vec<OptionalColumn> = OPTIONAL_COLUMNS.into_iter().filter(has_values).collect();
    let query_of = |row: &AnswerRow| row.query.clone().unwrap_or_else(|| query.to_owned());
    if format == PreferencesFormat::Answers {
        return Ok(PreferencesText {
            text: write_answers(rows, &query_of, &more)?,
            lost_columns: Vec::new(),
            blanks: 0,
        });
    }
    let queries: HashSet<String> = rows.iter().map(query_of).collect();
    if format == PreferencesFormat::LeftRight && queries.len() > 1 {
        let problem = diagnostic!(Unrepresentable { count = queries.len() }:
            "a file holds one query, but there are {count}");
        let remedy = Remedy::parse("use {to answers} or {to winner}");
        return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
    }
    let text = match format {
        PreferencesFormat::LeftRight => write_left_right(rows)?,
        _ => write_winners(rows, &query_of)?,
    };
    Ok(PreferencesText {
        text,
        lost_columns: more.iter().map(|(name, _)| (*name).to_owned()).collect(),
        blanks: rows
            .iter()
            .filter(|row| row.judgment.preference().is_none())
            .count(),
    })
}

/// Writes the table `query,a,b,answer` with the optional columns `more`.
fn write_answers(
    rows: &[AnswerRow],
    query: &dyn Fn(&AnswerRow) -> String,
    more: &[OptionalColumn],
) -> Result<String, FormatError> {
    for row in rows {
        let [a, b] = row.pair();
        for name in [query(row).as_str(), a, b] {
            check_table_name("answers", name)?;
        }
    }
    // The assessor comes before the answer, all other optional columns after it.
    let named = usize::from(more.first().is_some_and(|(name, _)| *name == "assessor"));
    let (who, more) = more.split_at(named);
    let name = |&(name, _): &OptionalColumn| name;
    let mut csv = CsvWriter::in_memory();
    csv.push_row(
        (["query", "a", "b"].into_iter())
            .chain(who.iter().map(name))
            .chain(["answer"])
            .chain(more.iter().map(name)),
    );
    for row in rows {
        let field = |(_, of): &OptionalColumn| of(row).unwrap_or_default();
        let answer = row
            .judgment
            .preference()
            .map_or("", Preference::name)
            .to_owned();
        let [a, b] = row.pair().map(str::to_owned);
        csv.push_row(
            ([query(row), a, b].into_iter())
                .chain(who.iter().map(field))
                .chain([answer])
                .chain(more.iter().map(field)),
        );
    }
    Ok(csv.into_text())
}

/// Writes the table `left,right,winner`, in which the winner is `left`, `right` or `tie`.
fn write_left_right(rows: &[AnswerRow]) -> Result<String, FormatError> {
    for name in rows.iter().flat_map(AnswerRow::pair) {
        check_table_name("left-right", name)?;
        if ["left", "right", "tie"].contains(&name) {
            return Err(reserved_name_error("left-right", name));
        }
    }
    let mut csv = CsvWriter::in_memory();
    csv.push_row(["left", "right", "winner"]);
    for row in rows {
        let winner = match row.judgment.preference() {
            None => continue,
            Some(Preference::A) => "left",
            Some(Preference::B) => "right",
            Some(Preference::Equal) => "tie",
        };
        let [a, b] = row.pair();
        csv.push_row([a, b, winner]);
    }
    Ok(csv.into_text())
}

/// Writes lines `query a b winner`, in which the winner is an item or `=`.
fn write_winners(
    rows: &[AnswerRow],
    query: &dyn Fn(&AnswerRow) -> String,
) -> Result<String, FormatError> {
    let mut text = String::new();
    for row in rows {
        let (query, [a, b]) = (query(row), row.pair());
        check_line_start("winner", &query)?;
        for name in [query.as_str(), a, b] {
            check_single_word("winner", name)?;
            if name == "=" {
                return Err(reserved_name_error("winner", name));
            }
        }
        let winner = match row.judgment.preference() {
            None => continue,
            Some(Preference::A) => a,
            Some(Preference::B) => b,
            Some(Preference::Equal) => "=",
        };
        text.push_str(&format!("{query} {a} {b} {winner}\n"));
    }
    Ok(text)
}

/// Creates the error for an item name that has a special meaning in the format.
fn reserved_name_error(format: &str, name: &str) -> FormatError {
    let problem = diagnostic!(Unrepresentable { name }: "`{name}` is no name of an item there");
    FormatError::in_file(format, problem).with_remedy(Remedy::parse("use {to answers}"))
}
