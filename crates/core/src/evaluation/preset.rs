//! Presets: published evaluation procedures with their measures and rules for missing queries,
//! order and ties.

use super::request::MissingQueryPolicy;
use crate::data::run::{RunOrder, ScorePrecision, TieBreaking};

partita_named::named_enum! {
    /// Published evaluation procedure whose measures and rules can be selected by name.
    pub enum EvaluationPreset: "procedure" {
        /// The program of TREC: document scores in single precision, queries that a run lacks are
        /// left out, measures have its names
        TrecEval = "trec_eval" | "trec-eval" | "trec",
        /// MIREX Audio Music Similarity: the mean score of the first five results (AG@5)
        MirexAms = "mirex-ams",
        /// Urbano et al. (2011): AG, nDCG(discount=log), ANDCG and ADR of the first five results
        Urbano2011 = "urbano-2011" | "urbano2011",
    }
}

/// Rules of an evaluation procedure for missing queries, document order, ties and the precision of
/// document scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationRules {
    /// Treatment of queries for which a run returned nothing.
    pub missing: MissingQueryPolicy,
    /// Column of a run file that determines the order of its documents.
    pub order: RunOrder,
    /// Order of documents to which a run gives equal scores.
    pub ties: TieBreaking,
    /// Floating-point precision in which scores of documents are compared.
    pub score_precision: ScorePrecision,
}

impl EvaluationPreset {
    /// Returns the measures of the procedure, used if the user names none.
    #[must_use]
    pub fn measures(self) -> &'static [&'static str] {
        match self {
            // Measures that trec_eval prints by default, in its order. They come with the
            // counts that it prints.
            Self::TrecEval => &[
                "AP", "Rprec", "bpref", "RR", "P@5", "P@10", "P@15", "P@20", "P@30", "P@100",
                "P@200", "P@500", "P@1000",
            ],
            Self::MirexAms => &["AG@5"],
            Self::Urbano2011 => &["AG@5", "nDCG(discount=log)@5", "ANDCG@5", "ADR@5"],
        }
    }

    /// Returns the rules of the procedure for missing queries, document order and ties.
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
