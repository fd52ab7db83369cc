//! Cards as CSV: a row an assessor.

use super::super::format::{csv, number, word};
use super::Screened;
use crate::failure::Failure;

pub(super) fn print(screened: &Screened<'_>) -> Result<String, Failure> {
    let header = [
        "assessor",
        "answers",
        "a",
        "equal",
        "b",
        "frequent",
        "frequent_share",
        "frequent_expected",
        "first_expected",
        "median_seconds",
        "time_variation",
        "timed_against_clips",
        "too_fast",
        "gold",
        "gold_wrong",
        "agreement",
        "agreement_expected",
        "z",
        "concern",
        "signals",
    ];
    let mut rows = Vec::new();
    let count = |value: Option<usize>| value.map(|value| value.to_string()).unwrap_or_default();
    for card in &screened.cards {
        let kinds: Vec<&str> = card.signals.iter().map(|s| s.kind.name()).collect();
        rows.push([
            screened.name(card).to_owned(),
            card.answers.to_string(),
            card.counts[0].to_string(),
            card.counts[1].to_string(),
            card.counts[2].to_string(),
            word(Some(card.frequent.answer)).to_owned(),
            card.frequent.share.to_string(),
            number(card.frequent.expected),
            number(card.side.map(|side| side.expected)),
            number(card.times.map(|times| times.median)),
            number(card.times.and_then(|times| times.variation)),
            count(card.fast.map(|fast| fast.answers)),
            count(card.fast.map(|fast| fast.fast)),
            count(card.gold.map(|gold| gold.answers)),
            count(card.gold.map(|gold| gold.wrong)),
            number(card.agreement.map(|found| found.agreement)),
            number(card.agreement.map(|found| found.expected)),
            number(card.agreement.map(|found| found.z)),
            card.concern().to_string(),
            kinds.join(" "),
        ]);
    }
    csv(header, rows)
}
