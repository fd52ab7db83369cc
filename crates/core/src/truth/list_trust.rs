//! How far a list can be trusted, given that another panel would have made another.

use partita_stats::bootstrap::Interval;

use super::aggregate::list_by;
use super::alpha::Alpha;
use super::arrange::arrange;
use super::comparisons::{Comparisons, Tails};
use super::consistency::consistency;
use super::list_shares::ListShares;
use super::panel::Panel;
use super::recentred::Recentred;
use super::recipe::Recipe;
use super::remembered::RememberedTests;
use super::samples::RankSamples;
use crate::grouped_list::GroupedList;

/// The list of one replicate of a panel, and the consistency of such lists.
#[derive(Clone, Debug, PartialEq)]
pub struct ListReplicate {
    /// The list.
    pub list: GroupedList,
    /// Its ADR-1 and ADR-2 consistency; NaN if it has fewer than 2 items.
    pub consistency: [f64; 2],
    /// The same for two replicates of the replicate.
    pub again: [[f64; 2]; 2],
}

/// The bootstrap of the list that a panel makes.
///
/// To use several threads, give each its own: it remembers tests, which changes no result.
#[derive(Clone, Debug)]
pub struct ListBootstrap<'r> {
    panel: Panel<'r>,
    recipe: Recipe,
    built: RememberedTests,
    /// `None` if the level is the same.
    measured: Option<RememberedTests>,
}

impl<'r> ListBootstrap<'r> {
    /// The bootstrap of the list that this panel makes by this recipe, its consistency measured at
    /// the level `measured`.
    pub fn new(panel: &Panel<'r>, recipe: Recipe, measured: Alpha) -> Self {
        let tests = |alpha| RememberedTests::new(alpha, recipe.reading.law);
        Self {
            panel: panel.clone(),
            recipe,
            built: tests(recipe.alpha),
            measured: (measured != recipe.alpha).then(|| tests(measured)),
        }
    }

    /// One replicate: a function of the seed, the number of the replicate and the panel.
    pub fn replicate(&mut self, seed: u64, replicate: u64) -> ListReplicate {
        let drawn = self.panel.draw(seed, replicate);
        let (list, consistency) = self.made(&drawn);
        let again = [0, 1].map(|turn| {
            let drawn = self.panel.draw_again(seed, replicate, turn);
            self.made(&drawn).1
        });
        ListReplicate {
            list,
            consistency,
            again,
        }
    }

    /// The list that these assessors make, and its consistency.
    fn made(&mut self, assessors: &[usize]) -> (GroupedList, [f64; 2]) {
        let rankings = self.panel.rankings();
        let samples = RankSamples::drawn(rankings, self.recipe.reading.unranked, assessors);
        let arranged = arrange(&samples, rankings.items());
        let tests = comparisons(&mut self.built, &samples);
        let list = list_by(&arranged, self.recipe.aggregation, |a, b| {
            tests.verdict(a, b)
        });
        let consistency = match &mut self.measured {
            Some(measured) => both(&list, &comparisons(measured, &samples)),
            None => both(&list, &tests),
        };
        (list, consistency)
    }
}

fn comparisons(tests: &mut RememberedTests, samples: &RankSamples) -> Comparisons {
    Comparisons::by(samples.len(), tests.alpha(), |a, b| {
        tests.verdict(samples.sample(a), samples.sample(b))
    })
}

/// ADR-1 and ADR-2; NaN where there is none.
fn both(list: &GroupedList, tests: &Comparisons) -> [f64; 2] {
    [Tails::One, Tails::Two]
        .map(|tails| consistency(list, tests, tails).map_or(f64::NAN, |found| found.value))
}

/// What the replicates of a panel say of its list.
///
/// The shares of replicates in which one item comes before another, with it or after it show how
/// firmly the list holds where. They are those of the replicates as they are, which separate items
/// a little more often than real panels do (see [`Recentred`]).
#[derive(Clone, Debug)]
pub struct ListTrust {
    shares: ListShares,
    /// ADR-1 and ADR-2.
    consistency: [Option<Recentred>; 2],
}

impl ListTrust {
    /// What these replicates say of the list that the panel makes by this recipe, its consistency
    /// measured at this level.
    pub fn new(
        panel: &Panel,
        recipe: &Recipe,
        measured: Alpha,
        replicates: &[ListReplicate],
    ) -> Self {
        let width = panel.rankings().items().len();
        let evidence = recipe.evidence(panel.rankings());
        let list = evidence.list(recipe.aggregation);
        let observed = both(&list, evidence.at(measured).comparisons());
        let freedom = Panel::freedom(std::slice::from_ref(panel));
        let recentred = |which: usize| {
            let first: Vec<f64> = replicates.iter().map(|r| r.consistency[which]).collect();
            let second: Vec<[f64; 2]> = (replicates.iter())
                .map(|r| r.again.map(|both| both[which]))
                .collect();
            Recentred::new(observed[which], &first, &second, freedom)
        };
        Self {
            shares: ListShares::of(width, replicates.iter().map(|replicate| &replicate.list)),
            consistency: [recentred(0), recentred(1)],
        }
    }

    /// Where the items stand in the lists of the replicates.
    pub fn shares(&self) -> &ListShares {
        &self.shares
    }

    /// The interval of the consistency: ADR-1 or ADR-2.
    pub fn consistency(&self, tails: Tails, confidence: f64) -> Option<Interval> {
        let which = usize::from(tails == Tails::Two);
        let recentred = self.consistency[which].as_ref()?;
        Some(recentred.interval(confidence, (0.0, 1.0)))
    }
}
