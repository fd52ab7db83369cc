//! Ground truths from many people's rankings, and an honest audit of them.
//!
//! The method is that of Typke et al. (2005), with the functions and measures of Urbano, Marrero,
//! Martín and Lloréns, *Improving the generation of ground truths based on partially ordered
//! lists* (ISMIR 2010):
//!
//! 1. The rank samples of the items ([`RankSamples`]) put them in order ([`arrange()`]).
//! 2. Each item is tested against each other ([`Comparisons`]), once for all that follows.
//! 3. One of six functions groups them ([`Aggregation`], [`aggregate()`]).
//! 4. [`consistency()`] says how far the list agrees with the tests, and [`audit()`] names every pair
//!    and triple for which it does not. [`agreement()`] asks the same of the assessors.
//!
//! [`Evidence`] holds 1 and 2. Beyond one list:
//!
//! 5. [`study_list`] and [`study()`] put the six functions side by side, and score systems by each.
//! 6. [`ListTrust`] and [`SystemTrust`] draw the assessors again ([`Panel`]) and say how far the
//!    list, and the scores of systems by it, can be trusted.
//! 7. [`likeness()`] compares two ground truths.
//!
//! Nothing here starts a thread: a list is small, and there are many.
//!
//! # What the intervals cover
//!
//! The intervals come from resampling assessors, each with the whole of a ranking. How often a 95%
//! interval of a system's score, of a difference of two systems, of a group or of a consistency
//! holds the truth is measured by simulation with `cargo run --release -p partita-core --example
//! coverage`. No figure is claimed here: until it has been settled, read them as approximate.

mod against;
mod aggregate;
mod aggregation;
mod agreement;
mod alpha;
mod arrange;
mod audit;
mod comparisons;
mod consistency;
mod evidence;
mod likeness;
mod list_trust;
mod panel;
mod rbo;
mod recentred;
mod recipe;
mod remembered;
mod samples;
mod study;
mod system_trust;
mod transitivity;

pub use against::truth_of;
pub use aggregate::{Aggregated, Choice, Outcome, aggregate};
pub use aggregation::{Aggregation, Rationale, UnknownAggregation};
pub use agreement::{Agreement, agreement};
pub use alpha::Alpha;
pub use arrange::arrange;
pub use audit::{Audit, Pair, audit};
pub use comparisons::{Comparisons, Law, Tails, Verdict};
pub use consistency::{Consistency, consistency};
pub use evidence::{Evidence, Exactness, PairPValues, QUICK_EXACT, Reading};
pub use likeness::{
    Likeness, Places, Rbo, SampledAdr, adr_of_random_order, as_result, likeness, sampled_adr,
};
pub use list_trust::{ListBootstrap, ListReplicate, ListTrust, PairShares};
pub use panel::Panel;
pub use rbo::{RboTies, rank_biased_overlap};
pub use recentred::Recentred;
pub use recipe::Recipe;
pub use samples::{RankSamples, Unranked};
pub use study::{FunctionStudy, ListStudy, study, study_list};
pub use system_trust::{ScoreReplicate, SystemTrust, Systems};
pub use transitivity::{Paradox, Triple, non_transitive};
