//! Result of a comparison.

use std::cmp::Ordering;
use std::sync::Arc;

use partita_named::NamedEnum;
use partita_stats::StatsError;
use partita_stats::adjustment::{Adjustment, adjust};
use partita_stats::differences::Rounding;
use partita_stats::friedman::friedman;
use schemars::JsonSchema;
use serde::Serialize;

use super::effect_size::effect_sizes;
use super::letter_groups;
use super::letter_groups::letter_name;
use super::options::smallest_adjusted_p;
use super::system_order::BetterRelation;
use super::{ComparisonError, ComparisonOptions, MeanRankOrder};
use crate::data::bit_matrix::BitMatrix;
use crate::significance::{
    CriticalDifference, OmnibusTest, SignificanceTest, SystemTest, TestGoal, TestInput, TestOutput,
};
use crate::truth::{IntransitiveTriples, Intransitivity, Tails};

/// Comparisons of systems, one per measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparisonResults {
    /// Comparison by each measure.
    pub comparisons: Vec<Comparison>,
}

/// Comparison of systems by one measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// Name of the measure.
    pub measure: String,
    /// Name of the significance test.
    pub test: String,
    /// Significance level: a difference is significant if its adjusted p-value is below it.
    pub alpha: f64,
    /// Number of tails of the p-values: 2, or 1 for one-tailed tests in both directions and for the
    /// equivalence test.
    pub tails: u8,
    /// Correction for multiple comparisons.
    pub correction: Adjustment,
    /// Number of queries.
    pub queries: usize,
    /// Number of resamples that the test drew; null if it drew none, as for an exact permutation
    /// test.
    pub samples: Option<usize>,
    /// Number of resamples with which the smallest adjusted p-value would be half of alpha. Present
    /// only if the options set no number and the bound on the work of a test allows fewer.
    pub samples_wanted: Option<usize>,
    /// Seed of all random draws.
    pub seed: u64,
    /// Confidence level of the intervals of the differences.
    pub confidence: f64,
    /// Systems by descending mean, then by name.
    pub systems: Vec<ComparedSystem>,
    /// Compared pairs. Without baselines, each system is paired with all systems after it in
    /// `systems`. With baselines, the pairs of the first baseline come first, then those of the
    /// next one.
    pub pairs: Vec<PairComparison>,
    /// Number of significant pairs.
    pub significant: usize,
    /// Test of the hypothesis that no systems differ, if the procedure has one.
    pub omnibus: Option<OmnibusTest>,
    /// Critical difference: largest difference that is not significant, if it is the same for all
    /// pairs.
    pub critical_difference: Option<CriticalDifference>,
    /// Family-wise error rates of the uncorrected tests, and the error rate that is controlled.
    pub error_rates: ErrorRates,
    /// Rounding rule, and the number of ties between score differences that it created.
    pub rounding: RoundingEffect,
    /// Letter groups: for each letter, the systems that share it. Each is a maximal set of systems
    /// without a significant difference (in the equivalence test: of pairwise equivalent systems).
    /// Present only if all pairs were compared and tested.
    pub groups: Option<Vec<Vec<Arc<str>>>>,
    /// Intransitive triples of systems, cycles and broken chains first, at most
    /// [`IntransitiveTriples::MAX_LISTED`]. Present only if all pairs were tested for differences.
    pub non_transitive: Option<Vec<SystemTriple>>,
    /// Number of all intransitive triples, including those that are not listed; null if
    /// `non_transitive` is null.
    pub non_transitive_count: Option<u64>,
    /// Hasse diagram of the relation "significantly better". Present only if all pairs were tested
    /// for differences.
    pub hasse: Option<HasseDiagram>,
    /// Smallest adjusted p-value that is possible with this number of queries and resamples.
    /// Present only if it is not below alpha, so that no result can be significant.
    #[serde(rename = "hopeless")]
    pub smallest_possible_p: Option<f64>,
    /// Claim that a significant result supports: difference or equivalence of the systems.
    pub goal: TestGoal,
    /// True if the intervals are simultaneous: they hold for all pairs together. Otherwise each
    /// holds for its pair by itself and is not corrected for the number of comparisons.
    pub simultaneous: bool,
    /// True if the p-values of the test hold for all pairs together, so that no correction is
    /// needed.
    pub simultaneous_p: bool,
    /// Summary of the test in one line.
    pub summary: String,
    /// Description of the test.
    pub description: String,
    /// Publication that defines the test.
    pub reference: String,
    /// Options with which the comparison was requested.
    pub settings: ComparisonOptions,
}

