//! Destinations of figures: a file or a folder.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use partita::report::{Figure, FigureFormat};

use super::destination::{create_folder, is_folder_path, write_file};
use super::error::CliError;
use crate::commands::features;

/// Destination of figures: a file whose extension gives the format, or a folder for all figures.
#[derive(Clone, Debug)]
pub(crate) enum FigureTarget {
    File(String, FigureFormat),
    Folder(String),
}

impl FromStr for FigureTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if is_folder_path(text) {
            return Ok(Self::Folder(text.to_owned()));
        }
        let format = FigureFormat::from_file_name(text).ok_or(
            "a figure is written to a file that ends in .svg, .pdf or .png, or to a folder, as in `figures/`",
        )?;
        if !features::PDF.is_built_in() && format != FigureFormat::Svg {
            return Err(features::PDF.to_string());
        }
        Ok(Self::File(text.to_owned(), format))
    }
}

impl FigureTarget {
    /// Returns true if all figures are requested, each in its own file.
    pub(crate) fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(_))
    }

    /// Writes the figures of lists. A single file accepts one list only.
    pub(crate) fn write_one_per_list(
        &self,
        figures: impl ExactSizeIterator<Item = (String, Figure)>,
    ) -> Result<(), CliError> {
        let lists = figures.len();
        if lists > 1 && !self.is_folder() {
            let message = format!("a figure shows one list, but there are {lists}");
            return Err(
                CliError::input(message).with_hint("name a folder, as in `--figure figures/`")
            );
        }
        self.write(figures)
    }

    /// Writes each figure to its own file in a folder, or only the first figure to a single file.
    /// Further figures must therefore be optional views of the same data.
    pub(crate) fn write(
        &self,
        figures: impl IntoIterator<Item = (String, Figure)>,
    ) -> Result<(), CliError> {
        let mut figures = figures.into_iter();
        match self {
            Self::File(file, format) => match figures.next() {
                Some((_, figure)) => write_file(file, encode(&figure, *format)),
                None => Ok(()),
            },
            Self::Folder(folder) => {
                create_folder(folder)?;
                let mut taken = HashSet::new();
                figures.try_for_each(|(name, figure)| {
                    let mut name = file_name(&name);
                    while !taken.insert(name.clone()) {
                        name.push('_');
                    }
                    let file = Path::new(folder).join(format!("{name}.svg"));
                    write_file(file, figure.to_svg())
                })
            }
        }
    }
}

#[cfg(feature = "pdf")]
fn encode(figure: &Figure, format: FigureFormat) -> Vec<u8> {
    figure.encode(format)
}

/// Returns the figure as SVG, the only format that [`FigureTarget`] accepts without the feature
/// `pdf`.
#[cfg(not(feature = "pdf"))]
fn encode(figure: &Figure, _format: FigureFormat) -> Vec<u8> {
    figure.to_svg().into_bytes()
}

/// Returns a portable file name: path separators and characters that some systems forbid become
/// `_`.
pub(crate) fn file_name(name: &str) -> String {
    let safe = |letter: char| match letter {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        letter if letter.is_control() => '_',
        letter => letter,
    };
    let name: String = name.chars().map(safe).collect();
    if name.starts_with('.') {
        name.replacen('.', "_", 1)
    } else {
        name
    }
}
