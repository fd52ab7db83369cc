//! The result of a comparison.

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
use crate::significance::{
    CriticalDifference, OmnibusTest, SignificanceTest, SystemTest, TestGoal, TestInput, TestOutput,
};
use crate::truth::{IntransitiveTriples, Intransitivity, Tails};

/// How systems compare, by each measure apart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparisonResults {
    /// One for each measure.
    pub comparisons: Vec<Comparison>,
}

/// How systems compare by one measure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The measure.
    pub measure: String,
    /// The name of the test.
    pub test: String,
    /// A difference is significant if its adjusted p-value is below this.
    pub alpha: f64,
    /// How many tails p-values are of.
    pub tails: u8,
    /// The correction that was used.
    pub correction: Adjustment,
    /// The number of queries.
    pub queries: usize,
    /// How many samples were drawn, if any were.
    pub samples: Option<usize>,
    /// The seed of all that was drawn.
    pub seed: u64,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// The systems, from the best mean down; equal means by name.
    pub systems: Vec<ComparedSystem>,
    /// The pairs that were compared: the systems in their order, each with those after it; or, of
    /// each baseline in turn, all others with it.
    pub pairs: Vec<PairComparison>,
    /// The number of significant pairs.
    pub significant: usize,
    /// The test of whether any systems differ, where there is one.
    pub omnibus: Option<OmnibusTest>,
    /// The largest difference that is not significant, where there is one for all pairs.
    pub critical_difference: Option<CriticalDifference>,
    /// How likely it is that a difference is called significant where there is none.
    pub error_rates: ErrorRates,
    /// What rounding did before ties were looked for.
    pub rounding: RoundingEffect,
    /// Largest sets of systems of which no two differ (by the equivalence test: of which every two
    /// are equivalent), one for each letter; only where all pairs were compared.
    pub groups: Option<Vec<Vec<Arc<str>>>>,
    /// The triples for which tests contradict each other, circles and broken chains first,
    /// [`Contradictions::LISTED`] at most; only where all pairs were compared for differences.
    pub non_transitive: Option<Vec<SystemTriple>>,
    /// How many such triples there are.
    pub non_transitive_count: Option<u64>,
    /// The partial order of the significantly better; only where all pairs were compared for
    /// differences.
    pub hasse: Option<HasseDiagram>,
    /// If with so few queries or samples nothing can be significant: the smallest possible
    /// adjusted p-value.
    #[serde(rename = "hopeless")]
    pub smallest_possible_p: Option<f64>,
    /// What a significant result says.
    pub goal: TestGoal,
    /// Whether p-values hold for all pairs together, so that nothing is left to correct.
    pub simultaneous: bool,
    /// What the test is, in a line.
    pub summary: String,
    /// What the test computes.
    pub description: String,
    /// Where the test was defined.
    pub reference: String,
    /// The settings that were asked for.
    pub settings: ComparisonOptions,
}

/// A system.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedSystem {
    /// Its name.
    #[serde(rename = "system")]
    pub name: Arc<str>,
    /// Its mean score.
    pub mean: f64,
    /// Its mean rank among the systems, 1 for always the highest score, unless the settings ask for
    /// it the other way round.
    pub mean_rank: f64,
    /// Its letters: systems that share one do not differ significantly.
    pub group: Option<String>,
    /// The best rank that the significant differences leave it.
    pub best_rank: Option<usize>,
    /// The worst one.
    pub worst_rank: Option<usize>,
}

