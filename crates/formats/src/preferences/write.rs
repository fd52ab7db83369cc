//! Answers written in the formats in which they are read.

use std::collections::HashSet;

use partita_core::{Answer, AnswerRow};
use partita_stats::named::Named;

use crate::columns::{fits_table, one_word, starts_line};
use crate::csv_writer::CsvWriter;
use crate::error::FormatError;
use crate::problem;
use crate::remedy::Remedy;

partita_stats::named! {
    /// A format of preferences.
    pub enum PreferencesFormat: "format of preferences" {
        /// query,a,b,assessor,answer, and whatever else is known
        Answers = "answers",
        /// query a b winner, without people
        Winner = "winner",
        /// left,right,winner of one query, without people
        LeftRight = "left-right",
    }
}

/// Answers in a format.
#[derive(Clone, Debug)]
pub struct WrittenAnswers {
    /// The text.
    pub text: String,
    /// What is known of the answers and has no place in the format.
    pub lost: Vec<&'static str>,
    /// How many blank answers have no place in it.
    pub blanks: usize,
}

/// How a column is read off a row.
type Column = (&'static str, fn(&AnswerRow) -> Option<String>);

/// All that can be known of an answer beside the items and what was said.
const MORE: [Column; 9] = [
    ("assessor", |row| row.assessor.clone()),
    ("seconds", |row| {
        row.seconds.map(|number| number.to_string())
    }),
    ("batch", |row| row.batch.clone()),
    ("time", |row| row.asked.map(|number| number.to_string())),
    ("ended", |row| row.ended.map(|number| number.to_string())),
    ("background", |row| row.background.clone()),
    ("clips", |row| row.clips.map(|number| number.to_string())),
    ("campaign", |row| row.campaign.clone()),
    ("id", |row| row.id.clone()),
];

/// Writes answers; those that name no query are about `query`.
///
/// # Errors
/// Names that a format cannot hold, or several queries where it holds one.
pub fn write(
    rows: &[AnswerRow],
    query: &str,
    format: PreferencesFormat,
) -> Result<WrittenAnswers, FormatError> {
    let known = |(_, of): &Column| rows.iter().any(|row| of(row).is_some());
    let more: Vec<Column> = MORE.into_iter().filter(known).collect();
    let of = |row: &AnswerRow| row.query.clone().unwrap_or_else(|| query.to_owned());
    if format == PreferencesFormat::Answers {
        return Ok(WrittenAnswers {
            text: answers(rows, &of, &more)?,
            lost: Vec::new(),
            blanks: 0,
        });
    }
    let queries: HashSet<String> = rows.iter().map(of).collect();
    if format == PreferencesFormat::LeftRight && queries.len() > 1 {
        let problem = problem!(Unrepresentable { count = queries.len() }:
            "a file holds one query, but there are {count}");
        let remedy = Remedy::with_terms("use {to answers} or {to winner}");
        return Err(FormatError::file(format.name(), problem).remedy(remedy));
    }
    let text = match format {
        PreferencesFormat::LeftRight => left_right(rows)?,
        _ => winners(rows, &of)?,
    };
    Ok(WrittenAnswers {
        text,
        lost: more.iter().map(|(name, _)| *name).collect(),
        blanks: rows.iter().filter(|row| row.answer.is_none()).count(),
    })
}

const MEMORY: &str = "memory can be written to";

fn csv(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = CsvWriter::new(Vec::new());
    for row in rows {
        writer.row(row).expect(MEMORY);
    }
    String::from_utf8(writer.finish().expect(MEMORY)).expect("text was written")
}

fn answers(
    rows: &[AnswerRow],
    query: &dyn Fn(&AnswerRow) -> String,
    more: &[Column],
) -> Result<String, FormatError> {
    for row in rows {
        for name in [&query(row), &row.a, &row.b] {
            fits_table("answers", name)?;
        }
    }
    // Who answered stands before what was answered.
    let named = usize::from(more.first().is_some_and(|(name, _)| *name == "assessor"));
    let (who, more) = more.split_at(named);
    let header = ["query", "a", "b"].into_iter();
    let header = header.chain(who.iter().map(|(name, _)| *name));
    let header = header.chain(["answer"]);
    let header = header.chain(more.iter().map(|(name, _)| *name));
    let line = |row: &AnswerRow| {
        let field = |(_, of): &Column| of(row).unwrap_or_default();
        let first = [query(row), row.a.clone(), row.b.clone()].into_iter();
        let answer = row.answer.map_or("", Answer::name).to_owned();
        let line = first.chain(who.iter().map(field)).chain([answer]);
        line.chain(more.iter().map(field)).collect()
    };
    let header = header.map(str::to_owned).collect();
    Ok(csv([header].into_iter().chain(rows.iter().map(line))))
}

fn left_right(rows: &[AnswerRow]) -> Result<String, FormatError> {
    for name in rows.iter().flat_map(|row| [&row.a, &row.b]) {
        fits_table("left-right", name)?;
        if ["left", "right", "tie"].contains(&name.as_str()) {
            return Err(no_item("left-right", name));
        }
    }
    let line = |row: &AnswerRow| {
        let winner = match row.answer? {
            Answer::A => "left",
            Answer::B => "right",
            Answer::Equal => "tie",
        };
        Some(vec![row.a.clone(), row.b.clone(), winner.to_owned()])
    };
    let header = ["left", "right", "winner"].map(str::to_owned).to_vec();
    Ok(csv([header]
        .into_iter()
        .chain(rows.iter().filter_map(line))))
}

fn winners(
    rows: &[AnswerRow],
    query: &dyn Fn(&AnswerRow) -> String,
) -> Result<String, FormatError> {
    let mut text = String::new();
    for row in rows {
        let (query, a, b) = (query(row), &row.a, &row.b);
        starts_line("winner", &query)?;
        for name in [&query, a, b] {
            one_word("winner", name)?;
            if name == "=" {
                return Err(no_item("winner", name));
            }
        }
        let winner = match row.answer {
            None => continue,
            Some(Answer::A) => a,
            Some(Answer::B) => b,
            Some(Answer::Equal) => "=",
        };
        text.push_str(&format!("{query} {a} {b} {winner}\n"));
    }
    Ok(text)
}

fn no_item(format: &str, name: &str) -> FormatError {
    let problem = problem!(Unrepresentable { name }: "`{name}` is no name of an item there");
    FormatError::file(format, problem).remedy(Remedy::with_terms("use {to answers}"))
}
