//! Effectiveness measures: one file each, listed in [`REGISTRY`].
//!
//! A measure is written `Name(parameter=value)@cutoff`, as in `ADR`, `nDCG(gain=exp)@10` or
//! `RBP(p=0.8)`, and created by [`parse`]. All measures take the ground truth of a query and the
//! ranking of a system, and share these conventions:
//!
//! - Unjudged documents and negative grades have gain 0. A second copy of a document takes up its
//!   position and has gain 0.
//! - For binary measures, a document is relevant if its gain is above 0, or at least the parameter
//!   `rel` if that is given.
//! - If the ranking ties documents, the score is the exact mean over all orders within the tied
//!   groups; [`score_range`] adds the extremes.

// One module per measure, named like the measure in the registry. The modules `aliases` and
// `grammar` parse names of measures.
mod adr;
mod adr_inverted;
mod ag;
mod aliases;
mod andcg;
mod ap;
mod bpref;
mod cg;
mod compat;
mod dcg;
mod dynamic_recall;
mod err;
mod grammar;
mod judged;
mod ndcg;
mod precision;
mod rbp;
mod rbp_residual;
mod recall;
mod rprec;
mod rr;
mod success;
pub(crate) mod unjudged;

pub use adr::average_dynamic_recall;
pub use aliases::trec_eval_name;
pub use dynamic_recall::{dynamic_recall, found_per_position};
pub use grammar::MeasureError;

use std::fmt;

use grammar::{MeasureArguments, parse_call};
use schemars::JsonSchema;
use serde::Serialize;

use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Definitions of all measures, in the order in which help and documentation list them.
pub static REGISTRY: &[&MeasureDefinition] = &[
    &adr::DEFINITION,
    &dynamic_recall::DEFINITION,
    &adr_inverted::DEFINITION,
    &cg::DEFINITION,
    &ag::DEFINITION,
    &dcg::DEFINITION,
    &ndcg::DEFINITION,
    &andcg::DEFINITION,
    &precision::DEFINITION,
    &rprec::DEFINITION,
    &recall::DEFINITION,
    &success::DEFINITION,
    &ap::DEFINITION,
    &rr::DEFINITION,
    &rbp::DEFINITION,
    &rbp_residual::DEFINITION,
    &err::DEFINITION,
    &bpref::DEFINITION,
    &compat::DEFINITION,
    &judged::DEFINITION,
    &unjudged::DEFINITION,
];

/// Effectiveness measure with fixed parameters and cut-off, such as `nDCG(gain=exp)@10`.
pub trait Measure: Send + Sync {
    /// Scores the agreement of the ranking with the judgments. Returns `None` if the measure is
    /// undefined.
    ///
    /// For a ranking with ties, returns the mean over all orders within the tied groups.
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64>;

    /// Returns the number of positions of the ranking on which the score depends.
    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize;

    /// Returns the formula of the measure with its parameters, without the name of the measure.
    fn formula(&self) -> String;
}

/// Definition of a measure: names, documentation and constructor.
#[derive(Serialize, JsonSchema)]
pub struct MeasureDefinition {
    /// Canonical name of the measure.
    pub name: &'static str,
    /// Alternative names of the measure.
    pub aliases: &'static [&'static str],
    /// Summary of the measure in one sentence.
    pub summary: &'static str,
    /// Description of the measure and its conventions, such as the treatment of unjudged documents.
    pub description: &'static str,
    /// Range of the scores, such as `0 to 1`.
    pub range: &'static str,
    /// True if higher scores are better; `None` if neither direction is better.
    pub higher_is_better: Option<bool>,
    /// Publication that defines the measure.
    pub reference: &'static str,
    /// Rule for the cut-off `@k`: optional, required or not allowed.
    pub cutoff: CutoffRule,
    /// Parameters that the measure accepts.
    pub parameters: &'static [MeasureParameter],
    /// Example of the notation of the measure, such as `ADR@10`.
    pub example: &'static str,
    /// Constructor of the measure from its parameters and cut-off.
    #[serde(skip)]
    build: fn(&MeasureArguments) -> Result<Box<dyn Measure>, MeasureError>,
}

