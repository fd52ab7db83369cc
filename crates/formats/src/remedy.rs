//! What a user can do about a problem.

use std::borrow::Cow;
use std::fmt;

use partita_named::NamedEnum;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

partita_named::named_enum! {
    /// What every front calls by a name of its own: the settings by which files are read and written,
    /// and the jobs that make such files.
    pub enum RemedyTerm: "term" {
        /// The format of a ground truth
        TruthFormat = "truth_format",
        /// The format of a run
        RunFormat = "run_format",
        /// The format that is written
        To = "to",
        /// Where it is written
        Output = "output",
        /// Which of several ground truths is read
        Label = "label",
        /// Which query, or what it is called
        Query = "query",
        /// Which column is which, and what answers are called
        Map = "map",
        /// Where preferences are given
        Preferences = "preferences",
        /// Where rankings are given
        Rankings = "rankings",
        /// What becomes of a score that is not there
        Missing = "missing",
        /// The time that it is
        Now = "now",
        /// The job that gives the scores of every query
        Evaluation = "evaluation",
        /// The job that says how many queries are needed
        Plan = "plan",
    }
}

/// A part of a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemedyPart {
    /// Words as they are.
    Words(String),
    /// A setting or a job, and the value that it is to be given.
    Term(RemedyTerm, Option<String>),
}

/// What a user can do: words in which settings and jobs are data, so that each front says them its own
/// way: as a flag, a keyword, a field of a form.
///
/// ```
/// use partita_formats::{Source, scores};
///
/// let holes = Source::memory("scores.csv", "query,bm25,dfr\nq1,0.2,\n");
/// let error = scores::read(&holes, &scores::ReadOptions::default()).unwrap_err();
/// let remedy = error.remedy.unwrap();
/// assert!(remedy.to_string().contains("`missing = zero` counts a missing score as 0"));
/// let flags = remedy.words(|setting, value| format!("--{setting} {}", value.unwrap_or_default()));
/// assert!(flags.contains("--missing zero counts a missing score as 0"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy(Vec<RemedyPart>);

impl Remedy {
    /// A remedy in which `{missing}` and `{missing zero}` are terms.
    ///
    /// # Panics
    /// If there is no such term.
    pub fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        for (index, part) in text.split(['{', '}']).enumerate() {
            parts.push(if index % 2 == 0 {
                RemedyPart::Words(part.to_owned())
            } else {
                let (term, value) = part
                    .split_once(' ')
                    .map_or((part, None), |(t, v)| (t, Some(v)));
                let term =
                    RemedyTerm::from_name(term).expect("remedies speak of terms that there are");
                RemedyPart::Term(term, value.map(str::to_owned))
            });
        }
        Self(parts)
    }

    /// Its parts.
    pub fn parts(&self) -> &[RemedyPart] {
        &self.0
    }

    /// The remedy in words, with terms and their values as a front calls them.
    pub fn render(&self, called: impl Fn(RemedyTerm, Option<&str>) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            RemedyPart::Words(words) => words.clone(),
            RemedyPart::Term(term, value) => called(*term, value.as_deref()),
        });
        parts.collect()
    }
}

/// Words that hold for every front.
impl<W: Into<String>> From<W> for Remedy {
    fn from(words: W) -> Self {
        Self(vec![RemedyPart::Words(words.into())])
    }
}

/// The words of the library: settings are called like the fields of requests.
impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(|term, value| match value {
            Some(value) => format!("`{term} = {value}`"),
            None => format!("`{term}`"),
        }))
    }
}

impl Serialize for Remedy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Remedy {
    fn schema_name() -> Cow<'static, str> {
        "Remedy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string"})
    }
}