/// A pair of systems. The first has the higher mean, or the second is a baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairComparison {
    /// The first system.
    pub a: Arc<str>,
    /// The second system.
    pub b: Arc<str>,
    /// The mean of the first minus that of the second.
    pub difference: f64,
    /// The lower end of the interval of that difference, not corrected for the number of
    /// comparisons unless the test is a simultaneous one; nothing where resamples leave it without
    /// an end.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// The mean difference in standard deviations of the differences; nothing where these do not
    /// vary.
    pub d: Option<f64>,
    /// The probability that a score of the first exceeds one of the second, ties counted one half
    /// (Vargha and Delaney 2000).
    pub a12: f64,
    /// On how many queries the first is better.
    pub wins: usize,
    /// On how many queries neither is.
    pub ties: usize,
    /// On how many queries the second is better.
    pub losses: usize,
    /// How many of the absolute differences rounding made equal to another one, or to 0.
    pub ties_made: usize,
    /// The mean rank of the first minus that of the second.
    pub mean_rank_difference: f64,
    /// The p-value.
    pub p: f64,
    /// The p-value allowing for the number of comparisons.
    pub p_adjusted: f64,
    /// Whether the adjusted p-value is below alpha.
    pub significant: bool,
    /// The system that is significantly better.
    pub better: Option<Arc<str>>,
    /// Whether the better system has the lower mean: the test looks at something else.
    pub against_the_means: bool,
    /// Whether the systems are equivalent, if that was asked.
    pub equivalent: Option<bool>,
}

impl PairComparison {
    /// Makes it the second system minus the first.
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

/// What rounding did before a test looked for ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundingEffect {
    /// By which rule.
    pub rule: Rounding,
    /// How many differences it made equal to another one of their pair, or to 0, in all pairs.
    pub ties: usize,
}

/// The order that "significantly better" makes of systems.
///
/// Tests are not bound to be transitive: a may beat b and b beat c where a does not beat c, and
/// pairwise tests can even go round in a circle. Nothing here relies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HasseDiagram {
    /// Each pair of a better and a worse system between which there is no third. From system to
    /// system along these, the better ones come first.
    pub edges: Vec<[Arc<str>; 2]>,
    /// Systems that beat each other in a circle; no edge is within a circle.
    #[serde(rename = "circles")]
    pub cycles: Vec<Vec<Arc<str>>>,
    /// Pairs that the diagram orders, through others, though they do not differ significantly.
    pub implied: Vec<[Arc<str>; 2]>,
}

/// Three systems for which the tests contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SystemTriple {
    /// How.
    pub kind: Intransitivity,
    /// The systems; where two of them differ the better one comes first.
    pub systems: [Arc<str>; 3],
}

/// The probability of one false claim at least if no systems differed and tests were independent
/// (Urbano, Martín, Marrero and Morato 2011, section 6). As there, that of one-tailed tests is of
/// either direction; both together err up to twice as often.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ErrorRates {
    /// The number of comparisons.
    pub comparisons: usize,
    /// 1 - (1 - alpha)^m for all m comparisons, uncorrected.
    pub experiment_wide: f64,
    /// In how many comparisons a participant takes part.
    pub comparisons_per_participant: usize,
    /// The same for these.
    pub per_participant: f64,
    /// The test or the correction that allows for the number of comparisons.
    pub corrected_by: Option<String>,
    /// What that holds, if it does so at alpha.
    pub held_at_alpha: Option<ControlledErrorRate>,
    /// What that holds; where nothing does, every comparison has an error rate of its own.
    #[serde(rename = "held")]
    pub controlled: Option<ControlledErrorRate>,
    /// The level at which it holds: alpha; or twice that where tests are one-tailed both ways,
    /// because each of the two directions errs at alpha.
    #[serde(rename = "held_at")]
    pub controlled_at: Option<f64>,
}

partita_named::named_enum! {
    /// What a correction holds, at the level of [`ErrorRates::held_at`].
    pub enum ControlledErrorRate: "error rate" {
        /// The probability of one false claim at least in the whole experiment
        ExperimentWide = "experiment_wide",
        /// The expected share of false claims among all claims
        FalseDiscovery = "false_discovery_rate",
    }
}

impl ControlledErrorRate {
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

/// 1 - (1 - alpha)^m.
fn family_wise_error(alpha: f64, comparisons: usize) -> f64 {
    -(comparisons as f64 * (-alpha).ln_1p()).exp_m1()
}

impl Comparison {
    /// The pairs in which the better system has the lower mean.
    pub fn against_the_means(&self) -> impl Iterator<Item = &PairComparison> {
        self.pairs.iter().filter(|pair| pair.against_the_means)
    }

