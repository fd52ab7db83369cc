//! Simulated assessors, honest and inattentive, and the campaigns they answer.

use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::{DecisionRule, SelfOrganisingSort, Votes};
use partita_stats::random::{
    RandomStream, sample_without_replacement, shuffle, standard_normal, stream, uniform,
    uniform_index,
};

partita_named::named_enum! {
    /// Kind of inattentive assessor.
    pub(crate) enum Kind: "kind of people" {
        /// Answers at random
        Random = "random",
        /// Gives about half of the answers at random, the others honestly
        Half = "half careless",
        /// Answers at random, with the shares of the answers in the published campaign
        Shares = "random by the crowd's shares",
        /// Answers at random and fast, with varying response times
        Jittered = "fast robot at random",
        /// Gives the opposite of the honest answer
        Adversary = "adversary",
        /// Prefers the item shown first
        First = "always first",
        /// Prefers the item shown first in four of five answers, and answers the others honestly
        MostlyFirst = "mostly first",
        /// Always calls the items equal
        Equal = "always equal",
        /// Answers at random in exactly eight seconds
        Seconds = "8-second robot",
        /// Copies the most frequent answer of the others
        Copycat = "copies the majority",
        /// Gives the same honest answer as two confederates
        CopiedHonest = "three copies of one",
        /// Gives the same random answer as one confederate
        CopiedRandom = "two alike at random",
    }
}

partita_named::named_enum! {
    /// Difficulty of the questions for the crowd.
    pub(crate) enum Crowd: "crowd" {
        /// As noisy as `judge simulate` takes the crowd of Urbano et al. (2010) to be
        Published = "published",
        /// About a third of the noise of the crowd of Urbano et al. (2010)
        Easier = "easier",
    }
}

partita_named::named_enum! {
    /// Heterogeneity of honest assessors.
    pub(crate) enum Abilities: "abilities" {
        /// All honest assessors have the same noise, tie threshold and share of careless answers
        Equal = "equal",
        /// Honest assessors differ moderately in noise and carelessness
        Unequal = "unequal",
        /// Honest assessors differ strongly; some are hardly better than chance
        VeryUnequal = "very unequal",
    }
}

pub(crate) struct Person {
    pub(crate) name: String,
    /// Kind of inattentive assessor; `None` if honest.
    pub(crate) kind: Option<Kind>,
    /// Group of confederates whose answers are the same.
    group: u64,
    noise: f64,
    tie_threshold: f64,
    lapse_rate: f64,
    seconds: f64,
    diligence: f64,
}

/// Simulated campaign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) crowd: Crowd,
    pub(crate) abilities: Abilities,
    /// Kind of inattentive assessors and their share of all assessors.
    pub(crate) bad: Option<(Kind, f64)>,
}

/// Size of the published campaign: assessors, lists, items per list, and votes per pair.
const PEOPLE: usize = 79;
const LISTS: usize = 11;
const ITEMS: usize = 11;
const VOTES: usize = 10;

/// Ids of the random streams of this file.
const ABILITY_STREAM: u64 = 1;
const LEVELS_STREAM: u64 = 2;
const ANSWERS_STREAM: u64 = 3;
const ORDER_STREAM: u64 = 4;
const CONFEDERATE_STREAM: u64 = 5;

impl Crowd {
    /// Returns noise, tie threshold and share of careless answers.
    fn traits(self) -> [f64; 3] {
        match self {
            Self::Published => [3.2, 2.8, 0.2],
            Self::Easier => [1.0, 1.0, 0.125],
        }
    }
}

