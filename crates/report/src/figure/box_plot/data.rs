//! The data of box plots side by side.

/// Larger numbers have no room at an axis.
const LARGEST: f64 = 1e12;

/// Why samples could not be made into box plots.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoxPlotError {
    /// There is nothing to put side by side.
    #[error("the box plots \"{title}\" have no categories")]
    NoCategories {
        /// The title of the figure.
        title: String,
    },
    /// Two categories have the same name.
    #[error("the box plots \"{title}\" have two categories \"{category}\"")]
    TwiceTheSameCategory {
        /// The title of the figure.
        title: String,
        /// The category.
        category: String,
    },
    /// A panel does not have one sample for each category.
    #[error("\"{label}\" has {samples} samples for {categories} categories")]
    Samples {
        /// The label of the panel.
        label: String,
        /// The number of samples.
        samples: usize,
        /// The number of categories.
        categories: usize,
    },
    /// A value is not a number, or it is too large to be drawn.
    #[error("\"{label}\", {category}: {value} cannot be drawn")]
    NotDrawable {
        /// The label of the panel.
        label: String,
        /// The category.
        category: String,
        /// The value.
        value: f64,
    },
}

/// One quantity: a sample of it for each category.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPanel {
    label: String,
    samples: Vec<Vec<f64>>,
}

impl BoxPanel {
    /// What the values are, as the axis says it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The samples, in the order of the categories.
    #[must_use]
    pub fn samples(&self) -> &[Vec<f64>] {
        &self.samples
    }
}

/// Samples of one or more quantities for the same categories.
///
/// ```
/// use partita_report::{BoxPlotError, BoxPlots};
///
/// let mut plots = BoxPlots::new("Two aggregation functions", ["All-2", "Any-1"])?;
/// plots.push("ADR-1 consistency", vec![vec![0.82, 0.79, 0.9], vec![0.93, 0.91, 0.95]])?;
/// plots.push("items per group", vec![vec![4.0, 5.5, 3.0], vec![2.0, 1.5, 2.0]])?;
/// assert_eq!(plots.panels().len(), 2);
/// assert!(plots.push("groups", vec![vec![4.0]]).is_err());
/// # Ok::<(), BoxPlotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlots {
    title: String,
    categories: Vec<String>,
    panels: Vec<BoxPanel>,
}

impl BoxPlots {
    /// Box plots of these categories, so far without a panel.
    ///
    /// # Errors
    /// When there is no category, or when two have the same name.
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        categories: impl IntoIterator<Item = C>,
    ) -> Result<Self, BoxPlotError> {
        let title = title.into();
        let categories: Vec<String> = categories.into_iter().map(Into::into).collect();
        if categories.is_empty() {
            return Err(BoxPlotError::NoCategories { title });
        }
        for (index, category) in categories.iter().enumerate() {
            if categories[..index].contains(category) {
                let category = category.clone();
                return Err(BoxPlotError::TwiceTheSameCategory { title, category });
            }
        }
        Ok(Self {
            title,
            categories,
            panels: Vec::new(),
        })
    }

    /// Adds a panel: what the values are, and a sample for each category, which
    /// may be empty.
    ///
    /// # Errors
    /// When there is not one sample for each category, or when a value is not
    /// a number or beyond ±10¹².
    pub fn push(
        &mut self,
        label: impl Into<String>,
        samples: Vec<Vec<f64>>,
    ) -> Result<(), BoxPlotError> {
        let label = label.into();
        if samples.len() != self.categories.len() {
            return Err(BoxPlotError::Samples {
                label,
                samples: samples.len(),
                categories: self.categories.len(),
            });
        }
        for (category, sample) in self.categories.iter().zip(&samples) {
            let drawable = |value: f64| value.abs() <= LARGEST;
            if let Some(&value) = sample.iter().find(|value| !drawable(**value)) {
                return Err(BoxPlotError::NotDrawable {
                    label,
                    category: category.clone(),
                    value,
                });
            }
        }
        self.panels.push(BoxPanel { label, samples });
        Ok(())
    }

    /// The title of the figure.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The categories, from left to right.
    #[must_use]
    pub fn categories(&self) -> &[String] {
        &self.categories
    }

    /// The panels, in the order in which they were added.
    #[must_use]
    pub fn panels(&self) -> &[BoxPanel] {
        &self.panels
    }
}
