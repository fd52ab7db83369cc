//! The data of the figures of dynamic recall.

/// Why curves of dynamic recall could not be made into a panel.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RecallError {
    /// The curve has no position.
    #[error("the curve of run \"{run}\" has no positions")]
    NoPositions {
        /// The run.
        run: String,
    },
    /// The two curves of a run do not have the same number of positions.
    #[error("run \"{run}\" has {found} counts of documents found and {recall} values of recall")]
    Lengths {
        /// The run.
        run: String,
        /// The number of counts.
        found: usize,
        /// The number of values of dynamic recall.
        recall: usize,
    },
    /// A value of recall, or the average, is not between 0 and 1.
    #[error("run \"{run}\": {value} is not a value of recall between 0 and 1")]
    NotRecall {
        /// The run.
        run: String,
        /// The value.
        value: f64,
    },
    /// A count of documents found is negative, not finite, or less than the one before.
    #[error("run \"{run}\": the documents found by position {position} cannot be {value}")]
    NotACount {
        /// The run.
        run: String,
        /// The position, counted from 1.
        position: usize,
        /// The count.
        value: f64,
    },
    /// A panel has no curve.
    #[error("query \"{query}\" has no runs")]
    NoCurves {
        /// The query.
        query: String,
    },
    /// Two curves of a panel belong to the same run.
    #[error("query \"{query}\" has two curves of run \"{run}\"")]
    TwiceTheSameRun {
        /// The query.
        query: String,
        /// The run.
        run: String,
    },
    /// The ends of the groups do not grow, or a group is empty.
    #[error("query \"{query}\": a group of the ground truth cannot end at {end} after {previous}")]
    GroupEnds {
        /// The query.
        query: String,
        /// Where the group before it ends, 0 for the first group.
        previous: usize,
        /// Where the group is said to end.
        end: usize,
    },
}

/// How the dynamic recall of one run for one query develops down its list.
///
/// ```
/// use partita_report::{RecallCurve, RecallError};
///
/// // The example of Typke, Veltkamp and Wiering (2006), section 3.
/// let curve = RecallCurve::new("EMD", 0.86, vec![1., 1., 3., 4., 4.], vec![1., 0.5, 1., 1., 0.8])?;
/// assert_eq!(curve.run(), "EMD");
/// assert!(RecallCurve::new("EMD", 86.0, vec![1.0], vec![1.0]).is_err());
/// # Ok::<(), RecallError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RecallCurve {
    run: String,
    adr: f64,
    found: Vec<f64>,
    recall: Vec<f64>,
}

impl RecallCurve {
    /// The curve of a run: its average dynamic recall, and for the positions 1,
    /// 2, … how many of the relevant documents it has found and its dynamic
    /// recall r.
    ///
    /// # Errors
    /// When there are no positions, when the two lists differ in length, when a
    /// recall is not in 0..=1, or when a count falls or is not a count.
    pub fn new(
        run: impl Into<String>,
        adr: f64,
        found: Vec<f64>,
        recall: Vec<f64>,
    ) -> Result<Self, RecallError> {
        let run = run.into();
        if found.len() != recall.len() {
            return Err(RecallError::Lengths {
                run,
                found: found.len(),
                recall: recall.len(),
            });
        }
        if recall.is_empty() {
            return Err(RecallError::NoPositions { run });
        }
        let mut values = std::iter::once(&adr).chain(&recall);
        if let Some(&value) = values.find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(RecallError::NotRecall { run, value });
        }
        let mut before = 0.0;
        for (index, &value) in found.iter().enumerate() {
            if !value.is_finite() || value < before {
                return Err(RecallError::NotACount {
                    run,
                    position: index + 1,
                    value,
                });
            }
            before = value;
        }
        Ok(Self {
            run,
            adr,
            found,
            recall,
        })
    }

    /// The name of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The average dynamic recall.
    #[must_use]
    pub fn adr(&self) -> f64 {
        self.adr
    }

    /// How many relevant documents have been found by each position.
    #[must_use]
    pub fn found(&self) -> &[f64] {
        &self.found
    }

    /// The dynamic recall at each position.
    #[must_use]
    pub fn recall(&self) -> &[f64] {
        &self.recall
    }
}

/// The curves of one or more runs for one query, and the groups of its ground truth.
///
/// ```
/// use partita_report::{RecallCurve, RecallError, RecallPanel};
///
/// let curve = RecallCurve::new("EMD", 0.86, vec![1., 1., 3., 4., 4.], vec![1., 0.5, 1., 1., 0.8])?;
/// // The ground truth ⟨(1, 2), (3, 4, 5)⟩ has groups that end at 2 and 5.
/// let panel = RecallPanel::new("190.011.224-1.1.1", vec![2, 5], vec![curve])?;
/// assert_eq!(panel.positions(), 5);
/// # Ok::<(), RecallError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RecallPanel {
    query: String,
    group_ends: Vec<usize>,
    curves: Vec<RecallCurve>,
}

impl RecallPanel {
    /// The panel of a query. `group_ends` are the positions, counted from 1, of
    /// the last document of each group of the ground truth; the last one is
    /// where the ground truth ends. It may be empty when the groups are unknown.
    ///
    /// # Errors
    /// When there is no curve, when two curves have the same run, or when the
    /// ends of the groups do not grow.
    pub fn new(
        query: impl Into<String>,
        group_ends: Vec<usize>,
        curves: Vec<RecallCurve>,
    ) -> Result<Self, RecallError> {
        let query = query.into();
        if curves.is_empty() {
            return Err(RecallError::NoCurves { query });
        }
        for (index, curve) in curves.iter().enumerate() {
            if curves[..index].iter().any(|other| other.run == curve.run) {
                let run = curve.run.clone();
                return Err(RecallError::TwiceTheSameRun { query, run });
            }
        }
        let mut previous = 0;
        for &end in &group_ends {
            if end <= previous {
                return Err(RecallError::GroupEnds {
                    query,
                    previous,
                    end,
                });
            }
            previous = end;
        }
        Ok(Self {
            query,
            group_ends,
            curves,
        })
    }

    /// The name of the query.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Where the groups of the ground truth end.
    #[must_use]
    pub fn group_ends(&self) -> &[usize] {
        &self.group_ends
    }

    /// The curves, in the order in which they were given.
    #[must_use]
    pub fn curves(&self) -> &[RecallCurve] {
        &self.curves
    }

    /// The number of positions of the longest curve.
    #[must_use]
    pub fn positions(&self) -> usize {
        let lengths = self.curves.iter().map(|curve| curve.recall.len());
        lengths.max().unwrap_or_default()
    }

    /// The curve of a run, if the panel has one.
    pub(super) fn curve_of(&self, run: &str) -> Option<&RecallCurve> {
        self.curves.iter().find(|curve| curve.run == run)
    }
}

/// The runs of all panels, each once, in the order in which they first appear.
pub(super) fn runs(panels: &[RecallPanel]) -> Vec<&str> {
    let mut runs = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !runs.contains(&curve.run.as_str()) {
            runs.push(&curve.run);
        }
    }
    runs
}
