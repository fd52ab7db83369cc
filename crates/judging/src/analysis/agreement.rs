//! How far people agree beyond chance.
//!
//! The paper's own score is [`Votes::agreement`]: the mean agreement of two people, a half for one
//! who prefers neither. It is high whenever one answer is frequent, so the usual coefficients stand
//! beside it. All of them are 1 where everybody agrees, 0 where agreement is what chance would give,
//! and differ in what they call chance:
//!
//! | coefficient | chance is |
//! |---|---|
//! | [`krippendorff_alpha`] | drawing two of all answers without replacement |
//! | [`fleiss_kappa`] | drawing an answer twice from the shares of all answers |
//! | [`gwet_ac1`], [`gwet_ac2`] | a guess, at the share of answers that are hard to give |
//!
//! Every unit (here a pair of items) is the number of answers of each category, so that people may
//! be different and differently many from one unit to the next, and answers may be missing. Units
//! with fewer than two answers say nothing of agreement; as in the references they still count for
//! the shares of the categories in kappa and AC1, and not in alpha.
//!
//! The categories of a preference are sides: which item of a pair is called a. Swapping the items of
//! some pairs changes what chance would give, and with it all the coefficients but the paper's
//! score. So pairs are turned by the names of their items
//! ([`PairVotes::by_name`](crate::PairVotes::by_name)): neither the sides that were shown nor the
//! order of the answers changes a coefficient.

use schemars::JsonSchema;
use serde::Serialize;

use crate::votes::Votes;

/// How much two categories differ, for [`krippendorff_alpha`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasurementLevel {
    /// Any two categories differ alike.
    Nominal,
    /// Categories are in an order, and differ by the answers that lie between them.
    Ordinal,
    /// Categories are numbers 0, 1, 2, ... and differ by the square of their distance.
    Interval,
}

/// How much two categories agree, for [`gwet_ac2`]: 1 for the same, less for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementWeights {
    /// Others do not agree at all: AC1.
    Identity,
    /// Less by the distance. Of three categories, neighbours agree by a half: the paper's score.
    Linear,
    /// Less by the square of the distance.
    Quadratic,
    /// Less by the number of pairs of categories from the one to the other (Gwet 2014).
    Ordinal,
}

impl AgreementWeights {
    fn weight(self, a: usize, b: usize, categories: usize) -> f64 {
        let (distance, most) = (a.abs_diff(b) as f64, categories as f64 - 1.0);
        match self {
            _ if a == b => 1.0,
            Self::Identity => 0.0,
            Self::Linear => 1.0 - distance / most,
            Self::Quadratic => 1.0 - (distance / most).powi(2),
            Self::Ordinal => 1.0 - distance * (distance + 1.0) / (most * (most + 1.0)),
        }
    }
}

/// Krippendorff's alpha: 1 less the disagreement within units, relative to that of all answers
/// thrown together (Krippendorff, *Computing Krippendorff's alpha-reliability*, 2011).
///
/// With o the matrix of coincidences, in which a unit of m answers counts each ordered pair of them
/// as 1/(m-1), its margins n_c and their sum n,
/// alpha = 1 - (n-1) sum o_ck d_ck / sum n_c n_k d_ck. Units with fewer than two answers do not
/// count. `None` if no unit has two, or if all answers are the same.
///
/// ```
/// use partita_judging::{Scale, krippendorff_alpha};
///
/// // Example C of the reference: four observers, twelve units, some answers missing.
/// let units = [
///     [3, 0, 0, 0, 0], [0, 3, 1, 0, 0], [0, 0, 4, 0, 0], [0, 0, 4, 0, 0], [0, 4, 0, 0, 0],
///     [1, 1, 1, 1, 0], [0, 0, 0, 4, 0], [3, 1, 0, 0, 0], [0, 4, 0, 0, 0], [0, 0, 0, 0, 3],
///     [2, 0, 0, 0, 0], [0, 0, 1, 0, 0],
/// ];
/// let alpha = |scale| krippendorff_alpha(&units, scale).unwrap();
/// assert!((alpha(Scale::Nominal) - 0.743).abs() < 5e-4);
/// assert!((alpha(Scale::Ordinal) - 0.815).abs() < 5e-4);
/// assert!((alpha(Scale::Interval) - 0.849).abs() < 5e-4);
/// ```
pub fn krippendorff_alpha<U: AsRef<[u32]>>(units: &[U], scale: MeasurementLevel) -> Option<f64> {
    let categories = categories(units);
    let mut coincidences = vec![0.0; categories * categories];
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = total(unit);
        if answers < 2.0 {
            continue;
        }
        for (c, &first) in unit.iter().enumerate() {
            for (k, &second) in unit.iter().enumerate() {
                let pairs = f64::from(first) * (f64::from(second) - f64::from(u8::from(c == k)));
                coincidences[c * categories + k] += pairs / (answers - 1.0);
            }
        }
    }
    let rows = coincidences.chunks_exact(categories.max(1));
    let margins: Vec<f64> = rows.map(|row| row.iter().sum()).collect();
    let n: f64 = margins.iter().sum();
    let difference = |c: usize, k: usize| match scale {
        MeasurementLevel::Nominal => 1.0,
        MeasurementLevel::Interval => (k - c).pow(2) as f64,
        MeasurementLevel::Ordinal => {
            let between: f64 = margins[c..=k].iter().sum();
            (between - 0.5 * (margins[c] + margins[k])).powi(2)
        }
    };
    let (mut observed, mut expected) = (0.0, 0.0);
    for c in 0..categories {
        for k in c + 1..categories {
            observed += coincidences[c * categories + k] * difference(c, k);
            expected += margins[c] * margins[k] * difference(c, k);
        }
    }
    (expected > 0.0).then(|| 1.0 - (n - 1.0) * observed / expected)
}

