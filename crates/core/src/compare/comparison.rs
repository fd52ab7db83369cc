//! The result of a comparison.

use std::cmp::Ordering;

use partita_stats::adjust::{Adjustment, adjust};
use partita_stats::differences::quantised;
use partita_stats::effect_size::{a12, cohens_d_paired};
use partita_stats::friedman::friedman;
use partita_stats::t_test::one_sample;
use partita_stats::{StatsError, student_t};

use super::letters::{self, letter};
use super::order::{Better, Order};
use super::question::{Answer, CriticalDifference, Omnibus, Question, without_noise};
use super::{CompareError, Correction, Definition, Goal, Settings, workers};
use crate::truth::Contradictions;

/// How systems compare by one measure.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The test.
    pub test: &'static Definition,
    /// The measure.
    pub measure: String,
    /// The number of queries.
    pub queries: usize,
    /// The settings that were used.
    pub settings: Settings,
    /// The correction that was used.
    pub correction: Correction,
    /// How many samples were drawn, if any were.
    pub samples: Option<usize>,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// The systems, from the best mean down; equal means by name.
    pub systems: Vec<System>,
    /// The pairs that were compared: the systems in their order, each with those after it.
    pub pairs: Vec<Pair>,
    /// The test of whether any systems differ, where there is one.
    pub omnibus: Option<Omnibus>,
    /// The largest difference that is not significant, where there is one for all pairs.
    pub critical_difference: Option<CriticalDifference>,
    /// What the pairs make of the systems; only where all pairs were compared.
    pub leaderboard: Option<Leaderboard>,
    /// How likely it is that a difference is called significant where there is none.
    pub error_rates: ErrorRates,
    /// If with so few queries or samples nothing can be significant: the smallest possible
    /// adjusted p-value.
    pub hopeless: Option<f64>,
}

/// A system.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Its mean score.
    pub mean: f64,
    /// Its mean rank among the systems, 1 for always the lowest score.
    pub mean_rank: f64,
    /// Its letters: systems that share one do not differ significantly.
    pub group: Option<String>,
    /// The best and the worst rank that the significant differences leave it.
    pub ranks: Option<(usize, usize)>,
}

/// A pair of systems, of which the first has the higher mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first system.
    pub a: usize,
    /// The second system.
    pub b: usize,
    /// The mean of the first minus that of the second.
    pub difference: f64,
    /// The interval of that difference, not corrected for the number of comparisons unless the
    /// test is a simultaneous one; `None` where resamples leave it without an end.
    pub interval: Option<(f64, f64)>,
    /// The mean difference in standard deviations of the differences; `None` where these do not
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
    /// The mean rank of the first minus that of the second.
    pub mean_rank_difference: f64,
    /// The p-value.
    pub p: f64,
    /// The p-value allowing for the number of comparisons.
    pub p_adjusted: f64,
    /// Whether the adjusted p-value is below alpha.
    pub significant: bool,
    /// The system that is significantly better.
    pub better: Option<usize>,
    /// Whether the better system has the lower mean: the test looks at something else.
    pub against_the_means: bool,
    /// Whether the systems are equivalent, if that was asked.
    pub equivalent: Option<bool>,
}

/// What the pairs make of the systems.
#[derive(Clone, Debug)]
pub struct Leaderboard {
    /// Largest sets of systems of which no two differ (by the equivalence test: of which every two
    /// are equivalent), one a letter.
    pub groups: Vec<Vec<usize>>,
    /// The partial order of the significantly better; empty for the equivalence test.
    pub order: Order,
    /// The triples for which tests contradict each other; less is better.
    pub triples: Contradictions<usize>,
}

/// The probability of one false claim at least if no systems differed and tests were independent
/// (Urbano, Martín, Marrero and Morato 2011, section 6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRates {
    /// The number of comparisons.
    pub comparisons: usize,
    /// 1 - (1 - alpha)^m for all m comparisons, uncorrected.
    pub experiment_wide: f64,
    /// In how many comparisons a participant takes part.
    pub comparisons_each: usize,
    /// The same for these.
    pub per_participant: f64,
    /// What holds for the result.
    pub held: Held,
}