/// System in a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedSystem {
    /// Name of the system.
    #[serde(rename = "system")]
    pub name: Arc<str>,
    /// Mean score over the queries.
    pub mean: f64,
    /// Mean rank among the systems; 1 means always the highest score, unless the options reverse
    /// the order.
    pub mean_rank: f64,
    /// Letters of the system: systems that share a letter do not differ significantly (in the
    /// equivalence test: are equivalent). Null unless all pairs were compared.
    pub group: Option<String>,
    /// Best possible rank: 1 plus the number of systems that are significantly better. Null unless
    /// all pairs were tested for differences.
    pub best_rank: Option<usize>,
    /// Worst possible rank: the number of systems minus the number of those that are significantly
    /// worse. Null if `best_rank` is null.
    pub worst_rank: Option<usize>,
}

/// Comparison of two systems. The first comes first in the order by mean and name; with baselines,
/// the second is a baseline instead.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairComparison {
    /// First system of the pair.
    pub a: Arc<str>,
    /// Second system of the pair.
    pub b: Arc<str>,
    /// Mean score of system a minus mean score of system b.
    pub difference: f64,
    /// Lower limit of the confidence interval of the difference; null if a limit is not finite, or
    /// if the differences do not vary. The interval is corrected for multiple comparisons only if
    /// `simultaneous` is true.
    pub lower: Option<f64>,
    /// Upper limit of the confidence interval of the difference; null if `lower` is null.
    pub upper: Option<f64>,
    /// Cohen's d of the paired differences: mean divided by standard deviation; null if they do not
    /// vary.
    pub d: Option<f64>,
    /// Effect size A12 (Vargha and Delaney 2000): probability that a random score of the first
    /// system exceeds a random score of the second, with ties counted half.
    pub a12: f64,
    /// Number of queries on which system a scores higher than system b by more than the tie
    /// threshold.
    pub wins: usize,
    /// Number of queries on which the systems differ by at most the tie threshold.
    pub ties: usize,
    /// Number of queries on which system b scores higher than system a by more than the tie
    /// threshold.
    pub losses: usize,
    /// Number of distinct absolute score differences that rounding made equal to a smaller one or
    /// to 0.
    pub ties_made: usize,
    /// Mean rank of system a minus mean rank of system b.
    pub mean_rank_difference: f64,
    /// Uncorrected p-value; null if the test is undefined because the differences do not vary.
    pub p: Option<f64>,
    /// p-value adjusted for multiple comparisons; null if `p` is null.
    pub p_adjusted: Option<f64>,
    /// True if the adjusted p-value is below alpha.
    pub significant: bool,
    /// System that is significantly better; null if there is none, and for the equivalence test.
    pub better: Option<Arc<str>>,
    /// True if the significantly better system has the lower mean. This can happen if the test does
    /// not compare means.
    pub against_the_means: bool,
    /// True if the mean scores of the systems are equivalent within the margin; null for tests
    /// other than the equivalence test.
    pub equivalent: Option<bool>,
}

impl PairComparison {
    /// Exchanges systems a and b, and reverses the signs of their differences.
    fn swap(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
        std::mem::swap(&mut self.wins, &mut self.losses);
        let negative = |number: Option<f64>| number.map(|number| 0.0 - number);
        (self.lower, self.upper) = (negative(self.upper), negative(self.lower));
        self.d = negative(self.d);
        self.a12 = 1.0 - self.a12;
        self.difference = 0.0 - self.difference;
        self.mean_rank_difference = 0.0 - self.mean_rank_difference;
    }
}

