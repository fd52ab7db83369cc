//! File formats of figures.

partita_named::named_enum! {
    /// File format of a figure.
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
    /// Returns the format that the extension of a file name stands for, or `None` if it is unknown.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        ending.to_ascii_lowercase().parse().ok()
    }
}
