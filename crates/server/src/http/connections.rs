//! Accept loop with timeouts and eviction of idle connections.
//!
//! A request must arrive completely within a timeout that starts with its first byte, so that
//! clients that send headers or a body slowly hold no resources. A response is abandoned if the
//! client reads nothing for the same time. When the maximum number of connections is reached, the
//! one that was idle longest is closed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::response::IntoResponse as _;
use hyper::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::headers;
use super::problem::HttpProblem;
use super::request::ENCODED_NUL;
use crate::routes::map_bad_path_to_not_found;

/// Delay before the next attempt to accept a connection after `accept` failed.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Error for a request body that did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the request did not arrive completely in time")]
pub(crate) struct RequestTimeoutError;

/// State of a connection, shared between its task and the accept loop.
struct ConnectionState {
    times: Mutex<ConnectionTimes>,
    /// Signal that the connection must be closed to make room for another.
    evict: Notify,
}

/// Times from which idle connections and slow requests are recognised.
struct ConnectionTimes {
    /// Time of arrival of the first byte of the current request; `None` between requests.
    request_started: Option<Instant>,
    /// Time of the last read or write on the connection.
    last_activity: Instant,
}

impl ConnectionState {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            times: Mutex::new(ConnectionTimes {
                request_started: None,
                last_activity: Instant::now(),
            }),
            evict: Notify::new(),
        })
    }

    fn times(&self) -> MutexGuard<'_, ConnectionTimes> {
        self.times
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

/// Accepts and serves connections until `stopped` holds true, then lets the current requests
/// finish.
pub(crate) async fn serve(
    listener: TcpListener,
    application: Router,
    timeout: Duration,
    max_connections: usize,
    mut stopped: watch::Receiver<bool>,
) {
    let mut tasks: JoinSet<u64> = JoinSet::new();
    let mut connections: HashMap<u64, Arc<ConnectionState>> = HashMap::new();
    let mut number = 0;
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Ignore a client that has already disconnected. Other errors, such as a lack
                    // of file descriptors, are reported, and an idle connection is closed.
                    if error.kind() != io::ErrorKind::ConnectionAborted {
                        crate::log_error(&error);
                        evict_idlest(&connections);
                        sleep(ACCEPT_RETRY_DELAY).await;
                    }
                    continue;
                }
            },
            Some(ended) = tasks.join_next() => {
                match ended {
                    Ok(number) => _ = connections.remove(&number),
                    // A panicked task returns no connection number, so remove all states that no
                    // task holds any more.
                    Err(_) => connections.retain(|_, state| Arc::strong_count(state) > 1),
                }
                continue;
            }
            () = wait_for_shutdown(&mut stopped) => break,
        };
        if connections.len() >= max_connections {
            evict_idlest(&connections);
        }
        number += 1;
        let state = ConnectionState::new();
        connections.insert(number, state.clone());
        let connection = serve_connection(
            stream,
            peer,
            application.clone(),
            state,
            timeout,
            stopped.clone(),
        );
        tasks.spawn(async move {
            connection.await;
            number
        });
    }
    drop((listener, application));
    while tasks.join_next().await.is_some() {}
}

async fn wait_for_shutdown(stopped: &mut watch::Receiver<bool>) {
    // A dropped sender also means shutdown.
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// Closes the connection that has been idle longest.
fn evict_idlest(connections: &HashMap<u64, Arc<ConnectionState>>) {
    let idlest = connections
        .values()
        .min_by_key(|state| state.times().last_activity);
    if let Some(state) = idlest {
        // Closing may take a while; make sure that the next eviction chooses another connection.
        state.times().last_activity = Instant::now();
        state.evict.notify_one();
    }
}

/// Serves one connection until it ends.
async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    application: Router,
    state: Arc<ConnectionState>,
    timeout: Duration,
    mut stopped: watch::Receiver<bool>,
) {
    let application = TowerToHyperService::new(application);
    let request_state = state.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let state = request_state.clone();
        let path = request.uri().path();
        let is_api = path.starts_with("/api/");
        // No name contains NUL, and PostgreSQL refuses statements with it.
        let has_nul = path.contains(ENCODED_NUL);
        let response =
            application.call(request.map(|body| Body::new(TimedBody::new(body, state, timeout))));
        async move {
            // Headers are added here and not in a router layer, because each layer boxes and clones
            // the service that it wraps.
            let mut response = match has_nul {
                true => HttpProblem::not_found("address").into_response(),
                false => map_bad_path_to_not_found(response.await?),
            };
            headers::add_security_headers(response.headers_mut(), is_api);
            Ok::<_, Infallible>(response)
        }
    });
    let timed = TimedStream {
        stream,
        state: state.clone(),
        timeout,
        stall_timer: None,
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
        .serve_connection(TokioIo::new(timed), service);
    let mut connection = pin!(connection);
    // Connection errors are not reported: the client notices that the connection ended.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = state.evict.notified() => return,
        () = wait_for_shutdown(&mut stopped) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Request body that fails if it does not arrive before a deadline.
struct TimedBody {
    body: Incoming,
    state: Arc<ConnectionState>,
    deadline: Instant,
    /// Timer that fires at the deadline. Created only when the body has to wait, because most
    /// bodies are complete at the first poll.
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    fn new(body: Incoming, state: Arc<ConnectionState>, timeout: Duration) -> Self {
        let started = state.times().request_started.unwrap_or_else(Instant::now);
        Self {
            body,
            state,
            deadline: started + timeout,
            timer: None,
        }
    }
}

impl Drop for TimedBody {
    fn drop(&mut self) {
        // Reset the start time: the next byte belongs to another request.
        self.state.times().request_started = None;
    }
}

impl hyper::body::Body for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        // Check the deadline before polling the body, so that a body whose data never stops also
        // times out.
        if !this.body.is_end_stream() && Instant::now() >= this.deadline {
            return Poll::Ready(Some(Err(RequestTimeoutError.into())));
        }
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = this.deadline;
        let timer = this
            .timer
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Some(Err(RequestTimeoutError.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// TCP stream that records the time of the last read or write and fails if the client reads nothing
/// for too long.
struct TimedStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    timeout: Duration,
    /// Timer that ends the connection of a client that reads nothing, created when a write has to
    /// wait.
    stall_timer: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    /// Returns the result of a write to a client; replaces it by a timeout error if the client has
    /// read nothing for too long.
    fn check_write_stall<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall_timer = None;
            self.state.times().last_activity = Instant::now();
            return written;
        }
        let timeout = self.timeout;
        let stall_timer = self
            .stall_timer
            .get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(stall_timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            let mut times = self.state.times();
            let now = Instant::now();
            times.request_started.get_or_insert(now);
            times.last_activity = now;
        }
        read
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_write_stall(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.check_write_stall(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
