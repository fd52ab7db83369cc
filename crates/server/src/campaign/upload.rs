//! Uploads of campaigns as JSON documents or zip files. A campaign is created completely or not at
//! all.

use std::collections::{BTreeMap, HashMap};
use std::io::{Cursor, Read as _};

use partita::judging::campaign::CampaignSession;
use zip::ZipArchive;

use super::document::CampaignDocument;
use super::state::{SERVER_AUTHOR, insert_events};
use crate::http::json::parse_json;
use crate::http::problem::{FieldError, HttpProblem, ProblemKind};
use crate::media::{MAX_FILE_BYTES, MediaFile, is_media_id};
use crate::store::statement as sql;
use crate::store::{CampaignNumber, StoreError, Transaction};
use crate::writer::log_buffer::LogBuffer;
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

/// Uploaded campaign: document and media files, not yet stored.
pub(crate) struct CampaignUpload {
    document: CampaignDocument,
    files: HashMap<String, MediaFile>,
    /// Validation errors of the media files of the upload.
    field_errors: Vec<FieldError>,
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
            document: parse_json(bytes)?,
            files: HashMap::new(),
            field_errors: Vec::new(),
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
        Self::load_media(&document, |name| unpack(name, MAX_FILE_BYTES))
    }

    /// Builds an upload from a document and its media files, keyed by the names that the document
    /// uses.
    pub(crate) fn from_parts(
        document: &[u8],
        mut files: HashMap<String, Vec<u8>>,
    ) -> Result<Self, HttpProblem> {
        Self::load_media(document, |name| Ok(files.remove(name)))
    }

    /// Parses the document, loads the media files that it names, and collects the errors of invalid
    /// files. `file` returns the content of a file, or `None` if the upload has none of this name.
    fn load_media(
        document: &[u8],
        mut file: impl FnMut(&str) -> Result<Option<Vec<u8>>, HttpProblem>,
    ) -> Result<Self, HttpProblem> {
        let mut upload = Self {
            document: parse_json(document)?,
            files: HashMap::new(),
            field_errors: Vec::new(),
        };
        for (at, show) in upload.document.stimuli() {
            for (key, name) in [("audio", &show.audio), ("image", &show.image)] {
                let Some(name) = name else { continue };
                if upload.files.contains_key(name) {
                    continue;
                }
                let Some(content) = file(name)? else {
                    continue;
                };
                match MediaFile::from_bytes(content) {
                    Ok(media) => _ = upload.files.insert(name.clone(), media),
                    Err(problem) => {
                        let field_error = FieldError::new(format!("{at}/{key}"), problem.detail);
                        upload.field_errors.push(field_error);
                    }
                }
            }
        }
        Ok(upload)
    }

    /// Replaces the file names of media in the document by media ids.
    fn resolve_media_names(&mut self) {
        let files = &self.files;
        for show in self.document.stimuli_mut() {
            for name in [&mut show.audio, &mut show.image] {
                if let Some(media) = name.as_ref().and_then(|name| files.get(name)) {
                    *name = Some(media.id.clone());
                }
            }
        }
    }
}

/// Returns the problem for an upload that exceeds a size limit.
fn too_large_problem(what: &str) -> HttpProblem {
    HttpProblem::new(ProblemKind::TooLarge, format!("{what} is too large"))
}

