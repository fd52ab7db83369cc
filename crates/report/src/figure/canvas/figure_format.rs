//! The figure as a file that can be printed or put on a page: SVG, PDF or PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::pdf::normalise_object_order;
use super::scene::Figure;
use crate::figure::file_format::FigureFormat;

/// The typeface of printed figures, which has the widths that figures are laid out by: that of
/// Helvetica and Arial. Its licence is beside it.
const TYPEFACE: [&[u8]; 2] = [
    include_bytes!("../../../fonts/LiberationSans-Regular.ttf"),
    include_bytes!("../../../fonts/LiberationSans-Bold.ttf"),
];

/// Dots of a picture for every unit of a figure, which is a CSS pixel (1/96 inch): 300 per inch.
const DOTS_PER_UNIT: f32 = 300.0 / 96.0;

/// No side of a picture is longer, in dots: beyond it they are made coarser.
const LONGEST_SIDE: f32 = 10_000.0;

impl Figure {
    /// The bytes of the figure in a format.
    ///
    /// They are the same on every machine, unless a name has letters beyond Latin, Greek and Cyrillic,
    /// which are taken from the fonts of the system.
    #[must_use]
    pub fn encode(&self, format: FigureFormat) -> Vec<u8> {
        match format {
            FigureFormat::Svg => self.to_svg().into_bytes(),
            FigureFormat::Pdf => {
                let options = svg2pdf::ConversionOptions::default();
                let page = svg2pdf::PageOptions { dpi: 96.0 };
                let pdf = svg2pdf::to_pdf(&self.tree(), options, page);
                normalise_object_order(&pdf.expect("our own SVG has nothing that PDF cannot hold"))
            }
            FigureFormat::Png => self.to_png(),
        }
    }

    fn to_png(&self) -> Vec<u8> {
        let tree = self.tree();
        let size = tree.size();
        let longest = size.width().max(size.height());
        let scale = DOTS_PER_UNIT.min(LONGEST_SIDE / longest);
        let dots = |side: f32| (side * scale).ceil().max(1.0) as u32;
        let picture = Pixmap::new(dots(size.width()), dots(size.height()));
        let mut picture = picture.expect("a figure has a size, and it is bounded");
        let scaled = Transform::from_scale(scale, scale);
        resvg::render(&tree, scaled, &mut picture.as_mut());
        picture
            .encode_png()
            .expect("a picture in memory can be written")
    }

    fn tree(&self) -> usvg::Tree {
        let svg = self.to_svg();
        let mut options = usvg::Options::default();
        let fonts = Arc::make_mut(&mut options.fontdb);
        for face in TYPEFACE {
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

/// Whether our typeface is unlikely to have this letter: it has Latin, Greek, Cyrillic, Hebrew, and the
/// usual punctuation, arrows and mathematics.
fn needs_other_fonts(letter: char) -> bool {
    !matches!(u32::from(letter), 0..0x600 | 0x1E00..0x2700)
}
