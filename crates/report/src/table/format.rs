//! The registry of table formats.

use super::{Table, Terminal};

/// Makes the enum and everything that depends on the list of its formats, so
/// that a format is named once: `Variant = "name", module, "what it is";`.
macro_rules! table_formats {
    ($($variant:ident = $name:literal, $module:ident, $about:literal;)+) => {
        partita_named::named_enum! {
            /// A format in which a [`Table`] can be written.
            ///
            /// ```
            /// use partita_report::TableFormat;
            /// use partita_named::Named;
            ///
            /// let format: TableFormat = "latex".parse()?;
            /// assert_eq!(format, TableFormat::Latex);
            /// let names: Vec<_> = TableFormat::ALL.iter().map(|f| f.name()).collect();
            /// assert!(names.contains(&"markdown"));
            /// # Ok::<(), partita_named::UnknownNameError>(())
            /// ```
            #[non_exhaustive]
            pub enum TableFormat: "table format" {
                $(#[doc = $about] $variant = $name,)+
            }
        }

        impl TableFormat {
            /// The table in this format. It ends with a line feed.
            pub fn render(self, table: &Table) -> String {
                match self { $(Self::$variant => super::$module::write(table),)+ }
            }

            /// The table in this format for a screen, whose width matters to a text alone.
            #[must_use]
            pub fn render_on(self, table: &Table, screen: Terminal) -> String {
                match self {
                    Self::Text => super::plain_text::write_on(table, screen),
                    other => other.render(table),
                }
            }

            /// The text as this format shows it literally.
            pub fn escaped(self, text: &str) -> String {
                match self { $(Self::$variant => super::$module::escaped(text),)+ }
            }
        }
    };
}

table_formats! {
    Text = "table", plain_text, "For a person";
    Latex = "latex", latex, "For a paper; needs the booktabs package";
    MediaWiki = "mediawiki", mediawiki, "For a wiki that runs MediaWiki";
    Markdown = "markdown", markdown, "For a README";
}
