//! Starting and ending a server.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
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
use crate::data_folder::{DataFolder, write_private_file};
use crate::handlers::health as local;
use crate::handlers::security_txt::SecurityContact;
use crate::http::connections;
use crate::http::problem::{HttpProblem, ProblemKind};
use crate::http::rate_limit::RateLimits;
#[cfg(feature = "postgres")]
use crate::store::postgres::PostgresStore;
use crate::store::sqlite::SqliteStore;
use crate::store::statement as sql;
use crate::store::{DatabaseError, Store, StoreError, fetch_optional, migrations};
use crate::writer::{UnixMillis, WriterHandle};
use crate::{AppState, pages, routes};

/// How a server is started.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The folder of the server, which is made if there is none.
    pub data: PathBuf,
    /// The address of a PostgreSQL database; SQLite in the folder if not given.
    pub database: Option<String>,
    /// Where people reach it.
    pub listen: SocketAddr,
    /// Where it says how it is.
    pub health_listen: SocketAddr,
    /// The address that people see, where it is another than that of the server itself.
    pub public_url: Option<String>,
    /// Whom to tell of weaknesses of this server.
    pub security_contact: Option<SecurityContact>,
    /// The proxies whose word about addresses is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Whether there are no limits of how often somebody may ask; on the machine itself only.
    pub disable_rate_limits: bool,
    /// How long a request may take to arrive whole, and for how long nothing of an answer may be taken:
    /// [`ServeSettings::PATIENCE`] but for tests.
    pub timeout: Duration,
    /// The most connections at once, of which the one that was silent the longest makes room for a new
    /// one: [`ServeSettings::usual_connections`] but for tests.
    pub max_connections: usize,
}

impl ServerOptions {
    /// How long a server waits for a client.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// How many connections a server has at once: as many as the process may have files open, but for some
    /// that the database wants, and not above 10,000.
    pub fn default_max_connections() -> usize {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let line = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        let limit = line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
        // What a system allows where nobody says otherwise.
        let limit: usize = limit.unwrap_or(1_024);
        limit.saturating_sub(SPARE_FILES).clamp(16, 10_000)
    }
}

/// The files that are kept for the database, the local port and what is read.
const SPARE_FILES: usize = 124;

/// The most connections of the local port.
const MAX_HEALTH_CONNECTIONS: usize = 32;

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A file or folder cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The folder belongs to a server that runs.
    #[error("{}: another server uses this folder", .0.display())]
    FolderInUse(PathBuf),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port is taken.
    #[error("{address}: {error}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why it cannot be used.
        error: io::Error,
    },
    /// The database belongs to servers with another secret.
    #[error(
        "other servers use this database with another secret: copy the file `secret` of one of them into {}",
        .0.display()
    )]
    SecretMismatch(PathBuf),
    /// The task that writes everything failed, so that nothing can be saved any more.
    #[error("the server stopped after an internal error; all acknowledged answers are saved")]
    WriterFailed,
    /// Limits are lifted for the machine itself only.
    #[error("rate limits can be turned off on loopback addresses only, and {0} is not one")]
    NotLoopback(IpAddr),
}

/// What the secret's fingerprint is kept under.
pub(crate) const SECRET_FINGERPRINT_KEY: &str = "secret";

/// A server that runs.
pub struct ServerHandle {
    /// Where people reach it.
    pub url: String,
    /// Where it says how it is.
    pub health_url: String,
    stop: watch::Sender<bool>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
    /// Hears when nothing can be saved any more.
    failed: oneshot::Receiver<()>,
    _lock: std::fs::File,
}

/// Where a server is, as it says when it is ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerAddresses {
    /// Where people reach it.
    pub url: String,
    /// Where it says how it is.
    pub local: String,
}

impl ServerHandle {
    /// Where it is.
    pub fn addresses(&self) -> ServerAddresses {
        ServerAddresses {
            url: self.url.clone(),
            local: self.health_url.clone(),
        }
    }

