//! Worlds of people to try a campaign on.

use partita_core::{GroupedList, Item, Preference};
use partita_stats::random::{Rng, shuffle, standard_normal, stream, uniform, uniform_index};

use partita_judging::simulate::{
    AssessorModel, GROUP, Oracle, ReferenceList, answer_to_pair, geometric_groups,
};

/// Who answers in a campaign, and about what: all that a simulation needs to know.
///
/// A person perceives the difference of two worths with an error ([`SimulatedAssessors`]). Beyond
/// that, people may differ in how much they perceive and how often they answer, may be of another
/// kind altogether, and may have tastes; and pairs may have something of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// What it is called.
    pub name: &'static str,
    /// The least and the most items of a list.
    pub items: (usize, usize),
    /// How worths are spread.
    pub worths: WorthDistribution,
    /// How an attentive person answers.
    pub assessors: AssessorModel,
    /// How many people there are.
    pub people: usize,
    /// The standard deviation of the logarithm of a person's noise; people are alike at 0.
    pub abilities: f64,
    /// The standard deviation of the logarithm of how often a person answers.
    pub activity: f64,
    /// The people who are not attentive, by kind, and their shares of all people.
    pub kinds: Vec<(InattentiveKind, f64)>,
    /// The standard deviation of what a pair has of its own, the same for all people: worths do not
    /// lie on one scale.
    pub pair_effects: f64,
    /// The standard deviation of how much a person likes an item better than others do.
    pub taste: f64,
    /// The share of pairs whose difference nobody can perceive, whatever the worths.
    pub content_ties: f64,
}

/// How the worths of a list are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorthDistribution {
    /// Groups of geometric sizes, 2.3 in the mean, with exponential gaps of 1 in the mean.
    Geometric,
    /// So many groups of about the same size, so far apart.
    Groups(usize, f64),
    /// Uniform, as far apart in the mean as those of [`Worths::Geometric`].
    Uniform,
    /// Normal with this standard deviation.
    Normal(f64),
    /// Student's law with two degrees of freedom, times this.
    HeavyTailed(f64),
    /// A quarter of the items as in [`Worths::Geometric`], and all others below them in one group,
    /// hardly different.
    QuarterRelevant,
}

/// What people are like who do not look at what they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InattentiveKind {
    /// Any of the three answers.
    Random,
    /// Always that neither is better.
    Equal,
    /// Always the item that is shown first.
    First,
    /// What an attentive person would say, turned round.
    Adversary,
}

/// The random streams of this file.
const WORTHS: u64 = partita_stats::random::stream_id::WORLD_WORTHS;
const CROWD: u64 = partita_stats::random::stream_id::WORLD_CROWD;
const WHO: u64 = partita_stats::random::stream_id::WORLD_ASSESSOR;
const VOTE: u64 = partita_stats::random::stream_id::WORLD_VOTE;
const PAIR: u64 = partita_stats::random::stream_id::WORLD_PAIR;
const TASTE: u64 = partita_stats::random::stream_id::WORLD_TASTE;

/// How far apart items are that are hardly different.
const ALIKE: f64 = 0.5;

impl Default for World {
    /// Assessors as calibrated to the archive of Urbano et al. (2010), all alike.
    fn default() -> Self {
        Self {
            name: "base",
            items: (14, 24),
            worths: WorthDistribution::Geometric,
            assessors: AssessorModel::default(),
            people: 79,
            abilities: 0.0,
            activity: 1.0,
            kinds: Vec::new(),
            pair_effects: 0.0,
            taste: 0.0,
            content_ties: 0.0,
        }
    }
}

