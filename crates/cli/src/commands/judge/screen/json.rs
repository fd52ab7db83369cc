//! Cards as JSON.

use partita_judging::Card;
use serde_json::{Value, json};

use super::super::format::word;
use super::Screened;

pub(super) fn print(screened: &Screened<'_>) -> String {
    let settings = &screened.settings;
    let value = json!({
        "settings": {
            "level": settings.level,
            "least_answers": settings.least_answers,
            "same_answer": settings.same_answer,
            "time_variation": settings.time_variation,
            "too_fast": settings.too_fast,
            "gold_missed": settings.gold_missed,
            "side_excess": settings.side_excess,
            "agreement_deficit": settings.agreement_deficit,
        },
        "assessors": screened.cards.iter().map(|c| card(screened, c)).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn card(screened: &Screened<'_>, card: &Card) -> Value {
    let [a, equal, b] = card.counts;
    let signals = card.signals.iter().map(|signal| {
        json!({
            "signal": signal.kind.name(),
            "value": signal.value,
            "threshold": signal.threshold,
            "p": signal.p,
            "why": signal.why,
        })
    });
    json!({
        "assessor": screened.name(card),
        "answers": card.answers,
        "counts": {"a": a, "equal": equal, "b": b},
        "frequent": {
            "answer": word(Some(card.frequent.answer)),
            "share": card.frequent.share,
            "expected": card.frequent.expected,
            "p": card.frequent.p,
        },
        "side": card.side.map(|side| json!({
            "first": side.first,
            "second": side.second,
            "expected_first": side.expected,
            "p": side.p,
        })),
        "times": card.times.map(|times| json!({
            "answers": times.answers,
            "median": times.median,
            "variation": times.variation,
            "p": times.p,
        })),
        "too_fast": card.fast.map(|fast| json!({"answers": fast.answers, "fast": fast.fast})),
        "gold": card.gold.map(|gold| json!({
            "answers": gold.answers,
            "wrong": gold.wrong,
            "expected": gold.expected,
            "p": gold.p,
        })),
        "agreement": card.agreement.map(|found| json!({
            "answers": found.answers,
            "agreement": found.agreement,
            "expected": found.expected,
            "z": found.z,
            "p": found.p,
        })),
        "concern": card.concern(),
        "signals": signals.collect::<Vec<_>>(),
    })
}
