//! Coefficients of agreement between assessors, corrected for chance.
//!
//! The score of Urbano et al. (2010, section 5.3) is [`Votes::agreement`]: the mean agreement of
//! two assessors, where an equal vote counts one half. It is high whenever one answer is frequent,
//! so the usual coefficients are reported with it. All of them are 1 for perfect agreement and 0
//! for the agreement expected by chance. They differ in their definition of chance:
//!
//! | coefficient | chance is |
//! |---|---|
//! | [`krippendorff_alpha`] | drawing two of all answers without replacement |
//! | [`fleiss_kappa`] | drawing an answer twice from the shares of all answers |
//! | [`gwet_ac1`], [`gwet_ac2`] | a random guess on the share of units that are hard to judge |
//!
//! A unit (here a pair of items) is given by the number of answers in each category. Assessors and
//! their number may therefore differ between units, and answers may be missing. Units with fewer
//! than two answers carry no information on agreement. As in the references they still count for
//! the shares of the categories in kappa and AC1, but not in alpha.
//!
//! The categories of a preference depend on which item of a pair is called a. Swapping the items of
//! some pairs changes the agreement expected by chance, and with it every coefficient except the
//! score of Urbano et al. (2010). Pairs are therefore oriented by the names of their items
//! ([`PairVotes::votes_by_name`](crate::PairVotes::votes_by_name)). Neither the displayed sides nor
//! the order of the answers changes a coefficient.

use schemars::JsonSchema;
use serde::Serialize;

use crate::votes::Votes;

/// Distance between two answer categories as Krippendorff's level of measurement, for
/// [`krippendorff_alpha`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasurementLevel {
    /// All different categories have the same distance.
    Nominal,
    /// Categories are ordered. The distance of two categories depends on the number of answers that
    /// lie between them.
    Ordinal,
    /// Categories are the numbers 0, 1, 2, ...; the distance of two is their squared difference.
    Interval,
}

/// Partial agreement (weight) of two answer categories, for [`gwet_ac2`]: 1 for the same category,
/// less for different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementWeights {
    /// Weight 0 for any two different categories. AC2 with these weights is AC1.
    Identity,
    /// Weights fall linearly with the distance of the categories. With three categories, neighbours
    /// agree by one half, as in the score of Urbano et al. (2010).
    Linear,
    /// Weights fall with the square of the distance of the categories.
    Quadratic,
    /// Weights fall with the number of pairs of categories that lie between the two, ends included
    /// (Gwet 2014).
    Ordinal,
}

