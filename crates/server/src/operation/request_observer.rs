//! Observation of requests: their ids, durations and refusals.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use partita::named::NamedEnum as _;

use super::failure_log::{FailurePlace, log_failure};
use super::histogram::Histogram;
use crate::auth::random_id;
use crate::http::problem::ProblemKind;
use crate::routes::RoutePatterns;
use crate::writer::WriterMetrics;

tokio::task_local! {
    /// Request that the current task handles.
    static CURRENT: Arc<RequestContext>;
}

/// What is known of a request while it is handled.
pub(crate) struct RequestContext {
    /// Id of the request, as in its header `X-Request-Id`.
    pub(crate) id: String,
    /// Name of the campaign, which the client may have invented.
    campaign: OnceLock<String>,
    /// Random id of the assessor.
    person: OnceLock<String>,
}

impl RequestContext {
    /// Returns the request that the current task handles, if it handles one.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// Notes the campaign of the current request.
    pub(crate) fn note_campaign(campaign: &str) {
        if let Some(request) = Self::current() {
            let _ = request.campaign.set(campaign.to_owned());
        }
    }

    /// Notes the assessor of the current request.
    pub(crate) fn note_person(person: &str) {
        if let Some(request) = Self::current() {
            let _ = request.person.set(person.to_owned());
        }
    }
}

/// Duration and number of requests by route, method and status.
type RequestDurations = BTreeMap<(&'static str, &'static str, u16), Arc<Histogram>>;

/// Observer of the requests of a server.
pub(crate) struct RequestObserver {
    patterns: RoutePatterns,
    writer: Arc<WriterMetrics>,
    /// Random text with which the ids of this process begin.
    id_prefix: String,
    next_id: AtomicU64,
    durations: Mutex<RequestDurations>,
    /// Number of refusals of each kind of problem, in the order of the kinds.
    refusals: [AtomicU64; ProblemKind::VARIANTS.len()],
    /// Number of open connections.
    pub(crate) connections: AtomicUsize,
}

impl RequestObserver {
    /// Creates an observer. `writer` knows the names of campaigns.
    pub(crate) fn new(writer: Arc<WriterMetrics>) -> Self {
        let mut id_prefix = random_id();
        id_prefix.truncate(6);
        Self {
            patterns: RoutePatterns::new(),
            writer,
            id_prefix,
            next_id: AtomicU64::new(1),
            durations: Mutex::default(),
            refusals: std::array::from_fn(|_| AtomicU64::new(0)),
            connections: AtomicUsize::new(0),
        }
    }

    /// Observes the handling of a request: gives it an id, measures its duration, and counts and
    /// logs a refusal.
    pub(crate) async fn observe(
        &self,
        method: Method,
        path: String,
        handling: impl Future<Output = Response>,
    ) -> Response {
        let started = Instant::now();
        let number = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = Arc::new(RequestContext {
            id: format!("{}-{number}", self.id_prefix),
            campaign: OnceLock::new(),
            person: OnceLock::new(),
        });
        let mut response = CURRENT.scope(request.clone(), handling).await;
        let id = HeaderValue::try_from(request.id.as_str()).expect("an id is printable ASCII");
        (response.headers_mut()).insert(HeaderName::from_static("x-request-id"), id);
        let (route, method) = (self.patterns.find(&path), method_label(&method));
        let status = response.status().as_u16();
        let histogram = {
            let mut durations = self
                .durations
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let histogram = durations.entry((route, method, status)).or_default();
            histogram.clone()
        };
        histogram.record(started.elapsed());
        if let Some(&kind) = response.extensions().get::<ProblemKind>() {
            self.record_refusal(kind, &format!("{method} {route}"), &request);
        }
        response
    }

    /// Counts and logs a refusal. The texts of a request are not logged, because they may contain
    /// tokens or ids of a panel.
    fn record_refusal(&self, kind: ProblemKind, endpoint: &str, request: &RequestContext) {
        self.refusals[kind as usize].fetch_add(1, Ordering::Relaxed);
        let (status, reason) = (kind.status(), kind.summary());
        let text = format!("refused {endpoint}: {} {kind}: {reason}", status.as_u16());
        let campaign = request.campaign.get();
        let place = FailurePlace {
            campaign: campaign
                .filter(|name| self.writer.knows_campaign(name))
                .cloned(),
            // Many people get the same internal error; it does not depend on the person.
            person: (request.person.get())
                .filter(|_| !status.is_server_error())
                .cloned(),
            request: Some(request.id.clone()),
        };
        log_failure(&text, place);
    }

    /// Returns the metrics of requests in the Prometheus text format.
    pub(crate) fn metrics_text(&self) -> String {
        let name = "partita_http_request_duration_seconds";
        let mut text = format!(
            "# HELP {name} Time from the head of a request to the head of its response.\n# TYPE {name} histogram\n"
        );
        let durations = self
            .durations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for ((route, method, status), histogram) in durations.iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\",");
            text.push_str(&histogram.lines(name, &labels));
        }
        drop(durations);
        let name = "partita_refusals_total";
        text.push_str(&format!(
            "# HELP {name} Responses with a problem.\n# TYPE {name} counter\n"
        ));
        for (kind, count) in ProblemKind::VARIANTS.iter().zip(&self.refusals) {
            let count = count.load(Ordering::Relaxed);
            text.push_str(&format!("{name}{{problem=\"{kind}\"}} {count}\n"));
        }
        text
    }
}

/// Returns the label of a method. Methods that no route has share one.
fn method_label(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    let found = known.into_iter().find(|known| method.as_str() == *known);
    found.unwrap_or("other")
}
