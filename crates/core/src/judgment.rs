//! Questions that assessors are asked, and their answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::data::preferences::{FilePosition, Preference};

partita_named::named_enum! {
    /// Kind of judgment that assessors are asked for.
    pub enum JudgmentKind: "kind of judgment" = Preference {
        /// which of two items is closer to the query
        Preference = "preference",
        /// to put the items of a list in order
        Ranking = "ranking",
        /// how close an item is to the query
        Grading = "grading",
        /// which of four items is the closest to the query, and which the least close
        #[cfg(feature = "best-worst")]
        BestWorst = "best-worst",
    }
}

partita_named::named_enum! {
    /// Grade on the broad similarity scale of MIREX, the evaluation exchange for music retrieval.
    pub enum BroadGrade: "broad grade" {
        /// not similar
        Not = "NS",
        /// somewhat similar
        Somewhat = "SS",
        /// very similar
        Very = "VS",
    }
}

impl BroadGrade {
    /// Returns the gain of the grade: 0 for not, 1 for somewhat and 2 for very similar.
    pub fn gain(self) -> f64 {
        f64::from(self as u8)
    }
}

/// Question for one assessor: what they see, and the kind of judgment that they are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Kind of judgment that the question asks for.
    pub kind: JudgmentKind,
    /// Query name.
    pub query: String,
    /// Items that the question names: the two items of a pair in the order shown, the item to be
    /// graded, or none for a ranking, which is about all items of the list.
    pub items: Vec<String>,
}

impl Question {
    /// Creates the question which of two items is closer to the query.
    pub fn preference(query: &str, a: &str, b: &str) -> Self {
        Self::new(JudgmentKind::Preference, query, &[a, b])
    }

    /// Creates the question for an order of the items of a list.
    pub fn ranking(query: &str) -> Self {
        Self::new(JudgmentKind::Ranking, query, &[])
    }

    /// Creates the question how similar an item is to the query.
    pub fn grade(query: &str, item: &str) -> Self {
        Self::new(JudgmentKind::Grading, query, &[item])
    }

    /// Creates a question that names these items.
    pub fn new(kind: JudgmentKind, query: &str, items: &[&str]) -> Self {
        Self {
            kind,
            query: query.to_owned(),
            items: items.iter().map(|&item| item.to_owned()).collect(),
        }
    }

    /// Returns the item shown first and the item shown second, or `None` if the question does not
    /// ask for a preference.
    pub fn pair(&self) -> Option<[&str; 2]> {
        match &self.items[..] {
            [a, b] if self.kind == JudgmentKind::Preference => Some([a, b]),
            _ => None,
        }
    }
}

/// Judgment of an assessor on a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgment {
    /// Preference between two items; `None` is a blank answer.
    Preference(Option<Preference>),
    /// Order of the items of a list.
    Ranking {
        /// Groups of items, the closest to the query first. Items of a group are tied and share the
        /// mean of their ranks.
        groups: Vec<Vec<String>>,
        /// Items left unranked explicitly. Items that occur neither here nor in a group are
        /// unranked too.
        unranked: Vec<String>,
    },
    /// Similarity of an item to the query.
    Grade {
        /// Similarity on the broad scale of three categories.
        broad: Option<BroadGrade>,
        /// Similarity on the fine scale from 0 to 100.
        fine: Option<f64>,
    },
    /// Names of the best and of the worst of four items.
    #[cfg(feature = "best-worst")]
    BestWorst([String; 2]),
}

impl Default for Judgment {
    /// Returns a blank answer to a pair question.
    fn default() -> Self {
        Self::Preference(None)
    }
}

impl Judgment {
    /// Returns true if the judgment names this item, as those of kinds other than rankings never
    /// do.
    pub fn names(&self, item: &str) -> bool {
        match self {
            Self::Ranking { groups, unranked } => {
                let mut named = groups.iter().flatten().chain(unranked);
                named.any(|name| name == item)
            }
            _ => false,
        }
    }

    /// Returns the preference, or `None` for a blank answer and for judgments of other kinds.
    pub fn preference(&self) -> Option<Preference> {
        match self {
            Self::Preference(preference) => *preference,
            _ => None,
        }
    }
}

