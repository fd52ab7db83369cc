//! Forecast of the number of votes that a campaign still needs, by simulation.

use partita_core::Preference;
use partita_stats::random::{RandomStream, choose, stream, stream_id, uniform_index};

use crate::campaign::Campaign;
use crate::votes::Votes;

/// Maximum number of rounds of pair requests per simulation, so that a strategy that never finishes
/// cannot block a report.
const MAX_ROUNDS: usize = 1_000;

/// Votes on three imaginary pairs, from which simulated votes are also drawn while fewer than ten
/// pairs of the campaign have two or more votes. On each pair, eight of ten votes go to the first
/// item, to neither item or to the second item.
const PRIOR_VOTES: [[u32; 3]; 3] = [[8, 1, 1], [1, 8, 1], [1, 1, 8]];

/// Simulator of the votes that each list of a campaign still needs.
///
/// Lists are simulated independently of each other, so that they can be distributed over threads.
pub struct VoteForecast<'c> {
    campaign: &'c Campaign,
    /// Numbers of votes on pairs of the campaign with two or more votes, and on imaginary pairs if
    /// there are few. A simulated pair without votes gets the vote distribution of one of them,
    /// drawn at random.
    pairs: Vec<Votes>,
}

/// Relative precision at which the simulations stop: the standard error of the mean number of
/// votes, divided by the mean.
const TARGET_RELATIVE_ERROR: f64 = 0.05;

impl Campaign {
    /// Returns the expected number of votes that each list still needs, requested votes that have
    /// not arrived included: the mean of at most `max_runs` simulations (see
    /// [`VoteForecast::expected_votes`]).
    pub fn expected_votes(&self, max_runs: usize) -> Vec<f64> {
        let run = self.vote_forecast();
        let lists = 0..self.lists.len();
        lists
            .map(|list| run.expected_votes(list, max_runs))
            .collect()
    }

    /// Prepares the simulation of the votes that each list still needs.
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
    /// Returns the expected number of votes that a list still needs, requested votes that have not
    /// arrived included; 0 for a closed list. It is the mean of several simulations. In each, a
    /// pair without votes gets the vote distribution of a pair with two or more votes, drawn at
    /// random from all lists; a pair with votes keeps its own distribution.
    ///
    /// Runs at most `most` simulations. Stops early, but not before the second, once the standard
    /// error is at most a twentieth of the mean.
    ///
    /// The estimate is rough: it does not model which pairs are harder, and it has little
    /// information before there are votes.
    pub fn expected_votes(&self, number: usize, most: usize) -> f64 {
        let campaign = self.campaign;
        let list = &campaign.lists[number];
        if list.closed.is_some() || !campaign.list_context().asks_pairs {
            return 0.0;
        }
        let mut held_out_votes = 0;
        for pair in &list.held_out {
            let wanted = campaign.spec.settings.held_out_votes;
            held_out_votes += wanted.saturating_sub(list.tally(pair).held_out.len());
        }
        let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
        for run in 0..most {
            let votes = f64::from(self.simulate_once(number, run as u64));
            n += 1.0;
            sum += votes;
            squares += votes * votes;
            // Votes are integers, so the subtraction does not lose precision.
            let variance = ((squares - sum * sum / n) / (n - 1.0)).max(0.0);
            if run > 0 && (variance / n).sqrt() <= TARGET_RELATIVE_ERROR * sum / n {
                break;
            }
        }
        f64::from(held_out_votes) + sum / f64::max(n, 1.0)
    }

    /// Simulates the remaining votes on a list once and returns their number.
    fn simulate_once(&self, number: usize, run: u64) -> u32 {
        let campaign = self.campaign;
        let list = &campaign.lists[number];
        let strategy = list.strategy(campaign.strategy.as_ref());
        let path = [stream_id::REHEARSAL, number as u64, run];
        let mut random = stream(campaign.spec.settings.seed, &path);
        let mut votes = list.votes.clone();
        let mut requests = list.requests(&campaign.list_context()).to_vec();
        let mut total = 0;
        for _ in 0..MAX_ROUNDS {
            if requests.is_empty() {
                break;
            }
            for request in &requests {
                let so_far = votes.get(request.a, request.b);
                let model = if so_far.is_empty() {
                    draw_pair_votes(&mut random, &self.pairs)
                } else {
                    so_far
                };
                for _ in so_far.len()..request.votes {
                    votes.add(request.a, request.b, draw_answer(&mut random, model));
                    total += 1;
                }
            }
            requests = strategy.requests_ahead(&votes, list.seed);
        }
        total
    }
}

/// Returns the votes on a random pair of `pairs`. With probability 1/2, the two items of the pair
/// are swapped.
fn draw_pair_votes(random: &mut RandomStream, pairs: &[Votes]) -> Votes {
    let votes =
        *choose(random, pairs).expect("imaginary pairs are added if the campaign has few pairs");
    match uniform_index(random, 2) {
        0 => votes,
        _ => votes.mirrored(),
    }
}

/// Draws one answer, with probabilities proportional to the given votes for the first item, for
/// neither and for the second.
fn draw_answer(random: &mut RandomStream, votes: Votes) -> Preference {
    let at = uniform_index(random, votes.len() as usize) as u32;
    match at {
        _ if at < votes.a => Preference::A,
        _ if at < votes.a + votes.equal => Preference::Equal,
        _ => Preference::B,
    }
}
