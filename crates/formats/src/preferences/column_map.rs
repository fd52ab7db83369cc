//! Column map: names of columns and words for answers in tables of preferences from elsewhere.

use std::str::FromStr;

use partita_core::Preference;
use serde::Deserialize;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::table::{ASSESSOR, HeadingAliases, InputRow, QUERY, SECONDS};

/// Meaning of a column in a table of preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnRole {
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

/// Roles with the headings by which a header may name their column, in lower case. The first
/// heading is the name of the role in column maps.
const ROLE_HEADINGS: [(ColumnRole, HeadingAliases); 13] = [
    (ColumnRole::Query, QUERY),
    (
        ColumnRole::A,
        &["a", "left", "item_a", "doc_a", "model_a", "system_a"],
    ),
    (
        ColumnRole::B,
        &["b", "right", "item_b", "doc_b", "model_b", "system_b"],
    ),
    (ColumnRole::Assessor, ASSESSOR),
    (
        ColumnRole::Answer,
        &["answer", "winner", "preference", "label"],
    ),
    (ColumnRole::Seconds, SECONDS),
    (ColumnRole::Batch, &["batch"]),
    (ColumnRole::Time, &["time"]),
    (ColumnRole::Ended, &["ended"]),
    (ColumnRole::Background, &["background"]),
    (ColumnRole::Clips, &["clips"]),
    (ColumnRole::Campaign, &["campaign"]),
    (ColumnRole::Id, &["id"]),
];

impl ColumnRole {
    /// Returns the headings by which a header may name the column of this role.
    fn headings(self) -> HeadingAliases {
        ROLE_HEADINGS[self as usize].1
    }

    /// Returns the name of the role in a column map, such as `query`.
    pub(super) fn name(self) -> &'static str {
        self.headings()[0]
    }

    /// Returns true if this role is meant by a column with this heading, ignoring case.
    pub(super) fn matches_heading(self, column: &str) -> bool {
        self.headings().contains(&column.to_lowercase().as_str())
    }
}

/// Mapping from the column names and answers of this crate to those of another table, for headers
/// with other names: `query=Input.query,a=Input.docA,...,equal=s`.
///
/// `mturk` is a map by itself: the columns of results of Mechanical Turk, whose inputs and answers
/// have the usual names. Further entries, as in `mturk,equal=0`, take precedence.
///
/// The columns are `query`, `a`, `b`, `assessor`, `answer`, `seconds`, `batch`, `time` (when a
/// question was asked, which separates batches), `ended` (when it was answered), `background`,
/// `clips` (total duration of the clips of the question in seconds), `campaign` and `id`
/// (identifier of the answer on its platform). The answers are `first` (a is preferred), `second`
/// (b is preferred) and `equal`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ColumnMap {
    columns: Vec<(ColumnRole, String)>,
    answers: Vec<(Preference, String)>,
    turk: bool,
}

/// Error of parsing a column map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnMapError {
    /// An entry of the map is neither `mturk` nor of the form `name=value`.
    #[error("`{0}` in the map of columns is neither `mturk` nor of the form ours=theirs")]
    NotAPair(String),
    /// The left side of an entry is no known column or answer.
    #[error(
        "there is no `{0}` to be mapped; there are query, a, b, assessor, answer, seconds, \
             batch, time, ended, background, clips, campaign, id, and the answers first, second and equal"
    )]
    Unknown(String),
    /// Two entries of the map have the same left side.
    #[error("`{0}` is mapped twice")]
    Duplicate(String),
}

impl ColumnMap {
    /// Returns true if the map has no entries, so that a header must use the names of this crate.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.answers.is_empty() && !self.turk
    }
}

impl TryFrom<String> for ColumnMap {
    type Error = ColumnMapError;

    fn try_from(text: String) -> Result<Self, ColumnMapError> {
        text.parse()
    }
}

impl FromStr for ColumnMap {
    type Err = ColumnMapError;

    fn from_str(text: &str) -> Result<Self, ColumnMapError> {
        let mut map = Self::default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let parts = lines.flat_map(|line| line.split(',')).map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            if part.eq_ignore_ascii_case("mturk") {
                map.turk = true;
                continue;
            }
            let pair = part.split_once('=');
            let (ours, theirs) = pair.ok_or_else(|| ColumnMapError::NotAPair(part.to_owned()))?;
            let (ours, theirs) = (ours.trim(), theirs.trim().to_owned());
            let twice = || ColumnMapError::Duplicate(ours.to_owned());
            let answer = match ours {
                "first" => Some(Preference::A),
                "second" => Some(Preference::B),
                "equal" => Some(Preference::Equal),
                _ => None,
            };
            if let Some(answer) = answer {
                if map.answers.iter().any(|(known, _)| *known == answer) {
                    return Err(twice());
                }
                map.answers.push((answer, theirs));
                continue;
            }
            let role = ROLE_HEADINGS.iter().find(|(_, names)| names[0] == ours);
            let &(role, _) = role.ok_or_else(|| ColumnMapError::Unknown(ours.to_owned()))?;
            if map.columns.iter().any(|(known, _)| *known == role) {
                return Err(twice());
            }
            map.columns.push((role, theirs));
        }
        Ok(map)
    }
}

