//! Encoding of a figure as SVG, PDF or PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::pdf::normalise_object_order;
use super::scene::Figure;
use crate::figure::file_format::FigureFormat;

/// Fonts of PDF and PNG figures, regular and bold. Liberation Sans has the metrics of Helvetica and
/// Arial, by which figures are laid out. Its licence is in the same folder.
const EMBEDDED_FONTS: [&[u8]; 2] = [
    include_bytes!("../../../fonts/LiberationSans-Regular.ttf"),
    include_bytes!("../../../fonts/LiberationSans-Bold.ttf"),
];

/// Pixels per figure unit. A unit is a CSS pixel (1/96 inch), so this gives 300 dpi.
const DOTS_PER_UNIT: f32 = 300.0 / 96.0;

/// Maximum side length of a PNG in pixels. Larger figures get a lower resolution.
const MAX_PNG_SIDE: f32 = 10_000.0;

impl Figure {
    /// Encodes the figure as SVG, PDF or PNG.
    ///
    /// The bytes are the same on every machine, except for PDF and PNG if a text has characters
    /// that the embedded fonts lack (beyond Latin, Greek, Cyrillic, Hebrew and common symbols),
    /// which need system fonts.
    #[must_use]
    pub fn encode(&self, format: FigureFormat) -> Vec<u8> {
        match format {
            FigureFormat::Svg => self.to_svg().into_bytes(),
            FigureFormat::Pdf => {
                let options = svg2pdf::ConversionOptions::default();
                let page = svg2pdf::PageOptions { dpi: 96.0 };
                let pdf = svg2pdf::to_pdf(&self.svg_tree(), options, page);
                normalise_object_order(&pdf.expect("our own SVG has nothing that PDF cannot hold"))
            }
            FigureFormat::Png => self.to_png(),
        }
    }

    fn to_png(&self) -> Vec<u8> {
        let tree = self.svg_tree();
        let size = tree.size();
        let longest = size.width().max(size.height());
        let scale = DOTS_PER_UNIT.min(MAX_PNG_SIDE / longest);
        let dots = |side: f32| (side * scale).ceil().max(1.0) as u32;
        let picture = Pixmap::new(dots(size.width()), dots(size.height()));
        let mut picture = picture.expect("a figure has a size, and it is bounded");
        let scaled = Transform::from_scale(scale, scale);
        resvg::render(&tree, scaled, &mut picture.as_mut());
        picture
            .encode_png()
            .expect("a picture in memory can be written")
    }

    /// Parses the SVG of the figure for the PDF and PNG writers, with the fonts that it needs.
    fn svg_tree(&self) -> usvg::Tree {
        let svg = self.to_svg();
        let mut options = usvg::Options::default();
        let fonts = Arc::make_mut(&mut options.fontdb);
        for face in EMBEDDED_FONTS {
            fonts.load_font_data(face.to_vec());
        }
        if svg.chars().any(needs_other_fonts) {
            fonts.load_system_fonts();
        }
        options.font_resolver.select_font = Box::new(|font, fonts| {
            fonts.query(&fontdb::Query {
                families: &[fontdb::Family::Name("Liberation Sans")],
                weight: fontdb::Weight(font.weight()),
                ..fontdb::Query::default()
            })
        });
        usvg::Tree::from_str(&svg, &options).expect("our own SVG is well formed")
    }
}

/// Returns true if the embedded font probably lacks the character. It covers Latin, Greek,
/// Cyrillic, Hebrew, and common punctuation, arrows and mathematical symbols.
fn needs_other_fonts(letter: char) -> bool {
    !matches!(u32::from(letter), 0..0x600 | 0x1E00..0x2700)
}
