//! Input files of an import: files, folders in order of name, and members of zip archives, unpacked
//! up to size limits.

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use partita_formats::{Diagnostic, DiagnosticCode, ZstdReader, diagnostic, is_zstd};
use zip::ZipArchive;

use crate::archive::{
    io_diagnostic, open_zip, read_at_most, read_at_most_with_hint, read_zip_member,
    too_large_diagnostic,
};
use crate::readers::pae::can_stream;

/// Input file that may contain melodies, with its content.
#[derive(Debug)]
pub(crate) struct InputFile {
    /// Name of the file in messages, for example `tunes/a.zip/x.mid`.
    pub(crate) display_name: String,
    /// Path of the file relative to the imported folder or archive, with `/` as separator; only the
    /// file name for a file that was itself imported.
    pub(crate) source: String,
    /// Location from which the content can be read a second time; `None` if that is impossible, as
    /// for standard input.
    pub(crate) origin: Option<FileOrigin>,
    /// Content of the file, or the reason why it cannot be read.
    pub(crate) content: Result<InputContent, Diagnostic>,
}

/// Location of an input file: a path, or a member of the zip archive at that path. Recordings are
/// read again from it when the collection is written, instead of being kept in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileOrigin {
    path: PathBuf,
    /// Index of the member, if the path is that of a zip archive.
    member: Option<usize>,
}

/// Reader of input files at their [`FileOrigin`]. It keeps the last zip archive open, because
/// reopening an archive reads its whole list of members again.
#[derive(Default)]
pub(crate) struct OriginReader {
    zip: Option<(PathBuf, ZipArchive<io::BufReader<File>>)>,
}

impl OriginReader {
    /// Reads the content of an input file a second time. `length` is the number of bytes at the
    /// first reading.
    ///
    /// # Errors
    /// Returns an error if the content cannot be read or its length has changed.
    pub(crate) fn read(&mut self, origin: &FileOrigin, length: u64) -> io::Result<Vec<u8>> {
        let bytes = match origin.member {
            Some(number) => self.read_member(&origin.path, number, length),
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

    /// Reads the member with index `number` of the zip archive at `path`.
    fn read_member(
        &mut self,
        path: &Path,
        number: usize,
        length: u64,
    ) -> Result<Vec<u8>, Diagnostic> {
        let zip = match self.zip.take() {
            Some((known, zip)) if known == path => zip,
            _ => {
                let file = File::open(path).map_err(io_diagnostic)?;
                open_zip(io::BufReader::new(file))?
            }
        };
        let (_, zip) = self.zip.insert((path.to_owned(), zip));
        read_zip_member(zip, number, length)
    }
}

/// Compression of a single input file.
#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// Detects the compression of a file by its first bytes; `None` if it is not compressed.
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

/// Content of an input file: in memory, or open for streaming.
#[derive(Debug)]
pub(crate) enum InputContent {
    /// Complete content in memory.
    Bytes(Vec<u8>),
    /// Open MARCXML file whose records can be read one at a time.
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

/// Path of an input file that is not opened yet.
#[derive(Debug)]
pub(crate) struct InputPath {
    path: PathBuf,
    display_name: String,
    source: String,
    /// True if the user named this path, false if it was found in a folder. Members of a named zip
    /// archive get paths relative to the archive.
    is_named: bool,
}

/// Number of bytes at the start of a file that are inspected to decide whether it can be streamed.
const STREAM_PROBE_BYTES: usize = 64 << 10;

/// Limit on the total unpacked size of a zip archive, as a multiple of the size limit for one file.
const ZIP_SIZE_FACTOR: u64 = 16;

/// Lists the source itself if it is a file, or all files below it, in order of name, if it is a
/// folder.
pub(crate) fn list_input_paths(source: &str) -> io::Result<Vec<InputPath>> {
    let path = Path::new(source);
    let mut paths = Vec::new();
    if path.metadata()?.is_dir() {
        let display_name = source.trim_end_matches('/');
        let display_name = if display_name.is_empty() {
            source
        } else {
            display_name
        };
        list_folder(path, display_name, "", &mut paths, 0)?;
    } else {
        let name = path
            .file_name()
            .map_or(source.into(), |name| name.to_string_lossy());
        paths.push(InputPath {
            path: path.to_owned(),
            display_name: source.to_owned(),
            source: name.into_owned(),
            is_named: true,
        });
    }
    Ok(paths)
}

/// Appends all files below a folder to `paths`. `display_name` is the name of the folder in
/// messages, `source` its path relative to the imported folder.
fn list_folder(
    folder: &Path,
    display_name: &str,
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
        let (display_name, source) = (below(display_name), below(source));
        // The depth limit ends cycles of symbolic links.
        if path.is_dir() && depth < 100 {
            list_folder(&path, &display_name, &source, paths, depth + 1)?;
        } else if path.is_file() {
            paths.push(InputPath {
                path,
                display_name,
                source,
                is_named: false,
            });
        }
    }
    Ok(())
}

/// Reads standard input to its end and returns it as an input file.
pub(crate) fn read_standard_input(max_size: u64) -> InputFile {
    let name = "standard input".to_owned();
    InputFile {
        display_name: name.clone(),
        source: name,
        origin: None,
        content: read_at_most(io::stdin().lock(), max_size).map(InputContent::Bytes),
    }
}

impl InputPath {
    /// Opens the path and passes the file to `take`, or each member if it is a zip archive, except
    /// a compressed MusicXML score (`.mxl`).
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
            Err(error) => return self.pass_with_content(Err(io_diagnostic(error)), take),
        };
        let is_zip = magic[..count] == *b"PK\x03\x04" || magic[..count] == *b"PK\x05\x06";
        if is_zip && !self.display_name.to_ascii_lowercase().ends_with(".mxl") {
            let prefix = if self.is_named {
                String::new()
            } else {
                format!("{}/", self.source)
            };
            return for_each_zip_member(file, &self, &prefix, max_size, take);
        }
        let content = match Compression::detect(&magic[..count]) {
            Some(compression) => {
                let bytes = compression.decompress(io::BufReader::new(file), max_size);
                bytes.map(InputContent::Bytes)
            }
            None if length > max_size => Err(too_large_diagnostic(max_size)),
            None => uncompressed_content(file, max_size),
        };
        self.pass_with_content(content, take);
    }

