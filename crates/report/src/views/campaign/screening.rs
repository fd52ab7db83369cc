//! View of the screening of assessors for unreliable answers.

use std::io;

use partita_judging::{AssessorCard, Screening, Signal};

use super::percent;
use crate::phrases::{count_noun, format_p_value, join, plural};
use crate::table::{integer, number, right, text};
use crate::{ColumnSet, Document, View};

/// Shows a table of the signals (reasons to doubt an assessor), if any, and one of all assessors.
impl View for Screening {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        columns().write_csv(&self.assessors, writer)
    }

    fn document(&self) -> Document {
        let cards = &self.assessors;
        let of_card = |card| move |signal| (card, signal);
        let signals = cards
            .iter()
            .flat_map(|card| card.signals.iter().map(of_card(card)));
        let signals = signals_columns().to_table(signals);
        let document = Document::new().tables((!signals.rows().is_empty()).then_some(signals));
        let crowd = &self.crowd;
        let with = cards.iter().filter(|card| !card.signals.is_empty()).count();
        document
            .table(columns().to_table(cards))
            .note(format!(
                "{} of {} {} a signal; tests at level {}. This is advice: nobody is excluded.",
                with,
                plural(cards.len(), "assessor"),
                if with == 1 { "has" } else { "have" },
                self.settings.level
            ))
            .note(format!(
                "Everybody is compared with {}{}; the sharpness of these is {:.2} and varies by {:.2}.",
                count_noun(crowd.people, "person", "people"),
                match crowd.left_out {
                    0 => String::new(),
                    out => format!(" ({out} with signals left out)"),
                },
                crowd.sharpness[0],
                crowd.sharpness[1]
            ))
            .note(
                "Prefers first: of the answers that prefer an item, how many prefer a, the one shown \
                 first. Time variation: the standard deviation of the seconds divided by their mean. z \
                 compares the agreement with the others to that of somebody who answers as they do. \
                 Sharpness: 1 for people whose answers follow the items as those of the others do, 0 for \
                 people whose answers do not depend on the items.",
            )
    }
}

/// Returns the columns of the table of signals (reasons to doubt an assessor), one row per signal.
fn signals_columns<'a>() -> ColumnSet<'static, (&'a AssessorCard, &'a Signal)> {
    ColumnSet::<(&AssessorCard, &Signal)>::new()
        .table_field(text("Assessor"), |(card, _)| card.assessor.clone())
        .table_field(text("Signal"), |(_, signal)| signal.kind.to_string())
        .table_field(right("p"), |(_, signal)| signal.p.map(format_p_value))
        .table_field(text("Why"), |(_, signal)| signal.why.clone())
}

/// Formats a count as `part of all`.
fn fraction_text(part: usize, all: usize) -> String {
    format!("{part} of {all}")
}

/// Returns the columns of the table of assessors, one row per assessor.
fn columns() -> ColumnSet<'static, AssessorCard> {
    ColumnSet::<AssessorCard>::new()
        .field("assessor", text("Assessor"), |card| card.assessor.clone())
        .field("answers", integer("Answers"), |card| card.answers)
        .csv_field("a", |card| card.counts.a)
        .csv_field("equal", |card| card.counts.equal)
        .csv_field("b", |card| card.counts.b)
        .csv_field("frequent", |card| {
            card.frequent.map(|frequent| frequent.answer.name())
        })
        .csv_field("frequent_share", |card| {
            card.frequent.map(|frequent| frequent.share)
        })
        .table_field(right("Most frequent"), |card| {
            let frequent = card.frequent.as_ref();
            frequent
                .map(|frequent| format!("{} {}", frequent.answer.name(), percent(frequent.share)))
        })
        .csv_field("frequent_expected", |card| {
            card.frequent.and_then(|frequent| frequent.expected)
        })
        .csv_field("first_expected", |card| card.side.map(|side| side.expected))
        .table_field(right("Prefers first"), |card| {
            let side = card.side;
            side.map(|side| fraction_text(side.first, side.first + side.second))
        })
        .field("median_seconds", number("Median s", 1), |card| {
            card.times.map(|times| times.median)
        })
        .field("time_variation", number("Time variation", 2), |card| {
            card.times.and_then(|times| times.variation)
        })
        .csv_field("timed_against_clips", |card| {
            card.fast.map(|fast| fast.answers)
        })
        .csv_field("too_fast", |card| card.fast.map(|fast| fast.fast))
        .table_field(right("Too fast"), |card| {
            card.fast.map(|fast| fraction_text(fast.fast, fast.answers))
        })
        .csv_field("gold", |card| card.gold.map(|gold| gold.answers))
        .csv_field("gold_wrong", |card| card.gold.map(|gold| gold.wrong))
        .table_field(right("Gold wrong"), |card| {
            card.gold
                .map(|gold| fraction_text(gold.wrong, gold.answers))
        })
        .field("agreement", number("Agreement", 3), |card| {
            card.agreement.map(|found| found.agreement)
        })
        .csv_field("agreement_expected", |card| {
            card.agreement.map(|found| found.expected)
        })
        .field("z", number("z", 1), |card| {
            card.agreement.map(|found| found.z)
        })
        .field("sharpness", number("Sharpness", 2), |card| {
            card.reliability.map(|found| found.sharpness)
        })
        .csv_field("sharpness_z", |card| card.reliability.map(|found| found.z))
        .csv_field("p_random", |card| {
            card.reliability.map(|found| found.p_random)
        })
        .csv_field("alike", |card| {
            card.alike.as_ref().map(|found| found.assessor.clone())
        })
        .csv_field("alike_pairs", |card| {
            card.alike.as_ref().map(|found| found.pairs)
        })
        .csv_field("alike_same", |card| {
            card.alike.as_ref().map(|found| found.same)
        })
        .csv_field("repeats", |card| card.repeats.map(|found| found.answers))
        .csv_field("repeats_changed", |card| {
            card.repeats.map(|found| found.changed)
        })
        .csv_field("reports", |card| card.reports.map(|found| found.reports))
        .csv_field("left_out", |card| u8::from(card.left_out))
        .csv_field("concern", |card| card.concern)
        .csv_field("signals", |card| {
            join(card.signals.iter().map(|signal| signal.kind), " ")
        })
        .table_field(integer("Signals"), |card| card.signals.len())
}
