//! Ground truth (judgments of relevance) of one query, and of all queries.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::gains::{Gains, GainsError, ZeroGainPolicy};
use super::grouped_list::{GroupedList, GroupedListError, NamedGroups};
use super::names::{Item, Names};
use super::ordered_map::OrderedMap;

/// Ground truth of one query, ready for scoring: a partially ordered list and the gains of its
/// items.
///
/// Every measure can use it. Grades imply a list (items with equal grades form a group), and a list
/// implies gains (g, g-1, ..., 1 for its g groups).
///
/// ```
/// use partita_core::QueryTruth;
///
/// let truth = QueryTruth::from_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// assert_eq!(truth.list().len(), 5);
/// let first = truth.names().get("1").unwrap();
/// assert_eq!(truth.gain(first), 2.0);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
#[derive(Clone, Debug)]
pub struct QueryTruth {
    names: Names,
    list: GroupedList,
    /// Number of the group that contains each item, counted from 0; `NO_GROUP` for items that are
    /// not in the list.
    group_of: Vec<u32>,
    /// Gains of the judged items as given, including negative ones.
    gains: Gains,
    /// Gain of each item, indexed by item; negative gains are stored as 0.
    gain_of: Vec<f64>,
    /// Gains above 0 of all items, highest first: the gains of an ideal result.
    ideal: Vec<f64>,
}

/// Error of names and judgments that do not form a ground truth.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundTruthError {
    /// The groups do not form a partially ordered list.
    #[error(transparent)]
    List(#[from] GroupedListError),
    /// The grades are not valid gains.
    #[error(transparent)]
    Gains(#[from] GainsError),
    /// There are names without a judgment, or judgments without a name.
    #[error(
        "{names} names and {judged} judged items: every name needs one judgment, and every judgment a name"
    )]
    NameMismatch {
        /// Number of item names.
        names: usize,
        /// Number of items with a judgment.
        judged: usize,
    },
    /// Two lists belong to the same query.
    #[error("there are two lists of the query `{0}`")]
    DuplicateQuery(String),
}

/// Entry of `group_of` for an item that is in no group of the list.
const NO_GROUP: u32 = u32::MAX;

impl QueryTruth {
    /// Creates a query truth from a partially ordered list, which must contain every name.
    ///
    /// # Errors
    /// Returns [`GroundTruthError::NameMismatch`] if names and items do not match.
    pub fn from_list(names: Names, list: GroupedList) -> Result<Self, GroundTruthError> {
        let gains = Gains::from_list(&list);
        Self::new(names, list, gains)
    }

    /// Creates a query truth from grades. Every name must have a grade.
    ///
    /// # Errors
    /// Returns [`GroundTruthError::NameMismatch`] if names and items do not match.
    pub fn from_gains(
        names: Names,
        gains: Gains,
        zero: ZeroGainPolicy,
    ) -> Result<Self, GroundTruthError> {
        let list = gains.to_list(zero);
        Self::new(names, list, gains)
    }

    /// Creates a query truth from groups of names, most relevant first.
    ///
    /// # Errors
    /// Returns [`GroundTruthError::List`] for an empty group or a duplicate item.
    pub fn from_groups<'n, G>(groups: impl IntoIterator<Item = G>) -> Result<Self, GroundTruthError>
    where
        G: IntoIterator<Item = &'n &'n str>,
    {
        let mut names = Names::new();
        let list = GroupedList::from_names(&mut names, groups)?;
        Self::from_list(names, list)
    }

    /// Creates a query truth from pairs of name and grade.
    ///
    /// # Errors
    /// Returns [`GroundTruthError::Gains`] for an invalid grade or a duplicate item.
    pub fn from_grades<'n>(
        grades: impl IntoIterator<Item = (&'n str, f64)>,
        zero: ZeroGainPolicy,
    ) -> Result<Self, GroundTruthError> {
        let mut names = Names::new();
        let gains: Option<Vec<(Item, f64)>> = grades
            .into_iter()
            .map(|(name, grade)| Some((names.intern(name)?, grade)))
            .collect();
        let gains = Gains::new(gains.ok_or(GroupedListError::TooManyItems)?)?;
        Self::from_gains(names, gains, zero)
    }