/// Fleiss' kappa: agreement beyond what the shares of the categories would give by chance (Fleiss,
/// *Measuring nominal scale agreement among many raters*, Psychological Bulletin 76, 1971).
///
/// Where units have different numbers of answers, the agreement is the mean over those with two or
/// more, and the shares are the means over all of theirs (Gwet, *Handbook of inter-rater
/// reliability*, 2014). `None` if no unit has two answers, or if all answers are the same.
///
/// ```
/// use partita_judging::fleiss_kappa;
///
/// // Two people who agree on three of four units, both saying half of the time yes.
/// let units = [[2, 0], [2, 0], [0, 2], [1, 1]];
/// // Observed 0.75; by chance (5/8)² + (3/8)² = 0.53125.
/// assert!((fleiss_kappa(&units).unwrap() - (0.75 - 0.53125) / (1.0 - 0.53125)).abs() < 1e-12);
/// ```
pub fn fleiss_kappa<U: AsRef<[u32]>>(units: &[U]) -> Option<f64> {
    let observed = observed(units, AgreementWeights::Identity)?;
    let chance: f64 = shares(units).iter().map(|share| share * share).sum();
    beyond(observed, chance)
}

/// Gwet's AC1: agreement beyond what guessing would give (Gwet, *Computing inter-rater reliability
/// and its variance in the presence of high agreement*, 2008).
///
/// Chance is sum p_c (1 - p_c) / (q - 1) over the q categories, which is little where one answer is
/// frequent; kappa and alpha call that same agreement chance. `None` if no unit has two answers.
///
/// ```
/// use partita_judging::gwet_ac1;
///
/// // The same as for kappa; by chance 2 · 5/8 · 3/8 = 0.46875.
/// let units = [[2, 0], [2, 0], [0, 2], [1, 1]];
/// assert!((gwet_ac1(&units).unwrap() - (0.75 - 0.46875) / (1.0 - 0.46875)).abs() < 1e-12);
/// ```
pub fn gwet_ac1<U: AsRef<[u32]>>(units: &[U]) -> Option<f64> {
    gwet_ac2(units, AgreementWeights::Identity)
}

/// Gwet's AC2: AC1 with partial agreement (Gwet 2014).
///
/// Chance is the sum of all weights times sum p_c (1 - p_c) / (q (q - 1)).
pub fn gwet_ac2<U: AsRef<[u32]>>(units: &[U], weights: AgreementWeights) -> Option<f64> {
    let observed = observed(units, weights)?;
    let categories = categories(units);
    let row = |a: usize| (0..categories).map(move |b| weights.weight(a, b, categories));
    let all: f64 = (0..categories).map(|a| row(a).sum::<f64>()).sum();
    let q = categories as f64;
    let shares = shares(units).into_iter();
    let spread: f64 = shares.map(|share| share * (1.0 - share)).sum();
    beyond(observed, all * spread / (q * (q - 1.0)))
}

