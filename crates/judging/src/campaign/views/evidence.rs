//! Judgments of one kind in a campaign, or the lists that the campaign makes of them.

use partita_core::judgment::JudgmentKind;
use partita_core::truth::{BuildOptions, build};
use partita_core::work::{SequentialWork, Work, WorkError};
use partita_core::{AssessorRankings, GroundTruth, ZeroGainPolicy};

use super::export::{ExportRequest, ExportedLists};
use crate::campaign::Campaign;
use crate::campaign::input_error::InputError;
use crate::campaign::kinds::protocol;
use crate::lists::grades::{GradeScale, Grades};

/// Judgments of one kind that count in a campaign, or the lists that the campaign makes of them.
/// Those of excluded assessors are left out.
#[derive(Clone, Debug)]
pub enum CampaignEvidence {
    /// Current lists of the campaign, which its strategy makes of preferences.
    Lists(Box<ExportedLists>),
    /// Rankings of the items of each query that somebody ranked.
    Rankings(Vec<(String, AssessorRankings)>),
    /// Latest grade of each assessor for each item.
    Grades(Grades),
}

impl Campaign {
    /// Returns the judgments of one kind that count about the requested queries, or the lists that
    /// the campaign makes of them. Only for preferences, [`ExportRequest::settled`] has an effect.
    ///
    /// # Errors
    /// Returns [`InputError`] for a query that does not belong to the campaign.
    pub fn evidence(
        &self,
        kind: JudgmentKind,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError> {
        protocol(kind).evidence(self, request)
    }

    /// Builds a ground truth from the judgments of one kind, in which the gains of items follow from
    /// fine grades if there are any. Only for preferences, [`ExportRequest::settled`] has an effect.
    ///
    /// # Errors
    /// Returns [`InputError`] for a query that does not belong to the campaign.
    pub fn truth(
        &self,
        kind: JudgmentKind,
        request: &ExportRequest,
    ) -> Result<GroundTruth, InputError> {
        let evidence = self.evidence(kind, request)?;
        let truth = evidence.ground_truth(None, ZeroGainPolicy::LeaveOut, &SequentialWork);
        Ok(truth.expect("sequential work is never cancelled"))
    }
}

impl CampaignEvidence {
    /// Builds the ground truth that the campaign makes of its judgments: from rankings, the lists
    /// that the command `truth build` makes by default. `scale` is the scale of gains from grades,
    /// by default the fine scale if any grade has it.
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
            Self::Lists(lists) => lists.ground_truth(),
            Self::Rankings(rankings) => {
                let queries = rankings.iter();
                let queries: Vec<(&str, &AssessorRankings)> = queries
                    .map(|(query, ranks)| (query.as_str(), ranks))
                    .collect();
                build(&queries, &BuildOptions::default(), false, work)?.truth
            }
            Self::Grades(grades) => {
                grades.ground_truth(scale.unwrap_or_else(|| grades.usual_scale()), zero)
            }
        })
    }
}
