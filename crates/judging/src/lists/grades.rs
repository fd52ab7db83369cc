//! Grades of items by assessors, with the gains and the votes that follow from them.

use std::collections::{BTreeMap, HashSet};

use partita_core::{
    GroundTruth, GroupedList, Item, Names, Preference, Preferences, QueryPreferences, QueryTruth,
    TruthScale, Vote, ZeroGainPolicy,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::batches::median;

partita_named::named_enum! {
    /// Scale whose grades become the gains of a ground truth.
    pub enum GradeScale: "scale of grades" {
        /// the median of the grades: 0 (not), 1 (somewhat) or 2 (very similar)
        Broad = "broad",
        /// the mean of the grades from 0 to 100
        Fine = "fine",
    }
}

/// Summary of the grades that assessors gave to an item.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemGrades {
    /// Query name.
    pub query: String,
    /// Item name.
    pub item: String,
    /// Number of assessors who graded the item.
    pub graders: usize,
    /// Median of the broad grades and mean of the fine grades.
    #[serde(flatten)]
    pub grades: GradeSummary,
}

/// Median of the broad grades and mean of the fine grades of one item; `None` without grades on the
/// scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GradeSummary {
    /// Median of the broad grades, where not similar is 0, somewhat similar 1 and very similar 2.
    pub broad: Option<f64>,
    /// Mean of the fine grades, from 0 to 100.
    pub fine: Option<f64>,
}

impl GradeSummary {
    /// Returns the value on one of the scales.
    pub fn on_scale(&self, scale: GradeScale) -> Option<f64> {
        match scale {
            GradeScale::Broad => self.broad,
            GradeScale::Fine => self.fine,
        }
    }
}

/// Lists built from grades, one per query, with the grades behind them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GradeLists {
    /// Ground truth, in which items of equal gain form a group.
    #[serde(rename = "lists")]
    pub truth: GroundTruth,
    /// Scale whose grades are the gains.
    pub scale: GradeScale,
    /// Number of graders and summary of the grades of each graded item.
    pub items: Vec<ItemGrades>,
}

/// Grade that one assessor gave to an item. `Name` is a string, or the number of a name in
/// [`Grades`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssessorGrade<Name = Item> {
    /// Assessor who graded.
    pub assessor: Name,
    /// Graded item.
    pub item: Name,
    /// Grades on the two scales. The broad grade is its gain: 0, 1 or 2.
    pub grade: GradeSummary,
}

/// Grades of the items of queries by assessors: at most one grade per query, item and assessor.
#[derive(Clone, Debug, Default)]
pub struct Grades {
    queries: Vec<QueryGrades>,
    names: Names,
    assessors: Names,
}

/// Grades of the items of one query, in the order in which they were added.
#[derive(Clone, Debug, Default)]
struct QueryGrades {
    name: String,
    items: Names,
    grades: Vec<AssessorGrade>,
    graded: HashSet<(Item, Item)>,
}

/// Reason why a grade cannot be added to [`Grades`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum GradesError {
    /// The assessor graded the item before.
    #[error("`{assessor}` has graded `{item}` already for the query `{query}`")]
    GradedTwice {
        assessor: String,
        item: String,
        query: String,
    },
    /// There are more queries, items or assessors than 32-bit indices.
    #[error("there are too many names to number")]
    TooManyNames,
}

impl Grades {
    /// Returns true if nobody graded anything.
    pub fn is_empty(&self) -> bool {
        self.queries.iter().all(|query| query.grades.is_empty())
    }

    /// Adds a query with its items, whose order the summaries keep.
    pub(crate) fn add_items(&mut self, query: &str, items: &Names) {
        let number = self.query_number(query).expect("as many queries as lists");
        self.queries[number].items = items.clone();
    }