impl AgreementWeights {
    /// Returns the weight of two categories out of `categories`, from 0 to 1.
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

/// Computes Krippendorff's alpha: 1 minus the disagreement within units, relative to the
/// disagreement of all answers pooled (Krippendorff, *Computing Krippendorff's alpha-reliability*,
/// 2011).
///
/// Let o be the coincidence matrix, in which a unit of m answers counts each ordered pair of them
/// as 1/(m-1), n_c its margins and n their sum. Then alpha = 1 - (n-1) sum o_ck d_ck / sum n_c n_k
/// d_ck. Units with fewer than two answers do not count. Returns `None` if no unit has two answers,
/// or if all answers are the same.
///
/// ```
/// use partita_judging::{MeasurementLevel, krippendorff_alpha};
///
/// // Example C of the reference: four observers, twelve units, some answers missing.
/// let units = [
///     [3, 0, 0, 0, 0], [0, 3, 1, 0, 0], [0, 0, 4, 0, 0], [0, 0, 4, 0, 0], [0, 4, 0, 0, 0],
///     [1, 1, 1, 1, 0], [0, 0, 0, 4, 0], [3, 1, 0, 0, 0], [0, 4, 0, 0, 0], [0, 0, 0, 0, 3],
///     [2, 0, 0, 0, 0], [0, 0, 1, 0, 0],
/// ];
/// let alpha = |scale| krippendorff_alpha(&units, scale).unwrap();
/// assert!((alpha(MeasurementLevel::Nominal) - 0.743).abs() < 5e-4);
/// assert!((alpha(MeasurementLevel::Ordinal) - 0.815).abs() < 5e-4);
/// assert!((alpha(MeasurementLevel::Interval) - 0.849).abs() < 5e-4);
/// ```
pub fn krippendorff_alpha<U: AsRef<[u32]>>(units: &[U], scale: MeasurementLevel) -> Option<f64> {
    let categories = category_count(units);
    let mut coincidences = vec![0.0; categories * categories];
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = answer_count(unit);
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

/// Computes Fleiss' kappa: agreement beyond the agreement expected from the shares of the
/// categories (Fleiss, *Measuring nominal scale agreement among many raters*, Psychological
/// Bulletin 76, 1971).
///
/// If units have different numbers of answers, the observed agreement is the mean over units with
/// two or more answers, and the shares are means over all units (Gwet, *Handbook of inter-rater
/// reliability*, 2014). Returns `None` if no unit has two answers, or if all answers are the same.
///
/// ```
/// use partita_judging::fleiss_kappa;
///
/// // Two assessors who agree on three of four units; five of their eight answers are yes.
/// let units = [[2, 0], [2, 0], [0, 2], [1, 1]];
/// // Observed 0.75; by chance (5/8)² + (3/8)² = 0.53125.
/// assert!((fleiss_kappa(&units).unwrap() - (0.75 - 0.53125) / (1.0 - 0.53125)).abs() < 1e-12);
/// ```
pub fn fleiss_kappa<U: AsRef<[u32]>>(units: &[U]) -> Option<f64> {
    let observed = observed_agreement(units, AgreementWeights::Identity)?;
    let chance: f64 = category_shares(units)
        .iter()
        .map(|share| share * share)
        .sum();
    chance_corrected(observed, chance)
}

/// Computes Gwet's AC1: agreement beyond guessing (Gwet, *Computing inter-rater reliability and its
/// variance in the presence of high agreement*, 2008).
///
/// Chance agreement is sum p_c (1 - p_c) / (q - 1) over the q categories. It is small if one answer
/// is frequent, while kappa and alpha attribute that agreement to chance. Returns `None` if no unit
/// has two answers.
///
/// ```
/// use partita_judging::gwet_ac1;
///
/// // The units of the example of `fleiss_kappa`; chance agreement is 2 · 5/8 · 3/8 = 0.46875.
/// let units = [[2, 0], [2, 0], [0, 2], [1, 1]];
/// assert!((gwet_ac1(&units).unwrap() - (0.75 - 0.46875) / (1.0 - 0.46875)).abs() < 1e-12);
/// ```
pub fn gwet_ac1<U: AsRef<[u32]>>(units: &[U]) -> Option<f64> {
    gwet_ac2(units, AgreementWeights::Identity)
}

/// Computes Gwet's AC2: AC1 with partial agreement (Gwet 2014).
///
/// Chance agreement is the sum of all weights times sum p_c (1 - p_c) / (q (q - 1)).
pub fn gwet_ac2<U: AsRef<[u32]>>(units: &[U], weights: AgreementWeights) -> Option<f64> {
    let observed = observed_agreement(units, weights)?;
    let categories = category_count(units);
    let row = |a: usize| (0..categories).map(move |b| weights.weight(a, b, categories));
    let all: f64 = (0..categories).map(|a| row(a).sum::<f64>()).sum();
    let q = categories as f64;
    let shares = category_shares(units).into_iter();
    let spread: f64 = shares.map(|share| share * (1.0 - share)).sum();
    chance_corrected(observed, all * spread / (q * (q - 1.0)))
}

/// Returns (observed - chance) / (1 - chance), the general form of a chance-corrected coefficient.
fn chance_corrected(observed: f64, chance: f64) -> Option<f64> {
    (chance < 1.0).then(|| (observed - chance) / (1.0 - chance))
}

/// Returns the mean weighted agreement of two answers to the same unit, averaged over the units
/// with two or more answers.
fn observed_agreement<U: AsRef<[u32]>>(units: &[U], weights: AgreementWeights) -> Option<f64> {
    let categories = category_count(units);
    let (mut sum, mut count) = (0.0, 0.0);
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = answer_count(unit);
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

/// Returns the share of each category, averaged over the units.
fn category_shares<U: AsRef<[u32]>>(units: &[U]) -> Vec<f64> {
    let mut shares = vec![0.0; category_count(units)];
    let mut count = 0.0;
    for unit in units.iter().map(AsRef::as_ref) {
        let answers = answer_count(unit);
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

/// Returns the number of answer categories.
fn category_count<U: AsRef<[u32]>>(units: &[U]) -> usize {
    let widths = units.iter().map(|unit| unit.as_ref().len());
    widths.max().unwrap_or(0)
}

/// Returns the number of answers to a unit, given by its counts per category.
fn answer_count(unit: &[u32]) -> f64 {
    unit.iter().copied().map(f64::from).sum()
}

/// Agreement between assessors on pairs of items, by every coefficient of this module.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AgreementCoefficients {
    /// Number of pairs with two or more answers.
    pub pairs: usize,
    /// Mean agreement of two assessors on a pair (Urbano et al. 2010, section 5.3), averaged over
    /// the pairs with two or more answers; not corrected for chance. Null if there are none.
    pub score: Option<f64>,
    /// Krippendorff's alpha, with the answers a, equal and b as unordered categories; null if no
    /// pair has two answers or all answers are the same.
    #[serde(rename = "krippendorff_alpha")]
    pub alpha_nominal: Option<f64>,
    /// Krippendorff's alpha, with the answers a, equal and b as ordered categories; null if no pair
    /// has two answers or all answers are the same.
    #[serde(rename = "krippendorff_alpha_ordinal")]
    pub alpha_ordinal: Option<f64>,
    /// Fleiss' kappa of the answers a, equal and b; null if no pair has two answers or all answers
    /// are the same.
    pub fleiss_kappa: Option<f64>,
    /// Gwet's AC1 of the answers a, equal and b; null if no pair has two answers.
    #[serde(rename = "gwet_ac1")]
    pub ac1: Option<f64>,
    /// Gwet's AC2 with linear weights: `score` corrected for chance; null if no pair has two
    /// answers.
    #[serde(rename = "gwet_ac2_linear")]
    pub ac2: Option<f64>,
}

impl AgreementCoefficients {
    /// Computes the coefficients from the votes of each pair, given in any order. All pairs must be
    /// oriented by one rule, as in [`PairVotes::votes_by_name`](crate::PairVotes::votes_by_name).
    ///
    /// ```
    /// use partita_judging::{AgreementCoefficients, Votes};
    ///
    /// let votes = [Votes { a: 3, equal: 0, b: 0 }, Votes { a: 0, equal: 1, b: 2 }];
    /// let agreement = AgreementCoefficients::from_votes(&votes);
    /// assert_eq!(agreement.score, Some((1.0 + 2.0 / 3.0) / 2.0));
    /// assert!(agreement.alpha_nominal < agreement.alpha_ordinal);
    /// ```
    pub fn from_votes(pairs: &[Votes]) -> Self {
        let mut units: Vec<[u32; 3]> = pairs.iter().map(Votes::counts).collect();
        // A fixed order makes the sums reproducible to the last digit.
        units.sort_unstable();
        Self {
            pairs: pairs.iter().filter(|votes| votes.len() > 1).count(),
            score: observed_agreement(&units, AgreementWeights::Linear),
            alpha_nominal: krippendorff_alpha(&units, MeasurementLevel::Nominal),
            alpha_ordinal: krippendorff_alpha(&units, MeasurementLevel::Ordinal),
            fleiss_kappa: fleiss_kappa(&units),
            ac1: gwet_ac1(&units),
            ac2: gwet_ac2(&units, AgreementWeights::Linear),
        }
    }
}
