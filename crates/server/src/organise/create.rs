//! Making a campaign, whole or not at all.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};

use partita_judging::campaign::Session;
use zip::ZipArchive;

use crate::desk::room::{SERVER, add_events};
use crate::desk::{Now, Refused};
use crate::document::{Document, read};
use crate::media::{MOST_BYTES, Media, is_id};
use crate::organise::reading::Written;
use crate::problem::{Fault, Problem, ProblemKind};
use crate::store::statement as sql;
use crate::store::{Transaction, row};

/// The most bytes of a zip, of what is in it, and of its document.
pub(crate) const MOST_ZIP: usize = 500 << 20;
const MOST_UNPACKED: u64 = 2 << 30;
/// The most bytes of a document.
pub(crate) const MOST_DOCUMENT: usize = 16 << 20;
/// How many times as large a file may become when it is unpacked.
const MOST_RATIO: u64 = 100;
/// Small files may be packed better than that.
const SMALL: u64 = 1 << 20;

/// The document in a zip.
const DOCUMENT: &str = "campaign.json";

/// A campaign to be made, with the files that come with it.
pub(crate) struct Parcel {
    document: Document,
    files: HashMap<String, Media>,
}

impl Parcel {
    /// What a document or a zip holds.
    pub(crate) fn open(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.starts_with(b"PK") {
            return Self::unzip(bytes);
        }
        if bytes.len() > MOST_DOCUMENT {
            return Err(too_large("the document"));
        }
        Ok(Self {
            document: read(bytes)?,
            files: HashMap::new(),
        })
    }

    fn unzip(bytes: &[u8]) -> Result<Self, Problem> {
        let bad = |detail: String| Problem::at("", detail);
        let mut archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| bad(format!("this is no zip that can be read: {error}")))?;
        let mut left = MOST_UNPACKED;
        let mut document = None;
        let mut files: HashMap<String, Vec<u8>> = HashMap::new();
        for place in 0..archive.len() {
            let file = archive.by_index(place);
            let file = file.map_err(|error| bad(format!("the zip is damaged: {error}")))?;
            if file.is_dir() {
                continue;
            }
            // Names are only names here: nothing is ever written under them.
            let name = file.name();
            let name = name.map_err(|error| bad(format!("the zip is damaged: {error}")))?;
            let name = name.trim_start_matches("./").to_owned();
            let most = match name.as_str() {
                DOCUMENT => MOST_DOCUMENT as u64,
                _ => MOST_BYTES as u64,
            };
            let packed = file.compressed_size();
            let most = most
                .min(left)
                .min(packed.saturating_mul(MOST_RATIO).max(SMALL));
            let mut content = Vec::new();
            // The header's size is the sender's word: what comes out is counted.
            let unpacked = file.take(most + 1).read_to_end(&mut content);
            unpacked.map_err(|error| bad(format!("`{name}` cannot be unpacked: {error}")))?;
            if content.len() as u64 > most {
                return Err(too_large(&format!("`{name}` in the zip")));
            }
            left -= content.len() as u64;
            match name.as_str() {
                DOCUMENT => document = Some(content),
                _ => _ = files.insert(name, content),
            }
        }
        let document = document.ok_or_else(|| bad(format!("there is no {DOCUMENT} in the zip")))?;
        let mut parcel = Self {
            document: read(&document)?,
            files: HashMap::new(),
        };
        parcel.take_files(files)?;
        Ok(parcel)
    }

    /// Takes the files that the document shows.
    fn take_files(&mut self, mut files: HashMap<String, Vec<u8>>) -> Result<(), Problem> {
        let mut faults = Vec::new();
        for (at, show) in self.document.shown() {
            for (key, name) in [("audio", &show.audio), ("image", &show.image)] {
                let Some(name) = name else { continue };
                let Some(content) = files.remove(name) else {
                    continue;
                };
                match Media::of(content) {
                    Ok(media) => _ = self.files.insert(name.clone(), media),
                    Err(problem) => {
                        faults.push(Fault::at(format!("{at}/{key}"), problem.detail));
                    }
                }
            }
        }
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        Ok(())
    }

    /// Puts the ids of files in the place of their names.
    fn resolve(&mut self) {
        let files = &self.files;
        for show in self.document.shown_mut() {
            for name in [&mut show.audio, &mut show.image] {
                if let Some(media) = name.as_ref().and_then(|name| files.get(name)) {
                    *name = Some(media.id.clone());
                }
            }
        }
    }
}

