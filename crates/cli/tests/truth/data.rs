//! Real data.

use std::path::PathBuf;

/// A folder of real data, or a notice that a test is skipped.
pub(crate) fn data(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PARTITA_DATA").map(PathBuf::from);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let path = root.unwrap_or_else(|| default.into()).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
    {
        eprintln!("skipped: there is no {}; set PARTITA_DATA", path.display());
    }
    None
}
