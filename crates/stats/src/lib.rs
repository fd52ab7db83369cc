//! Significance tests, multiple comparisons, resampling, distributions and seeded random streams.
//!
//! The crate is independent of what was measured. It takes slices of `f64` and returns small
//! structs. It reads no file and no clock and starts no thread; the caller decides what runs in
//! parallel.
//!
//! # Choosing a test
//!
//! | samples | question | module |
//! | --- | --- | --- |
//! | two independent | does one tend to be smaller? | [`mann_whitney`] |
//! | two independent | do the means differ? | [`t_test`] |
//! | paired | do differences tend to be positive? | [`signed_rank`], [`sign_test`] |
//! | paired | is the mean difference 0? | [`t_test`], [`randomization`] |
//! | many, in blocks | do any differ, and which? | [`friedman`] |
//! | two rankings | how similar are they? | [`correlation::kendall`], [`correlation::tau_ap`], [`correlation::pearson`] |
//! | many rankings | how similar are they? | [`correlation::concordance`] |
//!
//! Related modules: effect sizes ([`effect_size`]), corrections for the number of tests
//! ([`adjustment`]), confidence intervals ([`bootstrap`]), distribution functions
//! ([`distribution`]), [`ranks`], [`differences`] and random streams ([`random`]).
//!
//! # Ties
//!
//! Rankings of ten melodies, grades from 0 to 2 and scores of five documents have many ties. Tables
//! and most programs then use a normal approximation, which can be off by a factor of three for
//! small samples. The rank tests of this crate are exact for any pattern of ties: they count how
//! many of the equally likely arrangements of the data are at least as extreme.
//!
//! ```
//! use partita_stats::mann_whitney::{mann_whitney, MannWhitneyMethod};
//!
//! // Nine votes "equal" and one "better", against nine "equal" and one "worse".
//! let x = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
//! let y = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
//! let exact = mann_whitney(&x, &y, MannWhitneyMethod::ExactConditional)?;
//! let normal = mann_whitney(&x, &y, MannWhitneyMethod::Normal)?;
//! assert!((exact.p.greater - 0.263).abs() < 5e-4);
//! assert!((normal.p.greater - 0.096).abs() < 5e-4);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```
//!
//! # Decisions
//!
//! A hypothesis is rejected when p < alpha, strictly. An exact p-value that equals alpha does not
//! reject, and rounding must not change that, so [`mann_whitney::rejects`] compares integers. It
//! also makes a million decisions in seconds.
//!
//! ```
//! use partita_stats::{mann_whitney::rejects, Alternative};
//!
//! let ranks_of_a = [1.0, 1.0, 2.0, 3.0, 1.0, 2.0];
//! let ranks_of_b = [2.0, 3.0, 3.0, 4.0, 2.0, 5.0];
//! assert!(rejects(&ranks_of_a, &ranks_of_b, 0.05, Alternative::Less)?);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```
//!
//! # Reproducible randomness
//!
//! Every random procedure draws from a stream that the caller passes. A stream is a function of a
//! seed and of a path that names what is drawn. The same seed yields the same bytes on every
//! machine and with any number of threads; the mathematics behind the draws uses the portable
//! `libm`.
//!
//! ```
//! use partita_stats::random::{standard_normal, stream};
//!
//! let draw = |seed| standard_normal(&mut stream(seed, &[3, 14]));
//! assert_eq!(draw(1), draw(1));
//! ```
//!
//! # Errors
//!
//! NaN and empty samples are errors; they do not panic. Rank tests accept infinite values, which
//! have an order. Tests of means refuse them. A coefficient that is undefined because a sample is
//! constant is `None`, not an error.

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
mod validate;

pub use error::StatsError;
pub use p_value::{Alternative, PValues};
