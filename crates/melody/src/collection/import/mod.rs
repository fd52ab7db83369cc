//! Creation and extension of collections from imported files.

mod ids;
pub(crate) mod input_files;
mod report;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use partita_core::work::Work;
use partita_formats::{Diagnostic, DiagnosticCode, FormatError, Warning, diagnostic};
use partita_named::NamedEnum;

use super::writer::{BodySource, EncodedItem, write_collection};
use super::{Collection, CollectionError};
use crate::audio::decoder;
use crate::readers::{
    DiagnosticCounts, MelodyFormat, MelodyReadOptions, empty_file_diagnostic, pae,
};
use ids::{id_for_source, resolve_repeated_ids, strip_compression_extension};
use input_files::{FileOrigin, InputContent, InputFile, list_input_paths, read_standard_input};
pub use report::{IdScheme, ImportError, ImportOutcome, ImportReport, ImportRequest, SkippedItem};

/// Total size in bytes of the input files that are collected in memory before they are parsed in
/// parallel.
const BATCH_BYTES: usize = 16 << 20;

/// Number of incipits (short opening passages in a library catalogue) that are parsed in parallel
/// at a time.
const BATCH_INCIPITS: usize = 16 << 10;

/// Number of incipits that one thread parses at a time, and largest number of files in a batch.
const ITEMS_PER_WORK_UNIT: usize = 256;

/// Imports melodies and recordings into a collection file, which is created or extended.
///
/// The file is replaced atomically: after an error the old collection is unchanged.
///
/// # Errors
/// Returns [`ImportError`] if the import fails; nothing is written in that case.
pub fn import(
    request: &ImportRequest,
    into: &Path,
    work: &dyn Work,
) -> Result<ImportOutcome, ImportError> {
    let name = into.to_string_lossy().into_owned();
    let before = match Collection::open(into) {
        Ok(collection) => Some(collection),
        Err(CollectionError::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(ImportError::Collection(name, error)),
    };
    let (mut import, items) = read_sources(request, work)?.finish(before.as_ref(), &name)?;
    let Some(items) = items else {
        return Ok(import);
    };
    if import.report.added + import.report.replaced > 0 {
        let writing = write_atomically(into, |output| {
            write_collection(&items, before.as_ref(), output)
        });
        writing.map_err(|error| ImportError::WriteFailed(name, error))?;
    }
    import.is_written = true;
    Ok(import)
}

/// Imports melodies and recordings into a new collection in memory. Returns no collection if no
/// item could be read, or if the request is strict and an item was skipped.
///
/// # Errors
/// Returns [`ImportError`] if a source cannot be read, two items have the same id or the import is
/// cancelled.
pub fn import_in_memory(
    request: &ImportRequest,
    work: &dyn Work,
) -> Result<(ImportOutcome, Option<Collection>), ImportError> {
    let name = request.sources.join(", ");
    let (mut import, items) = read_sources(request, work)?.finish(None, &name)?;
    let Some(items) = items else {
        return Ok((import, None));
    };
    let mut bytes = Vec::new();
    let writing = write_collection(&items, None, &mut bytes);
    writing.map_err(|error| ImportError::WriteFailed(name.clone(), error))?;
    let collection = Collection::from_reader(Box::new(bytes));
    let collection = collection.map_err(|error| ImportError::Collection(name, error))?;
    import.is_written = true;
    Ok((import, Some(collection)))
}

/// Reads all files of the sources of an import request.
fn read_sources<'a>(
    request: &'a ImportRequest,
    work: &'a dyn Work,
) -> Result<Importer<'a>, ImportError> {
    let mut importer = Importer {
        request,
        work,
        items: Vec::new(),
        skipped: Vec::new(),
        diagnostics: BTreeMap::new(),
        files: Vec::new(),
        batch: Vec::new(),
        batch_bytes: 0,
    };
    let mut paths = Vec::new();
    for source in &request.sources {
        if source == "-" {
            importer.add_file(read_standard_input(request.options.max_size))?;
            continue;
        }
        let found = list_input_paths(source);
        paths.extend(found.map_err(|error| ImportError::UnreadableSource(source.clone(), error))?);
    }
    work.begin_stage("reading melodies", paths.len());
    for path in paths {
        let mut stopped = Ok(());
        path.open(request.options.max_size, &mut |found| {
            if stopped.is_ok() {
                stopped = importer.add_file(found);
            }
        });
        stopped?;
        work.advance(1);
    }
    importer.parse_pending_files()?;
    Ok(importer)
}

