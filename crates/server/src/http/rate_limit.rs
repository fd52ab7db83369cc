//! Rate limits of requests, by token and by client address.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use super::problem::{HttpProblem, ProblemKind};

/// Rate limits of requests to a server. Client addresses are held in memory only, and are dropped
/// regularly once no limit depends on them.
pub(crate) struct RateLimits {
    is_disabled: bool,
    proxies: Vec<IpNet>,
    tokens: DefaultKeyedRateLimiter<Vec<u8>>,
    entries: DefaultKeyedRateLimiter<IpAddr>,
    failures: DefaultKeyedRateLimiter<IpAddr>,
}

/// Converts a number of requests to the type that the rate limiter needs.
const fn non_zero(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a limit is not 0")
}

impl RateLimits {
    pub(crate) fn new(is_disabled: bool, proxies: Vec<IpNet>) -> Self {
        Self {
            is_disabled,
            proxies,
            tokens: RateLimiter::keyed(Quota::per_second(non_zero(20))),
            entries: RateLimiter::keyed(Quota::per_minute(non_zero(120))),
            failures: RateLimiter::keyed(Quota::per_minute(non_zero(20))),
        }
    }

    /// Returns the client address: from `X-Forwarded-For` if the peer is a trusted proxy and the
    /// header names a client, otherwise the peer address.
    pub(crate) fn client_address(&self, peer: IpAddr, forwarded: Option<&str>) -> IpAddr {
        let trusted = |address: &IpAddr| self.proxies.iter().any(|net| net.contains(address));
        if !trusted(&peer) {
            return peer;
        }
        // Search from the end for the first address that is not a trusted proxy. A trusted proxy
        // added it, whereas a client can forge the addresses before it.
        let hops = forwarded.unwrap_or_default().rsplit(',');
        let mut addresses = hops.map_while(|hop| hop.trim().parse::<IpAddr>().ok());
        addresses.find(|address| !trusted(address)).unwrap_or(peer)
    }

    /// Counts a request with a token; fails if the token's limit is exceeded.
    pub(crate) fn check_token(&self, hash: &[u8]) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.tokens.check_key(&hash.to_vec()).is_ok();
        within.then_some(()).ok_or_else(rate_limit_problem)
    }

    /// Counts an attempt to enter a campaign from a client address; fails if the limit of the
    /// address is exceeded.
    pub(crate) fn check_entry(&self, address: IpAddr) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.entries.check_key(&address).is_ok();
        within.then_some(()).ok_or_else(rate_limit_problem)
    }

    /// Counts a failed authentication from a client address. Returns the given problem, or a
    /// rate-limit problem after too many failures.
    pub(crate) fn record_failure(&self, address: IpAddr, problem: HttpProblem) -> HttpProblem {
        if self.is_disabled || self.failures.check_key(&address).is_ok() {
            problem
        } else {
            rate_limit_problem()
        }
    }

    /// Removes addresses and tokens whose recent requests no longer affect a limit.
    pub(crate) fn evict_idle(&self) {
        self.tokens.retain_recent();
        self.entries.retain_recent();
        self.failures.retain_recent();
    }
}

/// Returns the problem for a request that exceeds a rate limit.
fn rate_limit_problem() -> HttpProblem {
    HttpProblem::new(ProblemKind::RateLimited, "too many requests; wait a moment")
}
