//! Real data, which is not part of the repository.

use std::path::PathBuf;

/// Returns a folder of the real data, which the environment variable `PARTITA_DATA` locates.
pub(crate) fn data(folder: &str) -> PathBuf {
    let root = std::env::var_os("PARTITA_DATA");
    let root = root.expect("PARTITA_DATA names the folder of the data (see CONTRIBUTING.md)");
    let path = PathBuf::from(root).join(folder);
    assert!(path.is_dir(), "there is no {}", path.display());
    path
}
