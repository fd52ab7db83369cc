//! Figures of dynamic recall (Typke, Veltkamp and Wiering 2006, Fig. 1), and their data.

mod grid;
mod mean;
mod plot;
mod single;

pub use mean::mean_recall_figure;

use partita_core::evaluation::Evaluation;
use partita_core::{GroundTruth, QueryTruth};

use super::canvas::palette;
use super::canvas::scene::{Figure, Shape, Stroke};
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use super::{distinct, three_decimals};
use crate::phrases::{join, plural};

/// Maximum number of queries, one panel each, in [`dynamic_recall_figure`].
pub const MAX_RECALL_PANELS: usize = 12;

/// Draws the dynamic recall of every run of an evaluation that computed it: one panel per query, or
/// the mean over queries if there are too many.
pub fn recall_figure(evaluation: &Evaluation, truth: &GroundTruth) -> Figure {
    let panels = RecallPanel::from_evaluation(evaluation, truth);
    if panels.len() <= MAX_RECALL_PANELS {
        dynamic_recall_figure(&panels)
    } else {
        mean_recall_figure(&panels)
    }
}

/// Draws the dynamic recall for one or a few queries.
///
/// One query and one run give the figure of the paper: the number of relevant documents found (left
/// scale, in steps), the dynamic recall (right scale) and its average, with the groups of the
/// ground truth as light bands. Several runs give one curve of dynamic recall each, with a legend.
/// If there are more than ten runs, the best ten have colours and the others are grey. Several
/// queries give small plots in a grid, up to [`MAX_RECALL_PANELS`]. Of more queries the first ones
/// are shown and the figure says so; [`mean_recall_figure`] draws all.
///
/// ```
/// use partita_report::{RecallCurve, RecallPanel, dynamic_recall_figure};
///
/// let curve = RecallCurve::new("EMD", vec![1., 0.5, 1., 1., 0.8]);
/// let panel = RecallPanel::new("190.011.224-1.1.1", vec![2, 5], vec![curve]);
/// let figure = dynamic_recall_figure(&[panel]);
/// assert_eq!(figure.title, "Dynamic recall of EMD for 190.011.224-1.1.1");
/// assert!(figure.to_svg().contains("ADR 0.860"));
/// ```
pub fn dynamic_recall_figure(panels: &[RecallPanel]) -> Figure {
    match panels {
        [] => Figure::message("Dynamic recall", "There are no queries to draw."),
        [panel] => single::figure(panel),
        panels => grid::figure(&panels[..panels.len().min(MAX_RECALL_PANELS)], panels.len()),
    }
}

/// Dynamic recall of one run for one query, by position.
///
/// ```
/// use partita_report::RecallCurve;
///
/// // The example of Typke, Veltkamp and Wiering (2006), section 3.
/// let curve = RecallCurve::new("EMD", vec![1., 0.5, 1., 1., 0.8]);
/// assert!((curve.adr() - 0.86).abs() < 1e-12);
/// assert_eq!(curve.relevant_found(), [1., 1., 3., 4., 4.]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecallCurve {
    /// Name of the run whose recall the curve shows.
    pub run: String,
    /// Dynamic recall at positions 1, 2, …
    pub recall: Vec<f64>,
}

impl RecallCurve {
    /// Creates the curve of a run from its dynamic recall at positions 1, 2, …
    pub fn new(run: impl Into<String>, recall: Vec<f64>) -> Self {
        let run = run.into();
        Self { run, recall }
    }

    /// Returns the average dynamic recall (ADR): the mean of the curve over all positions.
    pub fn adr(&self) -> f64 {
        mean(self.recall.iter().copied())
    }

    /// Returns the name of the run and its ADR (average dynamic recall) as a phrase.
    fn in_words(&self) -> String {
        format!("{}: ADR {}", self.run, three_decimals(self.adr()))
    }

    /// Returns the number of relevant documents found by each position.
    pub fn relevant_found(&self) -> Vec<f64> {
        let found = (1..).zip(&self.recall).map(|(i, recall)| {
            let found = recall * f64::from(i);
            // Recall is a whole number divided by i; round to undo the rounding error of the
            // division.
            let whole = found.round();
            if (found - whole).abs() < 1e-9 {
                whole
            } else {
                found
            }
        });
        found.collect()
    }
}

/// Returns the mean of recall values, 0 if there are none.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let add = |(sum, count), value| (sum + value, count + 1);
    let (sum, count) = values.fold((0.0, 0_usize), add);
    // Rounding must not raise the mean of ones above 1.
    (sum / count.max(1) as f64).min(1.0)
}

/// Curves of one or more runs for one query, and the groups of its ground truth.
#[derive(Clone, Debug, PartialEq)]
pub struct RecallPanel {
    /// Name of the query.
    pub query: String,
    /// Position of the last document of each group of the ground truth, counted from 1. The last
    /// entry is the length of the ground truth. Empty if the groups are unknown.
    pub group_ends: Vec<usize>,
    /// Recall curves, one per run.
    pub curves: Vec<RecallCurve>,
    /// Last drawn position, if the runs end long before the ground truth; `None` to draw all
    /// positions. The average dynamic recall always covers all positions.
    pub depth: Option<usize>,
}

impl RecallPanel {
    /// Creates the panel of a query that draws all positions.
    pub fn new(query: impl Into<String>, group_ends: Vec<usize>, curves: Vec<RecallCurve>) -> Self {
        Self {
            query: query.into(),
            group_ends,
            curves,
            depth: None,
        }
    }

