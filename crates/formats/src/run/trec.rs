//! Runs in TREC's format `query Q0 item rank score tag`.
//!
//! Long runs are in this format, so the reader makes one pass over the file, in blocks that fit
//! into the CPU cache. It holds one query at a time, and stores only what the sink needs.
//! The lines of a query are nearly always contiguous; if not, the file is read once more and all
//! queries are collected first.

use std::fmt::Write;

use partita_core::{Names, Run};
use partita_named::NamedEnum;

use super::document_buffer::DocumentBuffer;
use super::sink::RankingSink;
use super::warnings::RunWarnings;
use super::{RunFile, RunOrder, RunReadOptions, require_single_run};
use crate::diagnostic;
use crate::diagnostic::{Diagnostic, FormatError, Warning};
use crate::text::BlockReader;
use crate::text::line::{LONGEST_LINE, SourceLine, with_decimal_comma_remedy};
use crate::text::name_rules::{LONGEST_NAME, check_single_word};
use crate::text::source::Source;
use crate::text::tokens::{
    FastWord, LineTokens, parse_number, parse_short_decimal, parse_short_integer, split_any_line,
    split_short_line,
};

/// Reads a run into a new sink. Also returns the names of the queries that the sink does not need.
pub(super) fn read<S: RankingSink>(
    sink: impl Fn() -> S,
    source: &Source,
    options: &RunReadOptions,
) -> Result<(RunFile<S::Run>, Names), FormatError> {
    let mut reader = TrecReader::new(sink(), source, options);
    if !reader.read()? {
        reader = TrecReader::new(sink(), source, options);
        reader.queries = Some(Vec::new());
        reader.read()?;
    }
    Ok(reader.finish())
}

/// Reader of a TREC run with its state between lines.
struct TrecReader<'a, S: RankingSink> {
    sink: S,
    source: &'a Source,
    options: &'a RunReadOptions,
    /// Query of the last line; `query_index` is its index if the sink needs it.
    query: FastWord,
    query_index: Option<usize>,
    returned: DocumentBuffer,
    /// Query index of each buffered document, if documents of all queries are collected before
    /// sorting.
    queries: Option<Vec<u32>>,
    /// For each query index, true if the query was already passed to the sink; `scattered` is true
    /// if a further line of such a query was found.
    flushed: Vec<bool>,
    scattered: bool,
    /// First run tag of the file; `other_tag` is the first different tag with its line.
    tag: FastWord,
    other_tag: Option<(u64, String)>,
    counters: RunWarnings,
    warning: Option<Warning>,
}

impl<'a, S: RankingSink> TrecReader<'a, S> {
    fn new(sink: S, source: &'a Source, options: &'a RunReadOptions) -> Self {
        Self {
            sink,
            source,
            options,
            query: FastWord::default(),
            query_index: None,
            returned: DocumentBuffer::default(),
            queries: None,
            flushed: Vec::new(),
            scattered: false,
            tag: FastWord::default(),
            other_tag: None,
            counters: RunWarnings::default(),
            warning: None,
        }
    }

    /// Reads the file. Returns `false` if the lines of a query are not contiguous, so that the file
    /// must be read again with all queries collected.
    fn read(&mut self) -> Result<bool, FormatError> {
        let mut blocks = BlockReader::new(self.source, LONGEST_LINE)?;
        while let Some(block) = blocks.next()? {
            let (mut text, mut number) = (&*block.bytes, block.first_line);
            while !text.is_empty() {
                let end = self.process_line(text, number)?;
                let Some(rest) = text.get(end + 1..) else {
                    break;
                };
                (text, number) = (rest, number + 1);
            }
            if self.scattered {
                return Ok(false);
            }
        }
        self.warning = blocks.warning();
        if self.query.text().is_empty() {
            return Err(self.source.empty_error());
        }
        match &self.queries {
            None => self.flush_query(),
            Some(queries) => {
                let (sink, counters) = (&mut self.sink, &mut self.counters);
                self.returned
                    .flush_queries(queries, self.options, sink, counters);
            }
        }
        Ok(true)
    }

    /// Processes the first line of a text, which may be blank or a comment. Returns the position of
    /// the end of the line.
    #[inline(always)]
    fn process_line(&mut self, text: &[u8], number: u64) -> Result<usize, FormatError> {
        if let Some(window) = text.first_chunk()
            && let Some(split) = split_short_line(window)
        {
            // The fixed size of the window lets the compiler prove that all words are inside it,
            // which removes many bounds checks.
            self.process_tokens(window, split, number)
        } else {
            self.process_unusual_line(text, number)
        }
    }

    /// Processes a line that [`split_short_line`] cannot split: a long, malformed or unusual one.
    #[cold]
    fn process_unusual_line(&mut self, text: &[u8], number: u64) -> Result<usize, FormatError> {
        self.process_tokens(text, split_any_line(text), number)
    }

    #[inline(always)]
    fn process_tokens(
        &mut self,
        text: &[u8],
        split: LineTokens<6>,
        number: u64,
    ) -> Result<usize, FormatError> {
        let LineTokens { words, count, end } = split;
        let [query, _, document, rank, score, tag] = words;
        if count != 6 || text[query.0] == b'#' {
            return self.skip_or_refuse_line(&text[..end], number);
        }
        if !self.query.equals(text, query) {
            self.switch_query(&text[query.0..query.1], number);
        }
        if !self.tag.equals(text, tag) {
            self.note_tag(&text[tag.0..tag.1], number);
        }
        let rank = match parse_short_integer(text, rank) {
            Some(rank) => rank,
            None => self.parse_unusual_rank(&text[..end], number, rank)?,
        };
        let score = match parse_short_decimal(text, score) {
            Some(score) => score,
            None => self.parse_unusual_score(&text[..end], number, score)?,
        };
        if let Some(asked) = self.query_index {
            if document.1 - document.0 > LONGEST_NAME {
                self.counters
                    .count_long_name(number, &text[document.0..document.1]);
            }
            if !self.returned.push(text, document, score, rank, number) {
                let problem = |_: &str| diagnostic!(TooLarge: "more than 2^32 lines");
                return Err(self.word_error(&text[..end], number, document, problem));
            }
            if let Some(queries) = &mut self.queries {
                queries.push(asked as u32);
            }
        }
        Ok(end)
    }

