//! The tokens of judges that were shown before, so that they need not be looked up for every answer.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::routes::judge::AuthenticatedAssessor;

/// How many are remembered; then all are forgotten and looked up again.
const MOST: usize = 50_000;

/// For how long: what another server of the database ended has ended here then too.
const TTL: Duration = Duration::from_secs(60);

/// Who a token stands for, and until when.
type CachedAssessor = (AuthenticatedAssessor, i64);

/// What is remembered.
#[derive(Default)]
pub(crate) struct TokenCache(RwLock<HashMap<Vec<u8>, (Instant, CachedAssessor)>>);

impl TokenCache {
    /// Who a token stands for.
    pub(crate) fn get(&self, hash: &[u8]) -> Option<CachedAssessor> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (since, known) = known.get(hash)?;
        (since.elapsed() < TTL).then(|| known.clone())
    }

    /// Remembers a token.
    pub(crate) fn insert(&self, hash: Vec<u8>, who: CachedAssessor) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(hash, (Instant::now(), who));
    }

    /// Forgets somebody's tokens.
    pub(crate) fn remove_assessor(&self, person: &str) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (_, (judge, _))| judge.person != person);
    }
}