    fn new(names: Names, list: GroupedList, gains: Gains) -> Result<Self, GroundTruthError> {
        let fits = gains.iter().all(|(item, _)| item.index() < names.len());
        if gains.len() != names.len() || !fits {
            return Err(GroundTruthError::NameMismatch {
                names: names.len(),
                judged: gains.len(),
            });
        }
        let mut group_of = vec![NO_GROUP; names.len()];
        for (number, group) in list.groups().enumerate() {
            for item in group {
                group_of[item.index()] = number as u32;
            }
        }
        let mut gain_of = vec![0.0; names.len()];
        for (item, gain) in gains.iter() {
            // Adding 0 turns -0.0 into 0.0.
            gain_of[item.index()] = gain.max(0.0) + 0.0;
        }
        // The items of the list are sorted by descending gain, whether the list was derived from
        // the gains or the gains from the list.
        let in_order = list.items().iter().map(|item| gain_of[item.index()]);
        let ideal = in_order.filter(|&gain| gain > 0.0).collect();
        Ok(Self {
            names,
            list,
            group_of,
            gains,
            gain_of,
            ideal,
        })
    }

    /// Returns the names of the judged items.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the judgments as a partially ordered list.
    pub fn list(&self) -> &GroupedList {
        &self.list
    }

    /// Returns the gains as given in the judgments, including negative ones.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// Returns the gain of an item; a negative gain counts as 0. Panics if the item is not one of
    /// [`QueryTruth::names`].
    pub fn gain(&self, item: Item) -> f64 {
        self.gain_of[item.index()]
    }

    /// Returns the number of the group that contains an item, counted from 0, or `None` if the item
    /// is not in the list. Panics if the item is not one of [`QueryTruth::names`].
    pub fn group(&self, item: Item) -> Option<usize> {
        let group = self.group_of[item.index()];
        (group != NO_GROUP).then_some(group as usize)
    }

    /// Returns all gains above 0, highest first: the gains of an ideal result.
    pub fn ideal_gains(&self) -> &[f64] {
        &self.ideal
    }

    /// Returns the number of items whose gain is at least `threshold` and above 0.
    pub fn relevant_count(&self, threshold: f64) -> usize {
        self.ideal.partition_point(|&gain| gain >= threshold)
    }
}

partita_named::named_enum! {
    /// Scale on which the judgments of a ground truth were given.
    pub enum TruthScale: "scale" {
        /// Groups without grades: only their order is known
        Groups = "groups",
        /// Grades, higher is better
        Grades = "grades",
    }
}

/// Ground truth of many queries: for each query, a partially ordered list of items and the gains of
/// its judged items.
///
/// ```
/// use partita_core::{GroundTruth, QueryTruth, TruthScale};
///
/// let query = QueryTruth::from_groups([["a"].as_slice(), &["b", "c"]])?;
/// let truth = GroundTruth::new(TruthScale::Groups, vec![("q1".to_owned(), query)]).unwrap();
/// assert_eq!(truth.query_index("q1"), Some(0));
/// assert_eq!(truth.highest_gain(), 2.0);
/// # Ok::<(), partita_core::GroundTruthError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroundTruth {
    scale: TruthScale,
    queries: Names,
    /// Ground truth of each query, in the order of `queries`.
    query_truths: Vec<QueryTruth>,
    highest_gain: f64,
}

