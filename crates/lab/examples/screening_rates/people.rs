//! Simulated people, honest ones and others, and the campaigns that they answer.

use partita_core::{Item, Preference, Preferences, Vote};
use partita_judging::{DecisionRule, SelfOrganisingSort, Votes};
use partita_stats::random::{
    ChaCha8Rng, sample_without_replacement, shuffle, standard_normal, stream, uniform,
    uniform_index,
};

partita_named::named_enum! {
    /// How somebody answers who does not listen.
    pub(crate) enum Kind: "kind of people" {
        /// Any answer
        Random = "random",
        /// Every second answer is any answer, the others are honest
        Half = "half careless",
        /// Any answer, by the shares that the crowd gives
        Shares = "random by the crowd's shares",
        /// Any answer, fast, in times that vary
        Jittered = "fast robot at random",
        /// The opposite of what they hear
        Adversary = "adversary",
        /// The item shown first
        First = "always first",
        /// The item shown first, four times of five
        MostlyFirst = "mostly first",
        /// Neither
        Equal = "always equal",
        /// Any answer in exactly eight seconds
        Seconds = "8-second robot",
        /// What most of the others said
        Copycat = "copies the majority",
        /// What an honest confederate said, in groups of three
        CopiedHonest = "three copies of one",
        /// The same answer at random as a confederate
        CopiedRandom = "two alike at random",
    }
}

partita_named::named_enum! {
    /// How hard the questions are for the crowd.
    pub(crate) enum Crowd: "crowd" {
        /// As noisy as `judge simulate` takes the crowd of Urbano et al. (2010) to be
        Published = "published",
        /// A third of that noise
        Easier = "easier",
    }
}

partita_named::named_enum! {
    /// How unequal honest people are.
    pub(crate) enum Abilities: "abilities" {
        /// All alike
        Equal = "equal",
        /// Some better, some worse
        Unequal = "unequal",
        /// Some very good, some hardly better than chance
        VeryUnequal = "very unequal",
    }
}

/// Somebody.
pub(crate) struct Person {
    pub(crate) name: String,
    /// `None` for the honest.
    pub(crate) kind: Option<Kind>,
    /// Whose answers they give, where they give those of a confederate.
    group: u64,
    noise: f64,
    band: f64,
    careless: f64,
    seconds: f64,
    diligence: f64,
}

/// A campaign that is simulated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) crowd: Crowd,
    pub(crate) abilities: Abilities,
    /// Who does not listen, and their share of the people.
    pub(crate) bad: Option<(Kind, f64)>,
}

/// The people, the lists and the items of each of the published campaign, and its votes on a pair.
const PEOPLE: usize = 79;
const LISTS: usize = 11;
const ITEMS: usize = 11;
const VOTES: usize = 10;

/// The random streams of this file.
const ABILITY: u64 = 1;
const LEVELS: u64 = 2;
const ANSWERS: u64 = 3;
const ORDER: u64 = 4;
const CONFEDERATE: u64 = 5;

impl Crowd {
    /// Noise, band and the share of careless answers.
    fn traits(self) -> [f64; 3] {
        match self {
            Self::Published => [3.2, 2.8, 0.2],
            Self::Easier => [1.0, 1.0, 0.125],
        }
    }
}

impl World {
    /// The people of this world. Every 79th part of them is a person drawn at random.
    pub(crate) fn people(&self, seed: u64) -> Vec<Person> {
        let mut random = stream(seed, &[ABILITY]);
        let [noise, band, careless] = self.crowd.traits();
        let bad = self
            .bad
            .map_or(0, |(_, share)| (share * PEOPLE as f64).round() as usize);
        let bad = sample_without_replacement(&mut random, PEOPLE, bad);
        let person = |number: usize| {
            let mut spread = |by: f64| (by * standard_normal(&mut random)).exp();
            let (noise, band) = match self.abilities {
                Abilities::Equal => (noise, band),
                Abilities::Unequal => (noise * spread(0.3), band * spread(0.3)),
                Abilities::VeryUnequal => (noise * spread(0.8), band * spread(0.5)),
            };
            let (seconds, diligence) = (20.0 * spread(0.4), spread(1.5));
            let luck = uniform(&mut random);
            let careless = match self.abilities {
                Abilities::Equal => careless,
                Abilities::Unequal => 2.0 * careless * luck,
                Abilities::VeryUnequal => (3.0 * careless * luck * luck).min(1.0),
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
                band,
                careless,
                seconds,
                diligence,
            }
        };
        (0..PEOPLE).map(person).collect()
    }

