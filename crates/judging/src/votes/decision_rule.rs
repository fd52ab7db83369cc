//! Decision rules, which derive the relation of two items from the votes on them.

use std::fmt;
use std::str::FromStr;

use partita_core::truth::Alpha;
use partita_stats::mann_whitney::{self, MannWhitneyMethod};
use partita_stats::{Alternative, PValues, sign_test};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::relation::Relation;
use crate::votes::Votes;

/// Rule that decides a pair from its votes.
///
/// The tests are one-tailed in both directions: a is less than b if the test shows that a is
/// preferred, greater if it shows that b is, and equal otherwise.
///
/// ```
/// use partita_judging::{DecisionRule, Relation, Votes};
///
/// let rule: DecisionRule = "mwu".parse()?;
/// // Ten assessors; two more prefer a than b.
/// assert_eq!(rule.decide(Votes { a: 2, equal: 8, b: 0 }), Relation::Less);
/// assert_eq!(rule.decide(Votes { a: 1, equal: 9, b: 0 }), Relation::Equal);
/// // The one case of ten votes in which two more are not enough: p = 0.328.
/// assert_eq!(rule.decide(Votes { a: 6, equal: 0, b: 4 }), Relation::Equal);
/// # Ok::<(), partita_judging::UnknownRuleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum DecisionRule {
    /// Exact conditional Mann-Whitney test of two samples: every vote is a rank of +1, 0 or -1 for
    /// a and the opposite for b (Urbano et al. 2010, section 3.2). The published decisions use
    /// 0.25.
    MannWhitney(Alpha),
    /// Mann-Whitney test by the normal approximation with tie and continuity corrections.
    MannWhitneyNormal(Alpha),
    /// Exact sign test of the number of votes for a against the number for b, without equal votes.
    Sign(Alpha),
    /// An item is preferred if it has at least this many votes more than the other.
    Margin(u32),
    /// The most frequent answer decides; equal if several are equally frequent.
    Plurality,
    /// The answer of more than half of the assessors decides; equal if there is none.
    Majority,
}

/// Rules by name, with tests at their default significance level. `margin:K` is not included,
/// because its name contains the margin.
const RULES_BY_NAME: [(&str, DecisionRule); 5] = [
    ("mwu", DecisionRule::MannWhitney(Alpha::TYPKE)),
    ("mwu-normal", DecisionRule::MannWhitneyNormal(Alpha::TYPKE)),
    ("sign", DecisionRule::Sign(Alpha::TYPKE)),
    ("plurality", DecisionRule::Plurality),
    ("majority", DecisionRule::Majority),
];

impl Default for DecisionRule {
    fn default() -> Self {
        Self::MannWhitney(Alpha::TYPKE)
    }
}

/// Error of a name that is not the name of a decision rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no decision rule is called `{0}`")]
pub struct UnknownRuleError(pub String);

impl DecisionRule {
    /// Names of the rules, for help and error messages.
    ///
    /// ```
    /// use partita_judging::DecisionRule;
    ///
    /// let names = DecisionRule::NAMES.replace(" or ", ", ").replace('K', "2");
    /// for name in names.split(", ") {
    ///     assert_eq!(name.parse::<DecisionRule>()?.to_string(), name);
    /// }
    /// # Ok::<(), partita_judging::UnknownRuleError>(())
    /// ```
    pub const NAMES: &str = "mwu, mwu-normal, sign, margin:K, plurality or majority";

    /// Returns the rule at significance level `alpha`; rules that are not tests are unchanged.
    #[must_use]
    pub fn with_alpha(self, alpha: Alpha) -> Self {
        match self {
            Self::MannWhitney(_) => Self::MannWhitney(alpha),
            Self::MannWhitneyNormal(_) => Self::MannWhitneyNormal(alpha),
            Self::Sign(_) => Self::Sign(alpha),
            other => other,
        }
    }

    /// Returns the significance level, if the rule is a test.
    pub fn alpha(self) -> Option<Alpha> {
        match self {
            Self::MannWhitney(alpha) | Self::MannWhitneyNormal(alpha) | Self::Sign(alpha) => {
                Some(alpha)
            }
            _ => None,
        }
    }

