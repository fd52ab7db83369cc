//! Latest forecasts of the remaining work of campaigns, which judging pages show as estimates.
//!
//! A forecast simulates the rest of a campaign. It is computed in the background and seldom, so that
//! no assessor waits for it, except the first who opens the page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use partita::judging::campaign::WorkForecast;
use tokio::sync::Mutex as AsyncMutex;

use crate::AppState;

/// Minimum time between the end of a forecast and the next one.
const MIN_PAUSE: Duration = Duration::from_secs(10);

/// Minimum length of the pause after a forecast, in durations of that forecast. Bounds the share of
/// a core that forecasts take.
const PAUSE_FACTOR: u32 = 20;

/// Maximum time that a request waits for the first forecast.
const MAX_WAIT: Duration = Duration::from_millis(1_500);

/// Latest forecast of each campaign.
#[derive(Default)]
pub(crate) struct ForecastCache(Mutex<HashMap<String, Arc<ForecastSlot>>>);

/// Place of the forecast of one campaign.
#[derive(Default)]
struct ForecastSlot {
    latest: Mutex<Option<LatestForecast>>,
    /// Lock of the computation in progress.
    turn: Arc<AsyncMutex<()>>,
}

/// Result of the latest computation.
#[derive(Clone)]
struct LatestForecast {
    /// Time from which the next computation may begin.
    due: Instant,
    /// Forecast; `None` if it failed.
    forecast: Option<Arc<WorkForecast>>,
}

impl ForecastCache {
    /// Returns the place of a campaign.
    fn slot(&self, campaign: &str) -> Arc<ForecastSlot> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(campaign.to_owned()).or_default().clone()
    }

    /// Returns the latest forecast of a campaign, if there is any.
    pub(crate) fn latest(&self, campaign: &str) -> Option<Arc<WorkForecast>> {
        self.slot(campaign).latest()?.forecast
    }
}

impl ForecastSlot {
    /// Returns the result of the latest computation.
    fn latest(&self) -> Option<LatestForecast> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.clone()
    }
}

impl AppState {
    /// Starts a new forecast of a campaign in the background if one is due. Returns the forecast if
    /// it is the first and ends soon.
    pub(crate) async fn refresh_forecast(
        self: &Arc<Self>,
        campaign: &str,
    ) -> Option<Arc<WorkForecast>> {
        let slot = self.forecasts.slot(campaign);
        let known = slot.latest();
        let is_due = known
            .as_ref()
            .is_none_or(|known| known.due <= Instant::now());
        if is_due && let Ok(turn) = slot.turn.clone().try_lock_owned() {
            let (shared, name, slot) = (self.clone(), campaign.to_owned(), slot.clone());
            tokio::spawn(async move {
                let begin = Instant::now();
                let computed = shared
                    .campaign_result(&name, "forecast", |campaign| Ok(campaign.work_forecast()));
                let computed = computed.await.ok();
                let pause = (begin.elapsed() * PAUSE_FACTOR).max(MIN_PAUSE);
                let mut latest = slot.latest.lock().unwrap_or_else(PoisonError::into_inner);
                *latest = Some(LatestForecast {
                    due: Instant::now() + pause,
                    // An old forecast is better than none.
                    forecast: computed.or_else(|| latest.as_ref()?.forecast.clone()),
                });
                drop(turn);
            });
        }
        if known.is_some() {
            return None;
        }
        let _ended = tokio::time::timeout(MAX_WAIT, slot.turn.lock()).await;
        slot.latest()?.forecast
    }
}