/// Index of the column of each role in a table, `None` for roles without a column.
pub(super) struct Columns {
    column_of_role: [Option<usize>; ROLE_HEADINGS.len()],
}

impl Columns {
    /// Finds the columns by the map and the header. Returns an error if the header lacks a mapped
    /// column, the column of one of the two items, or the column of answers.
    pub(super) fn find(header: &InputRow<'_>, map: &ColumnMap) -> Result<Self, FormatError> {
        let missing = |columns: String| {
            let problem = diagnostic!(MissingColumn { columns }:
                "the header names no column {columns}");
            header
                .line
                .error(problem)
                .with_remedy(Remedy::parse(REMEDY))
        };
        let mut column_of_role = [None; ROLE_HEADINGS.len()];
        for (place, (role, names)) in column_of_role.iter_mut().zip(ROLE_HEADINGS) {
            let mapped = map.columns.iter().find(|(known, _)| *known == role);
            *place = match mapped {
                Some((_, theirs)) => {
                    let found = header.fields.iter().position(|name| name == theirs);
                    Some(found.ok_or_else(|| missing(format!("`{theirs}`")))?)
                }
                None if map.turk => {
                    turk_column(header, role).or_else(|| header.column_index(names))
                }
                None => header.column_index(names),
            };
        }
        if map.turk {
            assign_remaining_turk_columns(header, &mut column_of_role);
        }
        let columns = Self { column_of_role };
        let needed = [ColumnRole::A, ColumnRole::B, ColumnRole::Answer];
        let absent: Vec<&str> = (needed.into_iter())
            .filter(|&role| columns.index_of(role).is_none())
            .map(ColumnRole::name)
            .collect();
        if absent.is_empty() {
            return Ok(columns);
        }
        let error = missing(absent.join(", "));
        Err(if map.turk {
            let names = header.fields.iter().filter(|name| is_turk_heading(name));
            let names: Vec<&str> = names.map(AsRef::as_ref).collect();
            error.with_remedy(Remedy::parse(&format!(
                "say which, as in {{map mturk,a=Input.x,b=Input.y,answer=Answer.z}}; the columns are {}",
                names.join(", ")
            )))
        } else {
            error
        })
    }

    /// Returns the index of the column with this role.
    pub(super) fn index_of(&self, role: ColumnRole) -> Option<usize> {
        self.column_of_role[role as usize]
    }
}

/// Returns true if a heading is that of an input or an answer in a Mechanical Turk result file.
fn is_turk_heading(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with("input.") || name.starts_with("answer.")
}

/// Returns the index of the column that usually has this role in a Mechanical Turk result file.
fn turk_column(header: &InputRow<'_>, role: ColumnRole) -> Option<usize> {
    let names: &[&str] = match role {
        ColumnRole::Query => &[
            "input.query",
            "input.topic",
            "input.qid",
            "input.queryid",
            "input.q",
        ],
        ColumnRole::A => &[
            "input.doca",
            "input.a",
            "input.itema",
            "input.left",
            "input.doc1",
            "input.item1",
            "input.first",
            "input.optiona",
            "input.candidatea",
            "input.clipa",
        ],
        ColumnRole::B => &[
            "input.docb",
            "input.b",
            "input.itemb",
            "input.right",
            "input.doc2",
            "input.item2",
            "input.second",
            "input.optionb",
            "input.candidateb",
            "input.clipb",
        ],
        ColumnRole::Assessor => &["workerid"],
        ColumnRole::Answer => &[
            "answer.radio",
            "answer.answer",
            "answer.choice",
            "answer.preference",
            "answer.winner",
            "answer.category.label",
            "answer.label",
        ],
        ColumnRole::Seconds => &["worktimeinseconds"],
        ColumnRole::Batch => &["input.batch"],
        ColumnRole::Time => &["creationtime"],
        ColumnRole::Ended => &["submittime"],
        ColumnRole::Background => &["answer.background", "answer.bground"],
        ColumnRole::Clips => &[
            "input.clips",
            "input.seconds",
            "input.duration",
            "input.time",
        ],
        ColumnRole::Campaign => &["input.campaign"],
        ColumnRole::Id => &["assignmentid"],
    };
    let plain = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    let at = |known: &&str| header.fields.iter().position(|name| plain(name) == *known);
    names.iter().find_map(at)
}

