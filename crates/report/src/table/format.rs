//! Table formats and their renderers.

use super::{Table, Terminal, latex, markdown, mediawiki, plain_text};

partita_named::named_enum! {
    /// Output format of a [`Table`].
    ///
    /// ```
    /// use partita_report::TableFormat;
    /// use partita_named::NamedEnum;
    ///
    /// let format: TableFormat = "latex".parse()?;
    /// assert_eq!(format, TableFormat::Latex);
    /// let names: Vec<_> = TableFormat::VARIANTS.iter().map(|f| f.name()).collect();
    /// assert!(names.contains(&"markdown"));
    /// # Ok::<(), partita_named::UnknownNameError>(())
    /// ```
    #[non_exhaustive]
    pub enum TableFormat: "table format" {
        /// Plain text for people to read
        Text = "table",
        /// LaTeX for a paper; needs the booktabs package
        Latex = "latex",
        /// Markup for a wiki that runs MediaWiki
        MediaWiki = "mediawiki",
        /// Markdown, as for a README
        Markdown = "markdown",
    }
}

impl TableFormat {
    /// Renders the table in this format, with a final line feed.
    pub fn render(self, table: &Table) -> String {
        self.render_on(table, Terminal::default())
    }

    /// Renders the table for a terminal. Only [`TableFormat::Text`] depends on the width of the
    /// terminal.
    #[must_use]
    pub fn render_on(self, table: &Table, terminal: Terminal) -> String {
        match self {
            Self::Text => plain_text::write(table, terminal),
            Self::Latex => latex::write(table),
            Self::MediaWiki => mediawiki::write(table),
            Self::Markdown => markdown::write(table),
        }
    }

    /// Escapes text so that the format shows it literally.
    pub fn escaped(self, text: &str) -> String {
        match self {
            Self::Text => plain_text::escaped(text),
            Self::Latex => latex::escaped(text),
            Self::MediaWiki => mediawiki::escaped(text),
            Self::Markdown => markdown::escaped(text),
        }
    }
}
