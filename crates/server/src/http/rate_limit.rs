//! How often somebody may ask.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use super::problem::{HttpProblem, ProblemKind};

/// The limits of a server. Addresses are held in memory only, for as long as a limit needs them.
pub(crate) struct RateLimits {
    is_disabled: bool,
    proxies: Vec<IpNet>,
    tokens: DefaultKeyedRateLimiter<Vec<u8>>,
    entries: DefaultKeyedRateLimiter<IpAddr>,
    failures: DefaultKeyedRateLimiter<IpAddr>,
}

const fn times(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a limit is not 0")
}

impl RateLimits {
    pub(crate) fn new(is_disabled: bool, proxies: Vec<IpNet>) -> Self {
        Self {
            is_disabled,
            proxies,
            tokens: RateLimiter::keyed(Quota::per_second(times(20))),
            entries: RateLimiter::keyed(Quota::per_minute(times(120))),
            failures: RateLimiter::keyed(Quota::per_minute(times(20))),
        }
    }

    /// The address that a request comes from: what a trusted proxy says, else the peer itself.
    pub(crate) fn client_address(&self, peer: IpAddr, forwarded: Option<&str>) -> IpAddr {
        let trusted = |address: &IpAddr| self.proxies.iter().any(|net| net.contains(address));
        if !trusted(&peer) {
            return peer;
        }
        // The last address that no trusted proxy has is the one that such a proxy saw.
        let hops = forwarded.unwrap_or_default().rsplit(',');
        let mut addresses = hops.map_while(|hop| hop.trim().parse::<IpAddr>().ok());
        addresses.find(|address| !trusted(address)).unwrap_or(peer)
    }

    /// Whether a token may be used once more.
    pub(crate) fn check_token(&self, hash: &[u8]) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.tokens.check_key(&hash.to_vec()).is_ok();
        within.then_some(()).ok_or_else(too_many)
    }

    /// Whether an address may enter once more.
    pub(crate) fn check_entry(&self, address: IpAddr) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.entries.check_key(&address).is_ok();
        within.then_some(()).ok_or_else(too_many)
    }

    /// Takes note that somebody showed what is not valid; too many of these are refused whatever they
    /// show.
    pub(crate) fn record_failure(&self, address: IpAddr, problem: HttpProblem) -> HttpProblem {
        if self.is_disabled || self.failures.check_key(&address).is_ok() {
            problem
        } else {
            too_many()
        }
    }

    /// Forgets whoever has not come for a while.
    pub(crate) fn evict_idle(&self) {
        self.tokens.retain_recent();
        self.entries.retain_recent();
        self.failures.retain_recent();
    }
}

fn too_many() -> HttpProblem {
    HttpProblem::new(ProblemKind::TooMany, "too many requests; wait a moment")
}
