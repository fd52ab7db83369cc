//! Metrics of a server in the Prometheus text format.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use partita::judging::campaign::WorkOutcome;
use partita::named::NamedEnum as _;

use crate::AppState;
use crate::campaign::state::{ACTIVE_STATE, CampaignPhase};
use crate::store::{StoreError, statement as sql};

/// Phase of each campaign, and the number of its people by state.
type CampaignCounts = BTreeMap<String, (String, BTreeMap<String, i64>)>;

/// Reads the phases of all campaigns and counts their people.
async fn fetch_campaign_counts(shared: &AppState) -> Result<CampaignCounts, StoreError> {
    let mut read = shared.store.begin_read().await?;
    let mut counts = CampaignCounts::new();
    for mut row in read.fetch_all(&sql::CAMPAIGN_ALL, vec![]).await? {
        let (name, stored) = (row.text()?, row.text()?);
        let phase = match shared.writer.damaged.contains(&name) {
            true => CampaignPhase::Damaged.to_string(),
            false => stored,
        };
        let outcomes = WorkOutcome::VARIANTS.iter().map(|outcome| outcome.name());
        let states = outcomes.chain([ACTIVE_STATE]);
        let none = states.map(|state| (state.to_owned(), 0)).collect();
        counts.insert(name, (phase, none));
    }
    for mut row in read.fetch_all(&sql::PERSON_COUNTS, vec![]).await? {
        let (campaign, state, count) = (row.text()?, row.text()?, row.int()?);
        if let Some((_, states)) = counts.get_mut(&campaign) {
            states.insert(state, count);
        }
    }
    read.rollback().await?;
    Ok(counts)
}

/// Returns the head of a metric.
fn head(name: &str, kind: &str, help: &str) -> String {
    format!("# HELP {name} {help}.\n# TYPE {name} {kind}\n")
}

/// Returns a metric that has no labels.
fn single(name: &str, kind: &str, help: &str, value: impl std::fmt::Display) -> String {
    format!("{}{name} {value}\n", head(name, kind, help))
}

/// Returns all metrics. Metrics of people and campaigns have no values while the database is
/// unreachable.
pub(crate) async fn metrics_text(shared: &AppState) -> String {
    let (writer, observer) = (&shared.writer.metrics, &shared.observer);
    let mut text = observer.metrics_text();
    for (name, help, histogram) in [
        (
            "partita_commit_duration_seconds",
            "Time to write the rows of a transaction and to commit it",
            &writer.commit_durations,
        ),
        (
            "partita_plan_duration_seconds",
            "Time to compute a plan of the next questions of a list",
            &writer.plan_durations,
        ),
    ] {
        text.push_str(&head(name, "histogram", help));
        text.push_str(&histogram.lines(name, ""));
    }
    for (name, help, count) in [
        ("partita_answers_total", "Saved answers", &writer.answers),
        (
            "partita_commits_total",
            "Committed transactions",
            &writer.commits,
        ),
        (
            "partita_commit_failures_total",
            "Transactions that failed, of which nothing was saved",
            &writer.commit_failures,
        ),
    ] {
        text.push_str(&single(
            name,
            "counter",
            help,
            count.load(Ordering::Relaxed),
        ));
    }
    let (queued, connections) = (
        shared.writer.queued_jobs(),
        observer.connections.load(Ordering::Relaxed),
    );
    text.push_str(&single(
        "partita_queue_jobs",
        "gauge",
        "Jobs that wait for the writer",
        queued,
    ));
    text.push_str(&single(
        "partita_connections",
        "gauge",
        "Open connections",
        connections,
    ));
    text.push_str(&campaign_metrics(shared).await);
    text
}

/// Returns the metrics by campaign. There are none if the database does not answer: numbers of 0
/// would be false.
async fn campaign_metrics(shared: &AppState) -> String {
    let Ok(counts) = fetch_campaign_counts(shared).await else {
        return String::new();
    };
    let name = "partita_campaigns";
    let mut text = head(name, "gauge", "Campaigns by state");
    for phase in CampaignPhase::VARIANTS {
        let phase = phase.name();
        let count = counts.values().filter(|(known, _)| known == phase).count();
        text.push_str(&format!("{name}{{state=\"{phase}\"}} {count}\n"));
    }
    let name = "partita_people";
    text.push_str(&head(name, "gauge", "People by campaign and state"));
    for (campaign, (_, states)) in &counts {
        for (state, count) in states {
            let labels = format!("campaign=\"{campaign}\",state=\"{state}\"");
            text.push_str(&format!("{name}{{{labels}}} {count}\n"));
        }
    }
    let name = "partita_leases";
    text.push_str(&head(name, "gauge", "Questions that people have now"));
    for campaign in counts.keys() {
        let leases = shared.writer.metrics.lease_count(campaign);
        text.push_str(&format!("{name}{{campaign=\"{campaign}\"}} {leases}\n"));
    }
    text
}
