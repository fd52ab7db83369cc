//! Lists made of draw after draw.

use super::aggregate::list_by;
use super::arrange::arrange;
use super::recipe::Recipe;
use super::remembered::RememberedTests;
use super::samples::RankSamples;
use crate::grouped_list::GroupedList;
use crate::rankings::Rankings;

/// A recipe that remembers its tests, for many draws from the same rankings.
#[derive(Clone, Debug)]
pub(super) struct ListMaker {
    recipe: Recipe,
    tests: RememberedTests,
}

impl ListMaker {
    pub(super) fn new(recipe: Recipe) -> Self {
        Self {
            recipe,
            tests: RememberedTests::new(recipe.alpha, recipe.reading.law),
        }
    }

    /// The list of [`Recipe::list`].
    pub(super) fn list(&mut self, rankings: &Rankings, assessors: &[usize]) -> GroupedList {
        let samples = RankSamples::drawn(rankings, self.recipe.reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        list_by(&arranged, self.recipe.aggregation, |a, b| {
            self.tests.verdict(samples.sample(a), samples.sample(b))
        })
    }
}
