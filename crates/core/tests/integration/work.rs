//! Execution of work in independent pieces.

use std::sync::atomic::{AtomicUsize, Ordering};

use partita_core::work::*;

/// Executor that runs the pieces in reverse order and is cancelled after `cancel_after` steps.
struct ReverseExecutor {
    steps: AtomicUsize,
    cancel_after: usize,
}

impl Work for ReverseExecutor {
    fn run(&self, pieces: usize, piece: &(dyn Fn(usize) + Sync)) {
        (0..pieces).rev().for_each(piece);
    }

    fn advance(&self, steps: usize) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.steps.load(Ordering::Relaxed) >= self.cancel_after
    }
}

#[test]
fn results_are_in_order_for_any_order_of_execution() {
    let work: &dyn Work = &ReverseExecutor {
        steps: AtomicUsize::new(0),
        cancel_after: 100,
    };
    assert_eq!(work.map("", 5, |n| n * n), Ok(vec![0, 1, 4, 9, 16]));
    assert_eq!(work.map("", 0, |n| n), Ok(vec![]));
}

#[test]
fn cancelled_work_runs_no_further_piece() {
    let executor = ReverseExecutor {
        steps: AtomicUsize::new(0),
        cancel_after: 3,
    };
    let work: &dyn Work = &executor;
    assert_eq!(work.map("", 10, |n| n), Err(WorkError::Cancelled));
    assert_eq!(executor.steps.into_inner(), 3);
}
