//! View of a simulation: cost and quality of strategies for choosing the pairs to ask.

use std::io;

use partita_judging::simulate::{
    BaselineComparison, CostQualityPoint, MeanEstimate, Simulation, StrategyOutcome,
};

use super::{cost_heading, percent};
use crate::column_set::write_csv_rows;
use crate::figure::{Figure, LineChart, LinePanel, LineSeries, line_chart_figure};
use crate::phrases::{join, plural};
use crate::table::{number, text};
use crate::{Cell, ColumnSet, Document, View};

/// Row of the table: a point of the cost-quality curve of a strategy.
struct PointRow<'a> {
    /// Name of the strategy in its first row, otherwise empty.
    name: &'a str,
    point: &'a CostQualityPoint,
    /// True if a campaign stops at this point.
    stops: bool,
}

/// Returns the rows of a strategy in the order of votes: the points of its curve, and the point at
/// which a campaign stops if the curve does not have it.
fn point_rows(outcome: &StrategyOutcome) -> Vec<PointRow<'_>> {
    let stop = outcome.stops.as_ref().map(|stop| &stop.point);
    let row = |point| PointRow {
        name: "",
        point,
        stops: false,
    };
    let mut rows: Vec<PointRow<'_>> = outcome.points.iter().map(row).collect();
    if let Some(stop) = stop {
        let at = rows.partition_point(|row| row.point.votes.mean < stop.votes.mean);
        if rows.get(at).is_none_or(|row| row.point != stop) {
            rows.insert(at, row(stop));
        }
        rows[at].stops = true;
    }
    if let Some(first) = rows.first_mut() {
        first.name = &outcome.strategy;
    }
    rows
}

impl View for Simulation {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let keys = ["strategy", "point", "measure", "mean", "lower", "upper"];
        write_csv_rows(keys, csv_rows(self), writer)
    }

    fn document(&self) -> Document {
        let baseline = self.strategies.first();
        let others = self.strategies.iter().skip(1);
        let end = baseline.and_then(|first| first.points.last());
        let votes = end.map_or(f64::NAN, |point| point.votes.mean);
        let mut columns = ColumnSet::<PointRow<'_>>::new()
            .table_field(text("Strategy"), |row| row.name)
            .table_field(text("Stops"), |row| if row.stops { "*" } else { "" })
            .table_field(number("Votes", 0), |row| row.point.votes.mean)
            .table_field(number("Share", 2), move |row| row.point.votes.mean / votes)
            .table_field(number("Pairs", 0), |row| row.point.pairs.mean)
            .table_field(number("Rounds", 1), |row| row.point.rounds.mean)
            .add_if(end.is_some_and(|point| point.cost.is_some()), |columns| {
                columns.table_field(number(cost_heading(self.currency), 2), |row| row.point.cost)
            })
            .table_field(number("Hours", 2), |row| row.point.hours);
        let measures = end.iter().flat_map(|point| point.quality.iter());
        for (name, _) in measures {
            if name == "strict_inversions" || name == "consistency" {
                continue;
            }
            let decimals = if name == "groups" { 1 } else { 3 };
            let column = number(name.replace('_', " "), decimals);
            columns = columns.table_field(column, move |row| {
                row.point.quality.get(name).map(|found| found.mean)
            });
        }
        let rows = self.strategies.iter().flat_map(point_rows);
        let lists = lists_label(self);
        Document::new()
            .table(columns.to_table(rows))
            .note(format!("Means over {lists} (seed {}).", self.seed))
            .note(format!(
                "*: a campaign stops here (settled {}).",
                self.settled
            ))
            .notes(
                others
                    .clone()
                    .filter_map(|outcome| stop_note(outcome, &self.baseline, end?)),
            )
            .notes(others.flat_map(|outcome| {
                let first = (self.baseline.as_str(), &outcome.baseline_comparison);
                let beside = std::iter::once(first).chain(outcome.beside.iter());
                let sentences =
                    beside.map(|(baseline, beside)| votes_needed_note(outcome, baseline, beside));
                sentences.collect::<Vec<String>>()
            }))
    }
}

