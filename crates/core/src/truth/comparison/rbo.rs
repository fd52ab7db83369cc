//! Rank-biased overlap of two partially ordered lists.

use crate::data::ground_truth::QueryTruth;
use crate::data::names::Item;

partita_named::named_enum! {
    /// Treatment of ties in rank-biased overlap (Corsi and Urbano 2024, section 1.1).
    ///
    /// With RBO^b, the default, a list agrees fully with itself, regardless of ties.
    pub enum RboTies: "treatment of ties" = Corrected {
        /// RBO^a: it is not known which tied item comes first; the mean over all orders
        Average = "average",
        /// RBO^b: as RBO^a, corrected for the information that ties lose, as tau-b is
        Corrected = "corrected",
        /// RBO^w: tied items stand at the same rank, as in sports (Webber et al. 2010)
        Equal = "equal",
    }
}

/// Computes the rank-biased overlap of two lists whose groups are ties, extrapolated beyond their
/// ends: RBO_EXT of Corsi and Urbano, *The treatment of ties in rank-biased overlap* (SIGIR 2024).
///
/// A user reads both lists in parallel and continues to the next depth with probability p; RBO is
/// the expected agreement at the depth where they stop. At depth d an item of a group from rank t
/// to rank b contributes c = 1 if b <= d, (d-t+1)/(b-t+1) if t <= d < b, and 0 otherwise; for RBO^w
/// it contributes 1 from rank t on. The overlap is X = Σ c₁c₂ over the items, and the agreement is
/// X/d (a), X/√(Σc₁² Σc₂²) (b) or 2X/(Σc₁ + Σc₂) (w).
///
/// Beyond the end of the shorter list, the agreement at its end is assumed for unseen items.
/// [`RboTies::Corrected`] is the default for groups of items that are not known to differ. The
/// value is between 0 and 1; returns `None` if a list is empty or p is not between 0 and 1.
///
/// ```
/// use partita_core::QueryTruth;
/// use partita_core::truth::{RboTies, rank_biased_overlap};
///
/// // The example of the authors' own program.
/// let x = QueryTruth::from_groups([["red"].as_slice(), &["blue", "green"], &["yellow"], &["pink"]])?;
/// let y = QueryTruth::from_groups([
///     ["blue", "red"].as_slice(), &["white"], &["yellow", "black", "purple"], &["green"],
/// ])?;
/// let rbo = |ties| rank_biased_overlap(&x, &y, 0.95, ties).unwrap();
/// assert!((rbo(RboTies::Average) - 0.6922853).abs() < 5e-8);
/// assert!((rbo(RboTies::Corrected) - 0.7207131).abs() < 5e-8);
/// assert!((rbo(RboTies::Equal) - 0.7068257).abs() < 5e-8);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
pub fn rank_biased_overlap(
    one: &QueryTruth,
    other: &QueryTruth,
    p: f64,
    ties: RboTies,
) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) || one.list().is_empty() || other.list().is_empty() {
        return None;
    }
    let (short, long) = if one.list().len() <= other.list().len() {
        (one, other)
    } else {
        (other, one)
    };
    let (s, l) = (short.list().len(), long.list().len());
    let items = item_ranks(short, long);
    let (mut sum, mut weight) = (0.0, 1.0);
    let (mut at_end_of_short, mut overlap) = (0.0, 0.0);
    for depth in 1..=l {
        let seen = DepthSums::new(&items, depth, ties);
        overlap = seen.overlap;
        let agreement = if depth <= s {
            at_end_of_short = seen.agreement(depth, ties);
            at_end_of_short
        } else {
            seen.extrapolated(depth - s, at_end_of_short)
                .agreement(depth, ties)
        };
        weight *= p;
        sum += agreement * weight;
    }
    let beyond = (overlap + (l - s) as f64 * at_end_of_short) / l as f64;
    Some((1.0 - p) / p * (sum + beyond * weight * p / (1.0 - p)))
}

/// First and last rank of an item's group, in the shorter list and in the longer one; `None` if the
/// list does not contain the item.
type GroupRanks = [Option<(usize, usize)>; 2];

/// Returns the ranks in both lists of every item that is in at least one of them.
fn item_ranks(short: &QueryTruth, long: &QueryTruth) -> Vec<GroupRanks> {
    let ranks = |truth: &QueryTruth, name: &str| {
        let group = truth.group(truth.names().get(name)?)?;
        let list = truth.list();
        Some((list.group_start(group) + 1, list.group_ends()[group]))
    };
    let both = |truth: &QueryTruth, item: &Item| {
        let name = truth.names().name(*item);
        [ranks(short, name), ranks(long, name)]
    };
    let in_short = short.list().items().iter().map(|item| both(short, item));
    let in_long = long.list().items().iter().map(|item| both(long, item));
    in_short
        .chain(in_long.filter(|ranks| ranks[0].is_none()))
        .collect()
}

/// Returns the contribution c of an item of a list at a depth (see [`rank_biased_overlap`]).
fn contribution(ranks: Option<(usize, usize)>, depth: usize, ties: RboTies) -> f64 {
    match ranks {
        Some((first, last)) if first <= depth => match ties {
            RboTies::Equal => 1.0,
            _ if last <= depth => 1.0,
            _ => (depth - first + 1) as f64 / (last - first + 1) as f64,
        },
        _ => 0.0,
    }
}

/// Sums, over all items, of their contributions to rank-biased overlap at one depth.
#[derive(Clone, Copy, Default)]
struct DepthSums {
    /// Sum over the items of the product of their contributions in the two lists.
    overlap: f64,
    /// Sums of the items' contributions in the shorter and in the longer list; `squares` are the
    /// sums of their squares.
    sums: [f64; 2],
    squares: [f64; 2],
    /// Number of items up to this depth that are only in the longer list; `only_long_sum` is the
    /// sum of their contributions.
    only_long: f64,
    only_long_sum: f64,
}

impl DepthSums {
    fn new(items: &[GroupRanks], depth: usize, ties: RboTies) -> Self {
        let mut found = Self::default();
        for ranks in items {
            let both = ranks.map(|ranks| contribution(ranks, depth, ties));
            found.overlap += both[0] * both[1];
            for (list, c) in both.into_iter().enumerate() {
                found.sums[list] += c;
                found.squares[list] += c * c;
            }
            if ranks[0].is_none() && both[1] > 0.0 {
                found.only_long += 1.0;
                found.only_long_sum += both[1];
            }
        }
        found
    }

    /// Returns the agreement of the two lists at this depth, from 0 to 1 (see
    /// [`rank_biased_overlap`]).
    fn agreement(&self, depth: usize, ties: RboTies) -> f64 {
        match ties {
            RboTies::Average => self.overlap / depth as f64,
            RboTies::Corrected => self.overlap / (self.squares[0].sqrt() * self.squares[1].sqrt()),
            RboTies::Equal => 2.0 * self.overlap / (self.sums[0] + self.sums[1]),
        }
    }

    /// Returns the sums after `unseen` unknown items are appended to the shorter list. Their
    /// agreement with the items that are only in the longer list is assumed to be `agreement`.
    fn extrapolated(self, unseen: usize, agreement: f64) -> Self {
        let unseen = unseen as f64;
        Self {
            overlap: self.overlap + unseen * agreement * self.only_long_sum / self.only_long,
            sums: [self.sums[0] + unseen, self.sums[1]],
            squares: [self.squares[0] + unseen, self.squares[1]],
            ..self
        }
    }
}
