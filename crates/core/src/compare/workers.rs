//! Who does the work: this crate starts no thread, its caller may.

use std::sync::OnceLock;

/// Runs pieces of work that do not depend on each other.
///
/// The result of a comparison is the same whoever runs the pieces, in whatever order.
pub trait Workers: Sync {
    /// Does the pieces 0 to `pieces` - 1, each once, and returns when all are done.
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// One piece after the other.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use partita_core::compare::{InTurn, Workers};
///
/// let sum = AtomicUsize::new(0);
/// InTurn.run(5, &|piece| {
///     sum.fetch_add(piece, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 10);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl Workers for InTurn {
    fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).for_each(work);
    }
}

/// What each piece of work gives, in order.
pub(super) fn map<T: Send + Sync>(
    workers: &dyn Workers,
    pieces: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let mut done: Vec<OnceLock<T>> = Vec::new();
    done.resize_with(pieces, OnceLock::new);
    workers.run(pieces, &|piece| {
        if let Some(place) = done.get(piece) {
            // A piece that is done twice gives the same twice.
            let _ = place.set(work(piece));
        }
    });
    let done = done.into_iter().enumerate();
    // A piece that was forgotten is done now.
    done.map(|(piece, place)| place.into_inner().unwrap_or_else(|| work(piece)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does every other piece, some of them twice, and one that nobody asked for.
    struct Careless;

    impl Workers for Careless {
        fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
            (0..=pieces).rev().step_by(2).for_each(work);
            work(0);
        }
    }

    #[test]
    fn every_piece_is_done_however_careless_the_workers() {
        for workers in [&InTurn as &dyn Workers, &Careless] {
            assert_eq!(map(workers, 5, |piece| piece * piece), [0, 1, 4, 9, 16]);
        }
        assert!(map(&InTurn, 0, |piece| piece).is_empty());
    }
}
