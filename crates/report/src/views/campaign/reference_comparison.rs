//! View of the comparison of a campaign's answers with reference decisions on the same pairs.

use std::io;

use partita_judging::{ClassTable, ReferenceComparison, Relation};

use super::percent;
use crate::phrases::relation_label;
use crate::table::{right, text};
use crate::{ColumnSet, Document, View};

/// Cell of the cross table of a class of pairs: the table, a relation in the reference, and a
/// relation by the answers.
type RelationPair<'a> = (&'a ClassTable, Relation, Relation);

/// Shows one cross table, reference by answers, per class of pairs.
impl View for ReferenceComparison {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.tables.iter().flat_map(|table| {
            let rows = Relation::ALL.into_iter();
            rows.flat_map(move |theirs| Relation::ALL.map(|ours| (table, theirs, ours)))
        });
        ColumnSet::<RelationPair<'_>>::new()
            .csv_field("class", |(table, ..)| table.class.clone())
            .csv_field("others", |(_, theirs, _)| theirs.name())
            .csv_field("answers", |(.., ours)| ours.name())
            .csv_field("count", |(table, theirs, ours)| {
                table.counts.count(*theirs, *ours)
            })
            .csv_field("row_share", |(table, theirs, ours)| {
                table.counts.row_share(*theirs, *ours)
            })
            .write_csv(rows, writer)
    }

    fn document(&self) -> Document {
        let tables = self.tables.iter();
        tables
            .fold(Document::new(), |document, found| {
                let mut table = columns(found).to_table(Relation::ALL);
                if let (Some(by), Some(class)) = (self.by, &found.class) {
                    table = table.with_caption(format!("{}: {class}", capitalise(&by.to_string())));
                }
                document.table(table).note(summary(found))
            })
            .note("a is the item that was shown first most often.")
    }
}

/// Returns the columns of the cross table of a class of pairs, with one row per relation in the
/// reference.
fn columns(found: &ClassTable) -> ColumnSet<'_, Relation> {
    let cross = &found.counts;
    let first = ColumnSet::<Relation>::new().table_field(text("Others \\ answers"), |theirs| {
        format!("{} ({})", relation_label(*theirs), cross.row_total(*theirs))
    });
    Relation::ALL.into_iter().fold(first, |columns, ours| {
        let header = format!("{} ({})", relation_label(ours), cross.column_total(ours));
        columns.table_field(right(header), move |theirs| {
            let count = cross.count(*theirs, ours);
            match cross.row_share(*theirs, ours) {
                Some(share) => format!("{count} ({})", percent(share)),
                None => count.to_string(),
            }
        })
    })
}

/// Returns a sentence on the agreement between the answers and the reference, for one class of
/// pairs.
fn summary(found: &ClassTable) -> String {
    let total = found.total.max(1) as f64;
    let part = |count: usize| format!("{count} ({})", percent(count as f64 / total));
    let score = found.score.map(|score| format!("{score:.3}"));
    format!(
        "{} agree in full, {} in part, {} not at all: {}.",
        part(found.full),
        part(found.partial),
        part(found.none),
        score.unwrap_or_else(|| "none counted".to_owned())
    )
}

/// Returns the word with a capital first letter.
fn capitalise(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
