//! Tokens: 256 random bits, of which only a hash is kept.

use sha2::{Digest, Sha256};

/// What somebody shows to be let in. It is never written down by the server.
pub(crate) struct Token(String);

impl Token {
    /// A new one.
    pub(crate) fn random() -> Self {
        Self(hex(&random::<32>()))
    }

    /// One that was shown.
    pub(crate) fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What is kept of it. A token has 256 random bits, so that a plain hash cannot be searched.
    pub(crate) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }

    /// The text that is given to its owner, once.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// An id that nobody can guess.
pub(crate) fn random_id() -> String {
    hex(&random::<12>())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| DIGITS[usize::from(half)]).collect()
}
