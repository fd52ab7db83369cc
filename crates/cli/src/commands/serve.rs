//! `partita serve`: judging server for browsers.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use partita_server::{IpNet, SecurityContact, ServeError, ServerOptions, StoreError};

use super::features;
use crate::output::destination::Destination;
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Serve campaigns to judges in their browsers
///
/// All data is in one folder: an SQLite database, the secret of the server and, on the first start,
/// the token of the first organiser (`organiser.token`). Every answer is on disk before it is
/// acknowledged. Several servers can share campaigns through PostgreSQL (--database) and the same
/// file `secret`.
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
    /// Address to listen on; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Address of the health and metrics endpoints (/live, /ready, /metrics)
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    local: SocketAddr,
    /// Public address, if a proxy is in front of the server
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
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
    let mut printed = Ok(());
    partita_server::run(settings, |running| {
        let line = match args.format {
            AddressFormat::Text => format!("Listening on {}\n", running.url),
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
