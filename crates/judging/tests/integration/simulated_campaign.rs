//! Campaigns of simulated assessors, for tests of screening and of the bootstrap. The integration
//! tests of `crates/lab` include this file too.
//!
//! Items have hidden levels; the items of a group share one. A vote is the difference of two levels
//! plus noise, small differences are called equal, and a share of answers is random. The
//! defaults resemble the published campaign: 79 assessors of very unequal diligence, ten votes per
//! pair, half of all answers equal, a mean agreement of about 0.7.

use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::{DecisionRule, SelfOrganisingSort, Votes};
use partita_stats::random::{shuffle, standard_normal, stream, uniform, uniform_index};

/// Behaviour of an assessor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AssessorKind {
    /// Listens, and sometimes answers at random.
    Honest,
    /// Answers "equal" in exactly eight seconds, as two assessors of the published campaign did.
    Robot,
    /// Answers at random and fast.
    Careless,
    /// Prefers the item shown first four times of five, whatever it is.
    OneSided,
}

/// Simulated assessor.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) kind: AssessorKind,
    noise: f64,
    tie_threshold: f64,
    lapse_rate: f64,
    seconds: f64,
    diligence: f64,
}

/// Draws the given number of assessors of each kind.
pub(crate) fn people(seed: u64, kinds: &[(AssessorKind, usize)]) -> Vec<Person> {
    let mut random = stream(seed, &[1]);
    let mut people = Vec::new();
    for &(kind, count) in kinds {
        for number in 0..count {
            people.push(Person {
                name: format!("{kind:?}{number}"),
                kind,
                noise: (0.3 * standard_normal(&mut random)).exp(),
                tie_threshold: 1.0 * (0.3 * standard_normal(&mut random)).exp(),
                lapse_rate: 0.25 * uniform(&mut random),
                seconds: 20.0 * (0.4 * standard_normal(&mut random)).exp(),
                // As in the published campaign, few assessors give many answers and many give few.
                diligence: (1.5 * standard_normal(&mut random)).exp(),
            });
        }
    }
    people
}

/// Draws the hidden levels of the items of each list; lower is closer to the query. The first item
/// of a list is the query itself.
pub(crate) fn hidden_levels(seed: u64, lists: usize, items: usize) -> Vec<Vec<f64>> {
    let world = |list: usize| {
        let mut random = stream(seed, &[2, list as u64]);
        let mut level = 0.0;
        let mut levels = vec![0.0];
        while levels.len() < items {
            if uniform(&mut random) < 0.45 {
                level -= 0.9 * uniform(&mut random).ln();
            }
            levels.push(level);
        }
        levels
    };
    (0..lists).map(world).collect()
}

/// Draws an assessor's preference between items of levels `a` (shown first) and `b`, and the
/// response time in seconds.
pub(crate) fn answer(
    random: &mut impl partita_stats::random::Rng,
    person: &Person,
    a: f64,
    b: f64,
) -> (Preference, f64) {
    let any = [Preference::A, Preference::Equal, Preference::B];
    let mut seconds = person.seconds * (0.4 * standard_normal(random)).exp();
    let answer = match person.kind {
        AssessorKind::Robot => {
            seconds = 8.0;
            Preference::Equal
        }
        AssessorKind::Careless => {
            seconds *= 0.4;
            any[uniform_index(random, 3)]
        }
        AssessorKind::OneSided if uniform(random) < 0.8 => Preference::A,
        _ if uniform(random) < person.lapse_rate => any[uniform_index(random, 3)],
        _ => {
            let seen = b - a + person.noise * standard_normal(random);
            match seen {
                _ if seen > person.tie_threshold => Preference::A,
                _ if seen < -person.tie_threshold => Preference::B,
                _ => Preference::Equal,
            }
        }
    };
    (answer, seconds.round().max(1.0))
}

/// Runs the sort of Urbano et al. (2010) on lists with the hidden levels `worlds` and returns all
/// answers. Each pair gets `votes` votes. The seed `order` determines the initial orders.
pub(crate) fn campaign(
    seed: u64,
    order: u64,
    worlds: &[Vec<f64>],
    people: &[Person],
    votes: usize,
) -> Preferences {
    let mut preferences = Preferences::new();
    let mut random = stream(seed, &[3]);
    let rule = DecisionRule::default();
    for (list, levels) in worlds.iter().enumerate() {
        let query = format!("q{list}");
        let name = |item: Item| match item.index() {
            0 => query.clone(),
            number => format!("q{list} item {number}"),
        };
        let mut items: Vec<Item> = (0..levels.len()).filter_map(Item::from_index).collect();
        shuffle(&mut stream(order, &[4, list as u64]), &mut items);
        let mut sort = SelfOrganisingSort::new(&items);
        while !sort.is_done() {
            for (pivot, other) in sort.questions() {
                let mut counted = Votes::default();
                for who in panel(&mut random, people, votes) {
                    let swapped = uniform(&mut random) < 0.5;
                    let (a, b) = match swapped {
                        true => (other, pivot),
                        false => (pivot, other),
                    };
                    let (answer, seconds) =
                        answer(&mut random, who, levels[a.index()], levels[b.index()]);
                    let batch = sort.iteration();
                    let (first, second) = (name(a), name(b));
                    let given = Vote::new(&first, &second, &who.name, answer);
                    let given = Vote {
                        seconds: Some(seconds),
                        batch,
                        ..given
                    };
                    preferences.add(&query, given).expect("the answer is new");
                    counted.add(if swapped { answer.mirrored() } else { answer });
                }
                sort.record(pivot, other, rule.decide(counted));
            }
            sort.advance();
        }
    }
    preferences
}

/// Draws distinct assessors with probabilities proportional to their diligence.
pub(crate) fn panel<'p>(
    random: &mut impl partita_stats::random::Rng,
    people: &'p [Person],
    count: usize,
) -> Vec<&'p Person> {
    // The largest values of u^(1/w), with u uniform and w the diligence, are a weighted sample
    // without replacement (Efraimidis and Spirakis 2006).
    let mut keys: Vec<(f64, usize)> = (people.iter().enumerate())
        .map(|(number, person)| (uniform(random).ln() / person.diligence, number))
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0));
    (keys.iter().take(count))
        .map(|&(_, number)| &people[number])
        .collect()
}