/// Rounding rule of a comparison, and the number of ties between score differences that it created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundingEffect {
    /// Rule by which differences, and scores that are ranked, were rounded.
    pub rule: Rounding,
    /// Number of distinct absolute differences that rounding made equal to a smaller one of the
    /// same pair of systems, or to 0; summed over all compared pairs.
    pub ties: usize,
}

/// Partial order of systems by "significantly better".
///
/// The relation need not be transitive: a may beat b and b may beat c although a does not beat c,
/// and pairwise tests can even form cycles. The diagram does not assume transitivity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HasseDiagram {
    /// Edges, each from a better to a worse system. No third system is between the two in the
    /// order.
    pub edges: Vec<[Arc<str>; 2]>,
    /// Sets of systems that beat each other in a cycle. No edge connects two systems of a cycle.
    #[serde(rename = "circles")]
    pub cycles: Vec<Vec<Arc<str>>>,
    /// Pairs that do not differ significantly although a chain of significant differences leads
    /// from the first to the second. Pairs with a system in a cycle are left out.
    pub implied: Vec<[Arc<str>; 2]>,
}

/// Three systems for which the tests are intransitive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SystemTriple {
    /// Kind of intransitivity: the pattern of significant differences among the three systems.
    pub kind: Intransitivity,
    /// Systems a, b and c, in the roles that the description of `kind` gives them.
    pub systems: [Arc<str>; 3],
}

/// Family-wise error rates of the uncorrected tests, and the error rate that is controlled.
///
/// The family-wise error rate is the probability of at least one false claim of a difference if no
/// systems differ and the tests are independent (Urbano, Martín, Marrero and Morato 2011, section
/// 6). For one-tailed tests the rate holds for one direction, as in that paper; for both directions
/// together it is up to twice as high.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorRates {
    /// Number of tested pairs of systems, m.
    pub comparisons: usize,
    /// Uncorrected family-wise error rate of all m comparisons: 1 - (1 - alpha)^m.
    pub experiment_wide: f64,
    /// Number of comparisons that involve one participant (a single system; with baselines, one
    /// that is not a baseline).
    pub comparisons_per_participant: usize,
    /// Uncorrected family-wise error rate of the comparisons that involve one participant.
    pub per_participant: f64,
    /// Name of the test or correction that accounts for multiple comparisons; null if there is
    /// none.
    pub corrected_by: Option<String>,
    /// Error rate that the test or correction controls at alpha; null if it controls none at that
    /// level.
    pub held_at_alpha: Option<ControlledErrorRate>,
    /// Error rate that the test or correction controls; null if only the error rate of each single
    /// comparison is controlled.
    #[serde(rename = "held")]
    pub controlled: Option<ControlledErrorRate>,
    /// Level at which the error rate is controlled: alpha, or twice alpha for one-tailed tests in
    /// both directions, because each direction has level alpha; null if none is controlled.
    #[serde(rename = "held_at")]
    pub controlled_at: Option<f64>,
}

partita_named::named_enum! {
    /// Error rate that a test or correction controls at the level [`ErrorRates::controlled_at`].
    pub enum ControlledErrorRate: "error rate" {
        /// The probability of one false claim at least in the whole experiment
        ExperimentWide = "experiment_wide",
        /// The expected share of false claims among all claims
        FalseDiscovery = "false_discovery_rate",
    }
}

impl ControlledErrorRate {
    /// Returns the error rate that a correction or a simultaneous test controls, if any.
    fn for_correction(simultaneous: bool, correction: Adjustment) -> Option<Self> {
        match correction {
            _ if simultaneous => Some(Self::ExperimentWide),
            Adjustment::None => None,
            Adjustment::BenjaminiHochberg | Adjustment::BenjaminiYekutieli => {
                Some(Self::FalseDiscovery)
            }
            Adjustment::Holm | Adjustment::Bonferroni | Adjustment::Hochberg => {
                Some(Self::ExperimentWide)
            }
        }
    }
}

