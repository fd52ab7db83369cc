//! Real data, which is not part of the repository.

use std::path::PathBuf;

/// A folder of real data.
pub(crate) fn data(folder: &str) -> PathBuf {
    let root = std::env::var_os("PARTITA_DATA");
    let root = root.expect("PARTITA_DATA names the folder of the data (see CONTRIBUTING.md)");
    let path = PathBuf::from(root).join(folder);
    assert!(path.is_dir(), "there is no {}", path.display());
    path
}