fn too_large(what: &str) -> Problem {
    Problem::new(ProblemKind::TooLarge, format!("{what} is too large"))
}

/// Makes a campaign; its document as it is kept.
pub(crate) async fn create(
    transaction: &mut dyn Transaction,
    mut parcel: Parcel,
    author: &str,
    now: Now,
) -> Result<Document, Refused> {
    let settings = parcel.document.settings()?;
    parcel.resolve();
    let Parcel { document, files } = parcel;
    let name = document.name.as_str();
    let known = row(transaction, &sql::CAMPAIGN_GET, vec![name.into()]).await?;
    if known.is_some() {
        let detail = format!("there is a campaign `{name}` already");
        return Err(Problem::new(ProblemKind::Exists, detail).into());
    }
    check_media(transaction, &document, &files).await?;
    // All that can be refused has been: from here on it is only written.
    let written = Written::default();
    let mut session = Session::begin(written.clone(), settings, &now.stamp(author))
        .map_err(|error| Problem::at("/settings", error.to_string()))?;
    let asked = session.ask(&now.stamp(SERVER), None);
    // A campaign of rankings or grades alone asks no pairs.
    drop(asked);
    for media in files.into_values() {
        media.keep(transaction).await?;
    }
    let text = serde_json::to_string(&document).expect("a document is text and numbers");
    let values = vec![name.into(), now.0.into(), "open".into(), text.into()];
    transaction.run(&sql::CAMPAIGN_ADD, values).await?;
    add_events(transaction, name, &written.entries(), now).await?;
    let tail = session.tail();
    let values = vec![
        name.into(),
        "open".into(),
        (tail.seq as i64).into(),
        tail.chain.to_string().into(),
        1.into(),
    ];
    transaction.run(&sql::CAMPAIGN_MOVE, values).await?;
    Ok(document)
}

/// Whether all that is shown is there, and is what it is said to be.
pub(crate) async fn check_media(
    transaction: &mut dyn Transaction,
    document: &Document,
    files: &HashMap<String, Media>,
) -> Result<(), Refused> {
    let new: HashMap<&str, &str> = files
        .values()
        .map(|media| (media.id.as_str(), media.kind))
        .collect();
    let mut known: HashMap<String, Option<String>> = HashMap::new();
    let mut faults = Vec::new();
    for (at, show) in document.shown() {
        for (key, id) in [("audio", &show.audio), ("image", &show.image)] {
            let Some(id) = id else { continue };
            let pointer = format!("{at}/{key}");
            if !is_id(id) {
                let detail = format!("there is no file `{id}` in the zip");
                faults.push(Fault::at(pointer, detail));
                continue;
            }
            let kind = match new.get(id.as_str()) {
                Some(kind) => Some((*kind).to_owned()),
                None => match known.get(id) {
                    Some(kind) => kind.clone(),
                    None => {
                        let about = vec![id.as_str().into()];
                        let found = row(transaction, &sql::MEDIA_ABOUT, about).await?;
                        let kind = found.map(|mut row| row.text()).transpose()?;
                        known.insert(id.clone(), kind.clone());
                        kind
                    }
                },
            };
            match kind {
                None => faults.push(Fault::at(pointer, "there is no such file")),
                Some(kind) if !kind.starts_with(key) => {
                    faults.push(Fault::at(pointer, format!("this file is {kind}")));
                }
                Some(_) => {}
            }
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Problem::invalid(faults).into())
    }
}