/// Input file that waits in memory to be parsed with the next batch.
struct PendingFile {
    file: usize,
    source: String,
    origin: Option<FileOrigin>,
    format: MelodyFormat,
    bytes: Vec<u8>,
}

/// Origin of an item: index of its file in `Importer::files`, line, and origin of its id.
#[derive(Clone, Copy, Debug)]
struct ItemLocation {
    file: u32,
    line: Option<u64>,
    /// True if the file states the id, false if it is made from the file name.
    has_stated_id: bool,
}

/// State of an import before a file was read, to which it returns if the file turns out to be in
/// another format.
struct Checkpoint {
    items: usize,
    skipped: usize,
    diagnostics: BTreeMap<DiagnosticCode, (u64, ItemLocation)>,
}

/// State of an import: items that were read, items that were skipped, and files that wait to be
/// parsed.
struct Importer<'a> {
    request: &'a ImportRequest,
    work: &'a dyn Work,
    items: Vec<(EncodedItem, ItemLocation)>,
    skipped: Vec<SkippedItem>,
    /// Problems that readers corrected, by code: total count, and location of the first.
    diagnostics: BTreeMap<DiagnosticCode, (u64, ItemLocation)>,
    /// Names of all input files for messages; [`ItemLocation`] refers to them by index.
    files: Vec<String>,
    batch: Vec<PendingFile>,
    batch_bytes: usize,
}

