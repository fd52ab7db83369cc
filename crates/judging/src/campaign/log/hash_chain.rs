//! Hash chain over the lines of a log.

use std::fmt;

use sha2::{Digest, Sha256};

/// Hash at the end of a log line. It covers the content of the line and the previous hash, and
/// thereby all earlier lines.
///
/// It is the SHA-256 of the 64 hexadecimal digits of the previous hash followed by the content of
/// the line, as `sha256sum` computes it:
///
/// ```
/// use partita_judging::campaign::log::HashChain;
///
/// let first = HashChain::START.after(b"{\"seq\":1");
/// // printf '%064d{"seq":1' 0 | sha256sum
/// let known = "edd7bbf300ddb9d140940b17b11365df850931012f4a356f7a5c3015e0f0d0f2";
/// assert_eq!(first.to_string(), known);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HashChain([u8; 32]);

impl HashChain {
    /// Predecessor of the hash of the first line: all zeros.
    pub const START: Self = Self([0; 32]);

    /// Returns the hash of a line with this content that follows the line with this hash.
    #[must_use]
    pub fn after(self, content: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.digits());
        hash.update(content);
        Self(hash.finalize().into())
    }

    /// Returns the hash as the 64 hexadecimal digits that are written in a log.
    pub(super) fn digits(self) -> [u8; 64] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        digits
    }
}

impl fmt::Display for HashChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits();
        f.write_str(std::str::from_utf8(&digits).expect("hexadecimal digits are ASCII"))
    }
}

impl fmt::Debug for HashChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain({self})")
    }
}
