//! Discounted cumulated gain, and the parts that its normalised forms share.
//!
//! ```
//! use partita_core::{QueryTruth, Ranking, measure};
//!
//! // Three groups stand for gains of 3, 2 and 1.
//! let truth = QueryTruth::from_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::from_names(truth.names(), ["b", "a", "x", "c"]);
//! // 2 / log2 2 + 3 / log2 3 + 0 + 1 / log2 5.
//! let dcg = measure::parse("DCG", 3.0)?;
//! let expected = 2.0 + 3.0 / 3f64.log2() + 1.0 / 5f64.log2();
//! assert!((dcg.score(&truth, &ranking).unwrap() - expected).abs() < 1e-14);
//! // 2 + 3 / log2 2 + 0 + 1 / log2 4, the first rank not being discounted.
//! let dcg = measure::parse("DCG(discount=log)", 3.0)?;
//! assert_eq!(dcg.score(&truth, &ranking), Some(5.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::f64::consts::LN_2;

use super::{
    CutoffRule, MAX, Measure, MeasureArguments, MeasureDefinition, MeasureError, MeasureParameter,
};
use super::{effective_depth, for_each_position, gain};
use crate::data::ground_truth::QueryTruth;
use crate::data::ranking::{Ranking, Slot};

/// Registry entry of the measure DCG: names, description, parameters and constructor.
pub(super) static DEFINITION: MeasureDefinition = MeasureDefinition {
    name: "DCG",
    aliases: &["DiscountedCumulatedGain"],
    summary: "Discounted cumulated gain: gains count less the later they come.",
    description: "The gain at rank i is divided by log2(i + 1), as in trec_eval, ir_measures and ranx. \
        discount=log is the form of Järvelin and Kekäläinen (2002) and Urbano et al. (2011): the gain \
        is divided by log_b i, and ranks below b are not discounted, with b = 2 neither of the first \
        two. With gain=exp a grade above 1000 counts as 1000, so that the sum stays a number; \
        nDCG(gain=exp) takes any grade.",
    range: "0 upwards",
    higher_is_better: Some(true),
    reference: "Burges et al. (2005), Learning to Rank using Gradient Descent; for discount=log \
        Järvelin & Kekäläinen (2002), Cumulated Gain-based Evaluation of IR Techniques, and Urbano, \
        Martín, Marrero & Morato (2011), equation 2",
    cutoff: CutoffRule::Optional,
    parameters: &[DISCOUNT, BASE, GAIN],
    example: "DCG@5",
    build: |arguments| {
        Ok(Box::new(DiscountedGain {
            cutoff: arguments.cutoff(),
            discounting: Discounting::from_arguments(arguments)?,
        }))
    },
};

/// Parameter `discount`: logarithmic discount by rank.
const DISCOUNT: MeasureParameter = MeasureParameter {
    name: "discount",
    values: "log2p1|log",
    default: "log2p1",
    description: "divide the gain at rank i by log2(i + 1), or by log_b i from rank b on",
};

/// Parameter `b`: base of the logarithm of the discount.
const BASE: MeasureParameter = MeasureParameter {
    name: "b",
    values: "a number above 1",
    default: "2, with discount=log",
    description: "the base of the logarithm with discount=log",
};

/// Parameter `gain`: linear or exponential gain of a grade.
const GAIN: MeasureParameter = MeasureParameter {
    name: "gain",
    values: "linear|exp",
    default: "linear",
    description: "the grade g itself, or 2^g - 1",
};

/// Parameter `ideal`: the ideal result by which DCG is normalised.
const IDEAL: MeasureParameter = MeasureParameter {
    name: "ideal",
    values: "judged|max",
    default: "judged",
    description: "the ideal result: all judged documents, best first, or as many documents of \
        the highest grade as the cut-off says",
};

/// Parameters of nDCG.
pub(super) const NDCG_PARAMETERS: &[MeasureParameter] = &[DISCOUNT, BASE, GAIN, IDEAL, MAX];