impl Importer<'_> {
    /// Reads one input file. A file with one melody waits for the next batch; files of incipits are
    /// parsed at once.
    fn add_file(&mut self, found: InputFile) -> Result<(), ImportError> {
        let file = self.files.len();
        self.files.push(found.display_name);
        let as_records = matches!(self.request.format, None | Some(MelodyFormat::Pae));
        let bytes = match found.content {
            Ok(InputContent::Records(records)) if as_records => {
                self.parse_pending_files()?;
                let name = self.files[file].clone();
                let each =
                    |take: &mut dyn FnMut(_)| pae::for_each_streamed_record(&name, records, take);
                return self.add_incipits(file, &found.source, each);
            }
            content => content.and_then(InputContent::into_bytes),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(problem) => {
                self.skip_file(file, problem);
                return Ok(());
            }
        };
        let format = self
            .request
            .format
            .or_else(|| MelodyFormat::detect(&bytes, strip_compression_extension(&found.source)));
        match format {
            None if bytes.trim_ascii().is_empty() => {
                self.skip_file(file, empty_file_diagnostic());
            }
            None => {
                let name = strip_compression_extension(&found.source);
                self.skip_file(file, MelodyFormat::unsupported_diagnostic(&bytes, name));
            }
            Some(MelodyFormat::Pae) => {
                self.parse_pending_files()?;
                let name = self.files[file].clone();
                let each = |take: &mut dyn FnMut(_)| pae::for_each_record(&name, &bytes, take);
                let before = self.checkpoint();
                self.add_incipits(file, &found.source, each)?;
                if pae::has_incipit_per_line(&bytes) {
                    self.reject_unfit_lines(file, &bytes, before);
                }
            }
            Some(format) => {
                // Unpacking happens before batching: the batch limit counts unpacked bytes, and
                // only one file is unpacked at a time.
                let name = &self.files[file];
                let bytes = match format.unpack(name, bytes, &self.request.options) {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        let id = id_for_source(self.request.ids, &found.source);
                        self.skip_item(Some(id), error);
                        return Ok(());
                    }
                };
                self.batch_bytes += bytes.len();
                self.batch.push(PendingFile {
                    file,
                    source: found.source,
                    origin: found.origin,
                    format,
                    bytes,
                });
                if self.batch_bytes > BATCH_BYTES || self.batch.len() >= ITEMS_PER_WORK_UNIT {
                    self.parse_pending_files()?;
                }
            }
        }
        Ok(())
    }

    /// Parses the pending files, each of which contains one melody or recording, in parallel.
    fn parse_pending_files(&mut self) -> Result<(), ImportError> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let (request, files) = (self.request, &self.files);
        let read = self.work.map_without_progress(batch.len(), |number| {
            let pending = &batch[number];
            let id = id_for_source(request.ids, &pending.source);
            read_item(pending, &files[pending.file], &id, &request.options)
        })?;
        for (pending, read) in batch.iter().zip(read) {
            let location = ItemLocation {
                file: pending.file as u32,
                line: None,
                has_stated_id: false,
            };
            match read {
                Ok((item, counts)) => self.add_item(item, location, &counts),
                Err(error) => {
                    let id = id_for_source(request.ids, &pending.source);
                    self.skip_item(Some(id), error);
                }
            }
        }
        Ok(())
    }

    /// Parses all incipits of a file, in parallel batches, and adds them to the collection. `each`
    /// reads the file and calls its argument once per record.
    fn add_incipits<'r>(
        &mut self,
        file: usize,
        source: &str,
        each: impl FnOnce(&mut dyn FnMut(Result<pae::PaeRecord<'r>, pae::PaeRecordError>)),
    ) -> Result<(), ImportError> {
        let mut batch = Vec::new();
        let mut done = 0;
        let mut outcome = Ok(());
        each(&mut |record| {
            batch.push(record);
            if batch.len() == BATCH_INCIPITS && outcome.is_ok() {
                outcome = self.add_incipit_batch(file, source, &batch, done, false);
                done += batch.len();
                batch.clear();
            }
        });
        outcome?;
        let alone = done == 0 && batch.len() == 1;
        self.add_incipit_batch(file, source, &batch, done, alone)
    }

    /// Parses a batch of incipits in parallel. `before` is the number of incipits of the file in
    /// earlier batches. `alone` is true if the file has only one incipit; without an id of its own
    /// it then gets its id from the file name.
    fn add_incipit_batch(
        &mut self,
        file: usize,
        source: &str,
        batch: &[Result<pae::PaeRecord<'_>, pae::PaeRecordError>],
        before: usize,
        alone: bool,
    ) -> Result<(), ImportError> {
        let (request, shown) = (self.request, &self.files[file]);
        let name = id_for_source(request.ids, source);
        let pieces = batch.len().div_ceil(ITEMS_PER_WORK_UNIT);
        let read = self.work.map_without_progress(pieces, |piece| {
            let start = piece * ITEMS_PER_WORK_UNIT;
            let records = &batch[start..batch.len().min(start + ITEMS_PER_WORK_UNIT)];
            let read = records.iter().zip(start..).map(|(record, number)| {
                let plain = |id: Option<&str>| match id {
                    Some(id) => id.to_owned(),
                    None if alone => name.clone(),
                    None => format!("{name}#{}", before + number + 1),
                };
                match record {
                    Ok(record) => {
                        let id = plain(record.id.as_deref());
                        let read = record.transcribe(&request.options).map(|read| {
                            let counts = read.diagnostic_counts.clone();
                            (
                                EncodedItem::from_transcript(&id, MelodyFormat::Pae, source, read),
                                counts,
                            )
                        });
                        let error =
                            |problem| FormatError::in_file(shown, problem).at_line(record.line);
                        (
                            Some(record.line),
                            read.map_err(|problem| (Some(id), error(problem))),
                        )
                    }
                    Err(none) => (none.error.line, Err((none.id.clone(), none.error.clone()))),
                }
            });
            read.collect::<Vec<_>>()
        })?;
        for (record, (line, read)) in batch.iter().zip(read.into_iter().flatten()) {
            let location = ItemLocation {
                file: file as u32,
                line,
                has_stated_id: record.as_ref().is_ok_and(|record| record.id.is_some()),
            };
            match read {
                Ok((item, counts)) => self.add_item(item, location, &counts),
                Err((id, error)) => self.skip_item(id, error),
            }
        }
        Ok(())
    }

    /// Returns the numbers of items and skipped items, and the corrections, up to now.
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            items: self.items.len(),
            skipped: self.skipped.len(),
            diagnostics: self.diagnostics.clone(),
        }
    }

    /// Skips a file of one incipit per line as a whole if most of its lines, read since `before`,
    /// break the rules of Plaine & Easie: then it is in another format, and the lines that could be
    /// read are so by chance.
    fn reject_unfit_lines(&mut self, file: usize, bytes: &[u8], before: Checkpoint) {
        let skipped = &self.skipped[before.skipped..];
        let lines = self.items.len() - before.items + skipped.len();
        let is_unfit = |item: &&SkippedItem| {
            use DiagnosticCode::{NotText, OpenGroup, Syntax, UnknownClef};
            matches!(item.code, NotText | OpenGroup | Syntax | UnknownClef)
        };
        let unfit = skipped.iter().filter(is_unfit).count();
        let Some(first) = skipped.iter().find(is_unfit) else {
            return;
        };
        // The reason of a single line says more than that the file is unsupported.
        if unfit * 2 <= lines || (lines == 1 && pae::is_pae(bytes)) {
            return;
        }
        let (line, reason) = (first.line.unwrap_or(1), &first.message);
        let problem = diagnostic!(Unsupported { unfit, lines, line, reason }:
            "{unfit} of its {lines} lines are no Plaine & Easie, so it is not read; line {line}: {reason}");
        self.items.truncate(before.items);
        self.skipped.truncate(before.skipped);
        self.diagnostics = before.diagnostics;
        self.skip_file(file, problem);
    }

    /// Adds an item that was read, and counts the problems that its reader corrected.
    fn add_item(&mut self, item: EncodedItem, location: ItemLocation, counts: &DiagnosticCounts) {
        for (code, count) in counts.iter() {
            self.diagnostics.entry(code).or_insert((0, location)).0 += u64::from(count);
        }
        self.items.push((item, location));
    }

    /// Records that an item could not be read.
    fn skip_item(&mut self, id: Option<String>, error: FormatError) {
        self.skipped.push(SkippedItem::new(id, error));
    }

    /// Records that a whole file could not be read.
    fn skip_file(&mut self, file: usize, problem: Diagnostic) {
        let error = FormatError::in_file(&self.files[file], problem);
        self.skip_item(None, error);
    }

    /// Formats a location as file name and line, for an error message.
    fn describe_location(&self, location: ItemLocation) -> String {
        let file = &self.files[location.file as usize];
        match location.line {
            Some(line) => format!("{file}, line {line}"),
            None => file.clone(),
        }
    }

    /// Merges the imported items with those of the existing collection. Returns no items if nothing
    /// should be written: no item could be read, or the request is strict and an item was skipped.
    fn finish(
        mut self,
        before: Option<&Collection>,
        name: &str,
    ) -> Result<(ImportOutcome, Option<Vec<EncodedItem>>), ImportError> {
        let warnings = self.diagnostics.iter().map(|(&code, &(count, first))| {
            let file = self.files[first.file as usize].as_str();
            Warning {
                line: first.line,
                ..Warning::in_file(file, count_diagnostic(code, count))
            }
        });
        let mut warnings: Vec<Warning> = warnings.collect();
        let mut items = std::mem::take(&mut self.items);
        let repeated = resolve_repeated_ids(&mut items, &self.files);
        let repeated = repeated.map_err(|two| ImportError::DuplicateId {
            id: two.id,
            first: self.describe_location(two.first),
            second: self.describe_location(two.second),
        })?;
        warnings.extend(repeated);
        let mut import = ImportOutcome {
            report: ImportReport {
                collection: name.to_owned(),
                items: before.map_or(0, Collection::len),
                added: 0,
                unchanged: 0,
                replaced: 0,
                skipped: std::mem::take(&mut self.skipped),
            },
            warnings,
            is_written: false,
        };
        import.warnings.extend(import.report.skipped_warning());
        let refused = self.request.strict && !import.report.skipped.is_empty();
        if items.is_empty() || refused {
            return Ok((import, None));
        }
        let unreadable = |error| ImportError::Collection(name.to_owned(), error);
        let report = &mut import.report;
        let merged: Vec<EncodedItem> = match before {
            None => {
                report.added = items.len() as u64;
                items.into_iter().map(|(item, _)| item).collect()
            }
            Some(collection) => {
                let old = existing_items(collection).map_err(unreadable)?;
                self.merge_items(old, items, report)?
            }
        };
        report.items = merged.len() as u64;
        Ok((import, Some(merged)))
    }

    /// Merges the items of the existing collection and the imported items, in order of id, and
    /// counts added, unchanged and replaced items in the report.
    fn merge_items(
        &self,
        old: Vec<EncodedItem>,
        new: Vec<(EncodedItem, ItemLocation)>,
        report: &mut ImportReport,
    ) -> Result<Vec<EncodedItem>, ImportError> {
        let mut merged = Vec::with_capacity(old.len() + new.len());
        let mut old = old.into_iter().peekable();
        for (item, location) in new {
            while let Some(before) = old.next_if(|before| before.id < item.id) {
                merged.push(before);
            }
            match old.next_if(|before| before.id == item.id) {
                None => {
                    report.added += 1;
                    merged.push(item);
                }
                Some(before) if before.checksum == item.checksum && before.kind == item.kind => {
                    report.unchanged += 1;
                    merged.push(before);
                }
                Some(_) if self.request.replace => {
                    report.replaced += 1;
                    merged.push(item);
                }
                Some(before) => {
                    return Err(ImportError::ExistingId {
                        id: before.id.into(),
                        source_file: self.describe_location(location),
                    });
                }
            }
        }
        merged.extend(old);
        Ok(merged)
    }
}

