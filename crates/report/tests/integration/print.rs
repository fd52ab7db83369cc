//! Tests of figures as SVG, PNG and PDF files.

use partita_report::{Figure, FigureFormat, RecallCurve, RecallPanel, dynamic_recall_figure};

fn figure() -> Figure {
    let curve = RecallCurve::new("EMD", vec![1.0, 0.5, 1.0, 1.0, 0.8]);
    dynamic_recall_figure(&[RecallPanel::new("q", vec![2, 5], vec![curve])])
}

#[test]
fn the_file_extension_selects_the_format_in_any_letter_case() {
    let of = FigureFormat::from_file_name;
    assert_eq!(of("a.svg"), Some(FigureFormat::Svg));
    assert_eq!(of("figures/a.b.PDF"), Some(FigureFormat::Pdf));
    assert_eq!(of("a.Png"), Some(FigureFormat::Png));
    for other in ["a", "a.jpg", "a.", "svg", "a.svg.gz", ""] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn encoding_as_svg_returns_the_svg_text() {
    let figure = figure();
    assert_eq!(
        figure.encode(FigureFormat::Svg),
        figure.to_svg().into_bytes()
    );
}

#[test]
fn a_png_has_300_dots_per_inch() {
    let figure = figure();
    let png = figure.encode(FigureFormat::Png);
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[12..16], b"IHDR");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    let dots = |length: f64| (length * 300.0 / 96.0).ceil() as u32;
    assert_eq!(
        (side(16), side(20)),
        (dots(figure.width), dots(figure.height))
    );
}

#[test]
fn a_pdf_embeds_the_font_of_its_text() {
    let pdf = figure().encode(FigureFormat::Pdf);
    assert_eq!(&pdf[..5], b"%PDF-");
    let text = String::from_utf8_lossy(&pdf);
    assert!(
        text.contains("LiberationSans"),
        "the words are text in our typeface"
    );
    assert!(text.contains("/FontFile"), "which the file holds");
}

#[test]
fn the_cross_reference_table_of_a_pdf_has_the_offsets_of_its_objects() {
    let pdf = figure().encode(FigureFormat::Pdf);
    let text = String::from_utf8_lossy(&pdf);
    let (_, start) = text
        .rsplit_once("startxref\n")
        .expect("the place of the table");
    let start: usize = start
        .lines()
        .next()
        .and_then(|line| line.parse().ok())
        .expect("a number");
    let table = String::from_utf8_lossy(&pdf[start..]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("xref"));
    let count: usize = lines
        .next()
        .and_then(|line| line.strip_prefix("0 ")?.parse().ok())
        .expect("a count");
    for (number, line) in (0..count).zip(lines).skip(1) {
        let offset: usize = line[..10].parse().expect("an offset");
        let object = format!("{number} 0 obj");
        assert_eq!(&pdf[offset..offset + object.len()], object.as_bytes());
    }
}

#[test]
fn the_same_figure_gives_the_same_bytes_in_every_format() {
    for format in [FigureFormat::Svg, FigureFormat::Pdf, FigureFormat::Png] {
        assert!(
            figure().encode(format) == figure().encode(format),
            "{format}"
        );
    }
}
