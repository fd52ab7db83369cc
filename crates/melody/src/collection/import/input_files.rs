//! Input files of an import: files, folders in order of name, and members of zip archives, unpacked
//! up to size limits.

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use partita_formats::{Diagnostic, DiagnosticCode, ZstdReader, diagnostic, is_zstd};
use zip::ZipArchive;

use crate::archive::{
    open_zip, read_at_most, read_at_most_with_hint, read_zip_member, too_large, unreadable,
};
use crate::readers::pae::can_stream;

/// File that may contain melodies.
#[derive(Debug)]
pub(crate) struct InputFile {
    /// Name for messages, for example `tunes/a.zip/x.mid`.
    pub(crate) shown: String,
    /// Path relative to the imported source, with `/`.
    pub(crate) source: String,
    /// Location for reading the file again; `None` if that is impossible.
    pub(crate) origin: Option<FileOrigin>,
    /// Content, or the reason why it cannot be read.
    pub(crate) content: Result<InputContent, Diagnostic>,
}

/// Location of content in a file or zip archive. Large content is read again when it is written
/// instead of being kept in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileOrigin {
    path: PathBuf,
    /// Index of the member, if the file is a zip archive.
    member: Option<usize>,
}

/// Reader of content at a [`FileOrigin`]. It keeps the last zip archive open, because reopening an
/// archive reads its whole list of members again.
#[derive(Default)]
pub(crate) struct OriginReader {
    zip: Option<(PathBuf, ZipArchive<io::BufReader<File>>)>,
}

impl OriginReader {
    /// Reads content a second time. `length` is its length in bytes at the first reading.
    ///
    /// # Errors
    /// Returns an error if the content cannot be read or its length has changed.
    pub(crate) fn read(&mut self, origin: &FileOrigin, length: u64) -> io::Result<Vec<u8>> {
        let bytes = match origin.member {
            Some(number) => self.member(&origin.path, number, length),
            None => {
                let mut file = io::BufReader::new(File::open(&origin.path)?);
                match Compression::detect(file.fill_buf()?) {
                    Some(compression) => compression.decompress(file, length),
                    None => read_at_most_with_hint(file, length, length),
                }
            }
        };
        let unchanged = bytes.ok().filter(|bytes| bytes.len() as u64 == length);
        unchanged.ok_or_else(|| {
            let path = origin.path.display();
            io::Error::other(format!("{path} changed while it was imported"))
        })
    }

    fn member(&mut self, path: &Path, number: usize, length: u64) -> Result<Vec<u8>, Diagnostic> {
        let zip = match self.zip.take() {
            Some((known, zip)) if known == path => zip,
            _ => {
                let file = File::open(path).map_err(unreadable)?;
                open_zip(io::BufReader::new(file))?
            }
        };
        let (_, zip) = self.zip.insert((path.to_owned(), zip));
        read_zip_member(zip, number, length)
    }
}

/// Compression of a single file.
#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// Detects the compression by the first bytes.
    fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            head if is_zstd(head) => Some(Self::Zstandard),
            _ => None,
        }
    }

    fn decompress(self, file: impl BufRead, most: u64) -> Result<Vec<u8>, Diagnostic> {
        match self {
            Self::Gzip => read_at_most(MultiGzDecoder::new(file), most),
            Self::Zstandard => read_at_most(ZstdReader::new(file), most),
        }
    }
}

/// Content of an input file.
#[derive(Debug)]
pub(crate) enum InputContent {
    /// Complete content in memory.
    Bytes(Vec<u8>),
    /// File of records that can be streamed.
    Records(io::BufReader<File>),
}

impl InputContent {
    /// Reads the complete content into memory.
    pub(crate) fn into_bytes(self) -> Result<Vec<u8>, Diagnostic> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Records(file) => read_at_most(file, u64::MAX),
        }
    }
}

/// Path that was found but not opened yet.
#[derive(Debug)]
pub(crate) struct InputPath {
    path: PathBuf,
    shown: String,
    source: String,
    /// True if the user named this path. Members of such a zip archive have paths relative to the
    /// archive.
    is_named: bool,
}

/// Number of bytes that are inspected to decide whether a file can be streamed.
const HEAD_BYTES: usize = 64 << 10;

/// Limit on the unpacked size of a zip archive, as a multiple of the size limit of a file.
const ZIP_SIZES: u64 = 16;

/// Lists all files of a source, in order of name.
pub(crate) fn list_input_paths(source: &str) -> io::Result<Vec<InputPath>> {
    let path = Path::new(source);
    let mut paths = Vec::new();
    if path.metadata()?.is_dir() {
        let shown = source.trim_end_matches('/');
        let shown = if shown.is_empty() { source } else { shown };
        walk(path, shown, "", &mut paths, 0)?;
    } else {
        let name = path
            .file_name()
            .map_or(source.into(), |name| name.to_string_lossy());
        paths.push(InputPath {
            path: path.to_owned(),
            shown: source.to_owned(),
            source: name.into_owned(),
            is_named: true,
        });
    }
    Ok(paths)
}

