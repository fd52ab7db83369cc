//! Rate limits of requests, by token and by client address.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::{IpNet, Ipv4Net};

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
            trusted_proxies: trusted_proxies.into_iter().map(canonical_net).collect(),
            requests: RateLimiter::keyed(Quota::per_second(non_zero(20))),
            campaign_entries: RateLimiter::keyed(Quota::per_minute(non_zero(120))),
            failures: RateLimiter::keyed(Quota::per_minute(non_zero(20))),
        }
    }

    /// Returns the address by which the limits count a client: from the `X-Forwarded-For` lines if
    /// the peer is a trusted proxy and they name a client, otherwise the peer address. An IPv6 client
    /// counts by its network of 64 bits, because it can use any address of it.
    pub(crate) fn client_address<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl IntoIterator<Item = &'a str, IntoIter: DoubleEndedIterator>,
    ) -> IpAddr {
        let peer = peer.to_canonical();
        let trusted =
            |address: &IpAddr| (self.trusted_proxies.iter()).any(|net| net.contains(address));
        if !trusted(&peer) {
            return limited_network(peer);
        }
        // Search from the end for the first address that is not a trusted proxy. A trusted proxy
        // added it, whereas a client can forge the addresses before it. A proxy may add to the last
        // line or add a line of its own.
        let lines = forwarded.into_iter().rev();
        let hops = lines.flat_map(|line| line.rsplit(','));
        let mut addresses = hops.map_while(|hop| parse_hop(hop.trim()));
        let client = addresses.find(|address| !trusted(address));
        limited_network(client.unwrap_or(peer))
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

/// Parses an address of a proxy's header, which may have a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let address = hop.parse::<IpAddr>().ok();
    let with_port = || hop.parse::<SocketAddr>().ok().map(|address| address.ip());
    // An IPv6 address may have brackets without a port.
    let in_brackets = || hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let address = address.or_else(with_port).or_else(in_brackets);
    address.map(|address| address.to_canonical())
}

/// Converts a network of mapped IPv4 addresses to IPv4, as addresses are before the comparison.
fn canonical_net(net: IpNet) -> IpNet {
    const MAPPED_BITS: u8 = 96;
    let address = net.network().to_canonical();
    let prefix = net.prefix_len().checked_sub(MAPPED_BITS);
    match (net, address, prefix) {
        (IpNet::V6(_), IpAddr::V4(address), Some(prefix)) => {
            Ipv4Net::new(address, prefix).map_or(net, IpNet::V4)
        }
        _ => net,
    }
}

/// Returns the address itself for IPv4, and the first address of its network of 64 bits for IPv6.
fn limited_network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// Returns the problem for a request that exceeds a rate limit.
fn rate_limit_problem() -> HttpProblem {
    HttpProblem::new(ProblemKind::RateLimited, "too many requests; wait a moment")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the address that the limits count for a peer and the lines of its header.
    fn counted(trusted: &[&str], peer: &str, lines: &[&str]) -> String {
        let trusted = trusted.iter().map(|net| net.parse().expect("a network"));
        let limits = RateLimits::new(false, trusted.collect());
        let peer = peer.parse().expect("an address");
        let address = limits.client_address(peer, lines.iter().copied());
        address.to_string()
    }

    #[test]
    fn server_b7_all_lines_of_a_header_form_one_list() {
        let net = ["10.1.0.0/16"];
        let count = |lines: &[&str]| counted(&net, "10.1.0.7", lines);
        // The proxy's own line comes last, whatever the client wrote before it.
        assert_eq!(count(&["198.51.100.1", "203.0.113.5"]), "203.0.113.5");
        assert_eq!(
            count(&["203.0.113.9", "203.0.113.5, 10.1.2.3"]),
            "203.0.113.5"
        );
        assert_eq!(
            count(&["203.0.113.9, 203.0.113.5", "10.1.2.3", "10.1.4.4"]),
            "203.0.113.5"
        );
        // The peer counts if no line names a client, or something else precedes the proxies.
        assert_eq!(count(&[]), "10.1.0.7");
        assert_eq!(count(&["10.1.2.3"]), "10.1.0.7");
        assert_eq!(count(&["203.0.113.9, unknown, 10.1.2.3"]), "10.1.0.7");
        assert_eq!(counted(&net, "203.0.113.8", &["192.0.2.1"]), "203.0.113.8");
    }

    #[test]
    fn server_b7_ports_are_cut_off() {
        let count = |line| counted(&["127.0.0.0/8"], "127.0.0.1", &[line]);
        assert_eq!(count("203.0.113.5:49152"), "203.0.113.5");
        assert_eq!(count("[2001:db8:7:1::9]:443"), "2001:db8:7:1::");
        assert_eq!(count("[2001:db8:7:1::9]"), "2001:db8:7:1::");
        assert_eq!(count("203.0.113.5:49152, 127.0.0.2:80"), "203.0.113.5");
    }

    #[test]
    fn server_b7_ipv6_counts_by_its_network_and_mapped_ipv4_as_ipv4() {
        let count = |peer| counted(&[], peer, &[]);
        assert_eq!(count("2001:db8:0:aa::1"), count("2001:db8:0:aa:ffff:1:2:3"));
        assert_ne!(count("2001:db8:0:aa::1"), count("2001:db8:0:ab::1"));
        assert_eq!(count("::ffff:203.0.113.5"), "203.0.113.5");
        // A server on `[::]` sees mapped addresses of its proxies.
        for net in ["127.0.0.0/8", "::ffff:127.0.0.0/104"] {
            let client = counted(&[net], "::ffff:127.0.0.1", &["::ffff:192.0.2.4, 127.0.0.9"]);
            assert_eq!(client, "192.0.2.4", "{net}");
        }
        assert_eq!(
            counted(&["2001:db8::/32"], "2001:db8::1", &["192.0.2.4"]),
            "192.0.2.4"
        );
    }
}
