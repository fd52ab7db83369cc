//! Verdict of a test on two systems.

/// Verdict of a test: the system that is ahead, and whether the difference is significant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SystemPairVerdict(i16);

impl SystemPairVerdict {
    /// Creates a verdict. A positive `lead` means that the first system is ahead, a negative one
    /// the second.
    pub fn new(lead: f64, significant: bool) -> Self {
        let sign = i16::from(lead > 0.0) - i16::from(lead < 0.0);
        Self(sign * (1 + i16::from(significant)))
    }

    /// Returns true if the difference is significant.
    pub fn is_significant(self) -> bool {
        self.0.abs() == 2
    }

    /// Returns 1 if the first system is ahead, -1 if the second is, else 0.
    pub fn direction(self) -> i16 {
        self.0.signum()
    }

    /// Returns 1 if the first system is significantly better, -1 if the second is, else 0.
    pub fn sign(self) -> i16 {
        self.0 / 2
    }

    /// Returns the integer code: 2 or -2 if significant, else 1, 0 or -1.
    pub(crate) fn code(self) -> i16 {
        self.0
    }

    pub(crate) fn from_code(code: i16) -> Self {
        Self(code)
    }
}
