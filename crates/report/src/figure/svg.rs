//! The figure as SVG: self-contained, and the same bytes for the same scene.
//!
//! There are no ids in it, so that many figures can stand in one HTML page; what
//! is clipped is therefore a nested `svg`, which clips by itself.

use std::fmt::Write;

use super::scene::{Anchor, Area, Figure, Fill, Point, Shape, Stroke, Text};

const FONT: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

impl Figure {
    /// The figure as an SVG document.
    ///
    /// It uses no style sheet, script, id or outside resource. Coordinates have
    /// at most two decimals. Characters that XML 1.0 forbids become spaces.
    ///
    /// ```
    /// use partita_report::mean_recall_figure;
    ///
    /// let svg = mean_recall_figure(&[]).to_svg();
    /// assert!(svg.contains("viewBox=\"0 0 480 96\""));
    /// assert!(svg.contains("<title>Mean dynamic recall</title>"));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (width, height) = (decimal(self.width), decimal(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONT}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n",
            escaped(&self.title),
            escaped(&self.description),
        );
        for shape in &self.shapes {
            write_shape(&mut out, shape);
        }
        out + "</svg>\n"
    }
}

fn write_shape(out: &mut String, shape: &Shape) {
    *out += &match shape {
        Shape::Line { from, to, stroke } => format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n",
            decimal(from.x),
            decimal(from.y),
            decimal(to.x),
            decimal(to.y),
            stroke_attributes(stroke)
        ),
        Shape::Polyline { points, stroke } => format!(
            "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\"{}/>\n",
            coordinates(points),
            stroke_attributes(stroke)
        ),
        Shape::Polygon {
            points,
            fill,
            outline,
        } => format!(
            "<polygon points=\"{}\" stroke-linejoin=\"round\"{}{}/>\n",
            coordinates(points),
            fill_attributes(fill),
            outline_attributes(outline.as_ref())
        ),
        Shape::Rect {
            area,
            corner,
            fill,
            outline,
        } => {
            let round = match *corner > 0.0 {
                true => format!(" rx=\"{}\"", decimal(*corner)),
                false => String::new(),
            };
            format!(
                "<rect{}{round}{}{}/>\n",
                area_attributes(area),
                fill_attributes(fill),
                outline_attributes(outline.as_ref())
            )
        }
        Shape::Arc {
            from,
            to,
            reach,
            stroke,
        } => format!(
            "<path d=\"M{} {}A{} {} 0 0 {} {} {}\" fill=\"none\"{}/>\n",
            decimal(from.x),
            decimal(from.y),
            decimal(reach.abs()),
            decimal((to.y - from.y).abs() / 2.0),
            // Downwards and to the right is clockwise.
            u8::from((*reach > 0.0) == (to.y > from.y)),
            decimal(to.x),
            decimal(to.y),
            stroke_attributes(stroke)
        ),
        Shape::Circle {
            centre,
            radius,
            fill,
        } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
            decimal(centre.x),
            decimal(centre.y),
            decimal(*radius),
            fill_attributes(fill)
        ),
        Shape::Text(text) => text_element(text),
        Shape::Group {
            title,
            clip,
            shapes,
        } => return write_group(out, title.as_deref(), clip.as_ref(), shapes),
    };
}

fn write_group(out: &mut String, title: Option<&str>, clip: Option<&Area>, shapes: &[Shape]) {
    let name = match clip {
        Some(area) => {
            let view = format!(
                "{} {} {} {}",
                decimal(area.left),
                decimal(area.top),
                decimal(area.width),
                decimal(area.height)
            );
            let place = area_attributes(area);
            *out += &format!("<svg{place} viewBox=\"{view}\" overflow=\"hidden\">\n");
            "svg"
        }
        None => {
            *out += "<g>\n";
            "g"
        }
    };
    if let Some(title) = title {
        *out += &format!("<title>{}</title>\n", escaped(title));
    }
    for shape in shapes {
        write_shape(out, shape);
    }
    *out += &format!("</{name}>\n");
}

fn text_element(text: &Text) -> String {
    let (x, y) = (decimal(text.at.x), decimal(text.at.y));
    let mut out = format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"",
        decimal(text.size),
        text.colour
    );
    out += match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    if text.bold {
        out += " font-weight=\"bold\"";
    }
    if text.turn != 0.0 {
        let turn = decimal(text.turn);
        out += &format!(" transform=\"rotate({turn} {x} {y})\"");
    }
    if text.halo {
        out += " stroke=\"#FFFFFF\" stroke-width=\"3\" stroke-linejoin=\"round\" \
                paint-order=\"stroke\"";
    }
    out.push('>');
    if let Some(whole) = &text.whole {
        out += &format!("<title>{}</title>", escaped(whole));
    }
    out += &escaped(&text.text);
    out + "</text>\n"
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let mut out = format!(
        " stroke=\"{}\" stroke-width=\"{}\"",
        stroke.colour,
        decimal(stroke.width)
    );
    if !stroke.dashes.is_empty() {
        let dashes: Vec<String> = stroke.dashes.iter().map(|d| decimal(*d)).collect();
        out += &format!(" stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    if stroke.opacity < 1.0 {
        out += &format!(" stroke-opacity=\"{}\"", decimal(stroke.opacity));
    }
    out
}

fn outline_attributes(outline: Option<&Stroke>) -> String {
    outline.map(stroke_attributes).unwrap_or_default()
}

fn fill_attributes(fill: &Fill) -> String {
    let mut out = format!(" fill=\"{}\"", fill.colour);
    if fill.opacity < 1.0 {
        out += &format!(" fill-opacity=\"{}\"", decimal(fill.opacity));
    }
    out
}

fn area_attributes(area: &Area) -> String {
    format!(
        " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        decimal(area.left),
        decimal(area.top),
        decimal(area.width),
        decimal(area.height)
    )
}

fn coordinates(points: &[Point]) -> String {
    let mut out = String::with_capacity(points.len() * 13);
    for (index, point) in points.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(out, "{space}{},{}", decimal(point.x), decimal(point.y));
    }
    out
}

/// The number with at most two decimals and nothing that can be left out.
fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// The text as XML shows it literally, on one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_at_most_two_decimals_and_no_trailing_zeros() {
        let written: Vec<String> = [1.0, 0.5, -0.001, 12.345_678, -3.10, 100.0]
            .iter()
            .map(|value| decimal(*value))
            .collect();
        assert_eq!(written, ["1", "0.5", "0", "12.35", "-3.1", "100"]);
    }

    #[test]
    fn characters_forbidden_in_xml_become_spaces() {
        assert_eq!(
            escaped("a\0b\u{1b}[31m\u{ffff}&\"'"),
            "a b [31m &amp;&quot;&#39;"
        );
    }
}
