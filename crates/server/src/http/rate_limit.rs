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
    trusted_proxies: Vec<IpNet>,
    /// Limit on requests, by token hash.
    requests: DefaultKeyedRateLimiter<Vec<u8>>,
    /// Limit on attempts to enter a campaign, by client address.
    campaign_entries: DefaultKeyedRateLimiter<IpAddr>,
    /// Limit on failed authentications, by client address.
    failures: DefaultKeyedRateLimiter<IpAddr>,
}

/// Converts a limit to the type that the rate limiter needs.
const fn non_zero(limit: u32) -> NonZeroU32 {
    NonZeroU32::new(limit).expect("a rate limit is at least 1")
}

impl RateLimits {
    pub(crate) fn new(is_disabled: bool, trusted_proxies: Vec<IpNet>) -> Self {
        Self {
            is_disabled,
            trusted_proxies,
            requests: RateLimiter::keyed(Quota::per_second(non_zero(20))),
            campaign_entries: RateLimiter::keyed(Quota::per_minute(non_zero(120))),
            failures: RateLimiter::keyed(Quota::per_minute(non_zero(20))),
        }
    }

    /// Returns the client address: from `X-Forwarded-For` if the peer is a trusted proxy and the
    /// header names a client, otherwise the peer address.
    pub(crate) fn client_address(&self, peer: IpAddr, forwarded: Option<&str>) -> IpAddr {
        let trusted =
            |address: &IpAddr| (self.trusted_proxies.iter()).any(|net| net.contains(address));
        if !trusted(&peer) {
            return peer;
        }
        // Search from the end for the first address that is not a trusted proxy. A trusted proxy
        // added it, whereas a client can forge the addresses before it.
        let hops = forwarded.unwrap_or_default().rsplit(',');
        let mut addresses = hops.map_while(|hop| hop.trim().parse::<IpAddr>().ok());
        addresses.find(|address| !trusted(address)).unwrap_or(peer)
    }

    /// Counts a request with the token of the given hash; fails if the token's limit is exceeded.
    pub(crate) fn check_token(&self, token_hash: &[u8]) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.requests.check_key(&token_hash.to_vec()).is_ok();
        within.then_some(()).ok_or_else(rate_limit_problem)
    }

    /// Counts an attempt to enter a campaign from a client address; fails if the limit of the
    /// address is exceeded.
    pub(crate) fn check_entry(&self, address: IpAddr) -> Result<(), HttpProblem> {
        let within = self.is_disabled || self.campaign_entries.check_key(&address).is_ok();
        within.then_some(()).ok_or_else(rate_limit_problem)
    }

    /// Counts a failed authentication from a client address, and returns the problem to respond
    /// with: `problem` while the address is within its limit of failures (20 per minute), otherwise
    /// a rate-limit problem.
    pub(crate) fn record_failure(&self, address: IpAddr, problem: HttpProblem) -> HttpProblem {
        if self.is_disabled || self.failures.check_key(&address).is_ok() {
            problem
        } else {
            rate_limit_problem()
        }
    }

    /// Removes addresses and tokens whose recent requests no longer affect a limit.
    pub(crate) fn evict_idle(&self) {
        self.requests.retain_recent();
        self.campaign_entries.retain_recent();
        self.failures.retain_recent();
    }
}

/// Returns the problem for a request that exceeds a rate limit.
fn rate_limit_problem() -> HttpProblem {
    HttpProblem::new(ProblemKind::RateLimited, "too many requests; wait a moment")
}
