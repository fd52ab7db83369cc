//! Mutation of valid files, reproducible by a seed.

use crate::fuzz::corpus::long_file;

/// Random number generator SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Rng(u64);

impl Rng {
    /// Creates the generator for the file with this number, given the seed of the test.
    pub(crate) fn for_file(seed: u64, number: u64) -> Self {
        let mut rng = Self(seed);
        Self(rng.next() ^ number.wrapping_mul(0xa076_1d64_78bd_642f))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 => 0,
            bound => (self.next() % bound as u64) as usize,
        }
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// Texts with a meaning in some format, or with unusual characters, to insert into files.
const INSERTED_TEXTS: &[&str] = &[
    "#",
    "\"",
    "\"\"",
    ",",
    "\t",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "(",
    ")",
    "()",
    "{",
    "}",
    "{}",
    "[",
    "]",
    ":",
    "\\",
    "\u{feff}",
    "\u{85}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "é",
    "旋",
    "\u{7}",
    "\u{1b}",
    "Q0",
    "0",
    "-0",
    "query",
    "group",
    "item",
    "label",
    "all",
    "\\ud800",
    "\\u0000",
    "1: ",
    "# ALTERNATIVE NAME 1: a\n",
    "# FILE NAME: x\n",
    "query,item,group\n",
    "query,assessor,item,rank\n",
    "assessor",
    "rank",
    "# NUMBER ALTERNATIVES: 3\n",
    "# DATA TYPE: toc\n",
    "null",
    "\"q1\": ",
];

/// Unusual numbers, such as those beyond the limits of types, and texts that resemble numbers.
const UNUSUAL_NUMBERS: &[&str] = &[
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "1e308",
    "1e-320",
    "-1",
    "0",
    "-0.0",
    "0.5",
    "1.",
    ".",
    "+1",
    "1e",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "9007199254740993",
    "99999999999999999999999999999999999999",
    "0x10",
    "1_000",
    "½",
    "٣",
];

/// Returns random bytes, or a valid file with up to five mutations.
pub(crate) fn mutated_file(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    if rng.below(20) == 0 {
        let length = rng.below(300);
        return (0..length).map(|_| rng.next() as u8).collect();
    }
    let mut bytes = match rng.below(300) {
        0 => long_file(),
        _ => rng.pick(corpus).clone(),
    };
    for _ in 0..rng.below(6) {
        mutate(rng, &mut bytes, corpus);
    }
    bytes
}

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = rng.below(bytes.len() + 1);
    match rng.below(12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => bytes[at] = rng.next() as u8,
        2 => bytes.insert(at, rng.next() as u8),
        3 => {
            let end = (at + 1 + rng.below(10)).min(bytes.len());
            bytes.drain(at..end);
        }
        4 => bytes.truncate(at),
        5 => {
            let end = (at + rng.below(40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        6 => swap_lines(rng, bytes),
        7 => {
            let other = rng.pick(corpus);
            let from = rng.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        8 => replace_number(rng, bytes, at),
        _ => {
            let token = rng.pick(INSERTED_TEXTS).bytes();
            bytes.splice(at..at, token);
        }
    }
}

fn swap_lines(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    if a < lines.len() && b < lines.len() {
        lines.swap(a, b);
    }
    *bytes = lines.concat();
}

/// Replaces the first number from position `at` on by an unusual one.
fn replace_number(rng: &mut Rng, bytes: &mut Vec<u8>, at: usize) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = at + start;
    let rest = &bytes[start..];
    let digits = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || **byte == b'.');
    let end = start + digits.count();
    let number = rng.pick(UNUSUAL_NUMBERS).bytes();
    bytes.splice(start..end, number);
}
