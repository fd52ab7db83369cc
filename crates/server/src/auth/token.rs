//! Bearer tokens with 256 random bits. Only their hash is stored.

use sha2::{Digest, Sha256};

/// Secret bearer token. The server stores only its hash.
pub(crate) struct Token(String);

impl Token {
    /// Generates a new random token.
    pub(crate) fn random() -> Self {
        Self(hex(&random_bytes::<32>()))
    }

    /// Wraps the token text that a request carries.
    pub(crate) fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the SHA-256 hash of the token, which the database stores. A plain hash suffices,
    /// because a token with 256 random bits cannot be found by brute force.
    pub(crate) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }

    /// Returns the token text, which is shown to its owner once.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns a random 96-bit id as hexadecimal digits.
pub(crate) fn random_id() -> String {
    hex(&random_bytes::<12>())
}

/// Returns cryptographically secure random bytes.
fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
    bytes
}

/// Encodes bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| DIGITS[usize::from(half)]).collect()
}
