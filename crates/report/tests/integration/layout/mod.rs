//! Words never overlap and nothing leaves the figure, whatever the names are.

mod boxes;
mod comparisons;
mod curves;
mod judging;
mod lists;
#[cfg(feature = "melody")]
mod piano_rolls;
mod recall;

use partita_report::Figure;
use roxmltree::{Document, Node};

/// Widths of the characters from space to tilde in thousandths of the size (Helvetica, from the Adobe
/// font metrics), for a measure of words that knows nothing of how figures are laid out.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Readers without Helvetica see a wider font.
const ROOM: f64 = 1.15;
const BOLD: f64 = 1.16;
/// Coordinates are rounded to two decimals.
const ROUNDED: f64 = 0.02;

/// A rectangle parallel to the axes.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn around(points: &[(f64, f64)]) -> Self {
        let nowhere = Self {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        points.iter().fold(nowhere, |area, (x, y)| Self {
            left: area.left.min(*x),
            top: area.top.min(*y),
            right: area.right.max(*x),
            bottom: area.bottom.max(*y),
        })
    }

    fn grown(self, margin: f64) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// Whether the two rectangles share more than an edge.
    fn meets(&self, other: &Self) -> bool {
        self.left < other.right - ROUNDED
            && other.left < self.right - ROUNDED
            && self.top < other.bottom - ROUNDED
            && other.top < self.bottom - ROUNDED
    }

    fn is_within(&self, figure: &Figure) -> bool {
        self.left >= -ROUNDED
            && self.top >= -ROUNDED
            && self.right <= figure.width + ROUNDED
            && self.bottom <= figure.height + ROUNDED
    }
}

/// An element of a figure and the rectangle that it takes, a shape without the width of its line.
struct Element {
    name: String,
    area: Area,
    /// The words of a text.
    words: String,
    /// The points of a line or a surface.
    points: Vec<(f64, f64)>,
    /// Whether it has round corners.
    is_round: bool,
}

fn number(node: Node, name: &str) -> f64 {
    let value = node.attribute(name).expect("an attribute");
    value.parse().expect("a number")
}

fn width(words: &str) -> f64 {
    let thousandths = words.chars().map(|c| {
        let latin = u32::from(c).checked_sub(32);
        let latin = latin.and_then(|place| HELVETICA.get(place as usize));
        match (latin, unicode_width::UnicodeWidthChar::width(c)) {
            (Some(width), _) => f64::from(*width),
            (None, Some(0)) => 0.0,
            (None, Some(1)) if c != '…' => 620.0,
            (None, _) => 1000.0,
        }
    });
    thousandths.sum::<f64>() / 1000.0
}

/// Where words are, from the baseline to the top of capitals.
fn extent(node: Node, words: &str) -> Area {
    let (x, y, size) = (
        number(node, "x"),
        number(node, "y"),
        number(node, "font-size"),
    );
    let bold = if node.has_attribute("font-weight") {
        BOLD
    } else {
        1.0
    };
    let (width, height) = (width(words) * ROOM * bold * size, 0.75 * size);
    let before = match node.attribute("text-anchor") {
        None => 0.0,
        Some("middle") => width / 2.0,
        Some(_) => width,
    };
    if node.has_attribute("transform") {
        // Turned words run upwards.
        Area::around(&[(x - height, y + before), (x, y + before - width)])
    } else {
        Area::around(&[(x - before, y - height), (x - before + width, y)])
    }
}

/// Half an ellipse, `M x yA reach half 0 0 clockwise x y`, from the upper end to the lower.
fn arc(path: &str) -> Area {
    let numbers = path.split(['M', 'A', ' ']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = numbers
        .map(|part| part.parse().expect("a number"))
        .collect();
    let (x, reach) = (numbers[0], numbers[2]);
    let farthest = if numbers[6] > 0.0 {
        x + reach
    } else {
        x - reach
    };
    Area::around(&[
        (x, numbers[1]),
        (numbers[7], numbers[8]),
        (farthest, numbers[1]),
    ])
}

/// All that is drawn.
fn elements(figure: &Figure) -> Vec<Element> {
    let svg = figure.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let mut elements = Vec::new();
    for node in document.root_element().descendants() {
        let number = |name: &str| number(node, name);
        let words: String = node
            .children()
            .filter_map(|child| child.text().filter(|_| child.is_text()))
            .collect();
        let points = node.attribute("points").unwrap_or_default();
        let points = points.split(' ').filter_map(|point| point.split_once(','));
        let coordinate = |text: &str| text.parse::<f64>().expect("a number");
        let points: Vec<_> = points
            .map(|(x, y)| (coordinate(x), coordinate(y)))
            .collect();
        let area = match node.tag_name().name() {
            "text" => extent(node, &words),
            "line" => Area::around(&[(number("x1"), number("y1")), (number("x2"), number("y2"))]),
            "polyline" | "polygon" => Area::around(&points),
            "rect" if node.has_attribute("x") => {
                let (x, y) = (number("x"), number("y"));
                Area::around(&[(x, y), (x + number("width"), y + number("height"))])
            }
            "circle" => Area::around(&[(number("cx"), number("cy"))]).grown(number("r")),
            "path" => arc(node.attribute("d").expect("a path")),
            _ => continue,
        };
        elements.push(Element {
            name: node.tag_name().name().to_owned(),
            area,
            words,
            points,
            is_round: node.has_attribute("rx"),
        });
    }
    elements
}

/// The elements of a name.
fn named<'e>(elements: &'e [Element], name: &str) -> Vec<&'e Element> {
    elements
        .iter()
        .filter(|element| element.name == name)
        .collect()
}

fn assert_words_are_apart(figure: &Figure) {
    assert_apart(figure, &elements(figure));
}

fn assert_apart(figure: &Figure, elements: &[Element]) {
    let texts = named(elements, "text");
    for (index, text) in texts.iter().enumerate() {
        assert!(
            text.area.is_within(figure),
            "{:?} leaves the figure",
            text.words
        );
        for other in &texts[..index] {
            let overlap = text.area.meets(&other.area);
            assert!(!overlap, "{:?} overlaps {:?}", text.words, other.words);
        }
    }
}

fn assert_well_laid_out(figure: &Figure) {
    let elements = elements(figure);
    assert_apart(figure, &elements);
    for element in elements {
        let area = element.area.grown(1.0);
        let inside = element.name == "text" || area.is_within(figure);
        assert!(inside, "{} at {area:?} leaves the figure", element.name);
    }
}
