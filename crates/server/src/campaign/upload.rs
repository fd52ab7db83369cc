//! Uploads of campaigns as JSON documents, zip files, or documents with their files beside them. A
//! campaign is created completely or not at all.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Cursor, Read as _};
use std::path::{Component, Path};

use partita::judging::campaign::{
    Campaign, CampaignSession, CampaignSpec, CampaignSpecDraft, CampaignSpecError,
    CampaignSpecErrorKind, Recruiter,
};
use partita::named::NamedEnum as _;
use zip::ZipArchive;

use super::state::{CampaignPhase, SERVER_AUTHOR, insert_events};
use crate::http::json::{NUL_DETAIL, nul_pointers};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::media::{MAX_FILE_BYTES, MediaFile, is_media_id};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, StoreError, Transaction};
use crate::writer::log_buffer::{LogBuffer, LogLine};
use crate::writer::{JobError, UnixMillis};

/// Maximum size of an uploaded zip file, in bytes.
pub(crate) const MAX_ZIP_BYTES: usize = 500 << 20;
/// Maximum total size of the files unpacked from a zip, in bytes.
const MAX_UNPACKED_BYTES: u64 = 2 << 30;
/// Maximum size of a campaign document, in bytes.
pub(crate) const MAX_DOCUMENT_BYTES: usize = 16 << 20;
/// Maximum compression ratio of a file in a zip (protection against zip bombs).
const MAX_COMPRESSION_RATIO: u64 = 100;
/// Unpacked size of a file, in bytes, up to which [`MAX_COMPRESSION_RATIO`] does not apply.
const MAX_UNCHECKED_RATIO_BYTES: u64 = 1 << 20;

/// File name of the campaign document in a zip.
const DOCUMENT_FILE_NAME: &str = "campaign.json";

/// Maximum number of missing files that are reported one by one.
const MAX_MISSING_FILES: usize = 10;

/// Uploaded campaign: specification and media files, not yet stored.
pub(crate) struct CampaignUpload {
    /// Specification with the errors found so far.
    draft: CampaignSpecDraft,
    files: HashMap<String, MediaFile>,
    source: FileSource,
}

/// Source of the files that a document names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FileSource {
    /// Zip file that contains the document.
    Zip,
    /// Folder that contains the document.
    Folder,
    /// Files stored before, named by their SHA-256.
    Stored,
}

impl FileSource {
    /// Returns the message for a file that the source does not have.
    fn missing_file(self, name: &str) -> String {
        match self {
            Self::Zip => format!("the zip has no file `{name}`"),
            Self::Folder => format!("there is no file `{name}` beside the document"),
            Self::Stored => format!(
                "there is no file `{name}`: name a stored file by its SHA-256, or put the document \
                 and its files into a zip"
            ),
        }
    }
}

/// Content of a file that a document names.
pub(crate) enum FileContent {
    Found(Vec<u8>),
    Missing,
    /// Unusable file, with the reason.
    Refused(String),
}

impl From<Option<Vec<u8>>> for FileContent {
    fn from(content: Option<Vec<u8>>) -> Self {
        content.map_or(Self::Missing, Self::Found)
    }
}