/// Returns a note on the point at which a campaign with a strategy stops, beside `end`, the end of
/// the baseline.
fn stop_note(outcome: &StrategyOutcome, baseline: &str, end: &CostQualityPoint) -> Option<String> {
    let stop = outcome.stops.as_ref()?;
    let measures = stop.point.quality.iter();
    let measures = measures.filter(|(name, _)| *name == "inversions" || name.starts_with("adr"));
    let compared = measures.filter_map(|(name, found)| {
        let there = end.quality.get(name)?.mean;
        let name = name.replace('_', " ");
        Some(format!("{name} {:.3} ({baseline} {there:.3})", found.mean))
    });
    Some(format!(
        "A campaign with {} stops at {} of the votes of {baseline}{}: {}.",
        outcome.strategy,
        percent(stop.share.mean),
        interval_text(&stop.share, 0.0),
        join(compared, ", "),
    ))
}

/// Returns the CSV rows of a simulation: strategy, point, measure, mean, and the two ends of the
/// interval of the mean, which are empty if unknown. The point is a number from 1 on the
/// strategy's curve, `stops` where a campaign stops, or a text that starts with `needed` for a
/// comparison with a baseline.
fn csv_rows(result: &Simulation) -> Vec<[Cell; 6]> {
    let mut rows = Vec::new();
    for outcome in &result.strategies {
        let mut add = |point: &str, measure: &str, mean: f64, ends: Option<&MeanEstimate>| {
            let known = |end: f64| (!end.is_nan()).then_some(end);
            let lower = ends.and_then(|ends| known(ends.lower));
            let upper = ends.and_then(|ends| known(ends.upper));
            rows.push([
                (&outcome.strategy).into(),
                point.into(),
                measure.into(),
                mean.into(),
                lower.into(),
                upper.into(),
            ]);
        };
        let points = (1..).zip(&outcome.points);
        let points = points.map(|(at, point)| (usize::to_string(&at), point));
        let stop = outcome.stops.iter();
        let stop = stop.map(|stop| ("stops".to_owned(), &stop.point));
        for (at, point) in points.chain(stop) {
            let spent = [
                ("votes", &point.votes),
                ("pairs", &point.pairs),
                ("rounds", &point.rounds),
            ];
            for (name, estimate) in spent {
                add(&at, name, estimate.mean, Some(estimate));
            }
            if let Some(cost) = point.cost {
                add(&at, "cost", cost, None);
            }
            add(&at, "hours", point.hours, None);
            for (name, estimate) in point.quality.iter() {
                add(&at, name, estimate.mean, Some(estimate));
            }
        }
        if let Some(stop) = &outcome.stops {
            add("stops", "share", stop.share.mean, Some(&stop.share));
        }
        let beside = outcome.beside.iter();
        let beside = beside.map(|(name, beside)| (format!("needed beside {name}"), beside));
        let first = ("needed".to_owned(), &outcome.baseline_comparison);
        for (point, beside) in std::iter::once(first).chain(beside) {
            for (measure, needed) in beside.needed.iter() {
                if let Some(share) = &needed.share {
                    add(&point, measure, share.mean, Some(share));
                }
                add(&format!("{point} never"), measure, needed.never, None);
            }
            if let Some(share) = &beside.needed_mean {
                add(&point, "mean", share.mean, Some(share));
            }
        }
    }
    rows
}

/// Returns the number of simulated lists and their sizes as a phrase.
fn lists_label(result: &Simulation) -> String {
    let items = match result.items {
        [least, most] if least == most => least.to_string(),
        [least, most] => format!("{least} to {most}"),
    };
    format!("{} of {items} items", plural(result.lists, "list"))
}

/// Returns a note on the votes that a strategy needs to build lists as good as those of the
/// baseline strategy, as a share of the baseline's votes.
fn votes_needed_note(
    outcome: &StrategyOutcome,
    baseline: &str,
    beside: &BaselineComparison,
) -> String {
    let name = &outcome.strategy;
    let by_measure = &beside.needed;
    match beside.needed_mean {
        Some(share) => {
            let shares = by_measure.iter().filter_map(|(_, needed)| needed.share);
            let worst = shares.map(|share| share.mean).fold(0.0, f64::max);
            format!(
                "{name} is as good as {baseline} for {} of its votes{}, for {} by the measure that \
                 needs most.",
                percent(share.mean),
                interval_text(&share, beside.needed_mean_never),
                percent(worst),
            )
        }
        None => {
            let all = by_measure.iter();
            let never = all.filter(|(_, needed)| needed.share.is_none());
            let never = join(never.map(|(measure, _)| measure), ", ").replace('_', " ");
            format!("{name} is never quite as good as {baseline} by: {never}.")
        }
    }
}