/// Returns the family-wise error rate 1 - (1 - alpha)^m of m independent tests.
fn family_wise_error(alpha: f64, comparisons: usize) -> f64 {
    -(comparisons as f64 * (-alpha).ln_1p()).exp_m1()
}

impl Comparison {
    /// Returns the pairs that the test could not decide because their differences do not vary.
    pub fn untested_pairs(&self) -> impl Iterator<Item = &PairComparison> {
        self.pairs.iter().filter(|pair| pair.p.is_none())
    }

    /// Returns the pairs in which the significantly better system has the lower mean score.
    pub fn against_the_means(&self) -> impl Iterator<Item = &PairComparison> {
        self.pairs.iter().filter(|pair| pair.against_the_means)
    }

    pub(super) fn new(
        test: &SignificanceTest,
        on_systems: &SystemTest,
        input: &TestInput,
        output: TestOutput,
    ) -> Result<Self, ComparisonError> {
        let settings = input.settings;
        let equivalence = on_systems.goal == TestGoal::Equivalence;
        // Untested pairs make no claim, so the correction does not count them.
        let p: Vec<f64> = output.pairs.iter().filter_map(|pair| pair.p).collect();
        let tested = p.len();
        let mut adjusted = adjust(&p, input.correction)?.into_iter();
        let mean_ranks = mean_ranks(input)?;
        let means: Vec<f64> = (0..input.columns.len())
            .map(|system| input.scores.mean(system))
            .collect();
        let names: Vec<Arc<str>> = (input.scores.systems().iter())
            .map(|name| Arc::from(name.as_str()))
            .collect();
        let baselines = &settings.baselines;
        let baseline = |system: usize| baselines.iter().position(|name| **name == *names[system]);
        let confidence = confidence(on_systems.goal, settings);
        let sizes = effect_sizes(input, confidence)?;
        let mut matrix = SignificanceMatrix::new(names.len(), tested);
        let mut pairs = Vec::with_capacity(input.pairs.len());
        for (number, &(a, b)) in input.pairs.iter().enumerate() {
            let (own, size) = (&output.pairs[number], &sizes[number]);
            let p_adjusted = own.p.and_then(|_| adjusted.next());
            let significant = p_adjusted.is_some_and(|p| p < settings.alpha.value());
            let better = match own.direction {
                Ordering::Greater if significant => Some(a),
                Ordering::Less if significant => Some(b),
                _ => None,
            };
            if let Some(matrix) = &mut matrix {
                matrix.set((a, b), significant != equivalence, better);
            }
            let difference = means[a] - means[b];
            let pairwise = (!output.simultaneous_intervals).then_some(size.interval);
            let interval = own.interval.or(pairwise).filter(|_| own.p.is_some());
            let interval = interval.and_then(|limits| interval_around(difference, limits));
            let mut pair = PairComparison {
                a: names[a].clone(),
                b: names[b].clone(),
                difference,
                lower: interval.map(|(lower, _)| lower),
                upper: interval.map(|(_, upper)| upper),
                d: size.d,
                a12: size.a12,
                wins: size.wins,
                ties: input.queries() - size.wins - size.losses,
                losses: size.losses,
                ties_made: size.ties_made,
                mean_rank_difference: mean_ranks[a] - mean_ranks[b],
                p: own.p,
                p_adjusted,
                significant,
                better: better.map(|system| names[system].clone()),
                against_the_means: better == Some(b)
                    && difference > 0.5 * input.rounding_unit((a, b)),
                equivalent: own.p.filter(|_| equivalence).map(|_| significant),
            };
            // Of two baselines, the one named first is the baseline of the pair.
            let (of_a, of_b) = (baseline(a), baseline(b));
            if of_a.is_some_and(|of_a| of_b.is_none_or(|of_b| of_a < of_b)) {
                pair.swap();
            }
            pairs.push((of_a.into_iter().chain(of_b).min(), pair));
        }
        pairs.sort_by_key(|(baseline, _)| *baseline);
        let pairs: Vec<PairComparison> = pairs.into_iter().map(|(_, pair)| pair).collect();
        let smallest = smallest_adjusted_p(input.correction, output.smallest_p, tested);
        let systems = (names.iter().enumerate()).map(|(system, name)| ComparedSystem {
            name: name.clone(),
            mean: means[system],
            mean_rank: mean_ranks[system],
            group: None,
            best_rank: None,
            worst_rank: None,
        });
        let mut comparison = Self {
            measure: input.scores.measure().to_owned(),
            test: test.name.to_owned(),
            alpha: settings.alpha.value(),
            tails: if equivalence {
                Tails::One
            } else {
                settings.tails
            }
            .count(),
            correction: input.correction,
            queries: input.queries(),
            samples: output.samples.map(|samples| samples.drawn),
            samples_wanted: output.samples.and_then(|samples| samples.wanted),
            seed: settings.seed,
            confidence,
            systems: systems.collect(),
            significant: pairs.iter().filter(|pair| pair.significant).count(),
            omnibus: output.omnibus,
            critical_difference: output.critical_difference,
            error_rates: error_rates(test, on_systems, input, &pairs),
            rounding: RoundingEffect {
                rule: settings.rounding,
                ties: pairs.iter().map(|pair| pair.ties_made).sum(),
            },
            groups: None,
            non_transitive: None,
            non_transitive_count: None,
            hasse: None,
            pairs,
            smallest_possible_p: (smallest >= settings.alpha.value()).then_some(smallest),
            goal: on_systems.goal,
            simultaneous: output.simultaneous_intervals,
            simultaneous_p: on_systems.simultaneous,
            summary: test.summary.to_owned(),
            description: test.description.to_owned(),
            reference: test.reference.to_owned(),
            settings: settings.clone(),
        };
        if let Some(matrix) = matrix {
            comparison.add_partial_order(&matrix, &names);
        }
        Ok(comparison)
    }

