//! Worlds: simulated crowds of assessors, and lists of items with true qualities ("worths") that
//! they judge.

use partita_core::{GroupedList, Item, Preference};
use partita_stats::random::{Rng, shuffle, standard_normal, stream, uniform, uniform_index};

use partita_judging::simulate::{
    AssessorModel, MEAN_GROUP_SIZE, Oracle, ReferenceList, answer_to_pair, geometric_groups,
};

/// Parameters of a simulated world: a crowd of assessors and the lists that they judge.
///
/// An assessor perceives the difference of two worths with an error ([`AssessorModel`]). In
/// addition, assessors may differ in noise and activity, may be inattentive, and may have
/// individual tastes, and pairs may have individual effects.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Name of the world, which states how it differs from the base world.
    pub name: &'static str,
    /// Minimum and maximum number of items of a list.
    pub items: (usize, usize),
    /// Distribution of the true qualities (worths) of the items of a list.
    pub worths: WorthDistribution,
    /// Response model of an attentive assessor: noise, tie threshold, lapses and side bias.
    pub assessors: AssessorModel,
    /// Number of simulated assessors.
    pub people: usize,
    /// Standard deviation of the logarithm of an assessor's noise level; 0 if all have the same.
    pub abilities: f64,
    /// Standard deviation of the logarithm of an assessor's activity, by which active assessors are
    /// asked more often.
    pub activity: f64,
    /// Kinds of inattentive assessors, with their shares of all assessors.
    pub kinds: Vec<(InattentiveKind, f64)>,
    /// Standard deviation of the pair effects: deviations of a pair from the difference in worth of
    /// its items, the same for all assessors. If it is positive, preferences do not follow one
    /// scale of worths.
    pub pair_effects: f64,
    /// Standard deviation of an assessor's individual liking of an item, added to its worth.
    pub taste: f64,
    /// Share of pairs without a difference to perceive, whatever the worths, as if their content
    /// were the same. Noise and taste still apply.
    pub content_ties: f64,
}

/// Distribution of the true qualities (worths) of the items of a list. A difference of 1 is the
/// mean gap between two groups in [`WorthDistribution::Geometric`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorthDistribution {
    /// Groups of equal items, with geometric sizes of 2.3 on average and exponential gaps of 1 on
    /// average.
    Geometric,
    /// Groups of about the same size: their number, and the difference in worth between neighbours.
    Groups(usize, f64),
    /// Uniform distribution, with the same mean difference between neighbouring items as
    /// [`WorthDistribution::Geometric`].
    Uniform,
    /// Normal distribution with this standard deviation.
    Normal(f64),
    /// Student's t distribution with two degrees of freedom, multiplied by this scale.
    HeavyTailed(f64),
    /// A quarter of the items as in [`WorthDistribution::Geometric`], and all others below them in
    /// one group with small differences.
    QuarterRelevant,
}

/// Kind of assessor whose answers do not express what they perceive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InattentiveKind {
    /// Assessor who gives each of the three answers at random.
    Random,
    /// Assessor who always answers "equal".
    Equal,
    /// Assessor who always prefers the item shown first.
    First,
    /// Assessor who gives the opposite of an attentive answer.
    Adversary,
}

/// Id of the random stream of the worths of a list.
const WORTHS_STREAM: u64 = partita_stats::random::stream_id::WORLD_WORTHS;
/// Id of the random stream of the properties of the assessors.
const CROWD_STREAM: u64 = partita_stats::random::stream_id::WORLD_CROWD;
/// Id of the random stream of the order in which assessors are asked about a pair.
const ASSESSOR_ORDER_STREAM: u64 = partita_stats::random::stream_id::WORLD_ASSESSOR;
/// Id of the random stream of the errors of a vote.
const VOTE_ERROR_STREAM: u64 = partita_stats::random::stream_id::WORLD_VOTE;
/// Id of the random stream of the pair effects.
const PAIR_EFFECT_STREAM: u64 = partita_stats::random::stream_id::WORLD_PAIR;
/// Id of the random stream of an assessor's individual liking of an item.
const TASTE_STREAM: u64 = partita_stats::random::stream_id::WORLD_TASTE;

/// Range of the worths of the lower items in [`WorthDistribution::QuarterRelevant`], and largest
/// difference in worth within a group of its true list.
const GROUP_RANGE: f64 = 0.5;

impl Default for World {
    /// Returns the base world: assessors calibrated to the recorded answers of Urbano et al.
    /// (2010), all with the same noise.
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

/// Returns all worlds of the studies. The first is the base world, and each other differs from it
/// in the respect that its name states.
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

/// Assessors drawn for a world.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedCrowd {
    people: Vec<SimulatedAssessor>,
}

/// Properties of one simulated assessor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SimulatedAssessor {
    kind: Option<InattentiveKind>,
    /// Factor by which the noise of the world's response model is multiplied.
    noise: f64,
    activity: f64,
}

impl World {
    /// Returns the world of this name, if there is one.
    pub fn by_name(name: &str) -> Option<Self> {
        worlds().into_iter().find(|world| world.name == name)
    }