impl World {
    /// Draws the 79 assessors of this world. The inattentive ones are chosen at random.
    pub(crate) fn people(&self, seed: u64) -> Vec<Person> {
        let mut random = stream(seed, &[ABILITY_STREAM]);
        let [noise, tie_threshold, lapse_rate] = self.crowd.traits();
        let bad = self
            .bad
            .map_or(0, |(_, share)| (share * PEOPLE as f64).round() as usize);
        let bad = sample_without_replacement(&mut random, PEOPLE, bad);
        let person = |number: usize| {
            let mut spread = |by: f64| (by * standard_normal(&mut random)).exp();
            let (noise, tie_threshold) = match self.abilities {
                Abilities::Equal => (noise, tie_threshold),
                Abilities::Unequal => (noise * spread(0.3), tie_threshold * spread(0.3)),
                Abilities::VeryUnequal => (noise * spread(0.8), tie_threshold * spread(0.5)),
            };
            let (seconds, diligence) = (20.0 * spread(0.4), spread(1.5));
            let luck = uniform(&mut random);
            let lapse_rate = match self.abilities {
                Abilities::Equal => lapse_rate,
                Abilities::Unequal => 2.0 * lapse_rate * luck,
                Abilities::VeryUnequal => (3.0 * lapse_rate * luck * luck).min(1.0),
            };
            let place = bad.iter().position(|&bad| bad == number);
            let kind = place.and(self.bad).map(|(kind, _)| kind);
            let together = if kind == Some(Kind::CopiedHonest) {
                3
            } else {
                2
            };
            Person {
                name: format!("w{number}"),
                kind,
                group: (place.unwrap_or(0) / together) as u64,
                noise,
                tie_threshold,
                lapse_rate,
                seconds,
                diligence,
            }
        };
        (0..PEOPLE).map(person).collect()
    }

    /// Returns the answers of these assessors to the questions of the published sort.
    pub(crate) fn campaign(&self, seed: u64, people: &[Person]) -> Preferences {
        let mut preferences = Preferences::new();
        let mut random = stream(seed, &[ANSWERS_STREAM]);
        for list in 0..LISTS {
            let levels = levels(seed, list);
            let query = format!("q{list}");
            let mut items: Vec<Item> = (0..ITEMS).filter_map(Item::from_index).collect();
            shuffle(&mut stream(seed, &[ORDER_STREAM, list as u64]), &mut items);
            let mut sort = SelfOrganisingSort::new(&items);
            while !sort.is_done() {
                for (pivot, other) in sort.questions() {
                    let mut counted = Votes::default();
                    for who in panel(&mut random, people) {
                        let swapped = uniform(&mut random) < 0.5;
                        let (a, b) = if swapped {
                            (other, pivot)
                        } else {
                            (pivot, other)
                        };
                        let turned = |votes: Votes| if swapped { votes.mirrored() } else { votes };
                        let question = Question {
                            gap: levels[a.index()] - levels[b.index()],
                            others: turned(counted),
                            confederate: [seed, CONFEDERATE_STREAM, list as u64],
                            a,
                            b,
                        };
                        let (answer, seconds) = who.answer(&mut random, &question);
                        let [first, second] = [a, b].map(|item| format!("i{}", item.index()));
                        let given = Vote {
                            seconds: Some(seconds),
                            ..Vote::new(&first, &second, &who.name, answer)
                        };
                        preferences
                            .add(&query, given)
                            .expect("nobody is asked twice");
                        counted.add(if swapped { answer.mirrored() } else { answer });
                    }
                    sort.record(pivot, other, DecisionRule::default().decide(counted));
                }
                sort.advance();
            }
        }
        preferences
    }
}

/// Question about a pair, with the votes and random stream that copying assessors use.
pub(crate) struct Question {
    /// Amount by which the item shown first is closer to the query.
    pub(crate) gap: f64,
    /// Earlier votes of other assessors on the pair.
    pub(crate) others: Votes,
    /// Random stream of the confederates' answers.
    pub(crate) confederate: [u64; 3],
    pub(crate) a: Item,
    pub(crate) b: Item,
}

impl Person {
    /// Returns an answer and its response time in seconds.
    fn answer(&self, random: &mut RandomStream, question: &Question) -> (Preference, f64) {
        let human = self.seconds * (0.4 * standard_normal(random)).exp();
        let heard = self.attentive_answer(random, question.gap);
        let (answer, seconds) = match self.kind {
            None => (heard, human),
            Some(kind) => kind.answer(random, question, self.group, heard, human),
        };
        (answer, seconds.round().max(1.0))
    }

    /// Returns the answer of an attentive assessor.
    fn attentive_answer(&self, random: &mut RandomStream, gap: f64) -> Preference {
        let seen = gap + self.noise * standard_normal(random);
        match seen {
            _ if uniform(random) < self.lapse_rate => random_answer(random),
            _ if seen.abs() < self.tie_threshold => Preference::Equal,
            _ if seen > 0.0 => Preference::A,
            _ => Preference::B,
        }
    }
}

