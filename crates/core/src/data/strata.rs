//! Assignment of queries to strata (disjoint classes of queries, such as genres).

use super::score_matrix::{argsort_names, select_names};

/// Assignment of queries to strata: disjoint classes of queries, such as genres, that are sampled
/// or averaged separately.
///
/// ```
/// use partita_core::Strata;
///
/// let strata = Strata::new(["jazz", "rock", "jazz"]);
/// assert_eq!(strata.names(), ["jazz", "rock"]);
/// assert_eq!(strata.queries(0), [0, 2]);
/// assert_eq!(Strata::one_stratum(3).queries(0), [0, 1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    names: Vec<String>,
    /// Indices of the queries of each stratum, in ascending order.
    queries: Vec<Vec<usize>>,
}

impl Strata {
    /// Creates strata from the name of the stratum of each query. Strata are numbered by first
    /// appearance.
    pub fn new<S: Into<String>>(strata: impl IntoIterator<Item = S>) -> Self {
        let (mut names, mut queries): (Vec<String>, Vec<Vec<usize>>) = Default::default();
        for (query, stratum) in strata.into_iter().enumerate() {
            let stratum = stratum.into();
            match names.iter().position(|name| *name == stratum) {
                Some(known) => queries[known].push(query),
                None => {
                    names.push(stratum);
                    queries.push(vec![query]);
                }
            }
        }
        Self { names, queries }
    }

    /// Returns the same strata after the queries were reordered: query i of the result is query
    /// `queries[i]` of `self`. The strata are sorted by name.
    pub(crate) fn for_reordered_queries(&self, queries: &[usize]) -> Self {
        let mut stratum_of = vec![0; queries.len()];
        for (stratum, members) in self.queries.iter().enumerate() {
            for &query in members {
                stratum_of[query] = stratum;
            }
        }
        let mut of_stratum = vec![Vec::new(); self.names.len()];
        for (place, &query) in queries.iter().enumerate() {
            of_stratum[stratum_of[query]].push(place);
        }
        let order = argsort_names(&self.names);
        Self {
            names: select_names(&self.names, &order),
            queries: (order.iter())
                .map(|&stratum| of_stratum[stratum].clone())
                .collect(),
        }
    }

    /// Returns the number of queries in all strata.
    pub(crate) fn query_count(&self) -> usize {
        self.queries.iter().map(Vec::len).sum()
    }

    /// Creates a single stratum that contains queries 0 to `queries` - 1: no stratification.
    pub fn one_stratum(queries: usize) -> Self {
        Self::new(std::iter::repeat_n("all", queries))
    }

    /// Returns the names of the strata.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the indices of the queries of a stratum, in ascending order. Panics if there is no
    /// such stratum.
    pub fn queries(&self, stratum: usize) -> &[usize] {
        &self.queries[stratum]
    }
}
