//! Takeover of a campaign from its log: one that began as a file, or that another server ran.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::{fs, io};

use partita::judging::campaign::log::{self, LogEntry};
use partita::judging::campaign::{Campaign, LogReplay};
use sha2::{Digest, Sha256};

use super::{AdminError, ServerStorage};
use crate::auth::hex;
use crate::campaign::upload::{
    FileSource, insert_campaign, media_errors, page_errors, require_new_name,
};
use crate::http::json::{NUL_DETAIL, nul_pointers};
use crate::http::problem::HttpProblem;
use crate::media::{MAX_FILE_BYTES, MediaFile};
use crate::writer::UnixMillis;
use crate::writer::log_buffer::LogLine;

impl ServerStorage {
    /// Creates a campaign from its log, with all that happened in it, and returns the name of the
    /// campaign. Media files that the server does not have are looked up in the folder `media` and
    /// its subfolders by their SHA-256, whatever their names. An incomplete last line is ignored.
    ///
    /// A log has neither completion codes nor links, remarks and personal data, so a campaign that
    /// another server ran has no recruiter, and nobody can enter it by an old link.
    ///
    /// # Errors
    /// Returns [`AdminError::Rejected`] if the log is damaged, its campaign cannot be judged on
    /// pages, a media file is missing, or a campaign of this name exists; another [`AdminError`] if
    /// the folder cannot be read or the storage fails. Nothing is stored in that case.
    pub fn create_campaign_from_log(
        &self,
        log: &[u8],
        media: Option<&Path>,
    ) -> Result<String, AdminError> {
        let (campaign, lines) = replay_log(log)?;
        let mut errors = page_errors(campaign.spec(), !campaign.spec().has_stimuli());
        let stimuli = campaign.spec().stimuli();
        let wanted = stimuli.flat_map(|(_, show)| [show.audio.clone(), show.image.clone()]);
        let mut wanted: HashSet<String> = wanted.flatten().collect();
        let mut files = HashMap::new();
        if let Some(folder) = media {
            find_media(folder, &mut wanted, &mut files)?;
        }
        self.in_write_transaction(async |write| {
            errors.extend(media_errors(write, campaign.spec(), &files, FileSource::Stored).await?);
            if !errors.is_empty() {
                return Err(HttpProblem::invalid_spec(errors).into());
            }
            let name = campaign.spec().name.clone();
            require_new_name(write, &name).await?;
            insert_campaign(write, &campaign, None, lines, files, UnixMillis::now()).await?;
            Ok(name)
        })
    }
}

/// Replays a log. Returns the campaign and the lines of the log as they were written.
fn replay_log(log: &[u8]) -> Result<(Campaign, Vec<LogLine>), AdminError> {
    let mut replay = LogReplay::default();
    let mut texts = log.split(|&byte| byte == b'\n');
    let (mut lines, mut line_with_nul) = (Vec::new(), None);
    let take = |entry: LogEntry| {
        replay.push(&entry.event);
        let text = texts.next().expect("each entry has a line");
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if let Some(pointer) = nul_pointers(text).into_iter().next() {
            line_with_nul.get_or_insert((entry.seq, pointer));
        }
        lines.push(LogLine {
            seq: entry.seq,
            text: String::from_utf8_lossy(text).into_owned(),
            chain: entry.chain,
        });
    };
    let rejected = |error: String| AdminError::Rejected(error);
    log::for_each_entry(log, take).map_err(|error| rejected(error.to_string()))?;
    if let Some((event, pointer)) = line_with_nul {
        return Err(rejected(format!("event {event}: {pointer}: {NUL_DETAIL}")));
    }
    let campaign = replay.finish().map_err(|(place, error)| {
        let event = place + 1;
        rejected(format!("event {event}: {error}"))
    })?;
    let campaign = campaign.ok_or_else(|| rejected("the campaign was never begun".to_owned()))?;
    Ok((campaign, lines))
}

/// Finds files whose SHA-256 is `wanted` in a folder and its subfolders, and moves their ids from
/// `wanted` to `files`. Symbolic links are followed to files but not to folders, so that the search
/// ends.
fn find_media(
    folder: &Path,
    wanted: &mut HashSet<String>,
    files: &mut HashMap<String, MediaFile>,
) -> Result<(), AdminError> {
    let failed = |path: &Path, error: io::Error| {
        AdminError::Rejected(format!("{}: {error}", path.display()))
    };
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(folder, error))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| failed(&path, error))?;
        if kind.is_dir() {
            find_media(&path, wanted, files)?;
            continue;
        }
        let info = fs::metadata(&path).map_err(|error| failed(&path, error))?;
        if wanted.is_empty() || !info.is_file() || info.len() > MAX_FILE_BYTES as u64 {
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| failed(&path, error))?;
        let id = hex(&Sha256::digest(&bytes));
        if wanted.remove(&id) {
            files.insert(id, MediaFile::from_bytes(bytes)?);
        }
    }
    Ok(())
}