impl fmt::Debug for MeasureDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

partita_named::named_enum! {
    /// Rule for the cut-off `@k` after the name of a measure.
    pub enum CutoffRule: "cut-off" {
        /// `@k` may follow the name; without it the measure determines its own depth
        Optional = "optional",
        /// `@k` must follow the name
        Required = "required",
        /// The measure reads the whole ranking
        None = "none",
    }
}

/// Descriptions of measures for documentation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureCatalogue {
    /// Descriptions of the measures, in the order of the registry.
    pub measures: Vec<MeasureDescription>,
}

/// Definition of a measure together with the formula of its example.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureDescription {
    /// Definition of the measure.
    #[serde(flatten)]
    pub definition: &'static MeasureDefinition,
    /// Formula of the example of the definition, after its name and parameters: `AP(rel=2) = ...`.
    pub formula: String,
}

/// Returns the descriptions of all measures, or of the one that `name` denotes, ignoring its
/// parameters and cut-off.
///
/// # Errors
/// Returns [`MeasureError`] if there is no such measure or the text does not follow the grammar.
pub fn catalogue(name: Option<&str>) -> Result<MeasureCatalogue, MeasureError> {
    let chosen = match name {
        Some(name) => vec![parse_definition(name)?],
        None => REGISTRY.to_vec(),
    };
    let measures = chosen.into_iter().map(|definition| MeasureDescription {
        definition,
        formula: (parse(definition.example, 1.0))
            .map(|measure| formula_text(definition.example, measure.as_ref()))
            .expect("the example of a definition is a valid measure"),
    });
    Ok(MeasureCatalogue {
        measures: measures.collect(),
    })
}

/// Returns the name and the formula of a measure as text: `AP(rel=2) = ...`.
pub(crate) fn formula_text(name: &str, measure: &dyn Measure) -> String {
    format!("{name} = {}", measure.formula())
}

/// Parameter that a measure accepts, such as `p` of RBP.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct MeasureParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// Accepted values: choices separated by `|`, or a phrase that describes a number.
    pub values: &'static str,
    /// Value used if the parameter is not given, or a phrase that describes it.
    pub default: &'static str,
    /// Description of the effect of the parameter.
    pub description: &'static str,
}

/// Finds the definition of the measure with this name or alias, ignoring case.
///
/// # Errors
/// Returns [`MeasureError`] if there is no such measure.
pub fn find_definition(name: &str) -> Result<&'static MeasureDefinition, MeasureError> {
    Ok(crate::call::find_definition(REGISTRY, name)?)
}

/// Finds the definition of a measure written as `Name(parameter=value)@cutoff`, ignoring its
/// parameters and cut-off.
///
/// Parameters and cut-off must follow the grammar, but only [`parse`] checks that the measure
/// accepts them.
///
/// # Errors
/// Returns [`MeasureError`] if there is no such measure or the text does not follow the grammar.
pub fn parse_definition(text: &str) -> Result<&'static MeasureDefinition, MeasureError> {
    find_definition(&parse_call(text)?.name)
}

/// Creates the measure that the text denotes.
///
/// `highest_gain` is the highest gain on the scale of the ground truth, or 0 if nothing is
/// relevant. Measures use it as the maximum grade unless their parameter `max` is given.
///
/// ```
/// use partita_core::measure;
///
/// assert!(measure::parse("nDCG(gain=exp, ideal=max)@5", 2.0).is_ok());
/// let error = measure::parse("nDGC@5", 2.0).err().unwrap();
/// assert!(error.to_string().contains("nDCG"));
/// ```
///
/// # Errors
/// Returns [`MeasureError`] if the text is not a valid measure.
pub fn parse(text: &str, highest_gain: f64) -> Result<Box<dyn Measure>, MeasureError> {
    let call = parse_call(text)?;
    let definition = find_definition(&call.name)?;
    let arguments = MeasureArguments::new(text, definition, call, highest_gain)?;
    (definition.build)(&arguments)
}

