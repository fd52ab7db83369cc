//! Effect of early stopping on recorded votes.

use std::collections::HashMap;

use partita_core::{Preference, Preferences};
use partita_judging::{DecisionRule, Relation, StoppingRule, Votes, pair_votes};
use partita_stats::random::{shuffle, stream};
use serde::Serialize;

/// Effect of an early stopping rule on pairs with recorded votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StoppingResult {
    /// Share of the recorded votes that are used before the rule stops.
    #[serde(rename = "asked")]
    pub votes: f64,
    /// Share of pairs that are decided as by all recorded votes.
    pub kept: f64,
    /// Share of pairs that are decided in the opposite direction to the decision by all votes.
    pub reversed: f64,
}

/// Id of the random stream of the order in which a pair's votes are replayed.
const ORDER_STREAM: u64 = partita_stats::random::stream_id::STOPPING_ORDER;

/// Maximum number of votes on a pair. Further votes are left out, because a stopping rule considers
/// all possible completions of the votes, which would be too many.
const MAX_VOTES: usize = 30;

/// Measures the effect of a stopping rule on recorded answers, averaged over `orders` random orders
/// of each pair's votes. The target number of votes on a pair is the number of its recorded votes,
/// at most 30.
pub fn simulate_stopping(
    preferences: &Preferences,
    rule: DecisionRule,
    stop: StoppingRule,
    orders: u32,
    seed: u64,
) -> StoppingResult {
    let mut outcomes: HashMap<Votes, Relation> = HashMap::new();
    let mut decisions: HashMap<(Votes, u32), Option<Relation>> = HashMap::new();
    let (mut asked, mut all, mut pairs, mut kept, mut reversed) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let preferences = preferences.by_name();
    for (query, number) in preferences.queries().iter().zip(0u64..) {
        let mut of_query = pair_votes(query);
        of_query.sort_by_key(|pair| (pair.batch, pair.a.min(pair.b), pair.a.max(pair.b)));
        for (pair, place) in of_query.into_iter().zip(0u64..) {
            let each = Preference::ALL.into_iter().zip(pair.votes.counts());
            let mut given: Vec<Preference> = each
                .flat_map(|(answer, count)| std::iter::repeat_n(answer, count as usize))
                .collect();
            for order in 0..u64::from(orders) {
                let mut random = stream(seed, &[ORDER_STREAM, order, number, place]);
                shuffle(&mut random, &mut given);
                let given = &given[..given.len().min(MAX_VOTES)];
                let wanted = given.len() as u32;
                let whole = rule.decide(Votes::from_preferences(given.iter().copied()));
                let mut votes = Votes::default();
                let mut found = None;
                for &answer in given {
                    votes.add(answer);
                    found = *decisions.entry((votes, wanted)).or_insert_with(|| {
                        stop.decide_by(votes, wanted, |votes| {
                            *outcomes.entry(votes).or_insert_with(|| rule.decide(votes))
                        })
                    });
                    if found.is_some() {
                        break;
                    }
                }
                asked += f64::from(votes.len());
                all += f64::from(wanted);
                pairs += 1.0;
                kept += f64::from(u8::from(found == Some(whole)));
                let other = whole != Relation::Equal && found == Some(whole.mirrored());
                reversed += f64::from(u8::from(other));
            }
        }
    }
    match pairs {
        0.0 => StoppingResult::default(),
        _ => StoppingResult {
            votes: asked / all,
            kept: kept / pairs,
            reversed: reversed / pairs,
        },
    }
}
