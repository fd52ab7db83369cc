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

use crate::normal;

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
    Branch::new(seed, path).stream(&[])
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
pub struct Branch {
    words: [u64; 4],
    length: u64,
}

impl Branch {
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

/// A uniform index in 0..n, without bias.
///
/// Multiply-and-reject on 64-bit words (Lemire 2019, *Fast random integer generation in an
/// interval*), so the draws used are the same on 32-bit and 64-bit machines. There is no index
/// below 0: for n = 0 the answer is 0, and nothing is drawn.
pub fn index_below(rng: &mut impl Rng, n: usize) -> usize {
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
    items.get(index_below(rng, items.len()))
}

/// Puts the items in a random order, every order equally likely (Fisher and Yates; the descending
/// form of Durstenfeld 1964).
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, index_below(rng, last + 1));
    }
}

/// `count` different indices of 0..n in random order; all of them, shuffled, when `count` is at
/// least n.
pub fn sample_without_replacement(rng: &mut impl Rng, n: usize, count: usize) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..n).collect();
    let count = count.min(n);
    for first in 0..count {
        let other = first + index_below(rng, n - first);
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