/// What a correction holds at alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nothing: every comparison has an error rate of alpha of its own.
    Nothing,
    /// The probability of one false claim at least in the whole experiment.
    ExperimentWide,
    /// The expected share of false claims among all claims.
    FalseDiscovery,
}

impl Held {
    fn by(test: &Definition, correction: Correction) -> Self {
        match correction {
            _ if test.simultaneous => Self::ExperimentWide,
            Correction::None => Self::Nothing,
            Correction::Adjusted(
                Adjustment::BenjaminiHochberg | Adjustment::BenjaminiYekutieli,
            ) => Self::FalseDiscovery,
            Correction::Adjusted(_) => Self::ExperimentWide,
        }
    }
}

/// 1 - (1 - alpha)^m.
fn at_least_once(alpha: f64, comparisons: usize) -> f64 {
    -(comparisons as f64 * (-alpha).ln_1p()).exp_m1()
}

impl Comparison {
    /// The number of significant pairs.
    pub fn significant(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.significant).count()
    }

    /// The pairs in which the better system has the lower mean.
    pub fn against_the_means(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.against_the_means)
    }

    pub(super) fn new(
        test: &'static Definition,
        question: &Question,
        answer: Answer,
    ) -> Result<Self, CompareError> {
        let settings = question.settings;
        let p: Vec<f64> = answer.pairs.iter().map(|pair| pair.p).collect();
        let adjusted = match question.correction {
            Correction::Adjusted(procedure) => adjust(&p, procedure)?,
            Correction::None => p,
        };
        let mean_ranks = mean_ranks(question)?;
        let means: Vec<f64> = (0..question.columns.len())
            .map(|system| question.scores.mean(system))
            .collect();
        let sizes = sizes(question, test)?;
        let mut pairs = Vec::with_capacity(question.pairs.len());
        for (number, &(a, b)) in question.pairs.iter().enumerate() {
            let (own, size) = (&answer.pairs[number], &sizes[number]);
            let significant = adjusted[number] < settings.alpha.value();
            let better = match own.direction {
                Ordering::Greater if significant => Some(a),
                Ordering::Less if significant => Some(b),
                _ => None,
            };
            let difference = means[a] - means[b];
            let interval = own.interval.unwrap_or(size.interval);
            pairs.push(Pair {
                a,
                b,
                difference,
                interval: (interval.0.is_finite() && interval.1.is_finite()).then_some(interval),
                d: size.d,
                a12: size.a12,
                wins: size.wins,
                ties: question.queries() - size.wins - size.losses,
                losses: size.losses,
                mean_rank_difference: mean_ranks[a] - mean_ranks[b],
                p: own.p,
                p_adjusted: adjusted[number],
                significant,
                better,
                against_the_means: better == Some(b) && quantised(difference) > 0.0,
                equivalent: (test.goal == Goal::Equivalence).then_some(significant),
            });
        }
        let smallest = (question.correction).at_best(answer.smallest_p, pairs.len());
        let systems = question.scores.systems().iter().enumerate();
        let systems = systems.map(|(system, name)| System {
            name: name.clone(),
            mean: means[system],
            mean_rank: mean_ranks[system],
            group: None,
            ranks: None,
        });
        let mut comparison = Self {
            test,
            measure: question.scores.measure().to_owned(),
            queries: question.queries(),
            settings: settings.clone(),
            correction: question.correction,
            samples: answer.samples,
            confidence: confidence(test, settings),
            systems: systems.collect(),
            error_rates: error_rates(test, question),
            pairs,
            omnibus: answer.omnibus,
            critical_difference: answer.critical_difference,
            leaderboard: None,
            hopeless: (smallest >= settings.alpha.value()).then_some(smallest),
        };
        let k = comparison.systems.len();
        if comparison.pairs.len() == k * (k - 1) / 2 {
            comparison.make_leaderboard();
        }
        Ok(comparison)
    }

    fn make_leaderboard(&mut self) {
        let k = self.systems.len();
        let mut better = Better::new(k);
        let mut apart = vec![false; k * k];
        let equivalence = self.test.goal == Goal::Equivalence;
        for pair in &self.pairs {
            let differ = pair.significant != equivalence;
            apart[pair.a * k + pair.b] = differ;
            apart[pair.b * k + pair.a] = differ;
            if let Some(winner) = pair.better {
                better.set(winner, pair.a + pair.b - winner);
            }
        }
        let groups = letters::sets(k, |a, b| apart[a * k + b]);
        for (number, group) in groups.iter().enumerate() {
            for &system in group {
                let letters = &mut self.systems[system].group;
                letters.get_or_insert_default().push_str(&letter(number));
            }
        }
        if !equivalence {
            for (system, ranks) in self.systems.iter_mut().zip(better.ranks()) {
                system.ranks = Some(ranks);
            }
        }
        self.leaderboard = Some(Leaderboard {
            groups,
            order: better.order(),
            triples: better.relations().contradictions(Contradictions::LISTED),
        });
    }
}

