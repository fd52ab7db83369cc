//! The data of the figures of dynamic recall.

use partita_core::GroundTruth;
use partita_core::evaluation::Evaluation;

use super::dynamic_recall::{MAX_PANELS, dynamic_recall_figure};
use super::mean_recall::mean_recall_figure;
use super::scene::Figure;

/// Draws the dynamic recall of every run of an evaluation that was asked for it: a panel for each
/// query, or the mean over them where they are too many.
#[must_use]
pub fn recall_figure(evaluation: &Evaluation, truth: &GroundTruth) -> Figure {
    let panels = RecallPanel::of(evaluation, truth);
    if panels.len() <= MAX_PANELS {
        dynamic_recall_figure(&panels)
    } else {
        mean_recall_figure(&panels)
    }
}

/// How the dynamic recall of one run for one query develops down its list.
///
/// ```
/// use partita_report::RecallCurve;
///
/// // The example of Typke, Veltkamp and Wiering (2006), section 3.
/// let curve = RecallCurve::new("EMD", vec![1., 0.5, 1., 1., 0.8]);
/// assert!((curve.adr() - 0.86).abs() < 1e-12);
/// assert_eq!(curve.found(), [1., 1., 3., 4., 4.]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RecallCurve {
    run: String,
    recall: Vec<f64>,
}

impl RecallCurve {
    /// The curve of a run: its dynamic recall at the positions 1, 2, …
    pub fn new(run: impl Into<String>, recall: Vec<f64>) -> Self {
        let run = run.into();
        Self { run, recall }
    }

    /// The name of the run.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The average dynamic recall: the mean over all positions.
    #[must_use]
    pub fn adr(&self) -> f64 {
        mean(self.recall.iter().copied())
    }

    /// How many relevant documents have been found by each position.
    #[must_use]
    pub fn found(&self) -> Vec<f64> {
        let found = (1..).zip(&self.recall).map(|(i, recall)| {
            let found = recall * f64::from(i);
            // The division that made the recall may have rounded a whole number of documents.
            let whole = found.round();
            if (found - whole).abs() < 1e-9 {
                whole
            } else {
                found
            }
        });
        found.collect()
    }

    /// The dynamic recall at each position.
    #[must_use]
    pub fn recall(&self) -> &[f64] {
        &self.recall
    }
}

/// The mean of values of recall, 0 of none.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| {
        (sum + value, count + 1)
    });
    // Rounding must not carry the mean of ones above 1.
    (sum / count.max(1) as f64).min(1.0)
}

/// The curves of one or more runs for one query, and the groups of its ground truth.
///
/// ```
/// use partita_report::{RecallCurve, RecallPanel};
///
/// let curve = RecallCurve::new("EMD", vec![1., 0.5, 1., 1., 0.8]);
/// // The ground truth ⟨(1, 2), (3, 4, 5)⟩ has groups that end at 2 and 5.
/// let panel = RecallPanel::new("190.011.224-1.1.1", vec![2, 5], vec![curve]);
/// assert_eq!(panel.positions(), 5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RecallPanel {
    query: String,
    group_ends: Vec<usize>,
    curves: Vec<RecallCurve>,
}

impl RecallPanel {
    /// The panel of a query. `group_ends` are the positions, counted from 1, of the last document of
    /// each group of the ground truth; the last one is where the ground truth ends. It may be empty
    /// when the groups are unknown.
    pub fn new(query: impl Into<String>, group_ends: Vec<usize>, curves: Vec<RecallCurve>) -> Self {
        Self {
            query: query.into(),
            group_ends,
            curves,
        }
    }

    /// The panels of the queries of an evaluation for which any run has a curve.
    #[must_use]
    pub fn of(evaluation: &Evaluation, truth: &GroundTruth) -> Vec<Self> {
        let mut curves: Vec<Vec<RecallCurve>> = vec![Vec::new(); truth.len()];
        for run in &evaluation.runs {
            for (query, recall) in run.dynamic_recall.iter().flat_map(|curves| curves.iter()) {
                let query = truth.query(query).expect("a query that was scored");
                curves[query].push(RecallCurve::new(run.run.clone(), recall.clone()));
            }
        }
        let panels = truth.iter().zip(curves);
        let panels = panels.filter(|(_, curves)| !curves.is_empty());
        let panel = |((query, judged), curves): ((&str, &partita_core::Judged), _)| {
            Self::new(query, judged.list().group_ends().to_vec(), curves)
        };
        panels.map(panel).collect()
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
        lengths.max().unwrap_or(0)
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