impl CampaignUpload {
    /// Parses an upload, which is a JSON document or a zip file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, HttpProblem> {
        if bytes.starts_with(b"PK") {
            return Self::unzip(bytes);
        }
        if bytes.len() > MAX_DOCUMENT_BYTES {
            return Err(too_large_problem("the document"));
        }
        Ok(Self {
            draft: parse_document(bytes),
            files: HashMap::new(),
            source: FileSource::Stored,
        })
    }

    /// Parses a zip file, or a JSON document whose files are in a folder.
    pub(crate) fn parse_in_folder(bytes: &[u8], folder: &Path) -> Result<Self, HttpProblem> {
        if bytes.starts_with(b"PK") || bytes.len() > MAX_DOCUMENT_BYTES {
            return Self::parse(bytes);
        }
        let root = fs::canonicalize(folder);
        Self::load_media(bytes, FileSource::Folder, |name| {
            Ok(match &root {
                Ok(root) => read_file_in(root, name),
                Err(error) => FileContent::Refused(error.to_string()),
            })
        })
    }

    /// Unpacks a zip with the campaign document and its media files.
    fn unzip(bytes: &[u8]) -> Result<Self, HttpProblem> {
        let invalid = |detail: String| HttpProblem::invalid_field("", detail);
        let mut archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| invalid(format!("the zip cannot be read: {error}")))?;
        // Names are only map keys: nothing is written to the file system under them.
        let mut indices: HashMap<String, usize> = HashMap::new();
        for index in 0..archive.len() {
            let file = archive.by_index(index);
            let file = file.map_err(|error| invalid(format!("the zip is damaged: {error}")))?;
            let name = file.name();
            let name = name.map_err(|error| invalid(format!("the zip is damaged: {error}")))?;
            indices.insert(name.trim_start_matches("./").to_owned(), index);
        }
        let mut remaining = MAX_UNPACKED_BYTES;
        let mut unpack = |name: &str, max: usize| {
            let Some(index) = indices.get(name) else {
                return Ok(None);
            };
            let file = archive.by_index(*index);
            let file = file.map_err(|error| invalid(format!("the zip is damaged: {error}")))?;
            let packed = file.compressed_size();
            let max = (max as u64).min(remaining).min(
                packed
                    .saturating_mul(MAX_COMPRESSION_RATIO)
                    .max(MAX_UNCHECKED_RATIO_BYTES),
            );
            let mut content = Vec::new();
            // Do not trust the size in the header: limit the bytes actually read.
            let unpacked = file.take(max + 1).read_to_end(&mut content);
            unpacked.map_err(|error| invalid(format!("`{name}` cannot be unpacked: {error}")))?;
            if content.len() as u64 > max {
                return Err(too_large_problem(&format!("`{name}` in the zip")));
            }
            remaining -= content.len() as u64;
            Ok(Some(content))
        };
        let document = unpack(DOCUMENT_FILE_NAME, MAX_DOCUMENT_BYTES)?;
        let document = document
            .ok_or_else(|| invalid(format!("there is no {DOCUMENT_FILE_NAME} in the zip")))?;
        // Unpack only the files that the document references, each once.
        Self::load_media(&document, FileSource::Zip, |name| {
            unpack(name, MAX_FILE_BYTES).map(FileContent::from)
        })
    }

    /// Builds an upload from a document and its media files, keyed by the names that the document
    /// uses.
    pub(crate) fn from_parts(
        document: &[u8],
        mut files: HashMap<String, Vec<u8>>,
    ) -> Result<Self, HttpProblem> {
        Self::load_media(document, FileSource::Stored, |name| {
            Ok(files.remove(name).into())
        })
    }

    /// Parses the document, loads the media files that it names, and collects the errors of invalid
    /// files. `file` returns the content of a file of the source.
    fn load_media(
        document: &[u8],
        source: FileSource,
        mut file: impl FnMut(&str) -> Result<FileContent, HttpProblem>,
    ) -> Result<Self, HttpProblem> {
        let mut draft = parse_document(document);
        let mut files = HashMap::new();
        let mut errors = Vec::new();
        for (at, show) in draft.spec().iter().flat_map(|spec| spec.stimuli()) {
            for (key, name) in [("audio", &show.audio), ("image", &show.image)] {
                let Some(name) = name else { continue };
                if files.contains_key(name) {
                    continue;
                }
                let read = match file(name)? {
                    FileContent::Missing => continue,
                    FileContent::Refused(reason) => Err(format!("`{name}`: {reason}")),
                    FileContent::Found(content) => {
                        MediaFile::from_bytes(content).map_err(|problem| problem.detail)
                    }
                };
                match read {
                    Ok(media) => _ = files.insert(name.clone(), media),
                    Err(reason) => errors.push(media_error(&at, key, reason)),
                }
            }
        }
        draft.add_errors(errors);
        Ok(Self {
            draft,
            files,
            source,
        })
    }

    /// Replaces the file names of media in the specification by media ids.
    fn resolve_media_names(&mut self) {
        let files = &self.files;
        for show in (self.draft.spec_mut().into_iter()).flat_map(CampaignSpec::stimuli_mut) {
            for name in [&mut show.audio, &mut show.image] {
                if let Some(media) = name.as_ref().and_then(|name| files.get(name)) {
                    *name = Some(media.id.clone());
                }
            }
        }
    }
}