/// Formats the interval of a share of votes in whole percents and in parentheses; an empty text if
/// there is none. If the interval has no upper end, the text also gives the argument `never`: the share
/// of resamples in which the strategy was never as good as the baseline.
fn interval_text(share: &MeanEstimate, never: f64) -> String {
    let Some((lower, upper)) = share.interval() else {
        return String::new();
    };
    let lower = (100.0 * lower).round();
    if upper.is_nan() {
        return format!(
            " ({lower}% or more; never in {} of the draws)",
            percent(never)
        );
    }
    format!(" ({lower}-{})", percent(upper))
}

/// Quality measures with a figure: name, title of the figure, label of the y axis, and true if the
/// values are shown as percentages.
const PLOTTED_MEASURES: [(&str, &str, &str, bool); 3] = [
    (
        "inversions",
        "Pairs in the wrong order",
        "pairs in the wrong order",
        true,
    ),
    ("adr", "Average dynamic recall", "ADR", false),
    (
        "relations",
        "Pairs whose relation is right",
        "pairs whose relation is right",
        true,
    ),
];

/// Titles of the two panels of a measure that is computed against two references.
const REFERENCE_TITLES: [&str; 2] = [
    "Reference 1: cheapest groups",
    "Reference 2: groups end at any difference",
];

/// Draws the quality of the lists of each strategy against the number of votes. Returns one figure
/// for each measure, with the name of the measure; the share of pairs in the wrong order comes
/// first.
pub fn quality_figures(result: &Simulation) -> [(&'static str, Figure); 3] {
    PLOTTED_MEASURES.map(|(measure, title, y_label, percent)| {
        let first = result.strategies.first();
        let point = first.and_then(|first| first.points.first());
        let names = point.iter().flat_map(|point| point.quality.iter());
        let by_each = format!("{measure}_");
        let is_it = |name: &&str| *name == measure || name.starts_with(&by_each);
        let names: Vec<&str> = names.map(|(name, _)| name).filter(is_it).collect();
        let titles = match names[..] {
            [_] => vec![lists_label(result)],
            _ => REFERENCE_TITLES.map(str::to_owned).into(),
        };
        let panels = names.into_iter().zip(titles);
        let panels = panels.map(|(name, title)| measure_panel(result, name, title));
        let curves = LineChart {
            title: title.to_owned(),
            x_label: "votes on a list, with 95% intervals over lists".to_owned(),
            y_label: y_label.to_owned(),
            y_is_percent: percent,
            panels: panels.collect(),
        };
        let figure = line_chart_figure(&curves).expect("measures are numbers, and votes rise");
        (measure, figure)
    })
}

/// Returns the panel with the curves of one measure, one curve per strategy, and a mark on each
/// curve where a campaign stops.
fn measure_panel(result: &Simulation, measure: &str, title: String) -> LinePanel {
    let of = |point: &CostQualityPoint| {
        let found = point.quality.get(measure);
        *found.expect("all points have the same measures")
    };
    // A mean without an interval is drawn as a point.
    let ends = |found: MeanEstimate| found.interval().unwrap_or((found.mean, found.mean));
    let curve = |outcome: &StrategyOutcome| {
        let points = || outcome.points.iter();
        let band = points().map(|point| ends(of(point)));
        let means = points().map(|point| (point.votes.mean, of(point).mean));
        LineSeries {
            name: outcome.strategy.clone(),
            points: means.collect(),
            band: Some(band.collect()),
        }
    };
    let baseline = result.strategies.first().and_then(|first| {
        let end = first.points.last()?;
        Some((of(end).mean, format!("{} at its end", first.strategy)))
    });
    let stop_mark = |outcome: &StrategyOutcome| {
        let at = &outcome.stops.as_ref()?.point;
        // The only point of a strategy needs no mark of its own.
        (outcome.points.len() > 1).then(|| LineSeries {
            name: format!("{}, where a campaign stops", outcome.strategy),
            points: vec![(at.votes.mean, of(at).mean)],
            band: Some(vec![ends(of(at))]),
        })
    };
    let marks = result.strategies.iter().filter_map(stop_mark);
    LinePanel {
        title,
        curves: result.strategies.iter().map(curve).chain(marks).collect(),
        references: baseline.into_iter().collect(),
    }
}
