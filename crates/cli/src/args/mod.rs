//! Options that several commands share. They read files and print nothing except progress.

pub(crate) mod evidence;
pub(crate) mod input;
pub(crate) mod preferences;
pub(crate) mod rankings;
pub(crate) mod scores;
pub(crate) mod threads;
