//! Presets: published comparison procedures.

use partita_stats::adjustment::Adjustment;

use super::{ComparisonOptions, MeanRankOrder};
use crate::truth::{Alpha, Tails};

partita_named::named_enum! {
    /// Published comparison procedure.
    pub enum ComparisonPreset: "procedure" {
        /// Friedman's test and Tukey's HSD at 0.05, as MIREX runs them
        Mirex = "mirex",
        /// Wilcoxon tests by the normal law, one-tailed both ways at 0.01, of Urbano, Martín,
        /// Marrero and Morato (ISMIR 2011)
        Urbano2011 = "urbano-2011",
    }
}

impl ComparisonPreset {
    /// Returns the name of the significance test of the procedure.
    ///
    /// ```
    /// use partita_core::comparison::ComparisonPreset;
    ///
    /// assert_eq!(ComparisonPreset::Urbano2011.test(), "wilcoxon-normal");
    /// ```
    pub fn test(self) -> &'static str {
        match self {
            Self::Mirex => "friedman-tukey",
            Self::Urbano2011 => "wilcoxon-normal",
        }
    }

    /// Returns the comparison options of the procedure.
    pub fn options(self) -> ComparisonOptions {
        match self {
            Self::Mirex => ComparisonOptions {
                ranks: MeanRankOrder::HighestIsBest,
                ..ComparisonOptions::default()
            },
            Self::Urbano2011 => ComparisonOptions {
                alpha: Alpha::new(0.01).expect("0.01 lies between 0 and 1"),
                tails: Tails::One,
                correction: Some(Adjustment::None),
                ..ComparisonOptions::default()
            },
        }
    }
}