/// Parameters of ANDCG. The discount defaults to `log`, as in the publication that defines the
/// measure.
pub(super) const ANDCG_PARAMETERS: &[MeasureParameter] = &[
    MeasureParameter {
        default: "log",
        ..DISCOUNT
    },
    BASE,
    GAIN,
    IDEAL,
    MAX,
];

/// Largest exponent g in an exponential gain 2^g. An `f64` stays below 2^1024, so sixteen million
/// gains of 2^1000 can be added without overflow.
const HIGHEST_EXPONENT: f64 = 1000.0;

/// Conversion of grades to discounted gains: linear or exponential gain, and a discount by rank.
struct Discounting {
    discount: Discount,
    exponential: bool,
}

/// Discount of the gain at rank i.
enum Discount {
    /// Division by log_b i at ranks i >= b; no discount at earlier ranks.
    Log(f64),
    /// Division by log2(i + 1).
    Log2PlusOne,
}

impl Discounting {
    fn from_arguments(arguments: &MeasureArguments) -> Result<Self, MeasureError> {
        let base = arguments.number("b", |b| b > 1.0)?;
        Ok(Self {
            discount: match (arguments.choice("discount")?, base) {
                ("log", base) => Discount::Log(base.unwrap_or(2.0)),
                (_, None) => Discount::Log2PlusOne,
                (_, Some(_)) => return Err(arguments.missing_companion_error("b", "discount=log")),
            },
            exponential: arguments.choice("gain")? == "exp",
        })
    }

    /// Returns the gain of a grade: the grade itself, or with exponential gain (2^grade - 1) /
    /// 2^`unit`. In normalised measures, `unit` is the highest grade, which avoids overflow, and
    /// the divisor cancels. In DCG, `unit` is 0.
    fn gain(&self, grade: f64, unit: f64) -> f64 {
        // Most positions of a long ranking have grade 0, for which no power is needed.
        if !self.exponential || grade == 0.0 {
            return grade;
        }
        // The product 2^g (1 - 2^-g) avoids overflow for high grades and cancellation for low ones.
        let power = (grade - unit).min(HIGHEST_EXPONENT).exp2();
        power * -(-grade * LN_2).exp_m1()
    }

    /// Returns the number by which the gain at a rank (from 1) is divided.
    fn divisor(&self, rank: usize) -> f64 {
        let i = rank as f64;
        match self.discount {
            Discount::Log2PlusOne => (i + 1.0).log2(),
            Discount::Log(b) if i < b => 1.0,
            Discount::Log(2.0) => i.log2(),
            Discount::Log(10.0) => i.log10(),
            Discount::Log(b) => i.ln() / b.ln(),
        }
    }

    /// Calls `visit(i, discounted gain)` for every position i (from 1) up to `depth` at which the
    /// ranking has a document.
    fn for_each_discounted(
        &self,
        ranking: &Ranking,
        depth: usize,
        gain: impl Fn(Slot) -> f64,
        mut visit: impl FnMut(usize, f64),
    ) {
        for_each_position(ranking, depth, gain, |i, g| {
            // Positions without gain need no logarithm.
            visit(i, if g == 0.0 { 0.0 } else { g / self.divisor(i) });
        });
    }

    fn formula(&self) -> String {
        let gain = if self.exponential {
            "(2^g_i - 1)"
        } else {
            "g_i"
        };
        match self.discount {
            Discount::Log2PlusOne => format!("sum_i {gain} / log2(i + 1)"),
            Discount::Log(b) => format!("sum_i {gain} / max(1, log_{b} i)"),
        }
    }
}

/// Result by which discounted gain is normalised.
enum IdealResult {
    /// All relevant documents, highest grade first.
    Judged,
    /// As many documents of this grade, the highest of the scale, as the cut-off.
    Max(f64),
}