impl GroundTruth {
    /// Creates a ground truth from pairs of query name and ground truth of the query, in this
    /// order.
    ///
    /// # Errors
    /// Returns the name of a query that occurs twice.
    pub fn new(scale: TruthScale, queries: Vec<(String, QueryTruth)>) -> Result<Self, String> {
        let mut names = Names::new();
        let mut judged = Vec::with_capacity(queries.len());
        for (name, query) in queries {
            if names.intern(&name).map(Item::index) != Some(judged.len()) {
                return Err(name);
            }
            judged.push(query);
        }
        Ok(Self::with_query_names(scale, names, judged))
    }

    /// Creates a ground truth in which `judged[i]` belongs to the i-th name of `queries`. Panics if
    /// their numbers differ.
    pub fn with_query_names(scale: TruthScale, queries: Names, judged: Vec<QueryTruth>) -> Self {
        assert_eq!(queries.len(), judged.len(), "each query has one name");
        let highest = judged
            .iter()
            .filter_map(|query| query.ideal_gains().first());
        Self {
            scale,
            highest_gain: highest.copied().fold(0.0, f64::max),
            queries,
            query_truths: judged,
        }
    }

    /// Creates a ground truth from lists of groups of names, most relevant group first.
    ///
    /// # Errors
    /// Returns [`GroundTruthError`] for an empty group, a duplicate item within a list, or two
    /// lists for one query.
    pub fn from_groups<Q, L, G>(
        lists: impl IntoIterator<Item = (Q, L)>,
    ) -> Result<Self, GroundTruthError>
    where
        Q: Into<String>,
        L: IntoIterator<Item = G>,
        G: IntoIterator<Item: AsRef<str>>,
    {
        let judged = lists.into_iter().map(|(query, list)| {
            let list: Vec<Vec<_>> = (list.into_iter())
                .map(|group| group.into_iter().collect())
                .collect();
            let names: Vec<Vec<&str>> = (list.iter())
                .map(|group| group.iter().map(AsRef::as_ref).collect())
                .collect();
            Ok((query.into(), QueryTruth::from_groups(&names)?))
        });
        let judged = judged.collect::<Result<_, GroundTruthError>>()?;
        Self::new(TruthScale::Groups, judged).map_err(GroundTruthError::DuplicateQuery)
    }

    /// Creates a ground truth from lists, each with its own names. Names that are not in the list,
    /// because no assessor ranked them, are not judged.
    ///
    /// # Panics
    /// Panics if a list contains an item without a name, or if two lists belong to one query.
    pub fn from_lists<'a>(
        lists: impl IntoIterator<Item = (&'a str, &'a Names, &'a GroupedList)>,
    ) -> Self {
        let judged = lists.into_iter().map(|(query, names, list)| {
            let judged = if list.len() == names.len() {
                QueryTruth::from_list(names.clone(), list.clone())
            } else {
                let mut listed = Names::with_capacity(list.len());
                for &item in list.items() {
                    listed.intern(names.name(item));
                }
                let items = listed.items().collect();
                let list = GroupedList::from_valid(items, list.group_ends().to_vec());
                QueryTruth::from_list(listed, list)
            };
            let judged = judged.expect("the list holds every name exactly once");
            (query.to_owned(), judged)
        });
        Self::new(TruthScale::Groups, judged.collect()).expect("no two lists belong to one query")
    }

    /// Returns a copy that contains only the query with this index. Panics if there is no such
    /// query.
    #[must_use]
    pub fn with_single_query(&self, query: usize) -> Self {
        let alone = vec![(
            self.query_name(query).to_owned(),
            self.query_truths[query].clone(),
        )];
        let truth = Self::new(self.scale, alone).expect("a single query has no duplicate");
        Self {
            highest_gain: self.highest_gain,
            ..truth
        }
    }

    /// Returns a copy in which `change` made the judgments of every query, with this highest gain
    /// of the scale.
    #[must_use]
    pub(crate) fn with_judgments(
        &self,
        highest_gain: f64,
        change: impl Fn(&QueryTruth) -> QueryTruth,
    ) -> Self {
        Self {
            scale: self.scale,
            queries: self.queries.clone(),
            query_truths: self.query_truths.iter().map(change).collect(),
            highest_gain,
        }
    }