    /// Adds a grade.
    ///
    /// # Errors
    /// Returns [`GradesError`] if the assessor graded the item before, or if there are too many
    /// names.
    pub fn add(&mut self, query: &str, given: AssessorGrade<&str>) -> Result<(), GradesError> {
        let number = self.query_number(query)?;
        let intern = |names: &mut Names, name| names.intern(name).ok_or(GradesError::TooManyNames);
        let assessor = intern(&mut self.assessors, given.assessor)?;
        let entry = &mut self.queries[number];
        let item = intern(&mut entry.items, given.item)?;
        if !entry.graded.insert((assessor, item)) {
            return Err(GradesError::GradedTwice {
                assessor: given.assessor.to_owned(),
                item: given.item.to_owned(),
                query: query.to_owned(),
            });
        }
        entry.grades.push(AssessorGrade {
            assessor,
            item,
            grade: given.grade,
        });
        Ok(())
    }

    /// Removes the grades of all queries except these; keeps all if none is named.
    ///
    /// # Errors
    /// Returns the name of the first query that has no grades.
    pub fn retain_queries(&mut self, wanted: &[String]) -> Result<(), String> {
        let is_known = |name: &&String| self.queries.iter().any(|query| query.name == **name);
        if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
            return Err(unknown.clone());
        }
        if !wanted.is_empty() {
            self.queries.retain(|query| wanted.contains(&query.name));
            self.names = Names::new();
            for query in &self.queries {
                let number = self.names.intern(&query.name);
                number.expect("no more names than before");
            }
        }
        Ok(())
    }

    /// Returns the number of a query, which is added if it is new.
    fn query_number(&mut self, query: &str) -> Result<usize, GradesError> {
        let number = self.names.intern(query).ok_or(GradesError::TooManyNames)?;
        if number.index() == self.queries.len() {
            self.queries.push(QueryGrades {
                name: query.to_owned(),
                ..QueryGrades::default()
            });
        }
        Ok(number.index())
    }

    /// Returns the fine scale if any grade has it, else the broad scale.
    pub fn usual_scale(&self) -> GradeScale {
        let mut grades = self.queries.iter().flat_map(|query| &query.grades);
        if grades.any(|given| given.grade.fine.is_some()) {
            GradeScale::Fine
        } else {
            GradeScale::Broad
        }
    }

    /// Returns the summary of the grades of each graded item, by query and item in the order in
    /// which they were added.
    pub fn item_grades(&self) -> Vec<ItemGrades> {
        let summaries = self.queries.iter().flat_map(|query| {
            let summaries = query.summaries().into_iter().zip(query.items.items());
            let graded = summaries.filter(|((graders, _), _)| *graders > 0);
            graded.map(|((graders, grades), item)| ItemGrades {
                query: query.name.clone(),
                item: query.items.name(item).to_owned(),
                graders,
                grades,
            })
        });
        summaries.collect()
    }

    /// Builds a ground truth in which the gain of an item is its median broad grade or its mean fine
    /// grade. Items without a grade on this scale are omitted, and so are queries without such
    /// items.
    pub fn ground_truth(&self, scale: GradeScale, zero: ZeroGainPolicy) -> GroundTruth {
        let judged = self.queries.iter().filter_map(|query| {
            let summaries = query.summaries();
            let gains: Vec<(&str, f64)> = (query.items.items().zip(summaries))
                .filter_map(|(item, (_, grades))| {
                    Some((query.items.name(item), grades.on_scale(scale)?))
                })
                .collect();
            let judged = QueryTruth::from_grades(gains.iter().copied(), zero);
            (!gains.is_empty()).then(|| {
                let judged = judged.expect("grades are finite and each item is graded once");
                (query.name.clone(), judged)
            })
        });
        GroundTruth::new(TruthScale::Grades, judged.collect()).expect("each query has one name")
    }

    /// Builds the lists on one scale, by default on the fine scale if any grade has it. Items with a
    /// gain of 0 are in no group.
    pub fn build(&self, scale: Option<GradeScale>) -> GradeLists {
        let scale = scale.unwrap_or_else(|| self.usual_scale());
        GradeLists {
            truth: self.ground_truth(scale, ZeroGainPolicy::LeaveOut),
            scale,
            items: self.item_grades(),
        }
    }

    /// Returns the grades of a query on one scale, in the numbers of its votes
    /// ([`Grades::preferences`]). Items that no vote compares are left out.
    pub(crate) fn gains(
        &self,
        votes: &QueryPreferences,
        assessors: &Names,
        scale: GradeScale,
    ) -> QueryGains {
        let query = self.names.get(votes.name()).map(Item::index);
        let query = &self.queries[query.expect("the votes follow from these grades")];
        let grades = query.grades.iter().filter_map(|given| {
            let assessor = assessors.get(self.assessors.name(given.assessor))?;
            let item = votes.items().get(query.items.name(given.item))?;
            Some((assessor, item, given.grade.on_scale(scale)?))
        });
        QueryGains {
            scale,
            items: votes.items().len(),
            grades: grades.collect(),
        }
    }

    /// Returns the votes that follow from the grades on one scale: for each query, each assessor
    /// prefers the item with the higher grade among two items that they graded.
    pub fn preferences(&self, scale: GradeScale) -> Preferences {
        let mut preferences = Preferences::new();
        for query in &self.queries {
            let mut by_assessor: BTreeMap<Item, Vec<(Item, f64)>> = BTreeMap::new();
            for given in &query.grades {
                if let Some(value) = given.grade.on_scale(scale) {
                    let graded = by_assessor.entry(given.assessor).or_default();
                    graded.push((given.item, value));
                }
            }
            for (assessor, mut graded) in by_assessor {
                // The order of the grades does not matter.
                graded.sort_by_key(|(item, _)| query.items.name(*item));
                for (place, &(a, grade_a)) in graded.iter().enumerate() {
                    for &(b, grade_b) in &graded[place + 1..] {
                        let preference = match grade_a.total_cmp(&grade_b) {
                            std::cmp::Ordering::Greater => Preference::A,
                            std::cmp::Ordering::Equal => Preference::Equal,
                            std::cmp::Ordering::Less => Preference::B,
                        };
                        let [a, b] = [a, b].map(|item| query.items.name(item));
                        let vote = Vote::new(a, b, self.assessors.name(assessor), preference);
                        let added = preferences.add(&query.name, vote);
                        added.expect("an assessor grades each item once");
                    }
                }
            }
        }
        preferences
    }
}