    pub(super) fn new(
        test: &SignificanceTest,
        on_systems: &SystemTest,
        question: &TestInput,
        answer: TestOutput,
    ) -> Result<Self, ComparisonError> {
        let settings = question.settings;
        let equivalence = on_systems.goal == TestGoal::Equivalence;
        let p: Vec<f64> = answer.pairs.iter().map(|pair| pair.p).collect();
        let adjusted = adjust(&p, question.correction)?;
        let mean_ranks = mean_ranks(question)?;
        let means: Vec<f64> = (0..question.columns.len())
            .map(|system| question.scores.mean(system))
            .collect();
        let names: Vec<Arc<str>> = (question.scores.systems().iter())
            .map(|name| Arc::from(name.as_str()))
            .collect();
        let baselines = &settings.baselines;
        let baseline = |system: usize| baselines.iter().position(|name| **name == *names[system]);
        let confidence = confidence(on_systems.goal, settings);
        let sizes = effect_sizes(question, confidence)?;
        let mut board = SignificanceMatrix::new(names.len(), question.pairs.len());
        let mut pairs = Vec::with_capacity(question.pairs.len());
        for (number, &(a, b)) in question.pairs.iter().enumerate() {
            let (own, size) = (&answer.pairs[number], &sizes[number]);
            let significant = adjusted[number] < settings.alpha.value();
            let better = match own.direction {
                Ordering::Greater if significant => Some(a),
                Ordering::Less if significant => Some(b),
                _ => None,
            };
            if let Some(board) = &mut board {
                board.set((a, b), significant != equivalence, better);
            }
            let difference = means[a] - means[b];
            let (lower, upper) = own.interval.unwrap_or(size.interval);
            let bounded = lower.is_finite() && upper.is_finite();
            let mut pair = PairComparison {
                a: names[a].clone(),
                b: names[b].clone(),
                difference,
                lower: bounded.then_some(lower),
                upper: bounded.then_some(upper),
                d: size.d,
                a12: size.a12,
                wins: size.wins,
                ties: question.queries() - size.wins - size.losses,
                losses: size.losses,
                ties_made: size.ties_made,
                mean_rank_difference: mean_ranks[a] - mean_ranks[b],
                p: own.p,
                p_adjusted: adjusted[number],
                significant,
                better: better.map(|system| names[system].clone()),
                against_the_means: better == Some(b)
                    && difference > 0.5 * question.rounding_unit((a, b)),
                equivalent: equivalence.then_some(significant),
            };
            // Of two baselines the one that was named first is the baseline.
            let (place, other) = (baseline(a), baseline(b));
            if place.is_some_and(|place| other.is_none_or(|other| place < other)) {
                pair.swap();
            }
            pairs.push((place.into_iter().chain(other).min(), pair));
        }
        pairs.sort_by_key(|(baseline, _)| *baseline);
        let pairs: Vec<PairComparison> = pairs.into_iter().map(|(_, pair)| pair).collect();
        let smallest = smallest_adjusted_p(question.correction, answer.smallest_p, pairs.len());
        let systems = names
            .iter()
            .enumerate()
            .map(|(system, name)| ComparedSystem {
                name: name.clone(),
                mean: means[system],
                mean_rank: mean_ranks[system],
                group: None,
                best_rank: None,
                worst_rank: None,
            });
        let mut comparison = Self {
            measure: question.scores.measure().to_owned(),
            test: test.name.to_owned(),
            alpha: settings.alpha.value(),
            tails: if equivalence {
                Tails::One
            } else {
                settings.tails
            }
            .count(),
            correction: question.correction,
            queries: question.queries(),
            samples: answer.samples,
            seed: settings.seed,
            confidence,
            systems: systems.collect(),
            significant: pairs.iter().filter(|pair| pair.significant).count(),
            omnibus: answer.omnibus,
            critical_difference: answer.critical_difference,
            error_rates: error_rates(test, on_systems, question),
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
            simultaneous: on_systems.simultaneous,
            summary: test.summary.to_owned(),
            description: test.description.to_owned(),
            reference: test.reference.to_owned(),
            settings: settings.clone(),
        };
        if let Some(board) = board {
            comparison.add_partial_order(&board, &names);
        }
        Ok(comparison)
    }

