//! Campaigns without HTTP routes: uploads, recruiters, state in memory and the
//! organisers' read cache. This module never imports `routes` or `handlers`; from `http` it may
//! import only `json` and `problem`.

mod computation_queue;
pub(crate) mod deletion;
pub(crate) mod forecast_cache;
pub(crate) mod integrity;
pub(crate) mod read_cache;
pub(crate) mod recruiter;
pub(crate) mod state;
pub(crate) mod upload;