    /// Creates the panels of the queries of an evaluation for which any run has a curve.
    pub fn from_evaluation(evaluation: &Evaluation, truth: &GroundTruth) -> Vec<Self> {
        let mut curves: Vec<Vec<RecallCurve>> = vec![Vec::new(); truth.len()];
        for run in &evaluation.runs {
            for (query, recall) in run
                .dynamic_recall
                .iter()
                .flat_map(partita_core::OrderedMap::iter)
            {
                let query = truth
                    .query_index(query)
                    .expect("the ground truth has every scored query");
                curves[query].push(RecallCurve::new(run.run.clone(), recall.clone()));
            }
        }
        let panels = truth.iter().zip(curves);
        let panels = panels.filter(|(_, curves)| !curves.is_empty());
        let panels: Vec<((&str, &QueryTruth), _)> = panels.collect();
        let long = panels.iter().map(|((_, judged), _)| judged.list().len());
        let long = long.max().unwrap_or(0) as f64;
        let depth = evaluation.runs.iter().map(|run| run.depth).max();
        // Draw the whole curve if runs end only a little earlier.
        let depth = depth.filter(|depth| *depth > 0 && (*depth as f64) < CUT_FRACTION * long);
        let panel = |((query, judged), curves): ((&str, &QueryTruth), _)| Self {
            depth,
            ..Self::new(query, judged.list().group_ends().to_vec(), curves)
        };
        panels.into_iter().map(panel).collect()
    }

    /// Returns the number of drawn positions: the length of the longest curve, but at most `depth`
    /// if it is set.
    pub fn positions(&self) -> usize {
        let lengths = self.curves.iter().map(|curve| curve.recall.len());
        let longest = lengths.max().unwrap_or(0);
        self.depth.map_or(longest, |depth| depth.min(longest))
    }

    /// Returns the curve of a run, if the panel has one.
    fn curve_of(&self, run: &str) -> Option<&RecallCurve> {
        self.curves.iter().find(|curve| curve.run == run)
    }

    /// Returns the average dynamic recall of every run as text.
    fn averages(&self) -> String {
        let average =
            |curve: &RecallCurve| format!("{} {}", curve.run, three_decimals(curve.adr()));
        join(self.curves.iter().map(average), ", ")
    }
}

/// Returns the distinct runs of all panels in order of first occurrence.
fn runs(panels: &[RecallPanel]) -> Vec<&str> {
    let curves = panels.iter().flat_map(|panel| &panel.curves);
    distinct(curves.map(|curve| curve.run.as_str()))
}

/// Returns a footnote if the last positions are not drawn because the runs end long before the
/// ground truths, otherwise an empty text.
fn cut_note(panels: &[RecallPanel]) -> String {
    let ends = panels.iter().filter_map(|panel| panel.group_ends.last());
    let depth = panels.iter().filter_map(|panel| panel.depth).max();
    match depth.zip(ends.max()) {
        Some((depth, end)) => format!(
            "Runs end after position {depth}, ground truths after as many as {end}: averages are \
             over all positions of a ground truth."
        ),
        None => String::new(),
    }
}

/// Fraction of the longest ground truth. If all runs retrieve fewer documents than this fraction,
/// the positions after the last retrieved document are not drawn.
const CUT_FRACTION: f64 = 0.6;

/// Maximum number of runs with their own colour; the others are grey.
const MAX_COLOURED_RUNS: usize = 10;

/// Line style of each run. If there are many runs, only the best have colours.
struct RunStyles {
    /// Series number, which selects the colour, of each run; `None` for grey runs.
    numbers: Vec<Option<usize>>,
}

impl RunStyles {
    /// Assigns colours to the runs with the highest values, given one value per run.
    fn from_values(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
        if order.len() <= MAX_COLOURED_RUNS {
            order.sort_unstable();
        }
        order.truncate(MAX_COLOURED_RUNS);
        let number = |run: usize| order.iter().position(|one| *one == run);
        Self {
            numbers: (0..values.len()).map(number).collect(),
        }
    }

    /// Returns the line style of a run, by its index.
    fn stroke(&self, run: usize) -> Stroke {
        match self.numbers[run] {
            Some(number) => palette::series(number),
            None => Stroke::solid("#BBBBBB", 0.8),
        }
    }

    /// Returns the drawing order of the runs: grey ones first, so that coloured ones cover them.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.numbers.len()).collect();
        order.sort_by_key(|run| self.numbers[*run].is_some());
        order
    }

    /// Draws the curves of all runs. `draw` takes the index and the line style of a run, and
    /// returns the tooltip and the shapes, or `None` if the run has no curve.
    fn curves(&self, draw: impl Fn(usize, Stroke) -> Option<(String, Vec<Shape>)>) -> Vec<Shape> {
        let curve = |run: usize| {
            let (tooltip, shapes) = draw(run, self.stroke(run))?;
            Some(Shape::with_tooltip(tooltip, shapes))
        };
        self.order().into_iter().filter_map(curve).collect()
    }

    /// Creates the legend of the runs, given as (name, value). `value_name` is the heading of the
    /// values.
    fn legend(&self, runs: &[(String, Option<f64>)], value_name: Option<&'static str>) -> Legend {
        let mut coloured: Vec<(usize, usize)> = (self.numbers.iter().zip(0..))
            .filter_map(|(number, run)| Some(((*number)?, run)))
            .collect();
        coloured.sort_unstable();
        let mut entries: Vec<LegendEntry> = (coloured.into_iter())
            .map(|(_, run)| LegendEntry {
                sample: LegendKey::Line(self.stroke(run)),
                name: runs[run].0.clone(),
                value: runs[run].1.map(three_decimals),
            })
            .collect();
        let grey = self.numbers.iter().position(Option::is_none);
        entries.extend(grey.map(|run| {
            let others = plural(runs.len() - MAX_COLOURED_RUNS, "other run");
            LegendEntry::new(LegendKey::Line(self.stroke(run)), others)
        }));
        Legend::new(entries, value_name, plot::WIDTH)
    }
}
