//! Start and shutdown of a server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{oneshot, watch};

use crate::auth::ServerSecret;
use crate::auth::organiser::{Scope, insert_token};
use crate::auth::token_cache::TokenCache;
use crate::campaign::forecast_cache::ForecastCache;
use crate::campaign::read_cache::CampaignReadCache;
use crate::data_folder::{DataFolder, StoredAddresses, write_private_file};
use crate::handlers::health;
use crate::handlers::security_txt::SecurityContact;
use crate::http::connections::{self, ConnectionLimits};
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::rate_limit::RateLimits;
use crate::media::MediaReader;
use crate::operation::failure_log;
use crate::operation::request_observer::RequestObserver;
use crate::public_url::PublicUrl;
#[cfg(feature = "postgres")]
use crate::store::postgres::PostgresStore;
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{DatabaseError, Store, StoreError, migrations};
use crate::writer::{UnixMillis, WriterHandle};
use crate::{AppState, pages, routes};

/// Options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Data folder; created if it does not exist.
    pub data: PathBuf,
    /// URL of a PostgreSQL database; defaults to SQLite in the data folder.
    pub database: Option<String>,
    /// Address on which the public HTTP endpoints listen.
    pub listen: SocketAddr,
    /// Address on which the health and metrics endpoints listen.
    pub health_listen: SocketAddr,
    /// Public base URL of the server, if it differs from the listen address.
    pub public_url: Option<PublicUrl>,
    /// Contact of the server's operator for reports of vulnerabilities.
    pub security_contact: Option<SecurityContact>,
    /// Networks of trusted proxies, whose `X-Forwarded-For` header gives the client address.
    pub trusted_proxies: Vec<IpNet>,
    /// True to disable rate limits. Allowed only on loopback addresses.
    pub disable_rate_limits: bool,
    /// Timeout of clients: a request must arrive completely within this time, and a client that
    /// reads nothing of a response for this time is disconnected. An upload ends when nothing
    /// arrives for this time, or less than 20 kB/s over twice this time.
    /// [`ServerOptions::DEFAULT_TIMEOUT`] except in tests.
    pub timeout: Duration,
    /// Maximum number of connections. When it is reached, a new connection replaces the one that
    /// was idle longest. [`ServerOptions::default_max_connections`] except in tests.
    pub max_connections: usize,
}

impl ServerOptions {
    /// Default timeout of clients.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// Returns the default maximum number of connections: the soft limit of the process on open
    /// files (1,024 if unknown) minus a reserve of 124, but at least 16 and at most 10,000.
    pub fn default_max_connections() -> usize {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let open_files = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        let limit = open_files.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
        // Fall back to a common default if the limit is unknown.
        let limit: usize = limit.unwrap_or(1_024);
        limit
            .saturating_sub(RESERVED_FILE_DESCRIPTORS)
            .clamp(16, 10_000)
    }
}

/// Number of file descriptors reserved for the database, the health endpoints and other files.
const RESERVED_FILE_DESCRIPTORS: usize = 124;

/// Maximum number of connections to the health endpoints.
const MAX_HEALTH_CONNECTIONS: usize = 32;

/// Error that prevents a server from starting or running.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A file, a folder or another resource of the operating system cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another running server uses the data folder.
    #[error("{}: another server uses this folder", .0.display())]
    FolderInUse(PathBuf),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The listen address cannot be bound.
    #[error("{address}: {error}")]
    Bind {
        /// Listen address that cannot be bound.
        address: SocketAddr,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The database belongs to servers with a different secret.
    #[error(
        "other servers use this database with another secret: copy the file `secret` of one of them into {}",
        .0.display()
    )]
    SecretMismatch(PathBuf),
    /// The writer failed, so the server can no longer save anything.
    #[error("the server stopped after an internal error; all acknowledged answers are saved")]
    WriterFailed,
    /// Rate limits are disabled, but the listen address is not a loopback address.
    #[error("rate limits can be turned off on loopback addresses only, and {0} is not one")]
    NotLoopback(IpAddr),
}

/// Key of the database row that holds the fingerprint of the server secret.
pub(crate) const SECRET_FINGERPRINT_KEY: &str = "secret";

