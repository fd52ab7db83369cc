//! Helpers that read the SVG of a figure, and a test of its numbers and characters.

use partita_report::Figure;
use roxmltree::Document;

/// Returns the content of every text element, in document order.
pub(crate) fn words(figure: &Figure) -> Vec<String> {
    let svg = figure.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            node.children()
                .filter(roxmltree::Node::is_text)
                .filter_map(|child| child.text())
                .collect()
        })
        .collect()
}

/// Asserts that the SVG is well-formed, begins with a title and a description, and refers to
/// nothing outside itself.
pub(crate) fn assert_self_contained(figure: &Figure) {
    let svg = figure.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let root = document.root_element();
    assert!(root.has_tag_name("svg") && root.has_attribute("viewBox"));
    let mut heads = root.children().filter(roxmltree::Node::is_element);
    assert!(heads.next().is_some_and(|node| node.has_tag_name("title")));
    assert!(heads.next().is_some_and(|node| node.has_tag_name("desc")));
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        let name = attribute.name();
        assert!(
            !matches!(name, "id" | "href" | "style" | "onload"),
            "{name}"
        );
        assert!(!attribute.value().contains("NaN") && !attribute.value().contains("inf"));
    }
}

/// Returns the points of every element with this tag name, in document order.
pub(crate) fn points(figure: &Figure, element: &str) -> Vec<Vec<(f64, f64)>> {
    let svg = figure.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let all = document
        .descendants()
        .filter(|node| node.has_tag_name(element));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    all.filter_map(|node| node.attribute("points"))
        .map(|points| {
            let pairs = points.split(' ').filter_map(|point| point.split_once(','));
            pairs.map(|(x, y)| (number(x), number(y))).collect()
        })
        .collect()
}

/// Returns a numeric attribute of every element with this tag name, in document order.
pub(crate) fn attributes(figure: &Figure, element: &str, name: &str) -> Vec<f64> {
    let svg = figure.to_svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let all = document
        .descendants()
        .filter(|node| node.has_tag_name(element));
    all.filter_map(|node| node.attribute(name))
        .map(|value| value.parse().expect("a number"))
        .collect()
}

#[test]
fn numbers_have_at_most_two_decimals_and_characters_that_xml_forbids_become_spaces() {
    let mut plots = partita_report::BoxPlots::new("a\0b\u{1b}[31m\u{ffff}&\"'", ["c"]);
    plots.push("quantity", vec![vec![1.0 / 3.0, 2.0, 10.0, -7.0]]);
    let svg = partita_report::box_plot_figure(&plots).to_svg();
    assert!(
        svg.contains("<title>a b [31m &amp;&quot;&#39;</title>"),
        "{svg}"
    );
    let document = Document::parse(&svg).expect("well-formed XML");
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        for number in attribute.value().split([' ', ',']) {
            if number.parse::<f64>().is_ok() {
                let decimals = number.split_once('.').map_or("5", |(_, decimals)| decimals);
                assert!(decimals.len() <= 2 && !decimals.ends_with('0'), "{number}");
                assert_ne!(number, "-0");
            }
        }
    }
}
