//! Cards as tables for people.

use partita_judging::Card;
use partita_report::{Align, Cell, Column, Table, TableFormat};

use super::super::format::word;
use super::Screened;
use crate::failure::Failure;
use crate::notes::render;

pub(super) fn print(screened: &Screened<'_>, format: TableFormat) -> Result<String, Failure> {
    let cards = render(cards(screened)?, &notes(screened), format);
    let signals = signals(screened)?;
    match signals.rows().is_empty() {
        true => Ok(cards),
        false => Ok(format!("{}\n{cards}", format.render(&signals))),
    }
}

/// A row a signal.
fn signals(screened: &Screened<'_>) -> Result<Table, Failure> {
    let columns = [
        Column::text("Assessor"),
        Column::text("Signal"),
        Column::text("p").align(Align::Right),
        Column::text("Why"),
    ];
    let mut table = Table::new(columns);
    for card in &screened.cards {
        for signal in &card.signals {
            let p = signal.p.map(|p| match p < 1e-4 {
                true => "<0.0001".to_owned(),
                false => format!("{p:.4}"),
            });
            let row = [
                Cell::text(screened.name(card)),
                Cell::text(signal.kind.name()),
                p.map_or_else(Cell::missing, Cell::text),
                Cell::text(signal.why.clone()),
            ];
            table.push(row);
        }
    }
    Ok(table)
}

/// A row an assessor.
fn cards(screened: &Screened<'_>) -> Result<Table, Failure> {
    let columns = [
        Column::text("Assessor"),
        Column::integer("Answers"),
        Column::text("Most frequent").align(Align::Right),
        Column::text("First of strict").align(Align::Right),
        Column::number("Median s", 1),
        Column::number("Variation", 2),
        Column::text("Too fast").align(Align::Right),
        Column::text("Gold wrong").align(Align::Right),
        Column::number("Agreement", 3),
        Column::number("z", 1),
        Column::integer("Signals"),
    ];
    let mut table = Table::new(columns);
    for card in &screened.cards {
        table.push(row(screened, card));
    }
    Ok(table)
}

fn row(screened: &Screened<'_>, card: &Card) -> [Cell; 11] {
    let frequent = format!(
        "{} {:.0}%",
        word(Some(card.frequent.answer)),
        100.0 * card.frequent.share
    );
    let of = |part: usize, all: usize| Cell::text(format!("{part} of {all}"));
    let side = card
        .side
        .map(|side| of(side.first, side.first + side.second));
    let fast = card.fast.map(|fast| of(fast.fast, fast.answers));
    let gold = card.gold.map(|gold| of(gold.wrong, gold.answers));
    [
        Cell::text(screened.name(card)),
        Cell::integer(card.answers as i64),
        Cell::text(frequent),
        side.unwrap_or_else(Cell::missing),
        card.times.map(|times| times.median).into(),
        card.times.and_then(|times| times.variation).into(),
        fast.unwrap_or_else(Cell::missing),
        gold.unwrap_or_else(Cell::missing),
        card.agreement.map(|found| found.agreement).into(),
        card.agreement.map(|found| found.z).into(),
        Cell::integer(card.signals.len() as i64),
    ]
}

fn notes(screened: &Screened<'_>) -> Vec<String> {
    let with = screened
        .cards
        .iter()
        .filter(|card| !card.signals.is_empty());
    vec![
        format!(
            "{} of {} assessors have a signal; tests at level {}. This is advice: nobody is excluded.",
            with.count(),
            screened.cards.len(),
            screened.settings.level
        ),
        "Strict answers prefer an item; a is the one shown first. z compares the agreement with the \
         others to that of somebody who answers as they do."
            .to_owned(),
    ]
}
