//! Forest plot: difference of each system's mean score from that of a baseline.

use std::sync::Arc;

use partita_core::comparison::{Comparison, PairComparison};
use partita_stats::adjustment::Adjustment;

use super::canvas::caption::{footnote, heading};
use super::canvas::scene::{Colour, Figure, SECONDARY_COLOUR, Text};
use super::comparison::{ComparisonFigureKind, require_difference_test, test_caption};
use super::error::FigureError;
use super::plot::interval_rows::{IntervalRow, MAX_INTERVAL_ROWS, WIDTH, rows};
use super::plot::legend::{Legend, LegendEntry, LegendKey};
use crate::phrases::{format_p_value, join, plural};

/// Colour of systems that are significantly better than the baseline.
const BETTER_COLOUR: Colour = "#0072B2";
/// Colour of systems that are significantly worse than the baseline.
const WORSE_COLOUR: Colour = "#D55E00";

/// Draws the difference of each system from a baseline with its interval, the best system on top.
/// Several baselines give one plot each, one below the other.
///
/// # Errors
/// Returns [`FigureError`] if no baseline was named, if there are more than [`MAX_INTERVAL_ROWS`]
/// rows, if the test is an equivalence test, or if a difference or an end of its interval is beyond
/// ±10¹².
pub fn forest_figure(comparison: &Comparison) -> Result<Figure, FigureError> {
    require_difference_test(comparison)?;
    let baselines = baselines(comparison);
    let rows_of = |baseline: &Arc<str>| {
        let pairs = comparison.pairs.iter();
        let mut rows: Vec<IntervalRow> = pairs
            .filter_map(|pair| interval_row(pair, baseline))
            .collect();
        rows.sort_by(|one, other| other.value.total_cmp(&one.value));
        rows
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
        (BETTER_COLOUR, "significantly better"),
        (WORSE_COLOUR, "significantly worse"),
        (SECONDARY_COLOUR, "not significantly different"),
    ];
    let entries =
        entries.map(|(colour, words)| LegendEntry::new(LegendKey::Marker(colour, 0), words));
    top = Legend::new(entries.into(), None, WIDTH).draw(top, &mut shapes) + 10.0;
    let mut sentences = Vec::new();
    for baseline in &baselines {
        let intervals = rows_of(baseline);
        for row in &intervals {
            let place = || format!("{} and {baseline}", row.name);
            let (lower, upper) = row.ends.unwrap_or_default();
            for value in [row.value, lower, upper] {
                FigureError::check_drawable(&title, place, "a difference", value)?;
            }
        }
        if baselines.len() > 1 {
            let name = Text::new(&**baseline, (16.0, top + 12.0), 12.0).bold();
            shapes.push(name.fitted(WIDTH - 32.0).into());
            top += 20.0;
        }
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

/// Returns the row of the system that a pair compares with the baseline: its mean minus the mean of
/// the baseline, with the interval. Returns `None` if the baseline is not in the pair.
fn interval_row<'a>(pair: &'a PairComparison, baseline: &str) -> Option<IntervalRow<'a>> {
    let ends = pair.lower.zip(pair.upper);
    let (name, value, ends) = if *pair.b == *baseline {
        (&*pair.a, pair.difference, ends)
    } else if *pair.a == *baseline {
        let swapped = ends.map(|(lower, upper)| (-upper, -lower));
        (&*pair.b, -pair.difference, swapped)
    } else {
        return None;
    };
    let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
    let mut note = signed(value);
    if let Some((lower, upper)) = ends {
        note += &format!(" [{}, {}]", signed(lower), signed(upper));
    }
    let p = match pair.p_adjusted.map(format_p_value) {
        Some(p) if p.starts_with('<') => format!("p {p}"),
        Some(p) => format!("p = {p}"),
        None => "not tested".to_owned(),
    };
    Some(IntervalRow {
        name,
        value,
        ends,
        colour: match pair.better.as_deref() {
            Some(better) if better == name => BETTER_COLOUR,
            Some(_) => WORSE_COLOUR,
            None => SECONDARY_COLOUR,
        },
        title: format!("{name} {note}, {p}"),
        note,
    })
}

fn note(comparison: &Comparison) -> String {
    let percent = (1e6 * comparison.confidence).round() / 1e4;
    let corrected = if comparison.simultaneous {
        "which hold for all pairs together"
    } else if comparison.correction == Adjustment::None && !comparison.simultaneous_p {
        "not corrected for the number of comparisons, as the tests are not"
    } else {
        "not corrected for the number of comparisons; the colours are"
    };
    format!(
        "Dots: the mean of the system minus that of the baseline; lines: {percent}% intervals, \
         {corrected}."
    )
}