/// Returns the canonical notation of a measure.
///
/// Names of trec_eval, ranx and ir_measures become names of the registry, and parameters equal to
/// their defaults are left out.
///
/// ```
/// use partita_core::measure::canonical_name;
///
/// assert_eq!(canonical_name("ndcg_cut_10")?, "nDCG@10");
/// assert_eq!(canonical_name("NDCG( b=2, Discount=log )@5")?, "nDCG(discount=log)@5");
/// assert_eq!(canonical_name("map")?, "AP");
/// # Ok::<(), partita_core::measure::MeasureError>(())
/// ```
///
/// # Errors
/// Returns [`MeasureError`] if there is no such measure, the text does not follow the grammar, the
/// measure lacks a parameter, or the cut-off is invalid. Values of parameters are not checked.
pub fn canonical_name(text: &str) -> Result<String, MeasureError> {
    let call = parse_call(text)?;
    let definition = find_definition(&call.name)?;
    Ok(MeasureArguments::new(text, definition, call, 1.0)?.canonical())
}

/// Returns the canonical notation of a measure for a ground truth with this highest gain. The highest
/// grade that ERR takes from the ground truth becomes its parameter `max`, because scores by different
/// highest grades cannot be compared.
///
/// ```
/// use partita_core::measure::resolved_name;
///
/// assert_eq!(resolved_name("err@20", 3.0)?, "ERR(max=3)@20");
/// assert_eq!(resolved_name("ERR(max=4)@20", 3.0)?, "ERR(max=4)@20");
/// assert_eq!(resolved_name("AG@5", 3.0)?, "AG@5");
/// # Ok::<(), partita_core::measure::MeasureError>(())
/// ```
///
/// # Errors
/// Returns [`MeasureError`] if the text is not a valid measure.
pub fn resolved_name(text: &str, highest_gain: f64) -> Result<String, MeasureError> {
    let call = parse_call(text)?;
    let definition = find_definition(&call.name)?;
    let arguments = MeasureArguments::new(text, definition, call, highest_gain)?;
    (definition.build)(&arguments)?;
    Ok(arguments.into_resolved())
}

/// Returns true if `found`, the measure of some scores, is the one that `asked` denotes. `asked` may
/// leave out the highest grade that `found` took from its ground truth.
///
/// ```
/// use partita_core::measure::is_asked_measure;
///
/// assert!(is_asked_measure("ERR@20", "ERR(max=3)@20") && is_asked_measure("map", "AP"));
/// assert!(!is_asked_measure("ERR(max=4)@20", "ERR(max=3)@20") && !is_asked_measure("ERR", "ERR(max=3)@20"));
/// ```
#[must_use]
pub fn is_asked_measure(asked: &str, found: &str) -> bool {
    let without_max = || {
        let mut call = parse_call(found).ok()?;
        let definition = find_definition(&call.name).ok()?;
        call.parameters.retain(|(name, _)| name != MAX.name);
        let arguments = MeasureArguments::new(found, definition, call, 1.0).ok()?;
        Some(arguments.canonical())
    };
    is_same_measure(asked, found) || without_max().is_some_and(|name| is_same_measure(asked, &name))
}

/// Returns true if two texts denote the same measure. Names outside the registry are compared
/// ignoring case.
///
/// ```
/// use partita_core::measure::is_same_measure;
///
/// assert!(is_same_measure("ag@5", "AG@5") && is_same_measure("map", "AP") && is_same_measure("my score", "My Score"));
/// assert!(!is_same_measure("nDCG@5", "nDCG@10"));
/// ```
#[must_use]
pub fn is_same_measure(one: &str, other: &str) -> bool {
    let same = |one, other| matches!((canonical_name(one), canonical_name(other)), (Ok(a), Ok(b)) if a == b);
    one.eq_ignore_ascii_case(other) || same(one, other)
}