    /// Adds the letters and, unless the test is one of equivalence, the rank ranges, the
    /// intransitive triples and the Hasse diagram.
    fn add_partial_order(&mut self, matrix: &SignificanceMatrix, names: &[Arc<str>]) {
        let name = |system: usize| names[system].clone();
        let set_names = |set: &[usize]| -> Vec<Arc<str>> { set.iter().map(|&s| name(s)).collect() };
        let groups = letter_groups::letter_groups(names.len(), |a, b| matrix.differing.get(a, b));
        for (number, group) in groups.iter().enumerate() {
            for &system in group {
                let letters = &mut self.systems[system].group;
                letters
                    .get_or_insert_default()
                    .push_str(&letter_name(number));
            }
        }
        self.groups = Some(groups.iter().map(|group| set_names(group)).collect());
        if self.goal == TestGoal::Equivalence {
            return;
        }
        let better = &matrix.better;
        for (system, (best, worst)) in self.systems.iter_mut().zip(better.rank_ranges()) {
            (system.best_rank, system.worst_rank) = (Some(best), Some(worst));
        }
        let found = better
            .relations()
            .worst_intransitive(IntransitiveTriples::MAX_LISTED);
        self.non_transitive_count = Some(found.total());
        let named = found.worst.into_iter().map(|triple| SystemTriple {
            kind: triple.paradox,
            systems: triple.items.map(name),
        });
        self.non_transitive = Some(named.collect());
        let order = better.order();
        let pair_names = |pairs: &[(usize, usize)]| -> Vec<[Arc<str>; 2]> {
            pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect()
        };
        self.hasse = Some(HasseDiagram {
            edges: pair_names(&order.edges),
            cycles: order.cycles.iter().map(|cycle| set_names(cycle)).collect(),
            implied: pair_names(&order.implied),
        });
    }
}

