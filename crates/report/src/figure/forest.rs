//! Forest plot: difference of each system from a baseline.

use std::sync::Arc;

use partita_core::comparison::{Comparison, PairComparison};
use partita_stats::adjustment::Adjustment;

use super::canvas::caption::{footnote, heading};
use super::canvas::scene::{Colour, Figure, QUIET, Text};
use super::comparison::{ComparisonFigureKind, require_difference_test, test_caption};
use super::error::FigureError;
use super::plot::interval_rows::{IntervalRow, MAX_INTERVAL_ROWS, WIDTH, rows};
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use crate::phrases::{format_p_value, join, plural};

const BETTER: Colour = "#0072B2";
const WORSE: Colour = "#D55E00";

/// Draws the difference of each system from a baseline with its interval, the best system on top.
/// Several baselines give one plot each, one below the other.
///
/// # Errors
/// Returns [`FigureError`] if no baseline was named, if there are more than [`MAX_INTERVAL_ROWS`]
/// rows, if the test is an equivalence test, or if a difference is beyond ±10¹².
pub fn forest_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    require_difference_test(comparison)?;
    let baselines = baselines(comparison);
    let rows_of = |baseline: &Arc<str>| {
        let pairs = comparison.pairs.iter();
        let mut found: Vec<Row> = pairs
            .filter_map(|pair| Row::from_pair(pair, baseline))
            .collect();
        found.sort_by(|one, other| other.difference.total_cmp(&one.difference));
        found
    };
    let many = baselines.iter().map(|name| rows_of(name).len()).sum();
    if baselines.is_empty() {
        return Err(FigureError::NoBaseline);
    }
    if many > MAX_INTERVAL_ROWS {
        return Err(FigureError::TooManySystems {
            kind: ComparisonFigureKind::Forest,
            systems: many,
            most: MAX_INTERVAL_ROWS,
        });
    }
    let measure = &comparison.measure;
    let title = match &baselines[..] {
        [baseline] => format!(
            "{} against {baseline}, by {measure}",
            plural(many, "system")
        ),
        _ => format!(
            "Systems against {} baselines, by {measure}",
            baselines.len()
        ),
    };
    let (mut shapes, mut top) = heading(&title, &test_caption(comparison), WIDTH);
    let entries = [
        (BETTER, "significantly better"),
        (WORSE, "significantly worse"),
        (QUIET, "not significantly different"),
    ];
    let entries =
        entries.map(|(colour, words)| LegendEntry::new(LegendKey::Marker(colour, 0), words));
    top = Legend::new(entries.into(), None, WIDTH).draw(top, &mut shapes) + 10.0;
    let mut sentences = Vec::new();
    for baseline in &baselines {
        let found = rows_of(baseline);
        for row in &found {
            let place = || format!("{} and {baseline}", row.system);
            let (lower, upper) = row.ends.unwrap_or_default();
            for value in [row.difference, lower, upper] {
                FigureError::check_drawable(&title, place, "a difference", value)?;
            }
        }
        if baselines.len() > 1 {
            let name = Text::new(&**baseline, (16.0, top + 12.0), 12.0).bold();
            shapes.push(name.fitted(WIDTH - 32.0).into());
            top += 20.0;
        }
        let intervals: Vec<IntervalRow> = found.iter().map(Row::interval).collect();
        let label = format!("difference of mean {measure} from {baseline}");
        let (drawn, bottom) = rows(&intervals, Some(0.0), &label, top);
        shapes.extend(drawn);
        top = bottom + 12.0;
        let differences = join(intervals.iter().map(|interval| &interval.title), "; ");
        sentences.push(format!("Against {baseline}: {differences}."));
    }
    let height = footnote(&note(comparison), WIDTH, top + 6.0, &mut shapes);
    Ok(Figure::new(
        title,
        sentences.join(" "),
        (WIDTH, height),
        shapes,
    ))
}

/// Returns the baselines in the order of the leaderboard; empty if none was named.
fn baselines(comparison: &Comparison) -> Vec<Arc<str>> {
    let named = |name: &str| {
        comparison
            .settings
            .baselines
            .iter()
            .any(|known| known == name)
    };
    let systems = comparison.systems.iter().map(|system| &system.name);
    systems.filter(|name| named(name)).cloned().collect()
}

/// System compared with a baseline.
struct Row<'a> {
    system: &'a str,
    /// Mean of the system minus mean of the baseline.
    difference: f64,
    ends: Option<(f64, f64)>,
    pair: &'a PairComparison,
}

impl<'a> Row<'a> {
    fn from_pair(pair: &'a PairComparison, baseline: &str) -> Option<Self> {
        let ends = pair.lower.zip(pair.upper);
        if *pair.b == *baseline {
            Some(Self {
                system: &pair.a,
                difference: pair.difference,
                ends,
                pair,
            })
        } else if *pair.a == *baseline {
            Some(Self {
                system: &pair.b,
                difference: -pair.difference,
                ends: ends.map(|(lower, upper)| (-upper, -lower)),
                pair,
            })
        } else {
            None
        }
    }

    fn interval(&self) -> IntervalRow<'a> {
        let better = self.pair.better.as_deref();
        let colour = match better {
            Some(better) if better == self.system => BETTER,
            Some(_) => WORSE,
            None => QUIET,
        };
        let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
        let mut note = signed(self.difference);
        if let Some((lower, upper)) = self.ends {
            note += &format!(" [{}, {}]", signed(lower), signed(upper));
        }
        let p = format_p_value(self.pair.p_adjusted);
        let equals = if p.starts_with('<') { "" } else { "= " };
        IntervalRow {
            name: self.system,
            value: self.difference,
            ends: self.ends,
            colour,
            title: format!("{} {note}, p {equals}{p}", self.system),
            note,
        }
    }
}

fn note(comparison: &Comparison) -> String {
    let percent = (1e6 * comparison.confidence).round() / 1e4;
    let corrected = if comparison.simultaneous {
        "which hold for all pairs together"
    } else if comparison.correction == Adjustment::None {
        "not corrected for the number of comparisons, as the tests are not"
    } else {
        "not corrected for the number of comparisons; the colours are"
    };
    format!(
        "Dots: the mean of the system minus that of the baseline; lines: {percent}% intervals, \
         {corrected}."
    )
}
