//! How the cards of assessors are shown.

use std::io;

use partita_judging::{Card, Screening, Signal};

use super::percent;
use crate::{Align, Column, Document, Present, Sheet};

/// A card for each assessor, with the signals above.
#[derive(Clone, Copy, Debug)]
pub struct ScreeningView<'a>(pub &'a Screening);

impl Present for ScreeningView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        sheet().csv(&self.0.assessors, place)
    }

    fn document(&self) -> Document {
        let cards = &self.0.assessors;
        let signals: Vec<(&Card, &Signal)> = (cards.iter())
            .flat_map(|card| card.signals.iter().map(move |signal| (card, signal)))
            .collect();
        let mut document = Document::new();
        if !signals.is_empty() {
            document = document.table(signals_sheet().table(&signals));
        }
        let with = cards.iter().filter(|card| !card.signals.is_empty());
        document
            .table(sheet().table(cards))
            .note(format!(
                "{} of {} assessors have a signal; tests at level {}. This is advice: nobody is excluded.",
                with.count(),
                cards.len(),
                self.0.settings.level
            ))
            .note(
                "Strict answers prefer an item; a is the one shown first. z compares the agreement with \
                 the others to that of somebody who answers as they do.",
            )
    }
}

/// A row per signal.
fn signals_sheet<'a>() -> Sheet<'static, (&'a Card, &'a Signal)> {
    Sheet::new()
        .table_field(Column::text("Assessor"), |(card, _): &(&Card, &Signal)| {
            card.assessor.as_str().into()
        })
        .table_field(Column::text("Signal"), |(_, signal)| {
            signal.kind.to_string().into()
        })
        .table_field(Column::text("p").align(Align::Right), |(_, signal)| {
            let p = signal.p.map(|p| {
                if p < 1e-4 {
                    "<0.0001".to_owned()
                } else {
                    format!("{p:.4}")
                }
            });
            p.into()
        })
        .table_field(Column::text("Why"), |(_, signal)| {
            signal.why.as_str().into()
        })
}

fn of(part: usize, all: usize) -> String {
    format!("{part} of {all}")
}

/// A row per assessor.
fn sheet() -> Sheet<'static, Card> {
    let right = |header: &str| Column::text(header).align(Align::Right);
    Sheet::new()
        .field("assessor", Column::text("Assessor"), |card: &Card| {
            card.assessor.as_str().into()
        })
        .field("answers", Column::integer("Answers"), |card| {
            card.answers.into()
        })
        .csv_field("a", |card| card.counts.a.into())
        .csv_field("equal", |card| card.counts.equal.into())
        .csv_field("b", |card| card.counts.b.into())
        .csv_field("frequent", |card| card.frequent.answer.name().into())
        .csv_field("frequent_share", |card| card.frequent.share.into())
        .table_field(right("Most frequent"), |card| {
            let frequent = &card.frequent;
            format!("{} {}", frequent.answer.name(), percent(frequent.share)).into()
        })
        .csv_field("frequent_expected", |card| card.frequent.expected.into())
        .csv_field("first_expected", |card| {
            card.side.map(|side| side.expected).into()
        })
        .table_field(right("First of strict"), |card| {
            let side = card.side;
            side.map(|side| of(side.first, side.first + side.second))
                .into()
        })
        .field("median_seconds", Column::number("Median s", 1), |card| {
            card.times.map(|times| times.median).into()
        })
        .field("time_variation", Column::number("Variation", 2), |card| {
            card.times.and_then(|times| times.variation).into()
        })
        .csv_field("timed_against_clips", |card| {
            card.fast.map(|fast| fast.answers).into()
        })
        .csv_field("too_fast", |card| card.fast.map(|fast| fast.fast).into())
        .table_field(right("Too fast"), |card| {
            card.fast.map(|fast| of(fast.fast, fast.answers)).into()
        })
        .csv_field("gold", |card| card.gold.map(|gold| gold.answers).into())
        .csv_field("gold_wrong", |card| card.gold.map(|gold| gold.wrong).into())
        .table_field(right("Gold wrong"), |card| {
            card.gold.map(|gold| of(gold.wrong, gold.answers)).into()
        })
        .field("agreement", Column::number("Agreement", 3), |card| {
            card.agreement.map(|found| found.agreement).into()
        })
        .csv_field("agreement_expected", |card| {
            card.agreement.map(|found| found.expected).into()
        })
        .field("z", Column::number("z", 1), |card| {
            card.agreement.map(|found| found.z).into()
        })
        .csv_field("concern", |card| card.concern.into())
        .csv_field("signals", |card| {
            let kinds = card.signals.iter().map(|signal| signal.kind.to_string());
            kinds.collect::<Vec<_>>().join(" ").into()
        })
        .table_field(Column::integer("Signals"), |card| card.signals.len().into())
}
