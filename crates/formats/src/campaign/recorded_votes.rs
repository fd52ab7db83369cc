//! Recorded votes on the pairs of a collection: `id1,id2,n,v1,...,vn`. A vote is a number, positive
//! if the first item is preferred.

use partita_core::{Item, Names};

use crate::diagnostic;
use crate::diagnostic::{FormatError, Warning};
use crate::table::Table;
use crate::text::SourceText;
use crate::text::source::Source;

/// Content of a file of recorded votes on pairs of items.
#[derive(Debug)]
pub struct RecordedVotesFile {
    /// Names of all compared items.
    pub items: Names,
    /// Pairs of items with the votes on them. A positive vote prefers the first item.
    pub pairs: Vec<(Item, Item, Vec<f64>)>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// Reads recorded votes. The file has no header.
///
/// ```
/// use partita_formats::{Source, campaign::recorded_votes};
///
/// let file = Source::from_bytes("photos.csv", "7,3,2,0.375,-0.125\n");
/// let read = recorded_votes::read(&file)?;
/// assert_eq!(read.pairs[0].2, [0.375, -0.125]);
/// # Ok::<(), partita_formats::FormatError>(())
/// ```
pub fn read(source: &Source) -> Result<RecordedVotesFile, FormatError> {
    let text = SourceText::read(source)?;
    let mut items = Names::new();
    let mut pairs = Vec::new();
    for row in Table::new(&text)?.all_rows() {
        let [first, second, count, votes @ ..] = row.fields.as_slice() else {
            let problem = diagnostic!(ColumnCount: "expected id1,id2,n,v1,...,vn");
            return Err(row.line.error(problem).at_column(1).with_remedy(REMEDY));
        };
        if count.parse() != Ok(votes.len()) {
            let (expected, found) = (count, votes.len());
            let problem = diagnostic!(ColumnCount { expected, found }:
                "expected `{expected}` votes after it, found {found}");
            return Err(row.error(2, problem).with_remedy(REMEDY));
        }
        row.require_name(0, "item")?;
        row.require_name(1, "item")?;
        if first == second {
            let problem = diagnostic!(Contradiction { item = first }:
                "the item `{item}` is compared with itself");
            return Err(row.error(0, problem));
        }
        let [a, b] = [first, second].map(|name| items.intern(name).expect(NAMES_FIT));
        let votes = (3..row.fields.len()).map(|column| row.require_number(column, "a vote"));
        pairs.push((a, b, votes.collect::<Result<Vec<f64>, FormatError>>()?));
    }
    if pairs.is_empty() {
        return Err(source.empty_error());
    }
    Ok(RecordedVotesFile {
        items,
        pairs,
        warnings: text.warning.into_iter().collect(),
    })
}

/// Reason why numbering the names cannot fail, for a panic message.
const NAMES_FIT: &str = "a file in memory has fewer names than there are numbers";

/// Remedy in errors about a line of recorded votes: what a line consists of.
const REMEDY: &str = "a line is a pair: two items, the number of votes on them, and the votes, each \
                    positive where the first is preferred";