    /// Lets requests end that have begun, writes what is to be written, and ends.
    pub async fn stop(self) {
        // Nobody listens any more if all have ended.
        let _ = self.stop.send(true);
        let ended = async {
            for task in self.tasks {
                // A task that panicked has ended too.
                let _ = task.await;
            }
        };
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, ended).await;
    }
}

/// How long a server takes to end at most.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(9);

/// Opens the database of a folder, or one elsewhere.
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
            let path = folder.database();
            // Nobody else reads it, whatever the folder allows.
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
/// A folder, database or port that cannot be used; nothing is left half started.
pub async fn start(settings: ServerOptions) -> Result<ServerHandle, ServeError> {
    let loopback = settings.listen.ip().is_loopback();
    if settings.disable_rate_limits && !loopback {
        return Err(ServeError::NotLoopback(settings.listen.ip()));
    }
    let folder = DataFolder::open(&settings.data)?;
    let lock = folder.lock()?;
    let listener = listen(settings.listen)?;
    let local = listen(settings.health_listen)?;
    let store = open_store(&folder, settings.database.as_deref()).await?;
    let secret = ServerSecret::load_or_create(&folder.secret())?;
    register_server(&folder, store.as_ref(), &secret).await?;
    let address = listener.local_addr()?;
    let url = format!("http://{address}");
    let public_url = settings
        .public_url
        .map(|url| url.trim_end_matches('/').to_owned());
    let (desk, writer) = WriterHandle::start(store.clone(), secret);
    let shared = Arc::new(AppState {
        writer: desk,
        store,
        rate_limits: RateLimits::new(settings.disable_rate_limits, settings.trusted_proxies),
        token_cache: TokenCache::default(),
        read_cache: crate::campaign::read_cache::CampaignReadCache::default(),
        public_url: public_url.unwrap_or_else(|| url.clone()),
        contact: settings.security_contact,
    });
    let local_url = format!("http://{}", local.local_addr()?);
    let (stop, stopped) = watch::channel(false);
    let (patience, most) = (settings.timeout, settings.max_connections);
    let people = router(shared.clone());
    let people = connections::serve(listener, people, patience, most, stopped.clone());
    let watching = local::routes().with_state(shared.clone());
    let watching = connections::serve(
        local,
        watching,
        patience,
        MAX_HEALTH_CONNECTIONS,
        stopped.clone(),
    );
    let tidying = evict_rate_limits(Arc::downgrade(&shared), stopped);
    drop(shared);
    let (fails, failed) = oneshot::channel();
    let tasks = vec![
        tokio::spawn(people),
        tokio::spawn(watching),
        tokio::spawn(tidying),
        tokio::spawn(report_panic(spawn_writer_thread(writer), fails)),
    ];
    Ok(ServerHandle {
        url,
        health_url: local_url,
        stop,
        tasks,
        failed,
        _lock: lock,
    })
}

/// Runs the writer on a thread of its own, which waits for the disk and for nothing else: those of the runtime
/// go on with other requests meanwhile.
fn spawn_writer_thread(
    writer: impl Future<Output = ()> + Send + 'static,
) -> tokio::task::JoinHandle<()> {
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(writer))
}

/// Says so if a task ends by a panic. A server without its writer would refuse everything for ever; one
/// that ends is started again by whatever watches over it.
async fn report_panic(task: tokio::task::JoinHandle<()>, fails: oneshot::Sender<()>) {
    if task.await.is_err() {
        // Nobody listens where the server is a part of another program.
        let _ = fails.send(());
    }
}

/// Takes a port. A server that was just ended leaves it in a state in which it can be taken at once.
fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let taken = |error| ServeError::Bind { address, error };
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    };
    let socket = socket.map_err(taken)?;
    socket.set_reuseaddr(true).map_err(taken)?;
    socket.bind(address).map_err(taken)?;
    socket.listen(1_024).map_err(taken)
}

