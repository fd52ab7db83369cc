//! DOC stats numeric

pub(crate) mod decimal_level;
pub(crate) mod gauss_legendre;
pub(crate) mod incomplete;
pub(crate) mod mills_ratio;
pub(crate) mod moments;
