//! Views of melody features, and of the candidate melodies for queries.

use std::cell::RefCell;
use std::{io, iter};

use partita_melody::features::ItemFeatures;
use partita_melody::search::candidates::{CandidateLists, MelodyCandidate, QueryCandidates};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::column_set::write_csv_rows;
use crate::phrases::{count_noun, group_thousands, join};
use crate::table::{Cell, integer, number, text};
use crate::{ColumnSet, Document, View};

/// Features of melodies, streamed: only the melody being written is in memory, so the view can be
/// shown once only.
#[derive(Debug)]
pub struct FeaturesView<I> {
    items: RefCell<I>,
}

impl<I: Iterator<Item = ItemFeatures>> FeaturesView<I> {
    /// Creates the view of a stream of melody features.
    pub fn new(items: I) -> Self {
        let items = RefCell::new(items);
        Self { items }
    }

    /// Returns the remaining items, removing them from the stream.
    fn rows(&self) -> impl Iterator<Item = ItemFeatures> {
        iter::from_fn(|| self.items.borrow_mut().next())
    }
}

impl<I: Iterator<Item = ItemFeatures>> Serialize for FeaturesView<I> {
    /// Serialises like [`partita_melody::features::Features`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Rows<'a, I>(&'a FeaturesView<I>);
        impl<I: Iterator<Item = ItemFeatures>> Serialize for Rows<'_, I> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.rows())
            }
        }
        let mut fields = serializer.serialize_struct("Features", 1)?;
        fields.serialize_field("items", &Rows(self))?;
        fields.end()
    }
}

/// Returns the columns of the features of a melody.
fn feature_columns() -> ColumnSet<'static, ItemFeatures> {
    let histogram = |row: &ItemFeatures| {
        let shares = row.interval_histogram.iter();
        join(
            shares.map(|(interval, share)| format!("{interval}:{share}")),
            " ",
        )
    };
    ColumnSet::<ItemFeatures>::new()
        .field("item", text("Item"), |row| row.item.clone())
        .csv_field("pitchesChromatic", |row| row.pitches_chromatic.join(" "))
        .csv_field("pitchesDiatonic", |row| row.pitches_diatonic.join(" "))
        .csv_field("intervalsChromatic", |row| {
            row.intervals_chromatic.join(" ")
        })
        .csv_field("intervalsDiatonic", |row| row.intervals_diatonic.join(" "))
        .csv_field("intervalGrossContour", |row| {
            row.interval_gross_contour.join(" ")
        })
        .csv_field("intervalRefinedContour", |row| {
            row.interval_refined_contour.join(" ")
        })
        .field("notes", integer("Notes"), |row| row.notes)
        .field("pitch_range", integer("Pitch range"), |row| {
            i64::from(row.pitch_range)
        })
        .field("interval_max", integer("Largest interval"), |row| {
            i64::from(row.interval_max)
        })
        .csv_field("interval_histogram", move |row| histogram(row))
        .field("repeated_motives", integer("Repeated motives"), |row| {
            row.repeated_motives
        })
        .csv_field("contour", |row| row.contour.clone())
        .field("duration_ratio", number("Duration ratio", 2), |row| {
            row.duration_ratio
        })
        .field("key", text("Key"), |row| row.key.clone())
        .field("time", text("Time"), |row| row.time.clone())
}

impl<I: Iterator<Item = ItemFeatures>> View for FeaturesView<I> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        feature_columns().write_csv(self.rows(), writer)
    }

    fn document(&self) -> Document {
        let mut melodies = 0;
        let rows = self.rows().inspect(|_| melodies += 1);
        let table = feature_columns().to_table(rows);
        Document::new()
            .table(table)
            .note(format!("{}.", count_noun(melodies, "melody", "melodies")))
            .hint("--format csv and --format json have the lists of pitches and intervals too.")
    }
}

/// Query id with one of its candidate melodies.
type CandidateRow<'a> = (&'a str, &'a MelodyCandidate);

fn rows(list: &QueryCandidates) -> impl Iterator<Item = CandidateRow<'_>> {
    (list.candidates.iter()).map(|candidate| (&*list.query, candidate))
}

fn candidate_columns<'a>() -> ColumnSet<'static, CandidateRow<'a>> {
    ColumnSet::<CandidateRow<'_>>::new()
        .csv_field("query", |(query, _)| (*query).to_owned())
        .field("item", text("Item"), |(_, found)| found.item.clone())
        .field("prior", integer("Prior"), |(_, found)| found.prior)
        .field("same_as", text("Same as"), |(_, found)| {
            found.same_as.clone()
        })
        .csv_field("content", |(_, found)| found.content.to_string())
        .field("found_by", text("Found by"), |(_, found)| {
            found.found_by.join(" ")
        })
}

/// Returns the number of melodies that remain after each filter step for a query: `q1: 483,112 ->
/// 2,310 -> 297`.
pub fn filter_steps_text(list: &QueryCandidates) -> String {
    let first = list.steps.first().map(|step| step.from);
    let counts = first
        .into_iter()
        .chain(list.steps.iter().map(|step| step.to));
    format!(
        "{}: {}",
        list.query,
        join(counts.map(group_thousands), " -> ")
    )
}

/// Maximum number of gold pairs (questions with a known answer) per query. They use the
/// lowest-ranked candidates that are not the same as another one.
const GOLD_PAIRS_PER_QUERY: usize = 3;

/// Writes gold pairs (questions with a known answer) for `campaign init --gold`. Each pair compares
/// the query itself with one of its lowest-ranked candidates; the right answer is the query.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_gold_pairs(lists: &CandidateLists, writer: &mut dyn io::Write) -> io::Result<()> {
    let pairs = lists.queries.iter().flat_map(|list| {
        let others = list.candidates.iter().skip(1).rev();
        let others = others.filter(|candidate| candidate.same_as.is_none());
        others
            .take(GOLD_PAIRS_PER_QUERY)
            .map(|other| [&list.query, &list.query, &other.item, "a"].map(Cell::text))
    });
    write_csv_rows(["query", "a", "b", "answer"], pairs, writer)
}

impl View for CandidateLists {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        candidate_columns().write_csv(self.queries.iter().flat_map(rows), writer)
    }

    fn document(&self) -> Document {
        let lists = self.queries.iter();
        lists.fold(Document::new(), |document, list| {
            let same = list.candidates.iter().filter(|one| one.same_as.is_some());
            let same = same.count();
            let different = list.candidates.len() - same;
            document
                .paragraph(&list.query)
                .table(candidate_columns().to_table(rows(list)))
                .note(format!(
                    "{}, the query among them; {} the same as others.",
                    count_noun(different, "different candidate", "different candidates"),
                    count_noun(same, "is", "are")
                ))
        })
    }
}
