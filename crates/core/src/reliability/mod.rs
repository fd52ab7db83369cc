//! How far the conclusions of an evaluation can be trusted: power and stability by resampling
//! queries.
//!
//! Urbano, Martín, Marrero and Morato (2011), *Audio Music Similarity and Retrieval: Evaluation
//! Power and Stability*, draw query sets of many sizes from those at hand, stratified by genre. The
//! share of pairs of systems that a test finds to differ significantly is the **power** of the
//! evaluation with so many queries. A second set without a common query is like another evaluation:
//! what is significant with the first set and not confirmed by the second is a **conflict**, and
//! what is significant in both, in the same direction, is **stable**.
//!
//! - `draw`: the samples, which depend on seed, size and trial only;
//! - `test/`: the tests, one file each, all deciding batches of samples at once;
//! - `tally`: counting, in whole numbers; `shares`: what the counts come to;
//! - `study`: all of it, for one measure; `request` and `result`: for several,
//!   asked and answered as plain data.
//!
//! Of the conflicts, those where the second set differs in the same direction are for lack of power;
//! those in the other direction are swaps, significant or not. The paper counts "significant with
//! one sample but not with the other" and subtracts conflicts from power, which makes sense for
//! conflicts of the first sample's conclusions only; that is what is counted here, and the
//! exclusive or apart.

mod outcome_shares;
pub(crate) mod query_sampler;
mod query_set_sizes;
mod request;
mod resampling_study;
mod result;
mod trial_counts;

pub use crate::significance::batch::verdict::SystemPairVerdict;
pub use crate::significance::batch::{SystemPairPValue, TestSpec, TestSpecError};
pub use outcome_shares::{
    MissedPairs, OutcomeShares, SecondOnlyShares, Stability, SwapShares, stable_with_all,
};
pub use query_sampler::QuerySampler;
pub use query_set_sizes::{QuerySetSizes, QuerySetSizesError};
pub use request::{ReliabilityError, ReliabilityRequest, StratifiedScores, study};
pub use resampling_study::{ResamplingStudy, ResamplingStudyError};
pub use result::{
    DiscriminativePower, FullSizeResult, HalfSizeResult, PowerAndStability, PowerAtLevel,
    ReliabilityStudy, SizeResult, SmallerQuerySet, StudyMeasure, TestConfiguration,
};
pub use trial_counts::Tally;

pub(crate) use crate::significance::batch::{PairTest, TestParameters};
