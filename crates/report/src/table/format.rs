//! Registry of table formats.

use super::{Table, Terminal};

/// Defines the enum and all functions that depend on the list of formats, so that each format is
/// declared once: `Variant = "name", module, "summary";`.
macro_rules! table_formats {
    ($($variant:ident = $name:literal, $module:ident, $about:literal;)+) => {
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
                $(#[doc = $about] $variant = $name,)+
            }
        }

        impl TableFormat {
            /// Renders the table in this format, with a final line feed.
            pub fn render(self, table: &Table) -> String {
                match self { $(Self::$variant => super::$module::write(table),)+ }
            }

            /// Renders the table for a terminal. Only [`TableFormat::Text`] depends on its width.
            #[must_use]
            pub fn render_on(self, table: &Table, terminal: Terminal) -> String {
                match self {
                    Self::Text => super::plain_text::write_on(table, terminal),
                    other => other.render(table),
                }
            }

            /// Escapes text so that the format shows it literally.
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
