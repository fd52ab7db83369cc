//! What is known of the relevance of items to one query, and to all of them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::gains::{Gains, GainsError, ZeroGainPolicy};
use super::grouped_list::{GroupedList, GroupedListError, NamedGroups};
use super::names::{Item, Names};
use super::ordered_map::OrderedMap;

/// The judgments of one query, ready for scoring: a partially ordered list and gains at once.
///
/// However it was made, every measure can use it: grades give a list (equal grades form a group)
/// and a list gives gains (g, g-1, ..., 1).
///
/// ```
/// use partita_core::Judged;
///
/// let truth = Judged::of_groups([["1", "2"].as_slice(), &["3", "4", "5"]])?;
/// assert_eq!(truth.list().len(), 5);
/// let first = truth.names().get("1").unwrap();
/// assert_eq!(truth.gain(first), 2.0);
/// # Ok::<(), partita_core::JudgedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct QueryTruth {
    names: Names,
    list: GroupedList,
    /// The group of each item, counted from 0; `NO_GROUP` for items that are not in the list.
    group_of: Vec<u32>,
    /// The judgments as they were given.
    gains: Gains,
    /// The gain of each item, never below 0.
    gain_of: Vec<f64>,
    /// The gains above 0, highest first.
    ideal: Vec<f64>,
}

/// Why names and judgments do not fit together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundTruthError {
    /// The groups make no list.
    #[error(transparent)]
    List(#[from] GroupedListError),
    /// The grades make no gains.
    #[error(transparent)]
    Gains(#[from] GainsError),
    /// There are names that no judgment mentions, or judgments of items without a name.
    #[error(
        "{names} names and {judged} judged items: every name needs one judgment, and every judgment a name"
    )]
    NameMismatch {
        /// How many names there are.
        names: usize,
        /// How many items are judged.
        judged: usize,
    },
    /// A query has two lists.
    #[error("there are two lists of the query `{0}`")]
    DuplicateQuery(String),
}

const NO_GROUP: u32 = u32::MAX;

impl QueryTruth {
    /// The judgments that a partially ordered list stands for.
    ///
    /// Every name must be in the list.
    pub fn from_list(names: Names, list: GroupedList) -> Result<Self, GroundTruthError> {
        let gains = Gains::from_list(&list);
        Self::new(names, list, gains)
    }

    /// The judgments that grades stand for. Every name must have one.
    pub fn from_gains(
        names: Names,
        gains: Gains,
        zero: ZeroGainPolicy,
    ) -> Result<Self, GroundTruthError> {
        let list = gains.to_list(zero);
        Self::new(names, list, gains)
    }

    /// The judgments of a list of groups of names.
    pub fn from_groups<'n, G>(groups: impl IntoIterator<Item = G>) -> Result<Self, GroundTruthError>
    where
        G: IntoIterator<Item = &'n &'n str>,
    {
        let mut names = Names::new();
        let list = GroupedList::from_names(&mut names, groups)?;
        Self::from_list(names, list)
    }

    /// The judgments of names with grades.
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
            // Adding 0 turns a negative zero into a positive one.
            gain_of[item.index()] = gain.max(0.0) + 0.0;
        }
        // The list has the highest gains first, whichever of the two was made of the other.
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

    /// The names of the judged items.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The judgments as a partially ordered list.
    pub fn list(&self) -> &GroupedList {
        &self.list
    }

    /// The judgments as they were given.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// The gain of an item, at least 0. Panics if the item is none of [`Judged::names`].
    pub fn gain(&self, item: Item) -> f64 {
        self.gain_of[item.index()]
    }

    /// The group of an item, counted from 0, if it is in the list. Panics if the item is none of
    /// [`Judged::names`].
    pub fn group(&self, item: Item) -> Option<usize> {
        let group = self.group_of[item.index()];
        (group != NO_GROUP).then_some(group as usize)
    }

    /// All gains above 0, highest first: the gains of an ideal result.
    pub fn ideal_gains(&self) -> &[f64] {
        &self.ideal
    }

    /// How many items have at least this gain and a gain above 0.
    pub fn relevant_count(&self, threshold: f64) -> usize {
        self.ideal.partition_point(|&gain| gain >= threshold)
    }
}

partita_named::named_enum! {
    /// How the judgments of a ground truth were expressed.
    pub enum TruthScale: "scale" {
        /// Groups without grades: only their order is known
        Groups = "groups",
        /// Grades, higher is better
        Grades = "grades",
    }
}

