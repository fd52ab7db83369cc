//! The retrieval systems: one file each, found in [`REGISTRY`].
//!
//! A system is written `Name(parameter=value)`, as in `ShapeH(how=local)` or `US(n=4)`; [`parse`] makes
//! it. It is made ready for a collection, because how frequent a gram is there may matter, and then
//! scores its documents for a query: higher is closer, and distances are negated. They share these
//! conventions:
//!
//! - Frequencies are those of the collection. A gram that is not in it has frequency 0.
//! - What is too short to have the grams that a system compares is counted and not returned.
//! - Scores are rounded to 10 decimals, then compared. Equal ones go by the system's tie rule, then by
//!   the order of the collection.
//! - Grace notes are no part of a melody, and rests are gaps between its notes.
//!
//! ```
//! use partita_core::work::InTurn;
//! use partita_melody::system::{self, Wanted};
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
//! let collection = system::parse("DP")?.prepare(&mut documents.into_iter());
//! let found = collection.search(&melody(&[67, 69, 71, 65])?, Wanted::ALL, &InTurn)?;
//! let found = found.expect("the query has two notes");
//! // Of the intervals 2 2 -6 one differs from 2 2 -4, and all differ from 0 7 0.
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
mod shape_h;
mod shape_time;
pub(crate) mod shared;
mod shared_time;
mod splines;
mod time;
mod transportation;

pub use call::SystemError;
pub(crate) use edit_distance::edit_distance;
pub use scorer::{DocumentScore, SearchOptions, Searcher};

use std::collections::BTreeMap;
use std::fmt;

use call::SystemArguments;
use partita_core::call::{Call, find_definition};
use schemars::JsonSchema;
use serde::Serialize;

use crate::Melody;

/// Every system, in the order in which they are listed.
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

/// A system with its parameters settled.
pub trait MelodySystem: Send + Sync {
    /// Makes a collection ready for queries. Documents are known by their place in it, from 0.
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher>;
}

impl<C: scorer::Scorer + Clone + 'static> MelodySystem for C {
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher> {
        let mut prepared = scorer::PreparedCollection::new(self.clone());
        melodies.for_each(|melody| prepared.add(&melody));
        Box::new(prepared.finish())
    }
}

/// What there is to say of a system, and how to make it.
#[derive(Serialize, JsonSchema)]
pub struct SystemDefinition {
    /// Its name.
    pub name: &'static str,
    /// Other names under which people know it.
    pub aliases: &'static [&'static str],
    /// One sentence.
    pub summary: &'static str,
    /// How it compares, and where its constants come from.
    pub description: &'static str,
    /// Where it was defined.
    pub reference: &'static str,
    /// Its parameters.
    pub parameters: &'static [SystemParameter],
    /// What of a query can change without changing its scores.
    pub invariant_to: &'static [Invariance],
    /// Whether an index spares it the documents that are not worth scoring.
    pub indexed: bool,
    /// What decides between documents of one score.
    pub tie_rule: TieRule,
    /// An example of its use.
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

/// A parameter of a system.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SystemParameter {
    /// Its name.
    pub name: &'static str,
    /// The values it takes: choices separated by `|`, or words that describe a number.
    pub values: &'static str,
    /// What it is if it is not given.
    pub default: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Where its default comes from.
    pub source: ParameterSource,
    /// The values among which it is tuned; none where it is not.
    #[serde(skip)]
    #[serde(rename = "tries")]
    pub tuning_values: &'static [&'static str],
}

partita_named::named_enum! {
    /// Where a constant comes from.
    pub enum ParameterSource: "source" {
        /// It stands in the publication or in the authors' program
        Published = "published",
        /// It was chosen when the system was written down here
        Chosen = "chosen",
        /// It was tuned on melodies with known relatives, whole families held out
        Tuned = "tuned",
    }
}

partita_named::named_enum! {
    /// What of a query can change without changing its scores.
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
    /// What decides between documents of one score.
    pub enum TieRule: "tie rule" {
        /// Hybrid alignment of exact-pitch grams (+1 for equal ones, -1 else), then difference in length
        ExactPitch = "exact-pitch alignment, then difference in length",
        /// The difference in the number of notes
        Length = "difference in length",
    }
}

/// What a query may change in for most systems.
const ALL_INVARIANCES: &[Invariance] = &[
    Invariance::Transposition,
    Invariance::Rests,
    Invariance::Scaling,
];

/// Systems with their definitions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SystemCatalogue {
    /// The systems.
    pub systems: Vec<&'static SystemDefinition>,
}

/// All systems, or the one that is written so, whatever its parameters.
///
/// # Errors
/// [`SystemError`] where there is no such system.
pub fn catalogue(name: Option<&str>) -> Result<SystemCatalogue, SystemError> {
    let systems = match name {
        Some(name) => vec![parse_definition(name)?],
        None => REGISTRY.to_vec(),
    };
    Ok(SystemCatalogue { systems })
}

/// The definition of the system with this name; upper and lower case are the same.
///
/// # Errors
/// [`SystemError`] where there is no such system.
pub fn definition(name: &str) -> Result<&'static SystemDefinition, SystemError> {
    find_definition(REGISTRY, name)
}

/// The definition of the system that is written so, whatever its parameters.
///
/// # Errors
/// [`SystemError`] where the text does not follow the grammar or there is no such system.
pub fn parse_definition(text: &str) -> Result<&'static SystemDefinition, SystemError> {
    definition(&Call::parse_without_cutoff(text)?.name)
}

/// Makes the system that is written so.
///
/// ```
/// use partita_melody::system;
///
/// assert!(system::parse("ShapeH(how=local)").is_ok());
/// let error = system::parse("ShapH").err().unwrap();
/// assert!(error.to_string().contains("ShapeH"));
/// ```
///
/// # Errors
/// [`SystemError`] where there is no such system, or not with such parameters.
pub fn parse(text: &str) -> Result<Box<dyn MelodySystem>, SystemError> {
    let call = Call::parse_without_cutoff(text)?;
    let definition = definition(&call.name)?;
    (definition.build)(&SystemArguments::new(text, definition, call.parameters)?)
}

/// A system in the one way in which it is printed, however it was written: the registry's names, and
/// no parameter that says what holds anyway.
///
/// ```
/// use partita_melody::system::canonical;
///
/// assert_eq!(canonical("shapeh( How=LOCAL )")?, "ShapeH(how=local)");
/// assert_eq!(canonical("Time(weight=0.50)")?, "Time");
/// # Ok::<(), partita_melody::system::SystemError>(())
/// ```
///
/// # Errors
/// [`SystemError`] where there is no such system, or not with such parameters.
pub fn canonical_name(text: &str) -> Result<String, SystemError> {
    parse(text)?;
    let call = Call::parse_without_cutoff(text)?;
    let definition = definition(&call.name)?;
    Ok(SystemArguments::new(text, definition, call.parameters)?.canonical())
}

/// The parameters that are written, by name; what holds anyway is not among them.
///
/// # Errors
/// [`SystemError`] where there is no such system, or not with such parameters.
pub fn explicit_parameters(text: &str) -> Result<BTreeMap<String, String>, SystemError> {
    parse(text)?;
    Ok(Call::parse_without_cutoff(text)?
        .parameters
        .into_iter()
        .collect())
}
