//! Numerical building blocks, private to the crate: compensated sums, special functions, quadrature
//! and exact comparison with a level.

pub(crate) mod bisection;
pub(crate) mod decimal_level;
pub(crate) mod gauss_legendre;
pub(crate) mod incomplete;
pub(crate) mod mills_ratio;
pub(crate) mod moments;
