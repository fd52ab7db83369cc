//! Mills' ratio (1 - Φ(x))/φ(x), fast.
//!
//! The ratio M is smooth and slowly varying where the tail itself spans three hundred orders of
//! magnitude. It satisfies M' = xM - 1, which gives its Taylor series about any point by
//! recurrence: a₁ = ca₀ - 1 and (n+1)aₙ₊₁ = caₙ + aₙ₋₁. Series of degree 6 about points 1/16 apart
//! are good to 1e-12.

use std::sync::OnceLock;

use crate::distribution::normal;

/// Points to the unit.
const DENSITY: f64 = 16.0;
/// The series reach from 0 to here.
const END: usize = 27;
const TERMS: usize = 7;

/// The Taylor series about 0, 1/16, 2/16, ...
pub(crate) struct Mills(Vec<[f64; TERMS]>);

impl Mills {
    /// The table, made when it is first asked for.
    pub(crate) fn table() -> &'static Self {
        static TABLE: OnceLock<Mills> = OnceLock::new();
        TABLE.get_or_init(|| {
            let centres = 0..=END * DENSITY as usize;
            Self(centres.map(|i| series(i as f64 / DENSITY)).collect())
        })
    }

    /// (1 - Φ(x))/φ(x) for x from 0 to 27.
    pub(crate) fn ratio(&self, x: f64) -> f64 {
        let index = ((x * DENSITY + 0.5) as usize).min(self.0.len() - 1);
        let offset = x - index as f64 / DENSITY;
        let terms = self.0[index].iter().rev();
        terms.fold(0.0, |sum, term| sum * offset + term)
    }
}

fn series(centre: f64) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    terms[0] = normal::sf(centre) / normal::density(centre);
    terms[1] = centre * terms[0] - 1.0;
    for n in 1..TERMS - 1 {
        terms[n + 1] = (centre * terms[n] + terms[n - 1]) / (n as f64 + 1.0);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_ratio_is_that_of_tail_and_density(x in 0.0..27.0f64) {
            let expected = normal::sf(x) / normal::density(x);
            let error = (Mills::table().ratio(x) / expected - 1.0).abs();
            prop_assert!(error < 1e-12, "off by {error:e}");
        }
    }
}