/// Significant differences of all pairs of systems, by system index.
struct SignificanceMatrix {
    better: BetterRelation,
    /// Pairs of systems that must not share a letter of the compact letter display; symmetric.
    differing: BitMatrix,
}

impl SignificanceMatrix {
    /// Creates an empty matrix. Returns `None` if not all pairs were compared and tested.
    fn new(systems: usize, tested: usize) -> Option<Self> {
        (tested == systems * (systems - 1) / 2).then(|| Self {
            better: BetterRelation::new(systems),
            differing: BitMatrix::new(systems),
        })
    }

    /// Records the result of systems a and b. `better` is the system that is significantly better.
    fn set(&mut self, (a, b): (usize, usize), differing: bool, better: Option<usize>) {
        if differing {
            self.differing.set(a, b);
            self.differing.set(b, a);
        }
        if let Some(winner) = better {
            self.better.set(winner, a + b - winner);
        }
    }
}

/// Returns an interval widened to contain the difference, which it can miss by rounding error.
/// Returns `None` for an interval that is not finite or has no width.
fn interval_around(difference: f64, (lower, upper): (f64, f64)) -> Option<(f64, f64)> {
    let is_interval = lower.is_finite() && upper.is_finite() && lower < upper;
    is_interval.then(|| (lower.min(difference), upper.max(difference)))
}

/// Returns the confidence level of the intervals. For the equivalence test it is 1 - 2 alpha, which
/// corresponds to two one-tailed tests at alpha.
fn confidence(goal: TestGoal, settings: &ComparisonOptions) -> f64 {
    match goal {
        TestGoal::Equivalence => 1.0 - 2.0 * settings.alpha.value(),
        TestGoal::Difference => settings.confidence(),
    }
}

/// Computes the mean rank of each system over the queries, in the direction of the options.
fn mean_ranks(input: &TestInput) -> Result<Vec<f64>, StatsError> {
    let mut rows = input.rounded_rows();
    if input.settings.ranks == MeanRankOrder::OneIsBest {
        // Rank 1 goes to the lowest value, so scores are negated to give it to the best system.
        rows.iter_mut().flatten().for_each(|score| *score = -*score);
    }
    Ok(friedman(&rows)?.mean_ranks)
}

fn error_rates(
    test: &SignificanceTest,
    on_systems: &SystemTest,
    input: &TestInput,
    pairs: &[PairComparison],
) -> ErrorRates {
    let baselines = &input.settings.baselines;
    let tested = || pairs.iter().filter(|pair| pair.p.is_some());
    let comparisons_of = |system: usize| {
        let name = &input.scores.systems()[system];
        let of_system = tested().filter(|pair| *pair.a == **name || *pair.b == **name);
        of_system.count()
    };
    // With baselines, a participant is a system that is not a baseline; if all are baselines, any
    // system.
    let mut names = input.scores.systems().iter();
    let participant = names.position(|name| !baselines.contains(name));
    let comparisons_per_participant = comparisons_of(participant.unwrap_or(0));
    let alpha = input.settings.alpha.value();
    let controlled = ControlledErrorRate::for_correction(on_systems.simultaneous, input.correction);
    let controlled_at = match input.settings.tails {
        Tails::Two => alpha,
        Tails::One => 2.0 * alpha,
    };
    ErrorRates {
        comparisons: tested().count(),
        experiment_wide: family_wise_error(alpha, tested().count()),
        comparisons_per_participant,
        per_participant: family_wise_error(alpha, comparisons_per_participant),
        corrected_by: match input.correction {
            _ if on_systems.simultaneous => Some(test.name.to_owned()),
            Adjustment::None => None,
            correction => Some(correction.name().to_owned()),
        },
        held_at_alpha: controlled.filter(|_| controlled_at == alpha),
        controlled,
        controlled_at: controlled.map(|_| controlled_at),
    }
}
