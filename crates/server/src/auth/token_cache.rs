//! Cache of authenticated assessors by token hash, which saves a database lookup per request.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::auth::assessor::AuthenticatedAssessor;

/// Maximum number of entries. A full cache is cleared.
const MAX_ENTRIES: usize = 50_000;

/// Lifetime of an entry. If another server of the same database revokes a token, this server
/// accepts it for at most this time.
const TTL: Duration = Duration::from_mins(1);

/// Assessor of a token, and the expiry time of the token in Unix milliseconds.
type CachedAssessor = (AuthenticatedAssessor, i64);

/// Cache from token hash to assessor, with the time of insertion.
#[derive(Default)]
pub(crate) struct TokenCache(RwLock<HashMap<Vec<u8>, (Instant, CachedAssessor)>>);

impl TokenCache {
    /// Returns the assessor of a token hash if the entry is not older than [`TTL`].
    pub(crate) fn get(&self, hash: &[u8]) -> Option<CachedAssessor> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (since, known) = known.get(hash)?;
        (since.elapsed() < TTL).then(|| known.clone())
    }

    /// Inserts an entry; clears the cache first if it is full.
    pub(crate) fn insert(&self, hash: Vec<u8>, who: CachedAssessor) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_ENTRIES {
            known.clear();
        }
        known.insert(hash, (Instant::now(), who));
    }

    /// Removes all entries of an assessor.
    pub(crate) fn remove_assessor(&self, person: &str) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (_, (judge, _))| judge.person != person);
    }
}
