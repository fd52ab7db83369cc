//! Portable random streams, derived from a seed and a path.
//!
//! A stream depends only on a seed and on a path of integers: not on the machine, the number of
//! threads or the order in which streams are opened. Let the path name what is drawn, from the
//! general to the particular, for instance `[procedure, size, trial]`. Then every trial can be
//! computed anywhere and yields the same numbers.
//!
//! # The mixing function, which must never change
//!
//! Write `mix` for the finaliser of SplitMix64 (Steele, Lea and Flood 2014, *Fast splittable
//! pseudorandom number generators*, variant 13 of Stafford) and γ for `0x9E3779B97F4A7C15`. All
//! sums are modulo 2⁶⁴. Each of the four words i = 1..4 of the 256-bit ChaCha key starts as
//! mix(seed + iγ), absorbs each path element p by
//!
//! ```text
//! word := mix( rotate_left(word, 27) + mix(p + iγ) )
//! ```
//!
//! and finally absorbs the length of the path in the same way. The rotation keeps seed and path
//! from being exchangeable. The key bytes are the four words, each little-endian; the generator is
//! ChaCha with 8 rounds (Bernstein 2008), counter and nonce zero. A test pins the first values.
//!
//! ```
//! use partita_stats::random::{shuffle, stream, uniform_index};
//!
//! let mut trial = stream(2010, &[35, 7]);
//! let mut again = stream(2010, &[35, 7]);
//! assert_eq!(uniform_index(&mut trial, 6), uniform_index(&mut again, 6));
//!
//! let mut deck = [1, 2, 3, 4, 5];
//! shuffle(&mut trial, &mut deck);
//! deck.sort();
//! assert_eq!(deck, [1, 2, 3, 4, 5]);
//! ```

pub use rand_chacha::rand_core::Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::distribution::normal;

/// Random number generator of one stream: ChaCha with 8 rounds.
pub type RandomStream = rand_chacha::ChaCha8Rng;

/// Weyl increment γ of SplitMix64: 2⁶⁴ divided by the golden ratio.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Offsets iγ, i = 1..4, that make the four 64-bit words of the ChaCha key differ.
const KEY_OFFSETS: [u64; 4] = [
    GAMMA,
    GAMMA.wrapping_mul(2),
    GAMMA.wrapping_mul(3),
    GAMMA.wrapping_mul(4),
];

/// Applies the finaliser of SplitMix64, a bijection of 64-bit words.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// Returns the random stream of `seed` and `path`.
///
/// Two streams with the same seed whose paths differ in exactly one element have different keys;
/// any other two paths share a key with probability about 2⁻²⁵⁶.
pub fn stream(seed: u64, path: &[u64]) -> RandomStream {
    StreamPrefix::new(seed, path).stream(&[])
}

/// Common beginning of the paths of several random streams. [`StreamPrefix::stream`] derives the
/// stream of one path.
///
/// ```
/// use partita_stats::random::{StreamPrefix, stream, uniform_index};
///
/// let trials = StreamPrefix::new(2010, &[35]);
/// let (mut one, mut other) = (trials.stream(&[7]), stream(2010, &[35, 7]));
/// assert_eq!(uniform_index(&mut one, 1_000_000), uniform_index(&mut other, 1_000_000));
/// ```
#[derive(Clone, Debug)]
pub struct StreamPrefix {
    words: [u64; 4],
    length: u64,
}

impl StreamPrefix {
    /// Creates the prefix of the streams of `seed` whose paths start with `path`.
    pub fn new(seed: u64, path: &[u64]) -> Self {
        let mut branch = Self {
            words: KEY_OFFSETS.map(|offset| mix(seed.wrapping_add(offset))),
            length: 0,
        };
        branch.absorb(path);
        branch.length = path.len() as u64;
        branch
    }

