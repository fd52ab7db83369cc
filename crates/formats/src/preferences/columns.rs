//! Which column of a table of answers is which, and what the answers are called.

use std::str::FromStr;

use partita_core::Answer;

use crate::error::FormatError;
use crate::problem;
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, Heading, QUERY, Row, SECONDS};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Query,
    A,
    B,
    Assessor,
    Answer,
    Seconds,
    Batch,
    Time,
    Ended,
    Background,
    Clips,
    Campaign,
    Id,
}

/// Every role with the names that a header gives it, in lower case; the first is that of a map.
const ROLES: [(Role, Heading); 13] = [
    (Role::Query, QUERY),
    (
        Role::A,
        &["a", "left", "item_a", "doc_a", "model_a", "system_a"],
    ),
    (
        Role::B,
        &["b", "right", "item_b", "doc_b", "model_b", "system_b"],
    ),
    (Role::Assessor, ASSESSOR),
    (Role::Answer, &["answer", "winner", "preference", "label"]),
    (Role::Seconds, SECONDS),
    (Role::Batch, &["batch"]),
    (Role::Time, &["time"]),
    (Role::Ended, &["ended"]),
    (Role::Background, &["background"]),
    (Role::Clips, &["clips"]),
    (Role::Campaign, &["campaign"]),
    (Role::Id, &["id"]),
];

impl Role {
    /// The names that a header gives it.
    fn names(self) -> Heading {
        ROLES[self as usize].1
    }

    /// The name in a map.
    pub(super) fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Whether a column of this name is one of these.
    pub(super) fn heads(self, column: &str) -> bool {
        self.names().contains(&column.to_lowercase().as_str())
    }
}

/// Which column is which in a table whose header does not say it in our words, and what its answers
/// are called: `query=Input.query,a=Input.docA,...,equal=s`.
///
/// The columns are `query`, `a`, `b`, `assessor`, `answer`, `seconds`, `batch`, `time` (when a
/// question was put, by which batches are told apart), `ended` (when it was answered), `background`,
/// `clips` (how many seconds the clips of the question last), `campaign` and `id` (what the platform
/// calls the answer); the answers are `first` (a is preferred), `second` (b is) and `equal`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap {
    columns: Vec<(Role, String)>,
    answers: Vec<(Answer, String)>,
}

/// What is wrong with a map of columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// A part is not `ours=theirs`.
    #[error("`{0}` in the map of columns is not of the form ours=theirs")]
    NoPair(String),
    /// There is nothing of this name to be mapped.
    #[error(
        "there is no `{0}` to be mapped; there are query, a, b, assessor, answer, seconds, \
             batch, time, ended, background, clips, campaign, id, and the answers first, second and equal"
    )]
    Unknown(String),
    /// Something is mapped twice.
    #[error("`{0}` is mapped twice")]
    Twice(String),
}

impl ColumnMap {
    /// Whether nothing is mapped.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.answers.is_empty()
    }
}

impl FromStr for ColumnMap {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        let mut map = Self::default();
        let parts = text.split(',').map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            let pair = part.split_once('=');
            let (ours, theirs) = pair.ok_or_else(|| MapError::NoPair(part.to_owned()))?;
            let (ours, theirs) = (ours.trim(), theirs.trim().to_owned());
            let twice = || MapError::Twice(ours.to_owned());
            let answer = match ours {
                "first" => Some(Answer::A),
                "second" => Some(Answer::B),
                "equal" => Some(Answer::Equal),
                _ => None,
            };
            if let Some(answer) = answer {
                if map.answers.iter().any(|(known, _)| *known == answer) {
                    return Err(twice());
                }
                map.answers.push((answer, theirs));
                continue;
            }
            let role = ROLES.iter().find(|(_, names)| names[0] == ours);
            let &(role, _) = role.ok_or_else(|| MapError::Unknown(ours.to_owned()))?;
            if map.columns.iter().any(|(known, _)| *known == role) {
                return Err(twice());
            }
            map.columns.push((role, theirs));
        }
        Ok(map)
    }
}

/// Where each column is.
pub(super) struct Columns {
    places: [Option<usize>; ROLES.len()],
}

impl Columns {
    pub(super) fn find(header: &Row<'_>, map: &ColumnMap) -> Result<Self, FormatError> {
        let missing = |columns: String| {
            let problem = problem!(MissingColumn { columns }:
                "the header names no column {columns}");
            header
                .line
                .error(problem)
                .remedy(Remedy::with_terms(REMEDY))
        };
        let mut places = [None; ROLES.len()];
        for (place, (role, names)) in places.iter_mut().zip(ROLES) {
            let mapped = map.columns.iter().find(|(known, _)| *known == role);
            *place = match mapped {
                Some((_, theirs)) => {
                    let found = header.fields.iter().position(|name| name == theirs);
                    Some(found.ok_or_else(|| missing(format!("`{theirs}`")))?)
                }
                None => header.place(names),
            };
        }
        let columns = Self { places };
        let needed = [Role::A, Role::B, Role::Answer];
        let absent: Vec<&str> = (needed.into_iter())
            .filter(|&role| columns.place(role).is_none())
            .map(Role::name)
            .collect();
        if absent.is_empty() {
            Ok(columns)
        } else {
            Err(missing(absent.join(", ")))
        }
    }

    pub(super) fn place(&self, role: Role) -> Option<usize> {
        self.places[role as usize]
    }
}

const REMEDY: &str = "the first line must name the columns query, a, b, assessor and answer; for a \
                      table with other names say for instance {map \
                      query=Input.query,a=Input.docA,b=Input.docB,assessor=WorkerId,answer=Answer.radio,equal=s}";

/// What the answers are called.
pub(super) struct Words {
    given: Vec<(Answer, String)>,
    /// What a word is that names one side and the item on the other: in `answer` the side, in `winner` the
    /// item, in a column of any other name nobody knows.
    is_side: Option<bool>,
}

impl Words {
    /// The words in a column that is called like this.
    pub(super) fn new(map: &ColumnMap, column: &str) -> Self {
        Self {
            given: map.answers.clone(),
            is_side: match column.to_lowercase().as_str() {
                "answer" => Some(true),
                "winner" => Some(false),
                _ => None,
            },
        }
    }

    /// What was answered about these two items: a word of the map, one for a side where the map has
    /// none for it, or the name of an item. The error is whether word and name say different things.
    pub(super) fn answer(&self, said: &str, a: &str, b: &str) -> Result<Answer, bool> {
        if let Some((answer, _)) = self.given.iter().find(|(_, word)| word == said) {
            return Ok(*answer);
        }
        let name = match said {
            _ if said == a => Some(Answer::A),
            _ if said == b => Some(Answer::B),
            _ => None,
        };
        let word = match said.to_lowercase().as_str() {
            "a" | "left" | "model_a" => Some(Answer::A),
            "b" | "right" | "model_b" => Some(Answer::B),
            "equal" | "tie" | "same" | "=" | "tie (bothbad)" | "both_bad" => Some(Answer::Equal),
            _ => None,
        };
        let called =
            |side| side != Answer::Equal && self.given.iter().any(|(known, _)| *known == side);
        match (word.filter(|side| !called(*side)), name) {
            (Some(word), Some(name)) if word != name => match self.is_side {
                Some(is_side) => Ok(if is_side { word } else { name }),
                None => Err(true),
            },
            (word, name) => word.or(name).ok_or(false),
        }
    }
}