/// The judgments of many queries.
///
/// ```
/// use partita_core::{GroundTruth, Judged, Scale};
///
/// let query = Judged::of_groups([["a"].as_slice(), &["b", "c"]])?;
/// let truth = GroundTruth::new(Scale::Groups, vec![("q1".to_owned(), query)]).unwrap();
/// assert_eq!(truth.query("q1"), Some(0));
/// assert_eq!(truth.highest_gain(), 2.0);
/// # Ok::<(), partita_core::JudgedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroundTruth {
    scale: TruthScale,
    queries: Names,
    judged: Vec<QueryTruth>,
    highest_gain: f64,
}

impl GroundTruth {
    /// The ground truth of these queries, in this order. A name that stands twice is given back.
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

    /// The ground truth of queries with these names. Panics if there are not as many names as
    /// queries.
    pub fn with_query_names(scale: TruthScale, queries: Names, judged: Vec<QueryTruth>) -> Self {
        assert_eq!(queries.len(), judged.len(), "each query has one name");
        let highest = judged
            .iter()
            .filter_map(|query| query.ideal_gains().first());
        Self {
            scale,
            highest_gain: highest.copied().fold(0.0, f64::max),
            queries,
            judged,
        }
    }

    /// The ground truth of lists of groups of names, earlier groups being more relevant.
    ///
    /// # Errors
    /// An item that stands twice in a list, or two lists of one query.
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

    /// The ground truth of lists, each in the numbers of its own names. Names that are not in the
    /// list, because nobody ranked them, are not judged.
    ///
    /// # Panics
    /// If a list holds an item that is none of its names, or two lists are of one query.
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
            let judged = judged.expect("a list holds each of its names once");
            (query.to_owned(), judged)
        });
        Self::new(TruthScale::Groups, judged.collect()).expect("a query has one list")
    }

    /// One query alone. Panics if there is no such query.
    #[must_use]
    pub fn with_single_query(&self, query: usize) -> Self {
        let alone = vec![(
            self.query_name(query).to_owned(),
            self.judged[query].clone(),
        )];
        let truth = Self::new(self.scale, alone).expect("one query has one name");
        Self {
            highest_gain: self.highest_gain,
            ..truth
        }
    }

    /// The names of the queries.
    pub fn query_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    /// How the judgments were expressed.
    pub fn scale(&self) -> TruthScale {
        self.scale
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.judged.len()
    }

    /// Whether there is no query.
    pub fn is_empty(&self) -> bool {
        self.judged.is_empty()
    }

    /// The number of the query with this name.
    pub fn query_index(&self, name: &str) -> Option<usize> {
        self.queries.get(name).map(Item::index)
    }

    /// The name of a query. Panics if there is no such query.
    pub fn query_name(&self, query: usize) -> &str {
        self.queries.name(Item::from_raw(query as u32))
    }

    /// The judgments of a query. Panics if there is no such query.
    pub fn query_truth(&self, query: usize) -> &QueryTruth {
        &self.judged[query]
    }

    /// All queries with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &QueryTruth)> {
        (0..self.judged.len()).map(|q| (self.query_name(q), &self.judged[q]))
    }

    /// The highest gain of any item for any query; 0 if nothing is relevant.
    pub fn highest_gain(&self) -> f64 {
        self.highest_gain
    }

    /// Only the queries with these names, in the order of the ground truth; all of them if none is
    /// named.
    pub fn restrict_to(self, names: &[String]) -> Result<Self, UnknownQueryError> {
        if names.is_empty() {
            return Ok(self);
        }
        self.query_indices(names)?;
        Ok(self.filter_queries(|query| names.iter().any(|name| name == query)))
    }

    /// The numbers of the queries with these names, in the order of the ground truth; of all if none
    /// is named.
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

    /// Only the queries that `keep` accepts, in their order.
    pub fn filter_queries(self, mut keep: impl FnMut(&str) -> bool) -> Self {
        // The highest gain stays that of the whole truth: it describes the scale, not the queries.
        let Self {
            scale,
            queries,
            judged,
            highest_gain,
        } = self;
        let mut names = Names::new();
        let mut kept = Vec::new();
        for (item, query) in queries.items().zip(judged) {
            let name = queries.name(item);
            if keep(name) && names.intern(name).is_some() {
                kept.push(query);
            }
        }
        Self {
            scale,
            queries: names,
            judged: kept,
            highest_gain,
        }
    }
}

/// By query its list: `{"query": [["a", "b"], ["c"]]}`.
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

/// A ground truth has no query of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ground truth has no query `{name}`")]
pub struct UnknownQueryError {
    /// The name.
    pub name: String,
    /// How many queries there are.
    pub queries: usize,
    /// The names of the first of them.
    pub some: Vec<String>,
}
