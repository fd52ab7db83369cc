//! People to invite to a campaign: `name[,email][,kind]`.

use partita_core::judgment::JudgmentKind;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::table::{Separator, Table};
use crate::text::SourceText;
use crate::text::source::Source;

/// Maximum length of the name of an invited person, in characters.
pub const MAX_INVITED_NAME_CHARS: usize = 200;

/// Person to invite to a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitedPerson {
    /// Name of the person, of 1 to [`MAX_INVITED_NAME_CHARS`] characters.
    pub name: String,
    /// E-mail address of the person.
    pub email: Option<String>,
    /// Kind of judgment that the person gives.
    pub kind: Option<JudgmentKind>,
}

/// Reads people to invite: CSV with the column `name`, and optionally `email` and `kind`.
///
/// ```
/// use partita_formats::{Source, campaign::invited_people};
///
/// let people = invited_people::read(&Source::from_bytes("p.csv", "name,kind\nAnn Lee,ranking\n"))?;
/// assert_eq!(people[0].name, "Ann Lee");
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
///
/// # Errors
/// Returns a [`FormatError`] if the file has no column `name`, another column or no person, or if a
/// value is invalid.
pub fn read(source: &Source) -> Result<Vec<InvitedPerson>, FormatError> {
    let text = SourceText::read(source)?;
    text.refuse_overlong_lines()?;
    let mut table = Table::with_columns(&text, 1)?;
    if table.separator == Separator::Blanks {
        // The only column is that of the names, which may contain blanks.
        table.separator = Separator::Comma;
    }
    let header = table.header();
    let remedy = "begin the file with the line `name`, `name,email` or `name,email,kind`";
    let [name] = header.required_columns([&["name"]], remedy)?;
    let (email, kind) = (
        header.column_index(&["email"]),
        header.column_index(&["kind"]),
    );
    for (column, heading) in header.fields.iter().enumerate() {
        if ![Some(name), email, kind].contains(&Some(column)) {
            let problem = diagnostic!(UnknownName { heading }:
                "the column `{heading}` is none of name, email and kind");
            return Err(header.error(column, problem));
        }
    }
    let mut people = Vec::new();
    for row in table.all_rows().skip(1) {
        row.require_column_count(header.fields.len())?;
        let person = row.require_name(name, "person")?;
        let most = MAX_INVITED_NAME_CHARS;
        if person.chars().count() > most {
            let problem = diagnostic!(TooLong { most }: "a name has at most {most} characters");
            return Err(row.error(name, problem));
        }
        let address = row.non_empty(email);
        if let Some((column, address)) = email.zip(address)
            && !is_email_address(address)
        {
            let problem = diagnostic!(UnknownName { address }: "`{address}` is no e-mail address");
            return Err(row.error(column, problem));
        }
        let judgment = kind.zip(row.non_empty(kind)).map(|(column, text)| {
            text.parse::<JudgmentKind>().map_err(|error| {
                let problem = diagnostic!(UnknownName { error }: "{error}");
                row.error(column, problem)
            })
        });
        people.push(InvitedPerson {
            name: person.to_owned(),
            email: address.map(str::to_owned),
            kind: judgment.transpose()?,
        });
    }
    if people.is_empty() {
        return Err(source.empty_error());
    }
    Ok(people)
}

/// Returns true if a text can be an e-mail address: at most 254 characters without blanks, with an
/// at sign between two parts.
pub fn is_email_address(text: &str) -> bool {
    let mut parts = text.splitn(2, '@');
    let is_part = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
    text.len() <= 254
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && is_part(parts.next())
        && is_part(parts.next())
}
