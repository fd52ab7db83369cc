//! Decoding of the text of files, in blocks of whole lines or as a whole.
//!
//! All readers use this module, so that the rules that all formats share are implemented once: a
//! byte-order mark is skipped, binary data is refused, and lines that are not UTF-8 are read as
//! Latin-1 with a warning.

pub(crate) mod line;
pub(crate) mod name_rules;
pub(crate) mod source;
pub(crate) mod tokens;
pub(crate) mod zstd;

use std::borrow::Cow;
use std::io::Read;

use wide::u8x16;

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning, WarningCounter};
use line::{LONGEST_LINE, SourceLine};
use source::Source;

/// Size in bytes of a block. A block and the data parsed from it fit into the CPU cache.
const BLOCK_SIZE: usize = 64 * 1024;

/// Reader of a source in blocks of whole lines.
pub(crate) struct BlockReader<'a> {
    source: &'a Source,
    reader: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    /// Number of valid bytes in the buffer. The first `returned` of them were already returned in
    /// blocks.
    filled: usize,
    returned: usize,
    next_line: u64,
    longest_line: usize,
    ended: bool,
    /// True if the bytes read last, which include all bytes not yet returned, are ASCII.
    last_bytes_are_ascii: bool,
    latin1: WarningCounter,
}

/// Block of whole lines of a source, decoded to UTF-8.
pub(crate) struct Block<'b> {
    pub(crate) bytes: Cow<'b, [u8]>,
    pub(crate) first_line: u64,
}

impl Block<'_> {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("BlockReader decodes blocks to UTF-8")
    }
}

impl<'a> BlockReader<'a> {
    /// Creates a reader of a source whose lines have at most `longest_line` bytes.
    pub(crate) fn new(source: &'a Source, longest_line: usize) -> Result<Self, FormatError> {
        Self::with_block_size(source, longest_line, BLOCK_SIZE)
    }

    /// Creates a reader with small blocks, for inspecting only the start of a source.
    pub(crate) fn with_small_blocks(source: &'a Source) -> Result<Self, FormatError> {
        Self::with_block_size(source, usize::MAX - 1, 4096)
    }

    /// Creates a reader that returns blocks of up to about `size` bytes.
    fn with_block_size(
        source: &'a Source,
        longest_line: usize,
        size: usize,
    ) -> Result<Self, FormatError> {
        Ok(Self {
            source,
            reader: source.reader()?,
            buffer: vec![0; size],
            filled: 0,
            returned: 0,
            next_line: 1,
            longest_line,
            ended: false,
            last_bytes_are_ascii: true,
            latin1: WarningCounter::default(),
        })
    }

    /// Returns the next block of whole lines, or `None` at the end of the source.
    pub(crate) fn next(&mut self) -> Result<Option<Block<'_>>, FormatError> {
        self.buffer.copy_within(self.returned..self.filled, 0);
        self.filled -= self.returned;
        self.returned = 0;
        let mut ascii = self.last_bytes_are_ascii;
        // The bytes left from the previous block hold no line feed, so all line feeds are in the
        // new bytes.
        let mut lines = 0;
        loop {
            let at_start = self.next_line == 1;
            let unread = self.filled;
            self.fill_buffer()?;
            let fresh = &self.buffer[unread..self.filled];
            let scan = ByteScan::new(fresh);
            if scan.has_nul {
                let position = memchr::memchr(0, fresh).expect("the scan found a NUL byte");
                return Err(self.binary_data_error(unread + position));
            }
            self.last_bytes_are_ascii = scan.is_ascii;
            ascii &= scan.is_ascii;
            lines += scan.line_feeds;
            if at_start && self.filled >= 3 && self.buffer.starts_with(b"\xef\xbb\xbf") {
                // The byte-order mark is not part of the first line.
                self.buffer.copy_within(3..self.filled, 0);
                self.filled -= 3;
            }
            if self.ended {
                self.returned = self.filled;
                break;
            }
            if let Some(last) = memchr::memrchr(b'\n', &self.buffer[..self.filled]) {
                self.returned = last + 1;
                break;
            }
            if self.filled > self.longest_line {
                break;
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let filled = &self.buffer[..self.filled];
        refuse_overlong_lines(self.source, filled, self.next_line, self.longest_line)?;
        let first_line = self.next_line;
        let bytes = &self.buffer[..self.returned];
        if bytes.is_empty() {
            return Ok(None);
        }
        self.next_line += lines;
        let bytes = if ascii || std::str::from_utf8(bytes).is_ok() {
            Cow::Borrowed(bytes)
        } else {
            Cow::Owned(decode_lines(bytes, first_line, &mut self.latin1).into_bytes())
        };
        Ok(Some(Block { bytes, first_line }))
    }

    /// Fills the buffer, or reads up to the end of the source if that comes first.
    fn fill_buffer(&mut self) -> Result<(), FormatError> {
        while self.filled < self.buffer.len() && !self.ended {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.source.read_error(&error)),
            }
        }
        Ok(())
    }

    /// Creates the error for a NUL byte, at this position in the buffer.
    fn binary_data_error(&self, position: usize) -> FormatError {
        let before = &self.buffer[..position];
        let line = self.next_line + memchr::memchr_iter(b'\n', before).count() as u64;
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        self.source
            .error(diagnostic!(NotText: "binary data: a NUL byte in a text file"))
            .at_line(line)
            .at_column((position - start + 1) as u64)
            .with_remedy("expected plain, gzip or zstd text in UTF-8")
    }

    /// Returns the warning about lines that are not UTF-8, once all blocks have been read.
    pub(crate) fn warning(self) -> Option<Warning> {
        self.latin1.warning(self.source.name(), |count, first| {
            diagnostic!(NotUtf8 { count, first }:
                "lines that are not UTF-8, read as Latin-1: {count}, the first being `{first}`")
        })
    }
}