/// Returns the warning that a problem with this code occurred `count` times in an import.
fn count_diagnostic(code: DiagnosticCode, count: u64) -> Diagnostic {
    let what = match code {
        DiagnosticCode::GraceNotes => "grace notes that were left out",
        DiagnosticCode::BrokenTies => "ties without a following note of the same pitch, left out",
        DiagnosticCode::OpenBeams => "beams that are not closed, or closed without an opening",
        DiagnosticCode::UnclearMetre => "rests of whole measures without a clear metre",
        DiagnosticCode::UnevenBars => "incipits with bars that do not fill the metre",
        DiagnosticCode::NoDuration => "notes without a duration, left out",
        DiagnosticCode::CutNotes => "notes that overlapped the next by one tick, shortened",
        DiagnosticCode::Chords => "simultaneous notes of which only the highest was kept",
        code => code.summary(),
    };
    Diagnostic::new(code, format!("{what}: {count}")).with_field("count", count)
}

/// Parses a file with one melody or one recording.
fn read_item(
    pending: &PendingFile,
    file: &str,
    id: &str,
    options: &MelodyReadOptions,
) -> Result<(EncodedItem, DiagnosticCounts), FormatError> {
    if pending.format == MelodyFormat::Audio {
        let recording = decoder::read(pending.bytes.clone());
        let recording = recording.map_err(|problem| FormatError::in_file(file, problem))?;
        let body = match &pending.origin {
            Some(origin) => BodySource::File(origin.clone(), pending.bytes.len() as u64),
            None => BodySource::Memory(pending.bytes.as_slice().into()),
        };
        let item = EncodedItem::from_recording(
            id,
            &pending.source,
            body,
            recording.seconds,
            recording.checksum,
        );
        return Ok((item, DiagnosticCounts::default()));
    }
    let read = pending.format.read_melody(file, &pending.bytes, options)?;
    let counts = read.diagnostic_counts.clone();
    Ok((
        EncodedItem::from_transcript(id, pending.format, &pending.source, read),
        counts,
    ))
}

/// Returns all items of the collection that an import extends. Recordings are not loaded; they are
/// copied from the old file when the new one is written.
fn existing_items(collection: &Collection) -> Result<Vec<EncodedItem>, CollectionError> {
    let mut items = Vec::new();
    collection.for_each_item(0, u64::MAX, &mut |item, info, notes| {
        items.push(EncodedItem::from_existing(&item, info, notes));
        Ok(())
    })?;
    Ok(items)
}

/// Writes a temporary file in the folder of the target and renames it over the target, so that
/// readers see either the old or the new file.
fn write_atomically(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}", std::process::id()));
    let temporary = file.with_file_name(temporary);
    let writing = || -> io::Result<()> {
        let mut output = BufWriter::with_capacity(1 << 20, File::create(&temporary)?);
        write(&mut output)?;
        let written = output
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        written.sync_all()?;
        drop(written);
        fs::rename(&temporary, file)
    };
    writing().inspect_err(|_| {
        // An error of the removal is ignored, because the temporary file may not exist. The error
        // of the write is returned.
        let _ = fs::remove_file(&temporary);
    })
}
