//! Short queue of the computations that organisers request, so that they leave a core to the writer
//! and to the assessors' requests.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::problem::{HttpProblem, ProblemKind};

/// Maximum number of computations that run or wait at the same time.
const MAX_COMPUTATIONS: usize = 16;

/// Queue of computations. Waiting requests are futures, so a request whose client has gone leaves
/// the queue by itself.
pub(crate) struct ComputationQueue {
    /// Permits to run or to wait.
    places: Arc<Semaphore>,
    /// Permits to run.
    cores: Arc<Semaphore>,
}

/// Place in the queue of a computation that runs or waits.
pub(crate) struct QueuePlace {
    place: OwnedSemaphorePermit,
    cores: Arc<Semaphore>,
}

/// Permit to run a computation, held until its end.
pub(crate) struct RunPermit {
    _place: OwnedSemaphorePermit,
    _core: OwnedSemaphorePermit,
}

impl Default for ComputationQueue {
    /// Creates a queue that leaves one core to other requests.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            places: Arc::new(Semaphore::new(MAX_COMPUTATIONS)),
            cores: Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))),
        }
    }
}

impl ComputationQueue {
    /// Takes a place in the queue.
    ///
    /// # Errors
    /// Returns a problem with status 503 if the queue is full.
    pub(crate) fn enter(&self) -> Result<QueuePlace, HttpProblem> {
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| {
            let detail = "too many requests of organisers are being computed; try again later";
            HttpProblem::new(ProblemKind::Unavailable, detail)
        })?;
        let cores = self.cores.clone();
        Ok(QueuePlace { place, cores })
    }
}

impl QueuePlace {
    /// Waits for the turn of this computation.
    pub(crate) async fn wait(self) -> RunPermit {
        let core = self.cores.acquire_owned().await;
        RunPermit {
            _place: self.place,
            _core: core.expect("the semaphore is never closed"),
        }
    }
}