/// Stores the uploaded campaign and returns its document as stored.
pub(crate) async fn create_campaign(
    transaction: &mut dyn Transaction,
    mut upload: CampaignUpload,
    author: &str,
    now: UnixMillis,
) -> Result<CampaignDocument, JobError> {
    upload.resolve_media_names();
    let CampaignUpload {
        document,
        files,
        mut field_errors,
    } = upload;
    let missing = media_errors(transaction, &document, &files).await?;
    // Do not report a file as missing if an error at the same position was already reported.
    let known: Vec<String> = field_errors
        .iter()
        .map(|field_error| field_error.pointer.clone())
        .collect();
    field_errors
        .extend((missing.into_iter()).filter(|field_error| !known.contains(&field_error.pointer)));
    let settings = match document.to_spec() {
        Ok(settings) => Some(settings),
        Err(problem) => {
            field_errors.extend(problem.errors);
            None
        }
    };
    let Some(settings) = settings.filter(|_| field_errors.is_empty()) else {
        return Err(HttpProblem::invalid(field_errors).into());
    };
    let name = document.name.as_str();
    // Serialise concurrent creations, so that each campaign gets a number of its own.
    transaction.fetch_all(&sql::SCHEMA_LOCK, vec![]).await?;
    let known = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![name.into()])
        .await?;
    if known.is_some() {
        let detail = format!("a campaign `{name}` already exists");
        return Err(HttpProblem::new(ProblemKind::AlreadyExists, detail).into());
    }
    // All validation of the upload is done. The rest of this function only writes.
    let log = LogBuffer::default();
    let mut session = CampaignSession::create(log.clone(), settings, &now.to_stamp(author))
        .map_err(|error| HttpProblem::invalid_field("/settings", error.to_string()))?;
    let asked = session.ask(&now.to_stamp(SERVER_AUTHOR), None);
    // Ignore the returned pairs: they are recorded in the log, and a campaign with only rankings or
    // grades has none.
    drop(asked);
    for media in files.into_values() {
        media.insert(transaction).await?;
    }
    let text = serde_json::to_string(&document).expect("a campaign document can be serialised");
    let values = vec![name.into(), now.0.into(), "open".into()];
    transaction.execute(&sql::CAMPAIGN_ADD, values).await?;
    let values = vec![name.into(), text.into()];
    transaction.execute(&sql::DOCUMENT_SET, values).await?;
    let number = transaction
        .fetch_optional(&sql::CAMPAIGN_NUMBER, vec![name.into()])
        .await?;
    let number = number.expect("the campaign was inserted above").int()?;
    let campaign = (name, CampaignNumber(number));
    insert_events(
        transaction,
        campaign,
        log.drain_outgoing(),
        BTreeMap::new(),
        now,
    )
    .await?;
    let tail = session.tail();
    let values = vec![
        name.into(),
        "open".into(),
        (tail.seq as i64).into(),
        tail.chain.to_string().into(),
        1.into(),
    ];
    transaction.execute(&sql::CAMPAIGN_UPDATE, values).await?;
    Ok(document)
}

/// Returns an error unless all media that the document refers to are stored and have the right
/// type.
pub(crate) async fn check_media(
    transaction: &mut dyn Transaction,
    document: &CampaignDocument,
) -> Result<(), JobError> {
    let field_errors = media_errors(transaction, document, &HashMap::new()).await?;
    match field_errors.is_empty() {
        true => Ok(()),
        false => Err(HttpProblem::invalid(field_errors).into()),
    }
}

/// Returns the validation errors of media that are missing or have the wrong type.
async fn media_errors(
    transaction: &mut dyn Transaction,
    document: &CampaignDocument,
    files: &HashMap<String, MediaFile>,
) -> Result<Vec<FieldError>, StoreError> {
    let new: HashMap<&str, &str> = files
        .values()
        .map(|media| (media.id.as_str(), media.media_type))
        .collect();
    let mut known: HashMap<String, Option<String>> = HashMap::new();
    let mut field_errors = Vec::new();
    for (at, show) in document.stimuli() {
        for (key, id) in [("audio", &show.audio), ("image", &show.image)] {
            let Some(id) = id else { continue };
            let pointer = format!("{at}/{key}");
            if !is_media_id(id) {
                let detail = format!("the zip has no file `{id}`");
                field_errors.push(FieldError::new(pointer, detail));
                continue;
            }
            let kind = match new.get(id.as_str()) {
                Some(kind) => Some((*kind).to_owned()),
                None => match known.get(id) {
                    Some(kind) => kind.clone(),
                    None => {
                        let about = vec![id.as_str().into()];
                        let found = transaction.fetch_optional(&sql::MEDIA_INFO, about).await?;
                        let kind = found.map(|mut row| row.text()).transpose()?;
                        known.insert(id.clone(), kind.clone());
                        kind
                    }
                },
            };
            match kind {
                None => field_errors.push(FieldError::new(pointer, "there is no such file")),
                Some(kind) if !kind.starts_with(key) => {
                    field_errors.push(FieldError::new(pointer, format!("this file is {kind}")));
                }
                Some(_) => {}
            }
        }
    }
    Ok(field_errors)
}