    /// Passes an input file with this path and content to `take`.
    fn pass_with_content(
        self,
        content: Result<InputContent, Diagnostic>,
        take: &mut dyn FnMut(InputFile),
    ) {
        take(InputFile {
            display_name: self.display_name,
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

/// Returns the content of a file that is not compressed, or the open file if it can be streamed.
fn uncompressed_content(file: File, max_size: u64) -> Result<InputContent, Diagnostic> {
    let size_hint = file.metadata().map_or(0, |metadata| metadata.len());
    let mut file = io::BufReader::with_capacity(STREAM_PROBE_BYTES, file);
    let head = file.fill_buf().map_err(io_diagnostic)?;
    match can_stream(head) {
        true => Ok(InputContent::Records(file)),
        false => read_at_most_with_hint(file, size_hint, max_size).map(InputContent::Bytes),
    }
}

/// Passes the members of a zip archive to `take`, in order of name.
fn for_each_zip_member(
    file: File,
    archive_path: &InputPath,
    prefix: &str,
    max_size: u64,
    take: &mut dyn FnMut(InputFile),
) {
    let display_name = &archive_path.display_name;
    let mut archive = match open_zip(io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(problem) => {
            return take(InputFile {
                display_name: display_name.to_owned(),
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
    let mut left = max_size.saturating_mul(ZIP_SIZE_FACTOR);
    for (name, number) in names {
        let most = max_size.min(left);
        let mut bytes = read_zip_member(&mut archive, number, most);
        match &bytes {
            Ok(bytes) => left -= bytes.len() as u64,
            Err(problem) if problem.code == DiagnosticCode::TooLarge => {
                left -= most;
                if most < max_size {
                    bytes = Err(diagnostic!(TooLarge:
                        "the zip unpacks to more than {ZIP_SIZE_FACTOR} times {max_size} bytes"));
                }
            }
            Err(_) => {}
        }
        take(InputFile {
            display_name: format!("{display_name}/{name}"),
            source: format!("{prefix}{name}"),
            origin: Some(FileOrigin {
                path: archive_path.path.clone(),
                member: Some(number),
            }),
            content: bytes.map(InputContent::Bytes),
        });
    }
}
