//! What a test says of two systems.

/// Which of two systems a test sees ahead, and whether significantly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SystemPairVerdict(i16);

impl SystemPairVerdict {
    /// Neither system is ahead.
    pub const TIE: Self = Self(0);

    /// The first system is ahead (`lead` positive) or the second (negative).
    pub fn new(lead: f64, significant: bool) -> Self {
        let sign = i16::from(lead > 0.0) - i16::from(lead < 0.0);
        Self(sign * (1 + i16::from(significant)))
    }

    /// Whether the difference is significant.
    pub fn is_significant(self) -> bool {
        self.0.abs() == 2
    }

    /// 1 if the first system is ahead, -1 if the second is, else 0.
    pub fn direction(self) -> i16 {
        self.0.signum()
    }

    /// 1 if the first system is significantly better, -1 if the second is, else 0.
    pub fn sign(self) -> i16 {
        self.0 / 2
    }

    /// A whole number of its own: 2 or -2 where significant, else 1, 0 or -1.
    pub(crate) fn code(self) -> i16 {
        self.0
    }

    pub(crate) fn from_code(code: i16) -> Self {
        Self(code)
    }
}
