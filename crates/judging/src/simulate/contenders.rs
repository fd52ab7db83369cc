//! Contenders of a simulation: the strategies that are compared, parsed from their names.

use super::study::{Contender, StrategyVariant};
use crate::model::GroupingRule;
use crate::strategy::{
    OrderedSortStrategy, PairSelection, PooledStrategy, RefittedSortStrategy, SortStrategy,
    Strategy,
};
use crate::votes::decision_rule::DecisionRule;
use crate::votes::stopping::StoppingRule;

/// Names of the strategies that a simulation compares by default, separated by commas.
pub const DEFAULT_CONTENDERS: &str =
    "sort,sort-ordered,sort-curtailed,sort-predictive:0.9,sort-refitted:0.7/0.8/0.9,random,pooled";

/// Forms of the valid contender names, for help texts and messages.
pub const CONTENDER_NAMES: &str = "sort, sort:VOTES, sort-ordered, sort-curtailed, sort-predictive:P, sort-refitted:P, pooled and random";

/// Numbers of votes at which the lists of the strategies `pooled` and `random` are evaluated, as
/// multiples of n log₂ n for n items. The strategy `sort` needs about 6 n log₂ n votes, so the last
/// value lies beyond it.
const POOLED_CHECKPOINTS: [f64; 10] = [1.0, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0, 4.0, 5.8, 6.5];

/// Error for a name that has none of the forms in [`CONTENDER_NAMES`] or a parameter out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no strategy is called `{0}`")]
pub struct UnknownContenderError(pub String);

/// Creates a variant of a strategy that is evaluated only at its end.
fn variant_without_checkpoints(strategy: impl Strategy + 'static) -> StrategyVariant {
    StrategyVariant {
        strategy: Box::new(strategy),
        checkpoints: Vec::new(),
    }
}

impl Contender {
    /// Parses a contender name such as `sort`, `sort:5/8`, `sort-refitted:0.7/0.9` or `pooled`.
    /// `votes` is the maximum number of votes per pair, and `rule` decides a pair from its votes.
    /// `matters` is the smallest relevant difference between two items: the mean vote (each vote is
    /// -1, 0 or 1) in standard deviations of a vote. A campaign with the strategy `pooled` stops at
    /// the share `settled` of pairs in the wrong order.
    pub fn parse(
        name: &str,
        votes: u32,
        rule: DecisionRule,
        matters: f64,
        settled: f64,
    ) -> Result<Self, UnknownContenderError> {
        let unknown = || UnknownContenderError(name.to_owned());
        let mut parts = name.splitn(2, ':');
        let (kind, parameter) = (parts.next().unwrap_or(name), parts.next());
        let grouping = GroupingRule {
            matters,
            ..GroupingRule::default()
        };
        let campaign_strategy = |choice| PooledStrategy {
            votes,
            settled,
            grouping,
            choice,
            ..PooledStrategy::default()
        };
        let pooled = |choice| {
            let [checkpoints @ .., budget] = POOLED_CHECKPOINTS;
            let strategy = PooledStrategy {
                budget,
                // Early stopping is disabled, because the strategy is evaluated at many numbers of
                // votes.
                settled: 0.0,
                ..campaign_strategy(choice)
            };
            vec![StrategyVariant {
                strategy: Box::new(strategy),
                checkpoints: checkpoints.to_vec(),
            }]
        };
        let full = |votes| {
            variant_without_checkpoints(SortStrategy::new(votes, rule, StoppingRule::AllVotes))
        };
        let fewer = |text: &str| {
            let fewer = text
                .parse()
                .ok()
                .filter(|fewer| (1..=votes).contains(fewer));
            fewer.map(full).ok_or_else(unknown)
        };
        let confident = |text: &str| {
            let level = text.parse().ok().filter(|p| *p > 0.0 && *p <= 1.0);
            let stop = StoppingRule::Predictive(level.ok_or_else(unknown)?);
            let sorting = SortStrategy::new(votes, rule, stop);
            Ok(match kind {
                "sort-refitted" => {
                    variant_without_checkpoints(RefittedSortStrategy { sorting, grouping })
                }
                _ => variant_without_checkpoints(sorting),
            })
        };
        let pooled_choice = match (kind, parameter) {
            ("pooled", None) => Some(PairSelection::MostInformative),
            ("random", None) => Some(PairSelection::Random),
            _ => None,
        };
        let variants = match (kind, parameter) {
            ("sort", None) => vec![full(votes)],
            ("sort", Some(all)) => all.split('/').map(fewer).collect::<Result<_, _>>()?,
            ("sort-ordered", None) => {
                let sorting = SortStrategy::new(votes, rule, StoppingRule::AllVotes);
                vec![variant_without_checkpoints(OrderedSortStrategy { sorting })]
            }
            ("sort-curtailed", None) => vec![variant_without_checkpoints(SortStrategy::new(
                votes,
                rule,
                StoppingRule::Curtailed,
            ))],
            ("sort-predictive" | "sort-refitted", levels) => {
                let levels = levels.unwrap_or("0.9").split('/');
                levels.map(confident).collect::<Result<_, _>>()?
            }
            _ => pooled(pooled_choice.ok_or_else(unknown)?),
        };
        let campaign_strategy = pooled_choice
            .map(|choice| -> Box<dyn Strategy> { Box::new(campaign_strategy(choice)) });
        Ok(Self {
            name: name.to_owned(),
            variants,
            campaign_strategy,
        })
    }
}