/// Assigns roles to Mechanical Turk columns that have none yet. If neither item has a column and
/// exactly two inputs are left, they are the items; if the answer has no column and exactly one
/// answer column is left, it is the answer.
fn assign_remaining_turk_columns(
    header: &InputRow<'_>,
    column_of_role: &mut [Option<usize>; ROLE_HEADINGS.len()],
) {
    let left = |prefix: &str, column_of_role: &[Option<usize>]| -> Vec<usize> {
        let names = header.fields.iter().enumerate();
        let left = names.filter(|(at, name)| {
            name.to_lowercase().starts_with(prefix) && !column_of_role.contains(&Some(*at))
        });
        left.map(|(at, _)| at).collect()
    };
    if let ([a, b], None, None) = (
        &left("input.", column_of_role)[..],
        column_of_role[ColumnRole::A as usize],
        column_of_role[ColumnRole::B as usize],
    ) {
        (
            column_of_role[ColumnRole::A as usize],
            column_of_role[ColumnRole::B as usize],
        ) = (Some(*a), Some(*b));
    }
    if let ([only], None) = (
        &left("answer.", column_of_role)[..],
        column_of_role[ColumnRole::Answer as usize],
    ) {
        column_of_role[ColumnRole::Answer as usize] = Some(*only);
    }
}

/// Remedy in errors about a header of preferences: the columns that it must name.
const REMEDY: &str = "the first line must name the columns query, a, b, assessor and answer; {map mturk} \
                      reads results of Mechanical Turk, and {map query=TOPIC,a=LEFT,b=RIGHT,answer=CHOICE} \
                      a table with other names";

/// Words by which a table denotes the answers "first item", "second item" and "equal".
pub(super) struct AnswerVocabulary {
    /// Words for answers from the column map, which take precedence over common words.
    mapped_words: Vec<(Preference, String)>,
    /// True for results of Mechanical Turk, whose forms use words of their own for the two items.
    turk: bool,
    /// Interpretation of an ambiguous answer: a common word, such as `left` or `tie`, that is also
    /// the name of an item which the word does not mean. True to read it as the common word
    /// (columns `answer`, and Mechanical Turk), false to read it as the name (columns `winner`),
    /// `None` to refuse it (other columns).
    prefers_common_word: Option<bool>,
}

impl AnswerVocabulary {
    /// Creates the vocabulary of an answer column with this heading.
    pub(super) fn new(map: &ColumnMap, column: &str) -> Self {
        Self {
            mapped_words: map.answers.clone(),
            turk: map.turk,
            prefers_common_word: match column.to_lowercase().as_str() {
                _ if map.turk => Some(true),
                "answer" => Some(true),
                "winner" => Some(false),
                _ => None,
            },
        }
    }

    /// Parses an answer: a word of the column map, a common word for an item or a tie, or the name
    /// of an item. If the map gives a word for an item, common words for that item do not count.
    /// Returns `Err(true)` if the text is ambiguous and `prefers_common_word` is `None`, and
    /// `Err(false)` if the text is unknown.
    pub(super) fn parse_answer(&self, value: &str, a: &str, b: &str) -> Result<Preference, bool> {
        if let Some((answer, _)) = self.mapped_words.iter().find(|(_, word)| word == value) {
            return Ok(*answer);
        }
        let name = match value {
            _ if value == a => Some(Preference::A),
            _ if value == b => Some(Preference::B),
            _ => None,
        };
        let word = match value.to_lowercase().as_str() {
            "a" | "left" | "model_a" => Some(Preference::A),
            "b" | "right" | "model_b" => Some(Preference::B),
            "equal" | "tie" | "same" | "=" | "tie (bothbad)" | "both_bad" => {
                Some(Preference::Equal)
            }
            "doca" | "itema" | "first" | "1" if self.turk => Some(Preference::A),
            "docb" | "itemb" | "second" | "2" if self.turk => Some(Preference::B),
            "s" | "e" | "both" if self.turk => Some(Preference::Equal),
            _ => None,
        };
        let is_mapped = |answer| {
            answer != Preference::Equal
                && self
                    .mapped_words
                    .iter()
                    .any(|(mapped, _)| *mapped == answer)
        };
        match (word.filter(|answer| !is_mapped(*answer)), name) {
            (Some(word), Some(name)) if word != name => match self.prefers_common_word {
                Some(prefers_common_word) => Ok(if prefers_common_word { word } else { name }),
                None => Err(true),
            },
            (word, name) => word.or(name).ok_or(false),
        }
    }
}
