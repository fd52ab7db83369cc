//! Sizes of the query sets that a reliability study draws.

use std::str::FromStr;

use serde::Deserialize;

/// Sizes of the query sets that a reliability study draws, in ascending order.
///
/// ```
/// use partita_core::reliability::QuerySetSizes;
///
/// let sizes: QuerySetSizes = "5:20:5,50".parse()?;
/// assert_eq!(sizes.as_slice(), [5, 10, 15, 20, 50]);
/// assert_eq!(QuerySetSizes::up_to(12).as_slice(), [5, 10, 12]);
/// assert!("20:5".parse::<QuerySetSizes>().is_err());
/// # Ok::<(), partita_core::reliability::QuerySetSizesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SizesInput")]
pub struct QuerySetSizes(Vec<usize>);

/// Sizes in JSON: as text, or as a number or a list of numbers.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected sizes as in \"5:50:5\" or [10, 20, 50]"
)]
enum SizesInput {
    Text(String),
    One(usize),
    Several(Vec<usize>),
}

impl TryFrom<SizesInput> for QuerySetSizes {
    type Error = QuerySetSizesError;

    fn try_from(input: SizesInput) -> Result<Self, QuerySetSizesError> {
        let sizes = match input {
            SizesInput::Text(text) => return text.parse(),
            SizesInput::One(size) => vec![size],
            SizesInput::Several(sizes) => sizes,
        };
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        sizes.join(",").parse()
    }
}

/// Error of a text that is not a list of query set sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sizes are written FROM:TO:STEP or as a list such as 10,20,50, not `{found}`: {why}")]
pub struct QuerySetSizesError {
    found: String,
    why: &'static str,
}

/// Largest accepted number of query set sizes in one range. A longer range is probably a typing
/// error.
const MAX_SIZES: usize = 100_000;

impl QuerySetSizes {
    /// Returns the sizes 5, 10, 15, ... and the number of all queries, as in Urbano, Martín,
    /// Marrero and Morato (2011).
    pub fn up_to(queries: usize) -> Self {
        let mut sizes: Vec<usize> = (5..queries).step_by(5).collect();
        sizes.push(queries);
        Self(sizes)
    }

    /// Returns the sizes in ascending order.
    pub fn as_slice(&self) -> &[usize] {
        &self.0
    }
}

impl FromStr for QuerySetSizes {
    type Err = QuerySetSizesError;

    fn from_str(text: &str) -> Result<Self, QuerySetSizesError> {
        let error = |why| QuerySetSizesError {
            found: text.to_owned(),
            why,
        };
        let number = |part: &str| -> Result<usize, QuerySetSizesError> {
            let number = part.trim().parse();
            number.map_err(|_| error("a size is a whole number"))
        };
        let mut sizes = Vec::new();
        for part in text.split(',') {
            let bounds = part.split(':').map(number).collect::<Result<Vec<_>, _>>()?;
            let (from, to, step) = match bounds[..] {
                [size] => (size, size, 1),
                [from, to] => (from, to, 1),
                [from, to, step] => (from, to, step),
                _ => return Err(error("a range has at most three parts")),
            };
            match () {
                () if from == 0 => return Err(error("a sample has at least 1 query")),
                () if step == 0 => return Err(error("the step must be at least 1")),
                () if from > to => return Err(error("a range goes up")),
                () if (to - from) / step >= MAX_SIZES => {
                    return Err(error("that is too many sizes"));
                }
                () => sizes.extend((from..=to).step_by(step)),
            }
        }
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Self(sizes))
    }
}