/// The worlds on which strategies are tried: the first is the base, and each other differs from it
/// in one respect, which is its name.
pub fn worlds() -> Vec<World> {
    let base = World::default;
    let people = |noise: f64, band: f64, careless: f64| AssessorModel {
        noise,
        tie_threshold: band,
        lapse_rate: careless,
        side_bias: 0.0,
    };
    let usual = AssessorModel::default();
    let answering = |name, assessors| World {
        name,
        assessors,
        ..base()
    };
    let among = |name, kind, share| World {
        name,
        kinds: vec![(kind, share)],
        ..base()
    };
    let spread = |name, worths| World {
        name,
        worths,
        ..base()
    };
    let of_items = |name, items| World {
        name,
        items,
        ..base()
    };
    vec![
        base(),
        answering("low noise", people(0.8, 0.9, 0.1)),
        answering("high noise", people(6.4, 5.6, 0.2)),
        answering("no equal", people(3.2, 0.0, 0.2)),
        answering("much equal", people(3.2, 6.0, 0.2)),
        World {
            name: "heavy-tailed abilities and activity",
            abilities: 0.8,
            activity: 1.5,
            ..base()
        },
        answering(
            "careless 40%",
            people(usual.noise, usual.tie_threshold, 0.4),
        ),
        among("30% random people", InattentiveKind::Random, 0.3),
        among("20% always equal", InattentiveKind::Equal, 0.2),
        among("30% always first", InattentiveKind::First, 0.3),
        among("10% adversaries", InattentiveKind::Adversary, 0.1),
        among("20% adversaries", InattentiveKind::Adversary, 0.2),
        among("30% adversaries", InattentiveKind::Adversary, 0.3),
        World {
            name: "15% adversaries, few very active people",
            kinds: vec![(InattentiveKind::Adversary, 0.15)],
            activity: 2.0,
            ..base()
        },
        World {
            name: "pair effects 1.5",
            pair_effects: 1.5,
            ..base()
        },
        World {
            name: "pair effects 3",
            pair_effects: 3.0,
            ..base()
        },
        World {
            name: "person x item taste",
            taste: 1.0,
            ..base()
        },
        World {
            name: "content ties 20%",
            content_ties: 0.2,
            ..base()
        },
        spread("3 groups", WorthDistribution::Groups(3, 1.5)),
        spread("uniform worths", WorthDistribution::Uniform),
        spread("heavy-tailed worths", WorthDistribution::HeavyTailed(2.5)),
        spread("quarter relevant", WorthDistribution::QuarterRelevant),
        of_items("4-9 items", (4, 9)),
        of_items("10-13 items", (10, 13)),
        of_items("40-50 items", (40, 50)),
        World {
            name: "forced choice",
            worths: WorthDistribution::Normal(1.0),
            assessors: people(1.3, 0.0, 0.0),
            ..base()
        },
    ]
}

/// The people of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedCrowd {
    people: Vec<SimulatedAssessor>,
}

/// What one person is like.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SimulatedAssessor {
    kind: Option<InattentiveKind>,
    /// By how much their noise is larger.
    noise: f64,
    activity: f64,
}

impl World {
    /// The world of this name, if there is one.
    pub fn by_name(name: &str) -> Option<Self> {
        worlds().into_iter().find(|world| world.name == name)
    }

    /// The people of this world: kinds are drawn among them, whatever their activity.
    pub fn crowd(&self, seed: u64) -> SimulatedCrowd {
        let mut random = stream(seed, &[CROWD]);
        let mut kinds: Vec<Option<InattentiveKind>> = Vec::with_capacity(self.people);
        for &(kind, share) in &self.kinds {
            let count = (share * self.people as f64).round() as usize;
            kinds.extend(std::iter::repeat_n(Some(kind), count));
        }
        kinds.resize(self.people, None);
        shuffle(&mut random, &mut kinds);
        let person = |kind| SimulatedAssessor {
            kind,
            noise: (self.abilities * standard_normal(&mut random)).exp(),
            activity: (self.activity * standard_normal(&mut random)).exp(),
        };
        SimulatedCrowd {
            people: kinds.into_iter().map(person).collect(),
        }
    }

    /// A list of so many items in this world, about which these people answer.
    pub fn list(&self, crowd: SimulatedCrowd, items: usize, seed: u64) -> WorldList {
        WorldList {
            reference: self.reference(items, seed),
            world: self.clone(),
            crowd,
            seed,
        }
    }

    /// A hidden truth.
    fn reference(&self, items: usize, seed: u64) -> ReferenceList {
        let mut random = stream(seed, &[WORTHS]);
        let mut order: Vec<usize> = (0..items).collect();
        shuffle(&mut random, &mut order);
        let mut values: Vec<f64> = match self.worths {
            WorthDistribution::Geometric => geometric_groups(&mut random, items),
            WorthDistribution::Groups(groups, gap) => {
                let size = items.div_ceil(groups).max(1);
                (0..items).map(|at| -gap * (at / size) as f64).collect()
            }
            WorthDistribution::Uniform => {
                let range = items as f64 / GROUP;
                (0..items).map(|_| range * uniform(&mut random)).collect()
            }
            WorthDistribution::Normal(sd) => {
                let mut draw = |_| sd * standard_normal(&mut random);
                (0..items).map(&mut draw).collect()
            }
            WorthDistribution::HeavyTailed(times) => {
                // Two degrees of freedom: a chi-square over two of them is exponential.
                let mut draw = |_| {
                    let spread = -(1.0 - uniform(&mut random)).ln();
                    times * standard_normal(&mut random) / spread.sqrt().max(1e-3)
                };
                (0..items).map(&mut draw).collect()
            }
            WorthDistribution::QuarterRelevant => {
                let mut worths = geometric_groups(&mut random, items.div_ceil(4));
                let rest = worths.last().copied().unwrap_or(0.0) - 2.0;
                worths.resize_with(items, || rest - ALIKE * uniform(&mut random));
                worths
            }
        };
        values.sort_by(|x, y| y.total_cmp(x));
        let mut worths = vec![0.0; items];
        order
            .iter()
            .zip(&values)
            .for_each(|(&item, &value)| worths[item] = value);
        let alike = match self.worths {
            WorthDistribution::Geometric | WorthDistribution::Groups(..) => 0.0,
            WorthDistribution::QuarterRelevant => ALIKE,
            WorthDistribution::Uniform
            | WorthDistribution::Normal(_)
            | WorthDistribution::HeavyTailed(_) => 1.0,
        };
        ReferenceList {
            groups: grouped(&order, &values, alike),
            worths,
        }
    }
}

