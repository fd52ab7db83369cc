//! Figures of a campaign: progress of its lists, its batches of answers, and its assessors.

use partita_judging::campaign::{CampaignStatus, ListStatus};
use partita_judging::{AssessorCard, BatchReport, BatchesReport, Screening};

use super::canvas::scene::{Colour, Figure};
use super::plot::bars::{Bar, BarColumn, Bars};
use crate::phrases::{count_noun, join, plural};
use crate::views::campaign::cost_heading;

/// Colour of finished work.
const DONE_COLOUR: Colour = "#0072B2";
/// Colour of expected further work.
const EXPECTED_COLOUR: Colour = "#BBD5E6";
/// Colour of assessors with a signal, that is, a reason to doubt their answers.
const SIGNAL_COLOUR: Colour = "#D55E00";

/// Draws the progress of each list: decided pairs, votes given and votes still expected.
pub fn status_figure(status: &CampaignStatus) -> Figure {
    let lists = &status.lists;
    let settled = lists.iter().filter(|list| list.settled).count();
    let left = if status.expected_votes == 0.0 {
        "nothing to come".to_owned()
    } else {
        format!("about {:.0} votes to come", status.expected_votes)
    };
    let pairs = |list: &ListStatus| Bar {
        parts: vec![
            (list.decided as f64, DONE_COLOUR),
            (list.open as f64, EXPECTED_COLOUR),
        ],
        words: format!("{} of {}", list.decided, list.pairs),
    };
    let votes = |list: &ListStatus| Bar {
        parts: vec![
            (list.votes as f64, DONE_COLOUR),
            (list.expected_votes, EXPECTED_COLOUR),
        ],
        words: if list.settled && list.open == 0 {
            format!("{}, settled", list.votes)
        } else {
            format!("{}, about {:.0} to come", list.votes, list.expected_votes)
        },
    };
    let bars = Bars {
        title: format!("{settled} of {} settled", plural(lists.len(), "list")),
        subtitle: format!(
            "Campaign {}: {} after {}; {} so far, {left}",
            status.campaign,
            plural(status.assessors, "assessor"),
            count_noun(status.batches as usize, "batch", "batches"),
            plural(status.votes as usize, "vote"),
        ),
        legend: vec![(DONE_COLOUR, "done"), (EXPECTED_COLOUR, "to come")],
        names: lists.iter().map(|list| &*list.query).collect(),
        columns: vec![
            BarColumn::new("pairs decided", lists.iter().map(pairs).collect()),
            BarColumn {
                weight: 1.6,
                ..BarColumn::new("votes", lists.iter().map(votes).collect())
            },
        ],
        note: "Votes to come are an estimate.".to_owned(),
    };
    bars.figure()
}

/// Draws the number of answers, assessors, answer times, agreement and cost of each batch.
pub fn batches_figure(report: &BatchesReport) -> Figure {
    let of = |value: fn(&BatchReport) -> Bar| report.batches.iter().map(value).collect();
    let people = of(|batch| {
        let (all, before) = (batch.priced.assessors, batch.priced.returning);
        Bar {
            parts: vec![
                (before as f64, DONE_COLOUR),
                ((all - before) as f64, EXPECTED_COLOUR),
            ],
            words: all.to_string(),
        }
    });
    let answers = of(|batch| Bar::from_value(Some(batch.priced.answers as f64), DONE_COLOUR, 0));
    let seconds = of(|batch| Bar::from_value(batch.priced.median_seconds, DONE_COLOUR, 1));
    let agreement = of(|batch| Bar::from_value(batch.priced.agreement, DONE_COLOUR, 3));
    let cost = of(|batch| Bar::from_value(batch.priced.cost, DONE_COLOUR, 2));
    let heading = cost_heading(report.currency).replacen('C', "c", 1);
    let costs = report.all.cost.map(|_| BarColumn::new(heading, cost));
    let all = &report.all;
    let bars = Bars {
        title: format!(
            "{} of questions",
            count_noun(report.batches.len(), "batch", "batches")
        ),
        subtitle: format!(
            "{} to {} by {}",
            plural(all.answers, "answer"),
            plural(all.pairs, "pair"),
            count_noun(all.assessors, "person", "people"),
        ),
        legend: vec![(EXPECTED_COLOUR, "people who are new")],
        names: (report.batches.iter())
            .map(|batch| &*batch.priced.name)
            .collect(),
        columns: [
            BarColumn::new("answers", answers),
            BarColumn::new("people", people),
            BarColumn::new("median seconds per answer", seconds),
            BarColumn {
                whole: Some(1.0),
                ..BarColumn::new("agreement", agreement)
            },
        ]
        .into_iter()
        .chain(costs)
        .collect(),
        note: String::new(),
    };
    bars.figure()
}

/// Draws one row per assessor, most suspicious first: number and speed of answers, agreement with
/// others, and signals, which are reasons to doubt the assessor.
pub fn screening_figure(screening: &Screening) -> Figure {
    let mut cards: Vec<&AssessorCard> = screening.assessors.iter().collect();
    cards.sort_by(|one, other| {
        let signals = other.signals.len().cmp(&one.signals.len());
        signals.then(other.concern.total_cmp(&one.concern))
    });
    let colour = |card: &AssessorCard| {
        if card.signals.is_empty() {
            DONE_COLOUR
        } else {
            SIGNAL_COLOUR
        }
    };
    let of = |value: &dyn Fn(&AssessorCard) -> (Option<f64>, usize)| {
        let bar = |card: &&AssessorCard| {
            let (value, decimals) = value(card);
            Bar::from_value(value, colour(card), decimals)
        };
        cards.iter().map(bar).collect()
    };
    let signals = cards.iter().map(|card| Bar {
        parts: Vec::new(),
        words: join(card.signals.iter().map(|signal| signal.kind), ", ").replace('-', " "),
    });
    let with = cards.iter().filter(|card| !card.signals.is_empty()).count();
    let bars = Bars {
        title: format!(
            "{with} of {} {} a signal against them",
            count_noun(cards.len(), "person", "people"),
            if cards.len() == 1 { "has" } else { "have" },
        ),
        subtitle: format!("Tests at level {}", screening.settings.level),
        legend: vec![(SIGNAL_COLOUR, "with a signal"), (DONE_COLOUR, "without")],
        names: cards.iter().map(|card| &*card.assessor).collect(),
        columns: vec![
            BarColumn::new("answers", of(&|card| (Some(card.answers as f64), 0))),
            BarColumn::new(
                "median seconds per answer",
                of(&|card| (card.times.map(|times| times.median), 1)),
            ),
            BarColumn {
                whole: Some(1.0),
                ..BarColumn::new(
                    "agreement with others",
                    of(&|card| (card.agreement.map(|found| found.agreement), 3)),
                )
            },
            BarColumn {
                weight: 2.2,
                ..BarColumn::new("signals", signals.collect())
            },
        ],
        note: "A signal is advice: it may have an honest reason.".to_owned(),
    };
    bars.figure()
}