/// Parses a campaign document and collects its errors, texts with NUL included.
fn parse_document(bytes: &[u8]) -> CampaignSpecDraft {
    let mut draft = CampaignSpecDraft::parse(bytes);
    let errors = nul_pointers(bytes).into_iter().map(|pointer| {
        let kind = CampaignSpecErrorKind::Invalid(NUL_DETAIL.to_owned());
        CampaignSpecError::new(pointer, kind)
    });
    draft.add_json_errors(errors);
    draft
}

/// Reads a file that a document names by its path in a folder, whose canonical path is `root`.
pub(crate) fn read_file_in(root: &Path, name: &str) -> FileContent {
    const OUTSIDE: &str = "files must be in the folder of the document or below it";
    let refused = |reason: &str| FileContent::Refused(reason.to_owned());
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(is_inside) {
        return refused(OUTSIDE);
    }
    // A symbolic link may lead out of the folder.
    let path = match fs::canonicalize(root.join(name)) {
        Ok(path) if path.starts_with(root) => path,
        Ok(_) => return refused(OUTSIDE),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return FileContent::Missing,
        Err(error) => return refused(&error.to_string()),
    };
    match fs::metadata(&path) {
        Ok(info) if !info.is_file() => refused("this is no file"),
        Ok(info) if info.len() > MAX_FILE_BYTES as u64 => {
            FileContent::Refused(format!("the file has more than {MAX_FILE_BYTES} bytes"))
        }
        _ => match fs::read(&path) {
            Ok(content) => FileContent::Found(content),
            Err(error) => refused(&error.to_string()),
        },
    }
}

/// Returns the problem for an upload that exceeds a size limit.
fn too_large_problem(what: &str) -> HttpProblem {
    HttpProblem::new(ProblemKind::TooLarge, format!("{what} is too large"))
}

/// Stores the uploaded campaign and returns its specification, with queries and candidates in the
/// order of the upload.
pub(crate) async fn create_campaign(
    transaction: &mut dyn Transaction,
    mut upload: CampaignUpload,
    author: &str,
    now: UnixMillis,
) -> Result<CampaignSpec, JobError> {
    upload.resolve_media_names();
    let CampaignUpload {
        mut draft,
        files,
        source,
    } = upload;
    if let Some(spec) = draft.spec() {
        let missing = media_errors(transaction, spec, &files, source).await?;
        draft.add_errors(missing);
    }
    draft.validate(CampaignSpec::validate_for_pages);
    let spec = draft.into_spec().map_err(HttpProblem::invalid_spec)?;
    require_new_name(transaction, &spec.name).await?;
    // All validation is done: from here on, only write.
    let log = LogBuffer::default();
    let mut session = CampaignSession::create(log.clone(), spec.clone(), &now.to_stamp(author))
        .map_err(HttpProblem::invalid_request)?;
    let asked = session.ask(&now.to_stamp(SERVER_AUTHOR), None);
    // Ignore the result: the open pairs are not needed here, and a campaign with only rankings or
    // grades has none.
    drop(asked);
    let (lines, recruiter) = (log.drain_outgoing(), spec.recruiter.as_ref());
    insert_campaign(
        transaction,
        session.campaign(),
        recruiter,
        lines,
        files,
        now,
    )
    .await?;
    Ok(spec)
}

/// Locks the creation of campaigns, so that each gets a number of its own, and checks that none has
/// this name.
pub(crate) async fn require_new_name(
    transaction: &mut dyn Transaction,
    name: &str,
) -> Result<(), JobError> {
    transaction.fetch_all(&sql::SCHEMA_LOCK, vec![]).await?;
    let known = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![name.into()])
        .await?;
    if known.is_some() {
        let detail = format!("a campaign `{name}` already exists");
        return Err(HttpProblem::new(ProblemKind::AlreadyExists, detail).into());
    }
    Ok(())
}

