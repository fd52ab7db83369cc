//! Reading of streams and zip archives with size limits.

use std::io::{self, Read, Seek, SeekFrom};

use partita_formats::{Diagnostic, DiagnosticCode, diagnostic};
use zip::ZipArchive;
use zip::result::ZipError;

/// Largest number of members of a zip archive. The zip reader allocates memory for each member
/// before any is read.
const MOST_MEMBERS: u64 = 1_000_000;

/// Reads a stream to its end. Returns `TooLarge` if it has more than `most` bytes.
pub(crate) fn read_at_most(stream: impl Read, most: u64) -> Result<Vec<u8>, Diagnostic> {
    read_at_most_with_hint(stream, 0, most)
}

/// Reads a stream to its end, with `size_hint` as its expected size. Returns `TooLarge` if it has
/// more than `most` bytes. If a stream exceeds 16 MiB unexpectedly, memory for `most` bytes is
/// reserved at once: untouched memory is not committed, and growing by doubling would need three
/// times as much.
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
    reserve(&mut bytes, size_hint.min(most).saturating_add(SPARE));
    let mut stream = stream.take(most.saturating_add(1));
    let read = (&mut stream).take(FEW).read_to_end(&mut bytes);
    let read = read.and_then(|count| {
        if count as u64 == FEW && size_hint <= FEW {
            reserve(&mut bytes, (most - FEW.min(most)).saturating_add(SPARE));
        }
        stream.read_to_end(&mut bytes)
    });
    match read {
        Ok(_) if bytes.len() as u64 > most => Err(too_large(most)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(unreadable(error)),
    }
}

/// Number of bytes that are read, if the expected size is not larger, before memory for the largest
/// allowed size is reserved.
const FEW: u64 = 16 << 20;

/// Extra capacity in bytes, so that `read_to_end` detects the end without growing the buffer.
const SPARE: u64 = 64;

pub(crate) fn too_large(most: u64) -> Diagnostic {
    diagnostic!(TooLarge { most }: "it has more than {most} bytes")
}

pub(crate) fn unreadable(error: io::Error) -> Diagnostic {
    let code = match error.kind() {
        io::ErrorKind::UnexpectedEof => DiagnosticCode::Truncated,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => DiagnosticCode::Syntax,
        _ => DiagnosticCode::Unsupported,
    };
    Diagnostic::new(code, format!("it cannot be read: {error}"))
}

fn invalid_zip(error: ZipError) -> Diagnostic {
    let code = match error {
        ZipError::Io(error) => return unreadable(error),
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            DiagnosticCode::Unsupported
        }
        _ => DiagnosticCode::Syntax,
    };
    Diagnostic::new(code, format!("it cannot be unpacked: {error}"))
}

/// Opens a zip archive. Returns `TooLarge` if it has more than [`MOST_MEMBERS`] members.
pub(crate) fn open_zip<R: Read + Seek>(mut file: R) -> Result<ZipArchive<R>, Diagnostic> {
    let length = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
    // The end-of-central-directory record is in the last 64 KiB. In zip64 archives its count is
    // 65535 and the true count is in a record before it. The size of the directory bounds both
    // counts, because an entry has at least 46 bytes.
    let tail = length.min((64 << 10) + 22 + 20 + 56);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(length - tail))
        .map_err(unreadable)?;
    (&mut file)
        .take(tail)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
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
    if directory / 46 > MOST_MEMBERS {
        return Err(diagnostic!(TooLarge: "it has more than {MOST_MEMBERS} members"));
    }
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    ZipArchive::new(file).map_err(invalid_zip)
}

/// Unpacks the member with this index. Returns `TooLarge` if it has more than `most` bytes.
pub(crate) fn read_zip_member<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    number: usize,
    most: u64,
) -> Result<Vec<u8>, Diagnostic> {
    let member = archive.by_index(number).map_err(invalid_zip)?;
    // The declared size is only a hint. If it is true, the buffer never has to grow.
    let size_hint = member.size();
    read_at_most_with_hint(member, size_hint, most)
}
