//! Accept loop with timeouts and eviction of idle connections.
//!
//! A request must arrive completely within a timeout that starts with its first byte, so that
//! clients that send headers or a body slowly hold no resources. The limit of an upload follows its
//! bytes instead: it ends when none arrive for the timeout, or too few over twice that time. A
//! response is abandoned if the client reads nothing for the timeout. When the maximum number of connections is reached, the
//! one that was idle longest is closed.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::Ordering;
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
use crate::operation::request_observer::RequestObserver;
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
    /// True if the handler expects an upload, whose time limit follows the bytes.
    is_upload: bool,
}

/// Extension of a request by which its handler declares that the body is an upload.
#[derive(Clone)]
pub(crate) struct UploadSwitch(Arc<ConnectionState>);

impl UploadSwitch {
    /// Lets the time limit of the request follow the bytes of its body.
    pub(crate) fn expect_upload(&self) {
        self.0.times().is_upload = true;
    }
}

impl ConnectionState {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            times: Mutex::new(ConnectionTimes {
                request_started: None,
                last_activity: Instant::now(),
                is_upload: false,
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

/// Limits of the connections of a listener.
pub(crate) struct ConnectionLimits {
    /// Timeout of clients, see the [module](self).
    pub(crate) timeout: Duration,
    /// Maximum number of connections.
    pub(crate) max_connections: usize,
}

/// Accepts and serves connections until `stopped` holds true, then lets the current requests
/// finish. The observer, if there is one, counts connections and requests.
pub(crate) async fn serve(
    listener: TcpListener,
    application: Router,
    limits: ConnectionLimits,
    observer: Option<Arc<RequestObserver>>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut tasks: JoinSet<u64> = JoinSet::new();
    let mut connections: HashMap<u64, Arc<ConnectionState>> = HashMap::new();
    let mut number = 0;
    loop {
        if let Some(observer) = &observer {
            observer
                .connections
                .store(connections.len(), Ordering::Relaxed);
        }
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
        if connections.len() >= limits.max_connections {
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
            (limits.timeout, observer.clone()),
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
    (timeout, observer): (Duration, Option<Arc<RequestObserver>>),
    mut stopped: watch::Receiver<bool>,
) {
    let application = TowerToHyperService::new(application);
    let request_state = state.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let state = request_state.clone();
        request.extensions_mut().insert(UploadSwitch(state.clone()));
        let path = request.uri().path();
        let is_api = path.starts_with("/api/");
        // No name contains NUL, and PostgreSQL refuses statements with it.
        let has_nul = path.contains(ENCODED_NUL);
        let (method, path) = (request.method().clone(), path.to_owned());
        let handled =
            application.call(request.map(|body| Body::new(TimedBody::new(body, state, timeout))));
        let observer = observer.clone();
        async move {
            let handling = async {
                match (has_nul, handled) {
                    (true, _) => HttpProblem::not_found("address").into_response(),
                    (false, handled) => match handled.await {
                        Ok(response) => map_bad_path_to_not_found(response),
                        Err(never) => match never {},
                    },
                }
            };
            // Requests are observed and headers added here and not in a router layer, because each
            // layer boxes and clones the service that it wraps.
            let mut response = match observer {
                Some(observer) => observer.observe(method, path, handling).await,
                None => handling.await,
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

/// Minimum rate of an upload over twice the timeout, in bytes per second.
const MIN_UPLOAD_RATE: f64 = 20_000.0;

/// Number of intervals into which twice the timeout is divided for the rate of an upload.
const RATE_INTERVALS: u32 = 60;

/// Progress of an upload, from which stalled and slow uploads are recognised.
struct UploadProgress {
    timeout: Duration,
    /// Time of the last bytes, or of the start.
    last: Instant,
    /// Number of bytes that arrived before each of the last intervals, oldest first.
    samples: VecDeque<(Instant, u64)>,
    received: u64,
}

impl UploadProgress {
    fn new(started: Instant, timeout: Duration) -> Self {
        Self {
            timeout,
            last: started,
            samples: VecDeque::from([(started, 0)]),
            received: 0,
        }
    }

    /// Counts bytes that arrived. Returns false if the upload was too slow over the last two
    /// timeouts.
    fn add(&mut self, bytes: usize, now: Instant) -> bool {
        let window = self.timeout * 2;
        let (latest, _) = self.samples.back().expect("there is always a sample");
        if now.duration_since(*latest) >= window / RATE_INTERVALS {
            self.samples.push_back((now, self.received));
        }
        self.received += bytes as u64;
        self.last = now;
        // Keep the latest sample that is at least as old as the window.
        while self.samples.len() > 1 && now.duration_since(self.samples[1].0) >= window {
            self.samples.pop_front();
        }
        let (since, before) = self.samples[0];
        let elapsed = now.duration_since(since);
        let rate = (self.received - before) as f64 / elapsed.as_secs_f64();
        elapsed < window || rate >= MIN_UPLOAD_RATE
    }
}

/// Request body that fails if it does not arrive before a deadline or, if it is an upload, if it
/// stalls or is too slow.
struct TimedBody {
    body: Incoming,
    state: Arc<ConnectionState>,
    deadline: Instant,
    upload: UploadProgress,
    /// Timer of the current wait for bytes, created when the body has to wait, because most bodies
    /// are complete at the first poll.
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    fn new(body: Incoming, state: Arc<ConnectionState>, timeout: Duration) -> Self {
        let started = {
            let mut times = state.times();
            times.is_upload = false;
            times.request_started.unwrap_or_else(Instant::now)
        };
        Self {
            body,
            state,
            deadline: started + timeout,
            upload: UploadProgress::new(started, timeout),
            timer: None,
        }
    }

    /// Returns true if the time limit has passed. `arrived` is the number of bytes that have just
    /// arrived.
    fn is_too_slow(&mut self, arrived: usize, is_upload: bool) -> bool {
        let now = Instant::now();
        let is_fast = self.upload.add(arrived, now);
        if is_upload {
            !is_fast
        } else {
            now >= self.deadline
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
        let is_upload = this.state.times().is_upload;
        let was_complete = this.body.is_end_stream();
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            this.timer = None;
            let data = frame
                .as_ref()
                .and_then(|frame| frame.as_ref().ok()?.data_ref());
            let arrived = data.map_or(0, Bytes::len);
            // A body whose data never stops must time out as well.
            if !was_complete && this.is_too_slow(arrived, is_upload) && frame.is_some() {
                return Poll::Ready(Some(Err(RequestTimeoutError.into())));
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = match is_upload {
            // The handler may have taken its time, so the wait begins now.
            true => Instant::now() + this.upload.timeout,
            false => this.deadline,
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets an upload arrive in parts of `bytes` every `step`; returns the time after which it is
    /// refused, at most `until`.
    fn upload(step: Duration, bytes: impl Fn(Duration) -> usize, until: Duration) -> Duration {
        let started = Instant::now();
        let mut progress = UploadProgress::new(started, Duration::from_secs(30));
        let mut elapsed = Duration::ZERO;
        while elapsed < until {
            elapsed += step;
            if !progress.add(bytes(elapsed), started + elapsed) {
                return elapsed;
            }
        }
        until
    }

    #[test]
    fn server_b8_the_limit_of_an_upload_follows_its_bytes() {
        let (minute, hour) = (Duration::from_mins(1), Duration::from_hours(1));
        let second = Duration::from_secs(1);
        // 500 MiB at 150 kB/s take nearly an hour and are accepted.
        assert_eq!(upload(second, |_| 150_000, hour), hour);
        assert_eq!(upload(second, |_| 21_000, hour), hour);
        // Data that arrive in bursts every 25 seconds are accepted too.
        assert_eq!(upload(second * 25, |_| 600_000, hour), hour);
        assert_eq!(upload(second, |_| 19_000, hour), minute);
        assert_eq!(upload(second / 100, |_| 1, hour), minute);
        // A fast start does not make up for a slow remainder.
        let slows_down = |elapsed| if elapsed < minute { 10_000_000 } else { 100 };
        let ended = upload(second, slows_down, hour);
        assert!(
            ended > minute && ended <= minute * 2 + second * 2,
            "{ended:?}"
        );
        // A slow minute ends an upload, half a minute does not.
        let pauses = |elapsed: Duration| {
            if elapsed.as_secs() % 60 < 30 {
                50_000
            } else {
                10
            }
        };
        assert_eq!(upload(second, pauses, hour), hour);
    }
}
