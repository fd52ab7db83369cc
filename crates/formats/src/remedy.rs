//! Remedies: text that tells users how to fix a problem.

use std::borrow::Cow;
use std::fmt;

use partita_named::NamedEnum;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

partita_named::named_enum! {
    /// Setting or job that a remedy refers to. Each front end (command line, library, web page) has
    /// its own name for it.
    pub enum RemedyTerm: "term" {
        /// The format of a ground truth
        TruthFormat = "truth_format",
        /// The format of a run
        RunFormat = "run_format",
        /// The format that is written
        To = "to",
        /// The path of the output
        Output = "output",
        /// The label of the ground truth to read
        Label = "label",
        /// The query to read, or its name
        Query = "query",
        /// The column map, with the words for answers
        Map = "map",
        /// The file of preferences
        Preferences = "preferences",
        /// The file of rankings
        Rankings = "rankings",
        /// The file of grades
        Grades = "grades",
        /// The treatment of missing scores
        Missing = "missing",
        /// The current time
        Now = "now",
        /// The switch that takes values for ranks
        AsRanks = "as_ranks",
        /// The job that computes the scores of every query
        Evaluation = "evaluation",
        /// The job that estimates the required number of queries
        Plan = "plan",
    }
}

/// Part of the text of a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RemedyPart {
    /// Literal text.
    Text(String),
    /// Setting or job, with the value to set if there is one.
    Term(RemedyTerm, Option<String>),
}

/// Remedy for a problem: text in which settings and jobs are data. Each front end renders them its
/// own way: as a flag, a keyword, or a field of a form.
///
/// ```
/// use partita_formats::{Source, scores};
///
/// let gaps = Source::from_bytes("scores.csv", "query,bm25,dfr\nq1,0.2,\n");
/// let error = scores::read(&gaps, &scores::ScoresReadOptions::default()).unwrap_err();
/// let remedy = error.remedy.unwrap();
/// assert!(remedy.to_string().contains("`missing = zero` counts a missing score as 0"));
/// let flags = remedy.render(|term, value| format!("--{term} {}", value.unwrap_or_default()));
/// assert!(flags.contains("--missing zero counts a missing score as 0"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy(Vec<RemedyPart>);

impl Remedy {
    /// Parses a remedy. Braces mark settings and jobs by the names of [`RemedyTerm`]: `{missing}`
    /// is a setting, and `{missing zero}` a setting with a value.
    ///
    /// # Panics
    /// Panics if there is no such term.
    pub fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        for (index, part) in text.split(['{', '}']).enumerate() {
            parts.push(if index % 2 == 0 {
                RemedyPart::Text(part.to_owned())
            } else {
                let (term, value) = part
                    .split_once(' ')
                    .map_or((part, None), |(t, v)| (t, Some(v)));
                let term = RemedyTerm::from_name(term).expect("a remedy names only existing terms");
                RemedyPart::Term(term, value.map(str::to_owned))
            });
        }
        Self(parts)
    }

    /// Renders the remedy as text. `format_term` formats a setting or job, with the value to set.
    pub fn render(&self, format_term: impl Fn(RemedyTerm, Option<&str>) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            RemedyPart::Text(words) => words.clone(),
            RemedyPart::Term(term, value) => format_term(*term, value.as_deref()),
        });
        parts.collect()
    }
}

/// Creates a remedy of plain text, without settings or jobs.
impl<W: Into<String>> From<W> for Remedy {
    fn from(words: W) -> Self {
        Self(vec![RemedyPart::Text(words.into())])
    }
}

/// Formats the remedy for library users: settings are named like the fields of requests.
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