/// Inserts the rows of a campaign: media files, events and the campaign itself, in the state to
/// which its log leads.
pub(crate) async fn insert_campaign(
    transaction: &mut dyn Transaction,
    campaign: &Campaign,
    recruiter: Option<&Recruiter>,
    lines: Vec<LogLine>,
    files: HashMap<String, MediaFile>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    for media in files.into_values() {
        media.insert(transaction).await?;
    }
    let name = campaign.spec().name.as_str();
    let phase = CampaignPhase::from_campaign(campaign).name();
    let recruiter = recruiter.map(|recruiter| {
        serde_json::to_string(recruiter).expect("a recruiter is text and numbers")
    });
    let values = vec![
        name.into(),
        now.0.into(),
        phase.into(),
        recruiter.into(),
        campaign.spec().title.default_text().into(),
    ];
    transaction.execute(&sql::CAMPAIGN_ADD, values).await?;
    let number = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![name.into()])
        .await?;
    let number = number.expect("it was just made").int()?;
    let last = lines.last().expect("a log has its first event");
    let values = vec![
        name.into(),
        phase.into(),
        (last.seq as i64).into(),
        last.chain.to_string().into(),
        1.into(),
    ];
    let key = (name, CampaignNumber(number));
    insert_events(transaction, key, lines, BTreeMap::new(), now).await?;
    transaction.execute(&sql::CAMPAIGN_UPDATE, values).await?;
    Ok(())
}

/// Returns the errors for which a campaign cannot be judged on pages. If `shows_names`, items need
/// no stimulus: their pages show their names.
pub(crate) fn page_errors(spec: &CampaignSpec, shows_names: bool) -> Vec<CampaignSpecError> {
    let mut errors = spec.validate_for_pages();
    errors.retain(|error| !(shows_names && error.kind == CampaignSpecErrorKind::NoStimulus));
    errors
}

/// Returns the error of a media file at a stimulus.
fn media_error(stimulus: &str, key: &str, detail: String) -> CampaignSpecError {
    let kind = CampaignSpecErrorKind::Invalid(detail);
    CampaignSpecError::new(format!("{stimulus}/{key}"), kind)
}

/// Returns the errors of media that are neither stored nor among the `files` of the source, or have
/// the wrong type. Many missing files are counted, because they often have one cause.
pub(crate) async fn media_errors(
    transaction: &mut dyn Transaction,
    spec: &CampaignSpec,
    files: &HashMap<String, MediaFile>,
    source: FileSource,
) -> Result<Vec<CampaignSpecError>, StoreError> {
    let mut known: HashMap<String, Option<String>> = (files.values())
        .map(|media| (media.id.clone(), Some(media.media_type.to_owned())))
        .collect();
    let mut errors = Vec::new();
    let mut missing = HashSet::new();
    for (at, show) in spec.stimuli() {
        for (key, id) in [("audio", &show.audio), ("image", &show.image)] {
            let Some(id) = id else { continue };
            if !is_media_id(id) {
                if missing.insert(id) && missing.len() <= MAX_MISSING_FILES {
                    errors.push(media_error(&at, key, source.missing_file(id)));
                }
                continue;
            }
            if !known.contains_key(id) {
                let about = vec![id.as_str().into()];
                let found = transaction.fetch_optional(&sql::MEDIA_INFO, about).await?;
                let kind = found.map(|mut row| row.text()).transpose()?;
                known.insert(id.clone(), kind);
            }
            match &known[id] {
                None => errors.push(media_error(&at, key, "there is no such file".to_owned())),
                Some(kind) if !kind.starts_with(key) => {
                    errors.push(media_error(&at, key, format!("this file is {kind}")));
                }
                Some(_) => {}
            }
        }
    }
    if missing.len() > MAX_MISSING_FILES {
        let more = format!(
            "and {} more files are missing",
            missing.len() - MAX_MISSING_FILES
        );
        errors.push(CampaignSpecError::new(
            "",
            CampaignSpecErrorKind::Invalid(more),
        ));
    }
    Ok(errors)
}
