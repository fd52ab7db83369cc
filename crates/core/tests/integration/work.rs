//! Work in pieces.

use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::work::*;

/// Does pieces backwards, and is cancelled after some of them.
struct Impatient {
    steps: AtomicUsize,
    patience: usize,
}

impl Work for Impatient {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        (0..pieces).rev().for_each(piece);
    }

    fn advance(&self, steps: usize) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.steps.load(Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn results_are_in_order_whatever_the_order_of_work() {
    let work: &dyn Work = &Impatient {
        steps: AtomicUsize::new(0),
        patience: 100,
    };
    assert_eq!(work.map("", 5, |n| n * n), Ok(vec![0, 1, 4, 9, 16]));
    assert_eq!(work.map("", 0, |n| n), Ok(vec![]));
}

#[test]
fn work_that_is_cancelled_does_no_further_piece() {
    let impatient = Impatient {
        steps: AtomicUsize::new(0),
        patience: 3,
    };
    let work: &dyn Work = &impatient;
    assert_eq!(work.map("", 10, |n| n), Err(WorkError::Cancelled));
    assert_eq!(impatient.steps.into_inner(), 3);
}
