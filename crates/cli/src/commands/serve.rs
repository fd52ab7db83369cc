//! `partita serve`: people judge in their browsers.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use partita_server::{Contact, IpNet, ServeError, ServeSettings, StoreError};

use super::features;
use crate::failure::Failure;
use crate::output::Destination;
use crate::show::named;

/// Serve campaigns to people in their browsers
///
/// Everything lies in one folder: an SQLite database, the secret of the server, and on the first start the
/// first organiser's token (`organiser.token`). Every answer is on disk before it is acknowledged. Several
/// servers share a campaign through PostgreSQL (--database) and the same file `secret`.
///
/// Put a reverse proxy with TLS before it if it is to be reached from elsewhere; docs/server.md shows how.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  partita serve --data campaigns\n  partita serve --data campaigns --listen 127.0.0.1:0 --format json\n  partita serve --data node1 --database postgres://partita@db/partita\n  partita serve --data campaigns --public-url https://judge.example.org \\\n      --trusted-proxy 127.0.0.0/8"
)]
pub(crate) struct ServeArgs {
    /// The folder of the server; it is made if there is none
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The address of a PostgreSQL database, for several servers; SQLite in the folder if not given
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Where people reach it; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where it answers /live, /ready and /metrics, for the machine itself
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    local: SocketAddr,
    /// The address that people see, where a proxy stands before the server
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Whom to tell of weaknesses of this server (mailto:, https:// or tel:), for
    /// /.well-known/security.txt; its own page /security if not given
    #[arg(long, value_name = "URI")]
    security_contact: Option<Contact>,
    /// The proxies whose word is taken for where people come from
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<IpNet>,
    /// No limits of how often somebody may ask: for load tests, on the machine itself only
    #[arg(long)]
    no_limits: bool,
    /// How the addresses are printed: text or json
    #[arg(long, value_name = "FORMAT", value_parser = named::<Announcement>(), default_value = "text")]
    format: Announcement,
}

partita_stats::named! {
    /// How addresses are printed.
    enum Announcement: "format" = Text {
        /// A sentence
        Text = "text",
        /// An object
        Json = "json",
    }
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let settings = ServeSettings {
        data: args.data.clone(),
        database: args.database.clone(),
        listen: args.listen,
        local: args.local,
        public_url: args.public_url.clone(),
        security_contact: args.security_contact.clone(),
        trusted_proxies: args.trusted_proxy.clone(),
        no_limits: args.no_limits,
        patience: ServeSettings::PATIENCE,
        connections: ServeSettings::usual_connections(),
    };
    let mut said = Ok(());
    let served = partita_server::run(settings, |running| {
        let line = match args.format {
            Announcement::Text => format!("Listening on {}\n", running.url),
            Announcement::Json => {
                let line = serde_json::to_string(&running.addresses());
                line.expect("two texts") + "\n"
            }
        };
        said = Destination::default().write(&line);
        Ok(())
    });
    served.map_err(not_served)?;
    said
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        not_served(error)
    }
}

/// Why a server cannot be started, and what can be done.
pub(crate) fn not_served(error: ServeError) -> Failure {
    let hint = match &error {
        ServeError::FolderInUse(_) => "end the other server, or give this one another --data",
        ServeError::Port { .. } => "give another port with --listen; port 0 is any that is free",
        ServeError::Store(StoreError::NoPostgres) => return features::POSTGRES.into(),
        ServeError::NotLoopback(_) => "say `--listen 127.0.0.1:8080`, or leave --no-limits out",
        ServeError::Store(StoreError::Later { .. } | StoreError::UnknownSchema { .. }) => {
            return Failure::input(error.to_string());
        }
        ServeError::Store(_) => "see that the database runs and that its address is right",
        ServeError::Failed => "start it again, and please report what it wrote before it ended",
        ServeError::Io(_) | ServeError::OtherSecret(_) => return Failure::input(error.to_string()),
    };
    Failure::input(error.to_string()).hint(hint)
}
