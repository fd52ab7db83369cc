//! Public URL of a server, with which the links to it begin.

use std::fmt;
use std::str::FromStr;

/// Public URL of a server: `http://` or `https://`, a host and an optional port. It has no path,
/// because the pages are at the root of their host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

/// Error for a text that is no public URL of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// The text does not begin with `http://` or `https://`.
    #[error("the address must begin with https:// or http://")]
    Scheme,
    /// The text has no host, or one with invalid characters.
    #[error("the address needs a host, as in https://judge.example.org")]
    Host,
    /// The text goes on after the host.
    #[error("the address must end after the host or port: the pages are at the root of their host")]
    Path,
}

impl PublicUrl {
    /// Returns the URL without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if browsers encrypt what they send to this URL.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str(&self.0)
    }
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        // Browsers send their origin in lower case.
        let text = text.trim_end_matches('/').to_ascii_lowercase();
        let rest = (text.strip_prefix("https://")).or_else(|| text.strip_prefix("http://"));
        let host = rest.ok_or(PublicUrlError::Scheme)?;
        if host.contains(['/', '?', '#']) {
            return Err(PublicUrlError::Path);
        }
        let is_valid = |c: char| c.is_alphanumeric() || "-._:[]".contains(c);
        if !host.starts_with(|c: char| c.is_alphanumeric() || c == '[')
            || !host.chars().all(is_valid)
        {
            return Err(PublicUrlError::Host);
        }
        Ok(Self(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_scheme_host_and_port() {
        let parsed = |text: &str| text.parse::<PublicUrl>().map(|url| url.as_str().to_owned());
        let https = "https://judge.example.org";
        assert_eq!(parsed("https://Judge.example.org/"), Ok(https.to_owned()));
        assert_eq!(
            parsed("http://[::1]:8080"),
            Ok("http://[::1]:8080".to_owned())
        );
        for (text, error) in [
            ("judge.example.org", PublicUrlError::Scheme),
            ("ftp://judge.example.org", PublicUrlError::Scheme),
            ("", PublicUrlError::Scheme),
            ("https://", PublicUrlError::Scheme),
            ("https://a b", PublicUrlError::Host),
            ("https://user@host", PublicUrlError::Host),
            ("https://:8080", PublicUrlError::Host),
            ("https://host/judge", PublicUrlError::Path),
            ("https://host?x", PublicUrlError::Path),
        ] {
            assert_eq!(parsed(text), Err(error), "{text}");
        }
    }
}