    /// Returns the stream whose path is this prefix followed by `rest`.
    pub fn stream(&self, rest: &[u64]) -> RandomStream {
        let mut whole = self.clone();
        whole.absorb(rest);
        whole.absorb(&[self.length + rest.len() as u64]);
        let mut key = [0u8; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip(whole.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        RandomStream::from_seed(key)
    }

    /// Mixes each path element into the four key words.
    fn absorb(&mut self, path: &[u64]) {
        for (word, offset) in self.words.iter_mut().zip(KEY_OFFSETS) {
            for &element in path {
                let element = mix(element.wrapping_add(offset));
                *word = mix(word.rotate_left(27).wrapping_add(element));
            }
        }
    }
}

/// Registered numbers of random streams: the first element of each path.
///
/// Streams of one seed are independent if their paths differ. Add new numbers here, so that no
/// number is used twice, and never change one: results of the same seed would change.
pub mod stream_id {
    macro_rules! registered {
        ($($(#[$about:meta])* $name:ident = $number:literal;)+) => {
            $($(#[$about])* pub const $name: u64 = $number;)+

            /// All registered numbers with their names, for a test that no number is used twice.
            pub const ALL: &[(&str, u64)] = &[$((stringify!($name), $name),)+];
        };
    }

    registered! {
        // Evaluation, tests and planning (`partita-core`).
        /// Resampled queries for bootstrap intervals of mean scores.
        MEAN_INTERVALS = 1;
        /// Sign patterns in the permutation test of paired differences of two samples of numbers.
        SAMPLE_PERMUTATION = 2;
        /// Sign patterns in the permutation test of pairs of systems.
        PERMUTATION_TEST = 20;
        /// Resampled queries in the bootstrap test of pairs of systems.
        BOOTSTRAP_TEST = 21;
        /// Permutations of the systems' scores within each query, in the randomised Tukey test.
        RANDOMISED_TUKEY = 22;
        /// Random query sets that a reliability study compares.
        RELIABILITY_SAMPLES = 2011;
        /// Sign patterns of the permutation tests inside a reliability study.
        RELIABILITY_SIGNS = 0x7369_676e_7331;
        /// Draws for the uncertainty of the variance components in a plan with several assessors.
        PLAN_VARIANCES = 0x706C_616E;

        // Ground truth (`partita-core`).
        /// Random orders of the items in each group of a list that is compared with a ground truth.
        SAMPLED_ORDERS = 0x6f72_6465_7273;
        /// Assessors drawn with replacement, in a bootstrap of a ground truth built from rankings.
        PANEL = 0x0070_616e_656c;
        /// Inner draw of the double bootstrap of a ground truth built from rankings: assessors
        /// drawn again from those of an outer replicate.
        PANEL_AGAIN = 0x7061_6e65_6c32;

        // Melody search (`partita-melody`).
        /// Folds of the cross-validation that tunes the parameters of a melody search system.
        TUNING_FOLDS = 30;
        /// Resampled queries for the bootstrap interval of the score of a tuned system.
        TUNING_INTERVALS = 31;

        // Lists from preferences (`partita-judging`).
        /// Order from which a sort starts when a list is built from recorded preferences.
        BUILD_INITIAL_ORDER = 0x004_001;
        /// Choice of one list, if recorded preferences fit several.
        BUILD_ALTERNATIVE = 0x004_002;
        /// Order of the items from which strategies that sort by comparisons start.
        SORTING_INITIAL_ORDER = 0x004_003;
        /// Order of the items in the ring that the strategy `pooled` asks first, each item compared
        /// with the next.
        POOLED_RING = 0x004_010;
        /// Pairs that the strategy `random` asks in one round of questions.
        POOLED_ROUND = 0x004_011;
        /// Assessors drawn with replacement, in a bootstrap of a list built from preferences.
        ASSESSORS = 0x7065_6f70_6c65;
        /// Inner draw of the double bootstrap of a list built from preferences: assessors drawn
        /// again from those of an outer replicate.
        ASSESSORS_AGAIN = 0x7065_6f70_6c32;
        /// Orders of pivots (items that a sort compares with all others) tried until a sort
        /// reproduces a list.
        TIES = 0x7469_6573;

        // Simulated judging.
        /// Order in which a simulation replays the recorded answers about a pair.
        RECORDED_ORDER = 0x004_020;
        /// True order of the items of a simulated list.
        SIMULATED_TRUTH = 0x004_030;
        /// Random error of each vote of a simulated assessor.
        SIMULATED_VOTE = 0x004_031;
        /// Lists drawn with replacement, for the intervals of a simulation.
        SIMULATION_RESAMPLES = 0x004_040;
        /// Numbers of items of simulated lists.
        SIMULATED_SIZES = 0x004_050;
        /// Random division of a recorded collection of items into lists.
        RECORDED_PARTITION = 0x004_051;
        /// Order of the answers about a pair, the first of which predict the others.
        PREDICTION_ORDER = 0x004_060;
        /// Lists drawn with replacement, for the intervals of a study of predicted answers.
        PREDICTION_RESAMPLES = 0x004_061;
        /// Order of the votes about a pair in a study of early stopping.
        STOPPING_ORDER = 0x004_062;
        /// Latent qualities (worths) of the items in a simulated world of the `partita-lab` crate.
        WORLD_WORTHS = 0x004_070;
        /// Properties of each assessor in a simulated world.
        WORLD_CROWD = 0x004_071;
        /// Order in which assessors vote on a pair in a simulated world.
        WORLD_ASSESSOR = 0x004_072;
        /// Random errors of votes in a simulated world (named set of simulation parameters, `lab`).
        WORLD_VOTE = 0x004_073;
        /// Deviation of a pair from the difference in worth of its items, in a simulated world.
        WORLD_PAIR = 0x004_074;
        /// Individual liking of an item by an assessor, in a simulated world.
        WORLD_TASTE = 0x004_075;
        /// Lists drawn with replacement, for the intervals of a calibration study.
        CALIBRATION_RESAMPLES = 0x004_080;
        /// First item of a list of close items in a calibration study.
        CLOSE_LISTS = 0x004_081;
        /// Halves of the recorded answers about each pair in a calibration study.
        CALIBRATION_SPLIT = 0x004_082;

        // Campaigns (`partita-judging`, `partita-server`).
        /// Seed of each list of a campaign. The path continues with the bytes of the query's name.
        LIST_SEED = 0x005_001;
        /// Pairs of a list that get additional votes, which the strategy does not see, to check its
        /// predictions.
        HELD_OUT = 0x005_002;
        /// Order of the pairs in a batch of questions, and the item of each pair that is shown
        /// first.
        BATCH = 0x005_003;
        /// Simulated future votes on a list, from which the number of remaining votes is forecast.
        REHEARSAL = 0x005_004;
        /// Choice of an assessor's next question; [`choice`] lists the last elements of the path.
        CHOICE = 0x005_005;
        /// Position of a gold question (one with a known answer) among an assessor's questions.
        GOLD_PLACE = 0x005_006;
        /// Answers of the simulated assessors of a demo campaign on the server.
        SERVER_SIMULATED_ANSWER = 0x013_001;
    }

    /// Last numbers of the paths that identify the random streams of [`CHOICE`]: one stream for each
    /// draw that is made when a question is chosen for an assessor.
    pub mod choice {
        registered! {
            /// Choice of the item of a pair that is shown first.
            SIDES = 0;
            /// Order in which the lists of a campaign are searched for a question.
            LISTS = 1;
            /// Order in which gold questions (questions with a known answer) are considered.
            GOLD = 2;
            /// Order in which the pairs or items of list 0 are considered; list n uses `INSIDE +
            /// n`.
            INSIDE = 3;
        }
    }
}

/// Draws a uniform index in 0..n, without bias.
///
/// Multiply-and-reject on 64-bit words (Lemire 2019, *Fast random integer generation in an
/// interval*), so 32-bit and 64-bit machines consume the same draws. For n = 0 the result is 0, and
/// nothing is drawn.
pub fn uniform_index(rng: &mut impl Rng, n: usize) -> usize {
    let bound = n as u64;
    if bound == 0 {
        return 0;
    }
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        // 2⁶⁴ mod n: low words below it are rejected.
        let surplus = bound.wrapping_neg() % bound;
        while (product as u64) < surplus {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as usize
}

/// Draws one of the items uniformly; `None` for an empty slice.
pub fn choose<'a, T>(rng: &mut impl Rng, items: &'a [T]) -> Option<&'a T> {
    items.get(uniform_index(rng, items.len()))
}

/// Shuffles the items, every order equally likely (Fisher and Yates; the descending form of
/// Durstenfeld 1964).
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, uniform_index(rng, last + 1));
    }
}

/// Draws `count` different indices of 0..n in random order; all of them, shuffled, if `count` is at
/// least n.
pub fn sample_without_replacement(rng: &mut impl Rng, n: usize, count: usize) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..n).collect();
    let count = count.min(n);
    for first in 0..count {
        let other = first + uniform_index(rng, n - first);
        indices.swap(first, other);
    }
    indices.truncate(count);
    indices
}