/// The agreement beyond chance, as a share of what there is room for.
fn beyond(observed: f64, chance: f64) -> Option<f64> {
    (chance < 1.0).then(|| (observed - chance) / (1.0 - chance))
}

/// The mean weighted agreement of two answers to a unit, over the units that have two.
fn observed<U: AsRef<[u32]>>(units: &[U], weights: AgreementWeights) -> Option<f64> {
    let categories = categories(units);
    let (mut sum, mut count) = (0.0, 0.0);
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = total(unit);
        if answers < 2.0 {
            continue;
        }
        let mut agreeing = 0.0;
        for (a, &first) in unit.iter().enumerate() {
            let alike: f64 = (unit.iter().enumerate())
                .map(|(b, &second)| weights.weight(a, b, categories) * f64::from(second))
                .sum();
            agreeing += f64::from(first) * (alike - 1.0);
        }
        sum += agreeing / (answers * (answers - 1.0));
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// The mean over the units of the share of each category.
fn shares<U: AsRef<[u32]>>(units: &[U]) -> Vec<f64> {
    let mut shares = vec![0.0; categories(units)];
    let mut count = 0.0;
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = total(unit);
        if answers > 0.0 {
            count += 1.0;
            for (share, &of) in shares.iter_mut().zip(unit) {
                *share += f64::from(of) / answers;
            }
        }
    }
    for share in &mut shares {
        *share /= count;
    }
    shares
}

fn categories<U: AsRef<[u32]>>(units: &[U]) -> usize {
    let widths = units.iter().map(|unit| unit.as_ref().len());
    widths.max().unwrap_or(0)
}

fn total(unit: &[u32]) -> f64 {
    unit.iter().copied().map(f64::from).sum()
}

/// How far people agree on pairs of items, by every coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgreementCoefficients {
    /// The pairs with two answers or more.
    pub pairs: usize,
    /// The paper's score of section 5.3, in the mean over the pairs.
    pub score: Option<f64>,
    /// Krippendorff's alpha of the three answers as mere names.
    #[serde(rename = "krippendorff_alpha")]
    pub alpha_nominal: Option<f64>,
    /// Krippendorff's alpha of the three answers in their order.
    #[serde(rename = "krippendorff_alpha_ordinal")]
    pub alpha_ordinal: Option<f64>,
    /// Fleiss' kappa.
    pub fleiss_kappa: Option<f64>,
    /// Gwet's AC1.
    #[serde(rename = "gwet_ac1")]
    pub ac1: Option<f64>,
    /// Gwet's AC2 with linear weights: the paper's score beyond chance.
    #[serde(rename = "gwet_ac2_linear")]
    pub ac2: Option<f64>,
}

impl AgreementCoefficients {
    /// How far people agree on these pairs, each with its votes, in whatever order. All pairs must be
    /// turned by one rule, as [`PairVotes::by_name`](crate::PairVotes::by_name) does.
    ///
    /// ```
    /// use partita_judging::{Agreement, Votes};
    ///
    /// let votes = [Votes { a: 3, equal: 0, b: 0 }, Votes { a: 0, equal: 1, b: 2 }];
    /// let agreement = Agreement::of(&votes);
    /// assert_eq!(agreement.score, Some((1.0 + 2.0 / 3.0) / 2.0));
    /// assert!(agreement.alpha_nominal < agreement.alpha_ordinal);
    /// ```
    pub fn from_votes(pairs: &[Votes]) -> Self {
        let mut units: Vec<[u32; 3]> = pairs.iter().map(|votes| votes.counts()).collect();
        // So that sums are the same to the last digit.
        units.sort_unstable();
        Self {
            pairs: pairs.iter().filter(|votes| votes.len() > 1).count(),
            score: observed(&units, AgreementWeights::Linear),
            alpha_nominal: krippendorff_alpha(&units, MeasurementLevel::Nominal),
            alpha_ordinal: krippendorff_alpha(&units, MeasurementLevel::Ordinal),
            fleiss_kappa: fleiss_kappa(&units),
            ac1: gwet_ac1(&units),
            ac2: gwet_ac2(&units, AgreementWeights::Linear),
        }
    }
}
