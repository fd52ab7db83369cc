//! File formats of figures.

partita_named::named_enum! {
    /// What a figure is written as.
    pub enum FigureFormat: "format of figures" {
        /// Scalable, for pages and further drawing
        Svg = "svg",
        /// Scalable, for print, with its typeface embedded
        Pdf = "pdf",
        /// A picture of 300 dots per inch
        Png = "png",
    }
}

impl FigureFormat {
    /// Returns the format named by the ending of a file name, if it names one.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        ending.to_ascii_lowercase().parse().ok()
    }
}
