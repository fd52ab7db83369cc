//! Evaluations as others run them: their measures and rules in one word.

use super::request::MissingQueryPolicy;
use crate::data::run::{RunOrder, ScorePrecision, TieBreaking};

partita_named::named_enum! {
    /// An evaluation as others run it.
    pub enum EvaluationPreset: "procedure" {
        /// The program of TREC: single precision, queries that a run lacks are left out, its names
        TrecEval = "trec_eval" | "trec-eval" | "trec",
        /// MIREX Audio Music Similarity: the mean score of the first five results (AG@5)
        MirexAms = "mirex-ams",
        /// Urbano et al. (2011): AG, nDCG(discount=log), ANDCG and ADR of the first five results
        Urbano2011 = "urbano-2011" | "urbano2011",
    }
}

/// The rules of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationRules {
    /// What becomes of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// What the order of a run is taken from.
    pub order: RunOrder,
    /// How documents with the same score are ordered.
    pub ties: TieBreaking,
    /// The precision in which scores are compared.
    pub score_precision: ScorePrecision,
}

impl Default for EvaluationRules {
    fn default() -> Self {
        Self {
            missing: MissingQueryPolicy::Empty,
            order: RunOrder::Score,
            ties: TieBreaking::Docno,
            score_precision: ScorePrecision::Double,
        }
    }
}

impl EvaluationPreset {
    /// What it measures unless something else is asked for.
    #[must_use]
    pub fn measures(self) -> &'static [&'static str] {
        match self {
            // Those that trec_eval prints unasked, in its order; its counts are `Request::counts`.
            Self::TrecEval => &[
                "AP", "Rprec", "bpref", "RR", "P@5", "P@10", "P@15", "P@20", "P@30", "P@100",
                "P@200", "P@500", "P@1000",
            ],
            Self::MirexAms => &["AG@5"],
            Self::Urbano2011 => &["AG@5", "nDCG(discount=log)@5", "ANDCG@5", "ADR@5"],
        }
    }

    /// Its rules.
    #[must_use]
    pub fn rules(self) -> EvaluationRules {
        match self {
            Self::TrecEval => EvaluationRules {
                missing: MissingQueryPolicy::Skip,
                score_precision: ScorePrecision::Single,
                ..EvaluationRules::default()
            },
            Self::MirexAms | Self::Urbano2011 => EvaluationRules::default(),
        }
    }
}