/// Lists the files below a folder. `shown` and `source` are the names of the folder in messages and
/// relative to the imported source.
fn walk(
    folder: &Path,
    shown: &str,
    source: &str,
    paths: &mut Vec<InputPath>,
    depth: usize,
) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = entry.path();
        let below = |folder: &str| match folder {
            "" => name.to_string(),
            folder => format!("{folder}/{name}"),
        };
        let (shown, source) = (below(shown), below(source));
        // The depth limit ends cycles of symbolic links.
        if path.is_dir() && depth < 100 {
            walk(&path, &shown, &source, paths, depth + 1)?;
        } else if path.is_file() {
            paths.push(InputPath {
                path,
                shown,
                source,
                is_named: false,
            });
        }
    }
    Ok(())
}

/// Reads standard input as a file.
pub(crate) fn standard_input(max_size: u64) -> InputFile {
    let name = "standard input".to_owned();
    InputFile {
        shown: name.clone(),
        source: name,
        origin: None,
        content: read_at_most(io::stdin().lock(), max_size).map(InputContent::Bytes),
    }
}

impl InputPath {
    /// Opens the path and passes the file, or the members of a zip archive, to `take`.
    pub(crate) fn open(self, max_size: u64, take: &mut dyn FnMut(InputFile)) {
        let mut magic = [0; 4];
        let opened = File::open(&self.path).and_then(|mut file| {
            let length = file.metadata()?.len();
            let count = read_up_to(&mut file, &mut magic)?;
            file.seek(SeekFrom::Start(0))?;
            Ok((file, length, count))
        });
        let (file, length, count) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.pass_on(Err(unreadable(error)), take),
        };
        let is_zip = magic[..count] == *b"PK\x03\x04" || magic[..count] == *b"PK\x05\x06";
        if is_zip && !self.shown.to_ascii_lowercase().ends_with(".mxl") {
            let prefix = if self.is_named {
                String::new()
            } else {
                format!("{}/", self.source)
            };
            return for_each_member(file, &self, &prefix, max_size, take);
        }
        let content = match Compression::detect(&magic[..count]) {
            Some(compression) => {
                let bytes = compression.decompress(io::BufReader::new(file), max_size);
                bytes.map(InputContent::Bytes)
            }
            None if length > max_size => Err(too_large(max_size)),
            None => uncompressed_content(file, max_size),
        };
        self.pass_on(content, take);
    }

    /// Passes the path with its content to `take`.
    fn pass_on(self, content: Result<InputContent, Diagnostic>, take: &mut dyn FnMut(InputFile)) {
        take(InputFile {
            shown: self.shown,
            source: self.source,
            origin: Some(FileOrigin {
                path: self.path,
                member: None,
            }),
            content,
        });
    }
}

/// Fills the buffer as far as the file allows and returns the number of bytes read.
fn read_up_to(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read(&mut buffer[count..])? {
            0 => break,
            more => count += more,
        }
    }
    Ok(count)
}

/// Returns the content of an uncompressed file, or the open file if it can be streamed.
fn uncompressed_content(file: File, max_size: u64) -> Result<InputContent, Diagnostic> {
    let size_hint = file.metadata().map_or(0, |metadata| metadata.len());
    let mut file = io::BufReader::with_capacity(HEAD_BYTES, file);
    let head = file.fill_buf().map_err(unreadable)?;
    match can_stream(head) {
        true => Ok(InputContent::Records(file)),
        false => read_at_most_with_hint(file, size_hint, max_size).map(InputContent::Bytes),
    }
}

/// Passes the members of a zip archive to `take`, in order of name.
fn for_each_member(
    file: File,
    archive_path: &InputPath,
    prefix: &str,
    max_size: u64,
    take: &mut dyn FnMut(InputFile),
) {
    let shown = &archive_path.shown;
    let mut archive = match open_zip(io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(problem) => {
            return take(InputFile {
                shown: shown.to_owned(),
                source: prefix.trim_end_matches('/').to_owned(),
                origin: None,
                content: Err(problem),
            });
        }
    };
    let mut names: Vec<(String, usize)> = Vec::with_capacity(archive.len());
    for number in 0..archive.len() {
        let Ok(member) = archive.by_index_raw(number) else {
            names.push((format!("member {}", number + 1), number));
            continue;
        };
        if member.is_file() {
            let name = match member.name() {
                Ok(name) => name.replace('\\', "/"),
                Err(_) => String::from_utf8_lossy(member.name_raw()).into_owned(),
            };
            names.push((name, number));
        }
    }
    names.sort();
    let mut left = max_size.saturating_mul(ZIP_SIZES);
    for (name, number) in names {
        let most = max_size.min(left);
        let mut bytes = read_zip_member(&mut archive, number, most);
        match &bytes {
            Ok(bytes) => left -= bytes.len() as u64,
            Err(problem) if problem.code == DiagnosticCode::TooLarge => {
                left -= most;
                if most < max_size {
                    bytes = Err(diagnostic!(TooLarge:
                        "the zip unpacks to more than {ZIP_SIZES} times {max_size} bytes"));
                }
            }
            Err(_) => {}
        }
        take(InputFile {
            shown: format!("{shown}/{name}"),
            source: format!("{prefix}{name}"),
            origin: Some(FileOrigin {
                path: archive_path.path.clone(),
                member: Some(number),
            }),
            content: bytes.map(InputContent::Bytes),
        });
    }
}
