//! Reading of streams and zip archives with size limits.

use std::io::{self, Read, Seek, SeekFrom};

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};
use zip::ZipArchive;
use zip::result::ZipError;

/// Number of members (files) that a zip archive may have at most, estimated from the size of its
/// directory. The zip library allocates memory for every member when it opens an archive.
const MAX_ZIP_MEMBERS: u64 = 1_000_000;

/// Reads a stream to its end into memory. Returns the diagnostic `TooLarge` if the stream has more
/// than `most` bytes.
pub(crate) fn read_at_most(stream: impl Read, most: u64) -> Result<Vec<u8>, Diagnostic> {
    read_at_most_with_hint(stream, 0, most)
}

/// Reads a stream to its end into memory, with `size_hint` as its expected size in bytes. Returns
/// the diagnostic `TooLarge` if it has more than `most` bytes. If the stream has at least 16 MiB
/// although `size_hint` is not larger than that, memory for `most` bytes is reserved at once:
/// untouched memory is not committed, and growing the buffer by doubling would need three times as
/// much.
pub(crate) fn read_at_most_with_hint(
    stream: impl Read,
    size_hint: u64,
    most: u64,
) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    // A failed reservation is not an error: the buffer then grows while reading.
    let reserve = |bytes: &mut Vec<u8>, extra: u64| {
        let _ = usize::try_from(extra).map(|extra| bytes.try_reserve_exact(extra));
    };
    reserve(&mut bytes, size_hint.min(most).saturating_add(SPARE_BYTES));
    let mut stream = stream.take(most.saturating_add(1));
    let read = (&mut stream).take(FIRST_READ_BYTES).read_to_end(&mut bytes);
    let read = read.and_then(|count| {
        if count as u64 == FIRST_READ_BYTES && size_hint <= FIRST_READ_BYTES {
            reserve(
                &mut bytes,
                (most - FIRST_READ_BYTES.min(most)).saturating_add(SPARE_BYTES),
            );
        }
        stream.read_to_end(&mut bytes)
    });
    match read {
        Ok(_) if bytes.len() as u64 > most => Err(too_large_diagnostic(most)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(io_diagnostic(error)),
    }
}

/// Number of bytes to read from a stream of unknown size before memory for the largest allowed size
/// is reserved.
const FIRST_READ_BYTES: u64 = 16 << 20;

/// Extra buffer capacity in bytes, so that `read_to_end` detects the end of a stream without
/// growing the buffer.
const SPARE_BYTES: u64 = 64;

/// Returns the diagnostic for input of more than `most` bytes.
pub(crate) fn too_large_diagnostic(most: u64) -> Diagnostic {
    diagnostic!(TooLarge { most }: "it has more than {most} bytes")
}

/// Converts an input error to a diagnostic.
pub(crate) fn io_diagnostic(error: io::Error) -> Diagnostic {
    let code = match error.kind() {
        io::ErrorKind::UnexpectedEof => DiagnosticCode::Truncated,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => DiagnosticCode::Syntax,
        _ => DiagnosticCode::Unsupported,
    };
    Diagnostic::new(code, format!("it cannot be read: {error}"))
}

/// Converts an error of the zip library to a diagnostic.
fn zip_diagnostic(error: ZipError) -> Diagnostic {
    let code = match error {
        ZipError::Io(error) => return io_diagnostic(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            DiagnosticCode::Unsupported
        }
        _ => DiagnosticCode::Syntax,
    };
    Diagnostic::new(code, format!("it cannot be unpacked: {error}"))
}

/// Opens a zip archive. Returns the diagnostic `TooLarge` if its directory is so large that it
/// could list more than [`MAX_ZIP_MEMBERS`] members (files).
pub(crate) fn open_zip<R: Read + Seek>(mut file: R) -> Result<ZipArchive<R>, Diagnostic> {
    let length = file.seek(SeekFrom::End(0)).map_err(io_diagnostic)?;
    // The end-of-central-directory record is in the last 64 KiB. In zip64 archives its count is
    // 65535 and the true count is in a record before it. The size of the directory bounds both
    // counts, because an entry has at least 46 bytes.
    let tail = length.min((64 << 10) + 22 + 20 + 56);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(length - tail))
        .map_err(io_diagnostic)?;
    (&mut file)
        .take(tail)
        .read_to_end(&mut bytes)
        .map_err(io_diagnostic)?;
    let number = |at: usize, length: usize| {
        let field = bytes.get(at..at + length)?.iter().rev();
        Some(field.fold(0_u64, |number, &byte| number << 8 | u64::from(byte)))
    };
    let find = |signature: &[u8]| bytes.windows(4).rposition(|window| window == signature);
    let directory_size = find(b"PK\x05\x06")
        .and_then(|at| number(at + 12, 4))
        .filter(|&size| size != 0xffff_ffff);
    let zip64_directory_size = find(b"PK\x06\x06").and_then(|at| number(at + 40, 8));
    let directory = zip64_directory_size
        .max(directory_size)
        .map_or(0, |size| size.min(length));
    if directory / 46 > MAX_ZIP_MEMBERS {
        return Err(diagnostic!(TooLarge: "it has more than {MAX_ZIP_MEMBERS} members"));
    }
    file.seek(SeekFrom::Start(0)).map_err(io_diagnostic)?;
    ZipArchive::new(file).map_err(zip_diagnostic)
}

/// Unpacks the member (file) with index `number` of a zip archive. Returns the diagnostic
/// `TooLarge` if it has more than `most` bytes.
pub(crate) fn read_zip_member<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    number: usize,
    most: u64,
) -> Result<Vec<u8>, Diagnostic> {
    let member = archive.by_index(number).map_err(zip_diagnostic)?;
    // The declared size is only a hint. If it is true, the buffer never has to grow.
    let size_hint = member.size();
    read_at_most_with_hint(member, size_hint, most)
}
