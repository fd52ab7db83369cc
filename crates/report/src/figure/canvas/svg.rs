//! SVG writer: self-contained and deterministic.
//!
//! The SVG has no ids, so many figures can be in one HTML page. Clipping therefore uses a nested
//! `svg` element, which clips its content.

use super::scene::{Anchor, Area, Figure, Fill, Point, Shape, Stroke, Text};
use crate::phrases::join;

/// CSS font family of all texts.
const FONT_FAMILY: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

impl Figure {
    /// Renders the figure as an SVG document.
    ///
    /// It uses no style sheet, script, id or external resource. Coordinates have at most two
    /// decimals. Characters that XML 1.0 forbids become spaces.
    ///
    /// ```
    /// use partita_report::mean_recall_figure;
    ///
    /// let svg = mean_recall_figure(&[]).to_svg();
    /// assert!(svg.contains("viewBox=\"0 0 480 96\""));
    /// assert!(svg.contains("<title>Mean dynamic recall</title>"));
    /// ```
    pub fn to_svg(&self) -> String {
        let (width, height) = (decimal(self.width), decimal(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONT_FAMILY}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n",
            escape_xml(&self.title),
            escape_xml(&self.description),
        );
        for shape in &self.shapes {
            write_shape(&mut out, shape);
        }
        out + "</svg>\n"
    }
}

fn write_shape(out: &mut String, shape: &Shape) {
    let written = match shape {
        Shape::Line(from, to, stroke) => {
            let ends = [("x1", from.x), ("y1", from.y), ("x2", to.x), ("y2", to.y)];
            format!(
                "<line{}{}/>\n",
                numeric_attributes(&ends),
                stroke_attributes(stroke)
            )
        }
        Shape::Polyline(points, stroke) => format!(
            "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\"{}/>\n",
            coordinates(points),
            stroke_attributes(stroke)
        ),
        Shape::Polygon(points, fill, outline) => format!(
            "<polygon points=\"{}\" stroke-linejoin=\"round\"{}{}/>\n",
            coordinates(points),
            fill_attributes(fill),
            outline_attributes(outline)
        ),
        Shape::Rect(area, corner, fill, outline) => {
            let round = Some(("rx", *corner)).filter(|(_, corner)| *corner > 0.0);
            let round = numeric_attributes(round.as_slice());
            let place = area_attributes(area);
            format!(
                "<rect{place}{round}{}{}/>\n",
                fill_attributes(fill),
                outline_attributes(outline)
            )
        }
        Shape::Arc(from, to, reach, stroke) => format!(
            "<path d=\"M{} {}A{} {} 0 0 {} {} {}\" fill=\"none\"{}/>\n",
            decimal(from.x),
            decimal(from.y),
            decimal(reach.abs()),
            decimal((to.y - from.y).abs() / 2.0),
            // Sweep flag of SVG: 1 (clockwise) for an arc drawn downwards and curved to the right.
            u8::from((*reach > 0.0) == (to.y > from.y)),
            decimal(to.x),
            decimal(to.y),
            stroke_attributes(stroke)
        ),
        Shape::Circle(centre, radius, colour) => {
            let place = [("cx", centre.x), ("cy", centre.y), ("r", *radius)];
            format!(
                "<circle{} fill=\"{colour}\"/>\n",
                numeric_attributes(&place)
            )
        }
        Shape::Text(text) => text_element(text),
        Shape::WithTooltip(title, shapes) => {
            *out += &format!("<g>\n<title>{}</title>\n", escape_xml(title));
            shapes.iter().for_each(|shape| write_shape(out, shape));
            "</g>\n".to_owned()
        }
        Shape::Clip(area, shapes) => {
            let view = [area.left, area.top, area.width, area.height].map(decimal);
            let (place, view) = (area_attributes(area), view.join(" "));
            *out += &format!("<svg{place} viewBox=\"{view}\" overflow=\"hidden\">\n");
            shapes.iter().for_each(|shape| write_shape(out, shape));
            "</svg>\n".to_owned()
        }
    };
    *out += &written;
}

fn text_element(text: &Text) -> String {
    let (x, y, size) = (decimal(text.at.x), decimal(text.at.y), decimal(text.size));
    let colour = text.colour;
    let mut out = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\"");
    out += match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    if text.bold {
        out += " font-weight=\"bold\"";
    }
    if text.upwards {
        out += &format!(" transform=\"rotate(-90 {x} {y})\"");
    }
    if text.halo {
        out += " stroke=\"#FFFFFF\" stroke-width=\"3\" stroke-linejoin=\"round\" \
                paint-order=\"stroke\"";
    }
    out.push('>');
    if let Some(whole) = &text.whole {
        out += &format!("<title>{}</title>", escape_xml(whole));
    }
    out + &escape_xml(&text.text) + "</text>\n"
}

/// Formats numeric SVG attributes given as (name, value).
fn numeric_attributes(attributes: &[(&str, f64)]) -> String {
    let written = |(name, value): &(&str, f64)| format!(" {name}=\"{}\"", decimal(*value));
    attributes.iter().map(written).collect()
}

/// Returns the SVG attributes of a stroke.
fn stroke_attributes(stroke: &Stroke) -> String {
    let mut out = format!(" stroke=\"{}\"", stroke.colour);
    out += &numeric_attributes(&[("stroke-width", stroke.width)]);
    if !stroke.dashes.is_empty() {
        let dashes = join(stroke.dashes.iter().map(|dash| decimal(*dash)), " ");
        out += &format!(" stroke-dasharray=\"{dashes}\"");
    }
    if stroke.opacity < 1.0 {
        out += &numeric_attributes(&[("stroke-opacity", stroke.opacity)]);
    }
    out
}

/// Returns the SVG attributes of an optional stroke.
fn outline_attributes(outline: &Option<Stroke>) -> String {
    outline.as_ref().map_or_else(String::new, stroke_attributes)
}

/// Returns the SVG attributes of a fill.
fn fill_attributes(fill: &Fill) -> String {
    let colour = format!(" fill=\"{}\"", fill.colour);
    if fill.opacity < 1.0 {
        colour + &numeric_attributes(&[("fill-opacity", fill.opacity)])
    } else {
        colour
    }
}

/// Returns the SVG attributes of the position and size of a rectangle.
fn area_attributes(area: &Area) -> String {
    let corner = [("x", area.left), ("y", area.top)];
    numeric_attributes(&corner)
        + &numeric_attributes(&[("width", area.width), ("height", area.height)])
}

/// Formats points as the `points` attribute of a polyline or polygon.
fn coordinates(points: &[Point]) -> String {
    let written = |point: &Point| format!("{},{}", decimal(point.x), decimal(point.y));
    join(points.iter().map(written), " ")
}

/// Formats a number with at most two decimals and no trailing zeros.
fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

/// Escapes the text for XML, on one line.
fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c => out.push(if c.is_control() { ' ' } else { c }),
        }
    }
    out
}