    /// The answers of these people to what the published sort asks.
    pub(crate) fn campaign(&self, seed: u64, people: &[Person]) -> Preferences {
        let mut preferences = Preferences::new();
        let mut random = stream(seed, &[ANSWERS]);
        for list in 0..LISTS {
            let levels = levels(seed, list);
            let query = format!("q{list}");
            let mut items: Vec<Item> = (0..ITEMS).filter_map(Item::from_index).collect();
            shuffle(&mut stream(seed, &[ORDER, list as u64]), &mut items);
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
                            confederate: [seed, CONFEDERATE, list as u64],
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

/// What somebody is asked, and what they could know of it beside listening.
pub(crate) struct Question {
    /// By how much the item shown first is closer to the query.
    pub(crate) gap: f64,
    /// The votes of others.
    pub(crate) others: Votes,
    /// What the answers of confederates are drawn by.
    pub(crate) confederate: [u64; 3],
    pub(crate) a: Item,
    pub(crate) b: Item,
}

impl Person {
    /// What somebody says, and how many seconds they take.
    fn answer(&self, random: &mut ChaCha8Rng, question: &Question) -> (Preference, f64) {
        let human = self.seconds * (0.4 * standard_normal(random)).exp();
        let heard = self.heard(random, question.gap);
        let (answer, seconds) = match self.kind {
            None => (heard, human),
            Some(kind) => kind.answer(random, question, self.group, heard, human),
        };
        (answer, seconds.round().max(1.0))
    }

    /// What somebody says who listens.
    fn heard(&self, random: &mut ChaCha8Rng, gap: f64) -> Preference {
        let seen = gap + self.noise * standard_normal(random);
        match seen {
            _ if uniform(random) < self.careless => any(random),
            _ if seen.abs() < self.band => Preference::Equal,
            _ if seen > 0.0 => Preference::A,
            _ => Preference::B,
        }
    }
}

impl Kind {
    /// What somebody of this kind says, and how many seconds they take, where they would honestly
    /// say `heard` and take the time of a human.
    pub(crate) fn answer(
        self,
        random: &mut ChaCha8Rng,
        question: &Question,
        group: u64,
        heard: Preference,
        human: f64,
    ) -> (Preference, f64) {
        match self {
            Self::Random => (any(random), human),
            Self::Half if uniform(random) < 0.5 => (any(random), human),
            Self::Half => (heard, human),
            Self::Shares => (by_shares(random), human),
            Self::Jittered => (any(random), 8.0 * (0.25 * standard_normal(random)).exp()),
            Self::Adversary => (heard.mirrored(), human),
            Self::First => (Preference::A, human),
            Self::MostlyFirst if uniform(random) < 0.8 => (Preference::A, human),
            Self::MostlyFirst => (heard, human),
            Self::Equal => (Preference::Equal, human),
            Self::Seconds => (any(random), 8.0),
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
                    any(&mut theirs)
                } else {
                    honest().heard(&mut theirs, gap)
                };
                let answer = if swapped { answer.mirrored() } else { answer };
                (answer, human)
            }
        }
    }
}

/// Somebody who listens as the published crowd does.
fn honest() -> Person {
    let [noise, band, careless] = Crowd::Published.traits();
    Person {
        name: String::new(),
        kind: None,
        group: 0,
        noise,
        band,
        careless,
        seconds: 20.0,
        diligence: 1.0,
    }
}

fn any(random: &mut ChaCha8Rng) -> Preference {
    Preference::ALL[uniform_index(random, 3)]
}

/// Half of the answers of the published crowd are equal.
fn by_shares(random: &mut ChaCha8Rng) -> Preference {
    [
        Preference::A,
        Preference::Equal,
        Preference::Equal,
        Preference::B,
    ][uniform_index(random, 4)]
}

/// What most say; the first of those that as many say, where `equal` comes before the others.
fn majority(votes: Votes) -> Option<Preference> {
    let [a, equal, b] = votes.counts();
    match a.max(equal).max(b) {
        0 => None,
        most if most == equal => Some(Preference::Equal),
        most if most == a => Some(Preference::A),
        _ => Some(Preference::B),
    }
}

/// How close each item of a list is to the query: groups of 2.3 items in the mean, 1 apart in the mean.
fn levels(seed: u64, list: usize) -> Vec<f64> {
    let mut random = stream(seed, &[LEVELS, list as u64]);
    let mut level = 0.0;
    let level = |_: usize| {
        if uniform(&mut random) < 1.0 / 2.3 {
            level += uniform(&mut random).ln();
        }
        level
    };
    (0..ITEMS).map(level).collect()
}

/// Different people, drawn by their diligence: the largest of u^(1/w) are a sample without
/// replacement (Efraimidis and Spirakis 2006). Who copies the majority answers last.
fn panel<'p>(random: &mut ChaCha8Rng, people: &'p [Person]) -> Vec<&'p Person> {
    let mut keys: Vec<(f64, &Person)> = (people.iter())
        .map(|person| (uniform(random).ln() / person.diligence, person))
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0));
    keys.truncate(VOTES);
    keys.sort_by_key(|(_, person)| person.kind == Some(Kind::Copycat));
    keys.into_iter().map(|(_, person)| person).collect()
}
