//! Layout of the figure of an audited list, in figure units.

use super::arcs::ContradictionKind;
use super::data::{ItemEvidence, ListFigureData};
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::Area;
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::axes::{Scale, position_ticks};
use crate::figure::plot::ticks::Ticks;

/// Width of the figure.
pub(super) const WIDTH: f64 = 600.0;
/// Font size of the axis numbers above and below the list.
pub(super) const AXIS_FONT_SIZE: f64 = 11.0;
/// Maximum horizontal extent of arcs; wider ones would leave too little width for the ranks.
const MAX_ARC_WIDTH: f64 = 84.0;
/// Maximum width of an item name; longer names are shortened.
const MAX_NAME_WIDTH: f64 = 150.0;
/// Width of the column that shows the bootstrap interval of each item's place.
const PLACE_INTERVAL_WIDTH: f64 = 96.0;
/// Heading of the column of group numbers.
pub(super) const GROUP_HEADING: &str = "group";
const COLUMN_GAP: f64 = 8.0;
/// Number of items above which rows are smaller and the rank axis is repeated above the list.
const MAX_SHORT_LIST: usize = 24;

/// Sizes of the rows, which depend on the number of items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Height of the row of an item.
    pub(super) row: f64,
    /// Font size of item names and of the numbers of ranks or votes.
    pub(super) size: f64,
    /// Height of the box plot of an item's ranks.
    pub(super) box_height: f64,
    pub(super) dot: f64,
    /// Distance between the border of a group and its rows.
    pad: f64,
    /// Vertical distance between two groups.
    gap: f64,
}

impl Style {
    fn for_items(items: usize) -> Self {
        let [row, size, box_height, dot, pad, gap] = match items {
            0..=MAX_SHORT_LIST => [19.0, 11.0, 10.0, 2.0, 3.0, 6.0],
            25..=44 => [15.0, 10.0, 8.0, 1.7, 2.5, 5.0],
            _ => [12.0, 9.0, 6.5, 1.5, 2.0, 4.0],
        };
        Self {
            row,
            size,
            box_height,
            dot,
            pad,
            gap,
        }
    }
}

/// Positions and scales of all parts of the figure.
pub(super) struct Layout {
    pub(super) style: Style,
    /// Y of the centre of each shown row.
    pub(super) rows: Vec<f64>,
    /// Rounded box of each shown group.
    pub(super) groups: Vec<Area>,
    /// X of the right end of the group numbers.
    pub(super) number_right: f64,
    pub(super) name_left: f64,
    pub(super) name_width: f64,
    /// X of the right end of the column with the number of ranks or votes of each item.
    pub(super) count_right: f64,
    /// Column of the bootstrap intervals of the items' places, with its scale and its labelled ticks;
    /// `None` without a bootstrap.
    pub(super) places: Option<(Area, Scale, Ticks)>,
    pub(super) plot: Area,
    /// Horizontal scale of ranks, or of percentages of votes.
    pub(super) ranks: Scale,
    pub(super) ticks: Ticks,
    /// Vertical extent of the longest arc at the left and of the longest at the right.
    longest: [f64; 2],
}