/// Handle to a running server.
pub struct ServerHandle {
    /// URL of the public endpoints.
    pub url: String,
    /// URL of the health and metrics endpoints.
    pub health_url: String,
    /// URL with which links to the server begin.
    pub public_url: String,
    folder: DataFolder,
    stop: watch::Sender<bool>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
    /// Receiver that is notified when the writer (the task that changes campaigns) fails.
    failed: oneshot::Receiver<()>,
    _lock: std::fs::File,
}

/// URLs of a running server, printed when it is ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerAddresses {
    /// URL of the public endpoints.
    pub url: String,
    /// URL of the health and metrics endpoints.
    pub local: String,
}

impl ServerHandle {
    /// Returns the URLs of the server.
    pub fn addresses(&self) -> ServerAddresses {
        ServerAddresses {
            url: self.url.clone(),
            local: self.health_url.clone(),
        }
    }

    /// Lets current requests finish, writes pending data and stops the server. Returns after at
    /// most 9 seconds, even if requests are unfinished.
    pub async fn stop(self) {
        // Sending fails only if all receivers have already ended.
        let _ = self.stop.send(true);
        let all_ended = async {
            for task in self.tasks {
                // A task that panicked has ended, too.
                let _ = task.await;
            }
        };
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, all_ended).await;
        failure_log::write_all_groups();
        // Addresses that stay are ignored, because the lock ends with the server.
        let _ = self.folder.remove_addresses();
    }

    /// Returns the path of the file with the first organiser token, if it still exists.
    pub fn organiser_token_file(&self) -> Option<PathBuf> {
        Some(self.folder.organiser_token_path()).filter(|path| path.exists())
    }
}

/// Maximum duration of a shutdown. Requests that take longer are abandoned.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(9);

/// Opens the PostgreSQL database if a URL is given, otherwise the SQLite database of the data
/// folder, which is created if it does not exist. Migrates the database to the latest schema.
pub(crate) async fn open_store(
    folder: &DataFolder,
    database: Option<&str>,
) -> Result<Arc<dyn Store>, StoreError> {
    let store: Arc<dyn Store> = match database {
        #[cfg(feature = "postgres")]
        Some(url) => Arc::new(PostgresStore::open(url).await?),
        #[cfg(not(feature = "postgres"))]
        Some(_) => return Err(StoreError::NoPostgres),
        None => {
            let path = folder.database_path();
            // Create the file with private permissions, whatever those of the folder are.
            if !path.exists() {
                write_private_file(&path, b"").map_err(DatabaseError::from)?;
            }
            Arc::new(SqliteStore::open(&path).await?)
        }
    };
    migrations::migrate(store.as_ref()).await?;
    Ok(store)
}

/// Starts a server.
///
/// # Errors
/// Returns a [`ServeError`] if the folder, the database, the secret or an address cannot be used,
/// or if rate limits are disabled and `listen` is not a loopback address; no part of the server
/// keeps running in that case.
pub async fn start(options: ServerOptions) -> Result<ServerHandle, ServeError> {
    if options.disable_rate_limits && !options.listen.ip().is_loopback() {
        return Err(ServeError::NotLoopback(options.listen.ip()));
    }
    let folder = DataFolder::open(&options.data)?;
    let lock = folder.lock()?;
    let listener = bind(options.listen)?;
    let health_listener = bind(options.health_listen)?;
    let store = open_store(&folder, options.database.as_deref()).await?;
    let secret = ServerSecret::load_or_create(&folder.secret_path())?;
    register_server(&folder, store.as_ref(), &secret).await?;
    let address = listener.local_addr()?;
    let url = format!("http://{address}");
    let health_url = format!("http://{}", health_listener.local_addr()?);
    let public_url = match &options.public_url {
        Some(url) => url.to_string(),
        None => format!("http://{}", reachable_address(address)),
    };
    folder.remove_addresses()?;
    folder.write_addresses(&StoredAddresses {
        public_url: public_url.clone(),
        url: url.clone(),
        local: health_url.clone(),
    })?;
    let (handle, writer) = WriterHandle::start(store.clone(), secret);
    let observer = Arc::new(RequestObserver::new(handle.metrics.clone()));
    let shared = Arc::new(AppState {
        writer: handle,
        media: MediaReader::new(store.clone()),
        store,
        rate_limits: RateLimits::new(options.disable_rate_limits, options.trusted_proxies),
        token_cache: TokenCache::default(),
        read_cache: CampaignReadCache::default(),
        forecasts: ForecastCache::default(),
        public_url: public_url.clone(),
        observer: observer.clone(),
        contact: options.security_contact,
    });
    let (stop, stopped) = watch::channel(false);
    let (failure, failed) = oneshot::channel();
    let tasks = vec![
        tokio::spawn(connections::serve(
            listener,
            router(shared.clone()),
            ConnectionLimits {
                timeout: options.timeout,
                max_connections: options.max_connections,
            },
            Some(observer),
            stopped.clone(),
        )),
        tokio::spawn(connections::serve(
            health_listener,
            health::routes().with_state(shared.clone()),
            ConnectionLimits {
                timeout: options.timeout,
                max_connections: MAX_HEALTH_CONNECTIONS,
            },
            None,
            stopped.clone(),
        )),
        tokio::spawn(evict_unused(Arc::downgrade(&shared), stopped.clone())),
        tokio::spawn(probe_after_failures(Arc::downgrade(&shared), stopped)),
        tokio::spawn(report_panic(spawn_writer_thread(writer), failure)),
    ];
    Ok(ServerHandle {
        url,
        health_url,
        public_url,
        folder,
        stop,
        tasks,
        failed,
        _lock: lock,
    })
}