async fn evict_rate_limits(shared: std::sync::Weak<AppState>, mut stopped: watch::Receiver<bool>) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        tokio::select! {
            _ = minute.tick() => {}
            _ = stopped.wait_for(|stop| *stop) => return,
        }
        let Some(shared) = shared.upgrade() else {
            return;
        };
        shared.rate_limits.evict_idle();
    }
}

/// Joins the servers of a database, or is the first: then it makes the first organiser's token.
async fn register_server(
    folder: &DataFolder,
    store: &dyn Store,
    secret: &ServerSecret,
) -> Result<(), ServeError> {
    let mut transaction = store.begin_write().await?;
    transaction.fetch_all(&sql::SCHEMA_LOCK, vec![]).await?;
    let known = fetch_optional(
        transaction.as_mut(),
        &sql::META_GET,
        vec![SECRET_FINGERPRINT_KEY.into()],
    )
    .await?;
    let own = secret.fingerprint();
    if let Some(mut known) = known {
        if known.text()? != own {
            return Err(ServeError::SecretMismatch(folder.secret()));
        }
        transaction.rollback().await?;
        return Ok(());
    }
    let values = vec![SECRET_FINGERPRINT_KEY.into(), own.into()];
    transaction.execute(&sql::META_SET, values).await?;
    let first = transaction
        .fetch_all(&sql::TOKEN_ALL, vec![])
        .await?
        .is_empty();
    let path = folder.organiser_token();
    if first && !path.exists() {
        let scopes = [Scope::Read, Scope::Manage, Scope::People, Scope::Tokens];
        let made = insert_token(transaction.as_mut(), &scopes, None, UnixMillis::now()).await?;
        write_private_file(&path, format!("{}\n", made.1.as_str()).as_bytes())?;
        return transaction.commit().await.map_err(|error| {
            // A token that the database does not know opens nothing; the next start makes another.
            let _ = std::fs::remove_file(&path);
            error.into()
        });
    }
    Ok(transaction.commit().await?)
}

/// All that people can ask for.
fn router(shared: Arc<AppState>) -> Router {
    let missing = || async { HttpProblem::not_found("address") };
    let wrong = || async {
        let detail = "method not allowed at this address; see the `Allow` header";
        HttpProblem::new(ProblemKind::Method, detail)
    };
    Router::new()
        .merge(routes::router())
        .merge(pages::routes())
        .fallback(missing)
        .method_not_allowed_fallback(wrong)
        .with_state(shared)
}

/// Serves until the process is asked to end (SIGTERM, or Ctrl-C), or what is to be done once it is ready
/// fails. That may use the server's [place](crate::Place).
///
/// # Errors
/// As [`start`], or what `ready` says.
pub fn run<E: From<ServeError>>(
    settings: ServerOptions,
    ready: impl FnOnce(&ServerHandle) -> Result<(), E>,
) -> Result<(), E> {
    // One core is for the writer, which has a thread of its own.
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.saturating_sub(1).max(1))
        .enable_all()
        .build()
        .map_err(ServeError::from)?;
    runtime.block_on(async {
        let mut running = start(settings).await?;
        let mut terminated = signal(SignalKind::terminate()).map_err(ServeError::from)?;
        let mut interrupted = signal(SignalKind::interrupt()).map_err(ServeError::from)?;
        let mut ended = tokio::task::block_in_place(|| ready(&running));
        if ended.is_ok() {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
                Ok(()) = &mut running.failed => ended = Err(ServeError::WriterFailed.into()),
            }
        }
        running.stop().await;
        ended
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_writer_that_panics_is_noticed_and_one_that_ends_is_not_missed() {
        let (fails, failed) = oneshot::channel();
        let panics = tokio::spawn(async { panic!("as a defect would") });
        report_panic(panics, fails).await;
        assert_eq!(failed.await, Ok(()));
        let (fails, failed) = oneshot::channel();
        report_panic(tokio::spawn(async {}), fails).await;
        assert!(failed.await.is_err());
    }
}
