//! How many votes are still to come, by trying it out.

use partita_core::Preference;
use partita_stats::random::{ChaCha8Rng, choose, stream, stream_id, uniform_index};

use crate::campaign::Campaign;
use crate::votes::Votes;

/// A rehearsal that takes more rounds than this is broken off: a strategy that never ends is no
/// reason for a report never to come.
const MOST_ROUNDS: usize = 1_000;

/// What pairs are like before there are any: one item better, neither, the other, with two
/// dissenters in ten.
const PRIOR_VOTES: [[u32; 3]; 3] = [[8, 1, 1], [1, 8, 1], [1, 1, 8]];

/// The rest of every list, ready to be tried out.
///
/// Each list is rehearsed by itself, whatever is done with the others and in whatever order, so that
/// a driver may share them out among threads.
pub struct VoteForecast<'c> {
    campaign: &'c Campaign,
    /// The votes on pairs so far, from which those on pairs to come are drawn.
    pairs: Vec<Votes>,
}

/// A list is rehearsed until the standard error is within this share of the mean.
const PRECISION: f64 = 0.05;

impl Campaign {
    /// About how many votes each list still needs, those already asked for included: the mean of
    /// [rehearsals](Rehearsal::list), at most so many each.
    pub fn expected_votes(&self, rehearsals: usize) -> Vec<f64> {
        let rehearsal = self.vote_forecast();
        let lists = 0..self.lists.len();
        lists
            .map(|list| rehearsal.expected_votes(list, rehearsals))
            .collect()
    }

    /// The rest of every list, ready to be tried out.
    pub fn vote_forecast(&self) -> VoteForecast<'_> {
        let mut pairs: Vec<Votes> = Vec::new();
        for list in &self.lists {
            let voted = list.votes.pairs();
            let voted = voted.map(|(_, _, votes)| votes);
            pairs.extend(voted.filter(|votes| votes.len() > 1));
        }
        if pairs.len() < 10 {
            pairs.extend(PRIOR_VOTES.map(|[a, equal, b]| Votes { a, equal, b }));
        }
        VoteForecast {
            campaign: self,
            pairs,
        }
    }
}

impl VoteForecast<'_> {
    /// About how many votes a list still needs, those already asked for included: the mean of some
    /// rehearsals in which every pair to come gets votes like those of a pair so far, drawn at random
    /// from all lists.
    ///
    /// There are at least two rehearsals and at most so many: a list that takes about as many votes
    /// in each, to a standard error of a twentieth of their mean, is not rehearsed again.
    ///
    /// It is a rough estimate: it knows nothing of which pairs are harder, and little before there are
    /// votes.
    pub fn expected_votes(&self, number: usize, most: usize) -> f64 {
        let campaign = self.campaign;
        let list = &campaign.lists[number];
        if list.closed.is_some() || !campaign.rules().asks_pairs {
            return 0.0;
        }
        let mut held_to_come = 0;
        for pair in &list.held_out {
            let wanted = campaign.settings.held_out_votes;
            held_to_come += wanted.saturating_sub(list.tally(pair).held_out.len());
        }
        let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
        for rehearsal in 0..most {
            let votes = f64::from(self.simulate_once(number, rehearsal as u64));
            n += 1.0;
            sum += votes;
            squares += votes * votes;
            // Votes are whole numbers, so that nothing cancels.
            let variance = ((squares - sum * sum / n) / (n - 1.0)).max(0.0);
            if rehearsal > 0 && (variance / n).sqrt() <= PRECISION * sum / n {
                break;
            }
        }
        f64::from(held_to_come) + sum / f64::max(n, 1.0)
    }

    /// The votes that a list takes in one rehearsal.
    fn simulate_once(&self, number: usize, rehearsal: u64) -> u32 {
        let campaign = self.campaign;
        let list = &campaign.lists[number];
        let strategy = list.strategy(campaign.strategy.as_ref());
        let path = [stream_id::REHEARSAL, number as u64, rehearsal];
        let mut random = stream(campaign.settings.seed, &path);
        let mut votes = list.votes.clone();
        let mut requests = list.requests(&campaign.rules()).to_vec();
        let mut total = 0;
        for _ in 0..MOST_ROUNDS {
            if requests.is_empty() {
                break;
            }
            for request in &requests {
                let so_far = votes.get(request.a, request.b);
                let model = if so_far.is_empty() {
                    drawn(&mut random, &self.pairs)
                } else {
                    so_far
                };
                for _ in so_far.len()..request.votes {
                    votes.add(request.a, request.b, answer(&mut random, model));
                    total += 1;
                }
            }
            requests = strategy.requests_ahead(&votes, list.seed);
        }
        total
    }
}

/// The votes of one of these pairs, either side first.
fn drawn(random: &mut ChaCha8Rng, pairs: &[Votes]) -> Votes {
    let votes = *choose(random, pairs).expect("there are always the pairs of the beginning");
    match uniform_index(random, 2) {
        0 => votes,
        _ => votes.mirrored(),
    }
}

/// One more answer like these.
fn answer(random: &mut ChaCha8Rng, votes: Votes) -> Preference {
    let at = uniform_index(random, votes.len() as usize) as u32;
    match at {
        _ if at < votes.a => Preference::A,
        _ if at < votes.a + votes.equal => Preference::Equal,
        _ => Preference::B,
    }
}
