//! Input of bytes from a file, standard input or memory; plain, gzip or zstd.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::zstd;
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError};

/// Named input that can be read more than once: a file, standard input, or memory.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    data: Data,
}

#[derive(Clone, Debug)]
enum Data {
    File(PathBuf),
    Memory(Vec<u8>),
}

impl Source {
    /// Opens the file of this name; `-` is standard input.
    pub fn open(name: &str) -> Result<Self, FormatError> {
        if name == "-" {
            let mut bytes = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| unreadable_error("standard input", &error))?;
            return Ok(Self::from_bytes("standard input", bytes));
        }
        let path = Path::new(name);
        let metadata = path
            .metadata()
            .map_err(|error| unreadable_error(name, &error))?;
        if metadata.is_dir() {
            let problem = diagnostic!(OtherFormat: "this is a directory, not a file");
            return Err(FormatError::in_file(name, problem)
                .with_remedy("name the files inside it, as in `DIR/*`"));
        }
        let data = if metadata.is_file() {
            Data::File(path.to_owned())
        } else {
            // A pipe, such as `<(...)`, can be read only once, so it is read into memory.
            let bytes = std::fs::read(path).map_err(|error| unreadable_error(name, &error))?;
            Data::Memory(bytes)
        };
        Ok(Self {
            name: name.to_owned(),
            data,
        })
    }

    /// Creates a source in memory; `name` stands for the file name in messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            data: Data::Memory(bytes.into()),
        }
    }

    /// Returns the file name, as given by the user.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the file name without its folders, its extension and a further extension `.gz` or
    /// `.zst`.
    pub fn stem(&self) -> &str {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        let name = name
            .strip_suffix(".gz")
            .or_else(|| name.strip_suffix(".zst"))
            .unwrap_or(name);
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }

    /// Returns the file name extension; `.gz` and `.zst` are skipped.
    pub(crate) fn extension(&self) -> Option<&str> {
        let name = self.name.strip_suffix(".gz");
        let name = name.or_else(|| self.name.strip_suffix(".zst"));
        Path::new(name.unwrap_or(&self.name)).extension()?.to_str()
    }

    /// Opens the source for reading from its beginning, decompressed if needed.
    pub(crate) fn reader(&self) -> Result<Box<dyn Read + '_>, FormatError> {
        let raw: Box<dyn Read + '_> = match &self.data {
            Data::File(path) => Box::new(File::open(path).map_err(|e| self.read_error(&e))?),
            Data::Memory(bytes) => Box::new(bytes.as_slice()),
        };
        decompressed(&self.name, raw)
    }

    /// Reads the first bytes of the decompressed content, at most `most` bytes.
    pub fn first_bytes(&self, most: usize) -> Result<Vec<u8>, FormatError> {
        let mut bytes = Vec::with_capacity(most);
        let reading = self.reader()?.take(most as u64).read_to_end(&mut bytes);
        reading.map_err(|error| self.read_error(&error))?;
        Ok(bytes)
    }

    /// Reads the whole source and decompresses it if needed.
    pub fn bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut bytes = Vec::new();
        let reading = self.reader()?.read_to_end(&mut bytes);
        reading.map_err(|error| self.read_error(&error))?;
        Ok(bytes)
    }

    /// Reads all bytes as stored, without decompression.
    pub fn raw_bytes(&self) -> Result<Vec<u8>, FormatError> {
        match &self.data {
            Data::File(path) => std::fs::read(path).map_err(|error| self.read_error(&error)),
            Data::Memory(bytes) => Ok(bytes.clone()),
        }
    }

    pub(crate) fn read_error(&self, error: &io::Error) -> FormatError {
        unreadable_error(&self.name, error)
    }

    /// Creates an error about the file as a whole.
    pub(crate) fn error(&self, problem: Diagnostic) -> FormatError {
        FormatError::in_file(&self.name, problem)
    }

    /// Creates the error for an empty file.
    pub(crate) fn empty_error(&self) -> FormatError {
        self.error(diagnostic!(EmptyFile: "there is nothing in this file"))
    }

    /// Creates the error for a file without rows; `what` says what a row would be.
    pub(crate) fn no_rows_error(&self, what: &str) -> FormatError {
        self.error(diagnostic!(NoRows { what }: "there is a header and no {what} after it"))
    }
}

/// Opens a file, or standard input for `-`, as a stream, which decompresses if needed.
///
/// Waits for no input beyond the first line, so that it works in a dialog with another program.
pub fn open_stream(name: &str) -> Result<Box<dyn Read>, FormatError> {
    match name {
        "-" => decompressed("standard input", Box::new(io::stdin())),
        _ => {
            let file = File::open(name).map_err(|error| unreadable_error(name, &error))?;
            decompressed(name, Box::new(file))
        }
    }
}

/// Returns a reader of the decompressed content, if the first bytes show a gzip or zstd file; else
/// of the bytes as they are. Refuses some other formats, such as zip, PDF and UTF-16.
fn decompressed<'a>(
    name: &str,
    mut raw: Box<dyn Read + 'a>,
) -> Result<Box<dyn Read + 'a>, FormatError> {
    let mut magic = [0; 6];
    let mut length = 0;
    // An input with such a short first line is text, and its sender may wait for a response before
    // sending more.
    while length < magic.len() && !magic[..length].contains(&b'\n') {
        match raw.read(&mut magic[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable_error(name, &error)),
        }
    }
    let whole = io::Cursor::new(magic).take(length as u64).chain(raw);
    let magic = &magic[..length];
    let foreign = [
        (b"PK\x03\x04".as_slice(), "a zip archive"),
        (b"\xfd7zXZ", "compressed with xz"),
        (b"BZh", "compressed with bzip2"),
        (b"PAR1", "a Parquet file"),
        (b"%PDF-", "a PDF document"),
        (b"<!DOCT", "an HTML page"),
        (b"<!doct", "an HTML page"),
        (b"<html", "an HTML page"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    if let Some((_, what)) = foreign.iter().find(|(start, _)| magic.starts_with(start)) {
        let problem = diagnostic!(NotText { found = what }:
            "this is {found}; expected plain, gzip or zstd UTF-8 text");
        return Err(FormatError::in_file(name, problem).with_remedy("convert it first"));
    }
    if magic.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(MultiGzDecoder::new(whole)));
    }
    if zstd::is_zstd(magic) {
        return Ok(Box::new(zstd::ZstdReader::new(whole)));
    }
    Ok(Box::new(whole))
}

/// Returns the message of the operating system for an I/O error.
pub fn io_error_message(error: &io::Error) -> String {
    let words = error.to_string();
    let end = words.find(" (os error").unwrap_or(words.len());
    words[..end].to_owned()
}

fn unreadable_error(name: &str, error: &io::Error) -> FormatError {
    let problem =
        diagnostic!(Unreadable { reason = io_error_message(error) }: "cannot be read: {reason}");
    let wrong = FormatError::in_file(name, problem);
    match error.kind() {
        io::ErrorKind::NotFound => wrong.with_remedy("check the spelling of the path"),
        io::ErrorKind::PermissionDenied => wrong.with_remedy("check the permissions of the file"),
        _ => wrong,
    }
}