    /// Draws the assessors of this world. Inattentive kinds are assigned independently of activity.
    pub fn crowd(&self, seed: u64) -> SimulatedCrowd {
        let mut random = stream(seed, &[CROWD_STREAM]);
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

    /// Draws a list of `items` items in this world, whose questions this crowd answers.
    pub fn list(&self, crowd: SimulatedCrowd, items: usize, seed: u64) -> WorldList {
        WorldList {
            reference: self.draw_reference(items, seed),
            world: self.clone(),
            crowd,
            seed,
        }
    }

    /// Draws the true list and worths of a list of `items` items, hidden from strategies.
    fn draw_reference(&self, items: usize, seed: u64) -> ReferenceList {
        let mut random = stream(seed, &[WORTHS_STREAM]);
        let mut order: Vec<usize> = (0..items).collect();
        shuffle(&mut random, &mut order);
        let mut values: Vec<f64> = match self.worths {
            WorthDistribution::Geometric => geometric_groups(&mut random, items),
            WorthDistribution::Groups(groups, gap) => {
                let size = items.div_ceil(groups).max(1);
                (0..items).map(|at| -gap * (at / size) as f64).collect()
            }
            WorthDistribution::Uniform => {
                let range = items as f64 / MEAN_GROUP_SIZE;
                (0..items).map(|_| range * uniform(&mut random)).collect()
            }
            WorthDistribution::Normal(sd) => {
                let mut draw = |_| sd * standard_normal(&mut random);
                (0..items).map(&mut draw).collect()
            }
            WorthDistribution::HeavyTailed(times) => {
                // With two degrees of freedom, chi-square/2 is exponential.
                let mut draw = |_| {
                    let spread = -(1.0 - uniform(&mut random)).ln();
                    times * standard_normal(&mut random) / spread.sqrt().max(1e-3)
                };
                (0..items).map(&mut draw).collect()
            }
            WorthDistribution::QuarterRelevant => {
                let mut worths = geometric_groups(&mut random, items.div_ceil(4));
                let rest = worths.last().copied().unwrap_or(0.0) - 2.0;
                worths.resize_with(items, || rest - GROUP_RANGE * uniform(&mut random));
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
            WorthDistribution::QuarterRelevant => GROUP_RANGE,
            WorthDistribution::Uniform
            | WorthDistribution::Normal(_)
            | WorthDistribution::HeavyTailed(_) => 1.0,
        };
        ReferenceList {
            groups: group_by_worth(&order, &values, alike),
            worths,
        }
    }
}

/// Splits an order of items into groups. An item joins the current group if its value is at most
/// `alike` below that of the group's first item.
fn group_by_worth(order: &[usize], values: &[f64], alike: f64) -> GroupedList {
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

/// Simulated list: the true list, the world it was drawn from, and the crowd that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldList {
    world: World,
    crowd: SimulatedCrowd,
    reference: ReferenceList,
    seed: u64,
}

impl WorldList {
    /// Returns the true list and worths, hidden from strategies.
    pub fn reference(&self) -> &ReferenceList {
        &self.reference
    }

    /// Returns the number of assessors of the crowd.
    pub fn people(&self) -> usize {
        self.crowd.people.len()
    }

    /// Returns the index of the assessor who gives the next answer about a pair that has `before`
    /// answers. Nobody is asked twice about a pair before everybody was asked once; more active
    /// assessors are asked earlier.
    pub fn assessor_index(&self, a: Item, b: Item, before: u32) -> usize {
        let (low, high) = (a.min(b).index() as u64, a.max(b).index() as u64);
        let people = &self.crowd.people;
        let turn = before as usize / people.len();
        let mut random = stream(self.seed, &[ASSESSOR_ORDER_STREAM, low, high, turn as u64]);
        // The order of exponential random times with rates equal to the activities is a weighted
        // sample of the assessors without replacement.
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

    /// Returns the difference in worth that an attentive assessor would perceive without noise and
    /// individual taste: positive if the item with the lower number is better.
    fn perceived_difference(&self, low: Item, high: Item) -> f64 {
        let world = &self.world;
        let worth = |item: Item| self.reference.worths[item.index()];
        let mut random = stream(
            self.seed,
            &[PAIR_EFFECT_STREAM, low.index() as u64, high.index() as u64],
        );
        let (tied, own) = (uniform(&mut random), standard_normal(&mut random));
        if tied < world.content_ties {
            return 0.0;
        }
        worth(low) - worth(high) + world.pair_effects * own
    }

    /// Returns an assessor's individual liking of an item, which is added to its worth.
    fn taste(&self, who: usize, item: Item) -> f64 {
        if self.world.taste == 0.0 {
            return 0.0;
        }
        let path = [TASTE_STREAM, who as u64, item.index() as u64];
        self.world.taste * standard_normal(&mut stream(self.seed, &path))
    }

    /// Draws an assessor's answer about a pair; [`Preference::A`] is the item with the lower
    /// number.
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
            let seen =
                self.perceived_difference(low, high) + self.taste(who, low) - self.taste(who, high);
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
        let assessor = self.assessor_index(a, b, before);
        let answer = answer_to_pair(
            (self.seed, VOTE_ERROR_STREAM),
            (a, b),
            before,
            |low, high, random| self.draw_preference(assessor, low, high, random),
        );
        Some(answer)
    }

    fn assessor(&self, a: Item, b: Item, before: u32) -> Option<usize> {
        Some(self.assessor_index(a, b, before))
    }
}