/// Properties of a block of bytes that decoding depends on, found in one pass.
struct ByteScan {
    has_nul: bool,
    is_ascii: bool,
    line_feeds: u64,
}

impl ByteScan {
    fn new(bytes: &[u8]) -> Self {
        let mut lowest = u8x16::splat(u8::MAX);
        let mut union = u8x16::splat(0);
        let mut line_feeds = 0;
        let (windows, rest) = bytes.as_chunks::<64>();
        let mut last = [b' '; 64];
        last[..rest.len()].copy_from_slice(rest);
        // Each lane counts in one byte: 63 windows of four vectors give at most 252.
        for some in windows.chunks(63).chain([[last].as_slice()]) {
            let mut counts = u8x16::splat(0);
            for window in some {
                for &sixteen in window.as_chunks().0 {
                    let sixteen = u8x16::new(sixteen);
                    lowest = lowest.min(sixteen);
                    union |= sixteen;
                    // The comparison gives -1 in a lane that matches, so subtracting it adds 1.
                    counts -= sixteen.simd_eq(u8x16::splat(b'\n'));
                }
            }
            line_feeds += counts.to_array().into_iter().map(u64::from).sum::<u64>();
        }
        Self {
            has_nul: lowest.to_array().contains(&0),
            is_ascii: union.to_array().is_ascii(),
            line_feeds,
        }
    }
}

/// Returns an error if a line is longer than the format allows.
fn refuse_overlong_lines(
    source: &Source,
    bytes: &[u8],
    first_line: u64,
    longest: usize,
) -> Result<(), FormatError> {
    let mut start = 0;
    while bytes.len() - start > longest {
        match memchr::memrchr(b'\n', &bytes[start..=start + longest]) {
            Some(end) => start += end + 1,
            None => {
                let before = memchr::memchr_iter(b'\n', &bytes[..start]).count() as u64;
                let problem =
                    diagnostic!(OverlongLine { longest }: "a line of more than {longest} bytes");
                let error = source
                    .error(problem)
                    .at_line(first_line + before)
                    .at_column(1);
                return Err(error
                    .with_remedy("no line of this format is that long: is this the right file?"));
            }
        }
    }
    Ok(())
}

/// Decodes the lines one by one: as UTF-8 if valid, else as Latin-1, which `latin1` counts.
fn decode_lines(bytes: &[u8], first_line: u64, latin1: &mut WarningCounter) -> String {
    let mut text = String::with_capacity(bytes.len() + 64);
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => {
                // Every byte of Latin-1 is the code point of its character.
                let line: String = line.iter().copied().map(char::from).collect();
                latin1.add(first_line + index as u64, || shorten(line.trim_end()));
                text.push_str(&line);
            }
        }
    }
    text
}

/// Truncates a text from a file for use in an error message.
pub(crate) fn shorten(text: &str) -> String {
    /// Maximum number of characters of a shortened text.
    const MAX_SHORTENED_CHARS: usize = 60;
    if text.chars().count() <= MAX_SHORTENED_CHARS {
        return text.to_owned();
    }
    let start: String = text.chars().take(MAX_SHORTENED_CHARS).collect();
    format!("{start}...")
}

/// Whole text of a source, decoded to UTF-8.
pub(crate) struct SourceText<'a> {
    pub(crate) source: &'a Source,
    pub(crate) text: String,
    pub(crate) warning: Option<Warning>,
}

impl<'a> SourceText<'a> {
    pub(crate) fn read(source: &'a Source) -> Result<Self, FormatError> {
        let mut blocks = BlockReader::new(source, usize::MAX - 1)?;
        let mut text = String::new();
        while let Some(block) = blocks.next()? {
            text.push_str(block.text());
        }
        let warning = blocks.warning();
        if text.trim().is_empty() {
            return Err(source.empty_error());
        }
        Ok(Self {
            source,
            text,
            warning,
        })
    }

    /// Returns an error if a line is longer than [`LONGEST_LINE`], for formats with few columns.
    pub(crate) fn refuse_overlong_lines(&self) -> Result<(), FormatError> {
        refuse_overlong_lines(self.source, self.text.as_bytes(), 1, LONGEST_LINE)
    }

    /// Returns the lines, without blank lines and comments.
    pub(crate) fn lines(&self) -> impl Iterator<Item = SourceLine<'_>> {
        let lines = (1..).zip(self.text.split('\n'));
        let lines = lines.map(|(number, line)| {
            let text = line.strip_suffix('\r').unwrap_or(line);
            SourceLine::new(self.source, number, text)
        });
        lines.filter(|line| !is_comment_or_blank(line.text))
    }
}

/// Returns true if a line is blank or a comment.
pub(crate) fn is_comment_or_blank(line: &str) -> bool {
    // The first byte nearly always shows that the line has content.
    match line.as_bytes().first() {
        Some(byte) if byte.is_ascii_alphanumeric() => false,
        _ => matches!(line.trim_start().as_bytes().first(), None | Some(b'#')),
    }
}
