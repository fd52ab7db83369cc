//! Ids of imported items: from file names, and unique ones for items whose files repeat an id.

use std::cmp::Ordering;

use partita_formats::{Diagnostic, Warning, diagnostic};

use super::{EncodedItem, IdScheme, ItemLocation};

/// Derives the id of a melody from the path of its file, according to the id scheme.
pub(super) fn id_for_source(ids: IdScheme, source: &str) -> String {
    let name = source.rsplit('/').next().unwrap_or(source);
    match ids {
        IdScheme::Path => source.to_owned(),
        IdScheme::Name => name.to_owned(),
        IdScheme::Stem => match strip_compression_extension(name).rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
            _ => strip_compression_extension(name).to_owned(),
        },
    }
}

/// Removes the extension of a compression format, such as `.gz`, from a file name.
pub(super) fn strip_compression_extension(name: &str) -> &str {
    let plain = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"));
    plain.filter(|plain| !plain.is_empty()).unwrap_or(name)
}

/// Two items with the same id, of which at least one is made from a file name.
pub(super) struct IdCollision {
    pub(super) id: String,
    pub(super) first: ItemLocation,
    pub(super) second: ItemLocation,
}

/// Sorts items by id and makes the ids unique. Of items whose files state the same id and that have
/// the same notes, one is kept; the others with that id get the suffixes `~2`, `~3` and so on.
/// Returns a warning for either case, with the number of items and the place of the first.
///
/// Items with the same id are numbered in the order of their files and lines, so that the result
/// does not depend on the order in which files are imported. `files` are the names of the files.
///
/// # Errors
/// Returns [`IdCollision`] if two items have the same id and a file does not state it: then
/// another [`IdScheme`] can tell them apart.
pub(super) fn resolve_repeated_ids(
    items: &mut Vec<(EncodedItem, ItemLocation)>,
    files: &[String],
) -> Result<Vec<Warning>, IdCollision> {
    items.sort_by(|(a, at), (b, other)| a.id.cmp(&b.id).then_with(|| by_place(*at, *other, files)));
    let repeats = |two: &[(EncodedItem, ItemLocation)]| two[0].0.id == two[1].0.id;
    if !items.windows(2).any(repeats) {
        return Ok(Vec::new());
    }
    let mut sorted = std::mem::take(items).into_iter().peekable();
    // Items with the id of an item before them, and other notes.
    let mut others: Vec<(EncodedItem, ItemLocation)> = Vec::new();
    // Places of the first item that is left out and of the first one that is numbered.
    let (mut left_out, mut numbered) = (Repetitions::default(), Repetitions::default());
    while let Some((item, at)) = sorted.next() {
        let first_other = others.len();
        while let Some((other, other_at)) = sorted.next_if(|(next, _)| next.id == item.id) {
            if !at.has_stated_id || !other_at.has_stated_id {
                return Err(IdCollision {
                    id: item.id.into(),
                    first: at,
                    second: other_at,
                });
            }
            let is_equal =
                |known: &EncodedItem| known.checksum == other.checksum && known.kind == other.kind;
            if is_equal(&item)
                || others[first_other..]
                    .iter()
                    .any(|(known, _)| is_equal(known))
            {
                left_out.add(other_at);
            } else {
                numbered.add(other_at);
                others.push((other, other_at));
            }
        }
        items.push((item, at));
    }
    let mut last: Option<(Box<str>, u64)> = None;
    for (item, _) in &mut others {
        let stem = item.id.clone();
        let mut number = match &last {
            Some((id, number)) if *id == stem => number + 1,
            _ => 2,
        };
        // An id that a file states is not taken from its item.
        let is_taken = |id: &str| {
            items
                .binary_search_by(|(known, _)| (*known.id).cmp(id))
                .is_ok()
        };
        while is_taken(&format!("{stem}~{number}")) {
            number += 1;
        }
        item.id = format!("{stem}~{number}").into();
        last = Some((stem, number));
    }
    items.append(&mut others);
    items.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    let warnings = [
        numbered.warning(files, |count| {
            diagnostic!(RepeatedIds { count }:
                "items whose id another item with other notes has, numbered ~2, ~3 and so on: {count}")
        }),
        left_out.warning(files, |count| {
            diagnostic!(Duplicate { count }:
                "items that repeat the id and the notes of another, left out: {count}")
        }),
    ];
    Ok(warnings.into_iter().flatten().collect())
}

/// Compares the places of two items by file name, then by line.
fn by_place(a: ItemLocation, b: ItemLocation, files: &[String]) -> Ordering {
    let name = |at: ItemLocation| &files[at.file as usize];
    let by_name = (a.file != b.file).then(|| name(a).cmp(name(b)));
    by_name.unwrap_or(Ordering::Equal).then(a.line.cmp(&b.line))
}

/// Number of items that repeat an id, with the place of the first.
#[derive(Default)]
struct Repetitions {
    count: u64,
    first: Option<ItemLocation>,
}

impl Repetitions {
    fn add(&mut self, at: ItemLocation) {
        self.count += 1;
        self.first.get_or_insert(at);
    }

    /// Returns the warning for these items, or `None` if there are none.
    fn warning(&self, files: &[String], describe: impl Fn(u64) -> Diagnostic) -> Option<Warning> {
        let first = self.first?;
        let file = &files[first.file as usize];
        Some(Warning {
            line: first.line,
            ..Warning::in_file(file, describe(self.count))
        })
    }
}
