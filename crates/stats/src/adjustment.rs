//! Adjusting p-values for the number of tests.
//!
//! Each adjusted value is the smallest overall level at which its hypothesis would be rejected by
//! the procedure, so it is compared with alpha as a plain p-value would be. With the m p-values in
//! ascending order p₁ <= ... <= pₘ:
//!
//! | procedure | adjusted pᵢ | controls |
//! | --- | --- | --- |
//! | none | pᵢ | nothing |
//! | Bonferroni | m·pᵢ | family-wise error |
//! | Holm (1979) | max over j <= i of (m-j+1)pⱼ | family-wise error |
//! | Hochberg (1988) | min over j >= i of (m-j+1)pⱼ | family-wise error, independent tests |
//! | Benjamini and Hochberg (1995) | min over j >= i of m·pⱼ/j | false discovery rate, independent tests |
//! | Benjamini and Yekutieli (2001) | the same times 1 + 1/2 + ... + 1/m | false discovery rate |
//!
//! none above 1. The results come in the order given.
//!
//! ```
//! use partita_stats::adjust::{adjust, Adjustment};
//!
//! let p = [0.01, 0.04, 0.03];
//! assert_eq!(adjust(&p, Adjustment::Holm)?, [0.03, 0.06, 0.06]);
//! assert_eq!(adjust(&p, Adjustment::Hochberg)?, [0.03, 0.04, 0.04]);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::{self, StatsError};
use crate::ranks::argsort;

partita_named::named_enum! {
    /// A procedure for adjusting p-values.
    /// The default, Holm's, asks nothing of the tests and is never weaker than Bonferroni's.
    pub enum Adjustment: "correction" = Holm {
        /// Step-down Bonferroni
        Holm = "holm",
        /// Every p-value times their number
        Bonferroni = "bonferroni",
        /// Step-up Bonferroni
        Hochberg = "hochberg",
        /// False discovery rate (Benjamini and Hochberg)
        BenjaminiHochberg = "bh",
        /// False discovery rate under any dependence (Benjamini and Yekutieli)
        BenjaminiYekutieli = "by",
        /// No correction
        None = "none",
    }
}

/// The adjusted p-values, in the order given.
///
/// # Errors
/// A value that is not between 0 and 1.
pub fn adjust(p_values: &[f64], adjustment: Adjustment) -> Result<Vec<f64>, StatsError> {
    error::refuse_nan("p-values", p_values)?;
    if let Some(&found) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(StatsError::OutOfRange {
            what: "p-values",
            expected: "values between 0 and 1",
            found,
        });
    }
    let m = p_values.len() as f64;
    if adjustment == Adjustment::None {
        return Ok(p_values.to_vec());
    }
    if adjustment == Adjustment::Bonferroni {
        return Ok(p_values.iter().map(|p| (m * p).min(1.0)).collect());
    }
    let order = argsort(p_values);
    let scale = match adjustment {
        Adjustment::BenjaminiYekutieli => (1..=p_values.len()).map(|i| 1.0 / i as f64).sum(),
        _ => 1.0,
    };
    // What the value at a position, counting from 0, is multiplied by.
    let factor = |position: usize| match adjustment {
        Adjustment::BenjaminiHochberg | Adjustment::BenjaminiYekutieli => {
            scale * (m / (position as f64 + 1.0))
        }
        _ => m - position as f64,
    };
    let mut adjusted = vec![0.0; p_values.len()];
    let mut bound: f64 = if adjustment == Adjustment::Holm {
        0.0
    } else {
        1.0
    };
    for step in 0..order.len() {
        // Holm steps down from the smallest, the others up from the largest.
        let position = match adjustment {
            Adjustment::Holm => step,
            _ => order.len() - 1 - step,
        };
        let value = factor(position) * p_values[order[position]];
        bound = match adjustment {
            Adjustment::Holm => bound.max(value).min(1.0),
            _ => bound.min(value),
        };
        adjusted[order[position]] = bound;
    }
    Ok(adjusted)
}
