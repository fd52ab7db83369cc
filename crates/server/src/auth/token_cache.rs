//! Cache of authenticated assessors by token hash, which saves a database lookup per request.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::auth::assessor::AuthenticatedAssessor;

/// Maximum number of cached tokens. A full cache is cleared.
const MAX_ENTRIES: usize = 50_000;

/// Maximum age of a cached token. If another server of the same database revokes a token, this
/// server accepts it for at most this time.
const MAX_ENTRY_AGE: Duration = Duration::from_mins(1);

/// Assessor of a token, and the expiry time of the token in Unix milliseconds.
type CachedAssessor = (AuthenticatedAssessor, i64);

/// Cache from token hash to assessor, with the time of insertion.
#[derive(Default)]
pub(crate) struct TokenCache(RwLock<HashMap<Vec<u8>, (Instant, CachedAssessor)>>);

impl TokenCache {
    /// Returns the assessor of a token hash if there is an entry younger than [`MAX_ENTRY_AGE`].
    pub(crate) fn get(&self, hash: &[u8]) -> Option<CachedAssessor> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (inserted, assessor) = entries.get(hash)?;
        (inserted.elapsed() < MAX_ENTRY_AGE).then(|| assessor.clone())
    }

    /// Inserts an entry; clears the cache first if it is full.
    pub(crate) fn insert(&self, hash: Vec<u8>, assessor: CachedAssessor) {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MAX_ENTRIES {
            entries.clear();
        }
        entries.insert(hash, (Instant::now(), assessor));
    }

    /// Removes all entries of the assessors of a campaign.
    pub(crate) fn remove_campaign(&self, campaign: &str) {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, (_, (assessor, _))| assessor.campaign != campaign);
    }

    /// Removes all entries of an assessor.
    pub(crate) fn remove_assessor(&self, person: &str) {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, (_, (assessor, _))| assessor.person != person);
    }
}
