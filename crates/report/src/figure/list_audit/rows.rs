//! Row of an item in the figure of an audited list: group number, name, and ranks or votes.

use super::data::{ItemEvidence, ListFigureItem};
use super::layout::Layout;
use crate::figure::canvas::scene::{
    AXIS_STROKE, Area, Colour, SECONDARY_COLOUR, Shape, Stroke, TEXT_COLOUR, Text, WHITE,
};
use crate::figure::plot::box_summary::BoxSummary;

/// Draws the row of the item with index `index` in the list. The first item of a group also gets
/// the group number.
pub(super) fn row(
    index: usize,
    group: Option<usize>,
    item: &ListFigureItem<'_>,
    layout: &Layout,
) -> Shape {
    let (size, middle) = (layout.style.size, layout.rows[index]);
    let word = |words: &str, x: f64| Text::new(words, (x, middle + 0.36 * size), size);
    let count = word(
        &item.evidence.judgment_count().to_string(),
        layout.count_right,
    );
    let name = word(item.name, layout.name_left).fitted(layout.name_width);
    let mut shapes = vec![name.into(), count.end().quiet().into()];
    shapes.extend(group.map(|group| {
        let number = word(&group.to_string(), layout.number_right);
        Shape::from(number.end().bold())
    }));
    let mut in_words = match &item.evidence {
        ItemEvidence::Ranks(ranks) => match BoxSummary::from_values(ranks) {
            Some(summary) => {
                shapes.extend(box_plot(&summary, middle, layout));
                summary.in_words()
            }
            None => {
                shapes.push(word("not ranked", layout.plot.left).quiet().into());
                "not ranked".to_owned()
            }
        },
        ItemEvidence::Votes(votes) => {
            shapes.extend(vote_bar(votes, middle, layout));
            let [preferred, equal, other] = votes;
            format!("preferred {preferred}, equal {equal}, the other preferred {other}")
        }
    };
    if let (Some((_, scale, _)), Some((own, first, last))) = (&layout.places, item.places) {
        let x = |place: f64| scale.at(place);
        let line = Stroke::solid(VOTE_COLOURS[0], 2.2);
        shapes.push(Shape::line(
            (x(first) - 2.0, middle),
            (x(last) + 2.0, middle),
            line,
        ));
        shapes.push(Shape::circle(
            (x(own), middle),
            layout.style.dot + 0.8,
            TEXT_COLOUR,
        ));
        in_words += &format!("; at place {own}, and by other people from {first} to {last}");
    }
    Shape::with_tooltip(format!("{}. {}: {in_words}", index + 1, item.name), shapes)
}

/// Colours of the parts of a vote bar: votes for the item, for neither, and for the other item.
pub(super) const VOTE_COLOURS: [Colour; 3] = ["#0072B2", "#DDDDDD", "#F0B040"];

/// Draws a bar at y `middle` with the shares of votes for the item, for neither, and for the other
/// item.
fn vote_bar(votes: &[usize; 3], middle: f64, layout: &Layout) -> Vec<Shape> {
    let all = votes.iter().sum::<usize>().max(1) as f64;
    let height = layout.style.box_height;
    let (mut before, mut shapes) = (0.0, Vec::new());
    for (count, colour) in votes.iter().zip(VOTE_COLOURS) {
        let [left, right] =
            [before, before + *count as f64].map(|answers| layout.ranks.at(100.0 * answers / all));
        let area = Area::new((left, middle - height / 2.0), (right - left, height));
        shapes.extend((*count > 0).then(|| Shape::rect(area, colour, None)));
        before += *count as f64;
    }
    shapes
}

/// Draws a horizontal box plot of an item's ranks at y `middle`.
fn box_plot(summary: &BoxSummary, middle: f64, layout: &Layout) -> Vec<Shape> {
    let x = |rank: f64| layout.ranks.at(rank);
    let line = |from: f64, to: f64| Shape::line((x(from), middle), (x(to), middle), AXIS_STROKE);
    let dot = |rank, radius, colour| Shape::circle((x(rank), middle), radius, colour);
    let (height, radius) = (layout.style.box_height, layout.style.dot);
    let (top, bottom) = (middle - height / 2.0, middle + height / 2.0);
    let (lower, upper) = (summary.lower_quartile, summary.upper_quartile);
    let area = Area::new((x(lower), top), (x(upper) - x(lower), height));
    let median = x(summary.median);
    let mut shapes = vec![
        line(summary.whiskers.0, lower),
        line(upper, summary.whiskers.1),
        Shape::rect(area, "#C9D6DF", Some(Stroke::solid(TEXT_COLOUR, 0.7))),
        Shape::line(
            (median, top),
            (median, bottom),
            Stroke::solid(TEXT_COLOUR, 1.8),
        ),
        // A white outline separates the mean from the median.
        dot(summary.mean, radius + 0.8, WHITE),
        dot(summary.mean, radius, TEXT_COLOUR),
    ];
    // Equal ranks are drawn as one point.
    let mut outliers = summary.outliers.clone();
    outliers.dedup();
    let small = |rank| dot(rank, 0.75 * radius, SECONDARY_COLOUR);
    shapes.extend(outliers.into_iter().map(small));
    shapes
}