/// Splits a comma-separated list of measures. Commas inside parentheses separate parameters.
///
/// ```
/// assert_eq!(partita_core::measure::split_list("ADR, nDCG(gain=exp,ideal=max)@5").len(), 2);
/// ```
#[must_use]
pub fn split_list(list: &str) -> Vec<String> {
    let mut depth = 0usize;
    let parts = list.split(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    let parts = parts.map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Minimum, mean and maximum of a measure over all orders within the tied groups of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct ScoreRange {
    /// Lowest score that any order within the tied groups gives.
    pub min: f64,
    /// Mean score over all orders within the tied groups.
    pub mean: f64,
    /// Highest score that any order within the tied groups gives.
    pub max: f64,
}

/// Computes the exact range of a measure over all orders within the tied groups of a ranking.
/// Returns `None` if the measure is undefined.
pub fn score_range(
    measure: &dyn Measure,
    truth: &QueryTruth,
    ranking: &Ranking,
) -> Option<ScoreRange> {
    let mean = measure.score(truth, ranking)?;
    if !ranking.is_tied() {
        return Some(ScoreRange {
            min: mean,
            mean,
            max: mean,
        });
    }
    let best = measure.score(truth, &ranking.best_order(truth))?;
    let worst = measure.score(truth, &ranking.worst_order(truth))?;
    Some(ScoreRange {
        min: best.min(worst),
        mean,
        max: best.max(worst),
    })
}

/// Calls `visit(i, value)` for every position i = 1, 2, ... up to `depth` at which the ranking has
/// a document, where `value` is the given function of the document at i.
///
/// For tied documents, the value is the mean over their group: the expected value at the position
/// if all orders within the group are equally likely.
fn for_each_position(
    ranking: &Ranking,
    depth: usize,
    value: impl Fn(Slot) -> f64,
    mut visit: impl FnMut(usize, f64),
) {
    if !ranking.is_tied() {
        for (before, &slot) in ranking.slots().iter().take(depth).enumerate() {
            visit(before + 1, value(slot));
        }
        return;
    }
    let mut position = 0;
    for group in ranking.groups() {
        if position >= depth {
            return;
        }
        let mean = group.iter().map(|&slot| value(slot)).sum::<f64>() / group.len() as f64;
        for _ in 0..group.len().min(depth - position) {
            position += 1;
            visit(position, mean);
        }
    }
}

/// Returns the gain of the document in a slot; 0 for unjudged and repeated documents.
fn gain(truth: &QueryTruth, slot: Slot) -> f64 {
    slot.item().map_or(0.0, |item| truth.gain(item))
}

/// Returns the number of the ground truth group (from 0) that contains the document in a slot;
/// `None` if no group does.
fn group(truth: &QueryTruth, slot: Slot) -> Option<usize> {
    slot.item().and_then(|item| truth.group(item))
}

/// Returns true if the gain of the document in a slot is at least `rel`.
fn is_relevant(truth: &QueryTruth, slot: Slot, rel: f64) -> bool {
    gain(truth, slot) >= rel
}

/// Counts the documents of a tied group whose gain is at least `rel`.
fn count_relevant_in_group(truth: &QueryTruth, group: &[Slot], rel: f64) -> usize {
    let relevant = group.iter().filter(|&&slot| is_relevant(truth, slot, rel));
    relevant.count()
}

/// Counts the documents with a gain of at least `rel` among the first `depth`. If documents are
/// tied, returns the mean over all orders within the tied groups.
fn count_relevant(truth: &QueryTruth, ranking: &Ranking, depth: usize, rel: f64) -> f64 {
    let mut found = 0.0;
    let relevant = |slot| f64::from(is_relevant(truth, slot, rel));
    for_each_position(ranking, depth, relevant, |_, share| found += share);
    found
}

/// Returns the number of positions that a measure with this cut-off reads: at most the length of
/// the ranking.
fn effective_depth(cutoff: Option<usize>, ranking: &Ranking) -> usize {
    cutoff.map_or(ranking.len(), |k| k.min(ranking.len()))
}

/// Parameter `rel` of the measures with binary relevance: the lowest relevant gain.
const REL: MeasureParameter = MeasureParameter {
    name: "rel",
    values: "a number above 0",
    default: "any gain above 0",
    description: "the lowest gain that counts as relevant",
};

/// Parameter `max` of the measures that depend on the highest grade of the scale.
const MAX: MeasureParameter = MeasureParameter {
    name: "max",
    values: "a number above 0",
    default: "the highest gain in the ground truth",
    description: "the highest grade of the scale; a grade above it counts as it",
};
