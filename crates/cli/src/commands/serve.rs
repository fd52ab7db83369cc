//! `partita serve`: judging server for browsers.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use partita_server::{
    IpNet, PublicUrl, SecurityContact, ServeError, ServerHandle, ServerOptions, StoreError,
};

use super::features;
use crate::output::destination::{Destination, print_message};
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Serve campaigns to judges in their browsers
///
/// All data is in one folder: an SQLite database, the secret of the server and, on the first start,
/// the token of the first organiser (`organiser.token`). Every answer is on disk before it is
/// acknowledged. Several servers can share campaigns through PostgreSQL (--database) and the same
/// file `secret`.
///
/// It prints its address, the address where organisers sign in, the file with their token, and the
/// command that creates a campaign.
///
/// Put a reverse proxy with TLS in front of it if it is reached from other machines; see
/// docs/server.md.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  partita serve --data campaigns\n  partita serve --data campaigns --listen 127.0.0.1:0 --format json\n  partita serve --data node1 --database postgres://partita@db/partita\n  partita serve --data campaigns --public-url https://judge.example.org \\\n      --trusted-proxy 127.0.0.0/8"
)]
pub(crate) struct ServeArgs {
    /// Folder of the server; created if missing
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// URL of a PostgreSQL database, for several servers [default: SQLite in the folder]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Address to listen on: address and port, or a port of this machine alone; port 0 takes any
    /// free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_listen_address)]
    listen: SocketAddr,
    /// Address of the health and metrics endpoints (/live, /ready, /metrics)
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", value_parser = parse_listen_address)]
    local: SocketAddr,
    /// Public address, if a proxy is in front of the server
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// Contact for security reports (mailto:, https:// or tel:), published in
    /// /.well-known/security.txt [default: the page /security of this server]
    #[arg(long, value_name = "URI")]
    security_contact: Option<SecurityContact>,
    /// Trusted proxy networks; their X-Forwarded-For header gives the client address
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<IpNet>,
    /// Disable rate limits (load tests on a loopback address only)
    #[arg(long)]
    no_limits: bool,
    /// Format of the printed addresses: text or json
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<AddressFormat>(), default_value = "text")]
    format: AddressFormat,
}

partita::named::named_enum! {
    /// Output format of the addresses.
    enum AddressFormat: "format" = Text {
        /// The addresses in sentences
        Text = "text",
        /// The addresses as a JSON object
        Json = "json",
    }
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), CliError> {
    let settings = ServerOptions {
        data: args.data.clone(),
        database: args.database.clone(),
        listen: args.listen,
        health_listen: args.local,
        public_url: args.public_url.clone(),
        security_contact: args.security_contact.clone(),
        trusted_proxies: args.trusted_proxy.clone(),
        disable_rate_limits: args.no_limits,
        timeout: ServerOptions::DEFAULT_TIMEOUT,
        max_connections: ServerOptions::default_max_connections(),
    };
    if let Some(warning) = encryption_warning(args) {
        print_message(&warning);
    }
    let mut printed = Ok(());
    partita_server::run(settings, |running| {
        let line = match args.format {
            AddressFormat::Text => first_steps(running, &args.data),
            AddressFormat::Json => {
                let line = serde_json::to_string(&running.addresses());
                line.expect("two texts") + "\n"
            }
        };
        // The server also runs if nobody reads its output.
        printed = Destination::default().write(&line);
        Ok::<(), CliError>(())
    })?;
    printed
}

/// Parses an address to listen on. A port alone and `localhost:PORT` mean the loopback address.
fn parse_listen_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    if port.bytes().all(|byte| byte.is_ascii_digit()) {
        let on_loopback = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let too_large = || "a port is a number from 0 to 65535".to_owned();
        return port.parse().map(on_loopback).map_err(|_| too_large());
    }
    let expected =
        "write an address and port (`0.0.0.0:8080`), `localhost:8080`, or a port (`8080`)";
    text.parse().map_err(|_| expected.to_owned())
}

/// Returns a warning if people can reach the server from other machines without encryption.
fn encryption_warning(args: &ServeArgs) -> Option<String> {
    let is_encrypted = args.public_url.as_ref().is_some_and(PublicUrl::is_https);
    let is_reachable = !args.listen.ip().is_loopback();
    (is_reachable && !is_encrypted).then(|| {
        format!(
            "warning: {} can be reached from other machines, and http sends tokens and answers \
             unencrypted; put a proxy with TLS in front, and give its address as `--public-url https://..`",
            args.listen
        )
    })
}

/// Returns the addresses of a server that is ready, and the first steps of its organiser.
fn first_steps(running: &ServerHandle, data: &Path) -> String {
    let data = data.display();
    let token = match running.organiser_token_file() {
        Some(file) => format!("the token in {}", file.display()),
        None => {
            format!("a token of `partita token create --scope read,manage,people --data {data}`")
        }
    };
    format!(
        "Listening on {}\n\
         Organise: {}/organise\n\
         Sign in with {token}\n\
         Create a campaign: partita campaign create campaign.json --data {data}\n",
        running.url, running.public_url
    )
}

impl From<ServeError> for CliError {
    fn from(error: ServeError) -> Self {
        let hint = match &error {
            ServeError::FolderInUse(_) => "stop the other server, or use another --data",
            ServeError::Bind { .. } => {
                "give another port with --listen; port 0 takes any free port"
            }
            ServeError::Store(StoreError::NoPostgres) => return features::POSTGRES.into(),
            ServeError::NotLoopback(_) => "use `--listen 127.0.0.1:8080`, or leave --no-limits out",
            ServeError::Store(
                StoreError::NewerSchema { .. } | StoreError::UnknownSchema { .. },
            ) => {
                return Self::input(error.to_string());
            }
            ServeError::Store(_) => "check that the database runs and that its URL is right",
            ServeError::WriterFailed => {
                "start it again, and please report the messages printed before"
            }
            ServeError::Io(_) | ServeError::SecretMismatch(_) => {
                return Self::input(error.to_string());
            }
        };
        Self::input(error.to_string()).with_hint(hint)
    }
}