impl Layout {
    /// Computes the layout of the first `shown` items below a heading.
    pub(super) fn new(list: &ListFigureData<'_>, shown: usize, heading_bottom: f64) -> Self {
        let style = Style::for_items(shown);
        let (rows, heights) = place_rows(list, shown, style, heading_bottom + 18.0);
        let longest = ContradictionKind::BOTH.map(|kind| {
            let pairs = kind.pairs_among(list, shown);
            let spans = pairs.map(|(earlier, later)| rows[later] - rows[earlier]);
            spans.fold(0.0, f64::max)
        });
        let left = MARGIN + arc_width(longest[0]);
        let right = WIDTH - MARGIN - arc_width(longest[1]);
        let group = |(top, height)| Area::new((left, top), (right - left, height));
        let groups = heights.into_iter().map(group).collect();

        let items = &list.items[..shown];
        let number = widest([GROUP_HEADING], AXIS_FONT_SIZE);
        let number_right = left + COLUMN_GAP + number;
        let name_left = number_right + COLUMN_GAP;
        let name_width = widest(items.iter().map(|item| item.name), style.size);
        let name_width = name_width.clamp(20.0, MAX_NAME_WIDTH);
        let counts = items
            .iter()
            .map(|item| item.evidence.judgment_count().to_string());
        let count_width = widest(counts, style.size).max(8.0);
        let count_right = name_left + name_width + COLUMN_GAP + count_width;
        let mut plot_left = count_right + 1.5 * COLUMN_GAP;
        let places = list.confidence.map(|_| {
            let area = Area::new((plot_left, 0.0), (PLACE_INTERVAL_WIDTH, 0.0));
            plot_left = area.right() + 2.0 * COLUMN_GAP;
            let last = list.items.len();
            let scale = Scale::new((0.5, last as f64 + 0.5), (area.left, area.right()));
            (
                area,
                scale,
                position_ticks(last, PLACE_INTERVAL_WIDTH, AXIS_FONT_SIZE),
            )
        });
        let plot = Area::new((plot_left, 0.0), (right - COLUMN_GAP - plot_left, 0.0));
        let across = (plot.left, plot.right());
        let all_ranks = || {
            items.iter().flat_map(|item| match &item.evidence {
                ItemEvidence::Ranks(ranks) => &ranks[..],
                ItemEvidence::Votes(_) => &[],
            })
        };
        let (ranks, ticks) = if list.is_by_preferences() {
            let ticks = Ticks::between(0.0, 100.0, 4).in_units("%");
            (Scale::new((0.0, 100.0), across), ticks)
        } else {
            let last = all_ranks().copied().fold(1.0, f64::max).ceil();
            let beyond_1 = all_ranks().any(|rank| *rank < 1.0);
            let first = if beyond_1 { 0.0 } else { 0.5 };
            // The cast is safe: a rank is at most 10⁹.
            let ticks = position_ticks(last as usize, plot.width, AXIS_FONT_SIZE);
            (Scale::new((first, last + 0.5), across), ticks)
        };
        Self {
            style,
            rows,
            groups,
            number_right,
            name_left,
            name_width,
            count_right,
            places,
            plot,
            ranks,
            ticks,
            longest,
        }
    }

    pub(super) fn top(&self) -> f64 {
        self.groups.first().map_or(0.0, |area| area.top)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.groups.last().map_or(0.0, Area::bottom)
    }

    pub(super) fn is_long(&self) -> bool {
        self.rows.len() > MAX_SHORT_LIST
    }

    /// Returns the x at which all arcs of a kind start and end: the left or right edge of the
    /// groups.
    pub(super) fn arc_edge(&self, kind: ContradictionKind) -> f64 {
        self.groups.first().map_or(0.0, |area| match kind {
            ContradictionKind::Intra => area.left,
            ContradictionKind::Inter => area.right(),
        })
    }

    /// Returns the horizontal extent of an arc whose ends are `span` apart (negative: to the left).
    /// Arcs with a larger vertical span extend farther, so that arcs nest.
    pub(super) fn arc_extent(&self, kind: ContradictionKind, span: f64) -> f64 {
        let longest = self.longest[kind as usize];
        let reach = (arc_width(longest) * (span / longest).sqrt()).min(span / 2.0);
        if kind == ContradictionKind::Intra {
            -reach
        } else {
            reach
        }
    }
}

/// Returns the width needed by arcs, the longest of which has the vertical extent `longest`: half
/// of it, as for a semicircle, but at most [`MAX_ARC_WIDTH`].
fn arc_width(longest: f64) -> f64 {
    (longest / 2.0).min(MAX_ARC_WIDTH)
}

/// Computes the y of the centre of each row, and the top and height of each group.
fn place_rows(
    list: &ListFigureData<'_>,
    shown: usize,
    style: Style,
    top: f64,
) -> (Vec<f64>, Vec<(f64, f64)>) {
    let (mut rows, mut groups, mut y) = (Vec::new(), Vec::new(), top);
    for (from, to) in list.group_ranges().take_while(|(from, _)| *from < shown) {
        let count = to.min(shown) - from;
        let first = y + style.pad + style.row / 2.0;
        rows.extend((0..count).map(|row| first + row as f64 * style.row));
        let height = count as f64 * style.row + 2.0 * style.pad;
        groups.push((y, height));
        y += height + style.gap;
    }
    (rows, groups)
}
