//! How many votes are still to come, by trying it out.

use partita_core::Answer;
use partita_stats::streams::{ChaCha8Rng, choose, index_below, stream};

use super::Campaign;
use crate::votes::Votes;

/// The random stream of a rehearsal.
const REHEARSAL: u64 = 0x005_004;

/// A rehearsal that takes more rounds than this is broken off: a strategy that never ends is no
/// reason for a report never to come.
const MOST_ROUNDS: usize = 1_000;

/// What pairs are like before there are any: one item better, neither, the other, with two
/// dissenters in ten.
const AT_FIRST: [Votes; 3] = [
    Votes {
        a: 8,
        equal: 1,
        b: 1,
    },
    Votes {
        a: 1,
        equal: 8,
        b: 1,
    },
    Votes {
        a: 1,
        equal: 1,
        b: 8,
    },
];

impl Campaign {
    /// About how many votes each list still needs, those already asked for included: the mean of
    /// some rehearsals in which every pair to come gets votes like those of a pair so far, drawn at
    /// random from all lists.
    ///
    /// It is a rough estimate: it knows nothing of which pairs are harder, and little before there are
    /// votes.
    pub fn expected_votes(&self, rehearsals: usize) -> Vec<f64> {
        let rules = self.rules();
        let mut pairs: Vec<Votes> = Vec::new();
        for list in &self.lists {
            let voted = list.evaluated(&rules).votes.pairs();
            pairs.extend(
                voted
                    .map(|(_, _, votes)| votes)
                    .filter(|votes| votes.len() > 1),
            );
        }
        if pairs.len() < 10 {
            pairs.extend(AT_FIRST);
        }
        let mut expected = Vec::with_capacity(self.lists.len());
        for (number, list) in self.lists.iter().enumerate() {
            let evaluated = list.evaluated(&rules);
            let strategy = list.strategy(self.strategy.as_ref());
            let mut held_to_come = 0;
            for &(a, b) in &list.held_out {
                let wanted = self.settings.held_out_votes;
                held_to_come += wanted.saturating_sub(evaluated.held.of(a, b).len());
            }
            let mut total = 0;
            for rehearsal in 0..rehearsals {
                let path = [REHEARSAL, number as u64, rehearsal as u64];
                let mut random = stream(self.settings.seed, &path);
                let mut votes = evaluated.votes.clone();
                let mut requests = evaluated.requests.clone();
                for _ in 0..MOST_ROUNDS {
                    if requests.is_empty() {
                        break;
                    }
                    for request in &requests {
                        let so_far = votes.of(request.a, request.b);
                        let model = match so_far.is_empty() {
                            true => drawn(&mut random, &pairs),
                            false => so_far,
                        };
                        for _ in so_far.len()..request.votes {
                            votes.add(request.a, request.b, answer(&mut random, model));
                            total += 1;
                        }
                    }
                    requests = strategy.requests(&votes, list.seed);
                }
            }
            let mean = f64::from(total) / rehearsals.max(1) as f64;
            expected.push(mean + f64::from(held_to_come));
        }
        expected
    }
}

/// The votes of one of these pairs, either side first.
fn drawn(random: &mut ChaCha8Rng, pairs: &[Votes]) -> Votes {
    let votes = *choose(random, pairs).expect("there are always the pairs of the beginning");
    match index_below(random, 2) {
        0 => votes,
        _ => votes.mirrored(),
    }
}

/// One more answer like these.
fn answer(random: &mut ChaCha8Rng, votes: Votes) -> Answer {
    let at = index_below(random, votes.len() as usize) as u32;
    match at {
        _ if at < votes.a => Answer::A,
        _ if at < votes.a + votes.equal => Answer::Equal,
        _ => Answer::B,
    }
}
