//! Judgments of one kind in a campaign, with the lists that the campaign makes of them.

use partita_core::judgment::JudgmentKind;
use partita_core::truth::{BuildOptions, BuiltLists, build};
use partita_core::work::{Work, WorkError};
use partita_core::{AssessorRankings, GroundTruth, ZeroGainPolicy};

use super::export::{ExportRequest, ExportedLists};
use super::preferences::{AssessorFilter, CampaignPreferences};
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::lists::grades::{GradeScale, Grades};
use crate::votes::decision_rule::DecisionRule;

/// Judgments of one kind that count in a campaign. Those of excluded assessors are left out.
#[derive(Clone, Debug)]
pub enum CampaignEvidence {
    /// Preferences, with the lists that the strategy of the campaign makes of them.
    Preferences {
        /// First answer of each assessor to each pair.
        answers: Box<CampaignPreferences>,
        /// Current lists of the campaign.
        lists: Box<ExportedLists>,
        /// Rule of the campaign that decides a pair from its votes.
        rule: DecisionRule,
    },
    /// Rankings of the items of each query that somebody ranked.
    Rankings(Vec<(String, AssessorRankings)>),
    /// Grades of the items.
    Grades {
        /// Latest grade of each assessor for each item.
        grades: Grades,
        /// Rule of the campaign that decides a pair from its votes.
        rule: DecisionRule,
    },
}

/// Error for a kind of judgment that a campaign does not ask for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvidenceError {
    /// The campaign does not ask for this kind of judgment.
    #[error("the campaign asks for {}, not for {wanted}", list_kinds(.asked))]
    NotAsked {
        /// Kinds of judgment that the campaign asks for.
        asked: Vec<JudgmentKind>,
        /// Requested kind of judgment.
        wanted: JudgmentKind,
    },
    /// A query does not belong to the campaign.
    #[error(transparent)]
    Input(#[from] InputError),
}

fn list_kinds(kinds: &[JudgmentKind]) -> String {
    let names: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

impl Campaign {
    /// Returns the judgments of one kind that count, by default of the first kind that the campaign
    /// asks for. If queries are named, only these are included.
    ///
    /// # Errors
    /// Returns [`EvidenceError`] if the campaign does not ask for this kind of judgment, or for a
    /// query that does not belong to it.
    pub fn evidence(
        &self,
        kind: Option<JudgmentKind>,
        queries: &[String],
    ) -> Result<CampaignEvidence, EvidenceError> {
        let spec = self.spec();
        let kind = kind.unwrap_or(spec.kinds[0]);
        if !spec.kinds.contains(&kind) {
            return Err(EvidenceError::NotAsked {
                asked: spec.kinds.clone(),
                wanted: kind,
            });
        }
        let request = ExportRequest {
            queries: queries.to_vec(),
            settled: false,
        };
        Ok(match kind {
            JudgmentKind::Preference => CampaignEvidence::Preferences {
                answers: Box::new(self.preferences(AssessorFilter::NotExcluded, queries)?),
                lists: Box::new(self.export(&request)?),
                rule: spec.settings.rule(),
            },
            JudgmentKind::Ranking => CampaignEvidence::Rankings(self.ranked_lists(&request)?),
            JudgmentKind::Grading => CampaignEvidence::Grades {
                grades: self.grades_of_lists(&self.list_indices(queries)?),
                rule: spec.settings.rule(),
            },
        })
    }
}

impl CampaignEvidence {
    /// Builds the ground truth that the campaign makes of its judgments. `scale` is the scale of
    /// gains from grades, by default the fine scale if any grade has it.
    ///
    /// # Errors
    /// Returns [`WorkError`] if the work was cancelled or failed.
    pub fn ground_truth(
        &self,
        scale: Option<GradeScale>,
        zero: ZeroGainPolicy,
        work: &dyn Work,
    ) -> Result<GroundTruth, WorkError> {
        Ok(match self {
            Self::Preferences { lists, .. } => lists.ground_truth(),
            Self::Rankings(rankings) => build_ranked_lists(rankings, false, work)?.truth,
            Self::Grades { grades, .. } => {
                grades.ground_truth(scale.unwrap_or_else(|| grades.usual_scale()), zero)
            }
        })
    }
}

/// Builds the lists of a campaign from rankings as the command `truth build` does by default: an
/// item starts a new group if it differs from any item of the current group in a one-tailed test.
pub fn build_ranked_lists(
    rankings: &[(String, AssessorRankings)],
    details: bool,
    work: &dyn Work,
) -> Result<BuiltLists, WorkError> {
    let queries: Vec<(&str, &AssessorRankings)> = (rankings.iter())
        .map(|(query, ranks)| (query.as_str(), ranks))
        .collect();
    build(&queries, &BuildOptions::default(), details, work)
}
