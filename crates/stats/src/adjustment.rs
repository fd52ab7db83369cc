//! Adjustment of p-values for the number of tests.
//!
//! Each adjusted value is the smallest overall level at which the procedure rejects its hypothesis,
//! so it is compared with alpha like an unadjusted p-value. With the m p-values in ascending order
//! p₁ <= ... <= pₘ:
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
//! Values above 1 become 1. The results are in the order of the input.
//!
//! ```
//! use partita_stats::adjustment::{adjust, Adjustment};
//!
//! let p = [0.01, 0.04, 0.03];
//! assert_eq!(adjust(&p, Adjustment::Holm)?, [0.03, 0.06, 0.06]);
//! assert_eq!(adjust(&p, Adjustment::Hochberg)?, [0.03, 0.04, 0.04]);
//! # Ok::<(), partita_stats::StatsError>(())
//! ```

use crate::error::StatsError;
use crate::ranks::argsort;
use crate::validate;

partita_named::named_enum! {
    /// Procedure for adjusting p-values. The default, Holm's, makes no assumption about the tests
    /// and is never less powerful than Bonferroni's.
    pub enum Adjustment: "correction" = Holm {
        /// Step-down Bonferroni
        Holm = "holm",
        /// Every p-value multiplied by their number
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

/// Adjusts the p-values of a family of tests, and returns them in the order of the input.
///
/// # Errors
/// Returns a [`StatsError`] for a value that is not between 0 and 1.
pub fn adjust(p_values: &[f64], adjustment: Adjustment) -> Result<Vec<f64>, StatsError> {
    validate::refuse_nan("p-values", p_values)?;
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
    // Factor of the p-value at a position of the ascending order, counting from 0.
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
        // Holm steps down from the smallest p-value, the others step up from the largest.
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