    /// Says what the pairs make of the systems.
    fn add_partial_order(&mut self, board: &SignificanceMatrix, names: &[Arc<str>]) {
        let name = |system: usize| names[system].clone();
        let of_set = |set: &[usize]| -> Vec<Arc<str>> { set.iter().map(|&s| name(s)).collect() };
        let groups = letter_groups::letter_groups(names.len(), |a, b| board.differs(a, b));
        for (number, group) in groups.iter().enumerate() {
            for &system in group {
                let letters = &mut self.systems[system].group;
                letters
                    .get_or_insert_default()
                    .push_str(&letter_name(number));
            }
        }
        self.groups = Some(groups.iter().map(|group| of_set(group)).collect());
        if self.goal == TestGoal::Equivalence {
            return;
        }
        let better = &board.better;
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
        let of_pairs = |pairs: &[(usize, usize)]| -> Vec<[Arc<str>; 2]> {
            pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect()
        };
        self.hasse = Some(HasseDiagram {
            edges: of_pairs(&order.edges),
            cycles: order.circles.iter().map(|circle| of_set(circle)).collect(),
            implied: of_pairs(&order.implied),
        });
    }
}

/// What was found of all pairs, by number.
struct SignificanceMatrix {
    systems: usize,
    better: BetterRelation,
    /// Whether two systems may not share a letter.
    apart: Vec<bool>,
}

impl SignificanceMatrix {
    /// A board for so many systems; nothing if not all of their pairs were compared.
    fn new(systems: usize, pairs: usize) -> Option<Self> {
        (pairs == systems * (systems - 1) / 2).then(|| Self {
            systems,
            better: BetterRelation::new(systems),
            apart: vec![false; systems * systems],
        })
    }

    fn set(&mut self, (a, b): (usize, usize), apart: bool, better: Option<usize>) {
        self.apart[a * self.systems + b] = apart;
        self.apart[b * self.systems + a] = apart;
        if let Some(winner) = better {
            self.better.set(winner, a + b - winner);
        }
    }

    fn differs(&self, a: usize, b: usize) -> bool {
        self.apart[a * self.systems + b]
    }
}

/// The confidence of the intervals.
fn confidence(goal: TestGoal, settings: &ComparisonOptions) -> f64 {
    match goal {
        TestGoal::Equivalence => 1.0 - 2.0 * settings.alpha.value(),
        TestGoal::Difference => settings.confidence(),
    }
}

fn mean_ranks(question: &TestInput) -> Result<Vec<f64>, StatsError> {
    let mut rows = question.rounded_rows();
    if question.settings.ranks == MeanRankOrder::OneIsBest {
        // Ranks begin at the lowest.
        rows.iter_mut().flatten().for_each(|score| *score = -*score);
    }
    Ok(friedman(&rows)?.mean_ranks)
}

fn error_rates(
    test: &SignificanceTest,
    on_systems: &SystemTest,
    question: &TestInput,
) -> ErrorRates {
    let baselines = &question.settings.baselines;
    let takes_part = |system: usize| {
        let pairs = question.pairs.iter();
        pairs.filter(|&&(a, b)| a == system || b == system).count()
    };
    // With baselines a participant is any other system; where all are baselines, any of them.
    let names = question.scores.systems().iter();
    let participant = names.clone().position(|name| !baselines.contains(name));
    let comparisons_per_participant = takes_part(participant.unwrap_or(0));
    let alpha = question.settings.alpha.value();
    let held = ControlledErrorRate::for_correction(on_systems.simultaneous, question.correction);
    let held_at = match question.settings.tails {
        Tails::Two => alpha,
        Tails::One => 2.0 * alpha,
    };
    ErrorRates {
        comparisons: question.pairs.len(),
        experiment_wide: family_wise_error(alpha, question.pairs.len()),
        comparisons_per_participant,
        per_participant: family_wise_error(alpha, comparisons_per_participant),
        corrected_by: match question.correction {
            _ if on_systems.simultaneous => Some(test.name.to_owned()),
            Adjustment::None => None,
            correction => Some(correction.name().to_owned()),
        },
        held_at_alpha: held.filter(|_| held_at == alpha),
        controlled: held,
        controlled_at: held.map(|_| held_at),
    }
}