/// Stimulus of a question: the query or one of the two items of a pair.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum StimulusPart {
    /// The item shown first.
    A,
    /// The item shown second.
    B,
    /// The query.
    Query,
}

/// Playback of one audio part of a question: the query or one of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Playback {
    /// Number of times that the clip of the query or item was played.
    pub plays: u32,
    /// True if the clip was played to its end at least once.
    pub ended: bool,
}

/// Answer of an assessor to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Id of the answer on the platform where it was given, unique per assessor.
    pub id: Option<String>,
    /// Assessor who answered.
    pub assessor: String,
    /// Question that was answered.
    pub question: Question,
    /// Judgment of the assessor.
    pub judgment: Judgment,
    /// Time taken to answer, in seconds.
    pub seconds: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    pub time: Option<f64>,
    /// Playback of each part of the question.
    pub playback: BTreeMap<StimulusPart, Playback>,
    /// Time during which the page with the question was not visible, in seconds.
    pub hidden_seconds: Option<f64>,
    /// Batch of an imported answer, as named by its source. Other answers belong to the batch that
    /// requested their pair.
    pub batch: Option<String>,
}

impl Answer {
    /// Creates an answer with only the required fields.
    pub fn new(assessor: &str, question: Question, judgment: Judgment) -> Self {
        Self {
            id: None,
            assessor: assessor.to_owned(),
            question,
            judgment,
            seconds: None,
            time: None,
            playback: BTreeMap::new(),
            hidden_seconds: None,
            batch: None,
        }
    }

    /// Creates the answer to a pair question. `None` is a blank answer.
    pub fn preference(
        query: &str,
        a: &str,
        b: &str,
        assessor: &str,
        preference: Option<Preference>,
    ) -> Self {
        let judgment = Judgment::Preference(preference);
        Self::new(assessor, Question::preference(query, a, b), judgment)
    }
}

/// Role of an answer in its campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerRole {
    /// The answer was given in the campaign. It counts if the campaign asked for it.
    Vote,
    /// The answer comes from before or outside the campaign. It counts as a vote if votes on its
    /// pair are requested, before or after the import.
    Imported,
    /// The answer is about a gold pair. It shows how carefully the assessor answers and is never a
    /// vote.
    Gold {
        /// Correct choice, for the items in the order shown.
        expected: Preference,
    },
}

/// Row of a file of answers, with names as text. Fields are `None` where the source gives no value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerRow {
    /// File and line of the row, if they are known.
    pub position: Option<FilePosition>,
    /// Name of the judging campaign in which the answer was collected.
    pub campaign: Option<String>,
    /// Name of the query. May be left out if all rows belong to one query.
    pub query: Option<String>,
    /// Items that the question names, as in [`Question::items`].
    pub items: Vec<String>,
    /// Assessor who answered.
    pub assessor: Option<String>,
    /// Judgment of the assessor.
    pub judgment: Judgment,
    /// Time from showing the question to the answer, in seconds.
    pub seconds: Option<f64>,
    /// Name of the batch of questions that the question belongs to, as given by the source.
    pub batch: Option<String>,
    /// Time when the question was shown, in seconds since 1970.
    pub asked_at: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    pub answered_at: Option<f64>,
    /// Identifier of the answer on the platform where it was collected.
    pub id: Option<String>,
    /// Assessor's description of their own background, such as musical training.
    pub background: Option<String>,
    /// Total duration of the audio clips in the question, in seconds.
    pub clip_seconds: Option<f64>,
}

impl AnswerRow {
    /// Creates a row with only the items of a pair and the preference between them. `None` is a
    /// blank answer.
    pub fn preference(a: &str, b: &str, preference: Option<Preference>) -> Self {
        Self {
            items: vec![a.to_owned(), b.to_owned()],
            judgment: Judgment::Preference(preference),
            ..Self::default()
        }
    }

    /// Returns the two items of a row about a pair.
    ///
    /// # Panics
    /// Panics if the row does not name two items.
    pub fn pair(&self) -> [&str; 2] {
        let [a, b] = &self.items[..] else {
            panic!("a preference is about two items");
        };
        [a, b]
    }
}
