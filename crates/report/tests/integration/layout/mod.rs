//! Tests of the layout of figures: for all names, texts do not overlap and nothing is drawn outside
//! the figure.

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

/// Widths of the characters from space to tilde in Helvetica, in thousandths of the font size
/// (Adobe font metrics). The tests measure texts with their own copy, independently of the layout
/// code.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Factor on text widths for readers who see a font wider than Helvetica.
const SAFETY_FACTOR: f64 = 1.15;
/// Width of bold text relative to regular text.
const BOLD_WIDTH_FACTOR: f64 = 1.16;
/// Tolerance of comparisons, because coordinates in an SVG are rounded to two decimals.
const TOLERANCE: f64 = 0.02;

/// Axis-parallel rectangle.
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

    fn enlarged(self, margin: f64) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// Returns true if the two rectangles share more than an edge.
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right - TOLERANCE
            && other.left < self.right - TOLERANCE
            && self.top < other.bottom - TOLERANCE
            && other.top < self.bottom - TOLERANCE
    }

    fn is_within(&self, figure: &Figure) -> bool {
        self.left >= -TOLERANCE
            && self.top >= -TOLERANCE
            && self.right <= figure.width + TOLERANCE
            && self.bottom <= figure.height + TOLERANCE
    }
}

/// SVG element of a figure with its bounding box, which ignores the line width of shapes.
struct Element {
    name: String,
    area: Area,
    /// Content of a text element; empty for shapes.
    words: String,
    /// Points of a polyline or polygon; empty for other elements.
    points: Vec<(f64, f64)>,
    /// True for a rectangle with round corners.
    is_round: bool,
}

/// Returns a numeric attribute of a node.
fn number(node: Node, name: &str) -> f64 {
    let value = node.attribute(name).expect("an attribute");
    value.parse().expect("a number")
}

/// Returns the width of a text relative to its font size.
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

/// Returns the bounding box of a text, from the baseline to the top of capital letters.
fn text_area(node: Node, words: &str) -> Area {
    let (x, y, size) = (
        number(node, "x"),
        number(node, "y"),
        number(node, "font-size"),
    );
    let bold = if node.has_attribute("font-weight") {
        BOLD_WIDTH_FACTOR
    } else {
        1.0
    };
    let (width, height) = (width(words) * SAFETY_FACTOR * bold * size, 0.75 * size);
    let before = match node.attribute("text-anchor") {
        None => 0.0,
        Some("middle") => width / 2.0,
        Some(_) => width,
    };
    if node.has_attribute("transform") {
        // Rotated text runs upwards.
        Area::around(&[(x - height, y + before), (x, y + before - width)])
    } else {
        Area::around(&[(x - before, y - height), (x - before + width, y)])
    }
}

/// Returns the bounding box of half an ellipse with the SVG path
/// `M x yA width half_height 0 0 clockwise x y`, from its upper to its lower end.
fn arc_area(path: &str) -> Area {
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

/// Returns all texts and shapes of a figure.
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
            "text" => text_area(node, &words),
            "line" => Area::around(&[(number("x1"), number("y1")), (number("x2"), number("y2"))]),
            "polyline" | "polygon" => Area::around(&points),
            "rect" if node.has_attribute("x") => {
                let (x, y) = (number("x"), number("y"));
                Area::around(&[(x, y), (x + number("width"), y + number("height"))])
            }
            "circle" => Area::around(&[(number("cx"), number("cy"))]).enlarged(number("r")),
            "path" => arc_area(node.attribute("d").expect("a path")),
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

/// Returns the elements with a tag name.
fn named<'e>(elements: &'e [Element], name: &str) -> Vec<&'e Element> {
    elements
        .iter()
        .filter(|element| element.name == name)
        .collect()
}

fn assert_texts_do_not_overlap(figure: &Figure) {
    assert_texts_inside_and_apart(figure, &elements(figure));
}

/// Asserts that all texts are inside the figure and do not overlap each other.
fn assert_texts_inside_and_apart(figure: &Figure, elements: &[Element]) {
    let texts = named(elements, "text");
    for (index, text) in texts.iter().enumerate() {
        assert!(
            text.area.is_within(figure),
            "{:?} leaves the figure",
            text.words
        );
        for other in &texts[..index] {
            let overlap = text.area.overlaps(&other.area);
            assert!(!overlap, "{:?} overlaps {:?}", text.words, other.words);
        }
    }
}

/// Asserts that texts do not overlap and that texts and shapes are inside the figure.
fn assert_well_laid_out(figure: &Figure) {
    let elements = elements(figure);
    assert_texts_inside_and_apart(figure, &elements);
    for element in elements {
        let area = element.area.enlarged(1.0);
        let inside = element.name == "text" || area.is_within(figure);
        assert!(inside, "{} at {area:?} leaves the figure", element.name);
    }
}