    /// Skips a line that is blank or a comment. Returns an error for any other line, which has the
    /// wrong number of columns.
    #[cold]
    fn skip_or_refuse_line(&self, line: &[u8], number: u64) -> Result<usize, FormatError> {
        let LineTokens { words, count, .. } = split_any_line::<1>(line);
        if count == 0 || line[words[0].0] == b'#' {
            return Ok(line.len());
        }
        let line = SourceLine::new(self.source, number, utf8_text(line));
        Err(line.column_count_error(6, "query, Q0, item, rank, score, tag"))
    }

    #[cold]
    fn parse_unusual_score(
        &self,
        line: &[u8],
        number: u64,
        score: (usize, usize),
    ) -> Result<f64, FormatError> {
        let read = parse_number(&line[score.0..score.1]);
        read.filter(|score| !score.is_nan()).ok_or_else(|| {
            let wrong = self.word_error(line, number, score, |found| match read {
                Some(_) => diagnostic!(NotANumber: "a score must not be NaN"),
                None => {
                    diagnostic!(NotANumber { found }: "a score must be a number, not `{found}`")
                }
            });
            with_decimal_comma_remedy(utf8_text(&line[score.0..score.1]), wrong)
        })
    }

    #[cold]
    fn parse_unusual_rank(
        &mut self,
        line: &[u8],
        number: u64,
        rank: (usize, usize),
    ) -> Result<f64, FormatError> {
        match parse_number(&line[rank.0..rank.1]) {
            Some(rank) if !rank.is_nan() => Ok(rank),
            _ if self.options.order == RunOrder::Rank => Err(self.word_error(
                line,
                number,
                rank,
                |found| diagnostic!(NotANumber { found }: "a rank must be a number, not `{found}`"),
            )),
            _ => {
                self.counters.count_odd_rank(number, &line[rank.0..rank.1]);
                Ok(f64::NAN)
            }
        }
    }

    /// Creates an error that points to a word of a line.
    fn word_error(
        &self,
        line: &[u8],
        number: u64,
        (from, to): (usize, usize),
        problem: impl Fn(&str) -> Diagnostic,
    ) -> FormatError {
        let line = SourceLine::new(self.source, number, utf8_text(line));
        let word = &line.text[from..to];
        line.error_at(word, problem(word))
    }

    #[cold]
    fn note_tag(&mut self, tag: &[u8], line: u64) {
        if self.tag.text().is_empty() {
            self.tag.set(utf8_text(tag));
        } else if self.other_tag.is_none() {
            self.other_tag = Some((line, utf8_text(tag).to_owned()));
        }
    }

    /// Makes the query of the current line the current query. Passes the previous query to the sink
    /// first, unless all queries are collected.
    fn switch_query(&mut self, query: &[u8], line: u64) {
        let query = utf8_text(query);
        self.query.set(query);
        if self.queries.is_none() {
            self.flush_query();
        }
        self.query_index = self.sink.find_query(query);
        let Some(number) = self.query_index else {
            return self.counters.count_unknown_query(line, query);
        };
        if self.queries.is_none() {
            self.scattered |= self.flushed.get(number) == Some(&true);
            self.returned.restart_at(line);
        }
    }

    /// Passes the documents of the current query to the sink, if the sink needs the query.
    fn flush_query(&mut self) {
        if let Some(query) = self.query_index.take() {
            let (sink, counters) = (&mut self.sink, &mut self.counters);
            self.returned
                .flush_query(query, self.options, sink, counters);
            if self.flushed.len() <= query {
                self.flushed.resize(query + 1, false);
            }
            self.flushed[query] = true;
        }
    }

    fn finish(mut self) -> (RunFile<S::Run>, Names) {
        let file = self.source.name();
        let others = self.counters.take_unknown_queries();
        let mut warnings = self.counters.warnings(file, self.options.order.name());
        warnings.extend(self.warning);
        let mut name = self.tag.text();
        let unnamed = self.options.name_or_stem(self.source);
        if let Some((line, other)) = self.other_tag {
            name = unnamed;
            let problem = diagnostic!(SeveralTags { other }:
                "more than one tag (here `{other}`); the run is called by its file");
            warnings.push(Warning::in_file(file, problem).at_line(line));
        }
        let runs = vec![self.sink.finish(name.to_owned())];
        (RunFile { runs, warnings }, others)
    }
}

/// Converts bytes that are known to be UTF-8.
fn utf8_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the bytes are words of UTF-8 text")
}

/// Writes a single run in TREC's format; more runs are an error. The scores only express the order:
/// the score of a document is the number of documents that are not ranked before it, itself
/// included.
pub(super) fn write(runs: &[Run]) -> Result<String, FormatError> {
    let run = require_single_run(runs, "trec")?;
    let tag = run.name();
    check_single_word("trec", tag)?;
    let mut text = String::new();
    for (query, groups) in run.queries() {
        check_single_word("trec", query)?;
        let mut left: usize = groups.iter().map(Vec::len).sum();
        let mut rank = 0;
        for group in groups {
            for name in &group {
                rank += 1;
                check_single_word("trec", name)?;
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{query} Q0 {name} {rank} {left} {tag}");
            }
            left -= group.len();
        }
    }
    Ok(text)
}
