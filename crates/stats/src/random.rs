//! Portable random streams, named by what is drawn.
//!
//! A stream is a function of a seed and of a path of integers, and of nothing else: not of the
//! machine, the number of threads or the order in which the streams are opened. Name the path after
//! what is drawn, from the general to the particular, for instance `[procedure, size, trial]`, and
//! every trial can be computed anywhere and gives the same numbers.
//!
//! # The mixing function, for ever
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
//! and ends by absorbing the length of the path in the same way. The rotation keeps seed and path
//! from being exchangeable. The key bytes are the four words, each little-endian; the generator is
//! ChaCha with 8 rounds (Bernstein 2008), counter and nonce zero. A test holds the first values.
//!
//! ```
//! use partita_stats::streams::{stream, index_below, shuffle};
//!
//! let mut trial = stream(2010, &[35, 7]);
//! let mut again = stream(2010, &[35, 7]);
//! assert_eq!(index_below(&mut trial, 6), index_below(&mut again, 6));
//!
//! let mut deck = [1, 2, 3, 4, 5];
//! shuffle(&mut trial, &mut deck);
//! deck.sort();
//! assert_eq!(deck, [1, 2, 3, 4, 5]);
//! ```

pub use rand_chacha::ChaCha8Rng;
pub use rand_chacha::rand_core::Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::distribution::normal;

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// iγ for the four words.
const LANES: [u64; 4] = [
    GAMMA,
    GAMMA.wrapping_mul(2),
    GAMMA.wrapping_mul(3),
    GAMMA.wrapping_mul(4),
];

/// The finaliser of SplitMix64: a bijection of 64-bit words.
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// The random stream that belongs to `seed` and `path`.
///
/// Two streams with the same seed whose paths differ only in one element are certain to have
/// different keys; for any other two paths a common key has probability about 2⁻²⁵⁶.
pub fn stream(seed: u64, path: &[u64]) -> ChaCha8Rng {
    StreamPrefix::new(seed, path).stream(&[])
}

/// All streams whose paths begin alike, for those who draw from several of them.
///
/// ```
/// use partita_stats::streams::{Branch, index_below, stream};
///
/// let trials = Branch::new(2010, &[35]);
/// let (mut one, mut other) = (trials.stream(&[7]), stream(2010, &[35, 7]));
/// assert_eq!(index_below(&mut one, 1_000_000), index_below(&mut other, 1_000_000));
/// ```
#[derive(Clone, Debug)]
pub struct StreamPrefix {
    words: [u64; 4],
    length: u64,
}

impl StreamPrefix {
    /// The streams of a seed whose paths begin like this.
    pub fn new(seed: u64, path: &[u64]) -> Self {
        let mut branch = Self {
            words: LANES.map(|offset| mix(seed.wrapping_add(offset))),
            length: 0,
        };
        branch.absorb(path);
        branch.length = path.len() as u64;
        branch
    }

