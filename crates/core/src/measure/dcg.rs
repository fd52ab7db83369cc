//! Discounted cumulated gain, and what its normalised forms share with it.
//!
//! ```
//! use partita_core::{Judged, Ranking, measure};
//!
//! // Three groups stand for gains of 3, 2 and 1.
//! let truth = Judged::of_groups(&[["a"], ["b"], ["c"]])?;
//! let ranking = Ranking::of(truth.names(), ["b", "a", "x", "c"]);
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
    build: |arguments: &MeasureArguments| -> Result<Box<dyn Measure>, MeasureError> {
        Ok(Box::new(DiscountedGain {
            cutoff: arguments.cutoff(),
            discounting: Discounting::from_arguments(arguments)?,
        }))
    },
};

const DISCOUNT: MeasureParameter = MeasureParameter {
    name: "discount",
    values: "log2p1|log",
    default: "log2p1",
    description: "divide the gain at rank i by log2(i + 1), or by log_b i from rank b on",
};

const BASE: MeasureParameter = MeasureParameter {
    name: "b",
    values: "a number above 1",
    default: "2, with discount=log",
    description: "the base of the logarithm with discount=log",
};

const GAIN: MeasureParameter = MeasureParameter {
    name: "gain",
    values: "linear|exp",
    default: "linear",
    description: "the grade g itself, or 2^g - 1",
};

const IDEAL: MeasureParameter = MeasureParameter {
    name: "ideal",
    values: "judged|max",
    default: "judged",
    description: "the ideal result: all judged documents, best first, or as many documents of \
        the highest grade as the cut-off says",
};

/// The parameters of nDCG.
pub(super) const NORMALISED: &[MeasureParameter] = &[DISCOUNT, BASE, GAIN, IDEAL, MAX];

/// The parameters of ANDCG, whose only source discounts by the logarithm of the rank.
pub(super) const AVERAGED: &[MeasureParameter] = &[
    MeasureParameter {
        default: "log",
        ..DISCOUNT
    },
    BASE,
    GAIN,
    IDEAL,
    MAX,
];

/// The highest exponent of an exponential gain. A double holds less than 2^1024, so sixteen
/// million gains of 2^1000 can be added up.
const HIGHEST_EXPONENT: f64 = 1000.0;

/// How gains are made from grades and discounted by rank.
struct Discounting {
    discount: Discount,
    exponential: bool,
}

enum Discount {
    /// Division by log_b i, from rank b on.
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

    /// The gain of a grade: the grade itself, or 2^grade - 1 in units of 2^`unit`.
    fn gain(&self, grade: f64, unit: f64) -> f64 {
        // Most places of a long ranking hold nothing; powers for each would be wasted.
        if !self.exponential || grade == 0.0 {
            return grade;
        }
        // 2^g - 1 as the product 2^g (1 - 2^-g): no grade is so high that a factor overflows, and
        // none so low that the difference is lost.
        let power = (grade - unit).min(HIGHEST_EXPONENT).exp2();
        power * -(-grade * LN_2).exp_m1()
    }

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

    /// Calls `visit(i, discounted gain)` for the places that the ranking fills.
    fn each_discounted(
        &self,
        ranking: &Ranking,
        depth: usize,
        gain: impl Fn(Slot) -> f64,
        mut visit: impl FnMut(usize, f64),
    ) {
        for_each_position(ranking, depth, gain, |i, g| {
            // Likewise the logarithms.
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

/// What the ideal result is made of.
enum Ideal {
    /// All judged documents, best first.
    Judged,
    /// Documents of the highest grade only.
    Max(f64),
}

impl Ideal {
    fn from_arguments(arguments: &MeasureArguments) -> Result<Self, MeasureError> {
        let max = arguments.max_grade()?;
        if arguments.choice("ideal")? == "max" {
            arguments.required_cutoff()?;
            Ok(Self::Max(max))
        } else {
            Ok(Self::Judged)
        }
    }

    /// The grade at a rank of the ideal result, counted from 1; 0 past its end.
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

/// Discounted gains of a result and of the ideal one, in a unit that both share.
///
/// Only their ratio means anything. Exponential gains are given in units of 2^h with h the highest
/// grade of the ideal result, so that none of them can overflow.
pub(super) struct GainNormalisation {
    discounting: Discounting,
    ideal: Ideal,
}

impl GainNormalisation {
    pub(super) fn from_arguments(arguments: &MeasureArguments) -> Result<Self, MeasureError> {
        Ok(Self {
            discounting: Discounting::from_arguments(arguments)?,
            ideal: Ideal::from_arguments(arguments)?,
        })
    }

    /// Calls `visit(i, discounted gain)` for the places that the ranking fills.
    pub(super) fn each_gain(
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
            .each_discounted(ranking, depth, gain, visit);
    }

    /// The discounted gains of the ideal result at ranks 1, 2, ..., `last`.
    pub(super) fn ideal_gains(&self, truth: &QueryTruth, last: usize) -> impl Iterator<Item = f64> {
        let highest = self.ideal.grade(truth, 1);
        let Self { discounting, ideal } = self;
        (1..=last).map(move |rank| {
            let gain = discounting.gain(ideal.grade(truth, rank), highest);
            gain / discounting.divisor(rank)
        })
    }

    /// How many ranks the ideal result fills.
    pub(super) fn ideal_length(&self, truth: &QueryTruth, cutoff: Option<usize>) -> usize {
        let relevant = truth.ideal_gains().len();
        match (&self.ideal, cutoff) {
            (Ideal::Max(_), Some(k)) => k,
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
            .each_discounted(ranking, depth, gain, |_, g| sum += g);
        Some(sum)
    }

    fn depth(&self, _: &QueryTruth, ranking: &Ranking) -> usize {
        effective_depth(self.cutoff, ranking)
    }

    fn formula(&self) -> String {
        self.discounting.formula()
    }
}
