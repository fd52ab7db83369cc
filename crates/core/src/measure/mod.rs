//! The measures: one file each, found in [`REGISTRY`].
//!
//! A measure is written `Name(parameter=value)@cutoff`, as in `ADR`, `nDCG(gain=exp)@10` or
//! `RBP(p=0.8)`; [`parse`] makes it. All measures take the same two values, the judgments of a
//! query and the ranking of a system, and share these conventions:
//!
//! - An unjudged document has gain 0. A negative grade has gain 0. The second copy of a document
//!   takes up its place and has gain 0.
//! - A document is relevant, where a measure asks just that, if its gain is above 0, or at least
//!   as high as the parameter `rel`.
//! - Where the ranking ties documents, the score is the mean over all orders within the tied
//!   groups, computed exactly; [`range`] adds the extremes.

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

/// Every measure, in the order in which they are listed.
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

/// A measure with its parameters and cut-off settled.
pub trait Measure: Send + Sync {
    /// How well the ranking agrees with the judgments, or `None` where that is undefined.
    ///
    /// For a ranking with ties, the mean over all orders within the tied groups.
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64>;

    /// How many places of the ranking the score depends on, as far as they exist.
    fn depth(&self, truth: &QueryTruth, ranking: &Ranking) -> usize;

    /// The formula as it is computed with these parameters, without the name of the measure before it.
    fn formula(&self) -> String;
}

/// What there is to say of a measure, and how to make it.
#[derive(Serialize, JsonSchema)]
pub struct MeasureDefinition {
    /// Its name.
    pub name: &'static str,
    /// Other names under which people know it.
    pub aliases: &'static [&'static str],
    /// One sentence.
    pub summary: &'static str,
    /// What it measures and by which conventions.
    pub description: &'static str,
    /// The values that it can take.
    pub range: &'static str,
    /// Whether a higher value is better; nothing where the question makes no sense.
    pub higher_is_better: Option<bool>,
    /// Where it was defined.
    pub reference: &'static str,
    /// Whether `@k` can or must follow.
    pub cutoff: CutoffRule,
    /// Its parameters.
    pub parameters: &'static [MeasureParameter],
    /// An example of its use.
    pub example: &'static str,
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
    /// Whether a measure takes a cut-off.
    pub enum CutoffRule: "cut-off" {
        /// `@k` may follow the name; without it the measure says itself how far it reads
        Optional = "optional",
        /// `@k` must follow the name
        Required = "required",
        /// The measure reads the whole ranking
        None = "none",
    }
}

/// Measures with their definitions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureCatalogue {
    /// The measures.
    pub measures: Vec<MeasureDescription>,
}

/// What there is to say of a measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureDescription {
    /// Its definition.
    #[serde(flatten)]
    pub definition: &'static MeasureDefinition,
    /// The formula of its example as it is computed.
    pub formula: String,
}

/// All measures, or the one that is written so, whatever its parameters and cut-off.
pub fn catalogue(name: Option<&str>) -> Result<MeasureCatalogue, MeasureError> {
    let chosen = match name {
        Some(name) => vec![parse_definition(name)?],
        None => REGISTRY.to_vec(),
    };
    let measures = chosen.into_iter().map(|definition| MeasureDescription {
        definition,
        formula: (parse(definition.example, 1.0))
            .map(|measure| formula_text(definition.example, measure.as_ref()))
            .expect("the example of a measure is one"),
    });
    Ok(MeasureCatalogue {
        measures: measures.collect(),
    })
}

/// What a measure of this name is, as a formula: `AP(rel=2) = ...`.
pub(crate) fn formula_text(name: &str, measure: &dyn Measure) -> String {
    format!("{name} = {}", measure.formula())
}

/// A parameter of a measure.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct MeasureParameter {
    /// Its name.
    pub name: &'static str,
    /// The values it takes: choices separated by `|`, or words that describe a number.
    pub values: &'static str,
    /// What it is if it is not given.
    pub default: &'static str,
    /// What it does.
    pub description: &'static str,
}

/// The definition of the measure with this name; upper and lower case are the same.
pub fn find_definition(name: &str) -> Result<&'static MeasureDefinition, MeasureError> {
    crate::call::find_definition(REGISTRY, name)
}

/// The definition of the measure that is written so, whatever its parameters and cut-off.
///
/// They must follow the grammar; only [`parse`] asks whether the measure can take them.
pub fn parse_definition(text: &str) -> Result<&'static MeasureDefinition, MeasureError> {
    find_definition(&parse_call(text)?.name)
}