impl QueryGrades {
    /// Returns the number of graders and the summary of the grades of each item, in the order of the
    /// items.
    fn summaries(&self) -> Vec<(usize, GradeSummary)> {
        let mut by_item: Vec<(usize, [Vec<f64>; 2])> = vec![Default::default(); self.items.len()];
        for given in &self.grades {
            let (graders, [broad, fine]) = &mut by_item[given.item.index()];
            *graders += 1;
            broad.extend(given.grade.broad);
            fine.extend(given.grade.fine);
        }
        let summaries = by_item.into_iter().map(|(graders, [broad, fine])| {
            let grades = GradeSummary {
                broad: median(broad),
                fine: mean(&fine),
            };
            (graders, grades)
        });
        summaries.collect()
    }
}

/// Grades of the items of one query on one scale, in the numbers of the votes that follow from them.
#[derive(Clone, Debug)]
pub(crate) struct QueryGains {
    scale: GradeScale,
    /// Number of items that votes compare.
    items: usize,
    /// Assessor, item and grade, in the order in which the grades were added.
    grades: Vec<(Item, Item, f64)>,
}

impl QueryGains {
    /// Builds the list of the items by their gains. `times` says how often the grades of an assessor
    /// count. Items with a gain of 0 or without a grade are in no group.
    pub(crate) fn list(&self, times: impl Fn(Item) -> u32) -> GroupedList {
        let mut by_item: Vec<Vec<f64>> = vec![Vec::new(); self.items];
        for &(assessor, item, grade) in &self.grades {
            let count = times(assessor) as usize;
            by_item[item.index()].extend(std::iter::repeat_n(grade, count));
        }
        let items = (0..self.items).filter_map(Item::from_index);
        let gains = items.zip(by_item).filter_map(|(item, grades)| {
            let gain = match self.scale {
                GradeScale::Broad => median(grades),
                GradeScale::Fine => mean(&grades),
            };
            Some((gain.filter(|gain| *gain > 0.0)?, item))
        });
        let mut gains: Vec<(f64, Item)> = gains.collect();
        gains.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let groups = gains.chunk_by(|(a, _), (b, _)| a == b);
        GroupedList::new(groups.map(|group| group.iter().map(|(_, item)| *item)))
            .expect("each item has one gain")
    }
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
