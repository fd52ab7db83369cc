//! Reliability of the conclusions of an evaluation: power and stability by resampling queries.
//!
//! Urbano, Martín, Marrero and Morato (2011), *Audio Music Similarity and Retrieval: Evaluation
//! Power and Stability*, draw query sets of many sizes from the available queries, stratified by
//! genre. The share of pairs of systems that a test finds significantly different is the **power**
//! of the evaluation with that number of queries. A second set without a common query acts as an
//! independent evaluation. A pair that is significant with the first set and not confirmed by the
//! second is a **conflict**. A pair that is significant in both sets, in the same direction, is
//! **stable**.
//!
//! - `query_sampler`: the samples, which depend on seed, size and trial only;
//! - `significance::batch`: the tests, one file each, which decide batches of samples at once;
//! - `trial_counts`: integer counts of outcomes; `outcome_shares`: the counts as shares;
//! - `resampling_study`: the study of one measure;
//! - `request` and `result`: the study of several measures as plain data.
//!
//! A conflict counts as lack of power if the mean scores of the second set are equal or differ in
//! the same direction, and as a swap, significant or not, if they differ in the other direction.
//! The paper counts "significant with one sample but not with the other" and subtracts conflicts
//! from power. That subtraction is meaningful only for conflicts with the conclusions of the first
//! sample, so this module counts those, and reports the exclusive or separately.

mod outcome_shares;
pub(crate) mod query_sampler;
mod query_set_sizes;
mod request;
mod resampling_study;
mod result;
mod trial_counts;

pub use crate::significance::batch::SystemPairPValue;
pub use crate::significance::batch::verdict::SystemPairVerdict;
pub use crate::significance::test_spec::{TestSpec, TestSpecError};
pub use outcome_shares::{
    MissedPairs, OutcomeShares, SecondOnlyShares, Stability, SwapRates, stable_with_all,
};
pub use query_sampler::QuerySampler;
pub use query_set_sizes::{QuerySetSizes, QuerySetSizesError};
pub use request::{ReliabilityError, ReliabilityRequest, StratifiedScores, study};
pub use resampling_study::{ResamplingStudy, ResamplingStudyError};
pub use result::{
    DiscriminativePower, FullSizeResult, HalfSizeResult, PowerAndStability, PowerAtLevel,
    ReliabilityStudy, SizeResult, SmallerQuerySet, StudyMeasure, TestConfiguration,
};
pub use trial_counts::TrialCounts;

pub(crate) use crate::significance::batch::{PairTest, TestParameters};