impl Kind {
    /// Returns the answer and response time in seconds of this kind, given the honest answer
    /// `heard` and a human response time.
    pub(crate) fn answer(
        self,
        random: &mut RandomStream,
        question: &Question,
        group: u64,
        heard: Preference,
        human: f64,
    ) -> (Preference, f64) {
        match self {
            Self::Random => (random_answer(random), human),
            Self::Half if uniform(random) < 0.5 => (random_answer(random), human),
            Self::Half => (heard, human),
            Self::Shares => (random_answer_by_shares(random), human),
            Self::Jittered => (
                random_answer(random),
                8.0 * (0.25 * standard_normal(random)).exp(),
            ),
            Self::Adversary => (heard.mirrored(), human),
            Self::First => (Preference::A, human),
            Self::MostlyFirst if uniform(random) < 0.8 => (Preference::A, human),
            Self::MostlyFirst => (heard, human),
            Self::Equal => (Preference::Equal, human),
            Self::Seconds => (random_answer(random), 8.0),
            Self::Copycat => (majority(question.others).unwrap_or(heard), human),
            Self::CopiedHonest | Self::CopiedRandom => {
                let (low, high) = (question.a.min(question.b), question.a.max(question.b));
                let [seed, confederate, list] = question.confederate;
                let items = [low, high].map(|item| item.index() as u64);
                let path = [confederate, group, list, items[0], items[1]];
                let mut theirs = stream(seed, &path);
                let swapped = question.a > question.b;
                let gap = if swapped { -question.gap } else { question.gap };
                let answer = if self == Self::CopiedRandom {
                    random_answer(&mut theirs)
                } else {
                    honest_assessor().attentive_answer(&mut theirs, gap)
                };
                let answer = if swapped { answer.mirrored() } else { answer };
                (answer, human)
            }
        }
    }
}

/// Returns an attentive assessor like those of the published crowd.
fn honest_assessor() -> Person {
    let [noise, tie_threshold, lapse_rate] = Crowd::Published.traits();
    Person {
        name: String::new(),
        kind: None,
        group: 0,
        noise,
        tie_threshold,
        lapse_rate,
        seconds: 20.0,
        diligence: 1.0,
    }
}

fn random_answer(random: &mut RandomStream) -> Preference {
    Preference::ALL[uniform_index(random, 3)]
}

/// Draws an answer by the published shares: half of the answers are equal.
fn random_answer_by_shares(random: &mut RandomStream) -> Preference {
    [
        Preference::A,
        Preference::Equal,
        Preference::Equal,
        Preference::B,
    ][uniform_index(random, 4)]
}

/// Returns the most frequent vote; ties are resolved in favour of `equal`.
fn majority(votes: Votes) -> Option<Preference> {
    let [a, equal, b] = votes.counts();
    match a.max(equal).max(b) {
        0 => None,
        most if most == equal => Some(Preference::Equal),
        most if most == a => Some(Preference::A),
        _ => Some(Preference::B),
    }
}

/// Draws the closeness of each item of a list to the query: groups of 2.3 items, 1 apart on
/// average.
fn levels(seed: u64, list: usize) -> Vec<f64> {
    let mut random = stream(seed, &[LEVELS_STREAM, list as u64]);
    let mut level = 0.0;
    let level = |_: usize| {
        if uniform(&mut random) < 1.0 / 2.3 {
            level += uniform(&mut random).ln();
        }
        level
    };
    (0..ITEMS).map(level).collect()
}

/// Draws distinct assessors weighted by their diligence: the largest u^(1/w) are a weighted sample
/// without replacement (Efraimidis and Spirakis 2006). Assessors who copy the majority answer last.
fn panel<'p>(random: &mut RandomStream, people: &'p [Person]) -> Vec<&'p Person> {
    let mut keys: Vec<(f64, &Person)> = (people.iter())
        .map(|person| (uniform(random).ln() / person.diligence, person))
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0));
    keys.truncate(VOTES);
    keys.sort_by_key(|(_, person)| person.kind == Some(Kind::Copycat));
    keys.into_iter().map(|(_, person)| person).collect()
}
