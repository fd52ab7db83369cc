//! Where everything of the figure of a list stands.

use super::arcs::ContradictionKind;
use super::data::{ItemEvidence, ListFigureData};
use crate::figure::canvas::caption::MARGIN;
use crate::figure::canvas::scene::Area;
use crate::figure::canvas::text_metrics::widest;
use crate::figure::plot::axes::{Scale, position_ticks};
use crate::figure::plot::ticks::Ticks;

pub(super) const WIDTH: f64 = 600.0;
/// The size of the numbers above and below the list.
pub(super) const HEADING_SIZE: f64 = 11.0;
/// The widest arcs; wider ones would leave no room for the ranks.
const MOST_REACH: f64 = 84.0;
const LONGEST_NAME: f64 = 150.0;
/// The room for the groups in which items may be.
const PLACES: f64 = 80.0;
/// What stands over the numbers of groups.
pub(super) const GROUP: &str = "group";
const COLUMN_GAP: f64 = 8.0;
/// Longer lists have their ranks above as well as below.
const LONG: usize = 24;

/// The sizes of the rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// The height of a row.
    pub(super) row: f64,
    /// The size of words.
    pub(super) size: f64,
    /// The height of a box of a box plot.
    pub(super) box_height: f64,
    pub(super) dot: f64,
    /// Between the first and last row of a group and its edge.
    pad: f64,
    /// Between two groups.
    gap: f64,
}

impl Style {
    fn for_items(items: usize) -> Self {
        let [row, size, box_height, dot, pad, gap] = match items {
            0..=LONG => [19.0, 11.0, 10.0, 2.0, 3.0, 6.0],
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

pub(super) struct Layout {
    pub(super) style: Style,
    /// The middle of each row that is shown.
    pub(super) rows: Vec<f64>,
    /// The box of each group that is shown.
    pub(super) groups: Vec<Area>,
    /// Where the numbers of the groups end.
    pub(super) number_right: f64,
    pub(super) name_left: f64,
    pub(super) name_width: f64,
    /// Where the numbers of ranks end.
    pub(super) count_right: f64,
    /// Where the groups stand in which items may be, if that is known.
    pub(super) places: Option<(Area, Scale, Ticks)>,
    pub(super) plot: Area,
    /// Ranks, or percents of answers.
    pub(super) ranks: Scale,
    pub(super) ticks: Ticks,
    /// The lengths of the longest arcs at the left and the right.
    longest: [f64; 2],
}

impl Layout {
    /// The layout of the first `shown` items below a heading.
    pub(super) fn new(list: &ListFigureData<'_>, shown: usize, heading_bottom: f64) -> Self {
        let style = Style::for_items(shown);
        let (rows, heights) = rows(list, shown, style, heading_bottom + 18.0);
        let longest = ContradictionKind::BOTH.map(|family| {
            let pairs = family.pairs_among(list, shown);
            let spans = pairs.map(|(earlier, later)| rows[later] - rows[earlier]);
            spans.fold(0.0, f64::max)
        });
        let left = MARGIN + room(longest[0]);
        let right = WIDTH - MARGIN - room(longest[1]);
        let group = |(top, height)| Area::new((left, top), (right - left, height));
        let groups = heights.into_iter().map(group).collect();

        let items = &list.items[..shown];
        let number = widest([GROUP], HEADING_SIZE);
        let number_right = left + COLUMN_GAP + number;
        let name_left = number_right + COLUMN_GAP;
        let name_width = widest(items.iter().map(|item| item.name), style.size);
        let name_width = name_width.clamp(20.0, LONGEST_NAME);
        let counts = items.iter().map(|item| item.opinions.count().to_string());
        let count_width = widest(counts, style.size).max(8.0);
        let count_right = name_left + name_width + COLUMN_GAP + count_width;
        let mut plot_left = count_right + 1.5 * COLUMN_GAP;
        let places = list.confidence.map(|_| {
            let area = Area::new((plot_left, 0.0), (PLACES, 0.0));
            plot_left = area.right() + 2.0 * COLUMN_GAP;
            // Other people may make more groups.
            let last = items
                .iter()
                .filter_map(|item| item.places.map(|places| places.2));
            let last = last.max().unwrap_or(0).max(list.group_ends.len());
            let scale = Scale::new((0.5, last as f64 + 0.5), (area.left, area.right()));
            (area, scale, position_ticks(last, PLACES, HEADING_SIZE))
        });
        let plot = Area::new((plot_left, 0.0), (right - COLUMN_GAP - plot_left, 0.0));
        let across = (plot.left, plot.right());
        let all_ranks = || {
            items.iter().flat_map(|item| match &item.opinions {
                ItemEvidence::Ranks(ranks) => &ranks[..],
                ItemEvidence::Votes(_) => &[],
            })
        };
        let (ranks, ticks) = if list.is_by_answers() {
            let ticks = Ticks::between(0.0, 100.0, 4).in_units("%");
            (Scale::new((0.0, 100.0), across), ticks)
        } else {
            let last = all_ranks().copied().fold(1.0, f64::max).ceil();
            let beyond_1 = all_ranks().any(|rank| *rank < 1.0);
            let first = if beyond_1 { 0.0 } else { 0.5 };
            // A rank is at most a thousand million.
            let ticks = position_ticks(last as usize, plot.width, HEADING_SIZE);
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
        self.rows.len() > LONG
    }

    /// Where the arcs of a family begin and end.
    pub(super) fn arc_edge(&self, family: ContradictionKind) -> f64 {
        self.groups.first().map_or(0.0, |area| match family {
            ContradictionKind::Intra => area.left,
            ContradictionKind::Inter => area.right(),
        })
    }

    /// How far an arc goes to the right. One that spans more goes farther, so that arcs nest.
    pub(super) fn reach(&self, family: ContradictionKind, span: f64) -> f64 {
        let longest = self.longest[family as usize];
        let reach = (room(longest) * (span / longest).sqrt()).min(span / 2.0);
        if family == ContradictionKind::Intra {
            -reach
        } else {
            reach
        }
    }
}

/// The room beside the list for arcs of which the longest spans so much: half a
/// circle, while that is not too wide.
fn room(longest: f64) -> f64 {
    (longest / 2.0).min(MOST_REACH)
}

/// The middle of each row, and the top and the height of each group.
fn rows(
    list: &ListFigureData<'_>,
    shown: usize,
    style: Style,
    top: f64,
) -> (Vec<f64>, Vec<(f64, f64)>) {
    let (mut rows, mut groups, mut y) = (Vec::new(), Vec::new(), top);
    for (from, to) in list.spans().take_while(|(from, _)| *from < shown) {
        let count = to.min(shown) - from;
        let first = y + style.pad + style.row / 2.0;
        rows.extend((0..count).map(|row| first + row as f64 * style.row));
        let height = count as f64 * style.row + 2.0 * style.pad;
        groups.push((y, height));
        y += height + style.gap;
    }
    (rows, groups)
}
