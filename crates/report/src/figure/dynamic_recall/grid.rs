//! Several queries in small plots side by side.

use super::super::axes::{LABEL_SIZE, bottom_axis, gridlines, position_ticks};
use super::super::legend::{Entry, Legend, Sample};
use super::super::palette;
use super::super::recall::{RecallCurve, RecallPanel};
use super::super::recall_plot::{RecallPlot, three_decimals};
use super::super::scene::{Anchor, Area, Figure, INK, Point, QUIET, Shape, Stroke, Text};
use super::super::ticks::Ticks;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const COLUMN_GAP: f64 = 22.0;
const ROW_GAP: f64 = 14.0;
const TITLE_SIZE: f64 = 11.0;
const SMALL: f64 = 9.5;
const TITLE_ROW: f64 = 14.0;
const VALUE_ROW: f64 = 13.0;
const NUMBERS: f64 = 18.0;
const VALUE_SAMPLE: f64 = 16.0;
const VALUE_WIDTH: f64 = VALUE_SAMPLE + 32.0;
/// Of more runs than fit in two rows a panel says the range of the values.
const VALUE_ROWS: usize = 2;

/// The measures that all panels share.
struct Layout {
    columns: usize,
    plot_width: f64,
    plot_height: f64,
    /// How many values stand in a row under the title of a panel, and how many rows.
    values_in_row: usize,
    value_rows: usize,
    values_fit: bool,
}

impl Layout {
    fn new(panels: usize, runs: usize) -> Self {
        let columns = match panels {
            0..=3 => panels.max(1),
            4 => 2,
            5..=9 => 3,
            _ => 4,
        };
        let gaps = COLUMN_GAP * (columns - 1) as f64;
        let plot_width = (WIDTH - LEFT - RIGHT - gaps) / columns as f64;
        // A float to integer cast saturates; a panel is always wider than a value.
        let values_in_row = ((plot_width / VALUE_WIDTH) as usize).max(1);
        let rows_needed = runs.div_ceil(values_in_row);
        let values_fit = rows_needed <= VALUE_ROWS;
        Self {
            columns,
            plot_width,
            plot_height: (plot_width * 0.62).clamp(90.0, 190.0),
            values_in_row,
            value_rows: if values_fit { rows_needed } else { 1 },
            values_fit,
        }
    }

    fn above_plot(&self) -> f64 {
        TITLE_ROW + self.value_rows as f64 * VALUE_ROW + 8.0
    }

    fn panel_height(&self) -> f64 {
        self.above_plot() + self.plot_height + NUMBERS
    }

    fn area(&self, index: usize, top: f64) -> Area {
        let (row, column) = (index / self.columns, index % self.columns);
        Area {
            left: LEFT + column as f64 * (self.plot_width + COLUMN_GAP),
            top: top + row as f64 * (self.panel_height() + ROW_GAP) + self.above_plot(),
            width: self.plot_width,
            height: self.plot_height,
        }
    }
}

/// The panels in a grid, for these runs; `queries` there are in all.
pub(super) fn figure(panels: &[RecallPanel], runs: &[&str], queries: usize) -> Figure {
    let title = match runs {
        [run] => format!("Dynamic recall of {run}"),
        _ => "Dynamic recall".to_owned(),
    };
    let layout = Layout::new(panels.len(), runs.len());
    let mut shapes = vec![Shape::Text(
        Text::new(&title, Point::new(LEFT, 24.0), 14.0)
            .bold()
            .fitted(WIDTH - LEFT - RIGHT),
    )];
    let mut top = 34.0;
    if runs.len() > 1 {
        let entries = runs.iter().enumerate().map(|(number, run)| Entry {
            sample: Sample::Line(palette::series(number)),
            name: (*run).to_owned(),
            value: None,
        });
        let legend = Legend::new(entries.collect(), None, WIDTH - LEFT - RIGHT);
        shapes.extend(legend.shapes(Point::new(LEFT, top)));
        top += legend.height();
    }
    top += 8.0;
    for (index, panel) in panels.iter().enumerate() {
        let area = layout.area(index, top);
        shapes.push(Shape::Group {
            title: Some(panel.query().to_owned()),
            clip: None,
            shapes: panel_shapes(panel, runs, &layout, area, panels.len() * runs.len()),
        });
        if index % layout.columns == 0 {
            shapes.extend(recall_numbers(&area));
        }
    }
    let rows = panels.len().div_ceil(layout.columns) as f64;
    let bottom = top + rows * (layout.panel_height() + ROW_GAP) - ROW_GAP;
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    shapes.push(Shape::Text(
        Text::new(
            "position in the result list",
            Point::new(middle, bottom + 18.0),
            LABEL_SIZE,
        )
        .anchored(Anchor::Middle),
    ));
    let beside = Point::new(18.0, (top + layout.above_plot() + bottom - NUMBERS) / 2.0);
    shapes.push(Shape::Text(
        Text::new("dynamic recall", beside, LABEL_SIZE)
            .anchored(Anchor::Middle)
            .turned(-90.0),
    ));
    let mut height = bottom + 32.0;
    if queries > panels.len() {
        let words = format!("The first {} of {queries} queries.", panels.len());
        let at = Point::new(WIDTH - RIGHT, height);
        shapes.push(Shape::Text(
            Text::new(words, at, SMALL)
                .anchored(Anchor::End)
                .coloured(QUIET),
        ));
        height += 12.0;
    }
    Figure {
        title,
        description: description(panels, queries),
        width: WIDTH,
        height,
        shapes,
    }
}