/// Returns an address of this machine that browsers can open, for links. A server that listens on
/// all addresses has none of its own, so the links use the loopback address.
fn reachable_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Returns the URL with which links to the server that runs on a data folder begin; `None` if no
/// server runs there.
///
/// # Errors
/// Returns the I/O error if the folder cannot be read.
pub fn running_server_url(folder: &Path) -> io::Result<Option<String>> {
    let addresses = DataFolder::new(folder).running_addresses()?;
    Ok(addresses.map(|addresses| addresses.public_url))
}

/// Runs the writer (the task that changes campaigns) on its own thread, because it blocks on disk
/// writes. The threads of the runtime handle requests meanwhile.
fn spawn_writer_thread(
    writer: impl Future<Output = ()> + Send + 'static,
) -> tokio::task::JoinHandle<()> {
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(writer))
}

/// Waits for the end of a task and sends a notification if it panicked. A server without its writer
/// would reject every request, so it has to stop; a service manager can then restart it.
async fn report_panic(task: tokio::task::JoinHandle<()>, failure: oneshot::Sender<()>) {
    if task.await.is_err() {
        // Ignore a missing receiver: a program that embeds the server may have dropped it.
        let _ = failure.send(());
    }
}

/// Binds a listen address. Sets `SO_REUSEADDR`, so that a restarted server can bind at once.
fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let bind_error = |error| ServeError::Bind { address, error };
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    };
    let socket = socket.map_err(bind_error)?;
    socket.set_reuseaddr(true).map_err(bind_error)?;
    socket.bind(address).map_err(bind_error)?;
    socket.listen(1_024).map_err(bind_error)
}

/// Number of minutes between two deletions of expired tokens.
const MINUTES_BETWEEN_PURGES: u64 = 60;

/// Evicts idle entries of the rate limits and of the read cache every minute, and deletes expired
/// tokens at the start and every hour, until shutdown.
async fn evict_unused(shared: std::sync::Weak<AppState>, mut stopped: watch::Receiver<bool>) {
    let mut minute = tokio::time::interval(Duration::from_mins(1));
    let mut minutes = 0_u64;
    loop {
        tokio::select! {
            _ = minute.tick() => {}
            _ = stopped.wait_for(|stop| *stop) => return,
        }
        let Some(shared) = shared.upgrade() else {
            return;
        };
        shared.rate_limits.evict_idle();
        shared.read_cache.evict_unused();
        shared.media.evict_idle();
        if minutes.is_multiple_of(MINUTES_BETWEEN_PURGES) {
            shared.purge_expired_tokens().await;
        }
        minutes += 1;
    }
}