    /// Returns the p-values of the test of `votes`, if the rule is a test: `greater` for a
    /// preferred, `less` for b preferred. The Mann-Whitney test is exact for up to 60 votes;
    /// without votes it has no p-values.
    ///
    /// ```
    /// use partita_judging::{DecisionRule, Votes};
    ///
    /// let p = DecisionRule::default().p_values(Votes { a: 1, equal: 9, b: 0 }).unwrap();
    /// assert!((p.greater - 0.263).abs() < 5e-4);
    /// ```
    pub fn p_values(self, votes: Votes) -> Option<PValues> {
        let (x, y) = rank_samples(votes.a, votes.equal, votes.b);
        let test = |method| mann_whitney::mann_whitney(&x, &y, method);
        match self {
            Self::MannWhitney(_) => test(MannWhitneyMethod::Auto).ok().map(|test| test.p),
            Self::MannWhitneyNormal(_) => test(MannWhitneyMethod::Normal).ok().map(|test| test.p),
            Self::Sign(_) => Some(sign_test::from_counts(votes.a as usize, votes.b as usize).p),
            _ => None,
        }
    }

    /// Returns the relation of a to b that `votes` decide. Without votes the items are equal.
    pub fn decide(self, votes: Votes) -> Relation {
        // More votes for a mean a lower rank of a, so `Less`.
        let favourite = Relation::from(votes.b.cmp(&votes.a));
        if favourite == Relation::Equal {
            return favourite;
        }
        let [most, least] = [votes.a.max(votes.b), votes.a.min(votes.b)];
        let differs = match self {
            Self::MannWhitney(alpha) => {
                let (x, y) = rank_samples(most, votes.equal, least);
                mann_whitney::rejects(&x, &y, alpha.value(), Alternative::Greater).unwrap_or(false)
            }
            Self::MannWhitneyNormal(alpha) => {
                let (x, y) = rank_samples(most, votes.equal, least);
                let tested = mann_whitney::mann_whitney(&x, &y, MannWhitneyMethod::Normal);
                tested.is_ok_and(|test| test.p.greater < alpha.value())
            }
            Self::Sign(alpha) => {
                sign_test::from_counts(most as usize, least as usize)
                    .p
                    .greater
                    < alpha.value()
            }
            Self::Margin(margin) => most - least >= margin,
            Self::Plurality => most > votes.equal,
            Self::Majority => 2 * most > votes.len(),
        };
        if differs { favourite } else { Relation::Equal }
    }
}

/// Returns the two samples of the Mann-Whitney test: each vote as a rank of +1, 0 or -1 for the
/// item with `most` votes, and the opposite rank for the item with `least` votes.
fn rank_samples(most: u32, equal: u32, least: u32) -> (Vec<f64>, Vec<f64>) {
    let counts = [(1.0, most), (0.0, equal), (-1.0, least)];
    let ranks = |(rank, count)| std::iter::repeat_n(rank, count as usize);
    let x: Vec<f64> = counts.into_iter().flat_map(ranks).collect();
    let y = x.iter().map(|rank| -rank).collect();
    (x, y)
}

impl FromStr for DecisionRule {
    type Err = UnknownRuleError;

    fn from_str(name: &str) -> Result<Self, UnknownRuleError> {
        if let Some((_, rule)) = RULES_BY_NAME.iter().find(|(known, _)| *known == name) {
            return Ok(*rule);
        }
        (name.strip_prefix("margin:"))
            .and_then(|margin| margin.parse().ok())
            .filter(|&margin| margin > 0)
            .map(Self::Margin)
            .ok_or_else(|| UnknownRuleError(name.to_owned()))
    }
}

impl fmt::Display for DecisionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Margin(margin) = self {
            return write!(f, "margin:{margin}");
        }
        let usual = self.with_alpha(Alpha::TYPKE);
        let named = RULES_BY_NAME.iter().find(|(_, rule)| *rule == usual);
        let (name, _) = named.expect("every rule except margins has a name");
        f.write_str(name)
    }
}

/// Name of the rule, which is its form in JSON. The significance level of a test is stored as a value
/// of its own.
impl From<DecisionRule> for String {
    fn from(rule: DecisionRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for DecisionRule {
    type Error = UnknownRuleError;

    fn try_from(name: String) -> Result<Self, UnknownRuleError> {
        name.parse()
    }
}