fn panel_shapes(
    panel: &RecallPanel,
    runs: &[&str],
    layout: &Layout,
    area: Area,
    curves: usize,
) -> Vec<Shape> {
    let plot = RecallPlot::new(area, panel.positions(), curves);
    let title_at = Point::new(area.left, area.top - layout.above_plot() + TITLE_SIZE);
    let mut shapes = vec![Shape::Text(
        Text::new(panel.query(), title_at, TITLE_SIZE)
            .bold()
            .fitted(area.width),
    )];
    shapes.extend(averages(panel, runs, layout, title_at));
    shapes.extend(gridlines(&area, plot.y, &Ticks::unit(2)));
    shapes.extend(plot.groups(panel.group_ends()));
    let mut drawn = Vec::new();
    if let (true, Some(curve)) = (runs.len() == 1, panel.curves().first()) {
        let y = plot.y.at(curve.adr());
        drawn.push(Shape::Line {
            from: Point::new(area.left, y),
            to: Point::new(area.right(), y),
            stroke: palette::series(0).wide(1.0).dashed(&[4.0, 3.0]),
        });
    }
    for (number, run) in runs.iter().enumerate() {
        if let Some(curve) = panel.curve_of(run) {
            let stroke = palette::series(number).wide(1.3);
            let adr = three_decimals(curve.adr());
            drawn.push(Shape::Group {
                title: Some(format!("{run}: ADR {adr}")),
                clip: None,
                shapes: vec![plot.curve(curve.recall(), stroke, (number, runs.len()))],
            });
        }
    }
    shapes.push(plot.clipped(drawn));
    let ticks = position_ticks(panel.positions(), area.width, SMALL);
    shapes.extend(bottom_axis(&area, plot.x, &ticks, SMALL));
    shapes.push(Shape::Line {
        from: Point::new(area.left, area.top),
        to: Point::new(area.left, area.bottom()),
        stroke: Stroke::solid(INK, 0.8),
    });
    shapes
}

/// The average dynamic recall of each run under the title, or their range.
fn averages(panel: &RecallPanel, runs: &[&str], layout: &Layout, title_at: Point) -> Vec<Shape> {
    let below = Point::new(title_at.x, title_at.y + VALUE_ROW);
    let line = |words: String| vec![Shape::Text(Text::new(words, below, SMALL).coloured(QUIET))];
    if let ([_], Some(curve)) = (runs, panel.curves().first()) {
        return line(format!("ADR {}", three_decimals(curve.adr())));
    }
    if !layout.values_fit {
        return line(range_of_averages(panel));
    }
    let mut shapes = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let (row, column) = (number / layout.values_in_row, number % layout.values_in_row);
        let x = title_at.x + column as f64 * VALUE_WIDTH;
        let y = title_at.y + (row + 1) as f64 * VALUE_ROW;
        let middle = y - 0.35 * SMALL;
        shapes.push(Shape::Line {
            from: Point::new(x, middle),
            to: Point::new(x + VALUE_SAMPLE, middle),
            stroke: palette::series(number).wide(1.3),
        });
        let value = panel
            .curve_of(run)
            .map_or_else(|| "–".to_owned(), |curve| three_decimals(curve.adr()));
        let at = Point::new(x + VALUE_SAMPLE + 3.0, y);
        shapes.push(Shape::Text(Text::new(value, at, SMALL)));
    }
    shapes
}

fn range_of_averages(panel: &RecallPanel) -> String {
    let averages = || panel.curves().iter().map(RecallCurve::adr);
    let (low, high) = (
        averages().fold(1.0, f64::min),
        averages().fold(0.0, f64::max),
    );
    format!("ADR {} to {}", three_decimals(low), three_decimals(high))
}

/// The numbers at the left of a row of panels.
fn recall_numbers(area: &Area) -> Vec<Shape> {
    let scale = RecallPlot::new(*area, 1, 1).y;
    let ticks = Ticks::unit(2);
    let numbers = ticks.values().iter().map(|value| {
        let at = Point::new(area.left - 5.0, scale.at(*value) + 0.36 * SMALL);
        Shape::Text(Text::new(ticks.label(*value), at, SMALL).anchored(Anchor::End))
    });
    numbers.collect()
}

fn description(panels: &[RecallPanel], queries: usize) -> String {
    let panels_in_words: Vec<String> = panels
        .iter()
        .map(|panel| {
            let averages: Vec<String> = panel
                .curves()
                .iter()
                .map(|curve| format!("{} {}", curve.run(), three_decimals(curve.adr())))
                .collect();
            format!("{}: {}", panel.query(), averages.join(", "))
        })
        .collect();
    format!(
        "Dynamic recall by position in the result list for {} of {queries} queries. Average \
         dynamic recall: {}.",
        panels.len(),
        panels_in_words.join("; ")
    )
}
