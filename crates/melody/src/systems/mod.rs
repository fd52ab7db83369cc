//! Retrieval systems, one file each, listed in [`REGISTRY`].
//!
//! A system is written `Name(parameter=value)`, for example `ShapeH(how=local)` or `US(n=4)`, and
//! created by [`parse`]. It first prepares a collection, because scores may depend on the
//! frequencies of n-grams in it, and then scores the documents for a query. Higher scores are more
//! similar; distances are negated. All systems share these conventions:
//!
//! - Frequencies refer to the collection. An n-gram that is not in it has frequency 0.
//! - Melodies that are too short for the n-grams of a system are counted but not returned.
//! - Scores are rounded to 10 decimals before they are compared. Ties are broken by the tie rule of
//!   the system, then by the order of the collection.
//! - Grace notes are not part of a melody, and rests are gaps between its notes.
//!
//! ```
//! use partita_core::work::SequentialWork;
//! use partita_melody::systems::{self, SearchOptions};
//! use partita_melody::{Beats, Melody, Note, Pitch};
//!
//! let melody = |pitches: &[u8]| {
//!     let note = |(&pitch, beat)| {
//!         let pitch = Pitch::new(pitch).expect("a key of a piano");
//!         Note::new(pitch, Beats::from_integer(beat), Beats::from_integer(1))
//!     };
//!     Melody::new(pitches.iter().zip(0..).map(note).collect())
//! };
//! let documents = [melody(&[60, 62, 64, 60])?, melody(&[60, 60, 67, 67])?];
//! let collection = systems::parse("DP")?.prepare(&mut documents.into_iter());
//! let found = collection.search(&melody(&[67, 69, 71, 65])?, SearchOptions::ALL, &SequentialWork)?;
//! let found = found.expect("the query has two notes");
//! // Of the intervals 2 2 -6, one differs from 2 2 -4, and all differ from 0 7 0.
//! assert_eq!((found[0].document, found[0].score), (0, 0.6666666667));
//! assert_eq!((found[1].document, found[1].score), (1, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod align;
mod call;
mod coordinate_matching;
mod edit_distance;
mod implication_realization;
mod opti3;
mod orio;
mod scorer;
mod searcher;
mod shape_h;
mod shape_time;
pub(crate) mod shared;
mod shared_time;
mod splines;
mod tie_breaking;
mod time;
mod transportation;

pub use call::SystemError;
pub(crate) use edit_distance::edit_distance;
pub use searcher::{DocumentScore, SearchOptions, Searcher};

use std::collections::BTreeMap;
use std::fmt;

use call::SystemArguments;
use partita_core::call::{Call, find_definition};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;

/// Definitions of all retrieval systems, in the order in which they are listed.
pub static REGISTRY: &[&SystemDefinition] = &[
    &shape_h::DEFINITION,
    &time::DEFINITION,
    &shape_time::DEFINITION,
    &splines::DEFINITION,
    &implication_realization::DEFINITION,
    &orio::DEFINITION,
    &coordinate_matching::DEFINITION,
    &transportation::DEFINITION,
    &shared_time::DEFINITION,
    &edit_distance::DEFINITION,
    &opti3::DEFINITION,
    &align::DEFINITION,
];

/// Retrieval system with fixed parameters.
pub trait MelodySystem: Send + Sync {
    /// Prepares a collection of melodies for queries. Its documents are identified by their index
    /// in the iterator, from 0.
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher>;
}

impl<S: scorer::Scorer + Clone + 'static> MelodySystem for S {
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher> {
        let mut prepared = searcher::PreparedCollection::new(self.clone());
        melodies.for_each(|melody| prepared.add(&melody));
        Box::new(prepared.finish())
    }
}

/// Definition of a retrieval system: documentation, parameters and constructor.
#[derive(Serialize, JsonSchema)]
pub struct SystemDefinition {
    /// Name of the system, for example `ShapeTime`.
    pub name: &'static str,
    /// Alternative names of the system.
    pub aliases: &'static [&'static str],
    /// Summary of the system in one sentence.
    pub summary: &'static str,
    /// Description of how the system compares melodies, and of the origin of its constants.
    pub description: &'static str,
    /// Publication that defines the system.
    pub reference: &'static str,
    /// Parameters of the system.
    pub parameters: &'static [SystemParameter],
    /// Transformations of a query that leave the scores of the system unchanged.
    pub invariant_to: &'static [Invariance],
    /// True if the system has an index, so that a search need not score every document.
    pub indexed: bool,
    /// Rule by which the system breaks ties between documents with equal scores.
    pub tie_rule: TieRule,
    /// Example of the system with its parameters, in text form.
    pub example: &'static str,
    #[serde(skip)]
    build: fn(&SystemArguments) -> Result<Box<dyn MelodySystem>, SystemError>,
}

impl fmt::Debug for SystemDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Parameter of a retrieval system.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SystemParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// Allowed values: choices separated by `|`, or a description such as "a number from 0".
    pub values: &'static str,
    /// Default value, as text.
    pub default: &'static str,
    /// Effect of the parameter on the scores.
    pub description: &'static str,
    /// Origin of the default value.
    pub source: ParameterSource,
    /// Values that tuning tries; empty if the parameter is not tuned.
    #[serde(skip)]
    #[serde(rename = "tries")]
    pub tuning_values: &'static [&'static str],
}