/// Draws a uniform number strictly between 0 and 1: the midpoint of one of 2⁵² equal cells, so that
/// neither end is ever drawn.
pub fn uniform(rng: &mut impl Rng) -> f64 {
    const CELL: f64 = 1.0 / (1u64 << 52) as f64;
    ((rng.next_u64() >> 12) as f64 + 0.5) * CELL
}

/// Draws a standard normal deviate by inversion of the distribution function. Each deviate takes
/// one draw and has the same bits on every machine, because the quantile uses no system
/// mathematics.
pub fn standard_normal(rng: &mut impl Rng) -> f64 {
    normal::quantile_unchecked(uniform(rng))
}

/// Draws a chi-squared deviate on `df` degrees of freedom; 0 if `df` is not positive.
///
/// Twice a gamma deviate of shape df/2 by the rejection method of Marsaglia and Tsang (2000, *A
/// simple method for generating gamma variables*). As they propose, shapes below 1 are derived from
/// the next higher shape.
pub fn chi_squared(rng: &mut impl Rng, df: f64) -> f64 {
    let shape = 0.5 * df;
    if shape <= 0.0 || shape.is_nan() {
        return 0.0;
    }
    let boost = match shape < 1.0 {
        true => libm::pow(uniform(rng), 1.0 / shape),
        false => 1.0,
    };
    let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let z = standard_normal(rng);
        let root = 1.0 + c * z;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        if libm::log(uniform(rng)) < 0.5 * z * z + d * (1.0 - v + libm::log(v)) {
            return 2.0 * d * v * boost;
        }
    }
}