    /// The one whose path goes on like this.
    pub fn stream(&self, rest: &[u64]) -> ChaCha8Rng {
        let mut whole = self.clone();
        whole.absorb(rest);
        whole.absorb(&[self.length + rest.len() as u64]);
        let mut key = [0u8; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip(whole.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        ChaCha8Rng::from_seed(key)
    }

    fn absorb(&mut self, path: &[u64]) {
        for (word, offset) in self.words.iter_mut().zip(LANES) {
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

            /// All numbers of this module with their names.
            pub const ALL: &[(&str, u64)] = &[$((stringify!($name), $name),)+];
        };
    }

    registered! {
        // Evaluation, tests and planning (`partita-core`).
        /// Bootstrap intervals of mean scores.
        MEAN_INTERVALS = 1;
        /// Permutation test on plain samples.
        SAMPLE_PERMUTATION = 2;
        /// Permutation test of pairs of systems.
        PERMUTATION_TEST = 20;
        /// Bootstrap test of pairs of systems.
        BOOTSTRAP_TEST = 21;
        /// Randomised Tukey test.
        RANDOMISED_TUKEY = 22;
        /// Query sets of a reliability study.
        RELIABILITY_SAMPLES = 2011;
        /// Sign patterns of the permutation test in a reliability study.
        RELIABILITY_SIGNS = 0x7369_676e_7331;
        /// Variance components of a plan with several judges.
        PLAN_VARIANCES = 0x706C_616E;

        // Ground truth (`partita-core`).
        /// Random orders within the groups of a list.
        SAMPLED_ORDERS = 0x6f72_6465_7273;
        /// Assessors drawn with replacement for a bootstrap of rankings.
        PANEL = 0x0070_616e_656c;
        /// Second draw of assessors within a replicate.
        PANEL_AGAIN = 0x7061_6e65_6c32;

        // Melody search (`partita-melody`).
        /// Folds of the cross-validation that tunes a system.
        TUNING_FOLDS = 30;
        /// Bootstrap interval of a tuned score.
        TUNING_INTERVALS = 31;

        // Lists from preferences (`partita-judging`).
        /// Initial order when a list is built from preferences.
        BUILD_INITIAL_ORDER = 0x004_001;
        /// Choice among equally good lists.
        BUILD_ALTERNATIVE = 0x004_002;
        /// Initial order of the sorting strategies.
        SORTING_INITIAL_ORDER = 0x004_003;
        /// First questions of the strategy `pooled`, arranged in a ring.
        POOLED_RING = 0x004_010;
        /// Order of the open pairs in a round of the strategy `pooled`.
        POOLED_ROUND = 0x004_011;
        /// Assessors drawn with replacement for a bootstrap of preferences.
        ASSESSORS = 0x7065_6f70_6c65;
        /// Second draw of assessors within a replicate.
        ASSESSORS_AGAIN = 0x7065_6f70_6c32;
        /// Order in which ties are broken.
        TIES = 0x7469_6573;

        // Simulated judging.
        /// Order in which recorded answers about a pair are given out.
        RECORDED_ORDER = 0x004_020;
        /// True order of a simulated list.
        SIMULATED_TRUTH = 0x004_030;
        /// Votes of simulated assessors.
        SIMULATED_VOTE = 0x004_031;
        /// Resampled lists of a simulation.
        SIMULATION_RESAMPLES = 0x004_040;
        /// Sizes of simulated lists.
        SIMULATED_SIZES = 0x004_050;
        /// Partition of recorded lists into collections.
        RECORDED_PARTITION = 0x004_051;
        /// Order of the answers about a pair in a prediction.
        PREDICTION_ORDER = 0x004_060;
        /// Resampled lists of a prediction.
        PREDICTION_RESAMPLES = 0x004_061;
        /// Order of the votes about a pair in a study of early stopping.
        STOPPING_ORDER = 0x004_062;
        /// Worths of the items of a simulated world.
        WORLD_WORTHS = 0x004_070;
        /// Assessors of a simulated world.
        WORLD_CROWD = 0x004_071;
        /// Assessor who votes next in a simulated world.
        WORLD_ASSESSOR = 0x004_072;
        /// Votes in a simulated world.
        WORLD_VOTE = 0x004_073;
        /// Effect of a pair in a simulated world.
        WORLD_PAIR = 0x004_074;
        /// Taste of an assessor in a simulated world.
        WORLD_TASTE = 0x004_075;
        /// Resampled lists of a calibration study.
        CALIBRATION_RESAMPLES = 0x004_080;

        // Campaigns (`partita-judging`, `partita-server`).
        /// Seed of a list, followed by the bytes of its query.
        LIST_SEED = 0x005_001;
        /// Pairs of a list that are held out.
        HELD_OUT = 0x005_002;
        /// Order and sides of the pairs of a batch.
        BATCH = 0x005_003;
        /// Rehearsal of the rest of a campaign.
        REHEARSAL = 0x005_004;
        /// Next question of an assessor; [`choice`] has the last elements of the path.
        CHOICE = 0x005_005;
        /// Place of a gold question among the questions of an assessor.
        GOLD_PLACE = 0x005_006;
        /// Answers of assessors that the server simulates.
        SERVER_SIMULATED_ANSWER = 0x013_001;
    }

    /// Last elements of the paths that begin with [`CHOICE`].
    pub mod choice {
        registered! {
            /// Item that is shown first.
            SIDES = 0;
            /// Order of the lists.
            LISTS = 1;
            /// Order of the gold questions.
            GOLD = 2;
            /// Order inside the first list; the next list has the next number.
            INSIDE = 3;
        }
    }
}

/// A uniform index in 0..n, without bias.
///
/// Multiply-and-reject on 64-bit words (Lemire 2019, *Fast random integer generation in an
/// interval*), so the draws used are the same on 32-bit and 64-bit machines. There is no index
/// below 0: for n = 0 the answer is 0, and nothing is drawn.
pub fn uniform_index(rng: &mut impl Rng, n: usize) -> usize {
    let bound = n as u64;
    if bound == 0 {
        return 0;
    }
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        // 2⁶⁴ mod n: the low words below it are the surplus ones.
        let surplus = bound.wrapping_neg() % bound;
        while (product as u64) < surplus {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as usize
}

/// One of the items, each equally likely; `None` of an empty slice.
pub fn choose<'a, T>(rng: &mut impl Rng, items: &'a [T]) -> Option<&'a T> {
    items.get(uniform_index(rng, items.len()))
}

/// Puts the items in a random order, every order equally likely (Fisher and Yates; the descending
/// form of Durstenfeld 1964).
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, uniform_index(rng, last + 1));
    }
}

/// `count` different indices of 0..n in random order; all of them, shuffled, when `count` is at
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

/// A uniform number strictly between 0 and 1: the midpoint of one of 2⁵² equal cells, so that
/// neither end is ever drawn.
pub fn uniform(rng: &mut impl Rng) -> f64 {
    const CELL: f64 = 1.0 / (1u64 << 52) as f64;
    ((rng.next_u64() >> 12) as f64 + 0.5) * CELL
}

/// A standard normal deviate, by inversion: one draw each, and the same bits on every machine
/// because the quantile uses no system mathematics.
pub fn standard_normal(rng: &mut impl Rng) -> f64 {
    normal::quantile_unchecked(uniform(rng))
}

/// A deviate of the chi-squared law on `df` degrees of freedom, which must be positive; 0 if they
/// are not.
///
/// Twice a gamma deviate of shape df/2 by the rejection of Marsaglia and Tsang (2000, *A simple
/// method for generating gamma variables*); shapes below 1 go by way of the next higher one, as
/// they say.
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
