//! The registry of table formats.

use std::fmt;
use std::str::FromStr;

use super::{Table, latex, markdown, mediawiki, text};

/// Makes the enum and everything that depends on the list of its formats, so
/// that a format is named once: `Variant, "name", writer, "what it is";`.
macro_rules! table_formats {
    ($($variant:ident, $name:literal, $write:path, $about:literal;)+) => {
        /// A format in which a [`Table`] can be written.
        ///
        /// ```
        /// use partita_report::TableFormat;
        ///
        /// let format: TableFormat = "latex".parse()?;
        /// assert_eq!(format, TableFormat::Latex);
        /// let names: Vec<_> = TableFormat::ALL.iter().map(|f| f.name()).collect();
        /// assert_eq!(names, ["text", "latex", "mediawiki", "markdown"]);
        /// # Ok::<(), partita_report::UnknownTableFormat>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum TableFormat {
            $(#[doc = $about] $variant,)+
        }

        impl TableFormat {
            /// Every format, in the order in which they are offered.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name by which the format is asked for.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// One line that says what the format is for.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)+ }
            }

            /// The table in this format. It ends with a line feed.
            #[must_use]
            pub fn render(self, table: &Table) -> String {
                match self { $(Self::$variant => $write(table),)+ }
            }
        }
    };
}

table_formats! {
    Text, "text", text::write, "Plain text for a terminal.";
    Latex, "latex", latex::write, "LaTeX for a paper; needs the booktabs package.";
    MediaWiki, "mediawiki", mediawiki::write, "A sortable table for a wiki that runs MediaWiki.";
    Markdown, "markdown", markdown::write, "A pipe table for Markdown (GitHub).";
}

/// No table format has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown table format \"{name}\"; there are: {}", known())]
pub struct UnknownTableFormat {
    /// The name that was asked for.
    pub name: String,
}

fn known() -> String {
    let names: Vec<_> = TableFormat::ALL.iter().map(|f| f.name()).collect();
    names.join(", ")
}

impl FromStr for TableFormat {
    type Err = UnknownTableFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|format| format.name() == name);
        found.copied().ok_or_else(|| UnknownTableFormat {
            name: name.to_owned(),
        })
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
