//! The samples of box plots side by side.

use partita_core::truth::{Aggregation, ListStudy, Study};

/// Samples of the same categories, a panel for each quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlots {
    pub(super) title: String,
    pub(super) categories: Vec<String>,
    pub(super) panels: Vec<BoxPanel>,
}

/// One quantity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoxPanel {
    pub(super) label: String,
    /// One sample for each category.
    pub(super) samples: Vec<Vec<f64>>,
}

impl BoxPlots {
    /// Box plots of these categories, without a panel.
    ///
    /// # Panics
    /// When there is no category.
    #[must_use]
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        categories: impl IntoIterator<Item = C>,
    ) -> Self {
        let categories: Vec<String> = categories.into_iter().map(Into::into).collect();
        assert!(!categories.is_empty(), "box plots are of something");
        Self {
            title: title.into(),
            categories,
            panels: Vec::new(),
        }
    }

    /// Adds a quantity, with one sample for each category, in any order; it may be empty.
    ///
    /// # Panics
    /// When there are more or fewer samples than categories, or a value is no finite number.
    pub fn push(&mut self, label: impl Into<String>, samples: Vec<Vec<f64>>) {
        assert_eq!(samples.len(), self.categories.len(), "a sample a category");
        let mut values = samples.iter().flatten();
        assert!(values.all(|value| value.is_finite()), "samples are numbers");
        let label = label.into();
        self.panels.push(BoxPanel { label, samples });
    }

    /// The consistency and the groups of the lists that the six functions build (Urbano et al. 2010,
    /// Figures 3 and 4).
    #[must_use]
    pub fn of_study(study: &Study) -> Self {
        let title = match study.lists.len() {
            1 => "Six aggregation functions over 1 list".to_owned(),
            count => format!("Six aggregation functions over {count} lists"),
        };
        let names = Aggregation::EVERY.map(|function| function.to_string());
        type Quantity = fn(&ListStudy) -> Option<f64>;
        let quantities: [(&str, Quantity); 3] = [
            ("ADR-1 consistency", |list| list.consistency.adr1),
            ("ADR-2 consistency", |list| list.consistency.adr2),
            ("items per group", |list| list.items_per_group),
        ];
        let mut plots = Self::new(title, names.clone());
        for (label, quantity) in quantities {
            let of_function = |function: &String| {
                let lists = study.lists.iter();
                let lists = lists.filter_map(|query| query.functions.get(function));
                lists.filter_map(quantity).collect()
            };
            plots.push(label, names.iter().map(of_function).collect());
        }
        plots
    }
}