/// The groups of an order: those belong together that are no farther from the first of their group.
fn grouped(order: &[usize], values: &[f64], alike: f64) -> GroupedList {
    let mut groups: Vec<Vec<Item>> = Vec::new();
    let mut first = f64::INFINITY;
    for (&item, &value) in order.iter().zip(values) {
        if first - value > alike {
            groups.push(Vec::new());
            first = value;
        }
        let group = groups.last_mut().expect("the first item opens a group");
        group.extend(Item::from_index(item));
    }
    GroupedList::new(groups).expect("each item of the order is drawn once")
}

/// A list of a world, and the people who answer about it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldList {
    world: World,
    crowd: SimulatedCrowd,
    reference: ReferenceList,
    seed: u64,
}

impl WorldList {
    /// The hidden truth.
    pub fn reference(&self) -> &ReferenceList {
        &self.reference
    }

    /// The number of people.
    pub fn people(&self) -> usize {
        self.crowd.people.len()
    }

    /// Who gives an answer about a pair that has had so many. Nobody is asked twice about a pair
    /// before everybody was asked; who answers more is asked earlier.
    pub fn assessor(&self, a: Item, b: Item, before: u32) -> usize {
        let (low, high) = (a.min(b).index() as u64, a.max(b).index() as u64);
        let people = &self.crowd.people;
        let turn = before as usize / people.len();
        let mut random = stream(self.seed, &[WHO, low, high, turn as u64]);
        // A race of exponential times, each as fast as a person is active, is sampling without
        // replacement in proportion to activity.
        let mut times: Vec<(f64, usize)> = (people.iter().enumerate())
            .map(|(who, person)| {
                let waits = -(1.0 - uniform(&mut random)).ln();
                (waits / person.activity, who)
            })
            .collect();
        let place = before as usize % people.len();
        let by_time = |x: &(f64, usize), y: &(f64, usize)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        times.select_nth_unstable_by(place, by_time).1.1
    }

    /// What an attentive person would perceive of a pair without noise, the lower number first.
    fn difference(&self, low: Item, high: Item) -> f64 {
        let world = &self.world;
        let worth = |item: Item| self.reference.worths[item.index()];
        let mut random = stream(self.seed, &[PAIR, low.index() as u64, high.index() as u64]);
        let (tied, own) = (uniform(&mut random), standard_normal(&mut random));
        if tied < world.content_ties {
            return 0.0;
        }
        worth(low) - worth(high) + world.pair_effects * own
    }

    /// By how much a person likes an item better than others do.
    fn taste(&self, who: usize, item: Item) -> f64 {
        if self.world.taste == 0.0 {
            return 0.0;
        }
        let path = [TASTE, who as u64, item.index() as u64];
        self.world.taste * standard_normal(&mut stream(self.seed, &path))
    }

    /// What a person answers, the lower number first.
    fn draw_preference(
        &self,
        who: usize,
        low: Item,
        high: Item,
        random: &mut impl Rng,
    ) -> Preference {
        let person = self.crowd.people[who];
        let first = uniform(random) < 0.5;
        let attentive = |random: &mut _| {
            let seen = self.difference(low, high) + self.taste(who, low) - self.taste(who, high);
            self.world
                .assessors
                .draw_preference(seen, person.noise, first, random)
        };
        match person.kind {
            None => attentive(random),
            Some(InattentiveKind::Adversary) => attentive(random).mirrored(),
            Some(InattentiveKind::Random) => Preference::ALL[uniform_index(random, 3)],
            Some(InattentiveKind::Equal) => Preference::Equal,
            Some(InattentiveKind::First) if first => Preference::A,
            Some(InattentiveKind::First) => Preference::B,
        }
    }
}

impl Oracle for WorldList {
    fn items(&self) -> usize {
        self.reference.worths.len()
    }

    fn answer(&self, a: Item, b: Item, before: u32) -> Option<Preference> {
        let assessor = self.assessor(a, b, before);
        let answer = answer_to_pair((self.seed, VOTE), (a, b), before, |low, high, random| {
            self.draw_preference(assessor, low, high, random)
        });
        Some(answer)
    }

    fn person(&self, a: Item, b: Item, before: u32) -> Option<usize> {
        Some(self.assessor(a, b, before))
    }
}
