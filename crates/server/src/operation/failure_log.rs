//! Log of failures on standard error. Equal failures are grouped into few lines: the first is written
//! at once, and those that follow within some seconds are counted.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::request_observer::RequestContext;
use crate::writer::UnixMillis;

/// Time for which equal failures are grouped.
const GROUP_TIME: Duration = Duration::from_secs(10);

/// Maximum number of groups. Further failures are counted together.
const MAX_GROUPS: usize = 1_000;

/// Failures of this process.
static FAILURES: LazyLock<Mutex<FailureGroups>> = LazyLock::new(Mutex::default);

/// Groups of equal failures, by what is equal in them.
#[derive(Default)]
struct FailureGroups(HashMap<String, FailureGroup>);

/// Failures that are equal to one whose line was written.
struct FailureGroup {
    /// Time of the first failure.
    begun: Instant,
    /// Number of failures after the first.
    repeats: u64,
    /// Where the last failure happened.
    last_place: FailurePlace,
}

/// Campaign and request of a failure, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FailurePlace {
    /// Name of the campaign, or of several.
    pub(crate) campaign: Option<String>,
    /// Random id of the assessor.
    pub(crate) person: Option<String>,
    /// Id of the request, as in its header `X-Request-Id`.
    pub(crate) request: Option<String>,
}

impl FailurePlace {
    /// Returns the place in brackets, for the end of a line; empty if nothing is known.
    fn suffix(&self) -> String {
        let parts = [
            ("campaign", &self.campaign),
            ("person", &self.person),
            ("request", &self.request),
        ];
        let known = parts.into_iter().filter_map(|(name, value)| {
            let value = value.as_ref()?;
            Some(format!("{name} {value}"))
        });
        let known: Vec<String> = known.collect();
        match known.is_empty() {
            true => String::new(),
            false => format!(" [{}]", known.join(", ")),
        }
    }
}

impl FailureGroups {
    /// Takes a failure; returns the lines to write now. Failures with the same `text` and campaign,
    /// and the same person if there is one, are equal.
    fn take(&mut self, text: &str, place: FailurePlace, now: Instant) -> Vec<String> {
        let mut lines = self.take_ended(now);
        let FailurePlace {
            campaign, person, ..
        } = &place;
        let mut key = format!("{text}\n{campaign:?}\n{person:?}");
        if self.0.len() >= MAX_GROUPS && !self.0.contains_key(&key) {
            key = "other failures".to_owned();
        }
        if let Some(group) = self.0.get_mut(&key) {
            group.repeats += 1;
            group.last_place = place;
            return lines;
        }
        lines.push(format!("{text}{}", place.suffix()));
        let group = FailureGroup {
            begun: now,
            repeats: 0,
            last_place: place,
        };
        self.0.insert(key, group);
        lines
    }

    /// Removes the groups that are complete at `now`; returns a line for each that has repeats.
    fn take_ended(&mut self, now: Instant) -> Vec<String> {
        let mut lines = Vec::new();
        self.0.retain(|key, group| {
            if now.duration_since(group.begun) < GROUP_TIME {
                return true;
            }
            if group.repeats > 0 {
                let text = key.split('\n').next().unwrap_or_default();
                let (repeats, seconds) = (group.repeats, GROUP_TIME.as_secs());
                let last = match group.last_place.suffix().as_str() {
                    "" => String::new(),
                    place => format!(", the last:{place}"),
                };
                lines.push(format!("{text} ({repeats} more in {seconds} s{last})"));
            }
            false
        });
        lines.sort();
        lines
    }
}

fn failures() -> MutexGuard<'static, FailureGroups> {
    FAILURES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes lines to standard error, each with the time.
#[expect(clippy::print_stderr)]
fn write_lines(lines: Vec<String>) {
    for line in lines {
        eprintln!("{} {line}", UnixMillis::now().to_rfc3339());
    }
}

/// Logs an internal error, with the campaign and the id of the current request if there is one.
/// Messages never contain tokens, client addresses or the ids that recruiters use for assessors.
pub(crate) fn log_error(error: &dyn Display) {
    let place =
        RequestContext::current().map_or_else(FailurePlace::default, |request| FailurePlace {
            request: Some(request.id.clone()),
            ..FailurePlace::default()
        });
    log_failure(error, place);
}

/// Logs a failure that happened at a known place.
pub(crate) fn log_failure(error: &dyn Display, place: FailurePlace) {
    // A line per failure: messages of databases may have several.
    let text = error.to_string().replace('\n', " ");
    let lines = failures().take(&text, place, Instant::now());
    write_lines(lines);
}

/// Writes the lines of groups that are complete.
pub(crate) fn write_ended_groups() {
    let lines = failures().take_ended(Instant::now());
    write_lines(lines);
}

/// Writes the lines of all groups, at the end of the process.
pub(crate) fn write_all_groups() {
    let lines = failures().take_ended(Instant::now() + GROUP_TIME);
    write_lines(lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the place of a failure of a request of a campaign.
    fn place(campaign: &str, request: u32) -> FailurePlace {
        FailurePlace {
            campaign: Some(campaign.to_owned()),
            person: None,
            request: Some(format!("r{request}")),
        }
    }

    #[test]
    fn server_b12_equal_failures_take_two_lines() {
        let mut groups = FailureGroups::default();
        let start = Instant::now();
        let mut lines = Vec::new();
        for number in 0..1_225 {
            let now = start + Duration::from_millis(u64::from(number) * 4);
            lines.extend(groups.take("the disk is full", place("c", number), now));
        }
        assert_eq!(lines, ["the disk is full [campaign c, request r0]"]);
        // Another campaign and another failure have lines of their own.
        let soon = start + Duration::from_secs(5);
        let other = groups.take("the disk is full", place("d", 7), soon);
        assert_eq!(other, ["the disk is full [campaign d, request r7]"]);
        assert_eq!(
            groups.take("it is dark", FailurePlace::default(), soon),
            ["it is dark"]
        );
        assert_eq!(
            groups.take_ended(start + GROUP_TIME),
            ["the disk is full (1224 more in 10 s, the last: [campaign c, request r1224])"]
        );
        // The next equal failure is written at once again.
        let later = start + GROUP_TIME * 2;
        assert_eq!(
            groups.take("the disk is full", place("c", 1), later),
            ["the disk is full [campaign c, request r1]"]
        );
    }

    #[test]
    fn server_b12_the_number_of_groups_is_bounded() {
        let mut groups = FailureGroups::default();
        let now = Instant::now();
        let written = (0..5_000_u32).map(|number| {
            let text = format!("failure {number}");
            groups.take(&text, FailurePlace::default(), now).len()
        });
        assert_eq!(written.sum::<usize>(), MAX_GROUPS + 1);
        assert_eq!(groups.0.len(), MAX_GROUPS + 1);
        assert_eq!(groups.take_ended(now + GROUP_TIME).len(), 1);
    }
}