/// The confidence of the intervals.
fn confidence(test: &Definition, settings: &Settings) -> f64 {
    match test.goal {
        Goal::Equivalence => 1.0 - 2.0 * settings.alpha.value(),
        Goal::Difference => settings.confidence(),
    }
}

fn mean_ranks(question: &Question) -> Result<Vec<f64>, StatsError> {
    let rows: Vec<Vec<f64>> = (question.scores.rows())
        .map(|row| question.rounded(row))
        .collect();
    Ok(friedman(&rows)?.mean_ranks)
}

fn error_rates(test: &Definition, question: &Question) -> ErrorRates {
    let baselines = &question.settings.baselines;
    let takes_part = |system: usize| {
        let pairs = question.pairs.iter();
        pairs.filter(|&&(a, b)| a == system || b == system).count()
    };
    // With baselines a participant is any other system.
    let names = question.scores.systems().iter();
    let participant = names.clone().position(|name| !baselines.contains(name));
    let comparisons_each = takes_part(participant.unwrap_or(0));
    let alpha = question.settings.alpha.value();
    ErrorRates {
        comparisons: question.pairs.len(),
        experiment_wide: at_least_once(alpha, question.pairs.len()),
        comparisons_each,
        per_participant: at_least_once(alpha, comparisons_each),
        held: Held::by(test, question.correction),
    }
}

/// How large the difference of a pair is, whatever the test.
struct Size {
    interval: (f64, f64),
    d: Option<f64>,
    a12: f64,
    wins: usize,
    losses: usize,
}

fn sizes(question: &Question, test: &Definition) -> Result<Vec<Size>, StatsError> {
    let confidence = confidence(test, question.settings);
    // All pairs have the same number of queries, so the same quantile.
    let df = question.queries() as f64 - 1.0;
    let quantile = student_t::quantile(0.5 * (1.0 + confidence), df)?;
    let rounded: Vec<Vec<f64>> = (question.columns.iter())
        .map(|column| question.rounded(column))
        .collect();
    let size = |&(a, b): &(usize, usize)| {
        let raw = question.raw_differences((a, b));
        let differences = without_noise(&raw);
        let t = one_sample(&differences)?;
        let half = quantile * t.standard_error;
        let seen = question.rounded(&raw);
        let threshold = question.settings.threshold;
        Ok(Size {
            interval: (t.mean_difference - half, t.mean_difference + half),
            d: cohens_d_paired(&differences)?,
            a12: a12(&rounded[a], &rounded[b])?,
            wins: seen.iter().filter(|d| **d > threshold).count(),
            losses: seen.iter().filter(|d| **d < -threshold).count(),
        })
    };
    const AT_ONCE: usize = 64;
    let pieces = question.pairs.len().div_ceil(AT_ONCE);
    let sizes = workers::map(question.workers, pieces, |piece| {
        let pairs = question.pairs.iter().skip(piece * AT_ONCE).take(AT_ONCE);
        pairs.map(size).collect::<Result<Vec<Size>, StatsError>>()
    });
    let mut all = Vec::with_capacity(question.pairs.len());
    for piece in sizes {
        all.extend(piece?);
    }
    Ok(all)
}