impl IdealResult {
    fn from_arguments(arguments: &MeasureArguments) -> Result<Self, MeasureError> {
        let max = arguments.max_grade()?;
        if arguments.choice("ideal")? == "max" {
            arguments.required_cutoff()?;
            Ok(Self::Max(max))
        } else {
            Ok(Self::Judged)
        }
    }

    /// Returns the grade at a rank (from 1) of the ideal result; 0 past its end.
    fn grade(&self, truth: &QueryTruth, rank: usize) -> f64 {
        match self {
            Self::Judged => truth.ideal_gains().get(rank - 1).copied().unwrap_or(0.0),
            Self::Max(grade) => *grade,
        }
    }

    fn formula(&self) -> String {
        match self {
            Self::Judged => "ideal: all judged documents, best first".to_owned(),
            Self::Max(grade) => format!("ideal: k documents of grade {grade}"),
        }
    }
}

/// Discounted gains of a ranking and of the ideal result, divided by a common factor so that
/// exponential gains cannot overflow.
///
/// Only the ratio of the two is meaningful. Exponential gains are divided by 2^h, where h is the
/// highest grade of the ideal result.
pub(super) struct GainNormalisation {
    discounting: Discounting,
    ideal: IdealResult,
}

impl GainNormalisation {
    pub(super) fn from_arguments(arguments: &MeasureArguments) -> Result<Self, MeasureError> {
        Ok(Self {
            discounting: Discounting::from_arguments(arguments)?,
            ideal: IdealResult::from_arguments(arguments)?,
        })
    }

    /// Calls `visit(i, discounted gain)` for every position i (from 1) up to `depth` at which the
    /// ranking has a document. A grade above the highest grade of the ideal result counts as that
    /// highest grade.
    pub(super) fn for_each_gain(
        &self,
        truth: &QueryTruth,
        ranking: &Ranking,
        depth: usize,
        visit: impl FnMut(usize, f64),
    ) {
        let highest = self.ideal.grade(truth, 1);
        let gain = |slot| {
            let grade = gain(truth, slot).min(highest);
            self.discounting.gain(grade, highest)
        };
        self.discounting
            .for_each_discounted(ranking, depth, gain, visit);
    }

    /// Returns the discounted gains of the ideal result at ranks 1, 2, ..., `last`.
    pub(super) fn ideal_gains(&self, truth: &QueryTruth, last: usize) -> impl Iterator<Item = f64> {
        let highest = self.ideal.grade(truth, 1);
        let Self { discounting, ideal } = self;
        (1..=last).map(move |rank| {
            let gain = discounting.gain(ideal.grade(truth, rank), highest);
            gain / discounting.divisor(rank)
        })
    }

    /// Returns the number of documents in the ideal result, at most `cutoff`.
    pub(super) fn ideal_length(&self, truth: &QueryTruth, cutoff: Option<usize>) -> usize {
        let relevant = truth.ideal_gains().len();
        match (&self.ideal, cutoff) {
            (IdealResult::Max(_), Some(k)) => k,
            (_, k) => k.map_or(relevant, |k| k.min(relevant)),
        }
    }

    pub(super) fn formula(&self) -> String {
        format!(
            "DCG = {}; {}",
            self.discounting.formula(),
            self.ideal.formula()
        )
    }
}

/// Measure DCG with its cut-off and discount.
struct DiscountedGain {
    cutoff: Option<usize>,
    discounting: Discounting,
}

impl Measure for DiscountedGain {
    fn score(&self, truth: &QueryTruth, ranking: &Ranking) -> Option<f64> {
        let depth = self.depth(truth, ranking);
        let mut sum = 0.0;
        let gain = |slot| self.discounting.gain(gain(truth, slot), 0.0);
        self.discounting
            .for_each_discounted(ranking, depth, gain, |_, g| sum += g);
        Some(sum)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        self.discounting.formula()
    }
}