partita_named::named_enum! {
    /// Origin of the default value of a parameter.
    pub enum ParameterSource: "source" {
        /// The value is given in the publication or in the authors' program
        Published = "published",
        /// The value was chosen for this implementation
        Chosen = "chosen",
        /// The value was tuned on melodies with known relatives, whole families held out
        Tuned = "tuned",
    }
}

partita_named::named_enum! {
    /// Transformation of a query that leaves its scores unchanged.
    pub enum Invariance: "invariance" {
        /// All pitches higher or lower by the same interval
        Transposition = "transposition",
        /// Rests before the first note and after the last
        Rests = "rests",
        /// All durations longer or shorter by the same factor
        Scaling = "scaling",
    }
}

partita_named::named_enum! {
    /// Rule that breaks ties between documents with equal scores.
    pub enum TieRule: "tie rule" {
        /// Hybrid alignment of grams with equal intervals (+1 for equal ones, -1 else), then
        /// difference in length
        ExactInterval = "exact-interval alignment, then difference in length",
        /// The difference in the number of notes
        Length = "difference in length",
    }
}

/// Invariances that most systems have: transposition, leading and trailing rests, and scaling of
/// all durations.
const ALL_INVARIANCES: &[Invariance] = &[
    Invariance::Transposition,
    Invariance::Rests,
    Invariance::Scaling,
];

/// List of retrieval systems with their definitions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemCatalogue {
    /// Definitions of the systems.
    pub systems: Vec<&'static SystemDefinition>,
}

/// Returns the definitions of all systems, or only of the system with this name. Parameters after
/// the name are ignored.
///
/// # Errors
/// Returns [`SystemError`] if there is no such system.
pub fn catalogue(name: Option<&str>) -> Result<SystemCatalogue, SystemError> {
    let systems = match name {
        Some(name) => vec![parse_definition(name)?],
        None => REGISTRY.to_vec(),
    };
    Ok(SystemCatalogue { systems })
}

/// Returns the definition of the system with this name, ignoring case.
///
/// # Errors
/// Returns [`SystemError`] if there is no such system.
pub fn definition(name: &str) -> Result<&'static SystemDefinition, SystemError> {
    find_definition(REGISTRY, name)
}

/// Returns the definition of the system that a text like `Name(parameter=value)` names. The
/// parameters are ignored.
///
/// # Errors
/// Returns [`SystemError`] if the text does not follow the grammar or there is no such system.
pub fn parse_definition(text: &str) -> Result<&'static SystemDefinition, SystemError> {
    definition(&parse_call(text)?.name)
}

/// Returns a remark about a name that denotes another system in publications; `None` for other
/// names.
///
/// ```
/// use partita_melody::systems::name_remark;
///
/// assert!(name_remark("FM(segment=3)").is_some_and(|text| text.contains("MIREX 2005")));
/// assert_eq!(name_remark("Opti3"), None);
/// ```
#[must_use]
pub fn name_remark(text: &str) -> Option<&'static str> {
    let call = parse_call(text).ok()?;
    call.name.eq_ignore_ascii_case("FM").then_some(
        "this is Opti3 and not the entry FM of MIREX 2005, which combined six measures and is not \
         available here",
    )
}

/// Parses the notation `Name(parameter=value)`.
fn parse_call(text: &str) -> Result<Call, SystemError> {
    Call::parse_without_cutoff::<SystemDefinition>(text)
}

/// Creates a system from its text form, for example `ShapeH(how=local)`.
///
/// ```
/// use partita_melody::systems;
///
/// assert!(systems::parse("ShapeH(how=local)").is_ok());
/// let error = systems::parse("ShapH").err().unwrap();
/// assert!(error.to_string().contains("ShapeH"));
/// ```
///
/// # Errors
/// Returns [`SystemError`] if the system or a parameter is invalid.
pub fn parse(text: &str) -> Result<Box<dyn MelodySystem>, SystemError> {
    let call = parse_call(text)?;
    let definition = definition(&call.name)?;
    (definition.build)(&SystemArguments::new(text, definition, call.parameters)?)
}

/// Returns the canonical text form of a system: names as in the registry, without parameters that
/// have their default value.
///
/// ```
/// use partita_melody::systems::canonical_name;
///
/// assert_eq!(canonical_name("shapeh( How=LOCAL )")?, "ShapeH(how=local)");
/// assert_eq!(canonical_name("Time(weight=0.50)")?, "Time");
/// # Ok::<(), partita_melody::systems::SystemError>(())
/// ```
///
/// # Errors
/// Returns [`SystemError`] if the system or a parameter is invalid.
pub fn canonical_name(text: &str) -> Result<String, SystemError> {
    parse(text)?;
    let call = parse_call(text)?;
    let definition = definition(&call.name)?;
    Ok(SystemArguments::new(text, definition, call.parameters)?.canonical())
}

/// Returns the parameters that the text of a system names, with their values.
///
/// # Errors
/// Returns [`SystemError`] if the system or a parameter is invalid.
pub(crate) fn explicit_parameters(text: &str) -> Result<BTreeMap<String, String>, SystemError> {
    parse(text)?;
    Ok(parse_call(text)?.parameters.into_iter().collect())
}