    /// Returns the names of the queries.
    pub fn query_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// Returns the scale on which the judgments were given.
    pub fn scale(&self) -> TruthScale {
        self.scale
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.query_truths.len()
    }

    /// Returns true if there are no queries.
    pub fn is_empty(&self) -> bool {
        self.query_truths.is_empty()
    }

    /// Returns the index of the query with this name.
    pub fn query_index(&self, name: &str) -> Option<usize> {
        self.queries.get(name).map(Item::index)
    }

    /// Returns the name of a query. Panics if there is no such query.
    pub fn query_name(&self, query: usize) -> &str {
        self.queries.name(Item::from_raw(query as u32))
    }

    /// Returns the ground truth of a query. Panics if there is no such query.
    pub fn query_truth(&self, query: usize) -> &QueryTruth {
        &self.query_truths[query]
    }

    /// Iterates over the queries; yields the name and the ground truth of each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &QueryTruth)> {
        (0..self.query_truths.len()).map(|q| (self.query_name(q), &self.query_truths[q]))
    }

    /// Returns the highest gain of any item for any query; 0 if nothing is relevant. A ground truth
    /// that was restricted to some of its queries keeps the highest gain over all of them.
    pub fn highest_gain(&self) -> f64 {
        self.highest_gain
    }

    /// Keeps only the queries with these names, in the order of the ground truth. Keeps all queries
    /// if `names` is empty.
    ///
    /// # Errors
    /// Returns [`UnknownQueryError`] for a name without a query.
    pub fn restrict_to(self, names: &[String]) -> Result<Self, UnknownQueryError> {
        if names.is_empty() {
            return Ok(self);
        }
        let kept = self.query_indices(names)?;
        let mut queries = Names::with_capacity(kept.len());
        for &query in &kept {
            queries.intern(self.query_name(query));
        }
        let judged = self.query_truths.into_iter().enumerate();
        let judged = judged.filter(|(query, _)| kept.binary_search(query).is_ok());
        Ok(Self {
            queries,
            query_truths: judged.map(|(_, truth)| truth).collect(),
            // `highest_gain` remains that of the full ground truth: it describes the scale, not the
            // queries.
            ..self
        })
    }

    /// Returns the indices of the queries with these names, in the order of the ground truth.
    /// Returns all indices if `names` is empty.
    pub(crate) fn query_indices(&self, names: &[String]) -> Result<Vec<usize>, UnknownQueryError> {
        if names.is_empty() {
            return Ok((0..self.len()).collect());
        }
        let number = |name: &String| {
            self.query_index(name).ok_or_else(|| UnknownQueryError {
                name: name.clone(),
                queries: self.len(),
                some: self
                    .iter()
                    .take(5)
                    .map(|(name, _)| name.to_owned())
                    .collect(),
            })
        };
        let mut numbers = names.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }
}

/// Serializes the list of each query: `{"query": [["a", "b"], ["c"]]}`.
impl Serialize for GroundTruth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lists = self.iter();
        serializer.collect_map(
            lists.map(|(query, judged)| (query, judged.list().to_named_groups(judged.names()))),
        )
    }
}

impl JsonSchema for GroundTruth {
    fn schema_name() -> Cow<'static, str> {
        "GroundTruth".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        OrderedMap::<NamedGroups>::json_schema(generator)
    }
}

/// Error of a requested query name that the ground truth does not contain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ground truth has no query `{name}`")]
pub struct UnknownQueryError {
    /// Requested query name that the ground truth does not contain.
    pub name: String,
    /// Number of queries in the ground truth.
    pub queries: usize,
    /// Names of the first queries of the ground truth, as examples for the error message.
    pub some: Vec<String>,
}