/// Tries a small write every second while the last transaction counts as failed, until shutdown. So
/// a server that nobody sends anything becomes ready again by itself. Also writes the lines of
/// complete groups of failures.
async fn probe_after_failures(
    shared: std::sync::Weak<AppState>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        tokio::select! {
            _ = second.tick() => {}
            _ = stopped.wait_for(|stop| *stop) => return,
        }
        failure_log::write_ended_groups();
        let Some(shared) = shared.upgrade() else {
            return;
        };
        if shared.writer.metrics.health.failure().is_some() {
            tokio::select! {
                () = shared.writer.probe() => {}
                _ = stopped.wait_for(|stop| *stop) => return,
            }
        }
    }
}

/// Checks that this server has the same secret as the other servers of the database. The first
/// server stores the fingerprint of its secret, and creates the first organiser token if there are
/// neither tokens nor a token file.
async fn register_server(
    folder: &DataFolder,
    store: &dyn Store,
    secret: &ServerSecret,
) -> Result<(), ServeError> {
    let mut transaction = store.begin_write().await?;
    transaction.fetch_all(&sql::SCHEMA_LOCK, vec![]).await?;
    let stored = transaction
        .fetch_optional(&sql::META_GET, vec![SECRET_FINGERPRINT_KEY.into()])
        .await?;
    let own = secret.fingerprint();
    if let Some(mut stored) = stored {
        if stored.text()? != own {
            return Err(ServeError::SecretMismatch(folder.secret_path()));
        }
        transaction.rollback().await?;
        return Ok(());
    }
    let values = vec![SECRET_FINGERPRINT_KEY.into(), own.into()];
    transaction.execute(&sql::META_SET, values).await?;
    let tokens = transaction.fetch_all(&sql::TOKEN_ALL, vec![]).await?;
    let path = folder.organiser_token_path();
    if tokens.is_empty() && !path.exists() {
        let scopes = [Scope::Read, Scope::Manage, Scope::People, Scope::Tokens];
        let issued = insert_token(transaction.as_mut(), &scopes, None, UnixMillis::now()).await?;
        write_private_file(&path, format!("{}\n", issued.token).as_bytes())?;
        return transaction.commit().await.map_err(|error| {
            // Remove the file, because its token was not saved in the database. The next start
            // creates a new one.
            let _ = std::fs::remove_file(&path);
            error.into()
        });
    }
    Ok(transaction.commit().await?)
}

/// Builds the router of all public endpoints.
fn router(shared: Arc<AppState>) -> Router {
    let unknown_path = || async { HttpProblem::not_found("address") };
    let wrong_method = || async {
        let detail = "method not allowed at this address; see the `Allow` header";
        HttpProblem::new(ProblemKind::MethodNotAllowed, detail)
    };
    Router::new()
        .merge(routes::router())
        .merge(pages::routes())
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .with_state(shared)
}

/// Runs a server until SIGTERM or Ctrl-C, or until `ready` or the writer fails. `ready` is called
/// once the server accepts requests, and may use its [storage](crate::ServerStorage).
///
/// # Errors
/// Returns the errors of [`start`] and of `ready`, [`ServeError::WriterFailed`] if the writer
/// fails, and [`ServeError::Io`] if the runtime or the signal handlers cannot be set up.
pub fn run<E: From<ServeError>>(
    options: ServerOptions,
    ready: impl FnOnce(&ServerHandle) -> Result<(), E>,
) -> Result<(), E> {
    // Leave one core to the writer, which has its own thread.
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.saturating_sub(1).max(1))
        .enable_all()
        .build()
        .map_err(ServeError::from)?;
    runtime.block_on(async {
        let mut server = start(options).await?;
        let mut terminated = signal(SignalKind::terminate()).map_err(ServeError::from)?;
        let mut interrupted = signal(SignalKind::interrupt()).map_err(ServeError::from)?;
        let mut result = tokio::task::block_in_place(|| ready(&server));
        if result.is_ok() {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
                Ok(()) = &mut server.failed => result = Err(ServeError::WriterFailed.into()),
            }
        }
        server.stop().await;
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_panic_of_the_writer_is_reported() {
        let (fails, failed) = oneshot::channel();
        let panics = tokio::spawn(async { panic!("simulated defect") });
        report_panic(panics, fails).await;
        assert_eq!(failed.await, Ok(()));
        let (fails, failed) = oneshot::channel();
        report_panic(tokio::spawn(async {}), fails).await;
        assert!(failed.await.is_err());
    }
}