/// Makes the measure that is written so.
///
/// `highest_gain` is the highest gain of the ground truth's scale, 0 where nothing is relevant:
/// what a measure takes as the maximum grade unless its parameter `max` says otherwise.
///
/// ```
/// use partita_core::measure;
///
/// assert!(measure::parse("nDCG(gain=exp, ideal=max)@5", 2.0).is_ok());
/// let error = measure::parse("nDGC@5", 2.0).err().unwrap();
/// assert!(error.to_string().contains("nDCG"));
/// ```
pub fn parse(text: &str, highest_gain: f64) -> Result<Box<dyn Measure>, MeasureError> {
    let call = parse_call(text)?;
    let definition = find_definition(&call.name)?;
    let arguments = MeasureArguments::new(text, definition, call, highest_gain)?;
    (definition.build)(&arguments)
}

/// A measure in the one way in which it is printed, however it was written.
///
/// Names are those of the registry, those of trec_eval, ranx and ir_measures become ours, and parameters that say what holds
/// anyway are left out.
///
/// ```
/// use partita_core::measure::canonical;
///
/// assert_eq!(canonical("ndcg_cut_10")?, "nDCG@10");
/// assert_eq!(canonical("NDCG( b=2, Discount=log )@5")?, "nDCG(discount=log)@5");
/// assert_eq!(canonical("map")?, "AP");
/// # Ok::<(), partita_core::measure::MeasureError>(())
/// ```
///
/// # Errors
/// [`MeasureError`] where there is no such measure.
pub fn canonical_name(text: &str) -> Result<String, MeasureError> {
    let call = parse_call(text)?;
    let definition = find_definition(&call.name)?;
    Ok(MeasureArguments::new(text, definition, call, 1.0)?.canonical())
}

/// Whether two texts name the same measure, be it one of the registry or not.
///
/// ```
/// use partita_core::measure::is_same;
///
/// assert!(is_same("ag@5", "AG@5") && is_same("map", "AP") && is_same("my score", "My Score"));
/// assert!(!is_same("nDCG@5", "nDCG@10"));
/// ```
#[must_use]
pub fn is_same_measure(one: &str, other: &str) -> bool {
    let same = |one, other| matches!((canonical_name(one), canonical_name(other)), (Ok(a), Ok(b)) if a == b);
    one.eq_ignore_ascii_case(other) || same(one, other)
}

/// The measures of a list that is separated by commas; those inside parentheses separate parameters.
///
/// ```
/// assert_eq!(partita_core::measure::split("ADR, nDCG(gain=exp,ideal=max)@5").len(), 2);
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

/// The extremes and the mean of a measure over all orders within the tied groups of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct ScoreRange {
    /// The lowest score of any order.
    pub min: f64,
    /// The mean over all orders.
    pub mean: f64,
    /// The highest score of any order.
    pub max: f64,
}

/// The exact range of a measure over all orders within the tied groups of a ranking, or `None`
/// where the measure is undefined.
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

/// Calls `visit(i, value)` for the places i = 1, 2, ... up to `depth` that the ranking fills.
///
/// The value of a place is that of the document there, or, where documents are tied, the mean
/// over their group: what is expected there if all orders within the group are as likely.
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

/// The gain of what stands at a place.
fn gain(truth: &QueryTruth, slot: Slot) -> f64 {
    slot.item().map_or(0.0, |item| truth.gain(item))
}

/// The group of the ground truth that holds what stands at a place.
fn group(truth: &QueryTruth, slot: Slot) -> Option<usize> {
    slot.item().and_then(|item| truth.group(item))
}

/// Whether a relevant document stands at a place.
fn is_relevant(truth: &QueryTruth, slot: Slot, rel: f64) -> bool {
    gain(truth, slot) >= rel
}

/// The number of relevant documents in a tied group.
fn relevant_in(truth: &QueryTruth, group: &[Slot], rel: f64) -> usize {
    let relevant = group.iter().filter(|&&slot| is_relevant(truth, slot, rel));
    relevant.count()
}

/// The number of relevant documents among the first `depth`; where documents are tied, its mean
/// over their orders.
fn relevant_among(truth: &QueryTruth, ranking: &Ranking, depth: usize, rel: f64) -> f64 {
    let mut found = 0.0;
    let relevant = |slot| f64::from(is_relevant(truth, slot, rel));
    for_each_position(ranking, depth, relevant, |_, share| found += share);
    found
}

/// How many places a measure with this cut-off reads.
fn effective_depth(cutoff: Option<usize>, ranking: &Ranking) -> usize {
    cutoff.map_or(ranking.len(), |k| k.min(ranking.len()))
}

/// The parameter `rel` of the measures that know only relevant and not relevant.
const REL: MeasureParameter = MeasureParameter {
    name: "rel",
    values: "a number above 0",
    default: "any gain above 0",
    description: "the lowest gain that counts as relevant",
};

/// The parameter `max` of the measures that need to know the end of the scale.
const MAX: MeasureParameter = MeasureParameter {
    name: "max",
    values: "a number above 0",
    default: "the highest gain in the ground truth",
    description: "the highest grade of the scale; a grade above it counts as it",
};
