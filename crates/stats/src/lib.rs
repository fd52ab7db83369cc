//! Rank tests, multiple comparisons, resampling and seeded random streams.
//!
//! This crate answers the questions that come after an experiment: is one system better than
//! another, by how much, how sure is that, and would it happen again? It knows nothing of what was
//! measured. It takes slices of `f64`, gives small structures, reads no file and no clock, and
//! starts no thread: whatever is run in parallel is run so by the caller.
//!
//! # Choosing a test
//!
//! | samples | question | module |
//! | --- | --- | --- |
//! | two independent | does one tend to be smaller? | [`mann_whitney`] |
//! | two independent | do the means differ? | [`t_test`] |
//! | paired | do differences tend to be positive? | [`signed_rank`], [`sign_test`] |
//! | paired | is the mean difference 0? | [`t_test`], [`randomization`], [`bootstrap`] |
//! | many, in blocks | do any differ, and which? | [`friedman`] |
//! | two rankings | how alike are they? | [`kendall`], [`tau_ap`], [`pearson`] |
//! | many rankings | how alike are they? | [`concordance`] |
//!
//! With the answers go their sizes ([`effect_size`]), corrections for the number of questions
//! ([`adjust`]) and intervals ([`bootstrap`]); below them lie the laws ([`normal`], [`student_t`],
//! [`noncentral_t`], [`chi_squared`], [`f`], [`studentized_range`]), [`ranks`], [`differences`] and
//! random [`streams`].
//!
//! # Ties are the rule
//!
//! Experts who rank ten melodies, grades from 0 to 2, scores of five documents: such data tie.
//! Tables and most programs then give up exactness and use a normal approximation, which for small
//! samples can be off by a factor of three. The rank tests here count, for any pattern of ties, how
//! many of the equally likely arrangements of the data at hand are at least as extreme:
//!
//! ```
//! use partita_stats::mann_whitney::{mann_whitney, Method};
//!
//! // Nine votes "equal" and one "better", against the same turned round.
//! let x = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
//! let y = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
//! let exact = mann_whitney(&x, &y, Method::ExactConditional)?;
//! let normal = mann_whitney(&x, &y, Method::Normal)?;
//! assert!((exact.p.greater - 0.263).abs() < 5e-4);
//! assert!((normal.p.greater - 0.096).abs() < 5e-4);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```
//!
//! # Decisions
//!
//! A hypothesis is rejected when p < alpha, strictly. An exact p-value that equals alpha does not
//! reject, and rounding must not make it seem to: [`mann_whitney::decide`] compares whole numbers.
//! It is also the way to make a million decisions in seconds.
//!
//! ```
//! use partita_stats::{mann_whitney::decide, Alternative};
//!
//! let ranks_of_a = [1.0, 1.0, 2.0, 3.0, 1.0, 2.0];
//! let ranks_of_b = [2.0, 3.0, 3.0, 4.0, 2.0, 5.0];
//! assert!(decide(&ranks_of_a, &ranks_of_b, 0.05, Alternative::Less)?);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```
//!
//! # Randomness that can be repeated
//!
//! Every random procedure draws from a stream given to it, and a stream is a function of a seed and
//! of a path that names what is drawn. The same seed gives the same bytes on every machine and with
//! any number of threads; all mathematics behind the draws is that of the portable `libm`.
//!
//! ```
//! use partita_stats::{bootstrap, streams::stream};
//!
//! let differences = [0.1, 0.3, -0.05, 0.2, 0.15, 0.0, 0.4, 0.25];
//! let p = |seed| bootstrap::test_mean(&differences, 999, &mut stream(seed, &[3, 14]));
//! assert_eq!(p(1)?, p(1)?);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```
//!
//! # Errors
//!
//! NaN is an error wherever it turns up, and so are empty samples; nothing panics. Infinite values
//! have an order, so rank tests take them, and no mean, so the others do not. A coefficient that is
//! not defined because a sample is constant is `None`, not an error.

pub mod adjustment;
pub mod bootstrap;
pub mod correlation;
pub mod differences;
pub mod distribution;
pub mod effect_size;
mod error;
pub mod friedman;
pub mod mann_whitney;
mod numeric;
mod p_value;
pub mod random;
pub mod randomization;
pub mod ranks;
pub mod sign_test;
pub mod signed_rank;
pub mod t_test;

pub use error::StatsError;
pub use p_value::{Alternative, PValues};
